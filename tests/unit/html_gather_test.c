/* SPDX-License-Identifier: MIT */
/* What a timeline is made of is read beside the summary, which it must not need: how much may be
 * told of calls turns out at the end, and the page is the same on one CPU. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/html/html.h"
#include "format/html/html_details.h"
#include "sample_recording.h"
#include "tacho/tacho.h"

enum { ASKED = 5000, LOW = 6000 };

/* One in three has nothing to say, and the last 2000 have not. */
static uint64_t fill(struct tacho__html_details *details)
{
	uint64_t refused = 0;
	uint32_t number;
	char text[64];

	for (uint32_t i = 0; i < ASKED; i++) {
		snprintf(text, sizeof(text), "%u %u", i * 2654435761u, i);
		if (!tacho__html_details_take_room(details))
			refused++;
		else
			assert_int_equal(
				tacho__html_details_add(
					details, i % 3 && i < ASKED - 2000 ? text : "", &number),
				0);
	}
	assert_int_equal(tacho__html_details_complete(details), 0);
	return refused;
}

/* To forget what is too much is as if it had been refused. */
static void check_cut(size_t limit)
{
	struct tacho__html_store stores[2] = {0};
	struct tacho__html_details low = {.store = &stores[0], .limit = limit};
	struct tacho__html_details high = {.store = &stores[1], .limit = SIZE_MAX};
	uint64_t refused = fill(&low);

	assert_int_equal(fill(&high), 0);
	assert_int_equal(tacho__html_details_cut(&high, limit), refused);
	assert_int_equal(high.count, low.count);
	assert_int_equal(high.piece_count, low.piece_count);
	assert_string_equal(tacho__buf_text(&stores[1].text), tacho__buf_text(&stores[0].text));
	tacho__html_details_finish(&low);
	tacho__html_details_finish(&high);
	tacho__html_store_finish(&stores[0]);
	tacho__html_store_finish(&stores[1]);
}

static void test_cut(void **state)
{
	check_cut(LOW);
	check_cut(2 * LOW);
	check_cut(20 * LOW); /* nothing to cut, or what has no text only */
}

static bool is_crowded(uint64_t calls)
{
	struct tacho__timeline *timeline;
	struct tacho_recording *recording = fake_recording(sample_vadd());
	struct tacho_cursor *cursor;
	const struct tacho_call *call;
	struct tacho_call many;
	bool is_crowded;

	assert_int_equal(tacho_cursor_open(recording, &cursor), 0);
	assert_int_equal(tacho__timeline_create(recording, calls, 1000000, &timeline), 0);
	assert_int_equal(tacho_cursor_next(cursor, &call), 1);
	assert_int_equal(tacho__timeline_add(timeline, cursor, call), 0);
	assert_false(tacho__timeline_is_crowded(timeline));
	many = *call;
	many.repeats = 3000000;
	assert_int_equal(tacho__timeline_add(timeline, cursor, &many), 0);
	is_crowded = tacho__timeline_is_crowded(timeline);
	tacho__timeline_destroy(timeline);
	tacho_cursor_close(cursor);
	return is_crowded;
}

static void test_crowded(void **state)
{
	assert_true(is_crowded(0));
	assert_true(is_crowded(2000000));
	assert_false(is_crowded(2000001));
}

static int gather(void *text, const void *bytes, size_t size)
{
	tacho__buf_add(text, bytes, size);
	return 0;
}

static char *make_page(struct fake_recording *recording)
{
	struct tacho__buf text = {0};
	const struct tacho_sink sink = {gather, &text};
	static const struct tacho_export_options options = {.size = sizeof(options), .partial = 1};

	assert_int_equal(
		tacho_recording_export_to(fake_recording(recording), "html", &sink, &options), 0);
	assert_false(text.failed);
	return text.text;
}

static void test_one_cpu(void **state)
{
	struct fake_recording *recordings[] = {sample_vadd(), sample_mixed(), sample_buffers()};
	cpu_set_t all, one;
	int cpu = 0;

	assert_int_equal(sched_getaffinity(0, sizeof(all), &all), 0);
	if (CPU_COUNT(&all) < 2)
		skip();
	while (!CPU_ISSET(cpu, &all))
		cpu++;
	CPU_ZERO(&one);
	CPU_SET(cpu, &one);
	for (size_t i = 0; i < sizeof(recordings) / sizeof(recordings[0]); i++) {
		char *several = make_page(recordings[i]), *alone;

		assert_int_equal(sched_setaffinity(0, sizeof(one), &one), 0);
		alone = make_page(recordings[i]);
		assert_int_equal(sched_setaffinity(0, sizeof(all), &all), 0);
		assert_string_equal(several, alone);
		free(several);
		free(alone);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cut),
		cmocka_unit_test(test_crowded),
		cmocka_unit_test(test_one_cpu),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
