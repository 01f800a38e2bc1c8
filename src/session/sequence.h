/* SPDX-License-Identifier: MIT */
/*
 * The ranges of the first pass in their order, to compare those of every other with: 16 bytes a
 * range. The order is that of one thread at a time; of several at once it is chance.
 */
#ifndef TACHO_SESSION_SEQUENCE_H
#define TACHO_SESSION_SEQUENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tacho__sequence {
	uint64_t *ids; /* of the ranges, as they began */
	size_t id_count, id_capacity;
	uint32_t *steps; /* begins, with the range around it, and ends; sequence.c */
	size_t step_count, step_capacity;
	size_t at_id, at_step; /* of what is there: what comes next */
	uint32_t run;	       /* that it is of, from 0; the first one is kept */
	char difference[256];  /* of this run; "": none */
};

void tacho__sequence_finish(struct tacho__sequence *sequence);
/* A run begins. */
void tacho__sequence_start(struct tacho__sequence *sequence, uint32_t run);
/* Room for a range's begin and end, with `open` ranges that are to end before. NOMEM. */
int tacho__sequence_reserve(struct tacho__sequence *sequence, size_t open);
/* A range begins in another, whose number this is (0: none). Returns its own, from 1. */
uint32_t tacho__sequence_begin(struct tacho__sequence *sequence, uint64_t id, uint32_t outer);
/* The range of this number ends, whose id is told. */
void tacho__sequence_end(struct tacho__sequence *sequence, uint64_t id, uint32_t number);
/* The run is over. False: it was not as the first one; `difference` says how. */
bool tacho__sequence_compare(struct tacho__sequence *sequence);

#endif
