/* SPDX-License-Identifier: MIT */
/* The names that the grammar of metrics makes of an architecture's counters, base by base. */
#include "list/list_names.h"

#include <stdlib.h>
#include <string.h>

#include <tacho/error.h>

#include "cli.h"
#include "columns.h"
#include "text.h"

enum { SHOWN_MAX = 100 }; /* bases; more are shown when WORDs ask for them */

/* What can stand behind a base, in the words of the table. */
static const struct {
	const char *title;
	const char *endings[4]; /* one of which a base has to have */
	const char *words[4];	/* what its cell says then */
} groups[] = {
	{"rollups", {"_sum"}, {"_sum .sum ..."}},
	{"per second", {".sum.per_second"}, {".sum.per_second ..."}},
	{"per cycle", {".sum.per_cycle_elapsed", ".sum.per_cycle_active"}, {"elapsed", "active"}},
	{"percent of peak",
	 {"_pct", ".avg.pct_of_peak_sustained_elapsed", ".avg.pct_of_peak_sustained_active"},
	 {"_pct", "elapsed", "active"}},
	{"ratio", {".pct", ".ratio", ".max_rate"}, {".pct", ".ratio", ".max_rate"}},
};

enum { GROUPS = sizeof(groups) / sizeof(groups[0]) };

static bool has_ending(const struct tacho_metric_base *base, const char *wanted)
{
	const char *ending;

	for (size_t i = 0; (ending = tacho_metric_get_ending(i)); i++)
		if (strcmp(ending, wanted) == 0)
			return base->endings >> i & 1;
	return false;
}

static char *format_group(const struct tacho_metric_base *base, size_t group)
{
	char *text = cli_format("%s", "");

	for (size_t i = 0; i < 4 && groups[group].endings[i]; i++)
		if (has_ending(base, groups[group].endings[i]))
			cli_append(&text, " ", "%s", groups[group].words[i]);
	return text;
}

static bool fits(const struct tacho_metric_base *base, struct tacho_pattern *const *patterns)
{
	for (; *patterns; patterns++)
		if (!tacho_pattern_fits(*patterns, base->name) &&
		    !tacho_pattern_fits(*patterns, base->entry->name) &&
		    !tacho_pattern_fits(*patterns, base->entry->description) &&
		    !tacho_pattern_fits(*patterns, base->entry->group))
			return false;
	return true;
}

/* The bases that fit; those without an ending are entries and nothing more. Owned. */
static struct tacho_metric_base *
list_bases(const struct tacho_arch *arch, struct tacho_pattern *const *patterns, size_t *out_count)
{
	struct tacho_metric_base *bases;
	size_t count, kept = 0;

	*out_count = 0;
	if (!cli_succeeded(tacho_arch_list_metric_bases(arch, &bases, &count)))
		return NULL;
	for (size_t i = 0; i < count; i++)
		if (bases[i].endings && fits(&bases[i], patterns))
			bases[kept++] = bases[i];
	*out_count = kept;
	return bases;
}

static void print_table(const struct tacho_metric_base *bases, size_t count, unsigned width)
{
	struct cli_column columns[GROUPS + 2] = {{"base", false}, {"unit", false}};
	struct cli_table table;

	for (size_t i = 0; i < GROUPS; i++)
		columns[i + 2].title = groups[i].title;
	cli_table_init(&table, columns, GROUPS + 2);
	for (size_t i = 0; i < count; i++) {
		const char *cells[GROUPS + 2] = {bases[i].name, bases[i].entry->unit};

		for (size_t k = 0; k < GROUPS; k++)
			cells[k + 2] = cli_table_take(&table, format_group(&bases[i], k));
		cli_table_add(&table, cells);
	}
	cli_columns_print(&table, stdout, width);
	cli_table_finish(&table);
}

bool cli_list_print_bases(const struct cli_listing *listing, const struct tacho_arch *arch,
			  bool is_first)
{
	size_t count;
	struct tacho_metric_base *bases = list_bases(arch, listing->patterns, &count);
	bool is_long = count > SHOWN_MAX && !*listing->words;

	if (count && !is_first)
		fputc('\n', stdout);
	if (count)
		cli_text_print(stdout, 0, 2, listing->width,
			       "%zu base%s of names in the grammar of %s, API %s%s", count,
			       count == 1 ? "" : "s", arch->name, arch->api,
			       is_long ? "; WORDs show those that they are in" : "");
	if (count && !is_long)
		print_table(bases, count, listing->width);
	free(bases);
	return count > 0;
}

bool cli_list_write_bases(struct tacho_json *json, const struct cli_listing *listing,
			  const struct tacho_arch *arch)
{
	size_t count;
	struct tacho_metric_base *bases = list_bases(arch, listing->patterns, &count);
	const char *ending;

	for (size_t i = 0; i < count; i++) {
		tacho_json_begin_object(json, NULL);
		tacho_json_add_string(json, "name", bases[i].name);
		tacho_json_add_string(json, "entry", bases[i].entry->name);
		tacho_json_add_bool(json, "family", bases[i].is_of_family);
		tacho_json_add_string(json, "api", arch->api);
		tacho_json_add_string(json, "arch", arch->name);
		tacho_json_begin_array(json, "endings");
		for (size_t k = 0; (ending = tacho_metric_get_ending(k)); k++)
			if (bases[i].endings >> k & 1)
				tacho_json_add_string(json, NULL, ending);
		tacho_json_end(json);
		tacho_json_end(json);
	}
	free(bases);
	return count > 0;
}
