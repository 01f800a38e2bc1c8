/* SPDX-License-Identifier: MIT */
#include "waiting.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cli.h"

static void draw(struct cli_waiting *waiting, unsigned seconds)
{
	char *text = cli_format("tacho: %s, %u s", waiting->text, seconds);
	int room = (int)cli_width(stderr) - 1;

	/* past the stream, which may have a log behind it */
	dprintf(STDERR_FILENO, "\r%.*s", room, text);
	waiting->is_drawn = true;
	free(text);
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
	if (waiting->is_drawn)
		dprintf(STDERR_FILENO, "\r%*s\r", (int)cli_width(stderr) - 1, "");
	free(waiting->text);
	waiting->text = NULL;
}
