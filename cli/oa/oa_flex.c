/* SPDX-License-Identifier: MIT */
/* tacho oa flex: what A7 to A20 count, from registers' values to words and back. */
#include "oa/oa_flex.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "oa/oa.h"
#include "options/options.h"
#include "text.h"

/* A value to decode. */
struct value {
	uint32_t bits;
	int number; /* of EU_PERF_CNTL; -1: not said */
};

static bool parse_number(const char *text, uint32_t *out_number)
{
	char *end;
	unsigned long number;

	errno = 0;
	number = strtoul(text, &end, 0);
	if (*text < '0' || *text > '9' || *end || errno || number > UINT32_MAX)
		return false;
	*out_number = (uint32_t)number;
	return true;
}

/* "0x5004", "EU_PERF_CNTL0=0x5004", "0xe458=0x5004". */
static bool parse_value(const char *text, struct value *out_value)
{
	const char *equals = strchr(text, '=');
	struct tacho_oa_register found;
	char *name;
	int rc;

	out_value->number = -1;
	if (!parse_number(equals ? equals + 1 : text, &out_value->bits)) {
		cli_complain("", "write a number, 0x5004, or REGISTER=NUMBER",
			     "\"%s\" is no value of a register", text);
		return false;
	}
	if (!equals)
		return true;
	name = cli_format("%.*s", (int)(equals - text), text);
	rc = tacho_oa_register_find(name, TACHO_OA_GEN8, &found);
	if (rc)
		cli_complain_last();
	else
		out_value->number = tacho_oa_flex_find_register(found.address);
	if (!rc && out_value->number < 0)
		cli_complain("", "EU_PERF_CNTL0 to 6 do",
			     "the register %s does not choose flexible events", found.name);
	free(name);
	return !rc && out_value->number >= 0;
}

/* True when the set writes this value to this register, or to one of the seven. */
static bool has_value(const struct tacho_set *set, const struct value *value)
{
	for (size_t i = 0; i < set->register_count; i++) {
		const struct tacho_register *one = &set->registers[i];
		int number = tacho_oa_flex_find_register(one->address);

		if (number >= 0 && one->value == value->bits &&
		    (value->number < 0 || number == value->number))
			return true;
	}
	return false;
}

static void walk_sets(const struct tacho_arch *const *archs, const struct value *value,
		      void (*fn)(const struct tacho_arch *, const struct tacho_set *, void *),
		      void *user)
{
	const struct tacho_set *set;

	for (; *archs; archs++)
		for (size_t i = 0; (set = tacho_arch_get_set(*archs, i)); i++)
			if (cli_oa_has_flex(*archs) && has_value(set, value))
				fn(*archs, set, user);
}

static void print_event(const struct cli_oa_event *event, const char *label, unsigned width)
{
	char *share = cli_oa_event_format_share(event);

	printf("  %-8s %-20s %s\n", label, event->text, cli_oa_event_get_verdict(event));
	cli_text_print_part(stdout, "           ", event->meaning.reason, width);
	if (*event->published)
		printf("           counted all the same by %s\n", event->published);
	cli_text_print_part(stdout, "           ", event->meaning.caveat, width);
	if (!cli_oa_event_is_refused(event))
		printf("           share of clocks: %s\n", share);
	free(share);
}

struct names {
	char *text;
	const struct tacho_arch *arch;
};

static void add_name(const struct tacho_arch *arch, const struct tacho_set *set, void *user)
{
	struct names *names = user;

	if (names->arch != arch)
		cli_append(&names->text, "; ", "%s: %s", arch->name, set->name);
	else
		cli_append(&names->text, ", ", "%s", set->name);
	names->arch = arch;
}

static void explain(const struct value *value, unsigned half, const struct tacho_arch *const *archs,
		    struct cli_oa_event *out_event)
{
	struct tacho_oa_flex flex = tacho_oa_flex_decode(value->bits, half);
	int first = TACHO_OA_FLEX_FIRST + 2 * value->number;

	cli_oa_event_init(&flex, value->number < 0 ? -1 : first + (int)half, out_event);
	cli_oa_event_find_published(out_event, archs);
}

static void print_value(const struct value *value, const struct tacho_arch *const *archs,
			unsigned width)
{
	struct names names = {.text = cli_format("%s", "")};

	if (value->number >= 0)
		printf("EU_PERF_CNTL%d (0x%x) = 0x%08x\n", value->number,
		       tacho_oa_flex_get_address(2 * (unsigned)value->number), value->bits);
	else
		printf("0x%08x\n", value->bits);
	for (unsigned half = 0; half < 2; half++) {
		struct cli_oa_event event;
		char label[16];

		explain(value, half, archs, &event);
		snprintf(label, sizeof(label), value->number < 0 ? "event %d" : "A%d",
			 value->number < 0 ? (int)half : event.counter);
		print_event(&event, label, width);
	}
	if (value->bits >> 24)
		printf("  bits 31:24 are 0x%02x; no published set of Gen8 sets them\n",
		       value->bits >> 24);
	walk_sets(archs, value, add_name, &names);
	cli_text_print_part(stdout, "  published in ", names.text, width);
	free(names.text);
}

static void write_name(const struct tacho_arch *arch, const struct tacho_set *set, void *user)
{
	struct tacho_json *json = user;

	tacho_json_begin_object(json, NULL);
	tacho_json_add_string(json, "arch", arch->name);
	tacho_json_add_string(json, "set", set->name);
	tacho_json_end(json);
}

static void write_value(struct tacho_json *json, const struct value *value,
			const struct tacho_arch *const *archs)
{
	tacho_json_begin_object(json, NULL);
	if (value->number >= 0)
		tacho_json_add_unsigned(json, "address",
					tacho_oa_flex_get_address(2 * (unsigned)value->number));
	tacho_json_add_unsigned(json, "value", value->bits);
	tacho_json_begin_array(json, "events");
	for (unsigned half = 0; half < 2; half++) {
		struct cli_oa_event event;

		explain(value, half, archs, &event);
		cli_oa_event_write(&event, NULL, json);
	}
	tacho_json_end(json);
	tacho_json_begin_array(json, "published");
	walk_sets(archs, value, write_name, json);
	tacho_json_end(json);
	tacho_json_end(json);
}

static void begin(struct tacho_json *json, const char *array)
{
	tacho_json_init(json, stdout, true);
	tacho_json_begin_object(json, NULL);
	tacho_json_add_string(json, "schema", "tacho.oa-flex/1");
	tacho_json_begin_array(json, array);
}

static int decode(const struct cli_oa_settings *settings, char **texts, size_t count)
{
	struct tacho_catalog *catalog = NULL;
	const struct tacho_arch **archs = NULL;
	struct value *values = cli_alloc(count * sizeof(*values));
	unsigned width = cli_page_width();
	struct tacho_json json;
	size_t arch_count;
	int status = CLI_USAGE;

	for (size_t i = 0; i < count; i++)
		if (!parse_value(texts[i], &values[i]))
			goto out;
	status = cli_catalog_open_archs(&settings->choice, &catalog, &archs, &arch_count);
	if (status)
		goto out;
	if (settings->json)
		begin(&json, "registers");
	for (size_t i = 0; i < count; i++) {
		if (settings->json)
			write_value(&json, &values[i], archs);
		else
			print_value(&values[i], archs, width);
	}
	if (settings->json)
		tacho_json_finish(&json);
out:
	free(archs);
	tacho_catalog_close(catalog);
	free(values);
	return status;
}

/* "A13=fpu0/ps", or "fpu0/ps" for the counter after the last one. */
static bool parse_event(const char *text, int *counter, struct cli_oa_event *out_event)
{
	const char *equals = strchr(text, '=');
	struct tacho_oa_flex flex;
	char *end;

	if (equals) {
		long number = (*text == 'A' || *text == 'a') ? strtol(text + 1, &end, 10) : -1;

		if (number < 0 || end != equals || end == text + 1 ||
		    number < TACHO_OA_FLEX_FIRST ||
		    number >= TACHO_OA_FLEX_FIRST + TACHO_OA_FLEX_EVENTS) {
			cli_complain("", "write A7 to A20 before the =",
				     "\"%s\" names no flexible counter", text);
			return false;
		}
		*counter = (int)number;
		text = equals + 1;
	}
	if (*counter >= TACHO_OA_FLEX_FIRST + TACHO_OA_FLEX_EVENTS) {
		cli_complain("", "leave some out", "there are 14 flexible counters, A7 to A20");
		return false;
	}
	if (tacho_oa_flex_parse(text, &flex) != 0) {
		cli_complain_last();
		return false;
	}
	cli_oa_event_init(&flex, (*counter)++, out_event);
	return true;
}

/* The registers that the events need; false: two events for one counter, and that was said. */
static bool make_program(const struct cli_oa_event *events, size_t count,
			 struct cli_oa_program *out_program)
{
	bool taken[TACHO_OA_FLEX_EVENTS] = {0};

	for (size_t i = 0; i < count; i++) {
		unsigned at = (unsigned)(events[i].counter - TACHO_OA_FLEX_FIRST);

		if (taken[at]) {
			cli_complain("", "give each counter one event",
				     "A%d is to count two events", events[i].counter);
			return false;
		}
		taken[at] = out_program->used[at / 2] = true;
		out_program->values[at / 2] =
			tacho_oa_flex_encode(&events[i].flex, at % 2, out_program->values[at / 2]);
	}
	return true;
}

static void print_program(const struct cli_oa_event *events, size_t count,
			  const struct cli_oa_program *program, bool is_good)
{
	for (size_t i = 0; i < count; i++) {
		char *label = cli_format("A%d", events[i].counter);

		print_event(&events[i], label, cli_page_width());
		free(label);
	}
	for (unsigned i = 0; i < TACHO_OA_FLEX_REGISTERS && is_good; i++)
		if (program->used[i])
			printf("EU_PERF_CNTL%u (0x%x) = 0x%08x\n", i,
			       tacho_oa_flex_get_address(2 * i), program->values[i]);
}

static void write_program(const struct cli_oa_event *events, size_t count,
			  const struct cli_oa_program *program, bool is_good)
{
	struct tacho_json json;

	begin(&json, "events");
	for (size_t i = 0; i < count; i++)
		cli_oa_event_write(&events[i], NULL, &json);
	tacho_json_end(&json);
	tacho_json_begin_array(&json, "registers");
	for (unsigned i = 0; i < TACHO_OA_FLEX_REGISTERS && is_good; i++) {
		if (!program->used[i])
			continue;
		tacho_json_begin_object(&json, NULL);
		tacho_json_add_unsigned(&json, "address", tacho_oa_flex_get_address(2 * i));
		tacho_json_add_unsigned(&json, "value", program->values[i]);
		tacho_json_end(&json);
	}
	tacho_json_finish(&json);
}

/* Looks among all sets that are known; when these cannot be read, that was said. */
static int find_published(const struct cli_oa_settings *settings, struct cli_oa_event *events,
			  size_t count)
{
	struct cli_catalog_choice choice = settings->choice;
	struct tacho_catalog *catalog = NULL;
	const struct tacho_arch **archs = NULL;
	size_t arch_count, refused = 0;
	int status = CLI_OK;

	for (size_t i = 0; i < count; i++)
		refused += cli_oa_event_is_refused(&events[i]);
	choice.arch = NULL; /* that of the new set need not be a known one */
	if (refused)
		status = cli_catalog_open_archs(&choice, &catalog, &archs, &arch_count);
	for (size_t i = 0; i < count && refused && !status; i++)
		cli_oa_event_find_published(&events[i], archs);
	free(archs);
	tacho_catalog_close(catalog);
	return status;
}

/* Says what is wrong with events; false when one of them cannot be programmed. */
static bool judge(const struct cli_oa_event *events, size_t count, bool takes_all)
{
	bool good = true;

	for (size_t i = 0; i < count; i++) {
		const struct cli_oa_event *event = &events[i];
		const char *reason = event->meaning.reason;

		if (*event->published) {
			cli_warn("%s: %s; %s counts it all the same", event->text, reason,
				 event->published);
		} else if (cli_oa_event_is_refused(event) && !takes_all) {
			cli_complain(reason,
				     "choose another filter: docs/oa.md has the combinations; or "
				     "take it as it is: --force",
				     "%s is %s", event->text, cli_oa_event_get_verdict(event));
			good = false;
		} else if (event->meaning.verdict != TACHO_OA_FLEX_VALID) {
			cli_warn("%s: %s", event->text, reason);
		}
	}
	return good;
}

/* Names of sets and architectures go into YAML: letters, digits, "_" and "-" only. */
static bool check_name(const char *option, const char *name)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
	size_t good = name ? strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
					  "0123456789_-")
			   : 0;

	if (!name || (!name[good] && *name && strchr(letters, *name)))
		return true;
	cli_complain("", "begin with a letter; letters, digits, _ and - may follow",
		     "--%s \"%s\" is no name", option, name);
	return false;
}

static int encode(const struct cli_oa_settings *settings, char **texts, size_t count)
{
	struct cli_oa_event *events = cli_alloc(count * sizeof(*events));
	struct cli_oa_program program = {0};
	bool good;
	int counter = TACHO_OA_FLEX_FIRST, status = CLI_USAGE;

	if (!check_name("set", settings->set) || !check_name("arch", settings->choice.arch))
		goto out;
	for (size_t i = 0; i < count; i++)
		if (!parse_event(texts[i], &counter, &events[i]))
			goto out;
	if (!make_program(events, count, &program))
		goto out;
	status = find_published(settings, events, count);
	if (status)
		goto out;
	good = judge(events, count, settings->overwrite);
	status = good ? CLI_OK : CLI_FAILED;
	if (settings->json)
		write_program(events, count, &program, good);
	else if (!settings->set)
		print_program(events, count, &program, good);
	else if (good)
		cli_oa_flex_print_set(settings->set,
				      settings->choice.arch ? settings->choice.arch : "chv", events,
				      count, &program);
out:
	free(events);
	return status;
}

int cli_oa_flex(const struct cli_oa_settings *settings, char **operands, size_t count)
{
	if (strcmp(operands[0], "decode") == 0)
		return decode(settings, operands + 1, count - 1);
	if (strcmp(operands[0], "encode") == 0)
		return encode(settings, operands + 1, count - 1);
	cli_complain("", "write tacho oa flex decode VALUE..., or tacho oa flex encode EVENT...",
		     "oa flex: \"%s\" is neither decode nor encode", operands[0]);
	return CLI_USAGE;
}
