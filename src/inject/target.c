/* SPDX-License-Identifier: MIT */
#include "inject/target.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "base/array.h"
#include "base/error.h"
#include "base/fs.h"
#include "base/text.h"
#include "inject/elf_tables.h"
#include "tacho/sys/launch.h"

enum {
	SCRIPTS_MAX = 5, /* as the kernel follows them */
	LINE_MAX_BYTES = 256,
};

/* 0, or errno. */
static int try_program(const char *path)
{
	struct stat status;

	if (stat(path, &status))
		return errno;
	if (!S_ISREG(status.st_mode))
		return EACCES;
	return faccessat(AT_FDCWD, path, X_OK, AT_EACCESS) ? errno : 0;
}

static int make_absolute(const char *path, char **out_path)
{
	char *folder = NULL, *absolute = NULL;

	if (path[0] == '/') {
		absolute = strdup(path);
	} else {
		folder = getcwd(NULL, 0);
		if (!folder)
			return tacho__fs_fail(errno, "find the current folder for", path);
		if (asprintf(&absolute, "%s/%s", folder, path) < 0)
			absolute = NULL;
	}
	free(folder);
	if (!absolute)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a path");
	*out_path = absolute;
	return 0;
}

/* Looks through PATH. 0 and a path, or errno. */
static int search(const char *name, char out_path[PATH_MAX])
{
	const char *list = getenv("PATH");
	int error = ENOENT;

	if (!list)
		list = "/bin:/usr/bin";
	for (const char *at = list;; at++) {
		int size = (int)strcspn(at, ":"), one;
		int room =
			snprintf(out_path, PATH_MAX, "%.*s%s%s", size, at, size ? "/" : "./", name);

		one = room < PATH_MAX ? try_program(out_path) : ENAMETOOLONG;
		if (!one)
			return 0;
		if (one == EACCES)
			error = EACCES;
		at += size;
		if (!*at)
			return error;
	}
}

/* What to do about a file that cannot be executed: scripts have a program that runs them. */
static const char *advise_runner(const char *name)
{
	static const struct {
		const char *ending, *program;
	} scripts[] = {{".py", "python3"}, {".sh", "sh"},   {".pl", "perl"},
		       {".rb", "ruby"},	   {".js", "node"}, {".jl", "julia"}};

	for (size_t i = 0; i < sizeof(scripts) / sizeof(scripts[0]); i++)
		if (tacho__ends_with(name, scripts[i].ending))
			return tacho__detail("name the program that runs it: %s %s",
					     scripts[i].program, name);
	return "name a program, or make it executable with chmod +x";
}

/* What only a shell can do: there is no program of that name, or it would do nothing here. */
static bool is_shells_own(const char *name)
{
	static const char *const words[] = {".",      "alias",	"cd",	"command", "eval",
					    "exec",   "export", "set",	"source",  "time",
					    "ulimit", "umask",	"unset"};

	for (size_t i = 0; i < TACHO__ARRAY_SIZE(words); i++)
		if (!strcmp(name, words[i]))
			return true;
	return false;
}

/* What to do about a name that nothing has. */
static const char *advise_name(const char *name)
{
	size_t first = strcspn(name, " ");
	char word[PATH_MAX], path[PATH_MAX];

	if (is_shells_own(name))
		return tacho__detail("a shell has it, and no file is it: sh -c '%s ...'", name);
	if (name[first] && first < sizeof(word)) {
		snprintf(word, sizeof(word), "%.*s", (int)first, name);
		if (!(strchr(word, '/') ? try_program(word) : search(word, path)))
			return tacho__detail("quotes make one word of it: write %s without them",
					     name);
	}
	return strchr(name, '/') ? "check the path" : "check the name and PATH";
}

int tacho__program_find(const char *name, char **out_path)
{
	char path[PATH_MAX];
	int error;

	if (!name || !*name)
		return tacho__fail(TACHO_E_NOTFOUND, "its name is empty", "name a program",
				   "there is no program to run");
	if (strchr(name, '/')) {
		error = strlen(name) < sizeof(path) ? try_program(name) : ENAMETOOLONG;
		if (!error)
			return make_absolute(name, out_path);
	} else {
		error = search(name, path);
		if (!error)
			return make_absolute(path, out_path);
	}
	if (error == EACCES)
		return tacho__fail(TACHO_E_PERM, "it is not an executable file",
				   advise_runner(name), "cannot run %s", name);
	if (!strchr(name, '/') && !access(name, F_OK))
		return tacho__fail(TACHO_E_NOTFOUND,
				   "it is in this folder, and programs without a slash are looked "
				   "for in PATH",
				   access(name, X_OK) ? advise_runner(name)
						      : tacho__detail("write ./%s", name),
				   "cannot run %s", name);
	return tacho__fail(TACHO_E_NOTFOUND, strerror(error), advise_name(name), "cannot run %s",
			   name);
}

/*
 * Whether executing it gives rights that its caller lacks: then the dynamic linker and the loaders
 * ignore the environment.
 */
static const char *find_privilege(int fd)
{
	struct statvfs mount;
	struct stat status;

	if (fstat(fd, &status) || (!fstatvfs(fd, &mount) && (mount.f_flag & ST_NOSUID)) ||
	    prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1)
		return NULL;
	if ((status.st_mode & S_ISUID) && status.st_uid != geteuid())
		return "it is setuid";
	if ((status.st_mode & S_ISGID) && (status.st_mode & S_IXGRP) && status.st_gid != getegid())
		return "it is setgid";
	if (geteuid() && fgetxattr(fd, "security.capability", NULL, 0) > 0)
		return "it has file capabilities";
	return NULL;
}

static int check_elf(int fd, const char *path, const struct tacho__elf *elf)
{
	const char *privilege;

	if (!elf->is_64)
		return tacho__fail(TACHO_E_UNSUPPORTED,
				   tacho__detail("it is a 32-bit program (%s)",
						 tacho__elf_machine_name(elf->machine)),
				   "use a 64-bit build of it", "cannot record %s", path);
	if (!elf->is_native)
		return tacho__fail(TACHO_E_UNSUPPORTED,
				   tacho__detail("it is a program for %s",
						 tacho__elf_machine_name(elf->machine)),
				   "use a build of it for this machine", "cannot record %s", path);
	if (!elf->interpreter[0])
		return tacho__fail(TACHO_E_UNSUPPORTED,
				   "it is statically linked, so no library can be brought into it",
				   "link it dynamically", "cannot record %s", path);
	if (!strncmp(tacho__base_name(elf->interpreter), "ld-musl", 7))
		return tacho__fail(
			TACHO_E_UNSUPPORTED,
			tacho__detail("it uses musl (%s), tacho's library glibc", elf->interpreter),
			"use a build of it for glibc", "cannot record %s", path);
	if (access(elf->interpreter, F_OK))
		return tacho__fail(
			TACHO_E_NOTFOUND,
			tacho__detail("its dynamic linker %s is not there", elf->interpreter),
			"use a build of it for this system", "cannot run %s", path);
	privilege = find_privilege(fd);
	if (privilege)
		return tacho__fail(TACHO_E_UNSUPPORTED,
				   tacho__detail("%s, so the system ignores the variables that "
						 "bring tacho in",
						 privilege),
				   "run it as its owner, or record a copy without these rights",
				   "cannot record %s", path);
	return 0;
}

/* The program that `env ARGUMENTS` will run; NULL when there is none. Changes the text. */
static char *find_env_program(char *arguments)
{
	char *rest = arguments;

	for (char *word = strtok_r(rest, " \t", &rest); word; word = strtok_r(NULL, " \t", &rest))
		if (word[0] != '-' && !strchr(word, '='))
			return word;
	return NULL;
}

/* The next file that the kernel (and env) will run for a script's first line. Owned, or NULL. */
static char *find_interpreter(char *line)
{
	char *program = line + strspn(line, " \t"), *arguments, *found = NULL;
	const char *name;

	program[strcspn(program, "\n")] = '\0';
	arguments = program + strcspn(program, " \t");
	if (*arguments)
		*arguments++ = '\0';
	if (strcmp(tacho__base_name(program), "env"))
		return *program ? strdup(program) : NULL;
	name = find_env_program(arguments);
	if (!name || tacho__program_find(name, &found))
		return strdup(program);
	return found;
}

/* One step: 0, with *out_next owned when `path` is a script. */
static int check_one(const char *path, char out_binary[PATH_MAX], char **out_next)
{
	char line[LINE_MAX_BYTES + 1] = "";
	struct tacho__elf elf;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), rc = 0;

	*out_next = NULL;
	if (fd < 0) /* a program that may be run but not read */
		return errno == ENOENT ? tacho__fail(TACHO_E_NOTFOUND, "", "", "no %s", path) : 0;
	tacho__elf_read(fd, &elf);
	if (elf.is_elf) {
		rc = check_elf(fd, path, &elf);
		if (!rc)
			snprintf(out_binary, PATH_MAX, "%s", path);
	} else if (pread(fd, line, LINE_MAX_BYTES, 0) > 2 && !strncmp(line, "#!", 2)) {
		*out_next = find_interpreter(line + 2);
	}
	close(fd);
	return rc;
}

int tacho__program_check(const char *path, char out_binary[PATH_MAX])
{
	char *current = strdup(path), *next = NULL;
	int rc = 0;

	out_binary[0] = '\0';
	for (int depth = 0; current && depth <= SCRIPTS_MAX; depth++) {
		rc = check_one(current, out_binary, &next);
		if (rc || !next)
			break;
		if (access(next, X_OK)) {
			rc = tacho__fail(
				TACHO_E_NOTFOUND,
				tacho__detail("its interpreter %s: %s", next, strerror(errno)),
				"install the interpreter, or correct the first line",
				"cannot run %s", current);
			free(next);
			break;
		}
		free(current);
		current = next;
	}
	free(current);
	return rc;
}

int tacho_launch_check(const char *program, char **out_path)
{
	char *path, binary[PATH_MAX];
	int rc = tacho__program_find(program, &path);

	if (rc)
		return rc;
	rc = tacho__program_check(path, binary);
	if (rc)
		free(path);
	else
		*out_path = path;
	return rc;
}

int tacho_launch_check_counted(const char *program)
{
	const char *privilege = NULL;
	char *path = NULL;
	int fd, rc = 0;

	if (tacho__program_find(program, &path))
		return 0;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd >= 0)
		privilege = find_privilege(fd);
	else if (errno == EACCES)
		privilege = "it may be executed and not be read";
	if (privilege)
		rc = tacho__fail(
			TACHO_E_UNSUPPORTED,
			tacho__detail("%s, and what Linux counts of a process ends when it begins "
				      "such a program",
				      privilege),
			"run it as its owner, count a copy without these rights, or all that the "
			"machine does: -a",
			"cannot count %s", path);
	if (fd >= 0)
		close(fd);
	free(path);
	return rc;
}
