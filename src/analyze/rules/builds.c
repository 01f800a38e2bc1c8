/* SPDX-License-Identifier: MIT */
/* Time that goes into making things: programs that are compiled, objects that come and go. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "analyze/rules/rules.h"
#include "tacho/error.h"
#include "tacho/sys/units.h"

/* The same kernel out of one program after another. */
struct lineage {
	uint64_t programs;
};

/* Its time is a part of what builds take; *out_finding is NULL when that rule is off. */
static int add_build(struct tacho_findings *findings, const struct tacho__seen *seen,
		     struct tacho__finding **out_finding)
{
	struct tacho__place place = tacho__seen_place(seen);

	seen->function->build_ns += seen->host_ns;
	findings->gains.is_build = true;
	return tacho__finding_add(findings, TACHO__RULE_BUILD_TIME, "builds of programs", &place,
				  seen->host_ns, NULL, out_finding);
}

/* Whoever asks for a program's code may have it compiled only then. */
static int take_retrieval(struct tacho_findings *findings, const struct tacho__seen *seen)
{
	const char *query = tacho__seen_argument(findings, seen, seen->function->role->query);
	const char *const *code = seen->function->api->code_queries;
	struct tacho__finding *finding = NULL;
	int rc = 0;

	while (query && *code && strcmp(*code, query) != 0)
		code++;
	if (!query || !*code)
		return 0;
	rc = add_build(findings, seen, &finding);
	tacho__gain_mark(findings, finding, TACHO__MARK_CALL, seen->host_ns);
	return rc;
}

/* The device could have work already. */
static int take_late(struct tacho_findings *findings, const struct tacho__seen *seen)
{
	const struct tacho__function_role *role = seen->function->role;
	struct tacho__place place = tacho__seen_place(seen);
	struct tacho__finding *finding = NULL;
	bool is_kept = tacho__seen_handle(findings, seen, role->cache);
	int rc = tacho__finding_add(findings, TACHO__RULE_LATE_BUILD, seen->function->name, &place,
				    seen->host_ns, is_kept ? NULL : "without a cache", &finding);

	if (rc || !finding)
		return rc;
	finding->sums[0] += !is_kept;
	tacho__late_frames_add(&findings->late_frames, finding, seen->call);
	tacho__gain_mark(findings, finding, TACHO__MARK_CALL, seen->host_ns);
	return 0;
}

static int take_build(struct tacho_findings *findings, const struct tacho__seen *seen)
{
	struct tacho__finding *time = NULL, *again = NULL;
	uint64_t handle = tacho__seen_handle(findings, seen, seen->function->role->handle);
	struct tacho__tracked *program = tacho__tracked_find(
		&findings->tracked, seen->call->process, TACHO__THING_PROGRAM, handle);
	struct tacho__place place = tacho__seen_place(seen);
	int rc = add_build(findings, seen, &time);

	if (!rc && seen->process->has_submitted && seen->function->role->cache)
		rc = take_late(findings, seen);
	if (rc || !program) {
		tacho__gain_mark(findings, time, TACHO__MARK_CALL, seen->host_ns);
		return rc;
	}
	if (program->builds++) {
		rc = tacho__finding_add(findings, TACHO__RULE_REPEATED_BUILD,
					"builds of programs that had been built", &place,
					seen->host_ns, NULL, &again);
		tacho__gain_mark(findings, again, TACHO__MARK_CALL, seen->host_ns);
		tacho__gain_mark(findings, time, TACHO__MARK_CALL, seen->host_ns);
	} else {
		/* Whether there was one like it is known when its first kernel has a name. */
		program->unmarked_ns = seen->host_ns;
	}
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

/* What the first build took is explained by builds, and by that there was one before. */
static int mark_build(struct tacho_findings *findings, struct tacho__tracked *program,
		      struct tacho__finding *again)
{
	struct tacho__finding *time = NULL;
	uint64_t ns = program->unmarked_ns;
	int rc = tacho__finding_get(findings, TACHO__RULE_BUILD_TIME, "builds of programs", &time);

	program->unmarked_ns = 0;
	return rc ? rc
		  : tacho__gain_spend(findings, program->process, program->build_thread, again,
				      time, ns);
}

int tacho__builds_forget(struct tacho_findings *findings, struct tacho__tracked *program)
{
	return program->unmarked_ns ? mark_build(findings, program, NULL) : 0;
}

/* A kernel tells which programs are alike: they have a first kernel of the same name. */
static int take_kernel(struct tacho_findings *findings, const struct tacho__seen *seen)
{
	const struct tacho__function_role *role = seen->function->role;
	const char *name = tacho__seen_argument(findings, seen, role->value);
	uint64_t handle = tacho__seen_handle(findings, seen, role->memory);
	struct tacho__tracked *program = tacho__tracked_find(
		&findings->tracked, seen->call->process, TACHO__THING_PROGRAM, handle);
	struct tacho__buf *text = &findings->scratch;
	struct tacho__finding *again = NULL;
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
		return rc ? rc : mark_build(findings, program, NULL);
	place = (struct tacho__place){program->process, program->build_function,
				      program->build_thread, program->build_index,
				      program->build_start_ns};
	tacho__buf_clear(text);
	tacho__buf_printf(text, "programs with kernel %s", name);
	rc = tacho__findings_check(text);
	if (!rc)
		rc = tacho__finding_add(findings, TACHO__RULE_REPEATED_BUILD, tacho__buf_text(text),
					&place, program->build_ns, NULL, &again);
	return rc ? rc : mark_build(findings, program, again);
}

static int take_created(struct tacho_findings *findings, const struct tacho__seen *seen)
{
	const struct tacho__function_role *role = seen->function->role;
	struct tacho__function_facts *function = seen->function;
	struct tacho__place place = tacho__seen_place(seen);
	int rc = 0;

	if (role->thing == TACHO__THING_EVENT)
		return 0;
	/* One that was released before this was made could have been used again. */
	if (function->released > function->made_again) {
		function->made_again++;
		rc = tacho__finding_add(findings, TACHO__RULE_OBJECT_CHURN, function->name, &place,
					seen->host_ns, NULL, &function->churn);
		tacho__gain_mark(findings, function->churn, TACHO__MARK_CALL, seen->host_ns);
	}
	return !rc && role->thing == TACHO__THING_KERNEL ? take_kernel(findings, seen) : rc;
}

int tacho__builds_take(struct tacho_findings *findings, const struct tacho__seen *seen)
{
	const struct tacho__function_role *role = seen->function->role;

	if (!role)
		return 0;
	if (role->act == TACHO__ACT_BUILD) /* one that failed took its time, too */
		return take_build(findings, seen);
	if (role->act == TACHO__ACT_RETRIEVE)
		return take_retrieval(findings, seen);
	if (role->act == TACHO__ACT_CREATE && !seen->call->failed)
		return take_created(findings, seen);
	return 0;
}

int tacho__builds_complete(struct tacho_findings *findings)
{
	bool asked = findings->applies[TACHO__RULE_BUILD_TIME] ||
		     findings->applies[TACHO__RULE_API_TIME];
	int rc = 0;

	for (size_t i = 0; i < findings->tracked.capacity && !rc; i++)
		if (findings->tracked.entries[i].refs)
			rc = tacho__builds_forget(findings, &findings->tracked.entries[i]);
	if (rc || !asked || tacho__findings_wall_ns(findings) || !findings->process_count)
		return rc;
	return tacho__findings_note(findings, "build-time and api-time were not judged: how long "
					      "the run took is not known.");
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

bool tacho__judge_late_build(struct tacho_findings *findings, struct tacho__finding *finding,
			     struct tacho__buf *message)
{
	const struct tacho_finding *info = &finding->finding;
	char time[TACHO_UNITS_MAX];

	tacho__buf_printf(message,
			  "%s was called %" PRIu64 " time%s after work had been submitted, which "
			  "took %s",
			  info->subject, info->count, info->count == 1 ? "" : "s",
			  tacho_units_time(time, info->cost_ns, 3));
	if (finding->sums[0] == info->count)
		tacho__buf_put(message, ", without a cache");
	else if (finding->sums[0])
		tacho__buf_printf(message, ", %" PRIu64 " times without a cache", finding->sums[0]);
	tacho__late_frames_tell(&findings->late_frames, finding, message);
	tacho__buf_put(message, ".");
	return true;
}

/* The function that took most of it. */
static const struct tacho__function_facts *find_builder(const struct tacho_findings *findings)
{
	const struct tacho__map *functions = &findings->functions;
	const struct tacho__function_facts *found = NULL;

	for (size_t i = 0; i < functions->capacity; i++) {
		const struct tacho__function_facts *one = functions->entries[i].value;

		if (one &&
		    (!found || one->build_ns > found->build_ns ||
		     (one->build_ns == found->build_ns && strcmp(one->name, found->name) < 0)))
			found = one;
	}
	return found;
}

bool tacho__judge_build_time(struct tacho_findings *findings, struct tacho__finding *finding,
			     struct tacho__buf *message)
{
	const struct tacho_finding *info = &finding->finding;
	const struct tacho__function_facts *builder = find_builder(findings);
	uint64_t wall = tacho__findings_wall_ns(findings);
	char time[2][TACHO_UNITS_MAX], share[TACHO_UNITS_MAX];

	if (!wall || tacho__percent(info->cost_ns, wall) < findings->thresholds[TACHO__BUILD_SHARE])
		return false;
	tacho__buf_printf(message,
			  "%" PRIu64 " call%s that build programs, or get their code, took %s, %s "
			  "of the run's time",
			  info->count, info->count == 1 ? "" : "s",
			  tacho_units_time(time[0], info->cost_ns, 3),
			  tacho_units_share(share, info->cost_ns, wall));
	if (builder && builder->build_ns)
		tacho__buf_printf(message, ": %s took %s.", builder->name,
				  tacho_units_time(time[1], builder->build_ns, 3));
	return true;
}

bool tacho__judge_churn(struct tacho_findings *findings, struct tacho__finding *finding,
			struct tacho__buf *message)
{
	const struct tacho_finding *info = &finding->finding;
	char time[TACHO_UNITS_MAX];

	if (info->count < findings->thresholds[TACHO__CHURN_COUNT])
		return false;
	tacho__buf_printf(message,
			  "%s made %" PRIu64 " objects after it had made others that were "
			  "released by then: making and releasing them took %s.",
			  info->subject, info->count, tacho_units_time(time, info->cost_ns, 3));
	return true;
}
