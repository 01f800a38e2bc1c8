/* SPDX-License-Identifier: MIT */
/* A config: the counters and metrics that are wanted of one architecture or device. */
#ifndef TACHO_CONFIG_H
#define TACHO_CONFIG_H

#include <stddef.h>
#include <stdint.h>

#include <tacho/catalog.h>
#include <tacho/export.h>

#ifdef __cplusplus
extern "C" {
#endif

struct tacho_config;

/* How ranges that overlap on the device are counted; entries of both kinds never share a pass. */
enum tacho_mode {
	TACHO_MODE_DEFAULT = 0, /* as the device does it; a mode of its own next to the others */
	TACHO_MODE_SERIALIZED,	/* a range has the device for itself: its isolated cost */
	TACHO_MODE_PIPELINED,	/* ranges run on as they do without counting: incremental cost */
};

struct tacho_config_entry {
	const char *name;	  /* of a counter or metric of the architecture */
	uint32_t keeps_instances; /* values of each instance, not reduced when they are captured */
	uint32_t mode;		  /* enum tacho_mode */
};

/*
 * Makes a config of `count` entries for an architecture, on a model when that is not NULL (both are
 * borrowed and must outlive it). Names are looked up once; an entry named twice in the same mode
 * counts once. NOTFOUND with the nearest names; UNSUPPORTED for an entry that cannot be counted,
 * with the caveat of its definition or the block that cannot; INVAL for none at all. Immutable.
 * Owned; free with tacho_config_destroy().
 */
TACHO_API int tacho_config_create(const struct tacho_arch *arch, const struct tacho_model *model,
				  const struct tacho_config_entry *entries, size_t count,
				  struct tacho_config **out_config);
TACHO_API void tacho_config_destroy(struct tacho_config *config);

/* In the order given, names as in the definitions; NULL past the last. */
TACHO_API const struct tacho_config_entry *tacho_config_get_entry(const struct tacho_config *config,
								  size_t index);
/* Its definition. */
TACHO_API const struct tacho_entry *tacho_config_get_definition(const struct tacho_config *config,
								size_t index);
TACHO_API const struct tacho_arch *tacho_config_get_arch(const struct tacho_config *config);
/* NULL when it is for no model in particular. */
TACHO_API const struct tacho_model *tacho_config_get_model(const struct tacho_config *config);

/*
 * Whether an entry can be in a config: 0, or what tacho_config_create() would say of it. For lists
 * such as "all" that are to leave out what cannot be counted.
 */
TACHO_API int tacho_config_check_entry(const struct tacho_arch *arch,
				       const struct tacho_model *model,
				       const struct tacho_entry *entry);

#ifdef __cplusplus
}
#endif

#endif
