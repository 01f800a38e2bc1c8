/* SPDX-License-Identifier: MIT */
/* A chip as an architecture of the catalog, behind which NVIDIA's library stands. */
#ifndef TACHO_BACKEND_CUPTI_CUPTI_CHIP_H
#define TACHO_BACKEND_CUPTI_CUPTI_CHIP_H

#include "backend/cupti/cupti_host.h"
#include "catalog/library.h"

#define TACHO__CUPTI_API	  "cuda"
#define TACHO__CUPTI_SAMPLING_API "cuda_sampling"

struct tacho__cupti_chip {
	enum tacho__cupti_kind kind;
	char name[32]; /* as the library writes it */
	void *host;    /* for describing: the catalog asks one after the other */
};

/* What the library calls an entry: a base alone means its first ending. NULL: no memory. */
const char *tacho__cupti_name_whole(struct tacho__arena *arena, const struct tacho_entry *entry);

/* The functions of its architecture that plan. */
int tacho__cupti_count_passes(void *user, const struct tacho_entry *const *entries, size_t count,
			      size_t *out_count);
int tacho__cupti_schedule(void *user, const struct tacho_entry *const *entries, size_t count,
			  struct tacho__schedule *out_schedule);

/* Adds the named sets of data/nvidia that are for the kind, as far as the chip has what is in them.
 */
int tacho__cupti_add_sets(struct tacho_catalog *catalog, struct tacho__arch *arch,
			  enum tacho__cupti_kind kind, void *host);

extern const struct tacho__library tacho__cupti_definitions, tacho__cupti_sampling_definitions;

#endif
