/* SPDX-License-Identifier: MIT */
/* Names of what callbacks can tell. Only the operations of code objects are told, and named. */
#include <string.h>

#include "base/array.h"
#include "face/rocprofiler/rocprofiler.h"

static const char *const kinds[] = {
	"NONE",
	"HSA_CORE_API",
	"HSA_AMD_EXT_API",
	"HSA_IMAGE_EXT_API",
	"HSA_FINALIZE_EXT_API",
	"HIP_RUNTIME_API",
	"HIP_COMPILER_API",
	"MARKER_CORE_API",
	"MARKER_CONTROL_API",
	"MARKER_NAME_API",
	"CODE_OBJECT",
	"SCRATCH_MEMORY",
	"KERNEL_DISPATCH",
	"MEMORY_COPY",
	"RCCL_API",
	"OMPT",
	"MEMORY_ALLOCATION",
	"RUNTIME_INITIALIZATION",
	"ROCDECODE_API",
	"ROCJPEG_API",
	"HIP_STREAM",
	"MARKER_CORE_RANGE_API",
};

static const char *const operations[] = {
	"CODE_OBJECT_NONE",
	"CODE_OBJECT_LOAD",
	"CODE_OBJECT_DEVICE_KERNEL_SYMBOL_REGISTER",
	"CODE_OBJECT_HOST_KERNEL_SYMBOL_REGISTER",
};

_Static_assert(TACHO__ARRAY_SIZE(kinds) == ROCPROFILER_CALLBACK_TRACING_LAST, "one for each");
_Static_assert(TACHO__ARRAY_SIZE(operations) == ROCPROFILER_CODE_OBJECT_LAST, "one for each");

static void answer(const char *text, const char **name, uint64_t *name_len)
{
	if (name)
		*name = text;
	if (name_len)
		*name_len = text ? strlen(text) : 0;
}

rocprofiler_status_t
rocprofiler_query_callback_tracing_kind_name(rocprofiler_callback_tracing_kind_t kind,
					     const char **name, uint64_t *name_len)
{
	bool is_known = (uint32_t)kind < TACHO__ARRAY_SIZE(kinds);

	answer(is_known ? kinds[kind] : NULL, name, name_len);
	return is_known ? ROCPROFILER_STATUS_SUCCESS : ROCPROFILER_STATUS_ERROR_KIND_NOT_FOUND;
}

rocprofiler_status_t
rocprofiler_query_callback_tracing_kind_operation_name(rocprofiler_callback_tracing_kind_t kind,
						       rocprofiler_tracing_operation_t operation,
						       const char **name, uint64_t *name_len)
{
	bool is_known = kind == ROCPROFILER_CALLBACK_TRACING_CODE_OBJECT &&
			(uint32_t)operation < TACHO__ARRAY_SIZE(operations);

	if ((uint32_t)kind >= TACHO__ARRAY_SIZE(kinds))
		return ROCPROFILER_STATUS_ERROR_KIND_NOT_FOUND;
	if (kind == ROCPROFILER_CALLBACK_TRACING_NONE)
		return ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT;
	answer(is_known ? operations[operation] : NULL, name, name_len);
	return is_known ? ROCPROFILER_STATUS_SUCCESS : ROCPROFILER_STATUS_ERROR_OPERATION_NOT_FOUND;
}

/* NONE too, as AMD's library does. */
rocprofiler_status_t
rocprofiler_iterate_callback_tracing_kinds(rocprofiler_callback_tracing_kind_cb_t callback,
					   void *data)
{
	if (!callback)
		return ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT;
	for (uint32_t i = 0; i < TACHO__ARRAY_SIZE(kinds); i++)
		if (callback((rocprofiler_callback_tracing_kind_t)i, data))
			break;
	return ROCPROFILER_STATUS_SUCCESS;
}

/* Kinds that are not served have no operations. */
rocprofiler_status_t rocprofiler_iterate_callback_tracing_kind_operations(
	rocprofiler_callback_tracing_kind_t kind,
	rocprofiler_callback_tracing_kind_operation_cb_t callback, void *data)
{
	size_t count = kind == ROCPROFILER_CALLBACK_TRACING_CODE_OBJECT
			       ? TACHO__ARRAY_SIZE(operations)
			       : 0;

	if ((uint32_t)kind >= TACHO__ARRAY_SIZE(kinds))
		return ROCPROFILER_STATUS_ERROR_KIND_NOT_FOUND;
	if (kind == ROCPROFILER_CALLBACK_TRACING_NONE || !callback)
		return ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT;
	for (size_t i = 0; i < count; i++)
		if (callback(kind, (rocprofiler_tracing_operation_t)i, data))
			break;
	return ROCPROFILER_STATUS_SUCCESS;
}

/* What is told comes from no call, and has no arguments. */
rocprofiler_status_t rocprofiler_iterate_callback_tracing_kind_operation_args(
	rocprofiler_callback_tracing_record_t record,
	rocprofiler_callback_tracing_operation_args_cb_t callback, int32_t max_dereference_count,
	void *user_data)
{
	(void)max_dereference_count;
	(void)user_data;
	if ((uint32_t)record.kind >= TACHO__ARRAY_SIZE(kinds))
		return ROCPROFILER_STATUS_ERROR_KIND_NOT_FOUND;
	return callback ? ROCPROFILER_STATUS_ERROR_NOT_IMPLEMENTED
			: ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT;
}
