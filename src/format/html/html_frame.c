/* SPDX-License-Identifier: MIT */
/* What every page begins and ends with: its head, what it allows itself, its scripts. */
#include <string.h>

#include "base/array.h"
#include "base/sha256.h"
#include "catalog/catalog.h"
#include "format/html/html.h"

/* data/page, embedded. */
extern const struct tacho__builtin tacho__page_files[];

static const struct tacho__builtin *find_file(const char *name)
{
	const struct tacho__builtin *file = tacho__page_files;

	while (file->name && strcmp(file->name, name) != 0)
		file++;
	return file;
}

/* In the order in which they stand in the page. */
static const char *const scripts[] = {
	"page/numbers.js",  "page/tables.js", "page/store.js", "page/lanes.js",
	"page/view.js",	    "page/paint.js",  "page/marks.js", "page/ranges.js",
	"page/launches.js", "page/search.js", "page/links.js", "page/help.js",
	"page/timeline.js",
};

static void put_digest(FILE *stream, const struct tacho__builtin *file)
{
	char digest[TACHO__SHA256_BASE64_SIZE];

	tacho__sha256_base64(file->text, file->size, digest);
	fprintf(stream, " 'sha256-%s'", digest);
}

/*
 * Nothing may be loaded, and nothing runs but the texts whose digests stand here: not even markup
 * that should not be there could do anything.
 */
static void put_policy(FILE *stream)
{
	fputs("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; base-uri "
	      "'none'; form-action 'none'; style-src",
	      stream);
	put_digest(stream, find_file("page/page.css"));
	fputs("; script-src", stream);
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(scripts); i++)
		put_digest(stream, find_file(scripts[i]));
	fputs("\">\n", stream);
}

static void put_file(FILE *stream, const char *element, const char *name)
{
	const struct tacho__builtin *file = find_file(name);

	fprintf(stream, "<%s>", element);
	fwrite(file->text, 1, file->size, stream);
	fprintf(stream, "</%s>\n", element);
}

void tacho__html_put_head(FILE *stream, const char *title)
{
	fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n", stream);
	put_policy(stream);
	fputs("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
	      "<meta name=\"color-scheme\" content=\"light dark\">\n"
	      "<meta name=\"referrer\" content=\"no-referrer\">\n",
	      stream);
	tacho__html_print(stream, "<meta name=\"generator\" content=\"tacho %s\">\n",
			  TACHO_VERSION);
	tacho__html_print(stream, "<title>%s - tacho</title>\n", title);
	put_file(stream, "style", "page/page.css");
	fputs("</head>\n", stream);
}

void tacho__html_put_scripts(FILE *stream)
{
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(scripts); i++)
		put_file(stream, "script", scripts[i]);
	fputs("</body>\n</html>\n", stream);
}
