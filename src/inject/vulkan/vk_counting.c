/* SPDX-License-Identifier: MIT */
#include "inject/vulkan/vk_counting.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "inject/attribute_env.h"
#include "inject/counting_rows.h"
#include "inject/counting_select.h"
#include "inject/vulkan/vk_devices.h"
#include "intercept/intercept.h"
#include "record/writer.h"
#include "tacho/error.h"
#include "tacho/sys/devices.h"

static struct {
	atomic_bool is_on;
	bool counts; /* else rows are written without values: readers work all of them out */
	pid_t pid;
	struct tacho_counting *counting;
	struct tacho__selection selection;
	struct tacho__counted_kernel unknown; /* of a launch without a pipeline */
	atomic_uint turn;		      /* of command buffers, with --replay rotate */

	pthread_mutex_t lock; /* of what follows */
	bool is_open;
	struct tacho_context *context;
	struct tacho_device *device;
	struct tacho_config *config;
	struct tacho_plan *plan;
	struct tacho_session **sessions; /* of each pass; NULL: not made yet */
	struct tacho__row_writer writer;
} engine = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* ---- the end ---- */

void tacho__vulkan_counting_give_up(const char *why, const char *cure)
{
	struct tacho__attributes attributes = {.size = 0};

	if (!atomic_exchange(&engine.is_on, false))
		return;
	attributes.text[0] = '\0';
	tacho__attributes_add(&attributes, "uncounted", "%s", why);
	tacho__attributes_add(&attributes, "uncounted_cure", "%s", cure);
	tacho__intercept_process(attributes.text);
}

static void give_up_by_error(const char *what)
{
	const struct tacho_error_detail *detail = tacho_error_last();
	char why[1024];

	snprintf(why, sizeof(why), "%s: %s%s%s", what, detail->message,
		 detail->cause[0] ? ": " : "", detail->cause);
	tacho__vulkan_counting_give_up(why, detail->cure);
}

/* ---- start ---- */

static bool is_ours(const struct tacho_counting *counting)
{
	return !counting->entry_count ||
	       (counting->backends && !strcmp(counting->backends, "vulkan"));
}

static void start(void)
{
	const char *path = getenv(TACHO_COUNTING_VARIABLE);

	if (!path || path[0] != '/')
		return;
	engine.pid = getpid();
	engine.selection.control = tacho__record_get_control();
	engine.selection.start_ns = tacho__clock_raw_ns();
	atomic_store(&engine.is_on, true);
	if (tacho_counting_read(path, &engine.counting)) {
		give_up_by_error("counting did not begin");
		return;
	}
	engine.selection.counting = engine.counting;
	engine.counts = engine.counting->entry_count;
	if (!is_ours(engine.counting))
		tacho__vulkan_counting_give_up(
			"commands of Vulkan are counted by Vulkan's own queries alone",
			"name its device with -d: tacho list devices vulkan");
	else if (!engine.counts &&
		 tacho__row_writer_init(&engine.writer, engine.counting, NULL, NULL))
		give_up_by_error("counting did not begin");
}

void tacho__vulkan_counting_start(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, start);
}

bool tacho__vulkan_counting_is_on(void)
{
	return atomic_load_explicit(&engine.is_on, memory_order_relaxed);
}

bool tacho__vulkan_counting_counts(void)
{
	return engine.counts;
}

/* ---- the device ---- */

static int open_device(const struct tacho__vulkan_handle *handle)
{
	const struct tacho_counting *counting = engine.counting;
	int rc = tacho_counting_open_device(counting, (void *)(uintptr_t)handle, &engine.context,
					    &engine.device);

	return rc;
}

static void close_device(void)
{
	tacho_device_close(engine.device);
	tacho_context_destroy(engine.context);
	engine.device = NULL;
	engine.context = NULL;
}

static int make_plan(const struct tacho__vulkan_pass **out_passes)
{
	int rc = tacho_counting_make_plan(engine.counting, engine.device, &engine.config,
					  &engine.plan);

	if (!rc)
		rc = tacho__row_writer_init(&engine.writer, engine.counting, engine.device,
					    engine.config);
	if (rc)
		return rc;
	engine.sessions = calloc(engine.counting->pass_count + 1, sizeof(struct tacho_session *));
	*out_passes = tacho__vulkan_list_passes(engine.device, engine.plan);
	return engine.sessions && *out_passes ? 0 : TACHO_E_NOMEM;
}

/* A device that was not chosen is none to count on, and no mistake. */
static const struct tacho__vulkan_pass *open(const struct tacho__vulkan_handle *handle)
{
	const struct tacho__vulkan_pass *passes = NULL;
	int rc = open_device(handle);

	if (rc == TACHO_E_NOTFOUND || rc == TACHO_E_NODEVICE) {
		close_device();
		return NULL;
	}
	if (!rc)
		rc = make_plan(&passes);
	if (rc)
		give_up_by_error("counting did not begin");
	engine.is_open = true;
	return rc ? NULL : passes;
}

/* Not by the one below us: by now it may lead back to the first of all. */
static vulkan_function get_next(vulkan_handle instance, const char *name)
{
	const struct tacho__vulkan_dispatch *table = tacho__vulkan_next(instance);
	const struct tacho__vulkan_entry *entry = tacho__vulkan_find(name);

	return table && entry && entry->level == TACHO__LEVEL_INSTANCE
		       ? ((const vulkan_function *)(const void *)table)[entry->slot]
		       : NULL;
}

const struct tacho__vulkan_pass *tacho__vulkan_counting_open(const struct vk_instance *instance,
							     void *physical)
{
	const struct tacho__vulkan_handle handle = {
		.get = get_next, .instance = instance->handle, .physical = physical};
	const struct tacho__vulkan_pass *passes = NULL;

	if (!tacho__vulkan_counting_is_on() || !engine.counts)
		return NULL;
	pthread_mutex_lock(&engine.lock);
	if (!engine.is_open)
		passes = open(&handle);
	pthread_mutex_unlock(&engine.lock);
	return passes;
}

uint32_t tacho__vulkan_counting_choose_pass(void)
{
	const struct tacho_counting *counting = engine.counting;

	if (counting->replay == TACHO_REPLAY_ROTATE)
		return atomic_fetch_add(&engine.turn, 1) % counting->pass_count;
	return counting->replay == TACHO_REPLAY_PROCESS && counting->only_pass > 0
		       ? (uint32_t)counting->only_pass
		       : 0;
}

/* ---- rows ---- */

/* A forked child has neither our threads nor a device. */
bool tacho__vulkan_counting_wants(struct tacho__counted_kernel *kernel)
{
	if (!tacho__vulkan_counting_is_on() || engine.pid != getpid())
		return false;
	if (tacho__selection_wants(&engine.selection, kernel ? kernel : &engine.unknown, false))
		return true;
	tacho__selection_record(&engine.selection);
	return false;
}

void tacho__vulkan_counting_miss(uint64_t start, uint32_t thread, const char *why)
{
	const struct tacho__row_info info = {.start = start, .thread = thread, .note = why};

	tacho__row_writer_write(&engine.writer, &info, NULL, 0);
}

static int open_session(uint32_t pass)
{
	const struct tacho_session_options options = {.size = sizeof(options),
						      .replay = TACHO_REPLAY_PROCESS,
						      .only_pass = pass,
						      .strict = engine.counting->is_strict};
	int rc;

	if (engine.sessions[pass])
		return 0;
	rc = tacho_session_create(engine.device, engine.plan, &options, &engine.sessions[pass]);
	return rc ? rc : tacho_session_begin_pass(engine.sessions[pass]);
}

static uint64_t hash_name(const char *name)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	while (*name)
		hash = (hash ^ (unsigned char)*name++) * UINT64_C(0x100000001b3); /* FNV-1a */
	return hash;
}

static int add_range(struct tacho_session *session, const struct vk_told *row)
{
	const char *name = row->kernel ? row->kernel->name : "";
	tacho_range range;
	int rc;

	tacho__vulkan_offer(engine.device, row->values, row->states);
	rc = tacho_session_begin_range(session, 0, hash_name(name), name, &range);
	return rc ? rc : tacho_session_end_range(session, range);
}

/* The rows of the result are the ranges in the order in which they began. */
static int write_rows(struct tacho_session *session, const struct vk_told *rows, size_t count)
{
	struct tacho_result *result = NULL;
	int rc = tacho_session_take(session, &result);

	for (size_t i = 0; !rc && i < count; i++) {
		const struct tacho__row_info info = {.start = rows[i].start,
						     .thread = rows[i].thread,
						     .note = rows[i].note,
						     .row = i};

		rc = tacho__row_writer_write(&engine.writer, &info, result,
					     tacho_session_get_seen(session, i));
	}
	tacho_result_destroy(result);
	return rc;
}

static int tell(uint32_t pass, const struct vk_told *rows, size_t count)
{
	int rc = open_session(pass);

	for (size_t i = 0; i < count && !rc; i++)
		rc = add_range(engine.sessions[pass], &rows[i]);
	return rc ? rc : write_rows(engine.sessions[pass], rows, count);
}

void tacho__vulkan_counting_tell(uint32_t pass, const struct vk_told *rows, size_t count)
{
	pthread_mutex_lock(&engine.lock);
	if (tacho__vulkan_counting_is_on() && tell(pass, rows, count))
		give_up_by_error("counting ended");
	pthread_mutex_unlock(&engine.lock);
}
