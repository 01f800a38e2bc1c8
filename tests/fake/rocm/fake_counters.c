/* SPDX-License-Identifier: MIT */
/* Counters of the fake MI210: blocks, registers and dimensions as AMD's tables of gfx90a have them.
 */
#include <rocprofiler-sdk/rocprofiler.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fake.h"

enum {
	XCC = 1,
	SHADER_ENGINE = 3,
	INSTANCE = 7,
	CONFIGS_MAX = 256,
	COUNTERS_MAX = 64,
	CREATED_MAX = 32,
	ID_BASE = 40,
	CONFIG_BASE = 1,
};

static const struct block {
	const char *name;
	uint32_t registers, engines, instances; /* engines 0: it is not one of theirs */
	uint32_t missing; /* so many of the last engine's instances are not there */
} blocks[] = {
	{"SQ", 8, 8, 1, 0},  {"TCC", 4, 0, 32, 0}, {"GRBM", 2, 0, 1, 0},
	{"TA", 2, 8, 14, 8}, {"SPI", 6, 8, 1, 0},
};

static const struct counter {
	const char *name;
	uint32_t block;
} hardware[] = {
	{"SQ_WAVES", 0},	{"SQ_INSTS_VALU", 0},
	{"SQ_INSTS_SALU", 0},	{"SQ_BUSY_CYCLES", 0},
	{"SQ_WAVE_CYCLES", 0},	{"SQ_ACTIVE_INST_VALU", 0},
	{"SQ_LEVEL_WAVES", 0},	{"SQ_INSTS_SMEM", 0},
	{"SQ_INSTS_LDS", 0},	{"SQ_INSTS_FLAT", 0},
	{"SQ_INSTS_BRANCH", 0}, {"TCC_HIT", 1},
	{"TCC_MISS", 1},	{"TCC_REQ", 1},
	{"TCC_READ", 1},	{"TCC_WRITE", 1},
	{"GRBM_COUNT", 2},	{"GRBM_GUI_ACTIVE", 2},
	{"TA_TA_BUSY", 3},	{"TA_FLAT_READ_WAVEFRONTS", 3},
};
enum { HARDWARE = sizeof(hardware) / sizeof(hardware[0]) };

/* accumulate(NAME, RES), as tools make it. */
static struct {
	char name[128];
	uint32_t base;
} created[CREATED_MAX];
static uint32_t created_count;

static struct {
	uint32_t counters[COUNTERS_MAX]; /* ids minus ID_BASE */
	uint32_t count;
} configs[CONFIGS_MAX];
static uint32_t config_count;

static const rocprofiler_counter_record_dimension_info_t engine_info = {
	.name = "DIMENSION_SHADER_ENGINE", .instance_size = 8, .id = SHADER_ENGINE};
static const rocprofiler_counter_record_dimension_info_t instance_info[] = {
	{.name = "DIMENSION_INSTANCE", .instance_size = 1, .id = INSTANCE},
	{.name = "DIMENSION_INSTANCE", .instance_size = 32, .id = INSTANCE},
	{.name = "DIMENSION_INSTANCE", .instance_size = 14, .id = INSTANCE},
};

static uint32_t base_of(uint32_t index)
{
	return index < HARDWARE ? index : created[index - HARDWARE].base;
}

static const struct block *block_of(uint32_t index)
{
	return &blocks[hardware[base_of(index)].block];
}

/* The n-th of all counters by its id. */
static int find(uint64_t id, uint32_t *out_index)
{
	if (id < ID_BASE || id >= ID_BASE + HARDWARE + created_count)
		return 0;
	*out_index = (uint32_t)(id - ID_BASE);
	return 1;
}

rocprofiler_status_t rocprofiler_iterate_agent_supported_counters(
	rocprofiler_agent_id_t agent, rocprofiler_available_counters_cb_t callback, void *user_data)
{
	rocprofiler_counter_id_t ids[HARDWARE + CREATED_MAX];
	const char *hidden = fake_get("hide");
	int status = fake_fails("iterate_agent_supported_counters");
	size_t count = 0;

	if (status)
		return (rocprofiler_status_t)status;
	if (!callback)
		fake_misuse("iterate_agent_supported_counters without a callback");
	if (agent.handle != FAKE_AGENT_BASE + FAKE_NODE_GPU) {
		fake_misuse("counters of agent %llx, which is no GPU",
			    (unsigned long long)agent.handle);
		return ROCPROFILER_STATUS_ERROR_AGENT_NOT_FOUND;
	}
	for (uint32_t i = 0; i < HARDWARE + created_count; i++)
		if (i >= HARDWARE || !hidden || strcmp(hardware[i].name, hidden))
			ids[count++].handle = ID_BASE + i;
	return callback(agent, ids, count, user_data);
}

static uint32_t count_instances(const struct block *block)
{
	return (block->engines ? block->engines : 1) * block->instances - block->missing;
}

static uint64_t make_id(uint32_t index, uint32_t place)
{
	const struct block *block = block_of(index);

	return (uint64_t)(ID_BASE + index) << 48 |
	       (uint64_t)(place / block->instances) << 6 * (SHADER_ENGINE - 1) |
	       (uint64_t)(place % block->instances) << 6 * (INSTANCE - 1);
}

/* Those that are there. They stay. */
static const rocprofiler_counter_record_dimension_instance_info_t **list_instances(uint32_t index)
{
	static const rocprofiler_counter_record_dimension_instance_info_t *
		*lists[HARDWARE + CREATED_MAX];
	uint32_t count = count_instances(block_of(index));

	if (lists[index])
		return lists[index];
	lists[index] = calloc(count, sizeof(*lists[index]));
	for (uint32_t i = 0; i < count; i++) {
		rocprofiler_counter_record_dimension_instance_info_t *info =
			calloc(1, sizeof(*info));

		info->size = sizeof(*info);
		info->instance_id = make_id(index, i);
		info->counter_id = ID_BASE + index;
		lists[index][i] = info;
	}
	return lists[index];
}

static rocprofiler_status_t fill_v1(uint32_t index, rocprofiler_counter_info_v1_t *info)
{
	static const rocprofiler_counter_record_dimension_info_t *lists[HARDWARE + CREATED_MAX][2];
	const struct block *block = block_of(index);
	uint32_t count = 0;

	/* the order is not specified: here it is not that of the numbers */
	lists[index][count++] = &instance_info[block->instances == 1	? 0
					       : block->instances == 32 ? 1
									: 2];
	if (block->engines)
		lists[index][count++] = &engine_info;
	*info = (rocprofiler_counter_info_v1_t){
		.size = sizeof(*info),
		.id = {.handle = ID_BASE + index},
		.name = index < HARDWARE ? hardware[index].name : created[index - HARDWARE].name,
		.description = "",
		.block = block->name,
		.expression = "",
		.is_derived = index >= HARDWARE,
		.dimensions_count = count,
		.dimensions = lists[index],
		.dimensions_instances_count = count_instances(block),
		.dimensions_instances = list_instances(index)};
	return ROCPROFILER_STATUS_SUCCESS;
}

rocprofiler_status_t rocprofiler_query_counter_info(rocprofiler_counter_id_t counter,
						    rocprofiler_counter_info_version_id_t version,
						    void *info)
{
	rocprofiler_counter_info_v1_t full;
	int status = fake_fails("query_counter_info");
	uint32_t index;

	if (status)
		return (rocprofiler_status_t)status;
	if (!info || !find(counter.handle, &index)) {
		fake_misuse("query_counter_info of %llu", (unsigned long long)counter.handle);
		return ROCPROFILER_STATUS_ERROR_COUNTER_NOT_FOUND;
	}
	if (version == ROCPROFILER_COUNTER_INFO_VERSION_1)
		return fill_v1(index, info);
	if (version != ROCPROFILER_COUNTER_INFO_VERSION_0) {
		fake_misuse("query_counter_info with version %d", (int)version);
		return ROCPROFILER_STATUS_ERROR_INCOMPATIBLE_ABI;
	}
	fill_v1(index, &full);
	*(rocprofiler_counter_info_v0_t *)info =
		(rocprofiler_counter_info_v0_t){.id = full.id,
						.name = full.name,
						.description = "",
						.block = full.block,
						.expression = "",
						.is_derived = full.is_derived};
	return ROCPROFILER_STATUS_SUCCESS;
}

rocprofiler_status_t rocprofiler_query_record_counter_id(rocprofiler_counter_instance_id_t id,
							 rocprofiler_counter_id_t *counter)
{
	if (!counter)
		fake_misuse("query_record_counter_id without room for the answer");
	counter->handle = id >> 48;
	return counter->handle ? ROCPROFILER_STATUS_SUCCESS
			       : ROCPROFILER_STATUS_ERROR_COUNTER_NOT_FOUND;
}

rocprofiler_status_t
rocprofiler_query_record_dimension_position(rocprofiler_counter_instance_id_t id,
					    rocprofiler_counter_dimension_id_t dimension,
					    size_t *position)
{
	if (!position || dimension < XCC || dimension > INSTANCE) {
		fake_misuse("position in dimension %llu", (unsigned long long)dimension);
		return ROCPROFILER_STATUS_ERROR_DIM_NOT_FOUND;
	}
	*position = id >> (6 * (dimension - 1)) & 63;
	return ROCPROFILER_STATUS_SUCCESS;
}

rocprofiler_status_t rocprofiler_create_counter(const char *name, size_t name_size,
						const char *expression, size_t expression_size,
						const char *description, size_t description_size,
						rocprofiler_agent_id_t agent,
						rocprofiler_counter_id_t *counter)
{
	char text[256], base[128], resolution[16];
	int status = fake_fails("create_counter");

	if (status)
		return (rocprofiler_status_t)status;
	if (!name || !name_size || !expression || (!description && description_size) || !counter ||
	    agent.handle != FAKE_AGENT_BASE + FAKE_NODE_GPU || created_count == CREATED_MAX) {
		fake_misuse("create_counter with arguments that cannot be");
		return ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT;
	}
	snprintf(text, sizeof(text), "%.*s", (int)expression_size, expression);
	if (sscanf(text, "accumulate(%127[A-Z_a-z], %15[A-Z_])", base, resolution) != 2 ||
	    (strcmp(resolution, "HIGH_RES") && strcmp(resolution, "LOW_RES")))
		return ROCPROFILER_STATUS_ERROR_AST_GENERATION_FAILED;
	for (uint32_t i = 0; i < HARDWARE; i++) {
		if (strcmp(hardware[i].name, base) || hardware[i].block)
			continue;
		snprintf(created[created_count].name, sizeof(created[0].name), "%.*s",
			 (int)name_size, name);
		created[created_count].base = i;
		counter->handle = ID_BASE + HARDWARE + created_count++;
		return ROCPROFILER_STATUS_SUCCESS;
	}
	return ROCPROFILER_STATUS_ERROR_AST_GENERATION_FAILED;
}

/* Registers by block; a counter that is accumulated takes two. */
static int fits(uint32_t config)
{
	uint32_t used[sizeof(blocks) / sizeof(blocks[0])] = {0};

	for (uint32_t i = 0; i < configs[config].count; i++) {
		uint32_t index = configs[config].counters[i];

		used[hardware[base_of(index)].block] += index < HARDWARE ? 1 : 2;
	}
	for (uint32_t i = 0; i < sizeof(blocks) / sizeof(blocks[0]); i++)
		if (used[i] > blocks[i].registers)
			return 0;
	return 1;
}

rocprofiler_status_t rocprofiler_create_counter_config(rocprofiler_agent_id_t agent,
						       rocprofiler_counter_id_t *counters,
						       size_t count,
						       rocprofiler_counter_config_id_t *config)
{
	int status = fake_fails("create_counter_config");
	uint32_t index;

	if (status)
		return (rocprofiler_status_t)status;
	if (agent.handle != FAKE_AGENT_BASE + FAKE_NODE_GPU || !counters || !count || !config ||
	    count > COUNTERS_MAX || config_count == CONFIGS_MAX) {
		fake_misuse("create_counter_config with arguments that cannot be");
		return ROCPROFILER_STATUS_ERROR_AGENT_NOT_FOUND;
	}
	if (config->handle)
		fake_misuse("create_counter_config on top of config %llu, which was not meant",
			    (unsigned long long)config->handle);
	configs[config_count].count = 0;
	for (size_t i = 0; i < count; i++) {
		if (!find(counters[i].handle, &index)) {
			fake_misuse("create_counter_config with counter %llu",
				    (unsigned long long)counters[i].handle);
			return ROCPROFILER_STATUS_ERROR_COUNTER_NOT_FOUND;
		}
		configs[config_count].counters[configs[config_count].count++] = index;
	}
	if (!fits(config_count))
		return ROCPROFILER_STATUS_ERROR_EXCEEDS_HW_LIMIT;
	config->handle = CONFIG_BASE + config_count++;
	return ROCPROFILER_STATUS_SUCCESS;
}

int fake_is_config(uint64_t config)
{
	return config >= CONFIG_BASE && config < CONFIG_BASE + config_count;
}

static int is_fault(const char *fault, uint32_t index)
{
	const char *name = fake_get(fault);

	return name && index < HARDWARE && !strcmp(name, hardware[index].name);
}

/* All instances of a counter, with the faults that it has. */
static uint32_t count_one(uint32_t index, uint64_t dispatch, struct fake_record *records,
			  uint32_t room)
{
	uint32_t instances = count_instances(block_of(index)), count = 0;

	for (uint32_t i = 0; i < instances && count + 2 < room; i++) {
		bool is_last = i == instances - 1;

		if (is_fault("short", index) && is_last)
			break;
		records[count].id = make_id(index, i);
		if (is_fault("beyond", index) && is_last)
			records[count].id |= UINT64_C(63) << 6 * (INSTANCE - 1);
		records[count].value = (double)fake_value(index, dispatch, i);
		if (is_fault("negative", index) && is_last)
			records[count].value = -1;
		count++;
		if (is_fault("twice", index) && !i) {
			records[count] = records[count - 1];
			count++;
		}
	}
	return count;
}

uint32_t fake_count(uint64_t config, uint64_t dispatch, struct fake_record *records, uint32_t room)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < configs[config - CONFIG_BASE].count; i++)
		count += count_one(configs[config - CONFIG_BASE].counters[i], dispatch,
				   records + count, room - count);
	if (fake_has("foreign") && count < room)
		records[count++] = (struct fake_record){.id = UINT64_C(9999) << 48, .value = 1};
	return count;
}
