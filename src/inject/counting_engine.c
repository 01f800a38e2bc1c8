/* SPDX-License-Identifier: MIT */
#include "inject/counting_engine.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "inject/attribute_env.h"
#include "intercept/intercept.h"
#include "intercept/launches.h"
#include "intercept/workers.h"
#include "tacho/sys/devices.h"

#define NS_PER_S UINT64_C(1000000000)

enum { TIMEOUT_S = 30, DRAIN_S = 5 };

struct tacho__count_engine tacho__count_engine = {.lock = PTHREAD_MUTEX_INITIALIZER};

static struct tacho__count_engine *const engine = &tacho__count_engine;

bool tacho__count_engine_counts(void)
{
	return engine->counting->backends && engine->counting->entry_count;
}

bool tacho__count_engine_replays(void)
{
	return engine->counting->replay == TACHO_REPLAY_KERNEL && engine->counting->pass_count > 1;
}

/* ---- the end ---- */

static void report_uncounted(const char *why, const char *cure)
{
	struct tacho__attributes attributes = {.size = 0};

	attributes.text[0] = '\0';
	tacho__attributes_add(&attributes, "uncounted", "%s", why);
	tacho__attributes_add(&attributes, "uncounted_cure", "%s", cure);
	tacho__intercept_process(attributes.text);
}

void tacho__count_engine_give_up(const char *cure, const char *format, ...)
{
	char why[1024];
	va_list list;
	int size;

	if (!atomic_exchange(&engine->is_on, false))
		return;
	if (atomic_exchange(&engine->is_subscribed, false))
		tacho__launches_pause();
	size = snprintf(why, sizeof(why),
			"%s: ", engine->has_begun ? "counting ended" : "counting did not begin");
	va_start(list, format);
	vsnprintf(why + size, sizeof(why) - (size_t)size, format, list);
	va_end(list);
	report_uncounted(why, cure);
}

void tacho__count_engine_give_up_by_error(void)
{
	const struct tacho_error_detail *detail = tacho_error_last();

	tacho__count_engine_give_up(detail->cure, "%s%s%s", detail->message,
				    detail->cause[0] ? ": " : "", detail->cause);
}

bool tacho__count_engine_is_fork(void)
{
	pid_t pid = getpid();

	if (pid == engine->pid)
		return false;
	if (atomic_exchange(&engine->recorded_fork, pid) != pid)
		report_uncounted(
			"nothing was counted: it was forked and did not execute a program of "
			"its own",
			"let it execute one, which is counted");
	return true;
}

/* ---- start ---- */

static int open_device(void)
{
	const struct tacho_counting *counting = engine->counting;
	int rc = tacho_counting_open_device(counting, NULL, &engine->context, &engine->device);

	if (!rc && counting->is_simulated)
		rc = tacho_sim_kernels_read(counting->kernels_file, &engine->kernels);
	return rc;
}

/* AMD's library counts what reaches the GPU, whatever API it came from. */
static bool is_counted_elsewhere(const struct tacho_counting *counting)
{
	return counting->entry_count && counting->backends && !strcmp(counting->backends, "rocm");
}

/* Vulkan's layer does, and nobody else can. */
static bool is_counted_by_queries(const struct tacho_counting *counting)
{
	return counting->entry_count && counting->backends && !strcmp(counting->backends, "vulkan");
}

void tacho__count_engine_start(void)
{
	const char *path = getenv(TACHO_COUNTING_VARIABLE);
	int rc;

	if (!path || path[0] != '/' || strlen(path) > 4000)
		return;
	engine->pid = getpid();
	engine->selection.start_ns = tacho__clock_raw_ns();
	atomic_store(&engine->is_on, true);
	rc = tacho_counting_read(path, &engine->counting);
	engine->selection.counting = engine->counting;
	if (!rc && is_counted_by_queries(engine->counting)) {
		tacho__count_engine_give_up("name a device with -d that counts them",
					    "queries of Vulkan count its own commands alone");
		return;
	}
	if (!rc && is_counted_elsewhere(engine->counting)) {
		atomic_store(&engine->is_on, false);
		return;
	}
	if (!rc && tacho__count_engine_counts()) {
		rc = open_device();
		if (!rc)
			rc = tacho_counting_make_plan(engine->counting, engine->device,
						      &engine->config, &engine->plan);
	}
	if (!rc)
		rc = tacho__row_writer_init(&engine->writer, engine->counting, engine->device,
					    engine->config);
	if (rc) {
		tacho__count_engine_give_up_by_error();
		return;
	}
	engine->timeout_ns =
		engine->counting->timeout_ns ? engine->counting->timeout_ns : TIMEOUT_S * NS_PER_S;
	engine->has_begun = true;
	if (!tacho__count_engine_counts())
		return;
	tacho__launches_set_patience(engine->timeout_ns);
	if (!engine->counting->is_simulated)
		tacho__workers_start();
}

/* ---- what launches are counted with ---- */

static uint64_t hash_name(const char *name)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	while (*name)
		hash = (hash ^ (unsigned char)*name++) * UINT64_C(0x100000001b3); /* FNV-1a */
	return hash;
}

int tacho__count_engine_create_session(uint32_t replay, struct tacho_session **out_session)
{
	const struct tacho_session_options options = {
		.size = sizeof(options),
		.replay = replay,
		.only_pass =
			engine->counting->only_pass > 0 ? (uint32_t)engine->counting->only_pass : 0,
		.strict = engine->counting->is_strict,
		.wants_thread = engine->kernels ? NULL : tacho__workers_wants,
	};

	return tacho_session_create(engine->device, engine->plan, &options, out_session);
}

int tacho__count_engine_open_session(void)
{
	uint32_t replay = engine->counting->replay;
	int rc = 0;

	if (engine->session)
		return 0;
	rc = tacho__count_engine_create_session(
		replay == TACHO_REPLAY_KERNEL ? TACHO_REPLAY_NONE : replay, &engine->session);
	if (!rc && replay != TACHO_REPLAY_ROTATE)
		rc = tacho_session_begin_pass(engine->session);
	return rc;
}

int tacho__count_engine_begin_range(struct tacho_session *session, const char *name,
				    tacho_range *out_range)
{
	return tacho_session_begin_range(session, 0, hash_name(name), name, out_range);
}

int tacho__count_engine_simulate(const char *name, const uint64_t grid[3],
				 const uint32_t workgroup[3])
{
	struct tacho_sim_work work = {.size = sizeof(work), .name = name, .kind = TACHO_SIM_KERNEL};
	uint64_t known;

	for (int i = 0; i < 3; i++) {
		work.grid[i] = grid[i];
		work.workgroup[i] = workgroup[i];
	}
	tacho_sim_kernels_describe(engine->kernels, name, &work, &known);
	engine->writer.known = known;
	return tacho_sim_submit(engine->device, &work, NULL);
}

int tacho__count_engine_take_row(struct tacho_session *session, const struct tacho__row_info *info)
{
	struct tacho__row_info told = {.note = ""};
	struct tacho_result *result = NULL;
	uint64_t seen = 0;
	int rc = tacho_session_drain(session, DRAIN_S * NS_PER_S, NULL);

	if (info)
		told = *info;
	if (!rc)
		rc = tacho_session_take(session, &result);
	if (!rc && tacho_result_get_row_count(result))
		seen = tacho_session_get_seen(session, 0);
	else
		told.note = "the device lost its values";
	if (!rc && info)
		rc = tacho__row_writer_write(&engine->writer, &told, result, seen);
	tacho_result_destroy(result);
	return rc;
}

void tacho__count_engine_tell_empty(uint64_t start, uint32_t thread, const char *why)
{
	const struct tacho__row_info info = {.start = start, .thread = thread, .note = why};

	tacho__row_writer_write(&engine->writer, &info, NULL, 0);
}
