/* SPDX-License-Identifier: MIT */
/* Contexts, configs and passes of the PerfWorks face, through its own functions. */
#ifndef TACHO_TESTS_PW_WORLD_H
#define TACHO_TESTS_PW_WORLD_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "nvperfapi.h"
#include "tacho/error.h"
#include "tacho/sim.h"

#define OK NVPA_STATUS_SUCCESS
#define IDS(...) \
	((const uint64_t[]){__VA_ARGS__}), sizeof((uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t)

/* One of these, ended with a NULL name, for each metric that is wanted. */
struct want {
	const char *name;
	bool is_pipelined;
};

void pw_expect(const char *file, int line, NVPA_Status status, NVPA_Status wanted);
#define expect(wanted, call) pw_expect(__FILE__, __LINE__, call, wanted)
/* The last failure's text has this in it. */
void expect_text(const char *part);

NVPA_Activity *make_activity(void *ctx);
/* A config of them for the device of the context. */
NVPA_Config *make_config(void *ctx, const struct want *wants);
NVPA_MetricId find_id(void *ctx, const char *name);
/* Kernels of so many warps of 10 vector instructions, in order. */
void run_warps(void *ctx, uint64_t warps);
/* Ends the passes that are needed, each with this work; returns how many those were. */
size_t run_passes(void *ctx, void (*work)(void *ctx));
NVPA_Value get_value(void *ctx, const NVPA_Results *results, const uint64_t *ids, size_t depth,
		     const char *name, bool is_serialized);
/* The number of a value whose state is ok. */
double get_number(void *ctx, const NVPA_Results *results, const uint64_t *ids, size_t depth,
		  const char *name, bool is_serialized);

#endif
