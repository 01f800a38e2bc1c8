/* SPDX-License-Identifier: MIT */
/* What a thread does while it is in a function of an API: builds programs, waits, or something
 * else. */
#ifndef TACHO_ANALYZE_TIME_ROLES_H
#define TACHO_ANALYZE_TIME_ROLES_H

#include <stdint.h>

#include "tacho/summary.h"

struct tacho__time_role {
	const char *function;
	enum tacho_spent spent; /* BUILD, WAIT */
	/* Only when this argument, as it is printed (the first is 1), begins so. 0: always. */
	int8_t query;
	const char *begins;
};

/* NULL: it does neither. Static. */
const struct tacho__time_role *tacho__time_role_find(const struct tacho_function *function);

#endif
