/* SPDX-License-Identifier: MIT */
#include "diff/group.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <tacho/recording.h>

#include "cli.h"
#include "files.h"

#define SUFFIX ".tacho"

bool cli_diff_group_exists(const char *path)
{
	char *folder = cli_format("%s" SUFFIX, path);
	bool found = access(path, F_OK) == 0 || access(folder, F_OK) == 0;

	free(folder);
	return found;
}

int cli_diff_group_add(struct cli_diff_group *group, const char *path)
{
	struct tacho_recording *recording;
	char *name = (char *)(uintptr_t)path;
	int status = cli_files_open(&name, 1, group->kind, &recording);

	if (status != CLI_OK)
		return status;
	group->paths = cli_grow(group->paths, group->count, sizeof(*group->paths));
	group->recordings = cli_grow(group->recordings, group->count, sizeof(*group->recordings));
	group->paths[group->count] = cli_format("%s", path);
	group->recordings[group->count++] = recording;
	return CLI_OK;
}

/* ---- folders of recordings ---- */

static bool has_suffix(const char *name)
{
	size_t length = strlen(name), suffix = strlen(SUFFIX);

	return length > suffix && strcmp(name + length - suffix, SUFFIX) == 0;
}

static int is_recording(const struct dirent *entry)
{
	return has_suffix(entry->d_name);
}

/* A folder that is no recording, and no name of one. */
static bool is_plain_folder(const char *path)
{
	char *recording = cli_format("%s" SUFFIX, path), *meta = cli_format("%s/meta.json", path);
	struct stat status;
	bool is_plain = stat(path, &status) == 0 && S_ISDIR(status.st_mode) &&
			access(recording, F_OK) != 0 && access(meta, F_OK) != 0;

	free(recording);
	free(meta);
	return is_plain;
}

/* All recordings in it, in the order of their names; *out_count 0: there is none. */
static int add_folder(struct cli_diff_group *group, const char *path, int *out_count)
{
	struct dirent **entries;
	int count = scandir(path, &entries, is_recording, alphasort), status = CLI_OK;

	if (count < 0) {
		cli_complain(strerror(errno), "", "the folder %s cannot be read", path);
		return CLI_FAILED;
	}
	for (int i = 0; i < count; i++) {
		char *name = cli_format("%s/%s", path, entries[i]->d_name);

		if (status == CLI_OK)
			status = cli_diff_group_add(group, name);
		free(name);
		free(entries[i]);
	}
	free(entries);
	*out_count = count;
	return status;
}

static int add_named(struct cli_diff_group *group, const char *path)
{
	int count = 0, status = is_plain_folder(path) ? add_folder(group, path, &count) : CLI_OK;

	return status == CLI_OK && !count ? cli_diff_group_add(group, path) : status;
}

/* ---- arguments ---- */

static bool has_empty_name(const char *list)
{
	size_t length = strlen(list);

	return !length || *list == ',' || list[length - 1] == ',' || strstr(list, ",,");
}

int cli_diff_group_open(struct cli_diff_group *group, const char *operand)
{
	char *copy, *rest, *path;
	int status = CLI_OK;

	if (cli_diff_group_exists(operand))
		return add_named(group, operand);
	if (has_empty_name(operand)) {
		cli_complain("a name between commas is empty",
			     "give names of recordings with commas between them: a1,a2,a3",
			     "\"%s\" is no list of recordings", operand);
		return CLI_USAGE;
	}
	copy = rest = cli_format("%s", operand);
	while (status == CLI_OK && (path = strsep(&rest, ",")))
		status = add_named(group, path);
	free(copy);
	return status;
}

void cli_diff_group_cut(struct cli_diff_group *group, size_t count)
{
	for (; group->count > count; group->count--) {
		tacho_recording_close(group->recordings[group->count - 1]);
		free(group->paths[group->count - 1]);
	}
}

void cli_diff_group_close(struct cli_diff_group *group)
{
	cli_diff_group_cut(group, 0);
	free(group->recordings);
	free(group->paths);
	*group = (struct cli_diff_group){0};
}
