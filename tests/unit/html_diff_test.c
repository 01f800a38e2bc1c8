/* SPDX-License-Identifier: MIT */
/* The page of a comparison: both runs are in it, and names of others stay text. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "sample_recording.h"
#include "tacho/diff.h"
#include "tacho/error.h"

static int take(void *user, const void *bytes, size_t size)
{
	tacho__buf_add(user, bytes, size);
	return 0;
}

static char *make_page(struct fake_recording *a, struct fake_recording *b)
{
	struct tacho_recording *recordings[] = {fake_recording(a), fake_recording(b)};
	struct tacho__buf text = {0};
	const struct tacho_sink sink = {take, &text};
	struct tacho_diff *diff;

	assert_int_equal(tacho_diff_create(&recordings[0], 1, &recordings[1], 1, NULL, &diff), 0);
	assert_int_equal(tacho_diff_export_to(diff, &sink), 0);
	tacho_diff_destroy(diff);
	assert_false(text.failed);
	return text.text;
}

static void has(const char *page, const char *text)
{
	if (!strstr(page, text))
		fail_msg("the page lacks: %s", text);
}

static size_t count(const char *page, const char *text)
{
	size_t found = 0;

	for (; (page = strstr(page, text)); page++)
		found++;
	return found;
}

static void test_page(void **state)
{
	struct fake_recording slower = *sample_vadd();
	struct tacho_command command;
	struct fake_call calls[4];
	char *page;

	memcpy(calls, slower.calls, sizeof(calls));
	command = *calls[2].call.command;
	command.end_ns += 20000; /* the kernel takes 40 us, not 20 */
	calls[2].call.command = &command;
	slower.calls = calls;
	page = make_page(sample_vadd(), &slower);
	assert_memory_equal(page, "<!DOCTYPE html>\n", 16);
	assert_int_equal(count(page, "id=\"timeline-data-a\""), 1);
	assert_int_equal(count(page, "id=\"timeline-store-b\""), 1);
	has(page, "Not the same in A and B");
	has(page, "<li>sample.tacho: 2 calls not recorded");
	has(page, "<td class=\"num\" data-v=\"20000\">20.0 us</td>"
		  "<td class=\"num\" data-v=\"40000\">40.0 us</td>");
	has(page, "x 2</td>");
	/* one launch a side shows nothing */
	has(page, "too few</span>");
	free(page);
}

/* Whatever a program calls its kernels, and itself. */
static void test_hostile(void **state)
{
	static const char *const evil = "</script><script>alert(1)</script>\"'><img src=x "
					"onerror='alert(2)'>\xe2\x80\xa8\xe2\x80\xae\xff\033]0;x\a";
	struct fake_recording recording = *sample_vadd();
	struct tacho_command command;
	struct fake_object kernel;
	struct fake_call calls[4];
	char *page, *plain = make_page(sample_vadd(), sample_vadd());

	memcpy(calls, recording.calls, sizeof(calls));
	command = *calls[2].call.command;
	memcpy(&kernel, command.kernel, sizeof(kernel));
	kernel.object.name = evil;
	command.kernel = &kernel.object;
	calls[2].call.command = &command;
	recording.calls = calls;
	recording.run.application = evil;
	recording.run.arguments = evil;
	page = make_page(sample_vadd(), &recording);
	assert_int_equal(count(page, "<script"), count(plain, "<script"));
	assert_int_equal(count(page, "</script"), count(plain, "</script"));
	assert_int_equal(count(page, "<img"), 0);
	assert_int_equal(count(page, "\033"), 0);
	assert_int_equal(count(page, "\xe2\x80\xae"), 0);
	assert_int_equal(count(strstr(page, "id=\"timeline-data-a\""), "\xe2\x80\xa8"), 0);
	has(page, "&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&gt;&lt;img");
	has(page, "Arguments differ");
	free(page);
	free(plain);
}

static int refuse(void *user, const void *bytes, size_t size)
{
	return ENOSPC;
}

static void test_failures(void **state)
{
	struct tacho_recording *recording = fake_recording(sample_vadd());
	const struct tacho_sink full = {refuse, NULL};
	struct tacho_diff *diff;

	assert_int_equal(tacho_diff_create(&recording, 1, &recording, 1, NULL, &diff), 0);
	assert_int_equal(tacho_diff_export_to(diff, &full), TACHO_E_IO);
	assert_int_equal(tacho_diff_export_to(NULL, &full), TACHO_E_INVAL);
	assert_int_equal(tacho_diff_export_to(diff, NULL), TACHO_E_INVAL);
	tacho_diff_destroy(diff);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_page),
		cmocka_unit_test(test_hostile),
		cmocka_unit_test(test_failures),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
