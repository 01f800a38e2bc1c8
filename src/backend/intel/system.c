/* SPDX-License-Identifier: MIT */
#include "backend/intel/system.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/fs.h"

/* include/uapi/linux/capability.h */
enum { STATUS_MAX = 64 * 1024, SYS_ADMIN_BIT = 21, PERFMON_BIT = 38 };

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
	struct tacho__buf text = {0};
	const char *key = "\nCapEff:", *at = NULL;
	unsigned long long capabilities = 0;

	(void)user;
	if (!tacho__fs_read("/proc/self/status", STATUS_MAX, &text))
		at = strstr(tacho__buf_text(&text), key);
	if (at)
		capabilities = strtoull(at + strlen(key), NULL, 16);
	tacho__buf_finish(&text);
	return capabilities >> PERFMON_BIT & 1 || capabilities >> SYS_ADMIN_BIT & 1;
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
