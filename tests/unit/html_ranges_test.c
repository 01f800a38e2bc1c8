/* SPDX-License-Identifier: MIT */
/* Named ranges on the page: which lane has which, in bounded numbers. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/json.h"
#include "sample_recording.h"
#include "tacho/tacho.h"
#include "test_folder.h"

static char *export_page(struct fake_recording *recording)
{
	struct folder folder;
	char *page;

	folder_make(&folder);
	assert_int_equal(tacho_recording_export(fake_recording(recording), "html",
						folder_name(&folder, "x"), NULL),
			 0);
	page = read_text(folder_name(&folder, "x.html"));
	folder_remove(&folder);
	assert_non_null(page);
	return page;
}

static struct tacho__json *read_data(struct tacho__arena *arena, const char *page)
{
	const char *start = strstr(page, "id=\"timeline-data\">"), *end;
	struct tacho__json *json = NULL;

	assert_non_null(start);
	start = strchr(start, '\n');
	end = strstr(start, "</script>");
	assert_int_equal(tacho__json_parse(arena, start, (size_t)(end - start), &json), 0);
	return json;
}

static int64_t number(const struct tacho__json *lane, const char *key, size_t index)
{
	const struct tacho__json *item = tacho__json_get(lane, key)->first;

	while (index--)
		item = item->next;
	return item->integer;
}

static const char *name(const struct tacho__json *data, const struct tacho__json *lane,
			size_t index)
{
	const struct tacho__json *item = tacho__json_get(data, "names")->first;

	for (int64_t i = number(lane, "name", index); i > 0; i--)
		item = item->next;
	return item->string;
}

/* The lane at this place, which must be of that sort and have that label. */
static const struct tacho__json *lane_at(const struct tacho__json *data, size_t index,
					 const char *kind, const char *label)
{
	const struct tacho__json *lane = tacho__json_get(data, "lanes")->first;

	while (index--)
		lane = lane->next;
	assert_string_equal(tacho__json_string(lane, "kind", ""), kind);
	assert_string_equal(tacho__json_string(lane, "label", ""), label);
	return lane;
}

static void test_lanes(void **state)
{
	struct tacho__arena arena = {0};
	char *page = export_page(sample_ranges());
	const struct tacho__json *data = read_data(&arena, page), *lane;

	/* The first mark of all is a call at 100. */
	lane = lane_at(data, 0, "range", "ranges");
	assert_string_equal(name(data, lane, 0), "epoch");
	assert_int_equal(number(lane, "start", 0), 5000 - 100);
	assert_int_equal(number(lane, "time", 0), 144000);
	assert_null(tacho__json_get(lane, "call"));
	lane = lane_at(data, 1, "range", "marks");
	assert_string_equal(name(data, lane, 0), "here");
	assert_int_equal(number(lane, "time", 0), 0);
	lane = lane_at(data, 2, "range", "ranges of 4711");
	assert_string_equal(name(data, lane, 0), "frame 1");
	assert_string_equal(name(data, lane, 1), "io, all");
	assert_string_equal(tacho__json_get(lane, "text")->first->next->string, "domain disk");
	lane = lane_at(data, 3, "range", "level 2");
	assert_string_equal(name(data, lane, 0), "step <1>");
	assert_string_equal(tacho__json_get(lane, "text")->first->string, "in frame 1");
	/* 0x336699, and one more */
	assert_int_equal(number(data, "tints", (size_t)number(lane, "name", 0)), 0x33669a);
	assert_int_equal(number(data, "tints", 0), 0);
	lane_at(data, 4, "thread", "thread 4711");
	lane = lane_at(data, 5, "range", "ranges of 501");
	assert_string_equal(tacho__json_get(lane, "text")->first->string, "its end is not known");
	lane_at(data, 6, "queue", "queue 1");
	tacho__arena_finish(&arena);
	free(page);
	page = export_page(sample_vadd());
	assert_null(strstr(page, "\"tints\""));
	assert_null(strstr(page, "\"range\",\"group\""));
	free(page);
}

/* The row of that name: its cells in base units, "-" for what is not known. */
static const char *row(const char *page, const char *name)
{
	static char found[256];
	char start[80];
	const char *at, *end;

	found[0] = '\0';
	at = strstr(page, "<section id=\"ranges\"");
	assert_non_null(at);
	snprintf(start, sizeof(start), "<span class=\"name\">%s</span>", name);
	at = strstr(at, start);
	assert_non_null(at);
	end = strstr(at, "</tr>");
	while ((at = strstr(at, "<td")) && at < end) {
		const char *value = strstr(at, "data-v=\"");
		bool is_here = value && value < strchr(at, '>');
		const char *text = is_here ? value + 8 : strchr(at, '>') + 1;

		snprintf(found + strlen(found), sizeof(found) - strlen(found), "%.*s|",
			 (int)strcspn(text, is_here ? "\"" : "<"), text);
		at++;
	}
	return found;
}

static void test_table(void **state)
{
	char *page = export_page(sample_ranges());

	assert_non_null(strstr(page, "<a href=\"#ranges\">Ranges</a>"));
	/* domain, count, total, own, average, min, max, launches, on devices */
	assert_string_equal(row(page, "frame 1"), "|1|52000|47000|52000|52000|52000|1|20000|");
	assert_string_equal(row(page, "frame 1/step &lt;1&gt;"),
			    "|1|5000|5000|5000|5000|5000|1|20000|");
	assert_string_equal(row(page, "io, all"), "disk|1|47800|47800|47800|47800|47800|0|0|");
	assert_string_equal(row(page, "epoch"), "|1|144000|144000|144000|144000|144000|1|70000|");
	assert_non_null(strstr(page, "a mark is a moment"));
	free(page);
	page = export_page(sample_vadd());
	assert_null(strstr(page, "id=\"ranges\""));
	free(page);
}

/* More than can be drawn: merged, and the page says so. */
static void test_many(void **state)
{
	enum { COUNT = 60000 };
	struct fake_recording recording = *sample_ranges();
	struct fake_range *ranges = calloc(COUNT, sizeof(*ranges));
	struct tacho_named_range *all = calloc(COUNT, sizeof(*all));
	const struct tacho__json *lane;
	struct tacho__arena arena = {0};
	uint64_t total = 0;
	char *page;

	assert_non_null(ranges);
	assert_non_null(all);
	for (size_t i = 0; i < COUNT; i++) {
		all[i] = *recording.ranges[0].range;
		all[i].id = i + 1;
		all[i].start_ns += i;
		all[i].end_ns = all[i].start_ns + 1;
		ranges[i] = (struct fake_range){&all[i], 4};
	}
	recording.ranges = ranges;
	recording.range_count = COUNT;
	page = export_page(&recording);
	lane = lane_at(read_data(&arena, page), 0, "range", "level 2");
	assert_int_equal(tacho__json_integer(lane, "total", 0), COUNT);
	assert_true(tacho__json_integer(lane, "cell", 0) > 0);
	for (const struct tacho__json *count = tacho__json_get(lane, "count")->first; count;
	     count = count->next)
		total += (uint64_t)count->integer;
	assert_int_equal(total, COUNT);
	assert_non_null(strstr(page, "1 of 3 lanes hold more than a page can"));
	assert_true(strlen(page) < 300000);
	tacho__arena_finish(&arena);
	free(ranges);
	free(all);
	free(page);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lanes),
		cmocka_unit_test(test_table),
		cmocka_unit_test(test_many),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
