/* SPDX-License-Identifier: MIT */
/* The devices, contexts, queues and kernels that session files speak of, as they are met. */
#ifndef TACHO_FORMAT_IMPORT_IMPORT_OBJECTS_H
#define TACHO_FORMAT_IMPORT_IMPORT_OBJECTS_H

#include "base/buf.h"
#include "format/import/import_header.h"
#include "record/objects.h"

enum { TACHO__IMPORT_FACTS_MAX = 24 };

struct tacho__import_objects {
	struct tacho__arena arena;
	struct tacho__object **all; /* in the order in which they were met */
	size_t count, capacity;
	struct tacho__names by_key, texts;
	struct tacho__map kernels; /* handle -> the last one met with it */
	struct tacho__buf scratch;
	const struct tacho_process *process;
	uint32_t ids[TACHO__OBJECT_KINDS]; /* the highest so far */
};

/* Makes the devices of the header. `kernel_id_max`: ids up to it are given by the files. NOMEM. */
int tacho__import_objects_init(struct tacho__import_objects *objects,
			       const struct tacho_process *process,
			       const struct tacho__import_header *header, uint32_t kernel_id_max);
void tacho__import_objects_finish(struct tacho__import_objects *objects);

/* The text with a NUL behind it, the same one for the same text. NULL: no memory. */
const char *tacho__import_objects_text(struct tacho__import_objects *objects,
				       struct tacho__span text);

/* Device `number` of that label, from 1; 0 is the first. NOMEM. */
int tacho__import_objects_device(struct tacho__import_objects *objects, struct tacho__span label,
				 uint64_t handle, uint32_t number,
				 struct tacho__object **out_device);

/* Numbers as in the file, from 0; -1: not known, and without a handle there is none (NULL). */
int tacho__import_objects_context(struct tacho__import_objects *objects, int64_t number,
				  uint64_t handle, struct tacho__object **out_context);
int tacho__import_objects_queue(struct tacho__import_objects *objects, int64_t number,
				uint64_t handle, struct tacho__object *context,
				struct tacho__object *device, struct tacho__object **out_queue);

/* `id` 0: not given. NOMEM. */
int tacho__import_objects_kernel(struct tacho__import_objects *objects, struct tacho__span name,
				 uint64_t handle, uint32_t id, struct tacho__object **out_kernel);

/* Sets or replaces an attribute; those beyond the most are left out. `key` is static. NOMEM. */
int tacho__import_objects_tell(struct tacho__import_objects *objects, struct tacho__object *object,
			       const char *key, struct tacho__span value);

/* Whether this is the first launch of a kernel of that name on the device. NOMEM. */
int tacho__import_objects_launch(struct tacho__import_objects *objects,
				 struct tacho__object *kernel, const struct tacho_object *device,
				 uint32_t *out_is_first);

#endif
