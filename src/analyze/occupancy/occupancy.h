/* SPDX-License-Identifier: MIT */
/* Tables of limits, one for each maker. */
#ifndef TACHO_ANALYZE_OCCUPANCY_OCCUPANCY_H
#define TACHO_ANALYZE_OCCUPANCY_OCCUPANCY_H

#include "tacho/occupancy.h"

/* The limits of an architecture of the maker. 1: the name is not his. NOTFOUND: it has no such wave
 * size or mode. */
typedef int (*tacho__limits_fn)(const char *arch, uint32_t wave_size, enum tacho_unit_mode mode,
				struct tacho_limits *out_limits);

int tacho__limits_amd(const char *arch, uint32_t wave_size, enum tacho_unit_mode mode,
		      struct tacho_limits *out_limits);
int tacho__limits_nvidia(const char *arch, uint32_t wave_size, enum tacho_unit_mode mode,
			 struct tacho_limits *out_limits);

/* By position; NULL past the last. Static. */
const char *tacho__limits_amd_name(size_t index);
const char *tacho__limits_nvidia_name(size_t index);

#endif
