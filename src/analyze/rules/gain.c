/* SPDX-License-Identifier: MIT */
/* What findings gain, and which of them are remarks. */
#include "analyze/rules/rules.h"

static uint64_t wall_ns(const struct tacho_findings *findings)
{
	const struct tacho_run *run = tacho_recording_get_run(findings->recording);

	return run->end_ns > run->start_ns ? run->end_ns - run->start_ns : 0;
}

static bool is_little(const struct tacho_findings *findings, uint64_t ns)
{
	uint64_t wall = wall_ns(findings);

	return ns < findings->thresholds[TACHO__REMARK_NS] &&
	       (!wall || (double)ns * 100 <
				 (double)wall * (double)findings->thresholds[TACHO__REMARK_SHARE]);
}

static bool is_remark(const struct tacho_findings *findings, const struct tacho_finding *info)
{
	switch (((const struct tacho__rule *)info->rule)->worth) {
	case TACHO__WORTH_GAIN: return info->has_gain && is_little(findings, info->gain_high_ns);
	case TACHO__WORTH_COST: return is_little(findings, info->cost_ns);
	case TACHO__WORTH_LITTLE: return true;
	default: return false;
	}
}

void tacho__gains_state(struct tacho_findings *findings)
{
	uint64_t wall = wall_ns(findings);

	for (size_t i = 0; i < findings->kept_count; i++) {
		struct tacho_finding *info = &findings->kept[i]->finding;

		info->has_gain = info->has_cost;
		info->gain_high_ns = wall && wall < info->cost_ns ? wall : info->cost_ns;
		info->is_remark = is_remark(findings, info);
	}
}
