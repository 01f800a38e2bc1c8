/* SPDX-License-Identifier: MIT */
/* Pause and resume by the program itself: process-wide, as the calls are. */
#include "intercept/profile.h"

#include <stdatomic.h>

#include "tacho/profile.h"
#include "tacho/sys/counting.h"

static atomic_uint request;

void tacho_profile_pause(void)
{
	atomic_store(&request, TACHO_REQUEST_PAUSE);
}

void tacho_profile_resume(void)
{
	atomic_store(&request, TACHO_REQUEST_RESUME);
}

int tacho_profile_is_paused(void)
{
	return atomic_load(&request) == TACHO_REQUEST_PAUSE;
}

uint32_t tacho__profile_get_request(void)
{
	return atomic_load_explicit(&request, memory_order_relaxed);
}
