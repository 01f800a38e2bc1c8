/* SPDX-License-Identifier: MIT */
/*
 * What counting has for each context of the program: its device, the plan for it, sessions. All
 * functions are called under the lock of counting, with the context current but where it is said.
 */
#ifndef TACHO_INJECT_CUDA_CUDA_CONTEXTS_H
#define TACHO_INJECT_CUDA_CUDA_CONTEXTS_H

#include "backend/cupti/cupti_live.h"
#include "inject/cuda/cuda_run.h"
#include "tacho/session.h"
#include "tacho/sys/counting.h"

enum { TACHO__CUDA_WHY_MAX = 512 };

enum tacho__cuda_context_state {
	TACHO__CUDA_CONTEXT_NEW,
	TACHO__CUDA_CONTEXT_COUNTS,
	TACHO__CUDA_CONTEXT_FAILED, /* why */
};

struct tacho__cuda_context {
	struct tacho__cuda_context *next;
	void *context;
	enum tacho__cuda_context_state state;
	char why[TACHO__CUDA_WHY_MAX], cure[256];
	struct tacho__cupti_live live;
	struct tacho_context *devices;
	struct tacho_device *device;
	struct tacho_config *config;
	struct tacho_plan *plan;
	struct tacho_session *session; /* that goes on from launch to launch; NULL: none yet */
	struct tacho__cuda_waiter waiter;
	/* Something runs in it that did not end in time: nothing is counted until it has. */
	bool is_stuck;
	struct tacho_session *stuck_session; /* with a range that is open for it; NULL: none */
	tacho_range stuck_range;
	struct tacho__cuda_memory *stuck_memory; /* to give back then */
};

/* The context's, made when it is new. NULL: no memory. */
struct tacho__cuda_context *tacho__cuda_context_find(void *context);

/*
 * Makes ready to count, when it is not. False: it cannot be, context->why says it. Another context
 * that counts on the GPU gives way.
 */
bool tacho__cuda_context_open(struct tacho__cuda_context *context,
			      const struct tacho_counting *counting);
/* It cannot count any more, by the last error; what it has stays until it is closed. */
void tacho__cuda_context_fail(struct tacho__cuda_context *context);
void tacho__cuda_context_close(struct tacho__cuda_context *context);

/* Whether what did not end in time has ended meanwhile: then its range is ended, and dropped. */
bool tacho__cuda_context_recover(struct tacho__cuda_context *context);

/* It is destroyed. What is stuck in it is left alone. */
void tacho__cuda_context_lose(void *context);
/* Whether any context counts. */
bool tacho__cuda_context_any(void);

#endif
