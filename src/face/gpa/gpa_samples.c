/* SPDX-License-Identifier: MIT */
/* Samples: ranges of the open pass under numbers of the caller. */

#include "base/array.h"
#include "face/gpa/gpa.h"
#include "face/sample_work.h"

static GPA_Status get_open_pass(struct tacho__gpa_session **out_session)
{
	struct tacho__gpa_context *context = NULL;
	GPA_Status status = tacho__gpa_get_context(&context);

	if (!status && !context->active)
		status = tacho__gpa_fail(GPA_STATUS_ERROR_SAMPLING_NOT_STARTED,
					 "no session is open. Call GPA_BeginSession before.");
	if (!status && !context->active->is_pass_open)
		status = tacho__gpa_fail(GPA_STATUS_ERROR_PASS_NOT_STARTED,
					 "no pass is open. Call GPA_BeginPass before.");
	if (!status)
		*out_session = context->active;
	return status;
}

struct tacho__gpa_sample *tacho__gpa_find_sample(const struct tacho__gpa_session *session,
						 uint32_t id)
{
	uint32_t index = session->sample_count ? id - session->samples[0].id : 0;

	if (index < session->sample_count)
		return &session->samples[index];
	return session->others.count ? tacho__map_get(&session->others, (uint64_t)id + 1) : NULL;
}

/* Most programs number their samples one after the other: those need no map. */
static struct tacho__gpa_sample *append_sample(struct tacho__gpa_session *session)
{
	if (tacho__array_reserve(&session->samples, &session->sample_capacity,
				 session->sample_count, sizeof(*session->samples)))
		return NULL;
	return &session->samples[session->sample_count++];
}

static struct tacho__gpa_sample *add_other(struct tacho__gpa_session *session, uint32_t id)
{
	struct tacho__gpa_sample *sample = tacho__arena_get(&session->arena, sizeof(*sample));

	if (!sample || tacho__map_set(&session->others, (uint64_t)id + 1, sample))
		return NULL;
	return sample;
}

/* The sample of this number, new when no pass had it. NULL: no memory. */
static struct tacho__gpa_sample *get_sample(struct tacho__gpa_session *session, uint32_t id)
{
	struct tacho__gpa_sample *sample = tacho__gpa_find_sample(session, id);
	size_t count = session->sample_count;

	if (sample)
		return sample;
	sample = !count || id - session->samples[0].id == count ? append_sample(session)
								: add_other(session, id);
	if (sample)
		*sample = (struct tacho__gpa_sample){.id = id};
	return sample;
}

/*
 * Gives a simulated device something to count in the open sample. A unit of the program's own gets
 * only what the program submits.
 */
static int submit_work(const struct tacho__gpa_context *context)
{
	return context->is_simulated && context->core ? tacho__face_submit_work(context->device)
						      : 0;
}

static int is_needed(const struct tacho__gpa_session *session)
{
	return session->pass <= session->plan->pass_count;
}

static GPA_Status begin_sample(gpa_uint32 id)
{
	struct tacho__gpa_session *session = NULL;
	struct tacho__gpa_sample *sample;
	GPA_Status status = get_open_pass(&session);

	if (!status && session->open_sample)
		status = tacho__gpa_fail(GPA_STATUS_ERROR_SAMPLE_ALREADY_STARTED,
					 "sample %u is open. Call GPA_EndSample before.",
					 session->open_sample->id);
	if (status)
		return status;
	sample = get_sample(session, id);
	if (!sample)
		return tacho__gpa_fail(GPA_STATUS_ERROR_FAILED, "out of memory.");
	if (sample->last_pass == session->pass)
		return tacho__gpa_fail(GPA_STATUS_ERROR_SAMPLE_ALREADY_STARTED,
				       "pass %u has a sample %u already. Give each its own number.",
				       session->pass, id);
	session->range = 0;
	if (is_needed(session) &&
	    tacho_session_begin_range(session->core, 0, id, NULL, &session->range))
		return tacho__gpa_fail_core();
	sample->last_pass = session->pass;
	sample->is_counted |= is_needed(session);
	session->open_sample = sample;
	return GPA_STATUS_OK;
}

/* When the device fails the sample is over too: it cannot be ended twice. */
static GPA_Status end_sample(void)
{
	struct tacho__gpa_context *context = NULL;
	struct tacho__gpa_session *session = NULL;
	struct tacho__gpa_sample *sample;
	GPA_Status status = tacho__gpa_get_context(&context);
	int rc;

	if (status)
		return status;
	session = context->active;
	if (!session || !session->open_sample)
		return tacho__gpa_fail(GPA_STATUS_ERROR_SAMPLE_NOT_STARTED,
				       "no sample is open. Call GPA_BeginSample before.");
	sample = session->open_sample;
	session->open_sample = NULL;
	session->pass_samples++;
	if (!is_needed(session))
		return GPA_STATUS_OK;
	rc = submit_work(context);
	if (tacho_session_end_range(session->core, session->range) || rc)
		return tacho__gpa_fail_core();
	sample->passes++;
	return GPA_STATUS_OK;
}

static GPA_Status get_sample_count(gpa_uint32 session_id, gpa_uint32 *out_count)
{
	struct tacho__gpa_context *context = NULL;
	struct tacho__gpa_session *session = NULL;
	GPA_Status status = tacho__gpa_check_pointer(out_count, "pSamples");

	if (!status)
		status = tacho__gpa_get_context(&context);
	if (!status)
		status = tacho__gpa_find_session(context, session_id, &session);
	if (!status)
		*out_count = session->pass == 1 && session->is_pass_open ? session->pass_samples
									 : session->first_count;
	return status;
}

static GPA_Status is_sample_ready(gpa_bool *out_ready, gpa_uint32 session_id, gpa_uint32 id)
{
	struct tacho__gpa_context *context = NULL;
	struct tacho__gpa_session *session = NULL;
	struct tacho__gpa_sample *sample;
	GPA_Status status = tacho__gpa_get_asked(out_ready, "pReadyResult", &context);

	if (status)
		return status;
	*out_ready = 0;
	status = tacho__gpa_find_session(context, session_id, &session);
	if (status)
		return status;
	sample = tacho__gpa_find_sample(session, id);
	if (!sample || sample->passes < session->plan->pass_count)
		return tacho__gpa_fail(GPA_STATUS_ERROR_SAMPLE_NOT_FOUND_IN_ALL_PASSES,
				       "sample %u is in %u of the %u passes of session %u.", id,
				       sample ? sample->passes : 0, session->plan->pass_count,
				       session->id);
	*out_ready = tacho__gpa_take(context, session, 0) != 0;
	return GPA_STATUS_OK;
}

static GPA_Status is_session_ready(gpa_bool *out_ready, gpa_uint32 session_id)
{
	struct tacho__gpa_context *context = NULL;
	struct tacho__gpa_session *session = NULL;
	GPA_Status status = tacho__gpa_get_asked(out_ready, "pReadyResult", &context);

	if (!status)
		status = tacho__gpa_find_session(context, session_id, &session);
	if (!status)
		*out_ready = tacho__gpa_take(context, session, 0) != 0;
	return status;
}

GPA_Status GPA_BeginSample(gpa_uint32 sampleID)
{
	TACHO__GPA_CALL("GPA_BeginSample", begin_sample(sampleID));
}

GPA_Status GPA_EndSample(void)
{
	TACHO__GPA_CALL("GPA_EndSample", end_sample());
}

GPA_Status GPA_GetSampleCount(gpa_uint32 sessionID, gpa_uint32 *pSamples)
{
	TACHO__GPA_CALL("GPA_GetSampleCount", get_sample_count(sessionID, pSamples));
}

GPA_Status GPA_IsSampleReady(gpa_bool *pReadyResult, gpa_uint32 sessionID, gpa_uint32 sampleID)
{
	TACHO__GPA_CALL("GPA_IsSampleReady", is_sample_ready(pReadyResult, sessionID, sampleID));
}

GPA_Status GPA_IsSessionReady(gpa_bool *pReadyResult, gpa_uint32 sessionID)
{
	TACHO__GPA_CALL("GPA_IsSessionReady", is_session_ready(pReadyResult, sessionID));
}
