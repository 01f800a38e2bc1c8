/* SPDX-License-Identifier: MIT */
/* Activities: the metrics of a device, and those of them that are to be counted. */
#include <stdlib.h>

#include "base/array.h"
#include "face/perfworks/perfworks.h"

static NVPA_Status create(struct tacho__pw_device *device, NVPA_Activity **out_activity)
{
	struct tacho__pw_activity *activity = calloc(1, sizeof(*activity));
	void *handle;
	NVPA_Status status;

	if (!activity)
		return tacho__pw_fail_memory();
	activity->device = device;
	status = tacho__pw_live_add(TACHO__PW_ACTIVITY, activity, &handle);
	if (status)
		free(activity);
	else
		*out_activity = handle;
	return status;
}

NVPA_Status NVPA_Activity_CreateForDevice(size_t deviceIndex, const NVPA_ActivityOptions *pOptions,
					  NVPA_Activity **ppActivity)
{
	const struct tacho__pw_activity_options *options =
		tacho__pw_live_get(TACHO__PW_ACTIVITY_OPTIONS, pOptions);
	struct tacho__pw_device *device = NULL;
	NVPA_Status status;

	if (!options)
		return NVPA_STATUS_INVALID_ARGUMENT;
	if (!ppActivity)
		return tacho__pw_fail_null("ppActivity");
	if (!options->kind)
		return tacho__pw_fail(NVPA_STATUS_INVALID_ARGUMENT, "its options have none",
				      "call NVPA_ActivityOptions_SetActivityKind before",
				      "the activity has no kind");
	status = tacho__pw_device_get(deviceIndex, &device);
	return status ? status : create(device, ppActivity);
}

NVPA_Status NVPA_Activity_Destroy(NVPA_Activity *pActivity)
{
	struct tacho__pw_activity *activity = tacho__pw_live_remove(TACHO__PW_ACTIVITY, pActivity);

	if (!activity)
		return NVPA_STATUS_INVALID_ARGUMENT;
	free(activity->choices);
	free(activity);
	return NVPA_STATUS_SUCCESS;
}

/* What every command tells by itself is an entry of all devices; no session counts it. */
static NVPA_Status number(struct tacho__pw_device *device, const struct tacho_entry *entry,
			  const struct tacho__pw_metric **out_metric)
{
	if (entry->is_of_command)
		return tacho__pw_fail(NVPA_STATUS_NOT_SUPPORTED,
				      "launches in recordings tell it, and no range does",
				      "use gpu__time_duration, or record the program",
				      "%s cannot be counted", entry->name);
	return tacho__pw_metric_number(device, entry, out_metric);
}

static NVPA_Status find_metric(struct tacho__pw_device *device, const char *name,
			       const struct tacho__pw_metric **out_metric)
{
	const struct tacho_entry *entry = NULL;
	struct tacho__pw_context *context = NULL;
	NVPA_Status status = tacho__pw_context_borrow(device, &context);

	if (status)
		return status;
	if (tacho_arch_resolve_entry(tacho_device_get_arch(context->unit), name, &entry))
		status = tacho__pw_fail_core();
	else
		status = number(device, entry, out_metric);
	tacho__pw_context_give_back(context);
	return status;
}

NVPA_Status NVPA_Activity_FindMetricByName(NVPA_Activity *pActivity, const char *name,
					   NVPA_MetricId *pMetricId)
{
	struct tacho__pw_activity *activity = tacho__pw_live_get(TACHO__PW_ACTIVITY, pActivity);
	const struct tacho__pw_metric *metric = NULL;
	NVPA_Status status;

	if (!activity)
		return NVPA_STATUS_INVALID_ARGUMENT;
	if (!name || !pMetricId)
		return tacho__pw_fail_null(name ? "pMetricId" : "name");
	status = find_metric(activity->device, name, &metric);
	if (!status)
		*pMetricId = metric->id;
	return status;
}

NVPA_Status NVPA_Activity_GetMetricTexts(NVPA_Activity *pActivity, NVPA_MetricId metricId,
					 const char **pUnit, const char **pDescription)
{
	struct tacho__pw_activity *activity = tacho__pw_live_get(TACHO__PW_ACTIVITY, pActivity);
	const struct tacho__pw_metric *metric = NULL;
	NVPA_Status status;

	if (!activity)
		return NVPA_STATUS_INVALID_ARGUMENT;
	status = tacho__pw_metric_find(activity->device, metricId, &metric);
	if (!status && !tacho__pw_metric_has_texts(activity->device, metric))
		status = find_metric(activity->device, metric->name, &metric);
	if (status)
		return status;
	if (pUnit)
		*pUnit = metric->unit;
	if (pDescription)
		*pDescription = metric->description;
	return NVPA_STATUS_SUCCESS;
}

NVPA_Status NVPA_Activity_GetMetricCount(NVPA_Activity *pActivity, size_t *pCount)
{
	struct tacho__pw_activity *activity = tacho__pw_live_get(TACHO__PW_ACTIVITY, pActivity);
	const struct tacho__pw_metric *const *list;

	if (!activity)
		return NVPA_STATUS_INVALID_ARGUMENT;
	return pCount ? tacho__pw_metric_list(activity->device, &list, pCount)
		      : tacho__pw_fail_null("pCount");
}

NVPA_Status NVPA_Activity_GetMetric(NVPA_Activity *pActivity, size_t index,
				    NVPA_MetricId *pMetricId, const char **pName)
{
	struct tacho__pw_activity *activity = tacho__pw_live_get(TACHO__PW_ACTIVITY, pActivity);
	const struct tacho__pw_metric *const *list = NULL;
	size_t count = 0;
	NVPA_Status status;

	if (!activity)
		return NVPA_STATUS_INVALID_ARGUMENT;
	status = tacho__pw_metric_list(activity->device, &list, &count);
	if (status)
		return status;
	if (index >= count)
		return tacho__pw_fail(NVPA_STATUS_INVALID_ARGUMENT,
				      tacho__detail("it has %zu", count), "count from 0",
				      "the device has no metric %zu", index);
	if (pMetricId)
		*pMetricId = list[index]->id;
	if (pName)
		*pName = list[index]->name;
	return NVPA_STATUS_SUCCESS;
}

/* Whether a metric alone can be counted so: a code of tacho. */
static int try_choice(struct tacho_device *unit, const struct tacho__pw_metric *metric,
		      uint32_t mode)
{
	struct tacho_config_entry entry = {.name = metric->name, .mode = mode};
	struct tacho_config *config = NULL;
	struct tacho_plan *plan = NULL;
	int rc = tacho_config_create(tacho_device_get_arch(unit), tacho_device_get_model(unit),
				     &entry, 1, &config);

	if (!rc)
		rc = tacho_device_plan(unit, config, NULL, &plan);
	tacho_plan_destroy(plan);
	tacho_config_destroy(config);
	return rc;
}

/* The mode is to blame when the device can count the metric in another one, its own among them. */
static NVPA_MetricEnableError find_fault(struct tacho_device *unit,
					 const struct tacho__pw_metric *metric, uint32_t refused)
{
	for (uint32_t mode = 0; mode < TACHO_MODE_COUNT; mode++)
		if (mode != refused && !try_choice(unit, metric, mode))
			return NVPA_METRIC_ENABLE_ERROR_MODE;
	return NVPA_METRIC_ENABLE_ERROR_NOT_COUNTABLE;
}

static NVPA_Status refuse(struct tacho_device *unit, const struct tacho__pw_metric *metric,
			  uint32_t mode, int rc, NVPA_MetricEnableError *out_error)
{
	tacho__pw_fail_core();
	if (rc == TACHO_E_NOMEM) {
		*out_error = NVPA_METRIC_ENABLE_ERROR_OUT_OF_MEMORY;
		return NVPA_STATUS_OUT_OF_MEMORY;
	}
	*out_error = find_fault(unit, metric, mode);
	return NVPA_STATUS_ERROR;
}

static NVPA_Status check_choice(struct tacho__pw_device *device,
				const struct tacho__pw_choice *choice,
				NVPA_MetricEnableError *out_error)
{
	uint32_t mode = choice->is_serialized ? TACHO_MODE_SERIALIZED : TACHO_MODE_PIPELINED;
	struct tacho__pw_context *context = NULL;
	NVPA_Status status = tacho__pw_context_borrow(device, &context);
	int rc;

	*out_error = NVPA_METRIC_ENABLE_ERROR_NOT_COUNTABLE;
	if (status)
		return status;
	rc = try_choice(context->unit, choice->metric, mode);
	if (rc)
		status = refuse(context->unit, choice->metric, mode, rc, out_error);
	tacho__pw_context_give_back(context);
	return status;
}

static bool is_chosen(const struct tacho__pw_activity *activity,
		      const struct tacho__pw_choice *choice)
{
	size_t i = 0;

	while (i < activity->count && (activity->choices[i].metric != choice->metric ||
				       activity->choices[i].is_serialized != choice->is_serialized))
		i++;
	return i < activity->count;
}

static NVPA_Status enable(struct tacho__pw_activity *activity, NVPA_MetricId id, bool is_serialized,
			  NVPA_MetricEnableError *out_error)
{
	struct tacho__pw_choice choice = {.is_serialized = is_serialized};
	NVPA_Status status = tacho__pw_metric_find(activity->device, id, &choice.metric);

	*out_error = NVPA_METRIC_ENABLE_ERROR_INVALID_ID;
	if (status)
		return status;
	if (!is_chosen(activity, &choice)) {
		status = check_choice(activity->device, &choice, out_error);
		if (status)
			return status;
		*out_error = NVPA_METRIC_ENABLE_ERROR_OUT_OF_MEMORY;
		if (tacho__array_add(&activity->choices, &activity->capacity, &activity->count,
				     &choice, sizeof(choice)))
			return tacho__pw_fail_memory();
	}
	*out_error = NVPA_METRIC_ENABLE_ERROR_NONE;
	return NVPA_STATUS_SUCCESS;
}

NVPA_Status NVPA_Activity_EnableMetric(NVPA_Activity *pActivity, NVPA_MetricId metricId,
				       const NVPA_MetricOptions *pOptions,
				       NVPA_MetricEnableError *pError)
{
	struct tacho__pw_activity *activity = tacho__pw_live_get(TACHO__PW_ACTIVITY, pActivity);
	const struct tacho__pw_metric_options *options = NULL;
	NVPA_MetricEnableError error;
	NVPA_Status status;

	if (!activity)
		return NVPA_STATUS_INVALID_ARGUMENT;
	if (pOptions) {
		options = tacho__pw_live_get(TACHO__PW_METRIC_OPTIONS, pOptions);
		if (!options)
			return NVPA_STATUS_INVALID_ARGUMENT;
	}
	status = enable(activity, metricId, !options || !options->is_pipelined, &error);
	if (pError)
		*pError = error;
	return status;
}
