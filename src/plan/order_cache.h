/* SPDX-License-Identifier: MIT */
/*
 * Orders that were found, kept in files: $XDG_CACHE_HOME/tacho/orders, one for each question. They
 * save the search and nothing else, and can be deleted at any time.
 */
#ifndef TACHO_PLAN_ORDER_CACHE_H
#define TACHO_PLAN_ORDER_CACHE_H

#include <limits.h>
#include <stdbool.h>

#include "plan/scheduled.h"

struct tacho__order_key {
	char path[PATH_MAX]; /* of the file; "": there is no place for one */
};

/* Of the library's build, the architecture and the names in the order that was given. */
void tacho__order_key_make(const struct tacho_arch *arch, const struct tacho__ordering *ordering,
			   struct tacho__order_key *out_key);
/* Puts the entries in order and fills the counts; false, and nothing changed: there is none. */
bool tacho__order_cache_read(const struct tacho__order_key *key, struct tacho__ordering *ordering);
/* A failure costs the next search, and is not told. */
void tacho__order_cache_write(const struct tacho__order_key *key,
			      const struct tacho__ordering *ordering);

#endif
