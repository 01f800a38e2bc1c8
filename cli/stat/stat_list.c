/* SPDX-License-Identifier: MIT */
/* What a device can count, and what not, with the reason: tacho stat --list. */
#include <stdlib.h>
#include <string.h>

#include <tacho/sys/csv.h>
#include <tacho/sys/json.h>

#include "cli.h"
#include "columns.h"
#include "stat/stat.h"
#include "table.h"
#include "text.h"

static bool is_countable(const struct tacho_entry *entry)
{
	return entry->kind == TACHO_ENTRY_COUNTER ||
	       (entry->kind == TACHO_ENTRY_METRIC && *entry->expression);
}

static bool is_refused(const struct tacho_entry *entry)
{
	return entry->kind == TACHO_ENTRY_METRIC && !*entry->expression;
}

/* All that is refused for the same reason as entry `first`, unless an earlier one was. */
static void list_refused(const struct tacho_arch *arch, size_t first, FILE *stream)
{
	const struct tacho_entry *entry = tacho_arch_get_entry(arch, first), *other;
	char *names = NULL;
	unsigned width = cli_width(stream);
	bool is_new = true;

	for (size_t i = 0; is_new && (other = tacho_arch_get_entry(arch, i)); i++) {
		if (!is_refused(other) || strcmp(other->caveat, entry->caveat) != 0)
			continue;
		is_new = i >= first;
		cli_append(&names, " ", "%s", other->name);
	}
	if (is_new) {
		fputc('\n', stream);
		cli_text_print(stream, 2, 4, width, "cannot be counted: %s", entry->caveat);
		cli_text_print(stream, 4, 4, width, "%s", names);
	}
	free(names);
}

static void print_text(const struct tacho_arch *arch, FILE *stream)
{
	static const struct cli_column columns[] = {
		{"counter", false}, {"unit", false}, {"what it says", false}};
	const struct tacho_entry *entry;
	struct cli_table table;

	cli_table_init(&table, columns, sizeof(columns) / sizeof(columns[0]));
	for (size_t i = 0; (entry = tacho_arch_get_entry(arch, i)); i++)
		if (is_countable(entry))
			cli_table_add(&table,
				      (const char *[]){entry->name, entry->unit,
						       cli_table_format(&table, "%s%s%s",
									entry->description,
									*entry->caveat ? "; " : "",
									entry->caveat)});
	cli_columns_print(&table, stream, cli_width(stream));
	cli_table_finish(&table);
	for (size_t i = 0; (entry = tacho_arch_get_entry(arch, i)); i++)
		if (is_refused(entry))
			list_refused(arch, i, stream);
}

/* Of what cannot be counted "why_not" has the reason, else it is null. */
static void print_json(const struct tacho_arch *arch, FILE *stream)
{
	const struct tacho_entry *entry;
	struct tacho_json json;

	tacho_json_init(&json, stream, true);
	tacho_json_begin_object(&json, NULL);
	tacho_json_add_string(&json, "schema", "tacho.countable/1");
	tacho_json_begin_array(&json, "counters");
	for (size_t i = 0; (entry = tacho_arch_get_entry(arch, i)); i++) {
		bool refused = is_refused(entry);

		if (!refused && !is_countable(entry))
			continue;
		tacho_json_begin_object(&json, NULL);
		tacho_json_add_string(&json, "name", entry->name);
		tacho_json_add_string(&json, "unit", entry->unit);
		tacho_json_add_string(&json, "description", entry->description);
		tacho_json_add_string(&json, "caveat", refused ? "" : entry->caveat);
		tacho_json_add_string(&json, "why_not", refused ? entry->caveat : NULL);
		tacho_json_end(&json);
	}
	tacho_json_end(&json);
	tacho_json_finish(&json);
}

static void print_csv(const struct tacho_arch *arch, FILE *stream)
{
	const struct tacho_entry *entry;

	fputs("name,unit,description,caveat,why_not\n", stream);
	for (size_t i = 0; (entry = tacho_arch_get_entry(arch, i)); i++) {
		bool refused = is_refused(entry);
		const char *cells[] = {entry->name, entry->unit, entry->description,
				       refused ? "" : entry->caveat, refused ? entry->caveat : ""};

		if (!refused && !is_countable(entry))
			continue;
		for (size_t k = 0; k < sizeof(cells) / sizeof(cells[0]); k++) {
			if (k)
				fputc(',', stream);
			tacho_csv_write_text(stream, cells[k]);
		}
		fputc('\n', stream);
	}
}

void cli_stat_list(const struct tacho_arch *arch, enum cli_stat_format format, FILE *stream)
{
	switch (format) {
	case CLI_STAT_TEXT: print_text(arch, stream); break;
	case CLI_STAT_JSON: print_json(arch, stream); break;
	case CLI_STAT_CSV: print_csv(arch, stream); break;
	}
}
