/* SPDX-License-Identifier: MIT */
#include "inject/counting.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "inject/attribute_env.h"
#include "inject/counting_rows.h"
#include "intercept/intercept.h"
#include "intercept/workers.h"
#include "tacho/session.h"
#include "tacho/sim.h"
#include "tacho/sys/counting.h"

#define NS_PER_S UINT64_C(1000000000)

enum { TIMEOUT_S = 30, DRAIN_S = 5 };

const char tacho__count_timeout[] = "the device did not become idle in time";

static struct {
	atomic_bool is_on;
	pid_t pid;
	struct tacho_counting *counting;
	struct tacho__selection selection;
	uint64_t timeout_ns;
	bool has_begun;
	atomic_int recorded_fork; /* the process of which it was told that it is a fork */

	pthread_mutex_t lock; /* of what follows: one launch is counted at a time */
	struct tacho_context *context;
	struct tacho_device *device;
	struct tacho_config *config;
	struct tacho_plan *plan;
	struct tacho_session *session; /* that goes on from launch to launch; NULL: none yet */
	struct tacho_sim_kernels *kernels;
	struct tacho__row_writer writer;
} engine = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* A launch that the program makes while we count one, such as in a signal handler. */
static _Thread_local __attribute__((tls_model("initial-exec"))) bool is_inside;

bool tacho__counting_is_on(void)
{
	return atomic_load_explicit(&engine.is_on, memory_order_relaxed);
}

bool tacho__counting_replays(void)
{
	return tacho__counting_is_on() && engine.counting->replay == TACHO_REPLAY_KERNEL &&
	       engine.counting->pass_count > 1;
}

static void report_uncounted(const char *why, const char *cure)
{
	struct tacho__attributes attributes = {.size = 0};

	attributes.text[0] = '\0';
	tacho__attributes_add(&attributes, "uncounted", "%s", why);
	tacho__attributes_add(&attributes, "uncounted_cure", "%s", cure);
	tacho__intercept_process(attributes.text);
}

/* No launch of this process is counted any more; readers find out why. */
static void give_up(const char *cure, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void give_up(const char *cure, const char *format, ...)
{
	char why[1024];
	va_list list;
	int size;

	if (!atomic_exchange(&engine.is_on, false))
		return;
	size = snprintf(why, sizeof(why),
			"%s: ", engine.has_begun ? "counting ended" : "counting did not begin");
	va_start(list, format);
	vsnprintf(why + size, sizeof(why) - (size_t)size, format, list);
	va_end(list);
	report_uncounted(why, cure);
}

static void give_up_by_error(void)
{
	const struct tacho_error_detail *detail = tacho_error_last();

	give_up(detail->cure, "%s%s%s", detail->message, detail->cause[0] ? ": " : "",
		detail->cause);
}

/* ---- start ---- */

static int open_device(void)
{
	const struct tacho_counting *counting = engine.counting;
	const struct tacho_context_options options = {.size = sizeof(options),
						      .backends = counting->backends};
	const struct tacho_device_info *info;
	int rc = tacho_context_create(&options, &engine.context);

	if (!rc && counting->device)
		rc = tacho_context_find_device_info(engine.context, counting->device, &info);
	else if (!rc)
		info = tacho_context_get_device_info(engine.context, 0);
	if (!rc)
		rc = tacho_device_open(engine.context, info, &engine.device);
	if (!rc && counting->is_simulated)
		rc = tacho_sim_kernels_read(counting->kernels_file, &engine.kernels);
	return rc;
}

/* Else readers work everything out, and need to know which launches were selected. */
static bool counts_itself(void)
{
	return engine.counting->backends && engine.counting->entry_count;
}

/* AMD's library counts what reaches the GPU, whatever API it came from. */
static bool is_counted_elsewhere(const struct tacho_counting *counting)
{
	return counting->entry_count && counting->backends && !strcmp(counting->backends, "rocm");
}

static void start_once(void)
{
	const char *path = getenv(TACHO_COUNTING_VARIABLE);
	int rc;

	if (!path || path[0] != '/' || strlen(path) > 4000)
		return;
	engine.pid = getpid();
	engine.selection.start_ns = tacho__clock_raw_ns();
	atomic_store(&engine.is_on, true);
	rc = tacho_counting_read(path, &engine.counting);
	engine.selection.counting = engine.counting;
	if (!rc && is_counted_elsewhere(engine.counting)) {
		atomic_store(&engine.is_on, false);
		return;
	}
	if (!rc && counts_itself()) {
		rc = open_device();
		if (!rc)
			rc = tacho_counting_make_plan(engine.counting, engine.device,
						      &engine.config, &engine.plan);
	}
	if (!rc)
		rc = tacho__row_writer_init(&engine.writer, engine.counting, engine.device,
					    engine.config);
	if (rc) {
		give_up_by_error();
		return;
	}
	engine.timeout_ns =
		engine.counting->timeout_ns ? engine.counting->timeout_ns : TIMEOUT_S * NS_PER_S;
	engine.has_begun = true;
	if (counts_itself() && !engine.counting->is_simulated)
		tacho__workers_start();
}

void tacho__counting_start(const struct tacho_counting_control *control)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	int error = errno;

	engine.selection.control = control;
	pthread_once(&once, start_once);
	errno = error;
}

/* ---- one launch ---- */

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

static uint64_t hash_name(const char *name)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	while (*name)
		hash = (hash ^ (unsigned char)*name++) * UINT64_C(0x100000001b3); /* FNV-1a */
	return hash;
}

static int submit_simulated(const struct tacho__count_launch *launch)
{
	struct tacho_sim_work work = {
		.size = sizeof(work), .name = launch->kernel->name, .kind = TACHO_SIM_KERNEL};
	uint64_t known;

	for (int i = 0; i < 3; i++) {
		work.grid[i] = launch->grid[i];
		work.workgroup[i] = launch->workgroup[i];
	}
	tacho_sim_kernels_describe(engine.kernels, launch->kernel->name, &work, &known);
	engine.writer.known = known;
	return tacho_sim_submit(engine.device, &work, NULL);
}

/* The launch in a range of its own. The launch runs whatever happens to the range. */
static int run_in_range(struct counted *counted)
{
	const struct tacho__count_launch *launch = counted->launch;
	tacho_range range = 0;
	int rc = tacho_session_begin_range(counted->session, 0, hash_name(launch->kernel->name),
					   launch->kernel->name, &range);

	counted->is_refused = !counted->calls->run(counted->user);
	counted->has_run = true;
	if (!counted->is_refused)
		counted->end = counted->calls->wait(counted->user, engine.timeout_ns);
	if (!rc && engine.kernels && !counted->is_refused)
		rc = submit_simulated(launch);
	if (range && tacho_session_end_range(counted->session, range) && !rc)
		rc = TACHO_E_LOST;
	return rc;
}

static int create_session(uint32_t replay, struct tacho_session **out_session)
{
	const struct tacho_session_options options = {
		.size = sizeof(options),
		.replay = replay,
		.only_pass =
			engine.counting->only_pass > 0 ? (uint32_t)engine.counting->only_pass : 0,
		.strict = engine.counting->is_strict,
		.wants_thread = engine.kernels ? NULL : tacho__workers_wants,
	};

	return tacho_session_create(engine.device, engine.plan, &options, out_session);
}

/* Takes the one row and tells it; that of a launch which was refused or did not end is dropped. */
static int record_row(struct counted *counted)
{
	struct tacho__row_info info = {.start = counted->launch->start,
				       .note = counted->note ? counted->note : ""};
	struct tacho_result *result = NULL;
	uint64_t seen = 0;
	int rc = tacho_session_drain(counted->session, DRAIN_S * NS_PER_S, NULL);

	if (!rc)
		rc = tacho_session_take(counted->session, &result);
	if (!rc && tacho_result_get_row_count(result))
		seen = tacho_session_get_seen(counted->session, 0);
	else
		info.note = "the device lost its values";
	if (!rc && !counted->is_refused && !counted->end)
		rc = tacho__row_writer_write(&engine.writer, &info, result, seen);
	tacho_result_destroy(result);
	return rc;
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
	int rc = create_session(replay, &counted->session), more = 1;

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
	uint32_t replay = engine.counting->replay;
	int rc = 0;

	if (!engine.session) {
		rc = create_session(replay == TACHO_REPLAY_KERNEL ? TACHO_REPLAY_NONE : replay,
				    &engine.session);
		if (!rc && replay != TACHO_REPLAY_ROTATE)
			rc = tacho_session_begin_pass(engine.session);
	}
	counted->session = engine.session;
	if (!rc)
		rc = run_in_range(counted);
	return rc ? rc : record_row(counted);
}

/* A row without values, so that rows are launches. */
static void record_empty_row(struct counted *counted, const char *why)
{
	const struct tacho__row_info info = {.start = counted->launch->start, .note = why};

	tacho__row_writer_write(&engine.writer, &info, NULL, 0);
}

static void count(struct counted *counted)
{
	bool replays = tacho__counting_replays();
	const char *why = counted->calls->drain(counted->user, engine.timeout_ns);
	int rc = 0;

	if (why) {
		record_empty_row(counted, why);
		if (why == tacho__count_timeout)
			give_up("give it longer with --timeout",
				"the device did not become idle within %" PRIu64
				" s before a launch of %s",
				engine.timeout_ns / NS_PER_S, counted->launch->kernel->name);
		return;
	}
	if (replays)
		counted->note =
			counted->calls->save(counted->user, engine.counting->replay_memory_bytes);
	rc = replays ? count_alone(counted,
				   counted->note ? TACHO_REPLAY_PROCESS : TACHO_REPLAY_CALLER)
		     : count_on(counted);
	counted->calls->finish(counted->user);
	if (counted->end)
		record_empty_row(counted, counted->end == tacho__count_timeout
						  ? "it did not end before --timeout"
						  : counted->end);
	if (counted->end == tacho__count_timeout)
		give_up("give it longer with --timeout, or leave it out with --exclude",
			"kernel %s did not end within %" PRIu64 " s", counted->launch->kernel->name,
			engine.timeout_ns / NS_PER_S);
	else if (counted->is_half_restored)
		give_up("do not trust this run's results; count with --replay process or rotate, "
			"which bring nothing back",
			"the device brought back a part of the memory of kernel %s and refused the "
			"rest, so what the kernel wrote may be wrong",
			counted->launch->kernel->name);
	else if (rc)
		give_up_by_error();
	if (counted->session != engine.session)
		tacho_session_destroy(counted->session);
}

/* Sessions and what the kernel counts belong to the process that opened them. */
static bool is_fork(void)
{
	pid_t pid = getpid();

	if (pid == engine.pid)
		return false;
	if (atomic_exchange(&engine.recorded_fork, pid) != pid)
		report_uncounted(
			"nothing was counted: it was forked and did not execute a program of "
			"its own",
			"let it execute one, which is counted");
	return true;
}

bool tacho__counting_run(const struct tacho__count_launch *launch,
			 const struct tacho__count_calls *calls, void *user)
{
	struct counted counted = {.launch = launch, .calls = calls, .user = user};
	int error = errno;

	if (!tacho__counting_is_on() || is_inside || (counts_itself() && is_fork()))
		return false;
	if (!tacho__selection_wants(&engine.selection, launch->kernel)) {
		tacho__selection_record(&engine.selection);
		return false;
	}
	is_inside = true;
	if (!counts_itself()) {
		record_empty_row(&counted, ""); /* no lock: a forked child might find it taken */
	} else {
		pthread_mutex_lock(&engine.lock);
		if (tacho__counting_is_on())
			count(&counted);
		pthread_mutex_unlock(&engine.lock);
	}
	is_inside = false;
	errno = error;
	return counted.has_run;
}
