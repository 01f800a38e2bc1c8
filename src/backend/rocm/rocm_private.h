/* SPDX-License-Identifier: MIT */
/* Shared by the files of this backend. */
#ifndef TACHO_BACKEND_ROCM_ROCM_PRIVATE_H
#define TACHO_BACKEND_ROCM_ROCM_PRIVATE_H

#include "backend/collection.h"
#include "backend/rocm/kfd.h"
#include "backend/rocm/rocm.h"

struct tacho__rocm_device {
	struct tacho_device base;
	struct tacho__arena arena;
	struct tacho__kfd_gpu gpu;
	struct tacho_model model;
	struct tacho__rocm_live *live; /* NULL: not in the program that launches */
};

/* rocm_rights.c: 0, or PERM or NODEVICE with cause and cure. */
int tacho__rocm_check_rights(const char *root, const struct tacho__kfd_gpu *gpu);

/*
 * rocm_visible.c: the number that HIP gives the GPU at `index` in this process's environment; -1
 * when it is hidden, and by which variable; "": it is not for this container. As AMD documents it.
 */
int tacho__rocm_find_number(const struct tacho__kfd_gpu *gpus, size_t count, size_t index,
			    const char **out_hider);

/* rocm_check.c: for the doctor. */
void tacho__rocm_check(tacho_check_fn fn, void *user);

/* rocm_collect.c */
int tacho__rocm_begin(struct tacho_device *device, const struct tacho__collection_options *options,
		      struct tacho__collection **out_collection);
int tacho__rocm_begin_pass(struct tacho__collection *collection, uint32_t pass);
int tacho__rocm_end_pass(struct tacho__collection *collection);
void tacho__rocm_end(struct tacho__collection *collection);

#endif
