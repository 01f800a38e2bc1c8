/* SPDX-License-Identifier: MIT */
/*
 * Pipelined passes: no range of the device lies in another. What lies between the ranges in a range
 * is counted in segments, each of which is a range of the device and adds to the same row.
 */
#include "session/session.h"

/* Another thread begins or ends a segment of the range. NULL: the range is there no longer. */
static struct tacho__range *await_turn(struct tacho_session *session, uint64_t key)
{
	struct tacho__range *range;

	while ((range = tacho__session_get_range(session, key)) && range->is_turning)
		pthread_cond_wait(&session->switched, &session->lock);
	return range;
}

static void end_turn(struct tacho_session *session, uint64_t key)
{
	session->ranges[(uint32_t)key - 1].is_turning = 0;
	pthread_cond_broadcast(&session->switched);
}

/* A range that turns stays where it is: it can neither end nor get another segment. */
static int begin_segment(struct tacho_session *session, uint64_t key)
{
	struct tacho__range *range = &session->ranges[(uint32_t)key - 1], *segment;
	uint64_t segment_key;
	int rc = tacho__session_new_range(session, &segment_key);

	if (rc)
		return rc;
	range = &session->ranges[(uint32_t)key - 1];
	segment = &session->ranges[(uint32_t)segment_key - 1];
	segment->row = range->row;
	segment->is_segment = 1;
	segment->is_further = range->has_segment;
	range->is_turning = 1;
	pthread_mutex_unlock(&session->lock);
	rc = session->device->backend->begin_range(session->collection, segment_key, 0);
	pthread_mutex_lock(&session->lock);
	range = &session->ranges[(uint32_t)key - 1];
	if (rc) {
		tacho__session_free_range(session, &session->ranges[(uint32_t)segment_key - 1]);
	} else {
		range->segment = segment_key;
		range->has_segment = 1;
	}
	end_turn(session, key);
	return rc;
}

static int end_segment(struct tacho_session *session, uint64_t key)
{
	struct tacho__range *range = &session->ranges[(uint32_t)key - 1];
	uint64_t segment_key = range->segment;
	int rc;

	range->segment = 0;
	range->is_turning = 1;
	tacho__session_expect(session, &session->ranges[(uint32_t)segment_key - 1]);
	pthread_mutex_unlock(&session->lock);
	rc = session->device->backend->end_range(session->collection, segment_key);
	pthread_mutex_lock(&session->lock);
	tacho__session_close(session, &session->ranges[(uint32_t)segment_key - 1], rc != 0);
	end_turn(session, key);
	return rc;
}

int tacho__segments_begin_range(struct tacho_session *session, uint64_t key, uint64_t parent)
{
	struct tacho__range *outer = await_turn(session, parent);

	/* What the device says of the outer one is in its row; this one begins all the same. */
	if (outer && outer->segment)
		end_segment(session, parent);
	return begin_segment(session, key);
}

int tacho__segments_end_range(struct tacho_session *session, uint64_t key)
{
	return session->ranges[(uint32_t)key - 1].segment ? end_segment(session, key) : 0;
}

struct tacho__range *tacho__segments_await(struct tacho_session *session, uint64_t key)
{
	return await_turn(session, key);
}

void tacho__segments_resume(struct tacho_session *session, uint64_t parent)
{
	struct tacho__range *outer = tacho__session_get_range(session, parent);

	if (!outer || outer->children || !outer->is_counted || outer->segment)
		return;
	if (begin_segment(session, parent))
		tacho__session_lose(session, session->ranges[(uint32_t)parent - 1].row,
				    session->pass);
}
