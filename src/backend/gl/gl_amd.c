/* SPDX-License-Identifier: MIT */
/*
 * What GL_AMD_performance_monitor lists: groups are blocks, and counters of groups that the catalog
 * knows get the catalog's names. A counter's number in its group is the hardware's event.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "backend/gl/gl_private.h"
#include "base/array.h"
#include "base/error.h"
#include "catalog/arch.h"

enum {
	GROUPS_MAX = 4096,
	COUNTERS_MAX = 1 << 16, /* of a group */
	NAME_MAX_BYTES = 256,
	KEY_BYTES = NAME_MAX_BYTES + 24,
	EQUAL_MIN = 4, /* families of blocks that an architecture is recognized by, at least */
};

static bool is_whole(const struct tacho__gl *gl)
{
	return gl->get_groups && gl->get_counters && gl->get_group_string &&
	       gl->get_counter_string && gl->get_counter_info && gl->gen_monitors &&
	       gl->delete_monitors && gl->select_counters && gl->begin_monitor && gl->end_monitor &&
	       gl->get_monitor_data;
}

static int list_group(struct tacho__gl_device *device, struct tacho__gl_group *group)
{
	struct tacho__arena *arena = tacho__catalog_arena(device->own.catalog);
	int32_t count = 0, max_active = 0, size = 0;
	char name[NAME_MAX_BYTES] = "";

	device->gl.get_group_string(group->id, sizeof(name), &size, name);
	name[sizeof(name) - 1] = '\0';
	device->gl.get_counters(group->id, &count, &max_active, 0, NULL);
	if (count < 0 || count > COUNTERS_MAX)
		count = 0;
	group->name = tacho__arena_string(arena, name);
	group->counters = tacho__arena_get(arena, ((size_t)count + 1) * sizeof(*group->counters));
	if (!group->name || !group->counters)
		return TACHO_E_NOMEM;
	if (count)
		device->gl.get_counters(group->id, NULL, NULL, count, group->counters);
	group->counter_count = (uint32_t)count;
	group->max_active = max_active > 0 ? (uint32_t)max_active : 0;
	return 0;
}

int tacho__gl_list_groups(struct tacho__gl_device *device, struct tacho__gl_groups *out_groups)
{
	struct tacho__arena *arena = tacho__catalog_arena(device->own.catalog);
	struct tacho__gl_groups groups = {0};
	int32_t count = 0;
	uint32_t *ids;
	int rc = 0;

	if (!is_whole(&device->gl) ||
	    !tacho__gl_has_extension(&device->gl, "GL_AMD_performance_monitor"))
		return 0;
	device->gl.get_groups(&count, 0, NULL);
	if (count <= 0 || count > GROUPS_MAX)
		return 0;
	ids = tacho__arena_get(arena, (size_t)count * sizeof(*ids));
	groups.list = tacho__arena_get(arena, (size_t)count * sizeof(*groups.list));
	if (!ids || !groups.list)
		return TACHO_E_NOMEM;
	device->gl.get_groups(NULL, count, ids);
	for (int32_t i = 0; i < count && !rc; i++) {
		struct tacho__gl_group *group = &groups.list[groups.count++];

		group->id = ids[i];
		rc = list_group(device, group);
	}
	if (!rc)
		*out_groups = groups;
	return rc;
}

static const struct tacho__gl_group *find_group(const struct tacho__gl_groups *groups,
						const char *name)
{
	for (size_t i = 0; i < groups->count; i++)
		if (!strcmp(groups->list[i].name, name))
			return &groups->list[i];
	return NULL;
}

/* Each family once, by its first instance: whether the driver has it, as large as here. */
static void compare(const struct tacho_arch *arch, const struct tacho__gl_groups *groups,
		    unsigned *out_shared, unsigned *out_equal)
{
	const struct tacho_block *block;
	const char *family = "";

	for (size_t i = 0; (block = tacho_arch_get_block(arch, i)); i++) {
		const struct tacho__gl_group *group = find_group(groups, block->name);

		if (!group || !strcmp(family, block->family))
			continue;
		family = block->family;
		*out_shared += 1;
		*out_equal += block->event_count == group->counter_count;
	}
}

/* Newer hardware has groups of the same names; the numbers of their counters tell. */
const struct tacho_arch *tacho__gl_recognize(const struct tacho__gl_device *device,
					     const struct tacho__gl_groups *groups)
{
	const struct tacho_arch *arch, *best = NULL;
	unsigned most = 0;

	for (size_t i = 0; groups->count && (arch = tacho_catalog_get_arch(device->source, i));
	     i++) {
		unsigned shared = 0, equal = 0;

		if (strcmp(arch->api, "gl") != 0)
			continue;
		compare(arch, groups, &shared, &equal);
		if (equal < EQUAL_MIN || 2 * equal < shared || equal <= most)
			continue;
		most = equal;
		best = arch;
	}
	return best;
}

static int add_block(struct tacho__gl_device *device, const struct tacho__gl_group *group,
		     const struct tacho_arch *known)
{
	const struct tacho_block *definition =
		known ? tacho_arch_find_block(known, group->name) : NULL;
	struct tacho_block block = {.instances = 1};

	if (definition)
		block = *definition;
	block.name = group->name;
	block.slots = group->max_active;
	block.event_count = group->counter_count;
	return tacho__arch_add_block(device->own.arch, &block);
}

/* The driver's name of a counter, with the group's in front as the catalog has it. */
static const char *name_counter(struct tacho__gl_device *device,
				const struct tacho__gl_group *group, uint32_t counter)
{
	char name[NAME_MAX_BYTES] = "";
	int32_t size = 0;

	device->gl.get_counter_string(group->id, counter, sizeof(name), &size, name);
	name[sizeof(name) - 1] = '\0';
	if (!*name)
		return tacho__catalog_text(device->own.catalog, "%s_%u", group->name, counter);
	if (!strncmp(name, group->name, strlen(group->name)))
		return tacho__catalog_text(device->own.catalog, "%s", name);
	return tacho__catalog_text(device->own.catalog, "%s_%s", group->name, name);
}

/* The counters of an architecture by "BLOCK#EVENT": drivers have thousands. */
struct definitions {
	struct tacho__arena arena;
	struct tacho__names counters;
};

static void finish_definitions(struct definitions *definitions)
{
	tacho__names_finish(&definitions->counters);
	tacho__arena_finish(&definitions->arena);
}

static void make_key(const char *block, uint64_t event, char out_key[KEY_BYTES])
{
	snprintf(out_key, KEY_BYTES, "%s#%" PRIu64, block, event);
}

/* Of two counters of one event the first is meant. */
static int add_definition(struct definitions *definitions, const struct tacho_entry *entry)
{
	char key[KEY_BYTES];
	const char *kept;

	make_key(entry->block, entry->event, key);
	if (tacho__names_get(&definitions->counters, key))
		return 0;
	kept = tacho__arena_string(&definitions->arena, key);
	return kept ? tacho__names_set(&definitions->counters, kept, (void *)entry) : TACHO_E_NOMEM;
}

static int list_definitions(const struct tacho_arch *known, struct definitions *definitions)
{
	const struct tacho_entry *entry;
	int rc = 0;

	for (size_t i = 0; known && !rc && (entry = tacho_arch_get_entry(known, i)); i++)
		if (entry->kind == TACHO_ENTRY_COUNTER)
			rc = add_definition(definitions, entry);
	return rc;
}

static const struct tacho_entry *find_definition(const struct definitions *definitions,
						 const char *block, uint64_t event)
{
	char key[KEY_BYTES];

	make_key(block, event, key);
	return tacho__names_get(&definitions->counters, key);
}

static int add_named(struct tacho__gl_device *device, struct tacho_entry *entry,
		     const struct tacho__gl_counter *how)
{
	if (tacho__arch_get_exact(tacho__arch_public(device->own.arch), entry->name)) {
		entry->name = tacho__catalog_text(device->own.catalog, "%s#%u.%u", entry->name,
						  how->target, how->index);
		if (!entry->name)
			return TACHO_E_NOMEM;
	}
	return tacho__gl_add_counter(device, entry, how);
}

static int add_counter(struct tacho__gl_device *device, const struct tacho__gl_group *group,
		       uint32_t counter, const struct definitions *definitions)
{
	const struct tacho_entry *definition = find_definition(definitions, group->name, counter);
	struct tacho__gl_counter how = {
		.kind = TACHO__GL_MONITOR, .target = group->id, .index = counter};
	struct tacho_entry entry = {.kind = TACHO_ENTRY_COUNTER};
	const char **alias =
		tacho__arena_get(tacho__catalog_arena(device->own.catalog), sizeof(*alias));
	const char *name = name_counter(device, group, counter);

	if (!alias || !name)
		return TACHO_E_NOMEM;
	device->gl.get_counter_info(group->id, counter, GL__COUNTER_TYPE_AMD, &how.type);
	if (definition)
		entry = *definition;
	else
		entry.name = name;
	if (definition && strcmp(definition->name, name) != 0) {
		*alias = name;
		entry.aliases = alias;
		entry.alias_count = 1;
	}
	entry.block = group->name;
	entry.event = counter;
	entry.width_bits = how.type == GL__UNSIGNED_INT64_AMD ? 64 : 32;
	entry.type = how.type == GL__FLOAT || how.type == GL__PERCENTAGE_AMD ? TACHO_TYPE_F64
									     : TACHO_TYPE_U64;
	if (how.type == GL__PERCENTAGE_AMD)
		entry.unit = "percent";
	if (!definition)
		entry.source = "GL_AMD_performance_monitor of the driver";
	return add_named(device, &entry, &how);
}

/* Time stamps are a block of the catalog and no group of the driver. */
static int add_times(struct tacho__gl_device *device, const struct tacho_arch *known)
{
	const struct tacho_block *block = tacho_arch_find_block(known, "GPUTime");
	const struct tacho__gl_counter how = {.kind = TACHO__GL_TIME, .target = GL__TIME_ELAPSED};
	const struct tacho_entry *entry;
	const char *reason;
	int rc = 0;

	if (!block || tacho_arch_find_block(tacho__arch_public(device->own.arch), block->name))
		return 0;
	reason = tacho__gl_explain_query(device, GL__TIME_ELAPSED, 0, &rc);
	if (!rc)
		rc = tacho__arch_add_block(device->own.arch, block);
	for (size_t i = 0; !rc && (entry = tacho_arch_get_entry(known, i)); i++) {
		if (entry->kind != TACHO_ENTRY_COUNTER || strcmp(entry->block, block->name) != 0)
			continue;
		rc = reason ? tacho__known_refuse(device->own.arch, entry, reason)
			    : tacho__gl_add_counter(device, entry, &how);
	}
	return rc;
}

int tacho__gl_add_monitors(struct tacho__gl_device *device, const struct tacho__gl_groups *groups,
			   const struct tacho_arch *known)
{
	struct definitions definitions = {0};
	int rc = list_definitions(known, &definitions);

	for (size_t i = 0; i < groups->count && !rc; i++) {
		const struct tacho__gl_group *group = &groups->list[i];

		rc = add_block(device, group, known);
		for (uint32_t k = 0; k < group->counter_count && !rc; k++)
			rc = add_counter(device, group, group->counters[k], &definitions);
	}
	finish_definitions(&definitions);
	return rc || !known ? rc : add_times(device, known);
}
