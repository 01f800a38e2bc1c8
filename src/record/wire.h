/* SPDX-License-Identifier: MIT */
/*
 * The layout of a recording's streams. docs/recording.md tells it to people.
 *
 * NAME.tacho/
 *   meta.json             the run, written once by the launcher; end.json when the run is over
 *   proc-<pid>-<n>/       one per process image, made exclusively by that process
 *     control.bin         written by the helper thread: live counters, anchors, call tables
 *     stream-<serial>.bin written by one thread at a time
 *
 * A stream is a sequence of windows, each a multiple of 64 KiB that starts with a window header and
 * is otherwise zero until written. Records follow one another, aligned to 8 bytes. The first word
 * of a record is stored last, with release order: a record is there when its word is not 0. A
 * window ends at its first zero word or where no word fits; the next window follows it in the file.
 *
 *   word:   bits 0-15 size of the record in units of 8 bytes, this word included
 *           bits 16-31 kind: bits 10-15 API (0: structure), bits 0-9 function or enum below
 *           bit 32 the record ends with a slot; bits 33-63 are 0
 *   then:   packed values (base/pack.h); the first is always a tick, of a call's start or of
 * writing
 *
 * A call: start tick, duration in ticks, result unless void, arguments as its call table says.
 * Ticks are TSC cycles or CLOCK_MONOTONIC_RAW nanoseconds; anchors tie them to the clocks.
 */
#ifndef TACHO_RECORD_WIRE_H
#define TACHO_RECORD_WIRE_H

#include <stdint.h>

#define TACHO__WINDOW_MAGIC   UINT32_C(0x4f434154) /* "TACO" */
#define TACHO__CONTROL_FILE   "control.bin"
#define TACHO__STREAM_FORMAT  "stream-%u.bin"
#define TACHO__META_FILE      "meta.json"
#define TACHO__END_FILE	      "end.json"
#define TACHO__PROCESS_FORMAT "proc-%u-%u"
#define TACHO__PROCESS_PREFIX "proc-"

enum {
	TACHO__WIRE_VERSION = 1,
	TACHO__WINDOW_UNIT = 64 * 1024,	     /* every offset and size of a window: any page size */
	TACHO__WINDOW_MAX = 4 * 1024 * 1024, /* windows of a stream double up to this */
	TACHO__RECORD_MAX = 32 * 1024,	     /* of any record, bytes */
};

/* At the start of every window. */
struct tacho__window_header {
	uint32_t magic;
	uint16_t version;
	uint16_t header_bytes; /* records begin here */
	uint32_t window_bytes;
	uint32_t index;	 /* of this window in its stream, from 0 */
	uint32_t serial; /* of the stream; 0 is the control stream */
	uint32_t pid;
	uint64_t reserved[5];
};

/*
 * Follows the header of the first window of control.bin; written in place, so it tells of losses
 * even when nothing can grow any more. Counters are added to by any thread.
 */
struct tacho__live {
	uint64_t calls; /* estimates, refreshed every second, for a progress line */
	uint64_t commands;
	uint64_t lost_no_window, lost_no_space, lost_nested, lost_too_big, lost_no_thread;
	uint64_t waits;
	uint64_t io_error; /* errno of the last failed growth */
	uint64_t reserved[7];
};

enum tacho__record_kind {
	TACHO__RECORD_THREAD = 1, /* tick, tid, name: the stream is this thread's from here on */
	TACHO__RECORD_ANCHOR = 2, /* tick, raw ns, monotonic ns, realtime ns, uncertainty ns */
	TACHO__RECORD_PROCESS =
		3, /* tick, attributes: pid, parent, clock, executable, command, loader */
	TACHO__RECORD_TABLE = 4,  /* tick, api, offset, total, bytes of a call table */
	TACHO__RECORD_OBJECT = 5, /* tick, api, enum tacho_object_kind, handle, attributes */
	TACHO__RECORD_BLOB = 6,	  /* tick, api, program handle, kind, offset, total, bytes */
	TACHO__RECORD_VALUES = 7, /* counters of one launch: values.h */
	/* Commands that run many times: template.h. */
	TACHO__RECORD_TEMPLATE = 8,
	TACHO__RECORD_COUNT_SHAPE = 9, /* which instances a counter has: count_shapes.h */
	/*
	 * What the program says of a range: tick, event (intercept.h), id, color + 1 or 0, then
	 * api, domain and name, which POP and END have not; then, of PUSH and POP, the level on its
	 * stack, from 1, so that a POP whose PUSH was dropped ends no other. Older ones have none.
	 * Of frames, labels and passes there follow enum tacho_range_kind, API, handle of the queue
	 * or 0, and a number.
	 */
	TACHO__RECORD_RANGE = 10,
	/* What was sampled beside the program: window_records.h. In chunks of stream 0. */
	TACHO__RECORD_SAMPLED = 11,
	TACHO__RECORD_SAMPLED_COLUMN = 12,
	TACHO__RECORD_WINDOW = 13,
	TACHO__RECORD_SAMPLED_END = 14,

	/*
	 * Version 2, by the keeper. Processes and streams have numbers, from 0 and 1. Where version
	 * 1 has a tick in front, that is the record's start.
	 */
	TACHO__RECORD_BORN = 16,    /* process, tick, raw ns, monotonic ns, realtime ns as the
				       process sees them, attributes */
	TACHO__RECORD_GONE = 17,    /* process, losses in the order of struct tacho__pool_process */
	TACHO__RECORD_STREAM = 18,  /* stream, process, thread id, name */
	TACHO__RECORD_PIECE = 19,   /* oldest piece, newest piece, its bytes, calls in all */
	TACHO__RECORD_BOUNDED = 20, /* api, function, calls that were left out so far */
	TACHO__RECORD_REFUSED = 21, /* pid, uid, errno, stage */
	TACHO__RECORD_BOUNDS = 22,  /* max bytes, ring bytes, level now */
	TACHO__RECORD_FINISH = 23,  /* calls, unwritten calls, unwritten times, spoilt windows,
				       errno of the last failure; the last record */
	/* Now and then: stream, how long its thread had run on a processor by the record's start,
	   and had waited for one, in ns. Older recordings have none; older readers pass it. */
	TACHO__RECORD_THREAD_TIME = 24,
};

/* Attributes and names are text: P length, bytes. Attributes are "key=value" lines. */

#define TACHO__KIND(api, function) ((uint16_t)((api) << 10 | (function)))
#define TACHO__KIND_API(kind)	   ((kind) >> 10)
#define TACHO__KIND_FUNCTION(kind) ((kind)&1023)

#define TACHO__WORD(bytes, kind, has_slot) \
	((uint64_t)(bytes) / 8 | (uint64_t)(kind) << 16 | (uint64_t)(has_slot) << 32)
#define TACHO__WORD_BYTES(word) ((uint32_t)((word)&0xffff) * 8)
#define TACHO__WORD_KIND(word)	((uint16_t)((word) >> 16))
#define TACHO__WORD_SLOT(word)	((uint32_t)((word) >> 32) & 1)

/* What became of a command's device times; the low byte of tacho__slot.done. */
enum tacho__slot_code {
	TACHO__SLOT_PENDING = 0,
	TACHO__SLOT_TIMES = 1,
	TACHO__SLOT_NO_PROFILING = 2, /* the driver refused the times; vendor code in bits 32-63 */
	TACHO__SLOT_NO_CALLBACK = 3,  /* the end could not be watched; vendor code in bits 32-63 */
	TACHO__SLOT_FAILED = 4,	      /* the command ended with the error in bits 32-63 */
	TACHO__SLOT_NO_START = 5,     /* the driver tells when it ended, but not when it began */
	/* As TIMES; the start is when all that was in front of the command had ended. */
	TACHO__SLOT_MARKED = 6,
	/* As TIMES; nobody knows when it was queued and submitted: these are as the start. */
	TACHO__SLOT_UNQUEUED = 7,
	/* Too many commands were waiting for their times: nobody could look for those of this one.
	 */
	TACHO__SLOT_NO_ROOM = 8,
	/* Of commands that are recorded once and run many times, why one of a run has no times: */
	TACHO__SLOT_NO_CLOCK = 9, /* its queue has no clock that can time it */
	TACHO__SLOT_AT_ONCE = 10, /* runs of it may overlap, and would mix their times */
	TACHO__SLOT_INSIDE = 11,  /* nothing can be put beside it where it was recorded */
	TACHO__SLOT_BY_TILE = 12, /* the device does all draws of a tile, then those of the next */
	/* Times were taken, and those of another run of it may be among them. */
	TACHO__SLOT_MIXED = 13,
	/* The driver wrote times that do not lie between the command's submit and its end. */
	TACHO__SLOT_ODD = 14,
	/* Its parts are timed one by one, and would be in its time again. */
	TACHO__SLOT_BY_PARTS = 15,
};

/*
 * The last 48 bytes of an enqueue's record: the device times, filled in when the command ends and
 * then committed by a release store to `done`. Until then `queued` belongs to the writer.
 */
struct tacho__slot {
	uint64_t done;
	uint64_t queued, submit, start, end; /* in the device's own clock */
	uint64_t seen; /* tick at which the end was reported to the host; 0: never */
};

#endif
