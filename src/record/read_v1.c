/* SPDX-License-Identifier: MIT */
/* Recordings of version 1: a folder per process, with a control stream and one per thread. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/fs.h"
#include "record/stream_reader.h"

struct control {
	struct tacho_recording *recording;
	struct tacho__process *process;
	struct tacho__buf tables[TACHO__APIS_MAX];
};

static int compare_streams(const void *left, const void *right)
{
	const struct tacho__reader_stream *a = left, *b = right;

	return a->serial < b->serial ? -1 : a->serial > b->serial;
}

static int add_stream(struct tacho_recording *recording, struct tacho__process *process,
		      const char *name, uint32_t serial)
{
	struct tacho__reader_stream *stream = tacho__process_add_stream(process);
	struct tacho__buf path = {0};

	if (!stream)
		return TACHO_E_NOMEM;
	tacho__buf_printf(&path, "%s/%s/%s", recording->path, process->process.directory, name);
	stream->serial = serial;
	stream->path =
		path.failed ? NULL : tacho__arena_string(&recording->arena, tacho__buf_text(&path));
	tacho__buf_finish(&path);
	return stream->path ? 0 : TACHO_E_NOMEM;
}

/* Streams are made one after another; one that could not be is none that is missing. */
static int check_serials(struct tacho_recording *recording, const struct tacho__process *process)
{
	uint32_t expected = 1;
	int rc = 0;

	for (size_t i = 0; i < process->stream_count && !rc && !process->process.losses.io_error;
	     i++)
		for (; expected <= process->streams[i].serial && !rc; expected++) {
			char path[4096];
			const struct tacho_fault fault = {.what = "is missing", .path = path};

			if (expected == process->streams[i].serial)
				continue;
			snprintf(path, sizeof(path), "%s/%s/" TACHO__STREAM_FORMAT, recording->path,
				 process->process.directory, (unsigned)expected);
			rc = tacho__fault_add(recording, &fault, 0);
		}
	return rc;
}

static int find_streams(struct tacho_recording *recording, struct tacho__process *process)
{
	char path[4096];
	struct dirent *entry;
	DIR *directory;
	int rc = 0;

	snprintf(path, sizeof(path), "%s/%s", recording->path, process->process.directory);
	directory = opendir(path);
	if (!directory) {
		const struct tacho_fault fault = {
			.what = "cannot be opened", .path = path, .error = errno};

		return tacho__fault_add(recording, &fault, 0);
	}
	while (!rc && (errno = 0, entry = readdir(directory))) {
		unsigned serial;
		int length = 0;

		if (sscanf(entry->d_name, TACHO__STREAM_FORMAT "%n", &serial, &length) == 1 &&
		    length && !entry->d_name[length])
			rc = add_stream(recording, process, entry->d_name, serial);
	}
	if (!rc && errno) {
		const struct tacho_fault fault = {
			.what = "cannot be listed", .path = path, .error = errno};

		rc = tacho__fault_add(recording, &fault, 0);
	}
	closedir(directory);
	if (process->stream_count)
		qsort(process->streams, process->stream_count, sizeof(*process->streams),
		      compare_streams);
	return rc ? rc : check_serials(recording, process);
}

static void take_process(struct control *control, struct tacho__unpack *unpack, uint64_t tick)
{
	uint64_t size = tacho__unpack_u64(unpack);
	const uint8_t *bytes = tacho__unpack_bytes(unpack, size);
	const char *text =
		bytes ? tacho__arena_text(&control->recording->arena, (const char *)bytes, size)
		      : NULL;

	control->process->process.start_ns = tick; /* until the clocks are known */
	if (text)
		tacho__process_describe(control->recording, control->process, text);
}

static int take_record(struct control *control, struct tacho__record *record)
{
	struct tacho__unpack *unpack = &record->unpack;

	switch (record->kind) {
	case TACHO__RECORD_ANCHOR:
		return tacho__clock_map_take(&control->process->own_clocks, record->start, unpack);
	case TACHO__RECORD_PROCESS: take_process(control, unpack, record->start); return 0;
	case TACHO__RECORD_TABLE: tacho__tables_take(control->tables, unpack); return 0;
	default: return 0;
	}
}

static void take_live(struct tacho_process *process, struct tacho__stream_reader *reader)
{
	struct tacho_losses *losses = &process->losses;
	struct tacho__live live;

	if (!tacho__stream_v1_peek(reader, sizeof(struct tacho__window_header), &live,
				   sizeof(live)))
		return;
	losses->no_window = live.lost_no_window;
	losses->no_space = live.lost_no_space;
	losses->nested = live.lost_nested;
	losses->too_big = live.lost_too_big;
	losses->no_thread = live.lost_no_thread;
	losses->waits = live.waits;
	losses->io_error = (int)live.io_error;
}

static int read_control(struct tacho_recording *recording, struct tacho__process *process)
{
	struct control control = {.recording = recording, .process = process};
	struct tacho__reader_stream stream = {0};
	struct tacho__stream_reader reader;
	struct tacho__record record;
	char path[4096];
	int rc;

	snprintf(path, sizeof(path), "%s/%s/" TACHO__CONTROL_FILE, recording->path,
		 process->process.directory);
	stream.path = path;
	tacho__stream_reader_init(&reader, recording, &stream);
	while ((rc = tacho__stream_reader_next(&reader, &record)) == 1 &&
	       !(rc = take_record(&control, &record)))
		;
	if (!rc)
		take_live(&process->process, &reader);
	tacho__stream_reader_finish(&reader);
	if (!rc)
		rc = tacho__tables_parse(&recording->arena, control.tables, process->own_tables);
	for (int api = 0; api < TACHO__APIS_MAX; api++)
		tacho__buf_finish(&control.tables[api]);
	process->process.start_ns =
		tacho__clock_map_convert(process->clocks, TACHO__CLOCK_TICK, TACHO__CLOCK_MONOTONIC,
					 process->process.start_ns);
	process->process.clock_uncertainty_ns = process->clocks->uncertainty_ns;
	return rc;
}

static int add_process(struct tacho_recording *recording, const char *name)
{
	struct tacho__process *process = tacho__recording_add_process(recording, name);
	int rc;

	if (!process)
		return TACHO_E_NOMEM;
	process->clocks = &process->own_clocks;
	process->tables = process->own_tables;
	process->process.pid = (uint32_t)strtoul(name + strlen(TACHO__PROCESS_PREFIX), NULL, 10);
	rc = read_control(recording, process);
	return rc ? rc : find_streams(recording, process);
}

int tacho__recording_read_v1(struct tacho_recording *recording)
{
	DIR *directory = opendir(recording->path);
	struct dirent *entry;
	int rc = 0;

	if (!directory)
		return tacho__fs_fail(errno, "read", recording->path);
	while (!rc && (errno = 0, entry = readdir(directory))) {
		unsigned pid, n;
		int length = 0;

		if (sscanf(entry->d_name, TACHO__PROCESS_FORMAT "%n", &pid, &n, &length) == 2 &&
		    length && !entry->d_name[length])
			rc = add_process(recording, entry->d_name);
	}
	if (!rc && errno)
		rc = tacho__fs_fail(errno, "read", recording->path);
	closedir(directory);
	return rc;
}
