/* SPDX-License-Identifier: MIT */
/*
 * One reading of a recording for its timeline. It needs nothing of the summary, so with another CPU
 * it runs on a thread of its own while the summary is made; each has a cursor.
 */
#ifndef TACHO_FORMAT_HTML_HTML_GATHER_H
#define TACHO_FORMAT_HTML_HTML_GATHER_H

#include <pthread.h>

#include "base/error.h"
#include "format/html/html.h"

struct tacho__gathering {
	struct tacho_recording *recording;
	size_t store_max; /* characters that the timeline fills */
	bool has_groups;  /* groups are wanted, too */
	/* What comes out of it: owned, tacho__gathering_finish(). */
	struct tacho_cursor *cursor; /* at the end */
	struct tacho__timeline *timeline;
	struct tacho__groups *groups;
	/* Its own. */
	pthread_t thread;
	bool is_beside; /* on that thread */
	int rc;
	struct tacho__carried_error error;
};

/* Begins, where there is another CPU. What is above `cursor` is set, all else 0. */
void tacho__gathering_begin(struct tacho__gathering *gathering);
/*
 * Waits for the end, or reads now; always behind the begin. `rc` is how it went meanwhile with what
 * else is needed: returned where it is an error, and then nothing is read now. As
 * tacho_cursor_open(), and NOMEM.
 */
int tacho__gathering_end(struct tacho__gathering *gathering, int rc);
void tacho__gathering_finish(struct tacho__gathering *gathering);

#endif
