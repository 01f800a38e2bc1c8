/* SPDX-License-Identifier: MIT */
/*
 * What the samples of ROCprofiler-SDK's document on counter collection need around them to be a
 * tool; document.py puts them in. The counters are those that DOCUMENT_COUNTERS names, in a file
 * that DOCUMENT_OUTPUT names.
 */
#include <cstdio>
#include <cstdlib>
#include <map>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <rocprofiler-sdk/registration.h>
#include <rocprofiler-sdk/rocprofiler.h>

#define ROCPROFILER_CALL(call, what)                                          \
	do {                                                                  \
		rocprofiler_status_t status_ = call;                          \
		if (status_ != ROCPROFILER_STATUS_SUCCESS) {                  \
			std::fprintf(stderr, "%s: %s (%s)\n", what,           \
				     rocprofiler_get_status_name(status_),    \
				     rocprofiler_get_status_string(status_)); \
			std::abort();                                         \
		}                                                             \
	} while (0)

static std::map<uint64_t, rocprofiler_profile_config_id_t> configs; /* by agent */
static FILE *output;
static rocprofiler_context_id_t used;
static rocprofiler_buffer_id_t filled;

static std::vector<rocprofiler_record_dimension_info_t>
counter_dimensions(rocprofiler_counter_id_t counter)
{
	std::vector<rocprofiler_record_dimension_info_t> dimensions;

	ROCPROFILER_CALL(
		rocprofiler_iterate_counter_dimensions(
			counter,
			[](rocprofiler_counter_id_t,
			   const rocprofiler_record_dimension_info_t *infos, size_t count,
			   void *data) {
				auto *list = static_cast<
					std::vector<rocprofiler_record_dimension_info_t> *>(data);
				list->assign(infos, infos + count);
				return ROCPROFILER_STATUS_SUCCESS;
			},
			static_cast<void *>(&dimensions)),
		"dimensions");
	return dimensions;
}

static void buffered_callback(rocprofiler_context_id_t, rocprofiler_buffer_id_t,
			      rocprofiler_record_header_t **headers, size_t num_headers, void *,
			      uint64_t)
{
	std::stringstream ss;

	//@ records
	std::fputs(ss.str().c_str(), output);
}

//@ dispatch_callback
{
	auto found = configs.find(dispatch_data.dispatch_info.agent_id.handle);

	if (user_data->value)
		std::abort();
	if (found != configs.end())
		*config = found->second;
}

//@ set_profile
{
	auto found = configs.find(agent.handle);

	/* The document's (agent, profile) is (context, config) since 1.0. */
	if (found != configs.end())
		ROCPROFILER_CALL(set_config(context_id, found->second), "set config");
}

static std::vector<rocprofiler_agent_v0_t> find_agents()
{
	//@ agents
	return agents;
}

static bool is_wanted(const char *name)
{
	std::stringstream names(std::getenv("DOCUMENT_COUNTERS"));
	std::string wanted;

	while (std::getline(names, wanted, ','))
		if (wanted == name)
			return true;
	return false;
}

static std::vector<rocprofiler_counter_id_t> find_counters(rocprofiler_agent_id_t agent)
{
	//@ counters
	//@ info
	std::vector<rocprofiler_counter_id_t> chosen;

	for (auto &counter : gpu_counters) {
		rocprofiler_counter_info_v0_t info;

		ROCPROFILER_CALL(rocprofiler_query_counter_info(counter,
								ROCPROFILER_COUNTER_INFO_VERSION_0,
								static_cast<void *>(&info)),
				 "counter info");
		if (!is_wanted(info.name))
			continue;
		chosen.push_back(counter);
		std::fprintf(output, "counter %llu is %s\n", (unsigned long long)counter.handle,
			     info.name);
	}
	return chosen;
}

/* At the end of the program, when tools are not finalized yet: a device is read once. */
static void sample()
{
	ROCPROFILER_CALL(rocprofiler_sample_device_counting_service(
				 used, {}, ROCPROFILER_COUNTER_FLAG_NONE, nullptr, nullptr),
			 "sample");
}

static int tool_init(rocprofiler_client_finalize_t, void *user_data)
{
	//@ create
	for (auto &info : find_agents()) {
		rocprofiler_agent_id_t agent = info.id;
		rocprofiler_agent_id_t agent_id = agent;
		std::vector<rocprofiler_counter_id_t> counters = find_counters(agent);
		rocprofiler_counter_id_t *counters_array = counters.data();
		size_t counters_array_count = counters.size();

		std::fprintf(output, "agent %s\n", info.name);
		//@ config
		configs[agent.handle] = profile;
		if (COUNTS_DEVICE || configs.size() == 1) {
			//@ configure
		}
		(void)agent_id;
	}
	used = ctx;
	filled = buff;
	ROCPROFILER_CALL(rocprofiler_start_context(ctx), "start");
	if (COUNTS_DEVICE)
		std::atexit(sample);
	return 0;
}

static void tool_fini(void *)
{
	rocprofiler_stop_context(used);
	ROCPROFILER_CALL(rocprofiler_flush_buffer(filled), "flush");
	std::fclose(output);
}

extern "C" rocprofiler_tool_configure_result_t *
rocprofiler_configure(uint32_t, const char *, uint32_t, rocprofiler_client_id_t *id)
{
	static rocprofiler_tool_configure_result_t result = {
		sizeof(rocprofiler_tool_configure_result_t), tool_init, tool_fini, nullptr};

	id->name = "document";
	output = std::fopen(std::getenv("DOCUMENT_OUTPUT"), "w");
	if (!output || !std::getenv("DOCUMENT_COUNTERS"))
		return nullptr;
	std::setbuf(output, nullptr);
	return &result;
}
