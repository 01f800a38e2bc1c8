/* SPDX-License-Identifier: MIT */
/* Which launches of a process are counted, as counting.json and the launcher say. */
#ifndef TACHO_INJECT_COUNTING_SELECT_H
#define TACHO_INJECT_COUNTING_SELECT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "tacho/sys/counting.h"

enum { TACHO__KERNEL_NAME_MAX = 256 };

struct tacho__launched_kernel;

/* What is known of a kernel, kept by the layer for as long as it likes; {0} at first. */
struct tacho__counted_kernel {
	atomic_uint selection;				   /* 0: not asked yet */
	_Atomic(struct tacho__launched_kernel *) launched; /* NULL: not asked yet */
	char name[TACHO__KERNEL_NAME_MAX];
};

struct tacho__selection {
	const struct tacho_counting *counting;
	const struct tacho_counting_control *control; /* NULL: nobody controls */
	uint64_t start_ns;			      /* CLOCK_MONOTONIC_RAW */
	atomic_ullong matched;			      /* launches that were selected by name */
	atomic_bool has_recorded;
};

/*
 * Whether this launch is to be counted, which counts it as one that matched; never one that is
 * elsewhere, on a device that was not chosen. On the thread that launches.
 */
bool tacho__selection_wants(struct tacho__selection *selection,
			    struct tacho__counted_kernel *kernel, bool is_elsewhere);
/* Tells readers once that launches without rows were left out, even when none has a row. */
void tacho__selection_record(struct tacho__selection *selection);

#endif
