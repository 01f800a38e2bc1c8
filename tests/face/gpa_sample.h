/* SPDX-License-Identifier: MIT */
/* What the sample code of AMD's guide takes for granted. */
#ifndef TACHO_TESTS_GPA_SAMPLE_H
#define TACHO_TESTS_GPA_SAMPLE_H

#include <assert.h>
#include <stdio.h>

#include "GPUPerfAPI.h"

static gpa_uint32 currentWaitSessionID = 1;

/* The work of a sample: on a simulated device every sample has the same. */
static void draw(void)
{
}

#endif
