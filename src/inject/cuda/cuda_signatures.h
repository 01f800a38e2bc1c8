/* SPDX-License-Identifier: MIT */
/*
 * The functions of CUDA whose arguments are recorded, and those that give work to a device, wait
 * for it, or only ask. All others are recorded by their names.
 */
#ifndef TACHO_INJECT_CUDA_CUDA_SIGNATURES_H
#define TACHO_INJECT_CUDA_CUDA_SIGNATURES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum tacho__cuda_role {
	TACHO__CUDA_PLAIN = 0,
	TACHO__CUDA_POLL,
	TACHO__CUDA_WAIT,
	TACHO__CUDA_WAIT_ALL, /* for all that the context has to do */
	/* These give work: the call is a command of this kind. */
	TACHO__CUDA_WRITE,
	TACHO__CUDA_READ,
	TACHO__CUDA_COPY,
	TACHO__CUDA_FILL,
	TACHO__CUDA_LAUNCH,	     /* arguments as in cuLaunchKernel */
	TACHO__CUDA_LAUNCH_TOGETHER, /* as in cuLaunchCooperativeKernel */
	TACHO__CUDA_LAUNCH_EX,
	TACHO__CUDA_LAUNCH_GRID, /* as in cuLaunchGrid: with the block's size told before */
	TACHO__CUDA_LAUNCH_GRID_ASYNC,
	TACHO__CUDA_LAUNCH_ONE, /* as in cuLaunch: one block */
	/* These give work of which the call is none: what it gives is told by the device alone. */
	TACHO__CUDA_GRAPH,
	TACHO__CUDA_MANY,
};

/*
 * `arguments` is the struct of its arguments in order, "NAME=KIND": a letter and the bytes.
 *   x u i   handle or pointer, unsigned, signed
 *   o       pointer to a handle that the call writes
 *   s       text
 *   q       the stream
 *   a       CUDA_MEMCPY2D, b CUDA_MEMCPY3D: pointer; their sizes make the size of the command
 *   -       is not shown
 * Names that begin with '*' are multiplied, and with `scale`, to the size of the command.
 */
struct tacho__cuda_signature {
	const char *name; /* without _ptsz and _ptds; of the runtime, without its version */
	enum tacho__cuda_role role;
	uint32_t scale;
	const char *arguments; /* NULL: not told */
};

/* NULL: only its name is known. */
const struct tacho__cuda_signature *tacho__cuda_signature_find(bool is_runtime, const char *name);
/* All of them, for tests: NULL past the last. */
const struct tacho__cuda_signature *tacho__cuda_signature_get(bool is_runtime, size_t index);

static inline bool tacho__cuda_waits(enum tacho__cuda_role role)
{
	return role == TACHO__CUDA_WAIT || role == TACHO__CUDA_WAIT_ALL;
}

/* Whether a function with this role gives work to a device. */
static inline bool tacho__cuda_gives_work(enum tacho__cuda_role role)
{
	return role >= TACHO__CUDA_WRITE;
}

/* Whether its call is the command. */
static inline bool tacho__cuda_is_command(enum tacho__cuda_role role)
{
	return role >= TACHO__CUDA_WRITE && role <= TACHO__CUDA_LAUNCH_ONE;
}

static inline bool tacho__cuda_is_launch(enum tacho__cuda_role role)
{
	return role >= TACHO__CUDA_LAUNCH && role <= TACHO__CUDA_LAUNCH_ONE;
}

#endif
