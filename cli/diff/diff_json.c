/* SPDX-License-Identifier: MIT */
/* The comparison for programs: base units; what is not known is null, or empty, and has a state. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <tacho/sys/csv.h>
#include <tacho/sys/json.h>
#include <tacho/tacho.h>

#include "diff/diff.h"

static bool is_shown(const struct cli_diff *diff, size_t line)
{
	return !diff->top || line < diff->top || line >= diff->common_count;
}

static void add_shortened(struct tacho_json *json, const struct cli_diff *diff, const char *text)
{
	char *shorter = cli_turns_shorten(diff->turns, text);

	tacho_json_add_string(json, NULL, shorter);
	free(shorter);
}

static void add_group(struct tacho_json *json, const char *key, const struct cli_diff *diff,
		      enum tacho_diff_side side)
{
	const struct tacho_diff_totals *totals = tacho_diff_get_totals(diff->diff, side);

	tacho_json_begin_object(json, key);
	tacho_json_begin_array(json, "recordings");
	for (size_t i = 0; i < diff->groups[side].count; i++)
		add_shortened(json, diff,
			      tacho_recording_get_path(diff->groups[side].recordings[i]));
	tacho_json_end(json);
	tacho_json_add_real(json, "wall_ns", totals->has_wall ? totals->wall_ns : NAN);
	tacho_json_add_real(json, "device_busy_ns", totals->has_busy ? totals->busy_ns : NAN);
	tacho_json_add_real(json, "device_idle_ns", totals->has_busy ? totals->idle_ns : NAN);
	tacho_json_add_real(json, "api_ns", totals->has_calls ? totals->api_ns : NAN);
	tacho_json_add_real(json, "calls", totals->has_calls ? totals->calls : NAN);
	tacho_json_add_real(json, "launches", totals->has_calls ? totals->launches : NAN);
	tacho_json_add_real(json, "transfers", totals->has_calls ? totals->transfers : NAN);
	tacho_json_end(json);
}

static void add_value(struct tacho_json *json, const char *key,
		      const struct tacho_diff_value *value)
{
	tacho_json_begin_object(json, key);
	tacho_json_add_real(json, "value", value->has_value ? value->value : NAN);
	tacho_json_add_string(json, "state", tacho_state_to_string(value->state));
	if (value->state & TACHO_MARK_DIV0)
		tacho_json_add_bool(json, "div0", true);
	if (value->state & TACHO_MARK_DEFAULT)
		tacho_json_add_bool(json, "default", true);
	tacho_json_add_unsigned(json, "runs", value->runs);
	tacho_json_add_unsigned(json, "count", value->count);
	tacho_json_add_unsigned(json, "measured", value->measured);
	tacho_json_add_unsigned(json, "kept", value->kept);
	tacho_json_add_text(json, "reason", value->reason);
	tacho_json_end(json);
}

static void add_measure(struct tacho_json *json, const char *key,
			const struct tacho_diff_measure *measure)
{
	tacho_json_begin_object(json, key);
	tacho_json_add_string(json, "name", measure->name);
	tacho_json_add_text(json, "unit", measure->unit);
	tacho_json_add_bool(json, "simulated", measure->is_simulated);
	add_value(json, "a", &measure->sides[TACHO_DIFF_A]);
	add_value(json, "b", &measure->sides[TACHO_DIFF_B]);
	tacho_json_add_real(json, "difference",
			    measure->has_difference ? measure->difference : NAN);
	tacho_json_add_real(json, "change", measure->has_change ? measure->change : NAN);
	tacho_json_add_real(json, "change_low", measure->has_interval ? measure->low : NAN);
	tacho_json_add_real(json, "change_high", measure->has_interval ? measure->high : NAN);
	tacho_json_add_real(json, "p", measure->has_p ? measure->p : NAN);
	tacho_json_add_real(json, "p_adjusted", measure->has_p ? measure->adjusted_p : NAN);
	tacho_json_add_unsigned(json, "together", measure->together);
	tacho_json_add_bool(json, "in_drift", measure->is_in_drift);
	tacho_json_add_string(json, "verdict", tacho_diff_verdict_to_string(measure->verdict));
	tacho_json_end(json);
}

static void add_line(struct tacho_json *json, const struct tacho_diff_line *line)
{
	tacho_json_begin_object(json, NULL);
	tacho_json_add_string(json, "name", line->name);
	tacho_json_add_text(json, "device", line->device);
	tacho_json_add_text(json, "matched_by", cli_diff_get_match(line));
	tacho_json_add_text(json, "name_b", line->name_b);
	tacho_json_add_bool(json, "in_a", line->is_in[TACHO_DIFF_A]);
	tacho_json_add_bool(json, "in_b", line->is_in[TACHO_DIFF_B]);
	tacho_json_begin_array(json, "measures");
	for (size_t i = 0; i < line->measure_count; i++)
		if (cli_diff_has(&line->measures[i]))
			add_measure(json, NULL, &line->measures[i]);
	tacho_json_end(json);
	tacho_json_end(json);
}

static void add_conditions(struct tacho_json *json, const struct cli_diff *diff)
{
	tacho_json_begin_array(json, "conditions");
	for (size_t i = 0; i < diff->condition_count; i++) {
		const struct cli_condition *condition = &diff->conditions[i];

		tacho_json_begin_object(json, NULL);
		tacho_json_add_string(json, "condition", condition->text);
		if (cli_condition_can_tell(diff))
			tacho_json_add_bool(json, "true", condition->line_count != 0);
		else
			tacho_json_add_null(json, "true");
		tacho_json_begin_array(json, "lines");
		for (size_t k = 0; k < condition->line_count; k++) {
			const struct tacho_diff_line *line = condition->lines[k];

			tacho_json_begin_object(json, NULL);
			tacho_json_add_string(json, "name", line->name);
			tacho_json_add_text(json, "device", line->device);
			tacho_json_end(json);
		}
		tacho_json_end(json);
		tacho_json_add_unsigned(json, "too_few_values", condition->unsure);
		tacho_json_end(json);
	}
	tacho_json_end(json);
}

static const char *get_matching(const struct cli_diff *diff)
{
	return tacho_diff_is_by_name(diff->diff) ? "name" : "device";
}

/* One sum a side, of which nothing is known but the sum. */
static bool is_untested(const struct cli_diff *diff)
{
	return tacho_diff_is_of_means(diff->diff) &&
	       diff->groups[0].count + diff->groups[1].count == 2;
}

void cli_diff_print_json(const struct cli_diff *diff, FILE *stream)
{
	struct tacho_json json;
	const char *warning;

	cli_json_begin(&json, stream, "tacho.diff/1");
	tacho_json_add_string(&json, "by", cli_words_get(CLI_WORDS_DIFF_KEY, (size_t)diff->key));
	tacho_json_add_string(&json, "match", get_matching(diff));
	tacho_json_add_real(&json, "level", diff->level);
	tacho_json_add_real(&json, "run_effect",
			    diff->groups[0].count + diff->groups[1].count > 2 || is_untested(diff)
				    ? NAN
				    : diff->run_effect);
	tacho_json_add_string(&json, "time_is",
			      tacho_diff_is_of_means(diff->diff) ? "mean" : "middle");
	tacho_json_add_string(&json, "tested",
			      is_untested(diff)					  ? "nothing"
			      : tacho_diff_is_paired(diff->diff)		  ? "pairs"
			      : diff->groups[0].count + diff->groups[1].count > 2 ? "runs"
										  : "launches");
	add_group(&json, "a", diff, TACHO_DIFF_A);
	add_group(&json, "b", diff, TACHO_DIFF_B);
	tacho_json_begin_array(&json, "lines");
	for (size_t i = 0; i < diff->line_count; i++)
		if (is_shown(diff, i))
			add_line(&json, diff->lines[i]);
	tacho_json_end(&json);
	add_conditions(&json, diff);
	if (diff->turns) {
		add_measure(&json, "wall", &diff->wall);
		cli_turns_add_json(diff->turns, &json);
	} else {
		tacho_json_add_null(&json, "wall");
		tacho_json_add_null(&json, "turns");
	}
	tacho_json_begin_array(&json, "warnings");
	for (size_t i = 0; (warning = tacho_diff_get_warning(diff->diff, i)); i++)
		add_shortened(&json, diff, warning);
	tacho_json_end(&json);
	tacho_json_finish(&json);
}

/* ---- CSV, RFC 4180 ---- */

static void put_text(FILE *stream, const char *text)
{
	tacho_csv_write_text(stream, text);
	fputc(',', stream);
}

static void put_real(FILE *stream, bool known, double value)
{
	if (known)
		tacho_csv_write_number(stream, value);
	fputc(',', stream);
}

static void put_measure(FILE *stream, const struct tacho_diff_line *line,
			const struct tacho_diff_measure *measure)
{
	put_text(stream, line->name);
	put_text(stream, line->device);
	put_text(stream, measure->name);
	put_text(stream, measure->unit);
	for (int side = 0; side < 2; side++) {
		const struct tacho_diff_value *value = &measure->sides[side];

		put_real(stream, value->has_value, value->value);
		fprintf(stream, "%s,%" PRIu32 ",%" PRIu64 ",%" PRIu64 ",",
			tacho_state_to_string(value->state), value->runs, value->count,
			value->measured);
	}
	put_real(stream, measure->has_difference, measure->difference);
	put_real(stream, measure->has_change, measure->change);
	put_real(stream, measure->has_interval, measure->low);
	put_real(stream, measure->has_interval, measure->high);
	put_real(stream, measure->has_p, measure->p);
	put_real(stream, measure->has_p, measure->adjusted_p);
	fprintf(stream, "%s,%s,%s,%s,", tacho_diff_verdict_to_string(measure->verdict),
		measure->is_simulated ? "true" : "false", measure->is_in_drift ? "true" : "false",
		cli_diff_get_match(line));
	tacho_csv_write_text(stream, line->name_b);
	fputs("\r\n", stream);
}

void cli_diff_print_csv(const struct cli_diff *diff, FILE *stream)
{
	fputs("name,device,measure,unit,a,a_state,a_runs,a_count,a_measured,"
	      "b,b_state,b_runs,b_count,b_measured,"
	      "difference,change,change_low,change_high,p,p_adjusted,verdict,simulated,in_drift,"
	      "matched_by,name_b\r\n",
	      stream);
	for (size_t i = 0; i < diff->line_count; i++)
		for (size_t k = 0; is_shown(diff, i) && k < diff->lines[i]->measure_count; k++)
			if (cli_diff_has(&diff->lines[i]->measures[k]))
				put_measure(stream, diff->lines[i], &diff->lines[i]->measures[k]);
	if (diff->turns)
		put_measure(stream, &diff->whole, &diff->wall);
}
