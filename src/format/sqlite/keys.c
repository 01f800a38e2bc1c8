/* SPDX-License-Identifier: MIT */
#include "format/sqlite/keys.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "format/estimate.h"

enum {
	TEXTS_MAX = 8192,     /* texts that are remembered; those after them may be there twice */
	TEXT_BYTES_MAX = 512, /* so that these take a few MB at most */
};

/* A function, a command type or a text. */
struct known {
	struct known *next; /* with the same hash */
	uint64_t id;
	int64_t number;
	const char *text, *more;
};

void tacho__sqlite_keys_finish(struct tacho__sqlite_keys *keys)
{
	tacho__map_finish(&keys->functions);
	tacho__map_finish(&keys->types);
	tacho__map_finish(&keys->texts);
	tacho__map_finish(&keys->shared);
	tacho__map_finish(&keys->shared_ids);
	tacho__map_finish(&keys->thread_ids);
	free(keys->threads);
	tacho__arena_finish(&keys->arena);
}

static uint64_t hash(const struct known *known)
{
	return tacho__hash_text(known->text) ^ (uint64_t)known->number << 32;
}

static const struct known *find(const struct tacho__map *map, const struct known *wanted)
{
	const struct known *known = tacho__map_get(map, hash(wanted));

	while (known && (known->number != wanted->number || strcmp(known->text, wanted->text) ||
			 strcmp(known->more, wanted->more)))
		known = known->next;
	return known;
}

static int remember(struct tacho__sqlite_keys *keys, struct tacho__map *map,
		    const struct known *added)
{
	struct known *known = tacho__arena_get(&keys->arena, sizeof(*known));

	if (!known)
		return TACHO_E_NOMEM;
	*known = *added;
	known->next = tacho__map_get(map, hash(added));
	known->text = tacho__arena_string(&keys->arena, added->text);
	known->more = tacho__arena_string(&keys->arena, added->more);
	if (!known->text || !known->more)
		return TACHO_E_NOMEM;
	return tacho__map_set(map, hash(added), known);
}

int tacho__sqlite_get_function(struct tacho__sqlite_keys *keys,
			       const struct tacho_function *function, uint64_t *out_id)
{
	struct known wanted = {
		.number = function->number, .text = function->name, .more = function->api};
	const struct known *known = find(&keys->functions, &wanted);
	struct tacho__sqlite_file *file = keys->file;

	if (known) {
		*out_id = known->id;
		return 0;
	}
	*out_id = wanted.id = ++keys->function_count;
	tacho__sqlite_row_begin(file, TACHO__SQLITE_FUNCTION);
	tacho__sqlite_row_id(file, wanted.id);
	tacho__sqlite_row_text(file, function->api);
	tacho__sqlite_row_text(file, function->name);
	tacho__sqlite_row_unsigned(file, function->number >= 0, (uint64_t)function->number);
	tacho__sqlite_row_end(file);
	return file->rc ? file->rc : remember(keys, &keys->functions, &wanted);
}

int tacho__sqlite_get_type(struct tacho__sqlite_keys *keys, const struct tacho_command *command,
			   uint64_t *out_id)
{
	struct known wanted = {.number = command->code, .text = command->name, .more = ""};
	const struct known *known = find(&keys->types, &wanted);
	struct tacho__sqlite_file *file = keys->file;

	if (known) {
		*out_id = known->id;
		return 0;
	}
	*out_id = wanted.id = ++keys->type_count;
	tacho__sqlite_row_begin(file, TACHO__SQLITE_COMMAND_TYPE);
	tacho__sqlite_row_id(file, wanted.id);
	tacho__sqlite_row_unsigned(file, true, command->code);
	tacho__sqlite_row_text(file, command->name);
	tacho__sqlite_row_end(file);
	return file->rc ? file->rc : remember(keys, &keys->types, &wanted);
}

int tacho__sqlite_get_text(struct tacho__sqlite_keys *keys, const char *text, uint64_t *out_id)
{
	struct known wanted = {.text = text, .more = ""};
	struct tacho__sqlite_file *file = keys->file;
	const struct known *known;

	if (!*text) {
		*out_id = 0;
		return 0;
	}
	known = find(&keys->texts, &wanted);
	if (known) {
		*out_id = known->id;
		return 0;
	}
	*out_id = wanted.id = ++keys->text_count;
	tacho__sqlite_row_begin(file, TACHO__SQLITE_TEXT);
	tacho__sqlite_row_id(file, wanted.id);
	tacho__sqlite_row_text(file, text);
	tacho__sqlite_row_end(file);
	if (file->rc || keys->texts.count >= TEXTS_MAX || strlen(text) > TEXT_BYTES_MAX)
		return file->rc;
	return remember(keys, &keys->texts, &wanted);
}

/* Which one of that name it is in its process, as labels count. */
static int64_t count_named(const struct tacho_cursor *cursor, const struct tacho_object *device)
{
	const struct tacho_object *other;
	int64_t number = 1;

	for (size_t i = 0; (other = tacho_cursor_get_object(cursor, i)) && other != device; i++)
		number += other->kind == TACHO_OBJECT_DEVICE && other->process == device->process &&
			  !strcmp(other->name, device->name);
	return number;
}

int tacho__sqlite_get_shared(struct tacho__sqlite_keys *keys, const struct tacho_cursor *cursor,
			     const struct tacho_object *device, uint64_t *out_id)
{
	uintptr_t id = device ? (uintptr_t)tacho__map_get(&keys->shared_ids, (uintptr_t)device) : 0;
	struct known wanted = {.more = ""};
	const struct known *known;
	int rc = 0;

	if (!device || id) {
		*out_id = id;
		return 0;
	}
	wanted.id = device->id;
	wanted.text = device->name;
	wanted.number = count_named(cursor, device);
	known = find(&keys->shared, &wanted);
	id = known ? known->id : device->id;
	if (!known)
		rc = remember(keys, &keys->shared, &wanted);
	if (!rc)
		rc = tacho__map_set(&keys->shared_ids, (uintptr_t)device, (void *)id);
	if (!rc)
		*out_id = id;
	return rc;
}

int tacho__sqlite_get_thread(struct tacho__sqlite_keys *keys, const struct tacho_process *process,
			     uint32_t tid, uint64_t *out_id)
{
	uint64_t key = (uint64_t)process->index << 32 | tid;
	uintptr_t id = (uintptr_t)tacho__map_get(&keys->thread_ids, key);
	int rc;

	if (id) {
		*out_id = id;
		return 0;
	}
	if (tacho__array_reserve(&keys->threads, &keys->thread_capacity, keys->thread_count,
				 sizeof(*keys->threads)))
		return TACHO_E_NOMEM;
	id = keys->thread_count + 1;
	rc = tacho__map_set(&keys->thread_ids, key, (void *)id);
	if (rc)
		return rc;
	keys->threads[keys->thread_count++] =
		(struct tacho__sqlite_thread){.process = process, .tid = tid};
	*out_id = id;
	return 0;
}

int tacho__sqlite_put_threads(struct tacho__sqlite_keys *keys, const struct tacho_cursor *cursor)
{
	struct tacho__sqlite_file *file = keys->file;

	for (size_t i = 0; i < keys->thread_count && !file->rc; i++) {
		const struct tacho__sqlite_thread *thread = &keys->threads[i];

		tacho__sqlite_row_begin(file, TACHO__SQLITE_THREAD);
		tacho__sqlite_row_id(file, i + 1);
		tacho__sqlite_row_unsigned(file, true, thread->process->index);
		tacho__sqlite_row_unsigned(file, true, thread->tid);
		tacho__sqlite_row_text(
			file, tacho_cursor_get_thread_name(cursor, thread->process, thread->tid));
		tacho__sqlite_row_end(file);
	}
	return file->rc;
}
