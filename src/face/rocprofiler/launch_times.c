/* SPDX-License-Identifier: MIT */
/*
 * A driver tells when a launch ran on a clock that it does not name. If it is one of the host's,
 * the times lie between a moment before the launch and one behind its end on that clock. Those on
 * which they do not are ruled out, launch by launch. While several are left, their difference is
 * smaller than the shortest of the launches that were seen, and the first of them is taken.
 */
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "base/array.h"
#include "face/rocprofiler/rocprofiler.h"
#include "record/wire.h"

static const clockid_t clocks[] = {CLOCK_BOOTTIME, CLOCK_MONOTONIC, CLOCK_MONOTONIC_RAW,
				   CLOCK_REALTIME};

enum {
	CLOCKS = TACHO__ARRAY_SIZE(clocks),
	/* Clocks run at rates that differ by less than this while one of them is corrected. */
	DRIFT_PPM = 500,
	READ_NS = 1000, /* between two of our own reads */
};

struct tacho__rocp_clock {
	struct tacho__rocp_clock *next;
	uint16_t api;
	uint64_t device;
	atomic_uint rejected; /* a bit for each of the host's clocks that it is not */
	atomic_bool is_told;  /* in the log: that it has no times */
};

static _Atomic(struct tacho__rocp_clock *) first;

static struct tacho__rocp_clock *find(uint16_t api, uint64_t device)
{
	struct tacho__rocp_clock *clock = atomic_load(&first);

	while (clock && (clock->device != device || clock->api != api))
		clock = clock->next;
	return clock;
}

struct tacho__rocp_clock *tacho__rocp_clock_find(uint16_t api, uint64_t device)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	struct tacho__rocp_clock *clock = find(api, device);

	if (clock)
		return clock;
	pthread_mutex_lock(&lock);
	clock = find(api, device);
	if (!clock && (clock = calloc(1, sizeof(*clock)))) {
		clock->api = api;
		clock->device = device;
		clock->next = atomic_load(&first);
		atomic_store(&first, clock);
	}
	pthread_mutex_unlock(&lock);
	return clock;
}

static uint64_t read_ns(clockid_t id)
{
	struct timespec now;

	clock_gettime(id, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static void tell(struct tacho__rocp_clock *clock, const char *why)
{
	if (!atomic_exchange(&clock->is_told, true))
		tacho__rocp_log_error("launches have no times: %s", why);
}

void tacho__rocp_times_convert(struct tacho__rocp_clock *clock, uint64_t before_ns,
			       const struct tacho__times *times, uint64_t *out_start_ns,
			       uint64_t *out_end_ns)
{
	unsigned rejected = atomic_load(&clock->rejected);

	*out_start_ns = 0;
	*out_end_ns = 0;
	if (times->code != TACHO__SLOT_TIMES || times->start > times->end) {
		tell(clock, times->code == TACHO__SLOT_TIMES ? "the driver's run backwards"
							     : "the driver tells none");
		return;
	}
	for (unsigned i = 0; i < CLOCKS; i++) {
		uint64_t now_ns = read_ns(clocks[i]), now_own_ns = tacho__rocp_now_ns();
		uint64_t taken_ns = now_own_ns - before_ns;
		uint64_t slack_ns = READ_NS + taken_ns / 1000000 * DRIFT_PPM;

		if (rejected >> i & 1)
			continue;
		if (times->end > now_ns || now_ns - times->start > taken_ns + slack_ns) {
			rejected = atomic_fetch_or(&clock->rejected, 1u << i) | 1u << i;
			continue;
		}
		*out_start_ns = now_own_ns - (now_ns - times->start);
		*out_end_ns = now_own_ns - (now_ns - times->end);
		return;
	}
	tell(clock, "the device's clock is none of the host's");
}
