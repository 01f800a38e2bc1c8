/* SPDX-License-Identifier: MIT */
/* Starting to record in a process image, and again in a forked child. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/futex.h"
#include "record/recorder.h"
#include "record/writer.h"
#include "record/subscriber.h"

enum { START_WAIT_MS = 2000 };

struct tacho__recorder tacho__recorder;

void tacho__record_add_table(uint16_t api, const char *text, size_t size)
{
	struct tacho__recorder *r = &tacho__recorder;

	for (unsigned i = 0; i < r->table_count; i++)
		if (r->tables[i].api == api)
			return;
	if (r->table_count < TACHO__TABLES_MAX)
		r->tables[r->table_count++] =
			(struct tacho__table){.api = api, .text = text, .size = size};
}

static void forget_in_child(void)
{
	atomic_store(&tacho__recorder.page->state, TACHO__RECORDER_NONE);
}

/* The page that tells a forked child that it is one. */
static struct tacho__fork_page *make_fork_page(void)
{
	size_t bytes = (size_t)sysconf(_SC_PAGESIZE);
	void *page = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (page == MAP_FAILED)
		return NULL;
	/* Linux before 4.14 cannot wipe: there libc's handler does, for fork() but not for clone()
	 */
	if (madvise(page, bytes, MADV_WIPEONFORK))
		pthread_atfork(NULL, NULL, forget_in_child);
	return page;
}

/* Everything of the process image, as if it were never used. */
static void reset(struct tacho__recorder *r)
{
	size_t from = offsetof(struct tacho__recorder, directory);

	memset((char *)r + from, 0, sizeof(*r) - from);
	r->pid = (uint32_t)getpid();
	r->page->generation = ++r->generations;
}

/* Whether the program's own clock, files and threads allow a recorder here. */
static bool start_image(struct tacho__recorder *r)
{
	reset(r);
	if (r->only_pid && r->only_pid != r->pid)
		return false;
	if (!tacho__helper_start())
		return false;
	for (uint64_t waited = 0; waited < START_WAIT_MS && !atomic_load(&r->up);
	     waited += TACHO__WAIT_MS)
		tacho__futex_wait(&r->up, 0, UINT64_C(1000000) * TACHO__WAIT_MS);
	return atomic_load(&r->up) != 2;
}

bool tacho__recorder_alive(void)
{
	struct tacho__fork_page *page = tacho__recorder.page;
	unsigned state = atomic_load_explicit(&page->state, memory_order_acquire);
	unsigned none = TACHO__RECORDER_NONE;
	int error = errno;

	if (state == TACHO__RECORDER_ON)
		return true;
	if (state == TACHO__RECORDER_NONE &&
	    atomic_compare_exchange_strong(&page->state, &none, TACHO__RECORDER_STARTING)) {
		state = start_image(&tacho__recorder) ? TACHO__RECORDER_ON : TACHO__RECORDER_OFF;
		atomic_store(&page->state, state);
		errno = error;
	}
	return state == TACHO__RECORDER_ON;
}

static bool read_environment(struct tacho__recorder *r)
{
	const char *root = getenv("TACHO_RECORD"), *only = getenv("TACHO_ONLY_PID");
	const char *stamp = getenv(TACHO__STAMP_VARIABLE);

	if (!root || root[0] != '/' || strlen(root) >= sizeof(r->root))
		return false;
	strcpy(r->root, root);
	snprintf(r->stamp, sizeof(r->stamp), "%s", stamp ? stamp : "");
	r->only_pid = only ? (uint32_t)strtoul(only, NULL, 10) : 0;
	return true;
}

static void start_once(void)
{
	struct tacho__recorder *r = &tacho__recorder;

	if (!read_environment(r))
		return;
	tacho__clock_init();
	r->page = make_fork_page();
	if (!r->page || !tacho__recorder_alive())
		return;
	tacho__record_subscribe();
}

bool tacho__record_start(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	int error = errno;

	pthread_once(&once, start_once);
	errno = error;
	return tacho__recorder.page && tacho__recorder_alive();
}
