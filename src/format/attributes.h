/* SPDX-License-Identifier: MIT */
/* The attributes of objects that exports tell, by tacho_object_get(). */
#ifndef TACHO_FORMAT_ATTRIBUTES_H
#define TACHO_FORMAT_ATTRIBUTES_H

extern const char *const tacho__attribute_names[]; /* ends with NULL */

#endif
