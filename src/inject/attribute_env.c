/* SPDX-License-Identifier: MIT */
#include "inject/attribute_env.h"

#include <stdarg.h>
#include <stdio.h>

void tacho__attributes_add(struct tacho__attributes *attributes, const char *key,
			   const char *format, ...)
{
	size_t room = sizeof(attributes->text) - attributes->size, used, size;
	char *line = attributes->text + attributes->size;
	va_list list;
	int wrote;

	wrote = snprintf(line, room, "%s=", key);
	if (wrote < 0 || (size_t)wrote >= room)
		goto no_room;
	used = (size_t)wrote;
	va_start(list, format);
	wrote = vsnprintf(line + used, room - used, format, list);
	va_end(list);
	if (wrote < 0 || (size_t)wrote + 1 >= room - used)
		goto no_room;
	size = used + (size_t)wrote;
	for (size_t i = 0; i < size; i++)
		if ((unsigned char)line[i] < ' ')
			line[i] = ' ';
	line[size++] = '\n';
	line[size] = '\0';
	attributes->size += size;
	return;
no_room:
	line[0] = '\0';
}
