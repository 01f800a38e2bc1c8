/* SPDX-License-Identifier: MIT */
/* The directory of a recording: its name, making it, and replacing an older one. */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/fs.h"
#include "base/json.h"
#include "base/text.h"
#include "inject/launch.h"
#include "record/place.h"
#include "record/reader.h"
#include "record/recorder.h"
#include "record/wire.h"

#define SUFFIX ".tacho"

enum {
	NUMBERS_MAX = 100000,
	META_BYTES_MAX = 4 * 1024 * 1024,
	DISMISS_TRIES = 300,
	DISMISS_PAUSE_US = 10000,
};

static int no_memory(void)
{
	return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a name");
}

/* Names in a recording: written by the launcher and by the keeper. */
static bool is_file_of_ours(const char *name)
{
	static const char *const files[] = {TACHO__META_FILE,	 TACHO__END_FILE,
					    TACHO_COUNTING_FILE, "counting.ctl",
					    TACHO__CONTROL_FILE, "calls-"};

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		if (!strncmp(name, files[i], strlen(files[i])))
			return true;
	return false;
}

/* Version 1 had a folder for each process. */
static bool is_process_folder(const char *name)
{
	return !strncmp(name, TACHO__PROCESS_PREFIX, strlen(TACHO__PROCESS_PREFIX));
}

/* A recording in a recording: of a further run of the program. */
static bool is_run_folder(const char *name)
{
	unsigned number;
	int length = 0;

	return sscanf(name, TACHO_COUNTING_RUN_FORMAT "%n", &number, &length) == 1 && length &&
	       !name[length];
}

static bool is_stream_file(const char *name)
{
	return !strcmp(name, TACHO__CONTROL_FILE) || !strncmp(name, "stream-", 7);
}

static bool is_dot(const char *name)
{
	return !strcmp(name, ".") || !strcmp(name, "..");
}

/* A stream of the entries of the directory `fd`, which stays open. */
static DIR *list_entries(int fd)
{
	int again = openat(fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *folder = again < 0 ? NULL : fdopendir(again);

	if (!folder && again >= 0)
		close(again);
	return folder;
}

static int open_folder(int fd, const char *name)
{
	return openat(fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

static void remove_process(int fd, const char *name)
{
	int process = open_folder(fd, name);
	DIR *folder = process < 0 ? NULL : list_entries(process);

	for (struct dirent *entry; folder && (entry = readdir(folder));)
		if (is_stream_file(entry->d_name))
			unlinkat(process, entry->d_name, 0);
	if (folder)
		closedir(folder);
	if (process >= 0)
		close(process);
	unlinkat(fd, name, AT_REMOVEDIR);
}

/*
 * Removes a recording's files from the directory `fd`, following no link, and nothing else.
 * `has_runs`: recordings in it too.
 */
static void remove_contents(int fd, bool has_runs)
{
	DIR *folder = list_entries(fd);

	for (struct dirent *entry; folder && (entry = readdir(folder));) {
		if (is_file_of_ours(entry->d_name))
			unlinkat(fd, entry->d_name, 0);
		else if (is_process_folder(entry->d_name))
			remove_process(fd, entry->d_name);
		else if (has_runs && is_run_folder(entry->d_name)) {
			int run = open_folder(fd, entry->d_name);

			if (run >= 0) {
				remove_contents(run, false);
				close(run);
			}
			unlinkat(fd, entry->d_name, AT_REMOVEDIR);
		}
	}
	if (folder)
		closedir(folder);
}

typedef bool (*is_expected_fn)(int fd, const char *name);

/* Whether nothing but what is expected is in this folder of the directory `fd`. */
static bool holds_only(int fd, const char *name, is_expected_fn is_expected)
{
	int inner = open_folder(fd, name);
	DIR *folder = inner < 0 ? NULL : list_entries(inner);
	bool holds = folder != NULL;

	for (struct dirent *entry; holds && (entry = readdir(folder));)
		holds = is_dot(entry->d_name) || is_expected(inner, entry->d_name);
	if (folder)
		closedir(folder);
	if (inner >= 0)
		close(inner);
	return holds;
}

static bool is_of_process(int fd, const char *name)
{
	return is_stream_file(name);
}

/* Whether remove_contents() removes this entry of a recording of one run altogether. */
static bool is_of_run(int fd, const char *name)
{
	if (is_process_folder(name))
		return holds_only(fd, name, is_of_process);
	return is_file_of_ours(name);
}

/* The same of a recording that may have recordings of further runs in it. */
static bool is_ours(int fd, const char *name)
{
	return is_run_folder(name) ? holds_only(fd, name, is_of_run) : is_of_run(fd, name);
}

static int refuse(int code, const char *path, const char *cause)
{
	return tacho__fail(code, cause, "give another name, or remove it yourself",
			   "cannot replace %s", path);
}

/* The path of the pool in the recording's meta.json; "" when there is none. Owned; NULL: no memory.
 */
static char *find_pool(int fd)
{
	struct tacho__arena arena = {0};
	struct tacho__json *meta = NULL;
	struct tacho__buf text = {0};
	char path[64], *pool = NULL;

	snprintf(path, sizeof(path), "/proc/self/fd/%d/" TACHO__META_FILE, fd);
	if (!tacho__fs_read(path, META_BYTES_MAX, &text) &&
	    !tacho__json_parse(&arena, tacho__buf_text(&text), text.size, &meta))
		pool = strdup(tacho__json_string(meta, TACHO__POOL_KEY, ""));
	else
		pool = strdup("");
	tacho__buf_finish(&text);
	tacho__arena_finish(&arena);
	return pool;
}

/* The keeper of a recording whose processes are all over waits for what never comes. */
static int dismiss_keeper(int fd, const char *path)
{
	char *pool = find_pool(fd);
	uint32_t process = 0;
	bool is_dismissed;

	if (!pool)
		return no_memory();
	is_dismissed = *pool && tacho__keeper_dismiss(pool, &process);
	free(pool);
	for (int i = 0; is_dismissed && i < DISMISS_TRIES; i++) {
		if (!flock(fd, LOCK_EX | LOCK_NB))
			return 0;
		usleep(DISMISS_PAUSE_US);
	}
	if (!process)
		return refuse(TACHO_E_BUSY, path, "another tacho is recording into it");
	return tacho__fail(TACHO_E_BUSY, tacho__detail("process %u still records into it", process),
			   "wait until it ends, end it, or give another name", "cannot replace %s",
			   path);
}

/* Whether the directory `fd` holds a recording that is over, and nothing else. */
static int check_replaceable(int fd, const char *path)
{
	struct stat status;
	DIR *folder;
	int rc = 0;

	if (fstatat(fd, TACHO__META_FILE, &status, AT_SYMLINK_NOFOLLOW) || !S_ISREG(status.st_mode))
		return refuse(TACHO_E_EXISTS, path,
			      "it has no " TACHO__META_FILE
			      ": another tacho is just making it, or it is no recording");
	if (flock(fd, LOCK_EX | LOCK_NB))
		rc = dismiss_keeper(fd, path);
	folder = rc ? NULL : list_entries(fd);
	for (struct dirent *entry; folder && !rc && (entry = readdir(folder));)
		if (!is_dot(entry->d_name) && !is_ours(fd, entry->d_name))
			rc = refuse(TACHO_E_EXISTS, path,
				    tacho__detail("%s in it is not of a recording", entry->d_name));
	if (folder)
		closedir(folder);
	return rc;
}

/* Gives a recording another name beside its own, owned; NULL: there is none. */
static int set_aside(const char *path, char **out_aside)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC), rc;
	char *aside = NULL;

	*out_aside = NULL;
	if (fd < 0 && errno == ENOENT)
		return 0;
	if (fd < 0)
		return refuse(TACHO_E_EXISTS, path,
			      errno == ELOOP || errno == ENOTDIR
				      ? "it is a symbolic link or a file, not a recording"
				      : tacho__detail("%s (errno %d)", strerror(errno), errno));
	rc = check_replaceable(fd, path);
	if (!rc && asprintf(&aside, "%s.old-%d", path, (int)getpid()) < 0) {
		aside = NULL;
		rc = no_memory();
	}
	if (!rc && rename(path, aside))
		rc = tacho__fs_fail(errno, "replace", path);
	close(fd);
	if (rc)
		free(aside);
	else
		*out_aside = aside;
	return rc;
}

/* Removes what was set aside. */
static int remove_aside(const char *aside)
{
	int fd = open(aside, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	if (fd >= 0) {
		remove_contents(fd, true);
		close(fd);
	}
	return rmdir(aside) ? tacho__fs_fail(errno, "remove", aside) : 0;
}

int tacho_launch_remove(const char *path)
{
	char *aside;
	int rc = set_aside(path, &aside);

	if (!rc && aside)
		rc = remove_aside(aside);
	free(aside);
	return rc;
}

/* The lowest number from `from` that no file BASE-N.anything of this folder has. */
static unsigned find_free_number(const char *base, unsigned from)
{
	size_t size = strlen(base);
	char *used = calloc(NUMBERS_MAX, 1);
	DIR *folder = opendir(".");

	for (struct dirent *entry; used && folder && (entry = readdir(folder));) {
		const char *name = entry->d_name;
		unsigned long number;
		char *end;

		if (strncmp(name, base, size) || name[size] != '-' ||
		    !isdigit((unsigned char)name[size + 1]))
			continue;
		number = strtoul(name + size + 1, &end, 10);
		if (*end == '.' && number < NUMBERS_MAX)
			used[number] = 1;
	}
	while (used && from < NUMBERS_MAX && used[from])
		from++;
	if (folder)
		closedir(folder);
	free(used);
	return from;
}

static int make_numbered(struct tacho_launch *launch)
{
	const char *base = tacho__base_name(launch->program);
	unsigned number = 1;

	for (;;) {
		number = find_free_number(base, number);
		if (number >= NUMBERS_MAX)
			return tacho__fail(
				TACHO_E_EXISTS,
				tacho__detail("all numbers up to %d are taken", NUMBERS_MAX - 1),
				"give a name", "no name for the recording of %s", base);
		free(launch->directory);
		if (asprintf(&launch->directory, "%s-%u" SUFFIX, base, number) < 0) {
			launch->directory = NULL;
			return no_memory();
		}
		if (!mkdir(launch->directory, 0700))
			return 0;
		if (errno != EEXIST)
			return tacho__fs_fail(errno, "create", launch->directory);
		number++;
	}
}

static int make_named(struct tacho_launch *launch, const char *name, bool overwrite)
{
	int rc;

	if (!name[strspn(name, "/")])
		return tacho__fail(TACHO_E_INVAL, tacho__detail("the name is \"%s\"", name),
				   "give a name", "no name for the recording");
	launch->directory = tacho__recording_name_folder(name);
	if (!launch->directory)
		return no_memory();
	rc = overwrite ? set_aside(launch->directory, &launch->replaced) : 0;
	if (!rc && mkdir(launch->directory, 0700))
		rc = tacho__fs_fail(errno, "create", launch->directory);
	return rc;
}

/* Opens, locks and names what was just made. */
static int take(struct tacho_launch *launch)
{
	int rc = 0;

	launch->directory_fd =
		open(launch->directory, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	launch->absolute = realpath(launch->directory, NULL);
	if (launch->directory_fd < 0 || !launch->absolute)
		rc = tacho__fs_fail(errno, "open", launch->directory);
	else if (strlen(launch->absolute) >= TACHO__PATH_MAX)
		rc = tacho__fail(TACHO_E_INVAL,
				 tacho__detail("its path has %zu characters, %d are possible",
					       strlen(launch->absolute), TACHO__PATH_MAX - 1),
				 "record into a folder with a shorter path",
				 "cannot record into %s", launch->directory);
	if (rc)
		rmdir(launch->directory);
	else
		flock(launch->directory_fd, LOCK_EX | LOCK_NB);
	return rc;
}

/* What was to be replaced has its name again. */
static void put_back(struct tacho_launch *launch)
{
	if (launch->replaced)
		rename(launch->replaced, launch->directory);
	free(launch->replaced);
	launch->replaced = NULL;
}

void tacho__launch_drop_replaced(struct tacho_launch *launch)
{
	if (launch->replaced)
		remove_aside(launch->replaced);
	free(launch->replaced);
	launch->replaced = NULL;
}

int tacho__launch_make_directory(struct tacho_launch *launch, const char *name, bool overwrite)
{
	int rc = name ? make_named(launch, name, overwrite) : make_numbered(launch);

	if (!rc)
		rc = take(launch);
	if (rc)
		put_back(launch);
	return rc;
}

void tacho__launch_remove_directory(struct tacho_launch *launch)
{
	if (launch->directory_fd < 0)
		return;
	remove_contents(launch->directory_fd, true);
	close(launch->directory_fd);
	launch->directory_fd = -1;
	rmdir(launch->directory);
	put_back(launch);
}
