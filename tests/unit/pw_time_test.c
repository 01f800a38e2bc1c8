/* SPDX-License-Identifier: MIT */
/* The guide's two diagrams of times on a simulated h200, in nanoseconds. */
#include "pw_world.h"

#define START	 "gpu__time_start"
#define END	 "gpu__time_end"
#define DURATION "gpu__time_duration"
#define ACTIVE	 "gpu__time_active"

static void run_for(void *ctx, uint32_t queue, uint64_t duration_ns)
{
	const struct tacho_sim_work work = {.size = sizeof(work),
					    .queue = queue,
					    .grid = {32},
					    .workgroup = {32},
					    .duration_ns = duration_ns};

	assert_int_equal(tacho_sim_submit(ctx, &work, NULL), 0);
}

/* Range 1 is split: its second part comes behind range 2, whose queue is another. */
static void run_diagram(void *ctx)
{
	expect(OK, NVPA_Object_PushRange(ctx, 1));
	run_for(ctx, 0, 4000);
	expect(OK, NVPA_Object_PopRange(ctx));
	expect(OK, NVPA_Object_PushRange(ctx, 2));
	run_for(ctx, 1, 6000);
	expect(OK, NVPA_Object_PopRange(ctx));
	expect(OK, NVPA_Object_PushRange(ctx, 1));
	run_for(ctx, 0, 1000);
	expect(OK, NVPA_Object_PopRange(ctx));
}

static NVPA_Results *measure(void *ctx, bool is_pipelined)
{
	const struct want wants[] = {{START, is_pipelined},
				     {END, is_pipelined},
				     {DURATION, is_pipelined},
				     {ACTIVE, is_pipelined},
				     {NULL, false}};
	NVPA_Results *results = NULL;
	NVPA_Config *config = make_config(ctx, wants);

	expect(OK, NVPA_Context_BeginSession(ctx, config));
	assert_int_equal(run_passes(ctx, run_diagram), 1);
	expect(OK, NVPA_Context_ReadResults(ctx, &results));
	expect(OK, NVPA_Context_EndSession(ctx));
	expect(OK, NVPA_Config_Destroy(config));
	return results;
}

/* Start, end, duration and active time of a range. */
static void expect_times(void *ctx, bool is_pipelined, uint64_t id, const double *wanted)
{
	static const char *const names[] = {START, END, DURATION, ACTIVE};
	NVPA_Results *results = measure(ctx, is_pipelined);

	for (size_t i = 0; i < 4; i++) {
		double number = get_number(ctx, results, &id, 1, names[i], !is_pipelined);

		if (number != wanted[i])
			fail_msg("%s of range %u is %g, not %g", names[i], (unsigned)id, number,
				 wanted[i]);
	}
	expect(OK, NVPA_Results_Destroy(results));
}

static void expect_diagram(bool is_pipelined, const double wanted[2][4])
{
	for (uint64_t id = 1; id <= 2; id++) {
		void *ctx = NULL;

		expect(OK, NVPA_Sim_CreateContext("h200", &ctx)); /* its clock begins at 0 */
		expect_times(ctx, is_pipelined, id, wanted[id - 1]);
		expect(OK, NVPA_UnregisterContext(ctx));
	}
}

/*
 * Each range has the device for itself: 0 to 4000, 4000 to 10000, 10000 to 11000. What range 1 took
 * is less than from its begin to its end.
 */
static void serialized_ranges_follow_each_other(void **state)
{
	const double wanted[2][4] = {{0, 11000, 5000, 5000}, {4000, 10000, 6000, 6000}};

	expect_diagram(false, wanted);
}

/*
 * Both queues start at 0. Range 2 runs until 6000, of which it alone cost what came behind 4000,
 * where range 1 was done; the second part of range 1, 4000 to 5000, cost nothing behind range 2.
 */
static void pipelined_ranges_overlap(void **state)
{
	const double wanted[2][4] = {{0, 5000, 4000, 5000}, {0, 6000, 2000, 6000}};

	expect_diagram(true, wanted);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(serialized_ranges_follow_each_other),
		cmocka_unit_test(pipelined_ranges_overlap),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
