/* SPDX-License-Identifier: MIT */
/* What counting asks of the system, in one table: tests put a kernel of their own behind it. */
#ifndef TACHO_BACKEND_INTEL_SYSTEM_H
#define TACHO_BACKEND_INTEL_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Each returns -1 with errno set, as the system call of its name. `user` is the table's. */
struct tacho__intel_system {
	void *user;
	int (*open)(void *user, const char *path);
	int (*ioctl)(void *user, int fd, unsigned long request, void *argument);
	ssize_t (*read)(void *user, int fd, void *bytes, size_t size);
	/* 1: there is something to read or an error to learn of; 0: not within the time. */
	int (*poll)(void *user, int fd, int timeout_ms);
	void (*close)(void *user, int fd);
	/* CAP_PERFMON or CAP_SYS_ADMIN is effective. */
	bool (*is_privileged)(void *user);
};

/* The real one. */
extern const struct tacho__intel_system tacho__intel_kernel;

/* Again when a signal came. */
int tacho__intel_ioctl(const struct tacho__intel_system *system, int fd, unsigned long request,
		       void *argument);

#endif
