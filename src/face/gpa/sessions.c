/* SPDX-License-Identifier: MIT */
/* Sessions and their passes; the last few of a context are kept. */

#include <stdlib.h>

#include "face/gpa/gpa.h"
#include "tacho/error.h"

void tacho__gpa_drop_session(struct tacho__gpa_session *session)
{
	tacho__map_finish(&session->others);
	free(session->samples);
	tacho__arena_finish(&session->arena);
	tacho_session_destroy(session->core);
	tacho_result_destroy(session->result);
	tacho__gpa_drop_plan(session->plan);
	*session = (struct tacho__gpa_session){0};
}

GPA_Status tacho__gpa_find_session(struct tacho__gpa_context *context, uint32_t id,
				   struct tacho__gpa_session **out_session)
{
	for (size_t i = 0; id && i < TACHO__GPA_KEPT; i++) {
		if (context->sessions[i].id == id) {
			*out_session = &context->sessions[i];
			return GPA_STATUS_OK;
		}
	}
	return tacho__gpa_fail(GPA_STATUS_ERROR_SESSION_NOT_FOUND,
			       "there is no session %u, or %d newer ones have taken its place.", id,
			       TACHO__GPA_KEPT);
}

/* The slot of the session that is begun: a free one, or that of the oldest. */
static struct tacho__gpa_session *choose_slot(struct tacho__gpa_context *context)
{
	struct tacho__gpa_session *chosen = &context->sessions[0];

	for (size_t i = 0; i < TACHO__GPA_KEPT && chosen->id; i++) {
		struct tacho__gpa_session *session = &context->sessions[i];

		/* Numbers may run over: the age counts. */
		if (!session->id ||
		    context->last_session - session->id > context->last_session - chosen->id)
			chosen = session;
	}
	return chosen;
}

static GPA_Status check_begin(struct tacho__gpa_context *context, const gpa_uint32 *out_id,
			      struct tacho__gpa_plan **out_plan)
{
	GPA_Status status = tacho__gpa_check_pointer(out_id, "pSessionID");

	if (!status)
		status = tacho__gpa_get_plan(context, out_plan);
	if (!status && !(*out_plan)->pass_count)
		status = tacho__gpa_fail(GPA_STATUS_ERROR_NO_COUNTERS_ENABLED,
					 "no counter is enabled. Call GPA_EnableCounter before.");
	if (!status && context->active)
		status = tacho__gpa_fail(GPA_STATUS_ERROR_SAMPLING_ALREADY_STARTED,
					 "session %u is open. Call GPA_EndSession before.",
					 context->active->id);
	return status;
}

static GPA_Status begin_session(gpa_uint32 *out_id)
{
	struct tacho_session_options options = {.size = sizeof(options),
						.replay = TACHO_REPLAY_CALLER};
	struct tacho__gpa_context *context = NULL;
	struct tacho__gpa_session *session = NULL;
	struct tacho__gpa_plan *plan = NULL;
	struct tacho_session *core = NULL;
	GPA_Status status = tacho__gpa_get_context(&context);

	if (!status)
		status = check_begin(context, out_id, &plan);
	if (!status && tacho_session_create(context->device, plan->plan, &options, &core))
		status = tacho__gpa_fail_core();
	if (status)
		return status;
	session = choose_slot(context);
	tacho__gpa_drop_session(session);
	if (!++context->last_session)
		context->last_session = 1;
	plan->references++;
	*session = (struct tacho__gpa_session){
		.id = context->last_session, .plan = plan, .core = core, .is_active = 1};
	context->active = session;
	*out_id = session->id;
	return GPA_STATUS_OK;
}

/* The session that is open. */
static GPA_Status get_active(struct tacho__gpa_context **out_context,
			     struct tacho__gpa_session **out_session)
{
	GPA_Status status = tacho__gpa_get_context(out_context);

	if (!status && !(*out_context)->active)
		status = tacho__gpa_fail(GPA_STATUS_ERROR_SAMPLING_NOT_STARTED,
					 "no session is open. Call GPA_BeginSession before.");
	if (!status)
		*out_session = (*out_context)->active;
	return status;
}

/* Too few passes are an error, but the session ends all the same; it has no values then. */
static GPA_Status end_session(void)
{
	struct tacho__gpa_context *context = NULL;
	struct tacho__gpa_session *session = NULL;
	GPA_Status status = get_active(&context, &session);

	if (!status && session->is_pass_open)
		status =
			tacho__gpa_fail(GPA_STATUS_ERROR_PASS_NOT_ENDED,
					"pass %u is open. Call GPA_EndPass before.", session->pass);
	if (status)
		return status;
	session->is_active = 0;
	context->active = NULL;
	if (session->passes_done >= session->plan->pass_count)
		return GPA_STATUS_OK;
	tacho_session_destroy(session->core);
	session->core = NULL;
	return tacho__gpa_fail(GPA_STATUS_ERROR_NOT_ENOUGH_PASSES,
			       "session %u had %u passes of the %u that its counters need, so it "
			       "has no values. Repeat the work in GPA_GetPassCount passes.",
			       session->id, session->passes_done, session->plan->pass_count);
}

static GPA_Status begin_pass(void)
{
	struct tacho__gpa_context *context = NULL;
	struct tacho__gpa_session *session = NULL;
	GPA_Status status = get_active(&context, &session);

	if (!status && session->is_pass_open)
		status =
			tacho__gpa_fail(GPA_STATUS_ERROR_PASS_ALREADY_STARTED,
					"pass %u is open. Call GPA_EndPass before.", session->pass);
	/* Passes beyond those that are needed count nothing. */
	if (!status && session->passes_done < session->plan->pass_count &&
	    tacho_session_begin_pass(session->core))
		status = tacho__gpa_fail_core();
	if (status)
		return status;
	session->is_pass_open = 1;
	session->pass++;
	session->pass_samples = 0;
	return GPA_STATUS_OK;
}

/*
 * Another number of samples is an error, but the pass ends all the same. Messages come last: the
 * callback may close the context.
 */
static GPA_Status finish_pass(struct tacho__gpa_session *session)
{
	int is_needed = session->passes_done < session->plan->pass_count;
	int rc = is_needed ? tacho_session_end_pass(session->core, NULL) : 0;

	session->is_pass_open = 0;
	session->passes_done++;
	if (session->pass == 1)
		session->first_count = session->pass_samples;
	if (rc)
		return tacho__gpa_fail_core();
	if (!is_needed || session->pass_samples == session->first_count)
		return GPA_STATUS_OK;
	return tacho__gpa_fail(GPA_STATUS_ERROR_VARIABLE_NUMBER_OF_SAMPLES_IN_PASSES,
			       "pass %u had %u samples, the first pass had %u. Take the same "
			       "samples in every pass.",
			       session->pass, session->pass_samples, session->first_count);
}

static GPA_Status end_pass(void)
{
	struct tacho__gpa_context *context = NULL;
	struct tacho__gpa_session *session = NULL;
	GPA_Status status = get_active(&context, &session);

	if (!status && !session->is_pass_open)
		status = tacho__gpa_fail(GPA_STATUS_ERROR_PASS_NOT_STARTED,
					 "no pass is open. Call GPA_BeginPass before.");
	if (!status && session->open_sample)
		status = tacho__gpa_fail(GPA_STATUS_ERROR_SAMPLE_NOT_ENDED,
					 "sample %u is open. Call GPA_EndSample before.",
					 session->open_sample->id);
	return status ? status : finish_pass(session);
}

GPA_Status GPA_BeginSession(gpa_uint32 *pSessionID)
{
	TACHO__GPA_CALL("GPA_BeginSession", begin_session(pSessionID));
}

GPA_Status GPA_EndSession(void)
{
	TACHO__GPA_CALL("GPA_EndSession", end_session());
}

GPA_Status GPA_BeginPass(void)
{
	TACHO__GPA_CALL("GPA_BeginPass", begin_pass());
}

GPA_Status GPA_EndPass(void)
{
	TACHO__GPA_CALL("GPA_EndPass", end_pass());
}
