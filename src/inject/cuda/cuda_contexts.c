/* SPDX-License-Identifier: MIT */
#include "inject/cuda/cuda_contexts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "tacho/sys/devices.h"

static struct tacho__cuda_context *contexts; /* those that are lost stay, with context NULL */

struct tacho__cuda_context *tacho__cuda_context_find(void *context)
{
	struct tacho__cuda_context *found, *unused = NULL;

	for (found = contexts; found && found->context != context; found = found->next)
		if (!found->context)
			unused = found;
	if (!found && unused) {
		struct tacho__cuda_context *next = unused->next;

		*unused = (struct tacho__cuda_context){.next = next, .context = context};
		return unused;
	}
	if (found)
		return found;
	found = calloc(1, sizeof(*found));
	if (!found)
		return NULL;
	found->context = context;
	found->next = contexts;
	contexts = found;
	return found;
}

/* Sessions first, the library's profiler with the device, which the context must outlive. */
void tacho__cuda_context_close(struct tacho__cuda_context *context)
{
	tacho_session_destroy(context->session);
	tacho_plan_destroy(context->plan);
	tacho_config_destroy(context->config);
	if (context->device)
		tacho_device_close(context->device);
	tacho_context_destroy(context->devices);
	context->session = NULL;
	context->plan = NULL;
	context->config = NULL;
	context->device = NULL;
	context->devices = NULL;
}

void tacho__cuda_context_fail(struct tacho__cuda_context *context)
{
	const struct tacho_error_detail *detail = tacho_error_last();

	snprintf(context->why, sizeof(context->why), "%s%s%s", detail->message,
		 detail->cause[0] ? ": " : "", detail->cause);
	snprintf(context->cure, sizeof(context->cure), "%s", detail->cure);
	context->state = TACHO__CUDA_CONTEXT_FAILED;
}

/* ---- opening ---- */

static int find_device(struct tacho__cuda_context *context, const struct tacho_counting *counting)
{
	const struct tacho_context_options options = {
		.size = sizeof(options), .backends = counting->backends, .handle = &context->live};
	const struct tacho_device_info *info = NULL;
	int rc = tacho_context_create_lean(&options, &context->devices);

	if (rc)
		return rc;
	if (!counting->device)
		info = tacho_context_get_device_info(context->devices, 0);
	else if (tacho_context_find_device_info(context->devices, counting->device, &info))
		return tacho__fail(TACHO_E_NODEVICE, tacho__detail("it is %s", context->live.uuid),
				   "name it with -d",
				   "it ran on another device than the one that is counted");
	return tacho_device_open(context->devices, info, &context->device);
}

static int open_device(struct tacho__cuda_context *context, const struct tacho_counting *counting)
{
	int rc;

	context->live = (struct tacho__cupti_live){.context = context->context,
						   .device = tacho__cuda_get_device()};
	rc = tacho__cupti_describe_live(&context->live);
	if (!rc)
		rc = find_device(context, counting);
	if (!rc)
		rc = tacho_counting_make_plan(counting, context->device, &context->config,
					      &context->plan);
	return rc;
}

static uint32_t get_replay(const struct tacho_counting *counting)
{
	return counting->replay == TACHO_REPLAY_KERNEL ? TACHO_REPLAY_NONE : counting->replay;
}

/* The session that goes on; launches that run again have sessions of their own. */
static int open_session(struct tacho__cuda_context *context, const struct tacho_counting *counting)
{
	const struct tacho_session_options options = {
		.size = sizeof(options),
		.replay = get_replay(counting),
		.only_pass = counting->only_pass > 0 ? (uint32_t)counting->only_pass : 0,
		.strict = counting->is_strict,
	};
	int rc;

	if (counting->replay == TACHO_REPLAY_KERNEL && counting->pass_count > 1)
		return 0;
	rc = tacho_session_create(context->device, context->plan, &options, &context->session);
	if (!rc && options.replay != TACHO_REPLAY_ROTATE && options.replay != TACHO_REPLAY_VENDOR)
		rc = tacho_session_begin_pass(context->session);
	return rc;
}

static int try_open(struct tacho__cuda_context *context, const struct tacho_counting *counting)
{
	int rc = open_device(context, counting);

	if (!rc)
		rc = open_session(context, counting);
	if (rc) {
		tacho__cuda_context_fail(context);
		tacho__cuda_context_close(context);
	}
	return rc;
}

/* The library has one profiler of a GPU at a time. */
static bool evict(const struct tacho__cuda_context *for_whom)
{
	bool has_any = false;

	for (struct tacho__cuda_context *other = contexts; other; other = other->next) {
		if (other == for_whom || other->state != TACHO__CUDA_CONTEXT_COUNTS ||
		    other->is_stuck)
			continue;
		tacho__cuda_context_close(other);
		other->state = TACHO__CUDA_CONTEXT_NEW;
		has_any = true;
	}
	return has_any;
}

bool tacho__cuda_context_open(struct tacho__cuda_context *context,
			      const struct tacho_counting *counting)
{
	int rc = 0;

	if (context->state == TACHO__CUDA_CONTEXT_NEW) {
		rc = try_open(context, counting);
		if (rc == TACHO_E_BUSY && evict(context))
			rc = try_open(context, counting);
		if (!rc)
			context->state = TACHO__CUDA_CONTEXT_COUNTS;
	}
	return context->state == TACHO__CUDA_CONTEXT_COUNTS;
}

bool tacho__cuda_context_any(void)
{
	for (const struct tacho__cuda_context *context = contexts; context; context = context->next)
		if (context->context && context->state == TACHO__CUDA_CONTEXT_COUNTS)
			return true;
	return false;
}

/* ---- what did not end ---- */

bool tacho__cuda_context_recover(struct tacho__cuda_context *context)
{
	struct tacho_session *session = context->stuck_session;
	struct tacho_result *dropped = NULL;

	if (!context->is_stuck)
		return true;
	if (!tacho__cuda_wait(&context->waiter, 0))
		return false;
	context->is_stuck = false;
	context->stuck_session = NULL;
	tacho__cuda_memory_free(context->stuck_memory);
	context->stuck_memory = NULL;
	if (!session)
		return true;
	tacho_session_end_range(session, context->stuck_range);
	tacho_session_drain(session, 0, NULL);
	if (session != context->session)
		tacho_session_destroy(session);
	else if (!tacho_session_take(session, &dropped))
		tacho_result_destroy(dropped);
	return true;
}

/* ---- the end ---- */

static void lose(struct tacho__cuda_context *context)
{
	if (tacho__cuda_context_recover(context)) {
		tacho__cuda_context_close(context);
		tacho__cuda_waiter_finish(&context->waiter);
	}
	context->context = NULL;
	context->state = TACHO__CUDA_CONTEXT_NEW;
}

void tacho__cuda_context_lose(void *lost)
{
	for (struct tacho__cuda_context *context = contexts; context; context = context->next)
		if (context->context == lost)
			lose(context);
}
