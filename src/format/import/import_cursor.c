/* SPDX-License-Identifier: MIT */
/* Lines of session files in the order in which their calls ended, over all threads. */
#include "format/import/import_cursor.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"

/* ---- streams ---- */

static int add_stream(struct tacho__import_cursor *cursor,
		      const struct tacho__import_stream *stream)
{
	if (tacho__array_reserve(&cursor->streams, &cursor->stream_capacity, cursor->stream_count,
				 sizeof(*cursor->streams))) {
		free(stream->packets);
		return TACHO_E_NOMEM;
	}
	cursor->streams[cursor->stream_count] = *stream;
	cursor->streams[cursor->stream_count].order = cursor->stream_count;
	cursor->stream_count++;
	return 0;
}

/* How many lines of the thread stand in earlier parts of the file. */
static uint64_t lines_before(const struct tacho__atp_file *file,
			     const struct tacho__atp_block *block)
{
	uint64_t lines = 0;

	for (uint32_t i = 0; i < block->occurrence; i++)
		lines += tacho__atp_find(file, block->section, block->api, block->thread, i)->count;
	return lines;
}

static struct tacho__span find_lines(const struct tacho__atp_file *file,
				     enum tacho__atp_section section,
				     const struct tacho__atp_block *like)
{
	const struct tacho__atp_block *block =
		tacho__atp_find(file, section, like->api, like->thread, like->occurrence);

	return block ? block->lines : (struct tacho__span){0};
}

static int compare_packets(const void *left, const void *right)
{
	const struct tacho__import_packet *a = left, *b = right;

	if (a->start_ns != b->start_ns)
		return a->start_ns < b->start_ns ? -1 : 1;
	return (a->line.at > b->line.at) - (a->line.at < b->line.at);
}

/* Nothing says that they stand in the order of time. */
static int add_packets(struct tacho__import_cursor *cursor, const struct tacho__atp_block *block)
{
	struct tacho__import_stream stream = {.kind = TACHO__IMPORT_PACKETS, .api = block->api};
	struct tacho__span lines = block->lines, line;
	struct tacho__atp_packet packet;
	size_t capacity = 0;

	while (tacho__span_take_line(&lines, &line)) {
		if (tacho__array_reserve(&stream.packets, &capacity, stream.packet_count,
					 sizeof(*stream.packets))) {
			free(stream.packets);
			return TACHO_E_NOMEM;
		}
		if (tacho__atp_parse_packet(line, &packet))
			stream.packets[stream.packet_count++] = (struct tacho__import_packet){
				.start_ns = packet.start_ns, .line = line};
		else if (tacho__span_find(line, "HSA_PACKET_TYPE_"))
			cursor->tally.packets++;
		else
			cursor->tally.unreadable += tacho__span_size(line) + 1;
	}
	if (stream.packet_count)
		qsort(stream.packets, stream.packet_count, sizeof(*stream.packets),
		      compare_packets);
	return add_stream(cursor, &stream);
}

static int add_block(struct tacho__import_cursor *cursor, const struct tacho__atp_block *block)
{
	const struct tacho__atp_file *file = &cursor->import->atp;
	struct tacho__import_stream stream = {
		.kind = TACHO__IMPORT_CALLS, .api = block->api, .thread = block->thread};

	switch (block->section) {
	case TACHO__ATP_TIMES:
		stream.line = stream.number = lines_before(file, block);
		stream.times = block->lines;
		stream.calls = find_lines(file, TACHO__ATP_CALLS, block);
		stream.callers = find_lines(file, TACHO__ATP_CALLERS, block);
		return add_stream(cursor, &stream);
	case TACHO__ATP_CALLS:
		if (!tacho__atp_find(file, TACHO__ATP_TIMES, block->api, block->thread,
				     block->occurrence))
			cursor->tally.untimed += block->count;
		return 0;
	case TACHO__ATP_KERNELS: return add_packets(cursor, block);
	case TACHO__ATP_MARKERS:
		stream.kind = TACHO__IMPORT_MARKERS;
		stream.times = block->lines;
		return add_stream(cursor, &stream);
	default: return 0;
	}
}

/* Rows stand by themselves where no file has the calls. */
static int add_rows(struct tacho__import_cursor *cursor)
{
	const struct tacho__import *import = cursor->import;
	struct tacho__import_stream stream = {.kind = TACHO__IMPORT_ROWS};

	if (import->has[TACHO__IMPORT_ATP])
		return 0;
	return import->csv.row_count || import->occupancy.row_count ? add_stream(cursor, &stream)
								    : 0;
}

/* ---- loading ---- */

/* The call and who made it, from the lines that go with the next line of times. */
static void load_call(struct tacho__import_stream *stream)
{
	struct tacho__span line;

	stream->has_call = tacho__span_take_line(&stream->calls, &line) &&
			   tacho__atp_parse_call(line, &stream->call);
	stream->has_caller = tacho__span_take_line(&stream->callers, &line) &&
			     tacho__atp_parse_caller(line, &stream->caller);
	if (stream->has_caller && stream->has_call &&
	    !tacho__span_equals(stream->caller.function, stream->call.name))
		stream->has_caller = false; /* of another call: the sections do not fit */
}

/* The sections do not fit, and no line behind this one can be trusted to: all are left out. */
static void leave_out(struct tacho__import_cursor *cursor, struct tacho__import_stream *stream)
{
	struct tacho__import_tally *tally = &cursor->tally;
	struct tacho__span line;

	if (!tally->misplaced) {
		tally->misplaced_thread = stream->thread;
		tally->misplaced_call = stream->call.name;
		tally->misplaced_times = stream->at.name;
	}
	tally->misplaced++;
	while (tacho__span_take_line(&stream->calls, &line))
		tally->misplaced++;
}

static bool load_times(struct tacho__import_cursor *cursor, struct tacho__import_stream *stream)
{
	struct tacho__span line, name;
	bool is_cut = false;

	while (tacho__span_take_line(&stream->times, &line)) {
		load_call(stream);
		stream->loaded_line = stream->line++;
		stream->loaded_number = stream->number++;
		name = stream->has_call ? stream->call.name : (struct tacho__span){0};
		if (!tacho__atp_parse_times(line, name, stream->api, &cursor->import->header,
					    &stream->at, &is_cut)) {
			cursor->tally.unreadable += tacho__span_size(line) + 1;
			continue;
		}
		if (stream->has_call && !tacho__span_equals(stream->at.name, name)) {
			leave_out(cursor, stream);
			return false;
		}
		cursor->tally.cut += is_cut;
		if (stream->has_call)
			stream->number += stream->call.repeats;
		stream->key_ns = stream->at.end_ns;
		return true;
	}
	while (tacho__span_take_line(&stream->calls, &line))
		cursor->tally.untimed++;
	return false;
}

static bool load_marker(struct tacho__import_cursor *cursor, struct tacho__import_stream *stream)
{
	struct tacho__span line;

	while (tacho__span_take_line(&stream->times, &line)) {
		if (tacho__atp_parse_marker(line, &stream->marker)) {
			stream->loaded_number = stream->number++;
			stream->key_ns = stream->marker.at_ns;
			return true;
		}
		cursor->tally.unreadable += tacho__span_size(line) + 1;
	}
	return false;
}

/* Reads the next lines of a stream. False at its end. */
static bool load(struct tacho__import_cursor *cursor, struct tacho__import_stream *stream)
{
	const struct tacho__csv_file *file =
		cursor->import->csv.row_count ? &cursor->import->csv : &cursor->import->occupancy;

	switch (stream->kind) {
	case TACHO__IMPORT_CALLS: return load_times(cursor, stream);
	case TACHO__IMPORT_MARKERS: return load_marker(cursor, stream);
	case TACHO__IMPORT_PACKETS:
		if (stream->number == stream->packet_count)
			return false;
		tacho__atp_parse_packet(stream->packets[stream->number].line, &stream->packet);
		stream->key_ns = stream->packet.start_ns;
		stream->loaded_number = stream->number++;
		return true;
	case TACHO__IMPORT_ROWS:
		if (stream->number == file->row_count)
			return false;
		stream->row = &file->rows[stream->number];
		stream->loaded_number = stream->number++;
		return true;
	}
	return false;
}

/* ---- order ---- */

static bool is_before(const struct tacho__import_stream *a, const struct tacho__import_stream *b)
{
	return a->key_ns != b->key_ns ? a->key_ns < b->key_ns : a->order < b->order;
}

static void sift_down(struct tacho__import_cursor *cursor, size_t i)
{
	struct tacho__import_stream **heap = cursor->heap, *swap;

	for (;;) {
		size_t least = i, left = 2 * i + 1, right = left + 1;

		if (left < cursor->heap_count && is_before(heap[left], heap[least]))
			least = left;
		if (right < cursor->heap_count && is_before(heap[right], heap[least]))
			least = right;
		if (least == i)
			return;
		swap = heap[i];
		heap[i] = heap[least];
		heap[least] = swap;
		i = least;
	}
}

static struct tacho__import_stream *advance(struct tacho__import_cursor *cursor)
{
	if (cursor->current) {
		if (!load(cursor, cursor->current))
			cursor->heap[0] = cursor->heap[--cursor->heap_count];
		sift_down(cursor, 0);
	}
	cursor->current = cursor->heap_count ? cursor->heap[0] : NULL;
	return cursor->current;
}

/* ---- the cursor ---- */

static int prepare(struct tacho__import_cursor *cursor)
{
	const struct tacho__import *import = cursor->import;
	size_t rows = import->occupancy.row_count + 1;
	int rc;

	cursor->cells = calloc(import->column_max + 1, sizeof(*cursor->cells));
	cursor->occupancies = calloc(rows, sizeof(*cursor->occupancies));
	if (!cursor->cells || !cursor->occupancies)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a cursor");
	for (size_t i = 0; i < rows; i++)
		cursor->occupancies[i] = i + 1;
	rc = tacho__row_create(cursor->recording->counters, NULL, cursor->recording->counter_count,
			       &cursor->row_values, &cursor->row_result);
	if (rc)
		return rc;
	cursor->row = (struct tacho_recorded_row){
		.result = cursor->row_result, .is_counted = 1, .note = ""};
	return tacho__import_objects_init(&cursor->objects,
					  &cursor->recording->processes[0]->process,
					  &import->header, import->kernel_id_max);
}

static int open_streams(struct tacho__import_cursor *cursor)
{
	const struct tacho__atp_file *file = &cursor->import->atp;
	int rc = 0;

	for (size_t i = 0; i < file->count && !rc; i++)
		rc = add_block(cursor, &file->blocks[i]);
	if (!rc)
		rc = add_rows(cursor);
	if (rc)
		return rc;
	cursor->heap = calloc(cursor->stream_count + 1, sizeof(struct tacho__import_stream *));
	if (!cursor->heap)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a cursor");
	for (size_t i = 0; i < cursor->stream_count; i++)
		if (load(cursor, &cursor->streams[i]))
			cursor->heap[cursor->heap_count++] = &cursor->streams[i];
	for (size_t i = cursor->heap_count / 2; i-- > 0;)
		sift_down(cursor, i);
	return 0;
}

static void close_cursor(struct tacho_cursor *info)
{
	struct tacho__import_cursor *cursor = (struct tacho__import_cursor *)info;

	for (size_t i = 0; i < cursor->stream_count; i++)
		free(cursor->streams[i].packets);
	free(cursor->streams);
	free(cursor->heap);
	tacho__names_finish(&cursor->functions);
	tacho__import_objects_finish(&cursor->objects);
	tacho__import_ranges_finish(&cursor->ranges);
	tacho__buf_finish(&cursor->key);
	tacho__buf_finish(&cursor->result);
	tacho__buf_finish(&cursor->caller);
	tacho__buf_finish(&cursor->text);
	tacho__buf_finish(&cursor->joined);
	free(cursor->names);
	free(cursor->values);
	free(cursor->cells);
	free(cursor->occupancies);
	tacho_result_destroy(cursor->row_result);
	free(cursor);
}

static int open_cursor(struct tacho_recording *recording, struct tacho_cursor **out_cursor)
{
	struct tacho__import_cursor *cursor = calloc(1, sizeof(*cursor));
	int rc;

	if (!cursor)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a cursor");
	cursor->cursor.source = &tacho__source_import;
	cursor->recording = recording;
	cursor->import = recording->source_data;
	cursor->ranges.recorded_process = &recording->processes[0]->process;
	rc = prepare(cursor);
	if (!rc)
		rc = open_streams(cursor);
	if (rc)
		close_cursor(&cursor->cursor);
	else
		*out_cursor = &cursor->cursor;
	return rc;
}

static void deliver(struct tacho__import_cursor *cursor, const struct tacho_named_range *range)
{
	if (cursor->cursor.on_range)
		cursor->cursor.on_range(cursor->cursor.range_user, range);
}

static int take_marker(struct tacho__import_cursor *cursor,
		       const struct tacho__import_stream *stream)
{
	const struct tacho_named_range *ended;
	int rc =
		tacho__import_ranges_take(&cursor->ranges, stream->thread, &stream->marker, &ended);

	if (rc == 1)
		deliver(cursor, ended);
	return rc < 0 ? rc : 0;
}

/* The loaded lines of the next stream that are no marker; *out_stream is NULL behind all. */
static int find_call(struct tacho__import_cursor *cursor,
		     const struct tacho__import_stream **out_stream)
{
	const struct tacho__import_stream *stream;
	const struct tacho_named_range *range;
	int rc = 0;

	while (!rc && (stream = advance(cursor))) {
		if (stream->key_ns > cursor->ranges.last_ns)
			cursor->ranges.last_ns = stream->key_ns;
		if (stream->kind != TACHO__IMPORT_MARKERS) {
			*out_stream = stream;
			return 0;
		}
		rc = take_marker(cursor, stream);
	}
	while (!rc && (range = tacho__import_ranges_close(&cursor->ranges)))
		deliver(cursor, range);
	*out_stream = NULL;
	return rc;
}

static int next(struct tacho_cursor *info, const struct tacho_call **out_call)
{
	struct tacho__import_cursor *cursor = (struct tacho__import_cursor *)info;
	struct tacho_call *call = &cursor->call;
	const struct tacho__import_stream *stream;
	int rc = find_call(cursor, &stream);

	if (rc || !stream)
		return rc;
	rc = tacho__import_take(cursor, stream);
	if (!rc && stream->kind == TACHO__IMPORT_CALLS)
		rc = tacho__import_ranges_find(&cursor->ranges, stream->thread, call->start_ns,
					       &call->ranges, &call->range_count);
	if (rc)
		return rc;
	if (out_call)
		*out_call = call;
	return 1;
}

int tacho__import_survey(struct tacho_recording *recording, struct tacho__import_tally *out_tally)
{
	struct tacho_cursor *cursor;
	int rc = open_cursor(recording, &cursor);

	if (rc)
		return rc;
	while ((rc = tacho_cursor_next(cursor, NULL)) == 1)
		;
	if (!rc) {
		const struct tacho__import_cursor *own = (struct tacho__import_cursor *)cursor;

		*out_tally = own->tally;
		out_tally->headless_ranges = own->ranges.process.headless;
		out_tally->deep_ranges = own->ranges.process.beyond;
	}
	close_cursor(cursor);
	return rc;
}

/* ---- arguments ---- */

void tacho__import_put_plain(struct tacho__buf *buf, struct tacho__span text)
{
	static const struct {
		const char *code;
		char plain;
	} codes[] = {{"&nbsp;", ' '}, {"&comma;", ','}, {"&#64;", '@'}};

	while (text.at < text.end) {
		char plain = *text.at;
		size_t size = 1;

		for (size_t i = 0; plain == '&' && i < TACHO__ARRAY_SIZE(codes); i++)
			if (tacho__span_starts(text, codes[i].code)) {
				plain = codes[i].plain;
				size = strlen(codes[i].code);
			}
		tacho__buf_char(buf, plain);
		text.at += size;
	}
}

/* Arguments have names in the file. OpenCL's have none but for the error that a function
 * gives through its last one. */
static void put_name(struct tacho__import_cursor *cursor, struct tacho__span *argument,
		     bool is_last)
{
	const struct tacho_call *call = &cursor->call;
	bool is_opencl = !strcmp(call->function->api, TACHO__IMPORT_API_OPENCL);
	const char *equals = is_opencl ? NULL : tacho__span_find(*argument, "=");

	if (equals) {
		tacho__buf_add(&cursor->text, argument->at, (size_t)(equals - argument->at));
		argument->at = equals + 1;
	} else if (is_opencl && is_last && strncmp(call->result, "CL_", 3) &&
		   (tacho__span_starts(*argument, "[CL_") || tacho__span_starts(*argument, "[-"))) {
		tacho__buf_put(&cursor->text, "errcode_ret");
	} else {
		tacho__buf_printf(&cursor->text, "argument%zu", cursor->argument_count + 1);
	}
}

static int add_argument(struct tacho__import_cursor *cursor, struct tacho__span argument,
			bool is_last)
{
	if (tacho__array_reserve(&cursor->names, &cursor->argument_capacity, cursor->argument_count,
				 sizeof(*cursor->names)) ||
	    tacho__array_reserve(&cursor->values, &cursor->value_capacity, cursor->argument_count,
				 sizeof(*cursor->values)))
		return TACHO_E_NOMEM;
	cursor->names[cursor->argument_count] = cursor->text.size;
	put_name(cursor, &argument, is_last);
	tacho__buf_char(&cursor->text, '\0');
	cursor->values[cursor->argument_count] = cursor->text.size;
	tacho__import_put_plain(&cursor->text, argument);
	tacho__buf_char(&cursor->text, '\0');
	cursor->argument_count++;
	return 0;
}

static void split(struct tacho__import_cursor *cursor)
{
	struct tacho__span rest = cursor->arguments, argument;

	if (cursor->is_split)
		return;
	cursor->is_split = true;
	tacho__buf_clear(&cursor->text);
	cursor->argument_count = 0;
	while (tacho__atp_take_argument(&rest, &argument) && !cursor->cursor.failed)
		cursor->cursor.failed |= add_argument(cursor, argument, !rest.at) != 0;
	cursor->cursor.failed |= cursor->text.failed;
}

static const char *get_argument(struct tacho_cursor *info, size_t index, const char **out_name)
{
	struct tacho__import_cursor *cursor = (struct tacho__import_cursor *)info;

	split(cursor);
	if (index >= cursor->argument_count || cursor->cursor.failed)
		return NULL;
	*out_name = cursor->text.text + cursor->names[index];
	return cursor->text.text + cursor->values[index];
}

static const char *format_arguments(struct tacho_cursor *info, const char *separator)
{
	struct tacho__import_cursor *cursor = (struct tacho__import_cursor *)info;
	struct tacho__span rest = cursor->arguments, argument;
	const char *between = "";

	tacho__buf_clear(&cursor->joined);
	while (tacho__atp_take_argument(&rest, &argument)) {
		tacho__buf_put(&cursor->joined, between);
		tacho__buf_add(&cursor->joined, argument.at, tacho__span_size(argument));
		between = separator;
	}
	cursor->cursor.failed |= cursor->joined.failed;
	return tacho__buf_text(&cursor->joined);
}

/* ---- the rest ---- */

static const struct tacho_object *get_object(const struct tacho_cursor *info, size_t index)
{
	const struct tacho__import_cursor *cursor = (const struct tacho__import_cursor *)info;

	return index < cursor->objects.count ? &cursor->objects.all[index]->object : NULL;
}

static const struct tacho_recorded_row *get_row(struct tacho_cursor *info)
{
	const struct tacho__import_cursor *cursor = (const struct tacho__import_cursor *)info;

	return cursor->has_row ? &cursor->row : NULL;
}

/* The files keep no names of threads and no blobs. */
const struct tacho__source tacho__source_import = {
	.close = tacho__import_close,
	.open_cursor = open_cursor,
	.close_cursor = close_cursor,
	.next = next,
	.format_arguments = format_arguments,
	.get_argument = get_argument,
	.get_object = get_object,
	.get_row = get_row,
};
