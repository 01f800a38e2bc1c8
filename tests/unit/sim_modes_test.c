/* SPDX-License-Identifier: MIT */
/* Nested ranges of a simulated GPU, serialized and pipelined: the example of NVIDIA's guide. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "sim_world.h"
#include "tacho/error.h"

enum { US = 1000 };

/* A column of times in us. */
#define CHECK_US(world, name, ...)                                                            \
	do {                                                                                  \
		const unsigned expected[] = {__VA_ARGS__};                                    \
                                                                                              \
		for (size_t row = 0; row < COUNT(expected); row++)                            \
			assert_int_equal(world_get(world, name, row, 0), expected[row] * US); \
	} while (0)

static void begin(struct world *world, const struct tacho_config_entry *entries, size_t count)
{
	world_open(world, "sim:h200");
	assert_int_equal(tacho_config_create(tacho_device_get_arch(world->device),
					     tacho_device_get_model(world->device), entries, count,
					     &world->config),
			 0);
	assert_int_equal(tacho_device_plan(world->device, world->config, NULL, &world->plan), 0);
	assert_int_equal(
		tacho_session_create(world->device, world->plan, &world->options, &world->session),
		0);
}

/* Two draws of so many warps, and as many times 10 us each. */
static void draw_two(struct world *world, uint64_t warps)
{
	struct tacho_sim_work work = {
		.size = sizeof(work), .grid = {warps * 32}, .duration_ns = warps * 10 * US};

	for (int i = 0; i < 2; i++)
		assert_int_equal(tacho_sim_submit(world->device, &work, NULL), 0);
}

static void push(struct world *world, uint64_t id)
{
	assert_int_equal(tacho_session_push_range(world->session, id, ""), 0);
}

static void pop(struct world *world)
{
	assert_int_equal(tacho_session_pop_range(world->session), 0);
}

static void draw_all(struct world *world)
{
	draw_two(world, 1); /* AA */
	push(world, 100);
	draw_two(world, 2); /* BB */
	pop(world);
	draw_two(world, 4); /* CC */
	push(world, 200);
	draw_two(world, 8); /* DD */
	push(world, 10);
	draw_two(world, 16); /* EE */
	pop(world);
	draw_two(world, 32); /* FF */
	pop(world);
	draw_two(world, 64); /* GG */
}

static unsigned run_all(struct world *world)
{
	unsigned runs = 0;

	for (int more = 1; more; runs++) {
		assert_int_equal(tacho_session_begin_pass(world->session), 0);
		draw_all(world);
		assert_int_equal(tacho_session_end_pass(world->session, &more), 0);
	}
	assert_int_equal(tacho_session_take(world->session, &world->result), 0);
	assert_int_equal(tacho_result_get_row_count(world->result), 3);
	return runs;
}

/*
 * The rows are {100}, {200} and {200, 10}: serialized {200} has DD, EE and FF, pipelined it has no
 * EE. There are two levels, so that the serialized pass runs twice.
 */
static void test_nested(void **state)
{
	static const struct tacho_config_entry entries[] = {
		{.name = "sm__warps_launched", .mode = TACHO_MODE_SERIALIZED},
		{.name = "sm__warps_launched", .mode = TACHO_MODE_PIPELINED},
		{.name = "gpu__time_duration", .mode = TACHO_MODE_SERIALIZED},
		{.name = "gpu__time_duration", .mode = TACHO_MODE_PIPELINED},
		{.name = "gpu__time_active", .mode = TACHO_MODE_PIPELINED},
	};
	static const unsigned serialized[] = {4, 112, 32}, pipelined[] = {4, 80, 32};
	struct world world = {0};

	begin(&world, entries, COUNT(entries));
	assert_int_equal(run_all(&world), 3);
	for (size_t row = 0; row < 3; row++) {
		assert_int_equal(world_get(&world, "sm__warps_launched:serialized", row, 0),
				 serialized[row]);
		assert_int_equal(world_get(&world, "sm__warps_launched:pipelined", row, 0),
				 pipelined[row]);
	}
	CHECK_US(&world, "gpu__time_duration:serialized", 40, 1120, 320);
	CHECK_US(&world, "gpu__time_duration:pipelined", 40, 800, 320);
	CHECK_US(&world, "gpu__time_active", 40, 800, 320);
	world_close(&world);
}

/*
 * In one pipelined pass AA, BB, CC ... begin at 0, 20, 60, 140, 300, 620 and 1260 us. {200} begins
 * with DD and ends with FF, although EE between them is not in it.
 */
static void test_pipelined_times(void **state)
{
	static const struct tacho_config_entry entries[] = {
		{.name = "gpu__time_start", .mode = TACHO_MODE_PIPELINED},
		{.name = "gpu__time_end", .mode = TACHO_MODE_PIPELINED},
		{.name = "gpu__time_duration", .mode = TACHO_MODE_PIPELINED},
	};
	struct world world = {0};

	begin(&world, entries, COUNT(entries));
	assert_int_equal(run_all(&world), 1);
	CHECK_US(&world, "gpu__time_start", 20, 140, 300);
	CHECK_US(&world, "gpu__time_end", 60, 1260, 620);
	CHECK_US(&world, "gpu__time_duration", 40, 800, 320);
	world_close(&world);
}

/* Three passes for one metric, and two levels: six runs, and three of the pipelined one. */
static void test_runs(void **state)
{
	static const struct tacho_config_entry entries[] = {
		{.name = "tex__sol_pct", .mode = TACHO_MODE_SERIALIZED},
		{.name = "tex__sol_pct", .mode = TACHO_MODE_PIPELINED},
	};
	struct world world = {0};

	begin(&world, entries, COUNT(entries));
	assert_int_equal(run_all(&world), 9);
	assert_int_equal(tacho_session_get_run_count(world.session), 9);
	world_close(&world);
}

/* Work that names its range counts in that one's segment, whatever else is open. */
static void test_named(void **state)
{
	static const struct tacho_config_entry entries[] = {
		{.name = "sm__warps_launched", .mode = TACHO_MODE_PIPELINED}};
	struct tacho_sim_work work = {.size = sizeof(work), .grid = {32}, .duration_ns = 10 * US};
	tacho_range outer, inner, other;
	struct world world = {0};

	begin(&world, entries, COUNT(entries));
	assert_int_equal(tacho_session_begin_pass(world.session), 0);
	assert_int_equal(tacho_session_begin_range(world.session, 0, 1, "", &outer), 0);
	assert_int_equal(tacho_session_begin_range(world.session, outer, 2, "", &inner), 0);
	assert_int_equal(tacho_session_begin_range(world.session, 0, 3, "", &other), 0);
	work.range = inner;
	assert_int_equal(tacho_sim_submit(world.device, &work, NULL), 0);
	assert_int_equal(tacho_session_end_range(world.session, inner), 0);
	work.range = outer;
	work.grid[0] = 64;
	assert_int_equal(tacho_sim_submit(world.device, &work, NULL), 0);
	assert_int_equal(tacho_session_end_range(world.session, outer), 0);
	assert_int_equal(tacho_session_end_range(world.session, other), 0);
	assert_int_equal(tacho_session_end_pass(world.session, NULL), 0);
	assert_int_equal(tacho_session_take(world.session, &world.result), 0);
	assert_int_equal(world_get(&world, "sm__warps_launched", 0, 0), 2);
	assert_int_equal(world_get(&world, "sm__warps_launched", 1, 0), 1);
	assert_int_equal(world_get(&world, "sm__warps_launched", 2, 0), 0);
	world_close(&world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nested),
		cmocka_unit_test(test_pipelined_times),
		cmocka_unit_test(test_runs),
		cmocka_unit_test(test_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
