/* SPDX-License-Identifier: MIT */
/*
 * What a recording may be: a ring, a budget, chosen functions, only work; and a pool that many
 * share. Bound: what was made is read, or lost and counted, or left out and named.
 */
#include "fire.h"
#include "tacho/profile.h"
#include "tacho/recording.h"

#include <errno.h>

enum {
	ROUNDS = 60000,
	WORK_EVERY = 50,
	RING_BYTES = 2 << 20,
	BUDGET_BYTES = 1 << 20,
	CHILDREN_QUICK = 100,
	CHILDREN_FULL = 1000,
	CALLS_OF_CHILD = 5,
	AT_A_TIME = 50,
};

/* Records the program within the limits and reads it. */
static struct fire_tally record_within(const struct tacho__keeper_limits *limits,
				       void (*work)(void *), char **out_path)
{
	const struct fire_program program = {.work = work};
	struct fire_tally tally;

	*out_path = fire_recording("/tmp");
	fire_limits = limits;
	assert_int_equal(fire_both(*out_path, &program), 0);
	fire_limits = NULL;
	tally = fire_read(*out_path);
	assert_int_equal(tally.faults, 0);
	return tally;
}

/* Calls that no chunk makes small, with work between them; objects come first. */
static void poke_and_launch(void *unused)
{
	sample_make_objects("1");
	for (uint64_t i = 0; i < ROUNDS; i++) {
		sample_poke(i * UINT64_C(0x9E3779B97F4A7C15), i, 0);
		atomic_fetch_add(&fire_books->done[0], 1);
		if (i % WORK_EVERY == 0)
			fire_launch(0);
	}
}

static uint64_t count_made(void)
{
	return atomic_load(&fire_books->done[0]) + atomic_load(&fire_books->timed[0]);
}

static uint64_t count_bounded(const char *path, const char *function)
{
	struct tacho_recording *recording;
	uint64_t calls = 0;

	assert_int_equal(tacho_recording_open(path, &recording), 0);
	for (size_t i = 0; tacho_recording_get_bound(recording, i); i++) {
		const struct tacho_bound *bound = tacho_recording_get_bound(recording, i);

		if (!strcmp(bound->function, function))
			calls += bound->calls;
	}
	tacho_recording_close(recording);
	return calls;
}

static uint64_t count_bytes(const char *path)
{
	char command[512];
	unsigned long bytes = 0;
	FILE *pipe;

	snprintf(command, sizeof(command), "cat '%s'/calls-*.bin | wc -c", path);
	pipe = popen(command, "r");
	assert_non_null(pipe);
	assert_int_equal(fscanf(pipe, "%lu", &bytes), 1);
	pclose(pipe);
	return bytes;
}

/* The values of pokes that are there are the last ones, and kernels still have their names. */
static void check_newest(const char *path, uint64_t *out_pokes)
{
	struct tacho_recording *recording;
	struct tacho_cursor *cursor;
	const struct tacho_call *call;
	uint64_t first = UINT64_MAX, last = 0;

	assert_int_equal(tacho_recording_open(path, &recording), 0);
	assert_int_equal(tacho_recording_get_run(recording)->ring_bytes, RING_BYTES);
	assert_int_equal(tacho_cursor_open(recording, &cursor), 0);
	*out_pokes = 0;
	while (tacho_cursor_next(cursor, &call) == 1) {
		const char *name;

		if (call->command)
			assert_string_equal(call->command->kernel->name, "saxpy");
		if (strcmp(call->function->name, "poke"))
			continue;
		last = strtoul(tacho_cursor_get_argument(cursor, 1, &name), NULL, 10);
		if (!(*out_pokes)++)
			first = last;
	}
	tacho_cursor_close(cursor);
	tacho_recording_close(recording);
	assert_int_equal(last, ROUNDS - 1);
	assert_int_equal((first + *out_pokes - 1) % ROUNDS, last);
}

static void ring_work(void *unused)
{
	for (int i = 0; i < 4; i++) {
		poke_and_launch(NULL);
		usleep(50000);
	}
}

static uint64_t get_ring_calls(const char *path)
{
	struct tacho_recording *recording;
	uint64_t calls;

	assert_int_equal(tacho_recording_open(path, &recording), 0);
	calls = tacho_recording_get_run(recording)->ring_calls;
	tacho_recording_close(recording);
	return calls;
}

static void burst_work(void *unused)
{
	for (int i = 0; i < 4; i++)
		poke_and_launch(NULL);
}

/* The newest is kept without a gap, and what belongs to none of it in particular. */
static void check_ring(void (*work)(void *unused))
{
	static const struct tacho__keeper_limits limits = {.ring_bytes = RING_BYTES};
	char *path;
	struct fire_tally tally = record_within(&limits, work, &path);
	uint64_t pokes;

	fire_check_nothing_lost(&tally);
	assert_in_range(count_bytes(path), RING_BYTES / 4, RING_BYTES + RING_BYTES / 4);
	assert_true(tally.calls < count_made());
	assert_int_equal(tally.calls + get_ring_calls(path), count_made());
	check_newest(path, &pokes);
	fire_remove(path);
}

static void test_ring(void **state)
{
	check_ring(ring_work);
}

static void name_steps(void *unused)
{
	tacho_profile_push("all");
	for (uint64_t i = 0; i < ROUNDS; i++) {
		tacho_profile_push("a step of many");
		fire_poke(0);
		tacho_profile_pop();
	}
	tacho_profile_pop();
}

struct steps {
	uint64_t calls, inside, ended;
	struct tacho_losses losses;
};

static void count_step(void *user, const struct tacho_named_range *range)
{
	((struct steps *)user)->ended += !strcmp(range->name, "a step of many");
}

static struct steps count_steps(const char *path)
{
	struct steps steps = {0};
	struct tacho_recording *recording;
	struct tacho_cursor *cursor;
	const struct tacho_call *call;

	assert_int_equal(tacho_recording_open(path, &recording), 0);
	assert_int_equal(tacho_cursor_open(recording, &cursor), 0);
	tacho_cursor_on_range(cursor, count_step, &steps);
	for (; tacho_cursor_next(cursor, &call) == 1; steps.calls++)
		steps.inside +=
			call->range_count && !strcmp(call->ranges[0]->name, "a step of many");
	tacho_cursor_close(cursor);
	assert_int_equal(tacho_recording_sum_losses(recording, &steps.losses), 0);
	tacho_recording_close(recording);
	return steps;
}

/* A ring bounds what a program says of itself, too; what it let go of is not lost. */
static void test_ring_of_ranges(void **state)
{
	static const struct tacho__keeper_limits limits = {.ring_bytes = RING_BYTES / 4};
	char *path;
	struct fire_tally tally = record_within(&limits, name_steps, &path);
	struct steps steps = count_steps(path);

	fire_check_nothing_lost(&tally);
	assert_in_range(count_bytes(path), RING_BYTES / 16, RING_BYTES / 2);
	assert_true(steps.calls < ROUNDS && steps.calls > 1000);
	assert_in_range(steps.inside, steps.calls - 1, steps.calls);
	assert_in_range(steps.ended, steps.calls - 1, steps.calls);
	assert_int_equal(steps.losses.headless_ranges, 0);
	fire_remove(path);
}

/* At all of the budget nothing more is written, and what is left out is named. */
static void test_budget_of_ranges(void **state)
{
	static const struct tacho__keeper_limits limits = {.max_bytes = BUDGET_BYTES};
	char *path;
	struct fire_tally tally = record_within(&limits, name_steps, &path);
	struct steps steps = count_steps(path);
	uint64_t left_out = count_bounded(path, "named ranges");

	fire_check_nothing_lost(&tally);
	assert_true(count_bytes(path) < BUDGET_BYTES + BUDGET_BYTES / 4);
	assert_int_equal(steps.inside, steps.calls);
	assert_true(left_out > 0);
	assert_in_range(steps.ended * 2 + left_out, ROUNDS * 2, ROUNDS * 2 + 2);
	assert_int_equal(steps.losses.headless_ranges, 0);
	fire_remove(path);
}

/* Faster than the keeper writes: pieces must not become longer than the ring. */
static void test_ring_of_burst(void **state)
{
	check_ring(burst_work);
}

/* Cheap calls go first, then all; what is left out is named, function by function. */
static void test_budget(void **state)
{
	static const struct tacho__keeper_limits limits = {.max_bytes = BUDGET_BYTES};
	char *path;
	struct fire_tally tally = record_within(&limits, ring_work, &path);
	uint64_t pokes = count_bounded(path, "poke"), launches = count_bounded(path, "launch");

	fire_check_nothing_lost(&tally);
	assert_int_equal(tally.calls + tally.bounded, count_made());
	assert_int_equal(pokes + launches, tally.bounded);
	assert_true(pokes > 0);
	assert_true(launches * WORK_EVERY < pokes);
	assert_true(count_bytes(path) < BUDGET_BYTES + BUDGET_BYTES / 4);
	fire_remove(path);
}

static void a_few(void *unused)
{
	sample_make_objects("1");
	for (int i = 0; i < 100; i++) {
		fire_poke(0);
		fire_launch(0);
		tacho_profile_mark("mark");
		sample_name("x");
		atomic_fetch_add(&fire_books->done[1], 1);
	}
}

static void count_mark(void *user, const struct tacho_named_range *range)
{
	*(uint64_t *)user += range->kind == TACHO_RANGE_MARK;
}

/* Filters of calls leave them alone. */
static void check_marks(const char *path)
{
	struct tacho_recording *recording;
	struct tacho_cursor *cursor;
	uint64_t marks = 0;

	assert_int_equal(tacho_recording_open(path, &recording), 0);
	assert_int_equal(tacho_cursor_open(recording, &cursor), 0);
	tacho_cursor_on_range(cursor, count_mark, &marks);
	while (tacho_cursor_next(cursor, NULL) == 1)
		;
	assert_int_equal(marks, 100);
	tacho_cursor_close(cursor);
	tacho_recording_close(recording);
}

static void test_only_work(void **state)
{
	static const struct tacho__keeper_limits limits = {.only_work = true};
	char *path;
	struct fire_tally tally = record_within(&limits, a_few, &path);

	fire_check_nothing_lost(&tally);
	assert_int_equal(tally.timed, 100);
	assert_int_equal(tally.calls, 100);
	check_marks(path);
	fire_remove(path);
}

static void test_chosen_calls(void **state)
{
	static const char *const globs[] = {"n*", "launch"};
	static const struct tacho__keeper_limits limits = {.calls = globs, .call_count = 2};
	char *path;
	struct fire_tally tally = record_within(&limits, a_few, &path);

	fire_check_nothing_lost(&tally);
	assert_int_equal(tally.calls, 200);
	assert_int_equal(tally.by_value[0], 0);
	assert_int_equal(tally.timed, 100);
	check_marks(path);
	fire_remove(path);
}

static void fork_many(void *argument)
{
	unsigned long children = *(unsigned long *)argument;

	for (unsigned long i = 0; i < children; i++) {
		pid_t child = fork();

		if (!child) {
			fire_poke_many(0, CALLS_OF_CHILD);
			fire_launch(0);
			_exit(0);
		}
		if (child < 0)
			abort();
		if (i % AT_A_TIME == AT_A_TIME - 1)
			while (wait(NULL) > 0)
				;
	}
	while (wait(NULL) > 0)
		;
	fire_poke(1);
}

static void test_many_children(void **state)
{
	unsigned long children = fire_size(CHILDREN_QUICK, CHILDREN_FULL);
	const struct fire_program program = {.work = fork_many, .argument = &children};
	char *path = fire_recording("/tmp");
	struct fire_tally tally;

	assert_int_equal(fire_both(path, &program), 0);
	tally = fire_read(path);
	fire_check_nothing_lost(&tally);
	assert_int_equal(tally.processes, children + 1);
	assert_int_equal(tally.by_value[0], children * CALLS_OF_CHILD);
	assert_int_equal(tally.timed, children);
	assert_int_equal(tally.by_value[1], 1);
	assert_int_equal(tally.faults, 0);
	fire_remove(path);
}

/* They share one budget as well. */
static void test_children_share_budget(void **state)
{
	static const struct tacho__keeper_limits limits = {.max_bytes = BUDGET_BYTES / 64};
	unsigned long children = fire_size(CHILDREN_QUICK, CHILDREN_FULL);
	const struct fire_program program = {.work = fork_many, .argument = &children};
	char *path = fire_recording("/tmp");
	struct fire_tally tally;

	fire_limits = &limits;
	assert_int_equal(fire_both(path, &program), 0);
	fire_limits = NULL;
	tally = fire_read(path);
	fire_check_nothing_lost(&tally);
	assert_true(tally.bounded > 0);
	assert_int_equal(tally.calls + tally.bounded, children * (CALLS_OF_CHILD + 1) + 1);
	fire_remove(path);
}

/* Who has mapped it goes on; a process that comes later is told why it is not recorded. */
static void unlink_pool(void *unused)
{
	fire_poke_many(0, 1000);
	if (*getenv(TACHO__POOL_VARIABLE) && unlink(getenv(TACHO__POOL_VARIABLE)))
		abort();
	fire_poke_many(0, 100000);
	if (!fork()) {
		fire_poke_many(1, 1000);
		_exit(0);
	}
	wait(NULL);
}

static void test_pool_is_unlinked(void **state)
{
	const struct fire_program program = {.work = unlink_pool};
	char *path = fire_recording("/tmp");
	struct fire_tally tally;

	assert_int_equal(fire_wait(fire_start(path, &program, -1)), 0);
	tally = fire_read(path);
	fire_check_nothing_lost(&tally);
	assert_int_equal(tally.by_value[0], 101000);
	assert_int_equal(tally.by_value[1], 1000);
	assert_int_equal(tally.faults, 0);
	fire_remove(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_ring),
		cmocka_unit_test(test_ring_of_burst),
		cmocka_unit_test(test_ring_of_ranges),
		cmocka_unit_test(test_budget),
		cmocka_unit_test(test_budget_of_ranges),
		cmocka_unit_test(test_only_work),
		cmocka_unit_test(test_chosen_calls),
		cmocka_unit_test(test_many_children),
		cmocka_unit_test(test_children_share_budget),
		cmocka_unit_test(test_pool_is_unlinked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
