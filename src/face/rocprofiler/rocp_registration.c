/* SPDX-License-Identifier: MIT */
/*
 * The life of tools: all are configured, then all initialized, and each is finalized once, when it
 * asks for it or when the process ends.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "face/rocprofiler/rocp_threads.h"
#include "face/rocprofiler/rocp_tools.h"
#include "face/rocprofiler/rocprofiler.h"

/* Its handle is its place among the clients, plus 1. */
struct client {
	rocprofiler_tool_configure_result_t result;
	char *where;	      /* it was found */
	const char *name;     /* that it gave itself, or the same */
	atomic_bool is_alive; /* it was initialized, and is to be finalized */
};

/* What rocprofiler_is_initialized() and rocprofiler_is_finalized() tell. */
enum { BEFORE = 0, DURING = -1, BEHIND = 1 };

static atomic_int initialized = BEFORE, finalized = BEFORE;
static atomic_uint initializing; /* the client whose initialize() runs */
static atomic_bool is_forked;
static rocprofiler_configure_func_t forced;
static struct client *clients;
static uint32_t client_count;
static atomic_uint alive_count;

bool tacho__rocp_is_locked(void)
{
	return !atomic_load(&initializing);
}

uint32_t tacho__rocp_client(void)
{
	return atomic_load(&initializing);
}

bool tacho__rocp_has_tools(void)
{
	return atomic_load(&alive_count) > 0;
}

bool tacho__rocp_is_over(void)
{
	return atomic_load_explicit(&finalized, memory_order_acquire) == BEHIND ||
	       atomic_load_explicit(&is_forked, memory_order_relaxed);
}

/* A forked child has no threads to deliver anything: its tools stay silent. */
static void on_fork(void)
{
	atomic_store(&is_forked, true);
}

static void end(void)
{
	if (atomic_exchange(&finalized, BEHIND) != BEHIND)
		tacho__rocp_threads_end();
}

static void finalize(uint32_t handle)
{
	struct client *client = &clients[handle - 1];
	bool is_last;

	if (!atomic_exchange(&client->is_alive, false))
		return;
	is_last = atomic_fetch_sub(&alive_count, 1) == 1;
	if (is_last)
		atomic_store(&finalized, DURING);
	tacho__rocp_contexts_stop(handle);
	tacho__rocp_dispatch_sync();
	tacho__rocp_buffers_flush(handle);
	tacho__rocp_code_finalize(handle);
	if (client->result.finalize)
		client->result.finalize(client->result.tool_data);
	tacho__rocp_buffers_discard(handle);
	tacho__rocp_contexts_discard(handle);
	tacho__rocp_log_info("%s is finalized", client->name);
	if (is_last)
		end();
}

/* What tools call to be finalized early. */
static void finalize_client(rocprofiler_client_id_t id)
{
	if (id.handle && id.handle <= client_count && !tacho__rocp_is_over())
		finalize(id.handle);
}

static void finalize_all(void)
{
	if (tacho__rocp_is_over())
		return;
	for (uint32_t handle = 1; handle <= client_count; handle++)
		finalize(handle);
	end();
}

/* False: it does not want to run. */
static bool configure(const struct tacho__rocp_tool *tool, uint32_t handle, struct client *client)
{
	rocprofiler_client_id_t id = {sizeof(id), NULL, handle};
	rocprofiler_tool_configure_result_t *result;

	result = tool->configure(ROCPROFILER_SDK_VERSION, ROCPROFILER_SDK_VERSION_STRING,
				 handle - 1, &id);
	client->where = tool->where;
	client->name = id.name ? id.name : client->where;
	tacho__rocp_log_info("the tool of %s is configured: %s%s", tool->where, client->name,
			     result ? "" : " does not want to run");
	if (result)
		client->result = *result;
	return result != NULL;
}

static void initialize(uint32_t handle)
{
	struct client *client = &clients[handle - 1];
	int answer = 0;

	if (client->result.initialize) {
		atomic_store(&initializing, handle);
		answer = client->result.initialize(finalize_client, client->result.tool_data);
		atomic_store(&initializing, 0);
	}
	if (!answer) {
		atomic_fetch_add(&alive_count, 1);
		atomic_store(&client->is_alive, true);
		return;
	}
	tacho__rocp_log_error("%s failed to initialize (%d): what it made is discarded",
			      client->name, answer);
	tacho__rocp_contexts_discard(handle);
	tacho__rocp_buffers_discard(handle);
}

static void bring_up(const struct tacho__rocp_tools *tools)
{
	bool *are_wanted = calloc(tools->count + 1, sizeof(*are_wanted));

	clients = calloc(tools->count + 1, sizeof(*clients));
	if (!are_wanted || !clients) {
		tacho__rocp_log_error("no memory for %zu tools", tools->count);
		free(are_wanted);
		return;
	}
	client_count = (uint32_t)tools->count;
	for (uint32_t i = 0; i < client_count; i++)
		are_wanted[i] = configure(&tools->tools[i], i + 1, &clients[i]);
	for (uint32_t i = 0; i < client_count; i++)
		if (are_wanted[i])
			initialize(i + 1);
	free(are_wanted);
}

void tacho__rocp_start(void)
{
	struct tacho__rocp_tools tools;
	int before = BEFORE;

	if (!atomic_compare_exchange_strong(&initialized, &before, DURING))
		return;
	pthread_atfork(NULL, NULL, on_fork);
	atexit(finalize_all);
	tacho__rocp_tools_find(forced, &tools);
	if (tools.count)
		tacho__rocp_wake_apis();
	if (tools.count && tacho__rocp_agents_load())
		tacho__rocp_log_error("agents cannot be found: tools see none");
	bring_up(&tools);
	free(tools.tools); /* their names are the clients' now */
	tacho__rocp_log_info("%u tools run", atomic_load(&alive_count));
	atomic_store(&initialized, BEHIND);
}

/* As in AMD's library, for programs that never call what else would start the tools. */
__attribute__((constructor)) static void start_at_load(void)
{
	const char *value = getenv("ROCPROFILER_LIBRARY_CTOR");

	if (value && *value && strcmp(value, "0") != 0)
		tacho__rocp_start();
}

rocprofiler_status_t rocprofiler_is_initialized(int *status)
{
	if (!status)
		return ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT;
	*status = atomic_load(&initialized);
	return ROCPROFILER_STATUS_SUCCESS;
}

rocprofiler_status_t rocprofiler_is_finalized(int *status)
{
	if (!status)
		return ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT;
	*status = atomic_load(&is_forked) ? BEHIND : atomic_load(&finalized);
	return ROCPROFILER_STATUS_SUCCESS;
}

rocprofiler_status_t rocprofiler_force_configure(rocprofiler_configure_func_t configure_func)
{
	static atomic_bool is_forced;

	if (atomic_load(&initialized) != BEFORE || atomic_exchange(&is_forced, true))
		return ROCPROFILER_STATUS_ERROR_CONFIGURATION_LOCKED;
	forced = configure_func;
	tacho__rocp_start();
	return ROCPROFILER_STATUS_SUCCESS;
}
