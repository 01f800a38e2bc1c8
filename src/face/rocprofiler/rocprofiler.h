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

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "catalog/command_entries.h"
#include "intercept/launches.h"
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
/* Some tool runs. */
bool tacho__rocp_has_tools(void);

/* ---- rocp_wake.c ---- */

/*
 * Calls the APIs whose devices are to be agents, when the program has not yet: for tools that come
 * first, in a program that `tacho env rocprofiler` started.
 */
void tacho__rocp_wake_apis(void);

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

/* ---- agents.c, agent_info.c ---- */

struct tacho__rocp_agent {
	rocprofiler_agent_v0_t info; /* info.id is what tools know it by */
	size_t index;		     /* as tacho__rocp_agent_get() has it */
	bool is_simulated;
	/* Of a device of an API: what launches name it by; 0: none. */
	uint16_t api;
	uint64_t api_device;
	bool is_cpu_device; /* its work runs on this machine's CPUs, which the kernel counts */
	size_t simulated;   /* of a simulated one: its device in tacho__rocp_agents_open()'s context
			     */
};

/*
 * Finds the agents, once; within tacho__rocp_start(), before the first tool. TACHO_SIM names the
 * simulated ones, a model or several with commas between; the process's devices are no agents then.
 */
rocprofiler_status_t tacho__rocp_agents_load(void);
/* NULL past the last; ids are rising and stable within a run. */
const struct tacho__rocp_agent *tacho__rocp_agent_get(size_t index);
const struct tacho__rocp_agent *tacho__rocp_agent_find(rocprofiler_agent_id_t id);
/* The simulated devices, with a catalog of the caller's choice; NULL: as it is. Owned. */
int tacho__rocp_agents_open(const struct tacho_catalog_options *catalog,
			    struct tacho_context **out_context);
/*
 * The agent on which a launch of this device counts; NULL: none. Cheap. With simulated agents the
 * first device's launches count on the first of them, and so on; what is left on the last.
 */
const struct tacho__rocp_agent *tacho__rocp_agent_of_launch(uint16_t api, uint64_t device);

struct tacho__launch_device;

/* agent_info.c: all but the ids. Strings and arrays are made for ever. NOMEM. */
int tacho__rocp_info_of_cpu(rocprofiler_agent_v0_t *info);
int tacho__rocp_info_of_simulated(struct tacho_device *device, rocprofiler_agent_v0_t *info);
int tacho__rocp_info_of_device(const struct tacho__launch_device *device,
			       rocprofiler_agent_v0_t *info);

/* ---- editions.c: what agents count, with the definitions that there are at the time ---- */

/* How an agent counts. */
struct tacho__rocp_unit {
	struct tacho_device *device;	 /* NULL: nothing but what launches tell of themselves */
	const struct tacho_arch *arch;	 /* NULL with it */
	const struct tacho_model *model; /* NULL: none in particular */
	const char *family; /* agents of one family share ids of counters; "": it counts nothing */
};

/*
 * Tools add definitions: what was made with an edition goes on with it while a later one is used
 * for what comes then. All simulated devices of an edition are its own.
 */
struct tacho__rocp_edition;

/* What tools added. */
struct tacho__rocp_texts {
	const char *loaded; /* NULL: nothing */
	size_t loaded_size;
	bool replaces; /* what is built in is not there */
	const char *created;
	size_t created_size;
};

/* With a reference. It becomes the newest with tacho__rocp_edition_set(). Errors as of tacho. */
int tacho__rocp_edition_make(const struct tacho__rocp_texts *texts,
			     struct tacho__rocp_edition **out_edition);
void tacho__rocp_edition_set(struct tacho__rocp_edition *edition);
/* The newest, with a reference. The first call makes it, and ends the time to load definitions. */
rocprofiler_status_t tacho__rocp_edition_take(struct tacho__rocp_edition **out_edition);
void tacho__rocp_edition_release(struct tacho__rocp_edition *edition);
const struct tacho__rocp_unit *tacho__rocp_edition_get(const struct tacho__rocp_edition *edition,
						       const struct tacho__rocp_agent *agent);
/* An entry of an agent, of commands or its own; NULL when it has none of this name. */
const struct tacho_entry *tacho__rocp_edition_find(const struct tacho__rocp_edition *edition,
						   const struct tacho__rocp_agent *agent,
						   const char *name);
/* What an agent can count, in a fixed order; NULL past the last. */
const struct tacho_entry *tacho__rocp_edition_list(const struct tacho__rocp_edition *edition,
						   const struct tacho__rocp_agent *agent,
						   size_t index);
/* Opens the agent's simulated device once more: its clock and its work are its own. */
int tacho__rocp_edition_open(const struct tacho__rocp_edition *edition,
			     const struct tacho__rocp_agent *agent,
			     struct tacho_device **out_device);

/* ---- tool_definitions.c ---- */

/* What tools loaded until now; nothing is loaded from now on. */
struct tacho__rocp_texts tacho__rocp_texts_take(void);

/* ---- rocp_counters.c: ids per family, 1 to 65535 ---- */

/* NULL: there is none. Strings are never freed. */
struct tacho__rocp_counter {
	uint64_t id;
	const char *family, *name;
};
const struct tacho__rocp_counter *tacho__rocp_counter_get(uint64_t id);
/* Of a counter that is there from now on; 0 when memory or ids ran out. The same again: its id. */
uint64_t tacho__rocp_counter_add(const char *family, const char *name);
/* 0: it has no id. */
uint64_t tacho__rocp_counter_find(const char *family, const char *name);

/* ---- instance_ids.c: where values come from, in 64 bits ---- */

enum { TACHO__ROCP_DIMENSION_COUNT = 8 };

/* The number of a dimension by its name; 0: it has none. */
uint64_t tacho__rocp_dimension_find(const char *name);
const char *tacho__rocp_dimension_name(uint64_t dimension);
/* False when a position is too large for its bits. */
bool tacho__rocp_instance_id(uint64_t counter, const struct tacho_column *column, size_t instance,
			     uint64_t *out_id);

/* The same for many instances of a column, which is borrowed. */
struct tacho__rocp_places {
	const struct tacho_column *column;
	uint64_t fields[TACHO_DIMENSION_MAX]; /* its dimensions */
};
void tacho__rocp_places_read(const struct tacho_column *column,
			     struct tacho__rocp_places *out_places);
bool tacho__rocp_places_get_id(const struct tacho__rocp_places *places, uint64_t counter,
			       size_t instance, uint64_t *out_id);

/* ---- shapes.c ---- */

/* Of a counter's values on an agent. */
struct tacho__rocp_shape {
	struct tacho_column column; /* without values; at least one dimension */
	size_t count;		    /* instances that exist */
	uint8_t *present;	    /* owned */
};

/* One caller at a time. False with the error of tacho. */
bool tacho__rocp_shape_find(const struct tacho__rocp_unit *unit, const struct tacho_entry *entry,
			    struct tacho__rocp_shape *out_shape);
void tacho__rocp_shape_finish(struct tacho__rocp_shape *shape);

/* ---- configs.c ---- */

/* A counter of a config. */
struct tacho__rocp_wanted {
	uint64_t counter;
	const struct tacho_entry *entry;
	/* Where its values are: a column of the session's results, a launch's numbers, the model.
	 */
	enum { TACHO__ROCP_COLUMN, TACHO__ROCP_NUMBER, TACHO__ROCP_CONSTANT } from;
	size_t index; /* of the column, or enum tacho__command_entry */
};

/* Immutable; lives while its handle or a dispatch uses it. */
struct tacho__rocp_config {
	uint64_t handle;
	const struct tacho__rocp_agent *agent;
	const struct tacho__rocp_unit *unit; /* with the device for its sessions */
	struct tacho__rocp_edition *edition;
	struct tacho_config *config; /* entries keep their instances; NULL: see plan */
	/* NULL: no session is needed. Of one pass, but where splitting was asked for. */
	struct tacho_plan *plan;
	const struct tacho__rocp_wanted *counters;
	size_t counter_count;
	/* rocp_counting.c's; NULL until it is counted. */
	_Atomic(struct tacho__rocp_counting *) counting;
};

/* With a reference; NULL: there is none. */
struct tacho__rocp_config *tacho__rocp_config_take(uint64_t handle);
void tacho__rocp_config_release(struct tacho__rocp_config *config);

/* ---- launch_numbers.c: what launches tell of themselves ---- */

/* enum tacho__command_entry of a counter of commands: its event counts them from 1. */
static inline size_t tacho__rocp_command_position(const struct tacho_entry *entry)
{
	return (size_t)entry->event - 1;
}

/* {0}: of no launch. */
struct tacho__rocp_numbers {
	uint64_t launches;
	uint64_t values[TACHO__COMMAND_ENTRY_COUNT]; /* sums */
	uint32_t unknown; /* a bit per position: some launch did not tell it */
};

void tacho__rocp_numbers_add(struct tacho__rocp_numbers *numbers,
			     const struct tacho__launch *launch,
			     const struct tacho__launch_outcome *outcome);

/* ---- rocp_values.c: rows of results as records ---- */

/* Values of one row; what is absent or lost has no record, and is counted. Owned: free(records). */
struct tacho__rocp_values {
	rocprofiler_counter_record_t *records;
	size_t count;
	size_t missing;	  /* values without a record */
	const char *note; /* why the first of them is missing; "" */
};

/*
 * Of a row of a result of the config's session, NULL where it has none, and of the launches that
 * the row belongs to. Records have their id, value and agent. NOMEM as OUT_OF_RESOURCES;
 * `out_values` is written when it succeeds.
 */
rocprofiler_status_t tacho__rocp_values_make(const struct tacho__rocp_config *config,
					     const struct tacho_result *result, size_t row,
					     const struct tacho__rocp_numbers *numbers,
					     struct tacho__rocp_values *out_values);

/* ---- code_objects.c: programs and their kernels, as tools hear of them ---- */

/* A kernel of a program on an agent. Never freed, so that its name can be handed out. */
struct tacho__rocp_kernel {
	uint64_t id; /* from 1; never used again */
	const char *name;
	uint64_t code_object_id;
};

/*
 * The kernel of a launch. Contexts that trace code objects have heard of it when this returns. NULL
 * with the reason in the log: there is no memory.
 */
const struct tacho__rocp_kernel *tacho__rocp_kernel_find(const struct tacho__launch *launch,
							 rocprofiler_agent_id_t agent);
/* The API gave up a program. */
void tacho__rocp_program_unload(uint16_t api, uint64_t program);
/* Tells a tool that all is unloaded, before it is finalized. */
void tacho__rocp_code_finalize(uint32_t client);

/* ---- rocp_counting.c: sessions of configs ---- */

/*
 * What a config counts with: a session on its agent's device that stays open from range to range.
 * It belongs to the config. Ranges of one config do not overlap; those of several may.
 */
struct tacho__rocp_counting;

/* Before the config's plan and edition go. NULL: nothing. */
void tacho__rocp_counting_destroy(struct tacho__rocp_counting *counting);

/* Makes the session, so that the first range need not: else the reason is in the log. */
rocprofiler_status_t tacho__rocp_counting_prepare(struct tacho__rocp_config *config);
/* A range on the agent's device. False: nothing is counted, the reason is in the log. */
bool tacho__rocp_counting_begin(struct tacho__rocp_config *config,
				const struct tacho__launch *launch);
/*
 * Ends the range that was begun, with the launch that ran in it. When it fails, the values are lost
 * and the reason is in the log. NULL for `out_values`: nobody wants them.
 */
rocprofiler_status_t tacho__rocp_counting_end(struct tacho__rocp_config *config,
					      const struct tacho__launch *launch,
					      const struct tacho__launch_outcome *outcome,
					      struct tacho__rocp_values *out_values);

/* ---- launch_times.c: times of devices on the clock of rocprofiler_get_timestamp() ---- */

/* What is known of the clock of a device. */
struct tacho__rocp_clock;

/* Of the device that launches name so; never freed. NULL: there is no memory. */
struct tacho__rocp_clock *tacho__rocp_clock_find(uint16_t api, uint64_t device);
/*
 * When a launch ran, given that it began after `before_ns` and has ended now. Unknown: 0 twice, and
 * once per clock the reason in the log.
 */
void tacho__rocp_times_convert(struct tacho__rocp_clock *clock, uint64_t before_ns,
			       const struct tacho__times *times, uint64_t *out_start_ns,
			       uint64_t *out_end_ns);

/* ---- sim_launches.c: launches as work of simulated devices ---- */

/*
 * Puts the work of a launch on the device, as TACHO_ROCPROFILER_KERNELS describes its kernel or by
 * the defaults.
 */
int tacho__rocp_sim_submit(struct tacho_device *device, const struct tacho__launch *launch);

/* ---- dispatch.c, device.c, code_objects.c: told by rocp_contexts.c, without a lock ---- */

/*
 * For contexts that have the service. on_start comes before the context is active, on_stop when it
 * is so no longer; devices come before dispatches. When a start fails, the context stays inactive
 * and on_stop does not come.
 */
void tacho__rocp_dispatch_on_start(struct tacho__rocp_context *context);
void tacho__rocp_dispatch_on_stop(struct tacho__rocp_context *context);
rocprofiler_status_t tacho__rocp_device_on_start(struct tacho__rocp_context *context);
void tacho__rocp_device_on_stop(struct tacho__rocp_context *context);
/* It hears of what is loaded by now before this returns. */
void tacho__rocp_code_on_start(struct tacho__rocp_context *context);
void tacho__rocp_code_on_stop(struct tacho__rocp_context *context);

/* What the API has 32 bits for. */
static inline uint32_t tacho__rocp_clamp(uint64_t number)
{
	return number < UINT32_MAX ? (uint32_t)number : UINT32_MAX;
}

/* Asks for the launches of this process: code_objects.c hears of them through dispatch.c. */
bool tacho__rocp_launches_subscribe(void);

/*
 * Waits until launches that were counted have put their records, for a bounded time; before a tool
 * is finalized.
 */
void tacho__rocp_dispatch_sync(void);

#endif
