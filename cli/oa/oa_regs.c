/* SPDX-License-Identifier: MIT */
/* tacho oa regs: registers of the OA unit, and the meaning of their bits both ways. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <tacho/error.h>
#include <tacho/sys/json.h>

#include "oa/oa.h"
#include "table.h"
#include "text.h"

/* A register, with a value when one was given. */
struct entry {
	struct tacho_oa_register found;
	bool has_value;
	uint32_t value;
};

static const char *kept_word(uint32_t known)
{
	return known == TACHO_OA_YES ? "yes" : "-";
}

static void write_field(struct tacho_json *json, const struct tacho_oa_field *field,
			const struct entry *entry)
{
	uint32_t bits = tacho_oa_field_get(field, entry->value);

	tacho_json_begin_object(json, NULL);
	tacho_json_add_string(json, "name", field->name);
	tacho_json_add_unsigned(json, "low", field->low);
	tacho_json_add_unsigned(json, "high", field->high);
	tacho_json_add_string(json, "description", field->description);
	if (entry->has_value) {
		tacho_json_add_unsigned(json, "value", bits);
		tacho_json_add_string(json, "meaning", tacho_oa_field_to_string(field, bits));
	}
	tacho_json_end(json);
}

static void write_entry(struct tacho_json *json, const struct entry *entry)
{
	const struct tacho_oa_register *one = &entry->found;

	tacho_json_begin_object(json, NULL);
	tacho_json_add_string(json, "name", one->name);
	tacho_json_add_unsigned(json, "address", one->address);
	tacho_json_add_string(json, "gen_first", tacho_oa_gen_to_string(one->gen_first));
	tacho_json_add_string(json, "gen_last", tacho_oa_gen_to_string(one->gen_last));
	tacho_json_add_string(json, "description", one->description);
	cli_oa_write_known(json, "power_context", one->is_kept);
	if (entry->has_value)
		tacho_json_add_unsigned(json, "value", entry->value);
	tacho_json_begin_array(json, "fields");
	for (size_t i = 0; i < one->field_count; i++)
		write_field(json, &one->fields[i], entry);
	tacho_json_end(json);
	tacho_json_end(json);
}

static void begin_json(struct tacho_json *json)
{
	tacho_json_init(json, stdout, true);
	tacho_json_begin_object(json, NULL);
	tacho_json_add_string(json, "schema", "tacho.oa-regs/1");
	tacho_json_begin_array(json, "registers");
}

static bool is_of(const struct tacho_oa_register *one, enum tacho_oa_gen gen)
{
	return gen >= one->gen_first && gen <= one->gen_last;
}

static int list(const struct cli_oa_settings *settings, enum tacho_oa_gen gen)
{
	static const struct cli_column columns[] = {
		{"REGISTER", false}, {"ADDRESS", false}, {"RC6", false}, {"DESCRIPTION", false}};
	struct cli_table table;
	struct tacho_json json;
	struct entry entry = {0};

	cli_table_init(&table, columns, sizeof(columns) / sizeof(columns[0]));
	if (settings->json)
		begin_json(&json);
	for (size_t i = 0; tacho_oa_register_get(i, &entry.found) == 0; i++) {
		if (!is_of(&entry.found, gen))
			continue;
		if (settings->json) {
			write_entry(&json, &entry);
			continue;
		}
		cli_table_add(
			&table,
			(const char *[]){entry.found.name,
					 cli_table_format(&table, "0x%x", entry.found.address),
					 kept_word(entry.found.is_kept), entry.found.description});
	}
	if (settings->json) {
		tacho_json_finish(&json);
	} else {
		cli_table_print(&table, stdout, cli_page_width());
		printf("\n%s. RC6: the register is in the power context, its value outlives RC6; "
		       "-: not said.\n",
		       tacho_oa_gen_to_string(gen));
	}
	cli_table_finish(&table);
	return CLI_OK;
}

/* "field:word,field:number": fields that are not named are 0. */
static bool parse_fields(const struct tacho_oa_register *one, const char *text, uint32_t *out_value)
{
	char *copy = cli_format("%s", text), *rest = copy, *word;
	uint32_t value = 0;
	bool good = true;

	while (good && (word = strsep(&rest, ","))) {
		char *colon = strchr(word, ':');
		const struct tacho_oa_field *field = NULL;
		uint32_t bits;

		if (colon)
			*colon = '\0';
		for (size_t i = 0; i < one->field_count; i++)
			if (strcasecmp(one->fields[i].name, word) == 0)
				field = &one->fields[i];
		if (!colon || !field) {
			cli_complain("", cli_part("see: tacho oa regs %s", one->name),
				     "\"%s\" sets no field of %s", word, one->name);
			good = false;
		} else if (tacho_oa_field_parse(field, colon + 1, &bits) != 0 ||
			   tacho_oa_field_set(field, bits, &value) != 0) {
			cli_complain_last();
			good = false;
		}
	}
	free(copy);
	if (good)
		*out_value = value;
	return good;
}

static bool parse_entry(const char *text, enum tacho_oa_gen gen, struct entry *out_entry)
{
	const char *equals = strchr(text, '=');
	char *name =
		equals ? cli_format("%.*s", (int)(equals - text), text) : cli_format("%s", text);
	int rc = tacho_oa_register_find(name, gen, &out_entry->found);
	unsigned long value;
	char *end;

	free(name);
	if (rc) {
		cli_complain_last();
		return false;
	}
	out_entry->has_value = equals != NULL;
	out_entry->value = 0;
	if (!equals)
		return true;
	errno = 0;
	value = strtoul(equals + 1, &end, 0);
	if (equals[1] >= '0' && equals[1] <= '9' && !*end && !errno && value <= UINT32_MAX) {
		out_entry->value = (uint32_t)value;
		return true;
	}
	return parse_fields(&out_entry->found, equals + 1, &out_entry->value);
}

static void print_entry(const struct entry *entry)
{
	const struct tacho_oa_register *one = &entry->found;

	printf("%s (0x%x)", one->name, one->address);
	if (entry->has_value)
		printf(" = 0x%08x", entry->value);
	printf(" - %s; %s", one->description, tacho_oa_gen_to_string(one->gen_first));
	if (one->gen_last != one->gen_first)
		printf(" to %s", tacho_oa_gen_to_string(one->gen_last));
	printf("%s\n", one->is_kept == TACHO_OA_YES ? "; outlives RC6" : "");
	for (size_t i = 0; i < one->field_count; i++) {
		const struct tacho_oa_field *field = &one->fields[i];
		uint32_t bits = tacho_oa_field_get(field, entry->value);
		const char *word = tacho_oa_field_to_string(field, bits);

		if (entry->has_value)
			printf("  %-22s %2u:%-2u  %u%s%s%s\n", field->name, field->high, field->low,
			       bits, *word ? " (" : "", word, *word ? ")" : "");
		else
			printf("  %-22s %2u:%-2u  %s\n", field->name, field->high, field->low,
			       field->description);
	}
}

int cli_oa_regs(const struct cli_oa_settings *settings, char **operands, size_t count)
{
	struct entry *entries = cli_alloc((count + 1) * sizeof(*entries));
	enum tacho_oa_gen gen;
	struct tacho_json json;
	int status = CLI_USAGE;

	if (!cli_oa_find_gen(settings, TACHO_OA_GEN8, &gen))
		goto out;
	if (!count) {
		status = list(settings, gen);
		goto out;
	}
	for (size_t i = 0; i < count; i++)
		if (!parse_entry(operands[i], gen, &entries[i]))
			goto out;
	status = CLI_OK;
	if (settings->json)
		begin_json(&json);
	for (size_t i = 0; i < count; i++) {
		if (settings->json)
			write_entry(&json, &entries[i]);
		else
			print_entry(&entries[i]);
	}
	if (settings->json)
		tacho_json_finish(&json);
out:
	free(entries);
	return status;
}
