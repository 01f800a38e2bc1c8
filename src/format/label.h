/* SPDX-License-Identifier: MIT */
/* How session files name devices and kernels, whose names may hold anything. */
#ifndef TACHO_FORMAT_LABEL_H
#define TACHO_FORMAT_LABEL_H

#include "base/buf.h"
#include "base/map.h"
#include "tacho/recording.h"

/*
 * The device's name with `_` for blanks, commas and control characters, at most 200 bytes;
 * "CPU_Device" for a CPU, "<UnknownDeviceName>" for NULL. Appended.
 */
void tacho__label_put_device(struct tacho__buf *buf, const struct tacho_object *device);

/* The kernel's name with `_` likewise, whole; "<UnknownKernelName>" for NULL or "". Appended. */
void tacho__label_put_kernel(struct tacho__buf *buf, const struct tacho_object *kernel);

/* Text in one line: line breaks as \n and \r, other control characters as `?`. Appended. */
void tacho__label_put_line(struct tacho__buf *buf, const char *text);

/*
 * Which of its process's devices of that session-file name it is, from 1. `numbers` remembers the
 * answers; {0} at first, free with tacho__map_finish(). NOMEM.
 */
int tacho__label_number_device(struct tacho__map *numbers, const struct tacho_cursor *cursor,
			       const struct tacho_object *device, unsigned *out_number);

#endif
