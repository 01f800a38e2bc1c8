/* SPDX-License-Identifier: MIT */
/* Numbers as text. */
#ifndef TACHO_BASE_NUMBER_H
#define TACHO_BASE_NUMBER_H

enum { TACHO__NUMBER_MAX = 32 };

/*
 * A finite number with the fewest digits that are read back as the same one, with a point whatever
 * the locale.
 */
void tacho__number_format(double value, char out_text[TACHO__NUMBER_MAX]);

#endif
