/* SPDX-License-Identifier: MIT */
/* The driver's variables in equations, from what a recording says about its device. */
#ifndef TACHO_OA_VARIABLES_H
#define TACHO_OA_VARIABLES_H

#include "base/arena.h"
#include "tacho/sys/oa_metrics.h"

/*
 * A model with a value for each constant of the architecture that the recording tells; the rest
 * stays unknown. In the arena. NOMEM.
 */
int tacho__oa_variables_get(struct tacho__arena *arena, const struct tacho_oa_recording *recording,
			    const struct tacho_arch *arch, enum tacho_oa_gen gen,
			    struct tacho_model *out_model);

/* The same for a device whose topology may be NULL: not known. */
int tacho__oa_variables_make(struct tacho__arena *arena, const struct tacho_oa_device *device,
			     const struct tacho_oa_topology *topology,
			     const struct tacho_arch *arch, enum tacho_oa_gen gen,
			     struct tacho_model *out_model);

/*
 * Puts variables that somebody knows better into the model, the last of a name. NOTFOUND for one
 * that no definition of the architecture reads, NOMEM.
 */
int tacho__oa_variables_replace(struct tacho__arena *arena, const struct tacho_arch *arch,
				const struct tacho_property *variables, size_t count,
				struct tacho_model *model);

#endif
