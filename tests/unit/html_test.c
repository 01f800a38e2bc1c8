/* SPDX-License-Identifier: MIT */
/* The page: text is escaped for its place, numbers are in it, and its size has a limit. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <limits.h>
#include <stdbool.h>
#include <sys/stat.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/fs.h"
#include "base/sha256.h"
#include "format/html/html_lanes.h"
#include "format/html/html_text.h"
#include "page_data.h"
#include "rounds.h"
#include "sample_recording.h"
#include "tacho/tacho.h"
#include "test_folder.h"

/* ---- text ---- */

static const char *written(void (*put)(FILE *stream, const char *text), const char *text)
{
	static char buffer[512];
	FILE *stream = fmemopen(buffer, sizeof(buffer), "w");

	put(stream, text);
	fclose(stream);
	return buffer;
}

static void put_json(FILE *stream, const char *text)
{
	tacho__html_put_json(stream, text, 100);
}

/* The same text, whichever way it goes. */
static void add_json(FILE *stream, const char *text)
{
	struct tacho__buf buf = {0};

	tacho__html_add_json(&buf, text, 100);
	fputs(tacho__buf_text(&buf), stream);
	tacho__buf_finish(&buf);
}

static void put_five(FILE *stream, const char *text)
{
	tacho__html_put_short(stream, text, 5);
}

static void test_text(void **state)
{
	assert_string_equal(written(tacho__html_put_text, "a<b> & \"c\" 'd'"),
			    "a&lt;b&gt; &amp; &quot;c&quot; &#39;d&#39;");
	assert_string_equal(written(tacho__html_put_text, "\xc3\xa4 \xe2\x82\xac"),
			    "\xc3\xa4 \xe2\x82\xac");
	assert_string_equal(written(tacho__html_put_text, "\033[1m\n\x7f"), "\\x1b[1m\\n\\x7f");
	assert_string_equal(written(tacho__html_put_text, "\xff<\xc3"), "\\xff&lt;\\xc3");
	/* U+0085, U+202E */
	assert_string_equal(written(tacho__html_put_text, "\xc2\x85-\xe2\x80\xae"),
			    "\\u0085-\\u202e");
	assert_string_equal(written(put_five, "12345"), "12345");
	assert_string_equal(written(put_five, "123456"), "12345...");
	assert_string_equal(written(put_five, "1234\xc3\xa4"), "1234...");
}

static void test_script_text(void **state)
{
	static void (*const ways[])(FILE * stream, const char *text) = {put_json, add_json};
	char much[121] = "", cut[106];

	memset(much, 'a', 120);
	snprintf(cut, sizeof(cut), "\"%.100s...\"", much);
	for (size_t i = 0; i < 2; i++) {
		assert_string_equal(written(ways[i], "</script><!--"),
				    "\"\\u003c/script\\u003e\\u003c!--\"");
		assert_string_equal(written(ways[i], "a\"b\\c&'"), "\"a\\\"b\\\\c\\u0026'\"");
		assert_string_equal(written(ways[i], "\xe2\x80\xa8\xe2\x80\xa9"),
				    "\"\\\\u2028\\\\u2029\"");
		assert_string_equal(written(ways[i], much), cut);
		assert_string_equal(written(ways[i], ""), "\"\"");
	}
}

static void put_mixed(FILE *stream, const char *text)
{
	tacho__html_print(stream, "<i title=\"%s\">%u %llu %zu %d%%</i>", text, 7U, 1ULL << 40,
			  (size_t)9, -3);
}

static void test_print(void **state)
{
	assert_string_equal(written(put_mixed, "<\">"),
			    "<i title=\"&lt;&quot;&gt;\">7 1099511627776 9 -3%</i>");
}

/* ---- digests: the examples of FIPS 180-4 ---- */

static void test_digest(void **state)
{
	static const char two_blocks[] = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
	char text[TACHO__SHA256_BASE64_SIZE];
	uint8_t digest[TACHO__SHA256_SIZE];

	tacho__sha256("abc", 3, digest);
	assert_memory_equal(digest,
			    "\xba\x78\x16\xbf\x8f\x01\xcf\xea\x41\x41\x40\xde\x5d\xae\x22\x23"
			    "\xb0\x03\x61\xa3\x96\x17\x7a\x9c\xb4\x10\xff\x61\xf2\x00\x15\xad",
			    32);
	tacho__sha256(two_blocks, strlen(two_blocks), digest);
	assert_memory_equal(digest,
			    "\x24\x8d\x6a\x61\xd2\x06\x38\xb8\xe5\xc0\x26\x93\x0c\x3e\x60\x39"
			    "\xa3\x3c\xe4\x59\x64\xff\x21\x67\xf6\xec\xed\xd4\x19\xdb\x06\xc1",
			    32);
	tacho__sha256_base64("", 0, text);
	assert_string_equal(text, "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=");
}

/* ---- pages ---- */

static char *export_page(struct fake_recording *recording)
{
	static const struct tacho_export_options options = {.size = sizeof(options), .partial = 1};
	struct folder folder;
	char *text;

	folder_make(&folder);
	assert_int_equal(tacho_recording_export(fake_recording(recording), "html",
						folder_name(&folder, "x"), &options),
			 0);
	assert_int_equal(folder_count(&folder), 1);
	text = read_text(folder_name(&folder, "x.html"));
	assert_non_null(text);
	folder_remove(&folder);
	return text;
}

static void has(const char *page, const char *text)
{
	if (!strstr(page, text))
		fail_msg("the page lacks: %s", text);
}

static void has_not(const char *page, const char *text)
{
	if (strstr(page, text))
		fail_msg("the page has: %.200s", strstr(page, text));
}

static size_t count(const char *page, const char *text)
{
	size_t found = 0;

	for (; (page = strstr(page, text)); page++)
		found++;
	return found;
}

static void test_gaps(void **state)
{
	char *page = export_page(sample_gaps());

	has(page, "The recording is not whole");
	has(page, "<li data-loss=\"missing\"><strong>12</strong> calls in parts of files");
	has(page, "<li class=\"fault\">s/calls-1.bin cannot be read: Input/output error (errno 5), "
		  "4096 bytes, 12 calls</li>");
	has(page, "<li class=\"fault\">s/calls-2.bin is missing</li>");
	has(page, "Left out as asked</h2>");
	has(page, "<li><strong>30</strong> calls of clGetEventInfo</li>");
	has(page, "Not finished:");
	free(page);
}

static void test_page(void **state)
{
	char *page = export_page(sample_vadd());

	assert_memory_equal(page, "<!DOCTYPE html>\n", 16);
	has(page, "<title>vadd - tacho</title>");
	has(page, "<code>/home/u/vadd -n 1024</code>");
	has(page, "<dt>Exit status</dt><dd>0</dd>");
	/* two calls dropped; waits are no loss */
	has(page, "Not all was recorded");
	has(page, "<li data-loss=\"no_window\"><strong>2</strong> calls not recorded");
	assert_int_equal(count(page, "<li data-loss="), 1);
	/* wall 2 ms, busy 70 us */
	has(page, "<span class=\"value\">2.000 ms</span>");
	has(page, "<span class=\"value\">70.00 us</span> <small>3.5% of wall time");
	/* the kernel's line: base units beside those for people */
	has(page, "1 kernel, by device time, on gfx803</caption>");
	has(page, "<span class=\"name\">vadd</span></th>"
		  "<td class=\"num\" data-v=\"1\">1</td>"
		  "<td class=\"num\" data-v=\"20000\">20.0 us</td>");
	has(page, "<td class=\"num\" data-v=\"4096\">4.10 kB</td>");
	has(page, "half of them take at most 20.0 us");
	has(page, "tacho report sample.tacho --json");
	has(page, "cd /home/u &amp;&amp; tacho record -- /home/u/vadd -n 1024");
	has(page, "Every call and every command with known times is here as it was");
	/* nothing that could be loaded */
	has_not(page, "src=");
	has_not(page, "@import");
	has_not(page, "url(");
	has_not(page, " style=\"");
	free(page);
}

static void test_states(void **state)
{
	struct fake_recording recording = *sample_mixed();
	char *page;

	recording.processes = sample_mixed()->processes;
	page = export_page(&recording);
	has(page, "<dd>- <small>(not known");
	has(page, "<td class=\"num absent\" data-v=\"\" title=\"the driver counts 0, 1, 2, "
		  "3\">-</td>");
	has(page, "<li><b>-</b> 1 of 1 launches have no times: the driver counts 0, 1, 2, 3</li>");
	has(page, "<li data-loss=\"unfinished\"><strong>1</strong>");
	has(page, "<li data-loss=\"not_credible\"><strong>1</strong>");
	has(page, "Not drawn: 2 commands without credible times.");
	/* its arguments are for a shell to read: no command is made of them */
	has_not(page, "Record it again");
	free(page);
}

/* Whether that is said of some mark of a page. */
static bool is_told(const char *page, const char *text)
{
	struct page_data data;
	bool found = false;

	page_data_read(&data, page);
	for (const struct tacho__json *lane = page_lane(&data, 0); lane; lane = lane->next) {
		size_t marks_count;
		struct page_mark *marks = page_marks(&data, lane, 0, &marks_count);

		for (size_t i = 0; i < marks_count; i++)
			found |= strstr(page_text(&data, &marks[i]), text) != NULL;
		free(marks);
	}
	page_data_finish(&data);
	return found;
}

/* What ran as a whole has its kernels below its name; what has no times is not idle. */
static void test_command_buffers(void **state)
{
	char *page = export_page(sample_buffers());

	has(page, "<span class=\"name\">command buffer (3 kernels)</span>");
	has(page, "together only\">vadd: 6, scale: 3</small>");
	has(page, "<span class=\"name\">command buffer (contents not known)</span>");
	has(page, "9 of them in 4 command buffers");
	has(page, "<li data-loss=\"not_credible\"><strong>1</strong>");
	has(page, "1 of 4 commands have no times, so for 16.0 us it is not known whether it was "
		  "busy: the driver tells when it ended, but not when it began</li>");
	has(page, "at least; ");
	has(page, "not known</th>");
	assert_true(is_told(page, "vadd, scale, vadd"));
	has_not(page, "Nothing ran on");
	free(page);
}

/* The track of the counters: one launch, 1234 with its state and nothing with its. */
static void check_series(const char *page)
{
	struct page_data data;
	const struct tacho__json *series, *chunk;
	unsigned char *bytes;
	uint64_t value = 0;
	size_t size;

	page_data_read(&data, page);
	series = tacho__json_get(data.json, "series")->first;
	assert_string_equal(tacho__json_string(series, "kind", ""), "launches");
	assert_int_equal(tacho__json_integer(series, "rows", 0), 1);
	assert_int_equal(tacho__json_integer(series, "stride", 0), 1);
	chunk = tacho__json_get(series, "chunks")->first;
	for (int i = 0; i < 5; i++)
		chunk = i ? chunk->next : chunk->first;
	bytes = page_piece(&data, (size_t)chunk->next->integer, (size_t)chunk->next->next->integer,
			   1, &size);
	/* start, time (20,000 ns), call, name; then for each column a state and a double */
	assert_int_equal(size, 1 + 3 + 1 + 1 + 2 * 9);
	assert_memory_equal(bytes, "\x00\xa0\x9c\x01\x04", 5);
	assert_int_equal(bytes[6], TACHO_STATE_OK);
	for (int i = 0; i < 8; i++)
		value |= (uint64_t)bytes[7 + i] << 8 * i;
	assert_true(value == 0x4093480000000000); /* 1234.0 */
	assert_int_equal(bytes[15], TACHO_STATE_ABSENT);
	free(bytes);
	page_data_finish(&data);
}

static void test_counters(void **state)
{
	static const struct tacho_entry counters[] = {
		{.name = "Wavefronts",
		 .unit = "",
		 .description = "waves <launched>",
		 .group = "",
		 .semantic = "event",
		 .is_simulated = 1},
		{.name = "Hit",
		 .unit = "percent",
		 .description = "",
		 .group = "",
		 .semantic = "ratio",
		 .type = TACHO_TYPE_F64},
		{0},
	};
	static const struct fake_value values[] = {
		{.data.u64 = 1234, .state = TACHO_STATE_OK, .note = "", .coverage = 1},
		{.state = TACHO_STATE_ABSENT, .note = "another program counts", .coverage = 1},
	};
	static const struct fake_row row = {
		.values = values, .count = 2, .is_counted = 1, .note = ""};
	static const char *const ranges[] = {"step"};
	static const struct tacho_recorded_counting counting = {.device = "A GPU [simulated]",
								.pass_count = 2,
								.replay = TACHO_REPLAY_KERNEL,
								.ranges = ranges,
								.range_count = 1};
	struct fake_recording recording = *sample_vadd();
	struct fake_call calls[4];
	char *page;

	memcpy(calls, recording.calls, sizeof(calls));
	calls[2].values = &row;
	recording.calls = calls;
	recording.counters = counters;
	recording.counting = &counting;
	page = export_page(&recording);
	has(page, "title=\"waves &lt;launched&gt;; mean of a launch; on a simulated "
		  "device\">Wavefronts [simulated]</th>");
	has(page, "<td class=\"num\" data-v=\"1234\">1,234</td>"
		  "<td class=\"num absent\" data-v=\"\" title=\"another program counts\">-</td>"
		  "</tr>");
	has(page, "<li><b>Hit</b> another program counts</li>");
	has(page, "<small class=\"mark\">absent</small>");
	check_series(page);
	has(page, "Counters of <b>A GPU [simulated]</b> in 2 passes: each launch ran again");
	has(page, "tacho record -d &#39;A GPU [simulated]&#39; -m Wavefronts,Hit --range step -- "
		  "/home/u/vadd");
	free(page);
}

/* A failed call is an error with its place; what rules cannot judge is told too. */
static void test_findings(void **state)
{
	char *page = export_page(sample_mixed());

	has(page, "<details class=\"finding error\"><summary><b class=\"severity\">error</b>");
	has(page, "<li><code>clCreateContext</code>, process 9000, thread 9000");
	free(page);
}

/* vadd on gfx803: 5 vector and 9 scalar registers, no local memory, groups of 64. */
static void test_occupancy(void **state)
{
	struct fake_recording recording = *sample_vadd();
	struct tacho_blob blob = {.program = recording.calls[2].call.command->kernel->program,
				  .kind = "binary"};
	char path[PATH_MAX], *page = export_page(&recording);
	struct tacho__buf bytes = {0};

	has_not(page, "id=\"occupancy\"");
	free(page);
	snprintf(path, sizeof(path), "%s/tests/data/occupancy/gfx803-v4.o",
		 getenv("TACHO_SOURCE_ROOT"));
	assert_int_equal(tacho__fs_read(path, 1 << 20, &bytes), 0);
	blob.bytes = (const unsigned char *)bytes.text;
	blob.size = bytes.size;
	recording.blobs = &blob;
	recording.blob_count = 1;
	page = export_page(&recording);
	has(page, "<li><a href=\"#occupancy\">Occupancy</a></li>");
	free(page);
	/* kernels that ran as a whole: twice in each of three */
	recording = *sample_buffers();
	recording.blobs = &blob;
	recording.blob_count = 1;
	page = export_page(&recording);
	has(page, "<td>gfx803 CU</td><td class=\"num\" data-v=\"64\">64</td>"
		  "<td class=\"num\" data-v=\"6\">6</td>");
	free(page);
	recording = *sample_vadd();
	recording.blobs = &blob;
	recording.blob_count = 1;
	page = export_page(&recording);
	has(page, "<td>gfx803 CU</td><td class=\"num\" data-v=\"64\">64</td>"
		  "<td class=\"num\" data-v=\"1\">1</td>");
	has(page, "100%</td><td class=\"num\" data-v=\"40\">40 of 40</td>");
	has(page, "vadd in groups of 64: waves, if one need were another</summary>");
	has(page, "<figcaption>vector registers: 5, where 40 of 40 waves fit</figcaption>");
	has(page, "<td class=\"num\" data-v=\"5\">5</td><td class=\"num\" data-v=\"9\">9</td>"
		  "<td class=\"num\" data-v=\"0\">0 B</td>");
	free(page);
	tacho__buf_finish(&bytes);
}

/* Whatever a program calls its kernels and threads, it stays text. */
static void test_hostile(void **state)
{
	static const char *const evil = "</script><script>alert(1)</script>\"><img src=x "
					"onerror='alert(2)'>\xe2\x80\xa8\xff\033]0;x\a";
	struct fake_recording recording = *sample_vadd();
	struct fake_object kernel;
	struct fake_call calls[4];
	struct tacho_command command;
	struct fake_thread threads[] = {{4711, evil}, {0, NULL}};
	char *page, *plain;

	memcpy(calls, recording.calls, sizeof(calls));
	command = *calls[2].call.command;
	memcpy(&kernel, command.kernel, sizeof(kernel));
	kernel.object.name = evil;
	command.kernel = &kernel.object;
	calls[2].call.command = &command;
	calls[0].arguments[1] = evil;
	recording.calls = calls;
	recording.threads = threads;
	recording.run.application = evil;
	recording.run.host = evil;
	recording.run.arguments = "$(reboot)";
	plain = export_page(sample_vadd());
	page = export_page(&recording);
	/* as many as on any page */
	assert_int_equal(count(page, "<script"), count(plain, "<script"));
	assert_int_equal(count(page, "</script"), count(plain, "</script"));
	free(plain);
	has_not(page, "<img");
	has_not(strstr(page, "id=\"timeline-data\""), "\xe2\x80\xa8");
	has_not(page, "\033");
	has_not(page, "\xff");
	has_not(page, "Record it again");
	has(page, "&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;&quot;&gt;&lt;img");
	has(page, "\\u003c/script\\u003e");
	free(page);
}

/* ---- the timeline's data ---- */

static void test_data(void **state)
{
	char *page = export_page(sample_vadd());
	const struct tacho__json *lane;
	struct page_mark *marks;
	struct page_data data;
	size_t found;

	page_data_read(&data, page);
	lane = page_lane(&data, 0);
	/* the first call began 1.0001 ms after the run; all of it takes 149.9 us */
	assert_int_equal(tacho__json_integer(data.json, "zero", 0), -1000100);
	assert_int_equal(tacho__json_integer(data.json, "length", 0), 149900);
	assert_string_equal(tacho__json_string(lane, "kind", ""), "thread");
	assert_string_equal(tacho__json_string(lane, "group", ""), "vadd 4711");
	assert_int_equal(tacho__json_integer(lane, "total", 0), 4);
	assert_int_equal(page_level_count(lane), 1);
	marks = page_marks(&data, lane, 0, &found);
	assert_int_equal(found, 4);
	assert_int_equal(marks[0].start, 0);
	assert_int_equal(marks[1].start, 9900);
	assert_int_equal(marks[2].start, 99900);
	assert_int_equal(marks[3].time, 45000);
	assert_string_equal(page_text(&data, &marks[0]),
			    "(1, [0x7F1A2B3C4D50], NULL) = CL_SUCCESS");
	free(marks);
	lane = page_lane(&data, 1);
	assert_string_equal(tacho__json_string(lane, "kind", ""), "queue");
	assert_string_equal(tacho__json_string(lane, "group", ""), "gfx803");
	assert_string_equal(tacho__json_string(lane, "label", ""), "queue 1");
	marks = page_marks(&data, lane, 0, &found);
	assert_int_equal(marks[0].start, 29900);
	assert_int_equal(marks[1].wait, 19000);
	/* the second and the third call, counted from 0 */
	assert_int_equal(marks[0].call, 1);
	assert_int_equal(marks[1].call, 2);
	assert_int_equal(marks[0].bytes, 4096 + 1);
	assert_int_equal(marks[1].bytes, 0);
	assert_int_equal(marks[0].flags, TACHO__MARK_JOINED | TACHO__MARK_TRANSFER);
	assert_int_equal(marks[1].flags, TACHO__MARK_JOINED | TACHO__MARK_KERNEL);
	assert_string_equal(page_text(&data, &marks[1]), "global 1024, local 64, first launch");
	free(marks);
	assert_null(lane->next);
	page_data_finish(&data);
	free(page);
}

/* Every call is in a small page, at its time; coarser levels count them all too. */
static void test_many(void **state)
{
	struct fake_recording recording = *sample_vadd();
	const struct tacho__json *lane;
	struct page_mark *marks;
	struct page_data data;
	char *page;
	size_t found;

	recording.repeat = 50000;
	recording.shift_ns = 200000;
	page = export_page(&recording);
	assert_in_range(strlen(page), 200000, 4000000);
	has(page, "Every call and every command with known times is here as it was");
	has(page, "<span class=\"value\">200,000</span>");
	page_data_read(&data, page);
	lane = page_lane(&data, 0);
	assert_int_equal(tacho__json_integer(lane, "total", 0), 200000);
	marks = page_marks(&data, lane, 0, &found);
	assert_int_equal(found, 200000);
	for (size_t i = 0; i < found; i++) {
		assert_int_equal(marks[i].start, i / 4 * 200000 + marks[i % 4].start);
		assert_int_equal(marks[i].time, marks[i % 4].time);
		assert_int_equal(marks[i].call, i);
	}
	assert_string_equal(page_text(&data, &marks[found - 4]),
			    "(1, [0x7F1A2B3C4D50], NULL) = CL_SUCCESS");
	free(marks);
	for (size_t level = 1; level < page_level_count(lane); level++) {
		uint64_t calls = 0;

		marks = page_marks(&data, lane, level, &found);
		for (size_t i = 0; i < found; i++)
			calls += marks[i].count;
		assert_int_equal(calls, 200000);
		free(marks);
	}
	assert_true(found <= 12000);
	page_data_finish(&data);
	free(page);
}

/*
 * Beyond the bound short calls are merged, and the page says how many and below which time. There
 * is no smaller page that is beyond it: sanitizers take half a minute, and do it with TACHO_LONG=1.
 */
static void test_bound(void **state)
{
	struct fake_recording recording = *sample_vadd();
	char *page;

	if (!rounds_of(0, 1, 1))
		skip();
	recording.repeat = 420000;
	recording.shift_ns = 200000;
	page = export_page(&recording);
	assert_in_range(strlen(page), 1000000, 10000000);
	has(page, "calls and commands are shown merged below ");
	has(page, "<span class=\"value\">1,680,000</span>");
	free(page);
}

static void test_empty(void **state)
{
	struct fake_recording recording = *sample_vadd();
	char *page;

	recording.call_count = 0;
	recording.object_count = 0;
	recording.run.why_empty = "no process loaded <libOpenCL>";
	page = export_page(&recording);
	has(page, "<strong>No calls:</strong> no process loaded &lt;libOpenCL&gt;");
	has_not(page, "class=\"none\""); /* no tables without a row */
	has_not(page, "href=\"#kernels\"");
	has_not(page, "id=\"timeline");
	has(page, "<section id=\"totals\"");
	free(page);
}

/* The policy lets run what is in the page, and nothing else: the digests are those of its texts. */
static void test_policy(void **state)
{
	char *page = export_page(sample_vadd());
	char digest[TACHO__SHA256_BASE64_SIZE], expected[80];
	size_t texts = 0;

	has(page, "content=\"default-src 'none'; base-uri 'none'; form-action 'none'; style-src "
		  "'sha256-");
	has_not(page, "unsafe");
	for (const char *at = page; (at = strpbrk(at, "<")); at++) {
		if (strncmp(at, "<style>", 7) != 0 && strncmp(at, "<script>", 8) != 0)
			continue;
		at = strchr(at, '>') + 1;
		tacho__sha256_base64(at, (size_t)(strstr(at, "</s") - at), digest);
		snprintf(expected, sizeof(expected), "'sha256-%s'", digest);
		has(page, expected);
		texts++;
	}
	assert_int_equal(texts, count(page, "'sha256-"));
	free(page);
}

static void test_estimate(void **state)
{
	struct fake_recording *recordings[] = {sample_vadd(), sample_mixed(), sample_buffers()};

	for (size_t i = 0; i < sizeof(recordings) / sizeof(recordings[0]); i++) {
		char *page = export_page(recordings[i]);
		uint64_t bytes = 0;

		assert_int_equal(
			tacho_recording_estimate(fake_recording(recordings[i]), "html", &bytes), 0);
		assert_int_equal(bytes, strlen(page));
		free(page);
	}
}

/* ---- durations ---- */

static void test_durations(void **state)
{
	struct tacho_summary *summary;
	const uint64_t *bins;
	uint64_t sum = 0;

	for (size_t i = 0; i < 8; i++)
		assert_int_equal(tacho_duration_bin_start_ns(i), i);
	assert_int_equal(tacho_duration_bin_start_ns(52), 16384);
	assert_int_equal(tacho_duration_bin_start_ns(53), 20480);
	assert_true(tacho_duration_bin_start_ns(TACHO_DURATION_BINS - 1) == (uint64_t)7 << 61);
	assert_true(tacho_duration_bin_start_ns(TACHO_DURATION_BINS) == UINT64_MAX);
	assert_int_equal(tacho_summary_create(fake_recording(sample_vadd()), &summary), 0);
	bins = tacho_summary_get_durations(summary, TACHO_BY_KERNEL, 0);
	assert_int_equal(bins[52], 1); /* 20,000 ns */
	bins = tacho_summary_get_durations(summary, TACHO_BY_API, 0);
	for (size_t i = 0; i < TACHO_DURATION_BINS; i++)
		sum += bins[i];
	assert_int_equal(sum, tacho_summary_get_line(summary, TACHO_BY_API, 0)->measured);
	assert_null(tacho_summary_get_durations(summary, TACHO_BY_THREAD, 0));
	assert_null(tacho_summary_get_durations(summary, TACHO_BY_KERNEL, 1));
	tacho_summary_destroy(summary);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_text),	  cmocka_unit_test(test_script_text),
		cmocka_unit_test(test_print),	  cmocka_unit_test(test_digest),
		cmocka_unit_test(test_gaps),	  cmocka_unit_test(test_page),
		cmocka_unit_test(test_states),	  cmocka_unit_test(test_command_buffers),
		cmocka_unit_test(test_counters),  cmocka_unit_test(test_occupancy),
		cmocka_unit_test(test_findings),  cmocka_unit_test(test_hostile),
		cmocka_unit_test(test_data),	  cmocka_unit_test(test_many),
		cmocka_unit_test(test_bound),	  cmocka_unit_test(test_empty),
		cmocka_unit_test(test_policy),	  cmocka_unit_test(test_estimate),
		cmocka_unit_test(test_durations),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
