/* SPDX-License-Identifier: MIT */
/* A folder of a test's own, and reading what was written there. */
#ifndef TEST_FOLDER_H
#define TEST_FOLDER_H

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct folder {
	char path[64];
	char name[256]; /* scratch of folder_name() */
};

static inline void folder_make(struct folder *folder)
{
	strcpy(folder->path, "/tmp/tacho-test-XXXXXX");
	assert_non_null(mkdtemp(folder->path));
}

/* PATH/file, valid until the next call. */
static inline const char *folder_name(struct folder *folder, const char *file)
{
	assert_true(snprintf(folder->name, sizeof(folder->name), "%s/%s", folder->path, file) <
		    (int)sizeof(folder->name));
	return folder->name;
}

/* How many things are in it. */
static inline size_t folder_count(const struct folder *folder)
{
	DIR *dir = opendir(folder->path);
	const struct dirent *entry;
	size_t count = 0;

	assert_non_null(dir);
	while ((entry = readdir(dir)))
		count += entry->d_name[0] != '.';
	closedir(dir);
	return count;
}

/* Removes it with its files; folders in it must be empty or hold files only. */
static inline void folder_remove(struct folder *folder)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -rf -- '%s'", folder->path);
	assert_int_equal(system(command), 0);
}

/* The whole file as text; owned. NULL when it is not there. */
static inline char *read_text(const char *path)
{
	FILE *file = fopen(path, "r");
	size_t size = 0;
	char *text;

	if (!file)
		return NULL;
	text = calloc(1, 1 << 26);
	assert_non_null(text);
	size = fread(text, 1, (1 << 26) - 1, file);
	fclose(file);
	text = realloc(text, size + 1);
	text[size] = '\0';
	return text;
}

#endif
