/* SPDX-License-Identifier: MIT */
/* tacho oa sets: the sets of metrics, and flexible events in them that break the document's rules.
 */
#include <stdlib.h>
#include <string.h>

#include <tacho/sys/json.h>

#include "oa/oa.h"
#include "oa/oa_flex.h"
#include "table.h"
#include "text.h"

static size_t count_kind(const struct tacho_set *set, const char *kind)
{
	size_t count = 0;

	for (size_t i = 0; i < set->register_count; i++)
		count += strcmp(set->registers[i].kind, kind) == 0;
	return count;
}

/* Calls back for each flexible event of the set that is not valid. */
static size_t walk_faults(const struct tacho_set *set,
			  void (*fn)(const struct cli_oa_event *event, void *user), void *user)
{
	struct cli_oa_event event;
	size_t count = 0;

	for (size_t i = 0; i < set->register_count; i++)
		for (unsigned half = 0; half < 2; half++) {
			if (strcmp(set->registers[i].kind, "FLEX") != 0 ||
			    !cli_oa_event_decode(&set->registers[i], half, &event) ||
			    event.meaning.verdict == TACHO_OA_FLEX_VALID)
				continue;
			count++;
			if (fn)
				fn(&event, user);
		}
	return count;
}

static void write_fault(const struct cli_oa_event *event, void *user)
{
	cli_oa_event_write(event, NULL, user);
}

static void write_set(struct tacho_json *json, const struct tacho_arch *arch,
		      const struct tacho_set *set)
{
	tacho_json_begin_object(json, NULL);
	tacho_json_add_string(json, "name", set->name);
	tacho_json_add_string(json, "arch", arch->name);
	tacho_json_add_string(json, "title", set->title);
	tacho_json_add_string(json, "guid", set->guid);
	tacho_json_add_unsigned(json, "metrics", set->entry_count);
	tacho_json_add_unsigned(json, "noa", count_kind(set, "NOA"));
	tacho_json_add_unsigned(json, "oa", count_kind(set, "OA"));
	tacho_json_add_unsigned(json, "flex", count_kind(set, "FLEX"));
	tacho_json_begin_array(json, "flex_warnings");
	if (cli_oa_has_flex(arch))
		walk_faults(set, write_fault, json);
	tacho_json_end(json);
	tacho_json_end(json);
}

static void add_set(struct cli_table *table, const struct tacho_arch *arch,
		    const struct tacho_set *set)
{
	size_t faults = cli_oa_has_flex(arch) ? walk_faults(set, NULL, NULL) : 0;

	cli_table_add(table,
		      (const char *[]){set->name, arch->name,
				       cli_table_format(table, "%zu", set->entry_count),
				       cli_table_format(table, "%zu", count_kind(set, "NOA")),
				       cli_table_format(table, "%zu", count_kind(set, "OA")),
				       cli_table_format(table, "%zu", count_kind(set, "FLEX")),
				       faults ? cli_table_format(table, "%zu", faults) : "-",
				       set->guid});
}

static void print_sets(const struct tacho_arch *const *archs, size_t count)
{
	static const struct cli_column columns[] = {
		{"SET", false}, {"ARCH", false}, {"METRICS", true}, {"NOA", true},
		{"OA", true},	{"FLEX", true},	 {"ODD", true},	    {"GUID", false},
	};
	struct cli_table table;
	const struct tacho_set *set;

	cli_table_init(&table, columns, sizeof(columns) / sizeof(columns[0]));
	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; (set = tacho_arch_get_set(archs[i], k)); k++)
			if (set->is_exclusive)
				add_set(&table, archs[i], set);
	cli_table_print(&table, stdout, cli_page_width());
	cli_table_finish(&table);
	fputs("\nODD: flexible events outside of what Intel's document supports; --json names "
	      "them.\n",
	      stdout);
}

static void write_sets(const struct tacho_arch *const *archs, size_t count)
{
	struct tacho_json json;
	const struct tacho_set *set;

	tacho_json_init(&json, stdout, true);
	tacho_json_begin_object(&json, NULL);
	tacho_json_add_string(&json, "schema", "tacho.oa-sets/1");
	tacho_json_begin_array(&json, "sets");
	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; (set = tacho_arch_get_set(archs[i], k)); k++)
			if (set->is_exclusive)
				write_set(&json, archs[i], set);
	tacho_json_finish(&json);
}

int cli_oa_sets(const struct cli_oa_settings *settings, char **operands, size_t operand_count)
{
	struct tacho_catalog *catalog = NULL;
	const struct tacho_arch **archs = NULL;
	size_t count;
	int status = cli_catalog_open_archs(&settings->choice, &catalog, &archs, &count);

	if (!status && settings->json)
		write_sets(archs, count);
	else if (!status)
		print_sets(archs, count);
	free(archs);
	tacho_catalog_close(catalog);
	return status;
}
