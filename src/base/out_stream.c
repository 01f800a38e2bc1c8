/* SPDX-License-Identifier: MIT */
#include "base/out_stream.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/error.h"

struct cookie {
	struct tacho_sink sink;
	int fd;	   /* -1: the sink is somebody else's */
	int error; /* errno of the first failure */
};

/* 0 or errno. */
static int write_fd(void *user, const void *bytes, size_t size)
{
	int fd = ((struct cookie *)user)->fd;
	const char *from = bytes;

	while (size) {
		ssize_t done = write(fd, from, size);

		if (done < 0 && errno == EAGAIN)
			poll(&(struct pollfd){.fd = fd, .events = POLLOUT}, 1, -1);
		else if (done < 0 && errno != EINTR)
			return errno;
		else if (!done)
			return EIO;
		if (done < 0)
			continue;
		from += done;
		size -= (size_t)done;
	}
	return 0;
}

/* stdio takes 0 for a failure. */
static ssize_t take(void *user, const char *bytes, size_t size)
{
	struct cookie *cookie = user;

	if (!cookie->error)
		cookie->error = cookie->sink.write(cookie->sink.user, bytes, size);
	errno = cookie->error;
	return cookie->error ? 0 : (ssize_t)size;
}

static int finish(void *user)
{
	struct cookie *cookie = user;
	int error = cookie->error;

	/* The descriptor is gone whatever close() says, and an interruption loses nothing. */
	if (cookie->fd >= 0 && close(cookie->fd) && errno != EINTR && !error)
		error = errno;
	free(cookie);
	errno = error;
	return error ? -1 : 0;
}

static FILE *open_stream(struct cookie *from)
{
	const cookie_io_functions_t functions = {.write = take, .close = finish};
	struct cookie *cookie = malloc(sizeof(*cookie));
	FILE *stream = NULL;

	if (cookie) {
		*cookie = *from;
		if (cookie->fd >= 0)
			cookie->sink = (struct tacho_sink){write_fd, cookie};
		stream = fopencookie(cookie, "w", functions);
	}
	if (!stream) {
		free(cookie);
		tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a stream");
	}
	return stream;
}

FILE *tacho_stream_open(int fd)
{
	return open_stream(&(struct cookie){.fd = fd});
}

static int add_to_buf(void *buf, const void *bytes, size_t size)
{
	tacho__buf_add(buf, bytes, size);
	return ((struct tacho__buf *)buf)->failed ? ENOMEM : 0;
}

struct tacho_sink tacho__stream_sink_to_buf(struct tacho__buf *buf)
{
	return (struct tacho_sink){add_to_buf, buf};
}

FILE *tacho__stream_open_sink(const struct tacho_sink *sink)
{
	return open_stream(&(struct cookie){.sink = *sink, .fd = -1});
}
