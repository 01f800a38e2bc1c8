/* SPDX-License-Identifier: MIT */
/* What a person can do about a call that failed, where an API's drivers are known to fail so. */
#ifndef TACHO_BACKEND_DEVICE_ADVICE_H
#define TACHO_BACKEND_DEVICE_ADVICE_H

#include <stddef.h>

struct tacho__advice {
	const char *function; /* the beginning of its name */
	const char *error;    /* as recordings show it */
	const char *text;     /* a cause and a cure, whole sentences */
};

/* NULL when there is nothing to say. Static. */
const char *tacho__advice_find(const char *api, const char *function, const char *error);

extern const struct tacho__advice tacho__opencl_advice[]; /* ends with a NULL function */

#endif
