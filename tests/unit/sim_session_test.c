/* SPDX-License-Identifier: MIT */
/* Sessions on simulated devices: ranges that overlap, launches, windows of time, and faults. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>
#include <string.h>

#include "sim_world.h"
#include "tacho/error.h"

/* Two ranges with 100 us each on two queues. */
static void run_two(struct world *world)
{
	struct tacho_sim_work other = kernel;
	tacho_range ranges[2];
	int more = 1;

	other.queue = 1;
	while (more) {
		assert_int_equal(tacho_session_begin_pass(world->session), 0);
		assert_int_equal(tacho_session_begin_range(world->session, 0, 1, "a", &ranges[0]),
				 0);
		assert_int_equal(tacho_sim_submit(world->device, &kernel, NULL), 0);
		assert_int_equal(tacho_session_end_range(world->session, ranges[0]), 0);
		assert_int_equal(tacho_session_begin_range(world->session, 0, 2, "b", &ranges[1]),
				 0);
		other.duration_ns = 150000;
		assert_int_equal(tacho_sim_submit(world->device, &other, NULL), 0);
		assert_int_equal(tacho_session_end_range(world->session, ranges[1]), 0);
		assert_int_equal(tacho_session_end_pass(world->session, &more), 0);
	}
	assert_int_equal(tacho_session_take(world->session, &world->result), 0);
}

static void test_overlap(void **state)
{
	struct world world = {.mode = TACHO_MODE_SERIALIZED};

	world_open(&world, "sim:vega64:gl");
	world_begin(&world, NAMES("GPUTime", "GPUBusy", "CSWavefronts"));
	run_two(&world);
	/* alone each */
	assert_true(world_get(&world, "GPUTime", 0, 0) == 0.1);
	assert_true(world_get(&world, "GPUTime", 1, 0) == 0.15);
	assert_int_equal(world_get(&world, "CSWavefronts", 1, 0), 1024);
	world_end(&world);
	/* the second goes on for 50 us after the first: together 150, the wall time */
	world.mode = TACHO_MODE_PIPELINED;
	world_begin(&world, NAMES("GPUTime", "GPUBusy", "CSWavefronts"));
	run_two(&world);
	assert_true(world_get(&world, "GPUTime", 0, 0) == 0.1);
	assert_true(world_get(&world, "GPUTime", 1, 0) == 0.05);
	assert_true(world_get(&world, "GPUBusy", 1, 0) == 100);
	assert_int_equal(world_get(&world, "CSWavefronts", 1, 0), 1024);
	world_close(&world);
}

/* Entries of both modes are in passes of their own. */
static void test_modes_apart(void **state)
{
	const struct tacho_config_entry entries[] = {
		{.name = "SQ_WAVES", .mode = TACHO_MODE_SERIALIZED},
		{.name = "GRBM_COUNT", .mode = TACHO_MODE_PIPELINED},
	};
	struct world world = {0};
	struct tacho_plan_summary summary;

	world_open(&world, "sim:mi300x");
	assert_int_equal(tacho_config_create(tacho_device_get_arch(world.device),
					     tacho_device_get_model(world.device), entries, 2,
					     &world.config),
			 0);
	assert_int_equal(tacho_device_plan(world.device, world.config, NULL, &world.plan), 0);
	tacho_plan_get_summary(world.plan, &summary);
	assert_int_equal(summary.pass_count, 2);
	world_close(&world);
}

/* Work of a range counts there and in those around it, and nowhere else. */
static void test_nesting(void **state)
{
	struct tacho_sim_work work = kernel;
	struct world world = {0};
	tacho_range outer, inner, other;
	int more = 0;

	world_open(&world, "sim:mi300x");
	world_begin(&world, NAMES("SQ_WAVES"));
	assert_int_equal(tacho_session_begin_pass(world.session), 0);
	assert_int_equal(tacho_session_begin_range(world.session, 0, 1, "outer", &outer), 0);
	assert_int_equal(tacho_session_begin_range(world.session, outer, 2, "inner", &inner), 0);
	assert_int_equal(tacho_session_begin_range(world.session, 0, 3, "other", &other), 0);
	work.range = inner;
	assert_int_equal(tacho_sim_submit(world.device, &work, NULL), 0);
	work.range = outer;
	assert_int_equal(tacho_sim_submit(world.device, &work, NULL), 0);
	assert_int_equal(tacho_session_end_range(world.session, other), 0);
	assert_int_equal(tacho_session_end_range(world.session, inner), 0);
	work.range = 0;
	assert_int_equal(tacho_sim_submit(world.device, &work, NULL), 0);
	assert_int_equal(tacho_session_end_range(world.session, outer), 0);
	assert_int_equal(tacho_session_end_pass(world.session, &more), 0);
	assert_int_equal(tacho_session_take(world.session, &world.result), 0);
	assert_int_equal(world_get(&world, "SQ_WAVES", 0, 0), 3072);
	assert_int_equal(world_get(&world, "SQ_WAVES", 1, 0), 1024);
	assert_int_equal(world_get(&world, "SQ_WAVES", 2, 0), 0);
	world_close(&world);
}

struct thread {
	struct world *world;
	pthread_t thread;
	uint64_t number;
};

/* Ranges of one thread; work 100 us long, and 64 << number items. */
static void *run_ranges(void *user)
{
	struct thread *thread = user;
	struct tacho_sim_work work = kernel;
	tacho_range range;

	work.grid[0] = UINT64_C(64) << thread->number;
	work.workgroup[0] = 64;
	work.queue = (uint32_t)thread->number;
	for (uint64_t i = 0; i < 20; i++) {
		if (tacho_session_begin_range(thread->world->session, 0, thread->number * 100 + i,
					      "r", &range))
			return thread;
		work.range = range;
		if (tacho_sim_submit(thread->world->device, &work, NULL) ||
		    tacho_session_end_range(thread->world->session, range))
			return thread;
	}
	return NULL;
}

/* Serialized ranges of four threads: each its own work only, whatever the others do. */
static void test_threads(void **state)
{
	struct world world = {.mode = TACHO_MODE_SERIALIZED};
	struct thread threads[4];
	void *failed;

	world_open(&world, "sim:mi210");
	world_begin(&world, NAMES("SQ_WAVES", "GRBM_GUI_ACTIVE"));
	assert_int_equal(tacho_session_begin_pass(world.session), 0);
	for (size_t i = 0; i < 4; i++) {
		threads[i] = (struct thread){.world = &world, .number = i};
		assert_int_equal(pthread_create(&threads[i].thread, NULL, run_ranges, &threads[i]),
				 0);
	}
	for (size_t i = 0; i < 4; i++) {
		assert_int_equal(pthread_join(threads[i].thread, &failed), 0);
		assert_null(failed);
	}
	assert_int_equal(tacho_session_end_pass(world.session, NULL), 0);
	assert_int_equal(tacho_session_take(world.session, &world.result), 0);
	assert_int_equal(tacho_result_get_row_count(world.result), 80);
	for (size_t i = 0; i < 80; i++) {
		uint64_t number = tacho_result_get_row(world.result, i)->id / 100;

		assert_int_equal(world_get(&world, "SQ_WAVES", i, 0), UINT64_C(1) << number);
		/* 100 us at 1700 MHz */
		assert_int_equal(world_get(&world, "GRBM_GUI_ACTIVE", i, 0), 170000);
	}
	world_close(&world);
}

/* Work that makes a row of its own. */
static void test_launches(void **state)
{
	struct tacho_sim_work work = kernel;
	struct world world = {0};
	int more = 1;

	work.is_row = 1;
	world_open(&world, "sim:mi300x");
	world_begin(&world, NAMES("SQ_WAVES", "GRBM_COUNT"));
	while (more) {
		assert_int_equal(tacho_session_begin_pass(world.session), 0);
		for (int i = 0; i < 3; i++) {
			work.grid[0] = 64u << i;
			work.workgroup[0] = 64;
			assert_int_equal(tacho_sim_submit(world.device, &work, NULL), 0);
		}
		assert_int_equal(tacho_session_end_pass(world.session, &more), 0);
	}
	assert_int_equal(tacho_session_take(world.session, &world.result), 0);
	assert_int_equal(tacho_result_get_row_count(world.result), 3);
	assert_string_equal(tacho_result_get_row(world.result, 2)->name, "kernel");
	assert_int_equal(tacho_result_get_row(world.result, 2)->id, 2);
	for (size_t i = 0; i < 3; i++)
		assert_int_equal(world_get(&world, "SQ_WAVES", i, 0), 1 << i);
	world_close(&world);
}

/* 100 us of work from 10 us on, in windows of 40 us; then another process for 20 us. */
static void test_windows(void **state)
{
	static const uint64_t waves[] = {304, 408, 312, 0}, busy[] = {60, 80, 60, 0};
	struct tacho_sim_work other = kernel;
	struct world world = {.options = {.window_ns = 40000, .replay = TACHO_REPLAY_NONE}};

	world_open(&world, "sim:mi210");
	world_begin(&world, NAMES("SQ_WAVES", "GRBM_GUI_ACTIVE", "GRBM_COUNT"));
	assert_int_equal(tacho_session_begin_pass(world.session), TACHO_E_INVAL);
	assert_int_equal(tacho_sim_advance(world.device, 10000), 0);
	assert_int_equal(tacho_sim_submit(world.device, &kernel, NULL), 0);
	assert_int_equal(tacho_sim_wait(world.device, NULL), 0);
	/* not ours: not seen */
	other.duration_ns = 1000;
	assert_int_equal(tacho_sim_set_background(world.device, &other), 0);
	assert_int_equal(tacho_sim_advance(world.device, 50000), 0);
	assert_int_equal(tacho_session_drain(world.session, 0, NULL), 0);
	assert_int_equal(tacho_session_take(world.session, &world.result), 0);
	assert_int_equal(tacho_result_get_row_count(world.result), 4);
	for (size_t i = 0; i < 4; i++) {
		/* each of 8 engines: 30 and 70 of 100 parts of 128, rounded down */
		assert_int_equal(world_get(&world, "SQ_WAVES", i, 0), waves[i]);
		assert_int_equal(world_get(&world, "GRBM_COUNT", i, 0), 68000);
		assert_int_equal(world_get(&world, "GRBM_GUI_ACTIVE", i, 0), busy[i] * 850);
	}
	world_close(&world);
}

static void test_background(void **state)
{
	struct tacho_sim_work other = kernel;
	struct world world = {
		.options = {.window_ns = 50000, .replay = TACHO_REPLAY_NONE, .pid = -1}};

	other.duration_ns = 10000;
	world_open(&world, "sim:mi210");
	world_begin(&world, NAMES("SQ_WAVES", "GRBM_GUI_ACTIVE"));
	assert_int_equal(tacho_sim_advance(world.device, 25000), 0);
	assert_int_equal(tacho_sim_set_background(world.device, &other), 0);
	assert_int_equal(tacho_sim_advance(world.device, 50000), 0);
	assert_int_equal(tacho_sim_set_background(world.device, NULL), 0);
	assert_int_equal(tacho_sim_advance(world.device, 25000), 0);
	assert_int_equal(tacho_session_drain(world.session, 0, NULL), 0);
	assert_int_equal(tacho_session_take(world.session, &world.result), 0);
	/* 1024 waves every 10 us, for 25 us in each window; 1700 MHz */
	for (size_t i = 0; i < 2; i++) {
		assert_int_equal(world_get(&world, "SQ_WAVES", i, 0), 2560);
		assert_int_equal(world_get(&world, "GRBM_GUI_ACTIVE", i, 0), 42500);
	}
	world_close(&world);
}

static void try_session(struct world *world, int expected)
{
	struct tacho_session *session = NULL;
	int rc = tacho_session_create(world->device, world->plan, &world->options, &session);

	assert_int_equal(rc, expected);
	if (expected) {
		assert_null(session);
		assert_non_null(strstr(tacho_error_last()->message, "simulated"));
		assert_true(*tacho_error_last()->cause && *tacho_error_last()->cure);
	}
	tacho_session_destroy(session);
}

static void test_refusals(void **state)
{
	struct world world = {0};

	world_open(&world, "sim:mi300x");
	world_begin(&world, NAMES("SQ_WAVES"));
	assert_int_equal(tacho_sim_set_fault(world.device, TACHO_SIM_FAULT_PERMISSION, 0), 0);
	try_session(&world, TACHO_E_PERM);
	assert_int_equal(tacho_sim_set_fault(world.device, TACHO_SIM_FAULT_BUSY, 0), 0);
	try_session(&world, TACHO_E_BUSY);
	assert_int_equal(tacho_sim_set_fault(world.device, TACHO_SIM_FAULT_NONE, 0), 0);
	try_session(&world, 0);
	assert_int_equal(tacho_sim_set_fault(world.device, 99, 0), TACHO_E_INVAL);
	assert_int_equal(tacho_sim_set_fault(world.device, TACHO_SIM_FAULT_OVERFLOW, 0),
			 TACHO_E_INVAL);
	assert_int_equal(tacho_sim_set_fault(world.device, TACHO_SIM_FAULT_OVERFLOW, 64),
			 TACHO_E_INVAL);
	world_close(&world);
}

/* 2^32 + 5 instructions in a counter of 32 bits, then of 40. */
static void test_overflow(void **state)
{
	struct tacho_sim_work work = {.size = sizeof(work),
				      .grid = {64 * 5},
				      .per_wave = {.valu = 858993460},
				      .duration_ns = 1000};
	struct world world = {0};
	const struct tacho_column *column;

	world_open(&world, "sim:rx480:cl");
	world_begin(&world, NAMES("SQ_SQ_PERF_SEL_INSTS_VALU", "VALUInsts"));
	assert_int_equal(tacho_sim_set_fault(world.device, TACHO_SIM_FAULT_OVERFLOW, 32), 0);
	world_run(&world, &work, 1);
	assert_int_equal(world_get_state(&world, "SQ_SQ_PERF_SEL_INSTS_VALU", 0, 0),
			 TACHO_STATE_OVERFLOW);
	/* 5 * 858993460 = 2^32 + 4 */
	column = tacho_result_find_column(world.result, "SQ_SQ_PERF_SEL_INSTS_VALU");
	assert_int_equal(column->data.u64[0], 4);
	/* and so is what is worked out from it */
	assert_int_equal(world_get_state(&world, "VALUInsts", 0, 0), TACHO_STATE_OVERFLOW);
	world_end(&world);
	world_begin(&world, NAMES("SQ_SQ_PERF_SEL_INSTS_VALU", "VALUInsts"));
	assert_int_equal(tacho_sim_set_fault(world.device, TACHO_SIM_FAULT_OVERFLOW, 40), 0);
	world_run(&world, &work, 1);
	assert_true(world_get(&world, "SQ_SQ_PERF_SEL_INSTS_VALU", 0, 0) == 4294967300.0);
	world_close(&world);
}

/* A counter of 32 bits of the definitions runs over by itself: 2^32 clocks at 400 MHz, 10.7 s. */
static void test_width(void **state)
{
	struct tacho_sim_work work = {.size = sizeof(work), .duration_ns = 11000000000};
	struct world world = {0};

	world_open(&world, "sim:bsw");
	world_begin(&world, NAMES("GPU_CLOCK", "GPU_TIME"));
	world_run(&world, &work, 1);
	assert_int_equal(world_get_state(&world, "GPU_CLOCK", 0, 0), TACHO_STATE_OVERFLOW);
	assert_int_equal(world_get(&world, "GPU_TIME", 0, 0), 137500000);
	world_close(&world);
}

static void test_lost_rows(void **state)
{
	struct tacho_sim_work work = kernel;
	struct world world = {0};

	work.is_row = 1;
	world_open(&world, "sim:mi300x");
	world_begin(&world, NAMES("SQ_WAVES"));
	assert_int_equal(tacho_session_begin_pass(world.session), 0);
	assert_int_equal(tacho_sim_submit(world.device, &work, NULL), 0);
	assert_int_equal(tacho_sim_set_fault(world.device, TACHO_SIM_FAULT_LOST, 2), 0);
	for (int i = 0; i < 3; i++)
		assert_int_equal(tacho_sim_submit(world.device, &work, NULL), 0);
	assert_int_equal(tacho_session_end_pass(world.session, NULL), 0);
	assert_int_equal(tacho_session_take(world.session, &world.result), 0);
	assert_int_equal(tacho_session_get_lost_rows(world.session), 2);
	assert_int_equal(tacho_result_get_row_count(world.result), 2);
	assert_int_equal(world_get_state(&world, "SQ_WAVES", 0, 0), TACHO_STATE_OK);
	assert_int_equal(world_get_state(&world, "SQ_WAVES", 1, 0), TACHO_STATE_LOST);
	world_close(&world);
}

static void test_lost_range(void **state)
{
	struct world world = {0};

	world_open(&world, "sim:mi300x");
	world_begin(&world, NAMES("SQ_WAVES"));
	assert_int_equal(tacho_sim_set_fault(world.device, TACHO_SIM_FAULT_LOST, 1), 0);
	world_run(&world, &kernel, 1);
	assert_int_not_equal(world_get_state(&world, "SQ_WAVES", 0, 0), TACHO_STATE_OK);
	world_close(&world);
}

/* It vanishes with the second work: the first range stays, the second is cut off. */
static void test_gone(void **state)
{
	struct world world = {0};
	tacho_range range;

	world_open(&world, "sim:mi300x");
	world_begin(&world, NAMES("SQ_WAVES"));
	assert_int_equal(tacho_sim_set_fault(world.device, TACHO_SIM_FAULT_GONE, 1), 0);
	assert_int_equal(tacho_session_begin_pass(world.session), 0);
	assert_int_equal(tacho_session_begin_range(world.session, 0, 1, "a", &range), 0);
	assert_int_equal(tacho_sim_submit(world.device, &kernel, NULL), 0);
	assert_int_equal(tacho_session_end_range(world.session, range), 0);
	assert_int_equal(tacho_session_begin_range(world.session, 0, 2, "b", &range), 0);
	assert_int_equal(tacho_sim_submit(world.device, &kernel, NULL), TACHO_E_LOST);
	assert_non_null(strstr(tacho_error_last()->message, "gone"));
	assert_int_equal(tacho_session_end_range(world.session, range), TACHO_E_LOST);
	assert_int_equal(tacho_session_end_pass(world.session, NULL), TACHO_E_LOST);
	assert_int_equal(tacho_sim_advance(world.device, 1), TACHO_E_LOST);
	assert_int_equal(tacho_sim_wait(world.device, NULL), TACHO_E_LOST);
	assert_int_equal(tacho_session_take(world.session, &world.result), 0);
	assert_int_equal(world_get(&world, "SQ_WAVES", 0, 0), 1024);
	world_close(&world);
}

/* One pass at a time on a device. */
static void test_two_sessions(void **state)
{
	struct world world = {0};
	struct tacho_session *second;

	world_open(&world, "sim:mi300x");
	world_begin(&world, NAMES("SQ_WAVES"));
	assert_int_equal(tacho_session_create(world.device, world.plan, &world.options, &second),
			 0);
	assert_int_equal(tacho_session_begin_pass(world.session), 0);
	assert_int_equal(tacho_session_begin_pass(second), TACHO_E_BUSY);
	assert_int_equal(tacho_session_end_pass(world.session, NULL), 0);
	assert_int_equal(tacho_session_begin_pass(second), 0);
	tacho_session_destroy(second);
	world_close(&world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_overlap),	   cmocka_unit_test(test_modes_apart),
		cmocka_unit_test(test_nesting),	   cmocka_unit_test(test_threads),
		cmocka_unit_test(test_launches),   cmocka_unit_test(test_windows),
		cmocka_unit_test(test_background), cmocka_unit_test(test_refusals),
		cmocka_unit_test(test_overflow),   cmocka_unit_test(test_width),
		cmocka_unit_test(test_lost_rows),  cmocka_unit_test(test_lost_range),
		cmocka_unit_test(test_gone),	   cmocka_unit_test(test_two_sessions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
