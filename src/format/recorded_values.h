/* SPDX-License-Identifier: MIT */
/* Recordings in one file as values, for tacho eval. */
#ifndef TACHO_FORMAT_RECORDED_VALUES_H
#define TACHO_FORMAT_RECORDED_VALUES_H

#include "model/result.h"

/*
 * With `kind`, the name of one, it is read as that. Else: values of the launches in a report, a
 * database, or a table with one value in a line: a row each; *out_result is NULL when it is none of
 * these, or no regular file. What is told of their only device are constants. Owned. PARSE: it has
 * no values; UNSUPPORTED: too many; as tacho_recording_open().
 */
int tacho__values_read_recording(const char *path, const char *kind,
				 struct tacho_result **out_result);

#endif
