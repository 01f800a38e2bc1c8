/* SPDX-License-Identifier: MIT */
/* A backend is a way of counting. registry.c lists them all. */
#ifndef TACHO_BACKEND_H
#define TACHO_BACKEND_H

#include <stddef.h>

#include "tacho/device.h"

struct tacho__backend {
	size_t size;	     /* sizeof(struct tacho__backend) as compiled */
	const char *name;    /* "opencl"; [a-z0-9_]+, unique */
	const char *summary; /* one line */
	/*
	 * Required. Says what is there and, if not usable, why: fills library, usable, cause and
	 * cure of `about` and adds devices to `probe`. Fails with NOMEM only.
	 */
	int (*probe)(struct tacho_probe *probe, struct tacho_probe_backend *about);
};

/* All backends, in source order; NULL past the last. */
const struct tacho__backend *tacho__backend_get(size_t index);

/* A device for the backend to fill: every string is "" and it is not usable. NULL: no memory. */
struct tacho_device *tacho__probe_add_device(struct tacho_probe *probe);

/* Text that lives as long as the probe. "" when memory ran out, which the probe remembers. */
const char *tacho__probe_text(struct tacho_probe *probe, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif
