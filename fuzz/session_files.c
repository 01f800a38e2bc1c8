/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes the readers of session files. A line that is "%%" separates an .atp, a .csv and an
 * .occupancy; each that is not empty is written, and all that a report and exports ask for is asked
 * for, of the three together and of each alone.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "folder.h"
#include "tacho/exporter.h"
#include "tacho/summary.h"

enum { FILES = 3 };

static const char *const names[FILES] = {"a.atp", "a.csv", "a.occupancy"};

static const char *path_of(const char *name)
{
	static char path[128];

	snprintf(path, sizeof(path), "%s/%s", fuzz_folder.path, name);
	return path;
}

static void put(const char *name, const uint8_t *bytes, size_t size)
{
	FILE *file;

	unlink(path_of(name));
	if (!size)
		return;
	file = fopen(path_of(name), "w");
	if (!file)
		abort();
	fwrite(bytes, 1, size, file);
	fclose(file);
}

static void read_calls(struct tacho_recording *recording)
{
	const struct tacho_call *call;
	struct tacho_cursor *cursor;
	const char *name;

	if (tacho_cursor_open(recording, &cursor))
		return;
	while (tacho_cursor_next(cursor, &call) == 1) {
		for (size_t i = 0; tacho_cursor_get_argument(cursor, i, &name); i++)
			;
		tacho_cursor_format_arguments(cursor, ", ");
		tacho_cursor_get_row(cursor);
	}
	for (size_t i = 0; tacho_cursor_get_object(cursor, i); i++)
		tacho_object_get(tacho_cursor_get_object(cursor, i), "none");
	tacho_cursor_close(cursor);
}

static void read_all(const char *name)
{
	struct tacho_export_options options = {.size = sizeof(options), .overwrite = 1};
	struct tacho_recording *recording;
	struct tacho_summary *summary;

	if (tacho_recording_open(path_of(name), &recording))
		return;
	read_calls(recording);
	if (!tacho_summary_create(recording, &summary))
		tacho_summary_destroy(summary);
	tacho_recording_export(recording, "codexl", path_of("out"), &options);
	tacho_recording_export(recording, "jsonl", path_of("out"), &options);
	tacho_recording_close(recording);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char separator[] = "%%\n";
	static int ready;

	if (!ready++)
		fuzz_folder_make();
	for (int i = 0; i < FILES; i++) {
		const uint8_t *end = i + 1 < FILES && size
					     ? memmem(data, size, separator, strlen(separator))
					     : NULL;
		size_t part = end ? (size_t)(end - data) : size;

		put(names[i], data, part);
		data += end ? part + strlen(separator) : part;
		size -= end ? part + strlen(separator) : part;
	}
	read_all("a");
	for (int i = 1; i < FILES; i++)
		read_all(names[i]);
	return 0;
}
