/* SPDX-License-Identifier: MIT */
/* What the driver's functions of one form say: clGetDeviceInfo(), clGetEventInfo() and so on. */
#ifndef TACHO_INJECT_OPENCL_DRIVER_INFO_H
#define TACHO_INJECT_OPENCL_DRIVER_INFO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef int32_t (*tacho__driver_info_fn)(void *object, uint32_t name, size_t size, void *value,
					 size_t *size_ret);

/* A handle; NULL: the driver does not tell it, or there is no object to ask about. */
static inline void *tacho__driver_get_handle(tacho__driver_info_fn get_info, void *object,
					     uint32_t name)
{
	void *handle = NULL;

	return object && !get_info(object, name, sizeof(handle), &handle, NULL) ? handle : NULL;
}

/* A text, cut to `size` bytes; false: the driver tells none. */
static inline bool tacho__driver_get_text(tacho__driver_info_fn get_info, void *object,
					  uint32_t name, char *text, size_t size)
{
	size_t got = 0;

	if (get_info(object, name, size, text, &got) || !got)
		return false;
	text[got < size ? got : size - 1] = '\0';
	return true;
}

#endif
