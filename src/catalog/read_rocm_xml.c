/* SPDX-License-Identifier: MIT */
/*
 * ROCm's documents show metrics also as "<metric name="A" expr=B+C descr="text"></metric>", the
 * form of its older files. No current ROCm reads it; the refusal says the same in YAML.
 */
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "catalog/read_rocm.h"

static const char open_tag[] = "<metric";

enum { SEARCH_BYTES = 1 << 16, VALUE_MAX = 240 };

/* The value of an attribute between `at` and `end`, quoted or up to a blank; "" without it. */
static void read_attribute(const char *at, const char *end, const char *key, char *out)
{
	size_t key_size = strlen(key), size = 0;

	out[0] = '\0';
	for (; at + key_size + 1 < end; at++)
		if ((at[-1] == ' ' || at[-1] == '\t') && !memcmp(at, key, key_size) &&
		    at[key_size] == '=')
			break;
	if (at + key_size + 1 >= end)
		return;
	at += key_size + 1;
	if (*at == '"' || *at == '\'') {
		const char *close = memchr(at + 1, *at, (size_t)(end - at - 1));

		end = close ? close : end;
		at++;
	} else {
		while (at + size < end && !strchr(" \t\r\n>", at[size]))
			size++;
		end = at + size;
	}
	for (size = 0; at < end && size < VALUE_MAX - 1; at++)
		if ((unsigned char)*at >= ' ' && *at != '"' && *at != '\\')
			out[size++] = *at;
	out[size] = '\0';
}

static const char *find_metric(const char *text, size_t size)
{
	size_t search = size < SEARCH_BYTES ? size : SEARCH_BYTES;
	const char *at = memmem(text, search, open_tag, strlen(open_tag));

	if (!at || (size_t)(at - text) + strlen(open_tag) >= size)
		return NULL;
	return strchr(" \t\r\n", at[strlen(open_tag)]) ? at : NULL;
}

int tacho__rocm_xml_is(const char *text, size_t size)
{
	return find_metric(text, size) != NULL;
}

/* Where the metric that begins at `at` ends: before its closing tag, or the next metric. */
static const char *find_end(const char *at, const char *end)
{
	static const char *const marks[] = {"</metric", open_tag};

	for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++) {
		const char *mark = memmem(at, (size_t)(end - at), marks[i], strlen(marks[i]));

		end = mark ? mark : end;
	}
	return end;
}

int tacho__rocm_xml_refuse(const char *file, const char *text, size_t size)
{
	char name[VALUE_MAX] = "", expression[VALUE_MAX] = "", description[VALUE_MAX] = "";
	char block[VALUE_MAX] = "", event[VALUE_MAX] = "", what[2 * VALUE_MAX + 32];
	const char *at = find_metric(text, size);

	if (at) {
		const char *end;

		at += strlen(open_tag) + 1;
		end = find_end(at, text + size);
		read_attribute(at, end, "name", name);
		read_attribute(at, end, "expr", expression);
		read_attribute(at, end, "descr", description);
		read_attribute(at, end, "block", block);
		read_attribute(at, end, "event", event);
	}
	if (*block && !*expression)
		snprintf(what, sizeof(what), "block: %s, event: %s", block, event);
	else
		snprintf(what, sizeof(what), "expression: \"%s\"", expression);
	return tacho__fail(
		TACHO_E_PARSE,
		"it has ROCm's older form \"<metric name=...>\", which ROCm reads no more",
		tacho__detail("write it as YAML, with your architectures: %s: "
			      "{architectures: {gfx90a/gfx942: {%s}}, description: "
			      "\"%s\"}",
			      *name ? name : "NAME", what, description),
		"cannot read the definitions in %s", file);
}
