/* SPDX-License-Identifier: MIT */
/* Names of kinds, operations and tables: what the enumerators are called, without the prefix. */
#include <string.h>

#include "base/array.h"
#include "face/rocprofiler/rocprofiler.h"

#define NAME(prefix, name) [prefix##name] = #name
#define CALLBACK(name)	   NAME(ROCPROFILER_CALLBACK_TRACING_, name)
#define BUFFER(name)	   NAME(ROCPROFILER_BUFFER_TRACING_, name)
#define REQUEST(name)	   NAME(ROCPROFILER_EXTERNAL_CORRELATION_REQUEST_, name)

static const char *const callback_kinds[] = {
	CALLBACK(NONE),
	CALLBACK(HSA_CORE_API),
	CALLBACK(HSA_AMD_EXT_API),
	CALLBACK(HSA_IMAGE_EXT_API),
	CALLBACK(HSA_FINALIZE_EXT_API),
	CALLBACK(HIP_RUNTIME_API),
	CALLBACK(HIP_COMPILER_API),
	CALLBACK(MARKER_CORE_API),
	CALLBACK(MARKER_CONTROL_API),
	CALLBACK(MARKER_NAME_API),
	CALLBACK(CODE_OBJECT),
	CALLBACK(SCRATCH_MEMORY),
	CALLBACK(KERNEL_DISPATCH),
	CALLBACK(MEMORY_COPY),
	CALLBACK(RCCL_API),
	CALLBACK(OMPT),
	CALLBACK(MEMORY_ALLOCATION),
	CALLBACK(RUNTIME_INITIALIZATION),
	CALLBACK(ROCDECODE_API),
	CALLBACK(ROCJPEG_API),
	CALLBACK(HIP_STREAM),
	CALLBACK(MARKER_CORE_RANGE_API),
};

static const char *const buffer_kinds[] = {
	BUFFER(NONE),
	BUFFER(HSA_CORE_API),
	BUFFER(HSA_AMD_EXT_API),
	BUFFER(HSA_IMAGE_EXT_API),
	BUFFER(HSA_FINALIZE_EXT_API),
	BUFFER(HIP_RUNTIME_API),
	BUFFER(HIP_COMPILER_API),
	BUFFER(MARKER_CORE_API),
	BUFFER(MARKER_CONTROL_API),
	BUFFER(MARKER_NAME_API),
	BUFFER(MEMORY_COPY),
	BUFFER(KERNEL_DISPATCH),
	BUFFER(SCRATCH_MEMORY),
	BUFFER(CORRELATION_ID_RETIREMENT),
	BUFFER(RCCL_API),
	BUFFER(OMPT),
	BUFFER(MEMORY_ALLOCATION),
	BUFFER(RUNTIME_INITIALIZATION),
	BUFFER(ROCDECODE_API),
	BUFFER(ROCJPEG_API),
	BUFFER(HIP_STREAM),
	BUFFER(HIP_RUNTIME_API_EXT),
	BUFFER(HIP_COMPILER_API_EXT),
	BUFFER(ROCDECODE_API_EXT),
	BUFFER(KFD_EVENT_PAGE_MIGRATE),
	BUFFER(KFD_EVENT_PAGE_FAULT),
	BUFFER(KFD_EVENT_QUEUE),
	BUFFER(KFD_EVENT_UNMAP_FROM_GPU),
	BUFFER(KFD_EVENT_DROPPED_EVENTS),
	BUFFER(KFD_PAGE_MIGRATE),
	BUFFER(KFD_PAGE_FAULT),
	BUFFER(KFD_QUEUE),
	BUFFER(MARKER_CORE_RANGE_API),
};

static const char *const request_kinds[] = {
	REQUEST(NONE),
	REQUEST(HSA_CORE_API),
	REQUEST(HSA_AMD_EXT_API),
	REQUEST(HSA_IMAGE_EXT_API),
	REQUEST(HSA_FINALIZE_EXT_API),
	REQUEST(HIP_RUNTIME_API),
	REQUEST(HIP_COMPILER_API),
	REQUEST(MARKER_CORE_API),
	REQUEST(MARKER_CONTROL_API),
	REQUEST(MARKER_NAME_API),
	REQUEST(MEMORY_COPY),
	REQUEST(KERNEL_DISPATCH),
	REQUEST(SCRATCH_MEMORY),
	REQUEST(RCCL_API),
	REQUEST(OMPT),
	REQUEST(MEMORY_ALLOCATION),
	REQUEST(ROCDECODE_API),
	REQUEST(ROCJPEG_API),
	REQUEST(MARKER_CORE_RANGE_API),
};

static const struct {
	rocprofiler_intercept_table_t table;
	const char *name;
} tables[] = {
	{ROCPROFILER_HSA_TABLE, "HSA"},
	{ROCPROFILER_HIP_RUNTIME_TABLE, "HIP (runtime)"},
	{ROCPROFILER_HIP_COMPILER_TABLE, "HIP (compiler)"},
	{ROCPROFILER_MARKER_CORE_TABLE, "MARKER (ROCTx)"},
	{ROCPROFILER_MARKER_CONTROL_TABLE, "MARKER (ROCTx Control)"},
	{ROCPROFILER_MARKER_NAME_TABLE, "MARKER (ROCTx Name)"},
	{ROCPROFILER_RCCL_TABLE, "RCCL"},
	{ROCPROFILER_ROCDECODE_TABLE, "rocDecode"},
	{ROCPROFILER_ROCJPEG_TABLE, "rocJPEG"},
};

static const char *const code_object_names[] = {
	"CODE_OBJECT_NONE",
	"CODE_OBJECT_LOAD",
	"CODE_OBJECT_DEVICE_KERNEL_SYMBOL_REGISTER",
	"CODE_OBJECT_HOST_KERNEL_SYMBOL_REGISTER",
};
static const char *const stream_names[] = {
	"HIP_STREAM_NONE",
	"HIP_STREAM_CREATE",
	"HIP_STREAM_DESTROY",
	"HIP_STREAM_SET",
};
static const char *const copy_names[] = {
	"MEMORY_COPY_NONE",	      "MEMORY_COPY_HOST_TO_HOST",     "MEMORY_COPY_HOST_TO_DEVICE",
	"MEMORY_COPY_DEVICE_TO_HOST", "MEMORY_COPY_DEVICE_TO_DEVICE",
};
static const char *const allocation_names[] = {
	"MEMORY_ALLOCATION_NONE", "MEMORY_ALLOCATION_ALLOCATE",	 "MEMORY_ALLOCATION_VMEM_ALLOCATE",
	"MEMORY_ALLOCATION_FREE", "MEMORY_ALLOCATION_VMEM_FREE",
};
static const char *const dispatch_names[] = {
	"KERNEL_DISPATCH_NONE",
	"KERNEL_DISPATCH_ENQUEUE",
	"KERNEL_DISPATCH_COMPLETE",
};
static const char *const scratch_names[] = {
	"SCRATCH_MEMORY_NONE",
	"SCRATCH_MEMORY_ALLOC",
	"SCRATCH_MEMORY_FREE",
	"SCRATCH_MEMORY_ASYNC_RECLAIM",
};
static const char *const runtime_names[] = {
	"RUNTIME_INITIALIZATION_NONE",	  "RUNTIME_INITIALIZATION_HSA",
	"RUNTIME_INITIALIZATION_HIP",	  "RUNTIME_INITIALIZATION_MARKER",
	"RUNTIME_INITIALIZATION_RCCL",	  "RUNTIME_INITIALIZATION_ROCDECODE",
	"RUNTIME_INITIALIZATION_ROCJPEG",
};

/* The operations of kinds; functions of runtimes are not among them. */
static const struct operations {
	rocprofiler_callback_tracing_kind_t callback;
	rocprofiler_buffer_tracing_kind_t buffer; /* NONE: it has no such kind */
	const char *const *names;
	size_t count;
} operations[] = {
#define OPERATIONS(callback, buffer, names)                                                   \
	{                                                                                     \
		ROCPROFILER_CALLBACK_TRACING_##callback, ROCPROFILER_BUFFER_TRACING_##buffer, \
			names, TACHO__ARRAY_SIZE(names)                                       \
	}
	OPERATIONS(CODE_OBJECT, NONE, code_object_names),
	OPERATIONS(HIP_STREAM, HIP_STREAM, stream_names),
	OPERATIONS(MEMORY_COPY, MEMORY_COPY, copy_names),
	OPERATIONS(MEMORY_ALLOCATION, MEMORY_ALLOCATION, allocation_names),
	OPERATIONS(KERNEL_DISPATCH, KERNEL_DISPATCH, dispatch_names),
	OPERATIONS(SCRATCH_MEMORY, SCRATCH_MEMORY, scratch_names),
	OPERATIONS(RUNTIME_INITIALIZATION, RUNTIME_INITIALIZATION, runtime_names),
};

/* NULL: their names are not known. */
static const struct operations *find_operations(int callback_kind, int buffer_kind)
{
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(operations); i++)
		if ((callback_kind && (int)operations[i].callback == callback_kind) ||
		    (buffer_kind && (int)operations[i].buffer == buffer_kind))
			return &operations[i];
	return NULL;
}

static rocprofiler_status_t answer(const char *found, rocprofiler_status_t otherwise,
				   const char **name, uint64_t *name_len)
{
	if (name)
		*name = found;
	if (name_len)
		*name_len = found ? strlen(found) : 0;
	return found ? ROCPROFILER_STATUS_SUCCESS : otherwise;
}

static rocprofiler_status_t answer_from(const char *const *names, size_t count, unsigned index,
					rocprofiler_status_t otherwise, const char **name,
					uint64_t *name_len)
{
	return answer(index < count ? names[index] : NULL, otherwise, name, name_len);
}

rocprofiler_status_t
rocprofiler_query_callback_tracing_kind_name(rocprofiler_callback_tracing_kind_t kind,
					     const char **name, uint64_t *name_len)
{
	return answer_from(callback_kinds, TACHO__ARRAY_SIZE(callback_kinds), kind,
			   ROCPROFILER_STATUS_ERROR_KIND_NOT_FOUND, name, name_len);
}

rocprofiler_status_t
rocprofiler_query_buffer_tracing_kind_name(rocprofiler_buffer_tracing_kind_t kind,
					   const char **name, uint64_t *name_len)
{
	return answer_from(buffer_kinds, TACHO__ARRAY_SIZE(buffer_kinds), kind,
			   ROCPROFILER_STATUS_ERROR_KIND_NOT_FOUND, name, name_len);
}

rocprofiler_status_t rocprofiler_query_external_correlation_id_request_kind_name(
	rocprofiler_external_correlation_id_request_kind_t kind, const char **name,
	uint64_t *name_len)
{
	return answer_from(request_kinds, TACHO__ARRAY_SIZE(request_kinds), kind,
			   ROCPROFILER_STATUS_ERROR_KIND_NOT_FOUND, name, name_len);
}

rocprofiler_status_t rocprofiler_query_intercept_table_name(rocprofiler_intercept_table_t kind,
							    const char **name, uint64_t *name_len)
{
	const char *found = NULL;

	for (size_t i = 0; i < TACHO__ARRAY_SIZE(tables); i++)
		if (tables[i].table == kind)
			found = tables[i].name;
	return answer(found, ROCPROFILER_STATUS_ERROR_KIND_NOT_FOUND, name, name_len);
}

static rocprofiler_status_t answer_operation(const struct operations *of, unsigned operation,
					     const char **name, uint64_t *name_len)
{
	return answer_from(of ? of->names : NULL, of ? of->count : 0, operation,
			   ROCPROFILER_STATUS_ERROR_OPERATION_NOT_FOUND, name, name_len);
}

rocprofiler_status_t
rocprofiler_query_callback_tracing_kind_operation_name(rocprofiler_callback_tracing_kind_t kind,
						       rocprofiler_tracing_operation_t operation,
						       const char **name, uint64_t *name_len)
{
	if ((unsigned)kind >= ROCPROFILER_CALLBACK_TRACING_LAST)
		return ROCPROFILER_STATUS_ERROR_KIND_NOT_FOUND;
	return answer_operation(find_operations((int)kind, 0), (unsigned)operation, name, name_len);
}

rocprofiler_status_t
rocprofiler_query_buffer_tracing_kind_operation_name(rocprofiler_buffer_tracing_kind_t kind,
						     rocprofiler_tracing_operation_t operation,
						     const char **name, uint64_t *name_len)
{
	if ((unsigned)kind >= ROCPROFILER_BUFFER_TRACING_LAST)
		return ROCPROFILER_STATUS_ERROR_KIND_NOT_FOUND;
	return answer_operation(find_operations(0, (int)kind), (unsigned)operation, name, name_len);
}

rocprofiler_status_t
rocprofiler_iterate_callback_tracing_kinds(rocprofiler_callback_tracing_kind_cb_t callback,
					   void *data)
{
	if (!callback)
		return ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT;
	for (int kind = 1; kind < ROCPROFILER_CALLBACK_TRACING_LAST; kind++)
		if (callback((rocprofiler_callback_tracing_kind_t)kind, data))
			break;
	return ROCPROFILER_STATUS_SUCCESS;
}

rocprofiler_status_t
rocprofiler_iterate_buffer_tracing_kinds(rocprofiler_buffer_tracing_kind_cb_t callback, void *data)
{
	if (!callback)
		return ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT;
	for (int kind = 1; kind < ROCPROFILER_BUFFER_TRACING_LAST; kind++)
		if (callback((rocprofiler_buffer_tracing_kind_t)kind, data))
			break;
	return ROCPROFILER_STATUS_SUCCESS;
}

rocprofiler_status_t rocprofiler_iterate_callback_tracing_kind_operations(
	rocprofiler_callback_tracing_kind_t kind,
	rocprofiler_callback_tracing_kind_operation_cb_t callback, void *data)
{
	const struct operations *of = find_operations((int)kind, 0);

	if (!callback)
		return ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT;
	if ((unsigned)kind >= ROCPROFILER_CALLBACK_TRACING_LAST)
		return ROCPROFILER_STATUS_ERROR_KIND_NOT_FOUND;
	for (size_t i = 1; of && i < of->count; i++)
		if (callback(kind, (rocprofiler_tracing_operation_t)i, data))
			break;
	return ROCPROFILER_STATUS_SUCCESS;
}

rocprofiler_status_t rocprofiler_iterate_buffer_tracing_kind_operations(
	rocprofiler_buffer_tracing_kind_t kind,
	rocprofiler_buffer_tracing_kind_operation_cb_t callback, void *data)
{
	const struct operations *of = find_operations(0, (int)kind);

	if (!callback)
		return ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT;
	if ((unsigned)kind >= ROCPROFILER_BUFFER_TRACING_LAST)
		return ROCPROFILER_STATUS_ERROR_KIND_NOT_FOUND;
	for (size_t i = 1; of && i < of->count; i++)
		if (callback(kind, (rocprofiler_tracing_operation_t)i, data))
			break;
	return ROCPROFILER_STATUS_SUCCESS;
}
