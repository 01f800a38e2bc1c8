/* SPDX-License-Identifier: MIT */
/* How tacho's library in a program starts the face, behind the program's first call of an API. */
#include "face/rocprofiler/rocprofiler.h"
#include "tacho/export.h"

TACHO_API void tacho__face_start(void);

void tacho__face_start(void)
{
	tacho__rocp_start();
}
