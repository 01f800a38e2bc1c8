/* SPDX-License-Identifier: MIT */
/* Going on with a pool whose keeper was killed: everything that matters lies in it. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/error.h"
#include "record/keeper/keeper_private.h"

/* Whether the files are as long as the commit would have made them. */
static bool was_written(const struct keeper *k, const struct tacho__pool_commit *intended)
{
	return tacho__keeper_files_measure(&k->files, TACHO__KEEPER_CONTROL) >=
		       intended->control_bytes &&
	       (!intended->segment_bytes ||
		tacho__keeper_files_measure(&k->files, intended->segment) >=
			intended->segment_bytes);
}

/* Windows before the one where the stream is now lie in files. */
static void free_taken(struct keeper *k, uint32_t stream, uint32_t from, uint32_t to)
{
	for (uint32_t bound = k->pool->window_count; from && from != to && bound; bound--) {
		uint32_t window = from - 1;

		if (window >= k->pool->window_count ||
		    atomic_load(&k->pool->windows[window]) != TACHO__POOL_OWNED + stream)
			return;
		from = atomic_load(&tacho__pool_window(k->pool, window)->next);
		tacho__keeper_free_window(k, window);
	}
}

/*
 * A commit that the other keeper did not see through: it is finished, or it never was. How far a
 * stream is comes before its windows are free: whoever is killed here leaves some that nobody uses
 * until the stream ends, and none that is freed twice.
 */
static void settle(struct keeper *k)
{
	struct tacho__pool *pool = k->pool;
	uint32_t round = pool->intended.round;
	bool is_done = round != pool->committed.round && was_written(k, &pool->intended);

	for (uint32_t i = 0; i < TACHO__POOL_STREAMS_MAX; i++) {
		struct tacho__pool_stream *shared = &pool->stream[i];
		uint32_t from = shared->now.window;

		if (is_done && shared->round == round &&
		    atomic_load(&shared->state) >= TACHO__POOL_OWNED) {
			shared->now = shared->next;
			atomic_thread_fence(memory_order_seq_cst);
			free_taken(k, i, from, shared->next.window);
		}
	}
	if (is_done)
		tacho__keeper_conclude(k);
	/* The next commit may bear the same number, and be another one of other streams. */
	__atomic_store_n(&pool->intended.round, pool->committed.round, __ATOMIC_RELEASE);
	for (uint32_t i = 0; i < TACHO__POOL_STREAMS_MAX; i++)
		pool->stream[i].round = 0;
}

void tacho__keeper_resume(struct keeper *k)
{
	settle(k);
	tacho__keeper_forget_undone(k);
	for (uint32_t i = 0; i < TACHO__POOL_STREAMS_MAX; i++) {
		if (atomic_load(&k->pool->stream[i].state) < TACHO__POOL_OWNED ||
		    !k->pool->stream[i].serial)
			continue;
		k->streams[i] = TACHO__STREAM_LIVE;
		k->stream_bound = i + 1;
		/* whom the other one was about to look at, it told nobody */
		atomic_fetch_or(&k->pool->switched[i / 64], UINT64_C(1) << (i % 64));
	}
}

/* What another keeper would do that is started now; it goes on where processes still record. */
static int finish(const struct tacho__keeper *starter, int pool_fd)
{
	struct keeper *k = tacho__keeper_make(starter, pool_fd);
	int error;

	if (!k)
		return ENOMEM;
	tacho__keeper_resume(k);
	error = tacho__keeper_begin(k);
	if (!error) {
		tacho__keeper_greet(k);
		tacho__keeper_sweep(k);
		error = k->files.error;
	}
	if (!error && !k->live) {
		tacho__keeper_finish(k);
		unlink(starter->path);
	}
	tacho__keeper_destroy(k);
	return error;
}

static int fail(const char *pool_path, const char *stage, int error)
{
	int code = error == ENOENT    ? TACHO_E_NOTFOUND
		   : error == ENOMEM  ? TACHO_E_NOMEM
		   : error == ELIBBAD ? TACHO_E_VERSION
				      : TACHO_E_IO;

	return tacho__fail_vendor(
		tacho__fail(code,
			    error == ELIBBAD
				    ? "it is another version's"
				    : tacho__detail("%s (errno %d)", strerror(error), error),
			    "", "cannot %s the memory of the recording, %s", stage, pool_path),
		error);
}

int tacho__keeper_recover(int directory_fd, const char *pool_path, const char *stamp)
{
	struct tacho__keeper starter = {.directory_fd = directory_fd};
	uint32_t windows = 0;
	const char *stage;
	int error, fd;

	snprintf(starter.path, sizeof(starter.path), "%s", pool_path);
	starter.pool = tacho__pool_open(pool_path, &windows, &stage, &error);
	if (!starter.pool)
		return fail(pool_path, stage, error);
	fd = open(pool_path, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		error = errno;
	else if (windows != starter.pool->window_count)
		error = ENOMEM;
	else if (strncmp(starter.pool->stamp, stamp, sizeof(starter.pool->stamp)))
		error = ENOENT;
	else
		error = finish(&starter, fd);
	if (fd >= 0)
		close(fd);
	munmap(starter.pool, tacho__pool_bytes(windows));
	return error ? fail(pool_path, "write down", error) : 0;
}
