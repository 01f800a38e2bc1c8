/* SPDX-License-Identifier: MIT */
/* Agents, their counters, ids, definitions of tools and configs of the ROCprofiler-SDK face. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/array.h"
#include "face/rocprofiler/rocprofiler.h"
#include "tacho/error.h"

#define OK ROCPROFILER_STATUS_SUCCESS

enum { AGENTS_MAX = 8, COUNTERS_MAX = 2048 };

/* ---- what queries answer ---- */

static struct {
	const rocprofiler_agent_v0_t *agents[AGENTS_MAX];
	size_t count, calls;
} seen;

static rocprofiler_status_t take_agents(rocprofiler_agent_version_t version, const void **agents,
					size_t count, void *user_data)
{
	assert_int_equal(version, ROCPROFILER_AGENT_INFO_VERSION_0);
	assert_ptr_equal(user_data, &seen);
	assert_true(count <= AGENTS_MAX);
	memcpy(seen.agents, agents, count * sizeof(*agents));
	seen.count = count;
	seen.calls++;
	return ROCPROFILER_STATUS_ERROR_KIND_NOT_FOUND; /* it comes back */
}

static void list_agents(void)
{
	seen.calls = 0;
	assert_int_equal(rocprofiler_query_available_agents(ROCPROFILER_AGENT_INFO_VERSION_0,
							    take_agents,
							    sizeof(rocprofiler_agent_v0_t), &seen),
			 ROCPROFILER_STATUS_ERROR_KIND_NOT_FOUND);
	assert_int_equal(seen.calls, 1);
}

struct counters {
	rocprofiler_counter_id_t ids[COUNTERS_MAX];
	size_t count;
};

static rocprofiler_status_t take_counters(rocprofiler_agent_id_t agent,
					  rocprofiler_counter_id_t *ids, size_t count, void *user)
{
	struct counters *counters = user;

	(void)agent;
	assert_true(count <= COUNTERS_MAX);
	memcpy(counters->ids, ids, count * sizeof(*ids));
	counters->count = count;
	return OK;
}

static void list_counters(size_t agent, struct counters *counters)
{
	assert_int_equal(rocprofiler_iterate_agent_supported_counters(seen.agents[agent]->id,
								      take_counters, counters),
			 OK);
}

static rocprofiler_counter_info_v1_t info_of(rocprofiler_counter_id_t id)
{
	rocprofiler_counter_info_v1_t info;

	assert_int_equal(
		rocprofiler_query_counter_info(id, ROCPROFILER_COUNTER_INFO_VERSION_1, &info), OK);
	return info;
}

static rocprofiler_counter_id_t find(size_t agent, const char *name)
{
	static struct counters counters;

	list_counters(agent, &counters);
	for (size_t i = 0; i < counters.count; i++)
		if (!strcmp(info_of(counters.ids[i]).name, name))
			return counters.ids[i];
	fail_msg("agent %zu has no %s", agent, name);
	return (rocprofiler_counter_id_t){0};
}

/* ---- agents ---- */

static void test_agents(void **state)
{
	const rocprofiler_agent_v0_t *cpu, *mi210, *mi300x, *navi31;

	(void)state;
	list_agents();
	assert_int_equal(seen.count, 5);
	cpu = seen.agents[0];
	mi210 = seen.agents[1];
	mi300x = seen.agents[2];
	navi31 = seen.agents[4];
	assert_int_equal(cpu->type, ROCPROFILER_AGENT_TYPE_CPU);
	assert_true(cpu->cpu_cores_count > 0);
	assert_true(*cpu->name != '\0');
	assert_int_equal(mi210->type, ROCPROFILER_AGENT_TYPE_GPU);
	assert_string_equal(mi210->name, "gfx90a");
	assert_int_equal(mi210->cu_count, 104);
	assert_int_equal(mi210->num_xcc, 1);
	assert_int_equal(mi210->num_shader_banks, 8);
	assert_int_equal(mi210->gfx_target_version, 90010);
	assert_string_equal(mi300x->name, "gfx942");
	assert_string_equal(mi300x->vendor_name, "AMD");
	assert_string_equal(mi300x->product_name, "AMD Instinct MI300X [simulated]");
	assert_string_equal(mi300x->model_name, "mi300x");
	assert_int_equal(mi300x->cu_count, 304);
	assert_int_equal(mi300x->simd_count, 1216);
	assert_int_equal(mi300x->simd_per_cu, 4);
	assert_int_equal(mi300x->num_xcc, 8);
	assert_int_equal(mi300x->array_count, 32);
	assert_int_equal(mi300x->num_shader_banks, 32);
	assert_int_equal(mi300x->wave_front_size, 64);
	assert_int_equal(mi300x->max_waves_per_simd, 8);
	assert_int_equal(mi300x->max_waves_per_cu, 32);
	assert_int_equal(mi300x->lds_size_in_kb, 64);
	assert_int_equal(mi300x->vendor_id, 0x1002);
	assert_int_equal(mi300x->local_mem_size, UINT64_C(192) << 30);
	assert_int_equal(mi300x->mem_banks[0].size_in_bytes, mi300x->local_mem_size);
	assert_int_equal(navi31->wave_front_size, 32);
	assert_int_equal(navi31->cu_count, 96);
	for (size_t i = 0; i < seen.count; i++) {
		assert_int_equal(seen.agents[i]->size, sizeof(rocprofiler_agent_v0_t));
		assert_int_equal(seen.agents[i]->node_id, i);
		assert_int_equal(seen.agents[i]->logical_node_type_id, i ? i - 1 : 0);
		assert_true(!i || seen.agents[i]->id.handle > seen.agents[i - 1]->id.handle);
	}
}

static void test_agents_wrong(void **state)
{
	(void)state;
	assert_int_equal(rocprofiler_query_available_agents(ROCPROFILER_AGENT_INFO_VERSION_NONE,
							    take_agents, 8, &seen),
			 ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT);
	assert_int_equal(rocprofiler_query_available_agents(ROCPROFILER_AGENT_INFO_VERSION_0, NULL,
							    8, &seen),
			 ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT);
	assert_int_equal(
		rocprofiler_query_available_agents(ROCPROFILER_AGENT_INFO_VERSION_0, take_agents,
						   sizeof(rocprofiler_agent_v0_t) + 1, &seen),
		ROCPROFILER_STATUS_ERROR_INCOMPATIBLE_ABI);
}

/* ---- definitions of a tool: before anything asks for counters ---- */

static const char extra[] = "rocprofiler-sdk:\n"
			    "  counters-schema-version: 1\n"
			    "  counters:\n"
			    "  - name: MY_WAVES_PER_CU\n"
			    "    description: 'of mine'\n"
			    "    properties: []\n"
			    "    definitions:\n"
			    "    - architectures: [gfx942, gfx90a]\n"
			    "      expression: reduce(SQ_WAVES,sum)/CU_NUM\n";

/* How many counters an agent has, and whether one is among them. In a process of its own. */
static int count_replaced(void)
{
	static struct counters counters;
	int constants = 0, others = 0;

	if (rocprofiler_load_counter_definition(extra, strlen(extra),
						ROCPROFILER_COUNTER_FLAG_NONE))
		return 100;
	rocprofiler_iterate_agent_supported_counters(seen.agents[2]->id, take_counters, &counters);
	for (size_t i = 0; i < counters.count; i++) {
		rocprofiler_counter_info_v1_t info = info_of(counters.ids[i]);

		constants += info.is_constant;
		others += !info.is_constant && !strcmp(info.name, "MY_WAVES_PER_CU");
	}
	return constants == 10 && others == 1 && counters.count == 11 ? 0 : (int)counters.count;
}

static void test_replace_definitions(void **state)
{
	int status = -1;
	pid_t pid = fork();

	(void)state;
	if (!pid)
		_exit(count_replaced());
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

static void test_load_definitions(void **state)
{
	static const char wrong[] = "rocprofiler-sdk: {counters: [";

	(void)state;
	assert_int_equal(rocprofiler_load_counter_definition(NULL, 4, 0),
			 ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT);
	assert_int_equal(rocprofiler_load_counter_definition(
				 wrong, strlen(wrong), ROCPROFILER_COUNTER_FLAG_APPEND_DEFINITION),
			 ROCPROFILER_STATUS_ERROR);
	assert_int_equal(rocprofiler_load_counter_definition(
				 extra, strlen(extra), ROCPROFILER_COUNTER_FLAG_APPEND_DEFINITION),
			 OK);
	assert_string_equal(info_of(find(2, "MY_WAVES_PER_CU")).description, "of mine");
	assert_int_equal(rocprofiler_load_counter_definition(
				 extra, strlen(extra), ROCPROFILER_COUNTER_FLAG_APPEND_DEFINITION),
			 ROCPROFILER_STATUS_ERROR);
}

/* ---- counters ---- */

static void test_counters(void **state)
{
	static struct counters first, second, other;
	size_t kinds[3] = {0};

	(void)state;
	list_counters(2, &first);
	list_counters(3, &second);
	list_counters(1, &other);
	/* two agents of one architecture share ids, and with no other */
	assert_int_equal(first.count, second.count);
	assert_memory_equal(first.ids, second.ids, first.count * sizeof(first.ids[0]));
	for (size_t i = 0; i < first.count; i++) {
		rocprofiler_counter_info_v1_t info = info_of(first.ids[i]);

		assert_true(first.ids[i].handle > 0 && first.ids[i].handle <= UINT16_MAX);
		for (size_t k = 0; k < other.count; k++)
			assert_true(other.ids[k].handle != first.ids[i].handle);
		kinds[info.is_constant ? 2 : info.is_derived] += 1;
		assert_int_equal(*info.block != '\0', !info.is_constant && !info.is_derived);
		assert_int_equal(*info.expression != '\0', info.is_derived);
		assert_true(info.dimensions_count > 0);
		assert_true(info.dimensions_instances_count > 0);
	}
	assert_int_equal(kinds[0], 266);
	assert_int_equal(kinds[1], 160 + 1);
	assert_int_equal(kinds[2], 10); /* that the model states */
	assert_int_equal(rocprofiler_iterate_agent_supported_counters(seen.agents[0]->id,
								      take_counters, &first),
			 ROCPROFILER_STATUS_ERROR_AGENT_ARCH_NOT_SUPPORTED);
	assert_int_equal(rocprofiler_iterate_agent_supported_counters((rocprofiler_agent_id_t){99},
								      take_counters, &first),
			 ROCPROFILER_STATUS_ERROR_AGENT_NOT_FOUND);
	assert_int_equal(
		rocprofiler_iterate_agent_supported_counters(seen.agents[1]->id, NULL, &first),
		ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT);
}

static rocprofiler_status_t
check_dimensions(rocprofiler_counter_id_t id,
		 const rocprofiler_counter_record_dimension_info_t *dimensions, size_t count,
		 void *user)
{
	(void)id;
	*(size_t *)user = count;
	assert_string_equal(dimensions[0].name, "DIMENSION_XCC");
	assert_int_equal(dimensions[0].id, 1);
	assert_int_equal(dimensions[0].instance_size, 8);
	return OK;
}

/* 8 dies, 4 engines, 11 positions of units in each: 304 units exist. */
static void check_existing(void)
{
	rocprofiler_counter_id_t id = find(2, "TCP_TOTAL_READ");
	rocprofiler_counter_info_v1_t info = info_of(id);
	size_t count = 0;

	assert_int_equal(info.dimensions[1]->instance_size, 11);
	assert_int_equal(info.dimensions_instances_count, 304);
	assert_int_equal(rocprofiler_query_counter_instance_count(seen.agents[2]->id, id, &count),
			 OK);
	assert_int_equal(count, 304);
}

static void test_info(void **state)
{
	rocprofiler_counter_id_t waves = find(2, "SQ_WAVES"), cus = find(2, "CU_NUM");
	rocprofiler_counter_info_v1_t info = info_of(waves);
	rocprofiler_counter_info_v0_t info_v0;
	size_t count = 0;

	(void)state;
	assert_int_equal(info.size, sizeof(info));
	assert_int_equal(info.id.handle, waves.handle);
	assert_string_equal(info.block, "SQ");
	assert_int_equal(info.dimensions_count, 3);
	assert_int_equal(info.dimensions_instances_count, 8 * 1 * 4);
	assert_string_equal(info.dimensions[2]->name, "DIMENSION_SHADER_ENGINE");
	assert_int_equal(info.dimensions[2]->instance_size, 4);
	/* XCC 2, engine 1 */
	assert_int_equal(info.dimensions_instances[9]->instance_id,
			 waves.handle << 48 | UINT64_C(1) << 12 | 2);
	assert_int_equal(info.dimensions_instances[9]->counter_id, waves.handle);
	assert_int_equal(info.dimensions_instances[9]->dimensions[0]->index, 2);
	assert_int_equal(info.dimensions_instances[9]->dimensions[2]->index, 1);
	assert_int_equal(
		rocprofiler_query_counter_info(waves, ROCPROFILER_COUNTER_INFO_VERSION_0, &info_v0),
		OK);
	assert_ptr_equal(info_v0.name, info.name);
	assert_int_equal(rocprofiler_query_counter_info(waves, 3, &info_v0),
			 ROCPROFILER_STATUS_ERROR_INCOMPATIBLE_ABI);
	assert_int_equal(rocprofiler_query_counter_info((rocprofiler_counter_id_t){65000},
							ROCPROFILER_COUNTER_INFO_VERSION_0,
							&info_v0),
			 ROCPROFILER_STATUS_ERROR_COUNTER_NOT_FOUND);
	assert_int_equal(rocprofiler_iterate_counter_dimensions(waves, check_dimensions, &count),
			 OK);
	assert_int_equal(count, 3);
	assert_int_equal(rocprofiler_iterate_counter_dimensions((rocprofiler_counter_id_t){0},
								check_dimensions, &count),
			 ROCPROFILER_STATUS_ERROR_COUNTER_NOT_FOUND);
	assert_int_equal(
		rocprofiler_query_counter_instance_count(seen.agents[2]->id, waves, &count), OK);
	assert_int_equal(count, 32);
	assert_int_equal(
		rocprofiler_query_counter_instance_count(seen.agents[1]->id, waves, &count),
		ROCPROFILER_STATUS_ERROR_COUNTER_NOT_FOUND);
	assert_int_equal(info_of(cus).dimensions_instances_count, 1);
	assert_int_equal(info_of(cus).dimensions_instances[0]->instance_id, cus.handle << 48);
	assert_string_equal(info_of(cus).dimensions[0]->name, "DIMENSION_INSTANCE");
	check_existing();
}

static void test_instance_ids(void **state)
{
	const struct tacho_dimension wide = {.name = "DIMENSION_INSTANCE", .extent = 1024};
	const struct tacho_dimension unknown = {.name = "DIMENSION_SLICE", .extent = 2};
	struct tacho_column column = {.dimension_count = 1, .instance_count = 1024};
	rocprofiler_counter_id_t counter;
	uint64_t id = 0;
	size_t position;

	(void)state;
	column.dimensions[0] = wide;
	assert_true(tacho__rocp_instance_id(123, &column, 1023, &id));
	assert_int_equal(id, UINT64_C(0x007b000000000000) | UINT64_C(1023) << 36);
	assert_int_equal(rocprofiler_query_record_counter_id(id, &counter), OK);
	assert_int_equal(counter.handle, 123);
	assert_int_equal(rocprofiler_query_record_dimension_position(
				 id, ROCPROFILER_DIMENSION_INSTANCE, &position),
			 OK);
	assert_int_equal(position, 1023);
	assert_int_equal(rocprofiler_query_record_dimension_position(id, ROCPROFILER_DIMENSION_XCC,
								     &position),
			 OK);
	assert_int_equal(position, 0);
	assert_int_equal(rocprofiler_query_record_dimension_position(UINT64_C(0x0001fafbfcfdfeff),
								     ROCPROFILER_DIMENSION_NONE,
								     &position),
			 OK);
	assert_int_equal(position, UINT64_C(0xfafbfcfdfeff));
	assert_int_equal(rocprofiler_query_record_dimension_position(id, 8, &position),
			 ROCPROFILER_STATUS_ERROR_DIM_NOT_FOUND);
	column.dimensions[0].extent = 1025;
	assert_false(tacho__rocp_instance_id(123, &column, 1024, &id));
	column.dimensions[0] = unknown;
	assert_false(tacho__rocp_instance_id(123, &column, 1, &id));
}

/* ---- counters of expressions ---- */

static rocprofiler_status_t create(size_t agent, const char *name, const char *expression,
				   rocprofiler_counter_id_t *out_id)
{
	return rocprofiler_create_counter(name, strlen(name), expression, strlen(expression), "d",
					  1, seen.agents[agent]->id, out_id);
}

static void test_create_counter(void **state)
{
	rocprofiler_counter_id_t id = {7}, waves = find(2, "SQ_WAVES");
	rocprofiler_counter_info_v1_t info;

	(void)state;
	assert_int_equal(create(2, "XWaves", "reduce(SQ_WAVES, sum, [DIMENSION_XCC]) * 2", &id),
			 OK);
	info = info_of(id);
	assert_string_equal(info.name, "XWaves");
	assert_string_equal(info.description, "d");
	assert_int_equal(info.is_derived, 1);
	assert_int_equal(info.dimensions_instances_count, 4);
	assert_int_equal(find(3, "XWaves").handle, id.handle); /* of the architecture */
	assert_int_equal(find(2, "SQ_WAVES").handle, waves.handle);
	/* of what was made before */
	assert_int_equal(create(2, "XMore", "XWaves + SQ_WAVES", &id), OK);
	id.handle = 7;
	assert_int_equal(create(2, "XWaves", "SQ_WAVES", &id),
			 ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT);
	assert_int_equal(create(2, "SQ_WAVES", "SQ_BUSY_CYCLES", &id),
			 ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT);
	assert_int_equal(create(2, "", "SQ_WAVES", &id), ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT);
	assert_int_equal(create(2, "a b", "SQ_WAVES", &id),
			 ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT);
	assert_int_equal(create(2, "Bad", "SQ_WAVES +", &id),
			 ROCPROFILER_STATUS_ERROR_AST_GENERATION_FAILED);
	assert_int_equal(create(2, "Bad", "NO_SUCH * 2", &id),
			 ROCPROFILER_STATUS_ERROR_AST_GENERATION_FAILED);
	assert_int_equal(create(2, "Bad", "Bad + 1", &id),
			 ROCPROFILER_STATUS_ERROR_AST_GENERATION_FAILED);
	assert_int_equal(create(2, "Bad", "SQ_WAVES\": [\n- }", &id),
			 ROCPROFILER_STATUS_ERROR_AST_GENERATION_FAILED);
	assert_int_equal(create(2, "Bad", "reduce(SQ_WAVES,sum,[DIMENSION_XCC]) + TCC_HIT", &id),
			 ROCPROFILER_STATUS_ERROR_AST_GENERATION_FAILED);
	assert_int_equal(create(0, "Bad", "1", &id),
			 ROCPROFILER_STATUS_ERROR_AGENT_ARCH_NOT_SUPPORTED);
	assert_int_equal(rocprofiler_create_counter("N", 1, "1", 1, NULL, 0,
						    (rocprofiler_agent_id_t){77}, &id),
			 ROCPROFILER_STATUS_ERROR_AGENT_NOT_FOUND);
	assert_int_equal(id.handle, 7);
	/* the same name elsewhere is another counter */
	assert_int_equal(create(1, "XWaves", "SQ_WAVES", &id), OK);
	assert_true(id.handle != find(2, "XWaves").handle);
}

/* ---- configs ---- */

static rocprofiler_status_t configure(size_t agent, const char *const *names, size_t count,
				      uint64_t *inout_handle)
{
	rocprofiler_counter_config_id_t config = {*inout_handle};
	rocprofiler_counter_id_t ids[32];
	rocprofiler_status_t status;

	assert_true(count <= TACHO__ARRAY_SIZE(ids));
	for (size_t i = 0; i < count; i++)
		ids[i] = find(agent, names[i]);
	status = rocprofiler_create_counter_config(seen.agents[agent]->id, ids, count, &config);
	*inout_handle = config.handle;
	return status;
}

static void test_configs(void **state)
{
	static const char *const names[] = {"SQ_WAVES", "SQ_BUSY_CYCLES", "SQ_WAVES",
					    "GPU_UTIL", "CU_NUM",	  "simd_count"};
	static const char *const more[] = {"TCC_HIT", "GPU_UTIL"};
	struct tacho__rocp_config *config, *grown;
	uint64_t handle = 0, base;

	(void)state;
	assert_int_equal(configure(2, names, TACHO__ARRAY_SIZE(names), &handle), OK);
	base = handle;
	config = tacho__rocp_config_take(handle);
	assert_non_null(config);
	assert_int_equal(config->counter_count, 5); /* what is named twice counts once */
	assert_string_equal(config->counters[1].entry->name, "SQ_BUSY_CYCLES");
	assert_int_equal(config->counters[3].from, TACHO__ROCP_CONSTANT);
	assert_int_equal(config->counters[4].from, TACHO__ROCP_CONSTANT);
	assert_non_null(tacho_plan_get_pass(config->plan, 0));
	assert_null(tacho_plan_get_pass(config->plan, 1));
	/* a new one from an old one, which stays as it is */
	assert_int_equal(configure(2, more, TACHO__ARRAY_SIZE(more), &handle), OK);
	assert_true(handle > base);
	grown = tacho__rocp_config_take(handle);
	assert_int_equal(grown->counter_count, 6);
	assert_int_equal(config->counter_count, 5);
	tacho__rocp_config_release(grown);
	/* it lives while something uses it */
	assert_int_equal(
		rocprofiler_destroy_counter_config((rocprofiler_counter_config_id_t){base}), OK);
	assert_null(tacho__rocp_config_take(base));
	assert_int_equal(
		rocprofiler_destroy_counter_config((rocprofiler_counter_config_id_t){base}),
		ROCPROFILER_STATUS_ERROR_PROFILE_NOT_FOUND);
	assert_string_equal(config->counters[0].entry->name, "SQ_WAVES");
	tacho__rocp_config_release(config);
	handle = 0;
	assert_int_equal(configure(2, NULL, 0, &handle), OK); /* nothing, as upstream */
}

static void test_configs_wrong(void **state)
{
	rocprofiler_counter_id_t ids[] = {{65000}, find(1, "SQ_WAVES")};
	rocprofiler_counter_config_id_t config = {0};

	(void)state;
	assert_int_equal(
		rocprofiler_create_counter_config((rocprofiler_agent_id_t){99}, ids, 2, &config),
		ROCPROFILER_STATUS_ERROR_AGENT_NOT_FOUND);
	assert_int_equal(rocprofiler_create_counter_config(seen.agents[2]->id, ids, 2, &config),
			 ROCPROFILER_STATUS_ERROR_COUNTER_NOT_FOUND);
	assert_int_equal(rocprofiler_create_counter_config(seen.agents[2]->id, &ids[1], 1, &config),
			 ROCPROFILER_STATUS_ERROR_METRIC_NOT_VALID_FOR_AGENT);
	assert_int_equal(rocprofiler_create_counter_config(seen.agents[0]->id, &ids[1], 1, &config),
			 ROCPROFILER_STATUS_ERROR_METRIC_NOT_VALID_FOR_AGENT);
	assert_int_equal(rocprofiler_create_counter_config(seen.agents[2]->id, NULL, 1, &config),
			 ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT);
	assert_int_equal(rocprofiler_create_counter_config(seen.agents[2]->id, ids, 1, NULL),
			 ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT);
	assert_int_equal(config.handle, 0);
}

/* Registers of SQ: 8. */
static void test_limits(void **state)
{
	static const char *const names[] = {"SQ_WAVES",	     "SQ_BUSY_CYCLES", "SQ_WAVE_CYCLES",
					    "SQ_INSTS_VALU", "SQ_INSTS_SALU",  "SQ_INSTS_SMEM",
					    "SQ_INSTS_LDS",  "SQ_INSTS_FLAT",  "SQ_INSTS_GDS"};
	struct tacho__rocp_config *config;
	uint64_t handle = 0;

	(void)state;
	assert_int_equal(configure(2, names, 8, &handle), OK);
	assert_int_equal(configure(2, &names[8], 1, &handle),
			 ROCPROFILER_STATUS_ERROR_EXCEEDS_HW_LIMIT);
	assert_non_null(strstr(tacho_error_last()->cause, "SQ: 9 counters, 8 slots"));
	assert_non_null(strstr(tacho_error_last()->cure, "SQ_WAVES"));
	setenv("TACHO_ROCPROFILER_SPLIT", "1", 1);
	assert_int_equal(configure(2, &names[8], 1, &handle), OK);
	unsetenv("TACHO_ROCPROFILER_SPLIT");
	config = tacho__rocp_config_take(handle);
	assert_non_null(tacho_plan_get_pass(config->plan, 1));
	tacho__rocp_config_release(config);
}

/* ---- values ---- */

static void test_constant_values(void **state)
{
	static const char *const names[] = {"simd_count", "CU_NUM"};
	struct tacho__rocp_config *config;
	struct tacho__rocp_values values;
	uint64_t handle = 0;

	(void)state;
	assert_int_equal(configure(2, names, 2, &handle), OK);
	config = tacho__rocp_config_take(handle);
	assert_null(config->plan); /* nothing is counted */
	assert_int_equal(tacho__rocp_values_make(config, NULL, 0, NULL, &values), OK);
	assert_int_equal(values.count, 2);
	assert_int_equal(values.missing, 0);
	assert_true(values.records[0].counter_value == 1216);
	assert_true(values.records[1].counter_value == 304);
	assert_int_equal(values.records[1].id, find(2, "CU_NUM").handle << 48);
	assert_int_equal(values.records[1].agent_id.handle, seen.agents[2]->id.handle);
	free(values.records);
	tacho__rocp_config_release(config);
}

/* The first device is the first agent's, and the last agent has what is left. */
static void test_launches_of_agents(void **state)
{
	(void)state;
	assert_int_equal(tacho__rocp_agent_of_launch(1, 100)->index, 1);
	assert_int_equal(tacho__rocp_agent_of_launch(1, 200)->index, 2);
	assert_int_equal(tacho__rocp_agent_of_launch(1, 100)->index, 1);
	assert_int_equal(tacho__rocp_agent_of_launch(2, 100)->index, 3);
	assert_int_equal(tacho__rocp_agent_of_launch(1, 300)->index, 4);
	assert_int_equal(tacho__rocp_agent_of_launch(1, 400)->index, 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_agents),
		cmocka_unit_test(test_agents_wrong),
		cmocka_unit_test(test_replace_definitions),
		cmocka_unit_test(test_load_definitions),
		cmocka_unit_test(test_counters),
		cmocka_unit_test(test_info),
		cmocka_unit_test(test_instance_ids),
		cmocka_unit_test(test_create_counter),
		cmocka_unit_test(test_configs),
		cmocka_unit_test(test_configs_wrong),
		cmocka_unit_test(test_limits),
		cmocka_unit_test(test_constant_values),
		cmocka_unit_test(test_launches_of_agents),
	};

	setenv("TACHO_SIM", "mi210,mi300x,mi300x,navi31", 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
