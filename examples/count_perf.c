/* SPDX-License-Identifier: MIT */
/*
 * Counts what Linux can count of the program itself: page faults and time on the CPU of a piece of
 * work. Where perf_event_open() is not allowed it says so, and what to do.
 *
 *	cc count_perf.c $(pkg-config --cflags --libs tacho) && ./a.out
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#include <tacho/tacho.h>

enum { PAGES = 512, PAGE_BYTES = 4096 };

static void check(int rc)
{
	const struct tacho_error_detail *error = tacho_error_last();

	if (!rc)
		return;
	fprintf(stderr, "%s\n  cause: %s\n  cure:  %s\n", error->message, error->cause,
		error->cure);
	exit(EXIT_FAILURE);
}

/* Touches fresh pages: each first touch is a page fault. */
static void work(void)
{
	volatile char *pages = mmap(NULL, PAGES * PAGE_BYTES, PROT_READ | PROT_WRITE,
				    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (pages == MAP_FAILED)
		exit(EXIT_FAILURE);
	madvise((void *)pages, PAGES * PAGE_BYTES, MADV_NOHUGEPAGE);
	for (size_t i = 0; i < PAGES; i++)
		pages[i * PAGE_BYTES] = 1;
	munmap((void *)pages, PAGES * PAGE_BYTES);
}

int main(void)
{
	const struct tacho_context_options options = {.size = sizeof(options), .backends = "perf"};
	const struct tacho_session_options once = {.size = sizeof(once),
						   .replay = TACHO_REPLAY_NONE};
	const struct tacho_config_entry wanted[] = {{.name = "page-faults"},
						    {.name = "task-clock"}};
	const struct tacho_device_info *info;
	const struct tacho_column *column;
	struct tacho_context *context;
	struct tacho_device *device;
	struct tacho_config *config;
	struct tacho_plan *plan;
	struct tacho_session *session;
	struct tacho_result *result;

	check(tacho_context_create(&options, &context));
	check(tacho_context_find_device_info(context, "perf:linux", &info));
	check(tacho_device_open(context, info, &device));
	check(tacho_config_create(tacho_device_get_arch(device), NULL, wanted, 2, &config));
	check(tacho_device_plan(device, config, NULL, &plan));

	/* The work runs once: a plan of several passes would be refused here. */
	check(tacho_session_create(device, plan, &once, &session));
	check(tacho_session_begin_pass(session));
	check(tacho_session_push_range(session, 1, "work"));
	work();
	check(tacho_session_pop_range(session));
	check(tacho_session_end_pass(session, NULL));
	check(tacho_session_drain(session, UINT64_C(1000000000), NULL));
	check(tacho_session_take(session, &result));
	for (size_t i = 0; (column = tacho_result_get_column(result, i)); i++)
		if ((tacho_column_get_state(column, 0, 0) & TACHO_STATE_MASK) == TACHO_STATE_ABSENT)
			printf("%s: - %s\n", column->name, column->note);
		else
			printf("%s: %.0f %s\n", column->name, tacho_column_get_value(column, 0, 0),
			       column->unit);

	tacho_result_destroy(result);
	tacho_session_destroy(session);
	tacho_plan_destroy(plan);
	tacho_config_destroy(config);
	tacho_device_close(device);
	tacho_context_destroy(context);
	return EXIT_SUCCESS;
}
