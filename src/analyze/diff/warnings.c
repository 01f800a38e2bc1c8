/* SPDX-License-Identifier: MIT */
/* What makes a comparison one of different things. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/diff/diff.h"
#include "base/array.h"

enum { NAMED_MAX = 3 }; /* lines of a warning that are named */

static const char *const letters[2] = {"A", "B"};

__attribute__((format(printf, 2, 3))) static int warn(struct tacho_diff *diff, const char *format,
						      ...)
{
	va_list list;
	int rc;

	va_start(list, format);
	rc = tacho__sentences_add(&diff->warnings, &diff->arena, format, list);
	va_end(list);
	return rc;
}

/* ---- facts about whole runs ---- */

typedef const char *(*fact_fn)(const struct tacho__diff_run *run, char *room, size_t size);

static const char *get_program(const struct tacho__diff_run *run, char *room, size_t size)
{
	return tacho_recording_get_run(run->recording)->application;
}

static const char *get_arguments(const struct tacho__diff_run *run, char *room, size_t size)
{
	return tacho_recording_get_run(run->recording)->arguments;
}

static const char *get_host(const struct tacho__diff_run *run, char *room, size_t size)
{
	return tacho_recording_get_run(run->recording)->host;
}

static const char *get_devices(const struct tacho__diff_run *run, char *room, size_t size)
{
	return run->devices;
}

static const char *get_tool(const struct tacho__diff_run *run, char *room, size_t size)
{
	const struct tacho_run *info = tacho_recording_get_run(run->recording);

	return info->import_note ? info->generator : "tacho";
}

static const char *get_status(const struct tacho__diff_run *run, char *room, size_t size)
{
	int status = tacho_recording_get_run(run->recording)->exit_status;

	if (status < 0)
		return "not known";
	snprintf(room, size, "%d", status);
	return room;
}

static const char *get_counting(const struct tacho__diff_run *run, char *room, size_t size)
{
	const struct tacho_recorded_counting *counting =
		tacho_recording_get_counting(run->recording);

	if (!counting)
		return "nothing counted";
	snprintf(room, size, "%s%s%" PRIu32 " pass%s, replay %s", counting->device,
		 *counting->device ? ", " : "", counting->pass_count,
		 counting->pass_count == 1 ? "" : "es", tacho_replay_to_string(counting->replay));
	return room;
}

/* How the machine was set up; "": not known. What changes by itself is no difference. */
static const char *get_machine(const struct tacho__diff_run *run, char *room, size_t size)
{
	const struct tacho_machine_fact *fact;
	size_t used = 0;

	*room = '\0';
	for (size_t i = 0; (fact = tacho_recording_get_machine_fact(run->recording, i)); i++) {
		if (!fact->is_setting || used >= size)
			continue;
		used += (size_t)snprintf(room + used, size - used, "%s%s %s", used ? ", " : "",
					 fact->name, *fact->start ? fact->start : fact->end);
	}
	return room;
}

/* A processor that was too hot is slower, whatever the program does. */
static int warn_of_throttling(struct tacho_diff *diff, const struct tacho__diff_run *run)
{
	const struct tacho_machine_fact *fact;

	for (size_t i = 0; (fact = tacho_recording_get_machine_fact(run->recording, i)); i++)
		if (strcmp(fact->name, "cpu throttled") == 0 && *fact->start && *fact->end &&
		    strcmp(fact->start, fact->end) != 0)
			return warn(diff,
				    "In %s the processors were slowed down because of their "
				    "temperature: %s times at the start, %s at the end.",
				    letters[run->side], fact->start, fact->end);
	return 0;
}

/* A fact that is the same in all runs of a side; else NULL, and the first other one. */
static const char *find_fact(const struct tacho_diff *diff, enum tacho_diff_side side, fact_fn get,
			     char *room, size_t size, const char **out_first,
			     const char **out_other)
{
	const char *first = NULL;

	for (size_t i = 0; i < diff->run_count; i++) {
		const char *fact;

		if (diff->runs[i].side != side)
			continue;
		fact = get(&diff->runs[i], first ? room + size / 2 : room, size / 2);
		if (!first) {
			first = fact;
		} else if (strcmp(first, fact) != 0) {
			*out_first = first;
			*out_other = fact;
			return NULL;
		}
	}
	return first;
}

static int compare_fact(struct tacho_diff *diff, const char *what, fact_fn get)
{
	char rooms[2][512];
	const char *facts[2], *first = "", *other = "";
	int rc = 0;

	for (int side = 0; side < 2 && !rc; side++) {
		facts[side] = find_fact(diff, (enum tacho_diff_side)side, get, rooms[side],
					sizeof(rooms[side]), &first, &other);
		if (!facts[side])
			rc = warn(diff, "%s differ within %s: \"%s\" and \"%s\".", what,
				  letters[side], first, other);
	}
	if (rc || !facts[0] || !facts[1] || strcmp(facts[0], facts[1]) == 0)
		return rc;
	return warn(diff, "%s differ: A has \"%s\", B \"%s\".", what, facts[0], facts[1]);
}

/* A recording that counts as two runs makes runs look more alike than they are. */
static int warn_of_twins(struct tacho_diff *diff)
{
	for (size_t i = 1; i < diff->run_count; i++) {
		const char *path = tacho_recording_get_path(diff->runs[i].recording);

		for (size_t k = 0; k < i; k++)
			if (diff->runs[k].side == diff->runs[i].side &&
			    strcmp(tacho_recording_get_path(diff->runs[k].recording), path) == 0)
				return warn(diff,
					    "%s is given twice in %s, and counts as two runs.",
					    path, letters[diff->runs[i].side]);
	}
	return 0;
}

enum { FAULTS_MAX = 5 };

/* What is wrong with its files, and what is not in them as asked. */
static int warn_of_gaps(struct tacho_diff *diff, const struct tacho_recording *recording)
{
	const char *path = tacho_recording_get_path(recording);
	const struct tacho_fault *fault;
	const struct tacho_bound *bound;
	uint64_t calls = 0;
	size_t i;
	int rc = 0;

	for (i = 0; !rc && (fault = tacho_recording_get_fault(recording, i)); i++) {
		char *text;

		if (i >= FAULTS_MAX)
			continue;
		rc = tacho_fault_format(fault, &text);
		if (rc)
			return rc;
		rc = warn(diff, "%s is not whole: %s.", path, text);
		free(text);
	}
	if (!rc && i > FAULTS_MAX)
		rc = warn(diff, "%s is not whole: %zu more faults.", path, i - FAULTS_MAX);
	for (i = 0; (bound = tacho_recording_get_bound(recording, i)); i++)
		calls += bound->calls;
	if (!rc && calls)
		rc = warn(diff, "%s: %" PRIu64 " calls were left out as asked, of %zu function%s.",
			  path, calls, i, i == 1 ? "" : "s");
	if (!rc && tacho_recording_get_run(recording)->is_unfinished)
		rc = warn(diff, "%s is not finished: more calls may follow.", path);
	return rc;
}

static int warn_of_losses(struct tacho_diff *diff, const struct tacho__diff_run *run)
{
	struct tacho_loss loss;
	int rc = warn_of_gaps(diff, run->recording);

	for (size_t i = 0; !rc && tacho_summary_totals_get_loss(&run->totals, i, &loss); i++)
		if (loss.count)
			rc = warn(diff, "%s: %" PRIu64 " %s.",
				  tacho_recording_get_path(run->recording), loss.count, loss.text);
	if (!rc && !run->totals.calls && !run->totals.commands && !run->has_sums)
		rc = warn(diff, "%s: no call was recorded; `tacho report` says why.",
			  tacho_recording_get_path(run->recording));
	if (!rc && run->has_unknown)
		rc = warn(diff,
			  "%s: commands of a device have no times, so it is not known how long "
			  "that device was busy.",
			  tacho_recording_get_path(run->recording));
	return rc;
}

/* ---- facts about lines ---- */

/* A list of lines that ends with "and N more". */
struct listed {
	struct tacho__buf text;
	size_t count;
};

__attribute__((format(printf, 2, 3))) static void list(struct listed *listed, const char *format,
						       ...)
{
	va_list values;

	if (listed->count++ >= NAMED_MAX)
		return;
	if (listed->count > 1)
		tacho__buf_put(&listed->text, ", ");
	va_start(values, format);
	tacho__buf_vprintf(&listed->text, format, values);
	va_end(values);
}

/* Warns with the list if there is one, and frees it. */
static int tell(struct tacho_diff *diff, struct listed *listed, const char *what, const char *after)
{
	int rc = 0;

	if (listed->count > NAMED_MAX)
		tacho__buf_printf(&listed->text, ", and %zu more", listed->count - NAMED_MAX);
	if (listed->text.failed)
		rc = tacho__diff_fail_memory();
	else if (listed->count)
		rc = warn(diff, "%s: %s.%s", what, tacho__buf_text(&listed->text), after);
	tacho__buf_finish(&listed->text);
	return rc;
}

static bool is_in_both(const struct tacho__diff_line *line)
{
	return line->line.is_in[TACHO_DIFF_A] && line->line.is_in[TACHO_DIFF_B];
}

static int warn_of_counts(struct tacho_diff *diff)
{
	struct listed listed = {0};

	for (size_t i = 0; i < diff->line_count; i++) {
		const struct tacho_diff_measure *count =
			&diff->lines[i]->measures[TACHO__DIFF_COUNT];

		if (is_in_both(diff->lines[i]) &&
		    (count->verdict == TACHO_DIFF_DIFFERS || count->verdict == TACHO_DIFF_UNSURE))
			list(&listed, "%s %.15g and %.15g", diff->lines[i]->line.name,
			     count->sides[0].value, count->sides[1].value);
	}
	return tell(diff, &listed, "Counts differ, in A and B", "");
}

/* Work-items a launch, where that is known of all launches. */
static int warn_of_sizes(struct tacho_diff *diff)
{
	struct listed listed = {0};

	for (size_t i = 0; i < diff->line_count; i++) {
		const struct tacho__diff_line *line = diff->lines[i];
		double items[2];

		/* kernels of other names divide the same work otherwise */
		if (!line->sized[0] || !line->sized[1] || line->line.match != TACHO_DIFF_MATCH_NAME)
			continue;
		for (int side = 0; side < 2; side++)
			items[side] = line->items[side] / (double)line->sized[side];
		if (items[0] < items[1] * 0.999 || items[0] > items[1] * 1.001)
			list(&listed, "%s %.15g and %.15g", line->line.name, items[0], items[1]);
	}
	return tell(diff, &listed, "Work-items of a launch differ, in A and B",
		    " Times are of other work.");
}

static int warn_of_counters(struct tacho_diff *diff)
{
	int rc = 0;

	for (int side = 0; side < 2 && !rc; side++) {
		struct listed listed = {0};

		for (size_t i = TACHO__DIFF_OTHERS; i < diff->kind_count; i++)
			if (diff->kinds[i].is_in[side] && !diff->kinds[i].is_in[!side])
				list(&listed, "%s", diff->kinds[i].name);
		rc = tell(diff, &listed,
			  side ? "Counters that only B has" : "Counters that only A has", "");
	}
	return rc;
}

static int warn_of_instances(struct tacho_diff *diff)
{
	struct listed listed = {0};

	for (size_t i = TACHO__DIFF_OTHERS; i < diff->kind_count; i++)
		if (diff->kinds[i].has_no_sum)
			list(&listed, "%s", diff->kinds[i].name);
	return tell(diff, &listed, "Not compared, because their instances do not add up", "");
}

/* Lines that would match if devices were not told apart. */
/* Of recordings that tell it: older ones, and machines that say nothing, are no difference. */
static int compare_machines(struct tacho_diff *diff)
{
	for (size_t i = 0; i < diff->run_count; i++)
		if (!tacho_recording_get_machine_fact(diff->runs[i].recording, 0))
			return 0;
	return compare_fact(diff, "Settings of the machine", get_machine);
}

static int warn_of_devices(struct tacho_diff *diff)
{
	struct tacho__names in_b = {0};
	struct listed listed = {0};
	int rc = 0;

	for (size_t i = 0; i < diff->line_count && !rc; i++)
		if (!is_in_both(diff->lines[i]) && diff->lines[i]->line.is_in[TACHO_DIFF_B])
			rc = tacho__names_set(&in_b, diff->lines[i]->line.name, diff->lines[i]);
	for (size_t i = 0; i < diff->line_count && !rc; i++) {
		const struct tacho_diff_line *line = &diff->lines[i]->line;

		if (!line->is_in[TACHO_DIFF_B] && tacho__names_get(&in_b, line->name))
			list(&listed, "%s", line->name);
	}
	if (!rc)
		rc = tell(diff, &listed, "A and B have these on different devices",
			  " To compare them all the same, match by name.");
	else
		tacho__buf_finish(&listed.text);
	tacho__names_finish(&in_b);
	return rc;
}

int tacho__diff_warn(struct tacho_diff *diff)
{
	static const struct {
		const char *what;
		fact_fn get;
	} facts[] = {
		{"Programs", get_program},     {"Arguments", get_arguments},
		{"Hosts", get_host},	       {"Devices", get_devices},
		{"Exit statuses", get_status}, {"Ways of counting", get_counting},
	};
	int rc = 0;

	for (size_t i = 0; i < TACHO__ARRAY_SIZE(facts) && !rc && !diff->is_of_means; i++)
		rc = compare_fact(diff, facts[i].what, facts[i].get);
	if (!rc && diff->is_of_means)
		rc = compare_fact(diff, "Tools", get_tool);
	if (!rc)
		rc = warn_of_twins(diff);
	for (size_t i = 0; i < diff->run_count && !rc; i++)
		rc = warn_of_losses(diff, &diff->runs[i]);
	for (size_t i = 0; i < diff->run_count && !rc; i++)
		rc = warn_of_throttling(diff, &diff->runs[i]);
	if (!rc)
		rc = compare_machines(diff);
	if (!rc)
		rc = warn_of_devices(diff);
	if (!rc)
		rc = warn_of_counts(diff);
	if (!rc)
		rc = warn_of_sizes(diff);
	if (!rc)
		rc = warn_of_instances(diff);
	return rc ? rc : warn_of_counters(diff);
}
