/* SPDX-License-Identifier: MIT */
/* tacho env: how a program is pointed at the drop-in libraries. */
#include <string.h>

#include <tacho/sys/face.h>
#include <tacho/sys/json.h>
#include <tacho/tacho.h>

#include "options/options.h"

struct settings {
	bool json;
};

static void print_json(const struct tacho_face *face)
{
	struct tacho_json json;

	tacho_json_init(&json, stdout, true);
	tacho_json_begin_object(&json, NULL);
	tacho_json_add_string(&json, "schema", "tacho.env/1");
	tacho_json_add_string(&json, "api", face->name);
	tacho_json_add_string(&json, "folder", face->folder);
	tacho_json_begin_array(&json, "libraries");
	for (size_t i = 0; i < face->library_count; i++) {
		tacho_json_begin_object(&json, NULL);
		tacho_json_add_string(&json, "name", face->libraries[i].name);
		tacho_json_add_string(&json, "answer", face->libraries[i].answer);
		tacho_json_add_bool(&json, "ours", face->libraries[i].is_ours);
		tacho_json_end(&json);
	}
	tacho_json_end(&json);
	tacho_json_end(&json);
	tacho_json_finish(&json);
}

/* In single quotes, as a shell takes any path. */
static void print_quoted(const char *text)
{
	putchar('\'');
	for (; *text; text++)
		*text == '\'' ? fputs("'\\''", stdout) : putchar(*text);
	putchar('\'');
}

/* What a shell can evaluate: the rest are comments. */
static void print_text(const struct tacho_face *face)
{
	printf("# Programs for %s get tacho's libraries after this:\n", face->title);
	fputs("export LD_LIBRARY_PATH=", stdout);
	print_quoted(face->folder);
	fputs("\"${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}\"\n", stdout);
	puts("# A simulated device instead of the real one: export TACHO_SIM=rx480");
	for (size_t i = 0; i < face->library_count; i++) {
		const struct tacho_face_library *library = &face->libraries[i];

		printf("# %s is now ", library->name);
		if (*library->answer)
			printf("%s, %s\n", library->answer,
			       library->is_ours ? "tacho's" : "not tacho's");
		else
			puts("not found");
	}
}

static int env_run(const struct cli_command *command, int argc, char **argv)
{
	static struct tacho_face face; /* paths are too much for the stack */
	struct settings settings = {0};
	int operands, status;

	if (!cli_options_parse(command, argc, argv, &settings, &operands, &status))
		return status;
	if (tacho_face_find(argv[operands], &face))
		return cli_complain_last();
	if (settings.json)
		print_json(&face);
	else
		print_text(&face);
	return CLI_OK;
}

static const struct cli_option options[] = {
	CLI_OPTION_FLAG(struct settings, 0, "json", json, "print JSON"),
};

const struct cli_command cli_env = {
	.name = "env",
	.summary = "show how programs for a vendor's API get tacho's libraries",
	.operands = "API",
	.description =
		"Prints the variables that make programs load tacho's drop-in libraries, for "
		"a shell to evaluate: eval \"$(tacho env gpa)\". Comments say which files "
		"answer at present. API is gpa, for GPUPerfAPI 2.x.",
	CLI_HAS_OPTIONS(options),
	.first_operand = "API",
	.operand_min = 1,
	.operand_max = 1,
	.run = env_run,
};
