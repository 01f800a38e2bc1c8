/* SPDX-License-Identifier: MIT */
/* The configuration file of the command, as a list. For the command: no ABI promise. */
#ifndef TACHO_SYS_SETTINGS_H
#define TACHO_SYS_SETTINGS_H

#include <stddef.h>

#include <tacho/export.h>

#ifdef __cplusplus
extern "C" {
#endif

struct tacho_settings;

/* A scalar of the file. A sequence is a setting for each of its elements. */
struct tacho_setting {
	const char *section; /* the mapping that it stands in, "" at the top */
	const char *key, *value;
	unsigned line;
};

/*
 * Reads a YAML file whose top is a mapping of keys to scalars and sequences, and of names of
 * sections to such mappings. Owned; free with tacho_settings_destroy(). NOTFOUND: there is no file.
 * PARSE with its name and line; PERM, IO, NOMEM.
 */
TACHO_API int tacho_settings_read(const char *path, struct tacho_settings **out_settings);
TACHO_API void tacho_settings_destroy(struct tacho_settings *settings);

/* In the order of the file; NULL past the last. Borrowed. */
TACHO_API const struct tacho_setting *tacho_settings_get(const struct tacho_settings *settings,
							 size_t index);

#ifdef __cplusplus
}
#endif

#endif
