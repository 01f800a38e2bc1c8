/* SPDX-License-Identifier: MIT */
/*
 * Many growing texts in bounded memory: each has one small buffer, what does not fit there goes to
 * a nameless temporary file that they share. Chunks have one size and name their successor, so
 * memory does not grow with the length of a text.
 */
#ifndef TACHO_FORMAT_SPILL_H
#define TACHO_FORMAT_SPILL_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct tacho__spill {
	int fd;	      /* -1 until something did not fit */
	uint64_t end; /* where the next chunk goes */
	char *beside; /* the temporary file is made in this path's folder */
};

/* One text. {0} is empty. */
struct tacho__spill_text {
	char *buffer; /* what is not in the file yet */
	size_t used, capacity;
	uint64_t first, next; /* chunks: the first one and the one that the buffer goes to */
	uint64_t chunks;
};

/* `beside` is a path in the folder that the temporary file may use. NOMEM. */
int tacho__spill_init(struct tacho__spill *spill, const char *beside);
void tacho__spill_finish(struct tacho__spill *spill);

/* Appends. IO, PERM, NOMEM. */
int tacho__spill_add(struct tacho__spill *spill, struct tacho__spill_text *text, const char *bytes,
		     size_t size);
/* Writes the whole text to `stream`, whose own errors stay in it. IO, NOMEM. */
int tacho__spill_copy(struct tacho__spill *spill, const struct tacho__spill_text *text,
		      FILE *stream);
void tacho__spill_text_finish(struct tacho__spill_text *text);

#endif
