/* SPDX-License-Identifier: MIT */
/* Memory of a device as members of an object of JSON. */
#ifndef TACHO_FORMAT_MEMORY_JSON_H
#define TACHO_FORMAT_MEMORY_JSON_H

#include "tacho/recording.h"
#include "tacho/sys/json.h"

/* "heap" to "local" or "host_visible": docs/jsonl.md. */
void tacho__memory_add_json(struct tacho_json *json, const struct tacho_device_memory *memory);

#endif
