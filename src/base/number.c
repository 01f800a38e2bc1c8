/* SPDX-License-Identifier: MIT */
#include "base/number.h"

#include <stdio.h>
#include <stdlib.h>

void tacho__number_format(double value, char out_text[TACHO__NUMBER_MAX])
{
	/* 15 digits are often enough, 17 always are. */
	for (int digits = 15; digits <= 17; digits++) {
		snprintf(out_text, TACHO__NUMBER_MAX, "%.*g", digits, value);
		if (strtod(out_text, NULL) == value)
			break;
	}
	for (char *c = out_text; *c; c++)
		if (*c == ',')
			*c = '.';
}
