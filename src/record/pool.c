/* SPDX-License-Identifier: MIT */
#include "record/pool.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

const char *tacho__pool_build(void)
{
	return "tacho " TACHO_VERSION;
}

static size_t window_offset(void)
{
	return (sizeof(struct tacho__pool) + TACHO__WINDOW_UNIT - 1) &
	       ~(size_t)(TACHO__WINDOW_UNIT - 1);
}

size_t tacho__pool_bytes(uint32_t window_count)
{
	return window_offset() + (size_t)window_count * TACHO__POOL_WINDOW_BYTES;
}

/* Maps as much as the program's limits allow: all, an eighth, a sixty-fourth. */
static struct tacho__pool *map(int fd, size_t file_bytes, uint32_t *out_windows)
{
	size_t whole = (file_bytes - window_offset()) / TACHO__POOL_WINDOW_BYTES;

	for (size_t count = whole; count; count /= 8) {
		void *mapped = mmap(NULL, tacho__pool_bytes((uint32_t)count),
				    PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, 0);

		if (mapped != MAP_FAILED) {
			*out_windows = (uint32_t)count;
			return mapped;
		}
	}
	return NULL;
}

static bool is_ours(const struct tacho__pool *pool)
{
	return pool->magic == TACHO__POOL_MAGIC && pool->bytes == sizeof(*pool) &&
	       pool->window_offset == window_offset() &&
	       !strncmp(pool->build, tacho__pool_build(), sizeof(pool->build));
}

struct tacho__pool *tacho__pool_open(const char *path, uint32_t *out_windows,
				     const char **out_stage, int *out_error)
{
	struct tacho__pool *pool = NULL;
	struct stat status;
	int fd = open(path, O_RDWR | O_NOFOLLOW | O_CLOEXEC);

	*out_stage = "open";
	*out_error = errno;
	if (fd < 0)
		return NULL;
	*out_stage = "look at";
	*out_error = EINVAL;
	if (!fstat(fd, &status) && S_ISREG(status.st_mode) &&
	    (size_t)status.st_size >= tacho__pool_bytes(1) &&
	    (size_t)status.st_size <= tacho__pool_bytes(TACHO__POOL_WINDOWS_MAX)) {
		*out_stage = "map";
		pool = map(fd, (size_t)status.st_size, out_windows);
		*out_error = pool ? 0 : errno;
	}
	close(fd);
	if (pool && !is_ours(pool)) {
		munmap(pool, tacho__pool_bytes(*out_windows));
		*out_stage = "use";
		*out_error = ELIBBAD;
		return NULL;
	}
	return pool;
}

int32_t tacho__pool_claim(struct tacho__pool *pool, uint32_t limit, uint32_t owner)
{
	uint32_t ready = atomic_load_explicit(&pool->ready, memory_order_acquire);

	if (ready > limit)
		ready = limit;
	for (uint32_t i = 0; i < ready; i++) {
		unsigned state = TACHO__POOL_FREE;

		if (atomic_load_explicit(&pool->windows[i], memory_order_relaxed) == state &&
		    atomic_compare_exchange_strong_explicit(
			    &pool->windows[i], &state, TACHO__POOL_OWNED + owner,
			    memory_order_acquire, memory_order_relaxed))
			return (int32_t)i;
	}
	return -1;
}
