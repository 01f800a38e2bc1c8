/* SPDX-License-Identifier: MIT */
/* Traces of Perfetto, what the parts of their reader share: pftrace.c pftrace_names.c
 * pftrace_stage.c. */
#ifndef TACHO_FORMAT_FOREIGN_PFTRACE_H
#define TACHO_FORMAT_FOREIGN_PFTRACE_H

#include "base/proto_read.h"
#include "format/foreign/foreign.h"
#include "format/foreign/foreign_bytes.h"

/* What packets of a sequence name by numbers, each kind by itself, until the sequence clears them.
 */
enum tacho__pftrace_name {
	TACHO__PFTRACE_EVENT,	 /* -> a text */
	TACHO__PFTRACE_SPEC,	 /* -> a text: a queue or a stage */
	TACHO__PFTRACE_KERNEL,	 /* -> a text: the attributes of a kernel */
	TACHO__PFTRACE_ARGUMENT, /* -> a text */
	TACHO__PFTRACE_CONTEXT,	 /* -> a process's own number + 1 */
	TACHO__PFTRACE_NAMES
};

struct tacho__pftrace_sequence {
	struct tacho__map names[TACHO__PFTRACE_NAMES];
	uint32_t clock; /* of packets that name none; 0: the trace's */
};

enum {
	TACHO__PFTRACE_BOOTTIME = 6,
	TACHO__PFTRACE_REALTIME = 1,
	TACHO__PFTRACE_CLOCKS = 7, /* built in ones are below */
	TACHO__PFTRACE_OLD_SPECS = 1024,
};

struct tacho__pftrace {
	struct tacho__foreign *foreign;
	const char *path;
	struct tacho__foreign_bytes *bytes;
	uint8_t *buffer;
	size_t at, size, capacity;
	bool is_end;
	uint64_t offset; /* of the buffer in the file */
	uint64_t file;	 /* its number, from 1 */
	struct tacho__map sequences;
	size_t sequence_count;
	/* Of early versions, for the whole trace: texts by their place. */
	uint32_t old_queues[TACHO__PFTRACE_OLD_SPECS], old_stages[TACHO__PFTRACE_OLD_SPECS];
	size_t old_queue_count, old_stage_count;
	uint64_t clocks[TACHO__PFTRACE_CLOCKS]; /* at one moment; 0: not known */
	uint32_t base;				/* which of them times are told on */
	uint64_t packets, stages, samples, packed, unnamed, clockless, surplus;
};

/* A packet's own facts. */
struct tacho__pftrace_packet {
	struct tacho__pftrace_sequence *sequence;
	uint64_t timestamp;
	uint32_t clock;
};

/* pftrace_names.c */
/* The sequence with that number, made when it is new; NULL: memory ran out, or there are too many.
 */
struct tacho__pftrace_sequence *tacho__pftrace_sequence(struct tacho__pftrace *trace,
							uint64_t number);
void tacho__pftrace_clear(struct tacho__pftrace_sequence *sequence);
/* Interned data. NOMEM. */
int tacho__pftrace_take_names(struct tacho__pftrace *trace,
			      struct tacho__pftrace_sequence *sequence,
			      struct tacho__proto_reader reader);
/* 0: nothing has that number. */
uintptr_t tacho__pftrace_find(const struct tacho__pftrace_sequence *sequence,
			      enum tacho__pftrace_name kind, uint64_t iid);
/* A text that is a field, "" for none; into a buffer, on one line. */
void tacho__pftrace_put(struct tacho__buf *text, const struct tacho__proto_field *field);
/* An argument of a kernel or launch that tacho has a word for becomes a line of attributes, or
 * *extra_bytes. */
void tacho__pftrace_take_argument(struct tacho__pftrace *trace,
				  const struct tacho__pftrace_sequence *sequence,
				  struct tacho__proto_reader reader, struct tacho__buf *attributes,
				  bool *has_extra, uint64_t *extra_bytes);

/* pftrace_stage.c: a render stage becomes a command. NOMEM, IO. */
int tacho__pftrace_take_stage(struct tacho__pftrace *trace,
			      const struct tacho__pftrace_packet *packet,
			      struct tacho__proto_reader reader);

#endif
