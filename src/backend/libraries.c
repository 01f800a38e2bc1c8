/* SPDX-License-Identifier: MIT */
/* The one list of vendors' libraries that have definitions. */
#include "backend/cupti/cupti_chip.h"

const struct tacho__library *const tacho__libraries[] = {
	&tacho__cupti_definitions,
	&tacho__cupti_sampling_definitions,
	NULL,
};
