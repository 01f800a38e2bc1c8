/* SPDX-License-Identifier: MIT */
/*
 * A face that counts nothing: it has all launches held (with HOLD_NONE, none), and writes what
 * became of each into the file HOLD_FILE, a line each: kernel, outcome, the error, device times of
 * start and end, and whether it was alone between begin() and end(); with HOLD_QUIET, for timing,
 * it writes nothing. A program that leaves waits until all is told, but with HOLD_LEAVES.
 */
#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "intercept/launch_devices.h"
#include "intercept/launches.h"
#include "record/wire.h"

enum { NAME_MAX_BYTES = 64, DEVICES_MAX = 16 };

struct launch {
	char name[NAME_MAX_BYTES];
	bool has_begun, was_alone;
};

static FILE *file;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int running; /* launches between begin() and end() */
static atomic_int untold;
static bool is_quiet;

TACHO_API void tacho__face_start(void);

static void *attach(const struct tacho__launch *told)
{
	struct launch *launch;

	if (getenv("HOLD_NONE"))
		return NULL;
	launch = calloc(1, sizeof(*launch));
	if (!launch)
		abort();
	snprintf(launch->name, sizeof(launch->name), "%s", told->name);
	atomic_fetch_add(&untold, 1);
	return launch;
}

static void begin(void *attached)
{
	struct launch *launch = attached;

	launch->has_begun = true;
	launch->was_alone = atomic_fetch_add(&running, 1) == 0;
}

static void end(void *attached, const struct tacho__launch_outcome *outcome)
{
	static const char *const ends[] = {"ended", "beside", "failed", "refused", "unseen"};
	struct launch *launch = attached;

	if (launch->has_begun)
		atomic_fetch_sub(&running, 1);
	if (is_quiet)
		goto out;
	pthread_mutex_lock(&lock);
	fprintf(file, "%s %s %d %" PRIu64 " %" PRIu64 " %s\n", launch->name, ends[outcome->end],
		outcome->vendor_code,
		outcome->times.code == TACHO__SLOT_TIMES ? outcome->times.start : 0,
		outcome->times.code == TACHO__SLOT_TIMES ? outcome->times.end : 0,
		launch->was_alone ? "alone" : "-");
	fflush(file);
	pthread_mutex_unlock(&lock);
out:
	free(launch);
	atomic_fetch_sub(&untold, 1);
}

static void await_all(void)
{
	while (!getenv("HOLD_LEAVES") && atomic_load(&untold))
		sched_yield();
}

void tacho__face_start(void)
{
	static const struct tacho__launch_subscriber subscriber = {attach, begin, end};
	static struct tacho__launch_device devices[DEVICES_MAX];
	const char *path = getenv("HOLD_FILE");
	size_t count = tacho__launch_devices_list(devices, DEVICES_MAX);

	is_quiet = getenv("HOLD_QUIET") != NULL;
	file = path ? fopen(path, "w") : stderr;
	if (!file)
		abort();
	for (size_t i = 0; i < count && i < DEVICES_MAX; i++)
		fprintf(file, "# %s, %s: %" PRIu32 " units, %" PRIu64 " bytes, kind %" PRIu32 "\n",
			devices[i].name, devices[i].driver, devices[i].compute_units,
			devices[i].memory_bytes, devices[i].kind);
	fflush(file);
	tacho__launches_subscribe(&subscriber);
	atexit(await_all);
}
