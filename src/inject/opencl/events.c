/* SPDX-License-Identifier: MIT */
#include "inject/opencl/events.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>

#include "intercept/intercept.h"
#include "opencl_api.h"
#include "opencl_constants.h"
#include "record/wire.h"

/* Returns 0 or the driver's refusal. */
static int32_t read_times(void *event, struct tacho__times *times)
{
	const struct {
		uint32_t name;
		uint64_t *value;
	} wanted[] = {
		{CL_PROFILING_COMMAND_QUEUED, &times->queued},
		{CL_PROFILING_COMMAND_SUBMIT, &times->submit},
		{CL_PROFILING_COMMAND_START, &times->start},
		{CL_PROFILING_COMMAND_END, &times->end},
	};

	for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++) {
		int32_t rc = tacho__opencl_target.clGetEventProfilingInfo(
			event, wanted[i].name, sizeof(uint64_t), wanted[i].value, NULL);

		if (rc)
			return rc;
	}
	return 0;
}

/* Runs on a thread of the driver, or inside a call of the program. */
static void on_complete(void *event, int32_t status, void *token)
{
	struct tacho__times times = {.code = TACHO__SLOT_TIMES};
	int error = errno;

	if (status < 0) {
		times.code = TACHO__SLOT_FAILED;
		times.vendor_code = status;
	} else {
		times.vendor_code = read_times(event, &times);
		if (times.vendor_code)
			times.code = TACHO__SLOT_NO_PROFILING;
	}
	tacho__intercept_complete(token, &times);
	tacho__opencl_target.clReleaseEvent(event);
	errno = error;
}

static void give_up(void *token, int32_t refusal)
{
	const struct tacho__times times = {.code = TACHO__SLOT_NO_CALLBACK, .vendor_code = refusal};

	tacho__intercept_complete(token, &times);
}

/* Some drivers never call back for a command that has ended already, as blocking ones have. */
static bool has_ended(void *event, int32_t *out_status)
{
	return !tacho__opencl_target.clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS,
						    sizeof(*out_status), out_status, NULL) &&
	       *out_status <= CL_COMPLETE;
}

static void watch(void *token, void *event)
{
	int32_t status, rc;

	if (has_ended(event, &status)) {
		on_complete(event, status, token);
		return;
	}
	rc = tacho__opencl_target.clSetEventCallback(event, CL_COMPLETE, (void *)on_complete,
						     token);
	if (rc) {
		give_up(token, rc);
		tacho__opencl_target.clReleaseEvent(event);
	}
}

void tacho__opencl_watch(void *token, void *event, bool owned)
{
	int error = errno;
	int32_t rc = 0;

	if (token && !owned)
		rc = tacho__opencl_target.clRetainEvent(event);
	if (rc)
		give_up(token, rc);
	else if (token)
		watch(token, event);
	else if (owned)
		tacho__opencl_target.clReleaseEvent(event);
	errno = error;
}
