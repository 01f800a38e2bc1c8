/* SPDX-License-Identifier: MIT */
#include "tacho/tacho.h"

const char *tacho_version(void)
{
	return TACHO_VERSION;
}
