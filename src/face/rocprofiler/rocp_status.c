/* SPDX-License-Identifier: MIT */
/* What can be asked before there are tools: statuses in words, the version, the time, the thread.
 */
#include <time.h>
#include <unistd.h>

#include "base/array.h"
#include "face/rocprofiler/rocprofiler.h"

#define STATUS(name, text) [ROCPROFILER_STATUS_##name] = {"ROCPROFILER_STATUS_" #name, text}

static const struct {
	const char *name, *text;
} statuses[] = {
	STATUS(SUCCESS, "Success"),
	STATUS(ERROR, "Something failed"),
	STATUS(ERROR_CONTEXT_NOT_FOUND, "There is no such context"),
	STATUS(ERROR_BUFFER_NOT_FOUND, "There is no such buffer"),
	STATUS(ERROR_KIND_NOT_FOUND, "There is no such kind"),
	STATUS(ERROR_OPERATION_NOT_FOUND, "The kind has no such operation"),
	STATUS(ERROR_THREAD_NOT_FOUND, "There is no such thread"),
	STATUS(ERROR_AGENT_NOT_FOUND, "There is no such agent"),
	STATUS(ERROR_COUNTER_NOT_FOUND, "There is no such counter"),
	STATUS(ERROR_CONTEXT_ERROR, "The context is busy or cannot be made"),
	STATUS(ERROR_CONTEXT_INVALID, "The context is not one for this"),
	STATUS(ERROR_CONTEXT_NOT_STARTED, "The context does not run"),
	STATUS(ERROR_CONTEXT_CONFLICT, "Another context has what this one needs"),
	STATUS(ERROR_CONTEXT_ID_NOT_ZERO, "The context's id was not 0 before it was made"),
	STATUS(ERROR_BUFFER_BUSY, "The buffer's records are being delivered"),
	STATUS(ERROR_SERVICE_ALREADY_CONFIGURED, "The context has this service already"),
	STATUS(ERROR_CONFIGURATION_LOCKED, "Tools configure while they are initialized only"),
	STATUS(ERROR_NOT_IMPLEMENTED, "This library does not do that"),
	STATUS(ERROR_INCOMPATIBLE_ABI, "The library does not have this version of the struct"),
	STATUS(ERROR_INVALID_ARGUMENT, "An argument is not valid"),
	STATUS(ERROR_METRIC_NOT_VALID_FOR_AGENT, "The agent does not have this counter"),
	STATUS(ERROR_FINALIZED, "The tools were finalized"),
	STATUS(ERROR_HSA_NOT_LOADED, "The runtime is not loaded yet"),
	STATUS(ERROR_DIM_NOT_FOUND, "The counter does not have this dimension"),
	STATUS(ERROR_PROFILE_COUNTER_NOT_FOUND, "A counter of the config is not to be had"),
	STATUS(ERROR_AST_GENERATION_FAILED, "The expression is wrong"),
	STATUS(ERROR_AST_NOT_FOUND, "The counter's expression is not known"),
	STATUS(ERROR_AQL_NO_EVENT_COORD, "The instances of the counter are not known"),
	STATUS(ERROR_INCOMPATIBLE_KERNEL, "The kernel driver is too old for this service"),
	STATUS(ERROR_OUT_OF_RESOURCES, "Memory or room is short"),
	STATUS(ERROR_PROFILE_NOT_FOUND, "There is no such config"),
	STATUS(ERROR_AGENT_DISPATCH_CONFLICT,
	       "A context counts launches or devices, and cannot count both"),
	STATUS(INTERNAL_NO_AGENT_CONTEXT, "No context counts a device"),
	STATUS(ERROR_SAMPLE_RATE_EXCEEDED, "The sample before has not ended"),
	STATUS(ERROR_NO_PROFILE_QUEUE, "The agent has no queue to count with"),
	STATUS(ERROR_NO_HARDWARE_COUNTERS, "The config has no counters of the hardware"),
	STATUS(ERROR_AGENT_MISMATCH, "The config is one of another agent"),
	STATUS(ERROR_NOT_AVAILABLE, "The service is not to be had here"),
	STATUS(ERROR_EXCEEDS_HW_LIMIT, "The hardware cannot count all of this at once"),
	STATUS(ERROR_AGENT_ARCH_NOT_SUPPORTED, "The agent's architecture has no counters"),
	STATUS(ERROR_PERMISSION_DENIED, "Permission is missing"),
};
_Static_assert(TACHO__ARRAY_SIZE(statuses) == ROCPROFILER_STATUS_LAST, "a status has no words");

const char *rocprofiler_get_status_name(rocprofiler_status_t status)
{
	return (unsigned)status < ROCPROFILER_STATUS_LAST ? statuses[status].name : NULL;
}

const char *rocprofiler_get_status_string(rocprofiler_status_t status)
{
	return (unsigned)status < ROCPROFILER_STATUS_LAST ? statuses[status].text : NULL;
}

rocprofiler_status_t rocprofiler_get_version(uint32_t *major, uint32_t *minor, uint32_t *patch)
{
	if (major)
		*major = ROCPROFILER_SDK_VERSION_MAJOR;
	if (minor)
		*minor = ROCPROFILER_SDK_VERSION_MINOR;
	if (patch)
		*patch = ROCPROFILER_SDK_VERSION_PATCH;
	return ROCPROFILER_STATUS_SUCCESS;
}

rocprofiler_status_t rocprofiler_get_version_triplet(rocprofiler_version_triplet_t *info)
{
	if (!info)
		return ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT;
	return rocprofiler_get_version(&info->major, &info->minor, &info->patch);
}

rocprofiler_status_t rocprofiler_get_timestamp(rocprofiler_timestamp_t *ts)
{
	if (!ts)
		return ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT;
	*ts = tacho__rocp_now_ns();
	return ROCPROFILER_STATUS_SUCCESS;
}

rocprofiler_status_t rocprofiler_get_thread_id(rocprofiler_thread_id_t *tid)
{
	if (!tid)
		return ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT;
	*tid = (rocprofiler_thread_id_t)gettid();
	return ROCPROFILER_STATUS_SUCCESS;
}

uint64_t tacho__rocp_now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_BOOTTIME, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}
