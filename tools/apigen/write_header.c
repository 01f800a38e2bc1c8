/* SPDX-License-Identifier: MIT */
/* The header of an API: its dispatch tables, indices, entries, and what is written by hand. */
#include <inttypes.h>
#include <string.h>

#include "model.h"

static const char *gap(const char *c)
{
	return c[strlen(c) - 1] == '*' ? "" : " ";
}

static void put_declared_parameters(const struct function *function, FILE *out)
{
	for (size_t i = 0; i < function->count; i++)
		fprintf(out, "%s%s%s%s", i ? ", " : "", function->arguments[i].c,
			gap(function->arguments[i].c), function->arguments[i].name);
	if (!function->count)
		fputs("void", out);
}

void write_parameters(const struct function *function, FILE *out)
{
	for (size_t i = 0; i < function->count; i++)
		fprintf(out, "%s%s", i ? ", " : "", function->arguments[i].name);
}

void write_prototype(const struct function *function, const char *name, FILE *out)
{
	const char *result = function->result ? function->result : "void";

	fprintf(out, "%s%s%s(", result, gap(result), name);
	put_declared_parameters(function, out);
	fputc(')', out);
}

static void put_slots(const struct api *api, size_t first, size_t end, FILE *out)
{
	for (size_t i = first; i < end; i++) {
		const struct function *function = &api->functions[i];

		if (function->placeholder) {
			fprintf(out, "\tvoid *%s;\n", function->name);
			continue;
		}
		fputc('\t', out);
		write_prototype(function, keep_format("(*%s)", function->name), out);
		fputs(";\n", out);
	}
	fputs("};\n\n", out);
}

static void put_structures(const struct api *api, FILE *out)
{
	for (size_t i = 0; i < api->structure_count; i++) {
		const struct structure *structure = &api->structures[i];

		fprintf(out, "struct %s {\n", structure->name);
		for (size_t j = 0; j < structure->count; j++)
			fprintf(out, "\t%s%s%s;\n", structure->members[j].c,
				gap(structure->members[j].c), structure->members[j].name);
		fputs("};\n\n", out);
	}
}

static void put_hook(const struct api *api, const struct function *function,
		     const struct hook *hook, const char *returns, FILE *out)
{
	if (!hook->name)
		return;
	fprintf(out, "%s tacho__%s_%s(", returns, api->name, hook->name);
	for (size_t i = 0; hook->arguments[i]; i++) {
		const char *name = hook->arguments[i];
		const struct argument *argument = find_argument(function, name);
		const char *c = argument ? argument->c : function->result;

		fprintf(out, "%s%s%s%s", i ? ", " : "", c, gap(c), name);
	}
	fputs(");\n", out);
}

/* Functions that share a hook must agree on its prototype: the compiler sees to it. */
static void put_hooks(const struct api *api, FILE *out)
{
	if (!api->keyed)
		fprintf(out,
			"struct tacho__recorded;\nvoid tacho__%s_record(const struct "
			"tacho__recorded *recorded);\n",
			api->name);
	for (size_t i = 0; i < api->function_count; i++) {
		const struct function *function = &api->functions[i];

		if (function->instead) {
			write_prototype(function,
					keep_format("tacho__%s_%s", api->name, function->instead),
					out);
			fputs(";\n", out);
		}
		if (function->nests)
			fprintf(out, "bool tacho__%s_%s(void);\n", api->name, function->nests);
		if (function->launch) {
			fprintf(out, "%s%stacho__%s_%s(uint64_t start, ", function->result,
				gap(function->result), api->name, function->launch);
			for (size_t j = 0; j < function->count; j++)
				fprintf(out, "%s%s%s%s", j ? ", " : "", function->arguments[j].c,
					gap(function->arguments[j].c), function->arguments[j].name);
			fputs(");\n", out);
		}
		if (function->watch)
			fprintf(out, "void tacho__%s_%s(void *token, void *event, bool owned);\n",
				api->name, function->watch);
		put_hook(api, function, &function->after, "void", out);
		for (size_t j = 0; j < LOOKUPS_MAX; j++)
			put_hook(api, function, &function->lookups[j], "uint64_t", out);
	}
	fputc('\n', out);
}

static void put_slot_list(const struct api *api, FILE *out)
{
	fputs("/* X(name) for every slot of the dispatch table. */\n#define TACHO__DISPATCH_MAP(X)",
	      out);
	for (size_t i = 0; i < api->dispatch_count; i++)
		fprintf(out, " \\\n\tX(%s)", api->functions[i].name);
	fputs("\n\n", out);
}

static void put_entry_declarations(const struct api *api, FILE *out)
{
	const char *name = api->name;

	put_slot_list(api, out);
	fprintf(out,
		"/* A function by name: what to give out, where the real one is kept, and in "
		"which\n"
		" * versions of which extension it has this signature; NULL: in all. */\n"
		"struct tacho__%s_entry {\n\tconst char *name;\n\tvoid *wrapper;\n"
		"\tvoid **target;\n\tconst char *extension;\n\tuint32_t first, last;\n};\n\n",
		name);
	fprintf(out,
		"extern struct tacho__%s_dispatch tacho__%s_target;\n"
		"extern struct tacho__%s_extensions tacho__%s_extension_target;\n"
		"extern const struct tacho__%s_dispatch tacho__%s_wrappers;\n"
		"/* Sorted by name; signatures of one function follow one another. */\n"
		"extern const struct tacho__%s_entry tacho__%s_entries[];\n"
		"extern const size_t tacho__%s_entry_count;\n"
		"extern const char tacho__%s_table[];\nextern const size_t "
		"tacho__%s_table_size;\n\n",
		name, name, name, name, name, name, name, name, name, name, name);
}

void write_header(const struct api *api, FILE *out)
{
	const char *name = api->name;

	fputs("#ifndef TACHO_GENERATED_API_H\n#define TACHO_GENERATED_API_H\n\n"
	      "#include <stdbool.h>\n#include <stddef.h>\n#include <stdint.h>\n\n",
	      out);
	put_structures(api, out);
	fprintf(out, "/* The next one's functions. */\nstruct tacho__%s_dispatch {\n", name);
	put_slots(api, 0, api->dispatch_count, out);
	if (!api->keyed) {
		fprintf(out,
			"/* Functions that only drivers give out. */\n"
			"struct tacho__%s_extensions {\n",
			name);
		put_slots(api, api->dispatch_count, api->function_count, out);
	}
	fprintf(out, "enum {\n\tTACHO__API_ID = %d,\n\tTACHO__DISPATCH_COUNT = %zu,\n", api->id,
		api->dispatch_count);
	for (size_t i = 0; i < api->function_count; i++)
		fprintf(out, "\tTACHO__INDEX_%s = %zu,\n", api->functions[i].name, i);
	fprintf(out, "\tTACHO__FUNCTION_COUNT = %zu,\n};\n\n", api->function_count);
	if (api->keyed)
		write_keyed_header(api, out);
	else
		put_entry_declarations(api, out);
	fputs("/* Written by hand. */\n", out);
	put_hooks(api, out);
	fputs("#endif\n", out);
}

/* Constants of all enums, for the logic that is written by hand. */
void write_constants(const struct api *api, FILE *out)
{
	fputs("#ifndef TACHO_GENERATED_CONSTANTS_H\n#define TACHO_GENERATED_CONSTANTS_H\n\n", out);
	for (size_t i = 0; i < api->enum_count; i++) {
		const struct enumeration *set = &api->enums[i];

		for (size_t j = 0; j < set->count; j++)
			fprintf(out, "#define %s (%s%" PRId64 "%s)\n", set->constants[j].name,
				set->constants[j].value > INT32_MAX ? "INT64_C(" : "",
				set->constants[j].value,
				set->constants[j].value > INT32_MAX ? ")" : "");
	}
	fputs("\n#endif\n", out);
}
