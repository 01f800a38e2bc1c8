/* SPDX-License-Identifier: MIT */
/* What is enabled for the next sessions, and how many passes that takes. */
#include <stdlib.h>
#include <string.h>

#include "face/gpa/gpa.h"

void tacho__gpa_drop_plan(struct tacho__gpa_plan *plan)
{
	if (!plan || --plan->references)
		return;
	tacho_plan_destroy(plan->plan);
	tacho_config_destroy(plan->config);
	free(plan);
}

static GPA_Status make_config(const struct tacho__gpa_context *context,
			      struct tacho__gpa_plan *plan)
{
	struct tacho_config_entry *entries = calloc(plan->count, sizeof(*entries));
	GPA_Status status = GPA_STATUS_OK;

	if (!entries)
		return tacho__gpa_fail(GPA_STATUS_ERROR_FAILED, "out of memory.");
	for (size_t i = 0; i < plan->count; i++)
		entries[i].name = context->counters[plan->counters[i]].entry->name;
	if (tacho_config_create(tacho_device_get_arch(context->device),
				tacho_device_get_model(context->device), entries, plan->count,
				&plan->config))
		status = tacho__gpa_fail_core();
	free(entries);
	return status;
}

GPA_Status tacho__gpa_get_plan(struct tacho__gpa_context *context,
			       struct tacho__gpa_plan **out_plan)
{
	size_t size = context->enabled_count * sizeof(*context->enabled);
	struct tacho__gpa_plan *plan = context->plan;
	GPA_Status status = GPA_STATUS_OK;

	if (plan) {
		*out_plan = plan;
		return GPA_STATUS_OK;
	}
	plan = calloc(1, sizeof(*plan) + size);
	if (!plan)
		return tacho__gpa_fail(GPA_STATUS_ERROR_FAILED, "out of memory.");
	plan->references = 1;
	plan->count = context->enabled_count;
	memcpy(plan->counters, context->enabled, size);
	if (plan->count)
		status = make_config(context, plan);
	if (!status && plan->count &&
	    tacho_device_plan(context->device, plan->config, NULL, &plan->plan))
		status = tacho__gpa_fail_core();
	if (status) {
		tacho__gpa_drop_plan(plan);
		return status;
	}
	while (plan->plan && tacho_plan_get_pass(plan->plan, plan->pass_count))
		plan->pass_count++;
	*out_plan = context->plan = plan;
	return GPA_STATUS_OK;
}

/* The selection has changed; sessions keep the plan that they began with. */
static void forget_plan(struct tacho__gpa_context *context)
{
	tacho__gpa_drop_plan(context->plan);
	context->plan = NULL;
}

static GPA_Status check_idle(const struct tacho__gpa_context *context)
{
	if (!context->active)
		return GPA_STATUS_OK;
	return tacho__gpa_fail(GPA_STATUS_ERROR_CANNOT_CHANGE_COUNTERS_WHEN_SAMPLING,
			       "session %u is open. Call GPA_EndSession before.",
			       context->active->id);
}

/* Context, index and session, which all that enables or disables looks at first. */
static GPA_Status get_changeable(uint32_t index, struct tacho__gpa_context **out_context)
{
	GPA_Status status = tacho__gpa_get_context(out_context);

	if (!status)
		status = tacho__gpa_check_index(*out_context, "index", index);
	return status ? status : check_idle(*out_context);
}

static GPA_Status enable(uint32_t index)
{
	struct tacho__gpa_context *context = NULL;
	GPA_Status status = get_changeable(index, &context);

	if (!status && context->counters[index].is_enabled)
		status = tacho__gpa_fail(GPA_STATUS_ERROR_ALREADY_ENABLED,
					 "counter %u (%s) is enabled already.", index,
					 context->counters[index].entry->name);
	if (status)
		return status;
	context->counters[index].is_enabled = 1;
	context->enabled[context->enabled_count++] = index;
	forget_plan(context);
	return GPA_STATUS_OK;
}

static GPA_Status disable(uint32_t index)
{
	struct tacho__gpa_context *context = NULL;
	GPA_Status status = get_changeable(index, &context);
	uint32_t i = 0;

	if (!status && !context->counters[index].is_enabled)
		status = tacho__gpa_fail(GPA_STATUS_ERROR_NOT_ENABLED,
					 "counter %u (%s) is not enabled.", index,
					 context->counters[index].entry->name);
	if (status)
		return status;
	while (context->enabled[i] != index)
		i++;
	context->enabled_count--;
	memmove(context->enabled + i, context->enabled + i + 1,
		(context->enabled_count - i) * sizeof(*context->enabled));
	context->counters[index].is_enabled = 0;
	forget_plan(context);
	return GPA_STATUS_OK;
}

/* enable() or disable() by name. */
static GPA_Status change_named(const char *name, GPA_Status (*change)(uint32_t index))
{
	struct tacho__gpa_context *context = NULL;
	uint32_t index = 0;
	GPA_Status status = tacho__gpa_check_pointer(name, "pCounter");

	if (!status)
		status = tacho__gpa_get_context(&context);
	if (!status)
		status = tacho__gpa_find_counter(context, name, &index);
	return status ? status : change(index);
}

static GPA_Status disable_all(void)
{
	struct tacho__gpa_context *context = NULL;
	GPA_Status status = tacho__gpa_get_context(&context);

	if (!status)
		status = check_idle(context);
	if (status)
		return status;
	for (uint32_t i = 0; i < context->counter_count; i++)
		context->counters[i].is_enabled = 0;
	context->enabled_count = 0;
	forget_plan(context);
	return GPA_STATUS_OK;
}

static GPA_Status enable_all(void)
{
	GPA_Status status = disable_all();

	for (uint32_t i = 0; !status && i < tacho__gpa.current->counter_count; i++)
		status = enable(i);
	return status;
}

static GPA_Status get_enabled_count(gpa_uint32 *out_count)
{
	struct tacho__gpa_context *context = NULL;
	GPA_Status status = tacho__gpa_get_asked(out_count, "pCount", &context);

	if (!status)
		*out_count = context->enabled_count;
	return status;
}

static GPA_Status get_enabled_index(gpa_uint32 number, gpa_uint32 *out_index)
{
	struct tacho__gpa_context *context = NULL;
	GPA_Status status = tacho__gpa_get_asked(out_index, "pEnabledCounterIndex", &context);

	if (!status && number >= context->enabled_count)
		status = tacho__gpa_fail(GPA_STATUS_ERROR_INDEX_OUT_OF_RANGE,
					 "'enabledNumber' is %u but must be less than %u, the "
					 "number of enabled counters.",
					 number, context->enabled_count);
	if (!status)
		*out_index = context->enabled[number];
	return status;
}

/* A counter that is not enabled is an answer, not a mistake. */
static GPA_Status is_enabled(gpa_uint32 index)
{
	struct tacho__gpa_context *context = NULL;
	GPA_Status status = tacho__gpa_get_context(&context);

	if (!status)
		status = tacho__gpa_check_index(context, "counterIndex", index);
	if (status || context->counters[index].is_enabled)
		return status;
	tacho__gpa_tell("counter %u (%s) is not enabled.", index,
			context->counters[index].entry->name);
	return GPA_STATUS_ERROR_NOT_FOUND;
}

static GPA_Status get_pass_count(gpa_uint32 *out_count)
{
	struct tacho__gpa_context *context = NULL;
	struct tacho__gpa_plan *plan = NULL;
	GPA_Status status = tacho__gpa_check_pointer(out_count, "pNumPasses");

	if (!status)
		status = tacho__gpa_get_context(&context);
	if (!status)
		status = tacho__gpa_get_plan(context, &plan);
	if (!status)
		*out_count = plan->pass_count;
	return status;
}

GPA_Status GPA_EnableCounter(gpa_uint32 index)
{
	TACHO__GPA_CALL("GPA_EnableCounter", enable(index));
}

GPA_Status GPA_DisableCounter(gpa_uint32 index)
{
	TACHO__GPA_CALL("GPA_DisableCounter", disable(index));
}

GPA_Status GPA_EnableCounterStr(const char *pCounter)
{
	TACHO__GPA_CALL("GPA_EnableCounterStr", change_named(pCounter, enable));
}

GPA_Status GPA_DisableCounterStr(const char *pCounter)
{
	TACHO__GPA_CALL("GPA_DisableCounterStr", change_named(pCounter, disable));
}

GPA_Status GPA_EnableAllCounters(void)
{
	TACHO__GPA_CALL("GPA_EnableAllCounters", enable_all());
}

GPA_Status GPA_DisableAllCounters(void)
{
	TACHO__GPA_CALL("GPA_DisableAllCounters", disable_all());
}

GPA_Status GPA_GetEnabledCount(gpa_uint32 *pCount)
{
	TACHO__GPA_CALL("GPA_GetEnabledCount", get_enabled_count(pCount));
}

GPA_Status GPA_GetEnabledIndex(gpa_uint32 enabledNumber, gpa_uint32 *pEnabledCounterIndex)
{
	TACHO__GPA_CALL("GPA_GetEnabledIndex",
			get_enabled_index(enabledNumber, pEnabledCounterIndex));
}

GPA_Status GPA_IsCounterEnabled(gpa_uint32 counterIndex)
{
	TACHO__GPA_CALL("GPA_IsCounterEnabled", is_enabled(counterIndex));
}

GPA_Status GPA_GetPassCount(gpa_uint32 *pNumPasses)
{
	TACHO__GPA_CALL("GPA_GetPassCount", get_pass_count(pNumPasses));
}
