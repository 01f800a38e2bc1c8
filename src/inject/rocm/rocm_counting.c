/* SPDX-License-Identifier: MIT */
#include "inject/rocm/rocm_counting.h"

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
#include "inject/counting_select.h"
#include "inject/rocm/rocm_functions.h"
#include "inject/rocm/rocm_notes.h"
#include "inject/rocm/rocm_objects.h"
#include "inject/rocm/rocm_pass.h"
#include "inject/rocm/rocm_records.h"
#include "intercept/intercept.h"
#include "record/writer.h"
#include "tacho/sys/devices.h"

static struct {
	atomic_bool is_on; /* launches are selected, rows are written */
	bool counts;	   /* and AMD's library counts */
	bool makes_commands;
	pid_t pid;
	struct tacho_counting *counting;
	struct tacho__selection selection;
	struct tacho__rocm_kernel unknown; /* a kernel without a name */
	struct tacho__rocm_live live;
	struct tacho_context *context;
	struct tacho_device *device;
	struct tacho_config *config;
	struct tacho_plan *plan;
	rocprofiler_agent_id_t agent;
	struct tacho__rocm_count_pass *passes; /* those that this process does not run are {0} */

	pthread_mutex_t lock; /* of what is written */
	struct tacho__row_writer writer;
} engine = {.lock = PTHREAD_MUTEX_INITIALIZER, .live = {.magic = TACHO__ROCM_LIVE_MAGIC}};

void tacho__rocm_counting_give_up(const char *cure, const char *format, ...)
{
	struct tacho__attributes attributes = {.size = 0};
	char why[1024];
	va_list list;

	if (!atomic_exchange(&engine.is_on, false))
		return;
	va_start(list, format);
	vsnprintf(why, sizeof(why), format, list);
	va_end(list);
	attributes.text[0] = '\0';
	tacho__attributes_add(&attributes, "uncounted", "counting did not begin: %s", why);
	tacho__attributes_add(&attributes, "uncounted_cure", "%s", cure);
	tacho__intercept_process(attributes.text);
}

static void give_up_by_error(void)
{
	const struct tacho_error_detail *detail = tacho_error_last();

	tacho__rocm_counting_give_up(detail->cure, "%s%s%s", detail->message,
				     detail->cause[0] ? ": " : "", detail->cause);
}

/* ---- start ---- */

static int open_device(void)
{
	const struct tacho_counting *counting = engine.counting;
	int rc =
		tacho_counting_open_device(counting, &engine.live, &engine.context, &engine.device);

	if (!rc)
		rc = tacho_counting_make_plan(counting, engine.device, &engine.config,
					      &engine.plan);
	if (!rc)
		engine.agent.handle = tacho__rocm_find_agent(tacho__rocm_get_node(engine.device));
	if (!rc && !engine.agent.handle)
		rc = tacho__fail(TACHO_E_NODEVICE, "the program's runtime hides it",
				 "unset ROCR_VISIBLE_DEVICES and HIP_VISIBLE_DEVICES",
				 "the GPU that is to be counted is not there");
	return rc;
}

static bool runs_pass(uint32_t pass)
{
	const struct tacho_counting *counting = engine.counting;

	if (counting->replay == TACHO_REPLAY_PROCESS && counting->only_pass >= 0)
		return (uint32_t)counting->only_pass == pass;
	return pass == 0 || counting->replay == TACHO_REPLAY_ROTATE;
}

static int make_passes(void)
{
	struct tacho__rocm_names names = {0};
	bool has_any = false;
	int rc;

	if (engine.counting->replay == TACHO_REPLAY_KERNEL && engine.counting->pass_count > 1)
		return tacho__fail(TACHO_E_UNSUPPORTED, "AMD's library cannot run a kernel again",
				   "take --replay process or rotate", "there are several passes");
	engine.passes = calloc(engine.counting->pass_count + 1, sizeof(*engine.passes));
	rc = engine.passes ? tacho__rocm_names_read(engine.agent, &names)
			   : tacho__fail(TACHO_E_NOMEM, "", "", "no memory for passes");
	for (uint32_t i = 0; !rc && i < engine.counting->pass_count; i++) {
		const struct tacho__rocm_pass_options options = {.device = engine.device,
								 .live = &engine.live,
								 .plan = engine.plan,
								 .pass = i,
								 .is_strict =
									 engine.counting->is_strict,
								 .agent = engine.agent,
								 .names = &names};

		if (runs_pass(i))
			rc = tacho__rocm_pass_make(&options, &engine.passes[i]);
		has_any |= engine.passes[i].config.handle != 0;
	}
	free(names.list);
	if (!rc && !has_any)
		rc = tacho__fail(TACHO_E_UNSUPPORTED, "its definitions lack all of them",
				 "name others, or install a newer ROCm",
				 "AMD's library has none of the counters");
	return rc;
}

static bool has_functions(void)
{
	return tacho__rocm.iterate_agent_supported_counters && tacho__rocm.query_counter_info &&
	       tacho__rocm.query_record_counter_id && tacho__rocm.query_record_dimension_position &&
	       tacho__rocm.create_counter && tacho__rocm.create_counter_config &&
	       tacho__rocm.configure_callback_dispatch_counting_service;
}

/* Whether the plan is for this part: others count what other APIs launch. */
static bool is_ours(const struct tacho_counting *counting)
{
	return !counting->entry_count ||
	       (counting->backends && !strcmp(counting->backends, "rocm"));
}

bool tacho__rocm_counting_start(void)
{
	const char *path = getenv(TACHO_COUNTING_VARIABLE);
	int rc;

	if (!path || path[0] != '/')
		return false;
	atomic_store(&engine.is_on, true);
	engine.pid = getpid();
	engine.selection.control = tacho__record_get_control();
	engine.selection.start_ns = tacho__clock_raw_ns();
	rc = tacho_counting_read(path, &engine.counting);
	if (!rc && !is_ours(engine.counting)) {
		tacho__rocm_counting_give_up("name an AMD GPU with -d",
					     "what HIP launches is counted on AMD's GPUs alone");
		return false;
	}
	engine.selection.counting = engine.counting;
	engine.counts = !rc && engine.counting->entry_count;
	if (engine.counts && !has_functions())
		rc = tacho__fail(TACHO_E_VERSION, "it lacks functions", "install a newer ROCm",
				 "AMD's library does not count");
	if (!rc && engine.counts)
		rc = open_device();
	if (!rc)
		rc = tacho__row_writer_init(&engine.writer, engine.counting, engine.device,
					    engine.config);
	if (!rc && engine.counts)
		rc = make_passes();
	if (rc)
		give_up_by_error();
	return !rc;
}

bool tacho__rocm_counting_counts(void)
{
	return atomic_load(&engine.is_on) && engine.counts;
}

void tacho__rocm_counting_make_commands(void)
{
	engine.makes_commands = true;
}

/* ---- rows ---- */

static void write_row(const struct tacho__rocm_note *note, const char *why,
		      const struct tacho_result *result, uint64_t seen)
{
	const struct tacho__row_info info = {
		.start = note->tick, .thread = note->thread, .note = why};

	tacho__row_writer_write(&engine.writer, &info, result, seen);
}

static void write_empty(const struct tacho__rocm_note *note, const char *why)
{
	pthread_mutex_lock(&engine.lock);
	write_row(note, why, NULL, 0);
	pthread_mutex_unlock(&engine.lock);
}

static struct tacho__rocm_note note_launch(const rocprofiler_kernel_dispatch_info_t *info)
{
	struct tacho__rocm_note note, forgotten;

	tacho__rocm_meet_queue(info->queue_id.handle, info->agent_id.handle);
	note = tacho__rocm_note_launch(info->dispatch_id, &forgotten);
	if (forgotten.dispatch)
		write_empty(&forgotten, "AMD's library gave no values of it for too long");
	return note;
}

static struct tacho__rocm_kernel *get_kernel(const rocprofiler_kernel_dispatch_info_t *info)
{
	struct tacho__rocm_kernel *kernel = tacho__rocm_find_kernel(info->kernel_id);

	return kernel ? kernel : &engine.unknown;
}

/* Whether it is counted. A forked child has neither the library's threads nor its GPU. */
static bool is_wanted(const rocprofiler_kernel_dispatch_info_t *info)
{
	if (!atomic_load(&engine.is_on) || engine.pid != getpid())
		return false;
	if (tacho__selection_wants(&engine.selection, &get_kernel(info)->counted, false))
		return true;
	tacho__selection_record(&engine.selection);
	return false;
}

void tacho__rocm_counting_launch(const rocprofiler_kernel_dispatch_info_t *info)
{
	struct tacho__rocm_note note = note_launch(info);

	if (!engine.counts && is_wanted(info))
		write_empty(&note, "");
}

/* ---- values ---- */

static uint32_t choose_pass(struct tacho__rocm_kernel *kernel)
{
	const struct tacho_counting *counting = engine.counting;

	if (counting->replay == TACHO_REPLAY_ROTATE)
		return atomic_fetch_add(&kernel->turn, 1) % counting->pass_count;
	return counting->replay == TACHO_REPLAY_PROCESS && counting->only_pass > 0
		       ? (uint32_t)counting->only_pass
		       : 0;
}

void tacho__rocm_on_dispatch(rocprofiler_dispatch_counting_service_data_t data,
			     rocprofiler_counter_config_id_t *out_config,
			     rocprofiler_user_data_t *out_user_data, void *callback_data)
{
	const rocprofiler_kernel_dispatch_info_t *info = &data.dispatch_info;
	int error = errno;
	struct tacho__rocm_note note = note_launch(info);
	uint32_t pass;

	(void)callback_data;
	if (!is_wanted(info)) {
		errno = error;
		return;
	}
	if (info->agent_id.handle != engine.agent.handle) {
		write_empty(&note, "it ran on another device than the one that is counted");
		errno = error;
		return;
	}
	pass = choose_pass(get_kernel(info));
	if (!engine.passes[pass].config.handle) {
		write_empty(&note, "AMD's library has none of the counters of its pass");
	} else {
		out_user_data->value = pass;
		*out_config = engine.passes[pass].config;
		tacho__rocm_note_await(info->dispatch_id);
	}
	errno = error;
}

void tacho__rocm_on_values(rocprofiler_dispatch_counting_service_data_t data,
			   rocprofiler_counter_record_t *values, size_t count,
			   rocprofiler_user_data_t user_data, void *callback_data)
{
	const rocprofiler_kernel_dispatch_info_t *info = &data.dispatch_info;
	uint64_t pass = user_data.value;
	struct tacho_result *result = NULL;
	struct tacho__rocm_note note;
	int error = errno;

	(void)callback_data;
	if (pass >= engine.counting->pass_count || !engine.passes[pass].session ||
	    !tacho__rocm_note_find(info->dispatch_id, &note) ||
	    !tacho__rocm_note_settle(info->dispatch_id))
		return;
	pthread_mutex_lock(&engine.lock);
	if (tacho__rocm_pass_take(&engine.passes[pass], get_kernel(info)->counted.name, values,
				  count, &result))
		write_row(&note, "its values could not be taken", NULL, 0);
	else
		write_row(&note, engine.passes[pass].note, result, UINT64_C(1) << (pass & 63));
	tacho_result_destroy(result);
	pthread_mutex_unlock(&engine.lock);
	if (engine.makes_commands)
		tacho__rocm_put_counted(&data);
	errno = error;
}

void tacho__rocm_counting_finish(void)
{
	struct tacho__rocm_note note;
	uint32_t index = 0;

	if (!engine.counts || engine.pid != getpid())
		return;
	while (tacho__rocm_note_next_awaited(&index, &note))
		if (tacho__rocm_note_settle(note.dispatch))
			write_empty(&note, "AMD's library gave no values of it");
}
