/* SPDX-License-Identifier: MIT */
/*
 * Configs: sets of counters that are counted together. One does not change once it is made, and
 * ends when neither its handle nor what counts with it is there any more.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "face/rocprofiler/rocprofiler.h"

struct config {
	struct tacho__rocp_config config;
	struct tacho__rocp_wanted *wanted;
	size_t capacity;
	atomic_uint references;
};

static struct {
	pthread_mutex_t lock;
	struct config **configs; /* of handle 1 and on; NULL: destroyed */
	size_t count, capacity;
} table = {.lock = PTHREAD_MUTEX_INITIALIZER};

static struct config *config_of(struct tacho__rocp_config *config)
{
	return (struct config *)config;
}

/* Under the lock. */
static struct config **find(uint64_t handle)
{
	return handle && handle <= table.count ? &table.configs[handle - 1] : NULL;
}

struct tacho__rocp_config *tacho__rocp_config_take(uint64_t handle)
{
	struct config *config, **place;

	pthread_mutex_lock(&table.lock);
	place = find(handle);
	config = place ? *place : NULL;
	if (config)
		atomic_fetch_add(&config->references, 1);
	pthread_mutex_unlock(&table.lock);
	return config ? &config->config : NULL;
}

void tacho__rocp_config_release(struct tacho__rocp_config *config)
{
	struct config *own = config ? config_of(config) : NULL;

	if (!own || atomic_fetch_sub(&own->references, 1) != 1)
		return;
	tacho__rocp_counting_destroy(atomic_load(&config->counting));
	tacho_plan_destroy(config->plan);
	tacho_config_destroy(config->config);
	tacho__rocp_edition_release(config->edition);
	free(own->wanted);
	free(own);
}

/* ---- what is in it ---- */

static bool has_counter(const struct config *config, uint64_t counter)
{
	for (size_t i = 0; i < config->config.counter_count; i++)
		if (config->wanted[i].counter == counter)
			return true;
	return false;
}

/* The family of an agent and that of a counter have the same name when it can count it. */
static rocprofiler_status_t add_counter(struct config *config, uint64_t id)
{
	const struct tacho__rocp_counter *counter = tacho__rocp_counter_get(id);
	struct tacho__rocp_config *own = &config->config;
	struct tacho__rocp_wanted wanted = {.counter = id, .from = TACHO__ROCP_COLUMN};

	if (!counter)
		return ROCPROFILER_STATUS_ERROR_COUNTER_NOT_FOUND;
	if (has_counter(config, id))
		return ROCPROFILER_STATUS_SUCCESS;
	if (strcmp(counter->family, own->unit->family) != 0)
		return ROCPROFILER_STATUS_ERROR_METRIC_NOT_VALID_FOR_AGENT;
	wanted.entry = tacho__rocp_edition_find(own->edition, own->agent, counter->name);
	if (!wanted.entry)
		return ROCPROFILER_STATUS_ERROR_METRIC_NOT_VALID_FOR_AGENT;
	if (wanted.entry->is_of_command) {
		wanted.from = TACHO__ROCP_NUMBER;
		wanted.index = tacho__rocp_command_position(wanted.entry);
	} else if (wanted.entry->kind == TACHO_ENTRY_CONSTANT) {
		wanted.from = TACHO__ROCP_CONSTANT;
	}
	if (tacho__array_add(&config->wanted, &config->capacity, &own->counter_count, &wanted,
			     sizeof(wanted)))
		return ROCPROFILER_STATUS_ERROR_OUT_OF_RESOURCES;
	own->counters = config->wanted;
	return ROCPROFILER_STATUS_SUCCESS;
}

static rocprofiler_status_t add_counters(struct config *config,
					 const rocprofiler_counter_id_t *counters, size_t count)
{
	rocprofiler_status_t status = ROCPROFILER_STATUS_SUCCESS;

	for (size_t i = 0; i < count && !status; i++)
		status = add_counter(config, counters[i].handle);
	return status;
}

/*
 * Those of the config that the new one begins with. One that is not there, or of another agent,
 * begins with nothing: samples leave the handle as it was on the stack.
 */
static rocprofiler_status_t add_base(struct config *config, uint64_t handle)
{
	rocprofiler_status_t status = ROCPROFILER_STATUS_SUCCESS;
	struct tacho__rocp_config *base = handle ? tacho__rocp_config_take(handle) : NULL;
	bool is_ours = base && base->agent == config->config.agent;

	for (size_t i = 0; is_ours && i < base->counter_count && !status; i++)
		status = add_counter(config, base->counters[i].counter);
	tacho__rocp_config_release(base);
	return status;
}

/* ---- how it is counted ---- */

/* Several passes, which launches take in turns: values of each are of other launches then. */
static bool may_split(void)
{
	const char *text = getenv("TACHO_ROCPROFILER_SPLIT");

	return text && !strcmp(text, "1");
}

static rocprofiler_status_t get_plan_status(int rc)
{
	switch (rc) {
	case TACHO_E_PASSES: return ROCPROFILER_STATUS_ERROR_EXCEEDS_HW_LIMIT;
	case TACHO_E_NOMEM: return ROCPROFILER_STATUS_ERROR_OUT_OF_RESOURCES;
	case TACHO_E_PERM: return ROCPROFILER_STATUS_ERROR_PERMISSION_DENIED;
	case TACHO_E_UNSUPPORTED: /* a metric alone needs more than there is */
		return ROCPROFILER_STATUS_ERROR_EXCEEDS_HW_LIMIT;
	default: return ROCPROFILER_STATUS_ERROR;
	}
}

static rocprofiler_status_t make_plan(struct tacho__rocp_config *config)
{
	const struct tacho_plan_options options = {.size = sizeof(options),
						   .passes_max = may_split() ? 0 : 1};
	struct tacho_plan_summary summary;
	int rc = tacho_device_plan(config->unit->device, config->config, &options, &config->plan);

	if (rc) {
		tacho__rocp_fail("a config cannot be counted");
		return get_plan_status(rc);
	}
	tacho_plan_get_summary(config->plan, &summary);
	if (summary.pass_count > 1)
		tacho__rocp_log_info("a config is split into %zu passes (%s): launches take turns, "
				     "each has the values of one pass",
				     summary.pass_count, summary.binding);
	return ROCPROFILER_STATUS_SUCCESS;
}

/* A formula over constants alone: no session is needed, and its value is known. */
static bool has_no_counter(const struct tacho__rocp_config *config, const struct tacho_entry *entry)
{
	const struct tacho_entry **inputs;
	size_t count, counters = 0;

	if (entry->kind != TACHO_ENTRY_METRIC ||
	    tacho_arch_list_inputs(config->unit->arch, entry, &inputs, &count))
		return false;
	for (size_t i = 0; i < count; i++)
		counters += inputs[i]->kind == TACHO_ENTRY_COUNTER;
	free(inputs);
	return !counters;
}

static rocprofiler_status_t make_config(struct config *own)
{
	struct tacho__rocp_config *config = &own->config;
	struct tacho_config_entry *entries = calloc(config->counter_count + 1, sizeof(*entries));
	rocprofiler_status_t status = ROCPROFILER_STATUS_SUCCESS;
	size_t count = 0;

	if (!entries)
		return ROCPROFILER_STATUS_ERROR_OUT_OF_RESOURCES;
	for (size_t i = 0; i < config->counter_count; i++) {
		struct tacho__rocp_wanted *wanted = &own->wanted[i];

		if (wanted->from != TACHO__ROCP_COLUMN)
			continue;
		if (has_no_counter(config, wanted->entry)) {
			wanted->from = TACHO__ROCP_CONSTANT;
			continue;
		}
		wanted->index = count;
		entries[count++] = (struct tacho_config_entry){.name = wanted->entry->name,
							       .keeps_instances = 1};
	}
	if (count && tacho_config_create(config->unit->arch, config->unit->model, entries, count,
					 &config->config)) {
		tacho__rocp_fail("a config cannot be made");
		status = ROCPROFILER_STATUS_ERROR_AST_NOT_FOUND;
	}
	free(entries);
	if (!status && count)
		status = make_plan(config);
	return status;
}

/* Expressions of tools: operands that do not fit together on this agent. */
static rocprofiler_status_t check_shapes(const struct tacho__rocp_config *config)
{
	struct tacho_dimension dimensions[TACHO_DIMENSION_MAX];
	uint32_t count;

	for (size_t i = 0; i < config->counter_count; i++) {
		const struct tacho_entry *entry = config->counters[i].entry;

		if (entry->kind == TACHO_ENTRY_METRIC && *entry->file &&
		    tacho_arch_get_dimensions(config->unit->arch, entry, config->unit->model,
					      dimensions, &count) == TACHO_E_INVAL) {
			tacho__rocp_fail("a counter cannot be worked out on this agent");
			return ROCPROFILER_STATUS_ERROR_AST_NOT_FOUND;
		}
	}
	return ROCPROFILER_STATUS_SUCCESS;
}

static rocprofiler_status_t add_to_table(struct config *config)
{
	rocprofiler_status_t status = ROCPROFILER_STATUS_SUCCESS;

	pthread_mutex_lock(&table.lock);
	config->config.handle = table.count + 1;
	if (tacho__array_add(&table.configs, &table.capacity, &table.count, &config,
			     sizeof(config)))
		status = ROCPROFILER_STATUS_ERROR_OUT_OF_RESOURCES;
	pthread_mutex_unlock(&table.lock);
	return status;
}

static rocprofiler_status_t fill(struct config *config, const rocprofiler_counter_id_t *counters,
				 size_t count, uint64_t base)
{
	rocprofiler_status_t status = tacho__rocp_edition_take(&config->config.edition);

	if (status)
		return status;
	config->config.unit = tacho__rocp_edition_get(config->config.edition, config->config.agent);
	status = add_counters(config, counters, count);
	if (!status)
		status = add_base(config, base);
	if (!status)
		status = check_shapes(&config->config);
	if (!status)
		status = make_config(config);
	return status ? status : add_to_table(config);
}

rocprofiler_status_t
rocprofiler_create_counter_config(rocprofiler_agent_id_t agent_id,
				  rocprofiler_counter_id_t *counters, size_t count,
				  rocprofiler_counter_config_id_t *inout_config)
{
	const struct tacho__rocp_agent *agent = tacho__rocp_agent_find(agent_id);
	struct config *config;
	rocprofiler_status_t status;

	if (!agent)
		return ROCPROFILER_STATUS_ERROR_AGENT_NOT_FOUND;
	if (!inout_config || (!counters && count))
		return ROCPROFILER_STATUS_ERROR_INVALID_ARGUMENT;
	config = calloc(1, sizeof(*config));
	if (!config)
		return ROCPROFILER_STATUS_ERROR_OUT_OF_RESOURCES;
	atomic_init(&config->references, 1);
	config->config.agent = agent;
	status = fill(config, counters, count, inout_config->handle);
	if (status)
		tacho__rocp_config_release(&config->config);
	else
		inout_config->handle = config->config.handle;
	return status;
}

rocprofiler_status_t rocprofiler_destroy_counter_config(rocprofiler_counter_config_id_t id)
{
	struct config *config = NULL, **place;

	pthread_mutex_lock(&table.lock);
	place = find(id.handle);
	if (place) {
		config = *place;
		*place = NULL;
	}
	pthread_mutex_unlock(&table.lock);
	if (!config)
		return ROCPROFILER_STATUS_ERROR_PROFILE_NOT_FOUND;
	tacho__rocp_config_release(&config->config);
	return ROCPROFILER_STATUS_SUCCESS;
}
