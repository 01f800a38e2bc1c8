/* SPDX-License-Identifier: MIT */
/*
 * What findings gain, and which of them are remarks. Findings that explain the same time share it:
 * they are put in order, what gains most alone first, and each gains what the run ends earlier when
 * it is mended together with all before it. So the sum of gains is what mending all of them gains,
 * and never more than the run took.
 *
 * While the graph fits into one window all of this happens at the end, with the findings that are
 * kept. Else the first window decides on the order; findings that are not among its first share
 * what is left, by the time that their marks stand for, and may gain nothing.
 */
#include <stdlib.h>
#include <string.h>

#include "analyze/rules/rules.h"
#include "base/error.h"
#include "tacho/error.h"

enum { MODES = 2, CLASSES_A_REPLAY = TACHO__WORLDS_MAX / MODES };

void tacho__gains_finish(struct tacho__gains *gains)
{
	for (size_t i = 0; i < gains->chain_count; i++)
		tacho__replay_finish(&gains->chain[i]);
	free(gains->chain);
	free(gains->class_of);
	tacho__map_finish(&gains->queue_ends);
	tacho__graph_finish(&gains->graph);
}

/* ---- classes ---- */

/* The bit of each finding's class; findings that were made since get those of the rest. */
static int number_classes(struct tacho_findings *findings)
{
	struct tacho__gains *gains = &findings->gains;
	uint32_t *class_of = realloc(gains->class_of, (findings->count + 1) * sizeof(*class_of));

	if (!class_of)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for findings");
	gains->class_of = class_of;
	for (size_t i = 0; i < findings->count; i++)
		class_of[i] = gains->has_more_windows ? UINT32_C(1) << gains->class_count : 0;
	/* At the end only what is kept is mended. */
	for (size_t i = 0; !gains->has_more_windows && i < findings->kept_count; i++)
		class_of[findings->kept[i]->number] = UINT32_C(1) << gains->class_count;
	for (size_t i = 0; i < gains->class_count; i++)
		class_of[gains->classes[i]->number] = UINT32_C(1) << i;
	return 0;
}

static bool is_of(const struct tacho__finding *finding, enum tacho__rule_id rule)
{
	return finding->finding.rule == &tacho__rules[rule].rule;
}

/* A function of the API that will hardly be told of, judged by the run up to now. */
static bool is_small_part(const struct tacho_findings *findings,
			  const struct tacho__finding *finding)
{
	uint64_t start_ns = tacho_recording_get_run(findings->recording)->start_ns,
		 end_ns = findings->gains.graph.last_end_ns;

	return findings->gains.has_more_windows && is_of(finding, TACHO__RULE_API_TIME) &&
	       end_ns > start_ns &&
	       tacho__percent(finding->finding.cost_ns, end_ns - start_ns) <
		       findings->thresholds[TACHO__API_SHARE];
}

/* Among the first of those that stand for most time. */
static void add_class(struct tacho_findings *findings, struct tacho__finding *finding)
{
	struct tacho__gains *gains = &findings->gains;
	size_t at = gains->class_count;

	if (!finding->marked_ns || is_small_part(findings, finding))
		return;
	while (at && gains->classes[at - 1]->marked_ns < finding->marked_ns)
		at--;
	if (at >= TACHO__CLASSES_MAX)
		return;
	if (gains->class_count < TACHO__CLASSES_MAX)
		gains->class_count++;
	memmove(gains->classes + at + 1, gains->classes + at,
		(gains->class_count - at - 1) * sizeof(*gains->classes));
	gains->classes[at] = finding;
}

/* Rules that say what others may say better. */
static int generality(const struct tacho__finding *finding)
{
	if (is_of(finding, TACHO__RULE_BUSY_WAIT))
		return 3;
	if (is_of(finding, TACHO__RULE_API_TIME))
		return 2;
	return is_of(finding, TACHO__RULE_BUILD_TIME) || is_of(finding, TACHO__RULE_DRAINED_QUEUE);
}

/* By what each gains alone; the general ones come last. */
static void sort_classes(struct tacho__gains *gains)
{
	for (size_t i = 1; i < gains->class_count; i++) {
		struct tacho__finding *one = gains->classes[i];
		size_t at = i;

		for (; at; at--) {
			const struct tacho__finding *other = gains->classes[at - 1];
			int more = generality(other) - generality(one);

			if (more < 0 || (!more && other->alone_ns >= one->alone_ns))
				break;
			gains->classes[at] = gains->classes[at - 1];
		}
		gains->classes[at] = one;
	}
}

/* Replays worlds that lack one class each, of those from `first` on. */
static int replay_alone(struct tacho__gains *gains, size_t first)
{
	struct tacho__replay replay = {.count = 0};
	int rc;

	for (size_t i = first; i < gains->class_count && replay.count < TACHO__WORLDS_MAX; i++)
		replay.worlds[replay.count++] =
			(struct tacho__world){.without = UINT32_C(1) << i, .is_eager = true};
	rc = tacho__replay_run(&replay, &gains->graph, gains->class_of);
	for (size_t i = 0; i < replay.count && !rc; i++)
		gains->classes[first + i]->alone_ns =
			tacho__replay_gain_ns(&replay, &gains->graph, i);
	tacho__replay_finish(&replay);
	return rc;
}

static bool is_class(const struct tacho__gains *gains, const struct tacho__finding *finding)
{
	for (size_t i = 0; i < gains->class_count; i++)
		if (gains->classes[i] == finding)
			return true;
	return false;
}

/* Which classes there are, and in which order. */
static int find_classes(struct tacho_findings *findings)
{
	struct tacho__gains *gains = &findings->gains;
	int rc;

	if (gains->has_more_windows) {
		for (size_t i = 0; i < findings->count; i++)
			add_class(findings, findings->all[i]);
	} else {
		for (size_t i = 0; i < findings->kept_count; i++)
			add_class(findings, findings->kept[i]);
	}
	gains->has_rest = gains->has_more_windows;
	for (size_t i = 0; i < findings->kept_count; i++)
		gains->has_rest |=
			findings->kept[i]->marked_ns && !is_class(gains, findings->kept[i]);
	rc = number_classes(findings);
	for (size_t i = 0; i < gains->class_count && !rc; i += TACHO__WORLDS_MAX)
		rc = replay_alone(gains, i);
	sort_classes(gains);
	return rc;
}

/* ---- the chain ---- */

static size_t steps_of(const struct tacho__gains *gains)
{
	return gains->class_count + gains->has_rest;
}

/* World 2 * i lacks the classes up to i, and 2 * i + 1 too, but eagerly; the last is the rest. */
static int begin_chain(struct tacho__gains *gains)
{
	size_t steps = steps_of(gains);

	gains->chain_count = (steps + CLASSES_A_REPLAY - 1) / CLASSES_A_REPLAY;
	gains->chain = calloc(gains->chain_count + 1, sizeof(*gains->chain));
	if (!gains->chain) {
		gains->chain_count = 0;
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for findings");
	}
	for (size_t i = 0; i < steps * MODES; i++) {
		struct tacho__replay *replay = &gains->chain[i / TACHO__WORLDS_MAX];

		replay->worlds[replay->count++] = (struct tacho__world){
			.without = (uint32_t)((UINT64_C(2) << (i / MODES)) - 1),
			.is_eager = i % MODES != 0};
	}
	return 0;
}

static int replay_window(struct tacho_findings *findings)
{
	struct tacho__gains *gains = &findings->gains;
	int rc = 0;

	if (!gains->chain) {
		rc = find_classes(findings);
		if (!rc)
			rc = begin_chain(gains);
	}
	if (!rc)
		rc = number_classes(findings);
	for (size_t i = 0; i < gains->chain_count && !rc; i++)
		rc = tacho__replay_run(&gains->chain[i], &gains->graph, gains->class_of);
	tacho__graph_clear(&gains->graph);
	return rc;
}

int tacho__gains_advance(struct tacho_findings *findings)
{
	findings->gains.has_more_windows = true;
	return replay_window(findings);
}

static uint64_t chain_gain(const struct tacho__gains *gains, size_t step, size_t mode)
{
	size_t i = step * MODES + mode;

	return tacho__replay_gain_ns(&gains->chain[i / TACHO__WORLDS_MAX], &gains->graph,
				     i % TACHO__WORLDS_MAX);
}

/* ---- what is stated ---- */

/* Some cuts are the most that could be, and how much of it can be had is the program's secret. */
static bool is_bound(const struct tacho__finding *finding)
{
	const struct tacho__rule *rule = (const struct tacho__rule *)finding->finding.rule;

	switch ((enum tacho__rule_id)(rule - tacho__rules)) {
	/* Times of commands of a submit were taken between them, which costs small ones most. */
	case TACHO__RULE_SMALL_TRANSFERS: return finding->sums[TACHO__SUM_SUBMITTED] != 0;
	/* How a device on processors shares them with a loop is not recorded. */
	case TACHO__RULE_BUSY_WAIT:
	case TACHO__RULE_IDLE_UNITS:
	case TACHO__RULE_SMALL_WORK_GROUP:
	case TACHO__RULE_ODD_WORK_GROUP:
	case TACHO__RULE_SERIAL_TRANSFERS:
	case TACHO__RULE_DRAINED_QUEUE:
	/* These calls take a few ten nanoseconds, and recording them takes more. */
	case TACHO__RULE_TINY_SUBMITS:
	case TACHO__RULE_REDUNDANT_BIND:
	case TACHO__RULE_REPEATED_RECORDING:
	case TACHO__RULE_API_TIME: return true;
	default: return false;
	}
}

static void state(struct tacho__finding *finding, uint64_t low_ns, uint64_t high_ns)
{
	struct tacho_finding *info = &finding->finding;

	/* What could run at the same time is less than all transfers, and no more than was seen. */
	if ((is_of(finding, TACHO__RULE_SERIAL_TRANSFERS) ||
	     is_of(finding, TACHO__RULE_DRAINED_QUEUE)) &&
	    high_ns > info->cost_ns)
		high_ns = info->cost_ns;
	/* Known when all was seen, and the graph may be gone. */
	high_ns = high_ns > finding->over_ns ? high_ns - finding->over_ns : 0;
	info->has_gain = 1;
	info->gain_high_ns = high_ns;
	info->gain_low_ns = is_bound(finding) ? 0 : low_ns < high_ns ? low_ns : high_ns;
}

/* Mended after others it may gain more than alone; what is stated holds without them, too. */
static void state_class(const struct tacho__gains *gains, struct tacho__finding *finding,
			uint64_t low_ns, uint64_t high_ns)
{
	if (!gains->has_more_windows && high_ns > finding->alone_ns)
		high_ns = finding->alone_ns;
	state(finding, low_ns, high_ns);
}

/* What is left for findings that are no class of their own. */
static void share_rest(struct tacho_findings *findings, uint64_t rest_ns)
{
	double marked = 0;

	for (size_t i = 0; i < findings->kept_count; i++)
		if (!is_class(&findings->gains, findings->kept[i]))
			marked += (double)findings->kept[i]->marked_ns;
	for (size_t i = 0; i < findings->kept_count; i++) {
		struct tacho__finding *finding = findings->kept[i];

		if (finding->marked_ns && !is_class(&findings->gains, finding))
			state(finding, 0,
			      (uint64_t)((double)rest_ns * (double)finding->marked_ns / marked));
	}
}

/* Clocks differ a little: what all gain is no more than the run. */
static uint64_t step_ns(uint64_t *left_ns, uint64_t gain_ns, uint64_t before_ns)
{
	uint64_t step = gain_ns > before_ns ? gain_ns - before_ns : 0;

	step = step < *left_ns ? step : *left_ns;
	*left_ns -= step;
	return step;
}

static void share(struct tacho_findings *findings, uint64_t *left_ns)
{
	struct tacho__gains *gains = &findings->gains;
	uint64_t before[MODES] = {0}, low_left = UINT64_MAX;

	for (size_t i = 0; i < steps_of(gains); i++) {
		uint64_t low = chain_gain(gains, i, 0), high = chain_gain(gains, i, 1);
		uint64_t low_step = step_ns(&low_left, low, before[0]);
		uint64_t high_step = step_ns(left_ns, high, before[1]);

		before[0] = low > before[0] ? low : before[0];
		before[1] = high > before[1] ? high : before[1];
		if (i == gains->class_count)
			share_rest(findings, high_step);
		else
			state_class(gains, gains->classes[i], low_step, high_step);
	}
}

/* ---- devices ---- */

/* What a device is idle for when all else is mended, and what that can gain. */
static void share_idle(struct tacho_findings *findings, uint64_t *left_ns)
{
	struct tacho__gains *gains = &findings->gains;
	size_t last = steps_of(gains) * MODES - 1;

	for (size_t i = 0; i < findings->kept_count; i++) {
		struct tacho__finding *finding = findings->kept[i];
		struct tacho_finding *info = &finding->finding;
		const struct tacho__device_facts *device = finding->owner;
		uint32_t number = 0;
		uint64_t filled, idle = info->cost_ns;

		if (!is_of(finding, TACHO__RULE_IDLE_DEVICE) || !device ||
		    tacho__graph_number(&gains->graph, device->object, &gains->graph.device_count,
					&number))
			continue;
		filled = steps_of(gains)
				 ? tacho__replay_filled_ns(&gains->chain[last / TACHO__WORLDS_MAX],
							   number, last % TACHO__WORLDS_MAX)
				 : 0;
		idle = idle > filled ? idle - filled : 0;
		idle = idle < *left_ns ? idle : *left_ns;
		*left_ns -= idle;
		state(finding, 0, idle);
	}
}

/* ---- remarks ---- */

static bool is_little(const struct tacho_findings *findings, uint64_t ns)
{
	uint64_t wall = tacho__findings_wall_ns(findings);

	return ns < findings->thresholds[TACHO__REMARK_NS] &&
	       (!wall || (double)ns * 100 <
				 (double)wall * (double)findings->thresholds[TACHO__REMARK_SHARE]);
}

static bool is_remark(const struct tacho_findings *findings, const struct tacho_finding *info)
{
	switch (((const struct tacho__rule *)info->rule)->worth) {
	case TACHO__WORTH_GAIN: return info->has_gain && is_little(findings, info->gain_high_ns);
	case TACHO__WORTH_COST:
		return is_little(findings,
				 info->has_processor ? info->processor_high_ns : info->cost_ns);
	case TACHO__WORTH_LITTLE: return true;
	default: return false;
	}
}

/* What another finding explains needs no general one. */
static void drop_explained(struct tacho_findings *findings)
{
	size_t count = 0;

	for (size_t i = 0; i < findings->kept_count; i++) {
		struct tacho__finding *finding = findings->kept[i];

		if (!is_of(finding, TACHO__RULE_API_TIME) || !finding->finding.is_remark)
			findings->kept[count++] = finding;
	}
	findings->kept_count = count;
}

int tacho__gains_complete(struct tacho_findings *findings)
{
	uint64_t left_ns =
		tacho__findings_wall_ns(findings) ? tacho__findings_wall_ns(findings) : UINT64_MAX;
	int rc = tacho__graph_close(&findings->gains.graph);

	if (!rc)
		rc = replay_window(findings);
	if (rc)
		return rc;
	share(findings, &left_ns);
	share_idle(findings, &left_ns);
	for (size_t i = 0; i < findings->kept_count; i++) {
		struct tacho_finding *info = &findings->kept[i]->finding;

		info->is_remark = is_remark(findings, info);
	}
	drop_explained(findings);
	return 0;
}
