/* SPDX-License-Identifier: MIT */
/* What `tacho diff --run` has to say of its runs. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "diff/turns.h"
#include "report/report.h"
#include "units.h"

static const char *format_ns(struct cli_number *number, double ns)
{
	return isfinite(ns) ? cli_report_format_value(number, ns, "nanoseconds") : "-";
}

void cli_turns_fill_table(const struct cli_turns *turns, struct cli_table *out_table)
{
	static const struct cli_column columns[] = {{"", false},  {"runs", true}, {"mean", true},
						    {"sd", true}, {"min", true},  {"max", true}};

	cli_table_init(out_table, columns, sizeof(columns) / sizeof(columns[0]));
	for (unsigned side = 0; side < 2; side++) {
		struct cli_turns_wall wall;
		struct cli_number count, mean, deviation, min, max;

		cli_turns_get_wall(turns, side, &wall);
		cli_table_add(out_table,
			      (const char *const[]){
				      side ? "B" : "A", cli_units_count(&count, wall.count),
				      format_ns(&mean, wall.mean_ns),
				      format_ns(&deviation, wall.deviation_ns),
				      format_ns(&min, wall.min_ns), format_ns(&max, wall.max_ns)});
	}
}

char *cli_turns_describe(const struct cli_turns *turns)
{
	static const char *const ends[] = {
		[CLI_TURNS_ALL] = "",
		[CLI_TURNS_NARROW] = "; then the intervals were narrow enough (--until)",
		[CLI_TURNS_STOPPED] = "; then a signal stopped it",
	};

	return cli_format("%zu runs in turns, %" PRIu64 " of %" PRIu64
			  " pairs complete%s. Who began in "
			  "a pair was drawn with --seed %" PRIu64 ".%s",
			  turns->run_count, turns->pair_count, turns->settings->pairs,
			  ends[turns->end], turns->seed,
			  turns->is_alone ? " A and B are the same program: what differs between "
					    "them is its noise."
					  : "");
}

char *cli_turns_shorten(const struct cli_turns *turns, const char *text)
{
	char *folder, *shorter, *at;

	if (!turns || turns->place.is_kept)
		return cli_format("%s", text);
	folder = cli_format("%s/", turns->place.folder);
	shorter = cli_format("%s", "");
	while ((at = strstr(text, folder))) {
		cli_append(&shorter, "", "%.*s", (int)(at - text), text);
		text = at + strlen(folder);
	}
	cli_append(&shorter, "", "%s", text);
	free(folder);
	return shorter;
}

static void add_run(struct tacho_json *json, const struct cli_turns_run *run)
{
	tacho_json_begin_object(json, NULL);
	tacho_json_add_string(json, "side", run->side ? "b" : "a");
	tacho_json_add_unsigned(json, "pair", run->pair);
	tacho_json_add_unsigned(json, "wall_ns", run->wall_ns);
	tacho_json_add_integer(json, "exit_status", run->status);
	tacho_json_end(json);
}

void cli_turns_add_json(const struct cli_turns *turns, struct tacho_json *json)
{
	static const char *const ends[] = {
		[CLI_TURNS_ALL] = "run",
		[CLI_TURNS_NARROW] = "until",
		[CLI_TURNS_STOPPED] = "signal",
	};

	tacho_json_begin_object(json, "turns");
	tacho_json_add_string(json, "a", turns->lines[0].text);
	tacho_json_add_string(json, "b", turns->lines[1].text);
	tacho_json_add_unsigned(json, "seed", turns->seed);
	tacho_json_add_unsigned(json, "warmup", turns->warmup);
	tacho_json_add_unsigned(json, "pairs_asked", turns->settings->pairs);
	tacho_json_add_unsigned(json, "pairs", turns->pair_count);
	tacho_json_add_real(json, "until", turns->until > 0 ? turns->until : NAN);
	tacho_json_add_string(json, "ended_by", ends[turns->end]);
	tacho_json_begin_array(json, "runs");
	for (size_t i = 0; i < turns->run_count; i++)
		add_run(json, &turns->runs[i]);
	tacho_json_end(json);
	tacho_json_end(json);
}
