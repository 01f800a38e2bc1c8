/* SPDX-License-Identifier: MIT */
/* The directory of a recording: its name, making it, and replacing an older one. */
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
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
/* What is to be replaced is .NAME.replaced-PID, as nobody calls a copy of his own. */
#define ASIDE ".%s.replaced-"

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

/*
 * Whether this is all that a tacho leaves which was killed before it had written meta.json: what
 * its keeper made, and the new meta.json under its first name.
 */
static bool is_of_beginning(const char *name)
{
	size_t size = strlen(name);

	if (!strncmp(name, TACHO__META_FILE ".", strlen(TACHO__META_FILE ".")))
		return true;
	if (!strcmp(name, TACHO__CONTROL_FILE))
		return true;
	return !strncmp(name, "calls-", 6) && size > 10 && !strcmp(name + size - 4, ".bin");
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

static int fail_busy(const char *path)
{
	return tacho__fail(TACHO_E_BUSY, "another tacho is recording into it",
			   "wait until it has ended, or give another name", "cannot replace %s",
			   path);
}

/* What the recording's meta.json says of where its pool is; "" where it says nothing. */
struct place {
	struct tacho__arena arena;
	const char *pool, *stamp;
};

static void read_place(int fd, struct place *out_place)
{
	struct tacho__json *meta = NULL;
	struct tacho__buf text = {0};
	char path[64];

	*out_place = (struct place){.pool = "", .stamp = ""};
	snprintf(path, sizeof(path), "/proc/self/fd/%d/" TACHO__META_FILE, fd);
	if (!tacho__fs_read(path, META_BYTES_MAX, &text) &&
	    !tacho__json_parse(&out_place->arena, tacho__buf_text(&text), text.size, &meta)) {
		out_place->pool = tacho__json_string(meta, TACHO__POOL_KEY, "");
		out_place->stamp = tacho__json_string(meta, TACHO__STAMP_KEY, "");
	}
	tacho__buf_finish(&text);
}

/* Whether the tacho that made the recording lives: its stamp begins with its process id. */
static bool has_launcher(const struct place *place)
{
	long pid = strtol(place->stamp, NULL, 10);

	return pid > 0 && (!kill((pid_t)pid, 0) || errno == EPERM);
}

/*
 * The keeper of a recording whose processes are all over waits for what never comes. One that has
 * no pool's name yet lost its tacho while that began, and ends by itself; one that just lost it
 * takes a moment to see that the program is over, too.
 */
static int dismiss_keeper(int fd, const char *path)
{
	uint32_t process = 0;
	struct place place;
	bool is_dismissed, is_free = false;

	read_place(fd, &place);
	is_dismissed = !*place.pool;
	for (int i = 0; i < DISMISS_TRIES && !is_free; i++) {
		is_dismissed |= !is_dismissed && tacho__keeper_dismiss(place.pool, &process);
		if (!is_dismissed && (process || has_launcher(&place)))
			break;
		is_free = !flock(fd, LOCK_EX | LOCK_NB);
		if (!is_free)
			usleep(DISMISS_PAUSE_US);
	}
	tacho__arena_finish(&place.arena);
	if (is_free)
		return 0;
	if (!process)
		return fail_busy(path);
	return tacho__fail(TACHO_E_BUSY, tacho__detail("process %u still records into it", process),
			   "wait until it ends, end it, or give another name", "cannot replace %s",
			   path);
}

/* What in the directory `fd` is in the way of replacing it; "": nothing. Owned; NULL: no memory. */
static char *find_obstacle(int fd, bool has_meta)
{
	DIR *folder = list_entries(fd);
	char *obstacle = NULL;

	for (struct dirent *entry; folder && !obstacle && (entry = readdir(folder));) {
		const char *name = entry->d_name;

		if (!is_dot(name) && !(has_meta ? is_ours(fd, name) : is_of_beginning(name)))
			obstacle = strdup(name);
	}
	if (folder)
		closedir(folder);
	return obstacle ? obstacle : strdup("");
}

static bool is_in(int fd, const char *name)
{
	struct stat status;

	return !fstatat(fd, name, &status, AT_SYMLINK_NOFOLLOW) && S_ISREG(status.st_mode);
}

/* Whether the directory `fd` holds a recording that is over or never began, and nothing else. */
static int check_replaceable(int fd, const char *path)
{
	bool has_meta = is_in(fd, TACHO__META_FILE);
	char *obstacle = find_obstacle(fd, has_meta);
	int rc = 0;

	if (!obstacle)
		return no_memory();
	if (*obstacle && !has_meta)
		rc = refuse(TACHO_E_EXISTS, path,
			    tacho__detail("it has no " TACHO__META_FILE
					  ", so it is no recording, and there is %s in it",
					  obstacle));
	else if (*obstacle)
		rc = refuse(TACHO_E_EXISTS, path,
			    tacho__detail("%s in it is not of a recording", obstacle));
	else if (flock(fd, LOCK_EX | LOCK_NB))
		rc = dismiss_keeper(fd, path);
	free(obstacle);
	return rc;
}

/*
 * Whether the name is still that of the directory `fd`, which is locked: else another tacho has set
 * that aside before, and records under its name.
 */
static int check_named(int fd, const char *path)
{
	struct stat ours, named;

	if (!fstat(fd, &ours) && !lstat(path, &named) && ours.st_ino == named.st_ino &&
	    ours.st_dev == named.st_dev)
		return 0;
	return fail_busy(path);
}

/*
 * Gives a recording another name beside its own, owned; NULL: there is none. *out_fd is locked,
 * which says that it is in somebody's hands, and is the caller's.
 */
static int set_aside(const char *path, char **out_aside, int *out_fd)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC), rc;
	const char *base = tacho__base_name(path);
	char *aside = NULL;

	*out_aside = NULL;
	*out_fd = -1;
	if (fd < 0 && errno == ENOENT)
		return 0;
	if (fd < 0)
		return refuse(TACHO_E_EXISTS, path,
			      errno == ELOOP || errno == ENOTDIR
				      ? "it is a symbolic link or a file, not a recording"
				      : tacho__detail("%s (errno %d)", strerror(errno), errno));
	rc = check_replaceable(fd, path);
	if (!rc)
		rc = check_named(fd, path);
	if (!rc && asprintf(&aside, "%.*s" ASIDE "%d", (int)(base - path), path, base,
			    (int)getpid()) < 0) {
		aside = NULL;
		rc = no_memory();
	}
	if (!rc && rename(path, aside))
		rc = tacho__fs_fail(errno, "replace", path);
	if (rc) {
		close(fd);
		free(aside);
	} else {
		*out_aside = aside;
		*out_fd = fd;
	}
	return rc;
}

/*
 * Removes what was set aside, and the pool that is left where its keeper was killed. Without its
 * meta.json it is no recording to who finds it half removed.
 */
static int remove_aside(const char *aside)
{
	int fd = open(aside, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	struct place place;

	if (fd >= 0) {
		read_place(fd, &place);
		if (*place.pool)
			tacho__keeper_discard(place.pool, place.stamp);
		tacho__arena_finish(&place.arena);
		unlinkat(fd, TACHO__META_FILE, 0);
		remove_contents(fd, true);
		close(fd);
	}
	return rmdir(aside) ? tacho__fs_fail(errno, "remove", aside) : 0;
}

int tacho_launch_remove(const char *path)
{
	char *aside;
	int fd, rc = set_aside(path, &aside, &fd);

	if (!rc && aside)
		rc = remove_aside(aside);
	if (fd >= 0)
		close(fd);
	free(aside);
	return rc;
}

static bool has_bytes(int fd, const char *name)
{
	struct stat status;

	return !fstatat(fd, name, &status, AT_SYMLINK_NOFOLLOW) && status.st_size;
}

/* Whether a program's run has left anything in the recording of this name. */
static bool has_run(const char *path)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *folder = fd < 0 ? NULL : list_entries(fd);
	bool has = fd >= 0 && is_in(fd, TACHO__END_FILE);

	for (struct dirent *entry; folder && !has && (entry = readdir(folder));)
		has = !strncmp(entry->d_name, "calls-", 6) && has_bytes(fd, entry->d_name);
	if (folder)
		closedir(folder);
	if (fd >= 0)
		close(fd);
	return has;
}

/*
 * A recording that was set aside by a tacho that was killed. It gets its name back if what was to
 * replace it has not begun, else it goes, as does what was half removed. What is in the way of
 * that stays as it is: nobody asked for it here.
 */
static void settle_aside(const char *aside, const char *path)
{
	int fd = open(aside, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	bool has_meta = fd >= 0 && is_in(fd, TACHO__META_FILE);
	char *obstacle = fd >= 0 ? find_obstacle(fd, has_meta) : NULL;

	if (obstacle && !*obstacle && !flock(fd, LOCK_EX | LOCK_NB)) {
		if (!has_meta || has_run(path))
			remove_aside(aside);
		else if ((access(path, F_OK) && errno == ENOENT) || !tacho_launch_remove(path))
			rename(aside, path);
	}
	free(obstacle);
	if (fd >= 0)
		close(fd);
}

/* What tachos left behind that were killed while they replaced the recording of this name. */
static void settle_asides(const char *path)
{
	const char *base = tacho__base_name(path);
	char *start = NULL, *aside = NULL, *place = strndup(path, (size_t)(base - path));
	DIR *folder = place ? opendir(*place ? place : ".") : NULL;

	if (asprintf(&start, ASIDE, base) < 0)
		start = NULL;
	for (struct dirent *entry; folder && start && (entry = readdir(folder));) {
		const char *number = entry->d_name + strlen(start);

		if (strncmp(entry->d_name, start, strlen(start)) || !*number ||
		    number[strspn(number, "0123456789")])
			continue;
		if (asprintf(&aside, "%s%s", place, entry->d_name) < 0)
			break;
		settle_aside(aside, path);
		free(aside);
	}
	if (folder)
		closedir(folder);
	free(start);
	free(place);
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

/* Whether it has nothing that could be a recording's: "/", ".", "runs/..". */
static bool is_no_name(const char *name)
{
	size_t length = strlen(name), last;

	while (length && name[length - 1] == '/')
		length--;
	for (last = length; last && name[last - 1] != '/'; last--)
		continue;
	return !length || (length - last <= 2 && strspn(name + last, ".") >= length - last);
}

static int make_named(struct tacho_launch *launch, const char *name, bool overwrite)
{
	int rc;

	if (is_no_name(name))
		return tacho__fail(TACHO_E_INVAL, tacho__detail("the name is \"%s\"", name),
				   "give a name", "no name for the recording");
	launch->directory = tacho__recording_name_folder(name);
	if (!launch->directory)
		return no_memory();
	settle_asides(launch->directory);
	rc = overwrite ? set_aside(launch->directory, &launch->replaced, &launch->replaced_fd) : 0;
	if (!rc && mkdir(launch->directory, 0700))
		rc = tacho__fs_fail(errno, "create", launch->directory);
	return rc;
}

/*
 * Locks the new directory. Another tacho that replaces it may have come between: then it has the
 * lock, or the name belongs to a directory of its own.
 */
static int lock(const struct tacho_launch *launch)
{
	struct stat ours, named;
	bool is_other = flock(launch->directory_fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK;

	if (!is_other)
		is_other = fstat(launch->directory_fd, &ours) || lstat(launch->directory, &named) ||
			   ours.st_ino != named.st_ino || ours.st_dev != named.st_dev;
	if (!is_other)
		return 0;
	return tacho__fail(TACHO_E_BUSY, "another tacho is just making it", "give another name",
			   "cannot record into %s", launch->directory);
}

static int check_length(const struct tacho_launch *launch)
{
	size_t length = strlen(launch->absolute);

	if (length < TACHO__PATH_MAX)
		return 0;
	return tacho__fail(TACHO_E_INVAL,
			   tacho__detail("its path has %zu characters, %d are possible", length,
					 TACHO__PATH_MAX - 1),
			   "record into a folder with a shorter path", "cannot record into %s",
			   launch->directory);
}

/* Opens, locks and names what was just made. */
static int take(struct tacho_launch *launch)
{
	int rc;

	launch->directory_fd =
		open(launch->directory, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	launch->absolute = realpath(launch->directory, NULL);
	if (launch->directory_fd < 0 || !launch->absolute)
		rc = tacho__fs_fail(errno, "open", launch->directory);
	else
		rc = lock(launch);
	if (!rc)
		rc = check_length(launch);
	if (rc && rc != TACHO_E_BUSY)
		rmdir(launch->directory);
	return rc;
}

static void forget_replaced(struct tacho_launch *launch)
{
	if (launch->replaced_fd >= 0)
		close(launch->replaced_fd);
	launch->replaced_fd = -1;
	free(launch->replaced);
	launch->replaced = NULL;
}

/* What was to be replaced has its name again. */
static void put_back(struct tacho_launch *launch)
{
	if (launch->replaced)
		rename(launch->replaced, launch->directory);
	forget_replaced(launch);
}

void tacho__launch_drop_replaced(struct tacho_launch *launch)
{
	if (launch->replaced)
		remove_aside(launch->replaced);
	forget_replaced(launch);
}

int tacho__launch_make_directory(struct tacho_launch *launch, const char *name, bool overwrite)
{
	int rc = name ? make_named(launch, name, overwrite) : make_numbered(launch);

	if (!rc)
		rc = take(launch);
	if (rc == TACHO_E_BUSY)
		tacho__launch_drop_replaced(launch); /* its name is another's now */
	else if (rc)
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
