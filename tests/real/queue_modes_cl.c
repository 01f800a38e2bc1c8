/* SPDX-License-Identifier: MIT */
/*
 * Ranges on command queues of a real driver, serialized and pipelined. What they must be is worked
 * out from the times of the program's own events, which are on the same clock: a range that lies
 * between two kernels begins after the first one's end, and so on. Nothing here depends on how long
 * anything takes.
 *
 *	queue_modes_cl PLATFORM
 *
 * prints what was not right, and how many comparisons were.
 */
#define CL_OTHER_FUNCTIONS(X)                                                             \
	X(int32_t, clGetEventProfilingInfo, (void *, uint32_t, size_t, void *, size_t *)) \
	X(void *, clCreateUserEvent, (void *, int32_t *))                                 \
	X(int32_t, clSetUserEventStatus, (void *, int32_t))                               \
	X(int32_t, clReleaseEvent, (void *))                                              \
	X(int32_t, clReleaseCommandQueue, (void *))
#include "cl_program.h"

#include <stdbool.h>
#include <string.h>

#include <tacho/error.h>
#include <tacho/session.h>

enum {
	ITEMS = 4096,
	PROFILING = 2,
	OUT_OF_ORDER = 1,
	COMMAND_START = 0x1282,
	COMMAND_END = 0x1283,
	WORKS_MAX = 8,
};

static const char source[] =
	"kernel void work(global uint *x) {\n"
	"	uint i = get_global_id(0), value = x[i];\n"
	"	for (uint k = 0; k < 2000; k++) value = value * 1664525u + 1013904223u;\n"
	"	x[i] = value;\n"
	"}\n";

#define SERIALIZED                                             \
	"gpu__time_start:serialized,gpu__time_end:serialized," \
	"gpu__time_duration:serialized,gpu__time_active:serialized"
#define PIPELINED "gpu__time_start:pipelined,gpu__time_end:pipelined,gpu__time_duration:pipelined"

/* Kernels in the order of launching, with the times that the driver has of them. */
struct work {
	void *event;
	uint64_t begin, end;
};

static void *kernel;
static struct work works[WORKS_MAX];
static size_t work_count;
static unsigned good, bad;

static void compare(const char *text, bool is_right)
{
	if (is_right)
		good++;
	else
		printf("not so: %s\n", text), bad++;
}

#define RIGHT(what) compare(#what, what)

/* What is tacho's says why it failed, too. */
static void done(const char *what, int status)
{
	if (status)
		fprintf(stderr, "%s: %s: %s\n", program_invocation_short_name,
			tacho_error_last()->message, tacho_error_last()->cause);
	check(what, status);
}
#define DONE(call) done(#call, call)

/* ---- a session ---- */

static struct tacho_context *counting;
static struct tacho_device *counter;
static struct tacho_config *config;
static struct tacho_plan *plan;
static struct tacho_session *session;

static void open_queue(uint64_t properties, const char *list, uint32_t accumulates)
{
	struct tacho_context_options options = {.size = sizeof(options),
						.backends = "opencl_queue"};
	struct tacho_session_options how = {.size = sizeof(how), .accumulates = accumulates};
	int32_t status;

	queue = cl.clCreateCommandQueue(context, device, PROFILING | properties, &status);
	check("clCreateCommandQueue", status);
	options.handle = queue;
	DONE(tacho_context_create(&options, &counting));
	DONE(tacho_device_open(counting, tacho_context_get_device_info(counting, 0), &counter));
	DONE(tacho_device_parse_config(counter, list, NULL, &config, NULL));
	DONE(tacho_device_plan(counter, config, NULL, &plan));
	DONE(tacho_session_create(counter, plan, &how, &session));
}

static void close_queue(void)
{
	tacho_session_destroy(session);
	tacho_plan_destroy(plan);
	tacho_config_destroy(config);
	tacho_device_close(counter);
	tacho_context_destroy(counting);
	cl.clReleaseCommandQueue(queue);
}

static struct tacho_result *take(void)
{
	struct tacho_result *result;

	DONE(tacho_session_drain(session, UINT64_C(60000000000), NULL));
	DONE(tacho_session_take(session, &result));
	return result;
}

/* A value of a range; one that is not there is told. */
static uint64_t get(const struct tacho_result *result, uint64_t id, const char *name)
{
	const struct tacho_column *column = tacho_result_find_column(result, name);
	const struct tacho_row *row;

	for (size_t i = 0; column && (row = tacho_result_get_row(result, i)); i++)
		if (row->id == id && tacho_column_get_state(column, i, 0) == TACHO_STATE_OK)
			return column->data.u64[i];
	printf("there is no %s of %llu\n", name, (unsigned long long)id);
	bad++;
	return 0;
}

/* ---- work ---- */

static void launch(void *wait)
{
	static const size_t size = ITEMS;

	check("clEnqueueNDRangeKernel",
	      cl.clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &size, NULL, wait != NULL,
					wait ? &wait : NULL, &works[work_count++].event));
}

/* The times of all that was launched; the list is empty after. */
static void look_back(void)
{
	DONE(cl.clFinish(queue));
	for (size_t i = 0; i < work_count; i++) {
		struct work *work = &works[i];

		DONE(cl.clGetEventProfilingInfo(work->event, COMMAND_START, sizeof(work->begin),
						&work->begin, NULL));
		DONE(cl.clGetEventProfilingInfo(work->event, COMMAND_END, sizeof(work->end),
						&work->end, NULL));
		DONE(cl.clReleaseEvent(work->event));
	}
	work_count = 0;
}

static uint64_t took(size_t index)
{
	return works[index].end - works[index].begin;
}

enum { BB, CC, DD, EE, FF, GG };

/* The example of NVIDIA's guide, with a kernel for each pair of draws. */
static int run_nested(void)
{
	int more = 0;

	DONE(tacho_session_begin_pass(session));
	DONE(tacho_session_push_range(session, 100, NULL));
	launch(NULL);
	DONE(tacho_session_pop_range(session));
	launch(NULL);
	DONE(tacho_session_push_range(session, 200, NULL));
	launch(NULL);
	DONE(tacho_session_push_range(session, 10, NULL));
	launch(NULL);
	DONE(tacho_session_pop_range(session));
	launch(NULL);
	DONE(tacho_session_pop_range(session));
	launch(NULL);
	DONE(tacho_session_end_pass(session, &more));
	look_back();
	return more;
}

struct times {
	uint64_t begin, end, duration;
};

static struct times get_times(const struct tacho_result *result, uint64_t id)
{
	return (struct times){.begin = get(result, id, "gpu__time_start"),
			      .end = get(result, id, "gpu__time_end"),
			      .duration = get(result, id, "gpu__time_duration")};
}

/* Where it lies among the kernels, the first of which are before and behind it. */
static void compare_place(const struct times *times, const struct work *in, size_t before,
			  size_t first, size_t last, size_t behind)
{
	RIGHT(times->begin >= in[before].end);
	RIGHT(times->begin <= in[first].begin);
	RIGHT(times->end >= in[last].end);
	RIGHT(times->end <= in[behind].begin);
}

/* Each level is counted in a run of its own, with all that lies in its ranges. */
static void nested_serialized(void)
{
	struct work first[WORKS_MAX], second[WORKS_MAX];
	struct tacho_result *result;
	struct times outer, inner;

	open_queue(0, SERIALIZED, 0);
	RIGHT(run_nested() == 1);
	memcpy(first, works, sizeof(first));
	RIGHT(run_nested() == 0);
	memcpy(second, works, sizeof(second));
	RIGHT(tacho_session_get_run_count(session) == 2);
	result = take();
	RIGHT(tacho_result_get_row_count(result) == 3);
	outer = get_times(result, 200);
	inner = get_times(result, 10);
	compare_place(&outer, first, CC, DD, FF, GG);
	compare_place(&inner, second, DD, EE, EE, FF);
	RIGHT(outer.duration == outer.end - outer.begin);
	RIGHT(inner.duration == inner.end - inner.begin);
	RIGHT(get(result, 200, "gpu__time_active") == outer.duration);
	RIGHT(get(result, 10, "gpu__time_active") == inner.duration);
	tacho_result_destroy(result);
	close_queue();
}

/* One run: what lies in the inner range is not the outer one's. */
static void nested_pipelined(void)
{
	struct tacho_result *result;
	struct times outer, inner;

	open_queue(0, PIPELINED, 0);
	RIGHT(run_nested() == 0);
	result = take();
	outer = get_times(result, 200);
	inner = get_times(result, 10);
	compare_place(&outer, works, CC, DD, FF, GG);
	compare_place(&inner, works, DD, EE, EE, FF);
	RIGHT(outer.duration >= took(DD) + took(FF));
	RIGHT(outer.duration + took(EE) <= outer.end - outer.begin);
	RIGHT(inner.duration >= took(EE));
	RIGHT(outer.duration + inner.duration <= outer.end - outer.begin);
	tacho_result_destroy(result);
	close_queue();
}

/* One entry in both modes: serialized passes for each level, the pipelined one once. */
static void nested_in_both(void)
{
	struct tacho_result *result;
	unsigned runs = 1;

	open_queue(0, SERIALIZED "," PIPELINED, 0);
	while (run_nested())
		runs++;
	RIGHT(runs == 3);
	result = take();
	for (unsigned i = 0; i < 3; i++) {
		static const uint64_t ids[] = {100, 200, 10};

		RIGHT(get(result, ids[i], "gpu__time_duration:serialized") > 0);
		RIGHT(get(result, ids[i], "gpu__time_duration:pipelined") > 0);
	}
	tacho_result_destroy(result);
	close_queue();
}

/* A range in two parts, with other work between: the parts are added up, the ends are the outer. */
static void split(const char *list)
{
	struct tacho_result *result;
	struct times times;

	open_queue(0, list, 1);
	DONE(tacho_session_begin_pass(session));
	for (unsigned i = 0; i < 2; i++) {
		DONE(tacho_session_push_range(session, 1, NULL));
		launch(NULL);
		DONE(tacho_session_pop_range(session));
		launch(NULL);
	}
	DONE(tacho_session_end_pass(session, NULL));
	look_back();
	result = take();
	RIGHT(tacho_result_get_row_count(result) == 1);
	times = get_times(result, 1);
	RIGHT(times.begin <= works[0].begin);
	RIGHT(times.end >= works[2].end);
	RIGHT(times.end <= works[3].begin);
	RIGHT(times.duration >= took(0) + took(2));
	RIGHT(times.duration + took(1) <= times.end - times.begin);
	tacho_result_destroy(result);
	close_queue();
}

/* Kernels may run side by side: a range ends when all before its end is done, whoever asked. */
static void out_of_order(const char *list, bool is_serialized)
{
	struct tacho_result *result;
	struct times outer, inner;
	int more;

	open_queue(OUT_OF_ORDER, list, 0);
	more = run_nested();
	RIGHT(more == is_serialized);
	if (more)
		RIGHT(run_nested() == 0);
	result = take();
	outer = get_times(result, 200);
	inner = get_times(result, 10);
	RIGHT(outer.duration <= outer.end - outer.begin);
	/* the last run is the one of the inner range */
	RIGHT(inner.begin >= works[DD].end);
	RIGHT(inner.end >= works[EE].end);
	RIGHT(!is_serialized || inner.begin <= works[EE].begin);
	RIGHT(is_serialized || outer.end >= works[FF].end);
	tacho_result_destroy(result);
	close_queue();
}

/* Work that waits for something which this thread does later: only who waits for it is refused. */
static void user_event(void)
{
	int32_t status;
	void *event = cl.clCreateUserEvent(context, &status);
	struct tacho_result *result;
	struct times times;

	check("clCreateUserEvent", status);
	open_queue(0, PIPELINED "," SERIALIZED, 0);
	RIGHT(tacho_plan_get_pass(plan, 0)->mode == TACHO_MODE_PIPELINED);
	DONE(tacho_session_begin_pass(session));
	launch(event);
	DONE(tacho_session_push_range(session, 1, NULL));
	launch(NULL);
	DONE(tacho_session_pop_range(session));
	DONE(cl.clSetUserEventStatus(event, 0));
	DONE(tacho_session_end_pass(session, NULL));
	look_back();
	cl.clReleaseEvent(event);
	event = cl.clCreateUserEvent(context, &status);
	DONE(tacho_session_begin_pass(session));
	launch(event);
	RIGHT(tacho_session_push_range(session, 1, NULL) == TACHO_E_TIMEOUT);
	RIGHT(strstr(tacho_error_last()->cause, "not idle after 10 s") != NULL);
	DONE(cl.clSetUserEventStatus(event, 0));
	DONE(tacho_session_push_range(session, 1, NULL));
	launch(NULL);
	DONE(tacho_session_pop_range(session));
	DONE(tacho_session_end_pass(session, NULL));
	look_back();
	cl.clReleaseEvent(event);
	result = take();
	times = (struct times){get(result, 1, "gpu__time_start:serialized"),
			       get(result, 1, "gpu__time_end:serialized"), 0};
	RIGHT(times.begin >= works[0].end);
	RIGHT(times.begin <= works[1].begin);
	RIGHT(times.end >= works[1].end);
	RIGHT(get(result, 1, "gpu__time_duration:pipelined") > 0);
	tacho_result_destroy(result);
	close_queue();
}

int main(int argc, char **argv)
{
	set_up(argc > 1 ? (unsigned)atoi(argv[1]) : 0, source);
	kernel = make_kernel(program, "work");
	set_buffer(kernel, 0, make_buffer(MEM_READ_WRITE, ITEMS * sizeof(uint32_t), NULL));
	nested_serialized();
	nested_pipelined();
	nested_in_both();
	split(SERIALIZED);
	split(PIPELINED);
	out_of_order(SERIALIZED, true);
	out_of_order(PIPELINED, false);
	user_event();
	printf("%u comparisons, %u not right\n", good + bad, bad);
	return bad != 0;
}
