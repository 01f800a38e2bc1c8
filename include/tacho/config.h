/* SPDX-License-Identifier: MIT */
/* A config: the counters and metrics that are wanted of one architecture or device. */
#ifndef TACHO_CONFIG_H
#define TACHO_CONFIG_H

#include <stddef.h>
#include <stdint.h>

#include <tacho/catalog.h>
#include <tacho/export.h>
#include <tacho/result.h>

#ifdef __cplusplus
extern "C" {
#endif

struct tacho_config;

/* How ranges that overlap on the device are counted; entries of both kinds never share a pass. */
enum tacho_mode {
	TACHO_MODE_DEFAULT = 0, /* as the device does it; a mode of its own next to the others */
	TACHO_MODE_SERIALIZED,	/* a range has the device for itself: its isolated cost */
	TACHO_MODE_PIPELINED,	/* ranges run on as they do without counting: incremental cost */
	TACHO_MODE_COUNT,
};

/* "serialized"; "default" of the default, "unknown" of what is none. Static. */
TACHO_API const char *tacho_mode_to_string(uint32_t mode);

struct tacho_config_entry {
	const char *name;	  /* of a counter or metric of the architecture */
	uint32_t keeps_instances; /* values of each instance, not reduced when they are captured */
	uint32_t mode;		  /* enum tacho_mode */
	/* tacho_config_parse() says it: a pattern or a set brought it, and not its own name. */
	uint32_t is_from_pattern;
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
/* Plans and sessions that were made of it must be gone. NULL does nothing. */
TACHO_API void tacho_config_destroy(struct tacho_config *config);

struct tacho_config_options {
	size_t size;			 /* sizeof(struct tacho_config_options) */
	const struct tacho_arch *arch;	 /* NULL: what commands tell by themselves, and no more */
	const struct tacho_model *model; /* NULL: none in particular */
	/*
	 * Values of launches are wanted: patterns mean counters of commands too. Else they do only
	 * where there is nothing else; a name always does.
	 */
	uint32_t has_launches;
	/*
	 * All was counted already: that a device cannot count something is no fault. No plan is
	 * made of such a config.
	 */
	uint32_t is_counted;
	/* Names mean these values' own first; without `arch` patterns do too. May be NULL. */
	const struct tacho_result *values;
	/*
	 * Names mean entries of this set of `arch` first, also without what stands before their
	 * last point; patterns mean nothing else. May be NULL.
	 */
	const struct tacho_set *set;
	/* Asked for "UNIT/EVENT/" that `arch` does not have; NULL: nobody. Its failure is told. */
	int (*define)(void *user, const char *text, const struct tacho_entry **out_entry);
	void *user;
	/* Files that stand behind the list, as "@FILE" does in it, with any byte in their names. */
	const char *const *files;
	size_t file_count;
	uint32_t job; /* of files that hold several jobs this one alone, from 1; 0: all */
};

/* What failed. */
struct tacho_config_problem {
	char name[128]; /* that is not known, or cannot be counted; "": none in particular */
};

/*
 * Makes a config of a list as docs/lists.md has it, "VALUBusy,set:basic,L2*,@FILE,X:instances". A
 * pattern or a set leaves out what cannot be counted; a name of its own is an error: NOTFOUND with
 * the nearest names, UNSUPPORTED. INVAL when nothing is named, or for what stands behind a colon;
 * UNSUPPORTED when nothing named can be counted; what reading a file fails with. `options` may be
 * NULL, and `out_problem`, which is filled when it fails. What the options point to is borrowed and
 * must outlive the config. Owned.
 */
TACHO_API int tacho_config_parse(const char *list, const struct tacho_config_options *options,
				 struct tacho_config **out_config,
				 struct tacho_config_problem *out_problem);
/* How many entries patterns and sets left out because they cannot be counted. */
TACHO_API size_t tacho_config_get_left_out_count(const struct tacho_config *config);
/* Kernels that files of the list select: a name, a glob or "regex:RE"; NULL past the last. */
TACHO_API const char *tacho_config_get_kernel(const struct tacho_config *config, size_t index);
/* Kernels that they exclude. */
TACHO_API const char *tacho_config_get_excluded_kernel(const struct tacho_config *config,
						       size_t index);

/* Launches of each kernel, counted from 1 in each process: the `first` to the `last` one. */
struct tacho_iterations {
	uint64_t first, last;
};
/*
 * "[1-2],[5]" or "1-2,5". PARSE with the column. *out_list is in order without overlaps. Owned;
 * free() it.
 */
TACHO_API int tacho_iterations_parse(const char *text, struct tacho_iterations **out_list,
				     size_t *out_count);
/* Those that files of the list select; NULL past the last, and for all launches. */
TACHO_API const struct tacho_iterations *
tacho_config_get_iterations(const struct tacho_config *config, size_t index);
/*
 * What files of the list ask for and is done in another way or not at all, a sentence each; NULL
 * past the last.
 */
TACHO_API const char *tacho_config_get_remark(const struct tacho_config *config, size_t index);

/* In the order given, names as in the definitions; NULL past the last. */
TACHO_API const struct tacho_config_entry *tacho_config_get_entry(const struct tacho_config *config,
								  size_t index);
/* What its values are called: its name, with the mode where it is there in several. */
TACHO_API const char *tacho_config_get_column_name(const struct tacho_config *config, size_t index);
/* Its definition. */
TACHO_API const struct tacho_entry *tacho_config_get_definition(const struct tacho_config *config,
								size_t index);
/* NULL when it has counters of commands alone. */
TACHO_API const struct tacho_arch *tacho_config_get_arch(const struct tacho_config *config);
/* NULL when it is for no model in particular. */
TACHO_API const struct tacho_model *tacho_config_get_model(const struct tacho_config *config);

/* Whether an entry can be in a config: 0, or what tacho_config_create() would say of it. */
TACHO_API int tacho_config_check_entry(const struct tacho_arch *arch,
				       const struct tacho_model *model,
				       const struct tacho_entry *entry);

#ifdef __cplusplus
}
#endif

#endif
