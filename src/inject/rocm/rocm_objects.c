/* SPDX-License-Identifier: MIT */
#include "inject/rocm/rocm_objects.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inject/attribute_env.h"
#include "inject/handles.h"
#include "inject/rocm/rocm_functions.h"
#include "inject/rocm/rocm_table.h"
#include "intercept/intercept.h"
#include "tacho/recording.h"

enum { AGENTS_MAX = 256, SYMBOL_MAX = 1024 };

/* An agent as a queue: no handle of the library's is so large. */
#define QUEUE_OF(agent) ((agent) | UINT64_C(1) << 50)

static struct {
	struct tacho__handles queues;  /* those that were met */
	struct tacho__handles kernels; /* to struct tacho__rocm_kernel */
	struct {
		uint64_t id;
		uint32_t node;
		bool is_gpu;
	} agents[AGENTS_MAX];
	size_t agent_count;
} objects;

static void report(enum tacho_object_kind kind, uint64_t handle,
		   const struct tacho__attributes *attributes)
{
	const struct tacho__made made = {.api = TACHO__ROCM_API,
					 .kind = kind,
					 .handle = handle,
					 .attributes = attributes->text};

	tacho__intercept_made(&made);
}

static void report_queue(uint64_t queue, uint64_t agent, const char *name)
{
	struct tacho__attributes attributes = {.size = 0};

	attributes.text[0] = '\0';
	tacho__attributes_add(&attributes, "device", "0x%" PRIX64, agent);
	tacho__attributes_add(&attributes, "name", "%s", name);
	report(TACHO_OBJECT_QUEUE, queue, &attributes);
}

static void report_agent(const rocprofiler_agent_v0_t *agent)
{
	bool is_gpu = agent->type == ROCPROFILER_AGENT_TYPE_GPU;
	const char *product = agent->product_name, *name = agent->name ? agent->name : "";
	struct tacho__attributes attributes = {.size = 0};

	attributes.text[0] = '\0';
	tacho__attributes_add(&attributes, "name", "%s", product && *product ? product : name);
	tacho__attributes_add(&attributes, "vendor", "%s",
			      agent->vendor_name ? agent->vendor_name : "");
	tacho__attributes_add(&attributes, "type", "%s", is_gpu ? "gpu" : "cpu");
	tacho__attributes_add(&attributes, "platform_name", "ROCm");
	tacho__attributes_add(&attributes, "architecture", "%s", name);
	tacho__attributes_add(&attributes, "node", "%" PRIu32, agent->node_id);
	tacho__attributes_add(&attributes, "compute_units", "%" PRIu32,
			      is_gpu ? agent->cu_count : agent->cpu_cores_count);
	if (is_gpu)
		tacho__attributes_add(&attributes, "timer_resolution_ns", "10");
	if (is_gpu && agent->location_id)
		tacho__attributes_add(&attributes, "pci", "%04x:%02x:%02x.%x",
				      (unsigned)agent->domain & 0xffff,
				      (unsigned)(agent->location_id >> 8) & 0xff,
				      (unsigned)(agent->location_id >> 3) & 0x1f,
				      (unsigned)agent->location_id & 7);
	report(TACHO_OBJECT_DEVICE, agent->id.handle, &attributes);
	report_queue(QUEUE_OF(agent->id.handle), agent->id.handle, "without a queue of its own");
}

static rocprofiler_status_t on_agents(rocprofiler_agent_version_t version, const void **agents,
				      size_t count, void *user_data)
{
	(void)user_data;
	if (version != ROCPROFILER_AGENT_INFO_VERSION_0)
		return ROCPROFILER_STATUS_ERROR_INCOMPATIBLE_ABI;
	for (size_t i = 0; i < count && objects.agent_count < AGENTS_MAX; i++) {
		const rocprofiler_agent_v0_t *agent = agents[i];

		objects.agents[objects.agent_count].id = agent->id.handle;
		objects.agents[objects.agent_count].node = agent->node_id;
		objects.agents[objects.agent_count++].is_gpu =
			agent->type == ROCPROFILER_AGENT_TYPE_GPU;
		report_agent(agent);
	}
	return ROCPROFILER_STATUS_SUCCESS;
}

rocprofiler_status_t tacho__rocm_report_agents(void)
{
	return tacho__rocm.query_available_agents(ROCPROFILER_AGENT_INFO_VERSION_0, on_agents,
						  sizeof(rocprofiler_agent_v0_t), NULL);
}

uint64_t tacho__rocm_find_agent(uint32_t node)
{
	for (size_t i = 0; i < objects.agent_count; i++)
		if (objects.agents[i].node == node && objects.agents[i].is_gpu)
			return objects.agents[i].id;
	return 0;
}

bool tacho__rocm_is_gpu(uint64_t agent)
{
	for (size_t i = 0; i < objects.agent_count; i++)
		if (objects.agents[i].id == agent)
			return objects.agents[i].is_gpu;
	return false;
}

/* Handles of kernels begin at 1 and rise; they are kept for the life of the process. */
static void add_kernel(uint64_t id, const char *name)
{
	struct tacho__rocm_kernel *kernel = calloc(1, sizeof(*kernel));

	if (!kernel)
		return;
	snprintf(kernel->counted.name, sizeof(kernel->counted.name), "%.*s",
		 TACHO__KERNEL_NAME_MAX - 1, name);
	if (!tacho__handles_set(&objects.kernels, (const void *)(uintptr_t)id, (uintptr_t)kernel))
		free(kernel);
}

/*
 * The name as its author wrote it, where the program has a C++ library that can tell: this one
 * needs none. Owned: free(). NULL: it stays as it is.
 */
static char *demangle(const char *name)
{
	char *(*function)(const char *mangled, char *room, size_t *size, int *status);
	void *found = strncmp(name, "_Z", 2) ? NULL : dlsym(RTLD_DEFAULT, "__cxa_demangle");

	memcpy(&function, &found, sizeof(function));
	return found ? function(name, NULL, NULL, NULL) : NULL;
}

static void report_kernel(uint64_t id, const char *symbol_name,
			  struct tacho__attributes *attributes)
{
	char *written = demangle(symbol_name);

	tacho__attributes_add(attributes, "name", "%s", written ? written : symbol_name);
	if (written)
		tacho__attributes_add(attributes, "symbol", "%s", symbol_name);
	report(TACHO_OBJECT_KERNEL, id, attributes);
	add_kernel(id, written ? written : symbol_name);
	free(written);
}

void tacho__rocm_on_code_object(rocprofiler_callback_tracing_record_t record,
				rocprofiler_user_data_t *user_data, void *callback_data)
{
	const rocprofiler_callback_tracing_code_object_kernel_symbol_register_data_t *symbol =
		record.payload;
	struct tacho__attributes attributes = {.size = 0};
	char name[SYMBOL_MAX];
	size_t size;

	(void)user_data;
	(void)callback_data;
	if (record.kind != ROCPROFILER_CALLBACK_TRACING_CODE_OBJECT ||
	    record.operation != ROCPROFILER_CODE_OBJECT_DEVICE_KERNEL_SYMBOL_REGISTER ||
	    record.phase != ROCPROFILER_CALLBACK_PHASE_LOAD || !symbol || !symbol->kernel_name)
		return;
	/* the symbol is that of the descriptor: "name.kd" */
	size = strnlen(symbol->kernel_name, sizeof(name) - 1);
	memcpy(name, symbol->kernel_name, size);
	name[size] = '\0';
	if (size > 3 && !strcmp(name + size - 3, ".kd"))
		name[size - 3] = '\0';
	attributes.text[0] = '\0';
	tacho__attributes_add(&attributes, "local_bytes", "%" PRIu32, symbol->group_segment_size);
	tacho__attributes_add(&attributes, "private_bytes", "%" PRIu32,
			      symbol->private_segment_size);
	tacho__attributes_add(&attributes, "vgprs", "%" PRIu32, symbol->arch_vgpr_count);
	tacho__attributes_add(&attributes, "accum_vgprs", "%" PRIu32, symbol->accum_vgpr_count);
	tacho__attributes_add(&attributes, "sgprs", "%" PRIu32, symbol->sgpr_count);
	report_kernel(symbol->kernel_id, name, &attributes);
}

void tacho__rocm_meet_queue(uint64_t queue, uint64_t agent)
{
	const void *handle = (const void *)(uintptr_t)queue;

	if (!queue || tacho__handles_get(&objects.queues, handle))
		return;
	report_queue(queue, agent, "");
	tacho__handles_set(&objects.queues, handle, 1);
}

uint64_t tacho__rocm_get_queue(uint64_t queue, uint64_t agent)
{
	bool is_met = queue && tacho__handles_get(&objects.queues, (const void *)(uintptr_t)queue);

	return is_met ? queue : QUEUE_OF(agent);
}

struct tacho__rocm_kernel *tacho__rocm_find_kernel(uint64_t kernel)
{
	return (struct tacho__rocm_kernel *)(uintptr_t)tacho__handles_get(
		&objects.kernels, (const void *)(uintptr_t)kernel);
}
