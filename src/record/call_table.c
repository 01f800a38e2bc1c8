/* SPDX-License-Identifier: MIT */
/* Parsing call tables: they come from a recording, so nothing in them is trusted. */
#include "record/call_table.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"

enum { FORMAT_VERSION = 1, MEMBERS_MAX = 16 };

struct parser {
	struct tacho__arena *arena;
	struct tacho__call_table *table;
	unsigned line;
	char *at; /* in a copy of the text that is cut into words */
};

static int fail(const struct parser *p, const char *what)
{
	return tacho__fail(TACHO_E_PARSE, what, "", "malformed call table, line %u", p->line);
}

/* The next word of the line, NULL at its end. */
static char *word(struct parser *p)
{
	char *start = p->at;

	if (!*start)
		return NULL;
	p->at += strcspn(p->at, " ");
	if (*p->at)
		*p->at++ = '\0';
	return start;
}

static bool number(const char *text, long long *out_number)
{
	char *end;

	if (!text || !*text)
		return false;
	*out_number = strtoll(text, &end, 10);
	return !*end;
}

static struct tacho__enum *find_enum(const struct parser *p, const char *name)
{
	for (const struct tacho__enum *e = p->table->enums; e; e = e->next)
		if (!strcmp(e->name, name))
			return (struct tacho__enum *)e;
	return NULL;
}

/* An enum may be named before its line: it is then there without constants. */
static struct tacho__enum *need_enum(struct parser *p, const char *name)
{
	struct tacho__enum *set = find_enum(p, name);

	if (set)
		return set;
	set = tacho__arena_get(p->arena, sizeof(*set));
	if (!set)
		return NULL;
	set->name = name;
	set->next = p->table->enums;
	p->table->enums = set;
	return set;
}

/* "u4", "e4:ENUM", "lx8", "s" */
static bool parse_value_show(struct parser *p, char *text, struct tacho__value_show *show)
{
	char *set = strchr(text, ':');

	if (set)
		*set++ = '\0';
	if (*text == 'l') {
		show->list = true;
		text++;
	}
	if (!*text || !strchr("uxbsemip", *text))
		return false;
	show->kind = *text == 'p' ? 'x' : *text;
	show->width = text[1] ? (uint8_t)(text[1] - '0') : 1;
	if (show->width != 1 && show->width != 2 && show->width != 4 && show->width != 8)
		return false;
	if (set || *text == 'b')
		show->set = need_enum(p, set ? set : "bool");
	return !strchr("emb", *text) || show->set;
}

static int compare_constants(const void *left, const void *right)
{
	int64_t a = ((const struct tacho__constant *)left)->value;
	int64_t b = ((const struct tacho__constant *)right)->value;

	return a < b ? -1 : a > b;
}

static int parse_enum(struct parser *p)
{
	char *name = word(p), *item;
	struct tacho__enum *set;
	size_t room = 0, count = 0;

	if (!name)
		return fail(p, "an enum without a name");
	set = need_enum(p, name);
	if (!set)
		return TACHO_E_NOMEM;
	for (const char *c = p->at; *c; c++)
		room += *c == '=';
	set->constants = tacho__arena_get(p->arena, (room + 1) * sizeof(*set->constants));
	if (!set->constants)
		return TACHO_E_NOMEM;
	while ((item = word(p)) && count < room) {
		struct tacho__constant *constant = &set->constants[count++];
		char *equals = strchr(item, '='), *show;
		long long value;

		if (!equals)
			return fail(p, "a constant without a value");
		*equals = '\0';
		if (!number(item, &value))
			return fail(p, "a constant's value is no number");
		constant->value = value;
		constant->name = equals + 1;
		show = strchr(equals + 1, ':');
		if (show) {
			*show++ = '\0';
			if (!parse_value_show(p, show, &constant->show))
				return fail(p, "an unknown way to show a value");
		}
	}
	set->count = count;
	qsort(set->constants, count, sizeof(*set->constants), compare_constants);
	return 0;
}

static int parse_show(struct parser *p, char *text, struct tacho__show *show);

/* A scalar inside a list, output or structure. */
static const struct tacho__show *parse_inner(struct parser *p, char *text)
{
	struct tacho__show *inner = tacho__arena_get(p->arena, sizeof(*inner));

	if (!inner || !*text || !strchr("uixbfem", *text) || parse_show(p, text, inner))
		return NULL;
	return inner;
}

static int parse_members(struct parser *p, char *text, struct tacho__show *show)
{
	const struct tacho__show **next = &show->inner;
	unsigned count = 0;

	while (text && *text) {
		char *comma = strchr(text, ',');

		if (comma)
			*comma++ = '\0';
		*next = parse_inner(p, text);
		if (!*next || ++count > MEMBERS_MAX)
			return fail(p, "a structure's member is none");
		next = &((struct tacho__show *)*next)->next;
		text = comma;
	}
	return 0;
}

/* `v:NAME` keeps the name in `inner` until the function's arguments are known: see bind_queries().
 */
static int parse_show(struct parser *p, char *text, struct tacho__show *show)
{
	char *rest = strchr(text, ':');

	show->kind = *text;
	if (!*text || !strchr("uhixbfemsloptv", *text) || (text[1] && text[1] != ':'))
		return fail(p, "an unknown way to show an argument");
	if (*text == 'b') {
		show->set = need_enum(p, "bool");
		return show->set ? 0 : TACHO_E_NOMEM;
	}
	if (strchr("uhixfs", *text))
		return 0;
	if (!rest || !rest[1])
		return fail(p, "a way to show an argument lacks its second part");
	rest++;
	switch (*text) {
	case 'e':
	case 'm':
	case 'p': show->set = need_enum(p, rest); return show->set ? 0 : TACHO_E_NOMEM;
	case 't': return parse_members(p, rest, show);
	case 'v': show->inner = (const void *)rest; return 0;
	default:
		show->inner = parse_inner(p, rest);
		return show->inner ? 0 : fail(p, "a list or output of something that is no scalar");
	}
}

static int argument_index(const struct tacho__function *function, const char *name)
{
	for (size_t i = 0; i < function->count; i++)
		if (!strcmp(function->arguments[i].name, name))
			return (int)i;
	return -1;
}

static int bind_queries(struct parser *p, struct tacho__function *function)
{
	function->errcode = argument_index(function, "errcode_ret");
	for (size_t i = 0; i < function->count; i++) {
		struct tacho__show *show = &function->arguments[i].show;
		int argument;

		if (show->kind != 'v')
			continue;
		argument = argument_index(function, (const char *)(const void *)show->inner);
		if (argument < 0 || argument >= (int)i ||
		    function->arguments[argument].show.kind != 'e')
			return fail(p, "a query's value names no argument before it");
		show->inner = NULL;
		show->argument = (uint32_t)argument;
	}
	return 0;
}

static struct tacho__function *find_function(struct parser *p, const char *index_text)
{
	long long index;

	if (!number(index_text, &index) || index < 0 || index >= TACHO__FUNCTIONS_MAX)
		return NULL;
	return &p->table->functions[index];
}

static int parse_arguments(struct parser *p, struct tacho__function *function)
{
	size_t room = 0;
	char *item;
	int rc;

	for (const char *c = p->at; *c; c++)
		room += *c == '=';
	if (room > TACHO__ARGUMENTS_COUNT_MAX)
		return fail(p, "too many arguments");
	function->arguments = tacho__arena_get(p->arena, (room + 1) * sizeof(*function->arguments));
	function->shown = tacho__arena_get(p->arena, room + 1);
	if (!function->arguments || !function->shown)
		return TACHO_E_NOMEM;
	while ((item = word(p))) {
		struct tacho__argument *argument = &function->arguments[function->count];
		char *equals = strchr(item, '=');

		if (!equals || function->count >= room)
			return fail(p, "an argument without a way to show it");
		*equals = '\0';
		argument->name = item;
		rc = parse_show(p, equals + 1, &argument->show);
		if (rc)
			return rc;
		if (argument->show.kind != TACHO__SHOW_HIDDEN)
			function->shown[function->shown_count++] = (uint8_t)function->count;
		function->count++;
	}
	return bind_queries(p, function);
}

static int parse_function(struct parser *p)
{
	struct tacho__function *function = find_function(p, word(p));
	const char *number_text = word(p), *name = word(p);
	char *result = word(p);
	long long api_number;
	int rc;

	if (!function || !number(number_text, &api_number) || !name || !result)
		return fail(p, "a function lacks index, number, name or result");
	if (function->known)
		return fail(p, "a function's index was used before");
	function->function.api = p->table->api;
	function->function.name = name;
	function->function.number = (int)api_number;
	if (strcmp(result, "-")) {
		rc = parse_show(p, result, &function->result);
		if (rc)
			return rc;
		if (!strchr("uixbfe", function->result.kind))
			return fail(p, "a result that is no scalar");
		function->has_result = true;
	}
	rc = parse_arguments(p, function);
	function->known = !rc;
	return rc;
}

static int parse_roles(struct parser *p, const struct tacho__function *function,
		       struct tacho__command_form *form)
{
	static const char *const roles[TACHO__ROLES] = {
		"queue", "kernel", "dims",     "global",  "local",
		"bytes", "scale",  "template", "version", "extra_local"};
	char *item;

	for (int i = 0; i < TACHO__ROLES; i++)
		form->role[i] = -1;
	while ((item = word(p))) {
		char *equals = strchr(item, '=');
		int role = 0;

		if (equals)
			*equals++ = '\0';
		while (role < TACHO__ROLES && strcmp(roles[role], item))
			role++;
		if (!equals || role == TACHO__ROLES)
			continue; /* a role of a later version */
		form->role[role] = argument_index(function, equals);
		if (form->role[role] < 0)
			return fail(p, "a role names no argument");
	}
	return 0;
}

static int parse_command(struct parser *p)
{
	static const char *const kinds[] = {"",	    "kernel", "write", "read",	"copy",
					    "fill", "map",    "unmap", "other", "buffer"};
	struct tacho__function *function = find_function(p, word(p));
	const char *kind = word(p), *code_text = word(p), *name = word(p);
	struct tacho__command_form *form = tacho__arena_get(p->arena, sizeof(*form));
	long long code;
	int rc;

	if (!form)
		return TACHO_E_NOMEM;
	if (!function || !function->known || !kind || !number(code_text, &code) || !name)
		return fail(p, "a command lacks function, kind, code or name");
	form->kind = TACHO_COMMAND_OTHER;
	for (size_t i = 1; i < TACHO__ARRAY_SIZE(kinds); i++)
		if (!strcmp(kinds[i], kind))
			form->kind = (enum tacho_command_kind)i;
	form->code = (uint32_t)code;
	form->name = name;
	rc = parse_roles(p, function, form);
	function->command = form;
	return rc;
}

enum mark { POLL, WAIT, BARE, SUBMIT, SHOW, DRAW, MARKS };

/* MARKS: the word is none. */
static enum mark find_mark(const char *word)
{
	static const char *const words[MARKS] = {"poll", "wait", "bare", "submit", "show", "draw"};
	int mark = 0;

	while (mark < MARKS && strcmp(words[mark], word))
		mark++;
	return (enum mark)mark;
}

/* What the functions with these indexes are. */
static int parse_marks(struct parser *p, enum mark mark)
{
	char *item;

	while ((item = word(p))) {
		struct tacho__function *function = find_function(p, item);

		if (!function)
			return fail(p, "a mark of no function");
		function->is_poll |= mark == POLL;
		function->waits |= mark == WAIT;
		function->is_bare |= mark == BARE;
		function->function.submits |= mark == SUBMIT;
		function->function.shows |= mark == SHOW;
		function->draws |= mark == DRAW;
	}
	return 0;
}

static int parse_good(struct parser *p)
{
	const char *name = word(p);
	struct tacho__enum *set = name ? need_enum(p, name) : NULL;
	size_t room = 1, count = 0;
	long long value;
	int64_t *good;
	char *item;

	if (!name)
		return fail(p, "good results of no enum");
	for (const char *c = p->at; *c; c++)
		room += *c == ' ';
	good = tacho__arena_get(p->arena, room * sizeof(*good));
	if (!set || !good)
		return TACHO_E_NOMEM;
	while ((item = word(p))) {
		if (count == room || !number(item, &value))
			return fail(p, "a good result is no number");
		good[count++] = value;
	}
	set->good = good;
	set->good_count = count;
	return 0;
}

/* Names of functions and constants are printed as they are. */
static bool is_plain(const char *line)
{
	while (*line >= ' ' && *line < 0x7f)
		line++;
	return !*line;
}

static int parse_line(struct parser *p)
{
	const char *first;
	long long version;

	if (!is_plain(p->at))
		return fail(p, "a character that no name has");
	first = word(p);
	if (!first)
		return 0;
	if (!strcmp(first, "calls")) {
		if (!number(word(p), &version) || p->table->api)
			return fail(p, "a bad first line");
		if (version != FORMAT_VERSION)
			return tacho__fail(TACHO_E_VERSION,
					   tacho__detail("its call table has format %lld", version),
					   "read it with the tacho that made it, or a newer one",
					   "cannot read the recording");
		p->table->api = word(p);
		return p->table->api ? 0 : fail(p, "the API has no name");
	}
	if (!p->table->api)
		return fail(p, "it does not begin with its format");
	if (!strcmp(first, "enum"))
		return parse_enum(p);
	if (!strcmp(first, "func"))
		return parse_function(p);
	if (!strcmp(first, "cmd"))
		return parse_command(p);
	if (find_mark(first) != MARKS)
		return parse_marks(p, find_mark(first));
	if (!strcmp(first, "good"))
		return parse_good(p);
	return 0; /* a line of a later version */
}

int tacho__call_table_parse(struct tacho__arena *arena, const char *text, size_t size,
			    struct tacho__call_table **out_table)
{
	struct parser p = {.arena = arena};
	char *copy = tacho__arena_text(arena, text, size), *line = copy;
	int rc = 0;

	p.table = tacho__arena_get(arena, sizeof(*p.table));
	if (!copy || !p.table)
		return TACHO_E_NOMEM;
	p.table->functions =
		tacho__arena_get(arena, TACHO__FUNCTIONS_MAX * sizeof(*p.table->functions));
	if (!p.table->functions)
		return TACHO_E_NOMEM;
	while (!rc && line) {
		char *end = strchr(line, '\n');

		if (end)
			*end++ = '\0';
		p.at = line;
		p.line++;
		rc = parse_line(&p);
		line = end;
	}
	if (!rc && !p.table->api)
		rc = fail(&p, "it is empty");
	if (!rc)
		*out_table = p.table;
	return rc;
}

const struct tacho__constant *tacho__enum_find(const struct tacho__enum *set, int64_t value)
{
	size_t low = 0, high = set ? set->count : 0;
	uint64_t place = high ? (uint64_t)value - (uint64_t)set->constants[0].value : 0;

	if (place < high && set->constants[place].value == value)
		return &set->constants[place]; /* most sets count on without a gap */
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (set->constants[middle].value < value)
			low = middle + 1;
		else
			high = middle;
	}
	return set && low < set->count && set->constants[low].value == value ? &set->constants[low]
									     : NULL;
}

bool tacho__enum_is_failure(const struct tacho__enum *set, int64_t value)
{
	if (!set || !set->good)
		return value < 0;
	for (size_t i = 0; i < set->good_count; i++)
		if (set->good[i] == value)
			return false;
	return true;
}
