/* SPDX-License-Identifier: MIT */
/* tacho env: how a program is pointed at the drop-in libraries. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <tacho/sys/devices.h>
#include <tacho/sys/face.h>
#include <tacho/sys/json.h>
#include <tacho/sys/launch.h>
#include <tacho/tacho.h>

#include "cli.h"
#include "options/options.h"
#include "record/launch.h"

struct settings {
	bool json;
	const char *sim;
	struct cli_texts tools;
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
	tacho_json_begin_array(&json, "variables");
	for (size_t i = 0; i < face->variable_count; i++) {
		tacho_json_begin_object(&json, NULL);
		tacho_json_add_string(&json, "name", face->variables[i].name);
		tacho_json_add_string(&json, "value", face->variables[i].value);
		tacho_json_add_bool(&json, "list", face->variables[i].is_list);
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
	for (size_t i = 0; i < face->variable_count; i++) {
		const struct tacho_face_variable *variable = &face->variables[i];

		printf("export %s=", variable->name);
		print_quoted(variable->value);
		if (variable->is_list)
			printf("\"${%s:+:$%s}\"", variable->name, variable->name);
		putchar('\n');
	}
	printf("# A simulated device instead of the real one: export TACHO_SIM=%s\n", face->model);
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

/* As a list: in front of what it holds, once. */
static void set(const char *name, const char *value, bool is_list)
{
	const char *old = getenv(name);
	size_t size = strlen(value);
	char *list;

	if (!is_list || !old || !*old) {
		setenv(name, value, 1);
		return;
	}
	if (!strncmp(old, value, size) && (!old[size] || old[size] == ':'))
		return;
	list = cli_format("%s:%s", value, old);
	setenv(name, list, 1);
	free(list);
}

/* Models with commas between, as TACHO_SIM has them. */
static bool check_models(const char *models)
{
	struct tacho_context_options options = {.size = sizeof(options)};
	struct tacho_context *context = NULL;
	char *copy = cli_format("%s", models), *rest = copy, *model, *backends = NULL;
	bool is_ok;

	while ((model = strsep(&rest, ",")))
		cli_append(&backends, ",", "sim:%s", model);
	options.backends = backends;
	is_ok = !tacho_context_create_lean(&options, &context);
	if (!is_ok)
		cli_complain_last();
	tacho_context_destroy(context);
	free(backends);
	free(copy);
	return is_ok;
}

/* A path must lead somewhere, wherever the program goes; names are left to the loader. */
static bool set_tool(const char *tool)
{
	char *path = strchr(tool, '/') ? realpath(tool, NULL) : NULL;

	if (strchr(tool, '/') && (!path || access(path, R_OK))) {
		cli_complain(strerror(errno), "check the path", "cannot load %s", tool);
		free(path);
		return false;
	}
	set("ROCP_TOOL_LIBRARIES", path ? path : tool, true);
	free(path);
	return true;
}

/* Becomes the program. */
static int run_program(const struct tacho_face *face, const struct settings *settings, char **argv)
{
	char *path;

	if (tacho_launch_check(argv[0], &path))
		return cli_launch_complain();
	free(path);
	if (settings->sim && !check_models(settings->sim))
		return CLI_REFUSED;
	for (size_t i = 0; i < face->variable_count; i++)
		set(face->variables[i].name, face->variables[i].value, face->variables[i].is_list);
	if (settings->sim)
		set("TACHO_SIM", settings->sim, false);
	for (size_t i = settings->tools.count; i-- > 0;)
		if (!set_tool(settings->tools.texts[i]))
			return CLI_REFUSED;
	execvp(argv[0], argv);
	cli_complain(strerror(errno), "", "cannot run %s", argv[0]);
	return errno == ENOENT ? CLI_NOT_FOUND : CLI_NOT_EXECUTABLE;
}

/* How many words are behind the first "--". */
static int count_program_words(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		if (!strcmp(argv[i], "--"))
			return argc - i - 1;
	return 0;
}

static bool check(const struct settings *settings, int words, int program_words)
{
	if (words != program_words + 1)
		cli_complain("", "put -- in front of a program: tacho env API -- PROGRAM",
			     "env: there is more than one API");
	else if (!program_words && (settings->sim || settings->tools.count))
		cli_complain("", "add -- PROGRAM, or set the variables by yourself",
			     "env: --sim and --tool are for a program that is run");
	else if (program_words && settings->json)
		cli_complain("", "leave one of them out", "env: --json runs no program");
	else
		return true;
	return false;
}

static int env_run(const struct cli_command *command, int argc, char **argv)
{
	static struct tacho_face face; /* paths are too much for the stack */
	struct settings settings = {0};
	int program_words = count_program_words(argc, argv);
	int operands, status;

	if (!cli_options_parse(command, argc, argv, &settings, &operands, &status))
		return status;
	if (!check(&settings, argc - operands, program_words)) {
		status = CLI_USAGE;
	} else if (tacho_face_find(argv[operands], &face)) {
		status = cli_complain_last();
		status = program_words ? CLI_REFUSED : status;
	} else if (program_words) {
		status = run_program(&face, &settings, argv + operands + 1);
	} else {
		settings.json ? print_json(&face) : print_text(&face);
		status = CLI_OK;
	}
	cli_options_finish(command, &settings);
	return status;
}

static const struct cli_option options[] = {
	CLI_OPTION_FLAG(struct settings, 0, "json", json, "print JSON"),
	CLI_OPTION(struct settings, 0, "sim", "MODEL", CLI_TEXT, CLI_WORDS_SIM, sim,
		   "with PROGRAM: count on a simulated device (TACHO_SIM)"),
	CLI_OPTION(
		struct settings, 0, "tool", "LIBRARY", CLI_TEXTS, CLI_WORDS_FILE, tools,
		"with PROGRAM: load this tool into it (ROCP_TOOL_LIBRARIES); may be given several "
		"times"),
};

const struct cli_command cli_env = {
	.name = "env",
	.summary = "give programs for a vendor's API tacho's libraries",
	.operands = "API [-- PROGRAM [ARGUMENT...]]",
	.description =
		"Prints the variables that make programs load tacho's drop-in libraries, for "
		"a shell to evaluate: eval \"$(tacho env gpa)\". Comments say which files "
		"answer at present. With a PROGRAM it sets them and runs that. API is gpa, for "
		"GPUPerfAPI 2.x, perfworks, for PerfWorks 0.46, or rocprofiler, for tools of "
		"ROCprofiler-SDK 1.0.",
	.examples = {"eval \"$(tacho env gpa)\"", "tacho env rocprofiler --sim mi300x -- ./app"},
	CLI_HAS_OPTIONS(options),
	.words = CLI_WORDS_FACE,
	.first_operand = "API",
	.operand_min = 1,
	.operand_max = UINT_MAX / 2,
	.run = env_run,
};
