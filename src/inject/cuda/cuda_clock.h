/* SPDX-License-Identifier: MIT */
/* The host's clocks, and that of CUPTI's records, read together. */
#ifndef TACHO_INJECT_CUDA_CUDA_CLOCK_H
#define TACHO_INJECT_CUDA_CUDA_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

struct tacho__cuda_instant {
	uint64_t tick;	       /* of calls */
	uint64_t monotonic_ns; /* CLOCK_MONOTONIC */
	uint64_t record_ns;    /* the clock of records */
};

/* From then to then the clocks ran evenly. */
struct tacho__cuda_span {
	struct tacho__cuda_instant first, last;
};

/* Has records timed on CLOCK_MONOTONIC where CUPTI lets us. Before any activity is enabled. */
void tacho__cuda_clock_start(void);

/*
 * The best of several tries; false: CUPTI does not tell its time. `*out_is_near`: the clocks were
 * read as near each other as the first time, which a busy machine may not allow. From one thread at
 * a time.
 */
bool tacho__cuda_clock_read(struct tacho__cuda_instant *out_now, bool *out_is_near);

uint64_t tacho__cuda_clock_monotonic_ns(void);

/* A time of a record, which may lie outside of the span, on the clock of calls. */
uint64_t tacho__cuda_span_get_tick(const struct tacho__cuda_span *span, uint64_t record_ns);
/* The same on CLOCK_MONOTONIC. */
uint64_t tacho__cuda_span_get_monotonic(const struct tacho__cuda_span *span, uint64_t record_ns);

/*
 * How far off times of records may be on CLOCK_MONOTONIC as the clocks were read at different
 * moments; 0 when records are timed on it. What CUPTI does to a GPU's times is not in it.
 */
uint64_t tacho__cuda_clock_get_uncertainty_ns(void);

#endif
