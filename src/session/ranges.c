/* SPDX-License-Identifier: MIT */
/* Ranges: begun and ended on any thread, with the lock held for moments only. */
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "session/session.h"

struct tacho__range *tacho__session_get_range(struct tacho_session *session, uint64_t key)
{
	uint32_t number = (uint32_t)key;
	struct tacho__range *range;

	if (!number || number > session->range_count)
		return NULL;
	range = &session->ranges[number - 1];
	return range->row && range->generation == key >> 32 ? range : NULL;
}

int tacho__session_new_range(struct tacho_session *session, uint64_t *out_key)
{
	struct tacho__range *range;
	uint32_t number = session->free_range;

	if (!number) {
		if (tacho__array_reserve(&session->ranges, &session->range_capacity,
					 session->range_count, sizeof(*range)))
			return TACHO_E_NOMEM;
		session->ranges[session->range_count] = (struct tacho__range){0};
		number = (uint32_t)++session->range_count;
	} else {
		session->free_range = session->ranges[number - 1].next_free;
	}
	range = &session->ranges[number - 1];
	*range = (struct tacho__range){.generation = range->generation + 1};
	*out_key = (uint64_t)range->generation << 32 | number;
	return 0;
}

void tacho__session_free_range(struct tacho_session *session, struct tacho__range *range)
{
	range->row = NULL;
	range->next_free = session->free_range;
	session->free_range = (uint32_t)(range - session->ranges) + 1;
}

void tacho__session_forget(struct tacho_session *session, struct tacho__range *range)
{
	if (range->end_serial && !range->awaited)
		tacho__session_free_range(session, range);
}

void tacho__session_expect(const struct tacho_session *session, struct tacho__range *range)
{
	range->is_ending = 1;
	range->pass = session->pass;
	range->awaited =
		session->options.replay == TACHO_REPLAY_VENDOR ? (uint32_t)session->pass_count : 1;
	if (session->pass < 64)
		range->row->seen |= UINT64_C(1) << session->pass;
}

void tacho__session_lose(struct tacho_session *session, struct tacho__row *row, uint32_t pass)
{
	bool is_each = session->options.replay == TACHO_REPLAY_VENDOR;

	/* With ROTATE what is lost was not measured; rows of one range stay without values. */
	if (session->options.accumulates || session->passes[pass].is_pipelined)
		for (uint32_t i = 0; i < session->pass_count; i++)
			row->places[i].is_lost |= is_each || i == pass;
	session->lost_rows++;
}

void tacho__session_settle(struct tacho_session *session, struct tacho__range *range,
			   uint32_t batches)
{
	range->awaited -= batches;
	if (!range->awaited && range->end_serial) {
		range->row->pending--;
		session->pending_count--;
	}
}

void tacho__session_give_up(struct tacho_session *session, uint64_t end_serial)
{
	for (size_t i = 0; i < session->range_count && session->pending_count; i++) {
		struct tacho__range *range = &session->ranges[i];

		if (!range->row || !range->end_serial || range->end_serial > end_serial)
			continue;
		tacho__session_lose(session, range->row, range->pass);
		tacho__session_settle(session, range, range->awaited);
		tacho__session_forget(session, range);
	}
}

int tacho__session_fail_again(const struct tacho_session *session, const char *what)
{
	return tacho__fail(session->failed, session->cause, session->cure,
			   "%s: counting on %s has ended", what, session->device->info->name);
}

static int check_begin(const struct tacho_session *session)
{
	if (session->failed)
		return tacho__session_fail_again(session, "no range can begin");
	if (!session->device->backend->begin_range || session->options.window_ns)
		return tacho__fail(TACHO_E_UNSUPPORTED,
				   session->options.window_ns ? "its rows are windows of time"
							      : "its rows are begun by the device",
				   "use another device, or take the rows as they come",
				   "%s counts no ranges in this session",
				   session->device->info->name);
	if (!session->is_open)
		return tacho__fail(TACHO_E_INVAL,
				   session->is_done ? "all passes are done" : "no pass is open",
				   session->is_done ? "make another session"
						    : "call tacho_session_begin_pass() before",
				   "a range was begun outside of a pass");
	return 0;
}

/* ROTATE: a range that is in no other chooses the pass, as long as none else is open. */
static int choose_pass(struct tacho_session *session, struct tacho__series *node)
{
	uint32_t wanted = (uint32_t)(node->turn % session->pass_count);
	int rc = 0;

	if (wanted != session->pass && !session->open_count)
		rc = tacho__session_switch(session, wanted);
	node->turn = session->pass + 1u;
	return rc;
}

/* The row of a new range; NULL: the range is beyond the limits. The lock may be released. */
static int find_row(struct tacho_session *session, const struct tacho__range *outer, uint64_t id,
		    const char *name, struct tacho__row **out_row)
{
	uint32_t level = outer ? outer->level + 1 : 0;
	struct tacho__series *node;
	int rc;

	*out_row = NULL;
	if ((outer && outer->is_beyond) ||
	    (session->options.depth_max && level >= session->options.depth_max))
		return 0;
	rc = tacho__session_find_series(session, outer ? outer->row->node : NULL, id, name,
					tacho__session_has_room(session), &node);
	if (rc || !node)
		return rc;
	if (session->is_rotating && !outer)
		rc = choose_pass(session, node);
	if (!rc)
		rc = check_begin(session); /* the lock was released to change the pass */
	return rc ? rc : tacho__session_add_row(session, node, name, out_row);
}

static void fill(struct tacho_session *session, struct tacho__range *range,
		 struct tacho__range *outer, struct tacho__row *row)
{
	const struct tacho__pass *pass = &session->passes[session->pass];

	range->row = row ? row : session->no_row;
	range->level = outer ? outer->level + 1 : 0;
	range->is_beyond = !row;
	if (row) {
		if (range->level >= session->depth)
			session->depth = range->level + 1;
		range->is_counted = !pass->levels || range->level / pass->levels == pass->runs;
		row->parent = outer ? outer->row->serial : 0;
	} else if (++session->beyond > session->beyond_most) {
		session->beyond_most = session->beyond;
	}
	if (outer)
		outer->children++;
	range->row->open++;
	range->row->runs++;
	session->open_count++;
}

/* A range and its row; the parent is looked at before anything is made. */
static int enter(struct tacho_session *session, tacho_range parent, uint64_t id, const char *name,
		 uint64_t *out_key)
{
	struct tacho__range *outer = parent ? tacho__session_get_range(session, parent) : NULL;
	struct tacho__row *row;
	int rc = check_begin(session);

	if (rc)
		return rc;
	if (parent && (!outer || outer->is_segment || outer->is_ending))
		return tacho__fail(TACHO_E_INVAL, "the range around it is not open",
				   "begin it before, and end it after",
				   "the range %llu cannot begin", (unsigned long long)id);
	if (session->is_compared)
		rc = tacho__sequence_reserve(&session->sequence, session->open_count + 1);
	if (!rc)
		rc = tacho__session_new_range(session, out_key);
	if (rc)
		return rc;
	outer = parent ? tacho__session_get_range(session, parent) : NULL;
	rc = find_row(session, outer, id, name, &row);
	if (rc) {
		tacho__session_free_range(session, &session->ranges[(uint32_t)*out_key - 1]);
		return rc;
	}
	session->ranges[(uint32_t)*out_key - 1].parent = parent;
	fill(session, &session->ranges[(uint32_t)*out_key - 1], outer, row);
	return 0;
}

/* Out of all lists: the range is ended, or never began at the device. */
static void leave(struct tacho_session *session, struct tacho__range *range)
{
	struct tacho__range *outer = tacho__session_get_range(session, range->parent);

	if (outer)
		outer->children--;
	range->row->open--;
	session->open_count--;
}

/* The innermost range that the device knows among one and those around it; 0: none. */
static uint64_t get_counted(struct tacho_session *session, uint64_t key)
{
	const struct tacho__range *range = tacho__session_get_range(session, key);

	while (range && !range->is_counted) {
		key = range->parent;
		range = tacho__session_get_range(session, key);
	}
	return range ? key : 0;
}

uint64_t tacho__session_find_key(void *user, uint64_t range)
{
	struct tacho_session *session = user;
	uint64_t key;

	pthread_mutex_lock(&session->lock);
	key = get_counted(session, range);
	if (key && session->is_pipelined)
		key = session->ranges[(uint32_t)key - 1].segment;
	pthread_mutex_unlock(&session->lock);
	return key;
}

/* The range is begun, and stands in the sequence of its pass. */
static void note_begin(struct tacho_session *session, uint64_t key, uint64_t id)
{
	struct tacho__range *range = &session->ranges[(uint32_t)key - 1];
	const struct tacho__range *outer = tacho__session_get_range(session, range->parent);

	range->id = id;
	range->number = tacho__sequence_begin(&session->sequence, id, outer ? outer->number : 0);
}

/* The range did not begin at the device. */
static void cancel(struct tacho_session *session, uint64_t key)
{
	struct tacho__range *range = &session->ranges[(uint32_t)key - 1];
	uint64_t parent = range->parent;

	leave(session, range);
	tacho__row_forget(session, range->row);
	tacho__session_free_range(session, range);
	if (session->is_pipelined)
		tacho__segments_resume(session, parent);
}

int tacho_session_begin_range(struct tacho_session *session, tacho_range parent, uint64_t id,
			      const char *name, tacho_range *out_range)
{
	uint64_t key = 0, known_parent = 0;
	int is_told = 0, rc;

	if (!session)
		return tacho__fail_null(__func__);
	pthread_mutex_lock(&session->lock);
	tacho__session_await_switch(session);
	rc = enter(session, parent, id, name, &key);
	is_told = !rc && session->ranges[(uint32_t)key - 1].is_counted;
	if (is_told && session->is_pipelined) {
		rc = tacho__segments_begin_range(session, key, parent);
		if (rc)
			cancel(session, key);
		is_told = 0;
	} else if (is_told) {
		known_parent = get_counted(session, parent);
	}
	pthread_mutex_unlock(&session->lock);
	if (!rc && is_told)
		rc = session->device->backend->begin_range(session->collection, key, known_parent);
	if ((rc && is_told) || (!rc && session->is_compared)) {
		pthread_mutex_lock(&session->lock);
		if (rc)
			cancel(session, key);
		else
			note_begin(session, key, id);
		pthread_mutex_unlock(&session->lock);
	}
	if (!rc)
		*out_range = key;
	return rc;
}

static int check_end(struct tacho_session *session, const struct tacho__range *range)
{
	if (!range || range->is_segment || range->is_ending)
		return tacho__fail(TACHO_E_INVAL, "it was ended before, or never begun",
				   "end every range once", "the range is not open");
	if (range->children)
		return tacho__fail(TACHO_E_INVAL,
				   tacho__detail(range->children == 1 ? "%u range in it is open"
								      : "%u ranges in it are open",
						 range->children),
				   "end them before", "the range \"%s\" cannot end",
				   range->row->name);
	return 0;
}

void tacho__session_close(struct tacho_session *session, struct tacho__range *range, int is_failed)
{
	range->end_serial = ++session->end_serial;
	if (is_failed || session->failed) {
		if (range->awaited)
			tacho__session_lose(session, range->row, range->pass);
		range->awaited = 0;
	}
	if (range->awaited) {
		range->row->pending++;
		session->pending_count++;
	}
	tacho__session_forget(session, range);
}

/* The device was told of the end. */
static void finish(struct tacho_session *session, uint64_t key, int is_failed)
{
	struct tacho__range *range = &session->ranges[(uint32_t)key - 1];
	uint64_t parent = range->parent;

	leave(session, range);
	tacho__session_close(session, range, is_failed);
	if (session->is_pipelined)
		tacho__segments_resume(session, parent);
}

/* Under the lock. *out_is_told: the device has still to be told. */
static int begin_end(struct tacho_session *session, uint64_t key, int *out_is_told)
{
	struct tacho__range *range = tacho__session_get_range(session, key);
	int rc;

	if (range && range->is_turning)
		range = tacho__segments_await(session, key);
	rc = check_end(session, range);
	if (rc)
		return rc;
	if (session->is_compared)
		tacho__sequence_end(&session->sequence, range->id, range->number);
	*out_is_told = range->is_counted && !session->is_pipelined;
	if (*out_is_told)
		tacho__session_expect(session, range);
	range->is_ending = 1;
	return 0;
}

int tacho_session_end_range(struct tacho_session *session, tacho_range key)
{
	int is_told = 0, rc;

	if (!session)
		return tacho__fail_null(__func__);
	pthread_mutex_lock(&session->lock);
	rc = begin_end(session, key, &is_told);
	if (rc) {
		pthread_mutex_unlock(&session->lock);
		return rc;
	}
	if (is_told) {
		pthread_mutex_unlock(&session->lock);
		rc = session->device->backend->end_range(session->collection, key);
		pthread_mutex_lock(&session->lock);
	} else {
		rc = tacho__segments_end_range(session, key);
	}
	finish(session, key, rc != 0);
	pthread_mutex_unlock(&session->lock);
	return rc;
}

void tacho__session_end_ranges(struct tacho_session *session)
{
	size_t open = 0;

	while (session->open_count && session->open_count != open) {
		open = session->open_count;
		for (size_t i = 0; i < session->range_count; i++) {
			const struct tacho__range *range = &session->ranges[i];

			if (range->row && !range->is_ending && !range->is_segment &&
			    !range->children)
				tacho_session_end_range(session, (uint64_t)range->generation << 32 |
									 (i + 1));
		}
	}
}
