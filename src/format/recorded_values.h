/* SPDX-License-Identifier: MIT */
/* Recordings in one file as values, for tacho eval. */
#ifndef TACHO_FORMAT_RECORDED_VALUES_H
#define TACHO_FORMAT_RECORDED_VALUES_H

#include "model/result.h"

/*
 * Values of the launches in a file that is no text, or whose values stand one in a line: a row
 * each; *out_result is NULL when it is neither, or no regular file. What is told of their only
 * device are constants. Owned. PARSE: it has no values; UNSUPPORTED: too many; as
 * tacho_recording_open().
 */
int tacho__values_read_recording(const char *path, struct tacho_result **out_result);

#endif
