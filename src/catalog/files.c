/* SPDX-License-Identifier: MIT */
/* Files of definitions. */
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/fs.h"
#include "base/text.h"
#include "catalog/arch.h"

enum { FILE_MAX = 32 << 20 };

/* XML begins with "<", whatever comes before it: a mark of the encoding, blanks. */
static int is_xml(const char *text, size_t size)
{
	size_t i = size >= 3 && !memcmp(text, "\xef\xbb\xbf", 3) ? 3 : 0;

	while (i < size && tacho__is_blank(text[i]))
		i++;
	return i < size && text[i] == '<';
}

int tacho__catalog_read_text(struct tacho_catalog *catalog, const char *path, const char *text,
			     size_t size, int only_descriptions)
{
	struct tacho__definitions definitions = {.catalog = catalog,
						 .only_descriptions = (uint8_t)only_descriptions};
	const struct tacho__yaml *root;
	int rc;

	definitions.file = tacho__catalog_text(catalog, "%s", path);
	if (!definitions.file)
		return TACHO_E_NOMEM;
	if (is_xml(text, size))
		return tacho__catalog_read_xml(catalog, definitions.file, text, size);
	rc = tacho__yaml_parse(&catalog->arena, definitions.file, text, size, &root);
	definitions.root = root;
	return rc ? rc : tacho__catalog_read_tree(&definitions);
}

int tacho__catalog_read_file(struct tacho_catalog *catalog, const char *path, int only_descriptions)
{
	struct tacho__buf text = {0};
	int rc = tacho__fs_read(path, FILE_MAX, &text);

	if (!rc)
		rc = tacho__catalog_read_text(catalog, path, tacho__buf_text(&text), text.size,
					      only_descriptions);
	tacho__buf_finish(&text);
	return rc;
}
