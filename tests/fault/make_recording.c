/* SPDX-License-Identifier: MIT */
/*
 * Makes a recording for commands to read under faults: make_recording FOLDER OBJECT. OBJECT is the
 * compiled program of its kernel, "vadd" for gfx900.
 */
#include "unit/sample_api.h"

enum { LAUNCHES = 40, PROGRAM = 0x4000 };

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

static void work(void *path)
{
	make(TACHO_OBJECT_DEVICE, SAMPLE_DEVICE, "name=gfx900\ntimer_resolution_ns=1\n");
	make(TACHO_OBJECT_QUEUE, SAMPLE_QUEUE, "device=0x3000\n");
	make(TACHO_OBJECT_PROGRAM, PROGRAM, "");
	make(TACHO_OBJECT_KERNEL, SAMPLE_KERNEL, "name=vadd\nlocal_bytes=16\nprogram=0x4000\n");
	keep_program(path);
	for (uint64_t i = 0; i < LAUNCHES; i++) {
		sample_poke(0x7f0012345678, i, i % 7 ? 0 : -5);
		launch();
		sample_name(i % 2 ? "odd, \"quoted\"" : "even");
	}
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
