/* SPDX-License-Identifier: MIT */
/* Rules about launches, transfers and devices; and what they are built on. */
#include "finding_scene.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/rules/gaps.h"
#include "analyze/rules/roles.h"
#include "analyze/rules/tracked.h"
#include "base/yaml.h"

#define ONE UINT64_C(1)

/* ---- launches ---- */

static void test_work_groups(void **state)
{
	struct tacho_findings *findings;
	const struct tacho_finding *finding;

	scene_begin();
	for (int i = 0; i < 3; i++)
		scene_launch(1024, 8, 40000); /* 8 of 32 lanes */
	scene_launch(1024, 48, 40000);	      /* 48 of 64 */
	scene_launch(1024, 64, 40000);
	scene_launch(1024, 0, 40000); /* the driver's choice */
	findings = scene_look(NULL, NULL);
	finding = scene_find(findings, "small-work-group");
	assert_non_null(finding);
	assert_string_equal(finding->subject, "vadd on gpu");
	assert_int_equal(finding->count, 3);
	assert_int_equal(finding->cost_ns, 3 * 30000); /* three quarters of it */
	assert_string_equal(finding->examples[0].text, "size 1024 x 1 x 1, groups 8 x 1 x 1");
	assert_non_null(strstr(finding->message, "50.0% of the device's kernel time"));
	finding = scene_find(findings, "odd-work-group");
	assert_int_equal(finding->count, 1);
	assert_int_equal(finding->cost_ns, 10000);
	tacho_findings_destroy(findings);

	/* The size of a wave as somebody says it: 48 is a multiple of 16, and 8 of 8. */
	assert_int_equal(COUNT("odd-work-group", "wave-size", (uint64_t)16), 0);
	assert_int_equal(COUNT("small-work-group", "wave-size", (uint64_t)8), 0);
	/* A sixth of the kernel time. */
	assert_int_equal(COUNT("odd-work-group", "launch-share", (uint64_t)16), 1);
	assert_int_equal(COUNT("odd-work-group", "launch-share", (uint64_t)17), 0);
}

static void test_small_launch_has_small_group(void **state)
{
	scene_begin();
	scene_launch(31, 31, 40000); /* it has no more work-items */
	assert_int_equal(COUNT("small-work-group"), 0);
	scene_begin();
	scene_launch(32, 16, 40000);
	assert_int_equal(COUNT("small-work-group"), 1);
}

static void test_wave_not_known(void **state)
{
	struct tacho_findings *findings;

	scene_begin();
	scene_kernel.attributes[0].key = NULL;
	scene_launch(1024, 8, 40000);
	findings = scene_look("small-work-group", NULL);
	assert_int_equal(tacho_findings_get_count(findings), 0);
	assert_non_null(strstr(tacho_findings_get_note(findings, 0), "wave-size"));
	tacho_findings_destroy(findings);
	assert_int_equal(COUNT("small-work-group", "wave-size", (uint64_t)64), 1);
}

static void test_cpu_devices(void **state)
{
	struct tacho_findings *findings;

	scene_begin();
	scene_gpu.attributes[0].value = "cpu";
	scene_launch(64, 8, 40000);
	findings = scene_look(NULL, NULL);
	assert_null(scene_find(findings, "small-work-group"));
	assert_null(tacho_findings_get_note(findings, 0));
	tacho_findings_destroy(findings);
	assert_int_equal(COUNT("small-work-group", "cpu-devices", ONE), 1);
	/* What a CPU would gain by larger groups is not known. */
	for (int is_cpu = 0; is_cpu < 2; is_cpu++) {
		scene_gpu.attributes[0].value = is_cpu ? "cpu" : "gpu";
		findings = scene_look("small-work-group", "cpu-devices", ONE, NULL);
		assert_int_equal(scene_find(findings, "small-work-group")->has_gain, !is_cpu);
		tacho_findings_destroy(findings);
	}

	scene_gpu.attributes[0].key = "kind"; /* it does not say what it is */
	findings = scene_look(NULL, NULL);
	assert_null(scene_find(findings, "small-work-group"));
	assert_non_null(strstr(tacho_findings_get_note(findings, 0), "whether it is a GPU"));
	tacho_findings_destroy(findings);
}

static void test_idle_units(void **state)
{
	struct tacho_findings *findings;
	const struct tacho_finding *finding;

	scene_begin();
	scene_launch(65, 32, 40000); /* 3 groups on 4 units */
	findings = scene_look("idle-units", NULL);
	finding = tacho_findings_get(findings, 0);
	assert_non_null(finding);
	assert_int_equal(finding->cost_ns, 10000);
	assert_non_null(strstr(finding->message, "at most 3 of the 4 work-groups"));
	tacho_findings_destroy(findings);

	scene_begin();
	scene_launch(97, 32, 40000); /* 4 groups */
	assert_int_equal(COUNT("idle-units"), 0);
	assert_int_equal(COUNT("idle-units", "groups-per-unit", (uint64_t)2), 1);
	assert_int_equal(COUNT("idle-units", "global-size", (uint64_t)97), 0);
	assert_int_equal(COUNT("idle-units", "global-size", (uint64_t)98), 1);

	/* Of groups that the driver chose only the most that there can be is known. */
	scene_begin();
	scene_launch(3, 0, 40000);
	assert_int_equal(COUNT("idle-units"), 1);
	scene_begin();
	scene_launch(4, 0, 40000);
	assert_int_equal(COUNT("idle-units"), 0);

	/* Little of the kernel time: 4 of 100. */
	scene_begin();
	scene_launch(65, 32, 4000);
	scene_launch(65536, 32, 96000);
	assert_int_equal(COUNT("idle-units"), 0);
	assert_int_equal(COUNT("idle-units", "launch-share", (uint64_t)4), 1);
}

static void test_tiny_launches(void **state)
{
	struct tacho_findings *findings;
	const struct tacho_finding *finding;

	scene_begin();
	scene_launch(1024, 64, 9 * MS)->first_launch = 1; /* is left out */
	for (int i = 0; i < 100; i++) {
		scene_launch(1024, 64, 2000);
		scene_take(i == 50 ? 13000 : 3000);
	}
	findings = scene_look("tiny-launches", NULL);
	finding = tacho_findings_get(findings, 0);
	assert_non_null(finding);
	assert_int_equal(finding->count, 100);
	assert_int_equal(finding->cost_ns, 110000);
	assert_int_equal(finding->examples[0].index, 51);
	assert_int_equal(finding->examples[0].cost_ns, 11000);
	tacho_findings_destroy(findings);
	assert_int_equal(COUNT("tiny-launches", "tiny-launch-count", (uint64_t)101), 0);

	scene_begin();
	for (int i = 0; i < 100; i++) {
		scene_launch(1024, 64, 3000);
		scene_take(3000);
	}
	assert_int_equal(COUNT("tiny-launches"), 0);
}

static void test_first_launch(void **state)
{
	struct tacho_findings *findings;
	const struct tacho_finding *finding;

	scene_begin();
	scene_launch(1024, 64, 1 * MS)->first_launch = 1;
	scene_take(4002 * US);
	for (int i = 0; i < 2; i++) {
		scene_launch(1024, 64, 900 * US);
		scene_take(100 * US);
	}
	findings = scene_look("slow-first-launch", NULL);
	finding = tacho_findings_get(findings, 0);
	assert_non_null(finding);
	assert_int_equal(finding->cost_ns, 4002 * US + 200); /* 5 ms instead of 1 */
	assert_int_equal(finding->examples[0].index, 0);
	tacho_findings_destroy(findings);
	assert_int_equal(COUNT("slow-first-launch", "first-launch-times", (uint64_t)6), 0);
	assert_int_equal(COUNT("slow-first-launch", "first-launch-ns", 4002 * US + 200), 1);
	assert_int_equal(COUNT("slow-first-launch", "first-launch-ns", 4002 * US + 201), 0);

	/* Nothing to compare with. */
	scene_begin();
	scene_launch(1024, 64, 50 * MS)->first_launch = 1;
	assert_int_equal(COUNT("slow-first-launch"), 0);
}

/* Times that are not credible are no evidence; sizes still are. */
static void test_no_times(void **state)
{
	struct tacho_findings *findings;
	const struct tacho_finding *finding;

	scene_begin();
	for (int i = 0; i < 200; i++)
		scene_launch(1024, 8, 1)->state = TACHO_STATE_ABSENT;
	findings = scene_look(NULL, NULL);
	assert_int_equal(tacho_findings_get_count(findings), 1);
	finding = scene_find(findings, "small-work-group");
	assert_int_equal(finding->count, 200);
	assert_int_equal(finding->has_cost, 0);
	assert_null(strstr(finding->message, "kernel time"));
	tacho_findings_destroy(findings);
}

/* ---- transfers ---- */

static void test_small_transfers(void **state)
{
	struct tacho_findings *findings;
	const struct tacho_finding *finding;

	scene_begin();
	for (int i = 0; i < 100; i++) {
		scene_write("CL_FALSE", 16, 1000);
		scene_take(2000);
		scene_read("CL_TRUE", 4095, 1000); /* waits for more than for itself */
		scene_take(50000);
		scene_read("CL_TRUE", 4096, 1000);
	}
	findings = scene_look("small-transfers", NULL);
	assert_int_equal(tacho_findings_get_count(findings), 2);
	finding = tacho_findings_get(findings, 1);
	assert_string_equal(finding->subject, "write on gpu");
	assert_int_equal(finding->count, 100);
	assert_int_equal(finding->cost_ns, 200000);
	finding = tacho_findings_get(findings, 0); /* without them the host waits for nothing */
	assert_string_equal(finding->subject, "read on gpu");
	assert_int_equal(finding->cost_ns, 100000);
	tacho_findings_destroy(findings);
	assert_int_equal(COUNT("small-transfers", "small-transfer-count", (uint64_t)101), 0);
	assert_int_equal(COUNT("small-transfers", "small-transfer-bytes", (uint64_t)16), 0);
}

static void map(const char *memory, const char *flags)
{
	scene_call("clEnqueueMapBuffer", "0x9000", "0x90", memory, "CL_FALSE", flags, "0", "64",
		   "0", "NULL", "NULL", "[CL_SUCCESS]", NULL);
	scene_command(TACHO_COMMAND_MAP, &scene_queue, 100, 1000);
}

static void test_persistent_map(void **state)
{
	scene_begin();
	scene_call("clCreateBuffer", "0x60", "0x50",
		   "CL_MEM_READ_ONLY|CL_MEM_USE_PERSISTENT_MEM_AMD", "64", "NULL", "[CL_SUCCESS]",
		   NULL);
	scene_call("clCreateBuffer", "0x61", "0x50", "CL_MEM_READ_ONLY|0x40", "64", "NULL",
		   "[CL_SUCCESS]", NULL);
	scene_call("clCreateBuffer", "0x62", "0x50", "CL_MEM_READ_ONLY|0x80", "64", "NULL",
		   "[CL_SUCCESS]", NULL);
	map("0x60", "CL_MAP_READ");
	map("0x61", "CL_MAP_READ|CL_MAP_WRITE");
	map("0x61", "CL_MAP_WRITE");
	map("0x62", "CL_MAP_READ");
	map("0x63", "CL_MAP_READ");
	assert_int_equal(COUNT("persistent-map"), 2);
}

/* A write, a kernel, a read, ten times: on one queue nothing overlaps. */
static void serial(uint64_t kernel_ns)
{
	for (int i = 0; i < 10; i++) {
		scene_write("CL_FALSE", 1 << 20, 1000);
		scene_launch(65536, 64, kernel_ns)->start_ns += 1000;
		scene_take(20000);
	}
}

/* A command buffer with so many kernels and other commands. */
static void scene_buffer(size_t kernels, size_t commands)
{
	static struct tacho_template contents;

	contents = (struct tacho_template){.name = "command buffer",
					   .is_known = 1,
					   .reason = "",
					   .command_count = commands,
					   .kernel_count = kernels};
	scene_call("enqueueBuffer", "CL_SUCCESS", NULL);
	scene_command(TACHO_COMMAND_BUFFER, &scene_queue, 400, 1000)->contents = &contents;
	scene_take(20000);
}

static void test_serial_transfers(void **state)
{
	struct tacho_findings *findings;
	const struct tacho_finding *finding;

	scene_begin();
	serial(6000); /* 10 x 1000 of transfers and 10 x 5000 of kernels */
	findings = scene_look("serial-transfers", NULL);
	finding = tacho_findings_get(findings, 0);
	assert_non_null(finding);
	/* A write runs from 400 to 1400, its kernel from 2400: 1000 of it is behind the write. */
	assert_int_equal(finding->cost_ns, 10000);
	assert_int_equal(finding->count, 10);
	assert_int_equal(finding->example_count, 3);
	tacho_findings_destroy(findings);
	/* 10 of 60 us busy */
	assert_int_equal(COUNT("serial-transfers", "overlap-share", (uint64_t)16), 10);
	assert_int_equal(COUNT("serial-transfers", "overlap-share", (uint64_t)17), 0);
	assert_int_equal(COUNT("serial-transfers", "overlap-transfers", (uint64_t)11), 0);

	/* What transfers and kernels that ran as a whole did at once is not known. */
	scene_begin();
	serial(6000);
	scene_buffer(1, 1);
	assert_int_equal(COUNT("serial-transfers"), 10);
	scene_buffer(1, 2);
	assert_int_equal(COUNT("serial-transfers"), 0);

	/* Each write runs while a kernel does. */
	scene_begin();
	for (int i = 0; i < 10; i++) {
		scene_launch(65536, 64, 6000);
		scene_write("CL_FALSE", 1 << 20, 1000);
		scene_take(20000);
	}
	assert_int_equal(COUNT("serial-transfers"), 0);
}

/* ---- devices ---- */

static void test_idle_device(void **state)
{
	struct tacho_findings *findings;
	const struct tacho_finding *finding;

	scene_begin();
	scene_launch(65536, 64, 4 * MS); /* call 0: runs from 0.0004 to 4.0004 ms */
	scene_finish(5 * MS);
	scene_call("clBuildProgram", "CL_SUCCESS", "0x65", "0", "NULL", "\"\"", "NULL", "NULL",
		   NULL);
	scene_take(12 * MS);
	scene_launch(65536, 64, 4 * MS); /* call 3 */
	findings = scene_look("idle-device", NULL);
	finding = tacho_findings_get(findings, 0);
	assert_non_null(finding);
	assert_string_equal(finding->subject, "gpu");
	/* Calls begin at 0, 1000, 5001500 and 17002000 ns; the gap is from 4000400 to 17002400. */
	assert_int_equal(finding->cost_ns, 13002000);
	assert_int_equal(finding->count, 1);
	assert_int_equal(finding->examples[0].index, 3);
	assert_int_equal(finding->examples[0].cost_ns, 13002000);
	assert_non_null(strstr(finding->message, "12.0 ms of it in clBuildProgram"));
	tacho_findings_destroy(findings);
	assert_int_equal(COUNT("idle-device", "idle-ns", (uint64_t)13002001), 0);
	assert_int_equal(COUNT("idle-device", "idle-ns", (uint64_t)13002000), 1);
	/* 13.002 of 21.002 ms */
	assert_int_equal(COUNT("idle-device", "idle-share", (uint64_t)61), 1);
	assert_int_equal(COUNT("idle-device", "idle-share", (uint64_t)62), 0);
	/* The gap is 13,002,000 ns: one that must be longer is none. */
	assert_int_equal(COUNT("idle-device", "gap-ns", (uint64_t)13002000), 1);
	assert_int_equal(COUNT("idle-device", "gap-ns", (uint64_t)13002001), 0);
}

/* In a gap from 4.0004 to 17.0024 ms a command runs at times that nobody knows. */
static uint64_t count_idle_with(const struct tacho_object *device, uint64_t not_before_ns,
				uint64_t not_after_ns)
{
	struct tacho_command *command;
	uint64_t begin_ns;

	scene_begin();
	begin_ns = scene_launch(65536, 64, 4 * MS)->start_ns - 400;
	scene_finish(5 * MS);
	command = scene_launch(65536, 64, 0);
	command->state = TACHO_STATE_ABSENT;
	command->device = device;
	command->not_before_ns = not_before_ns ? begin_ns + not_before_ns : 0;
	command->not_after_ns = not_after_ns != UINT64_MAX ? begin_ns + not_after_ns : UINT64_MAX;
	scene_take(12 * MS);
	scene_launch(65536, 64, 4 * MS);
	return COUNT("idle-device", "idle-ns", (uint64_t)1, "gap-ns", (uint64_t)1, "idle-share",
		     (uint64_t)1);
}

/* A device is idle where nothing can have run, and nowhere else. */
static void test_idle_device_with_doubts(void **state)
{
	const struct tacho_object *devices[] = {&scene_gpu.object, NULL}; /* NULL: not known */

	for (size_t i = 0; i < 2; i++) {
		assert_int_equal(count_idle_with(devices[i], 5 * MS, 6 * MS), 2);
		assert_int_equal(count_idle_with(devices[i], 4 * MS, 6 * MS), 1);
		assert_int_equal(count_idle_with(devices[i], 4 * MS, 18 * MS), 0);
		assert_int_equal(count_idle_with(devices[i], 4 * MS, UINT64_MAX), 0);
		assert_int_equal(count_idle_with(devices[i], 0, 18 * MS), 0);
	}
	scene_processes[0].has_unseen_work = 1;
	assert_int_equal(COUNT("idle-device", "idle-ns", (uint64_t)1), 0);
}

/* ---- parts ---- */

static void test_gaps(void **state)
{
	struct tacho__gaps gaps = {.gap_ns = 10};

	assert_int_equal(tacho__gaps_sum_ns(&gaps), 0);
	assert_int_equal(tacho__gaps_overlap_ns(&gaps, 0, 1000), 0);
	assert_int_equal(tacho__gaps_before_ns(&gaps, 5), 0);
	assert_int_equal(tacho__gaps_add(&gaps, 300, 400), 0);
	assert_int_equal(tacho__gaps_add(&gaps, 100, 200), 0); /* in any order */
	assert_int_equal(tacho__gaps_add(&gaps, 209, 250), 0); /* 9 apart: one piece */
	assert_int_equal(tacho__gaps_add(&gaps, 410, 500), 0); /* 10 apart: a gap */
	assert_int_equal(tacho__gaps_add(&gaps, 9, 5), 0);     /* backwards: nothing */
	assert_int_equal(gaps.count, 3);
	assert_int_equal(tacho__gaps_sum_ns(&gaps), 60);
	assert_int_equal(tacho__gaps_before_ns(&gaps, 300), 50);
	assert_int_equal(tacho__gaps_before_ns(&gaps, 410), 10);
	assert_int_equal(tacho__gaps_before_ns(&gaps, 100), 0);
	assert_int_equal(tacho__gaps_before_ns(&gaps, 299), 0);
	assert_int_equal(tacho__gaps_overlap_ns(&gaps, 0, 1000), 60);
	assert_int_equal(tacho__gaps_overlap_ns(&gaps, 260, 270), 10);
	assert_int_equal(tacho__gaps_overlap_ns(&gaps, 240, 260), 10);
	assert_int_equal(tacho__gaps_overlap_ns(&gaps, 290, 405), 15);
	assert_int_equal(tacho__gaps_overlap_ns(&gaps, 120, 180), 0);
	assert_int_equal(tacho__gaps_overlap_ns(&gaps, 500, 900), 0);
	assert_int_equal(tacho__gaps_add(&gaps, 240, 410), 0); /* closes both */
	assert_int_equal(gaps.count, 1);
	tacho__gaps_finish(&gaps);
}

/* Many pieces: the distance grows, and long gaps stay. */
static void test_gaps_bounded(void **state)
{
	struct tacho__gaps gaps = {.gap_ns = 1};
	const uint64_t count = 100000;

	for (uint64_t i = 0; i < count; i++) {
		uint64_t start = i * 10 + (i >= count / 2 ? 1000000 : 0);

		assert_int_equal(tacho__gaps_add(&gaps, start, start + 5), 0);
		assert_true(gaps.count <= TACHO__GAPS_PIECES_MAX);
	}
	assert_true(gaps.gap_ns > 5);
	assert_int_equal(tacho__gaps_sum_ns(&gaps), 1000005);
	tacho__gaps_finish(&gaps);
}

/* Against a plain list, with handles that collide and come back. */
static void test_tracked(void **state)
{
	static uint32_t refs[512];
	struct tacho__tracked_table table = {0};
	struct tacho__tracked *tracked;
	size_t alive = 0;

	srand(7);
	assert_null(tacho__tracked_find(&table, &scene_processes[0], TACHO__THING_EVENT, 1));
	for (int i = 0; i < 200000; i++) {
		uint64_t handle = (uint64_t)(rand() % 512);
		enum tacho__thing thing = handle & 1 ? TACHO__THING_EVENT : TACHO__THING_MEMORY;

		tracked = tacho__tracked_find(&table, &scene_processes[0], thing, handle * 64);
		assert_int_equal(tracked ? tracked->refs : 0, refs[handle]);
		if (tracked && rand() % 2) {
			tacho__tracked_remove(&table, tracked);
			refs[handle] = 0;
			alive--;
		} else {
			assert_int_equal(tacho__tracked_add(&table, &scene_processes[0], thing,
							    handle * 64, &tracked),
					 0);
			alive += !refs[handle];
			refs[handle] = tracked->refs = 1 + (uint32_t)rand() % 5;
		}
		assert_int_equal(table.count, alive);
	}
	tacho__tracked_finish(&table);
}

static void test_tracked_bounded(void **state)
{
	struct tacho__tracked_table table = {0};
	struct tacho__tracked *tracked;

	for (uint64_t i = 0; i < TACHO__TRACKED_MAX; i++)
		assert_int_equal(tacho__tracked_add(&table, &scene_processes[0], TACHO__THING_EVENT,
						    i + 1, &tracked),
				 0);
	assert_non_null(tracked);
	assert_int_equal(tacho__tracked_add(&table, &scene_processes[0], TACHO__THING_EVENT,
					    UINT64_C(1) << 40, &tracked),
			 0);
	assert_null(tracked);
	assert_int_equal(table.untracked, 1);
	assert_int_equal(table.count, TACHO__TRACKED_MAX);
	tacho__tracked_finish(&table);
}

static void test_arguments(void **state)
{
	uint64_t handles[2] = {0};

	assert_int_equal(tacho__argument_handle("0x1C5F2A0"), 0x1c5f2a0);
	assert_int_equal(tacho__argument_handle("[0x1F]"), 0x1f);
	assert_int_equal(tacho__argument_handle("NULL"), 0);
	assert_int_equal(tacho__argument_handle(NULL), 0);
	assert_int_equal(tacho__argument_handles("[0x1,0x2,0x3]", handles, 2), 3);
	assert_int_equal(handles[1], 2);
	assert_int_equal(tacho__argument_handles("[0x1,...]", handles, 2), 1);
	assert_int_equal(tacho__argument_handles("0x1", handles, 2), 0);
	assert_int_equal(tacho__argument_handles("NULL", handles, 2), 0);
	assert_true(tacho__argument_has_flag("A|B", "B", 0));
	assert_false(tacho__argument_has_flag("A|BC", "B", 0));
	assert_false(tacho__argument_has_flag("AB|C", "B", 0));
	assert_true(tacho__argument_has_flag("A|0x41", "", 0x40));
	assert_false(tacho__argument_has_flag("A|0x3F", "", 0x40));
	assert_false(tacho__argument_has_flag(NULL, "A", 1));
	assert_true(tacho__argument_is_true("CL_TRUE"));
	assert_true(tacho__argument_is_true("1"));
	assert_false(tacho__argument_is_true("CL_FALSE"));
	assert_false(tacho__argument_is_true("0"));
	assert_false(tacho__argument_is_true("NULL"));
	assert_false(tacho__argument_is_true(""));
	assert_false(tacho__argument_is_true(NULL));
}

/* ---- the table of roles against the API's own definition ---- */

static char *read_file(const char *path, size_t *out_size)
{
	FILE *file = fopen(path, "r");
	char *text;

	assert_non_null(file);
	fseek(file, 0, SEEK_END);
	*out_size = (size_t)ftell(file);
	rewind(file);
	text = malloc(*out_size + 1);
	assert_int_equal(fread(text, 1, *out_size, file), *out_size);
	text[*out_size] = '\0';
	fclose(file);
	return text;
}

static const struct tacho__yaml *find_function(const struct tacho__yaml *root, const char *name)
{
	const struct tacho__yaml *function =
		tacho__yaml_get(tacho__yaml_get(root, "dispatch"), name);

	return function ? function : tacho__yaml_get(tacho__yaml_get(root, "extensions"), name);
}

/* The name in "const cl_event *event_wait_list: l:x[num]" */
static void check_argument(const struct tacho__yaml *function, const char *name, int position,
			   const char *wanted)
{
	const struct tacho__yaml *argument = tacho__yaml_get(function, "args")->first;
	char text[256], *end;

	if (position <= 0)
		return;
	for (int i = 1; argument && i < position; i++)
		argument = argument->next;
	if (!argument)
		fail_msg("%s has no argument %d", name, position);
	snprintf(text, sizeof(text), "%s", argument->key ? argument->key : argument->text);
	if (argument->first && argument->first->key)
		snprintf(text, sizeof(text), "%s", argument->first->key);
	end = strchr(text, ':');
	if (end)
		*end = '\0';
	end = text + strlen(text);
	while (end > text && !strchr(" *", end[-1]))
		end--;
	if (strncmp(end, wanted, strlen(wanted)) != 0)
		fail_msg("argument %d of %s is %s, not %s", position, name, end, wanted);
}

static void check_role(const struct tacho__yaml *function, const struct tacho__function_role *role)
{
	const char *name = role->function;

	if (role->act == TACHO__ACT_ENQUEUE) {
		check_argument(function, name, role->events, "event_wait_list");
		check_argument(function, name, role->event, "event");
	}
	check_argument(function, name, role->blocking, "blocking");
	if (role->act == TACHO__ACT_WAIT_EVENTS || role->act == TACHO__ACT_POLL)
		check_argument(function, name, role->events, "event");
	if (role->act == TACHO__ACT_WAIT_QUEUE)
		check_argument(function, name, role->handle, "command_queue");
	if (role->act == TACHO__ACT_POLL) {
		check_argument(function, name, role->query, "param_name");
		check_argument(function, name, role->value, "param_value");
	}
	if (role->thing == TACHO__THING_QUEUE && role->act == TACHO__ACT_CREATE)
		check_argument(function, name, role->flags, "properties");
	if (role->thing == TACHO__THING_MEMORY && role->act == TACHO__ACT_CREATE)
		check_argument(function, name, role->flags, "flags");
	if (role->act == TACHO__ACT_ENQUEUE && role->flags)
		check_argument(function, name, role->flags, "map_flags");
	if (role->thing == TACHO__THING_KERNEL && role->memory) {
		check_argument(function, name, role->memory, "program");
		check_argument(function, name, role->value, "kernel_name");
	}
}

static void test_roles(void **state)
{
	const char *source = getenv("TACHO_SOURCE_ROOT");
	struct tacho__arena arena = {0};
	const struct tacho__yaml *root;
	char path[512], *text;
	size_t size, count = 0;

	if (!source)
		skip();
	snprintf(path, sizeof(path), "%s/data/api/opencl.yaml", source);
	text = read_file(path, &size);
	assert_int_equal(tacho__yaml_parse(&arena, path, text, size, &root), 0);
	for (const struct tacho__function_role *role = tacho__opencl_roles.roles; role->function;
	     role++, count++) {
		const struct tacho__yaml *function = find_function(root, role->function);

		if (!function)
			fail_msg("there is no function %s", role->function);
		check_role(function, role);
	}
	assert_true(count > 90);
	for (const struct tacho__deprecated *one = tacho__opencl_roles.deprecated; one->function;
	     one++)
		if (!find_function(root, one->function))
			fail_msg("there is no function %s", one->function);
	free(text);
	tacho__arena_finish(&arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_work_groups),
		cmocka_unit_test(test_small_launch_has_small_group),
		cmocka_unit_test(test_wave_not_known),
		cmocka_unit_test(test_cpu_devices),
		cmocka_unit_test(test_idle_units),
		cmocka_unit_test(test_tiny_launches),
		cmocka_unit_test(test_first_launch),
		cmocka_unit_test(test_no_times),
		cmocka_unit_test(test_small_transfers),
		cmocka_unit_test(test_persistent_map),
		cmocka_unit_test(test_serial_transfers),
		cmocka_unit_test(test_idle_device),
		cmocka_unit_test(test_idle_device_with_doubts),
		cmocka_unit_test(test_gaps),
		cmocka_unit_test(test_gaps_bounded),
		cmocka_unit_test(test_tracked),
		cmocka_unit_test(test_tracked_bounded),
		cmocka_unit_test(test_arguments),
		cmocka_unit_test(test_roles),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
