/* SPDX-License-Identifier: MIT */
/*
 * Databases of rocprofiler-compute: "pmc_perf_3_1234.db" is of the fourth run of the program and of
 * its process 1234, "SQ_LEVEL_WAVES.db" of an older version and a run that counted that level. A
 * run has other processes than the one before it: the first of each is the same, and so on.
 */
#include <ctype.h>
#include <string.h>

#include "base/text.h"
#include "format/foreign/amd_rocpd.h"

static const char whole[] = "pmc_perf", letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ_";

/* How much of the path names folder and run; 0: it is of none. */
static size_t run_size(const char *path)
{
	const char *base = tacho__base_name(path), *at = base;

	if (!strncmp(base, whole, strlen(whole))) {
		at += strlen(whole);
		if (*at == '_' && isdigit((unsigned char)at[1]))
			at += 1 + strspn(at + 1, "0123456789");
	} else if (!strncmp(base, "SQ_", 3)) {
		at += strspn(base, letters);
		at -= at[-1] == '_';
	}
	path = at == base ? "" : path;
	return *path && (*at == '.' || !*at || (*at == '_' && isdigit((unsigned char)at[1])))
		       ? (size_t)(at - path)
		       : 0;
}

bool tacho__rocpd_is_run(const char *path, char out_level[64])
{
	const char *base = tacho__base_name(path);
	size_t size = run_size(path), folder = (size_t)(base - path);

	*out_level = '\0';
	if (size && strncmp(base, whole, strlen(whole)) != 0 && size - folder < 64) {
		memcpy(out_level, base, size - folder);
		out_level[size - folder] = '\0';
	}
	return size != 0;
}

static bool is_beside(const char *path, const char *other)
{
	size_t folder = (size_t)(tacho__base_name(path) - path);

	return (size_t)(tacho__base_name(other) - other) == folder && !strncmp(path, other, folder);
}

size_t tacho__rocpd_beside(const struct tacho__foreign_file *files, size_t count, size_t file)
{
	size_t i = 0;

	while (i < count && !(files[i].db && run_size(files[i].path) &&
			      is_beside(files[file].path, files[i].path)))
		i++;
	return i;
}

static bool is_same(const char *left, const char *right, size_t size)
{
	return run_size(right) == size && !strncmp(left, right, size);
}

/* The first file of the first run in its folder: that of all counters is before those of levels. */
static size_t find_run(const struct tacho__foreign_file *files, size_t count, size_t file)
{
	size_t first = count;

	for (size_t i = 0; i < count; i++) {
		const char *base = tacho__base_name(files[i].path);

		if (!is_beside(files[file].path, files[i].path) || !run_size(files[i].path))
			continue;
		if (!strncmp(base, whole, strlen(whole)))
			return i;
		first = first < count ? first : i;
	}
	return first;
}

size_t tacho__rocpd_first_run(const struct tacho__foreign_file *files, size_t count, size_t file)
{
	const size_t size = run_size(files[file].path);
	size_t before = 0, first, first_size;

	if (!size)
		return file;
	for (size_t i = 0; i < file; i++)
		before += is_same(files[file].path, files[i].path, size);
	first = find_run(files, count, file);
	first_size = run_size(files[first].path);
	for (size_t i = first; i < count; i++)
		if (is_same(files[first].path, files[i].path, first_size) && !before--)
			return i;
	return file;
}
