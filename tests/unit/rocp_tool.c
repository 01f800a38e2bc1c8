/* SPDX-License-Identifier: MIT */
#include "rocp_tool.h"

#include <string.h>

#include "rocprofiler-sdk/experimental/counters.h"

const char *const tool_counters[TOOL_COUNTERS] = {"SQ_WAVES", "SQ_INSTS_VALU", "GRBM_COUNT",
						  "GRBM_GUI_ACTIVE"};

struct listing {
	rocprofiler_agent_id_t *gpus;
	size_t room, count;
};

static rocprofiler_status_t take_agents(rocprofiler_agent_version_t version, const void **agents,
					size_t count, void *user)
{
	struct listing *listing = user;

	for (size_t i = 0; i < count; i++) {
		const rocprofiler_agent_v0_t *agent = agents[i];

		if (agent->type != ROCPROFILER_AGENT_TYPE_GPU)
			continue;
		if (listing->count < listing->room)
			listing->gpus[listing->count] = agent->id;
		listing->count++;
	}
	return ROCPROFILER_STATUS_SUCCESS;
}

size_t tool_list_gpus(rocprofiler_agent_id_t *gpus, size_t room)
{
	struct listing listing = {gpus, room, 0};

	rocprofiler_query_available_agents(ROCPROFILER_AGENT_INFO_VERSION_0, take_agents,
					   sizeof(rocprofiler_agent_v0_t), &listing);
	return listing.count;
}

struct wanted {
	const char *name;
	rocprofiler_counter_id_t counter;
};

static rocprofiler_status_t take_counters(rocprofiler_agent_id_t agent,
					  rocprofiler_counter_id_t *counters, size_t count,
					  void *user)
{
	struct wanted *wanted = user;

	for (size_t i = 0; i < count; i++) {
		rocprofiler_counter_info_v0_t info;

		if (!rocprofiler_query_counter_info(counters[i], ROCPROFILER_COUNTER_INFO_VERSION_0,
						    &info) &&
		    !strcmp(info.name, wanted->name))
			wanted->counter = counters[i];
	}
	return ROCPROFILER_STATUS_SUCCESS;
}

rocprofiler_counter_config_id_t tool_make_config(rocprofiler_agent_id_t agent,
						 const char *const *names, size_t count)
{
	rocprofiler_counter_config_id_t config = {0};
	rocprofiler_counter_id_t counters[16];

	if (count > 16)
		return config;
	for (size_t i = 0; i < count; i++) {
		struct wanted wanted = {.name = names[i]};

		rocprofiler_iterate_agent_supported_counters(agent, take_counters, &wanted);
		if (!wanted.counter.handle)
			return config;
		counters[i] = wanted.counter;
	}
	if (rocprofiler_create_counter_config(agent, counters, count, &config))
		config.handle = 0;
	return config;
}

int tool_is_of(const rocprofiler_counter_record_t *value, const char *name)
{
	rocprofiler_counter_info_v0_t info;
	rocprofiler_counter_id_t counter;

	return !rocprofiler_query_record_counter_id(value->id, &counter) &&
	       !rocprofiler_query_counter_info(counter, ROCPROFILER_COUNTER_INFO_VERSION_0,
					       &info) &&
	       !strcmp(info.name, name);
}
