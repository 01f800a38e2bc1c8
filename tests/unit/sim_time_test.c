/* SPDX-License-Identifier: MIT */
/* Times of ranges on a simulated device: two queues, and things out of context. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "sim_world.h"
#include "tacho/error.h"

#define TIMES "gpu__time_start", "gpu__time_end", "gpu__time_duration", "gpu__time_active"

enum { US = 1000 };

/* Of a row, in us. */
struct times {
	unsigned start, end, duration, active;
};

static void check_times(const struct world *world, size_t row, struct times expected)
{
	assert_int_equal(world_get(world, "gpu__time_start", row, 0), expected.start * US);
	assert_int_equal(world_get(world, "gpu__time_end", row, 0), expected.end * US);
	assert_int_equal(world_get(world, "gpu__time_duration", row, 0), expected.duration * US);
	assert_int_equal(world_get(world, "gpu__time_active", row, 0), expected.active * US);
}

static void begin(struct world *world, const char *const *names)
{
	world_open(world, "sim:h200");
	world_begin(world, names);
	if (!world->options.window_ns)
		assert_int_equal(tacho_session_begin_pass(world->session), 0);
}

static tacho_range begin_range(struct world *world, uint64_t id)
{
	tacho_range range;

	assert_int_equal(tacho_session_begin_range(world->session, 0, id, "r", &range), 0);
	return range;
}

static void end_range(struct world *world, tacho_range range)
{
	assert_int_equal(tacho_session_end_range(world->session, range), 0);
}

static uint64_t submit(struct world *world, unsigned duration_us, uint32_t queue)
{
	struct tacho_sim_work work = kernel;
	uint64_t handle;

	work.duration_ns = (uint64_t)duration_us * US;
	work.queue = queue;
	assert_int_equal(tacho_sim_submit(world->device, &work, &handle), 0);
	return handle;
}

static void advance(struct world *world, unsigned duration_us)
{
	assert_int_equal(tacho_sim_advance(world->device, (uint64_t)duration_us * US), 0);
}

static void leave(struct world *world, unsigned duration_us)
{
	assert_int_equal(tacho_sim_leave_context(world->device, (uint64_t)duration_us * US), 0);
}

static void take(struct world *world)
{
	assert_int_equal(tacho_session_end_pass(world->session, NULL), 0);
	assert_int_equal(tacho_session_take(world->session, &world->result), 0);
}

/*
 * Range 1, then range 2 on another queue 40 us after range 1 began, then range 1 again. The works
 * take 100, 150 and 60 us.
 */
static void run_split(struct world *world)
{
	static const struct {
		uint64_t id;
		unsigned duration_us;
		uint32_t queue;
	} steps[] = {{1, 100, 0}, {2, 150, 1}, {1, 60, 1}};

	for (size_t i = 0; i < COUNT(steps); i++) {
		tacho_range range = begin_range(world, steps[i].id);

		submit(world, steps[i].duration_us, steps[i].queue);
		end_range(world, range);
		if (i == 0)
			advance(world, 40);
	}
	take(world);
}

/*
 * queue 0  |1111111111|
 * queue 1      |222222222222222|111111|
 *          0   40    100      190    250
 *
 * Range 2 begins while the first part of range 1 is on the device: it is there for 150 us, but the
 * device is done only 90 us later because of it. The durations are the 250 us that passed.
 */
static void test_pipelined(void **state)
{
	struct world world = {.mode = TACHO_MODE_PIPELINED};

	begin(&world, NAMES(TIMES, "gpu__cycles_elapsed", "sm__warps_launched"));
	run_split(&world);
	assert_int_equal(tacho_result_get_row_count(world.result), 3);
	check_times(&world, 0, (struct times){0, 100, 100, 100});
	check_times(&world, 1, (struct times){40, 190, 90, 150});
	check_times(&world, 2, (struct times){190, 250, 60, 60});
	/* 90 us at 1600 MHz */
	assert_int_equal(world_get(&world, "gpu__cycles_elapsed", 1, 0), 144000);
	assert_int_equal(world_get(&world, "sm__warps_launched", 1, 0), 2048);
	world_close(&world);
}

/* The same where the parts of range 1 are one row. */
static void test_pipelined_split(void **state)
{
	struct world world = {.mode = TACHO_MODE_PIPELINED, .options = {.accumulates = 1}};

	begin(&world, NAMES(TIMES, "sm__warps_launched"));
	run_split(&world);
	assert_int_equal(tacho_result_get_row_count(world.result), 2);
	check_times(&world, 0, (struct times){0, 250, 160, 160});
	check_times(&world, 1, (struct times){40, 190, 90, 150});
	assert_int_equal(world_get(&world, "sm__warps_launched", 0, 0), 4096);
	world_close(&world);
}

/*
 * |1111111111|    |222222222222222|111111|
 * 0         100  140             290    350
 *
 * The device is idle at each end, and while the 40 us pass. Range 1 lasts 100 + 60 us, and not the
 * 350 from its start to its end.
 */
static void test_serialized(void **state)
{
	struct world world = {.mode = TACHO_MODE_SERIALIZED, .options = {.accumulates = 1}};

	begin(&world, NAMES(TIMES));
	run_split(&world);
	assert_int_equal(tacho_result_get_row_count(world.result), 2);
	check_times(&world, 0, (struct times){0, 350, 160, 160});
	check_times(&world, 1, (struct times){140, 290, 150, 150});
	world_close(&world);
}

/*
 * Work of one range on five queues, which is on the device from 20 to 150 us and from 200 to 262,
 * however much of it at once. The range itself is there from 10 to 302.
 */
static void test_union(void **state)
{
	struct world world = {.mode = TACHO_MODE_PIPELINED};
	tacho_range range;

	begin(&world, NAMES(TIMES));
	advance(&world, 10);
	range = begin_range(&world, 1);
	advance(&world, 10);
	submit(&world, 100, 0); /* 20 to 120 */
	submit(&world, 30, 0);	/* 120 to 150 */
	submit(&world, 20, 1);	/* 20 to 40 */
	advance(&world, 180);	/* 200 */
	submit(&world, 50, 2);	/* 200 to 250 */
	submit(&world, 5, 3);	/* 200 to 205 */
	advance(&world, 2);
	submit(&world, 60, 4); /* 202 to 262 */
	advance(&world, 100);  /* 302 */
	end_range(&world, range);
	range = begin_range(&world, 2);
	end_range(&world, range);
	take(&world);
	check_times(&world, 0, (struct times){20, 262, 292, 130 + 62});
	/* without work: where it was */
	check_times(&world, 1, (struct times){302, 302, 0, 0});
	world_close(&world);
}

/* 100 us of work stand still for 50 after the first 30: times and what passes see it, no more. */
static void test_out_of_context(void **state)
{
	struct world world = {.mode = TACHO_MODE_SERIALIZED};
	uint64_t handle, begin_ns, end_ns;
	tacho_range range;

	begin(&world,
	      NAMES(TIMES, "gpu__cycles_elapsed", "gpu__cycles_active", "sm__warps_launched"));
	range = begin_range(&world, 1);
	handle = submit(&world, 100, 0);
	advance(&world, 30);
	leave(&world, 50);
	end_range(&world, range);
	assert_int_equal(tacho_sim_get_times(world.device, handle, &begin_ns, &end_ns), 0);
	assert_int_equal(begin_ns, 0);
	assert_int_equal(end_ns, 150 * US);
	take(&world);
	check_times(&world, 0, (struct times){0, 150, 150, 150});
	assert_int_equal(world_get(&world, "gpu__cycles_elapsed", 0, 0), 240000);
	assert_int_equal(world_get(&world, "gpu__cycles_active", 0, 0), 160000);
	assert_int_equal(world_get(&world, "sm__warps_launched", 0, 0), 2048);
	world_close(&world);
}

/*
 * Two ranges on one queue, both ended before 50 us out of context at 30 us; then a third:
 *
 * |11111.....11111111111111|2222222222222222|33333|
 * 0     30   80           150              250   300
 */
static void test_out_of_context_later(void **state)
{
	static const unsigned durations_us[] = {100, 100, 50};
	struct world world = {.mode = TACHO_MODE_PIPELINED};
	uint64_t now_ns;

	begin(&world, NAMES(TIMES));
	for (size_t i = 0; i < COUNT(durations_us); i++) {
		tacho_range range = begin_range(&world, i);

		submit(&world, durations_us[i], 0);
		end_range(&world, range);
		if (i != 1)
			continue;
		advance(&world, 30);
		leave(&world, 50);
		/* what has not begun is only later */
		leave(&world, 0);
	}
	assert_int_equal(tacho_sim_wait(world.device, &now_ns), 0);
	assert_int_equal(now_ns, 300 * US);
	take(&world);
	check_times(&world, 0, (struct times){0, 150, 150, 150});
	check_times(&world, 1, (struct times){150, 250, 100, 100});
	check_times(&world, 2, (struct times){250, 300, 50, 50});
	world_close(&world);
}

/* An idle device: the time passes in a range that is open, and nothing was active. */
static void test_out_of_context_idle(void **state)
{
	struct world world = {.mode = TACHO_MODE_SERIALIZED};
	tacho_range range;

	begin(&world, NAMES(TIMES));
	range = begin_range(&world, 1);
	leave(&world, 20);
	submit(&world, 10, 0);
	end_range(&world, range);
	take(&world);
	check_times(&world, 0, (struct times){20, 30, 30, 10});
	assert_int_equal(tacho_sim_leave_context(NULL, 1), TACHO_E_INVAL);
	assert_int_equal(tacho_sim_leave_context(world.device, UINT64_MAX), TACHO_E_INVAL);
	world_close(&world);
}

/*
 * Windows of 40 us and 100 us of work from 10 us on, of which 35 and then 15 us are out of context:
 *
 * window  |       0       |       1       |       2       |       3       |
 * work       |=======.....|........==.....|.==============|===============|
 *         0  10     30    40      65 70   80 85          120             160
 *
 * That is 20, 5, 35 and 40 us of active cycles at 1600 MHz, and as many hundredths of the warps,
 * each instance's rounded down.
 */
static void test_windows(void **state)
{
	static const unsigned active_us[] = {20, 5, 35, 40};
	static const struct times times[] = {
		{10, 40, 40, 30}, {40, 80, 40, 40}, {80, 120, 40, 40}, {120, 160, 40, 40}};
	struct world world = {.options = {.window_ns = 40 * US, .replay = TACHO_REPLAY_NONE}};
	double warps = 0;

	begin(&world, NAMES(TIMES, "gpu__cycles_active", "gpc__warps_launched"));
	advance(&world, 10);
	submit(&world, 100, 0);
	advance(&world, 20);
	leave(&world, 35);
	advance(&world, 5);
	leave(&world, 15);
	assert_int_equal(tacho_sim_wait(world.device, NULL), 0);
	assert_int_equal(tacho_session_drain(world.session, 0, NULL), 0);
	assert_int_equal(tacho_session_take(world.session, &world.result), 0);
	assert_int_equal(tacho_result_get_row_count(world.result), 4);
	for (size_t i = 0; i < 4; i++) {
		check_times(&world, i, times[i]);
		assert_int_equal(world_get(&world, "gpu__cycles_active", i, 0),
				 active_us[i] * 1600);
		warps += world_get(&world, "gpc__warps_launched", i, 0);
	}
	assert_int_equal(warps, 2048);
	/* 2048 of 8 clusters are 256 each: a fifth is 51 */
	assert_int_equal(world_get(&world, "gpc__warps_launched", 0, 0), 8 * 51);
	world_close(&world);
}

/* More ranges at once than the device keeps: the oldest are told before. */
static void test_many(void **state)
{
	struct world world = {.mode = TACHO_MODE_PIPELINED};

	begin(&world, NAMES(TIMES));
	for (uint64_t i = 0; i < 1000; i++) {
		tacho_range range = begin_range(&world, i);

		submit(&world, 10, 0);
		end_range(&world, range);
	}
	take(&world);
	assert_int_equal(tacho_result_get_row_count(world.result), 1000);
	for (unsigned i = 0; i < 1000; i++)
		check_times(&world, i, (struct times){10 * i, 10 * i + 10, 10, 10});
	world_close(&world);
}

/* What was ended stays when the device vanishes with it. */
static void test_gone(void **state)
{
	struct world world = {.mode = TACHO_MODE_PIPELINED};
	tacho_range range;

	begin(&world, NAMES(TIMES));
	range = begin_range(&world, 1);
	submit(&world, 10, 0);
	end_range(&world, range);
	assert_int_equal(tacho_sim_set_fault(world.device, TACHO_SIM_FAULT_GONE, 0), 0);
	assert_int_equal(tacho_sim_leave_context(world.device, 1), TACHO_E_LOST);
	tacho_session_end_pass(world.session, NULL);
	assert_int_equal(tacho_session_take(world.session, &world.result), 0);
	check_times(&world, 0, (struct times){0, 10, 10, 10});
	world_close(&world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pipelined),
		cmocka_unit_test(test_pipelined_split),
		cmocka_unit_test(test_serialized),
		cmocka_unit_test(test_union),
		cmocka_unit_test(test_out_of_context),
		cmocka_unit_test(test_out_of_context_later),
		cmocka_unit_test(test_out_of_context_idle),
		cmocka_unit_test(test_windows),
		cmocka_unit_test(test_many),
		cmocka_unit_test(test_gone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
