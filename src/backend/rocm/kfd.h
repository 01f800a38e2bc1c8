/* SPDX-License-Identifier: MIT */
/* AMD's GPUs as the kernel's compute driver (KFD) shows them in sysfs, without any library. */
#ifndef TACHO_BACKEND_ROCM_KFD_H
#define TACHO_BACKEND_ROCM_KFD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "tacho/catalog.h"

enum { TACHO__KFD_NODES_MAX = 256, TACHO__KFD_ARCH_MAX = 16 };

/* A GPU, or the GPU's half of an APU. Strings and properties live in the arena. */
struct tacho__kfd_gpu {
	uint32_t node;	  /* number of its folder */
	const char *name; /* as people know it; its architecture where nobody says */
	bool has_name;	  /* people know it by that name */
	const char *arch; /* "gfx90a" */
	uint32_t vendor_id, device_id;
	uint32_t render_minor; /* of /dev/dri/renderD<minor> */
	uint32_t compute_units, dies;
	uint64_t memory_bytes; /* its own; 0: it uses that of the host */
	bool is_forbidden;     /* the container may not look at it: nothing else is known */
	/* All numbers of its topology, by the kernel's names. */
	const struct tacho_property *properties;
	size_t property_count;
};

/*
 * The GPUs below `root`, which ends with a slash, in the order of their nodes; nodes that are
 * processors alone are left out. Files that make no sense are passed over. NOMEM.
 */
int tacho__kfd_list(struct tacho__arena *arena, const char *root,
		    const struct tacho__kfd_gpu **out_gpus, size_t *out_count);

/* "gfx90a" of 90010: major * 10000 + minor * 100 + stepping, the stepping in hexadecimal. */
void tacho__kfd_format_arch(uint64_t gfx_target_version, char out_arch[TACHO__KFD_ARCH_MAX]);

/* The driver's version, in the arena; "" where it does not say (it is the kernel's own). NOMEM:
 * NULL. */
const char *tacho__kfd_read_driver(struct tacho__arena *arena, const char *root);

#endif
