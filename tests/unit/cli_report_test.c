/* SPDX-License-Identifier: MIT */
/*
 * The report on an invented summary: lines keep to the width, what is not known is never a number,
 * and nothing from a recording reaches the terminal unclean. The summary's functions are replaced
 * here.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include <tacho/tacho.h>

#include "record/objects.h"
#include "report/report.h"

#define LONG_NAME \
	"void_gemm_kernel_with_many_template_arguments_float_128_64_8_true_false_column_major"

static const struct tacho_run run = {
	.generator = "tacho 0.1.0",
	.application = "/home/user/a folder/with/a/long/path/that/does/not/end/soon/program",
	.arguments = "--first --second=3 \033]0;title\a",
	.host = "host",
	.why_empty = "",
	.why_uncounted = "",
	.start_ns = 5,
	.end_ns = 1000000005,
	.exit_status = 139,
};

static struct tacho_summary_totals totals;
static struct tacho_summary_line kernels[12];
static const struct tacho_summary_part parts[3] = {
	{LONG_NAME, 30}, {"scale", 20}, {"add\033[2J", 10}};
static struct tacho_summary_line transfers[1], ranges[3];
static size_t range_count;
static struct tacho_summary_device devices[1];
static const struct tacho__object device = {
	.object = {.kind = TACHO_OBJECT_DEVICE, .name = "pthread-device"}};

const struct tacho_run *tacho_recording_get_run(const struct tacho_recording *recording)
{
	return &run;
}

const char *tacho_recording_get_path(const struct tacho_recording *recording)
{
	return "no/such/recording.tacho";
}

const struct tacho_recorded_counting *
tacho_recording_get_counting(const struct tacho_recording *recording)
{
	return NULL;
}

const struct tacho_summary_totals *tacho_summary_get_totals(const struct tacho_summary *summary)
{
	return &totals;
}

size_t tacho_summary_get_line_count(const struct tacho_summary *summary, enum tacho_summary_key key)
{
	return key == TACHO_BY_TRANSFER ? 1 : key == TACHO_BY_RANGE ? range_count : 12;
}

const struct tacho_summary_line *tacho_summary_get_line(const struct tacho_summary *summary,
							enum tacho_summary_key key, size_t index)
{
	return key == TACHO_BY_TRANSFER ? &transfers[index]
	       : key == TACHO_BY_RANGE	? &ranges[index]
					: &kernels[index];
}

const struct tacho_summary_part *tacho_summary_get_part(const struct tacho_summary *summary,
							enum tacho_summary_key key, size_t index,
							size_t part)
{
	return kernels[index].is_template && part < 3 ? &parts[part] : NULL;
}

const struct tacho_summary_device *tacho_summary_get_device(const struct tacho_summary *summary,
							    size_t index)
{
	return index < 1 ? &devices[index] : NULL;
}

static struct tacho_breakdown breakdown;
static struct tacho_spent_part spent[8];

const struct tacho_breakdown *tacho_summary_get_breakdown(const struct tacho_summary *summary)
{
	return breakdown.headline ? &breakdown : NULL;
}

const struct tacho_spent_part *tacho_summary_get_spent(const struct tacho_summary *summary,
						       size_t index)
{
	return breakdown.headline && spent[index].ns ? &spent[index] : NULL;
}

const char *tacho_summary_get_note(const struct tacho_summary *summary, size_t index)
{
	return index < 1 ? "One remark that is long enough to be broken on every terminal that is "
			   "narrower than this sentence."
			 : NULL;
}

int tacho_summary_create(struct tacho_recording *recording, struct tacho_summary **out_summary)
{
	return TACHO_E_UNSUPPORTED;
}

int tacho_summary_create_with_gaps(struct tacho_recording *recording,
				   struct tacho_summary **out_summary)
{
	return TACHO_E_UNSUPPORTED;
}

void tacho_summary_destroy(struct tacho_summary *summary)
{
}

const struct tacho_format *tacho_format_get(size_t index)
{
	return NULL;
}

static int set_up(void **state)
{
	totals = (struct tacho_summary_totals){.wall_ns = 1000000000,
					       .has_wall = 1,
					       .api_ns = 250000000,
					       .calls = 1234,
					       .launches = 100,
					       .transfers = 2,
					       .commands = 102,
					       .processes = 1,
					       .threads = 2};
	for (size_t i = 0; i < 12; i++)
		kernels[i] = (struct tacho_summary_line){.name = i ? "kernel\033[2J" : LONG_NAME,
							 .device = "pthread-device",
							 .count = 10,
							 .measured = 10,
							 .total_ns = 1000000,
							 .min_ns = 90000,
							 .max_ns = 200000,
							 .first_ns = 200000,
							 .has_first = 1,
							 .reason = "",
							 .why_no_rate = ""};
	transfers[0] = (struct tacho_summary_line){.name = "write",
						   .device = "pthread-device",
						   .count = 2,
						   .measured = 2,
						   .bytes = 1000000,
						   .total_ns = 1000000,
						   .reason = "",
						   .why_no_rate = ""};
	breakdown = (struct tacho_breakdown){0};
	range_count = 0;
	devices[0] = (struct tacho_summary_device){.device = &device.object,
						   .busy_ns = 500000000,
						   .idle_ns = 250000000,
						   .commands = 102,
						   .measured = 102,
						   .uncertainty_ns = 52,
						   .reason = "",
						   .clock = "CLOCK_MONOTONIC_RAW"};
	return 0;
}

static void make_times_unknown(void)
{
	devices[0].state = TACHO_STATE_ABSENT;
	devices[0].reason = "the driver gave 0, 1, 2, 3";
	for (size_t i = 0; i < 12; i++) {
		kernels[i].measured = kernels[i].total_ns = kernels[i].min_ns = 0;
		kernels[i].max_ns = kernels[i].has_first = 0;
		kernels[i].state = TACHO_STATE_ABSENT;
		kernels[i].reason = "the driver gave 0, 1, 2, 3";
	}
	totals.not_credible = 102;
}

/* The second line, and a third of what ran; some of its executions have no times. */
static void make_buffers(void)
{
	kernels[1].name = "command buffer (6 kernels)";
	kernels[1].is_template = 1;
	kernels[1].measured = 8;
	kernels[1].state = TACHO_STATE_LOST;
	kernels[1].reason = "it never ended";
	totals.launches = 170;
	totals.templates = 10;
	totals.template_launches = 60;
	devices[0].measured = 100;
	devices[0].unknown_ns = 40000000;
	devices[0].idle_ns -= 40000000;
	devices[0].state = TACHO_STATE_LOST;
	devices[0].reason = "it never ended";
}

static void make_ranges(void)
{
	ranges[0] = (struct tacho_summary_line){.name = "train/" LONG_NAME,
						.device = "",
						.domain = "a\033b",
						.reason = "",
						.why_no_rate = "",
						.range_kind = TACHO_RANGE_NESTED,
						.count = 3,
						.measured = 3,
						.total_ns = 3000000,
						.own_ns = 1000000,
						.launches = 7,
						.commands = 8,
						.device_measured = 8,
						.device_ns = 500000,
						.bytes = 4096};
	ranges[1] = (struct tacho_summary_line){.name = "here",
						.device = "",
						.domain = "",
						.reason = "a mark is a moment",
						.why_no_rate = "",
						.range_kind = TACHO_RANGE_MARK,
						.count = 2};
	ranges[2] = (struct tacho_summary_line){.name = "(outside of ranges)",
						.device = "",
						.domain = "",
						.reason = "",
						.why_no_rate = "",
						.is_outside = 1,
						.launches = 5,
						.commands = 5};
	range_count = 3;
}

/* 600 ms in one function, 100 in two others of another kind, 300 with a busy device. */
static void make_breakdown(void)
{
	static const struct tacho_process process = {.pid = 7};

	breakdown =
		(struct tacho_breakdown){.total_ns = 1000000000,
					 .is_wall = 1,
					 .process = &process,
					 .thread = 9,
					 .headline = "Of 1.00 s the run spent\033[2J a lot of its "
						     "time in clBuildProgram."};
	memset(spent, 0, sizeof(spent));
	spent[0] = (struct tacho_spent_part){TACHO_SPENT_BUILD, "clBuild\033Program", 600000000, 3};
	spent[1] = (struct tacho_spent_part){TACHO_SPENT_KERNELS, "", 300000000, 0};
	spent[2] = (struct tacho_spent_part){TACHO_SPENT_WAIT, LONG_NAME, 99000000, 1000};
	spent[3] = (struct tacho_spent_part){TACHO_SPENT_WAIT, "clWaitForEvents", 1000000, 4};
}

static char *print(unsigned width, bool json, uint64_t top)
{
	struct cli_report report = {.key = TACHO_BY_KERNEL, .top = top};
	char *text = NULL;
	size_t size;
	FILE *stream = open_memstream(&text, &size);

	assert_non_null(stream);
	if (json)
		cli_report_print_json(&report, stream);
	else
		cli_report_print(&report, stream, width);
	if (fclose(stream) != 0 || !text)
		abort();
	return text;
}

static void assert_has(const char *text, const char *part)
{
	if (strstr(text, part))
		return;
	fputs(text, stderr);
	fail_msg("\"%s\" is missing", part);
}

static void assert_has_not(const char *text, const char *part)
{
	if (!strstr(text, part))
		return;
	fputs(text, stderr);
	fail_msg("\"%s\" is there", part);
}

static void assert_clean(char *text, unsigned width)
{
	char *line;

	for (const char *c = text; *c; c++)
		if (*c != '\n' && (*c < 0x20 || *c > 0x7e))
			fail_msg("byte 0x%02x", (unsigned char)*c);
	while ((line = strsep(&text, "\n")))
		if (strlen(line) > width)
			fail_msg("%zu columns at width %u: %s", strlen(line), width, line);
}

static void keeps_to_every_width(void **state)
{
	for (unsigned width = 40; width <= 200; width++) {
		char *text = print(width, false, 10);

		assert_clean(text, width);
		free(text);
		make_times_unknown();
		text = print(width, false, 0);
		assert_clean(text, width);
		free(text);
		set_up(NULL);
		make_buffers();
		text = print(width, false, 0);
		assert_clean(text, width);
		free(text);
		set_up(NULL);
		make_ranges();
		text = print(width, false, 0);
		assert_clean(text, width);
		free(text);
		set_up(NULL);
		make_breakdown();
		text = print(width, false, 0);
		assert_clean(text, width);
		free(text);
		set_up(NULL);
	}
}

static void shows_sums(void **state)
{
	char *text = print(80, false, 10);

	assert_has(text, "exit status  139 (signal 11, Segmentation fault)\n");
	assert_has(text, "wall time    1.000 s\n");
	assert_has(text, "device busy  500.0 ms, 50.0% of wall time\n");
	assert_has(text, "API time     250.0 ms, summed over threads\n");
	assert_has(text, "API calls    1,234 by 2 threads of 1 process\n");
	assert_has(text, "10 1.00 ms  100 us 90.0 us 200 us  8.3% 200 us\n");
	assert_has(text, "and 2 more (--top 0 shows all)");
	assert_has(text, "1.00 GB/s");
	assert_has(text, "\nLost\n  nothing\n");
	free(text);
}

/* The sentence is the first line; kinds come with their sums, and functions that matter. */
static void begins_with_the_breakdown(void **state)
{
	char *text = print(100, false, 10);

	assert_int_equal(strncmp(text, "recording", 9), 0);
	assert_has_not(text, "API functions");
	free(text);
	make_breakdown();
	spent[2].function = "clFinish";
	text = print(100, false, 10);
	/* it is not whole, which comes first */
	assert_has(text, "\n\nOf 1.00 s the run spent");
	assert_true(strstr(text, "Of 1.00 s") < strstr(text, "program "));
	assert_has(text, "\n  host: building programs            600 ms  60.0%");
	assert_has(text, "\n  kernels running                    300 ms  30.0%");
	assert_has(text, "\n  host: waiting                      100 ms  10.0%");
	assert_has(text, "  99.0 ms   9.9%  1,000\n");
	assert_has_not(text, "clWaitForEvents");
	assert_has(text, "calls: of thread 7/9, of 2 threads");
	assert_has(text, "\nAPI functions, by host time\n");
	assert_has_not(text, "wrong line");
	free(text);
	breakdown.uncertain_ns = 20000000;
	breakdown.untimed = 5;
	text = print(100, false, 10);
	assert_has(text, "at most 20.0 ms stand in a wrong line");
	assert_has(text, "devices were busy for longer: 5 of their commands have no times");
	free(text);
	text = print(0, true, 0);
	assert_has(text, "\"kind\": \"build\"");
	assert_has(text, "\"ns\": 600000000");
	assert_has(text, "\"uncertain_ns\": 20000000");
	assert_has(text, "clWaitForEvents");
	free(text);
}

/* What copied nothing has no rate, and says why. */
static void rates_only_what_moved(void **state)
{
	char *text;

	transfers[0].name = "map";
	transfers[0].why_no_rate = "nothing is copied";
	text = print(100, false, 10);
	assert_has_not(text, "B/s");
	assert_has(text, "- of map: no rate, as nothing is copied\n");
	free(text);
	text = print(0, true, 0);
	assert_has(text, "\"why_no_rate\": \"nothing is copied\"");
	free(text);
}

static void never_shows_unknown_times(void **state)
{
	char *text;

	make_times_unknown();
	text = print(80, false, 10);
	assert_has(text, "device busy  -");
	assert_has(text, "120 of 120 launches have no times: the driver gave 0, 1, 2, 3");
	assert_has(text, "102 commands whose device times were refused");
	assert_has_not(text, "0 ns");
	assert_has_not(text, "0.0%");
	free(text);
}

/* What ran as a whole has its time, its kernels have none, and nothing looks idle. */
static void shows_command_buffers(void **state)
{
	char *text;

	make_buffers();
	text = print(120, false, 10);
	assert_has(text, "work         170 kernel launches, 60 of them in 10 command buffers, "
			 "2 transfers\n");
	assert_has(text, "device busy  at least 500.0 ms, 50.0% of wall time\n");
	assert_has(text, "command buffer (6 kernels)");
	assert_has(text, "  20       -       -       -      -     -      -\n");
	assert_has(text, "- of a kernel in a command buffer: when it ran is known of its command "
			 "buffer only");
	assert_has(text, "pthread-device       102  500 ms  210 ms    40.0 ms    -\n");
	assert_has(text, "pthread-device: 2 of 102 commands have no times, so for 40.0 ms it is "
			 "not known whether it was busy: it never ended\n");
	free(text);
	text = print(120, false, 2);
	assert_has_not(text, "add");
	assert_has(text, "  others ");
	free(text);
	totals.template_launches = 0;
	text = print(120, false, 2);
	assert_has(text, "work         170 kernel launches, 10 command buffers, 2 transfers\n");
	free(text);
}

/* What is not known of a range is no number; what is outside has no times of its own. */
static void shows_ranges(void **state)
{
	char *text = print(120, false, 10);

	assert_has_not(text, "Ranges");
	free(text);
	make_ranges();
	text = print(160, false, 10);
	assert_has(text, "nested     3 3.00 ms 1.00 ms        7     500 us 4.10 kB\n");
	assert_has(text, "mark       2       -       -        0          -       -\n");
	assert_has(text, "         -       -       -        5          -       -\n");
	assert_has(text, "- : 2 of 2 ranges and marks have no times: a mark is a moment\n");
	assert_has(text, "- of what is outside of ranges: it is no range");
	free(text);
	text = print(0, true, 0);
	assert_has(text, "\"own_ns\": 1000000");
	assert_has(text, "\"kind\": \"mark\"");
	assert_has(text, "\"kind\": null");
	assert_has(text, "\"device_ns\": null");
	free(text);
}

static void json_has_command_buffers(void **state)
{
	char *text;

	make_buffers();
	text = print(0, true, 0);
	assert_has(text, "\"device_busy_ns\": 500000000");
	assert_has(text, "\"device_idle_ns\": 210000000");
	assert_has(text, "\"device_unknown_ns\": 40000000");
	assert_has(text, "\"launches\": 170");
	assert_has(text, "\"command_buffers\": 10");
	assert_has(text, "\"command_buffer_launches\": 60");
	assert_has(text, "\"command_buffer\": true");
	assert_has(text, "\"name\": \"scale\",\n");
	assert_has(text, "\"count\": 20,\n");
	free(text);
}

static void json_has_null_and_state(void **state)
{
	char *text = print(0, true, 0);

	assert_has(text, "\"schema\": \"tacho.report/1\"");
	assert_has(text, "\"device_busy_ns\": 500000000");
	assert_has(text, "\"total_ns\": 1000000");
	free(text);
	make_times_unknown();
	text = print(0, true, 0);
	assert_has(text, "\"device_busy_ns\": null");
	assert_has(text, "\"device_state\": \"absent\"");
	assert_has(text, "\"total_ns\": null");
	assert_has(text, "\"first_ns\": null");
	assert_has(text, "\"not_credible\": 102");
	free(text);
}

static void names_each_loss(void **state)
{
	char *text;

	totals.losses = (struct tacho_losses){.no_window = 1,
					      .no_space = 2,
					      .nested = 3,
					      .too_big = 4,
					      .no_thread = 5,
					      .unwritten = 10,
					      .missing = 11,
					      .untimed = 12,
					      .unreadable = 6,
					      .waits = 7,
					      .io_error = 28};
	totals.unfinished = 8;
	totals.not_credible = 9;
	text = print(80, false, 10);
	assert_has(text, "  1 calls not recorded: no window was free for a second\n");
	assert_has(text, "  2 calls not recorded: the recording could not grow\n");
	assert_has(text, "  10 calls not recorded: the files took them no more\n");
	assert_has(text, "  11 calls in parts of files that are missing or damaged\n");
	assert_has(text, "  12 commands whose device times were dropped\n");
	assert_has(text, "  6 bytes that could not be read\n");
	assert_has(text, "  8 commands whose end was not seen\n");
	assert_has(text, "  writing failed with: No space left on device\n");
	free(text);
}

static void says_why_it_is_empty(void **state)
{
	char *text;

	totals.calls = totals.commands = 0;
	text = print(80, false, 10);
	assert_has(text, "no calls     no API call was recorded, and the reason is not known\n");
	assert_has_not(text, "Kernels");
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(keeps_to_every_width, set_up),
		cmocka_unit_test_setup(shows_sums, set_up),
		cmocka_unit_test_setup(never_shows_unknown_times, set_up),
		cmocka_unit_test_setup(begins_with_the_breakdown, set_up),
		cmocka_unit_test_setup(rates_only_what_moved, set_up),
		cmocka_unit_test_setup(shows_command_buffers, set_up),
		cmocka_unit_test_setup(shows_ranges, set_up),
		cmocka_unit_test_setup(json_has_command_buffers, set_up),
		cmocka_unit_test_setup(json_has_null_and_state, set_up),
		cmocka_unit_test_setup(names_each_loss, set_up),
		cmocka_unit_test_setup(says_why_it_is_empty, set_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
