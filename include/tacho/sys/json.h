/* SPDX-License-Identifier: MIT */
/* A JSON writer that cannot write invalid JSON. For the command and tests: no ABI promise. */
#ifndef TACHO_SYS_JSON_H
#define TACHO_SYS_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <tacho/export.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { TACHO_JSON_DEPTH_MAX = 32, TACHO_JSON_PENDING_MAX = 2048 };

/*
 * Writes to a stream. Keys are NULL inside arrays and at the top. Characters that are not seen
 * (sys/character.h) are escaped as JSON has it, bytes that are no UTF-8 are spelled. Errors of the
 * stream stay in it (ferror).
 */
struct tacho_json {
	FILE *stream;
	unsigned depth;
	bool indent; /* one member per line; else all on one line */
	bool has_member[TACHO_JSON_DEPTH_MAX];
	bool is_array[TACHO_JSON_DEPTH_MAX];
	/* What the stream gets when the outermost object ends, or when it is this much. */
	size_t pending_size;
	char pending[TACHO_JSON_PENDING_MAX];
};

TACHO_API void tacho_json_init(struct tacho_json *json, FILE *stream, bool indent);
TACHO_API void tacho_json_begin_object(struct tacho_json *json, const char *key);
TACHO_API void tacho_json_begin_array(struct tacho_json *json, const char *key);
TACHO_API void tacho_json_end(struct tacho_json *json);
TACHO_API void tacho_json_add_string(struct tacho_json *json, const char *key, const char *value);
/* The text, or null when it is NULL or empty. */
TACHO_API void tacho_json_add_text(struct tacho_json *json, const char *key, const char *text);
TACHO_API void tacho_json_add_unsigned(struct tacho_json *json, const char *key, uint64_t value);
/* The number, or null when it is not known. */
TACHO_API void tacho_json_add_known(struct tacho_json *json, const char *key, bool known,
				    uint64_t value);
TACHO_API void tacho_json_add_integer(struct tacho_json *json, const char *key, int64_t value);
TACHO_API void tacho_json_add_real(struct tacho_json *json, const char *key, double value);
TACHO_API void tacho_json_add_bool(struct tacho_json *json, const char *key, bool value);
TACHO_API void tacho_json_add_null(struct tacho_json *json, const char *key);
/* Closes what is open and ends the line. */
TACHO_API void tacho_json_finish(struct tacho_json *json);

/*
 * Writes the objects of the array that is the member `array` of a document as CSV (RFC 4180): a
 * header of all keys, in the order in which they are met first, and a row for each object. Null and
 * what is missing is an empty cell; elements of arrays have ";" between them, members of objects
 * are KEY=VALUE. Errors of the stream stay in it. PARSE, NOMEM.
 */
TACHO_API int tacho_json_write_csv(const char *text, size_t size, const char *array, FILE *stream);

#ifdef __cplusplus
}
#endif

#endif
