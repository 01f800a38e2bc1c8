/* SPDX-License-Identifier: MIT */
/*
 * What unitrace prints of kernels behind its tables of sums: how they were compiled, what a group
 * and a thread of them takes.
 *
 *	Kernel, Compiled, SIMD, Number of Arguments, SLM Per Work Group, Private Memory Per Thread,
 *	Spill Memory Per Thread, Register File Size Per Thread
 */
#include <inttypes.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "format/foreign/foreign_csv.h"
#include "format/foreign/unitrace.h"

/* Of each title its attribute; others are left out. */
static const struct {
	const char *title, *key;
} facts[] = {
	{"SIMD", "simd_width"},
	{"SLM Per Work Group", "local_bytes"},
	{"Private Memory Per Thread", "private_bytes"},
	{"Spill Memory Per Thread", "spill_bytes"},
	{"Register File Size Per Thread", "registers"},
};

static const char *key_of(const char *title)
{
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(facts); i++)
		if (!strcmp(title, facts[i].title))
			return facts[i].key;
	return NULL;
}

bool tacho__unitrace_take_titles(struct tacho__unitrace_facts *table, char *line)
{
	char *title, *rest = NULL;

	line = tacho__trim(line);
	if (strncmp(line, "Kernel, Compiled, SIMD", 22))
		return false;
	table->count = 0;
	for (title = strtok_r(line, ",", &rest); title && table->count < TACHO__UNITRACE_FACTS;
	     title = strtok_r(NULL, ",", &rest))
		table->keys[table->count++] = key_of(tacho__trim(title));
	return true;
}

/* Names have commas, numbers have none: cells are cut off at the end. False: they are too few. */
static bool cut_cells(const struct tacho__unitrace_facts *table, char *line,
		      char *cells[TACHO__UNITRACE_FACTS])
{
	for (size_t i = table->count; i-- > 1;) {
		char *comma = strrchr(line, ',');

		if (!comma)
			return false;
		*comma = '\0';
		cells[i] = tacho__trim(comma + 1);
	}
	cells[0] = tacho__trim(line);
	return *cells[0] != '\0';
}

int tacho__unitrace_take_facts(struct tacho__foreign *foreign, uint32_t process,
			       struct tacho__unitrace_facts *table, char *line, bool *out_is_one)
{
	char *cells[TACHO__UNITRACE_FACTS] = {NULL};
	struct tacho__buf text = {0};
	uint64_t value;
	int rc;

	*out_is_one = table->count > 1 && cut_cells(table, line, cells) &&
		      (!strcmp(cells[1], "JIT") || !strcmp(cells[1], "AOT"));
	if (!*out_is_one) {
		table->count = *tacho__trim(line) ? 0 : table->count; /* it has ended */
		return 0;
	}
	for (size_t i = 2; i < table->count; i++) /* "ANY", "unknown": it is not known */
		if (table->keys[i] && tacho__foreign_csv_unsigned(cells[i], &value))
			tacho__buf_printf(&text, "%s=%" PRIu64 "\n", table->keys[i], value);
	rc = tacho__unitrace_describe_kernel(foreign, process, cells[0], &text);
	tacho__buf_finish(&text);
	return rc;
}
