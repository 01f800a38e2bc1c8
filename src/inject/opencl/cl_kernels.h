/* SPDX-License-Identifier: MIT */
/*
 * What kernels were given, kept while launches may be run again: which memory they can write, and
 * why some cannot run twice. All of it is known from calls that succeeded.
 */
#ifndef TACHO_INJECT_OPENCL_CL_KERNELS_H
#define TACHO_INJECT_OPENCL_CL_KERNELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "inject/counting.h"

enum tacho__argument_kind {
	TACHO__ARGUMENT_PLAIN = 0, /* a value, local memory, a sampler, or not set */
	TACHO__ARGUMENT_WORD,	   /* 8 bytes: perhaps a handle */
	TACHO__ARGUMENT_SVM,	   /* a pointer to shared virtual memory */
	TACHO__ARGUMENT_FOREIGN,   /* a pointer of an extension */
};

struct tacho__argument {
	uint32_t kind;
	uintptr_t value;
};

struct tacho__opencl_kernel {
	struct tacho__counted_kernel counted;
	void *program;		/* NULL: the driver does not tell */
	uint64_t private_bytes; /* of a work-item; 0: not known */
	bool was_asked;		/* for the two above */
	struct tacho__argument *arguments;
	size_t argument_count;
	void **pointers; /* of clSetKernelExecInfo */
	size_t pointer_count;
	bool uses_any_svm; /* the kernel may use all memory of the system */
	bool was_checked;
	const char *never; /* why it can never run again; static; NULL: it can */
};

/* NULL when the kernel is not known or nothing is counted. */
struct tacho__opencl_kernel *tacho__opencl_find_kernel(void *kernel);

/* The same, learnt now when it is not known; `device`: one that it runs on. NULL: no memory. */
const struct tacho__opencl_kernel *tacho__opencl_know_kernel(void *kernel, void *device);

/* A kernel came to be; one of the same handle is gone. */
void tacho__opencl_new_kernel(void *kernel);
void tacho__opencl_note_argument(void *kernel, uint32_t index, size_t size, const void *value);

/* Whether it is a memory object of the program. */
bool tacho__opencl_is_memory(uintptr_t handle);
/* Whether it has more memory objects than are known: then any value may be one. */
bool tacho__opencl_has_other_memory(void);
/* Whether the program made a queue that kernels can put work on. */
bool tacho__opencl_has_device_queue(void);
void tacho__opencl_note_device_queue(void);

/* An allocation of shared virtual memory. */
struct tacho__svm {
	void *base;
	size_t bytes;
	uint64_t flags;
	bool was_tried;
};

/* The allocation around a pointer. False when there is none. */
bool tacho__opencl_find_svm(uintptr_t pointer, struct tacho__svm *out_svm);

/* Whether a copy of this memory was once brought back, and noting that it was. */
bool tacho__opencl_was_tried(uintptr_t memory, bool is_svm);
void tacho__opencl_note_tried(uintptr_t memory, bool is_svm);

/* Events of the program's own that it has not set yet: what waits for them cannot be waited for. */
unsigned tacho__opencl_count_user_events(void);

#endif
