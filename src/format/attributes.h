/* SPDX-License-Identifier: MIT */
/* What exports tell of objects: their kind, and attributes by tacho_object_get(). */
#ifndef TACHO_FORMAT_ATTRIBUTES_H
#define TACHO_FORMAT_ATTRIBUTES_H

#include "tacho/recording.h"

const char *tacho__object_kind_to_string(enum tacho_object_kind kind);

extern const char *const tacho__attribute_names[]; /* ends with NULL */

#endif
