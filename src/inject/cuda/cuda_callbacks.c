/* SPDX-License-Identifier: MIT */
#include "inject/cuda/cuda_callbacks.h"

#include <errno.h>
#include <stdatomic.h>
#include <string.h>

#include "base/clock.h"
#include "inject/cuda/cuda_activity.h"
#include "inject/cuda/cuda_arguments.h"
#include "inject/cuda/cuda_calls.h"
#include "inject/cuda/cuda_counting.h"
#include "inject/cuda/cuda_notes.h"
#include "inject/cuda/cuda_objects.h"
#include "inject/cuda/cuda_table.h"
#include "intercept/intercept.h"
#include "record/wire.h"
#include "record/writer.h"

enum { FRAMES_MAX = 6 };

/* A call that has not returned. */
struct frame {
	uint32_t domain, id, correlation;
	uint64_t start;
	const struct tacho__cuda_function *function;
	struct tacho__cuda_note *note;	  /* NULL: it gives no work, or there was no room */
	struct tacho__cuda_launch launch; /* when has_launch */
	bool has_launch, is_counted;
	struct tacho__cuda_kernel *kernel; /* NULL: it launches none */
	void *stream;
	uint64_t queue; /* the stream in the recording; 0: not known */
};

/* The calls that the thread is in, the innermost last. */
static _Thread_local struct {
	uint32_t count;
	struct frame frames[FRAMES_MAX];
} own;

static atomic_uint image; /* in which calls are recorded */

void tacho__cuda_callbacks_start(void)
{
	atomic_store(&image, tacho__record_image());
}

/* CUDA does not work in a forked child of a process that uses it. */
static bool is_recorded(void)
{
	uint32_t now = atomic_load_explicit(&image, memory_order_relaxed);

	return now && now == tacho__record_image();
}

/* ---- before a call ---- */

static struct frame *push(uint32_t domain, uint32_t id, uint32_t correlation)
{
	struct frame *frame;

	if (own.count == FRAMES_MAX) { /* calls that never returned: of a thread that was thrown
					  out of them */
		memmove(own.frames, own.frames + 1, (FRAMES_MAX - 1) * sizeof(*own.frames));
		own.count--;
	}
	frame = &own.frames[own.count++];
	frame->domain = domain;
	frame->id = id;
	frame->correlation = correlation;
	frame->note = NULL;
	frame->kernel = NULL;
	frame->queue = 0;
	frame->has_launch = frame->is_counted = false;
	return frame;
}

/* The number of the call of the runtime that this one is a part of; 0: none. */
static uint32_t get_around(void)
{
	const struct frame *top = own.count ? &own.frames[own.count - 1] : NULL;

	return top && top->domain == TACHO__CUDA_DOMAIN_RUNTIME ? top->correlation : 0;
}

static bool is_inner_and_plain(uint32_t domain, enum tacho__cuda_role role)
{
	return domain == TACHO__CUDA_DOMAIN_DRIVER && !tacho__cuda_waits(role) &&
	       !tacho__cuda_gives_work(role) && get_around();
}

/* Whether the call launches a kernel, or a graph. */
static bool read_launch(struct frame *frame, const struct tacho__cuda_call_data *data)
{
	struct tacho__cuda_launch *launch = &frame->launch;
	enum tacho__cuda_role role = frame->function->role;

	*launch = (struct tacho__cuda_launch){.context = data->context};
	if (tacho__cuda_is_launch(role))
		return tacho__cuda_read_launch(role, data->params, launch);
	launch->is_graph = role == TACHO__CUDA_GRAPH;
	launch->stream = frame->stream;
	return launch->is_graph;
}

/* Things that the call uses stand in the recording in front of it, and it pays nothing for that. */
static void meet_things(struct frame *frame, const struct tacho__cuda_call_data *data)
{
	if (!data->params)
		return;
	frame->stream = tacho__cuda_get_stream(frame->function, data->params);
	frame->has_launch = read_launch(frame, data);
	if (frame->has_launch)
		frame->stream = frame->launch.stream;
	if (!data->context)
		return;
	frame->queue = tacho__cuda_meet_stream(data->context, frame->stream,
					       frame->function->is_per_thread);
	if (frame->has_launch && frame->launch.function)
		frame->kernel = tacho__cuda_meet_kernel(data->context, frame->launch.function,
							data->symbol);
}

static void begin_counting(struct frame *frame)
{
	struct tacho__cuda_launch *launch = &frame->launch;

	launch->is_per_thread = frame->function->is_per_thread;
	launch->is_captured =
		tacho__cuda_is_captured(launch->stream, frame->function->is_per_thread);
	launch->kernel = frame->kernel ? &frame->kernel->counted : NULL;
	frame->is_counted = true;
	tacho__cuda_counting_enter(launch);
}

/* Told before handles of what ends with the call can be given out again. */
static void note_end(enum tacho__cuda_change change, const void *params)
{
	void *handle;

	if (change != TACHO__CUDA_ENDS_MODULE && change != TACHO__CUDA_ENDS_LIBRARY)
		return;
	memcpy(&handle, params, sizeof(handle));
	if (change == TACHO__CUDA_ENDS_MODULE)
		tacho__cuda_lose_module(handle);
	else
		tacho__cuda_lose_library(handle);
}

static void enter(uint32_t domain, uint32_t id, const struct tacho__cuda_call_data *data)
{
	bool is_runtime = domain == TACHO__CUDA_DOMAIN_RUNTIME;
	const struct tacho__cuda_function *function = tacho__cuda_table_find(is_runtime, id);
	uint32_t around = get_around();
	struct frame *frame;

	if (!function) {
		tacho__intercept_lost(1);
		return;
	}
	note_end(function->change, data->params);
	if (is_inner_and_plain(domain, function->role))
		return;
	frame = push(domain, id, data->correlation);
	frame->function = function;
	if (tacho__cuda_gives_work(function->role))
		meet_things(frame, data);
	if (frame->has_launch && tacho__cuda_counting_is_on())
		begin_counting(frame);
	frame->start = frame->launch.start = tacho__tick();
	if (tacho__cuda_gives_work(function->role))
		frame->note = tacho__cuda_note_begin(data->correlation, around, frame->start);
	if (frame->note && frame->has_launch && frame->launch.counted)
		tacho__cuda_note_runs_again(frame->note);
}

/* ---- behind a call ---- */

static struct frame *find_frame(uint32_t domain, uint32_t id, uint32_t correlation)
{
	for (uint32_t i = own.count; i-- > 0;)
		if (own.frames[i].correlation == correlation && own.frames[i].domain == domain &&
		    own.frames[i].id == id)
			return &own.frames[i];
	return NULL;
}

static void pack_launch(const struct frame *frame, struct tacho__pack *pack)
{
	const struct tacho__cuda_launch *launch = &frame->launch;

	tacho__pack_u64(pack, (uintptr_t)launch->function);
	tacho__cuda_pack_sizes(pack, launch->grid);
	tacho__cuda_pack_sizes(pack, launch->block);
	tacho__cuda_pack_sizes(pack, launch->cluster);
	tacho__pack_u64(pack, launch->shared_bytes);
	tacho__pack_u64(pack, (uintptr_t)launch->stream);
	tacho__cuda_pack_threads(pack, launch->grid, launch->block);
	tacho__pack_u64(pack, tacho__cuda_count_dimensions(launch->grid, launch->block));
	tacho__pack_u64(pack, frame->queue);
	tacho__pack_u64(pack, frame->kernel ? frame->kernel->handle : 0);
}

/* Whether the device has something to do for it: then a slot is to have its times. */
static bool pack_arguments(struct frame *frame, const struct tacho__cuda_call_data *data, bool ok,
			   struct tacho__pack *pack)
{
	const struct tacho__cuda_function *function = frame->function;
	struct tacho__cuda_work work = {.bytes = 0};

	if (tacho__cuda_is_launch(function->role)) {
		pack_launch(frame, pack);
		return ok && frame->has_launch &&
		       !tacho__cuda_is_captured(frame->stream, function->is_per_thread);
	}
	tacho__cuda_pack_arguments(function, data->params, ok, pack);
	if (!tacho__cuda_is_command(function->role))
		return false;
	if (ok)
		work = tacho__cuda_get_work(function, data->params);
	tacho__pack_u64(pack, frame->queue);
	tacho__pack_u64(pack, work.bytes);
	return ok && work.bytes && !tacho__cuda_is_captured(frame->stream, function->is_per_thread);
}

/* When nobody can find the note, times that come are not known to be the call's. */
static void await_times(struct frame *frame, void *token)
{
	const struct tacho__times none = {.code = TACHO__SLOT_NO_ROOM};

	if (frame->note && token)
		tacho__cuda_note_await(frame->note, token);
	else if (frame->note)
		tacho__cuda_note_keep(frame->note);
	else if (token)
		tacho__intercept_complete(token, &none);
}

static void commit(struct frame *frame, const struct tacho__cuda_call_data *data, int status,
		   uint64_t end)
{
	bool is_runtime = frame->domain == TACHO__CUDA_DOMAIN_RUNTIME;
	struct tacho__call call = {.token = NULL};
	struct tacho__pack pack;

	call.kind = TACHO__KIND(is_runtime ? TACHO__CUDA_RUNTIME_API : TACHO__CUDA_API, frame->id);
	call.start = frame->start;
	call.end = end;
	tacho__pack_begin(&pack, call.arguments);
	tacho__pack_i64(&pack, status);
	call.has_slot = pack_arguments(frame, data, !status, &pack);
	if (frame->function->role != TACHO__CUDA_POLL)
		tacho__pack_u64(&pack, frame->correlation);
	tacho__call_commit(&call, &pack);
	await_times(frame, call.token);
}

/* A capture that ended as it had gone wrong has ended, too. */
static bool has_ended_capture(int status)
{
	return !status || status == TACHO__CUDA_CAPTURE_INVALIDATED ||
	       status == TACHO__CUDA_CAPTURE_UNJOINED;
}

static void count_capture(bool begins)
{
	tacho__cuda_count_captures(begins ? 1 : -1);
	tacho__cuda_counting_capture(begins);
}

static void note_change(enum tacho__cuda_change change, const void *params, int status)
{
	const struct tacho__cuda_instantiate_params *instantiated = params;

	if (change == TACHO__CUDA_ENDS_CAPTURE && has_ended_capture(status))
		count_capture(false);
	if (status)
		return;
	if (change == TACHO__CUDA_BEGINS_CAPTURE)
		count_capture(true);
	if (change == TACHO__CUDA_MAKES_EXECUTABLE)
		tacho__cuda_meet_graph(instantiated->graph);
	if (change == TACHO__CUDA_SETS_BLOCK)
		tacho__cuda_note_block_shape(params);
}

/* The innermost call goes, and what was left inside of it. */
static void pop(const struct frame *frame)
{
	own.count = (uint32_t)(frame - own.frames);
}

static void leave(uint32_t domain, uint32_t id, const struct tacho__cuda_call_data *data)
{
	uint64_t end = tacho__tick();
	bool is_runtime = domain == TACHO__CUDA_DOMAIN_RUNTIME;
	const struct tacho__cuda_function *function = tacho__cuda_table_find(is_runtime, id);
	struct frame *frame = find_frame(domain, id, data->correlation);
	int status = 0;

	if (data->result)
		memcpy(&status, data->result, sizeof(status));
	if (frame && frame->is_counted)
		tacho__cuda_counting_exit(&frame->launch, status);
	if (function && function->change)
		note_change(function->change, data->params, status);
	if (!frame)
		return;
	commit(frame, data, status, end);
	if (tacho__cuda_waits(function->role))
		tacho__cuda_activity_wait_ended(
			!status && function->role == TACHO__CUDA_WAIT_ALL ? frame->start : 0);
	pop(frame);
}

/* ---- what libcupti calls ---- */

static void on_resource(uint32_t event, const struct tacho__cuda_resource_data *data)
{
	switch (event) {
	case TACHO__CUDA_CONTEXT_ENDS:
		tacho__cuda_counting_lose_context(data->context);
		tacho__cuda_activity_flush();
		tacho__cuda_lose_context(data->context);
		break;
	case TACHO__CUDA_STREAM_ENDS: tacho__cuda_lose_stream(data->stream); break;
	case TACHO__CUDA_MODULE_ENDS: tacho__cuda_lose_module(NULL); break;
	default: break;
	}
}

/* Of tacho's own calls. */
static void ignore(uint32_t domain, uint32_t id, const struct tacho__cuda_call_data *call)
{
	const struct tacho__cuda_function *function =
		domain == TACHO__CUDA_DOMAIN_DRIVER ? tacho__cuda_table_find(false, id) : NULL;

	if (function && call->site == TACHO__CUDA_ENTER && tacho__cuda_is_launch(function->role))
		tacho__cuda_note_own(call->correlation);
}

void tacho__cuda_on_callback(void *user, uint32_t domain, uint32_t id, const void *data)
{
	const struct tacho__cuda_call_data *call = data;
	int error = errno;

	(void)user;
	if (!data || !is_recorded())
		return;
	if (tacho__cuda_is_own_call())
		ignore(domain, id, call);
	else if (domain == TACHO__CUDA_DOMAIN_RESOURCE)
		on_resource(id, data);
	else if (domain != TACHO__CUDA_DOMAIN_DRIVER && domain != TACHO__CUDA_DOMAIN_RUNTIME)
		return;
	else if (call->site == TACHO__CUDA_ENTER)
		enter(domain, id, call);
	else
		leave(domain, id, call);
	errno = error;
}
