/* SPDX-License-Identifier: MIT */
#include "format/html/html_gather.h"

#include "base/thread.h"
#include "format/format.h"
#include "record/whole.h"

enum { CROWDED = 1 }; /* more calls came than were expected */

static int take_call(void *user, struct tacho_cursor *cursor, const struct tacho_call *call)
{
	struct tacho__gathering *gathering = user;
	int rc = tacho__timeline_add(gathering->timeline, cursor, call);

	if (!rc && call->command && gathering->has_groups)
		rc = tacho__groups_add(gathering->groups, call->command);
	return rc || !tacho__timeline_is_crowded(gathering->timeline) ? rc : CROWDED;
}

static int read_all(struct tacho__gathering *gathering, uint64_t calls)
{
	int rc = tacho_cursor_open(gathering->recording, &gathering->cursor);

	if (!rc)
		rc = tacho__timeline_create(gathering->recording, calls, gathering->store_max,
					    &gathering->timeline);
	if (!rc && gathering->has_groups)
		rc = tacho__groups_create(gathering->cursor, &gathering->groups);
	if (rc)
		return rc;
	tacho_cursor_on_range(gathering->cursor, tacho__timeline_add_range, gathering->timeline);
	tacho_cursor_on_window(gathering->cursor, tacho__timeline_add_window, gathering->timeline);
	tacho_cursor_on_memory(gathering->cursor, tacho__timeline_add_memory, gathering->timeline);
	rc = tacho__format_each_call(gathering->cursor, take_call, gathering);
	return rc ? rc : tacho__timeline_complete(gathering->timeline);
}

/* Chunks state how many calls they hold, nobody how many commands. */
static int gather(struct tacho__gathering *gathering)
{
	int rc = read_all(gathering, tacho__recording_count_stated(gathering->recording));

	if (rc == CROWDED) {
		tacho__gathering_finish(gathering);
		rc = read_all(gathering, UINT64_MAX);
	}
	return rc;
}

static void *run(void *user)
{
	struct tacho__gathering *gathering = user;

	gathering->rc = gather(gathering);
	if (gathering->rc)
		tacho__error_take(&gathering->error, gathering->rc);
	return NULL;
}

void tacho__gathering_begin(struct tacho__gathering *gathering)
{
	gathering->is_beside = tacho__thread_may_help() &&
			       !tacho__thread_start(&gathering->thread, run, gathering);
}

int tacho__gathering_end(struct tacho__gathering *gathering, int rc)
{
	if (!gathering->is_beside)
		return rc ? rc : gather(gathering);
	pthread_join(gathering->thread, NULL);
	return rc || !gathering->rc ? rc : tacho__error_give(&gathering->error);
}

void tacho__gathering_finish(struct tacho__gathering *gathering)
{
	tacho__groups_destroy(gathering->groups);
	tacho__timeline_destroy(gathering->timeline);
	tacho_cursor_close(gathering->cursor);
	gathering->groups = NULL;
	gathering->timeline = NULL;
	gathering->cursor = NULL;
}
