/* SPDX-License-Identifier: MIT */
/* Definitions of a set with the user's own flexible events, as --definitions reads them. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "oa/oa_flex.h"

/* "fpu0/ps/ternary" as "Fpu0PsTernary". Owned. */
static char *make_name(const struct cli_oa_event *event)
{
	char *name = cli_format("%s", event->text), *to = name;
	bool begins = true;

	for (const char *from = event->text; *from; from++) {
		if (*from == '/') {
			begins = true;
			continue;
		}
		*to++ = begins ? (char)toupper((unsigned char)*from) : *from;
		begins = false;
	}
	*to = '\0';
	return name;
}

/* Name of the metric: with its counter when the same event is counted twice. Owned. */
static char *name_metric(const char *set, const struct cli_oa_event *events, size_t count,
			 size_t index)
{
	char *word = make_name(&events[index]), *name;
	bool is_double = false;

	for (size_t i = 0; i < count; i++)
		is_double |= i != index && !strcmp(events[i].text, events[index].text);
	if (is_double)
		name = cli_format("%s.%sA%d", set, word, events[index].counter);
	else
		name = cli_format("%s.%s", set, word);
	free(word);
	return name;
}

static void print_metric(const char *name, const struct cli_oa_event *event)
{
	const struct tacho_oa_flex_meaning *meaning = &event->meaning;

	printf("  %s:\n    {type: f64, unit: percent, semantic: duration, group: EU Array,\n"
	       "    equation: A %d READ %u UMUL $EuCoresTotalCount FDIV%s $GpuCoreClocks FDIV,\n"
	       "    maximum: \"100\",\n"
	       "    description: \"Share of the clocks of the EUs that pass the filters: %s.\"}\n",
	       name, event->counter, 100 * meaning->eu_share * meaning->factor,
	       meaning->factor > 1 ? " $EuThreadsCount FDIV" : "", event->text);
}

static void print_registers(const struct cli_oa_program *program)
{
	fputs("    registers:\n      - kind: FLEX\n        writes: |\n", stdout);
	for (unsigned i = 0; i < TACHO_OA_FLEX_REGISTERS; i++)
		if (program->used[i])
			printf("          %x: %x\n", tacho_oa_flex_get_address(2 * i),
			       program->values[i]);
}

/* A GUID that depends on the name and the events only: the kernel knows a set by it. */
static void print_guid(const char *name, const struct cli_oa_event *events, size_t count)
{
	uint64_t hash[2] = {0xcbf29ce484222325u, 0x84222325cbf29ce4u}; /* FNV-1a, twice */

	for (size_t k = 0; k < 2; k++) {
		for (const char *at = name; *at; at++)
			hash[k] = (hash[k] ^ (unsigned char)*at) * 0x100000001b3u;
		for (size_t i = 0; i < count; i++) {
			uint64_t word = (uint64_t)events[i].counter << 12 |
					events[i].flex.increment << 8 | events[i].flex.coarse << 4 |
					events[i].flex.fine;

			hash[k] = (hash[k] ^ word) * 0x100000001b3u;
		}
	}
	/* Version 8, which anyone may define. */
	printf("    guid: %08x-%04x-8%03x-a%03x-%012llx\n", (unsigned)(hash[0] >> 32),
	       (unsigned)(hash[0] >> 16 & 0xffff), (unsigned)(hash[0] & 0xfff),
	       (unsigned)(hash[1] >> 48 & 0xfff), (unsigned long long)(hash[1] & 0xffffffffffffu));
}

void cli_oa_flex_print_set(const char *name, const char *arch, const struct cli_oa_event *events,
			   size_t count, const struct cli_oa_program *program)
{
	printf("oa-definitions: 1\narchitecture: %s\nsource: \"tacho oa flex encode\"\nmetrics:\n",
	       arch);
	for (size_t i = 0; i < count; i++) {
		char *metric = name_metric(name, events, count, i);

		print_metric(metric, &events[i]);
		free(metric);
	}
	printf("sets:\n  %s:\n    title: \"%s\"\n", name, name);
	print_guid(name, events, count);
	fputs("    metrics: [GpuTime, GpuCoreClocks", stdout);
	for (size_t i = 0; i < count; i++) {
		char *metric = name_metric(name, events, count, i);

		printf(", %s", metric);
		free(metric);
	}
	fputs("]\n", stdout);
	print_registers(program);
}
