/* SPDX-License-Identifier: MIT */
#include "record/template.h"

#include <string.h>

enum {
	HAS_BASE = 1 << 0,
	IS_COMPLETE = 1 << 1,
	HAS_QUEUES = 1 << 2,
	FLAGS_ALL = (1 << 3) - 1,
};
enum {
	DIMENSIONS_SHIFT = 8,
	HAS_GLOBAL = 1 << 10,
	HAS_LOCAL = 1 << 11,
	HAS_BYTES = 1 << 12,
	HAS_EXTRA_LOCAL = 1 << 13,
	COMMAND_ALL = (1 << 14) - 1,
};

uint32_t tacho__template_record_count(const struct tacho__template *template)
{
	size_t records =
		(template->count + TACHO__TEMPLATE_PER_RECORD - 1) / TACHO__TEMPLATE_PER_RECORD;

	return records ? (uint32_t)records : 1;
}

static void pack_sizes(struct tacho__pack *pack, const uint64_t sizes[3])
{
	for (int i = 0; i < 3; i++)
		tacho__pack_u64(pack, sizes[i]);
}

static void pack_command(struct tacho__pack *pack, const struct tacho__template_command *command)
{
	size_t name_size = strnlen(command->name, TACHO__TEMPLATE_NAME_MAX);
	uint32_t dimensions = command->dimensions < 3 ? command->dimensions : 3;

	tacho__pack_u64(pack, command->index);
	tacho__pack_u64(pack, (command->kind & 255) | dimensions << DIMENSIONS_SHIFT |
				      (command->has_global ? HAS_GLOBAL : 0u) |
				      (command->has_local ? HAS_LOCAL : 0u) |
				      (command->has_bytes ? HAS_BYTES : 0u) |
				      (command->has_extra_local ? HAS_EXTRA_LOCAL : 0u));
	tacho__pack_u64(pack, command->queue);
	tacho__pack_u64(pack, command->kernel);
	tacho__pack_u64(pack, name_size);
	tacho__pack_bytes(pack, command->name, name_size);
	if (command->has_global)
		pack_sizes(pack, command->global);
	if (command->has_local)
		pack_sizes(pack, command->local);
	if (command->has_bytes)
		tacho__pack_u64(pack, command->bytes);
	if (command->has_extra_local)
		tacho__pack_u64(pack, command->extra_local_bytes);
}

static void pack_queues(struct tacho__pack *pack, const struct tacho__template *template)
{
	size_t count = template->queue_count;

	if (count > TACHO__TEMPLATE_QUEUES_MAX)
		count = TACHO__TEMPLATE_QUEUES_MAX;
	tacho__pack_u64(pack, count);
	for (size_t i = 0; i < count; i++)
		tacho__pack_u64(pack, template->queues[i]);
}

uint32_t tacho__template_pack(const struct tacho__template *template, uint32_t index,
			      uint8_t *buffer)
{
	size_t first = (size_t)index * TACHO__TEMPLATE_PER_RECORD, count = template->count - first;
	bool is_last = count <= TACHO__TEMPLATE_PER_RECORD;
	bool has_base = template->base_version && !index, has_queues = template->queues && !index;
	bool ends = template->is_complete && is_last;
	struct tacho__pack pack;

	if (!is_last)
		count = TACHO__TEMPLATE_PER_RECORD;
	tacho__pack_begin(&pack, buffer);
	tacho__pack_u64(&pack, template->api);
	tacho__pack_u64(&pack, template->handle);
	tacho__pack_u64(&pack, template->version);
	tacho__pack_u64(&pack, (has_base ? HAS_BASE : 0u) | (ends ? IS_COMPLETE : 0u) |
				       (has_queues ? HAS_QUEUES : 0u));
	if (has_base) {
		tacho__pack_u64(&pack, template->base_handle);
		tacho__pack_u64(&pack, template->base_version);
	}
	if (ends)
		tacho__pack_u64(&pack, template->total);
	if (has_queues)
		pack_queues(&pack, template);
	tacho__pack_u64(&pack, count);
	for (size_t i = 0; i < count; i++)
		pack_command(&pack, &template->commands[first + i]);
	return (uint32_t)(pack.at - buffer);
}

static bool unpack_queues(struct tacho__unpack *unpack, struct tacho__template_head *head)
{
	uint64_t count = tacho__unpack_u64(unpack);

	if (count > TACHO__TEMPLATE_QUEUES_MAX)
		return false;
	head->has_queues = true;
	head->queue_count = (uint32_t)count;
	for (uint32_t i = 0; i < head->queue_count; i++)
		head->queues[i] = tacho__unpack_u64(unpack);
	return true;
}

bool tacho__template_unpack_head(struct tacho__unpack *unpack,
				 struct tacho__template_head *out_head)
{
	struct tacho__template_head head = {.api = tacho__unpack_u64(unpack)};
	uint64_t flags, count;

	head.handle = tacho__unpack_u64(unpack);
	head.version = tacho__unpack_u64(unpack);
	flags = tacho__unpack_u64(unpack);
	if (flags & HAS_BASE) {
		head.base_handle = tacho__unpack_u64(unpack);
		head.base_version = tacho__unpack_u64(unpack);
	}
	head.is_complete = (flags & IS_COMPLETE) != 0;
	if (head.is_complete)
		head.total = tacho__unpack_u64(unpack);
	if (flags & HAS_QUEUES && !unpack_queues(unpack, &head))
		return false;
	count = tacho__unpack_u64(unpack);
	head.count = (uint32_t)count;
	if (unpack->bad || flags > FLAGS_ALL || count > TACHO__TEMPLATE_PER_RECORD || !head.version)
		return false;
	*out_head = head;
	return true;
}

static void unpack_sizes(struct tacho__unpack *unpack, uint64_t sizes[3])
{
	for (int i = 0; i < 3; i++)
		sizes[i] = tacho__unpack_u64(unpack);
}

bool tacho__template_unpack(struct tacho__unpack *unpack, struct tacho__template_item *out_item)
{
	struct tacho__template_item item = {.command.index = tacho__unpack_u64(unpack)};
	uint64_t flags = tacho__unpack_u64(unpack), name_size;

	item.command.kind = flags & 255;
	item.command.dimensions = flags >> DIMENSIONS_SHIFT & 3;
	item.command.has_global = (flags & HAS_GLOBAL) != 0;
	item.command.has_local = (flags & HAS_LOCAL) != 0;
	item.command.has_bytes = (flags & HAS_BYTES) != 0;
	item.command.has_extra_local = (flags & HAS_EXTRA_LOCAL) != 0;
	item.command.queue = tacho__unpack_u64(unpack);
	item.command.kernel = tacho__unpack_u64(unpack);
	name_size = tacho__unpack_u64(unpack);
	if (flags > COMMAND_ALL || name_size > TACHO__TEMPLATE_NAME_MAX)
		return false;
	item.name = (const char *)tacho__unpack_bytes(unpack, name_size);
	item.name_size = (uint32_t)name_size;
	if (item.command.has_global)
		unpack_sizes(unpack, item.command.global);
	if (item.command.has_local)
		unpack_sizes(unpack, item.command.local);
	if (item.command.has_bytes)
		item.command.bytes = tacho__unpack_u64(unpack);
	if (item.command.has_extra_local)
		item.command.extra_local_bytes = tacho__unpack_u64(unpack);
	if (unpack->bad)
		return false;
	*out_item = item;
	return true;
}
