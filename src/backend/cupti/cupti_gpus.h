/* SPDX-License-Identifier: MIT */
/* NVIDIA's GPUs of this machine: what files show and what the libraries say, put together. */
#ifndef TACHO_BACKEND_CUPTI_CUPTI_GPUS_H
#define TACHO_BACKEND_CUPTI_CUPTI_GPUS_H

#include "backend/cupti/cupti_ask.h"
#include "backend/cupti/cupti_gpu.h"
#include "backend/cupti/nvidia_tree.h"

enum { TACHO__CUPTI_GPUS_MAX = TACHO__NVIDIA_CARDS_MAX + TACHO__CUPTI_ASKED_MAX };

struct tacho__cupti_system {
	struct tacho__nvidia_tree tree;
	struct tacho__cupti_answers answers;
	bool is_asked;			/* the libraries */
	struct tacho__cupti_live *live; /* of the program that counts: its GPU is the only one */
	uint32_t count;
	struct tacho__cupti_found {
		struct tacho__cupti_gpu gpu;
		const struct tacho__nvidia_card *card;	/* NULL: files do not show it */
		const struct tacho__cupti_asked *asked; /* NULL: libraries do not know it */
	} gpus[TACHO__CUPTI_GPUS_MAX];
};

/*
 * Looks, and asks once in a process; where there is no sign of a GPU, and in a program that counts,
 * nobody is asked. `probe` may be NULL. Owned: free(). NOMEM.
 */
int tacho__cupti_find_gpus(const struct tacho_probe *probe,
			   struct tacho__cupti_system **out_system);
/* The same for who opens the index-th of them, which must be there: NODEVICE. */
int tacho__cupti_find_gpu(const struct tacho_probe *probe, size_t index,
			  struct tacho__cupti_system **out_system);

/*
 * cupti_checks.c: why ranges, or samples, of this GPU cannot be counted: NODEVICE, PERM, BUSY,
 * UNSUPPORTED, VERSION, with cause and cure; 0 where nothing is known to hinder.
 */
int tacho__cupti_check_gpu(const struct tacho__cupti_system *system, size_t index, bool is_sampled);
/* For the doctor: what was found of the driver and what surrounds it. */
void tacho__cupti_check_system(const struct tacho__cupti_system *system, tacho_check_fn fn,
			       void *user);

#endif
