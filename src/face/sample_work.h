/* SPDX-License-Identifier: MIT */
/*
 * What is counted on a simulated device when the program gives it no work: one that only knows
 * another API cannot. docs/gpa.md states it.
 */
#ifndef TACHO_FACE_SAMPLE_WORK_H
#define TACHO_FACE_SAMPLE_WORK_H

#include "tacho/session.h"

/* A kernel, or on a device of a graphics API a draw. Codes of tacho. */
int tacho__face_submit_work(struct tacho_device *device);

#endif
