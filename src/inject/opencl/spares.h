/* SPDX-License-Identifier: MIT */
/*
 * Memory for copies, kept from launch to launch: new memory costs more than the copy into it. The
 * memory keeps its context alive, and with some drivers the queue of the last command that used it.
 * So it goes when the program gives a reference to one of them back, and before it reads how many
 * there are.
 */
#ifndef TACHO_INJECT_OPENCL_SPARES_H
#define TACHO_INJECT_OPENCL_SPARES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tacho__spare {
	void *context;
	void *memory; /* cl_mem, or a pointer when it is shared virtual memory */
	size_t bytes;
	bool is_svm;
};

/*
 * Fills in `memory` of this size: what is kept, or new. What is kept and new memory together stay
 * below the limit. False when the device has none.
 */
bool tacho__spare_get(struct tacho__spare *spare, uint64_t limit_bytes);
/* Keeps it for later. */
void tacho__spare_put(const struct tacho__spare *spare);
/* Gives back what is kept of a context; NULL: of all. Keeps errno. */
void tacho__spares_drop(const void *context);

#endif
