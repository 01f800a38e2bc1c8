/* SPDX-License-Identifier: MIT */
/* What threads did in a device's gaps: gathered in one look, and what it takes to need a second. */
#include "finding_scene.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/rules/gap_calls.h"

enum { EVENTS = 600, FUNCTIONS = 3 };

static const char *const functions[FUNCTIONS] = {"wait", "launch", "ask"};

struct made {
	size_t function;
	uint64_t start_ns, end_ns;
};

static uint64_t chance(uint64_t below)
{
	return (uint64_t)rand() % below;
}

static void share_out(struct tacho__gap_calls *calls, const struct tacho__gaps *gaps,
		      const struct made *made)
{
	assert_int_equal(tacho__gap_calls_add(calls, gaps, functions[made->function],
					      made->start_ns, made->end_ns),
			 0);
	if (made->end_ns > calls->done_ns)
		calls->done_ns = made->end_ns;
}

/* Whether the shares are those of a look when all gaps are known; false: not all was seen. */
static bool check(const struct tacho__gap_calls *calls, struct tacho__gaps *gaps,
		  const struct made *made, size_t count)
{
	uint64_t expected[FUNCTIONS] = {0}, shared[FUNCTIONS] = {0};

	for (size_t i = 0; i < calls->capacity; i++)
		for (size_t k = 0; k < FUNCTIONS; k++)
			if (calls->shares[i].function == functions[k] &&
			    tacho__gap_share_counts(&calls->shares[i], gaps))
				shared[k] += calls->shares[i].ns;
	for (size_t i = 0; i < count; i++)
		expected[made[i].function] +=
			tacho__gaps_overlap_ns(gaps, made[i].start_ns, made[i].end_ns);
	if (calls->is_missed)
		return false;
	for (size_t k = 0; k < FUNCTIONS; k++)
		assert_int_equal(shared[k], expected[k]);
	return true;
}

/* Calls and commands in any order; calls are shared out when `delay` others have come. */
static bool gather(size_t delay)
{
	static struct made made[EVENTS];
	struct tacho__gap_calls calls = {0};
	struct tacho__gaps gaps = {.gap_ns = 5};
	size_t count = 0, done = 0;
	uint64_t now = 1000;
	bool is_seen;

	for (int i = 0; i < EVENTS; i++) {
		uint64_t start, length = 1 + chance(60);

		now += chance(40);
		if (chance(3)) {
			made[count++] = (struct made){chance(FUNCTIONS), now - length, now};
		} else { /* it begins before its call ends, or behind that */
			start = now - 200 + chance(300);
			tacho__gap_calls_expect(&calls, &gaps, start, start + length);
			assert_int_equal(tacho__gaps_add(&gaps, start, start + length), 0);
		}
		for (; done + delay < count; done++)
			share_out(&calls, &gaps, &made[done]);
	}
	for (; done < count; done++)
		share_out(&calls, &gaps, &made[done]);
	is_seen = check(&calls, &gaps, made, count);
	tacho__gap_calls_finish(&calls);
	tacho__gaps_finish(&gaps);
	return is_seen;
}

static void test_gathered_or_missed(void **state)
{
	int seen = 0, late = 0;

	srand(5);
	for (int i = 0; i < 300; i++) {
		seen += gather(50); /* longer than a command can be late */
		late += !gather(0);
	}
	assert_int_equal(seen, 300);
	assert_true(late > 290);
}

/* Gaps that turn out too short are gone, and with them their shares. */
static void test_bounded(void **state)
{
	struct tacho__gap_calls calls = {0};
	struct tacho__gaps gaps = {.gap_ns = 1};
	uint64_t sum = 0, expected = 0;

	for (uint64_t i = 0; i < 200000; i++) {
		uint64_t start = i * 10 + (i >= 100000 ? 1000000 : 0);

		tacho__gap_calls_expect(&calls, &gaps, start, start + 5);
		assert_int_equal(tacho__gaps_add(&gaps, start, start + 5), 0);
		share_out(&calls, &gaps, &(struct made){i % FUNCTIONS, start, start + 8});
		assert_true(calls.capacity <= TACHO__GAP_SHARES_MAX);
	}
	assert_false(calls.is_missed);
	for (size_t i = 0; i < calls.capacity; i++)
		if (tacho__gap_share_counts(&calls.shares[i], &gaps))
			sum += calls.shares[i].ns;
	for (uint64_t i = 0; i < 200000; i++) {
		uint64_t start = i * 10 + (i >= 100000 ? 1000000 : 0);

		expected += tacho__gaps_overlap_ns(&gaps, start, start + 8);
	}
	assert_int_equal(sum, expected);
	assert_int_equal(sum, 3); /* in the one long gap */
	tacho__gap_calls_finish(&calls);
	tacho__gaps_finish(&gaps);
}

/* More gaps than shares may be kept of are not judged by some of them. */
static void test_too_many(void **state)
{
	static char names[64][2];
	struct tacho__gap_calls calls = {0};
	struct tacho__gaps gaps = {.gap_ns = 1};

	for (uint64_t i = 0; i < TACHO__GAPS_PIECES_MAX / 2 && !calls.is_missed; i++) {
		assert_int_equal(tacho__gaps_add(&gaps, i * 10, i * 10 + 5), 0);
		for (size_t k = 0; k < 64; k++)
			assert_int_equal(tacho__gap_calls_add(&calls, &gaps, names[k], i * 10 + 6,
							      i * 10 + 8),
					 0);
	}
	assert_true(calls.is_missed);
	assert_true(calls.capacity <= TACHO__GAP_SHARES_MAX);
	tacho__gap_calls_finish(&calls);
	tacho__gaps_finish(&gaps);
}

/* A launch, a build, a launch; a command whose times are not in order wants a second look. */
static char *tell(bool is_odd)
{
	struct tacho_findings *findings;
	const struct tacho_finding *finding;
	struct tacho_command *command;
	char *message;

	scene_begin();
	for (int i = 0; i < 5; i++) {
		scene_launch(65536, 64, 4 * MS);
		scene_finish(5 * MS);
		scene_call("clBuildProgram", "CL_SUCCESS", "0x65", "0", "NULL", "\"\"", "NULL",
			   "NULL", NULL);
		scene_take((uint64_t)(i + 1) * MS);
	}
	scene_launch(65536, 64, 4 * MS);
	command = scene_launch(65536, 64, 4 * MS);
	if (is_odd) {
		command->not_before_ns = command->start_ns;
		command->not_after_ns = command->start_ns + 1;
		command->start_ns += 100 * MS; /* where nothing else is */
		command->end_ns = command->start_ns - 1;
	}
	findings =
		scene_look("idle-device", "idle-ns", (uint64_t)1, "idle-share", (uint64_t)1, NULL);
	finding = tacho_findings_get(findings, 0);
	assert_non_null(finding);
	assert_int_equal(finding->count, 5);
	assert_int_equal(finding->example_count, 3);
	assert_int_equal(finding->examples[0].index, 15);
	assert_int_equal(finding->examples[1].index, 12);
	message = strdup(finding->message);
	tacho_findings_destroy(findings);
	return message;
}

static void test_second_look(void **state)
{
	char *once = tell(false), *twice = tell(true);

	assert_non_null(strstr(once, "15.0 ms of it in clBuildProgram"));
	assert_non_null(strstr(twice, "15.0 ms of it in clBuildProgram"));
	free(once);
	free(twice);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_gathered_or_missed),
		cmocka_unit_test(test_bounded),
		cmocka_unit_test(test_too_many),
		cmocka_unit_test(test_second_look),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
