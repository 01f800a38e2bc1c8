/* SPDX-License-Identifier: MIT */
/*
 * A message is its size in four bytes, then strings with their NULs. The child may write anything
 * once a driver has damaged it, so the parent trusts no size and no string.
 */
#include "isolate.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cli.h"

enum { MESSAGE_MAX = 64 * 1024, UNSENT = 255 };

/* What cannot be sent ends the child: a message that is missing would not be missed. */
static void write_all(int channel, const char *bytes, size_t size)
{
	while (size) {
		ssize_t written = write(channel, bytes, size);

		if (written < 0 && errno == EINTR)
			continue;
		if (written <= 0) {
			cli_complain(strerror(errno), "", "what was found could not be sent");
			_exit(UNSENT);
		}
		bytes += written;
		size -= (size_t)written;
	}
}

void cli_isolate_send(int channel, const char *const *fields, size_t count)
{
	char *message = cli_alloc(sizeof(uint32_t) + MESSAGE_MAX);
	uint32_t size = 0;

	for (size_t i = 0; i < count; i++) {
		const char *field = fields[i] ? fields[i] : "";
		size_t room = MESSAGE_MAX - size - (count - i), length = strlen(field);

		length = length < room ? length : room;
		memcpy(message + sizeof(size) + size, field, length);
		size += (uint32_t)length + 1;
	}
	memcpy(message, &size, sizeof(size));
	write_all(channel, message, sizeof(size) + size);
	free(message);
}

static int64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Hands on whole messages at the start of the buffer; returns the bytes used, -1 for nonsense. */
static ssize_t deliver(const char *bytes, size_t size, cli_message_fn fn, void *user)
{
	size_t used = 0;

	while (size - used >= sizeof(uint32_t)) {
		const char *fields[CLI_FIELDS_MAX], *at, *end;
		uint32_t length;
		size_t count = 0;

		memcpy(&length, bytes + used, sizeof(length));
		if (!length || length > MESSAGE_MAX)
			return -1;
		if (size - used < sizeof(length) + length)
			break;
		at = bytes + used + sizeof(length);
		end = at + length;
		if (end[-1] != '\0')
			return -1;
		for (; at < end && count < CLI_FIELDS_MAX; at += strlen(at) + 1)
			fields[count++] = at;
		fn(user, fields, count);
		used += sizeof(length) + length;
	}
	return (ssize_t)used;
}

/* Reads until the child closes its end: EXITED, or HUNG or GARBLED. */
static enum cli_isolate_end receive(int channel, int timeout_ms, cli_message_fn fn, void *user)
{
	const size_t capacity = 2 * (sizeof(uint32_t) + MESSAGE_MAX);
	char *buffer = cli_alloc(capacity);
	int64_t deadline = now_ms() + timeout_ms;
	size_t filled = 0;
	enum cli_isolate_end end = CLI_ISOLATE_HUNG;

	for (;;) {
		int64_t left = deadline - now_ms();
		struct pollfd channel_poll = {.fd = channel, .events = POLLIN};
		ssize_t count;
		int ready = poll(&channel_poll, 1, left > 0 ? (int)left : 0);

		if (ready < 0 && errno == EINTR)
			continue;
		if (ready <= 0)
			break;
		count = read(channel, buffer + filled, capacity - filled);
		if (count < 0 && errno == EINTR)
			continue;
		if (count <= 0) {
			end = count == 0 ? CLI_ISOLATE_EXITED : CLI_ISOLATE_GARBLED;
			break;
		}
		filled += (size_t)count;
		count = deliver(buffer, filled, fn, user);
		if (count < 0) {
			end = CLI_ISOLATE_GARBLED;
			break;
		}
		if (count > 0)
			deadline = now_ms() + timeout_ms;
		filled -= (size_t)count;
		memmove(buffer, buffer + count, filled);
	}
	free(buffer);
	return end;
}

/* What drivers print must not get into our own output. */
static void become_child(cli_isolate_fn work, int channel, pid_t parent)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(0);
	signal(SIGPIPE, SIG_IGN);
	dup2(STDERR_FILENO, STDOUT_FILENO);
	_exit(work(channel) & 0xff);
}

struct cli_isolate_result cli_isolate_run(cli_isolate_fn work, int timeout_ms, cli_message_fn fn,
					  void *user)
{
	struct cli_isolate_result result = {CLI_ISOLATE_NO_CHILD, 0};
	pid_t parent = getpid(), child;
	int channel[2], status = 0;

	fflush(NULL);
	if (pipe2(channel, O_CLOEXEC) != 0) {
		result.number = errno;
		return result;
	}
	child = fork();
	if (child == 0) {
		close(channel[0]);
		become_child(work, channel[1], parent);
	}
	result.number = errno;
	close(channel[1]);
	if (child > 0) {
		result.end = receive(channel[0], timeout_ms, fn, user);
		if (result.end != CLI_ISOLATE_EXITED)
			kill(child, SIGKILL);
		while (waitpid(child, &status, 0) < 0 && errno == EINTR)
			;
		if (result.end == CLI_ISOLATE_EXITED && WIFSIGNALED(status))
			result.end = CLI_ISOLATE_KILLED;
		if (result.end == CLI_ISOLATE_EXITED && WEXITSTATUS(status) == UNSENT)
			result.end = CLI_ISOLATE_GARBLED;
		result.number = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
	}
	close(channel[0]);
	return result;
}
