/* SPDX-License-Identifier: MIT */
/* A stack of ranges for each thread that uses one. */
#include "base/array.h"
#include "base/error.h"
#include "session/session.h"

static int get_stack(struct tacho_session *session, struct tacho__stack **out_stack)
{
	uint64_t thread = (uint64_t)(uintptr_t)pthread_self();
	struct tacho__stack *stack;
	int rc = 0;

	pthread_mutex_lock(&session->lock);
	stack = tacho__map_get(&session->stacks, thread);
	if (!stack) {
		stack = tacho__arena_get(&session->arena, sizeof(*stack));
		rc = stack ? tacho__map_set(&session->stacks, thread, stack) : TACHO_E_NOMEM;
	}
	pthread_mutex_unlock(&session->lock);
	if (!rc)
		*out_stack = stack;
	return rc;
}

int tacho_session_push_range(struct tacho_session *session, uint64_t id, const char *name)
{
	struct tacho__stack *stack;
	tacho_range range;
	int rc;

	if (!session)
		return tacho__fail_null(__func__);
	rc = get_stack(session, &stack);
	if (rc)
		return rc;
	if (tacho__array_reserve(&stack->ranges, &stack->capacity, stack->count, sizeof(range)))
		return TACHO_E_NOMEM;
	rc = tacho_session_begin_range(session, stack->count ? stack->ranges[stack->count - 1] : 0,
				       id, name, &range);
	if (!rc)
		stack->ranges[stack->count++] = range;
	return rc;
}

static int is_open(struct tacho_session *session, tacho_range key)
{
	const struct tacho__range *range;
	int answer;

	pthread_mutex_lock(&session->lock);
	range = tacho__session_get_range(session, key);
	answer = range && !range->is_ending;
	pthread_mutex_unlock(&session->lock);
	return answer;
}

int tacho_session_pop_range(struct tacho_session *session)
{
	struct tacho__stack *stack;
	int rc;

	if (!session)
		return tacho__fail_null(__func__);
	rc = get_stack(session, &stack);
	if (rc)
		return rc;
	if (!stack->count)
		return tacho__fail(TACHO_E_INVAL, "this thread has pushed none that is still there",
				   "push and pop in pairs, on one thread",
				   "there is no range to pop");
	rc = tacho_session_end_range(session, stack->ranges[stack->count - 1]);
	/* A device that fails has ended the range all the same; wrong order has not. */
	if (!rc || !is_open(session, stack->ranges[stack->count - 1]))
		stack->count--;
	return rc;
}
