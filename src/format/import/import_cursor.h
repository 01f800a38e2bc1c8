/* SPDX-License-Identifier: MIT */
/* The cursor over session files, shared by cursor.c and call.c. */
#ifndef TACHO_FORMAT_IMPORT_IMPORT_CURSOR_H
#define TACHO_FORMAT_IMPORT_IMPORT_CURSOR_H

#include "format/import/import.h"
#include "format/import/import_objects.h"
#include "format/import/import_ranges.h"
#include "model/row.h"

enum tacho__import_kind {
	TACHO__IMPORT_CALLS,
	TACHO__IMPORT_PACKETS,
	TACHO__IMPORT_MARKERS,
	TACHO__IMPORT_ROWS, /* of a .csv or an .occupancy that is alone */
};

/* Lines that come in the order of time: those of a thread, or others of one sort. */
struct tacho__import_stream {
	enum tacho__import_kind kind;
	enum tacho__atp_api api;
	uint32_t thread;
	struct tacho__span times, calls, callers; /* the lines that are left */
	struct tacho__import_packet *packets;	  /* by their start; owned */
	size_t packet_count;
	uint64_t line;	 /* number of the next one in its thread */
	uint64_t number; /* of the next call */
	uint64_t key_ns; /* when the loaded call ended */
	size_t order;	 /* among streams */

	/* what is loaded */
	uint64_t loaded_line, loaded_number;
	struct tacho__atp_times at;
	struct tacho__atp_call call;
	bool has_call, has_caller;
	struct tacho__atp_caller caller;
	struct tacho__atp_packet packet;
	struct tacho__atp_marker marker;
	const struct tacho__csv_row *row;
};

struct tacho__import_packet {
	uint64_t start_ns;
	struct tacho__span line;
};

struct tacho__import_cursor {
	struct tacho_cursor cursor;
	const struct tacho_recording *recording;
	struct tacho__import *import;
	struct tacho__import_tally tally;

	struct tacho__import_stream *streams, **heap;
	size_t stream_count, stream_capacity, heap_count;
	struct tacho__import_stream *current;

	struct tacho__import_objects objects;
	struct tacho__import_ranges ranges;
	struct tacho__names functions; /* "API NAME NUMBER" */
	struct tacho__buf key, result, caller, text, joined;
	size_t *names, *values; /* of arguments, where in `text`; owned */
	size_t argument_count, argument_capacity, value_capacity;
	bool is_split;
	struct tacho__span arguments;
	struct tacho__span *cells; /* column_max of them */
	size_t *occupancies;	   /* per first row of a chain: the next row + 1 */

	struct tacho_call call;
	struct tacho_command command;
	struct tacho_result *row_result;
	struct tacho__row row_values; /* of the result */
	struct tacho_recorded_row row;
	bool has_row;
};

/* HSA's texts and the names of callers have some characters as HTML does. */
void tacho__import_put_plain(struct tacho__buf *buf, struct tacho__span text);

/* call.c: the loaded lines of the stream, no marker's, as the cursor's current call. NOMEM. */
int tacho__import_take(struct tacho__import_cursor *cursor,
		       const struct tacho__import_stream *stream);

#endif
