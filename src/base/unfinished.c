/* SPDX-License-Identifier: MIT */
/* Names of files that are not whole, for a signal that ends the process in the middle. */
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/array.h"
#include "tacho/sys/file.h"

enum { NOTED_MAX = 64 };

/* Of the process, as signals are. */
static struct {
	_Atomic(const char *) paths[NOTED_MAX];
	_Atomic(pid_t) owner; /* who began the last one: a child has no right to them */
} unfinished;

static void note(const char *path)
{
	atomic_store(&unfinished.owner, getpid());
	for (size_t i = 0; i < NOTED_MAX; i++) {
		const char *none = NULL;

		if (atomic_compare_exchange_strong(&unfinished.paths[i], &none, path))
			return;
	}
}

int tacho_unfinished_create(char *path)
{
	sigset_t all, old;
	int fd;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &old);
	fd = mkostemp(path, O_CLOEXEC); /* exclusive, 0600, follows no link */
	if (fd >= 0)
		note(path);
	pthread_sigmask(SIG_SETMASK, &old, NULL);
	return fd;
}

void tacho_unfinished_end(const char *path)
{
	for (size_t i = 0; i < NOTED_MAX; i++) {
		const char *noted = path;

		if (path && atomic_compare_exchange_strong(&unfinished.paths[i], &noted, NULL))
			return;
	}
}

void tacho_unfinished_discard(void)
{
	const char *path;

	if (atomic_load(&unfinished.owner) != getpid())
		return;
	for (size_t i = 0; i < NOTED_MAX; i++) {
		path = atomic_exchange(&unfinished.paths[i], NULL);
		if (path)
			unlink(path);
	}
}
