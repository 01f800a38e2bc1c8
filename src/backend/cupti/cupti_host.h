/* SPDX-License-Identifier: MIT */
/*
 * What NVIDIA's library knows of a chip. What it answers is bounded: counts, sizes, lengths of
 * texts.
 */
#ifndef TACHO_BACKEND_CUPTI_CUPTI_HOST_H
#define TACHO_BACKEND_CUPTI_CUPTI_HOST_H

#include "backend/cupti/cupti_library.h"
#include "base/arena.h"

enum {
	TACHO__CUPTI_CHIPS_MAX = 1 << 10,
	TACHO__CUPTI_NAMES_MAX = 1 << 17,  /* metrics, endings, counters of a pass */
	TACHO__CUPTI_TEXT_MAX = 1 << 12,   /* bytes of a name or a description */
	TACHO__CUPTI_IMAGE_MAX = 64 << 20, /* bytes of a config image, and of an evaluator */
	TACHO__CUPTI_PASSES_MAX = 1 << 14,
};

/* Texts of the library, copied into an arena. */
struct tacho__cupti_names {
	const char **names;
	size_t count;
};

/* All of these fail with UNSUPPORTED when the library says no or answers nonsense, and NOMEM. */
int tacho__cupti_list_chips(struct tacho__arena *arena, struct tacho__cupti_names *out_chips);

/*
 * An object of the library for one chip, for one thread at a time. `availability`: what of it can
 * be counted on a GPU; NULL: all. It is kept for as long as the object.
 */
int tacho__cupti_host_open(enum tacho__cupti_kind kind, const char *chip,
			   const uint8_t *availability, void **out_host);
void tacho__cupti_host_close(void *host);

int tacho__cupti_list_bases(void *host, enum tacho__cupti_type type, struct tacho__arena *arena,
			    struct tacho__cupti_names *out_names);
/* What can stand behind a base, with its point. */
int tacho__cupti_list_endings(void *host, enum tacho__cupti_type type, const char *name,
			      struct tacho__arena *arena, struct tacho__cupti_names *out_endings);

struct tacho__cupti_facts {
	const char *description, *hw_unit, *unit; /* never NULL */
	enum tacho__cupti_type type;
};

/* Of a base or of a whole name; NOTFOUND: it is none. */
int tacho__cupti_get_facts(void *host, const char *name, struct tacho__arena *arena,
			   struct tacho__cupti_facts *out_facts);

/* The library's own plan. */
struct tacho__cupti_config {
	uint8_t *bytes; /* free() */
	size_t size, pass_count;
};

/* For whole names in this order, once for an object. The cause names the status when they do not go
 * together. */
int tacho__cupti_configure(void *host, const char *const *names, size_t count,
			   struct tacho__cupti_config *out_config);
/* The same for a chip of which all can be counted. The cause names the status when they do not go
 * together. */
int tacho__cupti_make_config(enum tacho__cupti_kind kind, const char *chip,
			     const char *const *names, size_t count,
			     struct tacho__cupti_config *out_config);

/* What a pass of it collects: ids of counters. */
int tacho__cupti_list_counters(const struct tacho__cupti_config *config, size_t pass,
			       struct tacho__arena *arena, struct tacho__cupti_names *out_ids);

/* Tells what metrics are worked out of; for one thread at a time. */
struct tacho__cupti_evaluator {
	void *evaluator;
	uint8_t *scratch;
};

int tacho__cupti_evaluator_open(const char *chip, struct tacho__cupti_evaluator *out_evaluator);
void tacho__cupti_evaluator_close(struct tacho__cupti_evaluator *evaluator);
/* The ids of the counters that a whole name needs. */
int tacho__cupti_list_needs(const struct tacho__cupti_evaluator *evaluator, const char *name,
			    struct tacho__arena *arena, struct tacho__cupti_names *out_ids);

#endif
