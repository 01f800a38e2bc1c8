/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes the readers of other tools' files, whichever knows the bytes: they are written as a file,
 * opened, and all calls, ranges, values and things of it are looked at. Lines that are "%%%%"
 * separate several files of one recording; "%%%% 12_kernel_trace.csv", in front of the first, too,
 * names the file behind it, for some readers look at names.
 */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "folder.h"
#include "read_recording.h"

enum { FILES = 3, NAME_MAX_BYTES = 60 };

static const char mark[] = "\n%%%%";
static char paths[FILES][128];

/* What is left of the input. */
struct rest {
	const uint8_t *data;
	size_t size;
};

static void skip(struct rest *rest, size_t size)
{
	rest->data += size;
	rest->size -= size;
}

/* Takes the line of a mark, and the name that it gives; else the file has a number. */
static void take_name(struct rest *rest, int number)
{
	const size_t before = strlen(mark); /* "%%%%" and the space */
	const uint8_t *end = rest->size ? memchr(rest->data, '\n', rest->size) : NULL;
	size_t line = end ? (size_t)(end - rest->data) : 0;
	char name[NAME_MAX_BYTES + 1];

	snprintf(name, sizeof(name), "%d", number);
	if (line >= before - 1 && !memcmp(rest->data, mark + 1, before - 1)) {
		if (line > before && line - before <= NAME_MAX_BYTES) {
			memcpy(name, rest->data + before, line - before);
			name[line - before] = '\0';
		}
		skip(rest, line + 1);
	}
	if (strpbrk(name, "/") || *name == '.' || !*name)
		snprintf(name, sizeof(name), "%d", number);
	snprintf(paths[number], sizeof(paths[number]), "%s/%s", fuzz_folder.path, name);
}

static void put(const char *path, const uint8_t *bytes, size_t size)
{
	FILE *file = fopen(path, "w");

	if (!file)
		abort();
	fwrite(bytes, 1, size, file);
	fclose(file);
}

/* The next file, up to a mark behind it. */
static void put_file(struct rest *rest, int number)
{
	const uint8_t *end;
	size_t size;

	take_name(rest, number);
	end = number + 1 < FILES && rest->size ? memmem(rest->data, rest->size, mark, strlen(mark))
					       : NULL;
	size = end ? (size_t)(end - rest->data) : rest->size;
	put(paths[number], rest->data, size);
	skip(rest, size + (end != NULL));
}

/* Libraries that readers open stay loaded: else most of the time would go to loading them. */
static void prepare(void)
{
	static const char *const libraries[] = {"libsqlite3.so.0", "libstdc++.so.6",
						"libc++abi.so.1", "libzstd.so.1"};
	static int is_ready;

	if (is_ready++)
		return;
	fuzz_folder_make();
	for (size_t i = 0; i < sizeof(libraries) / sizeof(*libraries); i++)
		dlopen(libraries[i], RTLD_LAZY);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct rest rest = {data, size};
	int count = 0;

	prepare();
	do
		put_file(&rest, count++);
	while (count < FILES && rest.size);
	fuzz_read_recording(count == 1 ? paths[0] : fuzz_folder.path);
	for (int i = 0; i < count; i++)
		unlink(paths[i]);
	return 0;
}
