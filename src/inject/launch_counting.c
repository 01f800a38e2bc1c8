/* SPDX-License-Identifier: MIT */
/* What a launch leaves for the processes of the recording: what to count, and whether to. */
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "inject/launch.h"

int tacho__launch_write_counting(struct tacho_launch *launch, const struct tacho_counting *counting)
{
	struct tacho__fs_new file = {0};
	int rc = tacho__fs_create_in(&file, launch->absolute, TACHO_COUNTING_FILE);

	if (!rc) {
		tacho_counting_write(counting, file.stream);
		rc = tacho__fs_commit(&file);
	}
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
	if (asprintf(&path, "%s/%s", launch->absolute, TACHO_COUNTING_FILE) < 0)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for the environment");
	rc = tacho__environment_set(environment, TACHO_COUNTING_VARIABLE, path);
	free(path);
	return rc;
}

void tacho_launch_request(struct tacho_launch *launch, uint32_t request)
{
	if (launch->is_counting)
		__atomic_store_n(&launch->keeper.pool->control.request, request, __ATOMIC_RELAXED);
}
