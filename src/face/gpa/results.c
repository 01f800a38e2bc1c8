/* SPDX-License-Identifier: MIT */
/* Values of sessions. Reading waits for them; what is no number is an error, never 0. */
#include "face/gpa/gpa.h"
#include "tacho/error.h"

/* A device that has not answered by then never will. */
#define WAIT_NS (UINT64_C(60) * 1000 * 1000 * 1000)

/* Rows have the samples' numbers. */
static void note_rows(struct tacho__gpa_session *session)
{
	const struct tacho_row *row;

	for (uint32_t i = 0; (row = tacho_result_get_row(session->result, i)); i++) {
		struct tacho__gpa_sample *sample =
			tacho__gpa_find_sample(session, (uint32_t)row->id);

		if (sample)
			sample->row = i + 1;
	}
}

int tacho__gpa_take(struct tacho__gpa_context *context, struct tacho__gpa_session *session,
		    uint64_t timeout_ns)
{
	int rc;

	if (session->result)
		return 1;
	if (session->is_active || !session->core)
		return 0;
	rc = tacho__gpa_await_values(context, session->core, timeout_ns);
	if (rc == TACHO_E_TIMEOUT)
		return 0;
	/* A device that is gone may have left some values. */
	if (tacho_session_take(session->core, &session->result))
		return 0;
	tacho_session_destroy(session->core);
	session->core = NULL;
	note_rows(session);
	return 1;
}

static GPA_Status check_type(const struct tacho__gpa_context *context, uint32_t index,
			     GPA_Type type)
{
	const struct tacho__gpa_counter *counter = &context->counters[index];

	if (counter->type == type)
		return GPA_STATUS_OK;
	return tacho__gpa_fail(GPA_STATUS_ERROR_COUNTER_NOT_OF_SPECIFIED_TYPE,
			       "counter %u (%s) is of type %s. Call GPA_GetSample%s.", index,
			       counter->entry->name,
			       counter->type == GPA_TYPE_UINT64 ? "gpa_uint64" : "gpa_float64",
			       counter->type == GPA_TYPE_UINT64 ? "UInt64" : "Float64");
}

/* Which column of the session it is; it has to be enabled now too, as it always had. */
static GPA_Status find_column(const struct tacho__gpa_context *context,
			      const struct tacho__gpa_session *session, uint32_t index,
			      size_t *out_column)
{
	size_t i = 0;

	while (i < session->plan->count && session->plan->counters[i] != index)
		i++;
	if (i == session->plan->count || !context->counters[index].is_enabled)
		return tacho__gpa_fail(GPA_STATUS_ERROR_NOT_ENABLED, "counter %u (%s) %s.", index,
				       context->counters[index].entry->name,
				       i < session->plan->count ? "was disabled after the session"
								: "was not enabled in the session");
	*out_column = i;
	return GPA_STATUS_OK;
}

static GPA_Status fail_reading(const struct tacho__gpa_session *session, uint32_t id,
			       const char *why)
{
	return tacho__gpa_fail(GPA_STATUS_ERROR_READING_COUNTER_RESULT,
			       "sample %u of session %u has no value: %s.", id, session->id, why);
}

static const char *explain(const struct tacho_column *column, uint8_t state)
{
	switch (state & TACHO_STATE_MASK) {
	case TACHO_STATE_OVERFLOW: return "a counter ran over";
	case TACHO_STATE_LOST: return "a part of it was lost by the device";
	case TACHO_STATE_ABSENT:
		return *column->note ? column->note : "the device gave none in some pass";
	default: return NULL;
	}
}

static GPA_Status read_value(struct tacho__gpa_context *context, struct tacho__gpa_session *session,
			     uint32_t id, size_t index, const struct tacho_column **out_column,
			     size_t *out_row)
{
	struct tacho__gpa_sample *sample = tacho__gpa_find_sample(session, id);
	const struct tacho_column *column = NULL;
	const char *why;

	if (!sample || !sample->is_counted)
		return tacho__gpa_fail(GPA_STATUS_ERROR_SAMPLE_NOT_FOUND,
				       "session %u has no sample %u.", session->id, id);
	if (session->is_active)
		return fail_reading(session, id, "the session is open; call GPA_EndSession before");
	if (!session->core && !session->result)
		return fail_reading(session, id, "the session ended before all of its passes");
	if (!tacho__gpa_take(context, session, WAIT_NS))
		return fail_reading(session, id, "the device did not deliver it in 60 seconds");
	column = tacho_result_get_column(session->result, index);
	if (!sample->row || !column)
		return fail_reading(session, id, "the device failed");
	why = explain(column, tacho_column_get_state(column, sample->row - 1, 0));
	if (why)
		return fail_reading(session, id, why);
	*out_column = column;
	*out_row = sample->row - 1;
	return GPA_STATUS_OK;
}

/* All the checks, in the order of the API. */
static GPA_Status find_value(uint32_t session_id, uint32_t id, uint32_t index, GPA_Type type,
			     const void *out_value, const struct tacho_column **out_column,
			     size_t *out_row)
{
	struct tacho__gpa_context *context = NULL;
	struct tacho__gpa_session *session = NULL;
	size_t column = 0;
	GPA_Status status = tacho__gpa_check_pointer(out_value, "pResult");

	if (!status)
		status = tacho__gpa_get_context(&context);
	if (!status)
		status = tacho__gpa_check_index(context, "counterIndex", index);
	if (!status)
		status = check_type(context, index, type);
	if (!status)
		status = tacho__gpa_find_session(context, session_id, &session);
	if (!status)
		status = find_column(context, session, index, &column);
	return status ? status : read_value(context, session, id, column, out_column, out_row);
}

static GPA_Status get_real(uint32_t session, uint32_t id, uint32_t index, double *out_value)
{
	const struct tacho_column *column = NULL;
	size_t row = 0;
	GPA_Status status =
		find_value(session, id, index, GPA_TYPE_FLOAT64, out_value, &column, &row);

	if (!status)
		*out_value = tacho_column_get_value(column, row, 0);
	return status;
}

/*
 * Queries' numbers come through equations, which are real; they are whole all the same. A driver
 * that counts wrongly can make a difference of two less than 0.
 */
static GPA_Status get_whole(uint32_t session, uint32_t id, uint32_t index, gpa_uint64 *out_value)
{
	const struct tacho_column *column = NULL;
	size_t row = 0;
	double real;
	GPA_Status status =
		find_value(session, id, index, GPA_TYPE_UINT64, out_value, &column, &row);

	if (status)
		return status;
	if (column->type == TACHO_TYPE_U64) {
		*out_value = column->data.u64[row * column->instance_count];
		return GPA_STATUS_OK;
	}
	real = tacho_column_get_value(column, row, 0);
	if (!(real >= 0 && real < 0x1p64))
		return tacho__gpa_fail(GPA_STATUS_ERROR_READING_COUNTER_RESULT,
				       "sample %u of session %u has no value: %g is no gpa_uint64.",
				       id, session, real);
	*out_value = (gpa_uint64)real;
	return GPA_STATUS_OK;
}

/* No counter has one of the two narrow types; the order of errors is theirs all the same. */
static GPA_Status get_narrow(uint32_t session, uint32_t id, uint32_t index, GPA_Type type,
			     const void *out_value)
{
	const struct tacho_column *column = NULL;
	size_t row = 0;

	return find_value(session, id, index, type, out_value, &column, &row);
}

GPA_Status GPA_GetSampleFloat64(gpa_uint32 sessionID, gpa_uint32 sampleID, gpa_uint32 counterIndex,
				gpa_float64 *pResult)
{
	TACHO__GPA_CALL("GPA_GetSampleFloat64",
			get_real(sessionID, sampleID, counterIndex, pResult));
}

GPA_Status GPA_GetSampleUInt64(gpa_uint32 sessionID, gpa_uint32 sampleID, gpa_uint32 counterIndex,
			       gpa_uint64 *pResult)
{
	TACHO__GPA_CALL("GPA_GetSampleUInt64",
			get_whole(sessionID, sampleID, counterIndex, pResult));
}

GPA_Status GPA_GetSampleFloat32(gpa_uint32 sessionID, gpa_uint32 sampleID, gpa_uint32 counterIndex,
				gpa_float32 *pResult)
{
	TACHO__GPA_CALL("GPA_GetSampleFloat32",
			get_narrow(sessionID, sampleID, counterIndex, GPA_TYPE_FLOAT32, pResult));
}

GPA_Status GPA_GetSampleUInt32(gpa_uint32 sessionID, gpa_uint32 sampleID, gpa_uint32 counterIndex,
			       gpa_uint32 *pResult)
{
	TACHO__GPA_CALL("GPA_GetSampleUInt32",
			get_narrow(sessionID, sampleID, counterIndex, GPA_TYPE_UINT32, pResult));
}
