/* SPDX-License-Identifier: MIT */
/* What can be counted on a context: the metrics of its architecture that the device can do. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "face/gpa/gpa.h"
#include "tacho/error.h"

static GPA_Usage_Type usage_of(const struct tacho_entry *entry)
{
	static const struct {
		const char *unit;
		GPA_Usage_Type usage;
	} usages[] = {
		{"percent", GPA_USAGE_TYPE_PERCENTAGE},
		{"cycles", GPA_USAGE_TYPE_CYCLES},
		{"milliseconds", GPA_USAGE_TYPE_MILLISECONDS},
		{"bytes", GPA_USAGE_TYPE_BYTES},
		{"kilobytes", GPA_USAGE_TYPE_KILOBYTES},
		{"ratio", GPA_USAGE_TYPE_RATIO},
		{"", GPA_USAGE_TYPE_RATIO},
	};

	for (size_t i = 0; i < TACHO__ARRAY_SIZE(usages); i++)
		if (!strcmp(usages[i].unit, entry->unit))
			return usages[i].usage;
	return GPA_USAGE_TYPE_ITEMS;
}

/* Queries count; what was worked out is real, and so is every time. */
static GPA_Type type_of(const struct tacho_entry *entry, GPA_Usage_Type usage)
{
	if (entry->kind == TACHO_ENTRY_COUNTER)
		return entry->type == TACHO_TYPE_U64 ? GPA_TYPE_UINT64 : GPA_TYPE_FLOAT64;
	if (strcmp(entry->group, "D3D11") != 0 && strcmp(entry->group, "Queries") != 0)
		return GPA_TYPE_FLOAT64;
	return usage == GPA_USAGE_TYPE_MILLISECONDS ? GPA_TYPE_FLOAT64 : GPA_TYPE_UINT64;
}

/* What hardware counts, as such, has no group: the metrics over it are what is for people. */
static int is_public(const struct tacho_entry *entry)
{
	return entry->kind == TACHO_ENTRY_METRIC ||
	       (entry->kind == TACHO_ENTRY_COUNTER && *entry->group);
}

/* Whether the device can count an entry at all. */
static int try_entry(struct tacho__gpa_context *context, const struct tacho_entry *entry)
{
	struct tacho_config_entry wanted = {.name = entry->name};
	struct tacho_config *config = NULL;
	struct tacho_plan *plan = NULL;
	int rc = tacho_config_create(tacho_device_get_arch(context->device),
				     tacho_device_get_model(context->device), &wanted, 1, &config);

	if (!rc)
		rc = tacho_device_plan(context->device, config, NULL, &plan);
	tacho_plan_destroy(plan);
	tacho_config_destroy(config);
	return rc;
}

/* Usages have no word for many units. */
static int is_unit_told(const struct tacho_entry *entry)
{
	return entry->kind == TACHO_ENTRY_COUNTER && *entry->unit &&
	       strcmp(entry->unit, "events") != 0 && usage_of(entry) == GPA_USAGE_TYPE_ITEMS;
}

/* What the driver is known to count otherwise is said here too. */
static char *describe(const struct tacho__gpa_context *context, const struct tacho_entry *entry)
{
	static const char mark[] = "[simulated] ";
	int has_unit = is_unit_told(entry);
	size_t size = sizeof(mark) + strlen(entry->group) + strlen(entry->description) +
		      strlen(entry->caveat) + strlen(entry->unit) + 8;
	char *text = calloc(1, size);

	if (!text)
		return NULL;
	strcat(text, "#"); /* programs take the group from the first character on */
	strcat(text, entry->group);
	strcat(text, "#");
	if (context->is_simulated)
		strcat(text, mark);
	strcat(text, entry->description);
	if (has_unit) {
		strcat(text, " (");
		strcat(text, entry->unit);
		strcat(text, ")");
	}
	if (*entry->caveat) {
		strcat(text, entry->kind == TACHO_ENTRY_COUNTER ? "; " : " ");
		strcat(text, entry->caveat);
	}
	return text;
}

static int add_counter(struct tacho__gpa_context *context, size_t *capacity,
		       const struct tacho_entry *entry)
{
	GPA_Usage_Type usage = usage_of(entry);
	struct tacho__gpa_counter counter = {.entry = entry,
					     .description = describe(context, entry),
					     .type = type_of(entry, usage),
					     .usage = usage};

	if (!counter.description)
		return TACHO_E_NOMEM;
	if (tacho__array_reserve(&context->counters, capacity, context->counter_count,
				 sizeof(counter)))
		return TACHO_E_NOMEM;
	context->counters[context->counter_count++] = counter;
	return 0;
}

GPA_Status tacho__gpa_list_counters(struct tacho__gpa_context *context)
{
	const struct tacho_arch *arch = tacho_device_get_arch(context->device);
	const struct tacho_entry *entry;
	size_t capacity = 0;
	int rc = 0;

	for (size_t i = 0; !rc && (entry = tacho_arch_get_entry(arch, i)); i++) {
		if (!is_public(entry))
			continue;
		rc = try_entry(context, entry);
		if (!rc) {
			rc = add_counter(context, &capacity, entry);
		} else if (rc != TACHO_E_NOMEM) {
			tacho__gpa_tell("%s is left out: %s: %s", entry->name,
					tacho_error_last()->message, tacho_error_last()->cause);
			rc = 0;
		}
	}
	if (!rc) {
		context->enabled = calloc(context->counter_count + 1u, sizeof(*context->enabled));
		rc = context->enabled ? 0 : TACHO_E_NOMEM;
	}
	if (rc)
		return tacho__gpa_fail(GPA_STATUS_ERROR_FAILED, "out of memory.");
	if (!context->counter_count)
		return tacho__gpa_fail(GPA_STATUS_ERROR_HARDWARE_NOT_SUPPORTED,
				       "%s can count nothing.", context->label);
	return GPA_STATUS_OK;
}

void tacho__gpa_drop_counters(struct tacho__gpa_context *context)
{
	for (uint32_t i = 0; i < context->counter_count; i++)
		free(context->counters[i].description);
	free(context->counters);
	free(context->enabled);
}

GPA_Status tacho__gpa_check_index(const struct tacho__gpa_context *context, const char *name,
				  uint32_t index)
{
	if (index < context->counter_count)
		return GPA_STATUS_OK;
	return tacho__gpa_fail(GPA_STATUS_ERROR_INDEX_OUT_OF_RANGE,
			       "'%s' is %u but must be less than %u.", name, index,
			       context->counter_count);
}

static int has_alias(const struct tacho_entry *entry, const char *name)
{
	for (size_t i = 0; i < entry->alias_count; i++)
		if (!strcasecmp(entry->aliases[i], name))
			return 1;
	return 0;
}

GPA_Status tacho__gpa_find_counter(const struct tacho__gpa_context *context, const char *name,
				   uint32_t *out_index)
{
	uint32_t index = 0;

	while (index < context->counter_count &&
	       strcasecmp(context->counters[index].entry->name, name) != 0)
		index++;
	if (index == context->counter_count)
		for (index = 0; index < context->counter_count; index++)
			if (has_alias(context->counters[index].entry, name))
				break;
	if (index == context->counter_count)
		return tacho__gpa_fail(GPA_STATUS_ERROR_NOT_FOUND,
				       "%s has no counter '%s'. Take names from "
				       "GPA_GetCounterName.",
				       context->label, name);
	*out_index = index;
	return GPA_STATUS_OK;
}

/* The common start of all that asks about one counter: context, index, pointer. */
static GPA_Status get_counter(uint32_t index, const void *out, const char *parameter,
			      const struct tacho__gpa_counter **out_counter)
{
	struct tacho__gpa_context *context = NULL;
	GPA_Status status = tacho__gpa_get_context(&context);

	if (!status)
		status = tacho__gpa_check_index(context, "index", index);
	if (!status)
		status = tacho__gpa_check_pointer(out, parameter);
	if (!status)
		*out_counter = &context->counters[index];
	return status;
}

static GPA_Status get_count(gpa_uint32 *out_count)
{
	struct tacho__gpa_context *context = NULL;
	GPA_Status status = tacho__gpa_get_asked(out_count, "pCount", &context);

	if (!status)
		*out_count = context->counter_count;
	return status;
}

static GPA_Status get_name(gpa_uint32 index, const char **out_name)
{
	const struct tacho__gpa_counter *counter = NULL;
	GPA_Status status = get_counter(index, out_name, "ppName", &counter);

	if (!status)
		*out_name = counter->entry->name;
	return status;
}

static GPA_Status get_description(gpa_uint32 index, const char **out_text)
{
	const struct tacho__gpa_counter *counter = NULL;
	GPA_Status status = get_counter(index, out_text, "ppDescription", &counter);

	if (!status)
		*out_text = counter->description;
	return status;
}

static GPA_Status get_type(gpa_uint32 index, GPA_Type *out_type)
{
	const struct tacho__gpa_counter *counter = NULL;
	GPA_Status status = get_counter(index, out_type, "pCounterDataType", &counter);

	if (!status)
		*out_type = counter->type;
	return status;
}

static GPA_Status get_usage(gpa_uint32 index, GPA_Usage_Type *out_usage)
{
	const struct tacho__gpa_counter *counter = NULL;
	GPA_Status status = get_counter(index, out_usage, "pCounterUsageType", &counter);

	if (!status)
		*out_usage = counter->usage;
	return status;
}

/* Both pointers before the context, as the last 2.x has it. */
static GPA_Status get_index(const char *name, gpa_uint32 *out_index)
{
	struct tacho__gpa_context *context = NULL;
	GPA_Status status = tacho__gpa_check_pointer(name, "pCounter");

	if (!status)
		status = tacho__gpa_check_pointer(out_index, "pIndex");
	if (!status)
		status = tacho__gpa_get_context(&context);
	return status ? status : tacho__gpa_find_counter(context, name, out_index);
}

GPA_Status GPA_GetNumCounters(gpa_uint32 *pCount)
{
	TACHO__GPA_CALL("GPA_GetNumCounters", get_count(pCount));
}

GPA_Status GPA_GetCounterName(gpa_uint32 index, const char **ppName)
{
	TACHO__GPA_CALL("GPA_GetCounterName", get_name(index, ppName));
}

GPA_Status GPA_GetCounterDescription(gpa_uint32 index, const char **ppDescription)
{
	TACHO__GPA_CALL("GPA_GetCounterDescription", get_description(index, ppDescription));
}

GPA_Status GPA_GetCounterDataType(gpa_uint32 index, GPA_Type *pCounterDataType)
{
	TACHO__GPA_CALL("GPA_GetCounterDataType", get_type(index, pCounterDataType));
}

GPA_Status GPA_GetCounterUsageType(gpa_uint32 index, GPA_Usage_Type *pCounterUsageType)
{
	TACHO__GPA_CALL("GPA_GetCounterUsageType", get_usage(index, pCounterUsageType));
}

GPA_Status GPA_GetCounterIndex(const char *pCounter, gpa_uint32 *pIndex)
{
	TACHO__GPA_CALL("GPA_GetCounterIndex", get_index(pCounter, pIndex));
}
