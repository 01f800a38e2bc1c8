/* SPDX-License-Identifier: MIT */
/* What a plugin does for the program that loads it. Both have their own copy of the user layer. */
#ifndef TACHO_TESTS_NVPA_PLUGIN_H
#define TACHO_TESTS_NVPA_PLUGIN_H

#include "nvperfapi.h"

/* A range of the plugin's in a context of the program's. */
typedef NVPA_Status plugin_range_fn(void *ctx, uint64_t id);
/* A context of the plugin's, for the program. */
typedef NVPA_Status plugin_make_fn(void **out_ctx, size_t *out_device);
/* What the plugin's copy says of the last failure. */
typedef const char *plugin_text_fn(void);

#endif
