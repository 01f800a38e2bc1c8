/* SPDX-License-Identifier: MIT */
/*
 * The ROCprofiler-SDK face: what its files know of each other. All of it is hidden; what tools see
 * is in include/compat/rocprofiler-sdk. Data goes one way:
 *
 *	registration -> contexts -> services (dispatch, device, code objects) -> records -> buffers
 *	                             agents, counters, configs: what services are asked for
 *
 * Handles of the API are numbers from 1 into tables that only grow; 0 is none. Functions are called
 * from any thread unless it is said otherwise.
 */
#ifndef TACHO_FACE_ROCPROFILER_ROCPROFILER_H
#define TACHO_FACE_ROCPROFILER_ROCPROFILER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rocprofiler-sdk/experimental/counters.h"
#include "rocprofiler-sdk/registration.h"
#include "rocprofiler-sdk/rocprofiler.h"
#include "tacho/session.h"

/* ---- rocp_log.c: what tacho says that a status cannot, on standard error ---- */

/*
 * Said only where ROCPROFILER_LOG_LEVEL asks: "error" or "warning" for the first, "info" or "trace"
 * for both. No newline at the end.
 */
void tacho__rocp_log_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
void tacho__rocp_log_info(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Logs what failed with the last error of tacho; returns the status that stands for it. */
rocprofiler_status_t tacho__rocp_fail(const char *what);

/* ---- rocp_status.c ---- */

/* The clock of all times that tools see: CLOCK_BOOTTIME, as in AMD's library. */
uint64_t tacho__rocp_now_ns(void);

/* ---- rocp_registration.c: tools, and the time in which they configure ---- */

/*
 * Loads and initializes the tools of this process, once. Called when the first API of a GPU was
 * called, by rocprofiler_force_configure(), and by rocprofiler_set_api_table(). While it runs,
 * further calls return at once.
 */
void tacho__rocp_start(void);
/* Whether configuration is locked: no tool's initialize() runs. */
bool tacho__rocp_is_locked(void);
/* The tool whose initialize() runs, from 1; 0: none. */
uint32_t tacho__rocp_client(void);
/* All tools were finalized, or this is a forked child, which has none: nothing is delivered. */
bool tacho__rocp_is_over(void);

/* ---- rocp_contexts.c ---- */

struct tacho__rocp_context {
	uint64_t handle;
	uint32_t client;
	/* Of the files that serve them; set while it is configured; NULL: none. */
	struct tacho__rocp_dispatch_service *dispatch;
	struct tacho__rocp_device_service *devices; /* a list, one per agent */
	struct tacho__rocp_code_service *code;
};

/* NULL: there is none of this handle, or it was discarded. */
struct tacho__rocp_context *tacho__rocp_context_get(uint64_t handle);
bool tacho__rocp_context_is_active(const struct tacho__rocp_context *context);
/* The contexts that are active, in the order of their handles: index from 0; NULL past the last. */
struct tacho__rocp_context *tacho__rocp_context_get_active(size_t index);
/* Of a tool: stops its contexts; and forgets them too. */
void tacho__rocp_contexts_stop(uint32_t client);
void tacho__rocp_contexts_discard(uint32_t client);

/* ---- rocp_buffers.c ---- */

struct tacho__rocp_record {
	uint32_t category, kind;
	const void *payload;
	size_t size;
};

/*
 * Puts records into a buffer, all of them one behind the other, or none. A LOSSLESS buffer makes
 * the caller wait until there is room; in a DISCARD one what does not fit is dropped and counted.
 * Records that are more than a whole buffer are put into one that is empty, which grows for them.
 * Within a callback of a buffer nobody waits: the buffer grows. BUFFER_NOT_FOUND, FINALIZED;
 * OUT_OF_RESOURCES without memory.
 */
rocprofiler_status_t tacho__rocp_buffer_put(uint64_t handle,
					    const struct tacho__rocp_record *records, size_t count);
bool tacho__rocp_buffer_exists(uint64_t handle);
/* Of a tool: delivers what its buffers hold; and destroys them, whoever waits gets FINALIZED. */
void tacho__rocp_buffers_flush(uint32_t client);
void tacho__rocp_buffers_discard(uint32_t client);

/* ---- agents.c ---- */

struct tacho__rocp_agent {
	rocprofiler_agent_v0_t info; /* info.id is what tools know it by */
	struct tacho_device *device; /* that counts; NULL: it counts nothing (a CPU agent) */
	const struct tacho_arch *arch;
	const struct tacho_model *model; /* NULL: none in particular */
	bool is_simulated;
	/* Of a device of an API: what launches name it by; 0: none. */
	uint16_t api;
	uint64_t api_device;
};

/* Finds the agents, once; within tacho__rocp_start(), before the first tool. */
rocprofiler_status_t tacho__rocp_agents_load(void);
/* NULL past the last; ids are rising and stable within a run. */
const struct tacho__rocp_agent *tacho__rocp_agent_get(size_t index);
const struct tacho__rocp_agent *tacho__rocp_agent_find(rocprofiler_agent_id_t id);
/* The agent on which a launch of this device counts; NULL: none. Cheap. */
const struct tacho__rocp_agent *tacho__rocp_agent_of_launch(uint16_t api, uint64_t device);

/* ---- counters.c: ids per architecture, 1 to 65535 ---- */

/* NULL: there is none. */
const struct tacho_entry *tacho__rocp_counter_get(uint64_t handle,
						  const struct tacho_arch **out_arch);
/* 0: it has no id. */
uint64_t tacho__rocp_counter_find(const struct tacho_arch *arch, const struct tacho_entry *entry);

/* ---- configs.c ---- */

/* Immutable; lives while its handle or a dispatch uses it. */
struct tacho__rocp_config {
	uint64_t handle;
	const struct tacho__rocp_agent *agent;
	struct tacho_config *config; /* entries keep their instances */
	struct tacho_plan *plan;     /* of one pass, but where splitting was asked for */
	const uint64_t *counters;    /* handle per entry of the config */
	size_t counter_count;
};

/* With a reference; NULL: there is none. */
struct tacho__rocp_config *tacho__rocp_config_take(uint64_t handle);
void tacho__rocp_config_release(struct tacho__rocp_config *config);

/* ---- values.c: rows of results as records ---- */

/* Values of one row; what is absent or lost has no record, and is counted. Owned: free(). */
struct tacho__rocp_values {
	rocprofiler_counter_record_t *records;
	size_t count;
	size_t missing;	  /* values without a record */
	const char *note; /* why some are missing; "" */
};

/* NOMEM as OUT_OF_RESOURCES. `out_values` is written when it succeeds. */
rocprofiler_status_t tacho__rocp_values_make(const struct tacho__rocp_config *config,
					     const struct tacho_result *result, size_t row,
					     struct tacho__rocp_values *out_values);

/* ---- counting.c: sessions of configs ---- */

/*
 * A session of a config that stays open from range to range. Ranges of one counter set do not
 * overlap. wants_thread as in struct tacho_session_options.
 */
struct tacho__rocp_counting;
struct tacho__rocp_work; /* what a simulated device is to run in a range */

/* ---- dispatch.c, device.c, code.c: told by contexts.c, without a lock of its own ---- */

/*
 * For contexts that have the service. on_start comes before the context is active, on_stop when it
 * is so no longer; devices come before dispatches. When a start fails, the context stays inactive
 * and on_stop does not come.
 */
void tacho__rocp_dispatch_on_start(struct tacho__rocp_context *context);
void tacho__rocp_dispatch_on_stop(struct tacho__rocp_context *context);
rocprofiler_status_t tacho__rocp_device_on_start(struct tacho__rocp_context *context);
void tacho__rocp_device_on_stop(struct tacho__rocp_context *context);
/*
 * Waits until launches that were counted have put their records, for a bounded time; before a tool
 * is finalized.
 */
void tacho__rocp_dispatch_sync(void);

#endif
