/* SPDX-License-Identifier: MIT */
/* Reports of a GPU into a recording and back, in every format that its driver can be asked for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "backend/intel/uapi.h"
#include "base/array.h"
#include "intel_fake.h"
#include "session/session.h"
#include "tacho/error.h"
#include "tacho/session.h"
#include "tacho/sys/oa_metrics.h"
#include "tacho/sys/oa_stream.h"

static struct intel_fake fake;

struct world {
	struct tacho__backend backend;
	const struct tacho__backend *table[2];
	struct tacho_context *context;
	struct tacho_device *device;
	const char *set; /* NULL: the first one */
};

/* The GPU of the folder `tree` in tests/data/intel. One that lies answers wrongly. */
static void open_lying_world(struct world *world, enum tacho_oa_driver driver, const char *tree,
			     bool lies)
{
	char sysroot[4096], definition[4096];
	const char *definitions[] = {definition}, *root = getenv("TACHO_SOURCE_ROOT");
	const struct tacho_catalog_options catalog = {
		.size = sizeof(catalog), .definitions = definitions, .definition_count = 1};
	const struct tacho_context_options options = {
		.size = sizeof(options), .catalog = &catalog, .sysroot = sysroot};

	memset(world, 0, sizeof(*world));
	intel_fake_init(&fake, driver);
	fake.lies = lies;
	intel_fake_served = intel_fake_system(&fake);
	world->backend = tacho__backend_intel;
	world->backend.probe = intel_fake_probe;
	world->backend.open = intel_fake_open;
	world->table[0] = &world->backend;
	snprintf(sysroot, sizeof(sysroot), "%s/tests/data/intel/%s", root, tree);
	snprintf(definition, sizeof(definition), "%s/tests/data/intel/lnl.xml", root);
	assert_int_equal(tacho__context_create(&options, world->table, &world->context), 0);
	assert_int_equal(tacho_device_open(world->context,
					   tacho_context_get_device_info(world->context, 0),
					   &world->device),
			 0);
}

static void open_world(struct world *world, enum tacho_oa_driver driver, const char *tree)
{
	open_lying_world(world, driver, tree, false);
}

static void close_world(struct world *world)
{
	tacho_device_close(world->device);
	tacho_context_destroy(world->context);
	/* Nothing stays behind. */
	assert_false(fake.has_stream);
	assert_false(fake.has_node);
	assert_int_equal(fake.configs_added, fake.configs_removed);
	intel_fake_finish(&fake);
}

static int open_stream(struct world *world, const char *format, struct tacho_oa_stream **out_stream)
{
	const struct tacho_oa_stream_options options = {
		.period_ns = 1000000, .format = format, .set = world->set};

	return tacho_oa_stream_open(world->device, &options, out_stream);
}

static void write_pair(FILE *file, struct tacho_oa_stream *stream, uint64_t cpu_ns)
{
	uint64_t own_ns, ticks;

	assert_int_equal(tacho_oa_stream_get_clock(stream, &own_ns, &ticks), 0);
	assert_int_equal(tacho_oa_recording_write_correlation(
				 file, tacho_oa_stream_get_device(stream)->driver, cpu_ns, ticks),
			 0);
}

/* All that has come, as tacho oa record writes it; the pairs are 1 ms apart. */
static int record(struct tacho_oa_stream *stream)
{
	const struct tacho_oa_topology *topology = tacho_oa_stream_get_topology(stream);
	int fd = memfd_create("recording", MFD_CLOEXEC), rc;
	FILE *file = fdopen(dup(fd), "w");
	struct tacho_oa_record next;

	assert_int_equal(tacho_oa_recording_write_head(file, tacho_oa_stream_get_device(stream),
						       topology->bytes, topology->size),
			 0);
	write_pair(file, stream, 1000000);
	while ((rc = tacho_oa_stream_next(stream, 0, &next)) > 0) {
		if (next.kind == TACHO_OA_REPORT)
			rc = tacho_oa_recording_write_report(file, next.bytes, next.size);
		else
			rc = tacho_oa_recording_write_lost(file, next.kind);
		assert_int_equal(rc, 0);
	}
	assert_int_equal(rc, 0);
	fake.clock_ticks += fake.timestamp_hz / 1000;
	write_pair(file, stream, 2000000);
	fclose(file);
	assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
	return fd;
}

/* Each value another one, as wide as it can be. */
static void fill(const struct tacho_oa_format *format, uint64_t ticks,
		 struct tacho_oa_report *out_report)
{
	struct tacho_oa_counter counter;

	*out_report = (struct tacho_oa_report){.id = TACHO_OA_REASON_TIMER << 19, .context = 7};
	for (size_t i = 0; i < format->value_count; i++) {
		assert_int_equal(tacho_oa_format_get_counter(format, i, &counter), 0);
		if (counter.width_bits)
			out_report->values[i] = (UINT64_C(0x9e3779b97f4a7c15) * (i + 1)) >>
						(64 - counter.width_bits);
	}
	out_report->values[0] = ticks;
}

static void expect_recorded(int fd, enum tacho_oa_driver driver, uint32_t number,
			    const struct tacho_oa_format *format,
			    const struct tacho_oa_report *expected)
{
	struct tacho_oa_recording *recording;
	const struct tacho_oa_device *device;
	struct tacho_oa_report report;
	struct tacho_oa_record next;

	assert_int_equal(tacho_oa_recording_open_fd(fd, "a.rec", &recording), 0);
	device = tacho_oa_recording_get_device(recording);
	assert_int_equal(device->driver, driver);
	assert_int_equal(device->format, number);
	assert_ptr_equal(tacho_oa_device_get_format(device, format->gen_last), format);
	assert_int_equal(tacho_oa_recording_get_topology(recording)->eu_count, 16);
	assert_int_equal(tacho_oa_recording_next(recording, &next), 1);
	assert_int_equal(next.kind, TACHO_OA_REPORT);
	assert_int_equal(next.time, TACHO_OA_TIME_INTERPOLATED);
	assert_int_equal(next.gpu_ticks, expected->values[0]);
	assert_int_equal(tacho_oa_report_decode(format, next.bytes, next.size, &report), 0);
	assert_int_equal(report.id, expected->id);
	assert_int_equal(report.context, expected->context);
	assert_memory_equal(report.values, expected->values,
			    format->value_count * sizeof(*report.values));
	assert_int_equal(tacho_oa_recording_next(recording, &next), 0);
	assert_int_equal(tacho_oa_recording_get_counts(recording)->correlations, 2);
	tacho_oa_recording_close(recording);
	close(fd);
}

/*
 * Xe2's formats: the property that asks for one, as include/uapi/drm/xe_drm.h packs it; the number
 * that recordings have for it, from IGT; the timestamp's frequency of the unit that writes it.
 */
static void test_xe_formats(void **state)
{
	static const struct {
		const char *name;
		uint64_t property;
		uint32_t number, size, timestamp_hz;
	} formats[] = {
		{NULL, 0x00010105, 11, 576, 19200000},
		{"PEC64u64", 0x00010105, 11, 576, 19200000},
		{"PEC64u64_B8_C8", 0x01010105, 12, 640, 19200000},
		{"PEC64u32", 0x00000105, 13, 320, 19200000},
		{"PEC32u64_G1", 0x00010505, 14, 320, 19200000},
		{"PEC32u32_G1", 0x00000505, 15, 192, 19200000},
		{"PEC32u64_G2", 0x00010605, 16, 320, 19200000},
		{"PEC32u32_G2", 0x00000605, 17, 192, 19200000},
		{"PEC36u64_G1_32_G2_4", 0x00010305, 18, 320, 19200000},
		{"PEC36u64_G1_4_G2_32", 0x00010405, 19, 320, 19200000},
		{"oam_mpec8u64_b8_c8", 0x00000104, 9, 192, 24000000},
		{"OAM_MPEC8u32_B8_C8", 0x00000204, 10, 128, 24000000},
	};
	const struct tacho_oa_format *format;
	struct tacho_oa_stream *stream;
	struct tacho_oa_report report;
	struct world world;

	(void)state;
	open_world(&world, TACHO_OA_XE, "xe");
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(formats); i++) {
		const struct tacho_oa_device *device;

		assert_int_equal(open_stream(&world, formats[i].name, &stream), 0);
		assert_int_equal(fake.format, formats[i].property);
		assert_int_equal(fake.report_size, formats[i].size);
		device = tacho_oa_stream_get_device(stream);
		assert_int_equal(device->timestamp_frequency_hz, formats[i].timestamp_hz);
		assert_int_equal(device->engine_class, formats[i].timestamp_hz == 24000000 ? 2 : 4);
		assert_int_equal(
			tacho_oa_format_find(formats[i].name ? formats[i].name : "PEC64u64",
					     TACHO_OA_XE2, &format),
			0);
		fill(format, fake.clock_ticks + 100, &report);
		intel_fake_put(&fake, format, &report);
		expect_recorded(record(stream), TACHO_OA_XE, formats[i].number, format, &report);
		tacho_oa_stream_close(stream);
	}
	close_world(&world);
}

static void test_i915_formats(void **state)
{
	static const struct {
		const char *name;
		uint32_t number, size;
	} formats[] = {
		{NULL, 10, 256},
		{"C4_B8", 7, 64},
		{"A12", 8, 64},
		{"A12_B8_C8", 9, 128},
		{"A32u40_A4u32_B8_C8", 10, 256},
	};
	const struct tacho_oa_format *format;
	struct tacho_oa_stream *stream;
	struct tacho_oa_report report;
	struct world world;

	(void)state;
	open_world(&world, TACHO_OA_I915, "i915");
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(formats); i++) {
		assert_int_equal(open_stream(&world, formats[i].name, &stream), 0);
		assert_int_equal(fake.report_size, formats[i].size);
		format = tacho_oa_format_find_i915(formats[i].number, TACHO_OA_GEN8);
		fill(format, fake.clock_ticks + 100, &report);
		intel_fake_put(&fake, format, &report);
		expect_recorded(record(stream), TACHO_OA_I915, formats[i].number, format, &report);
		tacho_oa_stream_close(stream);
	}
	close_world(&world);
}

/* What was counted comes out of the recording again, with what was lost. */
static void test_metrics(void **state)
{
	char definition[4096];
	const char *definitions[] = {definition};
	const struct tacho_catalog_options catalog_options = {.size = sizeof(catalog_options),
							      .arch = "lnl",
							      .api = "oa",
							      .definitions = definitions,
							      .definition_count = 1,
							      .no_environment = 1};
	struct tacho_oa_metrics_options options = {.names = "GpuTime,EventsPerEu",
						   .cut = TACHO_OA_CUT_REPORT};
	const struct tacho_oa_format *format = tacho_oa_format_get_usual(TACHO_OA_XE2);
	int pec3 = tacho_oa_format_find_counter(format, "PEC3"), fd;
	struct tacho_oa_report report = {.id = TACHO_OA_REASON_TIMER << 19, .context = 7};
	struct tacho_oa_recording *recording;
	struct tacho_oa_metrics *metrics;
	struct tacho_catalog *catalog;
	struct tacho_oa_stream *stream;
	struct tacho_oa_batch batch;
	struct world world;

	(void)state;
	open_world(&world, TACHO_OA_XE, "xe");
	world.set = "Tiny";
	assert_int_equal(open_stream(&world, NULL, &stream), 0);
	for (int i = 0; i < 3; i++) {
		report.values[0] = fake.clock_ticks + 1920 * (uint64_t)i;
		report.values[pec3] += 1600 * (uint64_t)i;
		intel_fake_put(&fake, format, &report);
	}
	fd = record(stream);
	tacho_oa_stream_close(stream);
	close_world(&world);

	snprintf(definition, sizeof(definition), "%s/tests/data/intel/lnl.xml",
		 getenv("TACHO_SOURCE_ROOT"));
	assert_int_equal(tacho_catalog_open(&catalog_options, &catalog), 0);
	assert_int_equal(tacho_catalog_find_arch(catalog, "lnl", "oa", &options.arch), 0);
	assert_int_equal(tacho_oa_recording_open_fd(fd, "a.rec", &recording), 0);
	assert_string_equal(tacho_oa_recording_get_device(recording)->set_name, "Tiny");
	assert_int_equal(tacho_oa_metrics_open(recording, &options, &metrics), 0);
	assert_int_equal(tacho_oa_metrics_next(metrics, &batch), 1);
	assert_int_equal(batch.count, 2);
	for (size_t row = 0; row < 2; row++) {
		assert_int_equal(tacho_column_get_value(&batch.columns[0], row, 0), 100000);
		/* 16 EUs share 1600, then 3200 */
		assert_int_equal(tacho_column_get_value(&batch.columns[1], row, 0),
				 100 * (row + 1));
	}
	/* 1920 ticks of 19200 in 1 ms */
	assert_int_equal(batch.intervals[1].cpu_start_ns, 1100000);
	assert_int_equal(tacho_oa_metrics_next(metrics, &batch), 0);
	tacho_oa_metrics_close(metrics);
	tacho_oa_recording_close(recording);
	tacho_catalog_close(catalog);
	close(fd);
}

/* A part of a report makes what is around it lost; records of unknown types are told. */
static void test_losses(void **state)
{
	static const enum tacho_oa_record_kind kinds[] = {TACHO_OA_REPORT, TACHO_OA_REPORT,
							  TACHO_OA_REPORT_LOST, TACHO_OA_REPORT};
	const struct tacho_oa_format *format = tacho_oa_format_get_usual(TACHO_OA_GEN8);
	struct tacho_oa_metrics_options options = {.names = "A0", .cut = TACHO_OA_CUT_REPORT};
	struct tacho_oa_report report = {.id = TACHO_OA_REASON_TIMER << 19, .context = 7};
	uint8_t cut[255] = {0};
	struct tacho_oa_recording *recording;
	struct tacho_oa_metrics *metrics;
	struct tacho_oa_stream *stream;
	struct tacho_oa_record next;
	struct tacho_oa_batch batch;
	struct world world;
	int fd;

	(void)state;
	open_world(&world, TACHO_OA_I915, "i915");
	assert_int_equal(open_stream(&world, NULL, &stream), 0);
	assert_string_equal(tacho_oa_stream_get_note(stream), "");
	for (uint64_t i = 0; i < 3; i++) {
		report.values[0] = fake.clock_ticks + 1000 * i;
		if (i == 2)
			intel_fake_put_record(&fake, TACHO__I915_RECORD_SAMPLE, cut, sizeof(cut));
		intel_fake_put(&fake, format, &report);
		intel_fake_put_record(&fake, 99, NULL, 0);
	}
	fd = record(stream);
	assert_string_equal(tacho_oa_stream_get_note(stream),
			    "3 records of the driver are of unknown types and were passed over");
	tacho_oa_stream_close(stream);

	assert_int_equal(tacho_oa_recording_open_fd(fd, "a.rec", &recording), 0);
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(kinds); i++) {
		assert_int_equal(tacho_oa_recording_next(recording, &next), 1);
		assert_int_equal(next.kind, kinds[i]);
	}
	assert_int_equal(tacho_oa_recording_next(recording, &next), 0);
	tacho_oa_recording_close(recording);

	assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
	assert_int_equal(tacho_oa_recording_open_fd(fd, "a.rec", &recording), 0);
	options.arch = tacho_device_get_arch(world.device);
	assert_int_equal(tacho_oa_metrics_open(recording, &options, &metrics), 0);
	assert_int_equal(tacho_oa_metrics_next(metrics, &batch), 1);
	assert_int_equal(batch.count, 2);
	assert_int_equal(tacho_column_get_state(&batch.columns[0], 0, 0), TACHO_STATE_OK);
	assert_int_equal(tacho_column_get_state(&batch.columns[0], 1, 0), TACHO_STATE_LOST);
	assert_int_equal(tacho_oa_metrics_next(metrics, &batch), 0);
	assert_int_equal(tacho_oa_recording_get_counts(recording)->reports_lost, 1);
	tacho_oa_metrics_close(metrics);
	tacho_oa_recording_close(recording);
	close_world(&world);
	close(fd);
}

/* A driver that does not tell its topology: the recording has none, and is one. */
static void test_no_topology(void **state)
{
	const struct tacho_oa_format *format = tacho_oa_format_get_usual(TACHO_OA_GEN8);
	struct tacho_oa_recording *recording;
	struct tacho_oa_stream *stream;
	struct tacho_oa_report report;
	struct tacho_oa_record next;
	struct world world;
	int fd;

	(void)state;
	open_lying_world(&world, TACHO_OA_I915, "i915", true);
	assert_int_equal(open_stream(&world, NULL, &stream), 0);
	assert_int_equal(tacho_oa_stream_get_topology(stream)->size, 0);
	fill(format, fake.clock_ticks + 100, &report);
	intel_fake_put(&fake, format, &report);
	fd = record(stream);
	tacho_oa_stream_close(stream);
	close_world(&world);

	assert_int_equal(tacho_oa_recording_open_fd(fd, "a.rec", &recording), 0);
	assert_null(tacho_oa_recording_get_topology(recording));
	assert_int_equal(tacho_oa_recording_next(recording, &next), 1);
	assert_int_equal(tacho_oa_recording_next(recording, &next), 0);
	tacho_oa_recording_close(recording);
	close(fd);
}

static void expect_refusal(struct world *world, const char *format, int code, const char *words)
{
	struct tacho_oa_stream *stream;
	char text[1024];

	assert_int_equal(open_stream(world, format, &stream), code);
	snprintf(text, sizeof(text), "%s %s %s", tacho_error_last()->message,
		 tacho_error_last()->cause, tacho_error_last()->cure);
	assert_non_null(strstr(text, words));
}

static void test_refusals(void **state)
{
	struct tacho__intel_gpu gpu = {.card = {.name = "card0", .driver = TACHO_OA_I915},
				       .format = tacho_oa_format_get_usual(TACHO_OA_GEN12_5),
				       .perf_revision = 6};
	const struct tacho_oa_format *format;
	struct world world;

	(void)state;
	open_world(&world, TACHO_OA_I915, "i915");
	expect_refusal(&world, "PEC64u64", TACHO_E_NOTFOUND, "C4_B8, A12, A12_B8_C8, A32u40");
	expect_refusal(&world, "nonsense", TACHO_E_NOTFOUND, "\"nonsense\" on gen8");
	close_world(&world);

	open_world(&world, TACHO_OA_XE, "xe");
	expect_refusal(&world, "A12", TACHO_E_NOTFOUND, "there is no report format");
	/* The OAG unit sees no OAC report: the driver says so. */
	expect_refusal(&world, "OAC_A24u64_B8_C8", TACHO_E_UNSUPPORTED, "xe refuses a stream");
	close_world(&world);

	/* Media engines are counted from revision 7 on; i915 has no number for OAC. */
	assert_int_equal(tacho_oa_format_find("OAM_MPEC8u64_B8_C8", TACHO_OA_GEN12_5, &format), 0);
	assert_int_equal(tacho__intel_gpu_choose_format(&gpu, format), TACHO_E_UNSUPPORTED);
	assert_non_null(strstr(tacho_error_last()->cause, "this is revision 6"));
	gpu.perf_revision = 7;
	assert_int_equal(tacho__intel_gpu_choose_format(&gpu, format), 0);
	assert_int_equal(gpu.device.engine_class, 2);
	assert_int_equal(gpu.device.format, 13);
	assert_int_equal(tacho_oa_format_find("OAC_A24u64_B8_C8", TACHO_OA_GEN12_5, &format), 0);
	assert_int_equal(tacho__intel_gpu_choose_format(&gpu, format), TACHO_E_UNSUPPORTED);
	assert_non_null(strstr(tacho_error_last()->cause, "has none for it"));
	assert_int_equal(gpu.device.format, 13);
	/* xe without a media unit. */
	gpu.card.driver = TACHO_OA_XE;
	assert_int_equal(tacho_oa_format_find("OAM_MPEC8u64_B8_C8", TACHO_OA_XE2, &format), 0);
	assert_int_equal(tacho__intel_gpu_choose_format(&gpu, format), TACHO_E_UNSUPPORTED);
	assert_non_null(strstr(tacho_error_last()->cause, "no OA unit of the type OAM"));
	/* Haswell's, which xe has not. */
	assert_int_equal(tacho_oa_format_find("A45_B8_C8", TACHO_OA_GEN7_5, &format), 0);
	assert_int_equal(tacho__intel_gpu_choose_format(&gpu, format), TACHO_E_UNSUPPORTED);
}

/* Nor does a simulated one have others. */
static void test_simulated(void **state)
{
	const struct tacho_context_options options = {.size = sizeof(options),
						      .backends = "sim:bsw"};
	struct world world = {0};

	(void)state;
	assert_int_equal(tacho_context_create(&options, &world.context), 0);
	assert_int_equal(tacho_device_open(world.context,
					   tacho_context_get_device_info(world.context, 0),
					   &world.device),
			 0);
	expect_refusal(&world, "A12", TACHO_E_UNSUPPORTED, "leave the format out");
	tacho_device_close(world.device);
	tacho_context_destroy(world.context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_xe_formats),  cmocka_unit_test(test_i915_formats),
		cmocka_unit_test(test_metrics),	    cmocka_unit_test(test_losses),
		cmocka_unit_test(test_no_topology), cmocka_unit_test(test_refusals),
		cmocka_unit_test(test_simulated),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
