/* SPDX-License-Identifier: MIT */
/* Traces of PyTorch's profiler (Kineto), what the parts of their reader share: kineto.c
 * kineto_event.c kineto_rows.c. */
#ifndef TACHO_FORMAT_FOREIGN_KINETO_H
#define TACHO_FORMAT_FOREIGN_KINETO_H

#include "format/foreign/foreign.h"
#include "format/foreign/foreign_chrome.h"

/* What is told of an event by its category, whose names have changed over the years. */
enum tacho__kineto_sort {
	TACHO__KINETO_OTHER, /* left out, and counted */
	TACHO__KINETO_QUIET, /* left out: it says again what others say */
	TACHO__KINETO_CALL,
	TACHO__KINETO_KERNEL,
	TACHO__KINETO_COPY,
	TACHO__KINETO_FILL,
	TACHO__KINETO_RANGE,
	TACHO__KINETO_OPERATOR,
	TACHO__KINETO_COUNTED, /* a kernel's counters */
};

enum { TACHO__KINETO_DEVICES = 64, TACHO__KINETO_LEFT_OUT = 16 };

/* Arguments of an event; flags say which it has. */
struct tacho__kineto_arguments {
	bool has_device, has_stream, has_context, has_correlation, has_registers, has_shared;
	bool has_bytes, has_grid, has_block;
	uint64_t device, stream, context, correlation, registers, shared, bytes;
	uint64_t grid[3], block[3];
	struct tacho__buf label;   /* "name" of a process */
	struct tacho__buf numbers; /* others: name, zero, text, zero */
};

struct tacho__kineto {
	struct tacho__foreign *foreign;
	struct tacho__foreign_json json;
	struct tacho__foreign_chrome chrome;
	struct tacho__kineto_arguments arguments;
	uint64_t file;	  /* its number, from 1 */
	uint32_t process; /* that the work of devices belongs to */
	bool has_pid;
	uint64_t pid;					  /* of the first call */
	struct tacho__buf name, rank;			  /* of the process */
	struct tacho__buf devices[TACHO__KINETO_DEVICES]; /* what is told of them: by number */
	struct tacho__buf tool;				  /* versions, as the file tells them */
	uint64_t device_count;
	bool has_devices, is_read_ahead, has_epoch;
	/* The queue of the last command. */
	bool has_queue;
	uint64_t queue_device, queue_context, queue_stream;
	uint32_t queue, device;
	/* Counts for the notes. */
	uint64_t commands, calls, unlinked, sizeless, own_copies, counted, strangers, timeless;
	struct {
		char name[40];
		uint64_t count;
	} left_out[TACHO__KINETO_LEFT_OUT];
};

/* kineto_event.c */
enum tacho__kineto_sort tacho__kineto_sort_of(const char *category);
void tacho__kineto_begin_events(struct tacho__kineto *kineto);
/* The next event, its arguments read when it has a use. As tacho__foreign_chrome_next(). */
int tacho__kineto_next(struct tacho__kineto *kineto, bool *out_is_one);

/* kineto_rows.c: an event becomes a row, or is counted. IO, NOMEM. */
int tacho__kineto_take(struct tacho__kineto *kineto);

#endif
