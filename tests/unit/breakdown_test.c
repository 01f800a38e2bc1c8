/* SPDX-License-Identifier: MIT */
/* What the wall time went to: by hand, and against a table of every nanosecond. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "analyze/curve.h"
#include "analyze/time_roles.h"
#include "fake_recording.h"

enum { INSTANTS = 4000, CALLS_MAX = 64, THREADS = 3 };

static const struct tacho_process process = {.pid = 1,
					     .directory = "proc-1-0",
					     .executable = "/bin/p",
					     .command = "p",
					     .loader = "",
					     .clock = "tsc",
					     .uncounted = "",
					     .uncounted_cure = "",
					     .unwatched = ""};
static const struct tacho_function build = {"opencl", "clBuildProgram", -1},
				   info = {"opencl", "clGetProgramInfo", -1},
				   finish = {"opencl", "clFinish", -1},
				   launch = {"opencl", "clEnqueueNDRangeKernel", -1},
				   write = {"opencl", "clEnqueueWriteBuffer", -1};

/* A run whose calls are told one after the other. */
struct scene {
	struct fake_call calls[CALLS_MAX];
	struct tacho_command commands[CALLS_MAX];
	struct fake_recording recording;
};

static void begin(struct scene *scene, uint64_t start_ns, uint64_t end_ns)
{
	memset(scene, 0, sizeof(*scene));
	scene->recording = (struct fake_recording){
		.processes = &process, .process_count = 1, .calls = scene->calls};
	scene->recording.run = (struct tacho_run){.generator = "",
						  .application = "/bin/p",
						  .arguments = "",
						  .working_directory = "",
						  .host = "",
						  .os_name = "",
						  .os_release = "",
						  .via = "layer",
						  .why_empty = "",
						  .why_uncounted = "",
						  .start_ns = start_ns,
						  .end_ns = end_ns};
}

static struct fake_call *call(struct scene *scene, uint32_t thread,
			      const struct tacho_function *function, uint64_t start_ns,
			      uint64_t end_ns)
{
	struct fake_call *one = &scene->calls[scene->recording.call_count++];

	assert_true(scene->recording.call_count <= CALLS_MAX);
	one->call = (struct tacho_call){.process = &process,
					.function = function,
					.thread = thread,
					.start_ns = start_ns,
					.end_ns = end_ns,
					.result = "CL_SUCCESS"};
	return one;
}

/* Gives the last call work that ran from one time to another. */
static void work(struct scene *scene, enum tacho_command_kind kind, uint64_t start_ns,
		 uint64_t end_ns)
{
	size_t last = scene->recording.call_count - 1;
	struct tacho_command *command = &scene->commands[last];

	*command = (struct tacho_command){.kind = kind,
					  .name = "",
					  .reason = "",
					  .clock = "",
					  .start_ns = start_ns,
					  .end_ns = end_ns,
					  .not_after_ns = UINT64_MAX};
	scene->calls[last].call.command = command;
}

static struct tacho_summary *summarize(struct scene *scene)
{
	struct tacho_summary *summary;

	assert_int_equal(tacho_summary_create(fake_recording(&scene->recording), &summary), 0);
	return summary;
}

/* 0 when there is no such part. */
static uint64_t spent(const struct tacho_summary *summary, enum tacho_spent kind,
		      const char *function)
{
	const struct tacho_spent_part *part;

	for (size_t i = 0; (part = tacho_summary_get_spent(summary, i)); i++)
		if (part->spent == kind && !strcmp(part->function, function))
			return part->ns;
	return 0;
}

static uint64_t add_up(const struct tacho_summary *summary)
{
	const struct tacho_spent_part *part;
	uint64_t sum_ns = 0;

	for (size_t i = 0; (part = tacho_summary_get_spent(summary, i)); i++)
		sum_ns += part->ns;
	return sum_ns;
}

/* 1000 start, 1100 build 1500, 1500 binaries 1900, 2000 write 2100 (ran 2050 to 2090), 2100 launch
 * 2110 (ran 2120 to 2400), 2300 finish 2450; end 3000. */
static void tell_run(struct scene *scene)
{
	begin(scene, 1000, 3000);
	call(scene, 7, &build, 1100, 1500);
	call(scene, 7, &info, 1500, 1900);
	scene->calls[1].names[0] = "program";
	scene->calls[1].names[1] = "param_name";
	scene->calls[1].arguments[0] = "0x1";
	scene->calls[1].arguments[1] = "CL_PROGRAM_BINARY_SIZES";
	call(scene, 7, &write, 2000, 2100);
	work(scene, TACHO_COMMAND_WRITE, 2050, 2090);
	call(scene, 7, &launch, 2100, 2110);
	work(scene, TACHO_COMMAND_KERNEL, 2120, 2400);
	call(scene, 7, &finish, 2300, 2450);
}

static void test_by_hand(void **state)
{
	static struct scene scene;
	const struct tacho_breakdown *breakdown;
	struct tacho_summary *summary;

	tell_run(&scene);
	summary = summarize(&scene);
	breakdown = tacho_summary_get_breakdown(summary);
	assert_int_equal(breakdown->total_ns, 2000);
	assert_int_equal(breakdown->is_wall, 1);
	assert_int_equal(breakdown->thread, 7);
	assert_int_equal(breakdown->uncertain_ns, 0);
	assert_int_equal(add_up(summary), 2000);
	assert_int_equal(spent(summary, TACHO_SPENT_KERNELS, ""), 280);
	assert_int_equal(spent(summary, TACHO_SPENT_TRANSFERS, ""), 40);
	assert_int_equal(spent(summary, TACHO_SPENT_BUILD, "clBuildProgram"), 400);
	assert_int_equal(spent(summary, TACHO_SPENT_BUILD, "clGetProgramInfo"), 400);
	/* it was over when the call returned: 100 less the 40 that it ran */
	assert_int_equal(spent(summary, TACHO_SPENT_WAIT, "clEnqueueWriteBuffer"), 60);
	assert_int_equal(spent(summary, TACHO_SPENT_API, "clEnqueueNDRangeKernel"), 10);
	assert_int_equal(spent(summary, TACHO_SPENT_WAIT, "clFinish"), 50);
	assert_int_equal(spent(summary, TACHO_SPENT_START, ""), 100);
	assert_int_equal(spent(summary, TACHO_SPENT_OUTSIDE, ""), 100 + 10);
	assert_int_equal(spent(summary, TACHO_SPENT_END, ""), 550);
	assert_string_equal(breakdown->headline,
			    "Of 2.00 us the run spent 27.5% after the last API call, 20.0% in "
			    "clBuildProgram (building programs) and 20.0% in clGetProgramInfo "
			    "(building programs); devices were busy for 16.0%.");
	assert_int_equal(tacho_summary_get_spent(summary, 0)->spent, TACHO_SPENT_END);
	tacho_summary_destroy(summary);

	scene.calls[1].arguments[1] = "CL_PROGRAM_NUM_DEVICES";
	summary = summarize(&scene);
	assert_int_equal(spent(summary, TACHO_SPENT_API, "clGetProgramInfo"), 400);
	tacho_summary_destroy(summary);
}

/* Nobody saw the run's end: it goes to the last moment that is known. */
static void test_endless(void **state)
{
	static struct scene scene;
	struct tacho_summary *summary;

	tell_run(&scene);
	scene.recording.run.end_ns = 0;
	summary = summarize(&scene);
	assert_int_equal(tacho_summary_get_breakdown(summary)->is_wall, 0);
	assert_int_equal(tacho_summary_get_breakdown(summary)->total_ns, 1450);
	assert_int_equal(add_up(summary), 1450);
	assert_int_equal(spent(summary, TACHO_SPENT_END, ""), 0);
	tacho_summary_destroy(summary);

	scene.recording.call_count = 0;
	summary = summarize(&scene);
	assert_null(tacho_summary_get_breakdown(summary));
	assert_null(tacho_summary_get_spent(summary, 0));
	tacho_summary_destroy(summary);
}

/* A call that is made within another one comes to its end before it. */
static void test_nested(void **state)
{
	static struct scene scene;
	struct tacho_summary *summary;

	begin(&scene, 1000, 2000);
	call(&scene, 7, &launch, 1050, 1060);
	call(&scene, 7, &finish, 1700, 1710);
	call(&scene, 7, &finish, 1720, 1730);
	call(&scene, 7, &build, 1100, 1900);
	summary = summarize(&scene);
	assert_int_equal(add_up(summary), 1000);
	assert_int_equal(spent(summary, TACHO_SPENT_WAIT, "clFinish"), 20);
	assert_int_equal(spent(summary, TACHO_SPENT_BUILD, "clBuildProgram"), 780);
	assert_int_equal(spent(summary, TACHO_SPENT_OUTSIDE, ""), 40);
	tacho_summary_destroy(summary);
}

/* The work of four polls is not all from the first one's begin to the last one's end. */
static void test_repeats(void **state)
{
	static struct scene scene;
	struct tacho_summary *summary;
	struct fake_call *polls;

	begin(&scene, 1000, 2000);
	polls = call(&scene, 7, &finish, 1000, 1900);
	polls->call.repeats = 3;
	polls->call.busy_ns = 90;
	summary = summarize(&scene);
	assert_int_equal(add_up(summary), 1000);
	assert_int_equal(spent(summary, TACHO_SPENT_WAIT, "clFinish"), 90);
	assert_int_equal(spent(summary, TACHO_SPENT_OUTSIDE, ""), 810);
	tacho_summary_destroy(summary);
}

/* Files of other tools may have kernels and no calls: nobody knows where the host was. */
static void test_no_calls(void **state)
{
	static struct scene scene;
	struct tacho_summary *summary;

	begin(&scene, 1000, 2000);
	call(&scene, 0, &launch, 1100, 1100)->call.is_bare = true;
	work(&scene, TACHO_COMMAND_KERNEL, 1100, 1400);
	summary = summarize(&scene);
	assert_int_equal(add_up(summary), 1000);
	assert_int_equal(spent(summary, TACHO_SPENT_KERNELS, ""), 300);
	assert_int_equal(spent(summary, TACHO_SPENT_UNKNOWN, ""), 700);
	assert_int_equal(spent(summary, TACHO_SPENT_OUTSIDE, ""), 0);
	assert_string_equal(tacho_spent_to_string(TACHO_SPENT_UNKNOWN), "unknown");
	assert_string_equal(tacho_summary_get_breakdown(summary)->headline,
			    "Of 1.00 us the run spent 70.0% with no device busy and 30.0% running "
			    "kernels.");
	tacho_summary_destroy(summary);
}

/* What waits for a busy device explains nothing: the main thread is the one that builds. */
static void test_main_thread(void **state)
{
	static struct scene scene;
	struct tacho_summary *summary;

	begin(&scene, 1000, 2000);
	call(&scene, 8, &launch, 1000, 1010);
	work(&scene, TACHO_COMMAND_KERNEL, 1010, 1500);
	call(&scene, 8, &finish, 1010, 1500);
	call(&scene, 7, &build, 1500, 1600);
	call(&scene, 8, &launch, 1750, 1800);
	summary = summarize(&scene);
	assert_int_equal(tacho_summary_get_breakdown(summary)->thread, 7);
	assert_int_equal(add_up(summary), 1000);
	assert_int_equal(spent(summary, TACHO_SPENT_KERNELS, ""), 490);
	assert_int_equal(spent(summary, TACHO_SPENT_BUILD, "clBuildProgram"), 100);
	assert_int_equal(spent(summary, TACHO_SPENT_OTHERS, ""), 10 + 50);
	assert_int_equal(spent(summary, TACHO_SPENT_START, ""), 0);
	assert_int_equal(spent(summary, TACHO_SPENT_END, ""), 350);
	tacho_summary_destroy(summary);
}

/* ---- against a table of all moments ---- */

struct table {
	uint8_t kernels[INSTANTS], transfers[INSTANTS];
	uint8_t api[THREADS][INSTANTS]; /* 1 + which function */
};

static int compare_ends(const void *left, const void *right)
{
	const struct fake_call *a = left, *b = right;

	return (a->call.end_ns > b->call.end_ns) - (a->call.end_ns < b->call.end_ns);
}

static void tell_random(struct scene *scene, struct table *table)
{
	static const struct tacho_function *const functions[] = {&build, &finish, &launch};

	memset(table, 0, sizeof(*table));
	begin(scene, 0, INSTANTS);
	for (uint32_t thread = 0; thread < THREADS; thread++) {
		uint64_t now = (uint64_t)rand() % 300 + 1;

		for (int i = 0; i < CALLS_MAX / THREADS; i++) {
			uint64_t end = now + (uint64_t)rand() % 120 + 1, start = end;
			int which = rand() % 3;

			call(scene, thread, functions[which], now, end);
			memset(table->api[thread] + now, 1 + which, end - now);
			if (which == 2 && rand() % 2) {
				uint64_t until = start + (uint64_t)rand() % 200;
				bool moves = rand() % 2;

				work(scene, moves ? TACHO_COMMAND_COPY : TACHO_COMMAND_KERNEL,
				     start, until);
				memset((moves ? table->transfers : table->kernels) + start, 1,
				       until - start);
			}
			now = end + (uint64_t)rand() % 60;
		}
	}
	qsort(scene->calls, scene->recording.call_count, sizeof(scene->calls[0]), compare_ends);
}

/* Functions, and those behind them: others, start, end, outside. */
static void count_moments(const struct table *table, uint32_t thread, uint64_t sums[7])
{
	size_t first = INSTANTS, last = 0;

	memset(sums, 0, 7 * sizeof(sums[0]));
	for (size_t i = 0; i < INSTANTS; i++) {
		if (!table->api[thread][i])
			continue;
		first = i < first ? i : first;
		last = i;
	}
	for (size_t i = 0; i < INSTANTS; i++) {
		bool is_other = false;

		for (uint32_t k = 0; k < THREADS; k++)
			is_other |= table->api[k][i] != 0;
		if (table->kernels[i] || table->transfers[i])
			continue;
		if (table->api[thread][i])
			sums[table->api[thread][i] - 1]++;
		else
			sums[is_other ? 3 : i < first ? 4 : i > last ? 5 : 6]++;
	}
}

static void test_random(void **state)
{
	static struct scene scene;
	static struct table table;

	srand(3);
	for (int round = 0; round < 100; round++) {
		struct tacho_summary *summary;
		uint64_t sums[7], most = 0, kernels = 0, busy = 0;
		uint32_t thread;

		tell_random(&scene, &table);
		summary = summarize(&scene);
		thread = tacho_summary_get_breakdown(summary)->thread;
		for (size_t i = 0; i < INSTANTS; i++) {
			kernels += table.kernels[i];
			busy += table.kernels[i] || table.transfers[i];
		}
		for (uint32_t i = 0; i < THREADS; i++) {
			count_moments(&table, i, sums);
			if (sums[0] + sums[1] + sums[2] > most)
				most = sums[0] + sums[1] + sums[2];
		}
		count_moments(&table, thread, sums);
		assert_int_equal(sums[0] + sums[1] + sums[2], most);
		assert_int_equal(add_up(summary), INSTANTS);
		assert_int_equal(tacho_summary_get_breakdown(summary)->uncertain_ns, 0);
		assert_int_equal(spent(summary, TACHO_SPENT_KERNELS, ""), kernels);
		assert_int_equal(spent(summary, TACHO_SPENT_TRANSFERS, ""), busy - kernels);
		assert_int_equal(spent(summary, TACHO_SPENT_BUILD, build.name), sums[0]);
		assert_int_equal(spent(summary, TACHO_SPENT_WAIT, finish.name), sums[1]);
		assert_int_equal(spent(summary, TACHO_SPENT_API, launch.name), sums[2]);
		assert_int_equal(spent(summary, TACHO_SPENT_OTHERS, ""), sums[3]);
		assert_int_equal(spent(summary, TACHO_SPENT_START, ""), sums[4]);
		assert_int_equal(spent(summary, TACHO_SPENT_END, ""), sums[5]);
		assert_int_equal(spent(summary, TACHO_SPENT_OUTSIDE, ""), sums[6]);
		tacho_summary_destroy(summary);
	}
}

/* More calls than tiles are kept: 30,000 rounds of 2 us, with a thread that waits all the time. */
static void test_many(void **state)
{
	enum { ROUNDS = 30000 };
	static struct scene scene;
	struct tacho_summary *summary;
	struct fake_recording *recording = &scene.recording;
	static struct fake_call calls[3 * ROUNDS + 1];
	static struct tacho_command commands[ROUNDS];

	begin(&scene, 1000, 1000 + 2000ull * ROUNDS + 500);
	for (uint64_t i = 0; i < ROUNDS; i++) {
		uint64_t at_ns = 1000 + 2000 * i;

		scene.recording.call_count = 0;
		call(&scene, 7, &launch, at_ns, at_ns + 100);
		work(&scene, TACHO_COMMAND_KERNEL, at_ns + 200, at_ns + 1000);
		call(&scene, 7, &finish, at_ns + 300, at_ns + 1100);
		call(&scene, 7, &build, at_ns + 1500, at_ns + 1900);
		memcpy(&calls[3 * i], scene.calls, 3 * sizeof(calls[0]));
		commands[i] = scene.commands[0];
		calls[3 * i].call.command = &commands[i];
	}
	scene.recording.call_count = 0;
	call(&scene, 8, &finish, 5000, 1000 + 2000ull * ROUNDS + 200);
	calls[3 * ROUNDS] = scene.calls[0];
	recording->calls = calls;
	recording->call_count = 3 * ROUNDS + 1;
	summary = summarize(&scene);
	assert_int_equal(tacho_summary_get_breakdown(summary)->thread, 8);
	assert_int_equal(add_up(summary), 2000ull * ROUNDS + 500);
	assert_int_equal(spent(summary, TACHO_SPENT_KERNELS, ""), 800ull * ROUNDS);
	/* it began when nobody knew yet: within what is told */
	assert_in_range(spent(summary, TACHO_SPENT_WAIT, finish.name),
			1200ull * ROUNDS + 200 - 1200 * 2 -
				tacho_summary_get_breakdown(summary)->uncertain_ns,
			1200ull * ROUNDS + 200 - 1200 * 2 +
				tacho_summary_get_breakdown(summary)->uncertain_ns);
	assert_in_range(tacho_summary_get_breakdown(summary)->uncertain_ns, 0, 20000);
	tacho_summary_destroy(summary);

	recording->call_count = 3 * ROUNDS; /* without that thread all is exact */
	summary = summarize(&scene);
	assert_int_equal(tacho_summary_get_breakdown(summary)->uncertain_ns, 0);
	assert_int_equal(add_up(summary), 2000ull * ROUNDS + 500);
	assert_int_equal(spent(summary, TACHO_SPENT_KERNELS, ""), 800ull * ROUNDS);
	assert_int_equal(spent(summary, TACHO_SPENT_WAIT, finish.name), 100ull * ROUNDS);
	assert_int_equal(spent(summary, TACHO_SPENT_BUILD, build.name), 400ull * ROUNDS);
	assert_int_equal(spent(summary, TACHO_SPENT_API, launch.name), 100ull * ROUNDS);
	assert_int_equal(spent(summary, TACHO_SPENT_END, ""), 600);
	tacho_summary_destroy(summary);
}

/* ---- the curve ---- */

/* Moments behind the horizon are exact, those before it are within what is told. */
static void test_curve(void **state)
{
	srand(5);
	for (int round = 0; round < 50; round++) {
		uint8_t busy[INSTANTS] = {0};
		struct tacho__curve curve = {0};
		uint64_t horizon = 0;

		assert_int_equal(tacho__curve_init(&curve, 0), 0);
		for (int i = 0; i < 200; i++) {
			uint64_t start = horizon + (uint64_t)rand() % (INSTANTS - 400 - horizon);
			uint64_t end = start + (uint64_t)rand() % 40, sum = 0;

			memset(busy + start, 1, end - start);
			assert_int_equal(i % 3 ? tacho__curve_append(&curve, start, end)
					       : tacho__curve_add(&curve, start, end),
					 0);
			if (i % 20)
				continue;
			assert_int_equal(tacho__curve_settle(&curve), 0);
			for (uint64_t at = 0; at < INSTANTS; at++) {
				uint64_t doubt = 0, told = tacho__curve_at(&curve, at, &doubt);

				if (at >= horizon)
					assert_int_equal(doubt, 0);
				assert_in_range(sum, told - doubt, told + doubt);
				sum += busy[at];
			}
			horizon += (uint64_t)rand() % 200;
			tacho__curve_forget(&curve, horizon);
		}
		assert_int_equal(curve.late_ns, 0);
		tacho__curve_finish(&curve);
	}
}

/* What comes late is told, as is what was joined for want of room. */
static void test_curve_bounds(void **state)
{
	struct tacho__curve curve = {0};
	uint64_t doubt = 0;

	assert_int_equal(tacho__curve_init(&curve, 1000), 0);
	assert_int_equal(tacho__curve_add(&curve, 500, 1100), 0);
	assert_int_equal(tacho__curve_settle(&curve), 0);
	tacho__curve_forget(&curve, 2000);
	assert_int_equal(tacho__curve_add(&curve, 1900, 2100), 0);
	assert_int_equal(curve.late_ns, 100);
	assert_int_equal(tacho__curve_settle(&curve), 0);
	assert_int_equal(tacho__curve_at(&curve, 3000, &doubt), 200);
	assert_int_equal(doubt, 0);
	for (uint64_t i = 0; i < TACHO__CURVE_INTERVALS_MAX + 10; i++)
		assert_int_equal(tacho__curve_add(&curve, 10000 + 10 * i, 10006 + 10 * i), 0);
	assert_int_equal(tacho__curve_settle(&curve), 0);
	assert_int_equal(curve.joined_ns, 4ull * (TACHO__CURVE_INTERVALS_MAX - 2));
	assert_int_equal(tacho__curve_at(&curve, UINT64_MAX, &doubt),
			 200 + 6ull * (TACHO__CURVE_INTERVALS_MAX + 10) + curve.joined_ns);
	tacho__curve_finish(&curve);
}

/* ---- roles ---- */

static enum tacho_spent role_of(const char *api, const char *name)
{
	const struct tacho_function function = {api, name, -1};
	const struct tacho__time_role *role = tacho__time_role_find(&function);

	return role ? role->spent : TACHO_SPENT_API;
}

static void test_roles(void **state)
{
	assert_int_equal(role_of("cuda", "cuModuleLoadData"), TACHO_SPENT_BUILD);
	assert_int_equal(role_of("cuda", "cuModuleLoadDataEx"), TACHO_SPENT_BUILD);
	assert_int_equal(role_of("cuda", "cuCtxSynchronize_v2"), TACHO_SPENT_WAIT);
	assert_int_equal(role_of("cudart", "cudaDeviceSynchronize_v3020"), TACHO_SPENT_WAIT);
	assert_int_equal(role_of("cudart", "cudaStreamSynchronize_ptsz_v7000"), TACHO_SPENT_WAIT);
	assert_int_equal(role_of("cuda", "cuModuleUnload"), TACHO_SPENT_API);
	assert_int_equal(role_of("cuda", "clFinish"), TACHO_SPENT_API);
	assert_int_equal(role_of("rocm", "hipDeviceSynchronize"), TACHO_SPENT_WAIT);
	assert_int_equal(role_of("opencl", "clFinish"), TACHO_SPENT_WAIT);
	assert_int_equal(role_of("opencl", "clFlush"), TACHO_SPENT_API);
	assert_int_equal(role_of("vulkan", "vkWaitForFences"), TACHO_SPENT_WAIT);
	assert_int_equal(role_of("vulkan", "vkCreateComputePipelines"), TACHO_SPENT_BUILD);
	assert_int_equal(role_of("vulkan", "vkQueueSubmit"), TACHO_SPENT_API);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_by_hand),	 cmocka_unit_test(test_endless),
		cmocka_unit_test(test_nested),	 cmocka_unit_test(test_repeats),
		cmocka_unit_test(test_no_calls), cmocka_unit_test(test_main_thread),
		cmocka_unit_test(test_random),	 cmocka_unit_test(test_many),
		cmocka_unit_test(test_curve),	 cmocka_unit_test(test_curve_bounds),
		cmocka_unit_test(test_roles),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
