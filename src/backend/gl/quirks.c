/* SPDX-License-Identifier: MIT */
/* What is known of the driver: data/khronos/quirks.yaml, whose comment describes the form. */
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "backend/gl/gl_private.h"
#include "base/error.h"

extern const struct tacho__builtin tacho__gl_quirk_files[]; /* by tools/embed */

int tacho__gl_quirks_read(const struct tacho__gl_version *version,
			  struct tacho__gl_quirks *out_quirks)
{
	const struct tacho__builtin *file = &tacho__gl_quirk_files[0];
	struct tacho__gl_quirks quirks = {.version = version};
	const struct tacho__yaml *root;
	int rc = tacho__yaml_parse(&quirks.arena, file->name, (const char *)file->text, file->size,
				   &root);

	if (!rc && !tacho__yaml_get(root, "gl-quirks"))
		rc = tacho__fail(TACHO_E_PARSE, "it has no key gl-quirks",
				 "report this: it is a defect of tacho", "%s is malformed",
				 file->name);
	if (rc) {
		tacho__gl_quirks_finish(&quirks);
		return rc;
	}
	quirks.root = tacho__yaml_get(root, "drivers");
	*out_quirks = quirks;
	return 0;
}

void tacho__gl_quirks_finish(struct tacho__gl_quirks *quirks)
{
	tacho__arena_finish(&quirks->arena);
}

/* "24.3.1" is 24003, a number to compare; 0 where no release is named. */
static unsigned read_release(const char *text)
{
	unsigned major, minor;

	return sscanf(text, "%4u.%3u", &major, &minor) == 2 ? major * 1000 + minor : 0;
}

/* Is the release behind "Mesa " among those of the entry? */
static bool fits_release(const struct tacho__yaml *driver, const char *version)
{
	const char *from = tacho__yaml_string(driver, "mesa_from", NULL);
	const char *before = tacho__yaml_string(driver, "mesa_before", NULL);
	const char *mesa = strstr(version, "Mesa ");
	unsigned release = mesa ? read_release(mesa + strlen("Mesa ")) : 0;

	if (!from && !before)
		return true;
	return release && (!from || release >= read_release(from)) &&
	       (!before || release < read_release(before));
}

static bool fits(const struct tacho__yaml *driver, const struct tacho__gl_version *version)
{
	return !fnmatch(tacho__yaml_string(driver, "renderer", "*"), version->renderer, 0) &&
	       !fnmatch(tacho__yaml_string(driver, "version", "*"), version->text, 0) &&
	       fits_release(driver, version->text);
}

/* The next entry that fits this driver; NULL before the first and after the last. */
static const struct tacho__yaml *next_driver(const struct tacho__gl_quirks *quirks,
					     const struct tacho__yaml *driver)
{
	driver = driver ? driver->next : quirks->root ? quirks->root->first : NULL;
	while (driver && !fits(driver, quirks->version))
		driver = driver->next;
	return driver;
}

static bool has_counter(const struct tacho__yaml *globs, const char *counter)
{
	for (const struct tacho__yaml *glob = globs ? globs->first : NULL; glob; glob = glob->next)
		if (!fnmatch(glob->text, counter, 0))
			return true;
	return false;
}

bool tacho__gl_quirks_is(const struct tacho__gl_quirks *quirks, const char *flag)
{
	const struct tacho__yaml *driver = NULL;

	while ((driver = next_driver(quirks, driver)))
		if (!strcmp(tacho__yaml_string(driver, flag, "0"), "1"))
			return true;
	return false;
}

const char *tacho__gl_quirks_get_note(const struct tacho__gl_quirks *quirks, const char *counter,
				      size_t index)
{
	const struct tacho__yaml *driver = NULL, *note;

	while ((driver = next_driver(quirks, driver)))
		for (note = tacho__yaml_first(driver, "notes"); note; note = note->next)
			if (has_counter(tacho__yaml_get(note, "counters"), counter) && index-- == 0)
				return tacho__yaml_string(note, "text", "");
	return NULL;
}

const char *tacho__gl_quirks_get_block(const struct tacho__gl_quirks *quirks, const char *counter)
{
	const struct tacho__yaml *driver = NULL, *block;

	while ((driver = next_driver(quirks, driver)))
		for (block = tacho__yaml_first(driver, "exclude"); block; block = block->next)
			if (has_counter(tacho__yaml_get(block, "counters"), counter))
				return tacho__yaml_string(block, "block", NULL);
	return NULL;
}
