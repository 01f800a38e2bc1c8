/* SPDX-License-Identifier: MIT */
/* What one context did, found among the reports of all. */
#include <stdbool.h>

#include "oa/accumulate.h"

/* Whether the GPU runs `context` from this report on. */
struct view {
	bool is_ours, is_switch;
	bool is_marker; /* its number is one that a caller chose: nothing is said of contexts */
};

static struct view look(const struct tacho_oa_report *report, enum tacho_oa_gen gen,
			uint32_t context)
{
	struct tacho_oa_report_id id;
	struct view view;

	tacho_oa_report_id_decode(report->id, gen, TACHO_OA_SOURCE_PERIODIC, &id);
	view.is_switch = id.reasons & TACHO_OA_REASON_CONTEXT_SWITCH;
	view.is_marker = tacho__oa_has_marker(&id, gen);
	view.is_ours = id.context_valid != TACHO_OA_NO && report->context == context;
	return view;
}

/*
 * Gen8 labels a report now and then as idle in the middle of a context: seen on hardware by IGT and
 * Mesa. One alone that no switch caused, with ours before and after it, is such a report.
 */
static bool is_stray(const struct tacho_oa_report *reports, size_t at, size_t count,
		     enum tacho_oa_gen gen, uint32_t context)
{
	struct view now = look(&reports[at], gen, context), next;

	if (now.is_switch || reports[at].context != TACHO_OA_NO_CONTEXT || at + 1 == count)
		return false;
	next = look(&reports[at + 1], gen, context);
	return next.is_ours && !next.is_switch;
}

void tacho_oa_sums_add_context(const struct tacho_oa_format *format, enum tacho_oa_gen gen,
			       const struct tacho_oa_limits *limits, uint32_t context,
			       const struct tacho_oa_report *begin,
			       const struct tacho_oa_report *end,
			       const struct tacho_oa_report *reports, size_t count,
			       struct tacho_oa_sums *sums)
{
	const struct tacho_oa_report *last = begin;
	uint64_t length, last_at = 0;
	bool is_ours = true;

	if (!format || !begin || !end || (!reports && count) || !sums)
		return;
	length = tacho__oa_elapsed(format, begin, end);
	for (size_t i = 0; gen >= TACHO_OA_GEN8 && i < count; i++) {
		const struct tacho_oa_report *report = &reports[i];
		uint64_t at = tacho__oa_elapsed(format, begin, report);
		struct view now;

		if (tacho_oa_report_is_empty(report) || at > length || at < last_at)
			continue;
		/* A report's own context runs from it on: what led up to it is the last one's. */
		if (is_ours)
			tacho_oa_sums_add(format, limits, last, report, 0, sums);
		now = look(report, gen, context);
		if (!now.is_marker && (!is_ours || !is_stray(reports, i, count, gen, context)))
			is_ours = now.is_ours;
		last = report;
		last_at = at;
	}
	if (is_ours)
		tacho_oa_sums_add(format, limits, last, end, 0, sums);
}
