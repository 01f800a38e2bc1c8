/* SPDX-License-Identifier: MIT */
/*
 * Device counting: what its files know of each other. A service counts one agent for a context.
 * While the context is active there is a window: what launches on the agent count between the start
 * of the context and now.
 */
#ifndef TACHO_FACE_ROCPROFILER_DEVICE_WINDOW_H
#define TACHO_FACE_ROCPROFILER_DEVICE_WINDOW_H

#include <pthread.h>
#include <stdatomic.h>

#include "face/rocprofiler/rocprofiler.h"

/* All of a window is under its lock. */
struct tacho__rocp_window {
	pthread_mutex_t lock;
	struct tacho__rocp_config *config; /* NULL: it is closed */
	uint64_t serial;		   /* of this opening */
	struct tacho_device *device;	   /* a simulated one is its own */
	struct tacho_session *session;	   /* NULL: the config needs none */
	tacho_range range;		   /* while launches run; 0: none does */
	uint32_t running;
	struct tacho_result *result; /* what was counted until now; NULL: nothing */
	struct tacho__rocp_numbers numbers;
	uint64_t lost; /* launches whose values could not be had */
};

struct tacho__rocp_device_service {
	struct tacho__rocp_device_service *next; /* of the context */
	struct tacho__rocp_device_service *next_of_all;
	const struct tacho__rocp_agent *agent;
	uint64_t buffer; /* 0: none */
	rocprofiler_device_counting_service_cb_t callback;
	void *user_data;
	struct tacho__rocp_config *chosen; /* by the callback of this start */
	atomic_bool is_active;		   /* the window is open */
	atomic_bool is_read;		   /* of a context's first: a sample is taken */
	struct tacho__rocp_window window;
};

/* ---- device_window.c ---- */

/* Takes a reference of the config. Errors as of tacho. */
int tacho__rocp_window_open(struct tacho__rocp_window *window, struct tacho__rocp_config *config);
void tacho__rocp_window_close(struct tacho__rocp_window *window);
/* A launch begins on the agent; false: it is none of this window's. */
bool tacho__rocp_window_begin(struct tacho__rocp_window *window, uint64_t serial);
/* One that began has ended; NULL for `outcome`: it does not count. */
void tacho__rocp_window_end(struct tacho__rocp_window *window, uint64_t serial,
			    const struct tacho__launch *launch,
			    const struct tacho__launch_outcome *outcome);
/* All values until now. CONTEXT_NOT_STARTED when it is closed. */
rocprofiler_status_t tacho__rocp_window_read(struct tacho__rocp_window *window,
					     struct tacho__rocp_values *out_values);

/* ---- device_launches.c ---- */

/* The service hears of launches from now on, while some window is open. OUT_OF_RESOURCES. */
rocprofiler_status_t tacho__rocp_device_watch(struct tacho__rocp_device_service *service);
/* A window was opened, or is closed now. */
void tacho__rocp_device_want(bool wants_launches);

#endif
