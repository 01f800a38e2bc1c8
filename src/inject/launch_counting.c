/* SPDX-License-Identifier: MIT */
/* What a launch leaves for the processes of the recording: what to count, and whether to. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/error.h"
#include "base/fs.h"
#include "inject/launch.h"

enum { CONTROL_BYTES = 4096 };

static char *make_path(const struct tacho_launch *launch, const char *name)
{
	char *path;

	if (asprintf(&path, "%s/%s", launch->absolute, name) < 0) {
		tacho__fail(TACHO_E_NOMEM, "", "", "no memory for %s", name);
		return NULL;
	}
	return path;
}

static int write_counting(const struct tacho_launch *launch, const struct tacho_counting *counting)
{
	char *path = make_path(launch, TACHO_COUNTING_FILE);
	struct tacho__fs_new file = {0};
	int rc = path ? tacho__fs_create(&file, path, false) : TACHO_E_NOMEM;

	if (!rc) {
		tacho_counting_write(counting, file.stream);
		rc = tacho__fs_commit(&file);
	}
	free(path);
	return rc;
}

/* The blocks are there before anybody maps them: no process dies of a full disk. */
static int make_control(struct tacho_launch *launch)
{
	char *path = make_path(launch, TACHO_COUNTING_CONTROL);
	static const char zeros[CONTROL_BYTES];
	struct tacho_counting_control *control = MAP_FAILED;
	int fd, rc = 0;

	if (!path)
		return TACHO_E_NOMEM;
	fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd >= 0 && write(fd, zeros, sizeof(zeros)) == (ssize_t)sizeof(zeros))
		control = mmap(NULL, CONTROL_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (control == MAP_FAILED)
		rc = tacho__fs_fail(errno ? errno : EIO, "create", path);
	if (fd >= 0)
		close(fd);
	if (!rc) {
		control->version = 1;
		__atomic_store_n(&control->magic, TACHO_CONTROL_MAGIC, __ATOMIC_RELEASE);
		launch->control = control;
	}
	free(path);
	return rc;
}

int tacho__launch_write_counting(struct tacho_launch *launch, const struct tacho_counting *counting)
{
	int rc = write_counting(launch, counting);

	return rc ? rc : make_control(launch);
}

void tacho__launch_close_control(struct tacho_launch *launch)
{
	if (launch->control)
		munmap(launch->control, CONTROL_BYTES);
	launch->control = NULL;
}

int tacho__launch_set_counting_variable(const struct tacho_launch *launch,
					struct tacho__environment *environment)
{
	char *path;
	int rc;

	if (!launch->control)
		return tacho__environment_unset(environment, TACHO_COUNTING_VARIABLE);
	path = make_path(launch, TACHO_COUNTING_FILE);
	rc = path ? tacho__environment_set(environment, TACHO_COUNTING_VARIABLE, path)
		  : TACHO_E_NOMEM;
	free(path);
	return rc;
}

void tacho_launch_say(struct tacho_launch *launch, uint32_t said)
{
	if (launch->control)
		__atomic_store_n(&launch->control->said, said, __ATOMIC_RELAXED);
}
