/* SPDX-License-Identifier: MIT */
/*
 * An array of a JSON document as CSV: a row for each object, a column for each key that one of them
 * has. Every list that the command prints as JSON can be a table without being written twice.
 */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/array.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/json.h"
#include "base/number.h"
#include "format/csv.h"
#include "tacho/sys/json.h"

/* The keys of all objects, in the order in which they are met first. */
struct keys {
	const char **keys;
	size_t count, capacity;
};

static bool has_key(const struct keys *keys, const char *key)
{
	for (size_t i = 0; i < keys->count; i++)
		if (strcmp(keys->keys[i], key) == 0)
			return true;
	return false;
}

static int find_keys(const struct tacho__json *object, struct keys *keys)
{
	int rc;

	for (; object; object = object->next)
		for (const struct tacho__json *at = object->first; at; at = at->next) {
			if (!at->key || has_key(keys, at->key))
				continue;
			rc = tacho__array_add(&keys->keys, &keys->capacity, &keys->count, &at->key,
					      sizeof(at->key));
			if (rc)
				return rc;
		}
	return 0;
}

static void put_number(struct tacho__buf *text, const struct tacho__json *value)
{
	char number[TACHO__NUMBER_MAX];

	if (value->is_whole)
		tacho__number_format_whole(value->whole, number);
	else
		tacho__number_format(value->number, number);
	tacho__buf_put(text, number);
}

/* Elements with ";" between, members as KEY=VALUE; null is nothing. */
static void put_value(struct tacho__buf *text, const struct tacho__json *value)
{
	switch (value->type) {
	case TACHO__JSON_NULL: return;
	case TACHO__JSON_BOOL: tacho__buf_put(text, value->boolean ? "true" : "false"); return;
	case TACHO__JSON_NUMBER: put_number(text, value); return;
	case TACHO__JSON_STRING: tacho__buf_put(text, value->string); return;
	case TACHO__JSON_ARRAY:
	case TACHO__JSON_OBJECT: break;
	}
	for (const struct tacho__json *at = value->first; at; at = at->next) {
		if (at->key)
			tacho__buf_printf(text, "%s=", at->key);
		put_value(text, at);
		if (at->next)
			tacho__buf_put(text, ";");
	}
}

static int write_row(const struct tacho__json *object, const struct keys *keys, FILE *stream)
{
	struct tacho__buf text = {0};
	bool failed = false;

	for (size_t i = 0; i < keys->count && !failed; i++) {
		const struct tacho__json *value = tacho__json_get(object, keys->keys[i]);

		tacho__buf_clear(&text);
		if (value)
			put_value(&text, value);
		if (i)
			putc(',', stream);
		failed = text.failed;
		if (!failed)
			tacho_csv_write_text(stream, tacho__buf_text(&text));
	}
	fputs("\r\n", stream);
	tacho__buf_finish(&text);
	return failed ? TACHO_E_NOMEM : 0;
}

static int write_table(const struct tacho__json *objects, FILE *stream)
{
	struct keys keys = {0};
	int rc = find_keys(objects, &keys);

	for (size_t i = 0; !rc && i < keys.count; i++) {
		if (i)
			putc(',', stream);
		tacho_csv_write_text(stream, keys.keys[i]);
	}
	if (!rc && keys.count)
		fputs("\r\n", stream);
	for (; !rc && objects; objects = objects->next)
		rc = write_row(objects, &keys, stream);
	free(keys.keys);
	return rc;
}

int tacho_json_write_csv(const char *text, size_t size, const char *array, FILE *stream)
{
	struct tacho__arena arena = {0};
	struct tacho__json *root;
	size_t count;
	int rc;

	if (!text || !array || !stream)
		return tacho__fail_null(__func__);
	rc = tacho__json_parse(&arena, text, size, &root);
	if (!rc)
		rc = write_table(tacho__json_items(root, array, &count), stream);
	tacho__arena_finish(&arena);
	return rc;
}
