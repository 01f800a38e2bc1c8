/* SPDX-License-Identifier: MIT */
/*
 * Before a recording is read: what only its pool holds goes into its files. Its keeper does that
 * when asked; where it was killed, the reader does.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/error.h"
#include "base/fs.h"
#include "record/keeper.h"
#include "record/reader.h"

#define SYNC_NS	      UINT64_C(20000000000) /* of a disk that is slow for a while */
#define SYNC_ERROR_NS UINT64_C(3000000000)

enum { TRIES_MAX = 300, PAUSE_US = 10000, STAT_BYTES_MAX = 4096 };

static int fault(struct tacho_recording *recording, const char *what, int error)
{
	const struct tacho_fault info = {.what = what, .path = recording->pool, .error = error};

	return tacho__fault_add(recording, &info, 0);
}

/* A keeper that cannot write is not waited for long. */
static bool sync_pool(struct tacho__pool *pool)
{
	return tacho__keeper_sync(pool, atomic_load(&pool->write_error) ? SYNC_ERROR_NS : SYNC_NS);
}

/* Somebody writes into it: a moment ago is good enough for what is read now. */
static int ask_keeper(struct tacho_recording *recording)
{
	const char *stage;
	uint32_t windows;
	int error, rc = 0;
	struct tacho__pool *pool = tacho__pool_open(recording->pool, &windows, &stage, &error);

	if (!pool)
		return error == ENOENT ? 0
				       : fault(recording, "holds calls that cannot be read", error);
	if (!strncmp(pool->stamp, recording->stamp, sizeof(pool->stamp)) &&
	    atomic_load(&pool->keeper_state) != TACHO__KEEPER_ENDED && !sync_pool(pool))
		rc = fault(recording, "holds calls that its keeper did not write when asked", 0);
	munmap(pool, tacho__pool_bytes(windows));
	return rc;
}

static int recover(struct tacho_recording *recording, int fd)
{
	int rc = tacho__keeper_recover(fd, recording->pool, recording->stamp);

	if (rc == TACHO_E_NOTFOUND || rc == TACHO_E_NOMEM)
		return rc == TACHO_E_NOTFOUND ? 0 : rc;
	return rc ? fault(recording, "holds calls that could not be written",
			  tacho_error_last()->vendor_code)
		  : 0;
}

/* Killed, but its parent has not looked yet. */
static bool is_zombie(pid_t pid)
{
	struct tacho__buf text = {0};
	const char *name_end = NULL;
	char path[64];
	bool found;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	if (!tacho__fs_read(path, STAT_BYTES_MAX, &text))
		name_end = strrchr(tacho__buf_text(&text), ')');
	found = name_end && !strncmp(name_end, ") Z", 3);
	tacho__buf_finish(&text);
	return found;
}

static bool keeper_lives(const struct tacho_recording *recording)
{
	const char *stage;
	uint32_t windows;
	int error;
	struct tacho__pool *pool = tacho__pool_open(recording->pool, &windows, &stage, &error);
	pid_t pid = pool ? (pid_t)atomic_load(&pool->keeper_pid) : 0;

	if (pool)
		munmap(pool, tacho__pool_bytes(windows));
	return pid > 0 && !is_zombie(pid) && (!kill(pid, 0) || errno == EPERM);
}

int tacho__recording_settle(struct tacho_recording *recording)
{
	int fd, rc = 0;

	if (!*recording->pool)
		return 0;
	if (access(recording->pool, F_OK))
		return errno == ENOENT ? 0 : fault(recording, "cannot be looked for", errno);
	fd = open(recording->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return 0; /* reading says what is wrong */
	recording->is_live = keeper_lives(recording);
	for (int tries = 0; !recording->is_live && flock(fd, LOCK_EX | LOCK_NB); tries++) {
		if (tries == TRIES_MAX)
			break;
		usleep(PAUSE_US); /* another reader is at it, or a starter */
		recording->is_live = keeper_lives(recording);
	}
	rc = recording->is_live ? ask_keeper(recording) : recover(recording, fd);
	close(fd);
	return rc;
}
