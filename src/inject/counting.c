/* SPDX-License-Identifier: MIT */
#include "inject/counting.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <unistd.h>

#include "inject/counting_engine.h"
#include "inject/counting_held.h"
#include "intercept/workers.h"
#include "tacho/error.h"

#define NS_PER_S UINT64_C(1000000000)

const char tacho__count_timeout[] = "the device did not become idle in time";

static struct tacho__count_engine *const engine = &tacho__count_engine;
static bool is_held; /* launches are counted without the program waiting (counting_held.h) */

/* A launch that the program makes while we count one, such as in a signal handler. */
static _Thread_local __attribute__((tls_model("initial-exec"))) bool is_inside;

bool tacho__counting_is_on(void)
{
	return atomic_load_explicit(&engine->is_on, memory_order_relaxed);
}

bool tacho__counting_chooses_devices(void)
{
	return tacho__counting_is_on() && engine->counting && engine->counting->select.device_count;
}

bool tacho__counting_selects_device(const struct tacho_counting_device *device)
{
	return !tacho__counting_chooses_devices() ||
	       tacho_counting_selects_device(engine->counting, device);
}

bool tacho__counting_replays(void)
{
	return tacho__counting_is_on() && tacho__count_engine_replays();
}

void tacho__counting_start(const struct tacho_counting_control *control)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	int error = errno;

	engine->selection.control = control;
	pthread_once(&once, tacho__count_engine_start);
	errno = error;
}

/* ---- one launch that is waited for ---- */

/* What happens to one launch while it is counted. Under the lock. */
struct counted {
	const struct tacho__count_launch *launch;
	const struct tacho__count_calls *calls;
	void *user;
	struct tacho_session *session;
	const char *note; /* of its row */
	bool has_run;
	bool is_refused; /* by the API: there is no launch */
	const char *end; /* why it has no values; NULL: it ended, and has some */
	bool is_half_restored;
};

/* The launch in a range of its own. The launch runs whatever happens to the range. */
static int run_in_range(struct counted *counted)
{
	const struct tacho__count_launch *launch = counted->launch;
	tacho_range range = 0;
	int rc = tacho__count_engine_begin_range(counted->session, launch->kernel->name, &range);

	counted->is_refused = !counted->calls->run(counted->user);
	counted->has_run = true;
	if (!counted->is_refused)
		counted->end = counted->calls->wait(counted->user, engine->timeout_ns);
	if (!rc && engine->kernels && !counted->is_refused)
		rc = tacho__count_engine_simulate(launch->kernel->name, launch->grid,
						  launch->workgroup);
	if (range && tacho_session_end_range(counted->session, range) && !rc)
		rc = TACHO_E_LOST;
	return rc;
}

/* Takes the one row and tells it; that of a launch which was refused or did not end is dropped. */
static int record_row(struct counted *counted)
{
	const struct tacho__row_info info = {.start = counted->launch->start,
					     .note = counted->note ? counted->note : ""};

	return tacho__count_engine_take_row(counted->session,
					    counted->is_refused || counted->end ? NULL : &info);
}

static bool restore(struct counted *counted)
{
	enum tacho__restored restored = counted->calls->restore(counted->user);

	counted->is_half_restored = restored == TACHO__RESTORED_PART;
	if (restored == TACHO__RESTORED_NOTHING)
		counted->end = "the device refused to bring back the launch's memory";
	else if (restored == TACHO__RESTORED_PART)
		counted->end = "the device brought back a part of the launch's memory only";
	return restored == TACHO__RESTORED;
}

/*
 * In a session of its own: as CALLER all passes, one after the other, with the memory as it was
 * before each; as PROCESS one of them.
 */
static int count_alone(struct counted *counted, uint32_t replay)
{
	int rc = tacho__count_engine_create_session(replay, &counted->session), more = 1;

	for (uint32_t pass = 0; !rc && more; pass++) {
		rc = tacho_session_begin_pass(counted->session);
		if (!rc && pass && !restore(counted))
			break;
		if (!rc)
			rc = run_in_range(counted);
		if (counted->is_refused || counted->end)
			break;
		if (!rc)
			rc = tacho_session_end_pass(counted->session, &more);
	}
	if (!rc && !counted->is_refused && !counted->end)
		rc = record_row(counted);
	return rc;
}

/* In the session that goes on. */
static int count_on(struct counted *counted)
{
	int rc = tacho__count_engine_open_session();

	counted->session = engine->session;
	if (!rc)
		rc = run_in_range(counted);
	return rc ? rc : record_row(counted);
}

static void record_empty_row(const struct counted *counted, const char *why)
{
	tacho__count_engine_tell_empty(counted->launch->start, 0, why);
}

static void count(struct counted *counted)
{
	bool replays = tacho__counting_replays();
	const char *why = counted->calls->drain(counted->user, engine->timeout_ns);
	int rc = 0;

	if (why) {
		record_empty_row(counted, why);
		if (why == tacho__count_timeout)
			tacho__count_engine_give_up("give it longer with --timeout",
						    "the device did not become idle within %" PRIu64
						    " s before a launch of %s",
						    engine->timeout_ns / NS_PER_S,
						    counted->launch->kernel->name);
		return;
	}
	if (replays)
		counted->note =
			counted->calls->save(counted->user, engine->counting->replay_memory_bytes);
	rc = replays ? count_alone(counted,
				   counted->note ? TACHO_REPLAY_PROCESS : TACHO_REPLAY_CALLER)
		     : count_on(counted);
	counted->calls->finish(counted->user);
	if (counted->end)
		record_empty_row(counted, counted->end == tacho__count_timeout
						  ? "it did not end before --timeout"
						  : counted->end);
	if (counted->end == tacho__count_timeout)
		tacho__count_engine_give_up(
			"give it longer with --timeout, or leave it out with --exclude",
			"kernel %s did not end within %" PRIu64 " s", counted->launch->kernel->name,
			engine->timeout_ns / NS_PER_S);
	else if (counted->is_half_restored)
		tacho__count_engine_give_up(
			"do not trust this run's results; count with --replay process or rotate, "
			"which bring nothing back",
			"the device brought back a part of the memory of kernel %s and refused the "
			"rest, so what the kernel wrote may be wrong",
			counted->launch->kernel->name);
	else if (rc)
		tacho__count_engine_give_up_by_error();
	if (counted->session != engine->session)
		tacho_session_destroy(counted->session);
}

/*
 * A driver without threads of its own runs kernels on a thread of the program that waits: what they
 * do is known only when that is this one.
 */
static void decide_once(void)
{
	is_held = !tacho__count_engine_replays() &&
		  (engine->kernels || tacho__workers_are_known()) && tacho__count_held_start();
}

static bool must_wait(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, decide_once);
	return !is_held;
}

/* No lock: a forked child might find it taken. */
static void tell_selected(const struct tacho__count_launch *launch)
{
	if (tacho__selection_wants(&engine->selection, launch->kernel, launch->is_elsewhere))
		tacho__count_engine_tell_empty(launch->start, 0, "");
	else
		tacho__selection_record(&engine->selection);
}

static void wait_and_count(struct counted *counted)
{
	if (!tacho__selection_wants(&engine->selection, counted->launch->kernel,
				    counted->launch->is_elsewhere)) {
		tacho__selection_record(&engine->selection);
		return;
	}
	is_inside = true;
	pthread_mutex_lock(&engine->lock);
	if (tacho__counting_is_on())
		count(counted);
	pthread_mutex_unlock(&engine->lock);
	is_inside = false;
}

bool tacho__counting_run(const struct tacho__count_launch *launch,
			 const struct tacho__count_calls *calls, void *user)
{
	struct counted counted = {.launch = launch, .calls = calls, .user = user};
	int error = errno;

	if (!tacho__counting_is_on() || is_inside)
		return false;
	if (!tacho__count_engine_counts())
		tell_selected(launch);
	else if (!tacho__count_engine_is_fork() && must_wait())
		wait_and_count(&counted);
	errno = error;
	return counted.has_run;
}
