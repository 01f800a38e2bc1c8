/* SPDX-License-Identifier: MIT */
/* Passes: one open at a time, begun and ended without the lock held. */
#include <stdio.h>

#include "base/error.h"
#include "session/session.h"

void tacho__session_await_switch(struct tacho_session *session)
{
	while (session->is_switching)
		pthread_cond_wait(&session->switched, &session->lock);
}

static void end_switch(struct tacho_session *session)
{
	session->is_switching = 0;
	pthread_cond_broadcast(&session->switched);
}

void tacho__session_set_pass(struct tacho_session *session, uint32_t pass)
{
	session->pass = pass;
	session->is_pipelined = session->passes[pass].is_pipelined;
}

int tacho__session_switch(struct tacho_session *session, uint32_t pass)
{
	const struct tacho__backend *backend = session->device->backend;
	int rc;

	session->is_switching = 1;
	pthread_mutex_unlock(&session->lock);
	rc = backend->end_pass(session->collection);
	if (!rc)
		rc = backend->begin_pass(session->collection, pass);
	pthread_mutex_lock(&session->lock);
	if (rc) {
		session->is_open = 0;
		tacho__session_set_failed(session, rc, tacho_error_last()->cause,
					  tacho_error_last()->cure);
	} else {
		tacho__session_set_pass(session, pass);
	}
	end_switch(session);
	return rc;
}

/* How many levels of ranges a pass counts in one run; `depth`: those that the plan was told of. */
static uint32_t get_levels(const struct tacho_session *session, uint32_t mode, uint32_t depth)
{
	bool runs_once = session->is_automatic || session->options.replay == TACHO_REPLAY_NONE;

	if (mode == TACHO_MODE_PIPELINED)
		return 0;
	return depth > 1 && !runs_once ? 1 : session->device->traits.modes[mode].levels;
}

int tacho__session_make_passes(struct tacho_session *session, uint32_t depth)
{
	uint32_t pass = 0;

	session->depth = depth;
	session->passes =
		tacho__arena_get(&session->arena, session->pass_count * sizeof(*session->passes));
	if (!session->passes)
		return TACHO_E_NOMEM;
	for (size_t i = 0; i < session->pass_count; i++) {
		uint32_t mode = tacho_plan_get_pass(session->plan, i)->mode;

		session->passes[i].levels = get_levels(session, mode, depth);
		session->passes[i].is_pipelined = mode == TACHO_MODE_PIPELINED;
	}
	if (session->options.replay == TACHO_REPLAY_PROCESS)
		while (session->run < session->options.only_pass &&
		       tacho__session_choose_pass(session, &pass)) {
			session->passes[pass].runs++;
			session->run++;
		}
	return 0;
}

/* Runs of a pass that are needed, as far as is known. */
static uint32_t count_groups(const struct tacho_session *session, size_t pass)
{
	uint32_t levels = session->passes[pass].levels;

	return levels && session->depth ? (session->depth - 1) / levels + 1 : 1;
}

bool tacho__session_choose_pass(const struct tacho_session *session, uint32_t *out_pass)
{
	bool is_found = false;

	for (uint32_t i = 0; i < session->pass_count; i++) {
		const struct tacho__pass *pass = &session->passes[i];

		if (pass->runs >= count_groups(session, i) ||
		    (is_found && session->passes[*out_pass].runs <= pass->runs))
			continue;
		is_found = true;
		*out_pass = i;
	}
	return is_found;
}

size_t tacho_session_get_run_count(struct tacho_session *session)
{
	size_t count = 0;

	if (!session)
		return 0;
	pthread_mutex_lock(&session->lock);
	for (size_t i = 0; i < session->pass_count; i++)
		count += count_groups(session, i);
	pthread_mutex_unlock(&session->lock);
	return count;
}

static int check_begin(const struct tacho_session *session)
{
	if (session->failed)
		return tacho__session_fail_again(session, "no pass can begin");
	if (session->is_automatic)
		return tacho__fail(TACHO_E_INVAL, "the session began the only pass by itself",
				   "begin ranges, or wait for rows",
				   "this session takes no passes");
	if (session->is_open)
		return tacho__fail(TACHO_E_INVAL,
				   tacho__detail("pass %u is open", (unsigned)session->pass),
				   "end it before", "no pass can begin");
	if (session->is_done)
		return tacho__fail(TACHO_E_INVAL,
				   tacho__detail(session->run == 1 ? "%u pass was needed"
								   : "%u passes were needed",
						 session->run),
				   "look at out_more of tacho_session_end_pass()",
				   "all passes are done");
	return 0;
}

int tacho_session_begin_pass(struct tacho_session *session)
{
	uint32_t pass = 0;
	int rc;

	if (!session)
		return tacho__fail_null(__func__);
	pthread_mutex_lock(&session->lock);
	tacho__session_await_switch(session);
	rc = check_begin(session);
	if (!rc) {
		session->is_switching = 1;
		tacho__session_choose_pass(session, &pass);
	}
	pthread_mutex_unlock(&session->lock);
	if (rc)
		return rc;
	rc = session->device->backend->begin_pass(session->collection, pass);
	pthread_mutex_lock(&session->lock);
	if (!rc) {
		tacho__session_set_pass(session, pass);
		session->is_open = 1;
		session->beyond = 0;
		tacho__sequence_start(&session->sequence, session->run);
	}
	end_switch(session);
	pthread_mutex_unlock(&session->lock);
	return rc;
}

static int check_end(const struct tacho_session *session)
{
	if (!session->is_open && session->failed)
		return tacho__session_fail_again(session, "no pass can end");
	if (!session->is_open)
		return tacho__fail(TACHO_E_INVAL, "none is open",
				   "call tacho_session_begin_pass() before", "no pass can end");
	if (session->open_count)
		return tacho__fail(TACHO_E_INVAL,
				   tacho__detail(session->open_count == 1 ? "%u range is open"
									  : "%u ranges are open",
						 session->open_count),
				   "end them before", "the pass cannot end");
	return 0;
}

/* The run that is over had the ranges of the first one, as far as that is asked for. */
static int check_sequence(struct tacho_session *session)
{
	struct tacho__sequence *sequence = &session->sequence;

	if (!session->is_compared || tacho__sequence_compare(sequence))
		return 0;
	if (!*session->difference)
		snprintf(session->difference, sizeof(session->difference), "%s",
			 sequence->difference);
	return tacho__fail(TACHO_E_INVAL, sequence->difference,
			   "let every pass have the same ranges in the same order",
			   "the ranges of the passes differ, so that they have no values");
}

int tacho_session_end_pass(struct tacho_session *session, int *out_more)
{
	uint32_t next;
	int rc;

	if (!session)
		return tacho__fail_null(__func__);
	pthread_mutex_lock(&session->lock);
	tacho__session_await_switch(session);
	rc = check_end(session);
	if (!rc)
		session->is_switching = 1;
	pthread_mutex_unlock(&session->lock);
	if (rc)
		return rc;
	rc = session->device->backend->end_pass(session->collection);
	pthread_mutex_lock(&session->lock);
	session->is_open = 0;
	session->run++;
	session->passes[session->pass].runs++;
	session->is_done = session->is_automatic || session->failed ||
			   session->options.replay == TACHO_REPLAY_PROCESS ||
			   !tacho__session_choose_pass(session, &next);
	if (!rc && session->failed)
		rc = tacho__session_fail_again(session, "the pass was cut off");
	if (!rc)
		rc = check_sequence(session);
	if (!rc && out_more)
		*out_more = !session->is_done;
	end_switch(session);
	pthread_mutex_unlock(&session->lock);
	return rc;
}
