/* SPDX-License-Identifier: MIT */
/* Statuses in words, and what the last failure of each thread was. */
#include <stdarg.h>
#include <stdio.h>

#include "base/array.h"
#include "face/perfworks/perfworks.h"

static const char *const statuses[] = {
	[NVPA_STATUS_SUCCESS] = "success",
	[NVPA_STATUS_ERROR] = "an error",
	[NVPA_STATUS_INTERNAL_ERROR] = "a defect of the library",
	[NVPA_STATUS_NOT_INITIALIZED] = "not initialized",
	[NVPA_STATUS_NOT_LOADED] = "libnvperfapi.so was not found",
	[NVPA_STATUS_FUNCTION_NOT_FOUND] = "libnvperfapi.so has no such function",
	[NVPA_STATUS_NOT_SUPPORTED] = "the device cannot do it",
	[NVPA_STATUS_NOT_IMPLEMENTED] = "not implemented",
	[NVPA_STATUS_INVALID_ARGUMENT] = "invalid argument",
	[NVPA_STATUS_INVALID_METRIC_ID] = "the metric belongs to another activity or config",
	[NVPA_STATUS_DRIVER_NOT_LOADED] = "the graphics or compute API is not in the process",
	[NVPA_STATUS_OUT_OF_MEMORY] = "out of memory",
	[NVPA_STATUS_INVALID_THREAD_STATE] = "this context is not current on the thread",
	[NVPA_STATUS_FAILED_CONTEXT_ALLOC] = "no context could be made",
	[NVPA_STATUS_UNSUPPORTED_GPU] = "nothing can be counted on this GPU",
	[NVPA_STATUS_INSUFFICIENT_DRIVER_VERSION] = "the driver is too old",
	[NVPA_STATUS_OBJECT_NOT_REGISTERED] = "the object was not registered",
	[NVPA_STATUS_INSUFFICIENT_PRIVILEGE] = "a permission is missing",
	[NVPA_STATUS_INVALID_CONTEXT_STATE] = "not in this state of the context",
	[NVPA_STATUS_INVALID_OBJECT_STATE] = "not in this state of the object",
	[NVPA_STATUS_RESOURCE_UNAVAILABLE] = "another profiler holds the device",
	[NVPA_STATUS_DRIVER_LOADED_TOO_LATE] = "the driver was loaded too late",
	[NVPA_STATUS_INSUFFICIENT_SPACE] = "too little room",
	[NVPA_STATUS_OBJECT_MISMATCH] = "the objects do not belong together",
};

static _Thread_local char last_text[4096];

const char *NVPA_GetStatusText(NVPA_Status status)
{
	return (size_t)status < TACHO__ARRAY_SIZE(statuses) ? statuses[status] : "unknown status";
}

const char *NVPA_GetErrorText(void)
{
	return last_text;
}

NVPA_Status tacho__pw_fail(NVPA_Status status, const char *cause, const char *cure,
			   const char *format, ...)
{
	char what[1024];
	va_list list;

	va_start(list, format);
	vsnprintf(what, sizeof(what), format, list);
	va_end(list);
	snprintf(last_text, sizeof(last_text), "%s%s%s%s%s", what, *cause ? ": " : "", cause,
		 *cure ? "; " : "", cure);
	return status;
}

NVPA_Status tacho__pw_fail_null(const char *what)
{
	return tacho__pw_fail(NVPA_STATUS_INVALID_ARGUMENT, "it is NULL", "give one",
			      "there is no %s", what);
}

NVPA_Status tacho__pw_fail_memory(void)
{
	return tacho__pw_fail(NVPA_STATUS_OUT_OF_MEMORY, "", "", "out of memory");
}

static NVPA_Status status_of(int code)
{
	switch (code) {
	case TACHO_E_INVAL:
	case TACHO_E_NOTFOUND:
	case TACHO_E_EXISTS:
	case TACHO_E_AMBIGUOUS:
	case TACHO_E_PARSE: return NVPA_STATUS_INVALID_ARGUMENT;
	case TACHO_E_NOMEM: return NVPA_STATUS_OUT_OF_MEMORY;
	case TACHO_E_UNSUPPORTED:
	case TACHO_E_PASSES: return NVPA_STATUS_NOT_SUPPORTED;
	case TACHO_E_NODEVICE: return NVPA_STATUS_UNSUPPORTED_GPU;
	case TACHO_E_PERM: return NVPA_STATUS_INSUFFICIENT_PRIVILEGE;
	case TACHO_E_BUSY: return NVPA_STATUS_RESOURCE_UNAVAILABLE;
	case TACHO_E_VERSION: return NVPA_STATUS_INSUFFICIENT_DRIVER_VERSION;
	default: return NVPA_STATUS_ERROR; /* LOST, TIMEOUT, IO, VENDOR */
	}
}

NVPA_Status tacho__pw_fail_as(NVPA_Status status)
{
	const struct tacho_error_detail *detail = tacho_error_last();

	return tacho__pw_fail(status, detail->cause, detail->cure, "%s", detail->message);
}

NVPA_Status tacho__pw_fail_core(void)
{
	return tacho__pw_fail_as(status_of(tacho_error_last()->code));
}
