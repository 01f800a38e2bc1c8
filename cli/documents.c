/* SPDX-License-Identifier: MIT */
/* Texts name documents as they lie in the sources; whoever reads them has an installed copy. */
#include "documents.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"

static const char folder_name[] = "docs/";

/* Below the command's folder: an installation can be moved as a whole. */
char *cli_documents_find(void)
{
	char file[PATH_MAX], found[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", file, sizeof(file) - 1);
	char *path, *resolved;

	if (length < 0)
		return NULL;
	file[length] = '\0';
	*strrchr(file, '/') = '\0';
	path = *CLI_DOCUMENTS == '/' ? cli_format("%s", CLI_DOCUMENTS)
				     : cli_format("%s/%s", file, CLI_DOCUMENTS);
	resolved = realpath(path, found);
	free(path);
	if (!resolved)
		return NULL;
	path = cli_format("%s/docs/README.md", found);
	if (access(path, R_OK) != 0)
		*found = '\0';
	free(path);
	return *found ? cli_format("%s", found) : NULL;
}

/* How long the name of a document is that TEXT begins with, "docs/sim.md"; 0 when it does not. */
static size_t measure_name(const char *text)
{
	size_t length = strlen(folder_name);

	if (strncmp(text, folder_name, length) != 0)
		return 0;
	length += strspn(text + length, "abcdefghijklmnopqrstuvwxyz0123456789-");
	return strncmp(text + length, ".md", 3) == 0 ? length + 3 : 0;
}

char *cli_documents_place(const char *text)
{
	const char *name = strstr(text, folder_name);
	size_t length = name ? measure_name(name) : 0;
	char *folder = length ? cli_documents_find() : NULL;
	char *file, *placed;

	if (!folder)
		return cli_format("%s", text);
	file = cli_format("%s/%.*s", folder, (int)length, name);
	placed = access(file, R_OK) == 0
			 ? cli_format("%.*s%s%s", (int)(name - text), text, file, name + length)
			 : cli_format("%s", text);
	free(file);
	free(folder);
	return placed;
}
