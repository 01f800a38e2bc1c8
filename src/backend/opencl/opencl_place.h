/* SPDX-License-Identifier: MIT */
/* Which of a machine's devices a device of a driver is, in words that other APIs have, too. */
#ifndef TACHO_BACKEND_OPENCL_OPENCL_PLACE_H
#define TACHO_BACKEND_OPENCL_OPENCL_PLACE_H

#include <stddef.h>
#include <stdint.h>

struct tacho__opencl_place {
	char uuid[40]; /* "" when the driver does not tell */
	char pci[24];  /* "0000:1b:00.0"; "" */
};

/* `get_info` is clGetDeviceInfo(). */
void tacho__opencl_find_place(int32_t (*get_info)(void *device, uint32_t name, size_t size,
						  void *value, size_t *out_size),
			      void *device, struct tacho__opencl_place *out_place);

#endif
