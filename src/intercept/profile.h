/* SPDX-License-Identifier: MIT */
/* What the program asked for: to be counted or not. */
#ifndef TACHO_INTERCEPT_PROFILE_H
#define TACHO_INTERCEPT_PROFILE_H

#include <stdint.h>

/* enum tacho_counting_request, as of now. */
uint32_t tacho__profile_get_request(void);

#endif
