/* SPDX-License-Identifier: MIT */
/*
 * APIs whose functions are found by the handle that is their first argument: there are as many
 * targets as there are devices. Commands of theirs are put into things that are run later, so each
 * has a second entry in the call table: a bare one, for a command of one run.
 */
#include <string.h>

#include "model.h"

static bool is_kernel(const struct run *run)
{
	return !strcmp(run->kind, "draw") || !strcmp(run->kind, "dispatch") ||
	       !strcmp(run->kind, "trace");
}

static void put_runs(const struct api *api, FILE *out)
{
	size_t at = api->function_count;

	fputs("/* Bare functions: a command of one run of what it was put into. */\nenum {\n"
	      "\tTACHO__RUN_FIRST = TACHO__FUNCTION_COUNT,\n",
	      out);
	for (size_t i = 0; i < api->function_count; i++)
		if (api->functions[i].run.kind)
			fprintf(out, "\tTACHO__RUN_%s = %zu,\n", api->functions[i].name, at++);
	fprintf(out, "\tTACHO__RUN_COUNT = %zu,\n};\n\n", at - api->function_count);
}

void write_keyed_header(const struct api *api, FILE *out)
{
	const char *name = api->name;

	put_runs(api, out);
	fprintf(out,
		"/* A function by name: what to give out, its slot and that of the name it is\n"
		" * another one of, and who gives it out. */\n"
		"enum { TACHO__LEVEL_GLOBAL, TACHO__LEVEL_INSTANCE, TACHO__LEVEL_DEVICE };\n"
		"struct tacho__%s_entry {\n\tconst char *name;\n\tvoid *wrapper;\n"
		"\tuint16_t slot, core;\n\tuint8_t level;\n};\n\n"
		"/* How a bare function is packed: by TACHO__RUN_ minus TACHO__RUN_FIRST. Bind "
		"points: 0\n"
		" * of draws, 1 of dispatches, 2 of rays. */\n"
		"struct tacho__%s_run {\n\tbool is_kernel, by_graphics, has_bytes;\n"
		"\tuint8_t count, bind_point;\n};\n\n",
		name, name);
	fprintf(out,
		"/* In no order. */\nextern const struct tacho__%s_entry tacho__%s_entries[];\n"
		"extern const size_t tacho__%s_entry_count;\n"
		"extern const struct tacho__%s_run tacho__%s_runs[];\n"
		"extern const char tacho__%s_table[];\nextern const size_t "
		"tacho__%s_table_size;\n\n",
		name, name, name, name, name, name, name);
}

/* What is kept of the command, and the mark in front of it; write_run_end() is the one behind. */
void write_run_begin(const struct api *api, const struct function *function, FILE *out)
{
	const struct run *run = &function->run;

	fprintf(out, "\tconst struct tacho__%s_ran ran = {\n\t\t.function = TACHO__RUN_%s,\n",
		api->name, function->name);
	for (size_t i = 0; run->counts[i]; i++)
		fprintf(out, "\t\t.counts[%zu] = %s,\n", i, run->counts[i]);
	if (run->bytes && strchr(run->bytes, '('))
		fprintf(out, "\t\t.bytes = tacho__%s_%s,\n", api->name, run->bytes);
	else if (run->bytes)
		fprintf(out, "\t\t.bytes = %s,\n", run->bytes);
	fprintf(out, "\t};\n\tstruct tacho__%s_at at = tacho__%s_begin_run(%s, &ran);\n", api->name,
		api->name, function->arguments[0].name);
}

void write_run_end(const struct api *api, FILE *out)
{
	fprintf(out, "\ttacho__%s_end_run(&at);\n", api->name);
}

static const char *level_of(const struct function *function)
{
	return !strcmp(function->level, "device")     ? "DEVICE"
	       : !strcmp(function->level, "instance") ? "INSTANCE"
						      : "GLOBAL";
}

/* Which of the things that can be bound a kernel is run by. */
static int bind_point_of(const struct run *run)
{
	return !strcmp(run->kind, "draw") ? 0 : !strcmp(run->kind, "trace") ? 2 : 1;
}

static size_t count_counts(const struct run *run)
{
	size_t count = 0;

	while (run->counts[count])
		count++;
	return count;
}

void write_keyed_entries(const struct api *api, FILE *out)
{
	fprintf(out, "const struct tacho__%s_entry tacho__%s_entries[] = {\n", api->name,
		api->name);
	for (size_t i = 0; i < api->function_count; i++) {
		const struct function *function = &api->functions[i];

		fprintf(out,
			"\t{\"%s\", (void *)wrap_%s, TACHO__INDEX_%s, TACHO__INDEX_%s, "
			"TACHO__LEVEL_%s},\n",
			function->name, function->name, function->name,
			function->alias ? function->alias : function->name, level_of(function));
	}
	fprintf(out,
		"};\nconst size_t tacho__%s_entry_count = %zu;\n\n"
		"const struct tacho__%s_run tacho__%s_runs[] = {\n",
		api->name, api->function_count, api->name, api->name);
	for (size_t i = 0; i < api->function_count; i++) {
		const struct run *run = &api->functions[i].run;

		if (run->kind)
			fprintf(out, "\t{%d, %d, %d, %zu, %d},\n", is_kernel(run),
				run->by_graphics || !strcmp(run->kind, "draw"), run->bytes != NULL,
				count_counts(run), bind_point_of(run));
	}
	fputs("};\n", out);
}

static void put_bare(const struct api *api, const struct function *function, size_t index,
		     FILE *out)
{
	const struct run *run = &function->run;
	const char *kind = is_kernel(run) ? "kernel" : run->kind;

	(void)api;
	fprintf(out, "\t\"func %zu -1 %s - buffer=x submission=u index=u queue=h", index,
		function->name);
	if (is_kernel(run))
		fputs(" kernel=h dims=h", out);
	if (run->word)
		fprintf(out, " %s=l:u", run->word);
	if (run->bytes)
		fputs(" bytes=l:u", out);
	fprintf(out, "\\n\"\n\t\"cmd %zu %s %zu %s queue=queue%s%s\\n\"\n\t\"bare %zu\\n\"\n",
		index, kind, index, function->name,
		is_kernel(run) ? " kernel=kernel dims=dims" : "", run->bytes ? " bytes=bytes" : "",
		index);
}

void write_run_table(const struct api *api, FILE *out)
{
	size_t index = api->function_count;

	for (size_t i = 0; i < api->function_count; i++)
		if (api->functions[i].run.kind)
			put_bare(api, &api->functions[i], index++, out);
	fputs("\t\"draw", out);
	index = api->function_count;
	for (size_t i = 0; i < api->function_count; i++) {
		const char *kind = api->functions[i].run.kind;

		if (kind && !strcmp(kind, "draw"))
			fprintf(out, " %zu", index);
		index += kind != NULL;
	}
	fputs("\\n\"\n", out);
}
