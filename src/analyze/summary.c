/* SPDX-License-Identifier: MIT */
/* One pass over a recording; what is kept grows with what a report shows, not with the calls. */
#include "analyze/summary.h"

#include <stdlib.h>

#include "base/array.h"
#include "base/error.h"
#include "record/command.h"
#include "record/whole.h"

const char *tacho__summary_text(struct tacho_summary *summary, const char *text)
{
	return tacho__printable(&summary->arena, text);
}

static int take_command(struct tacho_summary *summary, const struct tacho_command *command,
			const struct tacho__device_use **out_device)
{
	struct tacho_summary_totals *totals = &summary->totals;
	int rc = tacho__devices_add(summary, command, out_device);

	totals->commands++;
	totals->launches += tacho__command_kernels(command);
	totals->transfers += tacho__command_is_transfer(command);
	if (command->kind == TACHO_COMMAND_BUFFER) {
		totals->templates++;
		totals->template_launches += tacho__command_kernels(command);
	}
	if (!rc && command->contents && !command->contents->is_known)
		rc = tacho__notes_add_sealed(summary, command);
	if (!rc && command->has_marked_start)
		rc = tacho__notes_add_marked(summary, command, *out_device);
	if (rc || command->state == TACHO_STATE_OK || command->has_duration)
		return rc;
	if (command->state == TACHO_STATE_LOST) {
		totals->unfinished++;
		return 0;
	}
	/* of session files nobody refused times: they have none */
	totals->not_credible +=
		!tacho_recording_get_run(summary->recording)->import_note && !command->is_untimed;
	return tacho__notes_add_refusal(summary, command, *out_device);
}

int tacho__summary_take(struct tacho_summary *summary, const struct tacho_call *call)
{
	struct tacho_summary_totals *totals = &summary->totals;
	const struct tacho__device_use *device = NULL;
	int rc = 0;

	totals->calls += call->is_bare ? 0 : 1 + call->repeats;
	totals->api_ns += call->is_bare ? 0 : tacho__call_busy_ns(call);
	if (call->failed) {
		totals->failed_calls += 1 + call->repeats;
		rc = tacho__notes_add_failure(summary, call);
	}
	if (!rc && call->command)
		rc = take_command(summary, call->command, &device);
	if (!rc && call->command && !tacho__command_is_transfer(call->command) &&
	    call->command->kind != TACHO_COMMAND_OTHER)
		rc = tacho__uncounted_add(summary, call->command,
					  tacho_cursor_get_row(summary->cursor));
	if (!rc && !summary->samples)
		rc = tacho__breakdown_add(&summary->breakdown, summary->cursor, call);
	tacho__frames_add_call(&summary->frames, call);
	return rc ? rc : tacho__lines_add_call(summary, call, device);
}

/* bench/RESULTS.md, "What a report says that recording cost": up to so many times what is timed. */
enum { COST_TIMES_MAX = 4 };

/* All calls cost what those cost that were timed. */
static void estimate_cost(const struct tacho_summary *summary, struct tacho_summary_totals *totals)
{
	const struct tacho_process *process;
	double ns = 0;

	for (size_t i = 0; (process = tacho_recording_get_process(summary->recording, i)); i++) {
		totals->cost_calls += process->cost_calls;
		ns += (double)process->cost_ns;
	}
	if (totals->cost_calls)
		totals->cost_ns =
			(uint64_t)(ns / (double)totals->cost_calls * (double)totals->calls);
	totals->cost_most_ns = COST_TIMES_MAX * totals->cost_ns;
}

static void complete_totals(struct tacho_summary *summary)
{
	struct tacho_summary_totals *totals = &summary->totals;
	const struct tacho_run *run = tacho_recording_get_run(summary->recording);

	totals->has_wall = run->end_ns >= run->start_ns && run->end_ns;
	totals->wall_ns = totals->has_wall ? run->end_ns - run->start_ns : 0;
	totals->processes = tacho_recording_get_process_count(summary->recording);
	totals->threads = summary->lines[TACHO_BY_THREAD].count;
	tacho_recording_sum_losses(summary->recording, &totals->losses);
	estimate_cost(summary, totals);
}

int tacho__summary_begin(struct tacho_recording *recording, struct tacho__samples *samples,
			 bool has_gaps, struct tacho_summary **out_summary)
{
	struct tacho_summary *summary = calloc(1, sizeof(*summary));
	int rc;

	if (!summary)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a summary");
	summary->recording = recording;
	summary->samples = samples;
	summary->has_gaps = has_gaps;
	rc = tacho__breakdown_init(&summary->breakdown, &summary->arena,
				   tacho_recording_get_run(recording));
	if (!rc)
		rc = tacho_cursor_open(recording, &summary->cursor);
	if (!rc) {
		tacho_cursor_on_range(summary->cursor, tacho__range_lines_end, summary);
		tacho_cursor_on_window(summary->cursor, tacho__window_sums_add, summary);
		rc = tacho__window_sums_init(summary);
	}
	if (rc)
		tacho_summary_destroy(summary);
	else
		*out_summary = summary;
	return rc;
}

int tacho__summary_end(struct tacho_summary *summary)
{
	int rc = summary->ranges.has_failed
			 ? tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a summary")
			 : tacho__devices_complete(summary);

	if (!rc)
		rc = tacho__memory_devices_find(summary);
	if (!rc)
		rc = tacho__frames_complete(&summary->frames);
	if (!rc)
		rc = tacho__lines_complete(summary);
	if (!rc && !summary->samples)
		rc = tacho__breakdown_complete(&summary->breakdown);
	if (rc)
		return rc;
	complete_totals(summary);
	return tacho__notes_complete(summary);
}

static int create(struct tacho_recording *recording, struct tacho__samples *samples, bool has_gaps,
		  struct tacho_summary **out_summary)
{
	struct tacho_summary *summary;
	const struct tacho_call *call;
	int rc;

	if (!recording || !out_summary)
		return tacho__fail(TACHO_E_INVAL, "recording or result is missing", "",
				   "cannot make a summary");
	rc = tacho__summary_begin(recording, samples, has_gaps, &summary);
	if (rc)
		return rc;
	while (!rc && (rc = tacho_cursor_next(summary->cursor, &call)) == 1)
		rc = tacho__summary_take(summary, call);
	if (!rc)
		rc = tacho__summary_end(summary);
	if (rc)
		tacho_summary_destroy(summary);
	else
		*out_summary = summary;
	return rc;
}

int tacho_summary_create(struct tacho_recording *recording, struct tacho_summary **out_summary)
{
	return create(recording, NULL, false, out_summary);
}

int tacho_summary_create_with_gaps(struct tacho_recording *recording,
				   struct tacho_summary **out_summary)
{
	return create(recording, NULL, true, out_summary);
}

int tacho__summary_create_sampled(struct tacho_recording *recording, struct tacho__samples *samples,
				  struct tacho_summary **out_summary)
{
	return create(recording, samples, samples->key == TACHO_BY_GAP, out_summary);
}

void tacho_summary_destroy(struct tacho_summary *summary)
{
	if (!summary)
		return;
	for (int key = 0; key < TACHO__SUMMARY_KEYS; key++)
		tacho__lines_finish(&summary->lines[key]);
	tacho__devices_finish(&summary->devices);
	tacho__frames_finish(&summary->frames);
	tacho__names_finish(&summary->gap_names);
	tacho__breakdown_finish(&summary->breakdown);
	tacho__names_finish(&summary->failures.by_text);
	tacho__names_finish(&summary->refusals.by_text);
	tacho__names_finish(&summary->marked.by_text);
	tacho__names_finish(&summary->sealed.by_text);
	tacho__names_finish(&summary->uncounted.by_text);
	tacho__sentences_finish(&summary->notes);
	tacho__buf_finish(&summary->scratch);
	tacho__arena_finish(&summary->arena);
	tacho_cursor_close(summary->cursor);
	free(summary);
}

const struct tacho_summary_totals *tacho_summary_get_totals(const struct tacho_summary *summary)
{
	return summary ? &summary->totals : NULL;
}

size_t tacho_summary_get_line_count(const struct tacho_summary *summary, enum tacho_summary_key key)
{
	return summary && (unsigned)key < TACHO__SUMMARY_KEYS ? summary->lines[key].count : 0;
}

const struct tacho_summary_line *tacho_summary_get_line(const struct tacho_summary *summary,
							enum tacho_summary_key key, size_t index)
{
	return summary && index < tacho_summary_get_line_count(summary, key)
		       ? &summary->lines[key].all[index]->line
		       : NULL;
}

const struct tacho_summary_device *tacho_summary_get_device(const struct tacho_summary *summary,
							    size_t index)
{
	return summary && index < summary->devices.count ? &summary->devices.all[index]->device
							 : NULL;
}

const struct tacho_breakdown *tacho_summary_get_breakdown(const struct tacho_summary *summary)
{
	return summary && summary->breakdown.info.headline ? &summary->breakdown.info : NULL;
}

const struct tacho_spent_part *tacho_summary_get_spent(const struct tacho_summary *summary,
						       size_t index)
{
	return summary && index < summary->breakdown.part_count ? &summary->breakdown.parts[index]
								: NULL;
}

const struct tacho_frames *tacho_summary_get_frames(const struct tacho_summary *summary)
{
	return summary && summary->frames.info.count ? &summary->frames.info : NULL;
}

const struct tacho_frame *tacho_summary_get_frame(const struct tacho_summary *summary, size_t index)
{
	return summary && index < summary->frames.count ? &summary->frames.all[index] : NULL;
}

const char *tacho_summary_get_note(const struct tacho_summary *summary, size_t index)
{
	return summary ? tacho__sentences_get(&summary->notes, index) : NULL;
}

int tacho_summary_totals_get_loss(const struct tacho_summary_totals *totals, size_t index,
				  struct tacho_loss *out_loss)
{
	const struct tacho_loss own[] = {
		{"unfinished", "commands whose end was not seen", totals ? totals->unfinished : 0},
		{"not_credible", "commands whose device times were refused",
		 totals ? totals->not_credible : 0},
	};
	struct tacho_loss loss;
	size_t count = 0;

	if (!totals || !out_loss)
		return 0;
	if (tacho__losses_get(&totals->losses, index, out_loss))
		return 1;
	while (tacho__losses_get(&totals->losses, count, &loss))
		count++;
	if (index - count >= TACHO__ARRAY_SIZE(own))
		return 0;
	*out_loss = own[index - count];
	return 1;
}
