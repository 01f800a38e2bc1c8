/* SPDX-License-Identifier: MIT */
#include "events.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <tacho/sys/json.h>
#include <tacho/tacho.h>

static int events_fd = -1;

const char *cli_events_open(int fd)
{
	int flags = fcntl(fd, F_GETFL);

	if (events_fd >= 0)
		return NULL;
	if (flags < 0)
		return strerror(errno);
	if ((flags & O_ACCMODE) == O_RDONLY)
		return "it is open for reading only";
	events_fd = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	if (events_fd < 0)
		return strerror(errno);
	/* Who reads until the end must not wait for programs that outlive the command. */
	if (fd > STDERR_FILENO)
		fcntl(fd, F_SETFD, FD_CLOEXEC);
	return NULL;
}

/* A reader that is gone ends neither the command nor the program. */
static void write_line(const char *text, size_t size)
{
	const struct timespec now = {0};
	sigset_t pipe_signal, pending, old;
	ssize_t done = 0;

	sigpending(&pending);
	sigemptyset(&pipe_signal);
	sigaddset(&pipe_signal, SIGPIPE);
	sigprocmask(SIG_BLOCK, &pipe_signal, &old);
	while (size && (done >= 0 || errno == EINTR)) {
		done = write(events_fd, text, size);
		text += done > 0 ? done : 0;
		size -= done > 0 ? (size_t)done : 0;
	}
	if (done < 0 && errno == EPIPE && !sigismember(&pending, SIGPIPE))
		sigtimedwait(&pipe_signal, NULL, &now);
	sigprocmask(SIG_SETMASK, &old, NULL);
	if (size) {
		close(events_fd);
		events_fd = -1;
	}
}

/* A line that is being written. */
struct event {
	struct tacho_json json;
	FILE *stream;
	char *text;
	size_t size;
};

static bool begin(struct event *event, const char *name)
{
	*event = (struct event){.size = 0};
	event->stream = events_fd < 0 ? NULL : open_memstream(&event->text, &event->size);
	if (!event->stream)
		return false;
	tacho_json_init(&event->json, event->stream, false);
	tacho_json_begin_object(&event->json, NULL);
	tacho_json_add_string(&event->json, "schema", "tacho.status/1");
	tacho_json_add_string(&event->json, "event", name);
	return true;
}

static void end(struct event *event)
{
	tacho_json_finish(&event->json);
	if (fclose(event->stream) == 0 && event->text) /* NULL: for want of memory */
		write_line(event->text, event->size);
	free(event->text);
}

void cli_events_start(const char *command)
{
	struct event event;

	if (!begin(&event, "start"))
		return;
	tacho_json_add_string(&event.json, "generator", "tacho " TACHO_VERSION);
	tacho_json_add_string(&event.json, "command", command);
	tacho_json_add_integer(&event.json, "pid", getpid());
	end(&event);
}

void cli_events_run(const char *recording, unsigned run, unsigned run_count)
{
	struct event event;

	if (!begin(&event, "run"))
		return;
	tacho_json_add_text(&event.json, "recording", recording);
	tacho_json_add_unsigned(&event.json, "run", run);
	tacho_json_add_unsigned(&event.json, "runs", run_count);
	end(&event);
}

void cli_events_progress(unsigned run, const struct tacho_progress *progress)
{
	struct pollfd reader = {.fd = events_fd, .events = POLLOUT};
	struct event event;

	if (events_fd < 0 || poll(&reader, 1, 0) != 1 || !begin(&event, "progress"))
		return;
	tacho_json_add_unsigned(&event.json, "run", run);
	tacho_json_add_unsigned(&event.json, "elapsed_ns", progress->elapsed_ns);
	tacho_json_add_unsigned(&event.json, "calls", progress->calls);
	tacho_json_add_unsigned(&event.json, "commands", progress->commands);
	end(&event);
}

void cli_events_message(const char *name, const char *class, const char *message, const char *cause,
			const char *cure)
{
	struct event event;

	if (!begin(&event, name))
		return;
	tacho_json_add_text(&event.json, "class", class);
	tacho_json_add_string(&event.json, "message", message);
	tacho_json_add_string(&event.json, "cause", cause ? cause : "");
	tacho_json_add_string(&event.json, "cure", cure ? cure : "");
	end(&event);
}

void cli_events_end(int status)
{
	struct event event;

	if (!begin(&event, "done"))
		return;
	tacho_json_add_integer(&event.json, "status", status);
	end(&event);
}
