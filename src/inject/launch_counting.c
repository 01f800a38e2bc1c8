/* SPDX-License-Identifier: MIT */
/* What a launch leaves for the processes of the recording: what to count, and whether to. */
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/fs.h"
#include "inject/launch.h"

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

int tacho__launch_write_counting(struct tacho_launch *launch, const struct tacho_counting *counting)
{
	int rc = write_counting(launch, counting);

	launch->is_counting = !rc;
	return rc;
}

int tacho__launch_set_counting_variable(const struct tacho_launch *launch,
					struct tacho__environment *environment)
{
	char *path;
	int rc;

	if (!launch->is_counting)
		return tacho__environment_unset(environment, TACHO_COUNTING_VARIABLE);
	path = make_path(launch, TACHO_COUNTING_FILE);
	rc = path ? tacho__environment_set(environment, TACHO_COUNTING_VARIABLE, path)
		  : TACHO_E_NOMEM;
	free(path);
	return rc;
}

void tacho_launch_request(struct tacho_launch *launch, uint32_t request)
{
	if (launch->is_counting)
		__atomic_store_n(&launch->keeper.pool->control.request, request, __ATOMIC_RELAXED);
}
