/* SPDX-License-Identifier: MIT */
#include "tacho/sys/settings.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/fs.h"
#include "base/yaml.h"

enum { FILE_BYTES_MAX = 256 * 1024 };

struct tacho_settings {
	struct tacho__arena arena;
	struct tacho_setting *settings;
	size_t count, capacity;
};

static int mistake(const char *path, unsigned line, const char *what, const char *cure)
{
	return tacho__fail(TACHO_E_PARSE, what, cure, "%s:%u cannot be read", path, line);
}

static int add(struct tacho_settings *settings, const char *section, const char *key,
	       const struct tacho__yaml *scalar)
{
	struct tacho_setting setting = {section, key, scalar->text, scalar->line};

	return tacho__array_add(&settings->settings, &settings->capacity, &settings->count,
				&setting, sizeof(setting));
}

/* `value` has the key. */
static int add_member(struct tacho_settings *settings, const char *path, const char *section,
		      const struct tacho__yaml *value)
{
	int rc = 0;

	if (value->type == TACHO__YAML_SCALAR)
		return add(settings, section, value->key, value);
	if (value->type == TACHO__YAML_MAPPING)
		return mistake(path, value->line, "a mapping stands where a value should",
			       "write OPTION: VALUE below the command's name");
	for (const struct tacho__yaml *at = value->first; at && !rc; at = at->next)
		rc = at->type == TACHO__YAML_SCALAR
			     ? add(settings, section, value->key, at)
			     : mistake(path, at->line, "an element of the list is no value",
				       "write OPTION: [VALUE, VALUE]");
	return rc;
}

/* A file in which everything is commented out. */
static bool says_nothing(const char *text)
{
	while (*text) {
		text += strspn(text, " \t\r\n");
		if (*text && *text != '#')
			return false;
		text += strcspn(text, "\n");
	}
	return true;
}

static int parse(struct tacho_settings *settings, const char *path,
		 const struct tacho__yaml **out_root)
{
	struct tacho__buf text = {0};
	int rc = tacho__fs_read(path, FILE_BYTES_MAX, &text);

	*out_root = NULL;
	if (!rc && !says_nothing(tacho__buf_text(&text)))
		rc = tacho__yaml_parse(&settings->arena, path, tacho__buf_text(&text), text.size,
				       out_root);
	tacho__buf_finish(&text);
	return rc;
}

static int read_all(struct tacho_settings *settings, const char *path)
{
	const struct tacho__yaml *root;
	int rc = parse(settings, path, &root);

	if (rc || !root)
		return rc;
	if (root->type != TACHO__YAML_MAPPING)
		return mistake(path, root->line, "its top is no mapping",
			       "write OPTION: VALUE, or COMMAND: and options below it");
	for (const struct tacho__yaml *at = root->first; at && !rc; at = at->next) {
		if (at->type != TACHO__YAML_MAPPING)
			rc = add_member(settings, path, "", at);
		else
			for (const struct tacho__yaml *own = at->first; own && !rc; own = own->next)
				rc = add_member(settings, path, at->key, own);
	}
	return rc;
}

int tacho_settings_read(const char *path, struct tacho_settings **out_settings)
{
	struct tacho_settings *settings;
	int rc;

	if (!path || !out_settings)
		return tacho__fail_null(__func__);
	settings = calloc(1, sizeof(*settings));
	if (!settings)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory to read %s", path);
	rc = read_all(settings, path);
	if (rc)
		tacho_settings_destroy(settings);
	else
		*out_settings = settings;
	return rc;
}

void tacho_settings_destroy(struct tacho_settings *settings)
{
	if (!settings)
		return;
	free(settings->settings);
	tacho__arena_finish(&settings->arena);
	free(settings);
}

const struct tacho_setting *tacho_settings_get(const struct tacho_settings *settings, size_t index)
{
	return settings && index < settings->count ? &settings->settings[index] : NULL;
}
