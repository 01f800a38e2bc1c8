/* SPDX-License-Identifier: MIT */
/* Making the pieces that are packed. */
#ifndef TACHO_PLAN_PIECES_H
#define TACHO_PLAN_PIECES_H

#include "plan/packing.h"

/*
 * Fills pack->pieces from the problem's groups and raises the cap to the largest of them. A group
 * that fits into no pass becomes as few parts as can be found, or, when is_loose, single items:
 * then fewer passes may do, and no packing can do with fewer than the best of these pieces.
 * *out_unfit counts such groups. Their keys are those of pack->all_keys. NOMEM.
 */
int tacho__pieces_make(struct tacho__pack *pack, int is_loose, size_t *out_unfit);

#endif
