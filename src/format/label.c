/* SPDX-License-Identifier: MIT */
#include "format/label.h"

#include <string.h>

#include "base/character.h"
#include "base/error.h"

enum { DEVICE_BYTES_MAX = 200 };

void tacho__label_put_word(struct tacho__buf *buf, const char *text, size_t max)
{
	char spelled[TACHO_CHARACTER_SPELLED_MAX];

	for (const char *at = text; *at;) {
		struct tacho_character character = tacho_character_read(at);

		if ((size_t)(at - text) + character.length > max)
			break;
		if (character.code <= ' ' || character.code == 0x7f || character.code == ',')
			tacho__buf_char(buf, '_');
		else if (character.kind == TACHO_CHARACTER_SHOWN)
			tacho__buf_add(buf, at, character.length);
		else
			tacho__buf_add(buf, spelled, tacho_character_spell(&character, spelled));
		at += character.length;
	}
}

void tacho__label_put_device(struct tacho__buf *buf, const struct tacho_object *device)
{
	const char *type = device ? tacho_object_get(device, "type") : NULL;

	if (type && !strcmp(type, "cpu"))
		tacho__buf_put(buf, "CPU_Device");
	else if (device && *device->name)
		tacho__label_put_word(buf, device->name, DEVICE_BYTES_MAX);
	else
		tacho__buf_put(buf, "<UnknownDeviceName>");
}

void tacho__label_put_kernel(struct tacho__buf *buf, const struct tacho_object *kernel)
{
	if (kernel && *kernel->name)
		tacho__label_put_word(buf, kernel->name, strlen(kernel->name));
	else
		tacho__buf_put(buf, "<UnknownKernelName>");
}

int tacho__label_number_device(struct tacho__map *numbers, const struct tacho_cursor *cursor,
			       const struct tacho_object *device, unsigned *out_number)
{
	uint64_t key = (uintptr_t)device;
	uintptr_t number = (uintptr_t)tacho__map_get(numbers, key);
	const struct tacho_object *other;
	struct tacho__buf name = {0}, other_name = {0};
	int rc = 0;

	if (!number) {
		number = 1;
		tacho__label_put_device(&name, device);
		for (size_t i = 0; device && (other = tacho_cursor_get_object(cursor, i)); i++) {
			if (other == device)
				break;
			if (other->kind != TACHO_OBJECT_DEVICE || other->process != device->process)
				continue;
			tacho__buf_clear(&other_name);
			tacho__label_put_device(&other_name, other);
			number += !strcmp(tacho__buf_text(&name), tacho__buf_text(&other_name));
		}
		if (name.failed || other_name.failed)
			rc = tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a device's name");
		if (!rc)
			rc = tacho__map_set(numbers, key, (void *)number);
	}
	tacho__buf_finish(&name);
	tacho__buf_finish(&other_name);
	if (!rc)
		*out_number = (unsigned)number;
	return rc;
}
