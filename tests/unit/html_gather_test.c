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

static uint32_t tell(struct tacho__html_details *details, const char *text)
{
	const struct tacho__html_key key = {.bytes = text, .size = strlen(text)};
	uint32_t number = 77;

	if (!tacho__html_details_find(details, &key, &number))
		assert_int_equal(tacho__html_details_add(details, &key, text, &number), 0);
	return number;
}

/* As many as find room, each told twice, and "", which needs none. */
static void fill(struct tacho__html_details *details)
{
	char text[64];

	for (uint32_t i = 0; i < ASKED && tacho__html_details_have_room(details); i++) {
		uint32_t number;

		snprintf(text, sizeof(text), "%u %u", i * 2654435761u, i);
		number = tell(details, text);
		assert_int_equal(number, i + 1);
		assert_int_equal(tell(details, ""), 0);
		assert_int_equal(tell(details, text), number);
	}
	assert_int_equal(tacho__html_details_complete(details), 0);
}

/* To forget what is too much is as if there had been no room for it. */
static void check_cut(size_t limit)
{
	struct tacho__html_store stores[2] = {0};
	struct tacho__html_details low = {.store = &stores[0], .limit = limit};
	struct tacho__html_details high = {.store = &stores[1], .limit = SIZE_MAX};

	fill(&low);
	fill(&high);
	assert_int_equal(high.count, ASKED);
	tacho__html_details_cut(&high, limit);
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
	check_cut(20 * LOW); /* nothing to cut */
}

/* ---- what was told before ---- */

static struct tacho__html_key key_of(uint64_t of, const char *bytes, size_t size)
{
	return (struct tacho__html_key){.of = of, .bytes = bytes, .size = size};
}

static void test_known(void **state)
{
	struct tacho__html_known known = {0};
	char longest[TACHO__HTML_KNOWN_BYTES + 1] = "abcdefgh";
	const struct tacho__html_key keys[] = {
		key_of(0, "", 0),
		key_of(1, "", 0),
		key_of(1, "abcdefgh1", 9),
		key_of(1, "abcdefgh2", 9),
		key_of(1, "abcdefgh", 8),
		key_of(0, "abcdefgh", 8),
		key_of(1, "abcdefgh\0", 9), /* as zeros stand behind the end elsewhere */
		key_of(1, longest, sizeof(longest) - 1),
	};
	const struct tacho__html_key too_long = key_of(1, longest, sizeof(longest));
	const size_t count = sizeof(keys) / sizeof(keys[0]);
	uint32_t number;

	assert_false(tacho__html_known_find(&known, &keys[0], &number));
	for (uint32_t i = 0; i < count; i++) {
		assert_false(tacho__html_known_find(&known, &keys[i], &number));
		assert_int_equal(tacho__html_known_add(&known, &keys[i], i), 0);
	}
	for (uint32_t i = 0; i < count; i++) {
		assert_true(tacho__html_known_find(&known, &keys[i], &number));
		assert_int_equal(number, i);
	}
	assert_int_equal(tacho__html_known_add(&known, &too_long, 9), 0);
	assert_false(tacho__html_known_find(&known, &too_long, &number));
	tacho__html_known_finish(&known);
}

/* More than it holds: some are forgotten, none is taken for another one, and the last are there. */
static void test_known_many(void **state)
{
	enum { MANY = 200000 };
	struct tacho__html_known known = {0};
	uint32_t number, found = 0;

	for (uint32_t i = 0; i < MANY; i++) {
		const struct tacho__html_key key = {.bytes = &i, .size = sizeof(i)};

		assert_int_equal(tacho__html_known_add(&known, &key, i), 0);
		assert_true(tacho__html_known_find(&known, &key, &number));
		assert_int_equal(number, i);
	}
	for (uint32_t i = 0; i < MANY; i++) {
		const struct tacho__html_key key = {.bytes = &i, .size = sizeof(i)};

		if (!tacho__html_known_find(&known, &key, &number))
			continue;
		assert_int_equal(number, i);
		found++;
	}
	assert_in_range(found, 16384, 32768);
	tacho__html_known_finish(&known);
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
		cmocka_unit_test(test_cut),	   cmocka_unit_test(test_known),
		cmocka_unit_test(test_known_many), cmocka_unit_test(test_crowded),
		cmocka_unit_test(test_one_cpu),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
