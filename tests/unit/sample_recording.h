/* SPDX-License-Identifier: MIT */
/* Recordings whose every value is known, and what files made of them must hold. */
#ifndef SAMPLE_RECORDING_H
#define SAMPLE_RECORDING_H

#include "fake_recording.h"

/* One thread adds vectors: a write, a launch, a wait. */
struct fake_recording *sample_vadd(void);

/*
 * Two processes, three threads, two devices: equal calls in a row, failures, a command without end,
 * one with refused times, sizes that the driver chose, a name with a comma.
 */
struct fake_recording *sample_mixed(void);

/*
 * A command buffer of three kernels and a copy that runs twice, is changed and runs again; another
 * one of which nothing is known, and whose times neither are.
 */
struct fake_recording *sample_buffers(void);

/*
 * sample_vadd() in ranges: "step <1>" in "frame 1" around the launch; "io" of another domain, which
 * cuts both; "epoch" of the process; a mark; one without an end, on thread 501. The times are at
 * their definition.
 */
struct fake_recording *sample_ranges(void);

/* sample_vadd() of files of which some are damaged, with 30 calls left out as asked; partial. */
struct fake_recording *sample_gaps(void);

#endif
