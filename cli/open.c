/* SPDX-License-Identifier: MIT */
/* tacho open: a recording as a page in the browser. */
#include "open.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <tacho/tacho.h>

#include "files.h"
#include "gaps.h"
#include "name.h"
#include "options/options.h"

enum {
	WORDS_MAX = 16,		 /* of a command in BROWSER */
	STARTED_AFTER_MS = 1500, /* what runs for so long has not failed */
	STEP_MS = 20,
};

/* ---- the page ---- */

/* Its head says so, behind the digests of what it may run. */
static bool is_page(const char *path)
{
	char head[8192];
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW);
	ssize_t size = fd < 0 ? -1 : read(fd, head, sizeof(head) - 1);

	if (fd >= 0)
		close(fd);
	if (size <= 0)
		return false;
	head[size] = '\0';
	return strstr(head, "<meta name=\"generator\" content=\"tacho ") != NULL;
}

/* Where the page goes, without ".html". Owned. */
static char *get_base(const char *name, const char *output)
{
	size_t length = output ? strlen(output) : 0;

	if (!output)
		return cli_name_get_base(name);
	if (length > 5 && strcmp(output + length - 5, ".html") == 0)
		length -= 5;
	return cli_format("%.*s", (int)length, output);
}

static int make_page(struct tacho_recording *recording, const char *base, const char *path,
		     const struct cli_open_settings *settings)
{
	const struct tacho_export_options options = {
		.size = sizeof(options),
		.overwrite = settings->overwrite || is_page(path),
		.partial = settings->partial,
	};

	if (tacho_recording_export(recording, "html", base, &options) != 0)
		return cli_complain_last();
	if (settings->partial)
		cli_gaps_warn(recording);
	return CLI_OK;
}

/* ---- the browser ---- */

/* In a child: it keeps nothing of this command's but the environment. */
static void execute(char *const words[])
{
	int null_fd = open("/dev/null", O_RDWR);

	setsid();
	if (null_fd >= 0) {
		dup2(null_fd, STDIN_FILENO);
		dup2(null_fd, STDOUT_FILENO);
		dup2(null_fd, STDERR_FILENO);
	}
	execvp(words[0], words);
	_exit(127);
}

/* Whether it ran, or runs. What goes on is left alone. */
static bool start(char *const words[])
{
	pid_t child;
	int status = 0;

	fflush(stdout);
	child = fork();
	if (!child)
		execute(words);
	if (child < 0)
		return false;
	for (int waited_ms = 0; waited_ms < STARTED_AFTER_MS; waited_ms += STEP_MS) {
		pid_t ended = waitpid(child, &status, WNOHANG);

		if (ended == child)
			return WIFEXITED(status) && WEXITSTATUS(status) == 0;
		if (ended < 0 && errno != EINTR)
			return false;
		poll(NULL, 0, STEP_MS);
	}
	return true;
}

/* "firefox -new-window %s": words between blanks; the path stands for %s, or comes last. */
static bool start_command(const char *command, const char *path)
{
	char *copy = cli_format("%s", command), *rest = copy, *word, *words[WORDS_MAX + 2] = {0};
	size_t count = 0;
	bool has_path = false, is_started;

	while (count < WORDS_MAX && (word = strsep(&rest, " "))) {
		char *place = strstr(word, "%s");

		if (!*word)
			continue;
		words[count++] =
			place ? cli_format("%.*s%s%s", (int)(place - word), word, path, place + 2)
			      : cli_format("%s", word);
		has_path |= place != NULL;
	}
	if (!has_path)
		words[count++] = cli_format("%s", path);
	is_started = count > 1 && start(words);
	for (size_t i = 0; i < count; i++)
		free(words[i]);
	free(copy);
	return is_started;
}

static bool is_set(const char *name)
{
	const char *value = getenv(name);

	return value && *value;
}

/* BROWSER is a list with colons between: the first that works. */
static int start_browser(const char *path)
{
	bool is_named = is_set("BROWSER"), is_started = false;
	char *copy, *rest, *command;

	if (!is_named && !is_set("DISPLAY") && !is_set("WAYLAND_DISPLAY")) {
		cli_warn("not opened: neither DISPLAY nor WAYLAND_DISPLAY is set, so there is no "
			 "screen; BROWSER may name what shows pages");
		return CLI_NOTHING;
	}
	copy = rest = cli_format("%s", is_named ? getenv("BROWSER") : "xdg-open");
	while (!is_started && (command = strsep(&rest, ":")))
		is_started = *command && start_command(command, path);
	free(copy);
	if (is_started)
		return CLI_OK;
	cli_warn("not opened: %s %s", is_named ? getenv("BROWSER") : "xdg-open",
		 is_named ? "(BROWSER) cannot be started, or failed"
			  : "cannot be started, or failed; BROWSER may name a browser");
	return CLI_NOTHING;
}

int cli_open_page(struct tacho_recording *recording, const char *name,
		  const struct cli_open_settings *settings)
{
	char *base = get_base(name, settings->output), *path = cli_format("%s.html", base);
	char absolute[PATH_MAX];
	int status = make_page(recording, base, path, settings);

	if (status == CLI_OK) {
		puts(path);
		if (!settings->no_browser)
			status = start_browser(realpath(path, absolute) ? absolute : path);
	}
	free(path);
	free(base);
	return status;
}

/* ---- the command ---- */

static int open_run(const struct cli_command *command, int argc, char **argv)
{
	struct cli_open_settings settings = {0};
	struct tacho_recording *recording = NULL;
	int operand, status;

	if (!cli_options_parse(command, argc, argv, &settings, &operand, &status))
		return status;
	status = cli_files_open(argv + operand, argc - operand, settings.as, &recording);
	if (status != CLI_OK)
		return status;
	status = cli_open_page(recording, argv[operand], &settings);
	tacho_recording_close(recording);
	return status;
}

static const struct cli_option options[] = {
	CLI_OPTION(struct cli_open_settings, 'o', "output", "FILE", CLI_TEXT, CLI_WORDS_FILE,
		   output, "write the page there (default: NAME.html beside the recording)"),
	CLI_OPTION_FORCE(struct cli_open_settings, overwrite,
			 "replace a file that is no page of tacho's"),
	CLI_OPTION_FLAG(struct cli_open_settings, 0, "partial", partial,
			"show what there is of a recording that is not whole"),
	CLI_OPTION_AS(struct cli_open_settings),
	CLI_OPTION_FLAG(struct cli_open_settings, 0, "no-browser", no_browser,
			"make the page only"),
};

const struct cli_command cli_open = {
	.name = "open",
	.summary = "show a recording in the browser",
	.operands = "NAME...",
	.description =
		"Writes the page of a recording, NAME.html, prints its path and opens it with "
		"what the variable BROWSER names, or xdg-open. The page is one file that needs no "
		"network. An older page is replaced. NAME may be a session file of CodeXL or "
		"rcprof, too; or a file or folder of another tool, of which several are one "
		"recording.",
	.examples = {"tacho open run", "tacho open run --no-browser -o page.html"},
	CLI_HAS_OPTIONS(options),
	.words = CLI_WORDS_RECORDING,
	.first_operand = "NAME",
	.operand_min = 1,
	.operand_max = CLI_FILES_MAX,
	.run = open_run,
};
