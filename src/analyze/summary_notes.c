/* SPDX-License-Identifier: MIT */
/* What a person should know about the run: each note says what happened, why, and what to do. */
#include "analyze/summary.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/device_advice.h"
#include "base/array.h"
#include "base/error.h"
#include "base/text.h"

enum { FAILURES_SHOWN = 3 };

/* ---- counting ---- */

int tacho__tally_add(struct tacho_summary *summary, struct tacho__tallies *tallies, const char *api,
		     const char *what, const char *why)
{
	struct tacho__buf *text = &summary->scratch;
	struct tacho__tally *tally;
	const char *key;

	tacho__buf_clear(text);
	tacho__buf_printf(text, "%s\n%s\n%s", api, what, why);
	if (text->failed)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a summary");
	tally = tacho__names_get(&tallies->by_text, tacho__buf_text(text));
	if (tally) {
		tally->count++;
		return 0;
	}
	if (tallies->count == TACHO__TALLIES_MAX) {
		tallies->others++;
		return 0;
	}
	tally = &tallies->all[tallies->count];
	key = tacho__arena_string(&summary->arena, tacho__buf_text(text));
	tally->api = tacho__summary_text(summary, api);
	tally->what = tacho__summary_text(summary, what);
	tally->why = tacho__summary_text(summary, why);
	if (!key || !tally->api || !tally->what || !tally->why)
		return TACHO_E_NOMEM;
	tally->count = 1;
	tallies->count++;
	return tacho__names_set(&tallies->by_text, key, tally);
}

/* Functions that return a handle give their error through an argument, shown as [ERROR]. */
static const char *error_argument(struct tacho_summary *summary)
{
	const char *name, *text;

	for (size_t i = 0; (text = tacho_cursor_get_argument(summary->cursor, i, &name)); i++)
		if (!strcmp(name, "errcode_ret") && *text == '[')
			return text;
	return NULL;
}

int tacho__notes_add_failure(struct tacho_summary *summary, const struct tacho_call *call)
{
	const char *argument = error_argument(summary), *error = call->result;
	char text[64];

	if (argument) {
		snprintf(text, sizeof(text), "%.*s", (int)strcspn(argument + 1, "]"), argument + 1);
		error = text;
	}
	return tacho__tally_add(summary, &summary->failures, call->function->api,
				call->function->name, error);
}

int tacho__notes_add_refusal(struct tacho_summary *summary, const struct tacho_command *command,
			     const struct tacho__device_use *device)
{
	return tacho__tally_add(summary, &summary->refusals, "",
				device ? device->label : "an unknown device",
				*command->reason ? command->reason : "no reason is known");
}

int tacho__notes_add_marked(struct tacho_summary *summary, const struct tacho_command *command,
			    const struct tacho__device_use *device)
{
	return tacho__tally_add(summary, &summary->marked, "",
				device ? device->label : "an unknown device",
				tacho_command_kind_to_string(command->kind));
}

int tacho__notes_add_sealed(struct tacho_summary *summary, const struct tacho_command *command)
{
	return tacho__tally_add(summary, &summary->sealed, "",
				tacho_command_kind_to_string(command->kind),
				command->contents->reason);
}

/* ---- telling ---- */

int tacho__note_add(struct tacho_summary *summary, const char *format, ...)
{
	va_list list;
	int rc;

	va_start(list, format);
	rc = tacho__sentences_add(&summary->notes, &summary->arena, format, list);
	va_end(list);
	return rc;
}

static const char *was(uint64_t count)
{
	return count == 1 ? "was" : "were";
}

static int tell_emptiness(struct tacho_summary *summary)
{
	const struct tacho_run *run = tacho_recording_get_run(summary->recording);

	if (summary->totals.calls || summary->totals.commands)
		return 0;
	if (*run->why_empty)
		return tacho__note_add(summary, "%s", run->why_empty);
	if (tacho_recording_get_fault(summary->recording, 0))
		return tacho__note_add(summary, "No call can be read: parts of the recording are "
						"missing or damaged.");
	if (!summary->totals.processes)
		return tacho__note_add(summary,
				       "No call was recorded: no process loaded the recorder.");
	return tacho__note_add(
		summary, "No call was recorded: the recorder was loaded, but no function that it "
			 "watches was called.");
}

/* Session files never tell when the run ended. */
static int tell_end(struct tacho_summary *summary)
{
	const char *import = tacho_recording_get_run(summary->recording)->import_note;

	if (import)
		return *import ? tacho__note_add(summary, "%s", import) : 0;
	if (tacho_recording_get_run(summary->recording)->is_unfinished)
		return tacho__note_add(
			summary,
			"The recording is not finished: it is still written, or it was cut "
			"off and nobody could finish it. More calls may follow these.");
	if (summary->totals.has_wall)
		return 0;
	return tacho__note_add(
		summary, "When the run ended is not known: the program still runs, or tacho was "
			 "killed before it ended.");
}

static int tell_growth(struct tacho_summary *summary)
{
	const struct tacho_losses *losses = &summary->totals.losses;
	int error = losses->io_error;

	if (!losses->no_space)
		return 0;
	return tacho__note_add(
		summary,
		"%" PRIu64 " call%s %s not recorded: the recording could not grow (%s, errno "
		"%d). Make room where the recording is, or record to another disk.",
		losses->no_space, tacho__plural(losses->no_space), was(losses->no_space),
		error ? strerror(error) : "the reason was not kept", error);
}

static int tell_windows(struct tacho_summary *summary, uint64_t count)
{
	if (!count)
		return 0;
	return tacho__note_add(summary,
			       "%" PRIu64 " sampled window%s %s not recorded: the device dropped "
			       "what it had counted, there was no room for it, or it lay in "
			       "damaged parts. Longer windows (-I) help against the first two.",
			       count, tacho__plural(count), was(count));
}

static int tell_losses(struct tacho_summary *summary)
{
	const struct tacho_losses *losses = &summary->totals.losses;
	const struct {
		uint64_t count;
		const char *what, *why;
	} kinds[] = {
		{losses->no_window, "call",
		 "no window was free for a second. Give the machine idle time, or a faster disk: "
		 "the recorder's keeper could not follow."},
		{losses->nested, "call",
		 "made by a signal handler while another one was recorded, or by the driver inside "
		 "of four others."},
		{losses->too_big, "record", "larger than a record can be."},
		{losses->no_thread, "call", "their thread got no stream of its own."},
		{losses->unwritten, "call",
		 "the files took no more. Make room where the recording is, or give it more with "
		 "--max-size."},
		{losses->unreported, "record",
		 "the vendor's library dropped what it had to tell of calls, commands or their "
		 "times, or told what cannot be."},
		{losses->deep_ranges, "named range",
		 "deeper than 256 on their thread, or one more than 1024 of the process at a "
		 "time."},
	};
	int rc = tell_growth(summary);

	for (size_t i = 0; i < TACHO__ARRAY_SIZE(kinds) && !rc; i++)
		if (kinds[i].count)
			rc = tacho__note_add(summary, "%" PRIu64 " %s%s %s not recorded: %s",
					     kinds[i].count, kinds[i].what,
					     tacho__plural(kinds[i].count), was(kinds[i].count),
					     kinds[i].why);
	if (!rc && losses->headless_ranges)
		rc = tacho__note_add(summary,
				     "%" PRIu64 " named range%s ended whose beginning is missing: "
				     "what was done in %s counts as outside of it.",
				     losses->headless_ranges,
				     tacho__plural(losses->headless_ranges),
				     losses->headless_ranges == 1 ? "it" : "them");
	if (!rc && losses->missing)
		rc = tacho__note_add(summary,
				     "%" PRIu64
				     " call%s in parts of files that are missing or damaged: sums "
				     "are of the rest.",
				     losses->missing, losses->missing == 1 ? " is" : "s are");
	if (!rc && losses->untimed)
		rc = tacho__note_add(summary,
				     "%" PRIu64 " device time%s dropped: those commands are there, "
				     "but when they ran is not known.",
				     losses->untimed, losses->untimed == 1 ? " was" : "s were");
	if (!rc && losses->unreadable)
		rc = tacho__note_add(summary,
				     "%" PRIu64
				     " byte%s of the recording cannot be read: the files are "
				     "damaged, and what stood there is missing.",
				     losses->unreadable, tacho__plural(losses->unreadable));
	return rc;
}

static int tell_unfinished(struct tacho_summary *summary)
{
	uint64_t count = summary->totals.unfinished;

	if (!count)
		return 0;
	return tacho__note_add(
		summary,
		"%" PRIu64 " command%s no end: the program ended before %s did. Let it wait for "
		"its queues before it ends.",
		count, count == 1 ? " has" : "s have", count == 1 ? "it" : "they");
}

static int tell_refusals(struct tacho_summary *summary)
{
	const struct tacho__tallies *refusals = &summary->refusals;
	int rc = 0;

	for (size_t i = 0; i < refusals->count && !rc; i++)
		rc = tacho__note_add(summary, "%" PRIu64 " command%s on %s %s no times: %s.",
				     refusals->all[i].count, tacho__plural(refusals->all[i].count),
				     refusals->all[i].what,
				     refusals->all[i].count == 1 ? "has" : "have",
				     refusals->all[i].why);
	if (!rc && refusals->others)
		rc = tacho__note_add(summary,
				     "%" PRIu64 " more command%s no times, for other reasons.",
				     refusals->others, refusals->others == 1 ? " has" : "s have");
	return rc;
}

/* Starts that nobody told, and that a marker in front of the command did. */
static int tell_marked(struct tacho_summary *summary)
{
	const struct tacho__tallies *marked = &summary->marked;
	int rc = 0;

	for (size_t i = 0; i < marked->count && !rc; i++) {
		const struct tacho__tally *tally = &marked->all[i];

		rc = tacho__note_add(
			summary,
			"%" PRIu64 " %s%s on %s %s taken to start when all in front "
			"had ended: the driver tells when %s ended, not when %s began.",
			tally->count, tally->why, tacho__plural(tally->count), tally->what,
			tally->count == 1 ? "is" : "are", tally->count == 1 ? "it" : "they",
			tally->count == 1 ? "it" : "they");
	}
	return rc;
}

static int tell_sealed(struct tacho_summary *summary)
{
	const struct tacho__tallies *sealed = &summary->sealed;
	int rc = 0;

	for (size_t i = 0; i < sealed->count && !rc; i++)
		rc = tacho__note_add(summary,
				     "What %" PRIu64 " execution%s of %ss ran is not known (%s): "
				     "%s kernels are missing wherever kernels are counted.",
				     sealed->all[i].count, tacho__plural(sealed->all[i].count),
				     sealed->all[i].what, sealed->all[i].why,
				     sealed->all[i].count == 1 ? "its" : "their");
	return rc;
}

/* What the program can do without being seen. */
static int tell_unwatched(struct tacho_summary *summary)
{
	const struct tacho_process *process;
	int rc = 0;

	for (size_t i = 0; !rc && (process = tacho_recording_get_process(summary->recording, i));
	     i++)
		if (*process->unwatched)
			rc = tacho__note_add(
				summary,
				"Process %" PRIu32 " got functions that are not recorded: %s.%s",
				process->pid, process->unwatched,
				process->has_unseen_work
					? " Work that they gave to devices is not in this report."
					: "");
	return rc;
}

static int compare_counts(const void *left, const void *right)
{
	const struct tacho__tally *a = left, *b = right;

	if (a->count != b->count)
		return a->count > b->count ? -1 : 1;
	return strcmp(a->what, b->what) ? strcmp(a->what, b->what) : strcmp(a->why, b->why);
}

/* The failures that nobody can say more about, in one note: programs probe, so most are harmless.
 */
static int tell_other_failures(struct tacho_summary *summary, uint64_t others)
{
	const struct tacho__tallies *failures = &summary->failures;
	struct tacho__buf text = {0};
	unsigned shown = 0;
	int rc;

	if (!others)
		return 0;
	for (size_t i = 0; i < failures->count && shown < FAILURES_SHOWN; i++) {
		const struct tacho__tally *tally = &failures->all[i];

		if (tacho__advice_find(tally->api, tally->what, tally->why))
			continue;
		tacho__buf_printf(&text, "%s%s with %s (%" PRIu64 " time%s)", shown++ ? ", " : "",
				  tally->what, tally->why, tally->count,
				  tacho__plural(tally->count));
		others -= tally->count;
	}
	if (others)
		tacho__buf_printf(&text, ", %" PRIu64 " others", others);
	rc = text.failed
		     ? tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a note")
		     : tacho__note_add(summary, "Calls that failed: %s.", tacho__buf_text(&text));
	tacho__buf_finish(&text);
	return rc;
}

static int tell_failures(struct tacho_summary *summary)
{
	struct tacho__tallies *failures = &summary->failures;
	uint64_t others = failures->others;
	int rc = 0;

	qsort(failures->all, failures->count, sizeof(failures->all[0]), compare_counts);
	for (size_t i = 0; i < failures->count && !rc; i++) {
		const struct tacho__tally *tally = &failures->all[i];
		const char *advice = tacho__advice_find(tally->api, tally->what, tally->why);

		if (advice)
			rc = tacho__note_add(summary, "%s failed with %s (%" PRIu64 " time%s). %s",
					     tally->what, tally->why, tally->count,
					     tacho__plural(tally->count), advice);
		else
			others += tally->count;
	}
	return rc ? rc : tell_other_failures(summary, others);
}

/* How far runs of a program, one per pass, were the same. */
static int tell_matching(struct tacho_summary *summary)
{
	struct tacho_matching matching;
	uint64_t bad;
	int rc = 0;

	tacho_cursor_get_matching(summary->cursor, &matching);
	if (matching.run_count <= 1)
		return 0;
	bad = matching.missing + matching.different;
	if (!bad && !matching.additional)
		return tacho__note_add(
			summary,
			"The program ran %" PRIu32 " times, once per pass: all of %" PRIu64
			" counted launch%s are in every run.",
			matching.run_count, matching.launches, matching.launches == 1 ? "" : "es");
	if (bad)
		rc = tacho__note_add(
			summary,
			"The program ran %" PRIu32 " times and not each time the same: of %" PRIu64
			" counted launches %" PRIu64 " are missing in another run and %" PRIu64
			" have another size there, or another command in their place. They lack "
			"the values of that run: let the program do the same each time, as one "
			"does that plays back a capture, or use --replay kernel or rotate.",
			matching.run_count, matching.launches, matching.missing,
			matching.different);
	if (!rc && matching.additional)
		rc = tacho__note_add(summary,
				     "%" PRIu64
				     " launch%s of further runs %s not in the first one; %s values "
				     "are not shown.",
				     matching.additional, matching.additional == 1 ? "" : "es",
				     matching.additional == 1 ? "is" : "are",
				     matching.additional == 1 ? "its" : "their");
	return rc;
}

int tacho__notes_complete(struct tacho_summary *summary)
{
	int rc = tell_emptiness(summary);

	if (!rc)
		rc = tell_losses(summary);
	if (!rc)
		rc = tell_windows(summary, summary->totals.losses.windows);
	if (!rc)
		rc = tell_unfinished(summary);
	if (!rc)
		rc = tell_refusals(summary);
	if (!rc)
		rc = tell_marked(summary);
	if (!rc)
		rc = tell_sealed(summary);
	if (!rc)
		rc = tell_unwatched(summary);
	if (!rc)
		rc = tell_failures(summary);
	if (!rc)
		rc = tacho__notes_tell_uncounted(summary);
	if (!rc)
		rc = tell_matching(summary);
	return rc ? rc : tell_end(summary);
}
