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

#include "page_data.h"
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

/* The lane at this place, which must be of that sort and have that label. */
static const struct tacho__json *lane_at(const struct page_data *data, size_t index,
					 const char *kind, const char *label)
{
	const struct tacho__json *lane = page_lane(data, index);

	assert_string_equal(tacho__json_string(lane, "kind", ""), kind);
	assert_string_equal(tacho__json_string(lane, "label", ""), label);
	return lane;
}

/* Of the finest level of such a lane. */
static struct page_mark *marks_at(const struct page_data *data, size_t index, const char *label)
{
	size_t count;

	return page_marks(data, lane_at(data, index, "range", label), 0, &count);
}

static int64_t get_tint(const struct page_data *data, uint64_t name)
{
	const struct tacho__json *tint = tacho__json_get(data->json, "tints")->first;

	while (name--)
		tint = tint->next;
	return tint->integer;
}

static void test_lanes(void **state)
{
	char *page = export_page(sample_ranges());
	struct page_mark *marks;
	struct page_data data;

	page_data_read(&data, page);
	/* The first mark of all is a call at 100. */
	marks = marks_at(&data, 0, "ranges");
	assert_string_equal(page_name(&data, &marks[0]), "epoch");
	assert_int_equal(marks[0].start, 5000 - 100);
	assert_int_equal(marks[0].time, 144000);
	free(marks);
	marks = marks_at(&data, 1, "marks");
	assert_string_equal(page_name(&data, &marks[0]), "here");
	assert_int_equal(marks[0].time, 0);
	free(marks);
	marks = marks_at(&data, 2, "ranges of 4711");
	assert_string_equal(page_name(&data, &marks[0]), "frame 1");
	assert_string_equal(page_name(&data, &marks[1]), "io, all");
	assert_string_equal(page_text(&data, &marks[1]), "domain disk");
	free(marks);
	marks = marks_at(&data, 3, "level 2");
	assert_string_equal(page_name(&data, &marks[0]), "step <1>");
	assert_string_equal(page_text(&data, &marks[0]), "in frame 1");
	/* 0x336699, and one more */
	assert_int_equal(get_tint(&data, marks[0].name), 0x33669a);
	assert_int_equal(get_tint(&data, 0), 0);
	free(marks);
	lane_at(&data, 4, "thread", "thread 4711");
	marks = marks_at(&data, 5, "ranges of 501");
	assert_string_equal(page_text(&data, &marks[0]), "its end is not known");
	free(marks);
	lane_at(&data, 6, "queue", "queue 1");
	page_data_finish(&data);
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

/* More than is drawn at once: all are there, and merged levels count them too. */
static void test_many(void **state)
{
	enum { COUNT = 60000 };
	struct fake_recording recording = *sample_ranges();
	struct fake_range *ranges = calloc(COUNT, sizeof(*ranges));
	struct tacho_named_range *all = calloc(COUNT, sizeof(*all));
	const struct tacho__json *lane;
	struct page_mark *marks;
	struct page_data data;
	size_t count;
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
	page_data_read(&data, page);
	lane = lane_at(&data, 0, "range", "level 2");
	assert_int_equal(tacho__json_integer(lane, "total", 0), COUNT);
	assert_true(page_level_count(lane) > 1);
	marks = page_marks(&data, lane, 0, &count);
	assert_int_equal(count, COUNT);
	free(marks);
	marks = page_marks(&data, lane, page_level_count(lane) - 1, &count);
	assert_true(count < COUNT / 8);
	for (size_t i = 0; i < count; i++)
		total += marks[i].count;
	assert_int_equal(total, COUNT);
	free(marks);
	page_data_finish(&data);
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
