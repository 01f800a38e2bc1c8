/* SPDX-License-Identifier: MIT */
/* The wrappers: call the target, pack what went in and came out, report (intercept.h). */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "model.h"

static bool is_pointer(const char *c)
{
	return c[strlen(c) - 1] == '*';
}

/* A list or an answer whose size the target tells through a pointer that may be NULL. */
static const struct argument *size_pointer(const struct function *function, const struct show *show)
{
	const struct argument *filled = show->filled ? find_argument(function, show->filled) : NULL;

	return filled && filled->stars ? filled : NULL;
}

/* The argument that is `argument`'s size pointer, if any, has a list or answer: that one's name. */
static const char *sized_by(const struct function *function, const struct argument *argument)
{
	for (size_t i = 0; i < function->count; i++)
		if (size_pointer(function, &function->arguments[i].show) == argument)
			return function->arguments[i].name;
	return NULL;
}

static bool lends_event(const struct function *function, const struct argument *argument)
{
	return function->command && !function->command->event_required &&
	       !strcmp(argument->name, "event");
}

static void put_own_target(const struct api *api, const struct function *function, FILE *out)
{
	if (api->keyed)
		fprintf(out, "tacho__%s_next(%s)->%s(", api->name, function->arguments[0].name,
			function->name);
	else
		fprintf(out, "tacho__%s_%s.%s(", api->name,
			function->extension ? "extension_target" : "target", function->name);
}

static void put_target(const struct api *api, const struct function *function, FILE *out)
{
	if (function->instead)
		fprintf(out, "tacho__%s_%s(", api->name, function->instead);
	else if (function->run.kind)
		fprintf(out, "at.next->%s(", function->name);
	else
		put_own_target(api, function, out);
}

/* What is lent to the target where the caller passed NULL. */
static void put_lent(const struct function *function, FILE *out)
{
	for (size_t i = 0; i < function->count; i++) {
		const struct argument *argument = &function->arguments[i];
		const char *list = sized_by(function, argument), *name = argument->name;

		if (lends_event(function, argument)) {
			fputs("\tvoid *own_event = NULL;\n"
			      "\tvoid **event_at =\n"
			      "\t\tevent ? event : tacho__calls_are_kept() ? &own_event : NULL;\n",
			      out);
		} else if (list) {
			fprintf(out, "\t__typeof__(*%s) own_%s = 0;\n", name, name);
			fprintf(out, "\t%s%s_at = %s ? %s : %s ? &own_%s : NULL;\n", argument->c,
				name, name, name, list, name);
		}
	}
}

static void put_lent_call(const struct api *api, const struct function *function, FILE *out)
{
	if (function->launch)
		fprintf(out, "tacho__%s_%s(call.start, ", api->name, function->launch);
	else
		put_target(api, function, out);
	for (size_t i = 0; i < function->count; i++) {
		const struct argument *argument = &function->arguments[i];
		bool lent = lends_event(function, argument) || sized_by(function, argument);

		fprintf(out, "%s%s%s", i ? ", " : "", argument->name, lent ? "_at" : "");
	}
	fputs(");\n", out);
}

/* Packs one scalar expression. */
static void put_scalar(const struct show *show, const char *c, const char *expression, FILE *out)
{
	switch (show->kind) {
	case 'f':
		fprintf(out, "tacho__pack_i64(&pack, (int64_t)(%s * 1000));\n", expression);
		break;
	case 'i':
	case 'e': fprintf(out, "tacho__pack_i64(&pack, (int64_t)%s);\n", expression); break;
	default:
		fprintf(out, "tacho__pack_u64(&pack, %s%s);\n", is_pointer(c) ? "(uintptr_t)" : "",
			expression);
		break;
	}
}

static const char *strip_star(const char *c)
{
	size_t size = strlen(c);

	while (size && (c[size - 1] == '*' || c[size - 1] == ' ')) {
		if (c[--size] == '*')
			break;
	}
	while (size && c[size - 1] == ' ')
		size--;
	return keep_text(c, size);
}

/* Programs pass the same variable as a wait list and for the new event: the call overwrites it. */
static bool is_overwritten(const struct function *function, const char *name)
{
	return function->command && !strcmp(name, "event_wait_list") &&
	       find_argument(function, "event") &&
	       find_argument(function, "num_events_in_wait_list");
}

static void put_list(const struct function *function, const struct argument *argument, FILE *out)
{
	const struct show *show = &argument->show;
	const struct argument *pointer = size_pointer(function, show);
	const char *count = show->room;

	if (pointer)
		count = keep_format("tacho__filled(ok, %s, *%s_at)", show->room, pointer->name);
	fprintf(out, "\ttacho__pack_list(&pack, %s%s, %s, %s, %uu, sizeof(*%s), %s);\n",
		argument->name, is_overwritten(function, argument->name) ? "_at" : "",
		pointer ? keep_format("%s ? %s : 0", argument->name, count) : count,
		show->filled ? "ok" : "true", show->limit, argument->name,
		strchr("ie", show->inner->kind) ? "true" : "false");
}

static void put_structure(const struct api *api, const struct argument *argument, FILE *out)
{
	const struct structure *structure = find_structure(api, argument->show.name);

	fprintf(out, "\ttacho__pack_u64(&pack, %s != NULL);\n\tif (%s) {\n", argument->name,
		argument->name);
	fprintf(out, "\t\tconst struct %s *at = %s;\n\n", structure->name, argument->name);
	for (size_t i = 0; i < structure->count; i++) {
		fputs("\t\t", out);
		put_scalar(&structure->members[i].show, structure->members[i].c,
			   keep_format("at->%s", structure->members[i].name), out);
	}
	fputs("\t}\n", out);
}

static void put_output(const struct argument *argument, FILE *out)
{
	/* An error code is written when the call fails, and only it. */
	const char *written = strcmp(argument->name, "errcode_ret") ? "ok" : "true";

	fprintf(out, "\tif (tacho__pack_output(&pack, %s, %s))\n\t\t", argument->name, written);
	put_scalar(argument->show.inner, strip_star(argument->c),
		   keep_format("*%s", argument->name), out);
}

static void put_argument(const struct api *api, const struct function *function,
			 const struct argument *argument, FILE *out)
{
	const struct show *show = &argument->show;

	switch (show->kind) {
	case 's': fprintf(out, "\ttacho__pack_string(&pack, %s);\n", argument->name); break;
	case 'l': put_list(function, argument, out); break;
	case 'o': put_output(argument, out); break;
	case 't': put_structure(api, argument, out); break;
	case 'p':
		fprintf(out, "\ttacho__pack_properties(&pack, %s, %s);\n", argument->name,
			show->zero_ends ? "true" : "false");
		break;
	case 'v':
		fprintf(out, "\ttacho__pack_answer(&pack, %s, ok, %s, %s_at);\n", argument->name,
			show->room, show->filled);
		break;
	default:
		fputc('\t', out);
		put_scalar(show, argument->c, argument->name, out);
		break;
	}
}

static bool uses_ok(const struct function *function)
{
	bool uses = function->lookups[0].name || function->command || function->records;

	for (size_t i = 0; i < function->count; i++) {
		const struct argument *argument = &function->arguments[i];

		uses |= argument->show.kind == 'v' ||
			(argument->show.kind == 'l' && argument->show.filled) ||
			(argument->show.kind == 'o' && strcmp(argument->name, "errcode_ret"));
	}
	return uses;
}

static void put_hook_call(const struct api *api, const struct function *function,
			  const struct hook *hook, FILE *out)
{
	fprintf(out, "tacho__%s_%s(", api->name, hook->name);
	for (size_t i = 0; hook->arguments[i]; i++) {
		const char *name = hook->arguments[i];
		const struct argument *argument = find_argument(function, name);

		fprintf(out, "%s%s%s", i ? ", " : "", name,
			argument && sized_by(function, argument) ? "_at" : "");
	}
	fputc(')', out);
}

static void put_lookups(const struct api *api, const struct function *function, FILE *out)
{
	for (size_t i = 0; i < LOOKUPS_MAX && function->lookups[i].name; i++) {
		fprintf(out, "\t%s = ok ? ", function->lookups[i].name);
		put_hook_call(api, function, &function->lookups[i], out);
		fprintf(out, " : 0;\n\ttacho__pack_u64(&pack, %s);\n", function->lookups[i].name);
	}
}

/* A member of struct tacho__recorded, when the role has an argument. */
static void put_member(const struct command *command, enum role_name role, const char *member,
		       FILE *out)
{
	if (command->roles[role])
		fprintf(out, "\t\t\t.%s = %s,\n", member, command->roles[role]);
}

/* A command for a template: a byte count, or sizes whose product times a scale is one. */
static void put_recorded(const struct api *api, const struct function *function, FILE *out)
{
	const struct command *command = function->records;
	const char *bytes = command->roles[ROLE_BYTES];
	const struct argument *argument = bytes ? find_argument(function, bytes) : NULL;
	bool is_list = argument && argument->show.kind == 'l';
	char kind[16];
	size_t i;

	for (i = 0; command->kind[i] && i + 1 < sizeof(kind); i++)
		kind[i] = (char)toupper((unsigned char)command->kind[i]);
	kind[i] = '\0';
	fprintf(out,
		"\tif (ok) {\n\t\tconst struct tacho__recorded recorded = {\n"
		"\t\t\t.kind = TACHO_COMMAND_%s,\n\t\t\t.name = \"%s\",\n",
		kind, command->constant);
	put_member(command, ROLE_TEMPLATE, "holder", out);
	put_member(command, ROLE_QUEUE, "queue", out);
	put_member(command, ROLE_KERNEL, "kernel", out);
	put_member(command, ROLE_DIMS, "dimensions", out);
	put_member(command, ROLE_GLOBAL, "global", out);
	put_member(command, ROLE_LOCAL, "local", out);
	if (bytes)
		fprintf(out, "\t\t\t.has_bytes = true,\n\t\t\t.%s = %s,\n",
			is_list ? "region" : "bytes", bytes);
	put_member(command, ROLE_SCALE, "scale", out);
	fprintf(out, "\t\t\t.command = %s ? *%s : NULL,\n\t\t};\n\n", command->roles[ROLE_COMMAND],
		command->roles[ROLE_COMMAND]);
	fprintf(out, "\t\ttacho__%s_record(&recorded);\n\t}\n", api->name);
}

static void put_report(const struct api *api, const struct function *function, FILE *out)
{
	if (uses_ok(function))
		fprintf(out, "\tok = %s;\n",
			!function->result	       ? "true"
			: is_pointer(function->result) ? "result != NULL"
						       : "result >= 0");
	if (function->result) {
		fputc('\t', out);
		put_scalar(&function->result_show, function->result, "result", out);
	}
	for (size_t i = 0; i < function->count; i++)
		put_argument(api, function, &function->arguments[i], out);
	put_lookups(api, function, out);
	if (function->command)
		fprintf(out, "\tcall.has_slot = ok%s;\n",
			function->command->event_required ? " && event" : " && event_at");
	fputs("\ttacho__call_commit(&call, &pack);\n", out);
	if (function->command)
		fprintf(out, "\tif (call.has_slot)\n\t\ttacho__%s_%s(call.token, *%s);\n",
			api->name, function->watch ? function->watch : "watch",
			function->command->event_required ? "event, false" : "event_at, !event");
	if (function->records)
		put_recorded(api, function, out);
	if (function->after.name) {
		fputc('\t', out);
		put_hook_call(api, function, &function->after, out);
		fputs(";\n", out);
	}
}

/*
 * A wrapper without a frame of its own, so that the compiler makes jumps of its calls: nested ones,
 * however many, then take no stack.
 */
static void put_nesting(const struct api *api, const struct function *function, FILE *out)
{
	const char *returns = function->result ? "return " : "";

	fputs("static ", out);
	write_prototype(function, keep_format("wrap_%s", function->name), out);
	fprintf(out, "\n{\n\tif (tacho__%s_%s())\n\t\t%s", api->name, function->nests, returns);
	put_own_target(api, function, out);
	write_parameters(function, out);
	fprintf(out, ");\n\telse\n\t\t%srecord_%s(", returns, function->name);
	write_parameters(function, out);
	fputs(");\n}\n\n", out);
}

/* Where nobody listens the target is called, and that is all. */
static void put_unheard(const struct api *api, const struct function *function, bool is_run,
			FILE *out)
{
	bool is_block = is_run || !function->result;

	fprintf(out,
		"\n\tif (!tacho__call_begin(&call, TACHO__KIND(TACHO__API_ID, TACHO__INDEX_%s)))%s"
		"\n\t\t%s",
		function->name, is_block ? " {" : "", function->result ? "return " : "");
	put_target(api, function, out);
	write_parameters(function, out);
	fputs(");\n", out);
	if (is_run) {
		fputc('\t', out);
		write_run_end(api, out);
	}
	fputs(is_block ? "\t\treturn;\n\t}\n\t" : "\t", out);
}

static void put_wrapper(const struct api *api, const struct function *function, FILE *out)
{
	const char *role = function->nests ? "record" : "wrap";
	bool is_run = function->run.kind && !function->instead;

	fputs(function->nests ? "__attribute__((noinline)) static " : "static ", out);
	write_prototype(function, keep_format("%s_%s", role, function->name), out);
	fputs("\n{\n\tstruct tacho__call call;\n\tstruct tacho__pack pack;\n", out);
	if (function->result)
		fprintf(out, "\t%s%sresult;\n", function->result,
			is_pointer(function->result) ? "" : " ");
	put_lent(function, out);
	if (is_overwritten(function, "event_wait_list"))
		fputs("\tvoid *own_event_wait_list[TACHO__CALLS_LIST_MAX];\n"
		      "\tvoid *const *event_wait_list_at;\n",
		      out);
	if (uses_ok(function))
		fputs("\tbool ok;\n", out);
	for (size_t i = 0; i < LOOKUPS_MAX && function->lookups[i].name; i++)
		fprintf(out, "\tuint64_t %s;\n", function->lookups[i].name);
	if (is_run)
		write_run_begin(api, function, out);
	put_unheard(api, function, is_run, out);
	if (is_overwritten(function, "event_wait_list"))
		fputs("event_wait_list_at = tacho__keep_list(event_wait_list, "
		      "num_events_in_wait_list, event, own_event_wait_list);\n\t",
		      out);
	if (function->result)
		fputs("result = ", out);
	put_lent_call(api, function, out);
	fputs("\ttacho__call_end(&call, &pack);\n", out);
	if (is_run)
		write_run_end(api, out);
	put_report(api, function, out);
	if (function->result)
		fputs("\treturn result;\n", out);
	fputs("}\n\n", out);
	if (function->nests)
		put_nesting(api, function, out);
}

/* Signatures of one function stand together. */
static int compare_functions(const void *left, const void *right)
{
	const struct function *a = *(const struct function *const *)left;
	const struct function *b = *(const struct function *const *)right;
	int order = strcmp(a->api_name, b->api_name);

	return order ? order : strcmp(a->name, b->name);
}

static void put_entry(const struct api *api, const struct function *function, FILE *out)
{
	const struct versions *versions = &function->versions;

	fprintf(out, "\t{\"%s\", (void *)wrap_%s, (void **)&tacho__%s_%s.%s, ", function->api_name,
		function->name, api->name, function->extension ? "extension_target" : "target",
		function->name);
	if (versions->extension)
		fprintf(out, "\"%s\", %u, %u},\n", versions->extension, versions->first,
			versions->last);
	else
		fputs("NULL, 0, 0},\n", out);
}

static void put_entries(const struct api *api, FILE *out)
{
	const struct function **sorted = keep(api->function_count * sizeof(struct function *));
	size_t count = 0;

	for (size_t i = 0; i < api->function_count; i++)
		if (!api->functions[i].placeholder)
			sorted[count++] = &api->functions[i];
	qsort(sorted, count, sizeof(*sorted), compare_functions);
	fprintf(out, "const struct tacho__%s_entry tacho__%s_entries[] = {\n", api->name,
		api->name);
	for (size_t i = 0; i < count; i++)
		put_entry(api, sorted[i], out);
	fprintf(out, "};\nconst size_t tacho__%s_entry_count = %zu;\n", api->name, count);
}

static void put_includes(const struct api *api, FILE *out)
{
	fprintf(out, "#include \"%s_api.h\"\n\n#include \"inject/arguments.h\"\n", api->name);
	if (api->keyed)
		fprintf(out, "#include \"inject/%s/%s_wrapped.h\"\n", api->name, api->name);
	else
		fprintf(out, "#include \"inject/%s/events.h\"\n#include \"inject/recorded.h\"\n",
			api->name);
	fputs("#include \"intercept/intercept.h\"\n#include \"record/wire.h\"\n"
	      "#include \"tacho/recording.h\"\n\n",
	      out);
}

static void put_targets(const struct api *api, FILE *out)
{
	fprintf(out,
		"struct tacho__%s_dispatch tacho__%s_target;\n"
		"struct tacho__%s_extensions tacho__%s_extension_target;\n\n",
		api->name, api->name, api->name, api->name);
}

static void put_wrapper_table(const struct api *api, FILE *out)
{
	fprintf(out, "const struct tacho__%s_dispatch tacho__%s_wrappers = {\n", api->name,
		api->name);
	for (size_t i = 0; i < api->dispatch_count; i++)
		if (!api->functions[i].placeholder)
			fprintf(out, "\t.%s = wrap_%s,\n", api->functions[i].name,
				api->functions[i].name);
	fputs("};\n\n", out);
}

void write_wrappers(const struct api *api, FILE *out)
{
	size_t bound = 0;

	for (size_t i = 0; i < api->function_count; i++)
		if (!api->functions[i].placeholder && packed_bound(api, &api->functions[i]) > bound)
			bound = packed_bound(api, &api->functions[i]);
	put_includes(api, out);
	fprintf(out, "_Static_assert(%zu <= TACHO__ARGUMENTS_MAX, \"packed arguments fit\");\n\n",
		bound);
	if (!api->keyed)
		put_targets(api, out);
	for (size_t i = 0; i < api->function_count; i++)
		if (!api->functions[i].placeholder)
			put_wrapper(api, &api->functions[i], out);
	if (api->keyed) {
		write_keyed_entries(api, out);
		return;
	}
	put_wrapper_table(api, out);
	put_entries(api, out);
}
