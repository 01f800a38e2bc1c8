/* SPDX-License-Identifier: MIT */
/*
 * Memory for what is large and mostly little used: of megabytes that are there in case of need, a
 * short run touches few pages. malloc() touches all of them where it is told to fill
 * (MALLOC_PERTURB_).
 */
#ifndef TACHO_BASE_ROOM_H
#define TACHO_BASE_ROOM_H

#include <stddef.h>

/* Zeros, from the start of a page. Owned; tacho__room_put(). NULL: no memory, errno says why. */
void *tacho__room_get(size_t bytes);
/* With as many bytes as it was got; room may be NULL. */
void tacho__room_put(void *room, size_t bytes);

#endif
