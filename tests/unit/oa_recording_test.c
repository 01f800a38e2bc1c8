/* SPDX-License-Identifier: MIT */
/* Recordings of Intel's OA unit: read from bytes made by hand, whole and damaged, and written. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "base/array.h"
#include "tacho/error.h"

#include "oa_file.h"

static struct tacho_oa_recording *open_good(const struct file *file)
{
	struct tacho_oa_recording *recording;

	assert_int_equal(open_file(file, &recording), 0);
	return recording;
}

static void expect_report(struct tacho_oa_recording *recording, uint64_t ticks, uint64_t cpu_ns,
			  enum tacho_oa_time time)
{
	struct tacho_oa_record record;

	assert_int_equal(tacho_oa_recording_next(recording, &record), 1);
	assert_int_equal(record.kind, TACHO_OA_REPORT);
	assert_int_equal(record.size, REPORT_BYTES);
	assert_int_equal(record.gpu_ticks, ticks);
	assert_int_equal(record.time, time);
	if (time != TACHO_OA_TIME_UNKNOWN)
		assert_int_equal(record.cpu_ns, cpu_ns);
}

static void expect_end(struct tacho_oa_recording *recording)
{
	struct tacho_oa_record record;

	assert_int_equal(tacho_oa_recording_next(recording, &record), 0);
	assert_int_equal(tacho_oa_recording_next(recording, &record), 0);
	tacho_oa_recording_close(recording);
}

static void test_head(void **state)
{
	static struct file file;
	const struct tacho_oa_topology *topology;
	const struct tacho_oa_device *device;
	struct tacho_oa_recording *recording;

	put_head(&file);
	recording = open_good(&file);
	device = tacho_oa_recording_get_device(recording);
	assert_int_equal(device->driver, TACHO_OA_I915);
	assert_int_equal(device->timestamp_frequency_hz, 12500000);
	assert_int_equal(device->device_id, 0x22b1);
	assert_int_equal(device->revision, 33);
	assert_int_equal(device->min_frequency_hz, 300000000);
	assert_int_equal(device->max_frequency_hz, 600000000);
	assert_int_equal(device->format, 10);
	assert_string_equal(device->set_name, "RenderBasic");
	assert_string_equal(device->set_guid, "9d8a3af5-c02c-4a4a-b947-f1672469e0fb");
	topology = tacho_oa_recording_get_topology(recording);
	assert_int_equal(topology->slice_count, 1);
	assert_int_equal(topology->subslice_count, 2);
	assert_int_equal(topology->eu_count, 16);
	assert_int_equal(topology->slice_mask, 1);
	assert_true(tacho_oa_topology_has_subslice(topology, 0, 1));
	assert_false(tacho_oa_topology_has_subslice(topology, 0, 2));
	assert_false(tacho_oa_topology_has_subslice(topology, 1, 0));
	expect_end(recording);
}

/* 2000 ns in 100 ticks. */
static void test_between_pairs(void **state)
{
	static struct file file;
	struct tacho_oa_recording *recording;

	put_head(&file);
	put_report(&file, 90); /* before the first pair: as in a dump of a circular buffer */
	put_pair(&file, 1000, 100);
	put_report(&file, 100);
	put_report(&file, 151);
	put_pair(&file, 3000, 200);
	put_report(&file, 250);
	recording = open_good(&file);
	expect_report(recording, 90, 800, TACHO_OA_TIME_EXTRAPOLATED);
	expect_report(recording, 100, 1000, TACHO_OA_TIME_INTERPOLATED);
	expect_report(recording, 151, 2020, TACHO_OA_TIME_INTERPOLATED);
	expect_report(recording, 250, 4000, TACHO_OA_TIME_EXTRAPOLATED);
	assert_int_equal(tacho_oa_recording_get_counts(recording)->reports, 4);
	assert_int_equal(tacho_oa_recording_get_counts(recording)->correlations, 2);
	expect_end(recording);
}

/* With one pair the recorded frequency counts: 80 ns a tick. */
static void test_few_pairs(void **state)
{
	static struct file one, none;
	struct tacho_oa_recording *recording;

	put_head(&one);
	put_pair(&one, 1000000, 1000);
	put_report(&one, 2000);
	put_report(&one, 500);
	recording = open_good(&one);
	expect_report(recording, 2000, 1080000, TACHO_OA_TIME_EXTRAPOLATED);
	expect_report(recording, 500, 960000, TACHO_OA_TIME_EXTRAPOLATED);
	expect_end(recording);

	put_head(&none);
	put_report(&none, 2000);
	recording = open_good(&none);
	expect_report(recording, 2000, 0, TACHO_OA_TIME_UNKNOWN);
	expect_end(recording);
}

/* 30 minutes at 12.5 MHz: the reports' 32 bits run over five times, the register not. */
static void test_wraps(void **state)
{
	static struct file file;
	struct tacho_oa_recording *recording;
	const uint64_t step = 12500000ull * 60, first = 0xfff00000;

	put_head(&file);
	put_pair(&file, 1000000000, first);
	for (uint64_t i = 1; i <= 30; i++) {
		put_report(&file, (uint32_t)(first + i * step - step / 2));
		put_pair(&file, 1000000000 + i * 60000000000, first + i * step);
	}
	recording = open_good(&file);
	for (uint64_t i = 1; i <= 30; i++)
		expect_report(recording, first + i * step - step / 2,
			      1000000000 + i * 60000000000 - 30000000000,
			      TACHO_OA_TIME_INTERPOLATED);
	expect_end(recording);
}

/* Registers that run over themselves, after 32 bits or 36; and no pairs at all. */
static void test_register_wraps(void **state)
{
	static const uint64_t sizes[] = {1ull << 32, 1ull << 36};
	static struct file files[3];
	struct tacho_oa_recording *recording;

	for (size_t i = 0; i < 2; i++) {
		put_head(&files[i]);
		put_pair(&files[i], 1000, sizes[i] - 100);
		put_report(&files[i], (uint32_t)(sizes[i] - 50));
		put_report(&files[i], 0);
		put_report(&files[i], 50);
		put_pair(&files[i], 17000, 100); /* 200 ticks of 80 ns */
		recording = open_good(&files[i]);
		expect_report(recording, sizes[i] - 50, 5000, TACHO_OA_TIME_INTERPOLATED);
		expect_report(recording, sizes[i], 9000, TACHO_OA_TIME_INTERPOLATED);
		expect_report(recording, sizes[i] + 50, 13000, TACHO_OA_TIME_INTERPOLATED);
		expect_end(recording);
	}
	put_head(&files[2]);
	put_report(&files[2], 0xffffff00);
	put_report(&files[2], 0x10);
	put_report(&files[2], 0x08); /* out of order */
	recording = open_good(&files[2]);
	expect_report(recording, 0xffffff00, 0, TACHO_OA_TIME_UNKNOWN);
	expect_report(recording, 0x100000010, 0, TACHO_OA_TIME_UNKNOWN);
	expect_report(recording, 0x100000008, 0, TACHO_OA_TIME_UNKNOWN);
	expect_end(recording);
}

/* No report for 400 s, longer than 32 bits of ticks: the pairs know. */
static void test_pause(void **state)
{
	static struct file file;
	struct tacho_oa_recording *recording;
	const uint64_t later = 1000 + 400 * 12500000ull;

	put_head(&file);
	put_pair(&file, 1000, 1000);
	put_report(&file, 2000);
	put_pair(&file, 1000 + 400 * 1000000000ull, later);
	put_report(&file, (uint32_t)(later + 500));
	recording = open_good(&file);
	expect_report(recording, 2000, 81000, TACHO_OA_TIME_INTERPOLATED);
	expect_report(recording, later + 500, 400000041000, TACHO_OA_TIME_EXTRAPOLATED);
	expect_end(recording);
}

static void test_odd_pairs(void **state)
{
	static struct file file;
	struct tacho_oa_recording *recording;

	put_head(&file);
	put_pair(&file, 1000, 100);
	put_pair(&file, 900, 120); /* the CPU's clock goes back */
	put_report(&file, 150);
	put_pair(&file, 2000, 90); /* the GPU's does, and not because it ran over */
	put_pair(&file, 3000, 200);
	recording = open_good(&file);
	expect_report(recording, 150, 2000, TACHO_OA_TIME_INTERPOLATED);
	assert_int_equal(tacho_oa_recording_get_counts(recording)->odd_correlations, 2);
	expect_end(recording);
}

static void test_lost(void **state)
{
	static struct file file;
	struct tacho_oa_recording *recording;
	struct tacho_oa_record record;

	put_head(&file);
	put_record(&file, 2, NULL, 0);
	put_record(&file, 77, "what is this", 12);
	put_record(&file, 3, NULL, 0);
	recording = open_good(&file);
	assert_int_equal(tacho_oa_recording_next(recording, &record), 1);
	assert_int_equal(record.kind, TACHO_OA_REPORT_LOST);
	assert_int_equal(record.offset, 16 + 344 + 32);
	assert_int_equal(tacho_oa_recording_next(recording, &record), 1);
	assert_int_equal(record.kind, TACHO_OA_BUFFER_LOST);
	assert_int_equal(tacho_oa_recording_get_counts(recording)->reports_lost, 1);
	assert_int_equal(tacho_oa_recording_get_counts(recording)->buffers_lost, 1);
	assert_int_equal(tacho_oa_recording_get_counts(recording)->unknown, 1);
	expect_end(recording);
}

/* The xe driver's recorder: other numbers, and reports with headers of 64-bit values. */
static void test_xe(void **state)
{
	static struct file file;
	struct tacho_oa_recording *recording;
	struct tacho_oa_record record;
	uint64_t report[576 / 8] = {1u << 19, 0x1150};
	const uint64_t pair[2][2] = {{1000, 0x1100}, {2000, 0x1200}};

	put_version(&file, 4, 1);
	put_device(&file, 5, 0x64a0, 11, "TestOa", "");
	put_topology(&file, 6);
	put_record(&file, 7, pair[0], sizeof(pair[0]));
	put_record(&file, 1, report, sizeof(report));
	put_record(&file, 7, pair[1], sizeof(pair[1]));
	recording = open_good(&file);
	assert_int_equal(tacho_oa_recording_get_device(recording)->driver, TACHO_OA_XE);
	assert_int_equal(tacho_oa_recording_get_topology(recording)->eu_count, 16);
	assert_int_equal(tacho_oa_recording_next(recording, &record), 1);
	assert_int_equal(record.size, sizeof(report));
	assert_int_equal(record.gpu_ticks, 0x1150);
	assert_int_equal(record.cpu_ns, 1312); /* 1000 + 1000 * 0x50 / 0x100 */
	expect_end(recording);
}

/* Opens a recording that is no good from the start. */
static void expect_refusal(const struct file *file, int code, const char *cause)
{
	struct tacho_oa_recording *recording;

	assert_int_equal(open_file(file, &recording), code);
	assert_non_null(strstr(tacho_error_last()->cause, cause));
}

static void test_refusals(void **state)
{
	static struct file files[6];
	static const uint8_t wide_topology[24] = {0, 0, 1, 0, 2, 0, 8, 0, 1, 0, 1, 0, 2, 0, 100};

	expect_refusal(&files[0], TACHO_E_PARSE, "it is empty");
	put(&files[1], "not a recording at all", 22);
	expect_refusal(&files[1], TACHO_E_PARSE, "does not begin with a version");
	put_version(&files[2], 65536, 2);
	expect_refusal(&files[2], TACHO_E_VERSION, "version 2 at byte 0");
	put_version(&files[3], 65536, 1);
	put_report(&files[3], 5);
	expect_refusal(&files[3], TACHO_E_PARSE, "before the description of the device");
	put_version(&files[4], 65536, 1);
	put_record(&files[4], 65537, wide_topology, sizeof(wide_topology));
	expect_refusal(&files[4], TACHO_E_PARSE, "24 bytes, not 336");
	put_version(&files[5], 65536, 1);
	put_device(&files[5], 65537, 0x22b1, 10, "", "");
	put_record(&files[5], 65538, wide_topology, sizeof(wide_topology));
	expect_refusal(&files[5], TACHO_E_PARSE, "masks do not fit");
	assert_non_null(strstr(tacho_error_last()->message, "a.rec is malformed at byte 360"));
}

/* What follows two reports, and what is said about it. */
static void expect_damage(const struct file *tail, const char *cause)
{
	static struct file file;
	struct tacho_oa_recording *recording;
	struct tacho_oa_record record;

	file.size = 0;
	put_head(&file);
	put_pair(&file, 1000, 100);
	put_report(&file, 110);
	put_report(&file, 120);
	put(&file, tail->bytes, tail->size);
	recording = open_good(&file);
	expect_report(recording, 110, 1800, TACHO_OA_TIME_EXTRAPOLATED);
	expect_report(recording, 120, 2600, TACHO_OA_TIME_EXTRAPOLATED);
	assert_int_equal(tacho_oa_recording_next(recording, &record), TACHO_E_PARSE);
	assert_non_null(strstr(tacho_error_last()->message, "malformed at byte 944"));
	assert_non_null(strstr(tacho_error_last()->cause, cause));
	assert_int_equal(tacho_oa_recording_next(recording, &record), TACHO_E_PARSE);
	tacho_oa_recording_close(recording);
}

static void test_damage(void **state)
{
	static const uint8_t no_size[16] = {1}, cut[100] = {1, 0, 0, 0, 0, 0, 8, 1};
	static struct file tails[6];

	put(&tails[0], no_size, sizeof(no_size));
	expect_damage(&tails[0], "size is 0");
	put(&tails[1], no_size, 5);
	expect_damage(&tails[1], "ends after 5 of a record's first 8 bytes");
	put(&tails[2], cut, sizeof(cut));
	expect_damage(&tails[2], "ends after 100 of the record's 264 bytes");
	put_record(&tails[3], 1, cut, sizeof(cut));
	expect_damage(&tails[3], "a report of 100 bytes, and those before have 256");
	put_record(&tails[4], 65539, cut, 12);
	expect_damage(&tails[4], "12 bytes, not 16");
	put_record(&tails[5], 65536, cut, 2);
	expect_damage(&tails[5], "the version has 2 bytes");
}

/* Whatever the file is cut to, what is whole is delivered. */
static void test_prefixes(void **state)
{
	static struct file file, part;
	struct tacho_oa_recording *recording;
	struct tacho_oa_record record;

	put_head(&file);
	put_pair(&file, 1000, 100);
	for (uint32_t i = 0; i < 4; i++)
		put_report(&file, 110 + i);
	put_pair(&file, 2000, 200);
	for (part.size = 1; part.size < file.size; part.size++) {
		size_t whole = part.size < 416 ? 0 : (part.size - 416) / 264, count = 0;
		int rc, is_cut;

		memcpy(part.bytes, file.bytes, part.size);
		if (open_file(&part, &recording) != 0) {
			assert_int_equal(whole, 0);
			continue;
		}
		while ((rc = tacho_oa_recording_next(recording, &record)) == 1)
			count++;
		assert_int_equal(count, whole < 4 ? whole : 4);
		/* records end at 360, 392 and 416, and then each 264 bytes */
		is_cut = part.size != 360 && part.size != 392 &&
			 (part.size < 416 || (part.size - 416) % 264);
		assert_int_equal(rc, is_cut ? TACHO_E_PARSE : 0);
		tacho_oa_recording_close(recording);
	}
}

static void test_writing(void **state)
{
	static struct file file;
	struct tacho_oa_device device = {.timestamp_frequency_hz = 12500000,
					 .device_id = 0x22b1,
					 .revision = 33,
					 .min_frequency_hz = 300000000,
					 .max_frequency_hz = 600000000,
					 .format = 10,
					 .set_name = "RenderBasic",
					 .set_guid = "9d8a3af5-c02c-4a4a-b947-f1672469e0fb"};
	/* 20 bytes: padded to 24 */
	static const uint8_t topology[20] = {0, 0, 1, 0, 2, 0, 8, 0, 1,	   0,
					     1, 0, 2, 0, 1, 0, 1, 3, 0xff, 0xff};
	uint32_t report[REPORT_BYTES / 4] = {1u << 19, 110};
	size_t size;
	char *text;
	FILE *stream = open_memstream(&text, &size);

	put_head(&file);
	put_pair(&file, 1000, 100);
	put_report(&file, 110);
	put_record(&file, 2, NULL, 0);
	put_record(&file, 3, NULL, 0);
	assert_int_equal(tacho_oa_recording_write_head(stream, &device, topology, sizeof(topology)),
			 0);
	assert_int_equal(tacho_oa_recording_write_correlation(stream, TACHO_OA_I915, 1000, 100), 0);
	assert_int_equal(tacho_oa_recording_write_report(stream, report, sizeof(report)), 0);
	assert_int_equal(tacho_oa_recording_write_lost(stream, TACHO_OA_REPORT_LOST), 0);
	assert_int_equal(tacho_oa_recording_write_lost(stream, TACHO_OA_BUFFER_LOST), 0);
	fclose(stream);
	assert_int_equal(size, file.size);
	assert_memory_equal(text, file.bytes, size);
	free(text);
	assert_int_equal(tacho_oa_recording_write_report(stdout, report, 65536), TACHO_E_INVAL);
	assert_int_equal(tacho_oa_recording_write_lost(stdout, TACHO_OA_REPORT), TACHO_E_INVAL);
}

/* xe's recorder numbers its own records otherwise, and knows formats by other numbers. */
static void test_writing_xe(void **state)
{
	static struct file file;
	const struct tacho_oa_device device = {.driver = TACHO_OA_XE,
					       .timestamp_frequency_hz = 12500000,
					       .device_id = 0x64a0,
					       .revision = 33,
					       .min_frequency_hz = 300000000,
					       .max_frequency_hz = 600000000,
					       .format = 11,
					       .set_name = "TestOa"};
	static const uint8_t topology[20] = {0, 0, 1, 0, 2, 0, 8, 0, 1,	   0,
					     1, 0, 2, 0, 1, 0, 1, 3, 0xff, 0xff};
	const uint64_t report[576 / 8] = {1u << 19, 0x1150}, pair[2] = {1000, 0x1100};
	size_t size;
	char *text;
	FILE *stream = open_memstream(&text, &size);

	put_version(&file, 4, 1);
	put_device(&file, 5, 0x64a0, 11, "TestOa", "");
	put_topology(&file, 6);
	put_record(&file, 7, pair, sizeof(pair));
	put_record(&file, 1, report, sizeof(report));
	put_record(&file, 3, NULL, 0);
	assert_int_equal(tacho_oa_recording_write_head(stream, &device, topology, sizeof(topology)),
			 0);
	assert_int_equal(tacho_oa_recording_write_correlation(stream, TACHO_OA_XE, 1000, 0x1100),
			 0);
	assert_int_equal(tacho_oa_recording_write_report(stream, report, sizeof(report)), 0);
	assert_int_equal(tacho_oa_recording_write_lost(stream, TACHO_OA_BUFFER_LOST), 0);
	fclose(stream);
	assert_int_equal(size, file.size);
	assert_memory_equal(text, file.bytes, size);
	free(text);
}

static void write_much(int fd)
{
	static struct file file;
	FILE *stream = fdopen(fd, "w");

	put_head(&file);
	fwrite(file.bytes, 1, file.size, stream);
	for (uint32_t i = 0; i < 1000000; i++) {
		file.size = 0;
		put_report(&file, i);
		fwrite(file.bytes, 1, file.size, stream);
	}
	fclose(stream);
}

/* 264 MB through a pipe, with no pair to end the waiting. */
static void test_constant_memory(void **state)
{
	struct tacho_oa_recording *recording;
	struct tacho_oa_record record;
	struct rusage before, after;
	uint64_t count = 0;
	int ends[2], rc;
	pid_t child;

	assert_int_equal(pipe(ends), 0);
	child = fork();
	if (!child) {
		write_much(ends[1]);
		_exit(0);
	}
	close(ends[1]);
	getrusage(RUSAGE_SELF, &before);
	assert_int_equal(tacho_oa_recording_open_fd(ends[0], "pipe", &recording), 0);
	while ((rc = tacho_oa_recording_next(recording, &record)) == 1)
		assert_int_equal(record.gpu_ticks, count++);
	assert_int_equal(rc, 0);
	assert_int_equal(count, 1000000);
	tacho_oa_recording_close(recording);
	getrusage(RUSAGE_SELF, &after);
#if !defined(__SANITIZE_THREAD__) /* its own memory grows with all that is touched */
	assert_true(after.ru_maxrss - before.ru_maxrss < 160 * 1024);
#endif
	close(ends[0]);
	waitpid(child, NULL, 0);
}

static void test_is(void **state)
{
	static const uint8_t i915[8] = {0, 0, 1, 0, 0, 0, 16}, xe[8] = {4, 0, 0, 0, 0, 0, 16};

	assert_true(tacho_oa_recording_is(i915, sizeof(i915)));
	assert_true(tacho_oa_recording_is(xe, sizeof(xe)));
	assert_false(tacho_oa_recording_is(i915, 7));
	assert_false(tacho_oa_recording_is((const uint8_t *)"\0\0\10\0\1\0\0\0", 8));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_head),
		cmocka_unit_test(test_between_pairs),
		cmocka_unit_test(test_few_pairs),
		cmocka_unit_test(test_wraps),
		cmocka_unit_test(test_register_wraps),
		cmocka_unit_test(test_pause),
		cmocka_unit_test(test_odd_pairs),
		cmocka_unit_test(test_lost),
		cmocka_unit_test(test_xe),
		cmocka_unit_test(test_refusals),
		cmocka_unit_test(test_damage),
		cmocka_unit_test(test_prefixes),
		cmocka_unit_test(test_writing),
		cmocka_unit_test(test_writing_xe),
		cmocka_unit_test(test_constant_memory),
		cmocka_unit_test(test_is),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
