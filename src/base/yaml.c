/* SPDX-License-Identifier: MIT */
/* The tree from libyaml's events, built without recursion. */
#include "base/yaml.h"

#include <stdbool.h>
#include <string.h>
#include <yaml.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/fs.h"
#include "base/text.h"

enum { TEXT_MAX = 16 << 20, DEPTH_MAX = 64, NODE_MAX = 4000000 };

/* A sequence or mapping that is open. */
struct level {
	struct tacho__yaml *node;
	struct tacho__yaml **next; /* where its next child goes */
	const char *key;	   /* of the value to come; NULL: a key comes first */
	uint32_t key_line, key_column;
};

struct parser {
	struct tacho__arena *arena;
	const char *name, *text;
	size_t size;
	yaml_parser_t yaml;
	struct level levels[DEPTH_MAX];
	size_t depth, node_count;
	struct tacho__yaml *root;
};

static int fail(const struct parser *p, const yaml_mark_t *mark, const char *cause,
		const char *cure)
{
	return tacho__fail(TACHO_E_PARSE, cause, cure, "malformed YAML in %s, line %zu, column %zu",
			   p->name, mark->line + 1, mark->column + 1);
}

/* What libyaml said. Its reader gives an offset instead of a mark. */
static int fail_libyaml(const struct parser *p)
{
	const yaml_parser_t *yaml = &p->yaml;
	yaml_mark_t mark = yaml->problem_mark;

	if (yaml->error == YAML_MEMORY_ERROR)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory to read %s", p->name);
	if (yaml->error == YAML_READER_ERROR) {
		memset(&mark, 0, sizeof(mark));
		for (size_t i = 0; i < yaml->problem_offset && i < p->size; i++) {
			mark.column = p->text[i] == '\n' ? 0 : mark.column + 1;
			mark.line += p->text[i] == '\n';
		}
	}
	return fail(p, &mark, yaml->problem ? yaml->problem : "", "");
}

/* A new node in its place: the root, the value of a key, or the next of a sequence. */
static int add_node(struct parser *p, enum tacho__yaml_type type, const yaml_mark_t *mark,
		    struct tacho__yaml **out_node)
{
	struct level *level = p->depth ? &p->levels[p->depth - 1] : NULL;
	struct tacho__yaml *node;

	if (++p->node_count > NODE_MAX)
		return fail(p, mark, tacho__detail("it has more than %d values", NODE_MAX),
			    "split the file");
	node = tacho__arena_get(p->arena, sizeof(*node));
	if (!node)
		return TACHO_E_NOMEM;
	node->type = type;
	node->line = (uint32_t)mark->line + 1;
	node->column = (uint32_t)mark->column + 1;
	node->text = "";
	if (!level) {
		p->root = node;
	} else {
		node->key = level->key;
		node->key_line = level->key_line;
		node->key_column = level->key_column;
		level->key = NULL;
		*level->next = node;
		level->next = &node->next;
	}
	*out_node = node;
	return 0;
}

static bool wants_key(const struct parser *p)
{
	const struct level *level = p->depth ? &p->levels[p->depth - 1] : NULL;

	return level && level->node->type == TACHO__YAML_MAPPING && !level->key;
}

static int on_scalar(struct parser *p, const yaml_event_t *event)
{
	const char *value = (const char *)event->data.scalar.value;
	size_t size = event->data.scalar.length;
	struct tacho__yaml *node = NULL;
	const char *text = tacho__arena_text(p->arena, value, size);
	int rc;

	if (!text)
		return TACHO_E_NOMEM;
	if (wants_key(p)) {
		struct level *level = &p->levels[p->depth - 1];

		level->key = text;
		level->key_line = (uint32_t)event->start_mark.line + 1;
		level->key_column = (uint32_t)event->start_mark.column + 1;
		return 0;
	}
	rc = add_node(p, TACHO__YAML_SCALAR, &event->start_mark, &node);
	if (rc)
		return rc;
	node->text = text;
	node->size = size;
	node->is_quoted = event->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
	return 0;
}

static int on_start(struct parser *p, const yaml_event_t *event, enum tacho__yaml_type type)
{
	struct tacho__yaml *node = NULL;
	int rc;

	if (wants_key(p))
		return fail(p, &event->start_mark, "a key is a list or a mapping",
			    "write keys as plain words");
	if (p->depth == DEPTH_MAX)
		return fail(p, &event->start_mark,
			    tacho__detail("it is nested deeper than %d levels", DEPTH_MAX), "");
	rc = add_node(p, type, &event->start_mark, &node);
	if (rc)
		return rc;
	p->levels[p->depth++] = (struct level){.node = node, .next = &node->first};
	return 0;
}

static int on_event(struct parser *p, const yaml_event_t *event, bool *out_done)
{
	switch (event->type) {
	case YAML_SCALAR_EVENT: return on_scalar(p, event);
	case YAML_SEQUENCE_START_EVENT: return on_start(p, event, TACHO__YAML_SEQUENCE);
	case YAML_MAPPING_START_EVENT: return on_start(p, event, TACHO__YAML_MAPPING);
	case YAML_SEQUENCE_END_EVENT:
	case YAML_MAPPING_END_EVENT: p->depth--; return 0;
	case YAML_ALIAS_EVENT:
		return fail(p, &event->start_mark,
			    tacho__detail("*%.60s is an alias, and aliases are not read",
					  (const char *)event->data.alias.anchor),
			    "write the value out where it is used");
	case YAML_DOCUMENT_END_EVENT:
	case YAML_STREAM_END_EVENT: *out_done = true; return 0;
	default: return 0;
	}
}

int tacho__yaml_parse(struct tacho__arena *arena, const char *name, const char *text, size_t size,
		      const struct tacho__yaml **out_root)
{
	struct parser p = {.arena = arena, .name = name, .text = text, .size = size};
	bool done = false;
	int rc = 0;

	if (size > TEXT_MAX)
		return tacho__fail(TACHO_E_PARSE,
				   tacho__detail("it has %zu bytes, more than %d", size, TEXT_MAX),
				   "split the file", "cannot read %s", name);
	if (!yaml_parser_initialize(&p.yaml))
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory to read %s", name);
	yaml_parser_set_input_string(&p.yaml, (const unsigned char *)text, size);
	while (!done && !rc) {
		yaml_event_t event;

		if (!yaml_parser_parse(&p.yaml, &event)) {
			rc = fail_libyaml(&p);
			break;
		}
		rc = on_event(&p, &event, &done);
		yaml_event_delete(&event);
	}
	yaml_parser_delete(&p.yaml);
	if (!rc && !p.root)
		rc = tacho__fail(TACHO_E_PARSE, "there is nothing in it but blanks and comments",
				 "", "cannot read %s", name);
	if (!rc)
		*out_root = p.root;
	return rc;
}

int tacho__yaml_read(struct tacho__arena *arena, const char *path, size_t max,
		     const struct tacho__yaml **out_root)
{
	struct tacho__buf text = {0};
	int rc = tacho__fs_read(path, max, &text);

	if (!rc)
		rc = tacho__yaml_parse(arena, path, tacho__buf_text(&text), text.size, out_root);
	tacho__buf_finish(&text);
	return rc;
}

size_t tacho__yaml_count(const struct tacho__yaml *node)
{
	size_t count = 0;

	for (const struct tacho__yaml *each = node ? node->first : NULL; each; each = each->next)
		count++;
	return count;
}

const struct tacho__yaml *tacho__yaml_get(const struct tacho__yaml *mapping, const char *key)
{
	if (!mapping || mapping->type != TACHO__YAML_MAPPING)
		return NULL;
	for (const struct tacho__yaml *member = mapping->first; member; member = member->next)
		if (!strcmp(member->key, key))
			return member;
	return NULL;
}

const struct tacho__yaml *tacho__yaml_first(const struct tacho__yaml *mapping, const char *key)
{
	const struct tacho__yaml *member = tacho__yaml_get(mapping, key);

	return member ? member->first : NULL;
}

const char *tacho__yaml_string(const struct tacho__yaml *mapping, const char *key,
			       const char *otherwise)
{
	const struct tacho__yaml *member = tacho__yaml_get(mapping, key);

	return member && member->type == TACHO__YAML_SCALAR ? member->text : otherwise;
}

int tacho__yaml_number(const struct tacho__yaml *scalar, uint64_t *out_number)
{
	const char *text = scalar && scalar->type == TACHO__YAML_SCALAR ? scalar->text : "";
	bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
	uint64_t number = 0, base = hex ? 16 : 10;
	const char *at = hex ? text + 2 : text;

	if (!*at || strlen(text) != (scalar ? scalar->size : 0))
		goto no_number;
	for (; *at; at++) {
		unsigned digit = tacho__hex_digit(*at);

		if (digit >= base || __builtin_mul_overflow(number, base, &number) ||
		    __builtin_add_overflow(number, digit, &number))
			goto no_number;
	}
	*out_number = number;
	return 0;
no_number:
	return tacho__fail(TACHO_E_INVAL, "",
			   "write a whole number below 2^64, decimal or with 0x before it",
			   "\"%.60s\" is no whole number", text);
}
