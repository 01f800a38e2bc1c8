/* SPDX-License-Identifier: MIT */
/* What the program does: code objects, calls, dispatches and copies. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fake_private.h"

FAKE_API void fake_load(const char *const *names, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		char *name = fake_sdk.kernels[fake_sdk.kernel_count++];
		rocprofiler_callback_tracing_code_object_kernel_symbol_register_data_t symbol = {
			.size = sizeof(symbol),
			.kernel_id = fake_sdk.kernel_count,
			.code_object_id = 1,
			.kernel_name = name,
			.group_segment_size = 512,
			.arch_vgpr_count = 24,
			.sgpr_count = 32};
		rocprofiler_callback_tracing_record_t record = {
			.kind = ROCPROFILER_CALLBACK_TRACING_CODE_OBJECT,
			.operation = ROCPROFILER_CODE_OBJECT_DEVICE_KERNEL_SYMBOL_REGISTER,
			.phase = ROCPROFILER_CALLBACK_PHASE_LOAD,
			.thread_id = (uint64_t)gettid(),
			.payload = &symbol};
		rocprofiler_user_data_t user_data = {0};

		snprintf(name, sizeof(fake_sdk.kernels[0]), "%s.kd", names[i]);
		FAKE_EACH_CONTEXT(context)
		if (context->callback_of[record.kind])
			context->callback_of[record.kind](record, &user_data,
							  context->callback_data[record.kind]);
	}
}

FAKE_API void fake_call_begin(struct fake_call *call, uint32_t kind, int32_t operation)
{
	*call = (struct fake_call){.kind = kind,
				   .operation = operation,
				   .correlation = atomic_fetch_add(&fake_sdk.correlations, 1) + 1,
				   .start_ns = fake_now()};
}

FAKE_API void fake_call_end(struct fake_call *call)
{
	rocprofiler_buffer_tracing_hip_api_record_t record = {
		.size = sizeof(record),
		.kind = (rocprofiler_buffer_tracing_kind_t)call->kind,
		.operation = call->operation,
		.correlation_id = {.internal = call->correlation},
		.start_timestamp = call->start_ns,
		.end_timestamp = fake_now(),
		.thread_id = (uint64_t)gettid()};

	fake_put(call->kind, &record, sizeof(record));
}

FAKE_API void fake_copy(uint32_t operation, uint64_t bytes)
{
	uint64_t gpu = FAKE_AGENT_BASE + FAKE_NODE_GPU, cpu = FAKE_AGENT_BASE + FAKE_NODE_CPU;
	rocprofiler_buffer_tracing_memory_copy_record_t record = {
		.size = sizeof(record),
		.kind = ROCPROFILER_BUFFER_TRACING_MEMORY_COPY,
		.operation = (rocprofiler_memory_copy_operation_t)operation,
		.correlation_id = {.internal = atomic_load(&fake_sdk.correlations)},
		.thread_id = (uint64_t)gettid(),
		.start_timestamp = fake_now(),
		.dst_agent_id = {.handle = operation == 2 ? gpu : cpu},
		.src_agent_id = {.handle = operation == 2 ? cpu : gpu},
		.bytes = bytes};

	record.end_timestamp = fake_now();
	fake_put(record.kind, &record, sizeof(record));
}

/* Asks the tools about it: the configs by context. */
static void announce(const rocprofiler_kernel_dispatch_info_t *info, uint64_t correlation,
		     uint64_t *configs, rocprofiler_user_data_t *user_data)
{
	rocprofiler_callback_tracing_kernel_dispatch_data_t payload = {.size = sizeof(payload),
								       .dispatch_info = *info};
	rocprofiler_callback_tracing_record_t record = {
		.kind = ROCPROFILER_CALLBACK_TRACING_KERNEL_DISPATCH,
		.operation = ROCPROFILER_KERNEL_DISPATCH_ENQUEUE,
		.phase = ROCPROFILER_CALLBACK_PHASE_ENTER,
		.correlation_id = {.internal = correlation},
		.thread_id = (uint64_t)gettid(),
		.payload = &payload};
	const rocprofiler_dispatch_counting_service_data_t data = {
		.size = sizeof(data),
		.correlation_id = {.internal = correlation},
		.dispatch_info = *info};

	FAKE_EACH_CONTEXT(context)
	{
		size_t index = (size_t)(context - fake_sdk.contexts);
		rocprofiler_counter_config_id_t config = {0};
		rocprofiler_user_data_t ignored = {0};

		if (context->callback_of[record.kind])
			context->callback_of[record.kind](record, &ignored,
							  context->callback_data[record.kind]);
		if (context->on_dispatch)
			context->on_dispatch(data, &config, &user_data[index],
					     context->dispatch_data);
		if (config.handle && !fake_is_config(config.handle))
			fake_misuse("dispatch %llu is to be counted with config %llu",
				    (unsigned long long)info->dispatch_id,
				    (unsigned long long)config.handle);
		else
			configs[index] = config.handle;
	}
}

/* A head and the values behind it, one record each. */
static void buffer_values(uint32_t buffer, const rocprofiler_dispatch_counting_service_data_t *data,
			  const rocprofiler_counter_record_t *values, uint32_t count)
{
	const rocprofiler_dispatch_counting_service_record_t head = {
		.size = sizeof(head),
		.num_records = count,
		.correlation_id = data->correlation_id,
		.start_timestamp = data->start_timestamp,
		.end_timestamp = data->end_timestamp,
		.dispatch_info = data->dispatch_info};

	fake_put_counted(buffer, ROCPROFILER_COUNTER_RECORD_PROFILE_COUNTING_DISPATCH_HEADER, &head,
			 sizeof(head));
	for (uint32_t i = 0; i < count; i++)
		fake_put_counted(buffer, ROCPROFILER_COUNTER_RECORD_VALUE, &values[i],
				 sizeof(values[i]));
}

static void tell_values(struct context *context,
			const rocprofiler_dispatch_counting_service_data_t *data, uint64_t config,
			rocprofiler_user_data_t user_data)
{
	static _Thread_local struct fake_record raw[VALUES_MAX];
	rocprofiler_counter_record_t *values;
	uint64_t number = atomic_fetch_add(&fake_sdk.counted, 1) + 1,
		 silent = fake_get_number("silent");
	uint32_t count;

	if (silent && number % silent == 0)
		return;
	count = fake_count(config, number, raw, VALUES_MAX);
	values = calloc(count + 1, sizeof(*values));
	for (uint32_t i = 0; i < count; i++)
		values[i] = (rocprofiler_counter_record_t){
			.id = raw[i].id,
			.counter_value = raw[i].value,
			.dispatch_id = data->dispatch_info.dispatch_id,
			.user_data = user_data,
			.agent_id = data->dispatch_info.agent_id};
	fake_sleep_late();
	if (context->on_values)
		context->on_values(*data, values, count, user_data, context->values_data);
	else
		buffer_values(context->values_buffer, data, values, count);
	free(values);
}

FAKE_API void fake_dispatch(struct fake_dispatch *dispatch)
{
	uint64_t configs[CONTEXTS_MAX] = {0}, correlation = atomic_load(&fake_sdk.correlations);
	rocprofiler_user_data_t user_data[CONTEXTS_MAX] = {{0}};
	rocprofiler_buffer_tracing_kernel_dispatch_record_t record = {
		.size = sizeof(record),
		.kind = ROCPROFILER_BUFFER_TRACING_KERNEL_DISPATCH,
		.operation = ROCPROFILER_KERNEL_DISPATCH_COMPLETE,
		.correlation_id = {.internal = correlation},
		.thread_id = (uint64_t)gettid(),
		.dispatch_info = {
			.size = sizeof(record.dispatch_info) - 56,
			.agent_id = {.handle = FAKE_AGENT_BASE + FAKE_NODE_GPU},
			.queue_id = {.handle = dispatch->queue},
			.kernel_id = dispatch->kernel,
			.dispatch_id = atomic_fetch_add(&fake_sdk.dispatches, 1) + 1,
			.group_segment_size = 512,
			.workgroup_size = {dispatch->workgroup[0], dispatch->workgroup[1],
					   dispatch->workgroup[2]},
			.grid_size = {dispatch->grid[0], dispatch->grid[1], dispatch->grid[2]}}};
	rocprofiler_dispatch_counting_service_data_t data = {
		.size = sizeof(data), .correlation_id = record.correlation_id};

	announce(&record.dispatch_info, correlation, configs, user_data);
	record.start_timestamp = fake_now();
	while (fake_now() - record.start_timestamp < dispatch->duration_ns)
		;
	record.end_timestamp = fake_now();
	if (fake_has("future"))
		record.end_timestamp += UINT64_C(3600000000000);
	data.start_timestamp = record.start_timestamp;
	data.end_timestamp = record.end_timestamp;
	data.dispatch_info = record.dispatch_info;
	for (uint32_t i = 0; i < fake_sdk.context_count; i++)
		if (configs[i])
			tell_values(&fake_sdk.contexts[i], &data, configs[i], user_data[i]);
	fake_put(record.kind, &record, sizeof(record));
	dispatch->id = record.dispatch_info.dispatch_id;
	dispatch->start_ns = record.start_timestamp;
	dispatch->end_ns = record.end_timestamp;
}
