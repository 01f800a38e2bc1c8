/* SPDX-License-Identifier: MIT */
/* Options: of which kind an activity is, and how a metric is to be counted. */
#include <stdlib.h>

#include "face/perfworks/perfworks.h"

static NVPA_Status create(enum tacho__pw_kind kind, size_t size, void **out_handle)
{
	void *options = calloc(1, size);
	NVPA_Status status;

	if (!options)
		return tacho__pw_fail_memory();
	status = tacho__pw_live_add(kind, options, out_handle);
	if (status)
		free(options);
	return status;
}

static NVPA_Status destroy(enum tacho__pw_kind kind, const void *handle)
{
	void *options = tacho__pw_live_remove(kind, handle);

	free(options);
	return options ? NVPA_STATUS_SUCCESS : NVPA_STATUS_INVALID_ARGUMENT;
}

NVPA_Status NVPA_ActivityOptions_Create(NVPA_ActivityOptions **ppOptions)
{
	void *handle = NULL;
	NVPA_Status status = ppOptions ? create(TACHO__PW_ACTIVITY_OPTIONS,
						sizeof(struct tacho__pw_activity_options), &handle)
				       : tacho__pw_fail_null("ppOptions");

	if (!status)
		*ppOptions = handle;
	return status;
}

NVPA_Status NVPA_ActivityOptions_Destroy(NVPA_ActivityOptions *pOptions)
{
	return destroy(TACHO__PW_ACTIVITY_OPTIONS, pOptions);
}

NVPA_Status NVPA_ActivityOptions_SetActivityKind(NVPA_ActivityOptions *pOptions,
						 NVPA_ActivityKind kind)
{
	struct tacho__pw_activity_options *options =
		tacho__pw_live_get(TACHO__PW_ACTIVITY_OPTIONS, pOptions);

	if (!options)
		return NVPA_STATUS_INVALID_ARGUMENT;
	if (kind != NVPA_ACTIVITY_KIND_PROFILER)
		return tacho__pw_fail(
			NVPA_STATUS_INVALID_ARGUMENT, tacho__detail("it is %d", (int)kind),
			"use NVPA_ACTIVITY_KIND_PROFILER", "there is no such kind of activity");
	options->kind = kind;
	return NVPA_STATUS_SUCCESS;
}

NVPA_Status NVPA_MetricOptions_Create(NVPA_MetricOptions **ppOptions)
{
	void *handle = NULL;
	NVPA_Status status = ppOptions ? create(TACHO__PW_METRIC_OPTIONS,
						sizeof(struct tacho__pw_metric_options), &handle)
				       : tacho__pw_fail_null("ppOptions");

	if (!status)
		*ppOptions = handle;
	return status;
}

NVPA_Status NVPA_MetricOptions_Destroy(NVPA_MetricOptions *pOptions)
{
	return destroy(TACHO__PW_METRIC_OPTIONS, pOptions);
}

NVPA_Status NVPA_MetricOptions_SetSerialized(NVPA_MetricOptions *pOptions, bool serialized)
{
	struct tacho__pw_metric_options *options =
		tacho__pw_live_get(TACHO__PW_METRIC_OPTIONS, pOptions);

	if (!options)
		return NVPA_STATUS_INVALID_ARGUMENT;
	options->is_pipelined = !serialized;
	return NVPA_STATUS_SUCCESS;
}
