/* SPDX-License-Identifier: MIT */
/* Several threads read one recording at the same time, each with a cursor of its own. */
#include "sample_api.h"

#include <pthread.h>

#include "base/buf.h"

enum { CALLS = 3000, READERS = 4 };

struct reader {
	struct tacho_recording *recording;
	struct tacho__buf text;
	int rc;
};

static void call_often(void *unused)
{
	for (uint64_t i = 0; i < CALLS; i++)
		sample_poke(i % 7, i, i % 100 ? 0 : -5);
}

/* All that a cursor says of calls, a line each. */
static void *read_all(void *user)
{
	struct reader *reader = user;
	const struct tacho_call *call;
	struct tacho_cursor *cursor;

	reader->rc = tacho_cursor_open(reader->recording, &cursor);
	if (reader->rc)
		return NULL;
	while ((reader->rc = tacho_cursor_next(cursor, &call)) == 1)
		tacho__buf_printf(&reader->text, "%llu %s(%s) = %s\n",
				  (unsigned long long)call->index, call->function->name,
				  tacho_cursor_format_arguments(cursor, ","), call->result);
	tacho_cursor_close(cursor);
	return NULL;
}

/* Their first cursors open at once, too: the clocks are looked for by one of them. */
static void test_threads_read_the_same(void **state)
{
	struct reader readers[READERS] = {0}, alone = {0};
	struct tacho_recording *recording;
	struct tacho_reading reading = {0};
	pthread_t threads[READERS];
	char *path = sample_recording();

	assert_int_equal(sample_run(path, call_often, NULL), 0);
	assert_int_equal(tacho_recording_open(path, &recording), 0);
	for (int i = 0; i < READERS; i++) {
		readers[i].recording = recording;
		assert_int_equal(pthread_create(&threads[i], NULL, read_all, &readers[i]), 0);
	}
	for (int i = 0; i < READERS; i++)
		assert_int_equal(pthread_join(threads[i], NULL), 0);
	alone.recording = recording;
	read_all(&alone);
	assert_int_equal(alone.rc, 0);
	assert_non_null(strstr(tacho__buf_text(&alone.text), "2999 poke(0x3,2999) = OK\n"));
	assert_non_null(strstr(tacho__buf_text(&alone.text), "2900 poke(0x2,2900) = OUT_OF_LUCK"));
	for (int i = 0; i < READERS; i++) {
		assert_int_equal(readers[i].rc, 0);
		assert_string_equal(tacho__buf_text(&readers[i].text),
				    tacho__buf_text(&alone.text));
		tacho__buf_finish(&readers[i].text);
	}
	tacho__buf_finish(&alone.text);
	/* Once for the clocks, once each, and all that a cursor needs has been read. */
	tacho_recording_get_reading(recording, &reading);
	assert_int_equal(reading.times, 1 + READERS + 1);
	assert_true(reading.bytes && reading.bytes <= reading.all_bytes);
	tacho_recording_close(recording);
	sample_remove(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_threads_read_the_same),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
