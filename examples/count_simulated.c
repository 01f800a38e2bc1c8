/* SPDX-License-Identifier: MIT */
/*
 * Counts a kernel on a simulated MI300X: open a device, say what is wanted, run the work as often
 *as it has to run, read the values. No GPU is needed.
 *
 *	cc count_simulated.c $(pkg-config --cflags --libs tacho) && ./a.out
 */
#include <stdio.h>
#include <stdlib.h>

#include <tacho/tacho.h>

/*
 * 16 waves of 64 work-items for each of its 304 compute units, so MeanOccupancyPerCU is 16. Half of
 * the 1024 KiB that are read come from the first cache, a quarter of the rest from the second:
 * FETCH_SIZE is 1024 x 0.5 x 0.75 = 384, and WRITE_SIZE 256.
 */
static const struct tacho_sim_work gather = {.size = sizeof(gather),
					     .grid = {304 * 16 * 64},
					     .workgroup = {64},
					     .bytes_read = 1 << 20,
					     .bytes_written = 256 << 10,
					     .l1_hit = 0.5,
					     .l2_hit = 0.25,
					     .duration_ns = 10000};

/* What fails says what it was, a fact that was checked, and what to do. */
static void check(int rc)
{
	const struct tacho_error_detail *error = tacho_error_last();

	if (!rc)
		return;
	fprintf(stderr, "%s\n  cause: %s\n  cure:  %s\n", error->message, error->cause,
		error->cure);
	exit(EXIT_FAILURE);
}

int main(void)
{
	const struct tacho_context_options options = {.size = sizeof(options),
						      .backends = "sim:mi300x"};
	const struct tacho_config_entry wanted[] = {
		{.name = "MeanOccupancyPerCU"}, {.name = "FETCH_SIZE"}, {.name = "WRITE_SIZE"}};
	const struct tacho_column *column;
	struct tacho_context *context;
	struct tacho_device *device;
	struct tacho_config *config;
	struct tacho_plan *plan;
	struct tacho_session *session;
	struct tacho_result *result;
	tacho_range range;

	check(tacho_context_create(&options, &context));
	check(tacho_device_open(context, tacho_context_get_device_info(context, 0), &device));
	check(tacho_config_create(tacho_device_get_arch(device), tacho_device_get_model(device),
				  wanted, 3, &config));
	check(tacho_device_plan(device, config, NULL, &plan));
	check(tacho_session_create(device, plan, NULL, &session));

	/* The same work in each pass, with other counters each time. */
	for (int more = 1; more;) {
		check(tacho_session_begin_pass(session));
		check(tacho_session_begin_range(session, 0, 1, "gather", &range));
		check(tacho_sim_submit(device, &gather, NULL));
		check(tacho_session_end_range(session, range));
		check(tacho_session_end_pass(session, &more));
		puts("a pass is done");
	}
	/* Values may come late: wait for a second at most. */
	check(tacho_session_drain(session, UINT64_C(1000000000), NULL));
	check(tacho_session_take(session, &result));
	for (size_t i = 0; (column = tacho_result_get_column(result, i)); i++)
		printf("%s: %g %s (%s)\n", column->name, tacho_column_get_value(column, 0, 0),
		       column->unit, tacho_state_to_string(tacho_column_get_state(column, 0, 0)));

	tacho_result_destroy(result);
	tacho_session_destroy(session);
	tacho_plan_destroy(plan);
	tacho_config_destroy(config);
	tacho_device_close(device);
	tacho_context_destroy(context);
	return EXIT_SUCCESS;
}
