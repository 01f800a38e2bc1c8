/* SPDX-License-Identifier: MIT */
#include "inject/cuda/cuda_counting.h"

#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "inject/attribute_env.h"
#include "inject/counting_rows.h"
#include "inject/cuda/cuda_contexts.h"
#include "inject/cuda/cuda_devices.h"
#include "inject/cuda/cuda_run.h"
#include "inject/cuda/cuda_simulated.h"
#include "intercept/intercept.h"
#include "record/writer.h"
#include "tacho/error.h"

#define NS_PER_S UINT64_C(1000000000)

enum { TIMEOUT_S = 30, DRAIN_S = 5, WAITING_MAX = 256, NOTE_MAX = 512, DEVICES_MAX = 256 };

static struct {
	atomic_bool is_on;     /* launches are selected, rows are written */
	bool counts;	       /* and the GPU counts, */
	bool simulates;	       /* or a simulated one */
	bool chooses_devices;  /* launches on others are not counted */
	atomic_bool has_begun; /* a launch was counted */
	pid_t pid;
	atomic_int recorded_fork;
	struct tacho_counting *counting;
	struct tacho__selection selection;
	struct tacho__counted_kernel unnamed; /* graphs */
	uint64_t timeout_ns;
	atomic_int captures; /* that go on */
	/* Kernels that did not end before something else ran: they are not counted any more. */
	_Atomic(struct tacho__counted_kernel *) waiting[WAITING_MAX];

	pthread_mutex_t lock; /* of what follows, from enter to exit of a launch that is counted */
	struct tacho__row_writer writer;
} engine = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* A launch that is being counted: there is one at a time. */
static struct counted {
	struct tacho__cuda_launch *launch;
	struct tacho__cuda_context *context;
	struct tacho_session *session;
	struct tacho__cuda_memory *memory; /* to run it again; NULL: it runs once */
	tacho_range range;		   /* 0: none is open */
	const char *note;		   /* of its row; NULL */
	const char *end;		   /* why it has no values; NULL: it has some */
} counted;

/* ---- what is told ---- */

static void report_uncounted(const char *why, const char *cure)
{
	struct tacho__attributes attributes = {.size = 0};

	attributes.text[0] = '\0';
	tacho__attributes_add(&attributes, "uncounted", "%s", why);
	tacho__attributes_add(&attributes, "uncounted_cure", "%s", cure);
	tacho__intercept_process(attributes.text);
}

static void give_up(const char *why, const char *cure)
{
	char text[1100];

	if (!atomic_exchange(&engine.is_on, false))
		return;
	snprintf(text, sizeof(text), "counting %s: %s",
		 engine.has_begun ? "ended" : "did not begin", why);
	report_uncounted(text, cure);
}

static void give_up_by_error(void)
{
	const struct tacho_error_detail *detail = tacho_error_last();
	char why[1024];

	snprintf(why, sizeof(why), "%s%s%s", detail->message, detail->cause[0] ? ": " : "",
		 detail->cause);
	give_up(why, detail->cure);
}

/* No lock: nothing of the writer is used. */
static void write_empty(const struct tacho__cuda_launch *launch, const char *why)
{
	const struct tacho__row_info info = {.start = launch->start, .note = why};

	tacho__row_writer_write(&engine.writer, &info, NULL, 0);
}

static bool is_fork(void)
{
	pid_t pid = getpid();

	if (pid == engine.pid)
		return false;
	if (atomic_exchange(&engine.recorded_fork, pid) != pid)
		report_uncounted("nothing was counted: it was forked and did not execute a program "
				 "of its own",
				 "let it execute one, which is counted");
	return true;
}

/* ---- start ---- */

/* Whether the plan is for this part: others count what other APIs launch. */
static bool is_ours(const struct tacho_counting *counting)
{
	return !counting->entry_count ||
	       (counting->backends && !strcmp(counting->backends, "cupti"));
}

static void start(const char *path)
{
	const char *missing = NULL;
	int rc;

	engine.pid = getpid();
	engine.selection.control = tacho__record_get_control();
	engine.selection.start_ns = tacho__clock_raw_ns();
	atomic_store(&engine.is_on, true);
	rc = tacho_counting_read(path, &engine.counting);
	engine.selection.counting = engine.counting;
	if (rc) {
		give_up_by_error();
		return;
	}
	if (engine.counting->is_simulated && engine.counting->entry_count) {
		engine.simulates = true;
		engine.chooses_devices =
			engine.counting->select.device_count && !tacho__cuda_run_resolve();
		tacho__cuda_simulated_start();
		return;
	}
	if (!is_ours(engine.counting)) {
		give_up("what CUDA launches is counted on NVIDIA's GPUs alone",
			"name one with -d: tacho list devices cupti");
		return;
	}
	engine.counts = engine.counting->entry_count;
	engine.timeout_ns =
		engine.counting->timeout_ns ? engine.counting->timeout_ns : TIMEOUT_S * NS_PER_S;
	if (engine.counts || engine.counting->select.device_count)
		missing = tacho__cuda_run_resolve();
	engine.chooses_devices = !missing && engine.counting->select.device_count;
	if (!engine.counts)
		missing = NULL; /* readers see what ran where */
	if (missing)
		give_up(missing, "look at tacho doctor");
	else if (tacho__row_writer_init(&engine.writer, engine.counting, NULL, NULL))
		give_up_by_error();
}

void tacho__cuda_counting_start(void)
{
	const char *path = getenv(TACHO_COUNTING_VARIABLE);
	int error = errno;

	if (path && path[0] == '/')
		start(path);
	errno = error;
}

bool tacho__cuda_counting_is_on(void)
{
	return atomic_load_explicit(&engine.is_on, memory_order_relaxed);
}

void tacho__cuda_counting_capture(bool begins)
{
	if (begins)
		atomic_fetch_add(&engine.captures, 1);
	else if (atomic_load(&engine.captures) > 0)
		atomic_fetch_sub(&engine.captures, 1);
}

/* ---- kernels that wait for others ---- */

static bool is_waiting(const struct tacho__counted_kernel *kernel)
{
	for (size_t i = 0; i < WAITING_MAX; i++) {
		struct tacho__counted_kernel *known = atomic_load(&engine.waiting[i]);

		if (!known || known == kernel)
			return known;
	}
	return false;
}

static void note_waiting(struct tacho__counted_kernel *kernel)
{
	if (kernel == &engine.unnamed)
		return;
	for (size_t i = 0; i < WAITING_MAX; i++)
		if (!atomic_load(&engine.waiting[i])) {
			atomic_store(&engine.waiting[i], kernel);
			return;
		}
}

/* ---- before the launch ---- */

static bool lock_bounded(void)
{
	struct timespec until;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += (time_t)(engine.timeout_ns / NS_PER_S) + 1;
	return !pthread_mutex_timedlock(&engine.lock, &until);
}

/* Why a launch cannot be counted, whatever the context does; NULL. */
static const char *find_hindrance(const struct tacho__cuda_launch *launch)
{
	if (!launch->context)
		return "CUPTI did not say which context it is of";
	if (launch->is_captured)
		return "it was captured into a graph, and ran with that";
	if (launch->is_graph)
		return "it is of a graph, which runs as a whole: its kernels cannot be counted one "
		       "by one";
	if (atomic_load(&engine.captures))
		return "a stream was being captured, which counting would break";
	if (is_waiting(launch->kernel))
		return "the kernel did not end before --timeout when it was launched alone: it "
		       "waits for other work";
	return NULL;
}

/* What runs goes first: what is marked is waited for. */
static const char *await_idle(void)
{
	struct tacho__cuda_context *context = counted.context;
	const char *why;

	if (!tacho__cuda_context_recover(context))
		return "a kernel before it did not end";
	why = tacho__cuda_mark_context(&context->waiter, context->context,
				       tacho__cuda_get_launch_stream(counted.launch));
	if (why || tacho__cuda_wait(&context->waiter, engine.timeout_ns))
		return why;
	context->is_stuck = true;
	return "the device did not become idle before --timeout";
}

static const char *keep_memory(void)
{
	return tacho__cuda_memory_save(counted.context->context,
				       engine.counting->replay_memory_bytes, &counted.memory);
}

/* As CALLER all passes, one after the other; as PROCESS the first one alone. */
static int make_session(void)
{
	const struct tacho_session_options options = {
		.size = sizeof(options),
		.replay = counted.memory ? TACHO_REPLAY_CALLER : TACHO_REPLAY_PROCESS,
		.strict = engine.counting->is_strict,
	};

	return tacho_session_create(counted.context->device, counted.context->plan, &options,
				    &counted.session);
}

static uint64_t hash_name(const char *name)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	while (*name)
		hash = (hash ^ (unsigned char)*name++) * UINT64_C(0x100000001b3); /* FNV-1a */
	return hash;
}

static int begin_range(void)
{
	const char *name = counted.launch->kernel->name;

	return tacho_session_begin_range(counted.session, 0, hash_name(name), name, &counted.range);
}

static int begin(void)
{
	int rc = 0;

	counted.session = counted.context->session;
	if (!counted.session) {
		counted.note = keep_memory();
		rc = make_session();
		if (!rc)
			rc = tacho_session_begin_pass(counted.session);
	}
	return rc ? rc : begin_range();
}

/* Under the lock, which is released with it. */
static void forget(void)
{
	tacho__cuda_memory_free(counted.memory);
	if (counted.session && counted.session != counted.context->session)
		tacho_session_destroy(counted.session);
	counted = (struct counted){.launch = NULL};
}

static const char *report_failure(const struct tacho__cuda_context *context)
{
	if (tacho__cuda_context_any())
		report_uncounted(context->why, context->cure);
	else
		give_up(context->why, context->cure);
	return context->why;
}

/* By the last error: the context counts no more, others may. */
static const char *fail(void)
{
	struct tacho__cuda_context *context = counted.context;

	tacho__cuda_context_fail(context);
	tacho__cuda_memory_free(counted.memory);
	if (counted.session && counted.session != context->session)
		tacho_session_destroy(counted.session);
	counted.session = NULL;
	counted.memory = NULL;
	tacho__cuda_context_close(context);
	return report_failure(context);
}

/* NULL: it is being counted. */
static const char *prepare(struct tacho__cuda_launch *launch)
{
	bool was_failed;
	const char *why;

	counted = (struct counted){.launch = launch,
				   .context = tacho__cuda_context_find(launch->context)};
	if (!counted.context)
		return "no memory to count it";
	was_failed = counted.context->state == TACHO__CUDA_CONTEXT_FAILED;
	if (!tacho__cuda_context_open(counted.context, engine.counting))
		return was_failed ? counted.context->why : report_failure(counted.context);
	why = await_idle();
	if (why)
		return why;
	if (begin())
		return fail();
	launch->counted = &counted;
	engine.has_begun = true;
	return NULL;
}

static void enter(struct tacho__cuda_launch *launch)
{
	const char *why = find_hindrance(launch);
	bool has_lock = !why && lock_bounded();

	if (!why && !has_lock)
		why = "another launch was being counted for too long";
	if (has_lock && atomic_load(&engine.is_on)) {
		tacho__cuda_begin_own_calls();
		why = prepare(launch);
		tacho__cuda_end_own_calls();
	}
	launch->uncounted = why;
	if (has_lock && !launch->counted) {
		forget();
		pthread_mutex_unlock(&engine.lock);
	}
}

/* What was found of a device does not change; the program's context is current. */
static bool is_elsewhere(void)
{
	enum { UNKNOWN, HERE, ELSEWHERE };
	static atomic_uchar known[DEVICES_MAX];
	struct tacho__cuda_identity identity;
	unsigned char found = HERE;
	int device;

	if (!engine.chooses_devices)
		return false;
	tacho__cuda_begin_own_calls();
	device = tacho__cuda_get_device();
	if (device >= 0 && device < DEVICES_MAX)
		found = atomic_load(&known[device]);
	if (found == UNKNOWN) {
		tacho__cuda_identify(device, &identity);
		found = tacho_counting_selects_device(engine.counting, &identity.device)
				? HERE
				: ELSEWHERE;
		atomic_store(&known[device], found);
	}
	tacho__cuda_end_own_calls();
	return found == ELSEWHERE;
}

void tacho__cuda_counting_enter(struct tacho__cuda_launch *launch)
{
	int error = errno;

	if (!tacho__cuda_counting_is_on() || tacho__cuda_is_own_call() || is_fork())
		return;
	if (!launch->kernel)
		launch->kernel = &engine.unnamed;
	if (!tacho__selection_wants(&engine.selection, launch->kernel, is_elsewhere()))
		tacho__selection_record(&engine.selection);
	else if (engine.simulates)
		launch->simulated = true;
	else if (!engine.counts)
		launch->uncounted = "";
	else
		enter(launch);
	errno = error;
}

/* ---- behind the launch ---- */

/* What has a range open cannot be stopped: it waits for the end of what runs. */
static void leave_stuck(void)
{
	struct tacho__cuda_context *context = counted.context;

	note_waiting(counted.launch->kernel);
	context->is_stuck = true;
	context->stuck_session = counted.session;
	context->stuck_range = counted.range;
	context->stuck_memory = counted.memory;
	counted.session = NULL;
	counted.memory = NULL;
	counted.end = "it did not end before --timeout: it may wait for other work";
}

/* The run that is in the range ends, or counting does. False: there are no values. */
static bool await_end(void)
{
	struct tacho__cuda_waiter *waiter = &counted.context->waiter;

	if (engine.counting->replay != TACHO_REPLAY_VENDOR) {
		counted.end = tacho__cuda_mark_stream(
			waiter, tacho__cuda_get_launch_stream(counted.launch));
		if (!counted.end && !tacho__cuda_wait(waiter, engine.timeout_ns))
			leave_stuck();
	}
	return !counted.end;
}

static int end_range(void)
{
	tacho_range range = counted.range;

	counted.range = 0;
	return tacho_session_end_range(counted.session, range);
}

static void give_up_damaged(void)
{
	char why[TACHO__KERNEL_NAME_MAX + 128];

	snprintf(
		why, sizeof(why),
		"the memory of %s could not be brought back for another pass, so what it wrote may "
		"be wrong",
		counted.launch->kernel->name);
	give_up(why, "do not trust this run's results; count with --replay process or rotate, "
		     "which bring nothing back");
	counted.end = "its memory could not be brought back";
}

/* One more pass, with memory as it was. */
static int run_again(void)
{
	int status, rc = tacho_session_begin_pass(counted.session);

	if (rc)
		return rc;
	if (!tacho__cuda_memory_restore(counted.memory)) {
		give_up_damaged();
		return 0;
	}
	rc = begin_range();
	if (rc)
		return rc;
	status = tacho__cuda_launch_again(counted.launch);
	if (status)
		counted.end = "the driver refused to run it again";
	return status || await_end() ? end_range() : 0;
}

static int count_passes(void)
{
	int more = 0, rc = end_range();

	if (rc || counted.session == counted.context->session)
		return rc;
	rc = tacho_session_end_pass(counted.session, &more);
	while (!rc && more) {
		rc = run_again();
		if (rc || counted.end)
			break;
		rc = tacho_session_end_pass(counted.session, &more);
	}
	return rc;
}

/* Which of the entries that the row should have it lacks. */
static void note_absent(const struct tacho_result *result, uint64_t seen, char note[NOTE_MAX])
{
	const struct tacho_plan_entry *entry;
	const char *first = NULL;
	size_t count = 0;

	for (size_t i = 0; (entry = tacho_plan_get_entry(counted.context->plan, i)); i++) {
		const struct tacho_column *column = tacho_result_get_column(result, i);
		bool is_due = column && entry->pass_count;

		for (size_t k = 0; k < entry->pass_count; k++)
			is_due &= entry->passes[k] < 64 && seen >> entry->passes[k] & 1;
		if (!is_due || tacho_column_get_state(column, 0, 0) != TACHO_STATE_ABSENT)
			continue;
		if (!count++)
			first = entry->entry->name;
	}
	if (!count)
		return;
	snprintf(note, NOTE_MAX, "the GPU gave no value of %s%s: %s", first,
		 count > 1 ? " and others" : "",
		 engine.counting->replay == TACHO_REPLAY_VENDOR
			 ? "it was not one kernel, or other users share the unit"
			 : "it needs several passes of one run, or others share the unit (MIG)");
}

static int write_row(void)
{
	struct tacho__row_info info = {.start = counted.launch->start,
				       .note = counted.note ? counted.note : ""};
	struct tacho_result *result = NULL;
	char note[NOTE_MAX] = "";
	uint64_t seen = 0;
	int rc = tacho_session_drain(counted.session, DRAIN_S * NS_PER_S, NULL);

	if (!rc)
		rc = tacho_session_take(counted.session, &result);
	if (rc)
		return rc;
	if (tacho_result_get_row_count(result)) {
		seen = tacho_session_get_seen(counted.session, 0);
		note_absent(result, seen, note);
	} else {
		snprintf(note, sizeof(note), "NVIDIA's library dropped its values");
	}
	if (*note && !counted.note)
		info.note = note;
	rc = tacho__row_writer_write(&engine.writer, &info, result, seen);
	tacho_result_destroy(result);
	return rc;
}

/* The driver refused it: there is no launch, and no row. */
static void drop(void)
{
	struct tacho_result *result = NULL;

	if (end_range() || tacho_session_drain(counted.session, DRAIN_S * NS_PER_S, NULL))
		return;
	if (counted.session == counted.context->session &&
	    !tacho_session_take(counted.session, &result))
		tacho_result_destroy(result);
}

static void conclude(int status)
{
	int rc = 0;

	if (status) {
		drop();
		return;
	}
	if (await_end())
		rc = count_passes();
	if (!rc && !counted.end)
		rc = write_row();
	if (rc)
		counted.end = fail();
	if (counted.end)
		write_empty(counted.launch, counted.end);
}

/* What a simulated device counts of a graph, or of what is only captured, nobody knows. */
static void count_simulated(struct tacho__cuda_launch *launch)
{
	if (!launch->is_graph && !launch->is_captured)
		tacho__cuda_simulated_count(launch);
}

void tacho__cuda_counting_exit(struct tacho__cuda_launch *launch, int status)
{
	int error = errno;

	if (launch->uncounted && !status)
		write_empty(launch, launch->uncounted);
	if (launch->simulated && !status)
		count_simulated(launch);
	if (!launch->counted) {
		errno = error;
		return;
	}
	tacho__cuda_begin_own_calls();
	conclude(status);
	launch->counted = NULL;
	forget();
	tacho__cuda_end_own_calls();
	pthread_mutex_unlock(&engine.lock);
	errno = error;
}

void tacho__cuda_counting_lose_context(void *context)
{
	int error = errno;

	if (engine.counts && tacho__cuda_counting_is_on() && engine.pid == getpid() &&
	    !tacho__cuda_is_own_call() && lock_bounded()) {
		tacho__cuda_begin_own_calls();
		tacho__cuda_context_lose(context);
		tacho__cuda_end_own_calls();
		pthread_mutex_unlock(&engine.lock);
	}
	errno = error;
}

/* Each row was written when its launch had ended; contexts may be gone by now. */
void tacho__cuda_counting_finish(void)
{
	atomic_store(&engine.is_on, false);
}
