/* SPDX-License-Identifier: MIT */
/* A summary and findings at once: reading the calls is about as much work as either of them. */
#include "analyze/rules/rules.h"
#include "analyze/summary.h"
#include "base/error.h"
#include "record/share.h"
#include "tacho/sys/report.h"

static int read_both(struct tacho_summary *summary, struct tacho_findings *findings)
{
	const struct tacho_call *call;
	int rc;

	while ((rc = tacho_cursor_next(summary->cursor, &call)) == 1) {
		rc = tacho__summary_take(summary, call);
		if (!rc)
			rc = tacho__findings_take(findings, call);
		if (rc)
			break;
	}
	if (!rc)
		rc = tacho__summary_end(summary);
	return rc ? rc : tacho__findings_end(findings);
}

struct both {
	struct tacho_summary *summary;
	struct tacho_findings *findings;
};

static void end_range(void *user, const struct tacho_named_range *range)
{
	const struct both *both = user;

	tacho__range_lines_end(both->summary, range);
	tacho__late_frames_end(&both->findings->late_frames, range);
}

int tacho_report_create(struct tacho_recording *recording,
			const struct tacho_findings_options *options, int has_gaps,
			struct tacho_summary **out_summary, struct tacho_findings **out_findings)
{
	struct tacho_summary *summary = NULL;
	struct tacho_findings *findings;
	int rc;

	if (!recording || !out_summary || !out_findings)
		return tacho__fail_null(__func__);
	rc = tacho__findings_begin(recording, options, &findings);
	if (rc)
		return rc;
	rc = tacho__summary_begin(recording, NULL, has_gaps, &summary);
	if (!rc) {
		struct both both = {summary, findings};

		findings->cursor = tacho__cursor_share(summary->cursor);
		tacho_cursor_on_range(summary->cursor, end_range, &both);
		rc = read_both(summary, findings);
		tacho_cursor_on_range(summary->cursor, tacho__range_lines_end, summary);
	}
	if (rc) {
		tacho_findings_destroy(findings);
		tacho_summary_destroy(summary);
		return rc;
	}
	*out_summary = summary;
	*out_findings = findings;
	return 0;
}
