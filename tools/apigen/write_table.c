/* SPDX-License-Identifier: MIT */
/* The call table: text in the format of src/record/calls.h, as a C string. */
#include <inttypes.h>
#include <stddef.h>
#include <string.h>

#include "model.h"

static void put_show(const struct api *api, const struct show *show, FILE *out)
{
	const struct structure *structure;

	fputc(show->kind, out);
	switch (show->kind) {
	case 'e':
	case 'm':
	case 'p':
	case 'v': fprintf(out, ":%s", show->name); break;
	case 'l':
	case 'o':
		fputc(':', out);
		put_show(api, show->inner, out);
		break;
	case 't':
		structure = find_structure(api, show->name);
		for (size_t i = 0; i < structure->count; i++) {
			fputc(i ? ',' : ':', out);
			put_show(api, &structure->members[i].show, out);
		}
		break;
	default: break;
	}
}

static void put_enum(const struct enumeration *set, FILE *out)
{
	fprintf(out, "\t\"enum %s", set->name);
	for (size_t i = 0; i < set->count; i++) {
		const struct constant *constant = &set->constants[i];

		fprintf(out, "\"\n\t\" %" PRId64 "=%s%s%s", constant->value, constant->name,
			*constant->show ? ":" : "", constant->show);
	}
	fputs("\\n\"\n", out);
}

static void put_function(const struct api *api, size_t index, FILE *out)
{
	const struct function *function = &api->functions[index];

	fprintf(out, "\t\"func %zu %d %s ", index, function->number, function->api_name);
	if (function->result)
		put_show(api, &function->result_show, out);
	else
		fputc('-', out);
	for (size_t i = 0; i < function->count; i++) {
		fprintf(out, " %s=", function->arguments[i].name);
		put_show(api, &function->arguments[i].show, out);
	}
	for (size_t i = 0; i < LOOKUPS_MAX && function->lookups[i].name; i++)
		fprintf(out, " %s=h", function->lookups[i].name);
	fputs("\\n\"\n", out);
}

static int64_t code_of(const struct api *api, const char *name)
{
	const struct enumeration *set = find_enum(api, "command_type");

	for (size_t i = 0; i < set->count; i++)
		if (!strcmp(set->constants[i].name, name))
			return set->constants[i].value;
	return 0;
}

static void put_command(const struct api *api, size_t index, FILE *out)
{
	const struct command *command = api->functions[index].command;

	fprintf(out, "\t\"cmd %zu %s %" PRId64 " %s", index, command->kind,
		code_of(api, command->constant), command->constant);
	for (size_t i = 0; i < ROLES; i++)
		if (command->roles[i])
			fprintf(out, " %s=%s", role_names[i], command->roles[i]);
	fputs("\\n\"\n", out);
}

/* `flag`: where a function says that it is one of them. None: no line. */
static void put_marks(const struct api *api, const char *mark, size_t flag, FILE *out)
{
	bool any = false;

	for (size_t i = 0; i < api->function_count; i++) {
		if (!*(const bool *)((const char *)&api->functions[i] + flag))
			continue;
		fprintf(out, "%s %zu", any ? "" : keep_format("\t\"%s", mark), i);
		any = true;
	}
	if (any)
		fputs("\\n\"\n", out);
}

void write_table(const struct api *api, FILE *out)
{
	fprintf(out, "#include \"%s_api.h\"\n\nconst char tacho__%s_table[] =\n", api->name,
		api->name);
	fprintf(out, "\t\"calls 1 %s\\n\"\n", api->name);
	for (size_t i = 0; i < api->enum_count; i++)
		put_enum(&api->enums[i], out);
	for (size_t i = 0; i < api->function_count; i++)
		if (!api->functions[i].placeholder)
			put_function(api, i, out);
	for (size_t i = 0; i < api->function_count; i++)
		if (api->functions[i].command)
			put_command(api, i, out);
	write_run_table(api, out);
	put_marks(api, "poll", offsetof(struct function, is_poll), out);
	put_marks(api, "wait", offsetof(struct function, waits), out);
	put_marks(api, "submit", offsetof(struct function, submits), out);
	put_marks(api, "show", offsetof(struct function, shows), out);
	fprintf(out, "\t\"\";\nconst size_t tacho__%s_table_size = sizeof(tacho__%s_table) - 1;\n",
		api->name, api->name);
}
