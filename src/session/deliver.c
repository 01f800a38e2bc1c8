/* SPDX-License-Identifier: MIT */
/* What comes from the device: values, gaps, its end. */
#include <stdio.h>

#include "base/error.h"
#include "session/session.h"

void tacho__session_set_failed(struct tacho_session *session, int code, const char *cause,
			       const char *cure)
{
	if (session->failed)
		return;
	session->failed = code;
	snprintf(session->cause, sizeof(session->cause), "%s", cause ? cause : "");
	snprintf(session->cure, sizeof(session->cure), "%s", cure ? cure : "");
}

static int deliver_range(struct tacho_session *session, const struct tacho__batch *batch,
			 size_t index)
{
	struct tacho__range *range = tacho__session_get_range(session, batch->keys[index]);
	int rc;

	if (!range || !range->is_ending)
		return tacho__fail(
			TACHO_E_INVAL,
			tacho__detail("key %llu", (unsigned long long)batch->keys[index]),
			"this is a defect of the backend: report it",
			"values came for a range that nobody waits for");
	rc = tacho__store_put(session, batch, index, range->row);
	if (rc)
		return rc;
	range->row->places[batch->pass].ranges += !range->is_further;
	if (batch->pass < 64)
		range->row->seen |= UINT64_C(1) << batch->pass;
	if (range->awaited)
		tacho__session_settle(session, range, 1);
	tacho__session_forget(session, range);
	return 0;
}

static int deliver_device_row(struct tacho_session *session, const struct tacho__batch *batch,
			      size_t index)
{
	struct tacho__store *store = &session->stores[batch->pass];
	struct tacho__row *row;
	int rc = tacho__session_add_device_row(session, &batch->rows[index], batch->pass, &row);

	if (!rc)
		rc = tacho__store_put(session, batch, index, row);
	if (rc)
		return rc;
	row->places[batch->pass].ranges++;
	if (batch->pass < 64)
		row->seen |= UINT64_C(1) << batch->pass;
	if (store->loses_next)
		row->places[batch->pass].is_lost = 1;
	store->loses_next = 0;
	store->last_row = row;
	return 0;
}

static void note_gap(struct tacho_session *session, const struct tacho__batch *batch)
{
	struct tacho__store *store = &session->stores[batch->pass];

	session->lost_rows += batch->lost_rows;
	if (batch->keys)
		return;
	if (!batch->row_count && store->last_row)
		store->last_row->places[batch->pass].is_lost = 1;
	else
		store->loses_next = 1;
}

int tacho__session_deliver(void *user, const struct tacho__batch *batch)
{
	struct tacho_session *session = user;
	int rc;

	pthread_mutex_lock(&session->lock);
	rc = tacho__store_check(session, batch);
	if (!rc && batch->lost_rows)
		note_gap(session, batch);
	for (size_t i = 0; i < batch->row_count && !rc; i++)
		rc = batch->keys ? deliver_range(session, batch, i)
				 : deliver_device_row(session, batch, i);
	if (rc == TACHO_E_NOMEM)
		tacho__session_set_failed(session, rc, "no memory for values",
					  "take rows more often");
	pthread_mutex_unlock(&session->lock);
	return rc;
}

void tacho__session_on_fail(void *user, int code, const char *cause, const char *cure)
{
	struct tacho_session *session = user;

	pthread_mutex_lock(&session->lock);
	tacho__session_set_failed(session, code, cause, cure);
	pthread_mutex_unlock(&session->lock);
}
