/* SPDX-License-Identifier: MIT */
/* Resolving names and refusing descriptions that would make wrong wrappers. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "model.h"

enum {
	ARGUMENTS_MAX = 1536, /* TACHO__ARGUMENTS_MAX; the wrappers assert that it is this */
	VALUE_BYTES = 9,      /* a packed value, with a control byte of its own */
	STRING_MAX = 64,
	PROPERTY_MAX = 16,
	VALUE_MAX = 64,
	FUNCTIONS_MAX = 1024,
};

const struct type *find_type(const struct api *api, const char *name)
{
	for (size_t i = 0; i < api->type_count; i++)
		if (!strcmp(api->types[i].name, name))
			return &api->types[i];
	return NULL;
}

const struct structure *find_structure(const struct api *api, const char *name)
{
	for (size_t i = 0; i < api->structure_count; i++)
		if (!strcmp(api->structures[i].name, name))
			return &api->structures[i];
	return NULL;
}

const struct enumeration *find_enum(const struct api *api, const char *name)
{
	for (size_t i = 0; i < api->enum_count; i++)
		if (!strcmp(api->enums[i].name, name))
			return &api->enums[i];
	return NULL;
}

const struct argument *find_argument(const struct function *function, const char *name)
{
	for (size_t i = 0; i < function->count; i++)
		if (!strcmp(function->arguments[i].name, name))
			return &function->arguments[i];
	return NULL;
}

const struct hook *find_lookup(const struct function *function, const char *name)
{
	for (size_t i = 0; i < LOOKUPS_MAX && function->lookups[i].name; i++)
		if (!strcmp(function->lookups[i].name, name))
			return &function->lookups[i];
	return NULL;
}

static const struct argument *need_argument(const struct api *api, const struct function *function,
					    int line, const char *name, const char *who)
{
	const struct argument *argument = find_argument(function, name);

	if (!argument)
		die(api, line, "%s: %s names \"%s\", which is no argument", function->name, who,
		    name);
	return argument;
}

static void need_enum(const struct api *api, int line, const char *name)
{
	if (!find_enum(api, name))
		die(api, line, "there is no enum \"%s\"", name);
}

/* The C type of a declaration; const goes behind the base, so that handles stay right. */
static const char *resolve_c(const struct api *api, const struct argument *argument)
{
	const struct type *type = find_type(api, argument->base);
	const char *base;
	char stars[8] = "";

	if (!type && !find_structure(api, argument->base))
		die(api, argument->line, "%s has the unknown type \"%s\"", argument->name,
		    argument->base);
	if (argument->stars >= sizeof(stars))
		die(api, argument->line, "%s has too many stars", argument->name);
	memset(stars, '*', argument->stars);
	base = type ? type->c : keep_format("struct %s", argument->base);
	return keep_format("%s%s%s%s", base, argument->is_const ? " const" : "",
			   argument->stars ? " " : "", stars);
}

static void resolve_argument(const struct api *api, struct argument *argument)
{
	const struct type *type = find_type(api, argument->base);

	argument->c = resolve_c(api, argument);
	if (argument->show.kind)
		return;
	if (argument->stars)
		argument->show.kind = 'x';
	else if (!type || type->show.kind == '-')
		die(api, argument->line, "%s: the type %s cannot be shown", argument->name,
		    argument->base);
	else
		argument->show = type->show;
}

static void check_show(const struct api *api, const struct function *function, int line,
		       const struct show *show)
{
	if (strchr("emp", show->kind))
		need_enum(api, line, show->name);
	if (show->kind == 'b')
		need_enum(api, line, "bool");
	if (show->kind == 't' && !find_structure(api, show->name))
		die(api, line, "there is no struct \"%s\"", show->name);
	if (show->inner)
		check_show(api, function, line, show->inner);
	if (show->kind == 'v' &&
	    need_argument(api, function, line, show->name, "a query")->show.kind != 'e')
		die(api, line, "%s: the query \"%s\" is no enum", function->name, show->name);
	if (show->room && !isdigit((unsigned char)show->room[0]))
		need_argument(api, function, line, show->room, "a list");
	if (show->filled)
		need_argument(api, function, line, show->filled, "a list");
}

/* "u4", "e4:ENUM", "lx8", "s" */
static void check_value_show(const struct api *api, const struct constant *constant)
{
	const char *at = constant->show, *set = strchr(at, ':');

	if (!*at || !strcmp(at, "s"))
		return;
	at += *at == 'l';
	if (!*at || !strchr("uxbpem", at[0]) || !strchr("48", at[1]) || (at[2] && at[2] != ':') ||
	    (strchr("em", at[0]) && !set))
		die(api, constant->line, "%s: \"%s\" is no way to show a query's value",
		    constant->name, constant->show);
	if (set)
		need_enum(api, constant->line, set + 1);
}

static void check_enum(const struct api *api, const struct enumeration *set)
{
	for (size_t i = 0; i < set->count; i++) {
		const struct constant *constant = &set->constants[i];

		check_value_show(api, constant);
		for (size_t j = 0; j < i; j++) {
			if (!strcmp(constant->name, set->constants[j].name) ||
			    constant->value == set->constants[j].value)
				die(api, constant->line, "%s is a second \"%s\" in %s (line %d)",
				    constant->name, set->constants[j].name, set->name,
				    set->constants[j].line);
		}
	}
}

static void resolve_result(const struct api *api, struct function *function)
{
	const char *text = function->result;
	struct argument argument = {.name = "the result", .line = function->line};
	size_t size = text ? strcspn(text, " *") : 0;

	if (!text)
		return;
	argument.base = keep_text(text, size);
	text += size;
	for (; *text == ' ' || *text == '*'; text++)
		argument.stars += *text == '*';
	if (*text)
		parse_show(api, function->line, text, &argument.show);
	resolve_argument(api, &argument);
	function->result = argument.c;
	function->result_show = argument.show;
	if (!strchr("uixbem", argument.show.kind))
		die(api, function->line, "%s: a result cannot be shown as %c", function->name,
		    argument.show.kind);
	check_show(api, function, function->line, &argument.show);
}

static void check_command(const struct api *api, const struct function *function,
			  const struct command *command)
{
	static const char *const kinds[] = {"kernel", "write", "read",	"copy",	 "fill",
					    "map",    "unmap", "other", "buffer"};
	const struct enumeration *codes = find_enum(api, "command_type");
	bool known = false;

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		known |= !strcmp(command->kind, kinds[i]);
	if (!known)
		die(api, command->line, "\"%s\" is no kind of command", command->kind);
	known = false;
	for (size_t i = 0; codes && i < codes->count; i++)
		known |= !strcmp(codes->constants[i].name, command->constant);
	if (!known)
		die(api, command->line, "%s is not in the enum command_type", command->constant);
	for (size_t i = 0; i < ROLES; i++) {
		const char *name = command->roles[i];

		if (name && !find_lookup(function, name))
			need_argument(api, function, command->line, name, role_names[i]);
	}
	if (command == function->command)
		need_argument(api, function, command->line, "event", "a command");
	else if (!command->roles[ROLE_TEMPLATE] || !command->roles[ROLE_COMMAND])
		die(api, command->line, "%s: what it records needs template and command",
		    function->name);
}

static size_t show_bound(const struct api *api, const struct show *show)
{
	size_t bytes = 0;

	switch (show->kind) {
	case 's': return VALUE_BYTES + STRING_MAX;
	case 'l': return VALUE_BYTES * (2 + (size_t)show->limit);
	case 'o': return VALUE_BYTES * 2;
	case 'p': return VALUE_BYTES * (2 + 2 * PROPERTY_MAX);
	case 'v': return VALUE_BYTES * 2 + VALUE_MAX;
	case 't':
		for (size_t i = 0; i < find_structure(api, show->name)->count; i++)
			bytes += VALUE_BYTES;
		return bytes + VALUE_BYTES;
	default: return VALUE_BYTES;
	}
}

size_t packed_bound(const struct api *api, const struct function *function)
{
	size_t bytes = function->result ? VALUE_BYTES : 0;

	for (size_t i = 0; i < function->count; i++)
		bytes += show_bound(api, &function->arguments[i].show);
	for (size_t i = 0; i < LOOKUPS_MAX && function->lookups[i].name; i++)
		bytes += VALUE_BYTES;
	return bytes;
}

static void check_hook(const struct api *api, const struct function *function,
		       const struct hook *hook, const char *what)
{
	for (const char *const *name = hook->arguments; *name; name++)
		if (!function->result || strcmp(*name, "result"))
			need_argument(api, function, function->line, *name, what);
}

/* Signatures of one function are told apart by versions, so each has some. */
static void check_versions(const struct api *api, const struct function *function)
{
	const struct versions *versions = &function->versions;

	if (strcmp(function->name, function->api_name) && !versions->extension)
		die(api, function->line, "%s: of which versions it is must stand in \"of\"",
		    function->name);
	if (versions->first > versions->last)
		die(api, function->line, "%s: its versions run backwards", function->name);
	if (versions->extension && !function->extension)
		die(api, function->line, "%s is given out by the loader, in any version",
		    function->name);
}

size_t count_runs(const struct api *api, size_t end)
{
	size_t count = 0;

	for (size_t i = 0; i < end; i++)
		count += api->functions[i].run.kind != NULL;
	return count;
}

static void check_run(const struct api *api, const struct function *function)
{
	static const char *const kinds[] = {"draw", "dispatch", "trace", "copy",
					    "fill", "write",	"other"};
	const struct run *run = &function->run;
	bool known = !run->kind;

	for (size_t i = 0; !known && i < sizeof(kinds) / sizeof(kinds[0]); i++)
		known = !strcmp(run->kind, kinds[i]);
	if (!known)
		die(api, run->line, "\"%s\" is no kind of run", run->kind);
	if (run->kind && (!api->keyed || (function->result && !function->instead)))
		die(api, run->line, "%s: a run is of a keyed API, and its wrapper returns nothing",
		    function->name);
	for (const char *const *count = run->counts; *count; count++)
		need_argument(api, function, run->line, *count, "runs");
}

/* Whom the wrapper asks for the target, and which other name it may have there. */
static void check_keyed(const struct api *api, const struct function *function)
{
	bool found = !function->alias;

	if (!function->level ||
	    (strcmp(function->level, "global") && strcmp(function->level, "instance") &&
	     strcmp(function->level, "device")))
		die(api, function->line, "%s: level is global, instance or device", function->name);
	if (!function->instead && !strcmp(function->level, "global"))
		die(api, function->line, "%s has no handle to find it by", function->name);
	for (size_t i = 0; !found && i < api->function_count; i++)
		found = !strcmp(api->functions[i].name, function->alias);
	if (!found)
		die(api, function->line, "%s: there is no function %s", function->name,
		    function->alias);
}

static void check_function(const struct api *api, struct function *function)
{
	size_t bound;

	check_versions(api, function);
	for (size_t i = 0; i < function->count; i++) {
		struct argument *argument = &function->arguments[i];

		resolve_argument(api, argument);
		for (size_t j = 0; j < i; j++)
			if (!strcmp(argument->name, function->arguments[j].name))
				die(api, argument->line, "%s has two arguments \"%s\"",
				    function->name, argument->name);
	}
	for (size_t i = 0; i < function->count; i++)
		check_show(api, function, function->arguments[i].line,
			   &function->arguments[i].show);
	resolve_result(api, function);
	for (size_t i = 0; i < LOOKUPS_MAX && function->lookups[i].name; i++)
		check_hook(api, function, &function->lookups[i], "lookup");
	check_hook(api, function, &function->after, "after");
	if (function->command)
		check_command(api, function, function->command);
	if (function->records)
		check_command(api, function, function->records);
	check_run(api, function);
	if (api->keyed)
		check_keyed(api, function);
	bound = packed_bound(api, function);
	if (bound > ARGUMENTS_MAX)
		die(api, function->line, "%s: its arguments can take %zu bytes, more than %d",
		    function->name, bound, ARGUMENTS_MAX);
}

/* Two entries are two functions, or two signatures of one in different versions. */
static void check_pair(const struct api *api, const struct function *before,
		       const struct function *function)
{
	const struct versions *a = &before->versions, *b = &function->versions;

	if (!strcmp(before->name, function->name))
		die(api, function->line, "%s is defined twice (line %d)", function->name,
		    before->line);
	if (!strcmp(before->api_name, function->api_name) && a->first <= b->last &&
	    b->first <= a->last)
		die(api, function->line, "%s has two signatures in one version (line %d)",
		    function->api_name, before->line);
}

/* Second definitions of anything that is looked up by name. */
static void check_names(const struct api *api)
{
	for (size_t i = 0; i < api->type_count; i++)
		if (find_type(api, api->types[i].name) != &api->types[i])
			die(api, api->types[i].line, "type %s is defined twice",
			    api->types[i].name);
	for (size_t i = 0; i < api->enum_count; i++)
		if (find_enum(api, api->enums[i].name) != &api->enums[i])
			die(api, api->enums[i].line, "enum %s is defined twice",
			    api->enums[i].name);
	for (size_t i = 0; i < api->function_count; i++)
		for (size_t j = 0; j < i; j++)
			check_pair(api, &api->functions[j], &api->functions[i]);
}

void check_api(struct api *api)
{
	check_names(api);
	if (api->function_count + count_runs(api, api->function_count) > FUNCTIONS_MAX)
		die(api, 1, "more than %d functions and runs", FUNCTIONS_MAX);
	for (size_t i = 0; i < api->type_count; i++)
		check_show(api, NULL, api->types[i].line, &api->types[i].show);
	for (size_t i = 0; i < api->enum_count; i++)
		check_enum(api, &api->enums[i]);
	for (size_t i = 0; i < api->structure_count; i++) {
		struct structure *structure = &api->structures[i];

		for (size_t j = 0; j < structure->count; j++) {
			resolve_argument(api, &structure->members[j]);
			if (!strchr("uixbem", structure->members[j].show.kind))
				die(api, structure->members[j].line, "a member must be a scalar");
			check_show(api, NULL, structure->members[j].line,
				   &structure->members[j].show);
		}
	}
	for (size_t i = 0; i < api->function_count; i++)
		if (!api->functions[i].placeholder)
			check_function(api, &api->functions[i]);
}
