/* SPDX-License-Identifier: MIT */
/* Time that goes into making things: programs that are compiled, objects that come and go. */
#include <inttypes.h>
#include <stdio.h>

#include "analyze/rules/rules.h"
#include "tacho/error.h"
#include "tacho/sys/units.h"

/* The same kernel out of one program after another. */
struct lineage {
	uint64_t programs;
};

static uint64_t wall_ns(const struct tacho_findings *findings)
{
	const struct tacho_run *run = tacho_recording_get_run(findings->recording);

	return run->end_ns > run->start_ns ? run->end_ns - run->start_ns : 0;
}

static int take_build(struct tacho_findings *findings, const struct tacho__seen *seen)
{
	uint64_t handle = tacho__argument_handle(
		tacho__seen_argument(findings, seen, seen->function->role->handle));
	struct tacho__tracked *program = tacho__tracked_find(
		&findings->tracked, seen->call->process, TACHO__THING_PROGRAM, handle);
	struct tacho__place place = tacho__seen_place(seen);
	int rc = tacho__finding_add(findings, TACHO__RULE_BUILD_TIME, "builds of programs", &place,
				    seen->host_ns, NULL, NULL);

	if (rc || !program)
		return rc;
	if (program->builds++)
		rc = tacho__finding_add(findings, TACHO__RULE_REPEATED_BUILD,
					"builds of programs that had been built", &place,
					seen->host_ns, NULL, NULL);
	program->build_ns += seen->host_ns;
	program->build_function = place.function;
	program->build_thread = place.thread;
	program->build_index = place.index;
	program->build_start_ns = place.start_ns;
	return rc;
}

static int get_lineage(struct tacho_findings *findings, const char *key,
		       struct lineage **out_lineage)
{
	struct lineage *lineage = tacho__names_get(&findings->built, key);
	const char *kept;

	if (!lineage) {
		lineage = tacho__arena_get(&findings->arena, sizeof(*lineage));
		kept = tacho__arena_string(&findings->arena, key);
		if (!lineage || !kept || tacho__names_set(&findings->built, kept, lineage))
			return TACHO_E_NOMEM;
	}
	*out_lineage = lineage;
	return 0;
}

/* A kernel tells which programs are alike: they have a first kernel of the same name. */
static int take_kernel(struct tacho_findings *findings, const struct tacho__seen *seen)
{
	const struct tacho__function_role *role = seen->function->role;
	const char *name = tacho__seen_argument(findings, seen, role->value);
	uint64_t handle =
		tacho__argument_handle(tacho__seen_argument(findings, seen, role->memory));
	struct tacho__tracked *program = tacho__tracked_find(
		&findings->tracked, seen->call->process, TACHO__THING_PROGRAM, handle);
	struct tacho__buf *text = &findings->scratch;
	struct lineage *lineage;
	struct tacho__place place;
	int rc;

	if (!name || *name != '"' || !program || program->is_named || !program->builds)
		return 0;
	program->is_named = true;
	tacho__buf_clear(text);
	tacho__buf_printf(text, "%" PRIu32 "/%" PRIX64 "/%s", seen->call->process->index,
			  program->parent, name);
	rc = tacho__findings_check(text);
	if (!rc)
		rc = get_lineage(findings, tacho__buf_text(text), &lineage);
	if (rc || !lineage->programs++)
		return rc;
	place = (struct tacho__place){program->process, program->build_function,
				      program->build_thread, program->build_index,
				      program->build_start_ns};
	tacho__buf_clear(text);
	tacho__buf_printf(text, "programs with kernel %s", name);
	rc = tacho__findings_check(text);
	return rc ? rc
		  : tacho__finding_add(findings, TACHO__RULE_REPEATED_BUILD, tacho__buf_text(text),
				       &place, program->build_ns, NULL, NULL);
}

static int take_created(struct tacho_findings *findings, const struct tacho__seen *seen)
{
	const struct tacho__function_role *role = seen->function->role;
	struct tacho__place place = tacho__seen_place(seen);
	int rc;

	if (role->thing == TACHO__THING_EVENT)
		return 0;
	rc = tacho__finding_add(findings, TACHO__RULE_OBJECT_CHURN, seen->function->name, &place,
				seen->host_ns, NULL, NULL);
	return !rc && role->thing == TACHO__THING_KERNEL ? take_kernel(findings, seen) : rc;
}

int tacho__builds_take(struct tacho_findings *findings, const struct tacho__seen *seen)
{
	const struct tacho__function_role *role = seen->function->role;

	if (!role)
		return 0;
	if (role->act == TACHO__ACT_BUILD) /* one that failed took its time, too */
		return take_build(findings, seen);
	if (role->act == TACHO__ACT_CREATE && !seen->call->failed)
		return take_created(findings, seen);
	return 0;
}

int tacho__builds_complete(struct tacho_findings *findings)
{
	bool asked = findings->applies[TACHO__RULE_BUILD_TIME] ||
		     findings->applies[TACHO__RULE_OBJECT_CHURN];

	if (!asked || wall_ns(findings) || !findings->process_count)
		return 0;
	return tacho__findings_note(findings, "build-time and object-churn were not judged: how "
					      "long the run took is not known.");
}

bool tacho__judge_repeated_build(struct tacho_findings *findings, struct tacho__finding *finding,
				 struct tacho__buf *message)
{
	const struct tacho_finding *info = &finding->finding;
	char time[TACHO_UNITS_MAX];

	/* What is counted is each build after the first. */
	if (info->count + 1 < findings->thresholds[TACHO__REPEATED_BUILDS])
		return false;
	tacho__buf_printf(message, "%s: %" PRIu64 " build%s after the first took %s.",
			  info->subject, info->count, info->count == 1 ? "" : "s",
			  tacho_units_time(time, info->cost_ns, 3));
	return true;
}

static bool is_much(const struct tacho_findings *findings, const struct tacho_finding *finding,
		    enum tacho__threshold_id share)
{
	uint64_t wall = wall_ns(findings);

	return wall && tacho__percent(finding->cost_ns, wall) >= findings->thresholds[share];
}

bool tacho__judge_build_time(struct tacho_findings *findings, struct tacho__finding *finding,
			     struct tacho__buf *message)
{
	const struct tacho_finding *info = &finding->finding;
	char time[TACHO_UNITS_MAX], share[TACHO_UNITS_MAX];

	if (!is_much(findings, info, TACHO__BUILD_SHARE))
		return false;
	tacho__buf_printf(message, "%" PRIu64 " build%s of programs took %s, %s of the run's time.",
			  info->count, info->count == 1 ? "" : "s",
			  tacho_units_time(time, info->cost_ns, 3),
			  tacho_units_share(share, info->cost_ns, wall_ns(findings)));
	return true;
}

bool tacho__judge_churn(struct tacho_findings *findings, struct tacho__finding *finding,
			struct tacho__buf *message)
{
	const struct tacho_finding *info = &finding->finding;
	char time[TACHO_UNITS_MAX], share[TACHO_UNITS_MAX];

	if (info->count < findings->thresholds[TACHO__CHURN_COUNT] ||
	    !is_much(findings, info, TACHO__CHURN_SHARE))
		return false;
	tacho__buf_printf(message, "%s was called %" PRIu64 " times for %s, %s of the run's time.",
			  info->subject, info->count, tacho_units_time(time, info->cost_ns, 3),
			  tacho_units_share(share, info->cost_ns, wall_ns(findings)));
	return true;
}
