/* SPDX-License-Identifier: MIT */
/* Device counting as tools ask for it: its services, their configs, and samples. */
#include <stdlib.h>
#include <string.h>

#include "face/rocprofiler/device_window.h"
#include "intercept/workers.h"
#include "rocprofiler-sdk/registration.h"

/* The context whose services are asked for their configs; of this thread. */
static _Thread_local struct tacho__rocp_context *starting;

/* ---- services ---- */

static rocprofiler_status_t check_service(const struct tacho__rocp_context *context,
					  uint64_t buffer, const struct tacho__rocp_agent *agent)
{
	if (context->dispatch)
		return ROCPROFILER_STATUS_ERROR_AGENT_DISPATCH_CONFLICT;
	if (buffer && !tacho__rocp_buffer_exists(buffer))
		return ROCPROFILER_STATUS_ERROR_BUFFER_NOT_FOUND;
	if (!agent)
		return ROCPROFILER_STATUS_ERROR_AGENT_NOT_FOUND;
	for (const struct tacho__rocp_device_service *service = context->devices; service;
	     service = service->next)
		if (service->agent == agent)
			return ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT;
	return ROCPROFILER_STATUS_SUCCESS;
}

/* Samples come in the order in which services were made. */
static void add_service(struct tacho__rocp_context *context,
			struct tacho__rocp_device_service *service)
{
	struct tacho__rocp_device_service **link = &context->devices;

	while (*link)
		link = &(*link)->next;
	*link = service;
}

rocprofiler_status_t rocprofiler_configure_device_counting_service(
	rocprofiler_context_id_t context_id, rocprofiler_buffer_id_t buffer_id,
	rocprofiler_agent_id_t agent_id, rocprofiler_device_counting_service_cb_t callback,
	void *user_data)
{
	const struct tacho__rocp_agent *agent = tacho__rocp_agent_find(agent_id);
	struct tacho__rocp_context *context = tacho__rocp_context_get(context_id.handle);
	struct tacho__rocp_device_service *service;
	rocprofiler_status_t status;

	if (tacho__rocp_is_locked())
		return ROCPROFILER_STATUS_ERROR_CONFIGURATION_LOCKED;
	if (!context)
		return ROCPROFILER_STATUS_ERROR_CONTEXT_INVALID;
	if (!callback)
		return ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT;
	status = check_service(context, buffer_id.handle, agent);
	if (status)
		return status;
	service = calloc(1, sizeof(*service));
	if (!service)
		return ROCPROFILER_STATUS_ERROR_OUT_OF_RESOURCES;
	*service = (struct tacho__rocp_device_service){.agent = agent,
						       .buffer = buffer_id.handle,
						       .callback = callback,
						       .user_data = user_data};
	pthread_mutex_init(&service->window.lock, NULL);
	if (agent->is_cpu_device)
		tacho__workers_start(); /* they must be known before they are counted */
	status = tacho__rocp_device_watch(service);
	if (status)
		free(service);
	else
		add_service(context, service);
	return status;
}

/* ---- start and stop ---- */

static rocprofiler_status_t set_config(rocprofiler_context_id_t context_id,
				       rocprofiler_counter_config_id_t config_id)
{
	const struct tacho__rocp_context *context = tacho__rocp_context_get(context_id.handle);
	struct tacho__rocp_device_service *service;
	struct tacho__rocp_config *config;

	if (!context || !context->devices)
		return ROCPROFILER_STATUS_ERROR_CONTEXT_INVALID;
	config = tacho__rocp_config_take(config_id.handle);
	if (!config)
		return ROCPROFILER_STATUS_ERROR_PROFILE_NOT_FOUND;
	for (service = context->devices; service && service->agent != config->agent;)
		service = service->next;
	if (context == starting && service) {
		tacho__rocp_config_release(service->chosen);
		service->chosen = config;
		return ROCPROFILER_STATUS_SUCCESS;
	}
	tacho__rocp_config_release(config);
	return service ? ROCPROFILER_STATUS_ERROR_CONFIGURATION_LOCKED
		       : ROCPROFILER_STATUS_ERROR_AGENT_MISMATCH;
}

static void ask(struct tacho__rocp_context *context,
		const struct tacho__rocp_device_service *service)
{
	struct tacho__rocp_context *outer = starting;

	starting = context;
	service->callback((rocprofiler_context_id_t){.handle = context->handle},
			  service->agent->info.id, set_config, service->user_data);
	starting = outer;
}

/* An agent for which the tool chooses nothing is not counted. */
static rocprofiler_status_t start(struct tacho__rocp_device_service *service)
{
	int rc = 0;

	if (service->chosen)
		rc = tacho__rocp_window_open(&service->window, service->chosen);
	if (service->chosen && !rc) {
		tacho__rocp_device_want(true);
		atomic_store(&service->is_active, true);
	}
	tacho__rocp_config_release(service->chosen);
	service->chosen = NULL;
	return rc ? tacho__rocp_fail("an agent cannot be counted") : ROCPROFILER_STATUS_SUCCESS;
}

rocprofiler_status_t tacho__rocp_device_on_start(struct tacho__rocp_context *context)
{
	rocprofiler_status_t status = ROCPROFILER_STATUS_SUCCESS;

	for (struct tacho__rocp_device_service *service = context->devices; service && !status;
	     service = service->next) {
		ask(context, service);
		status = start(service);
		if (!status && !service->agent->is_simulated)
			tacho__rocp_log_info("agent %llu: launches of this process are counted; "
					     "what other processes do on it is not seen",
					     (unsigned long long)service->agent->info.id.handle);
	}
	if (status)
		tacho__rocp_device_on_stop(context);
	return status;
}

void tacho__rocp_device_on_stop(struct tacho__rocp_context *context)
{
	for (struct tacho__rocp_device_service *service = context->devices; service;
	     service = service->next)
		if (atomic_exchange(&service->is_active, false)) {
			tacho__rocp_device_want(false);
			tacho__rocp_window_close(&service->window);
		}
}

/* ---- samples ---- */

/* Where the records of a sample go. */
struct sample {
	rocprofiler_user_data_t user_data;
	rocprofiler_counter_record_t *records; /* all agents' */
	size_t count;
};

static rocprofiler_status_t put(uint64_t buffer, const rocprofiler_counter_record_t *values,
				size_t count)
{
	struct tacho__rocp_record *records = calloc(count + 1, sizeof(*records));
	rocprofiler_status_t status = ROCPROFILER_STATUS_ERROR_OUT_OF_RESOURCES;

	for (size_t i = 0; records && i < count; i++)
		records[i] = (struct tacho__rocp_record){ROCPROFILER_BUFFER_CATEGORY_COUNTERS,
							 ROCPROFILER_COUNTER_RECORD_VALUE,
							 &values[i], sizeof(values[i])};
	if (records)
		status = tacho__rocp_buffer_put(buffer, records, count);
	free(records);
	return status;
}

static rocprofiler_status_t read_agent(struct sample *sample,
				       struct tacho__rocp_device_service *service)
{
	struct tacho__rocp_values values;
	rocprofiler_counter_record_t *grown;
	rocprofiler_status_t status = tacho__rocp_window_read(&service->window, &values);

	if (status)
		return status;
	for (size_t i = 0; i < values.count; i++)
		values.records[i].user_data = sample->user_data;
	if (service->buffer && values.count)
		status = put(service->buffer, values.records, values.count);
	grown = realloc(sample->records, (sample->count + values.count + 1) * sizeof(*grown));
	if (grown) {
		sample->records = grown;
		memcpy(grown + sample->count, values.records, values.count * sizeof(*grown));
		sample->count += values.count;
	} else {
		status = ROCPROFILER_STATUS_ERROR_OUT_OF_RESOURCES;
	}
	free(values.records);
	return status;
}

static rocprofiler_status_t check_output(rocprofiler_counter_flag_t flags,
					 const rocprofiler_counter_record_t *output,
					 const size_t *count)
{
	if (!output)
		return ROCPROFILER_STATUS_SUCCESS;
	if (!count || flags & ROCPROFILER_COUNTER_FLAG_ASYNC)
		return ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT;
	return *count ? ROCPROFILER_STATUS_SUCCESS : ROCPROFILER_STATUS_ERROR_OUT_OF_RESOURCES;
}

static rocprofiler_status_t give(const struct sample *sample, rocprofiler_counter_record_t *output,
				 size_t *inout_count)
{
	size_t room = *inout_count;

	*inout_count = sample->count;
	if (sample->count > room)
		return ROCPROFILER_STATUS_ERROR_OUT_OF_RESOURCES;
	if (sample->count)
		memcpy(output, sample->records, sample->count * sizeof(*output));
	return ROCPROFILER_STATUS_SUCCESS;
}

static rocprofiler_status_t read_agents(struct tacho__rocp_context *context, struct sample *sample)
{
	struct tacho__rocp_device_service *first = context->devices;
	rocprofiler_status_t status = ROCPROFILER_STATUS_SUCCESS;

	if (atomic_exchange(&first->is_read, true))
		return ROCPROFILER_STATUS_ERROR_CONTEXT_ERROR;
	for (struct tacho__rocp_device_service *service = first; service && !status;
	     service = service->next)
		if (atomic_load(&service->is_active))
			status = read_agent(sample, service);
	atomic_store(&first->is_read, false);
	return status;
}

/*
 * What was counted is there already, so that a sample never waits for a device; ASYNC means no more
 * than that it is not handed out here.
 */
rocprofiler_status_t rocprofiler_sample_device_counting_service(
	rocprofiler_context_id_t context_id, rocprofiler_user_data_t user_data,
	rocprofiler_counter_flag_t flags, rocprofiler_counter_record_t *output, size_t *inout_count)
{
	struct tacho__rocp_context *context = tacho__rocp_context_get(context_id.handle);
	struct sample sample = {.user_data = user_data};
	rocprofiler_status_t status;
	int is_finalized = 0;

	if (!context_id.handle)
		return ROCPROFILER_STATUS_ERROR_CONTEXT_NOT_FOUND;
	rocprofiler_is_finalized(&is_finalized);
	if (is_finalized)
		return ROCPROFILER_STATUS_ERROR_FINALIZED;
	if (context && context == starting)
		return ROCPROFILER_STATUS_ERROR_CONTEXT_ERROR;
	if (!context || !tacho__rocp_context_is_active(context))
		return ROCPROFILER_STATUS_ERROR_CONTEXT_NOT_STARTED;
	status = check_output(flags, output, inout_count);
	if (!status && !context->devices)
		status = ROCPROFILER_STATUS_ERROR_CONTEXT_INVALID;
	if (!status)
		status = read_agents(context, &sample);
	if (!status && output)
		status = give(&sample, output, inout_count);
	free(sample.records);
	return status;
}
