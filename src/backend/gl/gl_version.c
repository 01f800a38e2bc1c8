/* SPDX-License-Identifier: MIT */
/* What an OpenGL context says of itself. */
#include <stdio.h>
#include <string.h>

#include "backend/gl/gl_private.h"

enum { EXTENSIONS_MAX = 10000, ES_PREFIX_SIZE = sizeof("OpenGL ES") - 1 };

static const char *get_text(const struct tacho__gl *gl, uint32_t name)
{
	const char *text = (const char *)gl->get_string(name);

	return text ? text : "";
}

void tacho__gl_get_version(const struct tacho__gl *gl, struct tacho__gl_version *out_version)
{
	const char *text = get_text(gl, GL__VERSION);
	unsigned major = 0, minor = 0;
	bool is_es = !strncmp(text, "OpenGL ES", ES_PREFIX_SIZE);

	/* "OpenGL ES 3.2 Mesa", "OpenGL ES-CM 1.1" and "4.5 (Core Profile) Mesa" */
	if (sscanf(text + (is_es ? ES_PREFIX_SIZE : 0), "%*[^0-9]%u.%u", &major, &minor) < 2 &&
	    sscanf(text, "%u.%u", &major, &minor) < 2)
		major = minor = 0;
	*out_version = (struct tacho__gl_version){
		.number = major < 100 && minor < 10 ? major * 10 + minor : 0,
		.is_es = is_es,
		.vendor = get_text(gl, GL__VENDOR),
		.renderer = get_text(gl, GL__RENDERER),
		.text = text,
	};
}

static bool has_word(const char *words, const char *word)
{
	size_t size = strlen(word);

	for (const char *at = words; (at = strstr(at, word)); at += size)
		if ((at == words || at[-1] == ' ') && (!at[size] || at[size] == ' '))
			return true;
	return false;
}

bool tacho__gl_has_extension(const struct tacho__gl *gl, const char *name)
{
	struct tacho__gl_version version;
	int32_t count = 0;

	tacho__gl_get_version(gl, &version);
	if (version.number < 30 || !gl->get_string_at)
		return has_word(get_text(gl, GL__EXTENSIONS), name);
	gl->get_integer(GL__NUM_EXTENSIONS, &count);
	for (int32_t i = 0; i < count && i < EXTENSIONS_MAX; i++) {
		const char *extension =
			(const char *)gl->get_string_at(GL__EXTENSIONS, (uint32_t)i);

		if (extension && !strcmp(extension, name))
			return true;
	}
	return false;
}
