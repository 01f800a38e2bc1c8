/* SPDX-License-Identifier: MIT */
/* Recordings that are made launch by launch, and comparisons of them. */
#ifndef TACHO_TESTS_DIFF_WORLD_H
#define TACHO_TESTS_DIFF_WORLD_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include "sample_recording.h"
#include "tacho/diff.h"

enum { LAUNCHES_MAX = 3200, KERNELS_MAX = 4 };

struct world {
	struct fake_recording recording;
	struct tacho_process process;
	struct fake_object gpu, kernels[KERNELS_MAX];
	const struct fake_object *objects[1 + KERNELS_MAX];
	size_t kernel_count;
	struct tacho_command commands[LAUNCHES_MAX];
	struct fake_call calls[LAUNCHES_MAX];
	struct fake_row rows[LAUNCHES_MAX];
	struct fake_value values[LAUNCHES_MAX];
	uint64_t now_ns;
};

/* Freed with free(). */
struct world *make_world(const char *device);
struct tacho_command *launch(struct world *world, const char *name, uint64_t duration_ns);
/* The counter's value of the last launch. */
void set_value(struct world *world, double number, uint8_t state);

struct tacho_diff *compare_groups(struct world **a, size_t a_count, struct world **b,
				  size_t b_count, const struct tacho_diff_options *options);
/* A measure of the line of that name; the test fails when there is none. */
const struct tacho_diff_measure *get_measure(const struct tacho_diff *diff, const char *name,
					     const char *measure);

#endif
