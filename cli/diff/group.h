/* SPDX-License-Identifier: MIT */
/* The recordings of a side. */
#ifndef TACHO_CLI_GROUP_H
#define TACHO_CLI_GROUP_H

#include <stdbool.h>
#include <stddef.h>

struct tacho_recording;

struct cli_diff_group {
	char **paths;
	struct tacho_recording **recordings;
	size_t count;
	const char *kind; /* of files of other tools; NULL: what they look like */
};

/* Whether a recording, a folder or a file has this name. */
bool cli_diff_group_exists(const char *path);

/* Opens one more. OK, or the class of the failure, which was said; then it is not in the group. */
int cli_diff_group_add(struct cli_diff_group *group, const char *path);

/*
 * Opens what an argument names: a recording; several, "A1,A2", unless there is one of that name;
 * all in a folder that is none itself, or the files of another tool in it, as one recording. As
 * cli_diff_group_add().
 */
int cli_diff_group_open(struct cli_diff_group *group, const char *operand);

/* Closes those past the first `count`. */
void cli_diff_group_cut(struct cli_diff_group *group, size_t count);

/* Nothing for {0}. */
void cli_diff_group_close(struct cli_diff_group *group);

#endif
