/* SPDX-License-Identifier: MIT */
/*
 * Counters of a device around ranges of work: open it, choose metrics, learn how often the work
 * has to run and why, run it that often, read the values.
 *
 *	native		on a simulated MI300X, whose values are worked out below
 *	native perf	on this machine, counted by Linux
 *
 *	cc native.c $(pkg-config --cflags --libs tacho)
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <tacho/tacho.h>

enum { METRICS = 3, PAGES = 512 };

/* What differs between the two. */
struct machine {
	const char *backends, *device;
	const char *metrics[METRICS];
	int (*run)(struct tacho_device *device, int which); /* one of the two pieces of work */
};

/*
 * The simulated work (docs/sim.md has the rules). An MI300X has 304 compute units at 2100 MHz.
 *
 *				gather			scatter
 * waves			304 x 16		304 x 8
 * cycles			10 us x 2.1 GHz = 21,000	30 us x 2.1 GHz = 63,000
 * waves on a unit at a time	16			8
 * reads of 64 bytes		1 MiB / 64 = 16,384	0
 *   the first cache has half	8,192 go on
 *   the second a quarter	6,144 go to memory
 * read from memory		6,144 x 64 = 384 KiB	0
 * writes of 64 bytes		4,096 = 256 KiB		8,192 = 512 KiB
 *
 * So the range "gather" has MeanOccupancyPerCU = 16, FETCH_SIZE = 384, WRITE_SIZE = 256, and the
 * range "frame" around both
 *
 *	MeanOccupancyPerCU = (16 x 21,000 + 8 x 63,000) / 84,000 = 10
 *	FETCH_SIZE = 384 + 0 = 384
 *	WRITE_SIZE = 256 + 512 = 768
 */
static int run_simulated(struct tacho_device *device, int which)
{
	const struct tacho_sim_work gather = {.size = sizeof(gather),
					      .name = "gather",
					      .grid = {304 * 16 * 64},
					      .workgroup = {64},
					      .bytes_read = 1 << 20,
					      .bytes_written = 256 << 10,
					      .l1_hit = 0.5,
					      .l2_hit = 0.25,
					      .duration_ns = 10000};
	const struct tacho_sim_work scatter = {.size = sizeof(scatter),
					       .name = "scatter",
					       .grid = {304 * 8 * 64},
					       .workgroup = {64},
					       .bytes_written = 512 << 10,
					       .duration_ns = 30000};

	return tacho_sim_submit(device, which ? &scatter : &gather, NULL);
}

/* The first touch of each page is a page fault. */
static int run_here(struct tacho_device *device, int which)
{
	size_t size = PAGES * 4096;
	char *pages = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (pages == MAP_FAILED)
		return -1;
	madvise(pages, size, MADV_NOHUGEPAGE);
	for (size_t i = 0; i < PAGES; i++)
		((volatile char *)pages)[i * 4096] = 1;
	munmap(pages, size);
	return 0;
}

static const struct machine simulated = {
	"sim:mi300x", "mi300x", {"MeanOccupancyPerCU", "FETCH_SIZE", "WRITE_SIZE"}, run_simulated};
static const struct machine here = {
	"perf", "perf:linux", {"page-faults", "task-clock", "context-switches"}, run_here};

/* The work of one pass: a range around both pieces, and one in it around the first. */
static int run_frame(struct tacho_session *session, struct tacho_device *device,
		     const struct machine *machine)
{
	tacho_range frame, gather;
	int rc = tacho_session_begin_range(session, 0, 1, "frame", &frame);

	if (!rc)
		rc = tacho_session_begin_range(session, frame, 2, "gather", &gather);
	if (!rc)
		rc = machine->run(device, 0);
	if (!rc)
		rc = tacho_session_end_range(session, gather);
	if (!rc)
		rc = machine->run(device, 1);
	if (!rc)
		rc = tacho_session_end_range(session, frame);
	return rc;
}

static int collect(struct tacho_device *device, const struct tacho_plan *plan,
		   const struct machine *machine, struct tacho_result **out_result)
{
	struct tacho_session *session = NULL;
	int more = 1, rc = tacho_session_create(device, plan, NULL, &session);

	while (!rc && more) {
		rc = tacho_session_begin_pass(session);
		if (!rc)
			rc = run_frame(session, device, machine);
		if (!rc)
			rc = tacho_session_end_pass(session, &more);
	}
	if (!rc)
		rc = tacho_session_drain(session, UINT64_C(1000000000), NULL);
	if (!rc)
		rc = tacho_session_take(session, out_result);
	tacho_session_destroy(session);
	return rc;
}

static void print_plan(const struct tacho_device_info *info, const struct tacho_plan *plan)
{
	struct tacho_plan_summary summary;

	tacho_plan_get_summary(plan, &summary);
	printf("%s:%s: the work runs %zu time%s", info->backend, info->name, summary.run_count,
	       summary.run_count == 1 ? "" : "s");
	if (summary.lower_bound > 1)
		printf(", at least %zu are needed (%s)", summary.lower_bound, summary.binding);
	printf("\n\n");
}

static void print_result(const struct tacho_result *result)
{
	const struct tacho_column *column;
	const struct tacho_row *row;

	for (size_t i = 0; (row = tacho_result_get_row(result, i)); i++) {
		printf("%s%s\n", row->parent ? "  in it " : "", row->name);
		for (size_t k = 0; (column = tacho_result_get_column(result, k)); k++) {
			uint8_t state = tacho_column_get_state(column, i, 0);

			printf("    %-20s", column->name);
			if ((state & TACHO_STATE_MASK) == TACHO_STATE_ABSENT)
				printf("%12s\n", "-");
			else
				printf("%12.0f %s (%s)\n", tacho_column_get_value(column, i, 0),
				       column->unit, tacho_state_to_string(state));
		}
	}
}

static int measure(struct tacho_device *device, const struct machine *machine)
{
	struct tacho_config_entry entries[METRICS] = {0};
	struct tacho_config *config = NULL;
	struct tacho_plan *plan = NULL;
	struct tacho_result *result = NULL;
	int rc;

	for (size_t i = 0; i < METRICS; i++)
		entries[i].name = machine->metrics[i];
	rc = tacho_config_create(tacho_device_get_arch(device), tacho_device_get_model(device),
				 entries, METRICS, &config);
	if (!rc)
		rc = tacho_device_plan(device, config, NULL, &plan);
	if (!rc)
		rc = collect(device, plan, machine, &result);
	if (!rc) {
		print_plan(tacho_device_get_info(device), plan);
		print_result(result);
	}
	tacho_result_destroy(result);
	tacho_plan_destroy(plan);
	tacho_config_destroy(config);
	return rc;
}

int main(int argc, char **argv)
{
	const struct machine *machine = argc > 1 && !strcmp(argv[1], "perf") ? &here : &simulated;
	const struct tacho_context_options options = {.size = sizeof(options),
						      .backends = machine->backends};
	const struct tacho_device_info *info;
	struct tacho_context *context = NULL;
	struct tacho_device *device = NULL;
	int rc = tacho_context_create(&options, &context);

	if (!rc)
		rc = tacho_context_find_device_info(context, machine->device, &info);
	if (!rc)
		rc = tacho_device_open(context, info, &device);
	if (!rc)
		rc = measure(device, machine);
	if (rc) {
		const struct tacho_error_detail *error = tacho_error_last();

		fprintf(stderr, "native: %s\n  cause: %s\n  cure:  %s\n", error->message,
			error->cause, error->cure);
	}
	tacho_device_close(device);
	tacho_context_destroy(context);
	return rc ? EXIT_FAILURE : EXIT_SUCCESS;
}
