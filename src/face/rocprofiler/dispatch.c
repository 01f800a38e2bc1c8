/* SPDX-License-Identifier: MIT */
/*
 * Counting of launches. The tool's callback says on the launching thread what is to be counted; a
 * launch of which it wants nothing is not held and leaves no trace.
 */
#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/futex.h"
#include "face/rocprofiler/rocprofiler.h"
#include "intercept/workers.h"

/* One of a context, which may have several. Services are made while tools configure, never freed.
 */
struct tacho__rocp_dispatch_service {
	struct tacho__rocp_dispatch_service *next; /* of its context */
	struct tacho__rocp_dispatch_service *next_of_all;
	atomic_bool is_active;
	uint64_t buffer; /* 0: values go to `on_values` */
	rocprofiler_dispatch_counting_service_cb_t on_launch;
	rocprofiler_dispatch_counting_record_cb_t on_values;
	void *on_launch_data, *on_values_data;
};

/* A service wants values of a launch. */
struct want {
	struct want *next;
	const struct tacho__rocp_dispatch_service *service;
	struct tacho__rocp_config *config; /* with a reference */
	rocprofiler_user_data_t user_data;
	struct want *same; /* wants the same config, and counts it for this one; NULL: none does */
	bool is_counted;
	struct tacho__rocp_values values;
};

/* A launch that is counted. */
struct dispatch {
	struct dispatch *next; /* of those to be used again */
	struct want *wants, **last;
	struct want first; /* as a rule the only one */
	rocprofiler_dispatch_counting_service_data_t data;
	struct tacho__launch launch; /* its name is the kernel's */
	const struct tacho__rocp_agent *agent;
	struct tacho__rocp_clock *clock; /* of the device that it runs on; NULL: no memory */
	uint64_t before_ns;		 /* when it was launched */
};

#define SYNC_NS UINT64_C(1000000000) /* that is waited at most for launches that run */

enum {
	RECORDS_MAX = 128, /* that need no memory of the heap */
	SPARES_MAX = 64,   /* dispatches that are kept to be used again */
};

static struct {
	_Atomic(struct tacho__rocp_dispatch_service *) services;
	atomic_ullong dispatch_id, correlation_id;
	atomic_uint in_flight;	  /* launches that are counted, and have not put their records */
	atomic_uint sync_count;	  /* threads that wait for them */
	atomic_uint sync_changes; /* what those sleep on */

	/* One thread makes dispatches and another one ends them: an allocator is slow at that. */
	pthread_mutex_t lock;
	struct dispatch *spares;
	size_t spare_count;
} dispatches = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* A launch that a tool makes in its own callback. */
static _Thread_local bool is_inside;

/* ---- a launch, before it is enqueued ---- */

static void describe(struct dispatch *dispatch, const struct tacho__launch *launch,
		     const struct tacho__rocp_kernel *kernel)
{
	rocprofiler_kernel_dispatch_info_t *info = &dispatch->data.dispatch_info;

	dispatch->data.size = sizeof(dispatch->data);
	dispatch->data.correlation_id.internal =
		atomic_fetch_add_explicit(&dispatches.correlation_id, 1, memory_order_relaxed) + 1;
	info->size = sizeof(*info);
	info->agent_id = dispatch->agent->info.id;
	info->queue_id.handle = launch->queue;
	info->kernel_id = kernel->id;
	info->dispatch_id =
		atomic_fetch_add_explicit(&dispatches.dispatch_id, 1, memory_order_relaxed) + 1;
	info->private_segment_size = tacho__rocp_clamp(launch->private_bytes);
	info->group_segment_size = tacho__rocp_clamp(launch->local_bytes);
	info->workgroup_size = (rocprofiler_dim3_t){launch->workgroup[0], launch->workgroup[1],
						    launch->workgroup[2]};
	info->grid_size = (rocprofiler_dim3_t){tacho__rocp_clamp(launch->grid[0]),
					       tacho__rocp_clamp(launch->grid[1]),
					       tacho__rocp_clamp(launch->grid[2])};
}

static void keep(struct dispatch *dispatch, const struct tacho__launch *launch,
		 const struct tacho__rocp_kernel *kernel)
{
	dispatch->launch = *launch;
	dispatch->launch.name = kernel->name;
	dispatch->clock = tacho__rocp_clock_find(launch->api, launch->device);
	dispatch->before_ns = tacho__rocp_now_ns();
}

/* The config that a callback chose; NULL: it cannot be counted here, the reason is in the log. */
static struct tacho__rocp_config *take_config(const struct dispatch *dispatch, uint64_t handle)
{
	struct tacho__rocp_config *config = tacho__rocp_config_take(handle);

	if (!config) {
		tacho__rocp_log_error("a launch is not counted: there is no config %" PRIu64,
				      handle);
		return NULL;
	}
	if (config->agent != dispatch->agent)
		tacho__rocp_log_error(
			"a launch is not counted, %s: config %" PRIu64 " is of agent %" PRIu64
			", it runs on %" PRIu64,
			rocprofiler_get_status_name(ROCPROFILER_STATUS_ERROR_AGENT_MISMATCH),
			handle, config->agent->info.id.handle, dispatch->agent->info.id.handle);
	else if (!tacho__rocp_counting_prepare(config))
		return config;
	tacho__rocp_config_release(config);
	return NULL;
}

/* False: there is no memory. */
static bool add_want(struct dispatch *dispatch, const struct want *from)
{
	struct want *want = dispatch->wants ? malloc(sizeof(*want)) : &dispatch->first;

	if (!want)
		return false;
	*want = *from;
	for (struct want *other = dispatch->wants; other && !want->same; other = other->next)
		if (other->config == want->config)
			want->same = other;
	*dispatch->last = want;
	dispatch->last = &want->next;
	return true;
}

/* False: the service wants nothing of the launch. */
static bool ask(const struct dispatch *dispatch, const struct tacho__rocp_dispatch_service *service,
		struct want *out_want)
{
	rocprofiler_counter_config_id_t chosen = {0};
	struct want want = {.service = service};

	service->on_launch(dispatch->data, &chosen, &want.user_data, service->on_launch_data);
	if (!chosen.handle)
		return false;
	want.config = take_config(dispatch, chosen.handle);
	*out_want = want;
	return want.config != NULL;
}

/* A copy that stays until it is given back; NULL: there is no memory. */
static struct dispatch *take_dispatch(const struct dispatch *from)
{
	struct dispatch *dispatch;

	pthread_mutex_lock(&dispatches.lock);
	dispatch = dispatches.spares;
	if (dispatch) {
		dispatches.spares = dispatch->next;
		dispatches.spare_count--;
	}
	pthread_mutex_unlock(&dispatches.lock);
	if (!dispatch)
		dispatch = malloc(sizeof(*dispatch));
	if (!dispatch)
		return NULL;
	*dispatch = *from;
	dispatch->last = &dispatch->wants;
	atomic_fetch_add(&dispatches.in_flight, 1);
	return dispatch;
}

static void give_back(struct dispatch *dispatch)
{
	struct want *next;
	bool is_spare;

	for (struct want *want = dispatch->wants; want; want = next) {
		next = want->next;
		tacho__rocp_config_release(want->config);
		free(want->values.records);
		if (want != &dispatch->first)
			free(want);
	}
	pthread_mutex_lock(&dispatches.lock);
	is_spare = dispatches.spare_count < SPARES_MAX;
	if (is_spare) {
		dispatch->next = dispatches.spares;
		dispatches.spares = dispatch;
		dispatches.spare_count++;
	}
	pthread_mutex_unlock(&dispatches.lock);
	if (!is_spare)
		free(dispatch);
	atomic_fetch_sub(&dispatches.in_flight, 1);
	if (atomic_load(&dispatches.sync_count))
		tacho__futex_raise(&dispatches.sync_changes);
}

/* Asks all services; NULL: none wants anything of the launch. */
static struct dispatch *ask_all(struct dispatch *own, const struct tacho__launch *launch,
				const struct tacho__rocp_kernel *kernel)
{
	struct dispatch *dispatch = NULL;
	struct want want;

	for (struct tacho__rocp_dispatch_service *service = atomic_load(&dispatches.services);
	     service; service = service->next_of_all) {
		if (!atomic_load(&service->is_active))
			continue;
		if (!own->data.size) /* it is a dispatch when somebody hears of it */
			describe(own, launch, kernel);
		if (!ask(own, service, &want))
			continue;
		if (!dispatch) {
			keep(own, launch, kernel);
			dispatch = take_dispatch(own);
		}
		if (!dispatch || !add_want(dispatch, &want)) {
			tacho__rocp_log_error("a launch is not counted: there is no memory");
			tacho__rocp_config_release(want.config);
		}
	}
	return dispatch;
}

static void *attach(const struct tacho__launch *launch)
{
	const struct tacho__rocp_kernel *kernel = NULL;
	struct dispatch own, *dispatch = NULL;

	if (is_inside || tacho__rocp_is_over())
		return NULL;
	own.wants = NULL;
	own.data = (rocprofiler_dispatch_counting_service_data_t){0};
	own.agent = tacho__rocp_agent_of_launch(launch->api, launch->device);
	is_inside = true;
	if (own.agent)
		kernel = tacho__rocp_kernel_find(launch, own.agent->info.id);
	if (kernel)
		dispatch = ask_all(&own, launch, kernel);
	is_inside = false;
	return dispatch;
}

static void begin(void *attached)
{
	struct dispatch *dispatch = attached;

	for (struct want *want = dispatch->wants; want; want = want->next)
		if (!want->same)
			want->is_counted =
				tacho__rocp_counting_begin(want->config, &dispatch->launch);
}

/* ---- its values ---- */

/* Header and values, one behind the other. */
static rocprofiler_status_t put(const struct tacho__rocp_dispatch_service *service,
				const rocprofiler_dispatch_counting_service_record_t *header,
				const rocprofiler_counter_record_t *values)
{
	struct tacho__rocp_record few[RECORDS_MAX], *records = few;
	size_t count = header->num_records;
	rocprofiler_status_t status;

	if (count >= RECORDS_MAX)
		records = malloc((count + 1) * sizeof(*records));
	if (!records)
		return ROCPROFILER_STATUS_ERROR_OUT_OF_RESOURCES;
	records[0] = (struct tacho__rocp_record){
		ROCPROFILER_BUFFER_CATEGORY_COUNTERS,
		ROCPROFILER_COUNTER_RECORD_PROFILE_COUNTING_DISPATCH_HEADER, header,
		sizeof(*header)};
	for (size_t i = 0; i < count; i++)
		records[i + 1] = (struct tacho__rocp_record){ROCPROFILER_BUFFER_CATEGORY_COUNTERS,
							     ROCPROFILER_COUNTER_RECORD_VALUE,
							     &values[i], sizeof(values[i])};
	status = tacho__rocp_buffer_put(service->buffer, records, count + 1);
	if (records != few)
		free(records);
	return status;
}

/* What does not fit into the buffer at all is told by a header without values. */
static void deliver_to_buffer(const struct dispatch *dispatch, const struct want *want,
			      const struct tacho__rocp_values *values)
{
	const rocprofiler_dispatch_counting_service_data_t *data = &dispatch->data;
	rocprofiler_dispatch_counting_service_record_t header = {
		.size = sizeof(header),
		.num_records = values->count,
		.correlation_id = data->correlation_id,
		.start_timestamp = data->start_timestamp,
		.end_timestamp = data->end_timestamp,
		.dispatch_info = data->dispatch_info,
	};
	rocprofiler_status_t status = put(want->service, &header, values->records);

	if (status && values->count) {
		tacho__rocp_log_error("the %zu values of dispatch %" PRIu64
				      " cannot be put into buffer %" PRIu64 ": %s",
				      values->count, data->dispatch_info.dispatch_id,
				      want->service->buffer, rocprofiler_get_status_string(status));
		header.num_records = 0;
		status = put(want->service, &header, NULL);
	}
	if (status)
		tacho__rocp_log_error("dispatch %" PRIu64 " leaves no record: %s",
				      data->dispatch_info.dispatch_id,
				      rocprofiler_get_status_string(status));
}

static void deliver(const struct dispatch *dispatch, const struct want *want)
{
	static rocprofiler_counter_record_t nothing;
	const struct tacho__rocp_dispatch_service *service = want->service;
	const struct tacho__rocp_values *values = want->same ? &want->same->values : &want->values;

	for (size_t i = 0; i < values->count; i++) {
		values->records[i].dispatch_id = dispatch->data.dispatch_info.dispatch_id;
		values->records[i].agent_id = dispatch->agent->info.id;
		values->records[i].user_data = want->user_data;
	}
	if (values->missing)
		tacho__rocp_log_error("dispatch %" PRIu64 " lacks %zu values: %s",
				      dispatch->data.dispatch_info.dispatch_id, values->missing,
				      values->note);
	if (service->buffer)
		deliver_to_buffer(dispatch, want, values);
	else
		service->on_values(dispatch->data, values->count ? values->records : &nothing,
				   values->count, want->user_data, service->on_values_data);
}

/* Values there are only of a launch that was alone; its range ends in any case. */
static void collect(struct dispatch *dispatch, const struct tacho__launch_outcome *outcome)
{
	bool is_alone = outcome->end == TACHO__LAUNCH_ENDED;

	for (struct want *want = dispatch->wants; want; want = want->next)
		if (want->is_counted)
			tacho__rocp_counting_end(want->config, &dispatch->launch, outcome,
						 is_alone ? &want->values : NULL);
	if (!is_alone)
		tacho__rocp_log_error("dispatch %" PRIu64 " of %s has no values: %s",
				      dispatch->data.dispatch_info.dispatch_id,
				      dispatch->launch.name, outcome->why);
}

static void end(void *attached, const struct tacho__launch_outcome *outcome)
{
	struct dispatch *dispatch = attached;
	bool was_inside = is_inside;

	is_inside = true;
	collect(dispatch, outcome);
	if (dispatch->clock &&
	    (outcome->end == TACHO__LAUNCH_ENDED || outcome->end == TACHO__LAUNCH_BESIDE))
		tacho__rocp_times_convert(dispatch->clock, dispatch->before_ns, &outcome->times,
					  &dispatch->data.start_timestamp,
					  &dispatch->data.end_timestamp);
	for (struct want *want = dispatch->wants; want; want = want->next)
		if (outcome->end != TACHO__LAUNCH_REFUSED) /* then there is no launch */
			deliver(dispatch, want);
	is_inside = was_inside;
	give_back(dispatch);
}

void tacho__rocp_dispatch_sync(void)
{
	uint64_t end_ns = tacho__clock_raw_ns() + SYNC_NS, now_ns;

	atomic_fetch_add(&dispatches.sync_count, 1);
	for (;;) {
		unsigned seen = atomic_load(&dispatches.sync_changes);

		now_ns = tacho__clock_raw_ns();
		if (!atomic_load(&dispatches.in_flight) || now_ns >= end_ns)
			break;
		tacho__futex_wait(&dispatches.sync_changes, seen, end_ns - now_ns);
	}
	atomic_fetch_sub(&dispatches.sync_count, 1);
}

/* ---- services ---- */

static const struct tacho__launch_subscriber subscriber = {
	.attach = attach, .begin = begin, .end = end, .unload = tacho__rocp_program_unload};
static bool is_subscribed;

static void subscribe_once(void)
{
	is_subscribed = tacho__launches_subscribe(&subscriber);
	if (is_subscribed)
		tacho__launches_pause(); /* until a context starts */
}

bool tacho__rocp_launches_subscribe(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, subscribe_once);
	return is_subscribed;
}

/* Which threads work for a driver must be known before they are counted. */
static void watch_workers(void)
{
	const struct tacho__rocp_agent *agent;

	for (size_t i = 0; (agent = tacho__rocp_agent_get(i)); i++)
		if (agent->is_cpu_device)
			tacho__workers_start();
}

static rocprofiler_status_t configure(rocprofiler_context_id_t id,
				      const struct tacho__rocp_dispatch_service *from)
{
	struct tacho__rocp_context *context;
	struct tacho__rocp_dispatch_service *service;

	if (tacho__rocp_is_locked())
		return ROCPROFILER_STATUS_ERROR_CONFIGURATION_LOCKED;
	context = tacho__rocp_context_get(id.handle);
	if (!context)
		return ROCPROFILER_STATUS_ERROR_CONTEXT_NOT_FOUND;
	if (context->devices)
		return ROCPROFILER_STATUS_ERROR_AGENT_DISPATCH_CONFLICT;
	if (!from->on_values && !tacho__rocp_buffer_exists(from->buffer))
		return ROCPROFILER_STATUS_ERROR_BUFFER_NOT_FOUND;
	service = malloc(sizeof(*service));
	if (!service || !tacho__rocp_launches_subscribe()) {
		free(service);
		return ROCPROFILER_STATUS_ERROR_OUT_OF_RESOURCES;
	}
	watch_workers();
	*service = *from;
	service->next = context->dispatch;
	context->dispatch = service;
	service->next_of_all = atomic_load(&dispatches.services);
	while (!atomic_compare_exchange_weak(&dispatches.services, &service->next_of_all, service))
		continue;
	return ROCPROFILER_STATUS_SUCCESS;
}

rocprofiler_status_t rocprofiler_configure_buffer_dispatch_counting_service(
	rocprofiler_context_id_t context_id, rocprofiler_buffer_id_t buffer_id,
	rocprofiler_dispatch_counting_service_cb_t callback, void *callback_data_args)
{
	const struct tacho__rocp_dispatch_service service = {.buffer = buffer_id.handle,
							     .on_launch = callback,
							     .on_launch_data = callback_data_args};

	return callback ? configure(context_id, &service)
			: ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT;
}

rocprofiler_status_t rocprofiler_configure_callback_dispatch_counting_service(
	rocprofiler_context_id_t context_id,
	rocprofiler_dispatch_counting_service_cb_t dispatch_callback, void *dispatch_callback_args,
	rocprofiler_dispatch_counting_record_cb_t record_callback, void *record_callback_args)
{
	const struct tacho__rocp_dispatch_service service = {
		.on_launch = dispatch_callback,
		.on_values = record_callback,
		.on_launch_data = dispatch_callback_args,
		.on_values_data = record_callback_args,
	};

	return dispatch_callback && record_callback ? configure(context_id, &service)
						    : ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT;
}

void tacho__rocp_dispatch_on_start(struct tacho__rocp_context *context)
{
	for (struct tacho__rocp_dispatch_service *service = context->dispatch; service;
	     service = service->next)
		if (!atomic_exchange(&service->is_active, true))
			tacho__launches_resume();
}

/* Launches that have their config by now are counted all the same. */
void tacho__rocp_dispatch_on_stop(struct tacho__rocp_context *context)
{
	for (struct tacho__rocp_dispatch_service *service = context->dispatch; service;
	     service = service->next)
		if (atomic_exchange(&service->is_active, false))
			tacho__launches_pause();
}
