/* SPDX-License-Identifier: MIT */
/* The parts of tacho_result_derive(). */
#ifndef TACHO_CATALOG_DERIVE_H
#define TACHO_CATALOG_DERIVE_H

#include "catalog/arch.h"
#include "model/result.h"

/* What names mean: the values' own things first, then the architecture's. */
struct tacho__values_scope {
	struct tacho__scope scope; /* .user points to this struct */
	const struct tacho_result *values;
	const struct tacho_arch *arch;	 /* may be NULL */
	const struct tacho_model *model; /* may be NULL */
};

void tacho__values_scope_init(struct tacho__values_scope *scope, const struct tacho_result *values,
			      const struct tacho_arch *arch, const struct tacho_model *model);

/* The values' expression of this name, or NULL. */
const struct tacho__named_expression *
tacho__values_get_expression(const struct tacho_result *values, const char *name);

/*
 * Why a metric of the architecture cannot be worked out from the values: the counters and constants
 * that are missing, or another fault of its definition; "" when it can be. NULL: NOMEM. Owned by
 * the arena.
 */
const char *tacho__values_describe_missing(const struct tacho__values_scope *scope,
					   const struct tacho_entry *metric,
					   struct tacho__arena *arena);

/*
 * Which counters of the expression come as one number though the device has several instances of
 * them, where the expression asks for one of these: what its value then rests on. "": none. NULL:
 * NOMEM. Owned by the arena.
 */
const char *tacho__values_describe_spans(const struct tacho__values_scope *scope,
					 const struct tacho__expression *expression,
					 struct tacho__arena *arena);

#endif
