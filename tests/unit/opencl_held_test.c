/* SPDX-License-Identifier: MIT */
/* The program's reference counts while other threads end commands and reuse handles. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "inject/opencl/held.h"
#include "opencl_api.h"
#include "opencl_constants.h"
#include "rounds.h"

enum { EVENTS = 3000 };

struct event {
	_Alignas(16) atomic_int references;
};

struct tacho__opencl_dispatch tacho__opencl_target;

static struct event event;
static atomic_int turn; /* rounds that have begun, and those that have ended below 0 */

static int32_t release(void *handle)
{
	atomic_fetch_sub(&((struct event *)handle)->references, 1);
	return CL_SUCCESS;
}

static int32_t get_info(void *handle, uint32_t name, size_t room, void *value, size_t *size)
{
	*(uint32_t *)value = (uint32_t)atomic_load(&((struct event *)handle)->references);
	return CL_SUCCESS;
}

static uint32_t count_of(struct event *handle)
{
	uint32_t count = 0;

	assert_int_equal(tacho__opencl_get_event_info(handle, CL_EVENT_REFERENCE_COUNT,
						      sizeof(count), &count, NULL),
			 CL_SUCCESS);
	return count;
}

static void *end_commands(void *last)
{
	for (int round = 1; round <= *(const int *)last; round++) {
		void *token = &event;
		size_t taken;

		while (atomic_load(&turn) != round)
			sched_yield();
		taken = tacho__opencl_take(&event, &token);
		if (taken)
			tacho__opencl_let_go(&event, taken);
		atomic_store(&turn, -round);
	}
	return NULL;
}

static void is_exact_while_another_thread_lets_go(void **state)
{
	int last = (int)rounds_of(1000, 5000, 50000);
	pthread_t thread;
	unsigned wrong = 0;

	tacho__opencl_target.clReleaseEvent = release;
	tacho__opencl_target.clGetEventInfo = get_info;
	assert_int_equal(pthread_create(&thread, NULL, end_commands, &last), 0);
	for (int round = 1; round <= last; round++) {
		atomic_store(&event.references, 2);
		assert_true(tacho__opencl_hold(&event, &event));
		atomic_store(&turn, round);
		do
			wrong += count_of(&event) != 1;
		while (atomic_load(&turn) == round);
		wrong += count_of(&event) != 1;
	}
	pthread_join(thread, NULL);
	assert_int_equal(wrong, 0);
}

static void holds_many_and_forgets_them(void **state)
{
	static struct event events[EVENTS];

	for (unsigned again = 0; again < rounds_of(10, 50, 50); again++) {
		for (size_t i = 0; i < EVENTS; i++) {
			atomic_store(&events[i].references, 2);
			assert_true(tacho__opencl_hold(&events[i], &events[i]));
		}
		for (size_t i = 0; i < EVENTS; i++) {
			void *token = NULL, *wrong = &event;
			size_t taken;

			assert_int_equal(count_of(&events[i]), 1);
			assert_int_equal(tacho__opencl_take(&events[i], &wrong), 0);
			taken = tacho__opencl_take(&events[i], &token);
			assert_int_not_equal(taken, 0);
			assert_ptr_equal(token, &events[i]);
			tacho__opencl_let_go(&events[i], taken);
			assert_false(tacho__opencl_is_held(&events[i]));
			assert_int_equal(count_of(&events[i]), 1);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(is_exact_while_another_thread_lets_go),
		cmocka_unit_test(holds_many_and_forgets_them),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
