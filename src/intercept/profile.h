/* SPDX-License-Identifier: MIT */
/* What the program said about being counted. */
#ifndef TACHO_INTERCEPT_PROFILE_H
#define TACHO_INTERCEPT_PROFILE_H

#include <stdint.h>

/* enum tacho_counting_said, as of now. */
uint32_t tacho__profile_get_said(void);

#endif
