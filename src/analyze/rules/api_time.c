/* SPDX-License-Identifier: MIT */
/* Functions of the API that take much of the run, whatever they do. */
#include <inttypes.h>

#include "analyze/rules/rules.h"
#include "tacho/error.h"
#include "tacho/sys/units.h"

int tacho__api_time_take(struct tacho_findings *findings, const struct tacho__seen *seen)
{
	struct tacho__function_facts *function = seen->function;
	uint64_t ns = seen->call->repeats ? seen->call->busy_ns : seen->host_ns;
	struct tacho__place place;
	int rc = 0;

	if (findings->gains.is_build)
		return 0;
	if (!function->time)
		rc = tacho__finding_get(findings, TACHO__RULE_API_TIME, function->name,
					&function->time);
	if (rc || !function->time)
		return rc;
	function->time->finding.count += seen->call->repeats;
	/* What the call waits for holds it up all the same. */
	tacho__gain_mark(findings, function->time, TACHO__MARK_CALL, ns);
	if (tacho__finding_count_only(findings, function->time, ns))
		return 0;
	place = tacho__seen_place(seen);
	return tacho__finding_count(findings, function->time, &place, ns, NULL);
}

bool tacho__judge_api_time(struct tacho_findings *findings, struct tacho__finding *finding,
			   struct tacho__buf *message)
{
	const struct tacho_finding *info = &finding->finding;
	uint64_t wall = tacho__findings_wall_ns(findings);
	char time[TACHO_UNITS_MAX], share[TACHO_UNITS_MAX];

	if (!wall || tacho__percent(info->cost_ns, wall) < findings->thresholds[TACHO__API_SHARE])
		return false;
	tacho__buf_printf(message, "%s took %s in %" PRIu64 " call%s, %s of the run's time.",
			  info->subject, tacho_units_time(time, info->cost_ns, 3), info->count,
			  info->count == 1 ? "" : "s",
			  tacho_units_share(share, info->cost_ns, wall));
	return true;
}
