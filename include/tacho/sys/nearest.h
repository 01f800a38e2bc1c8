/* SPDX-License-Identifier: MIT */
/* How near one name is to another, for "did you mean". For the command: no ABI promise. */
#ifndef TACHO_SYS_NEAREST_H
#define TACHO_SYS_NEAREST_H

#include <tacho/export.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The number of letters to add, take out, change or swap with their neighbours (optimal string
 * alignment). Of longer names the first 128 letters are looked at.
 */
TACHO_API unsigned tacho_nearest_distance(const char *a, const char *b, int ignores_case);

/*
 * A score for sorting, smaller is nearer: ten for each letter of the distance, but a name that
 * begins with what was written is near, and one that contains it nearly so. Case is ignored.
 */
TACHO_API unsigned tacho_nearest_score(const char *written, const char *name);

/* The same, sooner: where it is not less than `below`, any number that is not. */
TACHO_API unsigned tacho_nearest_score_below(const char *written, const char *name, unsigned below);

#ifdef __cplusplus
}
#endif

#endif
