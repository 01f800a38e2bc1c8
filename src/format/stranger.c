/* SPDX-License-Identifier: MIT */
#include "format/stranger.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/array.h"
#include "base/error.h"
#include "base/fs.h"
#include "base/text.h"
#include "record/wire.h"

enum { HEAD_BYTES = 8192 };

/* A kind of files that nobody reads here, by the end of the name or by how it begins. */
struct kind {
	const char *suffix, *beginning; /* NULL: whatever it is */
	const char *within;		/* a text in the beginning, NULL: none */
	const char *cause, *cure;
};

static const char own_cause[] = "tacho wrote it of a recording";
static const char own_cure[] = "name the recording itself";
static const char report_cause[] = "it is Nsight Systems' own report, of which exports are read";
static const char report_cure[] = "nsys export --type sqlite FILE, and name what that writes";

static const struct kind kinds[] = {
	{".nsys-rep", NULL, NULL, report_cause, report_cure},
	{".qdrep", NULL, NULL, report_cause, report_cure},
	{".xplane.pb", NULL, NULL, "it is XLA's own profile, of which the trace is read",
	 "name FILE.trace.json.gz beside it, or the folder of both"},
	{NULL, "PERFILE2", NULL, "perf wrote it, with samples of the processor",
	 "read it with perf report; GPU programs: tacho record PROGRAM"},
	{NULL, "GFXR", NULL, "it is a capture of gfxreconstruct, without times",
	 "record its replay: tacho record -- gfxrecon-replay FILE"},
	{NULL, "RDOC", NULL, "it is a capture of RenderDoc, without times",
	 "record the program itself: tacho record PROGRAM"},
	{NULL, "\177ELF", NULL, "it is a compiled program or library",
	 "run it: tacho record FILE; kernels in it: tacho occupancy FILE"},
	{NULL, "#!", NULL, "it is a script", "run it: tacho record FILE"},
	{NULL, "<!DOCTYPE html>", "<meta name=\"generator\" content=\"tacho ", own_cause, own_cure},
	{NULL, "{\"schema\": \"tacho.", NULL, own_cause, own_cure},
};

/* SQLite's header has a number for the program that wrote it (format/sqlite). */
static bool is_own_database(const char *head, size_t size)
{
	return size > 72 && !memcmp(head, "SQLite format 3", 16) && !memcmp(head + 68, "tach", 4);
}

static bool fits(const struct kind *kind, const char *path, const char *head)
{
	if (kind->suffix)
		return tacho__ends_with(path, kind->suffix);
	return !strncmp(head, kind->beginning, strlen(kind->beginning)) &&
	       (!kind->within || strstr(head, kind->within));
}

/* The folder that the file is in, where that is a recording; else "". */
static const char *find_recording(const char *path, char *into)
{
	const char *slash = strrchr(path, '/');
	int size = slash ? (int)(slash - path) : 0;
	char meta[PATH_MAX];
	mode_t kind = 0;

	if (size && snprintf(meta, sizeof(meta), "%.*s/" TACHO__META_FILE, size, path) < PATH_MAX &&
	    !tacho__fs_get_kind(meta, &kind) && kind == S_IFREG)
		snprintf(into, PATH_MAX, "%.*s", size, path);
	else
		*into = '\0';
	return into;
}

static int fail(const char *path, const char *cause, const char *cure)
{
	return tacho__fail(TACHO_E_NOTFOUND, cause, cure, "%s is not a recording", path);
}

int tacho__stranger_fail(const char *path)
{
	char head[HEAD_BYTES], folder[PATH_MAX];
	size_t size = tacho__fs_read_start(path, head, sizeof(head));

	if (*find_recording(path, folder))
		return fail(path, "it is a part of one", tacho__detail("name that: %s", folder));
	if (is_own_database(head, size))
		return fail(path, own_cause, own_cure);
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(kinds); i++)
		if (fits(&kinds[i], path, head))
			return fail(path, kinds[i].cause, kinds[i].cure);
	return fail(path,
		    size ? "it begins like none of the files that are read" : "nothing is in it",
		    "name the recording that `tacho record` printed; files of other tools that are "
		    "read: tacho help imports");
}
