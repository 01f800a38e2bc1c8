/* SPDX-License-Identifier: MIT */
#include "inject/counting_held.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/futex.h"
#include "inject/counting_engine.h"
#include "intercept/launches.h"

#define LEAVE_NS UINT64_C(1000000000) /* that a process waits for its launches before it leaves */

/* A launch that is counted. */
struct counted {
	uint64_t start;
	uint64_t grid[3];
	uint32_t workgroup[3];
	uint32_t thread;    /* that launched */
	tacho_range range;  /* 0: none */
	bool has_begun;	    /* it has its device */
	bool was_disturbed; /* what is counted is that of another launch, too */
	char name[TACHO__KERNEL_NAME_MAX];
};

static const char not_ended[] = "it was not seen to end before its process did";
static const char has_stopped[] = "its process had stopped counting";
static const char disturbed[] = "a launch on another device ran at the same time";

static struct tacho__count_engine *const engine = &tacho__count_engine;

static struct {
	atomic_uint in_flight;	  /* launches without their last row */
	atomic_bool has_left;	  /* a thread waits for them */
	atomic_uint leave_change; /* what it sleeps on */

	/* Under the engine's lock: of those that have begun. */
	unsigned running;
	struct counted *with_range;
} held;

/* A launch that the program makes while we count one, such as in a signal handler. */
static _Thread_local __attribute__((tls_model("initial-exec"))) bool is_inside;

/* ---- before it is enqueued ---- */

static bool is_wanted(const struct tacho__launch *launch)
{
	struct tacho__counted_kernel kernel = {0};

	snprintf(kernel.name, sizeof(kernel.name), "%s", launch->name);
	if (tacho__selection_wants(&engine->selection, &kernel, launch->is_elsewhere))
		return true;
	tacho__selection_record(&engine->selection);
	return false;
}

static struct counted *keep(const struct tacho__launch *launch)
{
	struct counted *counted = calloc(1, sizeof(*counted));

	if (!counted)
		return NULL;
	counted->start = launch->start;
	counted->thread = (uint32_t)gettid();
	memcpy(counted->grid, launch->grid, sizeof(counted->grid));
	memcpy(counted->workgroup, launch->workgroup, sizeof(counted->workgroup));
	snprintf(counted->name, sizeof(counted->name), "%s", launch->name);
	return counted;
}

static void *attach(const struct tacho__launch *launch)
{
	struct counted *counted;

	if (is_inside || !atomic_load_explicit(&engine->is_on, memory_order_relaxed) ||
	    tacho__count_engine_is_fork() || !is_wanted(launch))
		return NULL;
	counted = keep(launch);
	tacho__count_engine_tell_empty(launch->start, 0,
				       counted ? not_ended : "there was no memory to count it");
	if (counted)
		atomic_fetch_add(&held.in_flight, 1);
	return counted;
}

/* ---- while it has its device; under the lock ---- */

static int begin_range(struct counted *counted)
{
	int rc = tacho__count_engine_open_session();

	if (!rc)
		rc = tacho__count_engine_begin_range(engine->session, counted->name,
						     &counted->range);
	return rc;
}

static int end_range(struct counted *counted)
{
	return counted->range ? tacho_session_end_range(engine->session, counted->range) : 0;
}

/* A simulated device does its work when the launch has ended. */
static int simulate(struct counted *counted)
{
	int rc = begin_range(counted), rc_end;

	if (rc)
		return rc;
	rc = tacho__count_engine_simulate(counted->name, counted->grid, counted->workgroup);
	rc_end = end_range(counted);
	return rc ? rc : rc_end;
}

/* Counters are of all that a device does, and its driver may have several devices. */
static int run(struct counted *counted)
{
	counted->has_begun = true;
	if (!held.running++) {
		held.with_range = counted;
		return begin_range(counted);
	}
	counted->was_disturbed = true;
	if (held.with_range)
		held.with_range->was_disturbed = true;
	return 0;
}

static void begin(void *attached)
{
	bool was_inside = is_inside;
	int rc = 0;

	is_inside = true;
	pthread_mutex_lock(&engine->lock);
	if (atomic_load(&engine->is_on) && !engine->kernels)
		rc = run(attached);
	if (rc)
		tacho__count_engine_give_up_by_error();
	pthread_mutex_unlock(&engine->lock);
	is_inside = was_inside;
}

/* ---- the process leaves ---- */

/* A driver may tell a launch's end to us after it has told it to the program. */
static void leave(void)
{
	uint64_t end_ns = tacho__clock_raw_ns() + LEAVE_NS, now_ns;

	if (getpid() != engine->pid || atomic_exchange(&held.has_left, true))
		return;
	for (;;) {
		unsigned seen = atomic_load(&held.leave_change);

		now_ns = tacho__clock_raw_ns();
		if (!atomic_load(&held.in_flight) || now_ns >= end_ns)
			break;
		tacho__futex_wait(&held.leave_change, seen, end_ns - now_ns);
	}
}

/* Before what the driver does when the process leaves: it was asked for at its first launch. */
static void leave_first(void)
{
	atexit(leave);
}

/* ---- its end; under the lock ---- */

/* Why it has no values; NULL: it may have some. */
static const char *find_reason(const struct counted *counted,
			       const struct tacho__launch_outcome *outcome)
{
	if (outcome->end != TACHO__LAUNCH_ENDED)
		return outcome->why;
	if (counted->was_disturbed)
		return disturbed;
	return atomic_load(&engine->is_on) ? NULL : has_stopped;
}

/* What the range counted has to be taken, whether somebody wants it or not. */
static int collect(struct counted *counted, bool is_wanted_now)
{
	const struct tacho__row_info info = {
		.start = counted->start, .thread = counted->thread, .note = ""};
	int rc = 0;

	if (counted->has_begun) {
		held.running--;
		if (held.with_range == counted)
			held.with_range = NULL;
		rc = end_range(counted);
	} else if (is_wanted_now && engine->kernels) {
		rc = simulate(counted);
	}
	if (!rc && counted->range)
		rc = tacho__count_engine_take_row(engine->session, is_wanted_now ? &info : NULL);
	return rc;
}

static const char *finish(struct counted *counted, const struct tacho__launch_outcome *outcome)
{
	const char *why = find_reason(counted, outcome);
	int rc = collect(counted, !why);

	if (rc)
		tacho__count_engine_give_up_by_error();
	if (why)
		return why;
	return rc || !counted->range ? has_stopped : NULL;
}

static void end(void *attached, const struct tacho__launch_outcome *outcome)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	struct counted *counted = attached;
	bool was_inside = is_inside;
	const char *why;

	is_inside = true;
	pthread_mutex_lock(&engine->lock);
	why = finish(counted, outcome);
	pthread_mutex_unlock(&engine->lock);
	if (why && outcome->end != TACHO__LAUNCH_REFUSED) /* then there is no launch */
		tacho__count_engine_tell_empty(counted->start, counted->thread, why);
	is_inside = was_inside;
	free(counted);
	atomic_fetch_sub(&held.in_flight, 1);
	if (atomic_load(&held.has_left))
		tacho__futex_raise(&held.leave_change);
	pthread_once(&once, leave_first);
}

bool tacho__count_held_start(void)
{
	static const struct tacho__launch_subscriber subscriber = {
		.attach = attach, .begin = begin, .end = end};

	if (!tacho__launches_subscribe(&subscriber))
		return false;
	atomic_store(&engine->is_subscribed, true);
	atexit(leave);
	return true;
}
