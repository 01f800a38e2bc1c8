/* SPDX-License-Identifier: MIT */
/* Pause and resume by the program itself: process-wide, as the calls are. */
#include "intercept/profile.h"

#include <stdatomic.h>

#include "tacho/profile.h"
#include "tacho/sys/counting.h"

static atomic_uint said;

void tacho_profile_pause(void)
{
	atomic_store(&said, TACHO_SAID_PAUSE);
}

void tacho_profile_resume(void)
{
	atomic_store(&said, TACHO_SAID_RESUME);
}

int tacho_profile_is_paused(void)
{
	return atomic_load(&said) == TACHO_SAID_PAUSE;
}

uint32_t tacho__profile_get_said(void)
{
	return atomic_load_explicit(&said, memory_order_relaxed);
}
