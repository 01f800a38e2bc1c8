/* SPDX-License-Identifier: MIT */
#include "format/import/import_objects.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"

enum { SAME_DEVICES_MAX = 64 }; /* of one label; more would be made up by a damaged file */

void tacho__import_objects_finish(struct tacho__import_objects *objects)
{
	tacho__names_finish(&objects->by_key);
	tacho__names_finish(&objects->texts);
	tacho__map_finish(&objects->kernels);
	tacho__buf_finish(&objects->scratch);
	free(objects->all);
	tacho__arena_finish(&objects->arena);
	memset(objects, 0, sizeof(*objects));
}

const char *tacho__import_objects_text(struct tacho__import_objects *objects,
				       struct tacho__span text)
{
	struct tacho__buf *scratch = &objects->scratch;
	char *known;

	tacho__buf_clear(scratch);
	if (text.at)
		tacho__buf_add(scratch, text.at, tacho__span_size(text));
	if (scratch->failed) {
		tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a name");
		return NULL;
	}
	known = tacho__names_get(&objects->texts, tacho__buf_text(scratch));
	if (known)
		return known;
	known = tacho__arena_string(&objects->arena, tacho__buf_text(scratch));
	return known && !tacho__names_set(&objects->texts, known, known) ? known : NULL;
}

/* The object of that key, or a new one: then *out_is_new. `key` is put_key()'s. */
static int get_object(struct tacho__import_objects *objects, const char *key,
		      enum tacho_object_kind kind, uint64_t handle,
		      struct tacho__object **out_object, bool *out_is_new)
{
	struct tacho__object *object;
	const char *kept;

	if (objects->scratch.failed)
		return TACHO_E_NOMEM;
	object = tacho__names_get(&objects->by_key, key);
	*out_is_new = !object;
	*out_object = object;
	if (object)
		return 0;
	kept = tacho__arena_string(&objects->arena, key);
	object = tacho__arena_get(&objects->arena, sizeof(*object));
	if (!kept || !object ||
	    tacho__array_reserve(&objects->all, &objects->capacity, objects->count, sizeof(object)))
		return TACHO_E_NOMEM;
	object->text = "";
	object->pairs =
		tacho__arena_get(&objects->arena, TACHO__IMPORT_FACTS_MAX * sizeof(*object->pairs));
	if (!object->pairs)
		return TACHO_E_NOMEM;
	object->object = (struct tacho_object){
		.kind = kind, .handle = handle, .name = "", .process = objects->process};
	objects->all[objects->count++] = object;
	*out_object = object;
	return tacho__names_set(&objects->by_key, kept, object);
}

static void set_id(struct tacho__import_objects *objects, struct tacho__object *object, uint32_t id)
{
	uint32_t *last = &objects->ids[object->object.kind];

	object->object.id = id;
	if (id > *last)
		*last = id;
}

static const char *put_key(struct tacho__import_objects *objects, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static const char *put_key(struct tacho__import_objects *objects, const char *format, ...)
{
	va_list list;

	tacho__buf_clear(&objects->scratch);
	va_start(list, format);
	tacho__buf_vprintf(&objects->scratch, format, list);
	va_end(list);
	return tacho__buf_text(&objects->scratch);
}

int tacho__import_objects_tell(struct tacho__import_objects *objects, struct tacho__object *object,
			       const char *key, struct tacho__span value)
{
	const char *text;
	size_t i = 0;

	while (i < object->pair_count && strcmp(object->pairs[i].key, key) != 0)
		i++;
	if (i == TACHO__IMPORT_FACTS_MAX)
		return 0;
	if (i < object->pair_count && tacho__span_is(value, object->pairs[i].value))
		return 0;
	text = tacho__import_objects_text(objects, value);
	if (!text)
		return TACHO_E_NOMEM;
	object->pairs[i].key = key;
	object->pairs[i].value = text;
	object->pair_count += i == object->pair_count;
	return 0;
}

/* ---- devices ---- */

static int make_device(struct tacho__import_objects *objects, const char *label, uint64_t handle,
		       uint32_t number, struct tacho__object **out_device)
{
	const char *key = put_key(objects, "d%" PRIX64 " %" PRIu32 " %s", handle, number, label);
	struct tacho__object *device;
	bool is_new;
	int rc = get_object(objects, key, TACHO_OBJECT_DEVICE, handle, &device, &is_new);

	if (!rc && is_new) {
		set_id(objects, device, objects->ids[TACHO_OBJECT_DEVICE] + 1);
		device->object.name = label;
		rc = tacho__import_objects_tell(objects, device, "name", tacho__span_of(label));
		if (!rc && !strcmp(label, "CPU_Device"))
			rc = tacho__import_objects_tell(objects, device, "type",
							tacho__span_of("cpu"));
	}
	if (!rc)
		*out_device = device;
	return rc;
}

int tacho__import_objects_device(struct tacho__import_objects *objects, struct tacho__span label,
				 uint64_t handle, uint32_t number,
				 struct tacho__object **out_device)
{
	const char *text = tacho__import_objects_text(objects, label);
	int rc = text ? 0 : TACHO_E_NOMEM;

	if (number > SAME_DEVICES_MAX || !number)
		number = 1;
	/* its number is the one of those before it, plus one */
	for (uint32_t i = 1; i <= number && !rc; i++)
		rc = make_device(objects, text, handle, i, out_device);
	return rc;
}

static int take_header_device(struct tacho__import_objects *objects,
			      const struct tacho__import_device *told)
{
	const char *label = tacho__import_objects_text(objects, tacho__span_of(told->label));
	struct tacho__span text = tacho__span_of(told->text), line;
	struct tacho__object *device;
	int rc = label ? make_device(objects, label, 0, 1, &device) : TACHO_E_NOMEM;

	while (!rc && tacho__span_take_line(&text, &line)) {
		const char *equals = memchr(line.at, '=', tacho__span_size(line)), *key;

		if (!equals)
			continue;
		key = tacho__import_objects_text(objects, (struct tacho__span){line.at, equals});
		rc = key ? tacho__import_objects_tell(objects, device, key,
						      (struct tacho__span){equals + 1, line.end})
			 : TACHO_E_NOMEM;
	}
	return rc;
}

int tacho__import_objects_init(struct tacho__import_objects *objects,
			       const struct tacho_process *process,
			       const struct tacho__import_header *header, uint32_t kernel_id_max)
{
	int rc = 0;

	memset(objects, 0, sizeof(*objects));
	objects->process = process;
	objects->ids[TACHO_OBJECT_KERNEL] = kernel_id_max;
	for (size_t i = 0; i < header->device_count && !rc; i++)
		rc = take_header_device(objects, &header->devices[i]);
	return rc;
}

/* ---- what hangs on devices ---- */

static uint32_t to_id(int64_t number)
{
	return number >= 0 && number < UINT32_MAX ? (uint32_t)number + 1 : 0;
}

int tacho__import_objects_context(struct tacho__import_objects *objects, int64_t number,
				  uint64_t handle, struct tacho__object **out_context)
{
	struct tacho__object *context = NULL;
	bool is_new;
	int rc = 0;

	if (number >= 0 || handle)
		rc = get_object(objects, put_key(objects, "c%" PRIi64 " %" PRIX64, number, handle),
				TACHO_OBJECT_CONTEXT, handle, &context, &is_new);
	if (!rc && context)
		set_id(objects, context, to_id(number));
	if (!rc)
		*out_context = context;
	return rc;
}

int tacho__import_objects_queue(struct tacho__import_objects *objects, int64_t number,
				uint64_t handle, struct tacho__object *context,
				struct tacho__object *device, struct tacho__object **out_queue)
{
	const char *key = put_key(objects, "q%" PRIi64 " %" PRIX64, number, handle);
	struct tacho__object *queue = NULL;
	bool is_new;
	int rc = 0;

	if (number >= 0 || handle)
		rc = get_object(objects, key, TACHO_OBJECT_QUEUE, handle, &queue, &is_new);
	if (!rc && queue) {
		set_id(objects, queue, to_id(number));
		queue->object.context = context ? &context->object : NULL;
		queue->object.device = device ? &device->object : NULL;
	}
	if (!rc)
		*out_queue = queue;
	return rc;
}

int tacho__import_objects_kernel(struct tacho__import_objects *objects, struct tacho__span name,
				 uint64_t handle, uint32_t id, struct tacho__object **out_kernel)
{
	const char *text = tacho__import_objects_text(objects, name), *key;
	struct tacho__object *kernel;
	bool is_new;
	int rc;

	if (!text)
		return TACHO_E_NOMEM;
	kernel = id ? NULL : tacho__map_get(&objects->kernels, handle);
	if (handle && kernel && !strcmp(kernel->object.name, text)) {
		*out_kernel = kernel;
		return 0;
	}
	key = put_key(objects, "k%" PRIX64 " %" PRIu32 " %s", handle, id, text);
	rc = get_object(objects, key, TACHO_OBJECT_KERNEL, handle, &kernel, &is_new);
	if (!rc && is_new) {
		set_id(objects, kernel, id ? id : objects->ids[TACHO_OBJECT_KERNEL] + 1);
		kernel->object.name = text;
		rc = tacho__import_objects_tell(objects, kernel, "name", name);
	}
	if (!rc && handle)
		rc = tacho__map_set(&objects->kernels, handle, kernel);
	if (!rc)
		*out_kernel = kernel;
	return rc;
}

int tacho__import_objects_launch(struct tacho__import_objects *objects,
				 struct tacho__object *kernel, const struct tacho_object *device,
				 uint32_t *out_is_first)
{
	const char *key, *kept;

	*out_is_first = 0;
	if (kernel->launched_on == device && device)
		return 0;
	kernel->launched_on = device;
	key = put_key(objects, "l%" PRIu32 " %s", device ? device->id : 0, kernel->object.name);
	if (objects->scratch.failed)
		return TACHO_E_NOMEM;
	if (tacho__names_get(&objects->by_key, key))
		return 0;
	*out_is_first = 1;
	kept = tacho__arena_string(&objects->arena, key);
	return kept ? tacho__names_set(&objects->by_key, kept, kernel) : TACHO_E_NOMEM;
}
