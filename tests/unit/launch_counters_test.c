/* SPDX-License-Identifier: MIT */
/* Counters of commands, and their sums by kernel and transfer: numbers worked out by hand. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "fake_recording.h"
#include "catalog/command_entries.h"
#include "analyze/summary.h"
#include "record/launch_counters.h"
#include "tacho/summary.h"

static void compute(const char *name, const struct tacho_command *command, bool is_strict,
		    struct fake_value *out_value)
{
	const struct tacho_entry *entry;
	struct tacho_result *result;
	struct tacho__row row;
	int counter = tacho__command_entry_find(name);

	assert_true(counter >= 0);
	entry = tacho_command_get_entry((size_t)counter);
	assert_int_equal(tacho__row_create(entry, NULL, 1, &row, &result), 0);
	tacho__launch_counter_get(counter, command, is_strict, &row, 0);
	*out_value = (struct fake_value){
		.data.u64 = row.numbers[0].u64, .state = row.states[0], .note = row.notes[0]};
	tacho_result_destroy(result);
}

static struct fake_value get(const char *name, const struct tacho_command *command)
{
	struct fake_value value;

	compute(name, command, false, &value);
	return value;
}

static void expect(const char *name, const struct tacho_command *command, uint64_t expected)
{
	struct fake_value value = get(name, command);

	assert_int_equal(value.state, TACHO_STATE_OK);
	assert_string_equal(value.note, "");
	assert_int_equal(value.data.u64, expected);
}

static void expect_absent(const char *name, const struct tacho_command *command, int is_foreign)
{
	struct fake_value value = get(name, command);

	assert_int_equal(value.state, TACHO_STATE_ABSENT | (is_foreign ? TACHO_MARK_FOREIGN : 0));
	assert_true(*value.note);
}

static const struct fake_object kernel = {
	.object = {.kind = TACHO_OBJECT_KERNEL, .name = "k"},
	.attributes = {{"local_bytes", "4096"}, {"preferred_multiple", "32"}},
};

static const struct tacho_command launch = {
	.name = "",
	.kind = TACHO_COMMAND_KERNEL,
	.kernel = &kernel.object,
	.dimensions = 2,
	.has_local = 1,
	.global = {100, 10, 1},
	.local = {40, 4, 1},
	.state = TACHO_STATE_OK,
	.reason = "",
	.queued_ns = 1000,
	.submit_ns = 1200,
	.start_ns = 1700,
	.end_ns = 4700,
};

static void test_launch(void **state)
{
	struct tacho_command odd = launch;

	expect("device_time", &launch, 3000);
	expect("queued_delay", &launch, 200);
	expect("submit_delay", &launch, 500);
	expect("start_delay", &launch, 700);
	expect("work_items", &launch, 1000);
	/* 3 x 3: 40, 40 and 20 wide, 4, 4 and 2 high */
	expect("work_groups", &launch, 9);
	/* 40x4 = 160: 5; 20x4 = 80: 3; 40x2 = 80: 3; 20x2 = 40: 2: 4*5 + 2*3 + 2*3 + 2 */
	expect("wavefronts", &launch, 34);
	expect("local_memory", &launch, 4096);
	odd.has_extra_local = 1;
	odd.extra_local_bytes = 1024;
	expect("local_memory", &odd, 5120);
	expect_absent("private_memory", &launch, 0);
	expect_absent("transfer_bytes", &launch, 1);
	expect_absent("transfer_rate", &launch, 1);

	odd.has_local = 0;
	expect_absent("work_groups", &odd, 0);
	expect_absent("wavefronts", &odd, 0);
	odd = launch;
	odd.global[0] = odd.global[1] = UINT64_C(1) << 40;
	assert_int_equal(get("work_items", &odd).state, TACHO_STATE_OVERFLOW);
	assert_true(get("work_items", &odd).data.u64 == UINT64_MAX);
	assert_int_equal(get("wavefronts", &odd).state, TACHO_STATE_OVERFLOW);
	odd = launch;
	odd.state = TACHO_STATE_ABSENT;
	odd.reason = "the queue has no profiling";
	assert_string_equal(get("device_time", &odd).note, "the queue has no profiling");
	/* its end was not seen: there is no number, and 0 would be taken for one */
	odd.state = TACHO_STATE_LOST;
	expect_absent("device_time", &odd, 0);
	expect_absent("start_delay", &odd, 0);
	assert_int_equal(tacho__command_entry_find("nonsense"), -1);
}

static void test_transfer(void **state)
{
	struct tacho_command write = {.kind = TACHO_COMMAND_WRITE,
				      .bytes = 6000,
				      .has_bytes = 1,
				      .state = TACHO_STATE_OK,
				      .reason = "",
				      .start_ns = 10,
				      .end_ns = 3010};
	struct fake_value value;

	expect("transfer_bytes", &write, 6000);
	/* 6,000 bytes in 3,000 ns */
	assert_true(get("transfer_rate", &write).data.f64 == 2e9);
	expect_absent("work_items", &write, 1);
	expect_absent("local_memory", &write, 1);
	write.end_ns = 10;
	value = get("transfer_rate", &write);
	assert_int_equal(value.state, TACHO_STATE_OK | TACHO_MARK_DIV0);
	assert_true(value.data.f64 == 0);
	compute("transfer_rate", &write, true, &value);
	assert_int_equal(value.state, TACHO_STATE_ABSENT);
	write.has_bytes = 0;
	expect_absent("transfer_bytes", &write, 0);
	assert_true(tacho_command_get_entry(TACHO__COMMAND_TRANSFER_BYTES)->is_of_transfers);
	assert_false(tacho_command_get_entry(TACHO__COMMAND_DEVICE_TIME)->is_of_transfers);
}

/* A template: sums over its kernels where they make sense, and else the reason. */
static void test_template(void **state)
{
	struct tacho_template_command commands[] = {
		{.kind = TACHO_COMMAND_KERNEL,
		 .kernel = &kernel.object,
		 .has_local = 1,
		 .global = {100, 10, 1},
		 .local = {40, 4, 1}},
		{.kind = TACHO_COMMAND_COPY, .bytes = 4096, .has_bytes = 1},
		{.kind = TACHO_COMMAND_KERNEL,
		 .kernel = &kernel.object,
		 .has_local = 1,
		 .global = {64, 1, 1},
		 .local = {64, 1, 1}}};
	struct tacho_template contents = {.is_known = 1,
					  .reason = "",
					  .commands = commands,
					  .command_count = 3,
					  .kernel_count = 2};
	struct tacho_command whole = launch;

	whole.kind = TACHO_COMMAND_BUFFER;
	whole.kernel = NULL;
	whole.contents = &contents;
	expect("device_time", &whole, 3000);
	expect("submit_delay", &whole, 500);
	expect("work_items", &whole, 1000 + 64);
	expect("work_groups", &whole, 9 + 1);
	expect("wavefronts", &whole, 34 + 2);
	expect_absent("local_memory", &whole, 0);
	assert_string_equal(get("private_memory", &whole).note,
			    "each kernel of a command buffer has its own");
	expect_absent("transfer_bytes", &whole, 1);

	commands[2].has_local = 0;
	expect("work_items", &whole, 1000 + 64);
	expect_absent("work_groups", &whole, 0);
	commands[2].global[0] = UINT64_MAX - 999;
	expect_absent("wavefronts", &whole, 0);
	assert_int_equal(get("work_items", &whole).state, TACHO_STATE_OVERFLOW);
	contents.is_known = 0;
	contents.reason = "some of its commands are not in the recording";
	assert_string_equal(get("work_items", &whole).note, contents.reason);
	expect_absent("work_items", &whole, 0);
	expect("device_time", &whole, 3000);
	contents.is_known = 1;
	contents.command_count = contents.kernel_count = 0;
	expect("work_items", &whole, 0);
}

/* ---- sums ---- */

static const struct tacho_entry counters[] = {
	{.name = "hits", .unit = "", .semantic = "event", .type = TACHO_TYPE_U64},
	{.name = "rate", .unit = "percent", .semantic = "ratio", .type = TACHO_TYPE_F64},
	{0},
};

static const struct fake_value rows[4][2] = {
	{{.data.u64 = 10, .note = "", .coverage = 1}, {.data.f64 = 50, .note = "", .coverage = 1}},
	{{.data.u64 = 30, .note = "", .coverage = 0.5, .state = TACHO_STATE_SCALED},
	 {.state = TACHO_STATE_ABSENT, .note = "no room", .coverage = 1}},
	{{.state = TACHO_STATE_ABSENT, .note = "", .coverage = 1},
	 {.data.f64 = 70, .note = "", .coverage = 1, .state = TACHO_MARK_DIV0}},
	{{.data.u64 = 1000, .note = "", .coverage = 1}, {.data.f64 = 1, .note = "", .coverage = 1}},
};

static const struct fake_row values[4] = {
	{.values = rows[0], .count = 2, .is_counted = 1, .note = ""},
	{.values = rows[1], .count = 2, .is_counted = 1, .note = ""},
	{.values = rows[2], .count = 2, .is_counted = 1, .note = "memory was too large"},
	{.values = rows[3], .count = 2, .is_counted = 0, .note = ""},
};

static const struct tacho_process process = {.executable = "/p",
					     .directory = "proc-1-0",
					     .uncounted = "",
					     .uncounted_cure = "",
					     .unwatched = ""};
static const struct tacho_function function = {.api = "opencl", .name = "clEnqueueNDRangeKernel"};
static struct fake_call calls[4];
static const struct fake_object *const objects[] = {&kernel};
static struct tacho_recorded_counting counting = {
	.device = "x", .pass_count = 2, .replay = TACHO_REPLAY_NONE};
static struct fake_recording recording = {
	.run = {.generator = "",
		.application = "",
		.arguments = "",
		.working_directory = "",
		.host = "",
		.os_name = "",
		.os_release = "",
		.via = "",
		.why_empty = "",
		.why_uncounted = ""},
	.processes = &process,
	.process_count = 1,
	.calls = calls,
	.call_count = 4,
	.objects = objects,
	.object_count = 1,
	.counters = counters,
	.counting = &counting,
	.matching = {.run_count = 1},
};

static struct tacho_summary *summarize(enum tacho_replay replay)
{
	struct tacho_summary *summary = NULL;

	counting.replay = replay;
	for (size_t i = 0; i < 4; i++) {
		calls[i].call = (struct tacho_call){.process = &process,
						    .function = &function,
						    .result = "",
						    .command = &launch};
		calls[i].values = &values[i];
	}
	assert_int_equal(tacho_summary_create(fake_recording(&recording), &summary), 0);
	return summary;
}

/* Of the first line. */
static double get_statistic(const struct tacho_summary *summary, size_t counter,
			    enum tacho_statistic what)
{
	const struct tacho_column *columns =
		tacho_summary_get_columns(summary, TACHO_BY_KERNEL, counter);

	assert_non_null(columns);
	return tacho_column_get_value(&columns[what], 0, 0);
}

static void test_sums(void **state)
{
	struct tacho_summary *summary = summarize(TACHO_REPLAY_NONE);
	const struct tacho_result *result = tacho_summary_get_values(summary, TACHO_BY_KERNEL);
	const struct tacho_column *total = tacho_result_find_column(result, "hits");

	assert_int_equal(tacho_result_get_row_count(result), 1);
	assert_string_equal(tacho_result_get_row(result, 0)->name, "k");
	assert_ptr_equal(tacho_summary_get_columns(summary, TACHO_BY_KERNEL, 0), total);
	assert_ptr_equal(tacho_result_find_column(result, "hits:mean"),
			 &total[TACHO_STATISTIC_MEAN]);
	assert_true(get_statistic(summary, 0, TACHO_STATISTIC_COUNT) == 3);
	assert_true(get_statistic(summary, 0, TACHO_STATISTIC_MEASURED) == 2);
	assert_int_equal(total->data.u64[0], 40);
	assert_true(get_statistic(summary, 0, TACHO_STATISTIC_MEAN) == 20);
	assert_true(get_statistic(summary, 0, TACHO_STATISTIC_MIN) == 10);
	assert_true(get_statistic(summary, 0, TACHO_STATISTIC_MAX) == 30);
	assert_true(tacho_column_get_coverage(total, 0, 0) == 0.75);
	assert_int_equal(total->states[0], TACHO_STATE_SCALED);
	assert_string_equal(tacho_column_get_note(total, 0, 0), "memory was too large");
	total = tacho_result_find_column(result, "rate");
	assert_true(get_statistic(summary, 1, TACHO_STATISTIC_MEASURED) == 2);
	assert_true(get_statistic(summary, 1, TACHO_STATISTIC_MEAN) == 60);
	assert_int_equal(total->states[0], TACHO_STATE_OK | TACHO_MARK_DIV0);
	assert_string_equal(tacho_column_get_note(total, 0, 0), "no room");
	assert_null(tacho_summary_get_columns(summary, TACHO_BY_KERNEL, 2));
	assert_null(tacho_summary_get_values(summary, TACHO_BY_API));
	assert_int_equal(
		tacho_result_get_row_count(tacho_summary_get_values(summary, TACHO_BY_TRANSFER)),
		0);
	tacho_summary_destroy(summary);
}

static void test_reasons(void **state)
{
	struct tacho_summary *summary = summarize(TACHO_REPLAY_NONE);
	const struct tacho_summary_reason *reason =
		tacho_summary_get_reason(summary, TACHO_BY_KERNEL, 0);

	assert_string_equal(reason->text, "memory was too large");
	assert_true(reason->is_of[0] && !reason->is_of[1] && reason->is_of_launch);
	reason = tacho_summary_get_reason(summary, TACHO_BY_KERNEL, 1);
	assert_string_equal(reason->text, "no room");
	assert_true(!reason->is_of[0] && reason->is_of[1] && !reason->is_of_launch);
	assert_null(tacho_summary_get_reason(summary, TACHO_BY_KERNEL, 2));
	tacho_summary_destroy(summary);
}

static const uint8_t ends[] = {0x05};
static const struct tacho_column three = {
	.dimension_count = 1,
	.dimensions = {{.name = "DIMENSION_INSTANCE", .extent = 3}},
	.instance_count = 3,
	.present = ends,
};

/* Instances are summed up each by itself; where nothing is, nothing is counted. */
static void test_instances(void **state)
{
	static const struct tacho_column *const shapes[] = {&three, NULL};
	static const struct fake_value numbers[2][4] = {
		{{.data.u64 = 1, .note = "", .coverage = 1},
		 {.state = TACHO_STATE_ABSENT, .note = "no unit", .coverage = 1},
		 {.data.u64 = 2, .note = "", .coverage = 1},
		 {.data.f64 = 50, .note = "", .coverage = 1}},
		{{.data.u64 = 3, .note = "", .coverage = 1},
		 {.state = TACHO_STATE_ABSENT, .note = "no unit", .coverage = 1},
		 {.state = TACHO_STATE_ABSENT, .note = "gone", .coverage = 1},
		 {.data.f64 = 70, .note = "", .coverage = 1}},
	};
	static const struct fake_row of_instances[2] = {
		{.values = numbers[0], .count = 4, .is_counted = 1, .note = ""},
		{.values = numbers[1], .count = 4, .is_counted = 1, .note = ""},
	};
	struct fake_recording instances = recording;
	const struct tacho_column *columns;
	struct tacho_summary *summary;

	(void)state;
	tacho_summary_destroy(summarize(TACHO_REPLAY_NONE));
	instances.shapes = shapes;
	instances.call_count = 2;
	for (size_t i = 0; i < 2; i++)
		calls[i].values = &of_instances[i];
	assert_int_equal(tacho_summary_create(fake_recording(&instances), &summary), 0);
	columns = tacho_summary_get_columns(summary, TACHO_BY_KERNEL, 0);
	assert_int_equal(columns->instance_count, 3);
	assert_string_equal(columns->dimensions[0].name, "DIMENSION_INSTANCE");
	assert_int_equal(tacho_column_is_present(columns, 1), 0);
	assert_int_equal(columns->data.u64[0], 4);
	assert_int_equal(columns->data.u64[2], 2);
	assert_true(tacho_column_get_value(&columns[TACHO_STATISTIC_MEAN], 0, 0) == 2);
	assert_true(tacho_column_get_value(&columns[TACHO_STATISTIC_MIN], 0, 0) == 1);
	assert_true(tacho_column_get_value(&columns[TACHO_STATISTIC_MAX], 0, 2) == 2);
	assert_int_equal(columns[TACHO_STATISTIC_COUNT].data.u64[1], 0);
	assert_int_equal(columns[TACHO_STATISTIC_COUNT].data.u64[2], 2);
	assert_int_equal(columns[TACHO_STATISTIC_MEASURED].data.u64[2], 1);
	assert_string_equal(tacho_column_get_note(columns, 0, 2), "gone");
	assert_true(get_statistic(summary, 1, TACHO_STATISTIC_MEAN) == 60);
	assert_string_equal(tacho_summary_get_reason(summary, TACHO_BY_KERNEL, 0)->text, "gone");
	assert_null(tacho_summary_get_reason(summary, TACHO_BY_KERNEL, 1));
	tacho_summary_destroy(summary);
}

/* A file can say that there are more than memory has room for: the others are there, and it is
 * told. */
static void test_too_many_instances(void **state)
{
	static const struct tacho_column many = {
		.dimension_count = 1,
		.dimensions = {{.name = "D", .extent = TACHO__INSTANCE_SUMS_MAX + 1}},
		.instance_count = TACHO__INSTANCE_SUMS_MAX + 1,
	};
	static const struct tacho_column *const shapes[] = {NULL, &many};
	static const struct fake_value number = {.data.u64 = 5, .note = "", .coverage = 1};
	static const struct fake_row row = {
		.values = &number, .count = 1, .is_counted = 1, .note = ""};
	struct fake_recording instances = recording;
	const struct tacho_column *columns;
	struct tacho_summary *summary;
	const char *note;
	bool is_told = false;

	(void)state;
	tacho_summary_destroy(summarize(TACHO_REPLAY_NONE));
	instances.shapes = shapes;
	instances.call_count = 1;
	calls[0].values = &row;
	assert_int_equal(tacho_summary_create(fake_recording(&instances), &summary), 0);
	assert_true(get_statistic(summary, 0, TACHO_STATISTIC_TOTAL) == 5);
	columns = tacho_summary_get_columns(summary, TACHO_BY_KERNEL, 1);
	assert_int_equal(columns->instance_count, 1);
	assert_int_equal(tacho_column_get_state(columns, 0, 0),
			 TACHO_STATE_ABSENT | TACHO_MARK_FOREIGN);
	for (size_t i = 0; (note = tacho_summary_get_note(summary, i)); i++)
		is_told |= strstr(note, "Counters with instances are not summed up") != NULL;
	assert_true(is_told);
	tacho_summary_destroy(summary);
}

/* Two of three launches have a value: 40 becomes 60, of which two thirds were counted. */
static void test_turns(void **state)
{
	struct tacho_summary *summary = summarize(TACHO_REPLAY_ROTATE);
	const struct tacho_column *total = tacho_summary_get_columns(summary, TACHO_BY_KERNEL, 0);
	double coverage = tacho_column_get_coverage(total, 0, 0);

	assert_int_equal(total->data.u64[0], 60);
	assert_true(get_statistic(summary, 0, TACHO_STATISTIC_MEAN) == 20);
	assert_true(coverage > 0.4999 && coverage < 0.5001);
	assert_int_equal(total->states[0], TACHO_STATE_SCALED);
	tacho_summary_destroy(summary);
}

/* A sum that does not fit is the largest number, and said to be wrong. */
static void test_large_sums(void **state)
{
	static const struct fake_value large[2] = {
		{.data.u64 = UINT64_MAX - 100, .note = "", .coverage = 1},
		{.data.f64 = 1e20, .note = "", .coverage = 1}};
	static const struct fake_row row = {
		.values = large, .count = 2, .is_counted = 1, .note = ""};
	const struct tacho_column *total;
	struct tacho_summary *summary;

	tacho_summary_destroy(summarize(TACHO_REPLAY_NONE));
	calls[1].values = calls[2].values = &row;
	assert_int_equal(tacho_summary_create(fake_recording(&recording), &summary), 0);
	total = tacho_summary_get_columns(summary, TACHO_BY_KERNEL, 0);
	assert_true(get_statistic(summary, 0, TACHO_STATISTIC_MEASURED) == 3);
	assert_int_equal(total->states[0], TACHO_STATE_OVERFLOW);
	assert_true(total->data.u64[0] == UINT64_MAX);
	assert_true(get_statistic(summary, 0, TACHO_STATISTIC_MIN) == 10);
	assert_true(get_statistic(summary, 0, TACHO_STATISTIC_MEAN) > 1.2e19);
	tacho_summary_destroy(summary);

	/* one of two turns */
	calls[0].values = &values[2];
	calls[2].values = &values[3];
	counting.replay = TACHO_REPLAY_ROTATE;
	assert_int_equal(tacho_summary_create(fake_recording(&recording), &summary), 0);
	total = tacho_summary_get_columns(summary, TACHO_BY_KERNEL, 0);
	assert_true(get_statistic(summary, 0, TACHO_STATISTIC_COUNT) == 2);
	assert_true(get_statistic(summary, 0, TACHO_STATISTIC_MEASURED) == 1);
	assert_int_equal(total->states[0], TACHO_STATE_OVERFLOW);
	assert_true(total->data.u64[0] == UINT64_MAX);
	total = tacho_summary_get_columns(summary, TACHO_BY_KERNEL, 1);
	assert_int_equal(total->states[0], TACHO_STATE_OK | TACHO_MARK_DIV0);
	assert_true(total->data.f64[0] == 1e20 + 70);
	tacho_summary_destroy(summary);
}

static void test_matching_is_told(void **state)
{
	struct tacho_summary *summary;
	const char *note;
	int found = 0;

	recording.matching = (struct tacho_matching){
		.run_count = 3, .launches = 9, .missing = 2, .different = 1, .additional = 4};
	summary = summarize(TACHO_REPLAY_PROCESS);
	for (size_t i = 0; (note = tacho_summary_get_note(summary, i)); i++) {
		found += strstr(note, "of 9 counted launches 2 are missing in another run and 1") !=
			 NULL;
		found += strstr(note, "4 launches of further runs are not in the first") != NULL;
	}
	assert_int_equal(found, 2);
	tacho_summary_destroy(summary);
	recording.matching = (struct tacho_matching){.run_count = 1};
}

static size_t count_notes(const struct tacho_summary *summary, const char *text)
{
	const char *note;
	size_t found = 0;

	for (size_t i = 0; (note = tacho_summary_get_note(summary, i)); i++)
		found += strcmp(note, text) == 0;
	return found;
}

/* Processes with the same trouble are told together; launches by their reason. */
static void test_uncounted_is_told(void **state)
{
	static const struct tacho_process stopped[] = {
		{.executable = "/bin/a",
		 .pid = 7,
		 .uncounted = "counting ended: x",
		 .uncounted_cure = "do y",
		 .unwatched = ""},
		{.executable = "b",
		 .pid = 8,
		 .uncounted = "",
		 .uncounted_cure = "",
		 .unwatched = ""},
		{.executable = "/c",
		 .pid = 9,
		 .uncounted = "counting ended: x",
		 .uncounted_cure = "do y",
		 .unwatched = ""},
		{.executable = "d",
		 .pid = 10,
		 .uncounted = "it is late",
		 .uncounted_cure = "",
		 .unwatched = ""},
	};
	struct fake_row lacking[2] = {values[2], values[2]};
	struct fake_value nothing[2] = {rows[2][0], rows[2][0]};
	struct tacho_summary *summary;

	lacking[1].values = nothing;
	lacking[1].note = "inside a callback";
	recording.processes = stopped;
	recording.process_count = 4;
	recording.run.why_uncounted = "counting.json: it is cut";
	summary = summarize(TACHO_REPLAY_KERNEL);
	tacho_summary_destroy(summary);
	calls[0].values = calls[1].values = &lacking[1];
	assert_int_equal(tacho_summary_create(fake_recording(&recording), &summary), 0);
	assert_int_equal(
		count_notes(summary, "No counters can be shown: counting.json: it is cut."), 1);
	assert_int_equal(count_notes(summary, "Processes 7 (a), 9 (c): counting ended: x. Do y."),
			 1);
	assert_int_equal(count_notes(summary, "Process 10 (d): it is late."), 1);
	assert_int_equal(
		count_notes(
			summary,
			"1 launch was counted in its first pass only (k): memory was too large."),
		1);
	assert_int_equal(
		count_notes(summary, "2 launches were not counted (k): inside a callback."), 1);
	tacho_summary_destroy(summary);
	/* that runs of a program differ is told in another note */
	lacking[1].is_unmatched = 1;
	assert_int_equal(tacho_summary_create(fake_recording(&recording), &summary), 0);
	assert_int_equal(
		count_notes(summary, "2 launches were not counted (k): inside a callback."), 0);
	tacho_summary_destroy(summary);
	recording.processes = &process;
	recording.process_count = 1;
	recording.run.why_uncounted = "";
}

static void test_empty_selection_is_told(void **state)
{
	struct tacho_summary *summary = summarize(TACHO_REPLAY_NONE);
	const char text[] =
		"No launch was counted: of 4 none was selected by name, range, number, time or "
		"while counting was not paused. Kernels: k.";

	assert_int_equal(count_notes(summary, text), 0);
	tacho_summary_destroy(summary);
	for (size_t i = 0; i < 4; i++)
		calls[i].values = &values[3];
	assert_int_equal(tacho_summary_create(fake_recording(&recording), &summary), 0);
	assert_int_equal(count_notes(summary, text), 1);
	tacho_summary_destroy(summary);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_launch),
		cmocka_unit_test(test_transfer),
		cmocka_unit_test(test_template),
		cmocka_unit_test(test_sums),
		cmocka_unit_test(test_reasons),
		cmocka_unit_test(test_instances),
		cmocka_unit_test(test_too_many_instances),
		cmocka_unit_test(test_turns),
		cmocka_unit_test(test_large_sums),
		cmocka_unit_test(test_matching_is_told),
		cmocka_unit_test(test_uncounted_is_told),
		cmocka_unit_test(test_empty_selection_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
