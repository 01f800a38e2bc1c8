/* SPDX-License-Identifier: MIT */
/*
 * Configs: what was chosen, and how many passes that takes. They know names and numbers only: each
 * session plans on its own device anew, which is the same plan.
 */
#include <stdlib.h>
#include <string.h>

#include "face/perfworks/perfworks.h"

void tacho__pw_config_drop(struct tacho__pw_config *config)
{
	if (!config || atomic_fetch_sub(&config->references, 1) > 1)
		return;
	tacho__map_finish(&config->positions);
	free(config);
}

int tacho__pw_plan(struct tacho_device *unit, const struct tacho__pw_choice *choices, size_t count,
		   struct tacho_config **out_config, struct tacho_plan **out_plan)
{
	struct tacho_config_entry *entries = calloc(count, sizeof(*entries));
	struct tacho_config *config = NULL;
	int rc;

	if (!entries)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a config");
	for (size_t i = 0; i < count; i++) {
		entries[i].name = choices[i].metric->name;
		entries[i].mode =
			choices[i].is_serialized ? TACHO_MODE_SERIALIZED : TACHO_MODE_PIPELINED;
	}
	rc = tacho_config_create(tacho_device_get_arch(unit), tacho_device_get_model(unit), entries,
				 count, &config);
	free(entries);
	if (!rc)
		rc = tacho_device_plan(unit, config, NULL, out_plan);
	if (rc)
		tacho_config_destroy(config);
	else
		*out_config = config;
	return rc;
}

static uint64_t make_key(NVPA_MetricId id, bool is_serialized)
{
	return id << 1 | is_serialized;
}

NVPA_Status tacho__pw_config_find(const struct tacho__pw_config *config, NVPA_MetricId id,
				  bool is_serialized, size_t *out_index)
{
	uintptr_t position =
		(uintptr_t)tacho__map_get(&config->positions, make_key(id, is_serialized));

	if (!position)
		return tacho__pw_fail(NVPA_STATUS_INVALID_METRIC_ID,
				      "it was not enabled before the config was made",
				      "ask in the mode in which it was enabled",
				      "the config has no %s metric 0x%llx",
				      is_serialized ? "serialized" : "pipelined",
				      (unsigned long long)id);
	*out_index = position - 1;
	return NVPA_STATUS_SUCCESS;
}

/* A copy of what the activity has. NULL: no memory. */
static struct tacho__pw_config *copy(const struct tacho__pw_activity *activity)
{
	size_t size = activity->count * sizeof(*activity->choices);
	struct tacho__pw_config *config = calloc(1, sizeof(*config) + size);
	int rc = 0;

	if (!config)
		return NULL;
	config->references = 1;
	config->device = activity->device;
	config->count = activity->count;
	memcpy(config->choices, activity->choices, size);
	for (size_t i = 0; i < config->count && !rc; i++) {
		const struct tacho__pw_choice *choice = &config->choices[i];

		rc = tacho__map_set(&config->positions,
				    make_key(choice->metric->id, choice->is_serialized),
				    (void *)(uintptr_t)(i + 1));
	}
	if (!rc)
		return config;
	tacho__pw_config_drop(config);
	return NULL;
}

static void count_passes(struct tacho__pw_config *config, const struct tacho_plan *plan)
{
	const struct tacho_plan_pass *pass;

	for (size_t i = 0; (pass = tacho_plan_get_pass(plan, i)); i++)
		++*(pass->mode == TACHO_MODE_PIPELINED ? &config->pipelined : &config->serialized);
}

static NVPA_Status plan(struct tacho__pw_config *config)
{
	struct tacho__pw_context *context = NULL;
	struct tacho_config *entries = NULL;
	struct tacho_plan *plan = NULL;
	NVPA_Status status = tacho__pw_context_borrow(config->device, &context);

	if (status)
		return status;
	if (tacho__pw_plan(context->unit, config->choices, config->count, &entries, &plan))
		status = tacho__pw_fail_core();
	else
		count_passes(config, plan);
	tacho_plan_destroy(plan);
	tacho_config_destroy(entries);
	tacho__pw_context_give_back(context);
	return status;
}

NVPA_Status NVPA_Config_Create(NVPA_Activity *pActivity, NVPA_Config **ppConfig)
{
	struct tacho__pw_activity *activity = tacho__pw_live_get(TACHO__PW_ACTIVITY, pActivity);
	struct tacho__pw_config *config;
	void *handle;
	NVPA_Status status;

	if (!activity)
		return NVPA_STATUS_INVALID_ARGUMENT;
	if (!ppConfig)
		return tacho__pw_fail_null("ppConfig");
	if (!activity->count)
		return tacho__pw_fail(NVPA_STATUS_INVALID_OBJECT_STATE, "no metric is enabled",
				      "call NVPA_Activity_EnableMetric before, and look at its "
				      "status",
				      "the config would be empty");
	config = copy(activity);
	if (!config)
		return tacho__pw_fail_memory();
	status = plan(config);
	if (!status)
		status = tacho__pw_live_add(TACHO__PW_CONFIG, config, &handle);
	if (status)
		tacho__pw_config_drop(config);
	else
		*ppConfig = handle;
	return status;
}

NVPA_Status NVPA_Config_Destroy(NVPA_Config *pConfig)
{
	struct tacho__pw_config *config = tacho__pw_live_get(TACHO__PW_CONFIG, pConfig);

	if (!config)
		return NVPA_STATUS_INVALID_ARGUMENT;
	if (atomic_load(&config->sessions))
		return tacho__pw_fail(NVPA_STATUS_INVALID_OBJECT_STATE, "a session uses it",
				      "call NVPA_Context_EndSession before",
				      "the config cannot be destroyed");
	if (!tacho__pw_live_remove(TACHO__PW_CONFIG, pConfig))
		return NVPA_STATUS_INVALID_ARGUMENT;
	tacho__pw_config_drop(config);
	return NVPA_STATUS_SUCCESS;
}

NVPA_Status NVPA_Config_GetPassCount(const NVPA_Config *pConfig, size_t nestingLevels,
				     size_t *pPasses)
{
	const struct tacho__pw_config *config = tacho__pw_live_get(TACHO__PW_CONFIG, pConfig);
	size_t passes;

	if (!config)
		return NVPA_STATUS_INVALID_ARGUMENT;
	if (!nestingLevels || __builtin_mul_overflow(config->serialized, nestingLevels, &passes) ||
	    __builtin_add_overflow(passes, config->pipelined, &passes))
		return tacho__pw_fail(NVPA_STATUS_INVALID_ARGUMENT,
				      tacho__detail("%zu levels were given", nestingLevels),
				      "give 1 for ranges that do not nest",
				      "the passes cannot be told");
	if (pPasses)
		*pPasses = passes;
	return NVPA_STATUS_SUCCESS;
}

NVPA_Status NVPA_Config_GetPassCounts(const NVPA_Config *pConfig, size_t *pPipelined,
				      size_t *pSerialized)
{
	const struct tacho__pw_config *config = tacho__pw_live_get(TACHO__PW_CONFIG, pConfig);

	if (!config)
		return NVPA_STATUS_INVALID_ARGUMENT;
	if (pPipelined)
		*pPipelined = config->pipelined;
	if (pSerialized)
		*pSerialized = config->serialized;
	return NVPA_STATUS_SUCCESS;
}

NVPA_Status NVPA_Config_GetMetricCount(const NVPA_Config *pConfig, size_t *pCount)
{
	const struct tacho__pw_config *config = tacho__pw_live_get(TACHO__PW_CONFIG, pConfig);

	if (!config)
		return NVPA_STATUS_INVALID_ARGUMENT;
	if (!pCount)
		return tacho__pw_fail_null("pCount");
	*pCount = config->count;
	return NVPA_STATUS_SUCCESS;
}

NVPA_Status NVPA_Config_GetMetric(const NVPA_Config *pConfig, size_t index,
				  NVPA_MetricId *pMetricId, bool *pSerialized, const char **pName)
{
	const struct tacho__pw_config *config = tacho__pw_live_get(TACHO__PW_CONFIG, pConfig);
	const struct tacho__pw_choice *choice;

	if (!config)
		return NVPA_STATUS_INVALID_ARGUMENT;
	if (index >= config->count)
		return tacho__pw_fail(NVPA_STATUS_INVALID_ARGUMENT,
				      tacho__detail("it has %zu", config->count), "count from 0",
				      "the config has no metric %zu", index);
	choice = &config->choices[index];
	if (pMetricId)
		*pMetricId = choice->metric->id;
	if (pSerialized)
		*pSerialized = choice->is_serialized;
	if (pName)
		*pName = choice->metric->name;
	return NVPA_STATUS_SUCCESS;
}
