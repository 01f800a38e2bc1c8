/* SPDX-License-Identifier: MIT */
/*
 * Recordings of version 2 (chunk.h): what the keeper noted in control.bin, where the chunks of each
 * stream lie, and whether all that should be there is.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/crc32c.h"
#include "base/error.h"
#include "base/fs.h"
#include "record/read_v2.h"

enum { SEARCH_BYTES = 4 * 1024 };

static int no_memory(const struct tacho_recording *recording)
{
	return tacho__fail(TACHO_E_NOMEM, "", "", "no memory to open %s", recording->path);
}

void tacho__recording_name_file(const struct tacho_recording *recording, uint32_t number,
				char *path, size_t size)
{
	int length = snprintf(path, size, "%s/", recording->path);

	if (length < 0 || (size_t)length >= size)
		return;
	if (number)
		snprintf(path + length, size - (size_t)length, TACHO__CALLS_FORMAT,
			 (unsigned)number);
	else
		snprintf(path + length, size - (size_t)length, TACHO__CONTROL_FILE);
}

/* ---- where chunks lie ---- */

struct tacho__process *tacho__index_find_process(struct tacho__index *index, uint64_t id_plus_1)
{
	struct tacho__process *process = tacho__map_get(&index->processes, id_plus_1);

	if (process)
		return process;
	process = tacho__recording_add_process(index->recording, "");
	if (!process || tacho__map_set(&index->processes, id_plus_1, process))
		return NULL;
	process->clocks = &index->recording->clocks;
	process->tables = index->recording->tables;
	return process;
}

struct tacho__index_entry *tacho__index_find_entry(struct tacho__index *index, uint32_t serial)
{
	struct tacho__index_entry *entry = tacho__map_get(&index->entries, serial);

	if (entry)
		return entry;
	entry = calloc(1, sizeof(*entry));
	if (!entry || tacho__map_set(&index->entries, serial, entry)) {
		free(entry);
		return NULL;
	}
	entry->calls.serial = entry->kept.serial = serial;
	entry->calls.thread_name = entry->kept.thread_name = "";
	entry->next = index->all;
	index->all = entry;
	return entry;
}

static int add_chunk(struct tacho__index *index, const struct tacho__chunk_header *header,
		     uint32_t file, uint64_t offset)
{
	struct tacho__index_entry *entry = tacho__index_find_entry(index, header->stream);
	struct tacho__reader_stream *stream;

	if (!entry)
		return no_memory(index->recording);
	stream = file ? &entry->calls : &entry->kept;
	if (!entry->process)
		entry->process = header->process;
	if (tacho__array_add(&stream->chunks, &stream->chunk_capacity, &stream->chunk_count,
			     &(struct tacho__chunk_place){
				     .offset = offset,
				     .first_tick = header->first_tick,
				     .first_call = header->first_call,
				     .file = file,
				     .bytes = header->bytes,
				     .calls = header->calls,
			     },
			     sizeof(struct tacho__chunk_place)))
		return no_memory(index->recording);
	index->indexed_calls += file ? header->calls : 0;
	index->recording->extent.parts++;
	index->recording->extent.bytes += header->bytes;
	return 0;
}

/* The next place behind `offset` where a chunk begins, `size` when there is none. */
static uint64_t search_chunk(int fd, uint64_t offset, uint64_t size)
{
	uint8_t bytes[SEARCH_BYTES];
	struct tacho__chunk_header header;
	size_t got = 0;

	for (offset += 8; offset + sizeof(header) <= size;
	     offset += SEARCH_BYTES - sizeof(header)) {
		if (tacho__fs_read_at(fd, bytes, sizeof(bytes), offset, &got))
			return size;
		for (size_t at = 0; at + sizeof(header) <= got; at += 8) {
			memcpy(&header, bytes + at, sizeof(header));
			if (header.magic == TACHO__CHUNK_MAGIC &&
			    !tacho__chunk_check_header(&header))
				return offset + at;
		}
		if (got < sizeof(bytes))
			break;
	}
	return size;
}

static int refuse_newer(const struct tacho__index *index, uint32_t file, unsigned version)
{
	char path[4096];

	tacho__recording_name_file(index->recording, file, path, sizeof(path));
	return tacho__fail(TACHO_E_VERSION,
			   tacho__detail("%s has version %u, and this tacho reads up to %d", path,
					 version, TACHO__CHUNK_VERSION),
			   "read it with the tacho that made it, or a newer one",
			   "cannot read the recording %s", index->recording->path);
}

/* What is no chunk: skipped and noted, unless it is the end that was being written. */
static int skip(struct tacho__index *index, uint32_t file, int fd, uint64_t size, uint64_t *offset)
{
	uint64_t next = search_chunk(fd, *offset, size), from = *offset;
	bool may_be_torn = next == size && size - from <= TACHO__CHUNK_MAX &&
			   !(index->has_finish && !file) &&
			   (!file || file >= index->segment_count || from >= index->segments[file]);

	*offset = next;
	return may_be_torn ? 0
			   : tacho__fault_add_of_file(index->recording, file,
						      "makes no sense at some place", 0,
						      next - from, 0, from);
}

typedef int (*chunk_fn)(struct tacho__index *index, int fd,
			const struct tacho__chunk_header *header, uint64_t offset);

/* Goes through the chunks of a file. */
static int walk(struct tacho__index *index, uint32_t file, int fd, uint64_t size, chunk_fn fn)
{
	struct tacho__chunk_header header;
	uint64_t offset = 0;
	int rc = 0;

	while (!rc && offset + sizeof(header) <= size) {
		size_t got;
		int error = tacho__fs_read_at(fd, &header, sizeof(header), offset, &got);
		enum tacho__chunk_fault fault;

		if (error)
			return tacho__fault_add_of_file(index->recording, file, "cannot be read",
							error, size - offset, 0, offset);
		if (got < sizeof(header))
			break;
		fault = tacho__chunk_check_header(&header);
		if (fault == TACHO__CHUNK_NEWER && !offset) /* else it is a spoilt byte */
			return refuse_newer(index, file, header.version);
		if (!fault && header.recording != index->crc)
			return tacho__fault_add_of_file(index->recording, file,
							"is of another recording", 0, size - offset,
							0, offset);
		if (fault || offset + header.bytes > size) {
			rc = skip(index, file, fd, size, &offset);
			continue;
		}
		rc = add_chunk(index, &header, file, offset);
		if (!rc && fn)
			rc = fn(index, fd, &header, offset);
		offset += header.bytes;
	}
	return rc;
}

/* ---- files ---- */

/* Chunks of stream 0 are the keeper's. */
static int take_notes(struct tacho__index *index, int fd, const struct tacho__chunk_header *header,
		      uint64_t offset)
{
	uint8_t *bytes;
	size_t got = 0;
	int error, rc;

	if (header->stream)
		return 0;
	bytes = malloc(header->bytes);
	if (!bytes)
		return no_memory(index->recording);
	error = tacho__fs_read_at(fd, bytes, header->bytes, offset, &got);
	if (error || got < header->bytes)
		rc = tacho__fault_add_of_file(index->recording, 0, "cannot be read", error,
					      header->bytes, 0, offset);
	else
		rc = tacho__index_take_notes(index, bytes, offset);
	free(bytes);
	return rc;
}

/* Opens a file for reading: 1, or 0 when it cannot be, which is noted, or an error. */
static int open_file(struct tacho__index *index, uint32_t file, int *out_fd, uint64_t *out_size)
{
	struct stat status;
	char path[4096];
	int error = 0, rc;

	tacho__recording_name_file(index->recording, file, path, sizeof(path));
	*out_fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	if (*out_fd < 0 || fstat(*out_fd, &status))
		error = errno;
	else if (!S_ISREG(status.st_mode))
		error = EINVAL;
	if (!error) {
		*out_size = (uint64_t)status.st_size;
		index->recording->extent.files++;
		return 1;
	}
	if (*out_fd >= 0)
		close(*out_fd);
	rc = tacho__fault_add_of_file(index->recording, file,
				      error == ENOENT ? "is missing" : "cannot be opened",
				      error == ENOENT ? 0 : error, 0, 0, 0);
	return rc;
}

static int read_control(struct tacho__index *index)
{
	uint64_t size;
	int fd, rc = open_file(index, 0, &fd, &size);

	if (rc < 1)
		return rc;
	rc = walk(index, 0, fd, size, take_notes);
	close(fd);
	return rc;
}

static int read_segment(struct tacho__index *index, uint32_t number)
{
	uint64_t size, expected = number < index->segment_count ? index->segments[number] : 0;
	int fd, rc = open_file(index, number, &fd, &size);

	if (rc < 1)
		return rc;
	rc = walk(index, number, fd, size, NULL);
	close(fd);
	if (!rc && size < expected)
		rc = tacho__fault_add_of_file(index->recording, number, "is cut", 0,
					      expected - size, 0, size);
	return rc;
}

/* Whether a piece is there that the manifest does not name: 1, 0, or an error. */
static int find_segment(struct tacho__index *index, uint32_t number)
{
	struct stat status;
	char path[4096];

	tacho__recording_name_file(index->recording, number, path, sizeof(path));
	if (!lstat(path, &status))
		return 1;
	if (errno == ENOENT)
		return 0;
	return tacho__fault_add_of_file(index->recording, number, "cannot be looked for", errno, 0,
					0, 0);
}

/* Those that the manifest names, and what came after it was written. */
static int read_segments(struct tacho__index *index)
{
	uint32_t first = index->first_segment ? index->first_segment : 1;
	int rc = 0;

	if (first < index->recording->first_piece)
		first = index->recording->first_piece;
	for (uint32_t i = first; i < TACHO__SEGMENTS_MAX && rc >= 0; i++) {
		bool is_named = i < index->segment_count && index->segments[i];

		rc = is_named ? 1 : find_segment(index, i);
		if (rc == 1)
			rc = read_segment(index, i);
		else if (!rc && i >= index->segment_count)
			break;
	}
	return rc < 0 ? rc : 0;
}

/* ---- what is missing ---- */

/* Calls between chunks; those before the first one may be what a ring lost. */
static uint64_t count_gaps(const struct tacho__index *index, const struct tacho__index_entry *entry)
{
	const struct tacho__reader_stream *stream = &entry->calls;
	uint64_t met = 0, gaps = 0;

	for (size_t i = 0; i < stream->chunk_count; i++) {
		const struct tacho__chunk_place *place = &stream->chunks[i];

		if (place->first_call > met && (i || !index->recording->run.ring_bytes))
			gaps += place->first_call - met;
		met = place->first_call + place->calls;
	}
	return gaps;
}

static int check_calls(struct tacho__index *index)
{
	struct tacho_run *run = &index->recording->run;
	uint64_t missing = 0;

	for (const struct tacho__index_entry *entry = index->all; entry; entry = entry->next)
		missing += count_gaps(index, entry);
	if (index->manifest_calls > index->indexed_calls + missing) {
		if (run->ring_bytes)
			run->ring_calls = index->manifest_calls - index->indexed_calls - missing;
		else
			missing = index->manifest_calls - index->indexed_calls;
	}
	return missing ? tacho__fault_add_of_file(
				 index->recording, index->first_segment ? index->first_segment : 1,
				 "and what follows it lack calls", 0, 0, missing, UINT64_MAX)
		       : 0;
}

/* Calls that nobody can tell the functions of: control.bin lost the tables. */
static int check_tables(struct tacho__index *index)
{
	bool is_known = !index->indexed_calls;

	for (int api = 0; api < TACHO__APIS_MAX; api++)
		is_known |= index->recording->tables[api] != NULL;
	return is_known ? 0
			: tacho__fault_add_of_file(index->recording, 0,
						   "lacks the names of what was called", 0, 0,
						   index->indexed_calls, UINT64_MAX);
}

/* ---- together ---- */

static int give_stream(struct tacho__index *index, struct tacho__process *process,
		       struct tacho__reader_stream *from)
{
	struct tacho__reader_stream *stream;

	if (!from->chunk_count)
		return 0;
	stream = tacho__process_add_stream(process);
	if (!stream)
		return no_memory(index->recording);
	*stream = *from;
	stream->has_thread = true;
	memset(from, 0, sizeof(*from));
	return 0;
}

/* What was sampled beside the program lies where the keeper's own would. */
static void take_windows(struct tacho_recording *recording, struct tacho__index_entry *entry)
{
	recording->windows = entry->calls;
	memset(&entry->calls, 0, sizeof(entry->calls));
}

static int give_streams(struct tacho__index *index)
{
	int rc = 0;

	for (struct tacho__index_entry *entry = index->all; entry && !rc; entry = entry->next) {
		struct tacho__process *process;

		if (!entry->calls.serial)
			take_windows(index->recording, entry);
		if (!entry->calls.serial || (!entry->calls.chunk_count && !entry->kept.chunk_count))
			continue; /* the keeper's own */
		process = tacho__index_find_process(index, entry->process);
		rc = process ? give_stream(index, process, &entry->kept)
			     : no_memory(index->recording);
		if (!rc)
			rc = give_stream(index, process, &entry->calls);
	}
	return rc;
}

static void finish_process(struct tacho_recording *recording, struct tacho__process *process)
{
	struct tacho_process *info = &process->process;
	char name[64];

	info->clock_uncertainty_ns = process->clocks->uncertainty_ns;
	tacho__process_find_shifts(process);
	info->start_ns = tacho__process_host_ns(process, process->start.tick);
	info->cost_ns = tacho__process_host_ns(process, process->start.tick + process->cost_ticks) -
			info->start_ns;
	snprintf(name, sizeof(name), "proc-%u", (unsigned)info->pid);
	info->directory = tacho__arena_string(&recording->arena, name);
	if (!info->directory)
		info->directory = "";
}

/* What was left out: a function, or ranges that the program named. */
static const char *name_bound(const struct tacho_recording *recording,
			      const struct tacho__bounded *bounded)
{
	const struct tacho__call_table *table = recording->tables[bounded->api];
	const struct tacho__function *function =
		table ? &table->functions[bounded->function] : NULL;

	if (!bounded->api && bounded->function == TACHO__RECORD_RANGE)
		return "named ranges";
	if (!bounded->api && bounded->function == TACHO__RECORD_WINDOW)
		return "windows of counters";
	return function && function->known ? function->function.name : "";
}

static int name_bounds(struct tacho_recording *recording)
{
	for (size_t i = 0; i < recording->bounded_count; i++) {
		const struct tacho__bounded *bounded = &recording->bounded[i];

		if (tacho__array_reserve(&recording->bounds, &recording->bound_capacity, i,
					 sizeof(*recording->bounds)))
			return no_memory(recording);
		recording->bounds[i].function = name_bound(recording, bounded);
		recording->bounds[i].calls = bounded->calls;
		recording->bound_count = i + 1;
	}
	return 0;
}

static void destroy(struct tacho__index *index)
{
	for (struct tacho__index_entry *entry = index->all, *next; entry; entry = next) {
		next = entry->next;
		free(entry->calls.chunks);
		free(entry->kept.chunks);
		free(entry);
	}
	tacho__map_finish(&index->entries);
	tacho__map_finish(&index->processes);
	for (int api = 0; api < TACHO__APIS_MAX; api++)
		tacho__buf_finish(&index->tables[api]);
	free(index->segments);
	free(index->times);
}

bool tacho__recording_is_v2(const struct tacho_recording *recording)
{
	struct stat status;
	char path[4096];

	tacho__recording_name_file(recording, 0, path, sizeof(path));
	return !lstat(path, &status);
}

int tacho__recording_read_v2(struct tacho_recording *recording)
{
	struct tacho__index index = {.recording = recording};
	int rc;

	index.crc = tacho__crc32c(0, recording->stamp, strlen(recording->stamp));
	rc = read_control(&index);
	if (!rc)
		rc = read_segments(&index);
	if (!rc)
		rc = check_calls(&index);
	if (!rc)
		rc = tacho__tables_parse(&recording->arena, index.tables, recording->tables);
	if (!rc)
		rc = check_tables(&index);
	if (!rc)
		rc = name_bounds(recording);
	if (!rc)
		rc = tacho__index_give_times(&index);
	if (!rc)
		rc = give_streams(&index);
	for (size_t i = 0; i < recording->process_count && !rc; i++)
		finish_process(recording, recording->processes[i]);
	recording->run.is_unfinished = !index.has_finish;
	if (!rc && !index.has_finish && !recording->is_live && !recording->is_snapshot)
		rc = tacho__fault_add_of_file(
			recording, 0,
			"has no end: its keeper was killed, and what was only in "
			"memory is gone",
			0, 0, 0, 0);
	destroy(&index);
	return rc;
}
