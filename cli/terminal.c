/* SPDX-License-Identifier: MIT */
#include "terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

static struct {
	enum cli_color_when color;
	pid_t pager; /* 0: there is none */
	unsigned paged_columns;
} terminal;

static int get_number(FILE *stream)
{
	return stream == stdout ? STDOUT_FILENO : stream == stderr ? STDERR_FILENO : -1;
}

static bool is_paged(FILE *stream)
{
	return terminal.pager && stream == stdout;
}

bool cli_is_terminal(FILE *stream)
{
	return is_paged(stream) || isatty(get_number(stream));
}

/* ---- columns ---- */

static unsigned ask_columns(FILE *stream)
{
	struct winsize size;

	return ioctl(get_number(stream), TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

unsigned cli_terminal_columns(FILE *stream)
{
	const char *text = getenv("COLUMNS");
	char *end;
	unsigned long columns = text ? strtoul(text, &end, 10) : 0;

	if (columns && !*end && columns < INT_MAX)
		return (unsigned)columns;
	return is_paged(stream) ? terminal.paged_columns : ask_columns(stream);
}

/* ---- colours ---- */

void cli_color_choose(enum cli_color_when when)
{
	terminal.color = when;
}

static bool is_dumb(void)
{
	const char *name = getenv("TERM");

	return !name || !*name || strcmp(name, "dumb") == 0;
}

static bool has_colors(FILE *stream)
{
	const char *none = getenv("NO_COLOR");

	if (terminal.color != CLI_COLOR_AUTO)
		return terminal.color == CLI_COLOR_ALWAYS && get_number(stream) >= 0;
	return !(none && *none) && !is_dumb() && cli_is_terminal(stream);
}

void cli_color_begin(FILE *stream, enum cli_color color)
{
	static const char *const codes[] = {
		[CLI_COLOR_HEADING] = "\033[1m",
		[CLI_COLOR_TITLE] = "\033[2m",
		[CLI_COLOR_ERROR] = "\033[1;31m",
		[CLI_COLOR_WARNING] = "\033[33m",
	};

	if (has_colors(stream))
		fputs(codes[color], stream);
}

void cli_color_end(FILE *stream)
{
	if (has_colors(stream))
		fputs("\033[m", stream);
}

void cli_put_heading(FILE *stream, const char *text)
{
	fputc('\n', stream);
	cli_color_begin(stream, CLI_COLOR_HEADING);
	fputs(text, stream);
	cli_color_end(stream);
	fputc('\n', stream);
}

/* ---- the pager ---- */

/* Whether the first word of the command can be executed; what a shell has to read may be. */
static bool is_there(const char *command)
{
	size_t size = strcspn(command, " \t");
	const char *path = getenv("PATH");
	char file[PATH_MAX];

	if (strcspn(command, "\"'$`\\;&|<>(){}*?[]~=") < size)
		return true;
	if (memchr(command, '/', size)) {
		snprintf(file, sizeof(file), "%.*s", (int)size, command);
		return access(file, X_OK) == 0;
	}
	for (path = path ? path : "/usr/bin:/bin"; *path; path += *path == ':') {
		size_t length = strcspn(path, ":");

		snprintf(file, sizeof(file), "%.*s/%.*s", (int)length, path, (int)size, command);
		if (access(file, X_OK) == 0)
			return true;
		path += length;
	}
	return false;
}

/* NULL: none is wanted, or there is none. */
static const char *choose_pager(const char **out_why)
{
	const char *own = getenv("TACHO_PAGER"), *usual = getenv("PAGER");
	const char *command = own ? own : usual ? usual : "less";

	if (!*command || strcmp(command, "cat") == 0)
		return NULL;
	if (is_there(command))
		return command;
	if (own || usual)
		*out_why = "its program is not there";
	return NULL;
}

/* Quits when all fits the screen, lets colours through, and leaves what was shown there. */
static void __attribute__((noreturn)) run_pager(const char *command, int input)
{
	dup2(input, STDIN_FILENO);
	setenv("LESS", "FRX", 0);
	setenv("LV", "-c", 0);
	execl("/bin/sh", "sh", "-c", command, (char *)NULL);
	_exit(127);
}

/* Where the command ends in the middle. */
static void leave(void)
{
	if (!terminal.pager)
		return;
	fflush(stdout);
	close(STDOUT_FILENO);
	cli_pager_finish();
}

void cli_pager_start(const char **out_why)
{
	const char *command;
	int ends[2];
	pid_t child;

	*out_why = "";
	if (terminal.pager || !isatty(STDOUT_FILENO) || is_dumb())
		return;
	command = choose_pager(out_why);
	if (!command || pipe2(ends, O_CLOEXEC) != 0)
		return;
	fflush(stdout);
	child = fork();
	if (child == 0)
		run_pager(command, ends[0]);
	if (child > 0) {
		terminal.paged_columns = ask_columns(stdout);
		terminal.pager = child;
		signal(SIGPIPE, SIG_IGN);
		signal(SIGINT, SIG_IGN); /* it is the pager's, to leave what it does */
		dup2(ends[1], STDOUT_FILENO);
		atexit(leave);
	}
	close(ends[0]);
	close(ends[1]);
}

bool cli_pager_runs(void)
{
	return terminal.pager != 0;
}

void cli_pager_finish(void)
{
	pid_t pager = terminal.pager;

	terminal.pager = 0;
	while (pager && waitpid(pager, NULL, 0) < 0 && errno == EINTR)
		;
}
