/* SPDX-License-Identifier: MIT */
/* The stack of ranges of a context in a pass. */
#include "base/array.h"
#include "face/perfworks/perfworks.h"
#include "face/sample_work.h"

static NVPA_Status find_pass(void *handle, struct tacho__pw_context **out_context)
{
	NVPA_Status status = tacho__pw_session_find(handle, out_context);

	if (status ||
	    ((*out_context)->session->is_pass_open && !(*out_context)->session->has_auto_ranges))
		return status;
	return tacho__pw_fail(NVPA_STATUS_INVALID_CONTEXT_STATE,
			      (*out_context)->session->has_auto_ranges
				      ? "its session makes a range of each launch"
				      : "no pass is open",
			      "begin a session without autoRanges, and a pass",
			      "the context takes no ranges");
}

static NVPA_Status push(struct tacho__pw_context *context, uint64_t id, const char *name)
{
	struct tacho__pw_session *session = context->session;
	tacho_range parent = session->depth ? session->stack[session->depth - 1] : 0;

	if (tacho__array_reserve(&session->stack, &session->capacity, session->depth,
				 sizeof(*session->stack)))
		return tacho__pw_fail_memory();
	if (tacho_session_begin_range(session->core, parent, id, name,
				      &session->stack[session->depth])) {
		session->has_failed = true;
		return tacho__pw_context_fail(context);
	}
	session->depth++;
	return NVPA_STATUS_SUCCESS;
}

int tacho__pw_range_pop(struct tacho__pw_context *context)
{
	struct tacho__pw_session *session = context->session;
	int rc = 0, end_rc;

	session->depth--;
	if (context->has_own_work && !session->depth)
		rc = tacho__face_submit_work(context->unit);
	end_rc = tacho_session_end_range(session->core, session->stack[session->depth]);
	if (rc || end_rc)
		session->has_failed = true;
	return rc ? rc : end_rc;
}

static NVPA_Status pop(struct tacho__pw_context *context)
{
	if (!context->session->depth)
		return tacho__pw_fail(NVPA_STATUS_INVALID_OBJECT_STATE, "the stack is empty",
				      "call NVPA_Object_PushRange before", "no range is open");
	return tacho__pw_range_pop(context) ? tacho__pw_context_fail(context) : NVPA_STATUS_SUCCESS;
}

NVPA_Status NVPA_Object_PushRangeNamed(void *ctx, uint64_t rangeId, const char *name)
{
	struct tacho__pw_context *context = NULL;
	NVPA_Status status = find_pass(ctx, &context);

	return status ? status : push(context, rangeId, name);
}

NVPA_Status NVPA_Object_PushRange(void *ctx, uint64_t rangeId)
{
	return NVPA_Object_PushRangeNamed(ctx, rangeId, NULL);
}

NVPA_Status NVPA_Object_PopRange(void *ctx)
{
	struct tacho__pw_context *context = NULL;
	NVPA_Status status = find_pass(ctx, &context);

	return status ? status : pop(context);
}

static NVPA_Status get_current(void **out_handle)
{
	void *current = tacho__pw_current();

	if (!current)
		return tacho__pw_fail(NVPA_STATUS_INVALID_THREAD_STATE,
				      "neither eglGetCurrentContext nor glXGetCurrentContext has "
				      "one",
				      "make the context current on this thread before",
				      "no OpenGL context is current on this thread");
	*out_handle = current;
	return NVPA_STATUS_SUCCESS;
}

NVPA_Status NVPA_EGL_PushRange(uint64_t rangeId)
{
	void *current = NULL;
	NVPA_Status status = get_current(&current);

	return status ? status : NVPA_Object_PushRange(current, rangeId);
}

NVPA_Status NVPA_EGL_PopRange(void)
{
	void *current = NULL;
	NVPA_Status status = get_current(&current);

	return status ? status : NVPA_Object_PopRange(current);
}
