/* SPDX-License-Identifier: MIT */
/* Holding launches, over a made-up driver: threads, drivers that run at once, fail or forget. */
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "intercept/launches.h"

enum { THREADS = 8, DEVICES = 2, LAUNCHES = 400, NEVER_WANTED = 7 };

/* ---- who counts ---- */

struct counted {
	uint64_t device;
	bool was_begun;
};

static struct {
	atomic_uint alone[DEVICES]; /* launches between begin and end */
	atomic_uint attached, begun, ended, overlaps, beside, failed, unseen;
} seen;

static void *attach(const struct tacho__launch *launch)
{
	struct counted *counted;

	if (launch->kernel == NEVER_WANTED)
		return NULL;
	counted = calloc(1, sizeof(*counted));
	assert_non_null(counted);
	counted->device = launch->device;
	atomic_fetch_add(&seen.attached, 1);
	return counted;
}

static void begin(void *attached)
{
	struct counted *counted = attached;

	counted->was_begun = true;
	atomic_fetch_add(&seen.begun, 1);
	if (atomic_fetch_add(&seen.alone[counted->device], 1))
		atomic_fetch_add(&seen.overlaps, 1);
}

static void end(void *attached, const struct tacho__launch_outcome *outcome)
{
	struct counted *counted = attached;

	if (counted->was_begun)
		atomic_fetch_sub(&seen.alone[counted->device], 1);
	atomic_fetch_add(&seen.ended, 1);
	atomic_fetch_add(&seen.beside, outcome->end == TACHO__LAUNCH_BESIDE);
	atomic_fetch_add(&seen.failed, outcome->end == TACHO__LAUNCH_FAILED);
	atomic_fetch_add(&seen.unseen, outcome->end == TACHO__LAUNCH_UNSEEN);
	assert_non_null(outcome->why);
	free(counted);
}

static const struct tacho__launch_subscriber subscriber = {attach, begin, end};

static int set_up(void **unused)
{
	(void)unused;
	memset(&seen, 0, sizeof(seen));
	tacho__launches_set_patience(TACHO__LAUNCH_PATIENCE_NS);
	return 0;
}

/* ---- the driver ---- */

struct kernel {
	struct tacho__held *held;
	uint64_t device;
	bool ends_at_once;
	struct kernel *partner; /* must have been let go, so that this one can end */
	atomic_bool is_open, is_over, is_free, says_nothing, can_run, has_run;
};

static void end_kernel(struct kernel *kernel, uint32_t how)
{
	const struct tacho__launch_outcome outcome = {.end = how};
	struct tacho__held *held = kernel->held;

	atomic_store(&kernel->is_over, true);
	tacho__launch_end(held, &outcome);
	tacho__launch_drop(held);
}

static void let_go(void *user)
{
	struct kernel *kernel = user;

	if (kernel->ends_at_once)
		end_kernel(kernel, TACHO__LAUNCH_ENDED);
	else
		atomic_store(&kernel->is_open, true);
}

static bool is_ready(void *user)
{
	return atomic_load(&((struct kernel *)user)->can_run);
}

static void look(void *user)
{
	struct kernel *kernel = user;

	if (atomic_exchange(&kernel->has_run, false))
		end_kernel(kernel, TACHO__LAUNCH_ENDED);
}

static void release(void *user)
{
	atomic_store(&((struct kernel *)user)->is_free, true);
}

static const struct tacho__held_calls calls = {
	.let_go = let_go, .is_ready = is_ready, .look = look, .release = release};

static void enqueue(struct kernel *kernel)
{
	const struct tacho__launch launch = {.device = kernel->device, .name = "k"};

	kernel->held = tacho__launch_hold(&launch, &calls, kernel);
	assert_non_null(kernel->held);
}

/* ---- tests ---- */

static void a_launch_that_nobody_wants_is_not_held(void **unused)
{
	const struct tacho__launch launch = {.kernel = NEVER_WANTED};

	(void)unused;
	assert_true(tacho__launches_are_wanted());
	assert_null(tacho__launch_hold(&launch, &calls, NULL));
	assert_int_equal(atomic_load(&seen.ended), 0);
}

/* In turns: some run at once, some fail before they are ready, the rest end on this thread. */
static void *launch_many(void *argument)
{
	unsigned number = (unsigned)(uintptr_t)argument;

	for (unsigned i = 0; i < LAUNCHES; i++) {
		struct kernel kernel = {.device = (number + i) % DEVICES,
					.ends_at_once = i % 3 == 0};

		enqueue(&kernel);
		if (i % 7 == 3 && !kernel.ends_at_once) {
			end_kernel(&kernel, TACHO__LAUNCH_FAILED);
		} else {
			tacho__launch_ready(kernel.held);
			while (!kernel.ends_at_once && !atomic_load(&kernel.is_open))
				sched_yield();
			if (!kernel.ends_at_once)
				end_kernel(&kernel, TACHO__LAUNCH_ENDED);
		}
		while (!atomic_load(&kernel.is_free))
			sched_yield();
	}
	return NULL;
}

static void a_launch_that_cannot_be_held_is_told(void **state)
{
	struct tacho__launch launch = {.device = 0, .kernel = 1, .name = "k"};

	(void)state;
	tacho__launch_tell_unheld(&launch, "there is no way");
	assert_int_equal(seen.attached, 1);
	assert_int_equal(seen.begun, 0);
	assert_int_equal(seen.ended, 1);
	assert_int_equal(seen.unseen, 1);
	launch.kernel = NEVER_WANTED;
	tacho__launch_tell_unheld(&launch, "there is no way");
	assert_int_equal(seen.ended, 1);
}

static void launches_of_many_threads_never_overlap(void **unused)
{
	pthread_t threads[THREADS];
	unsigned failed = 0;

	(void)unused;
	for (unsigned i = 0; i < LAUNCHES; i++)
		failed += i % 7 == 3 && i % 3;
	for (uintptr_t i = 0; i < THREADS; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, launch_many, (void *)i), 0);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	assert_int_equal(atomic_load(&seen.attached), THREADS * LAUNCHES);
	assert_int_equal(atomic_load(&seen.ended), THREADS * LAUNCHES);
	assert_int_equal(atomic_load(&seen.failed), THREADS * failed);
	assert_int_equal(atomic_load(&seen.begun), THREADS * (LAUNCHES - failed));
	assert_int_equal(atomic_load(&seen.overlaps), 0);
	assert_int_equal(atomic_load(&seen.beside), 0);
}

/* A driver that runs launches inside of let_go() would recurse once per launch that waits. */
static void a_long_line_needs_no_stack(void **unused)
{
	enum { LINE = 20000 };
	struct kernel *line = calloc(LINE, sizeof(*line));
	struct kernel first = {.device = 0};

	(void)unused;
	assert_non_null(line);
	enqueue(&first);
	tacho__launch_ready(first.held);
	for (int i = 0; i < LINE; i++) {
		line[i].ends_at_once = true;
		enqueue(&line[i]);
		tacho__launch_ready(line[i].held);
	}
	assert_int_equal(atomic_load(&seen.ended), 0);
	end_kernel(&first, TACHO__LAUNCH_ENDED);
	assert_int_equal(atomic_load(&seen.ended), LINE + 1);
	assert_int_equal(atomic_load(&seen.overlaps), 0);
	for (int i = 0; i < LINE; i++)
		assert_true(atomic_load(&line[i].is_free));
	free(line);
}

static void await(const atomic_bool *flag)
{
	while (!atomic_load(flag))
		usleep(1000);
}

/* Two kernels, each of which spins until the other runs. */
static void kernels_that_need_each_other_end_uncounted(void **unused)
{
	struct kernel one = {.device = 0}, other = {.device = 0}, later = {.device = 0};

	(void)unused;
	tacho__launches_set_patience(20000000);
	enqueue(&one);
	enqueue(&other);
	tacho__launch_ready(one.held);
	tacho__launch_ready(other.held);
	await(&one.is_open);
	await(&other.is_open); /* by the guard */
	enqueue(&later);
	tacho__launches_set_patience(TACHO__LAUNCH_PATIENCE_NS);
	tacho__launch_ready(later.held);
	end_kernel(&one, TACHO__LAUNCH_ENDED);
	assert_false(atomic_load(&later.is_open));
	end_kernel(&other, TACHO__LAUNCH_ENDED);
	assert_int_equal(atomic_load(&seen.beside), 2);
	assert_true(atomic_load(&later.is_open));
	end_kernel(&later, TACHO__LAUNCH_ENDED);
	assert_int_equal(atomic_load(&seen.beside), 2);
	assert_int_equal(atomic_load(&seen.begun), 2); /* `one` and `later` */
	assert_int_equal(atomic_load(&seen.ended), 3);
	await(&one.is_free);
	await(&other.is_free);
	await(&later.is_free);
}

/* Its driver never says that what it waits for has ended. */
static void a_driver_that_forgets_is_asked(void **unused)
{
	struct kernel kernel = {.device = 1};

	(void)unused;
	tacho__launches_set_patience(20000000);
	enqueue(&kernel);
	atomic_store(&kernel.can_run, true);
	await(&kernel.is_open);
	end_kernel(&kernel, TACHO__LAUNCH_ENDED);
	assert_int_equal(atomic_load(&seen.begun), 1);
	assert_int_equal(atomic_load(&seen.beside), 0);
	await(&kernel.is_free);
}

static void a_driver_that_forgets_an_end_is_asked(void **unused)
{
	struct kernel first = {0}, second = {.ends_at_once = true};

	(void)unused;
	tacho__launches_set_patience(1000000000);
	enqueue(&first);
	tacho__launch_ready(first.held);
	assert_true(atomic_load(&first.is_open));
	enqueue(&second);
	tacho__launch_ready(second.held);
	assert_false(atomic_load(&second.is_over));
	atomic_store(&first.has_run, true);
	await(&second.is_free);
	await(&first.is_free);
	assert_int_equal(atomic_load(&seen.ended), 2);
	assert_int_equal(atomic_load(&seen.beside), 0);
}

static void nothing_is_held_in_a_fork(void **unused)
{
	const struct tacho__launch launch = {.name = "k"};
	int status;
	pid_t child;

	(void)unused;
	child = fork();
	if (!child)
		_exit(tacho__launch_hold(&launch, &calls, NULL) ? 1 : 0);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(a_launch_that_nobody_wants_is_not_held, set_up),
		cmocka_unit_test_setup(a_launch_that_cannot_be_held_is_told, set_up),
		cmocka_unit_test_setup(launches_of_many_threads_never_overlap, set_up),
		cmocka_unit_test_setup(a_long_line_needs_no_stack, set_up),
		cmocka_unit_test_setup(kernels_that_need_each_other_end_uncounted, set_up),
		cmocka_unit_test_setup(a_driver_that_forgets_is_asked, set_up),
		cmocka_unit_test_setup(a_driver_that_forgets_an_end_is_asked, set_up),
		cmocka_unit_test_setup(nothing_is_held_in_a_fork, set_up),
	};

	if (!tacho__launches_subscribe(&subscriber))
		return 1;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
