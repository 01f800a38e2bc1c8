/* SPDX-License-Identifier: MIT */
#include "diff/turns_place.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include <tacho/sys/launch.h>

#include "cli.h"
#include "text.h"
#include "units.h"

enum {
	MESSAGES_MAX = 1 << 20, /* the file is cut there */
	TAIL_BYTES = 4096,
	TAIL_LINES = 10,
	FREE_PARTS = 2,	  /* of the free disk, for all recordings */
	ONE_PARTS = 10,	  /* the most for one, as tacho record has it */
	SPARE_PARTS = 20, /* of the disk; it stays free, as with tacho record */
	FILES_OPEN = 16,
	REMOVE_TRIES = 30,
	REMOVE_PAUSE_US = 100000,
};

static const uint64_t SHARE_MIN = 256 * 1000 * 1000, LEAST = 1000 * 1000;

static int fail(const char *what, const char *path)
{
	cli_complain(strerror(errno), "take another folder with -o", "%s %s", path, what);
	return CLI_FAILED;
}

/* ---- what guards a folder that is to go ---- */

static int remove_entry(const char *path, const struct stat *status, int type, struct FTW *place)
{
	(void)status;
	(void)type;
	(void)place;
	return remove(path);
}

/*
 * In a process of its own, out of reach of the terminal's signals: waits until tacho is done or
 * gone. Nobody else can have put anything there, since only we can open the folder.
 */
static _Noreturn void guard(const char *folder, int fd)
{
	int none = open("/dev/null", O_RDWR), tries = 0;
	char byte;
	ssize_t got;

	setsid();
	if (none >= 0) {
		dup2(none, STDIN_FILENO);
		dup2(none, STDOUT_FILENO);
	}
	do
		got = read(fd, &byte, 1);
	while (got < 0 && errno == EINTR);
	/* what records still when tacho was killed may make a file meanwhile */
	while (nftw(folder, remove_entry, FILES_OPEN, FTW_DEPTH | FTW_PHYS) != 0 &&
	       ++tries < REMOVE_TRIES)
		usleep(REMOVE_PAUSE_US);
	_exit(tries < REMOVE_TRIES ? 0 : 1);
}

static int start_guard(struct cli_turns_place *place)
{
	int ends[2];
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC) != 0)
		return fail("has nobody to remove it: no pipe", place->folder);
	fflush(NULL);
	pid = fork();
	if (pid == 0) {
		close(ends[1]);
		guard(place->folder, ends[0]);
	}
	close(ends[0]);
	if (pid < 0) {
		close(ends[1]);
		return fail("has nobody to remove it: no process", place->folder);
	}
	place->guard = pid;
	place->guard_fd = ends[1];
	return CLI_OK;
}

/* A byte, not the end of the pipe: a process that outlives its program may hold that open. */
static bool dismiss_guard(struct cli_turns_place *place)
{
	int status = -1;
	pid_t pid;

	while (write(place->guard_fd, "q", 1) < 0 && errno == EINTR)
		;
	close(place->guard_fd);
	do
		pid = waitpid(place->guard, &status, 0);
	while (pid < 0 && errno == EINTR);
	if (pid == place->guard && WIFEXITED(status) && WEXITSTATUS(status) == 0)
		return true;
	cli_complain("", "remove it yourself", "the folder %s could not be removed", place->folder);
	return false;
}

/* ---- folders ---- */

static int make_temporary(struct cli_turns_place *place)
{
	const char *parent = getenv("TMPDIR");
	int status;

	place->folder = cli_format("%s/tacho-diff-XXXXXX", parent && *parent ? parent : "/tmp");
	if (!mkdtemp(place->folder)) {
		cli_complain(strerror(errno),
			     "set TMPDIR to a folder that can be written to, or name one with -o",
			     "there is no folder %s for the recordings", place->folder);
		free(place->folder);
		place->folder = NULL;
		return CLI_FAILED;
	}
	status = start_guard(place);
	if (status != CLI_OK)
		rmdir(place->folder);
	return status;
}

static int is_recording(const struct dirent *entry)
{
	size_t length = strlen(entry->d_name);

	return length > 6 && strcmp(entry->d_name + length - 6, ".tacho") == 0;
}

/* The recordings of an earlier comparison, and nothing else. */
static int empty(const char *path)
{
	struct dirent **entries;
	int count = scandir(path, &entries, is_recording, alphasort), status = CLI_OK;

	if (count < 0)
		return fail("cannot be read", path);
	for (int i = 0; i < count; i++) {
		char *name = cli_format("%s/%s", path, entries[i]->d_name);

		if (status == CLI_OK && tacho_launch_remove(name) != 0)
			status = (int)cli_complain_last();
		free(name);
		free(entries[i]);
	}
	free(entries);
	return status;
}

static int make_side(const struct cli_turns_place *place, char side, bool overwrite)
{
	char *path = cli_format("%s/%c", place->folder, side);
	int status = CLI_OK;

	if (mkdir(path, 0700) != 0) {
		if (errno != EEXIST) {
			status = fail("cannot be made", path);
		} else if (overwrite) {
			status = empty(path);
		} else {
			cli_complain("",
				     "add -f to replace the recordings in it, or take another "
				     "folder with -o",
				     "%s exists already", path);
			status = CLI_FAILED;
		}
	}
	free(path);
	return status;
}

static int make_kept(const char *name, struct cli_turns_place *place)
{
	place->is_kept = true;
	place->folder = cli_format("%s", name);
	if (mkdir(name, 0700) == 0 || errno == EEXIST)
		return CLI_OK;
	return fail("cannot be made", name);
}

/* Without a name, so that nothing of it can stay. */
static int open_messages(struct cli_turns_place *place)
{
	char *path = cli_format("%s/messages-XXXXXX", place->folder);
	int status = CLI_OK;

	place->messages_fd = mkostemp(path, O_APPEND | O_CLOEXEC);
	if (place->messages_fd < 0)
		status = fail("cannot be made", path);
	else
		unlink(path);
	free(path);
	return status;
}

int cli_turns_place_create(const char *name, bool overwrite, struct cli_turns_place *out_place)
{
	struct cli_turns_place place = {.messages_fd = -1, .guard_fd = -1};
	int status = name ? make_kept(name, &place) : make_temporary(&place);

	for (char side = 'a'; side <= 'b' && status == CLI_OK; side++)
		status = make_side(&place, side, overwrite);
	if (status == CLI_OK)
		status = open_messages(&place);
	if (status != CLI_OK) {
		cli_turns_place_finish(&place);
		return status;
	}
	*out_place = place;
	return CLI_OK;
}

bool cli_turns_place_finish(struct cli_turns_place *place)
{
	bool good = true;

	if (place->guard)
		good = dismiss_guard(place);
	if (place->folder && place->messages_fd >= 0)
		close(place->messages_fd);
	free(place->last);
	free(place->folder);
	*place = (struct cli_turns_place){0};
	return good;
}

/* ---- room ---- */

/* What is free, and how much of it is not to be taken. */
static bool ask_disk(const struct cli_turns_place *place, uint64_t *out_free, uint64_t *out_spare)
{
	struct statvfs disk;

	if (statvfs(place->folder, &disk) != 0) {
		fail("is on a disk of which nothing can be known", place->folder);
		return false;
	}
	*out_free = (uint64_t)disk.f_bavail * disk.f_frsize;
	*out_spare = (uint64_t)disk.f_blocks * disk.f_frsize / SPARE_PARTS;
	return true;
}

static void complain_full(const struct cli_turns_place *place, uint64_t free_bytes, uint64_t bytes)
{
	struct cli_number rest, needed;

	cli_complain(cli_part("%s are free, and a recording may take %s",
			      cli_units_bytes(&rest, free_bytes), cli_units_bytes(&needed, bytes)),
		     "give a smaller --max-size, or a folder on another disk with -o",
		     "the disk of %s has no room for a recording", place->folder);
}

uint64_t cli_turns_place_share(const struct cli_turns_place *place, uint64_t count)
{
	uint64_t free_bytes, spare, usable, share;

	if (!ask_disk(place, &free_bytes, &spare))
		return 0;
	usable = free_bytes > spare ? free_bytes - spare : 0;
	share = usable / FREE_PARTS / count;
	if (share < SHARE_MIN)
		share = SHARE_MIN;
	if (share > usable / ONE_PARTS)
		share = usable / ONE_PARTS;
	if (share < LEAST)
		share = LEAST;
	if (share <= usable)
		return share;
	complain_full(place, usable, share);
	return 0;
}

bool cli_turns_place_has_room(const struct cli_turns_place *place, uint64_t bytes)
{
	uint64_t free_bytes, spare;

	if (!ask_disk(place, &free_bytes, &spare))
		return false;
	if (free_bytes >= bytes)
		return true;
	complain_full(place, free_bytes, bytes);
	return false;
}

/* ---- what programs say ---- */

void cli_turns_place_begin_messages(struct cli_turns_place *place)
{
	free(place->last);
	place->last = NULL;
	if (ftruncate(place->messages_fd, 0) != 0)
		cli_warn("what a program before this one wrote to stderr stays in front of what "
			 "this one writes: %s",
			 strerror(errno));
}

/* The end of the file. Owned. */
static char *read_tail(const struct cli_turns_place *place)
{
	char *text = cli_alloc(TAIL_BYTES + 1);
	struct stat status;
	off_t from = 0;
	ssize_t got;

	if (fstat(place->messages_fd, &status) == 0 && status.st_size > TAIL_BYTES)
		from = status.st_size - TAIL_BYTES;
	got = pread(place->messages_fd, text, TAIL_BYTES, from);
	text[got > 0 ? got : 0] = '\0';
	return text;
}

void cli_turns_place_cut_messages(struct cli_turns_place *place)
{
	struct stat status;

	if (fstat(place->messages_fd, &status) != 0 || status.st_size <= MESSAGES_MAX)
		return;
	free(place->last);
	place->last = read_tail(place);
	if (ftruncate(place->messages_fd, 0) != 0) { /* it grows until the program has ended */
		free(place->last);
		place->last = NULL;
	}
}

/* Where its last lines begin. */
static const char *find_tail(const char *text)
{
	const char *at = text + strlen(text);
	int lines = 0;

	while (at > text && at[-1] == '\n')
		at--;
	for (; at > text; at--)
		if (at[-1] == '\n' && ++lines == TAIL_LINES)
			break;
	return at;
}

void cli_turns_place_show_messages(const struct cli_turns_place *place)
{
	char *end = read_tail(place);
	char *text = cli_format("%s%s", place->last ? place->last : "", end), *rest = text, *line;

	rest = (char *)find_tail(text);
	if (*rest)
		fputs("  the last that it wrote to stderr:\n", stderr);
	while ((line = strsep(&rest, "\n"))) {
		char *clean = cli_text_clean(line);

		if (*clean)
			fprintf(stderr, "  | %s\n", clean);
		free(clean);
	}
	free(text);
	free(end);
}
