/* SPDX-License-Identifier: MIT */
/* What outputs say of the ranges that a program named. */
#ifndef TACHO_FORMAT_RANGE_TEXT_H
#define TACHO_FORMAT_RANGE_TEXT_H

#include "base/buf.h"
#include "tacho/recording.h"

/* "nested", "process", "mark". Static. */
const char *tacho__range_kind_to_string(enum tacho_range_kind kind);

/* "frame/step": the names of the ranges around it, the outermost first, and its own. */
void tacho__range_put_path(struct tacho__buf *buf, const struct tacho_named_range *range);

#endif
