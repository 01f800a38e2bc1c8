/* SPDX-License-Identifier: MIT */
/* Reading an API's description: YAML to the model. Names are resolved later, by check.c. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "model.h"

struct reader {
	struct api *api;
	yaml_document_t document;
};

static int line_of(const yaml_node_t *node)
{
	return (int)node->start_mark.line + 1;
}

static const char *text_of(struct reader *r, const yaml_node_t *node, const char *what)
{
	if (node->type != YAML_SCALAR_NODE)
		die(r->api, line_of(node), "%s must be a text", what);
	return keep_text((const char *)node->data.scalar.value, node->data.scalar.length);
}

static yaml_node_t *node_at(struct reader *r, int index)
{
	return yaml_document_get_node(&r->document, index);
}

static size_t pair_count(struct reader *r, const yaml_node_t *node, const char *what)
{
	if (node->type != YAML_MAPPING_NODE)
		die(r->api, line_of(node), "%s must be a mapping", what);
	return (size_t)(node->data.mapping.pairs.top - node->data.mapping.pairs.start);
}

static size_t item_count(struct reader *r, const yaml_node_t *node, const char *what)
{
	if (node->type != YAML_SEQUENCE_NODE)
		die(r->api, line_of(node), "%s must be a list", what);
	return (size_t)(node->data.sequence.items.top - node->data.sequence.items.start);
}

/* The pair `index` of a mapping. */
static const char *pair_at(struct reader *r, const yaml_node_t *node, size_t index,
			   yaml_node_t **out_key, yaml_node_t **out_value)
{
	const yaml_node_pair_t *pair = &node->data.mapping.pairs.start[index];

	*out_key = node_at(r, pair->key);
	*out_value = node_at(r, pair->value);
	return text_of(r, *out_key, "a key");
}

static long number_of(struct reader *r, const yaml_node_t *node, const char *what)
{
	const char *text = text_of(r, node, what);
	char *end;
	long value;

	errno = 0;
	value = strtol(text, &end, 0);
	if (errno || *end || end == text)
		die(r->api, line_of(node), "%s is \"%s\", not a number", what, text);
	return value;
}

/* Cuts the last word off `text`; "" when there is only one. */
static const char *cut_last_word(const char *text, const char **out_head)
{
	const char *blank = strrchr(text, ' ');

	if (!blank) {
		*out_head = text;
		return "";
	}
	*out_head = keep_text(text, (size_t)(blank - text));
	return blank + 1;
}

/* "const cl_event *list" to its parts. */
static void parse_declaration(struct reader *r, int line, const char *text, struct argument *out)
{
	const char *end = text + strlen(text), *name = end, *base, *c;

	while (name > text && name[-1] != ' ' && name[-1] != '*')
		name--;
	if (name == text || name == end)
		die(r->api, line, "\"%s\" is no declaration: TYPE NAME", text);
	out->name = name;
	out->line = line;
	out->is_const = !strncmp(text, "const ", 6);
	base = out->is_const ? text + 6 : text;
	for (c = base; c < name && *c != ' ' && *c != '*'; c++)
		;
	out->base = keep_text(base, (size_t)(c - base));
	for (; c < name; c++) {
		if (*c == '*')
			out->stars++;
		else if (*c != ' ')
			die(r->api, line, "\"%s\" is no declaration: TYPE NAME", text);
	}
}

static void read_argument(struct reader *r, yaml_node_t *node, struct argument *out)
{
	yaml_node_t *key = node, *value = NULL;

	if (node->type == YAML_MAPPING_NODE) {
		if (pair_count(r, node, "an argument") != 1)
			die(r->api, line_of(node),
			    "an argument is DECLARATION or DECLARATION: SHOW");
		pair_at(r, node, 0, &key, &value);
	}
	parse_declaration(r, line_of(key), text_of(r, key, "an argument"), out);
	if (value)
		parse_show(r->api, line_of(value), text_of(r, value, "SHOW"), &out->show);
}

static struct argument *read_arguments(struct reader *r, yaml_node_t *node, const char *what,
				       size_t *out_count)
{
	size_t count = item_count(r, node, what);
	struct argument *arguments = keep(count * sizeof(*arguments));

	for (size_t i = 0; i < count; i++)
		read_argument(r, node_at(r, node->data.sequence.items.start[i]), &arguments[i]);
	*out_count = count;
	return arguments;
}

static void read_types(struct reader *r, yaml_node_t *node)
{
	size_t count = pair_count(r, node, "types");

	r->api->types = keep(count * sizeof(struct type));
	for (size_t i = 0; i < count; i++) {
		struct type *type = &r->api->types[i];
		yaml_node_t *key, *value;
		const char *show;

		type->name = pair_at(r, node, i, &key, &value);
		type->line = line_of(key);
		show = cut_last_word(text_of(r, value, "a type"), &type->c);
		if (!*show)
			die(r->api, type->line, "type %s: write C TYPE, then SHOW", type->name);
		parse_show(r->api, type->line, show, &type->show);
	}
	r->api->type_count = count;
}

static void read_structures(struct reader *r, yaml_node_t *node)
{
	size_t count = pair_count(r, node, "structs");

	r->api->structures = keep(count * sizeof(struct structure));
	for (size_t i = 0; i < count; i++) {
		struct structure *structure = &r->api->structures[i];
		yaml_node_t *key, *value;

		structure->name = pair_at(r, node, i, &key, &value);
		structure->line = line_of(key);
		structure->members = read_arguments(r, value, "members", &structure->count);
	}
	r->api->structure_count = count;
}

static void read_constants(struct reader *r, yaml_node_t *node, struct enumeration *set)
{
	set->count = pair_count(r, node, "an enum");
	set->constants = keep(set->count * sizeof(struct constant));
	for (size_t i = 0; i < set->count; i++) {
		struct constant *constant = &set->constants[i];
		yaml_node_t *key, *value;
		const char *text;
		char *end;

		constant->name = pair_at(r, node, i, &key, &value);
		constant->line = line_of(key);
		text = text_of(r, value, "a constant");
		errno = 0;
		constant->value = strtoll(text, &end, 0);
		if (errno || end == text || (*end && *end != ' '))
			die(r->api, constant->line, "%s is \"%s\", not a number", constant->name,
			    text);
		constant->show = *end ? end + 1 : "";
	}
}

static void read_enums(struct reader *r, yaml_node_t *node)
{
	size_t count = pair_count(r, node, "enums");

	r->api->enums = keep(count * sizeof(struct enumeration));
	for (size_t i = 0; i < count; i++) {
		struct enumeration *set = &r->api->enums[i];
		yaml_node_t *key, *value;

		set->name = pair_at(r, node, i, &key, &value);
		set->line = line_of(key);
		read_constants(r, value, set);
	}
	r->api->enum_count = count;
}

const char *const role_names[ROLES] = {"queue", "kernel", "dims",     "global",	 "local",
				       "bytes", "scale",  "template", "version", "command"};

static void read_role(struct reader *r, struct command *command, const char *word)
{
	const char *equals = strchr(word, '=');

	if (!strcmp(word, "event=required")) {
		command->event_required = true;
		return;
	}
	for (size_t i = 0; equals && i < ROLES; i++) {
		if (strlen(role_names[i]) == (size_t)(equals - word) &&
		    !strncmp(word, role_names[i], (size_t)(equals - word))) {
			command->roles[i] = equals + 1;
			return;
		}
	}
	die(r->api, command->line, "\"%s\" is no role of a command", word);
}

/* "kernel CL_COMMAND_NDRANGE_KERNEL queue=command_queue ..." */
static struct command *read_command(struct reader *r, yaml_node_t *node)
{
	struct command *command = keep(sizeof(*command));
	const char *text = text_of(r, node, "a command");

	command->line = line_of(node);
	for (unsigned i = 0; *text; i++) {
		size_t size = strcspn(text, " ");
		const char *word = keep_text(text, size);

		if (i == 0)
			command->kind = word;
		else if (i == 1)
			command->constant = word;
		else
			read_role(r, command, word);
		text += size + (text[size] == ' ');
	}
	if (!command->constant)
		die(r->api, command->line, "a command is KIND CONSTANT ROLE=ARGUMENT ...");
	return command;
}

/* "NAME ARGUMENT ..." */
static void read_hook(struct reader *r, struct hook *hook, yaml_node_t *value, const char *what)
{
	const char *text = text_of(r, value, what);
	size_t size = strcspn(text, " ");

	hook->name = keep_text(text, size);
	for (size_t i = 0; text[size]; i++) {
		if (i == HOOK_ARGUMENTS_MAX)
			die(r->api, line_of(value), "%s: more than %d arguments", what,
			    HOOK_ARGUMENTS_MAX);
		text += size + 1;
		size = strcspn(text, " ");
		hook->arguments[i] = keep_text(text, size);
	}
}

/* One, or a list of them. */
static void read_lookups(struct reader *r, struct function *function, yaml_node_t *value)
{
	bool is_list = value->type == YAML_SEQUENCE_NODE;
	size_t count = is_list ? item_count(r, value, "lookup") : 1;

	if (count > LOOKUPS_MAX)
		die(r->api, line_of(value), "more than %d lookups", LOOKUPS_MAX);
	for (size_t i = 0; i < count; i++) {
		read_hook(r, &function->lookups[i],
			  is_list ? node_at(r, value->data.sequence.items.start[i]) : value,
			  "lookup");
		if (!function->lookups[i].arguments[0])
			die(r->api, line_of(value), "lookup is NAME ARGUMENT ...");
	}
}

/* "0.9.5" as drivers pack it: 10 bits, 10 bits, 12 bits. */
static unsigned parse_version(struct reader *r, const yaml_node_t *node, const char *text)
{
	unsigned major, minor, patch;
	int size = 0;

	if (sscanf(text, "%u.%u.%u%n", &major, &minor, &patch, &size) != 3 || major > 1023 ||
	    minor > 1023 || patch > 4095 || (text[size] && text[size] != ' '))
		die(r->api, line_of(node), "\"%s\" is no version: MAJOR.MINOR.PATCH", text);
	return major << 22 | minor << 12 | patch;
}

/* "EXTENSION FIRST LAST" */
static void read_versions(struct reader *r, struct function *function, yaml_node_t *value)
{
	const char *text = text_of(r, value, "of"), *first = strchr(text, ' '), *last;

	last = first ? strchr(first + 1, ' ') : NULL;
	if (!last)
		die(r->api, line_of(value), "of is EXTENSION FIRST LAST");
	function->versions.extension = keep_text(text, (size_t)(first - text));
	function->versions.first = parse_version(r, value, first + 1);
	function->versions.last = parse_version(r, value, last + 1);
}

/* "ARGUMENT VERSION" */
static void read_since(struct reader *r, struct function *function, yaml_node_t *value)
{
	const char *version = cut_last_word(text_of(r, value, "since"), &function->since_argument);

	function->since = parse_version(r, value, version);
}

/* "groups=x,y,z": what counts are called, and the arguments that they are. */
static void read_counts(struct reader *r, struct run *run, const char *part)
{
	const char *at = strchr(part, '=');

	run->word = keep_text(part, (size_t)(at - part));
	for (size_t i = 0; *at; i++) {
		size_t size = strcspn(at + 1, ",");

		if (i == KEPT_MAX)
			die(r->api, run->line, "a run keeps at most %d counts", KEPT_MAX);
		run->counts[i] = keep_text(at + 1, size);
		at += 1 + size;
	}
}

/* "KIND; by=graphics; WORD=ARGUMENT,...; bytes=C" */
static void read_run(struct reader *r, struct run *run, yaml_node_t *value)
{
	const char *text = text_of(r, value, "runs");

	run->line = line_of(value);
	for (unsigned i = 0; *text; i++) {
		size_t size = strcspn(text, ";");
		const char *part = keep_text(text, size);

		if (i == 0)
			run->kind = part;
		else if (!strcmp(part, "by=graphics"))
			run->by_graphics = true;
		else if (!strncmp(part, "bytes=", 6))
			run->bytes = part + 6;
		else if (strchr(part, '='))
			read_counts(r, run, part);
		else
			die(r->api, run->line, "\"%s\" says nothing of a run", part);
		text += size;
		text += strspn(text, "; ");
	}
	if (!run->kind)
		die(r->api, run->line, "runs is KIND; WORD=ARGUMENT,...; bytes=C");
}

/* What the description tells its readers, and no wrapper needs. */
static bool is_fact(const char *key)
{
	return !strcmp(key, "queues") || !strcmp(key, "renderpass") || !strcmp(key, "buffers");
}

/* "clName@0.9.5" is clName with another signature: clName_0_9_5 in C. */
static void name_function(struct function *function, const char *key)
{
	char *name = (char *)keep_text(key, strlen(key));

	function->api_name = keep_text(key, strcspn(key, "@"));
	for (char *c = name; *c; c++)
		if (*c == '@' || *c == '.')
			*c = '_';
	function->name = name;
}

static void read_function_key(struct reader *r, struct function *function, const char *key,
			      yaml_node_t *value)
{
	if (!strcmp(key, "number")) {
		function->number = (int)number_of(r, value, "number");
	} else if (!strcmp(key, "returns")) {
		function->result = text_of(r, value, "returns"); /* resolved by check.c */
	} else if (!strcmp(key, "args")) {
		function->arguments = read_arguments(r, value, "args", &function->count);
	} else if (!strcmp(key, "command")) {
		function->command = read_command(r, value);
	} else if (!strcmp(key, "records")) {
		function->records = read_command(r, value);
	} else if (!strcmp(key, "of")) {
		read_versions(r, function, value);
	} else if (!strcmp(key, "since")) {
		read_since(r, function, value);
	} else if (!strcmp(key, "watch")) {
		function->watch = text_of(r, value, "watch");
	} else if (!strcmp(key, "instead")) {
		function->instead = text_of(r, value, "instead");
	} else if (!strcmp(key, "nests")) {
		function->nests = text_of(r, value, "nests");
	} else if (!strcmp(key, "launch")) {
		function->launch = text_of(r, value, "launch");
	} else if (!strcmp(key, "after")) {
		read_hook(r, &function->after, value, "after");
	} else if (!strcmp(key, "level")) {
		function->level = text_of(r, value, "level");
	} else if (!strcmp(key, "alias")) {
		function->alias = text_of(r, value, "alias");
	} else if (!strcmp(key, "runs")) {
		read_run(r, &function->run, value);
	} else if (is_fact(key)) {
		text_of(r, value, key);
	} else if (!strcmp(key, "lookup")) {
		read_lookups(r, function, value);
	} else {
		die(r->api, line_of(value), "%s: \"%s\" is no key of a function", function->name,
		    key);
	}
}

static void read_function(struct reader *r, yaml_node_t *node, struct function *function)
{
	if (node->type == YAML_SCALAR_NODE) {
		if (strcmp(text_of(r, node, "a function"), "placeholder"))
			die(r->api, line_of(node), "%s is neither a mapping nor placeholder",
			    function->name);
		function->placeholder = true;
		return;
	}
	for (size_t i = 0; i < pair_count(r, node, "a function"); i++) {
		yaml_node_t *key, *value;
		const char *name = pair_at(r, node, i, &key, &value);

		read_function_key(r, function, name, value);
	}
	if (!function->arguments)
		die(r->api, function->line, "%s has no args", function->name);
}

/*
 * A function whose newer versions have an argument more is two: *function stays the newer one, and
 * the older one is returned.
 */
static struct function split_function(struct reader *r, struct function *function)
{
	struct function older = *function;
	size_t place = 0;

	while (place < function->count &&
	       strcmp(function->arguments[place].name, function->since_argument))
		place++;
	if (place == function->count || function->since <= function->versions.first)
		die(r->api, function->line, "%s: since is ARGUMENT VERSION, a version of \"of\"",
		    function->name);
	older.count = function->count - 1;
	older.arguments = keep(function->count * sizeof(struct argument));
	memcpy(older.arguments, function->arguments, place * sizeof(struct argument));
	memcpy(older.arguments + place, function->arguments + place + 1,
	       (older.count - place) * sizeof(struct argument));
	older.versions.last = function->since - 1;
	function->versions.first = function->since;
	function->name = keep_format("%s_%u_%u_%u", older.name, function->since >> 22,
				     function->since >> 12 & 1023, function->since & 4095);
	return older;
}

static void read_functions(struct reader *r, yaml_node_t *node, bool extension)
{
	struct api *api = r->api;
	size_t count = pair_count(r, node, "functions"), have = api->function_count;
	struct function *all = keep((have + 2 * count) * sizeof(*all));

	if (have)
		memcpy(all, api->functions, have * sizeof(*all));
	for (size_t i = 0; i < count; i++) {
		struct function *function = &all[have++];
		yaml_node_t *key, *value;

		name_function(function, pair_at(r, node, i, &key, &value));
		function->line = line_of(key);
		function->number = -1;
		function->extension = extension;
		read_function(r, value, function);
		if (function->since_argument)
			all[have++] = split_function(r, function);
	}
	api->functions = all;
	api->function_count = have;
	if (!extension)
		api->dispatch_count = have;
}

/* A list of functions, behind those. */
static void read_marks(struct reader *r, yaml_node_t *node, const char *mark)
{
	for (size_t i = 0; i < item_count(r, node, "marked functions"); i++) {
		yaml_node_t *item = node_at(r, node->data.sequence.items.start[i]);
		const char *name = text_of(r, item, "function");
		bool is_known = false;

		for (size_t k = 0; k < r->api->function_count; k++) {
			struct function *function = &r->api->functions[k];

			if (strcmp(function->api_name, name))
				continue;
			is_known = true;
			function->is_poll |= !strcmp(mark, "polls");
			function->waits |= !strcmp(mark, "waits");
			function->submits |= !strcmp(mark, "submits");
			function->shows |= !strcmp(mark, "shows");
		}
		if (!is_known)
			die(r->api, line_of(item), "there is no function %s above", name);
	}
}

static void read_section(struct reader *r, const char *name, yaml_node_t *key, yaml_node_t *value)
{
	if (!strcmp(name, "api"))
		r->api->name = text_of(r, value, "api");
	else if (!strcmp(name, "id"))
		r->api->id = (int)number_of(r, value, "id");
	else if (!strcmp(name, "keyed"))
		r->api->keyed = !strcmp(text_of(r, value, "keyed"), "yes");
	else if (!strcmp(name, "types"))
		read_types(r, value);
	else if (!strcmp(name, "structs"))
		read_structures(r, value);
	else if (!strcmp(name, "enums"))
		read_enums(r, value);
	else if (!strcmp(name, "dispatch"))
		read_functions(r, value, false);
	else if (!strcmp(name, "extensions"))
		read_functions(r, value, true);
	else if (!strcmp(name, "polls") || !strcmp(name, "waits") || !strcmp(name, "submits") ||
		 !strcmp(name, "shows"))
		read_marks(r, value, name);
	else
		die(r->api, line_of(key), "\"%s\" is no section", name);
}

void read_api(struct api *api, const char *file)
{
	struct reader r = {.api = api};
	FILE *stream = fopen(file, "rb");
	yaml_parser_t parser;
	yaml_node_t *root;

	api->file = file;
	if (!stream) {
		fprintf(stderr, "apigen: cannot open %s: %s\n", file, strerror(errno));
		exit(1);
	}
	if (!yaml_parser_initialize(&parser))
		die(api, 0, "out of memory");
	yaml_parser_set_input_file(&parser, stream);
	if (!yaml_parser_load(&parser, &r.document))
		die(api, (int)parser.problem_mark.line + 1, "%s", parser.problem);
	root = yaml_document_get_root_node(&r.document);
	if (!root)
		die(api, 1, "the file is empty");
	for (size_t i = 0; i < pair_count(&r, root, "the file"); i++) {
		yaml_node_t *key, *value;
		const char *name = pair_at(&r, root, i, &key, &value);

		read_section(&r, name, key, value);
	}
	yaml_document_delete(&r.document);
	yaml_parser_delete(&parser);
	fclose(stream);
	if (!api->name || api->id < 1 || api->id > 63)
		die(api, 1, "api needs a name and an id from 1 to 63");
}
