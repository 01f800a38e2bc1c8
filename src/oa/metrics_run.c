/* SPDX-License-Identifier: MIT */
/* From reports to intervals, and their metrics, some hundred at a time. */
#include <string.h>

#include "base/error.h"
#include "oa/metrics.h"
#include "oa/report.h"

/* Which context runs from a report on. */
static uint32_t get_context(const struct tacho_oa_metrics *metrics,
			    const struct tacho_oa_report *report)
{
	struct tacho_oa_report_id id;

	if (metrics->gen < TACHO_OA_GEN8) /* ids of Haswell do not say whether it is one */
		return TACHO_OA_NO_CONTEXT;
	tacho_oa_report_id_decode(report->id, metrics->gen, TACHO_OA_SOURCE_PERIODIC, &id);
	if (tacho__oa_has_marker(&id, metrics->gen))
		return metrics->has_last ? metrics->first_context : TACHO_OA_NO_CONTEXT;
	return id.context_valid == TACHO_OA_NO ? TACHO_OA_NO_CONTEXT : report->context;
}

static void emit(struct tacho_oa_metrics *metrics, const struct tacho_oa_record *end)
{
	const struct tacho_oa_sums *sums = &metrics->sums;
	const struct tacho_oa_record *start = &metrics->first;
	size_t row = metrics->count++;
	uint8_t worst = 0;

	metrics->intervals[row] = (struct tacho_oa_interval){
		.gpu_start_ticks = start->gpu_ticks,
		.gpu_end_ticks = end->gpu_ticks,
		.cpu_start_ns = start->cpu_ns,
		.cpu_end_ns = end->cpu_ns,
		.start_time = start->time,
		.end_time = end->time,
		.context = metrics->first_context,
	};
	for (size_t i = 0; i < metrics->input_count; i++) {
		int index = metrics->input_index[i];

		metrics->input_values[i][row] = sums->values[index];
		worst |= sums->states[index];
	}
	if (!worst)
		return;
	metrics->has_states = 1;
	for (size_t i = 0; i < metrics->input_count; i++)
		metrics->input_states[i][row] = sums->states[metrics->input_index[i]];
}

static void begin_interval(struct tacho_oa_metrics *metrics, const struct tacho_oa_record *start,
			   uint32_t context)
{
	metrics->first = *start;
	metrics->first_context = context;
	memset(&metrics->sums, 0, sizeof(metrics->sums));
}

static void add(struct tacho_oa_metrics *metrics, const struct tacho_oa_record *record,
		const struct tacho_oa_report *report)
{
	const struct tacho_oa_report *last = &metrics->reports[metrics->last_at];
	uint64_t elapsed = record->gpu_ticks - metrics->last.gpu_ticks;

	tacho_oa_sums_add(metrics->format, &metrics->limits, last, report,
			  elapsed > UINT32_MAX ? elapsed : 0, &metrics->sums);
	if (metrics->was_lost)
		tacho_oa_sums_mark(metrics->format, TACHO_STATE_LOST, &metrics->sums);
	metrics->was_lost = 0;
}

static void take(struct tacho_oa_metrics *metrics, const struct tacho_oa_record *record)
{
	unsigned at = !metrics->last_at;
	struct tacho_oa_report *report = &metrics->reports[at];
	uint32_t context;

	tacho__oa_report_decode(metrics->format, record->bytes, report);
	if (tacho_oa_report_is_empty(report) ||
	    (metrics->has_last && record->gpu_ticks < metrics->last.gpu_ticks)) {
		metrics->skipped_count++;
		return;
	}
	context = get_context(metrics, report);
	if (!metrics->has_last) {
		begin_interval(metrics, record, context);
		metrics->was_lost = 0;
	} else {
		add(metrics, record, report);
		if (metrics->cut == TACHO_OA_CUT_REPORT || context != metrics->first_context) {
			emit(metrics, record);
			begin_interval(metrics, record, context);
		}
	}
	metrics->last = *record;
	metrics->last.bytes = NULL;
	metrics->last_at = at;
	metrics->has_last = 1;
}

static int fail_size(const struct tacho_oa_metrics *metrics, const struct tacho_oa_record *record)
{
	return tacho__fail(TACHO_E_PARSE,
			   tacho__detail("it has %zu bytes, and format %s has %u", record->size,
					 metrics->format->name, metrics->format->size_bytes),
			   "choose the architecture with --arch when the recording's is wrong",
			   "the report at byte %llu is not in the recorded format",
			   (unsigned long long)record->offset);
}

/* Fills the batch with intervals as far as the recording goes. */
static void fill(struct tacho_oa_metrics *metrics)
{
	struct tacho_oa_record record;

	while (metrics->end > 0 && metrics->count < TACHO__OA_BATCH) {
		int rc = tacho_oa_recording_next(metrics->recording, &record);

		if (rc > 0 && record.kind == TACHO_OA_REPORT &&
		    record.size != metrics->format->size_bytes)
			rc = fail_size(metrics, &record);
		if (rc <= 0) {
			if (metrics->sums.interval_count)
				emit(metrics, &metrics->last);
			metrics->end = rc;
		} else if (record.kind == TACHO_OA_REPORT) {
			take(metrics, &record);
		} else {
			metrics->was_lost = 1;
		}
	}
}

static void begin_batch(struct tacho_oa_metrics *metrics)
{
	for (size_t i = 0; i < metrics->input_count && metrics->has_states; i++)
		memset(metrics->input_states[i], TACHO_STATE_OK, TACHO__OA_BATCH);
	metrics->has_states = 0;
	metrics->count = 0;
}

int tacho_oa_metrics_next(struct tacho_oa_metrics *metrics, struct tacho_oa_batch *out_batch)
{
	int rc;

	begin_batch(metrics);
	fill(metrics);
	if (!metrics->count)
		return metrics->end;
	rc = tacho__program_run(metrics->has_states ? metrics->stateful : metrics->plain, 0,
				metrics->count, metrics->strict, metrics->targets);
	if (rc) {
		metrics->end = rc;
		return rc;
	}
	for (size_t i = 0; i < metrics->wanted_count; i++) {
		const struct tacho__target *target = &metrics->targets[metrics->wanted[i].output];

		if (!*metrics->wanted[i].note)
			metrics->columns[i].states = target->has_states ? target->states : NULL;
	}
	*out_batch = (struct tacho_oa_batch){.intervals = metrics->intervals,
					     .count = metrics->count,
					     .columns = metrics->columns,
					     .column_count = metrics->wanted_count};
	return 1;
}
