/* SPDX-License-Identifier: MIT */
/* counting.json: what is written is read, what is wrong is refused; patterns; lists in files. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "plan/counter_list.h"
#include "tacho/error.h"
#include "tacho/profile.h"
#include "tacho/sys/counting.h"

static const char *const kernels[] = {"vadd", "gemm_*", "regex:^fft[0-9]+$"};
static const char *const excluded[] = {"gemm_slow"};
static const struct tacho_counting_column columns[] = {
	{"device_time", "nanoseconds", "Time.", "Time", "duration", TACHO_TYPE_U64,
	 TACHO_FROM_LAUNCH},
	{"SQ_WAVES", "wavefronts", "Waves \"all\".", "SQ", "event", TACHO_TYPE_U64,
	 TACHO_FROM_SESSION},
};
/* Neither in order nor apart. */
static const struct tacho_iterations iterations[] = {{9, UINT64_MAX}, {1, 2}, {3, 3}};

static const struct tacho_counting sample = {
	.backends = "sim:mi300x",
	.title = "mi300x [simulated]",
	.is_simulated = true,
	.entry_count = 1,
	.columns = columns,
	.column_count = 2,
	.pass_count = 3,
	.replay = TACHO_REPLAY_PROCESS,
	.only_pass = 0,
	.run_count = 3,
	.replay_memory_bytes = UINT64_C(18446744073709551615),
	.timeout_ns = 30000000000,
	.select = {.kernels = kernels,
		   .kernel_count = 3,
		   .excluded = excluded,
		   .excluded_count = 1,
		   .ranges = kernels,
		   .range_count = 3,
		   .iterations = iterations,
		   .iteration_count = 3,
		   .skip = 5,
		   .count = 7,
		   .delay_ns = 11,
		   .duration_ns = 13,
		   .is_paused = true},
	.kernels_file = "/tmp/kernels.yaml",
};

static char *write_text(const struct tacho_counting *counting)
{
	char *text = NULL;
	size_t size;
	FILE *stream = open_memstream(&text, &size);

	assert_non_null(stream);
	tacho_counting_write(counting, stream);
	assert_int_equal(fclose(stream), 0);
	return text;
}

static struct tacho_counting *read_back(const struct tacho_counting *counting)
{
	struct tacho_counting *got = NULL;
	char *text = write_text(counting);

	assert_int_equal(tacho_counting_parse(text, strlen(text), &got), 0);
	free(text);
	return got;
}

static void test_round_trip(void **state)
{
	struct tacho_counting *got = read_back(&sample);

	assert_string_equal(got->backends, "sim:mi300x");
	assert_null(got->device);
	assert_string_equal(got->title, "mi300x [simulated]");
	assert_true(got->is_simulated);
	assert_int_equal(got->entry_count, 1);
	assert_int_equal(got->column_count, 2);
	assert_int_equal(got->columns[0].from, TACHO_FROM_LAUNCH);
	assert_int_equal(got->columns[1].from, TACHO_FROM_SESSION);
	assert_string_equal(got->columns[1].description, "Waves \"all\".");
	assert_string_equal(got->columns[0].semantic, "duration");
	assert_int_equal(got->pass_count, 3);
	assert_int_equal(got->run_count, 3);
	assert_int_equal(got->replay, TACHO_REPLAY_PROCESS);
	assert_int_equal(got->only_pass, 0);
	assert_true(got->replay_memory_bytes == UINT64_MAX);
	assert_int_equal(got->timeout_ns, 30000000000);
	assert_int_equal(got->select.iteration_count, 2); /* in order, and joined */
	assert_int_equal(got->select.iterations[0].first, 1);
	assert_int_equal(got->select.iterations[0].last, 3);
	assert_int_equal(got->select.iterations[1].first, 9);
	assert_true(got->select.iterations[1].last == UINT64_MAX);
	assert_int_equal(got->select.skip, 5);
	assert_int_equal(got->select.count, 7);
	assert_int_equal(got->select.delay_ns, 11);
	assert_int_equal(got->select.duration_ns, 13);
	assert_true(got->select.is_paused);
	assert_string_equal(got->kernels_file, "/tmp/kernels.yaml");
	tacho_counting_destroy(got);
}

static void test_iterations(void **state)
{
	static const struct {
		const char *text;
		size_t count;
		uint64_t ranges[4];
	} good[] = {
		{"[1-2],[5]", 2, {1, 2, 5, 5}},
		{"[1, 3, 5, [8-12]]", 4, {1, 1, 3, 3}},
		{"[11-14], [4-5]", 2, {4, 5, 11, 14}},
		{"[[3-6], 1, 4-7,2]", 1, {1, 7}},
		{"18446744073709551615", 1, {UINT64_MAX, UINT64_MAX}},
		{"2-18446744073709551615 1", 1, {1, UINT64_MAX}},
	};
	static const struct {
		const char *text, *at;
	} bad[] = {{"", "column 1"},
		   {"[]", "column 1"},
		   {"0", "column 1"},
		   {"1,0-2", "column 3"},
		   {"3-2", "column 1"},
		   {"1-", "column 3"},
		   {"-1", "column 1"},
		   {"1 - 2", "column 3"},
		   {"1x", "column 2"},
		   {"1-2-3", "column 4"},
		   {"[1-2],a", "column 7"},
		   {"0x1", "column 1"},
		   {"18446744073709551616", "column 1"}};
	struct tacho_counting *got = read_back(&sample), all = sample;
	struct tacho_iterations *list;
	size_t count;

	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
		assert_int_equal(tacho_iterations_parse(good[i].text, &list, &count), 0);
		assert_int_equal(count, good[i].count);
		for (size_t k = 0; k < count && k < 2; k++) {
			assert_true(list[k].first == good[i].ranges[2 * k]);
			assert_true(list[k].last == good[i].ranges[2 * k + 1]);
		}
		free(list);
	}
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(tacho_iterations_parse(bad[i].text, &list, &count), TACHO_E_PARSE);
		assert_non_null(strstr(tacho_error_last()->message, bad[i].at));
	}
	for (uint64_t n = 0; n < 12; n++)
		assert_int_equal(tacho_counting_selects_iteration(got, n),
				 (n >= 1 && n <= 3) || n >= 9);
	assert_true(tacho_counting_is_selective(got));
	tacho_counting_destroy(got);
	all.select = (struct tacho_counting_select){0};
	got = read_back(&all);
	assert_true(tacho_counting_selects_iteration(got, 7));
	assert_false(tacho_counting_is_selective(got));
	tacho_counting_destroy(got);
}

static void test_selection(void **state)
{
	struct tacho_counting *got = read_back(&sample);

	assert_true(tacho_counting_selects(got, "vadd"));
	assert_false(tacho_counting_selects(got, "vadd2"));
	assert_true(tacho_counting_selects(got, "gemm_fast"));
	assert_false(tacho_counting_selects(got, "gemm_slow"));
	assert_true(tacho_counting_selects(got, "fft16"));
	assert_false(tacho_counting_selects(got, "fft16b"));
	assert_true(tacho_counting_selects_range(got, "vadd"));
	assert_false(tacho_counting_selects_range(got, "vadd2"));
	assert_true(tacho_counting_selects_range(got, "gemm_slow")); /* excludes kernels only */
	assert_true(tacho_counting_selects_range(got, "fft16"));
	assert_false(tacho_counting_selects_range(got, "fft16b"));
	assert_true(tacho_counting_is_selective(got));
	tacho_counting_destroy(got);

	struct tacho_counting all = {.pass_count = 1, .replay = TACHO_REPLAY_NONE, .only_pass = -1};

	got = read_back(&all);
	assert_int_equal(got->only_pass, -1);
	assert_int_equal(got->run_count, 1);
	assert_null(got->backends);
	assert_true(tacho_counting_selects(got, "anything"));
	assert_true(tacho_counting_selects(got, ""));
	assert_true(tacho_counting_selects_range(got, ""));
	assert_false(tacho_counting_is_selective(got));
	tacho_counting_destroy(got);
}

static void test_patterns(void **state)
{
	assert_int_equal(tacho_counting_check_pattern("vadd"), 0);
	assert_int_equal(tacho_counting_check_pattern("regex:a|b"), 0);
	assert_int_equal(tacho_counting_check_pattern(""), TACHO_E_INVAL);
	assert_int_equal(tacho_counting_check_pattern("regex:"), TACHO_E_INVAL);
	assert_int_equal(tacho_counting_check_pattern("regex:a["), TACHO_E_INVAL);
	assert_non_null(strstr(tacho_error_last()->message, "a["));
	/* what libc would need too much memory or time for */
	assert_int_equal(tacho_counting_check_pattern("regex:a{2,10}(b{100})"), 0);
	assert_int_equal(tacho_counting_check_pattern("regex:[{]9999\\{9999}"), 0);
	assert_int_equal(tacho_counting_check_pattern("regex:a{1001}"), TACHO_E_INVAL);
	assert_int_equal(tacho_counting_check_pattern("regex:((a{,9}){20}){51,}"), TACHO_E_INVAL);
	assert_non_null(strstr(tacho_error_last()->cause, "1000 times"));
	assert_int_equal(tacho_counting_check_pattern("regex:(a*)\\1"), TACHO_E_INVAL);
	assert_non_null(strstr(tacho_error_last()->cause, "back-reference"));
}

/* The start is paused until somebody says to resume; a pause of one is not undone by the other. */
static void test_pausing(void **state)
{
	struct tacho_counting_control control = {.magic = TACHO_CONTROL_MAGIC, .version = 1};
	struct tacho_counting paused = {.select = {.is_paused = true}}, running = {0};

	assert_true(tacho_counting_is_paused(&paused, &control));
	assert_true(tacho_counting_is_paused(&paused, NULL));
	assert_false(tacho_counting_is_paused(&running, &control));
	control.request = TACHO_REQUEST_RESUME;
	assert_false(tacho_counting_is_paused(&paused, &control));
	control.request = TACHO_REQUEST_PAUSE;
	assert_true(tacho_counting_is_paused(&running, &control));
	assert_false(tacho_profile_is_paused());
	tacho_profile_resume();
	assert_true(tacho_counting_is_paused(&running, &control));
	control.request = TACHO_REQUEST_NONE;
	assert_false(tacho_counting_is_paused(&paused, &control));
	tacho_profile_pause();
	assert_true(tacho_profile_is_paused());
	control.request = TACHO_REQUEST_RESUME;
	assert_true(tacho_counting_is_paused(&running, &control));
	tacho_profile_resume();
	assert_false(tacho_counting_is_paused(&running, &control));
}

static int parse(const char *text)
{
	struct tacho_counting *got = NULL;
	int rc = tacho_counting_parse(text, strlen(text), &got);

	tacho_counting_destroy(got);
	return rc;
}

static void test_mistakes(void **state)
{
	const char *head = "{\"schema\":\"tacho.counting/1\",\"replay\":\"none\",";
	static const char *const bad[] = {
		"\"columns\":[{\"name\":\"a\",\"type\":\"u32\",\"from\":\"launch\"}]}",
		"\"columns\":[{\"type\":\"u64\",\"from\":\"launch\"}]}",
		"\"passes\":1000001}",
		"\"pass\":-2}",
		"\"select\":{\"kernels\":[1]}}",
		"\"select\":{\"kernels\":[\"regex:(\"]}}",
		"",
	};
	char text[512];

	assert_int_equal(parse(""), TACHO_E_PARSE);
	assert_int_equal(parse("[]"), TACHO_E_PARSE);
	assert_int_equal(parse("{\"schema\":\"tacho.counting/2\"}"), TACHO_E_PARSE);
	assert_int_equal(parse("{\"schema\":\"tacho.counting/1\"}"), TACHO_E_PARSE);
	assert_int_equal(parse("{\"schema\":\"tacho.counting/1\",\"replay\":\"none\"}"), 0);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		snprintf(text, sizeof(text), "%s%s", head, bad[i]);
		assert_int_not_equal(parse(text), 0);
	}
}

/* Every prefix of a good file is refused, and nothing breaks. */
static void test_prefixes(void **state)
{
	char *text = write_text(&sample);
	size_t size = strlen(text);
	struct tacho_counting *got;

	while (size && strchr("\n }", text[size - 1]))
		size--;
	for (size_t i = 0; i < size; i++)
		assert_int_not_equal(tacho_counting_parse(text, i, &got), 0);
	free(text);
}

static struct tacho__counter_list *read_list(const char *suffix, const char *text)
{
	char path[] = "/tmp/tacho-list-XXXXXX.yaml";
	struct tacho__counter_list *list = NULL;
	int fd;

	snprintf(path, sizeof(path), "/tmp/tacho-list-XXXXXX%s", suffix);
	fd = mkstemps(path, (int)strlen(suffix));
	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
	if (tacho__counter_list_read(path, 0, &list) != 0)
		list = NULL;
	unlink(path);
	return list;
}

static void check_list(const char *suffix, const char *text, const char *expected)
{
	struct tacho__counter_list *list = read_list(suffix, text);
	char joined[256] = "";

	assert_non_null(list);
	for (size_t i = 0; i < list->name_count; i++)
		snprintf(joined + strlen(joined), sizeof(joined) - strlen(joined), "%s%s",
			 i ? " " : "", list->names[i].text);
	assert_string_equal(joined, expected);
	tacho__counter_list_destroy(list);
}

static void test_lists(void **state)
{
	struct tacho__counter_list *list;

	/* names by line, and with commas; events keep those between slashes */
	check_list(".txt", "# mine\nSQ_WAVES\n\n GRBM_COUNT , TCC_HIT[0] # why\n",
		   "SQ_WAVES GRBM_COUNT TCC_HIT[0]");
	check_list("", "cpu/event=1,umask=2/,faults\r\n", "cpu/event=1,umask=2/ faults");
	/* rcprof: one a line */
	check_list(".csl", "Wavefronts\nVALUInsts\n", "Wavefronts VALUInsts");
	/* rocprofv3 */
	check_list(".txt",
		   "# c\npmc: SQ_WAVES GRBM_COUNT\npmc:\tTCC_HIT_sum,TCC_MISS # x\ngpu: 0\n",
		   "SQ_WAVES GRBM_COUNT TCC_HIT_sum TCC_MISS");
	check_list(".yaml",
		   "jobs:\n  - pmc: [\"SQ_WAVES\", \"GRBM_COUNT:device=1\"]\n  - pmc:\n"
		   "    - TCC_HIT\n",
		   "SQ_WAVES GRBM_COUNT TCC_HIT");
	check_list(".json",
		   "{\"jobs\": [{\"pmc\": [\"A B\", \"C\"]}, {\"pmc_groups\": [[\"D\"], "
		   "[\"E\"]]}]}",
		   "A B C D E");
	list = read_list(".yml", "jobs:\n  - pmc: [A]\n    kernel_include_regex: add.*\n"
				 "    kernel_exclude_regex: slow\n");
	assert_non_null(list);
	assert_int_equal(list->kernel_count, 1);
	assert_string_equal(list->kernels[0].text, "regex:add.*");
	assert_string_equal(list->excluded[0].text, "regex:slow");
	tacho__counter_list_destroy(list);
	list = read_list(".txt", "pmc: A\nkernel: add mul\n");
	assert_non_null(list);
	assert_int_equal(list->kernel_count, 2);
	assert_string_equal(list->kernels[1].text, "regex:mul");
	tacho__counter_list_destroy(list);
	check_list(".txt", "pmc : A\nPMC: B\nrange: 1 : 4\n", "A B");
	list = read_list(".json", "{\"jobs\": [{\"pmc\": [\"A\"], \"kernel_iteration_range\": "
				  "[\"[2-3]\", \"[1]\"], \"kernel_include_regex\": \"k\\\\d\"}]}");
	assert_non_null(list);
	assert_int_equal(list->iteration_count, 1);
	assert_int_equal(list->iterations[0].last, 3);
	assert_string_equal(list->kernels[0].text, "regex:k[0-9]");
	tacho__counter_list_destroy(list);
	assert_null(read_list(".txt", "# nothing\n"));
	assert_null(read_list(".txt", "pmc: :device=0\n")); /* a name that is none */
	assert_null(read_list(".yaml", "jobs: [\n"));
	assert_null(read_list(".json", "{\"jobs\": []}"));
	assert_int_equal(tacho__counter_list_read("/nowhere/at/all", 0, &list), TACHO_E_NOTFOUND);
}

/* What is refused, with the place that the message names. */
static void test_list_faults(void **state)
{
	static const struct {
		const char *suffix, *text, *at, *cause;
	} bad[] = {
		{".txt", "pmc: A\n\n  junk\n", "line 3, column 3", "this is none"},
		{".txt", "pmc: A\npmcs: B\n", "line 2, column 1", "this is none"},
		{".yaml", "jobs: 3\n", "line 1, column 7", "no list"},
		{".yaml", "jobs:\n  - A\n", "line 2, column 5", "a mapping"},
		{".yaml", "jobs:\n  - pmc: {a: 1}\n", "line 2, column 10", "no list of counters"},
		{".yaml", "jobs:\n  - pmc: [A]\n    filter: x\n", "line 3, column 5", "\"filter\""},
		{".yaml", "jobs:\n  - pmc: [A]\n    kernels: x\n", "line 3, column 5",
		 "no such key"},
		{".yaml", "jobs:\n  - pmc: [A]\nfilter: x\n", "line 3, column 1", "beside"},
		{".yaml", "jobs:\n  - pmc: [A]\n    att-target-cu: 1\n", "line 3, column 5",
		 "threads of devices"},
		{".yaml", "jobs:\n  - pmc: [A]\n    kernel_iteration_range: [1, [2-a]]\n",
		 "line 3, column 34", "a number is missing"},
		{".yaml", "jobs:\n  - pmc: [A]\n    kernel_include_regex: \"(?:a)\"\n",
		 "line 3, column 27", "(?"},
		{".yaml", "jobs:\n  - pmc: [A]\n    kernel_include_regex: a\\nb\n",
		 "line 3, column 27", "backslash"},
		{".yaml", "jobs:\n  - pmc: [A]\n    kernel_include_regex: [a]\n",
		 "line 3, column 27", "one text"},
		{".yaml", "jobs:\n  - pmc: [A]\n  - pmc: [B]\n    kernel_exclude_regex: c\n",
		 "line 3, column 5", "other launches than job 1"},
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_null(read_list(bad[i].suffix, bad[i].text));
		if (!strstr(tacho_error_last()->message, bad[i].at) ||
		    !strstr(tacho_error_last()->cause, bad[i].cause))
			fail_msg("%s: %s: %s", bad[i].text, tacho_error_last()->message,
				 tacho_error_last()->cause);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_round_trip), cmocka_unit_test(test_selection),
		cmocka_unit_test(test_iterations), cmocka_unit_test(test_list_faults),
		cmocka_unit_test(test_patterns),   cmocka_unit_test(test_pausing),
		cmocka_unit_test(test_mistakes),   cmocka_unit_test(test_prefixes),
		cmocka_unit_test(test_lists),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
