/* SPDX-License-Identifier: MIT */
#include "record/ending.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <tacho/sys/json.h>
#include <tacho/tacho.h>

#include "name.h"
#include "text.h"
#include "units.h"

static enum cli_exit classify(const struct tacho_launch_outcome *outcome)
{
	int error = outcome->lost_calls || outcome->lost_times ? outcome->error
							       : outcome->refusal_error;

	return error == EACCES || error == EPERM ? CLI_PERMISSION : CLI_FAILED;
}

static void keep_first(char **text, const char *candidate)
{
	if (!*text && *candidate)
		*text = cli_format("%s", candidate);
}

void cli_ending_add(struct cli_ending *ending, const struct tacho_launch_outcome *outcome)
{
	struct tacho_launch_outcome *sum = &ending->sum;

	ending->run_count++;
	sum->calls += outcome->calls;
	sum->commands += outcome->commands;
	sum->file_bytes += outcome->file_bytes;
	sum->lost_calls += outcome->lost_calls;
	sum->lost_times += outcome->lost_times;
	sum->windows += outcome->windows;
	sum->lost_windows += outcome->lost_windows;
	sum->bounded_calls += outcome->bounded_calls;
	sum->beyond_calls += outcome->beyond_calls;
	sum->past_calls += outcome->past_calls;
	sum->processes += outcome->processes;
	sum->living += outcome->living;
	sum->refused += outcome->refused;
	sum->run_ns += outcome->run_ns;
	if (!sum->error)
		sum->error = outcome->error;
	if (!ending->class && *outcome->loss)
		ending->class = classify(outcome);
	keep_first(&ending->loss, outcome->loss);
	if (ending->loss && strcmp(ending->loss, outcome->loss) == 0)
		keep_first(&ending->cure, outcome->cure);
	keep_first(&ending->why_empty, outcome->why_empty);
}

/* One line, however long: somebody may look for it in a log. */
static void tell_loss(const struct cli_ending *ending, bool is_strict)
{
	char *text = cli_format("lost: %s%s%s", ending->loss, ending->cure ? "; cure: " : "",
				ending->cure ? ending->cure : "");
	char *failure;

	if (!is_strict) {
		cli_warn("%s", text);
	} else {
		failure = cli_format("%s [class %d: %s]", text, ending->class,
				     cli_exit_to_string(ending->class));
		cli_complain("", "", "%s", failure);
		free(failure);
	}
	free(text);
}

static bool is_empty(const struct cli_ending *ending)
{
	return !ending->sum.calls && !ending->sum.commands && !ending->loss;
}

static void tell_empty(const struct cli_ending *ending, bool is_failure)
{
	const char *why = ending->why_empty ? ending->why_empty : "the reason is not known";

	if (is_failure)
		cli_complain(why, "look what hinders: tacho doctor",
			     "no call was recorded [class %d: %s]", CLI_NOTHING,
			     cli_exit_to_string(CLI_NOTHING));
	else
		cli_warn("no call was recorded: %s", why);
}

/* What was left out as it was asked for or set. */
static void tell_bounds(const struct cli_ending *ending, const struct cli_ending_style *style,
			FILE *stream)
{
	struct cli_number number;

	if (ending->sum.beyond_calls)
		fprintf(stream,
			"tacho: %s calls were left out, since the recording or the disk would have "
			"become too full (--max-size)\n",
			cli_units_count(&number, ending->sum.beyond_calls));
	if (ending->sum.past_calls)
		fprintf(stream,
			"tacho: %s calls were left out, since as many were recorded as were asked "
			"for (--max-calls, --max-kernels)\n",
			cli_units_count(&number, ending->sum.past_calls));
	if (style->has_bounds)
		fputs("tacho: calls of other functions than those asked for were left out\n",
		      stream);
}

static void tell_place(const struct cli_ending *ending, const struct cli_ending_style *style,
		       FILE *stream)
{
	const struct tacho_launch_outcome *sum = &ending->sum;
	struct cli_number calls, commands;
	char *path = cli_text_clean(ending->path), *base = cli_name_get_base(ending->path);
	char *name = cli_text_quote(base);

	fprintf(stream, "tacho: %s call%s and %s command%s%s in %s; see: tacho report %s\n",
		cli_units_count(&calls, sum->calls), sum->calls == 1 ? "" : "s",
		cli_units_count(&commands, sum->commands), sum->commands == 1 ? "" : "s",
		style->is_ring ? ", the newest of them" : "", path, name);
	if (sum->windows)
		fprintf(stream, "tacho: %s window%s of counters in it\n",
			cli_units_count(&calls, sum->windows), sum->windows == 1 ? "" : "s");
	if (sum->living)
		fprintf(stream, "tacho: %u process%s still record%s into it\n",
			(unsigned)sum->living, sum->living == 1 ? "" : "es",
			sum->living == 1 ? "s" : "");
	free(path);
	free(base);
	free(name);
}

int cli_ending_tell(const struct cli_ending *ending, const struct cli_ending_style *style,
		    FILE *stream)
{
	const bool lacks_calls = style->needs_calls && !ending->sum.calls && !ending->sum.commands;

	if (!ending->run_count)
		return ending->status;
	if (ending->loss)
		tell_loss(ending, style->is_strict);
	if (is_empty(ending) && (lacks_calls || !style->has_report))
		tell_empty(ending, lacks_calls);
	if (!style->is_quiet) {
		tell_bounds(ending, style, stream);
		tell_place(ending, style, stream);
	}
	if ((ending->loss && style->is_strict) || lacks_calls)
		return CLI_REFUSED;
	return ending->status || !ending->export_class ? ending->status : CLI_REFUSED;
}

static void add_loss(struct tacho_json *json, const struct cli_ending *ending)
{
	const struct tacho_launch_outcome *sum = &ending->sum;

	tacho_json_begin_object(json, "lost");
	tacho_json_add_string(json, "class",
			      ending->loss ? cli_exit_to_string(ending->class) : NULL);
	tacho_json_add_unsigned(json, "calls", sum->lost_calls);
	tacho_json_add_unsigned(json, "device_times", sum->lost_times);
	tacho_json_add_unsigned(json, "windows", sum->lost_windows);
	tacho_json_add_unsigned(json, "processes", sum->refused);
	tacho_json_add_integer(json, "errno", sum->error);
	tacho_json_add_string(json, "text", ending->loss ? ending->loss : "");
	tacho_json_add_string(json, "cure", ending->cure ? ending->cure : "");
	tacho_json_end(json);
}

void cli_ending_print_json(const struct cli_ending *ending, const struct cli_ending_style *style,
			   FILE *stream)
{
	const struct tacho_launch_outcome *sum = &ending->sum;
	struct tacho_json json;

	cli_json_begin(&json, stream, "tacho.ending/1");
	tacho_json_add_string(&json, "recording", ending->path);
	tacho_json_add_integer(&json, "exit_status", ending->status);
	tacho_json_add_unsigned(&json, "runs", ending->run_count);
	tacho_json_add_unsigned(&json, "processes", sum->processes);
	tacho_json_add_unsigned(&json, "still_recording", sum->living);
	tacho_json_add_unsigned(&json, "calls", sum->calls);
	tacho_json_add_unsigned(&json, "commands", sum->commands);
	tacho_json_add_unsigned(&json, "windows", sum->windows);
	tacho_json_add_unsigned(&json, "bytes", sum->file_bytes);
	tacho_json_add_string(&json, "why_empty",
			      is_empty(ending) && ending->why_empty ? ending->why_empty : "");
	tacho_json_add_string(&json, "empty_class",
			      style->needs_calls && !sum->calls && !sum->commands
				      ? cli_exit_to_string(CLI_NOTHING)
				      : NULL);
	tacho_json_add_string(&json, "export_class",
			      ending->export_class ? cli_exit_to_string(ending->export_class)
						   : NULL);
	add_loss(&json, ending);
	tacho_json_begin_object(&json, "left_out");
	tacho_json_add_bool(&json, "as_asked", style->has_bounds);
	tacho_json_add_unsigned(&json, "calls_beyond_size", sum->beyond_calls);
	tacho_json_add_unsigned(&json, "calls_beyond_number", sum->past_calls);
	tacho_json_end(&json);
	tacho_json_finish(&json);
}

void cli_ending_finish(struct cli_ending *ending)
{
	free(ending->path);
	free(ending->why_empty);
	free(ending->loss);
	free(ending->cure);
	memset(ending, 0, sizeof(*ending));
}
