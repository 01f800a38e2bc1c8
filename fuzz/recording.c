/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes the reader of recordings: the input is split into a control stream and a thread's stream
 * of one process; everything that a report would ask for is asked for.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "folder.h"
#include "read_recording.h"

static void put(const char *name, const void *bytes, size_t size)
{
	char path[128];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", fuzz_folder.path, name);
	file = fopen(path, "w");
	if (!file)
		abort();
	fwrite(bytes, 1, size, file);
	fclose(file);
}

static void set_up(void)
{
	static const char meta[] = "{\"generator\":\"fuzz\",\"start\":{\"monotonic_ns\":1}}";
	char path[128];

	fuzz_folder_make();
	snprintf(path, sizeof(path), "%s/proc-1-0", fuzz_folder.path);
	mkdir(path, 0700);
	put("meta.json", meta, sizeof(meta) - 1);
	put("counting.json", fuzz_counting, sizeof(fuzz_counting) - 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static int ready;
	uint32_t control;

	if (!ready++)
		set_up();
	if (size < sizeof(control))
		return 0;
	memcpy(&control, data, sizeof(control));
	data += sizeof(control);
	size -= sizeof(control);
	control %= (uint32_t)size + 1;
	put("proc-1-0/control.bin", data, control);
	put("proc-1-0/stream-1.bin", data + control, size - control);
	fuzz_read_recording(fuzz_folder.path);
	return 0;
}
