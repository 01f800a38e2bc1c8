/* SPDX-License-Identifier: MIT */
#include "backend/intel/system.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "backend/perf/perf.h"

static int system_open(void *user, const char *path)
{
	(void)user;
	return open(path, O_RDWR | O_CLOEXEC);
}

static int system_ioctl(void *user, int fd, unsigned long request, void *argument)
{
	(void)user;
	return ioctl(fd, request, argument);
}

static ssize_t system_read(void *user, int fd, void *bytes, size_t size)
{
	(void)user;
	return read(fd, bytes, size);
}

static int system_poll(void *user, int fd, int timeout_ms)
{
	struct pollfd item = {.fd = fd, .events = POLLIN};

	(void)user;
	return poll(&item, 1, timeout_ms);
}

static void system_close(void *user, int fd)
{
	(void)user;
	close(fd);
}

static bool system_is_privileged(void *user)
{
	struct tacho__perf_rights rights;

	(void)user;
	tacho__perf_get_rights(&rights);
	return rights.is_perfmon;
}

const struct tacho__intel_system tacho__intel_kernel = {
	.open = system_open,
	.ioctl = system_ioctl,
	.read = system_read,
	.poll = system_poll,
	.close = system_close,
	.is_privileged = system_is_privileged,
};

int tacho__intel_ioctl(const struct tacho__intel_system *system, int fd, unsigned long request,
		       void *argument)
{
	int result;

	do
		result = system->ioctl(system->user, fd, request, argument);
	while (result < 0 && (errno == EINTR || errno == EAGAIN));
	return result;
}
