/* SPDX-License-Identifier: MIT */
/* Drivers put their times on various clocks, or make them up: the reader finds out which. */
#include "sample_api.h"
#include "base/array.h"
#include "tacho/summary.h"

#include <time.h>

enum { LAUNCHES = 200 };

static uint64_t now_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static uint64_t raw(void)
{
	return now_ns(CLOCK_MONOTONIC_RAW);
}

/* Rounded to 256 ns, as a driver that keeps nanoseconds since 1970 in a double does. */
static uint64_t realtime_rounded(void)
{
	return (uint64_t)(double)now_ns(CLOCK_REALTIME) / 256 * 256;
}

/* Starts at 5 s and gains 40 ppm. */
static uint64_t own_clock(void)
{
	static uint64_t zero;
	uint64_t passed;

	if (!zero)
		zero = raw();
	passed = raw() - zero;
	return UINT64_C(5000000000) + passed + passed / 25000;
}

struct driver {
	uint64_t (*now)(void); /* NULL: made-up times 0,1,2,3 */
	const char *resolution_ns;
};

static void launch_many(void *argument)
{
	const struct driver *driver = argument;

	sample_make_objects(driver->resolution_ns);
	for (int i = 0; i < LAUNCHES; i++) {
		uint64_t submit, start, end, queued;
		void *token;

		token = sample_launch(); /* its call ends before `now`: allowed, drivers batch */
		if (!driver->now) {
			sample_complete(token, 0, 1, 2, 3);
			continue;
		}
		queued = driver->now();
		submit = driver->now();
		start = driver->now();
		usleep(20);
		end = driver->now();
		sample_complete(token, queued, submit, start, end);
	}
}

struct found {
	uint64_t ok, absent, lost;
	uint64_t uncertainty_ns;
	char clock[64], reason[256];
	bool in_brackets;
};

static struct found survey(const char *path)
{
	struct found found = {.in_brackets = true};
	struct tacho_recording *recording;
	struct tacho_cursor *cursor;
	const struct tacho_call *call;

	assert_int_equal(tacho_recording_open(path, &recording), 0);
	assert_int_equal(tacho_cursor_open(recording, &cursor), 0);
	while (tacho_cursor_next(cursor, &call) == 1) {
		const struct tacho_command *command = call->command;

		assert_non_null(command);
		found.ok += command->state == TACHO_STATE_OK;
		found.absent += command->state == TACHO_STATE_ABSENT;
		found.lost += command->state == TACHO_STATE_LOST;
		if (command->state != TACHO_STATE_OK) {
			snprintf(found.reason, sizeof(found.reason), "%s", command->reason);
			continue;
		}
		snprintf(found.clock, sizeof(found.clock), "%s", command->clock);
		found.uncertainty_ns = command->uncertainty_ns;
		found.in_brackets &=
			command->queued_ns + command->uncertainty_ns >= call->start_ns &&
			command->queued_ns <= command->submit_ns &&
			command->submit_ns <= command->start_ns &&
			command->start_ns + 20000 <= command->end_ns;
	}
	tacho_cursor_close(cursor);
	tacho_recording_close(recording);
	return found;
}

static struct found run(uint64_t (*now)(void), const char *resolution_ns)
{
	struct driver driver = {.now = now, .resolution_ns = resolution_ns};
	char *path = sample_recording();
	struct found found;

	assert_int_equal(sample_run(path, launch_many, &driver), 0);
	found = survey(path);
	sample_remove(path);
	return found;
}

static void test_monotonic_raw(void **state)
{
	struct found found = run(raw, "1");

	assert_int_equal(found.ok, LAUNCHES);
	assert_true(found.in_brackets);
	assert_in_range(found.uncertainty_ns, 1, 5000);
}

static void test_realtime_rounded(void **state)
{
	struct found found = run(realtime_rounded, "1");

	assert_int_equal(found.ok, LAUNCHES);
	assert_string_equal(found.clock, "CLOCK_REALTIME");
	assert_true(found.in_brackets);
	assert_in_range(found.uncertainty_ns, 1, 5000);
}

static void test_own_clock_is_fitted(void **state)
{
	struct found found = run(own_clock, "1");

	assert_int_equal(found.ok, LAUNCHES);
	assert_string_equal(found.clock, "its own, fitted to the calls");
	assert_true(found.in_brackets);
	assert_in_range(found.uncertainty_ns, 1, 100000);
}

static void test_made_up_times_are_absent(void **state)
{
	struct found found = run(NULL, "1");

	assert_int_equal(found.ok, 0);
	assert_int_equal(found.absent, LAUNCHES);
	assert_non_null(strstr(found.reason, "the same QUEUED time, 0"));
}

/* Commands that one call gave to the device were queued at one time, and ran one by one. */
static void launch_together(void *unused)
{
	void *tokens[LAUNCHES];
	uint64_t queued, start;

	sample_make_objects("1");
	for (int i = 0; i < LAUNCHES; i++)
		tokens[i] = sample_launch();
	queued = raw();
	for (int i = 0; i < LAUNCHES; i++) {
		start = raw();
		usleep(20);
		sample_complete(tokens[i], queued, queued, start, raw());
	}
}

static void test_queued_together(void **state)
{
	char *path = sample_recording();
	struct found found;

	assert_int_equal(sample_run(path, launch_together, NULL), 0);
	found = survey(path);
	sample_remove(path);
	assert_int_equal(found.ok, LAUNCHES);
	assert_true(found.in_brackets);
}

static void test_resolution_zero_is_absent(void **state)
{
	struct found found = run(raw, "0");

	assert_int_equal(found.absent, LAUNCHES);
	assert_non_null(strstr(found.reason, "resolution of 0 ns"));
}

static void odd_commands(void *unused)
{
	struct tacho__times failed = {.code = TACHO__SLOT_FAILED, .vendor_code = -5};
	uint64_t now;

	sample_make_objects("1");
	for (int i = 0; i < 300; i++) {
		void *token = sample_launch();

		now = raw();
		sample_complete(token, now, now, now, now + 20000 - 20000);
	}
	sample_launch(); /* never ends */
	tacho__intercept_complete(sample_launch(), &failed);
	now = raw();
	sample_complete(sample_launch(), now, now - 5, now, now); /* submit before queued */
	now = raw();
	sample_complete(sample_launch(), now - 70000000, now, now, now); /* before its call */
}

static const struct {
	uint8_t code;
	bool is_untimed;
} absent[] = {
	{TACHO__SLOT_NO_PROFILING, false}, {TACHO__SLOT_FAILED, false},
	{TACHO__SLOT_NO_START, false},	   {TACHO__SLOT_NO_ROOM, true},
	{TACHO__SLOT_NO_CLOCK, true},	   {TACHO__SLOT_AT_ONCE, true},
	{TACHO__SLOT_INSIDE, true},	   {TACHO__SLOT_BY_TILE, true},
	{TACHO__SLOT_MIXED, false},	   {TACHO__SLOT_ODD, false},
	{TACHO__SLOT_BY_PARTS, true},
};

static void absent_commands(void *unused)
{
	(void)unused;
	sample_make_objects("1");
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(absent); i++) {
		const struct tacho__times times = {.code = absent[i].code};

		tacho__intercept_complete(sample_launch(), &times);
	}
}

/* Of those whose times nobody took none were refused; each has its reason. */
static void test_untimed_is_not_refused(void **state)
{
	char *path = sample_recording();
	struct tacho_recording *recording;
	struct tacho_cursor *cursor;
	struct tacho_summary *summary;
	const struct tacho_call *call;

	assert_int_equal(sample_run(path, absent_commands, NULL), 0);
	assert_int_equal(tacho_recording_open(path, &recording), 0);
	assert_int_equal(tacho_cursor_open(recording, &cursor), 0);
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(absent); i++) {
		assert_int_equal(tacho_cursor_next(cursor, &call), 1);
		assert_int_equal(call->command->state, TACHO_STATE_ABSENT);
		assert_int_equal(call->command->is_untimed, absent[i].is_untimed);
		assert_true(*call->command->reason);
	}
	tacho_cursor_close(cursor);
	assert_int_equal(tacho_summary_create(recording, &summary), 0);
	assert_int_equal(tacho_summary_get_totals(summary)->not_credible, 5);
	assert_int_equal(tacho_summary_get_totals(summary)->losses.untimed, 1);
	tacho_summary_destroy(summary);
	tacho_recording_close(recording);
	sample_remove(path);
}

static void test_each_command_is_judged(void **state)
{
	static const char *const reasons[] = {
		"its end was not seen before the program ended", "the command failed on the device",
		"the driver's times of this command are not in order",
		"the driver's times of this command lie outside of its call"};
	char *path = sample_recording();
	struct tacho_recording *recording;
	struct tacho_cursor *cursor;
	const struct tacho_call *call;

	assert_int_equal(sample_run(path, odd_commands, NULL), 0);
	assert_int_equal(tacho_recording_open(path, &recording), 0);
	assert_int_equal(tacho_cursor_open(recording, &cursor), 0);
	for (int i = 0; i < 304; i++) {
		assert_int_equal(tacho_cursor_next(cursor, &call), 1);
		if (i < 300)
			assert_int_equal(call->command->state, TACHO_STATE_OK);
		else
			assert_string_equal(call->command->reason, reasons[i - 300]);
		if (i == 300)
			assert_int_equal(call->command->state, TACHO_STATE_LOST);
	}
	tacho_cursor_close(cursor);
	tacho_recording_close(recording);
	sample_remove(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_monotonic_raw),
		cmocka_unit_test(test_realtime_rounded),
		cmocka_unit_test(test_own_clock_is_fitted),
		cmocka_unit_test(test_untimed_is_not_refused),
		cmocka_unit_test(test_made_up_times_are_absent),
		cmocka_unit_test(test_queued_together),
		cmocka_unit_test(test_resolution_zero_is_absent),
		cmocka_unit_test(test_each_command_is_judged),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
