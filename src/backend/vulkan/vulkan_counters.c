/* SPDX-License-Identifier: MIT */
/*
 * The counters that a driver lists through VK_KHR_performance_query, by its own names, with "_" in
 * place of what cannot stand in a list. All of it comes from the driver, and may be anything.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/vulkan/vulkan_device.h"
#include "base/array.h"
#include "base/error.h"
#include "catalog/arch.h"

#define BLOCK "driver"

enum { COUNTERS_MAX = 16384, TRIES_MAX = 100, IMPACTS_PERFORMANCE = 1, IS_IMPACTED = 2 };

/* VkPerformanceCounterUnitKHR */
static const struct {
	const char *unit, *semantic;
} units[] = {
	{"items", "event"},   {"percent", "ratio"},	 {"nanoseconds", "duration"},
	{"bytes", "event"},   {"bytes/s", "throughput"}, {"kelvin", "ratio"},
	{"watts", "ratio"},   {"volts", "ratio"},	 {"amperes", "ratio"},
	{"hz", "throughput"}, {"cycles", "event"},
};

/* VkPerformanceCounterStorageKHR: of signed numbers and of reals a double holds all that matters.
 */
static enum tacho_type type_of(uint32_t storage)
{
	return storage == VULKAN_STORAGE_UINT32 || storage == VULKAN_STORAGE_UINT64
		       ? TACHO_TYPE_U64
		       : TACHO_TYPE_F64;
}

/* What does not fill the 64 bits stands in the first of them. */
static double to_real(uint8_t storage, uint64_t result)
{
	float number;
	double real;

	switch (storage) {
	case VULKAN_STORAGE_INT32: return (int32_t)(uint32_t)result;
	case VULKAN_STORAGE_INT64: return (double)(int64_t)result;
	case VULKAN_STORAGE_FLOAT32: memcpy(&number, &result, sizeof(number)); return number;
	case VULKAN_STORAGE_FLOAT64: memcpy(&real, &result, sizeof(real)); return real;
	case VULKAN_STORAGE_UINT32: return (uint32_t)result;
	default: return (double)result;
	}
}

uint64_t tacho__vulkan_convert(const struct tacho__vulkan_counter *counter, uint64_t result)
{
	double real = to_real(counter->storage, result);
	uint64_t bits;

	if (counter->type == TACHO_TYPE_U64)
		return counter->storage == VULKAN_STORAGE_UINT32 ? (uint32_t)result : result;
	memcpy(&bits, &real, sizeof(bits));
	return bits;
}

static void join_words(char *text)
{
	for (; *text; text++)
		if (!isalnum((unsigned char)*text) && !strchr("_/.-%#", *text))
			*text = '_';
}

static bool is_taken(const struct vulkan_device *device, const char *name)
{
	return tacho_arch_find_entry(tacho__arch_public(device->own.arch), name) != NULL;
}

/* Names of the driver need not differ, nor be there. NULL: no memory. */
static const char *make_name(struct vulkan_device *device, const struct vulkan_counter_text *text,
			     uint32_t index)
{
	char base[560], name[600];

	snprintf(base, sizeof(base), "%.255s", text->name);
	if (!*base)
		snprintf(base, sizeof(base), "counter_%u", index);
	join_words(base);
	snprintf(name, sizeof(name), "%s", base);
	if (is_taken(device, name) && *text->category) {
		snprintf(base, sizeof(base), "%.255s/%.255s", text->category, text->name);
		join_words(base);
		snprintf(name, sizeof(name), "%s", base);
	}
	for (int i = 2; i < TRIES_MAX && is_taken(device, name); i++)
		snprintf(name, sizeof(name), "%s_%d", base, i);
	return tacho__catalog_text(device->own.catalog, "%s", name);
}

static const char *describe_scope(uint32_t scope)
{
	switch (scope) {
	case TACHO__VULKAN_BUFFER: return "The driver counts it for whole command buffers.";
	case TACHO__VULKAN_PASS: return "The driver counts it for whole render passes.";
	default: return "";
	}
}

/* As the driver tells of it. NULL: no memory. */
static const char *describe_source(const struct vulkan_device *device, uint32_t index,
				   const struct vulkan_counter *counter)
{
	static const char *const scopes[] = {"whole command buffers", "whole render passes",
					     "single commands"};
	static const char *const storages[] = {"int32",	 "int64",   "uint32",
					       "uint64", "float32", "float64"};

	return tacho__catalog_text(
		device->own.catalog,
		VULKAN_PERFORMANCE_QUERY " of the driver: counter %u of queue family %u, scope %s, "
					 "storage %s",
		index, device->facts.family, scopes[counter->scope], storages[counter->storage]);
}

static uint32_t get_width(uint32_t storage)
{
	return storage == VULKAN_STORAGE_INT32 || storage == VULKAN_STORAGE_UINT32 ||
			       storage == VULKAN_STORAGE_FLOAT32
		       ? 32
		       : 64;
}

static const char *make_caveat(struct vulkan_device *device, const struct vulkan_counter *counter,
			       const struct vulkan_counter_text *text)
{
	const char *scope = describe_scope(counter->scope);
	const char *cost =
		text->flags & IMPACTS_PERFORMANCE ? " Counting it slows the work down." : "";
	const char *others =
		text->flags & IS_IMPACTED ? " Other work at the same time changes it." : "";
	const char *all = tacho__catalog_text(device->own.catalog, "%s%s%s", scope, cost, others);

	return all && *all == ' ' ? all + 1 : all;
}

static int add_counter(struct vulkan_device *device, uint32_t index,
		       const struct vulkan_counter *counter, const struct vulkan_counter_text *text)
{
	const struct tacho__vulkan_counter how = {.query = TACHO__VULKAN_PERFORMANCE,
						  .scope = (uint8_t)counter->scope,
						  .storage = (uint8_t)counter->storage,
						  .type = (uint8_t)type_of(counter->storage),
						  .index = index};
	struct tacho_catalog *catalog = device->own.catalog;
	struct tacho_entry entry = {.kind = TACHO_ENTRY_COUNTER,
				    .type = type_of(counter->storage),
				    .block = BLOCK,
				    .event = index,
				    .width_bits = get_width(counter->storage)};

	if (counter->scope > TACHO__VULKAN_COMMAND || counter->storage > VULKAN_STORAGE_FLOAT64 ||
	    counter->unit >= TACHO__ARRAY_SIZE(units))
		return 0; /* of a version of the extension that nobody knows yet */
	entry.unit = units[counter->unit].unit;
	entry.semantic = units[counter->unit].semantic;
	entry.name = make_name(device, text, index);
	entry.title = tacho__catalog_text(catalog, "%.255s", text->name);
	entry.group = tacho__catalog_text(catalog, "%.255s", text->category);
	entry.description = tacho__catalog_text(catalog, "%.255s", text->description);
	entry.caveat = make_caveat(device, counter, text);
	entry.source = describe_source(device, index, counter);
	if (!entry.name || !entry.title || !entry.group || !entry.description || !entry.caveat ||
	    !entry.source)
		return TACHO_E_NOMEM;
	return is_taken(device, entry.name)
		       ? 0
		       : tacho__known_add_counter(&device->own, &entry, &how, sizeof(how));
}

static int add_all(struct vulkan_device *device, struct vulkan_counter *counters,
		   struct vulkan_counter_text *texts, uint32_t count)
{
	int rc = 0;

	for (uint32_t i = 0; i < count; i++) {
		counters[i].type = VULKAN_TYPE_PERFORMANCE_COUNTER;
		texts[i].type = VULKAN_TYPE_PERFORMANCE_COUNTER_TEXT;
	}
	if (device->vulkan.enumerate_counters(device->physical, device->facts.family, &count,
					      counters, texts) < 0)
		return 0;
	for (uint32_t i = 0; i < count && !rc; i++) {
		texts[i].name[255] = texts[i].category[255] = texts[i].description[255] = '\0';
		rc = add_counter(device, i, &counters[i], &texts[i]);
	}
	return rc;
}

/* There is room for all: the driver says which go together. */
static int add_block(struct vulkan_device *device, uint32_t count)
{
	struct tacho_block block = {
		.name = BLOCK,
		.description = "a query of " VULKAN_PERFORMANCE_QUERY
			       " around each command, render pass or command buffer, as the "
			       "counter's scope is; the driver says which counters go together",
		.slots = count,
		.event_count = count,
		.instances = 1};

	if (!count) {
		block.description = device->facts.why_no_counters;
		block.attributes = "absent";
	}
	return tacho__arch_add_block(device->own.arch, &block);
}

int tacho__vulkan_add_counters(struct vulkan_device *device)
{
	uint32_t count = device->facts.counter_count;
	struct vulkan_counter *counters;
	struct vulkan_counter_text *texts;
	int rc;

	if (count > COUNTERS_MAX)
		count = COUNTERS_MAX;
	rc = add_block(device, count);
	if (rc || !count)
		return rc;
	counters = calloc(count, sizeof(*counters));
	texts = calloc(count, sizeof(*texts));
	if (!rc && counters && texts)
		rc = add_all(device, counters, texts, count);
	else if (!rc)
		rc = tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a driver's counters");
	free(counters);
	free(texts);
	return rc;
}
