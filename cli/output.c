/* SPDX-License-Identifier: MIT */
#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <tacho/sys/file.h>

#include "cli.h"

/* The one that is open, for the case that the command ends in the middle. */
static struct cli_output *unfinished;

static bool is_same(const struct stat *one, int fd)
{
	struct stat other;

	return fstat(fd, &other) == 0 && one->st_dev == other.st_dev && one->st_ino == other.st_ino;
}

/*
 * Whether a file can take its place. Not where somebody has it open and goes on to write there:
 * /dev/stdout and the like.
 */
static bool is_replaced(const char *path, struct stat *out_status)
{
	return stat(path, out_status) == 0 && S_ISREG(out_status->st_mode) &&
	       strncmp(path, "/dev/fd/", 8) != 0 && strncmp(path, "/proc/", 6) != 0 &&
	       !is_same(out_status, STDOUT_FILENO) && !is_same(out_status, STDERR_FILENO);
}

/* Beside the file itself when the path is a link to it, and with its permissions. */
static FILE *open_beside(struct cli_output *output, const struct stat *status)
{
	char *real = realpath(output->path, NULL), *temporary = NULL;
	FILE *stream = NULL;
	int fd = -1, error;

	if (!real || access(real, W_OK) != 0)
		goto out;
	temporary = cli_format("%s.XXXXXX", real);
	fd = tacho_unfinished_create(temporary);
	if (fd >= 0 && fchmod(fd, status->st_mode & 0777) == 0)
		stream = tacho_stream_open(fd);
	if (stream) {
		free(output->path);
		output->path = real;
		output->temporary = temporary;
		output->fd = fd;
		return stream;
	}
out:
	error = errno;
	if (fd >= 0) {
		close(fd);
		unlink(temporary);
		tacho_unfinished_end(temporary);
	}
	free(temporary);
	free(real);
	errno = error;
	return NULL;
}

/* What is no file, as a pipe or a terminal, has nothing that would be replaced. */
static int open_path(const char *path, bool overwrite)
{
	struct stat status;

	if (strcmp(path, "-") == 0) {
		fflush(stdout);
		return fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
	}
	if (stat(path, &status) == 0 && !S_ISREG(status.st_mode))
		return open(path, O_WRONLY | O_CLOEXEC);
	return open(path, O_WRONLY | O_CREAT | O_CLOEXEC | (overwrite ? O_TRUNC : O_EXCL), 0666);
}

static FILE *open_new(struct cli_output *output, bool overwrite)
{
	output->fd = open_path(output->path, overwrite);
	if (output->fd < 0)
		return NULL;
	output->stream = tacho_stream_open(output->fd);
	if (!output->stream) {
		close(output->fd);
		errno = ENOMEM;
	}
	return output->stream;
}

static void discard_unfinished(void)
{
	if (unfinished)
		cli_output_discard(unfinished);
}

int cli_output_open(struct cli_output *out_output, const char *path, bool overwrite)
{
	struct cli_output output = {.path = cli_format("%s", path)};
	struct stat status;
	int error;

	output.is_new = strcmp(path, "-") != 0 && access(path, F_OK) != 0;
	if (overwrite && strcmp(path, "-") != 0 && is_replaced(path, &status))
		output.stream = open_beside(&output, &status);
	else
		output.stream = open_new(&output, overwrite);
	if (output.stream) {
		*out_output = output;
		if (!unfinished)
			atexit(discard_unfinished);
		unfinished = out_output;
		return CLI_OK;
	}
	error = errno;
	cli_change_class(error == EACCES ? CLI_PERMISSION : CLI_FAILED);
	if (error == EEXIST)
		cli_complain("it would be replaced", "add -f, or take another name",
			     "%s exists already", path);
	else
		cli_complain(strerror(error), "take another name", "%s cannot be written to",
			     *path ? path : "a file without a name");
	free(output.path);
	return error == EACCES ? CLI_PERMISSION : CLI_FAILED;
}

/* 0 or -1 with errno. */
static int replace_old(struct cli_output *output)
{
	if (output->temporary && rename(output->temporary, output->path) != 0)
		return -1;
	tacho_unfinished_end(output->temporary);
	free(output->temporary);
	output->temporary = NULL;
	output->is_new = false;
	return 0;
}

static bool is_empty(const struct cli_output *output)
{
	struct stat status;

	return fstat(output->fd, &status) == 0 && S_ISREG(status.st_mode) && !status.st_size;
}

void cli_output_place(struct cli_output *output)
{
	if (output->stream && fflush(output->stream) == 0 && !is_empty(output))
		replace_old(output);
}

/* Takes away what was made, but for what is placed. */
static void forget(struct cli_output *output)
{
	if (output->temporary)
		unlink(output->temporary);
	else if (output->is_new)
		unlink(output->path);
	tacho_unfinished_end(output->temporary);
	free(output->temporary);
	free(output->path);
	*output = (struct cli_output){0};
	unfinished = NULL;
}

bool cli_output_close(struct cli_output *output)
{
	bool failed, nothing;
	int error;

	if (!output->stream)
		return true;
	fflush(output->stream);
	nothing = is_empty(output);
	failed = fclose(output->stream) != 0;
	error = errno;
	if (!failed && !nothing && replace_old(output) != 0) {
		failed = true;
		error = errno;
	}
	if (failed)
		cli_complain(strerror(error), "", "%s could not be written", output->path);
	/* Of a new file what could be written stays. */
	if (!nothing)
		output->is_new = false;
	forget(output);
	return !failed;
}

void cli_output_discard(struct cli_output *output)
{
	if (!output->stream)
		return;
	fclose(output->stream);
	forget(output);
}

/* The old action, which ends the process, is there again. */
static void end_clean(int number)
{
	tacho_unfinished_discard();
	raise(number);
}

void cli_output_clean_on_signals(void)
{
	static const int ends[] = {SIGINT, SIGTERM, SIGHUP};
	const struct sigaction action = {.sa_handler = end_clean,
					 .sa_flags = (int)SA_RESETHAND | SA_NODEFER};
	struct sigaction old;

	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		if (sigaction(ends[i], NULL, &old) == 0 && old.sa_handler == SIG_DFL)
			sigaction(ends[i], &action, NULL);
}
