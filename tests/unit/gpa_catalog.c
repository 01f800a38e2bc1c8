/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/fs.h"
#include "catalog/catalog.h"
#include "tacho/catalog.h"
#include "tacho/error.h"
#include "gpa_catalog.h"

const char *const gcn[4] = {"gfx6", "gfx7", "gfx8", "gfx9"};
const char *const before_gcn[4] = {"r600", "r700", "evergreen", "northern-islands"};
struct tacho_catalog *catalog;

static int open_catalog(void **state)
{
	struct tacho_catalog_options options = {.size = sizeof(options), .no_environment = 1};

	int rc = tacho_catalog_open(&options, &catalog);

	if (rc)
		print_error("%s: %s\n", tacho_error_last()->message, tacho_error_last()->cause);
	return rc;
}

int close_catalog(void **state)
{
	tacho_catalog_close(catalog);
	return 0;
}

const struct tacho_arch *find(const char *name, const char *api)
{
	const struct tacho_arch *arch = NULL;

	if (tacho_catalog_find_arch(catalog, name, api, &arch))
		fail_msg("%s under %s: %s", name, api, tacho_error_last()->message);
	return arch;
}

int has(const char *name, const char *api, const char *entry)
{
	const struct tacho_entry *found = tacho_arch_find_entry(find(name, api), entry);

	return found && !strcmp(found->name, entry);
}

const char *shared_path(const char *name)
{
	const char *root = getenv("TACHO_SOURCE_ROOT");
	static char path[4096];

	snprintf(path, sizeof(path), "%s/../shared/%s", root ? root : ".", name);
	if (!access(path, R_OK))
		return path;
	print_message("../shared/%s is absent: not compared\n", name);
	return NULL;
}

void read_file(const char *path, struct tacho__buf *out_text)
{
	assert_int_equal(tacho__fs_read(path, FILE_MAX, out_text), 0);
}

struct line lines[NAMES];

int read_lines(void **state)
{
	const char *root = getenv("TACHO_SOURCE_ROOT");
	struct tacho__buf path = {0}, text = {0};
	size_t count = 0;
	char *rest = NULL;

	tacho__buf_printf(&path, "%s/tests/data/gpa/document.txt", root ? root : ".");
	read_file(tacho__buf_text(&path), &text);
	for (char *at = strtok_r(text.text, "\n", &rest); at; at = strtok_r(NULL, "\n", &rest)) {
		struct line *line = &lines[count];

		if (*at == '#')
			continue;
		assert_true(count < NAMES);
		assert_int_equal(sscanf(at, "%63s %63s %7s %7s %15s", line->name, line->group,
					line->table, line->footnote, line->kind),
				 5);
		count++;
	}
	assert_int_equal(count, NAMES);
	tacho__buf_finish(&path);
	tacho__buf_finish(&text);
	return open_catalog(state);
}
