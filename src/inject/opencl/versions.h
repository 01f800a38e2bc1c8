/* SPDX-License-Identifier: MIT */
/*
 * Versions of extensions. Provisional extensions change signatures from version to version, so a
 * function is only recorded when the drivers say which version they have.
 */
#ifndef TACHO_INJECT_OPENCL_VERSIONS_H
#define TACHO_INJECT_OPENCL_VERSIONS_H

#include <stdbool.h>
#include <stdint.h>

enum { TACHO__VERSION_TEXT_MAX = 160 };

/* What the devices that have an extension say; as drivers pack it: 10, 10 and 12 bits. */
struct tacho__version_range {
	bool is_known; /* each of them says which version it has, and one has it */
	uint32_t least, most;
};

/* Of a platform's devices; platform NULL: of all platforms'. */
struct tacho__version_range tacho__opencl_find_versions(void *platform, const char *extension);

/* For people: why a function is not recorded in these versions. */
void tacho__version_range_format(const struct tacho__version_range *range, const char *extension,
				 char out_text[TACHO__VERSION_TEXT_MAX]);

#endif
