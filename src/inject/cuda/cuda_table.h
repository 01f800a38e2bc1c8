/* SPDX-License-Identifier: MIT */
/*
 * The call tables of a process that uses CUDA (record/calls.h), of the driver and of the runtime:
 * functions have the names that libcupti tells, so those of any version are recorded, by the
 * numbers that libcupti has for them. What a device tells of that no call stands for is in the
 * driver's as functions that take no time.
 */
#ifndef TACHO_INJECT_CUDA_CUDA_TABLE_H
#define TACHO_INJECT_CUDA_CUDA_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "inject/cuda/cuda_signatures.h"

enum {
	TACHO__CUDA_API = 3,
	TACHO__CUDA_RUNTIME_API = 4,
	TACHO__CUDA_FIELDS_MAX = 12,
	TACHO__CUDA_ID_MAX = 1000, /* of libcupti's numbers; what is above is the commands' */
};

/* Work of a device without a call of its own; their functions, from TACHO__CUDA_ID_MAX on. */
enum tacho__cuda_bare {
	TACHO__CUDA_GRAPH_KERNEL = 0, /* a node of a graph */
	TACHO__CUDA_DEVICE_KERNEL,    /* launched by a kernel */
	TACHO__CUDA_OTHER_KERNEL,     /* the driver's own, or nobody knows whose */
	TACHO__CUDA_GRAPH_WRITE,
	TACHO__CUDA_GRAPH_READ,
	TACHO__CUDA_GRAPH_COPY,
	TACHO__CUDA_GRAPH_FILL,
	TACHO__CUDA_OTHER_WRITE,
	TACHO__CUDA_OTHER_READ,
	TACHO__CUDA_OTHER_COPY,
	TACHO__CUDA_OTHER_FILL,
	TACHO__CUDA_BARES,
};

/* What a call changes besides, or ends. */
enum tacho__cuda_change {
	TACHO__CUDA_CHANGES_NOTHING = 0,
	TACHO__CUDA_ENDS_MODULE, /* before the call; so is the next one */
	TACHO__CUDA_ENDS_LIBRARY,
	TACHO__CUDA_BEGINS_CAPTURE,
	TACHO__CUDA_ENDS_CAPTURE,
	TACHO__CUDA_MAKES_EXECUTABLE,
	TACHO__CUDA_SETS_BLOCK,
};

/* An argument in the struct of them. */
struct tacho__cuda_field {
	char kind; /* the letters of cuda_signatures.h */
	bool is_factor;
	uint8_t offset, bytes;
};

struct tacho__cuda_function {
	bool is_known;	    /* libcupti has a name for the number */
	bool is_per_thread; /* takes stream 0 for the calling thread's own */
	enum tacho__cuda_role role;
	enum tacho__cuda_change change;
	uint32_t scale;
	uint32_t field_count;
	struct tacho__cuda_field fields[TACHO__CUDA_FIELDS_MAX];
};

/* cuda_errors.c: lines of a table. */
extern const char tacho__cuda_driver_errors[], tacho__cuda_runtime_errors[];

/* Asks libcupti for the functions' names and makes the tables. False: no memory. Once. */
bool tacho__cuda_table_make(void);

/* NULL when the table lacks it. */
const struct tacho__cuda_function *tacho__cuda_table_find(bool is_runtime, uint32_t id);

/* The fields of a signature; false when there are too many, or one that is none. */
bool tacho__cuda_table_lay_out(const struct tacho__cuda_signature *signature,
			       struct tacho__cuda_function *out_function);

#endif
