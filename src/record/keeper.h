/* SPDX-License-Identifier: MIT */
/*
 * The keeper of a recording, from outside: the process that takes records out of the pool and
 * writes them into files. docs/recording.md tells what it does; src/record/keeper/ does it.
 */
#ifndef TACHO_RECORD_KEEPER_H
#define TACHO_RECORD_KEEPER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "record/pool.h"

/* What a recording may take, and of what. */
struct tacho__keeper_limits {
	uint64_t max_bytes;	  /* of its files; 0: a tenth of what is free at the start */
	uint64_t ring_bytes;	  /* keep only the newest; 0: keep all */
	uint64_t max_calls;	  /* record no more than so many; 0: all */
	uint64_t max_launches;	  /* nothing behind the launch with this number; 0: all */
	bool only_work;		  /* no other calls than those that give work, or wait for it */
	const char *const *calls; /* patterns of functions; NULL: all */
	uint32_t call_count;
	bool is_synced;	     /* to the disk, each second */
	uint64_t pool_bytes; /* at most; 0: what is usual */
};

/* The keeper as its starter holds it. */
struct tacho__keeper {
	struct tacho__pool *pool;
	char path[256];			    /* of the pool */
	char *directory;		    /* of the recording, absolute; owned */
	struct tacho__keeper_limits limits; /* with copies of its texts */
	char **calls;
	pid_t pid;	  /* 0: it does not run */
	int wire;	  /* to it: it lives until this is closed, or longer */
	int directory_fd; /* of the recording, owned */
};

/*
 * Makes a pool for the recording in the open folder, and starts its keeper. The lock on the folder
 * goes over to it. `stamp` is the recording's. IO, PERM, NOMEM, UNSUPPORTED: nowhere to put a pool.
 */
int tacho__keeper_start(int directory_fd, const char *directory, const char *stamp,
			const struct tacho__keeper_limits *limits,
			struct tacho__keeper *out_keeper);

/* Whether it lives; starts another one when it was killed. */
bool tacho__keeper_look_after(struct tacho__keeper *keeper);

/*
 * After the program has ended: waits until all that was recorded is written. The keeper may live
 * on, for processes that do; its pool says so.
 */
void tacho__keeper_end(struct tacho__keeper *keeper);
/* Frees what the starter holds. A keeper that was not told the end goes on until it finds it. */
void tacho__keeper_release(struct tacho__keeper *keeper);

/*
 * Tells the keeper of a pool that nobody needs it any more. False when a process still records,
 * *out_process, when the program still runs, *out_process 0, or when it cannot be told.
 */
bool tacho__keeper_dismiss(const char *pool_path, uint32_t *out_process);

/* Removes the pool of a recording that is removed, and whose keeper is no more. */
void tacho__keeper_discard(const char *pool_path, const char *stamp);

/* Asks the keeper that works on the pool to write all, and waits; false when it did not. */
bool tacho__keeper_sync(struct tacho__pool *pool, uint64_t timeout_ns);

/*
 * Takes what is left out of the pool of a recording whose keeper was killed, and removes the pool
 * when no process uses it any more. `directory_fd` is locked by the caller. NOTFOUND: there is no
 * such pool any more; VERSION, IO, NOMEM.
 */
int tacho__keeper_recover(int directory_fd, const char *pool_path, const char *stamp);

#endif
