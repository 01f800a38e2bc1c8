/* SPDX-License-Identifier: MIT */
#include "record/objects.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/buf.h"
#include "base/error.h"

/* Of an update that may be longer than what it changes. */
enum { MEMORY_LINES = 16, LINE_BYTES = 100 };

void tacho__objects_finish(struct tacho__objects *objects)
{
	free(objects->all);
	tacho__demangler_finish(&objects->demangler);
	tacho__names_finish(&objects->written);
	tacho__arena_finish(&objects->arena);
	memset(objects, 0, sizeof(*objects));
}

const char *tacho_object_get(const struct tacho_object *object, const char *key)
{
	const struct tacho__object *full = (const struct tacho__object *)object;

	if (!key)
		return NULL;
	for (size_t i = 0; full && i < full->pair_count; i++)
		if (!strcmp(full->pairs[i].key, key))
			return full->pairs[i].value;
	return NULL;
}

/* Handles are pointers: their upper bits are free for what else tells things apart. */
static uint64_t key_of(uint32_t api, uint32_t kind, uint64_t handle)
{
	return (uint64_t)api << 58 ^ handle << 3 ^ kind;
}

const struct tacho_object *tacho__objects_find(const struct tacho__map *handles, uint32_t api,
					       uint32_t kind, uint64_t handle)
{
	const struct tacho__object *object = tacho__map_get(handles, key_of(api, kind, handle));

	return object && object->object.handle == handle ? &object->object : NULL;
}

/* Cuts lines into pairs, behind those that are there. */
static void cut(struct tacho__object *object, char *line)
{
	while (*line && object->pair_count < object->pair_room) {
		char *end = strchrnul(line, '\n'), *equals;
		bool last = !*end;

		*end = '\0';
		equals = strchr(line, '=');
		if (equals) {
			*equals = '\0';
			object->pairs[object->pair_count++] =
				(struct tacho__pair){.key = line, .value = equals + 1};
		}
		if (last)
			break;
		line = end + 1;
	}
}

static size_t count_lines(const char *text, size_t size)
{
	size_t lines = 1;

	for (size_t i = 0; i < size; i++)
		lines += text[i] == '\n';
	return lines;
}

/* What is zero behind the text stays so. */
static char *keep_text(struct tacho__objects *objects, const uint8_t *text, uint64_t size,
		       size_t room)
{
	char *kept = tacho__arena_get(&objects->arena, room);

	if (kept && size)
		memcpy(kept, text, size);
	return kept;
}

/* `more`: room for so many lines that are longer or new in an update. */
static int set_attributes(struct tacho__objects *objects, struct tacho__object *object,
			  const uint8_t *text, uint64_t size, size_t more)
{
	size_t lines = count_lines((const char *)text, size);

	object->room = size + 1 + more * LINE_BYTES;
	object->text = keep_text(objects, text, size, object->room);
	object->lines = keep_text(objects, text, size, object->room);
	object->pair_room = lines + more;
	/* and one for the symbol of a kernel */
	object->pairs =
		tacho__arena_get(&objects->arena, (object->pair_room + 1) * sizeof(*object->pairs));
	if (!object->text || !object->lines || !object->pairs)
		return TACHO_E_NOMEM;
	object->pair_count = 0;
	cut(object, object->lines);
	return 0;
}

/* Where lines begin that tell of memory; the end when there are none. */
static size_t find_memory(const char *text, size_t size)
{
	static const char word[] = "memory_";
	const char *at = text, *end = text + size;

	while (at < end) {
		const char *next = memchr(at, '\n', (size_t)(end - at));

		if ((size_t)(end - at) >= strlen(word) && !memcmp(at, word, strlen(word)))
			return (size_t)(at - text);
		at = next ? next + 1 : end;
	}
	return size;
}

/*
 * How much memory of a device is in use may be told a thousand times in a second: what was told
 * last is written over, where all that is in front of it is as before and there is room.
 */
static bool write_over(struct tacho__object *known, const char *text, size_t size)
{
	size_t at = find_memory(text, size);

	if (at == size || size >= known->room || count_lines(text, size) > known->pair_room ||
	    at != find_memory(known->text, strlen(known->text)) ||
	    memcmp(known->text, text, at) != 0)
		return false;
	while (known->pair_count && known->pairs[known->pair_count - 1].key >= known->lines + at)
		known->pair_count--;
	memset(known->text + at, 0, known->room - at);
	memset(known->lines + at, 0, known->room - at);
	memcpy(known->text + at, text + at, size - at);
	memcpy(known->lines + at, text + at, size - at);
	cut(known, known->lines + at);
	return true;
}

/* Once for each symbol that is written so; "" is taken for none. */
static const char *keep_written(struct tacho__objects *objects, const char *symbol,
				const char *written)
{
	const char *other = tacho__names_get(&objects->written, written);
	struct tacho__buf text = {0};
	const char *kept;

	tacho__buf_put(&text, written);
	if (other && strcmp(other, symbol) != 0)
		tacho__buf_printf(&text, " [%s]", symbol);
	kept = tacho__buf_keep(&text, &objects->arena);
	if (kept && !other && tacho__names_set(&objects->written, kept, (void *)(uintptr_t)symbol))
		return NULL;
	return kept;
}

/* What the library cannot tell stays as it is. */
static int demangle(struct tacho__objects *objects, struct tacho__object *object)
{
	const char *symbol = tacho_object_get(&object->object, "name"), *kept;
	char *written;

	if (object->object.kind != TACHO_OBJECT_KERNEL || !symbol ||
	    tacho_object_get(&object->object, "symbol"))
		return 0;
	written = tacho__demangle(&objects->demangler, symbol);
	if (!written)
		return objects->demangler.failed ? TACHO_E_NOMEM : 0;
	kept = keep_written(objects, symbol, written);
	free(written);
	if (!kept)
		return TACHO_E_NOMEM;
	for (size_t i = 0; i < object->pair_count; i++)
		if (!strcmp(object->pairs[i].key, "name"))
			object->pairs[i].value = kept;
	object->pairs[object->pair_count++] =
		(struct tacho__pair){.key = "symbol", .value = symbol};
	return 0;
}

static const struct tacho_object *parent(const struct tacho__object *object,
					 const struct tacho__map *handles, uint32_t api,
					 const char *key, enum tacho_object_kind kind)
{
	const char *handle = tacho_object_get(&object->object, key);

	return handle ? tacho__objects_find(handles, api, kind, strtoull(handle, NULL, 0)) : NULL;
}

static void find_parents(struct tacho__object *object, const struct tacho__map *handles,
			 uint32_t api)
{
	struct tacho_object *info = &object->object;
	const char *name = tacho_object_get(info, "name");

	info->name = name ? name : "";
	info->device = parent(object, handles, api, "device", TACHO_OBJECT_DEVICE);
	info->program = parent(object, handles, api, "program", TACHO_OBJECT_PROGRAM);
	info->context = parent(object, handles, api, "context", TACHO_OBJECT_CONTEXT);
	if (!info->context && info->program)
		info->context = info->program->context;
}

/* Queues that are made may have the handle of one that is gone: an update of one says so. */
static bool is_renamed(const struct tacho__object *object)
{
	const char *renamed = tacho_object_get(&object->object, "renamed");

	return renamed && !strcmp(renamed, "1");
}

/* The same thing once more? Then its attributes may have changed, and it keeps its id. */
static bool is_update(const struct tacho__object *object, enum tacho_object_kind kind,
		      const struct tacho__object *known)
{
	if (!known || known->object.handle != object->object.handle)
		return false;
	if (kind == TACHO_OBJECT_DEVICE)
		return true;
	if (kind == TACHO_OBJECT_QUEUE)
		return is_renamed(object);
	return kind == TACHO_OBJECT_KERNEL && !strcmp(known->object.name, object->object.name) &&
	       known->object.program == object->object.program;
}

int tacho__objects_add(struct tacho__objects *objects, struct tacho__map *handles,
		       const struct tacho_process *process, uint32_t api, uint32_t kind,
		       uint64_t handle, const uint8_t *text, uint64_t size)
{
	uint64_t key = key_of(api, kind, handle);
	struct tacho__object *known = tacho__map_get(handles, key), *object;

	if (kind < TACHO_OBJECT_DEVICE || kind > TACHO_OBJECT_KERNEL)
		return 0;
	if (known && (kind == TACHO_OBJECT_KERNEL || kind == TACHO_OBJECT_DEVICE) &&
	    known->object.handle == handle && strlen(known->text) == size &&
	    !memcmp(known->text, text, size))
		return 0; /* nothing new: a program may say the same a million times */
	if (known && kind == TACHO_OBJECT_DEVICE && known->object.handle == handle &&
	    write_over(known, (const char *)text, size))
		return 0;
	object = tacho__arena_get(&objects->arena, sizeof(*object));
	if (!object ||
	    tacho__array_reserve(&objects->all, &objects->capacity, objects->count, sizeof(object)))
		return TACHO_E_NOMEM;
	object->object.kind = (enum tacho_object_kind)kind;
	object->object.handle = handle;
	object->object.process = process;
	if (set_attributes(objects, object, text, size,
			   kind == TACHO_OBJECT_DEVICE ? MEMORY_LINES : 0) ||
	    demangle(objects, object))
		return TACHO_E_NOMEM;
	find_parents(object, handles, api);
	if (is_update(object, object->object.kind, known)) {
		object->object.id = known->object.id;
		object->launched_on = known->launched_on;
		*known = *object;
		return 0;
	}
	object->object.id = ++objects->ids[kind];
	objects->all[objects->count++] = object;
	return tacho__map_set(handles, key, object);
}
