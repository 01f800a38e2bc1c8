/* SPDX-License-Identifier: MIT */
/* Sessions of a context, and their passes. */
#include <stdlib.h>

#include "base/options.h"
#include "face/perfworks/perfworks.h"

/* A device that has not answered by then never will. */
#define WAIT_NS (UINT64_C(60) * 1000 * 1000 * 1000)

enum { MOST_RANGES = 1 << 20, MOST_LEVELS = 64 }; /* unless the program says it */

static void drop_session(struct tacho__pw_session *session)
{
	tacho_result_destroy(session->result);
	tacho_session_destroy(session->core);
	tacho_plan_destroy(session->plan);
	tacho_config_destroy(session->entries);
	tacho__pw_values_drop(session->values);
	tacho__pw_config_drop(session->config);
	free(session->stack);
	free(session);
}

void tacho__pw_session_end(struct tacho__pw_context *context)
{
	atomic_fetch_sub(&context->session->config->sessions, 1);
	drop_session(context->session);
	context->session = NULL;
}

static NVPA_Status fail_state(const char *cause, const char *cure, const char *what)
{
	return tacho__pw_fail(NVPA_STATUS_INVALID_CONTEXT_STATE, cause, cure, "%s", what);
}

NVPA_Status tacho__pw_session_find(void *handle, struct tacho__pw_context **out_context)
{
	NVPA_Status status = tacho__pw_context_find(handle, out_context);

	if (!status && !(*out_context)->session)
		status = fail_state("none is open", "call NVPA_Context_BeginSession before",
				    "the context has no session");
	return status;
}

static NVPA_Status check_begin(const struct tacho__pw_context *context,
			       const struct tacho__pw_config *config,
			       const NVPA_SessionOptions *options)
{
	if (context->session)
		return fail_state("one is open", "call NVPA_Context_EndSession before",
				  "no session can begin");
	if (config->device != context->device)
		return tacho__pw_fail(
			NVPA_STATUS_OBJECT_MISMATCH,
			tacho__detail("it is of device %zu, the context is of device %zu",
				      config->device->index, context->device->index),
			"make a config for NVPA_Context_GetDeviceIndex of this context",
			"the config does not fit the context");
	if (options->autoRanges && !tacho_device_get_info(context->unit)->is_simulated)
		return tacho__pw_fail(NVPA_STATUS_NOT_SUPPORTED, "the device does not report them",
				      "push and pop ranges",
				      "launches of %s cannot be ranges of their own",
				      context->device->name);
	return NVPA_STATUS_SUCCESS;
}

static int create_core(struct tacho__pw_session *session, const struct tacho__pw_context *context,
		       const NVPA_SessionOptions *given)
{
	size_t levels = given->maxNesting ? given->maxNesting : MOST_LEVELS;
	struct tacho_session_options options = {
		.size = sizeof(options),
		.replay = TACHO_REPLAY_CALLER,
		.accumulates = 1,
		.same_ranges = 1,
		.row_max = given->maxRanges ? given->maxRanges : MOST_RANGES,
		.depth_max = levels < UINT32_MAX ? (uint32_t)levels : UINT32_MAX,
	};
	int rc = tacho__pw_plan(context->unit, session->config->choices, session->config->count,
				&session->entries, &session->plan);

	return rc ? rc
		  : tacho_session_create(context->unit, session->plan, &options, &session->core);
}

static NVPA_Status begin_session(struct tacho__pw_context *context, struct tacho__pw_config *config,
				 const NVPA_SessionOptions *options)
{
	struct tacho__pw_session *session = calloc(1, sizeof(*session));

	if (!session)
		return tacho__pw_fail_memory();
	atomic_fetch_add(&config->references, 1);
	session->config = config;
	session->has_auto_ranges = options->autoRanges;
	if (create_core(session, context, options)) {
		drop_session(session);
		return tacho__pw_context_fail(context);
	}
	atomic_fetch_add(&config->sessions, 1);
	context->session = session;
	return NVPA_STATUS_SUCCESS;
}

NVPA_Status NVPA_Context_BeginSessionWithOptions(void *ctx, NVPA_Config *pConfig,
						 const NVPA_SessionOptions *pOptions)
{
	struct tacho__pw_context *context = NULL;
	struct tacho__pw_config *config;
	NVPA_SessionOptions options;
	NVPA_Status status = tacho__pw_context_find(ctx, &context);

	if (status)
		return status;
	config = tacho__pw_live_get(TACHO__PW_CONFIG, pConfig);
	if (!config)
		return NVPA_STATUS_INVALID_ARGUMENT;
	if (tacho__options_take(&options, sizeof(options), pOptions, "NVPA_SessionOptions"))
		return tacho__pw_fail_as(NVPA_STATUS_INVALID_ARGUMENT);
	status = check_begin(context, config, &options);
	return status ? status : begin_session(context, config, &options);
}

NVPA_Status NVPA_Context_BeginSession(void *ctx, NVPA_Config *pConfig)
{
	return NVPA_Context_BeginSessionWithOptions(ctx, pConfig, NULL);
}

NVPA_Status NVPA_Context_EndSession(void *ctx)
{
	struct tacho__pw_context *context = NULL;
	NVPA_Status status = tacho__pw_session_find(ctx, &context);

	if (!status)
		tacho__pw_session_end(context);
	return status;
}

/* No pass helps any more: nothing comes from the device. It is asked only after a failure. */
static bool is_gone(const struct tacho__pw_session *session)
{
	int rc = session->has_failed ? tacho_session_drain(session->core, 0, NULL) : 0;

	/* INVAL: the context is not current on this thread. */
	return rc && rc != TACHO_E_TIMEOUT && rc != TACHO_E_INVAL;
}

static bool is_complete(const struct tacho__pw_session *session)
{
	return !session->is_pass_open &&
	       (session->passes >= tacho_session_get_run_count(session->core) || is_gone(session));
}

NVPA_Status NVPA_Context_BeginPass(void *ctx)
{
	struct tacho__pw_context *context = NULL;
	struct tacho__pw_session *session;
	NVPA_Status status = tacho__pw_session_find(ctx, &context);

	if (status)
		return status;
	session = context->session;
	if (session->is_pass_open)
		return fail_state("one is open", "call NVPA_Context_EndPass before",
				  "no pass can begin");
	if (session->passes >= tacho_session_get_run_count(session->core))
		return fail_state(tacho__detail("%zu were ended", session->passes),
				  "look at NVPA_Context_PredictDataReady", "no pass is needed");
	if (tacho_session_begin_pass(session->core)) {
		session->has_failed = true;
		return tacho__pw_context_fail(context);
	}
	session->is_pass_open = true;
	return NVPA_STATUS_SUCCESS;
}

/* The pass is over in any case. */
static NVPA_Status finish_pass(struct tacho__pw_context *context)
{
	struct tacho__pw_session *session = context->session;
	int rc = tacho_session_end_pass(session->core, NULL);

	session->is_pass_open = false;
	session->passes++;
	if (!rc)
		return NVPA_STATUS_SUCCESS;
	if (rc == TACHO_E_INVAL)
		return tacho__pw_fail_as(NVPA_STATUS_OBJECT_MISMATCH);
	session->has_failed = true;
	return tacho__pw_context_fail(context);
}

NVPA_Status NVPA_Context_EndPass(void *ctx)
{
	struct tacho__pw_context *context = NULL;
	NVPA_Status status = tacho__pw_session_find(ctx, &context), last;

	if (status)
		return status;
	if (!context->session->is_pass_open)
		return fail_state("none is open", "call NVPA_Context_BeginPass before",
				  "no pass can end");
	while (context->session->depth)
		if (tacho__pw_range_pop(context) && !status)
			status = tacho__pw_context_fail(context);
	last = finish_pass(context);
	return last ? last : status;
}

NVPA_Status NVPA_Context_PredictDataReady(void *ctx, bool *pReady)
{
	struct tacho__pw_context *context = NULL;
	NVPA_Status status =
		pReady ? tacho__pw_session_find(ctx, &context) : tacho__pw_fail_null("pReady");

	if (!status)
		*pReady = is_complete(context->session);
	return status;
}

static NVPA_Status check_closed(const struct tacho__pw_session *session, const char *what)
{
	return session->is_pass_open
		       ? fail_state("a pass is open", "call NVPA_Context_EndPass before", what)
		       : NVPA_STATUS_SUCCESS;
}

NVPA_Status NVPA_Context_Finish(void *ctx)
{
	struct tacho__pw_context *context = NULL;
	NVPA_Status status = tacho__pw_session_find(ctx, &context);

	if (!status)
		status = check_closed(context->session, "nothing is waited for");
	if (!status && tacho_session_drain(context->session->core, WAIT_NS, NULL)) {
		context->session->has_failed = true;
		status = tacho__pw_context_fail(context);
	}
	return status;
}

/* A device that is gone may have left some values: what is lacking is absent. */
static NVPA_Status take_values(struct tacho__pw_context *context)
{
	struct tacho__pw_session *session = context->session;
	int rc = tacho_session_drain(session->core, WAIT_NS, NULL);

	if (rc && !is_gone(session)) {
		session->has_failed = true;
		return tacho__pw_context_fail(context);
	}
	return tacho__pw_values_take(session, &session->values) ? tacho__pw_fail_core()
								: NVPA_STATUS_SUCCESS;
}

NVPA_Status NVPA_Context_ReadResults(void *ctx, NVPA_Results **ppResults)
{
	struct tacho__pw_context *context = NULL;
	struct tacho__pw_session *session;
	void *handle;
	NVPA_Status status = ppResults ? tacho__pw_session_find(ctx, &context)
				       : tacho__pw_fail_null("ppResults");

	if (!status)
		status = check_closed(context->session, "there are no results as yet");
	if (status)
		return status;
	session = context->session;
	if (!session->values && !is_complete(session))
		return fail_state(tacho__detail("%zu of the passes were ended, %zu are needed",
						session->passes,
						tacho_session_get_run_count(session->core)),
				  "run the rest of them", "there are no results as yet");
	if (!session->values)
		status = take_values(context);
	if (!status)
		status = tacho__pw_live_add(TACHO__PW_RESULTS, session->values, &handle);
	if (status)
		return status;
	atomic_fetch_add(&session->values->references, 1);
	*ppResults = handle;
	return NVPA_STATUS_SUCCESS;
}
