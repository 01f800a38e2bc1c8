/* SPDX-License-Identifier: MIT */
/* Launches that were to be counted and lack values, and processes that stopped counting. */
#include "analyze/summary.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "model/shape.h"

enum { KERNELS_SHOWN = 3, PROCESSES_SHOWN = 3 };

static const char without[] = "without values", in_part[] = "in part";

static void count_values(const struct tacho_column *column, size_t *there, size_t *missing)
{
	for (size_t i = 0; i < column->instance_count; i++) {
		uint8_t state = tacho_column_get_state(column, 0, i);

		if (!tacho_column_is_present(column, i) || state & TACHO_MARK_FOREIGN)
			continue;
		if (tacho__state_is_absent(state))
			++*missing;
		else
			++*there;
	}
}

/* What is worked out from the command is there all the same. */
int tacho__uncounted_add(struct tacho_summary *summary, const struct tacho_command *command,
			 const struct tacho_recorded_row *row)
{
	const struct tacho_entry *counter;
	size_t there = 0, missing = 0;

	if (!row || !row->is_counted)
		return 0;
	summary->selected++;
	if (!*row->note || row->is_unmatched)
		return 0;
	for (size_t i = 0; (counter = tacho_recording_get_counter(summary->recording, i)); i++) {
		const struct tacho_column *column = tacho_result_get_column(row->result, i);

		if (!counter->is_of_command ||
		    !strcmp(tacho_column_get_note(column, 0, 0), row->note))
			count_values(column, &there, &missing);
	}
	if (!missing)
		return 0;
	return tacho__tally_add(summary, &summary->uncounted, there ? in_part : without,
				command->contents ? command->contents->name
				: command->kernel ? command->kernel->name
						  : "",
				row->note);
}

/* ---- launches ---- */

static int compare_tallies(const void *left, const void *right)
{
	const struct tacho__tally *a = left, *b = right;
	int order = strcmp(b->api, a->api);

	if (!order)
		order = strcmp(a->why, b->why);
	if (!order && a->count != b->count)
		return a->count > b->count ? -1 : 1;
	return order ? order : strcmp(a->what, b->what);
}

/* What part of the values a launch lacks: those of all passes but the first, or others. */
static bool is_first_pass(const struct tacho_summary *summary)
{
	const struct tacho_recorded_counting *counting =
		tacho_recording_get_counting(summary->recording);

	return !counting || (counting->replay == TACHO_REPLAY_KERNEL && counting->pass_count > 1);
}

/* All kernels with the same reason, which follow one another from `first`. */
static int tell_reason(struct tacho_summary *summary, const struct tacho__tally *first,
		       size_t count)
{
	bool is_without = strcmp(first->api, without) == 0;
	struct tacho__buf names = {0};
	uint64_t launches = 0;
	int rc;

	for (size_t i = 0; i < count; i++) {
		launches += first[i].count;
		if (i < KERNELS_SHOWN)
			tacho__buf_printf(&names, "%s%s", i ? ", " : "",
					  *first[i].what ? first[i].what : "a kernel without name");
		if (i < KERNELS_SHOWN && count > 1)
			tacho__buf_printf(&names, " %" PRIu64, first[i].count);
	}
	if (count > KERNELS_SHOWN)
		tacho__buf_printf(&names, ", %zu other%s", count - KERNELS_SHOWN,
				  count - KERNELS_SHOWN == 1 ? "" : "s");
	rc = names.failed ? tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a note")
			  : tacho__note_add(summary, "%" PRIu64 " %s %s (%s): %s.", launches,
					    launches == 1 ? "launch was" : "launches were",
					    is_without		      ? "not counted"
					    : !is_first_pass(summary) ? "counted in part"
					    : launches == 1 ? "counted in its first pass only"
							    : "counted in their first pass only",
					    tacho__buf_text(&names), first->why);
	tacho__buf_finish(&names);
	return rc;
}

static int tell_launches(struct tacho_summary *summary)
{
	struct tacho__tallies *tallies = &summary->uncounted;
	size_t size;
	int rc = 0;

	qsort(tallies->all, tallies->count, sizeof(tallies->all[0]), compare_tallies);
	for (size_t i = 0; i < tallies->count && !rc; i += size) {
		const struct tacho__tally *first = &tallies->all[i];

		for (size = 1; i + size < tallies->count; size++)
			if (strcmp(first->api, first[size].api) != 0 ||
			    strcmp(first->why, first[size].why) != 0)
				break;
		rc = tell_reason(summary, first, size);
	}
	if (!rc && tallies->others)
		rc = tacho__note_add(
			summary, "%" PRIu64 " more launch%s not fully counted, for other reasons.",
			tallies->others, tallies->others == 1 ? "" : "es");
	return rc;
}

/* ---- processes ---- */

static bool is_same(const struct tacho_process *a, const struct tacho_process *b)
{
	return strcmp(a->uncounted, b->uncounted) == 0 &&
	       strcmp(a->uncounted_cure, b->uncounted_cure) == 0;
}

/* A cure is an imperative; here it is a sentence. */
static void add_sentence(struct tacho__buf *text, const char *cure)
{
	if (*cure)
		tacho__buf_printf(text, " %c%s.", toupper((unsigned char)*cure), cure + 1);
}

/* Of process `index`, and all that follow with the same reason. */
static int tell_process(struct tacho_summary *summary, size_t index)
{
	const struct tacho_process *first = tacho_recording_get_process(summary->recording, index);
	const struct tacho_process *process;
	struct tacho__buf names = {0};
	size_t told = 0;
	int rc;

	for (size_t i = 0; i < index; i++)
		if (is_same(first, tacho_recording_get_process(summary->recording, i)))
			return 0;
	for (size_t i = index; (process = tacho_recording_get_process(summary->recording, i));
	     i++) {
		if (!is_same(first, process))
			continue;
		if (told++ < PROCESSES_SHOWN)
			tacho__buf_printf(&names, "%s%" PRIu32 " (%s)", told > 1 ? ", " : "",
					  process->pid, tacho__base_name(process->executable));
	}
	if (told > PROCESSES_SHOWN)
		tacho__buf_printf(&names, " and %zu more", told - PROCESSES_SHOWN);
	tacho__buf_printf(&names, ": %s.", first->uncounted);
	add_sentence(&names, first->uncounted_cure);
	rc = names.failed ? tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a note")
			  : tacho__note_add(summary, "Process%s %s", told == 1 ? "" : "es",
					    tacho__buf_text(&names));
	tacho__buf_finish(&names);
	return rc;
}

/* Somebody chose launches that there are none of. */
static int tell_selection(struct tacho_summary *summary)
{
	const struct tacho__lines *kernels = &summary->lines[TACHO_BY_KERNEL];
	struct tacho__buf names = {0};
	int rc;

	for (size_t i = 0; i < kernels->count && i < KERNELS_SHOWN; i++)
		tacho__buf_printf(&names, "%s%s", i ? ", " : "", kernels->all[i]->line.name);
	if (kernels->count > KERNELS_SHOWN)
		tacho__buf_printf(&names, ", %zu other%s", kernels->count - KERNELS_SHOWN,
				  kernels->count - KERNELS_SHOWN == 1 ? "" : "s");
	rc = names.failed
		     ? tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a note")
		     : tacho__note_add(summary,
				       "No launch was counted: of %" PRIu64
				       " none was selected by name, range, number, time or while "
				       "counting was not paused. Kernels: %s.",
				       summary->totals.launches, tacho__buf_text(&names));
	tacho__buf_finish(&names);
	return rc;
}

int tacho__notes_tell_uncounted(struct tacho_summary *summary)
{
	const struct tacho_run *run = tacho_recording_get_run(summary->recording);
	const struct tacho_process *process;
	bool stopped = false;
	int rc = 0;

	if (*run->why_uncounted)
		rc = tacho__note_add(summary, "No counters can be shown: %s.", run->why_uncounted);
	for (size_t i = 0; !rc && (process = tacho_recording_get_process(summary->recording, i));
	     i++)
		if (*process->uncounted) {
			rc = tell_process(summary, i);
			stopped = true;
		}
	if (!rc && !stopped && !summary->selected && summary->totals.launches &&
	    tacho_recording_get_counting(summary->recording))
		rc = tell_selection(summary);
	if (!rc)
		rc = tacho__notes_tell_ranges(summary);
	if (!rc && summary->lines[TACHO_BY_RANGE].has_unsummed)
		rc = tacho__note_add(summary, "Counters with instances are not summed up by range: "
					      "there are too many for so many ranges.");
	if (!rc && (summary->lines[TACHO_BY_KERNEL].has_unsummed ||
		    summary->lines[TACHO_BY_TRANSFER].has_unsummed))
		rc = tacho__note_add(summary, "Counters with instances are not summed up: there "
					      "are too many for so many kernels. An export as csv "
					      "or jsonl has the values of each launch.");
	return rc ? rc : tell_launches(summary);
}
