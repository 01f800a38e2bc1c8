/* SPDX-License-Identifier: MIT */
#include "waiting.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <tacho/tacho.h>

#include "cli.h"

/* A recording is read several times: to learn its clocks, and as often as it takes. */
static char *tell_reading(struct tacho_recording *recording)
{
	struct tacho_reading reading = {.times = 0};

	if (recording)
		tacho_recording_get_reading(recording, &reading);
	if (!reading.times || reading.bytes > reading.all_bytes || !reading.all_bytes)
		return cli_format("%s", "");
	return cli_format(", reading %u: %u%%", reading.times,
			  (unsigned)((double)reading.bytes * 100 / (double)reading.all_bytes));
}

static void draw(struct cli_waiting *waiting, unsigned seconds)
{
	char *reading = tell_reading(waiting->recording);
	char *text = cli_format("tacho: %s, %u s%s", waiting->text, seconds, reading);
	int room = (int)cli_width(stderr) - 1;
	int drawn = (int)strlen(text) < room ? (int)strlen(text) : room;

	/* past the stream, which may have a log behind it */
	dprintf(STDERR_FILENO, "\r%.*s%*s", room, text,
		waiting->drawn > drawn ? waiting->drawn - drawn : 0, "");
	waiting->drawn = drawn;
	free(text);
	free(reading);
}

static void *tick(void *user)
{
	struct cli_waiting *waiting = user;
	struct timespec due;

	clock_gettime(CLOCK_REALTIME, &due);
	pthread_mutex_lock(&waiting->lock);
	for (unsigned seconds = 1; !waiting->ends; seconds++) {
		due.tv_sec++;
		while (!waiting->ends &&
		       pthread_cond_timedwait(&waiting->changed, &waiting->lock, &due) == 0)
			;
		if (!waiting->ends)
			draw(waiting, seconds);
	}
	pthread_mutex_unlock(&waiting->lock);
	return NULL;
}

void cli_waiting_begin(struct cli_waiting *waiting, bool wanted, const char *format, ...)
{
	const char *terminal = getenv("TERM");
	sigset_t all, old;
	va_list list;

	memset(waiting, 0, sizeof(*waiting));
	if (!wanted || !isatty(STDERR_FILENO) || !terminal || !*terminal ||
	    strcmp(terminal, "dumb") == 0)
		return;
	va_start(list, format);
	waiting->text = cli_format_list(format, list);
	va_end(list);
	pthread_mutex_init(&waiting->lock, NULL);
	pthread_cond_init(&waiting->changed, NULL);
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &old);
	waiting->runs = pthread_create(&waiting->thread, NULL, tick, waiting) == 0;
	pthread_sigmask(SIG_SETMASK, &old, NULL);
}

void cli_waiting_watch(struct cli_waiting *waiting, struct tacho_recording *recording)
{
	if (!waiting->runs)
		return;
	pthread_mutex_lock(&waiting->lock);
	waiting->recording = recording;
	pthread_mutex_unlock(&waiting->lock);
}

void cli_waiting_end(struct cli_waiting *waiting)
{
	if (!waiting->text)
		return;
	if (waiting->runs) {
		pthread_mutex_lock(&waiting->lock);
		waiting->ends = true;
		pthread_cond_signal(&waiting->changed);
		pthread_mutex_unlock(&waiting->lock);
		pthread_join(waiting->thread, NULL);
	}
	if (waiting->drawn)
		dprintf(STDERR_FILENO, "\r%*s\r", (int)cli_width(stderr) - 1, "");
	free(waiting->text);
	waiting->text = NULL;
}
