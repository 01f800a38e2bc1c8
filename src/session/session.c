/* SPDX-License-Identifier: MIT */
/* Making a session, waiting for it, ending it. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/options.h"
#include "session/session.h"

static const char *const replay_names[] = {
	[TACHO_REPLAY_CALLER] = "caller", [TACHO_REPLAY_PROCESS] = "process",
	[TACHO_REPLAY_NONE] = "none",	  [TACHO_REPLAY_KERNEL] = "kernel",
	[TACHO_REPLAY_ROTATE] = "rotate", [TACHO_REPLAY_VENDOR] = "vendor",
};

const char *tacho_replay_to_string(uint32_t replay)
{
	return replay < TACHO__ARRAY_SIZE(replay_names) ? replay_names[replay] : "unknown";
}

int tacho_replay_parse(const char *text, uint32_t *out_replay)
{
	if (!text || !out_replay)
		return tacho__fail_null(__func__);
	for (uint32_t i = 0; i < TACHO__ARRAY_SIZE(replay_names); i++)
		if (strcmp(replay_names[i], text) == 0) {
			*out_replay = i;
			return 0;
		}
	return tacho__fail(TACHO_E_NOTFOUND, "",
			   "caller, process, none, kernel, rotate and vendor are known",
			   "there is no replay \"%s\"", text);
}

static int fail_replay(const struct tacho_session *session)
{
	struct tacho__buf known = {0};
	int rc;

	for (uint32_t i = 0; i < TACHO__ARRAY_SIZE(replay_names); i++)
		if (session->device->traits.replays >> i & 1)
			tacho__buf_printf(&known, "%s%s",
					  known.size ? ", " : "it can do: ", replay_names[i]);
	rc = tacho__fail(TACHO_E_UNSUPPORTED, tacho__buf_text(&known),
			 "choose another replay, or fewer counters so that one pass will do",
			 "%s cannot replay work by \"%s\"", session->device->info->name,
			 replay_names[session->options.replay]);
	tacho__buf_finish(&known);
	return rc;
}

static int fail_passes(const struct tacho_session *session, const char *why)
{
	return tacho__fail(TACHO_E_PASSES,
			   tacho__detail("the plan has %zu passes", session->pass_count),
			   "ask for fewer counters, or choose another replay", "%s", why);
}

/* What can be known before anything is opened. */
static int check_options(const struct tacho_session *session, size_t run_count)
{
	const struct tacho_session_options *options = &session->options;

	if (options->replay > TACHO_REPLAY_VENDOR || options->replay == TACHO_REPLAY_KERNEL)
		return tacho__fail(TACHO_E_INVAL, tacho__detail("it is %u", options->replay),
				   "use one of enum tacho_replay; CALLER for KERNEL",
				   "a session has no such replay");
	if (!session->pass_count)
		return tacho__fail(TACHO_E_INVAL, "its entries are constants of the device",
				   "add a counter or a metric", "the plan has no pass");
	if (tacho_config_get_arch(session->config) != session->device->traits.arch)
		return tacho__fail(
			TACHO_E_INVAL,
			tacho__detail("it is for %s", tacho_config_get_arch(session->config)->name),
			"plan with tacho_device_plan()", "the plan does not fit %s",
			session->device->info->name);
	if (options->keeps_rows && options->replay != TACHO_REPLAY_ROTATE)
		return tacho__fail(TACHO_E_INVAL,
				   tacho__detail("the replay is %s", replay_names[options->replay]),
				   "use rotate", "rows of this session cannot go on");
	if (options->accumulates && options->replay == TACHO_REPLAY_ROTATE)
		return tacho__fail(TACHO_E_INVAL, "repetitions of a range are one row with it",
				   "leave `accumulates` out",
				   "ranges of a session that rotates cannot accumulate");
	if (run_count > 1 && options->replay == TACHO_REPLAY_NONE)
		return fail_passes(session, "work that runs once cannot be measured in several");
	if (options->replay == TACHO_REPLAY_PROCESS && options->only_pass >= run_count)
		return tacho__fail(TACHO_E_INVAL, tacho__detail("it has %zu", run_count),
				   "count from 0", "the plan has no run %u", options->only_pass);
	if (options->window_ns && !session->device->traits.has_windows)
		return tacho__fail(TACHO_E_UNSUPPORTED, "it counts ranges or launches only",
				   "leave the windows out", "%s has no windows of time",
				   session->device->info->name);
	if (options->window_ns && session->pass_count > 1 &&
	    options->replay != TACHO_REPLAY_VENDOR && options->replay != TACHO_REPLAY_PROCESS)
		return fail_passes(session, "windows of time do not come again for another pass");
	if (!(session->device->traits.replays >> options->replay & 1) &&
	    (run_count > 1 || options->replay == TACHO_REPLAY_VENDOR))
		return fail_replay(session);
	return 0;
}

/* The levels of ranges that the plan was told of: all passes but pipelined ones run once for each.
 */
static uint32_t find_depth(const struct tacho_session *session, size_t run_count)
{
	size_t pipelined = 0, others;

	for (size_t i = 0; i < session->pass_count; i++)
		pipelined += tacho_plan_get_pass(session->plan, i)->mode == TACHO_MODE_PIPELINED;
	others = session->pass_count - pipelined;
	return others && run_count > session->pass_count
		       ? (uint32_t)((run_count - pipelined) / others)
		       : 1;
}

static int set_kind(struct tacho_session *session, size_t run_count)
{
	const struct tacho_session_options *options = &session->options;
	int rc;

	session->is_rotating = options->replay == TACHO_REPLAY_ROTATE;
	session->is_automatic = session->is_rotating || options->replay == TACHO_REPLAY_VENDOR ||
				options->window_ns;
	rc = tacho__session_make_passes(session, find_depth(session, run_count));
	session->is_single = session->is_automatic || options->replay == TACHO_REPLAY_PROCESS ||
			     (session->pass_count == 1 && !rc &&
			      (!session->passes[0].levels || options->replay == TACHO_REPLAY_NONE));
	session->is_compared = options->same_ranges && !session->is_single;
	return rc;
}

static int make_stores(struct tacho_session *session)
{
	size_t counters = 0;
	int rc = 0;

	session->stores =
		tacho__arena_get(&session->arena, session->pass_count * sizeof(*session->stores));
	if (!session->stores)
		return TACHO_E_NOMEM;
	for (uint32_t i = 0; i < session->pass_count && !rc; i++) {
		rc = tacho__store_init(session, i);
		counters += session->stores[i].raw_count;
	}
	session->collection_options.keeps = tacho__arena_get(&session->arena, counters + 1);
	return session->collection_options.keeps ? rc : TACHO_E_NOMEM;
}

/* The backend learns which instances are wanted in one array over all passes. */
static void set_keeps(struct tacho_session *session)
{
	uint8_t *keeps = (uint8_t *)session->collection_options.keeps;

	for (size_t i = 0; i < session->pass_count; i++)
		for (size_t k = 0; k < session->stores[i].raw_count; k++)
			*keeps++ = !session->stores[i].raws[k].reduces;
}

static int begin(struct tacho_session *session)
{
	const struct tacho__backend *backend = session->device->backend;
	const uint8_t *keeps = session->collection_options.keeps;
	int rc = tacho__device_check_plan(session->device, session->plan);

	if (rc)
		return rc;
	session->sink = (struct tacho__sink){
		.user = session,
		.deliver = tacho__session_deliver,
		.fail = tacho__session_on_fail,
		.find_key = tacho__session_find_key,
	};
	session->collection_options = (struct tacho__collection_options){
		.plan = session->plan,
		.keeps = keeps,
		.replay = session->options.replay,
		.window_ns = session->options.window_ns,
		.pid = session->options.pid,
		.from_exec = session->options.from_exec,
		.wants_thread = session->options.wants_thread,
		.user = session->options.user,
		.sink = &session->sink,
	};
	rc = backend->begin(session->device, &session->collection_options, &session->collection);
	if (rc || !session->is_automatic)
		return rc;
	tacho__session_choose_pass(session, &session->pass);
	tacho__session_set_pass(session, session->pass);
	session->is_open = 1; /* before the device is told: rows may come at once */
	rc = backend->begin_pass(session->collection, session->pass);
	if (rc)
		session->is_open = 0;
	return rc;
}

static int prepare(struct tacho_session *session)
{
	struct tacho_plan_summary summary;
	int rc;

	tacho_plan_get_summary(session->plan, &summary);
	while (tacho_plan_get_pass(session->plan, session->pass_count))
		session->pass_count++;
	rc = check_options(session, summary.run_count > session->pass_count ? summary.run_count
									    : session->pass_count);
	if (rc)
		return rc;
	session->no_row = tacho__session_make_row(session);
	rc = session->no_row ? set_kind(session, summary.run_count) : TACHO_E_NOMEM;
	if (!rc)
		rc = make_stores(session);
	if (!rc)
		rc = tacho__session_compile(session);
	if (!rc)
		set_keeps(session);
	return rc ? rc : begin(session);
}

int tacho_session_create(struct tacho_device *device, const struct tacho_plan *plan,
			 const struct tacho_session_options *options,
			 struct tacho_session **out_session)
{
	struct tacho_session_options own;
	struct tacho_session *session;
	int rc;

	if (!device || !plan || !out_session)
		return tacho__fail_null(__func__);
	rc = tacho__options_take(&own, sizeof(own), options, "tacho_session_options");
	if (rc)
		return rc;
	session = calloc(1, sizeof(*session));
	if (!session)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a session");
	session->options = own;
	pthread_mutex_init(&session->lock, NULL);
	pthread_cond_init(&session->switched, NULL);
	session->device = device;
	session->plan = plan;
	session->config = tacho_plan_get_config(plan);
	session->last_link = &session->first_row;
	rc = prepare(session);
	if (rc)
		tacho_session_destroy(session);
	else
		*out_session = session;
	return rc;
}

/* The nodes themselves are in the arena. */
static void drop_nodes(struct tacho_session *session)
{
	for (size_t i = 0; i < session->series_count; i++)
		tacho__series_finish(session->series[i]);
	free(session->series);
	for (size_t i = 0; i < session->nodes.capacity; i++) {
		struct tacho__series *node = session->nodes.entries[i].value;

		for (; node; node = node->next)
			tacho__series_finish(node);
	}
	tacho__map_finish(&session->nodes);
}

static void drop_rows(struct tacho_session *session)
{
	while (session->first_row) {
		struct tacho__row *row = session->first_row;

		session->first_row = row->next;
		free(row->own_name);
	}
	drop_nodes(session);
	for (size_t i = 0; session->stores && i < session->pass_count; i++)
		tacho__store_finish(&session->stores[i]);
}

static void drop_stacks(struct tacho_session *session)
{
	for (size_t i = 0; i < session->stacks.capacity; i++) {
		struct tacho__stack *stack = session->stacks.entries[i].value;

		if (stack)
			free(stack->ranges);
	}
	tacho__map_finish(&session->stacks);
}

void tacho_session_destroy(struct tacho_session *session)
{
	if (!session)
		return;
	if (session->collection) {
		tacho__session_end_ranges(session);
		if (session->is_open)
			session->device->backend->end_pass(session->collection);
		session->device->backend->end(session->collection);
	}
	tacho__session_drop_formulas(session);
	drop_rows(session);
	drop_stacks(session);
	free(session->ranges);
	free(session->seen);
	tacho__sequence_finish(&session->sequence);
	tacho__arena_finish(&session->arena);
	pthread_cond_destroy(&session->switched);
	pthread_mutex_destroy(&session->lock);
	free(session);
}

static size_t count_ready(const struct tacho_session *session)
{
	size_t count = 0;

	for (const struct tacho__row *row = session->first_row; row; row = row->next)
		count += (size_t)tacho__row_is_complete(session, row);
	return count;
}

int tacho_session_drain(struct tacho_session *session, uint64_t timeout_ns, size_t *out_ready)
{
	uint64_t end_serial;
	int rc;

	if (!session)
		return tacho__fail_null(__func__);
	pthread_mutex_lock(&session->lock);
	end_serial = session->end_serial;
	pthread_mutex_unlock(&session->lock);
	rc = session->device->backend->drain
		     ? session->device->backend->drain(session->collection, timeout_ns)
		     : 0;
	pthread_mutex_lock(&session->lock);
	if (!rc || session->failed)
		tacho__session_give_up(session, session->failed ? UINT64_MAX : end_serial);
	if (session->failed)
		rc = tacho__session_fail_again(session, "nothing more can come");
	if (out_ready)
		*out_ready = count_ready(session);
	pthread_mutex_unlock(&session->lock);
	return rc;
}

uint64_t tacho_session_get_seen(const struct tacho_session *session, size_t row)
{
	return session && row < session->seen_count ? session->seen[row] : 0;
}

uint64_t tacho_session_get_lost_rows(struct tacho_session *session)
{
	uint64_t count;

	if (!session)
		return 0;
	pthread_mutex_lock(&session->lock);
	count = session->lost_rows + session->beyond_most;
	pthread_mutex_unlock(&session->lock);
	return count;
}
