/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes the readers of other tools' files, whichever knows the bytes: they are written as a file,
 * opened, and all calls, ranges, values and things of it are looked at. Lines that are "%%%%"
 * separate several files of one recording.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "read_recording.h"

enum { FILES = 3 };

static char folder[] = "/tmp/tacho-fuzz-XXXXXX";

static const char *path_of(int file)
{
	static char path[128];

	snprintf(path, sizeof(path), "%s/%d", folder, file);
	return path;
}

static void put(int number, const uint8_t *bytes, size_t size)
{
	FILE *file = fopen(path_of(number), "w");

	if (!file)
		abort();
	fwrite(bytes, 1, size, file);
	fclose(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char separator[] = "\n%%%%\n";
	static int ready;
	int count = 0;

	if (!ready++ && !mkdtemp(folder))
		abort();
	while (count < FILES) {
		const uint8_t *end = count + 1 < FILES && size
					     ? memmem(data, size, separator, strlen(separator))
					     : NULL;

		put(count++, data, end ? (size_t)(end - data) : size);
		if (!end)
			break;
		size -= (size_t)(end - data) + strlen(separator);
		data = end + strlen(separator);
	}
	fuzz_read_recording(count == 1 ? path_of(0) : folder);
	for (int i = 0; i < count; i++)
		unlink(path_of(i));
	return 0;
}
