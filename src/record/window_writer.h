/* SPDX-License-Identifier: MIT */
/*
 * Writing what was sampled beside a program into the memory of its recording, from the process that
 * started it: it has the pool, and is none of those that are recorded. Nothing here waits. From one
 * thread at a time.
 */
#ifndef TACHO_RECORD_WINDOW_WRITER_H
#define TACHO_RECORD_WINDOW_WRITER_H

#include "record/pool.h"

struct tacho__window_writer {
	struct tacho__pool *pool;
	struct tacho__pool_stream *shared; /* NULL: it is not open */
	uint32_t stream, window;
	uint8_t *at, *end; /* in the window; NULL before the first one */
};

/* False: every stream is in use. */
bool tacho__window_writer_open(struct tacho__pool *pool, struct tacho__window_writer *out_writer);
/* Packed values of a record. False: there is no room for it now, and nothing was written. */
bool tacho__window_writer_put(struct tacho__window_writer *writer, uint16_t kind,
			      const uint8_t *packed, uint32_t size);
/* Nothing more comes. Again: nothing. */
void tacho__window_writer_close(struct tacho__window_writer *writer);

#endif
