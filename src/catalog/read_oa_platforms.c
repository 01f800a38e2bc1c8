/* SPDX-License-Identifier: MIT */
/* The platforms of Intel's OA unit that are in the library: found, unpacked, read once asked for.
 */
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "base/inflate.h"
#include "catalog/arch.h"
#include "catalog/read_oa.h"

#define FOLDER "intel/oa/"

extern const struct tacho__packed tacho__oa_platform_files[]; /* ends with name NULL */

static const struct tacho__packed *find_file(const char *name)
{
	char path[64];

	snprintf(path, sizeof(path), FOLDER "%.40s.txt", name);
	for (const struct tacho__packed *file = tacho__oa_platform_files; file->name; file++)
		if (!strcmp(file->name, path))
			return file;
	return NULL;
}

/* As long as the catalog, with a NUL behind. */
static int unpack(struct tacho_catalog *catalog, const struct tacho__packed *file, char **out_text)
{
	*out_text = tacho__arena_get(&catalog->arena, file->size + 1);
	return *out_text ? tacho__inflate(file, *out_text) : TACHO_E_NOMEM;
}

static int read_texts(struct tacho_catalog *catalog)
{
	const struct tacho__packed *file = find_file("texts");
	size_t count = 0;
	char *text, **lines;
	int rc;

	if (catalog->texts.count)
		return 0;
	rc = unpack(catalog, file, &text);
	if (rc)
		return rc;
	for (const char *at = text; (at = strchr(at, '\n')); at++)
		count++;
	lines = tacho__arena_get(&catalog->arena, count * sizeof(*lines));
	if (!lines)
		return TACHO_E_NOMEM;
	for (char *end; (end = strchr(text, '\n')); text = end + 1) {
		*end = '\0';
		if (*text != '#')
			lines[catalog->texts.count++] = text;
	}
	catalog->texts.lines = lines;
	return 0;
}

/* As the lines are sorted: by the bytes of their keys. */
static int compare_key(const char *key, const char *line)
{
	size_t size = strcspn(line, "\t");
	int order = strncmp(key, line, size);

	return order ? order : key[size] != '\0';
}

char *tacho__oa_find_text(const struct tacho__texts *texts, const char *key)
{
	size_t low = 0, high = texts->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int order = compare_key(key, texts->lines[middle]);

		if (!order)
			return texts->lines[middle];
		if (order < 0)
			high = middle;
		else
			low = middle + 1;
	}
	return NULL;
}

static int read_platform(struct tacho__arch *arch)
{
	const struct tacho__definitions definitions = {
		.catalog = arch->catalog, .file = "", .is_builtin = 1};
	struct tacho__oa_reader reader = {
		.catalog = arch->catalog, .arch = arch, .definitions = &definitions, .source = ""};
	const struct tacho__packed *file = find_file(arch->arch.name);
	char *text;
	int rc = read_texts(arch->catalog);

	if (!rc)
		rc = unpack(arch->catalog, file, &text);
	return rc ? rc : tacho__oa_platform_read(&reader, text, file->size);
}

void tacho__oa_put_off(struct tacho__arch *arch)
{
	if (!strcmp(arch->arch.api, "oa") && find_file(arch->arch.name))
		tacho__arch_put_off(arch, read_platform);
}
