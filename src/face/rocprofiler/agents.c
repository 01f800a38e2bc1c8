/* SPDX-License-Identifier: MIT */
/* Agents: simulated devices, or those of the process, and the CPU. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/buf.h"
#include "base/error.h"
#include "face/rocprofiler/rocprofiler.h"
#include "intercept/launch_devices.h"

enum { AGENTS_MAX = 64, LAUNCHERS_MAX = 256, FIRST_ID = 1 };

/* A device that launches name, and the agent that they count on. */
struct launcher {
	uint16_t api;
	uint64_t device;
	const struct tacho__rocp_agent *agent;
};

static struct {
	struct tacho__rocp_agent agents[AGENTS_MAX];
	size_t count;
	const struct tacho__rocp_agent *simulated[AGENTS_MAX];
	size_t simulated_count;

	pthread_mutex_t lock; /* of who adds launchers */
	struct launcher launchers[LAUNCHERS_MAX];
	atomic_size_t launcher_count;
} agents = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* ---- finding them ---- */

static struct tacho__rocp_agent *add_agent(const rocprofiler_agent_v0_t *info)
{
	struct tacho__rocp_agent *agent = &agents.agents[agents.count];
	int32_t of_type = 0;

	if (agents.count == AGENTS_MAX)
		return NULL;
	for (size_t i = 0; i < agents.count; i++)
		of_type += agents.agents[i].info.type == info->type;
	agent->info = *info;
	agent->index = agents.count;
	agent->info.size = sizeof(agent->info);
	agent->info.id.handle = FIRST_ID + agents.count;
	agent->info.node_id = (uint32_t)agents.count;
	agent->info.logical_node_id = (int32_t)agents.count;
	agent->info.logical_node_type_id = of_type;
	agents.count++;
	return agent;
}

static int add_cpu(void)
{
	rocprofiler_agent_v0_t info = {.size = 0};
	int rc = tacho__rocp_info_of_cpu(&info);

	if (!rc)
		add_agent(&info);
	return rc;
}

static bool is_simulating(void)
{
	const char *names = getenv("TACHO_SIM");

	return names && *names;
}

/* "mi210,mi300x" as the backends of a context. An API after the name is the user's. */
static void name_backends(struct tacho__buf *text)
{
	const char *at = getenv("TACHO_SIM");

	while (at && *at) {
		int size = (int)strcspn(at, ",");
		bool is_plain = !memchr(at, ':', (size_t)size) && !memchr(at, '.', (size_t)size);

		if (size)
			tacho__buf_printf(text, "%ssim:%.*s%s", text->size ? "," : "", size, at,
					  is_plain ? ":rocm" : "");
		at += size;
		at += *at == ',';
	}
}

int tacho__rocp_agents_open(const struct tacho_catalog_options *catalog,
			    struct tacho_context **out_context)
{
	struct tacho_context_options options = {.size = sizeof(options), .catalog = catalog};
	struct tacho__buf backends = {0};
	int rc = 0;

	name_backends(&backends);
	options.backends = tacho__buf_text(&backends);
	if (backends.failed)
		rc = TACHO_E_NOMEM;
	else if (!backends.size)
		rc = tacho__fail(TACHO_E_INVAL, "", "name a model, such as TACHO_SIM=mi300x",
				 "TACHO_SIM names no simulated device");
	else
		rc = tacho_context_create(&options, out_context);
	tacho__buf_finish(&backends);
	return rc;
}

static int add_simulated_device(struct tacho_context *context, size_t index,
				const struct tacho_device_info *device_info)
{
	rocprofiler_agent_v0_t info = {.size = 0};
	struct tacho__rocp_agent *agent;
	struct tacho_device *device;
	int rc = tacho_device_open(context, device_info, &device);

	if (rc)
		return rc;
	rc = tacho__rocp_info_of_simulated(device, &info);
	tacho_device_close(device);
	agent = rc ? NULL : add_agent(&info);
	if (!agent)
		return rc;
	agent->is_simulated = true;
	agent->simulated = index;
	agents.simulated[agents.simulated_count++] = agent;
	return 0;
}

static int add_simulated(void)
{
	const struct tacho_catalog_options catalog = {.size = sizeof(catalog), .api = "rocm"};
	const struct tacho_device_info *info;
	struct tacho_context *context = NULL;
	int rc = tacho__rocp_agents_open(&catalog, &context);

	for (size_t i = 0; !rc && (info = tacho_context_get_device_info(context, i)); i++)
		rc = add_simulated_device(context, i, info);
	tacho_context_destroy(context);
	return rc;
}

static int add_devices(void)
{
	struct tacho__launch_device *devices =
		calloc(AGENTS_MAX, sizeof(struct tacho__launch_device));
	size_t count = 0;
	int rc = 0;

	if (!devices)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for the devices");
	count = tacho__launch_devices_list(devices, AGENTS_MAX);
	for (size_t i = 0; i < count && i < AGENTS_MAX && !rc; i++) {
		rocprofiler_agent_v0_t info = {.size = 0};
		struct tacho__rocp_agent *agent;

		rc = tacho__rocp_info_of_device(&devices[i], &info);
		agent = rc ? NULL : add_agent(&info);
		if (!agent)
			continue;
		agent->api = devices[i].api;
		agent->api_device = devices[i].handle;
		agent->is_cpu_device = devices[i].kind == TACHO__LAUNCH_DEVICE_CPU;
	}
	free(devices);
	return rc;
}

/* Simulated agents take the launches of the process's devices in the order of these. */
static void pair_devices(void)
{
	struct tacho__launch_device *devices =
		calloc(AGENTS_MAX, sizeof(struct tacho__launch_device));
	size_t count = devices ? tacho__launch_devices_list(devices, AGENTS_MAX) : 0;

	for (size_t i = 0; i < count && i < AGENTS_MAX; i++)
		tacho__rocp_agent_of_launch(devices[i].api, devices[i].handle);
	free(devices);
}

static void load_once(void)
{
	if (add_cpu())
		tacho__rocp_fail("the CPU is no agent");
	if (is_simulating() ? add_simulated() : add_devices())
		tacho__rocp_fail("devices are missing among the agents");
	if (is_simulating())
		pair_devices();
	tacho__rocp_log_info("%zu agents", agents.count);
}

rocprofiler_status_t tacho__rocp_agents_load(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, load_once);
	return agents.count ? ROCPROFILER_STATUS_SUCCESS : ROCPROFILER_STATUS_ERROR;
}

/* ---- looking them up ---- */

const struct tacho__rocp_agent *tacho__rocp_agent_get(size_t index)
{
	return index < agents.count ? &agents.agents[index] : NULL;
}

const struct tacho__rocp_agent *tacho__rocp_agent_find(rocprofiler_agent_id_t id)
{
	return id.handle < FIRST_ID ? NULL : tacho__rocp_agent_get(id.handle - FIRST_ID);
}

static const struct tacho__rocp_agent *choose_agent(uint16_t api, uint64_t device, size_t turn)
{
	if (agents.simulated_count)
		return agents.simulated[turn < agents.simulated_count ? turn
								      : agents.simulated_count - 1];
	for (size_t i = 0; i < agents.count; i++)
		if (agents.agents[i].api == api && agents.agents[i].api_device == device)
			return &agents.agents[i];
	return NULL;
}

static const struct launcher *find_launcher(uint16_t api, uint64_t device)
{
	size_t count = atomic_load_explicit(&agents.launcher_count, memory_order_acquire);

	for (size_t i = 0; i < count; i++)
		if (agents.launchers[i].device == device && agents.launchers[i].api == api)
			return &agents.launchers[i];
	return NULL;
}

static const struct tacho__rocp_agent *add_launcher(uint16_t api, uint64_t device)
{
	const struct tacho__rocp_agent *agent;
	const struct launcher *launcher;
	size_t count;

	pthread_mutex_lock(&agents.lock);
	launcher = find_launcher(api, device);
	count = atomic_load(&agents.launcher_count);
	agent = launcher ? launcher->agent : choose_agent(api, device, count);
	if (!launcher && count < LAUNCHERS_MAX) {
		agents.launchers[count] = (struct launcher){api, device, agent};
		atomic_store_explicit(&agents.launcher_count, count + 1, memory_order_release);
	}
	pthread_mutex_unlock(&agents.lock);
	return agent;
}

const struct tacho__rocp_agent *tacho__rocp_agent_of_launch(uint16_t api, uint64_t device)
{
	const struct launcher *launcher = find_launcher(api, device);

	return launcher ? launcher->agent : add_launcher(api, device);
}

/* A tool's struct may be older than this one, and then smaller: it reads a part of it. */
rocprofiler_status_t
rocprofiler_query_available_agents(rocprofiler_agent_version_t version,
				   rocprofiler_query_available_agents_cb_t callback,
				   size_t agent_size, void *user_data)
{
	const void *infos[AGENTS_MAX];

	if (version != ROCPROFILER_AGENT_INFO_VERSION_0 || !callback)
		return ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT;
	if (agent_size > sizeof(rocprofiler_agent_v0_t))
		return ROCPROFILER_STATUS_ERROR_INCOMPATIBLE_ABI;
	if (tacho__rocp_agents_load())
		return ROCPROFILER_STATUS_ERROR;
	for (size_t i = 0; i < agents.count; i++)
		infos[i] = &agents.agents[i].info;
	return callback(version, infos, agents.count, user_data);
}
