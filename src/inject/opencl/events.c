/* SPDX-License-Identifier: MIT */
#include "inject/opencl/events.h"

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>

#include "inject/opencl/buffer_times.h"
#include "inject/opencl/held.h"
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

struct tacho__times tacho__opencl_times_of(void *event, int32_t status)
{
	struct tacho__times times = {.code = TACHO__SLOT_TIMES};

	if (status < 0) {
		times.code = TACHO__SLOT_FAILED;
		times.vendor_code = status;
	} else {
		times.vendor_code = read_times(event, &times);
		if (times.vendor_code)
			times.code = TACHO__SLOT_NO_PROFILING;
	}
	return times;
}

static void complete(void *token, void *event, int32_t status)
{
	struct tacho__times times = tacho__opencl_times_of(event, status);

	tacho__opencl_put_right(event, &times);
	tacho__intercept_complete(token, &times);
}

/* These two run on a thread of the driver, or inside a call of the program. */
static void on_complete_owned(void *event, int32_t status, void *token)
{
	int error = errno;

	complete(token, event, status);
	tacho__opencl_target.clReleaseEvent(event);
	errno = error;
}

static void on_complete_held(void *event, int32_t status, void *token)
{
	int error = errno;
	size_t taken = tacho__opencl_take(event, &token);

	if (taken) {
		complete(token, event, status);
		tacho__opencl_let_go(event, taken);
	}
	errno = error;
}

static void give_up(void *token, void *event, int32_t refusal)
{
	const struct tacho__times times = {.code = TACHO__SLOT_NO_CALLBACK, .vendor_code = refusal};

	tacho__opencl_put_right(event, NULL);
	tacho__intercept_complete(token, &times);
}

/* Some drivers never call back for a command that has ended already, as blocking ones have. */
bool tacho__opencl_has_ended(void *event, int32_t *out_status)
{
	return !tacho__opencl_target.clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS,
						    sizeof(*out_status), out_status, NULL) &&
	       *out_status <= CL_COMPLETE;
}

/* Otherwise nobody waits for the command any more. */
static bool set_callback(void *token, void *event, void *callback)
{
	int32_t rc = tacho__opencl_target.clSetEventCallback(event, CL_COMPLETE, callback, token);

	if (rc)
		give_up(token, event, rc);
	return !rc;
}

static void watch_owned(void *token, void *event)
{
	int32_t status;

	if (tacho__opencl_has_ended(event, &status))
		on_complete_owned(event, status, token);
	else if (!set_callback(token, event, (void *)on_complete_owned))
		tacho__opencl_target.clReleaseEvent(event);
}

static void watch_programs(void *token, void *event)
{
	int32_t status, rc;
	size_t taken;

	if (tacho__opencl_has_ended(event, &status)) {
		complete(token, event, status);
		return;
	}
	rc = tacho__opencl_target.clRetainEvent(event);
	if (rc) {
		give_up(token, event, rc);
	} else if (!tacho__opencl_hold(event, token)) {
		if (!set_callback(token, event, (void *)on_complete_owned))
			tacho__opencl_target.clReleaseEvent(event);
	} else if (!set_callback(token, event, (void *)on_complete_held)) {
		taken = tacho__opencl_take(event, &token);
		if (taken)
			tacho__opencl_let_go(event, taken);
	}
}

void tacho__opencl_watch(void *token, void *event, bool owned)
{
	int error = errno;

	if (token && owned)
		watch_owned(token, event);
	else if (token)
		watch_programs(token, event);
	else if (owned)
		tacho__opencl_target.clReleaseEvent(event);
	errno = error;
}

/* PoCL 3.1 never calls back for a command that failed because one that it waited for did. */
int32_t tacho__opencl_release_event(void *event)
{
	int error = errno;
	void *token = NULL;
	size_t taken = 0;
	int32_t status;

	if (tacho__opencl_is_held(event) && tacho__opencl_has_ended(event, &status) && status < 0)
		taken = tacho__opencl_take(event, &token);
	if (taken) {
		complete(token, event, status);
		tacho__opencl_let_go(event, taken);
	}
	errno = error;
	return tacho__opencl_target.clReleaseEvent(event);
}
