/* SPDX-License-Identifier: MIT */
/* How session files name devices and kernels, whose names may hold anything. */
#ifndef TACHO_FORMAT_LABEL_H
#define TACHO_FORMAT_LABEL_H

#include "base/buf.h"
#include "base/map.h"
#include "tacho/recording.h"

/*
 * The first `max` bytes of a text as one word: `_` for blanks, commas and control characters; what
 * else is not seen is spelled (base/character.h). Appended, as all of these.
 */
void tacho__label_put_word(struct tacho__buf *buf, const char *text, size_t max);

/*
 * The device's name as a word, of at most 200 bytes;
 * "CPU_Device" for a CPU, "<UnknownDeviceName>" for NULL.
 */
void tacho__label_put_device(struct tacho__buf *buf, const struct tacho_object *device);

/* The kernel's name as a word, whole; "<UnknownKernelName>" for NULL or "". */
void tacho__label_put_kernel(struct tacho__buf *buf, const struct tacho_object *kernel);

/*
 * Which of its process's devices of that session-file name it is, from 1. `numbers` remembers the
 * answers; {0} at first, free with tacho__map_finish(). NOMEM.
 */
int tacho__label_number_device(struct tacho__map *numbers, const struct tacho_cursor *cursor,
			       const struct tacho_object *device, unsigned *out_number);

#endif
