/* SPDX-License-Identifier: MIT */
/*
 * Makes a recording for commands to read under faults: make_recording FOLDER OBJECT. OBJECT is the
 * compiled program of its kernel, "vadd" for gfx900.
 */
#include "model/row.h"
#include "record/recorder.h"
#include "record/window_records.h"
#include "record/window_writer.h"
#include "unit/sample_api.h"

enum { LAUNCHES = 40, PROGRAM = 0x4000, WINDOWS = 30 };

static void launch(void)
{
	void *token = sample_launch();
	uint64_t queued = tacho__clock_raw_ns(), end;

	while ((end = tacho__clock_raw_ns()) < queued + 5000)
		;
	sample_complete(token, queued, queued + 10, queued + 1000, end);
}

static void make(enum tacho_object_kind kind, uint64_t handle, const char *attributes)
{
	tacho__intercept_made(&(struct tacho__made){SAMPLE_API, kind, handle, attributes});
}

static void keep_program(const char *path)
{
	static char bytes[1 << 16];
	struct tacho__blob_note blob = {
		.api = SAMPLE_API, .handle = PROGRAM, .kind = "binary", .bytes = bytes};
	FILE *file = fopen(path, "re");

	if (!file)
		_exit(98);
	blob.size = fread(bytes, 1, sizeof(bytes), file);
	fclose(file);
	tacho__intercept_blob(&blob);
	blob.kind = "build_log";
	blob.bytes = "fine";
	blob.size = 4;
	tacho__intercept_blob(&blob);
}

static void put_window(struct tacho__window_writer *writer, struct tacho__row *row,
		       const struct tacho_result *result, uint64_t index)
{
	const uint64_t end = tacho__clock_monotonic_ns();
	const struct tacho__window window = {
		.index = index, .start_ns = end - 1000, .end_ns = end, .count = 1};
	uint8_t packed[TACHO__SAMPLED_BYTES];

	if (index % 5)
		tacho__row_put(row, 0, (union tacho__number){.u64 = 100 * index});
	else
		tacho__row_miss(row, 0, "", 0);
	tacho__window_writer_put(writer, TACHO__RECORD_WINDOW, packed,
				 tacho__window_pack(&window, result, 0, packed));
}

/* What somebody beside the program would write. */
static void sample_beside(void)
{
	static const struct tacho_entry counter = {.name = "power", .unit = "watts"};
	const struct tacho__sampled sampled = {
		.window_ns = 1000, .column_count = 1, .device = "nvml:X"};
	const struct tacho__sampled_column column = {
		.name = "power", .unit = "watts", .description = "drawn", .semantic = ""};
	const struct tacho__sampled_end end = {.windows = WINDOWS, .cause = "", .cure = ""};
	struct tacho__window_writer writer;
	uint8_t packed[TACHO__SAMPLED_BYTES];
	struct tacho_result *result;
	struct tacho__row row;

	if (!tacho__window_writer_open(tacho__recorder.pool, &writer) ||
	    tacho__row_create(&counter, NULL, 1, &row, &result))
		_exit(98);
	tacho__window_writer_put(&writer, TACHO__RECORD_SAMPLED, packed,
				 tacho__sampled_pack(&sampled, packed));
	tacho__window_writer_put(&writer, TACHO__RECORD_SAMPLED_COLUMN, packed,
				 tacho__sampled_pack_column(&column, packed));
	for (uint64_t i = 0; i < WINDOWS; i++)
		put_window(&writer, &row, result, i);
	tacho__window_writer_put(&writer, TACHO__RECORD_SAMPLED_END, packed,
				 tacho__sampled_pack_end(&end, packed));
	tacho__window_writer_close(&writer);
	tacho_result_destroy(result);
	/* until the keeper takes it: calls then lie behind it in the file */
	while (atomic_load(&tacho__recorder.pool->switched[writer.stream / 64]) >>
		       writer.stream % 64 &
	       1)
		usleep(1000);
}

static void name_range(uint32_t event, const char *name)
{
	tacho__intercept_range(&(struct tacho__range_note){
		.event = event, .api = "tacho", .domain = "", .name = name});
}

static void work(void *path)
{
	make(TACHO_OBJECT_DEVICE, SAMPLE_DEVICE, "name=gfx900\ntimer_resolution_ns=1\n");
	make(TACHO_OBJECT_QUEUE, SAMPLE_QUEUE, "device=0x3000\n");
	make(TACHO_OBJECT_PROGRAM, PROGRAM, "");
	make(TACHO_OBJECT_KERNEL, SAMPLE_KERNEL, "name=vadd\nlocal_bytes=16\nprogram=0x4000\n");
	keep_program(path);
	sample_beside();
	for (uint64_t i = 0; i < LAUNCHES; i++) {
		name_range(TACHO__RANGE_PUSH, i % 3 ? "step" : "first, of three");
		sample_poke(0x7f0012345678, i, i % 7 ? 0 : -5);
		launch();
		name_range(TACHO__RANGE_POP, NULL);
		sample_name(i % 2 ? "odd, \"quoted\"" : "even");
	}
	usleep(50000); /* until the keeper has read how long the thread ran */
}

int main(int argc, char **argv)
{
	char *path;

	if (argc != 3) {
		fprintf(stderr, "usage: make_recording FOLDER OBJECT\n");
		return 2;
	}
	path = sample_recording();
	if (sample_run(path, work, argv[2]) || rename(path, argv[1])) {
		perror("make_recording");
		return 1;
	}
	free(path);
	return 0;
}
