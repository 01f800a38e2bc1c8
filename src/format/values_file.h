/* SPDX-License-Identifier: MIT */
/* What the readers and writers of values share. */
#ifndef TACHO_FORMAT_VALUES_FILE_H
#define TACHO_FORMAT_VALUES_FILE_H

#include <stdbool.h>
#include <stdio.h>

#include "model/result.h"
#include "tacho/sys/values.h"

/* Readers; `name` is of the file, for messages. Errors and ownership as tacho_values_parse(). */
int tacho__values_read_json(const char *name, const char *text, size_t size,
			    struct tacho_result **out_result);
int tacho__values_read_csv(const char *name, const char *text, size_t size,
			   struct tacho_result **out_result);

/* A state as it is written: "ok", "lost", "ok div0 default". False for a text that is none. */
bool tacho__state_parse(const char *text, uint8_t *out_state);
void tacho__state_write(FILE *stream, uint8_t state);

#endif
