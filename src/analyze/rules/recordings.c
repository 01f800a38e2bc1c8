/* SPDX-License-Identifier: MIT */
/*
 * What is recorded to be submitted later: settings that hold already, barriers that nothing needs,
 * the same recorded anew. All of it is told only where the arguments of the calls prove it.
 */
#include <inttypes.h>
#include <string.h>

#include "analyze/rules/rules.h"
#include "tacho/error.h"
#include "tacho/sys/units.h"

enum { RECORDED_MAX = 1 << 14, SETTINGS_MAX = 24, PARTS_MAX = 16, ARGUMENTS_MAX = 16 };

static const uint64_t hash_of_nothing = UINT64_C(14695981039346656037);

/* Something that was set and holds. */
struct setting {
	const struct tacho__function_role *role;  /* NULL: none */
	uint64_t place, second_place, frame, all; /* of its arguments */
	bool is_wide;				  /* it reaches into the second places behind it */
};

/* Commands between two barriers: what they touch. */
struct work {
	bool is_known; /* all of it */
	size_t count;
	struct {
		uint64_t handle;
		bool is_written;
	} parts[PARTS_MAX];
};

struct tacho__recorded {
	struct setting settings[SETTINGS_MAX];
	struct work before, behind;  /* the last barrier */
	struct tacho__place barrier; /* no function: there is none that could be left out */
	/* Of all commands since it began, and of what was recorded into it before that. */
	uint64_t hash, count, host_ns, last_hash, last_changes;
	struct tacho__place place;
	bool is_whole; /* the arguments tell all of them */
};

static uint64_t mix(uint64_t hash, const char *text)
{
	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * UINT64_C(1099511628211);
	return (hash ^ ',') * UINT64_C(1099511628211);
}

static uint64_t hash_argument(struct tacho_findings *findings, const struct tacho__seen *seen,
			      int position)
{
	const char *text = position ? tacho__seen_argument(findings, seen, position) : NULL;

	return text ? mix(hash_of_nothing, text) : 0;
}

/* Of all arguments behind the first. False where a list is longer than what was kept of it. */
static bool hash_arguments(struct tacho_findings *findings, const struct tacho__seen *seen,
			   uint64_t *out_hash)
{
	bool is_whole = true;
	const char *text;

	*out_hash = hash_of_nothing;
	for (int i = 2; i < ARGUMENTS_MAX && (text = tacho__seen_argument(findings, seen, i));
	     i++) {
		is_whole &= !strstr(text, "...");
		*out_hash = mix(*out_hash, text);
	}
	return is_whole;
}

static bool is_zero(struct tacho_findings *findings, const struct tacho__seen *seen, int position)
{
	const char *text = position ? tacho__seen_argument(findings, seen, position) : "0";

	return text && !strcmp(text, "0");
}

/* NULL: none is known, and only a beginning makes one. */
static int get_recorded(struct tacho_findings *findings, const struct tacho__seen *seen,
			struct tacho__recorded **out_recorded)
{
	struct tacho__map *recordings = &seen->process->recordings;
	const struct tacho__function_role *role = seen->function->role;
	uint64_t handle = tacho__seen_handle(findings, seen, 1);
	struct tacho__recorded *recorded = tacho__map_get(recordings, handle);

	if (!recorded && role && role->act == TACHO__ACT_BEGIN &&
	    recordings->count < RECORDED_MAX) {
		recorded = tacho__arena_get(&findings->arena, sizeof(*recorded));
		if (!recorded || tacho__map_set(recordings, handle, recorded))
			return TACHO_E_NOMEM;
	}
	*out_recorded = recorded;
	return 0;
}

/* ---- settings ---- */

static bool is_beside(const struct setting *one, const struct setting *other)
{
	return one->role == other->role && one->place == other->place;
}

/* What another setting makes fall: those of another frame, and what it may reach. */
static void drop_beside(struct tacho__recorded *recorded, const struct setting *made)
{
	for (size_t i = 0; i < SETTINGS_MAX; i++) {
		struct setting *one = &recorded->settings[i];

		if (one->role && is_beside(one, made) &&
		    (one->frame != made->frame || one->is_wide || made->is_wide))
			one->role = NULL;
	}
}

static void drop_falling(struct tacho__recorded *recorded)
{
	for (size_t i = 0; i < SETTINGS_MAX; i++)
		if (recorded->settings[i].role && recorded->settings[i].role->falls)
			recorded->settings[i].role = NULL;
}

static struct setting *find_setting(struct tacho__recorded *recorded, const struct setting *made)
{
	for (size_t i = 0; i < SETTINGS_MAX; i++) {
		struct setting *one = &recorded->settings[i];

		if (one->role && is_beside(one, made) && one->second_place == made->second_place)
			return one;
	}
	return NULL;
}

static void keep_setting(struct tacho__recorded *recorded, const struct setting *made)
{
	struct setting *place = find_setting(recorded, made);

	for (size_t i = 0; !place && i < SETTINGS_MAX; i++)
		if (!recorded->settings[i].role)
			place = &recorded->settings[i];
	if (place)
		*place = *made;
}

static int take_set(struct tacho_findings *findings, const struct tacho__seen *seen,
		    struct tacho__recorded *recorded)
{
	const struct tacho__function_role *role = seen->function->role;
	struct tacho__place place = tacho__seen_place(seen);
	struct setting made = {.role = role,
			       .place = hash_argument(findings, seen, role->place),
			       .second_place = hash_argument(findings, seen, role->second_place),
			       .frame = hash_argument(findings, seen, role->frame)};
	bool is_whole =
		hash_arguments(findings, seen, &made.all) && is_zero(findings, seen, role->none);
	const struct setting *known = find_setting(recorded, &made);
	const char *count = tacho__seen_argument(findings, seen, role->count);
	struct tacho__finding *finding = NULL;
	int rc;

	made.is_wide = count && strcmp(count, "1") != 0;
	recorded->is_whole &= is_whole;
	if (is_whole && known && known->all == made.all) {
		rc = tacho__finding_add(findings, TACHO__RULE_REDUNDANT_BIND, seen->function->name,
					&place, seen->host_ns, NULL, &finding);
		tacho__gain_mark(findings, finding, TACHO__MARK_CALL, seen->host_ns);
		return rc;
	}
	if (role->thing)
		drop_falling(recorded);
	drop_beside(recorded, &made);
	made.role = is_whole ? role : NULL;
	if (is_whole)
		keep_setting(recorded, &made);
	else if ((known = find_setting(recorded,
				       &(struct setting){.role = role,
							 .place = made.place,
							 .second_place = made.second_place})))
		recorded->settings[known - recorded->settings].role = NULL;
	return 0;
}

/* ---- barriers ---- */

static void add_part(struct work *work, uint64_t handle, bool is_written)
{
	if (!handle || work->count == PARTS_MAX) {
		work->is_known = false;
		return;
	}
	work->parts[work->count].handle = handle;
	work->parts[work->count++].is_written = is_written;
}

static void take_work(struct tacho_findings *findings, const struct tacho__seen *seen,
		      struct tacho__recorded *recorded)
{
	const struct tacho__function_role *role = seen->function->role;

	recorded->is_whole &= role->is_whole;
	add_part(&recorded->behind, tacho__seen_handle(findings, seen, role->memory), true);
	if (role->read)
		add_part(&recorded->behind, tacho__seen_handle(findings, seen, role->read), false);
}

/* Two buffers may share memory, which is not recorded: this is about the same ones. */
static bool depend(const struct work *one, const struct work *other)
{
	for (size_t i = 0; i < one->count; i++)
		for (size_t k = 0; k < other->count; k++)
			if (one->parts[i].handle == other->parts[k].handle &&
			    (one->parts[i].is_written || other->parts[k].is_written))
				return true;
	return false;
}

static bool has_any(const char *text, const char *const *flags)
{
	for (; *flags; flags++)
		if (tacho__argument_has_flag(text, *flags, 0))
			return true;
	return false;
}

/* For all that is before it, before all that is behind it, and for nothing in particular. */
static bool is_full(struct tacho_findings *findings, const struct tacho__seen *seen)
{
	const struct tacho__function_role *role = seen->function->role;
	const struct tacho__api_roles *api = seen->function->api;

	return is_zero(findings, seen, role->narrow[0]) &&
	       is_zero(findings, seen, role->narrow[1]) &&
	       has_any(tacho__seen_argument(findings, seen, role->flags), api->after_all) &&
	       has_any(tacho__seen_argument(findings, seen, role->to), api->before_all);
}

static int tell_barrier(struct tacho_findings *findings, const struct tacho__place *place,
			const char *why)
{
	return tacho__finding_add(findings, TACHO__RULE_DRAINING_BARRIER, place->function, place, 0,
				  why, NULL);
}

static void mix_barrier(struct tacho_findings *findings, const struct tacho__seen *seen,
			struct tacho__recorded *recorded)
{
	const struct tacho__function_role *role = seen->function->role;

	recorded->hash = mix(recorded->hash, seen->function->name);
	recorded->hash ^= hash_argument(findings, seen, role->flags) * 3;
	recorded->hash ^= hash_argument(findings, seen, role->to) * 5;
}

static int take_barrier(struct tacho_findings *findings, const struct tacho__seen *seen,
			struct tacho__recorded *recorded)
{
	struct tacho__place place = tacho__seen_place(seen);
	bool was_full = recorded->barrier.function;
	struct work *before = &recorded->before, *behind = &recorded->behind;
	int rc = 0;

	mix_barrier(findings, seen, recorded);
	if (!is_full(findings, seen)) {
		recorded->is_whole &= is_zero(findings, seen, seen->function->role->narrow[0]) &&
				      is_zero(findings, seen, seen->function->role->narrow[1]);
		behind->is_known = false;
		return 0;
	}
	if (was_full && behind->is_known && !behind->count)
		return tell_barrier(findings, &place, "no command since the barrier before it");
	if (was_full && before->is_known && behind->is_known && before->count &&
	    !depend(before, behind))
		rc = tell_barrier(findings, &recorded->barrier,
				  "the commands on both sides use different memory");
	*before = *behind;
	*behind = (struct work){.is_known = true};
	recorded->barrier = place;
	return rc;
}

/* ---- recordings ---- */

static void begin(const struct tacho__seen *seen, struct tacho__recorded *recorded)
{
	uint64_t last_hash = recorded->last_hash, last_changes = recorded->last_changes;

	/* What runs before it is in other recordings. */
	*recorded = (struct tacho__recorded){.hash = hash_of_nothing,
					     .last_hash = last_hash,
					     .last_changes = last_changes,
					     .place = tacho__seen_place(seen),
					     .is_whole = true};
}

static int end(struct tacho_findings *findings, const struct tacho__seen *seen,
	       struct tacho__recorded *recorded)
{
	bool is_same = recorded->is_whole && recorded->count &&
		       recorded->hash == recorded->last_hash &&
		       seen->process->changes == recorded->last_changes;
	struct tacho__finding *finding = NULL;
	int rc = 0;

	if (is_same)
		rc = tacho__finding_add(findings, TACHO__RULE_REPEATED_RECORDING,
					recorded->place.function, &recorded->place,
					recorded->host_ns, NULL, &finding);
	if (!rc && finding) {
		finding->sums[0] += recorded->count;
		rc = tacho__gain_spend(findings, seen->call->process, seen->call->thread, finding,
				       NULL, recorded->host_ns);
	}
	recorded->last_hash = recorded->is_whole ? recorded->hash : 0;
	recorded->last_changes = seen->process->changes;
	return rc;
}

/* All but barriers, whose arguments point to more. */
static void mix_command(struct tacho_findings *findings, const struct tacho__seen *seen,
			struct tacho__recorded *recorded)
{
	uint64_t arguments;

	recorded->count++;
	recorded->is_whole &= hash_arguments(findings, seen, &arguments);
	recorded->hash = mix(recorded->hash, seen->function->name) ^ arguments;
}

static int take_command(struct tacho_findings *findings, const struct tacho__seen *seen,
			struct tacho__recorded *recorded)
{
	const struct tacho__function_role *role = seen->function->role;

	recorded->host_ns += seen->host_ns;
	if (role && role->act == TACHO__ACT_BARRIER)
		return take_barrier(findings, seen, recorded);
	if (!role) {
		recorded->is_whole = recorded->behind.is_known = false;
		return 0;
	}
	if (recorded->is_whole)
		mix_command(findings, seen, recorded);
	switch (role->act) {
	case TACHO__ACT_SET: return take_set(findings, seen, recorded);
	case TACHO__ACT_WORK: take_work(findings, seen, recorded); return 0;
	default:
		recorded->is_whole = recorded->behind.is_known = false;
		memset(recorded->settings, 0, sizeof(recorded->settings));
		return 0;
	}
}

/* Handles that are used again, and what they refer to, may make the same calls mean another. */
static bool does_change(const struct tacho__function_role *role)
{
	return role->act == TACHO__ACT_UPDATE ||
	       (role->act == TACHO__ACT_RELEASE && role->thing != TACHO__THING_EVENT);
}

int tacho__recordings_take(struct tacho_findings *findings, const struct tacho__seen *seen)
{
	const struct tacho__function_role *role = seen->function->role;
	enum tacho__act act = role ? role->act : TACHO__ACT_WORK;
	struct tacho__recorded *recorded = NULL;
	int rc;

	if (role && does_change(role))
		seen->process->changes++;
	if (!seen->function->records &&
	    (!role || (act != TACHO__ACT_BEGIN && act != TACHO__ACT_END)))
		return 0;
	rc = get_recorded(findings, seen, &recorded);
	if (rc || !recorded)
		return rc;
	if (act == TACHO__ACT_BEGIN)
		begin(seen, recorded);
	else if (act != TACHO__ACT_END)
		return take_command(findings, seen, recorded);
	recorded->host_ns += seen->host_ns;
	return act == TACHO__ACT_END ? end(findings, seen, recorded) : 0;
}

/* ---- judgement ---- */

bool tacho__judge_redundant_bind(struct tacho_findings *findings, struct tacho__finding *finding,
				 struct tacho__buf *message)
{
	const struct tacho_finding *info = &finding->finding;
	char time[TACHO_UNITS_MAX];

	if (info->count < findings->thresholds[TACHO__BIND_COUNT])
		return false;
	tacho__buf_printf(message,
			  "%" PRIu64 " calls of %s set what was set already in their command "
			  "buffer: recording them took %s.",
			  info->count, info->subject, tacho_units_time(time, info->cost_ns, 3));
	return true;
}

bool tacho__judge_barrier(struct tacho_findings *findings, struct tacho__finding *finding,
			  struct tacho__buf *message)
{
	const struct tacho_finding *info = &finding->finding;

	if (info->count < findings->thresholds[TACHO__BARRIER_COUNT])
		return false;
	tacho__buf_printf(message,
			  "%" PRIu64 " barriers recorded by %s hold up all commands behind them "
			  "until all before them have ended, though none of both depends on the "
			  "other.",
			  info->count, info->subject);
	return true;
}

bool tacho__judge_repeated_recording(struct tacho_findings *findings,
				     struct tacho__finding *finding, struct tacho__buf *message)
{
	const struct tacho_finding *info = &finding->finding;
	char time[TACHO_UNITS_MAX];

	if (info->count < findings->thresholds[TACHO__RECORDING_COUNT])
		return false;
	tacho__buf_printf(message,
			  "Command buffers were recorded %" PRIu64 " times with the %" PRIu64
			  " commands, on average, that they held before: it took %s.",
			  info->count, finding->sums[0] / info->count,
			  tacho_units_time(time, info->cost_ns, 3));
	return true;
}
