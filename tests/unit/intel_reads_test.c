/* SPDX-License-Identifier: MIT */
/* What drivers of Intel's OA unit answer and give to read, without a session. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/intel/uapi.h"
#include "intel_fake.h"
#include "tacho/error.h"

static struct intel_fake fake;

/* A GPU and a stream of it, without a session. */
struct direct {
	struct tacho__arena arena;
	const struct tacho__intel_card *cards;
	struct tacho__intel_gpu gpu;
	struct tacho__intel_stream stream;
};

static void open_direct(struct direct *direct, enum tacho_oa_driver driver, uint64_t config)
{
	static char sysroot[8192];
	size_t count;

	snprintf(sysroot, sizeof(sysroot), "%s/",
		 intel_fake_path(driver == TACHO_OA_XE ? "xe" : "i915"));
	memset(direct, 0, sizeof(*direct));
	intel_fake_served = intel_fake_system(&fake);
	assert_int_equal(tacho__intel_list_cards(&direct->arena, sysroot, &direct->cards, &count),
			 0);
	assert_int_equal(count, 1);
	assert_int_equal(tacho__intel_gpu_open(&direct->arena, sysroot, direct->cards,
					       &intel_fake_served, &direct->gpu),
			 0);
	if (!config)
		return;
	assert_int_equal(tacho__intel_stream_open(&direct->gpu, config, 5000000, &direct->stream),
			 0);
	assert_int_equal(tacho__intel_stream_enable(&direct->stream), 0);
}

static void close_direct(struct direct *direct)
{
	if (direct->stream.buffer)
		tacho__intel_stream_close(&direct->stream);
	tacho__intel_gpu_close(&direct->gpu);
	tacho__arena_finish(&direct->arena);
	assert_false(fake.has_stream);
	assert_false(fake.has_node);
	intel_fake_finish(&fake);
}

/* Without revision 5 the period of looking for reports cannot be chosen; 0: it is not told. */
static void test_old_kernel(void **state)
{
	struct direct direct;

	(void)state;
	for (int revision = 0; revision <= 6; revision++) {
		intel_fake_init(&fake, TACHO_OA_I915);
		fake.revision = revision;
		open_direct(&direct, TACHO_OA_I915, 1);
		assert_int_equal(fake.properties >> TACHO__I915_PROPERTY_POLL_PERIOD & 1,
				 revision >= 5);
		close_direct(&direct);
	}
}

/* Answers that are said to be longer than the room for them are not believed. */
static void test_long_answers(void **state)
{
	const struct tacho__intel_card *cards;
	struct tacho__arena arena = {0};
	struct tacho__intel_gpu gpu;
	struct direct direct;
	char sysroot[8192];
	size_t count;

	(void)state;
	intel_fake_init(&fake, TACHO_OA_I915);
	fake.lies = true;
	open_direct(&direct, TACHO_OA_I915, 0);
	assert_int_equal(direct.gpu.topology.size, 0);
	close_direct(&direct);

	intel_fake_init(&fake, TACHO_OA_XE);
	fake.lies = true;
	intel_fake_served = intel_fake_system(&fake);
	snprintf(sysroot, sizeof(sysroot), "%s/", intel_fake_path("xe"));
	assert_int_equal(tacho__intel_list_cards(&arena, sysroot, &cards, &count), 0);
	assert_int_equal(tacho__intel_gpu_open(&arena, sysroot, cards, &intel_fake_served, &gpu),
			 TACHO_E_UNSUPPORTED);
	assert_non_null(strstr(tacho_error_last()->message, "the OA units"));
	assert_false(fake.has_node);
	tacho__arena_finish(&arena);
	intel_fake_finish(&fake);
}

static uint32_t next_ticks(struct direct *direct)
{
	struct tacho_oa_record record;
	uint32_t ticks;

	assert_int_equal(tacho__intel_stream_next(&direct->stream, 0, &record), 1);
	assert_int_equal(record.kind, TACHO_OA_REPORT);
	memcpy(&ticks, record.bytes + 4, sizeof(ticks));
	return ticks;
}

/* Signals, nothing yet, one record a read, records of kinds that nobody knows. */
static void test_reads(void **state)
{
	struct tacho_oa_record record;
	struct tacho_oa_report report = {.id = 1u << 19};
	struct direct direct;

	(void)state;
	intel_fake_init(&fake, TACHO_OA_I915);
	open_direct(&direct, TACHO_OA_I915, 1);
	assert_int_equal(fake.exponent, 15); /* 5.24288 ms */
	assert_int_equal(direct.stream.period_ns, 5242880);
	assert_int_equal(tacho__intel_stream_next(&direct.stream, 0, &record), 0);
	for (uint32_t i = 1; i <= 3; i++) {
		report.values[0] = i;
		intel_fake_put(&fake, direct.gpu.format, &report);
	}
	intel_fake_put_record(&fake, 99, NULL, 0);
	intel_fake_put_record(&fake, TACHO__I915_RECORD_REPORT_LOST, NULL, 0);
	fake.read_max = 300; /* room for one */
	fake.read_error = EINTR;
	assert_int_equal(tacho__intel_stream_next(&direct.stream, 0, &record), 0);
	fake.read_error = EAGAIN;
	assert_int_equal(tacho__intel_stream_next(&direct.stream, 0, &record), 0);
	for (uint32_t i = 1; i <= 3; i++)
		assert_int_equal(next_ticks(&direct), i);
	assert_int_equal(tacho__intel_stream_next(&direct.stream, 100, &record), 1);
	assert_int_equal(record.kind, TACHO_OA_REPORT_LOST);
	assert_int_equal(direct.stream.odd_count, 1);
	fake.read_error = EIO;
	assert_int_equal(tacho__intel_stream_next(&direct.stream, 0, &record), TACHO_E_IO);
	fake.read_error = ENOSPC;
	assert_int_equal(tacho__intel_stream_next(&direct.stream, 0, &record), TACHO_E_IO);
	fake.read_error = ENODEV;
	assert_int_equal(tacho__intel_stream_next(&direct.stream, 0, &record), TACHO_E_LOST);
	close_direct(&direct);
}

/* A record whose size is wrong ends the stream. */
static void test_bad_record(void **state)
{
	struct tacho_oa_record record;
	struct direct direct;

	(void)state;
	intel_fake_init(&fake, TACHO_OA_I915);
	open_direct(&direct, TACHO_OA_I915, 1);
	direct.stream.size = 8;
	memcpy(direct.stream.buffer, "\1\0\0\0\0\0\0\0", 8);
	assert_int_equal(tacho__intel_stream_next(&direct.stream, 0, &record), TACHO_E_IO);
	direct.stream.at = 0;
	memcpy(direct.stream.buffer, "\1\0\0\0\0\0\11\0", 8);
	assert_int_equal(tacho__intel_stream_next(&direct.stream, 0, &record), TACHO_E_IO);
	close_direct(&direct);
}

static void test_clock(void **state)
{
	uint64_t cpu_ns = 0, ticks = 0;
	struct direct direct;

	(void)state;
	intel_fake_init(&fake, TACHO_OA_I915);
	open_direct(&direct, TACHO_OA_I915, 0);
	assert_int_equal(tacho__intel_gpu_get_clock(&direct.gpu, &cpu_ns, &ticks), 0);
	assert_int_equal(ticks, 123456789);
	assert_true(cpu_ns > 0);
	close_direct(&direct);

	intel_fake_init(&fake, TACHO_OA_XE);
	open_direct(&direct, TACHO_OA_XE, 0);
	assert_int_equal(direct.gpu.device.timestamp_frequency_hz, 19200000);
	assert_int_equal(direct.gpu.unit.id, 3);
	assert_int_equal(direct.gpu.device.revision, 4);
	assert_int_equal(direct.gpu.topology.eu_count, 16);
	assert_int_equal(direct.gpu.topology.subslice_count, 2);
	assert_int_equal(tacho__intel_gpu_get_clock(&direct.gpu, &cpu_ns, &ticks), 0);
	assert_int_equal(cpu_ns, 77);
	assert_int_equal(ticks, 123456789);
	close_direct(&direct);
}

/* xe has no records, and may give a part of a report; its status says what was lost. */
static void test_xe_reads(void **state)
{
	struct tacho_oa_report report = {.id = 1u << 19};
	struct tacho_oa_record record;
	struct direct direct;
	uint64_t ticks;

	(void)state;
	intel_fake_init(&fake, TACHO_OA_XE);
	open_direct(&direct, TACHO_OA_XE, 1);
	for (uint32_t i = 1; i <= 2; i++) {
		report.values[0] = i;
		intel_fake_put(&fake, direct.gpu.format, &report);
	}
	fake.read_max = 400; /* 576 bytes are a report */
	assert_int_equal(tacho__intel_stream_next(&direct.stream, 0, &record), 0);
	for (uint32_t i = 1; i <= 2; i++) {
		assert_int_equal(tacho__intel_stream_next(&direct.stream, 100, &record), 1);
		memcpy(&ticks, record.bytes + 8, sizeof(ticks));
		assert_int_equal(ticks, i);
	}
	fake.xe_status = TACHO__XE_STATUS_REPORT_LOST;
	assert_int_equal(tacho__intel_stream_next(&direct.stream, 0, &record), 1);
	assert_int_equal(record.kind, TACHO_OA_REPORT_LOST);
	fake.xe_status = TACHO__XE_STATUS_REPORT_LOST | TACHO__XE_STATUS_BUFFER_OVERFLOW;
	assert_int_equal(tacho__intel_stream_next(&direct.stream, 0, &record), 1);
	assert_int_equal(record.kind, TACHO_OA_BUFFER_LOST);
	fake.read_error = EIO;
	assert_int_equal(tacho__intel_stream_next(&direct.stream, 0, &record), TACHO_E_IO);
	close_direct(&direct);
}

/* A sample that has no whole report is a lost one; what a longer one has behind it is not its. */
static void test_sizes(void **state)
{
	struct tacho_oa_record record;
	uint8_t bytes[264] = {[4] = 9};
	struct direct direct;

	(void)state;
	intel_fake_init(&fake, TACHO_OA_I915);
	open_direct(&direct, TACHO_OA_I915, 1);
	intel_fake_put_record(&fake, TACHO__I915_RECORD_SAMPLE, bytes, 255);
	intel_fake_put_record(&fake, TACHO__I915_RECORD_SAMPLE, bytes, 264);
	assert_int_equal(tacho__intel_stream_next(&direct.stream, 0, &record), 1);
	assert_int_equal(record.kind, TACHO_OA_REPORT_LOST);
	assert_int_equal(tacho__intel_stream_next(&direct.stream, 0, &record), 1);
	assert_int_equal(record.kind, TACHO_OA_REPORT);
	assert_int_equal(record.size, 256);
	assert_int_equal(record.bytes[4], 9);
	assert_int_equal(direct.stream.odd_count, 0);
	close_direct(&direct);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_old_kernel), cmocka_unit_test(test_long_answers),
		cmocka_unit_test(test_reads),	   cmocka_unit_test(test_sizes),
		cmocka_unit_test(test_bad_record), cmocka_unit_test(test_clock),
		cmocka_unit_test(test_xe_reads),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
