/* SPDX-License-Identifier: MIT */
/* Opening a recording, whatever it is kept in. */
#include <sys/stat.h>

#include "base/error.h"
#include "base/fs.h"
#include "format/foreign/foreign.h"
#include "format/foreign/foreign_names.h"
#include "format/import/import.h"
#include "format/stranger.h"

/* A file of another tool, or a session file; *out_recording is NULL when it is neither. */
static int open_file(const char *path, bool is_session, enum tacho__import_file file,
		     struct tacho_recording **out_recording)
{
	struct tacho_recording *recording = NULL;
	int rc = tacho__foreign_open(&path, 1, NULL, &recording);

	if (!rc && !recording && is_session)
		rc = tacho__import_open(path, file, &recording);
	if (!rc)
		*out_recording = recording;
	return rc;
}

/* Of files of other tools; *out_recording stays NULL where it may be a recording of tacho's own. */
static int open_folder(const char *path, struct tacho_recording **out_recording)
{
	struct tacho_recording *recording = NULL;
	int rc;

	if (tacho__foreign_is_own(path))
		return 0;
	rc = tacho__foreign_open(&path, 1, NULL, &recording);
	if (!rc && !recording)
		rc = tacho__fail(TACHO_E_PARSE,
				 "it has no " TACHO__META_FILE
				 ", and no file in it is one of a tool that tacho knows",
				 "files that are read: tacho help imports", "%s is not a recording",
				 path);
	if (!rc)
		*out_recording = recording;
	return rc;
}

int tacho_recording_open(const char *path, struct tacho_recording **out_recording)
{
	enum tacho__import_file file;
	struct tacho_recording *recording = NULL;
	bool is_session, has_base = false;
	mode_t kind = 0;
	int rc, unread;

	if (!path || !out_recording)
		return tacho__fail_null(__func__);
	is_session = tacho__import_is_file(path, &file);
	rc = tacho__fs_get_kind(path, &kind);
	if (!rc && kind == S_IFREG)
		rc = open_file(path, is_session, file, &recording);
	else if (!rc && kind == S_IFDIR)
		rc = open_folder(path, &recording);
	if (recording)
		*out_recording = recording;
	if (rc || recording)
		return rc;
	if (is_session && kind && kind != S_IFDIR)
		return tacho__import_open(path, file, out_recording);
	rc = tacho__recording_open_folder(path, out_recording);
	if (rc != TACHO_E_NOTFOUND)
		return rc;
	if (is_session)
		return tacho__import_open(path, file, out_recording);
	unread = tacho__import_find_base(path, &has_base);
	if (unread)
		return unread;
	if (!has_base)
		return kind == S_IFREG ? tacho__stranger_fail(path) : rc;
	return tacho__import_open(path, TACHO__IMPORT_FILES, out_recording);
}

int tacho_recording_open_files(const char *const *paths, size_t count, const char *kind,
			       struct tacho_recording **out_recording)
{
	struct tacho_recording *recording = NULL;
	int rc;

	if (!paths || !out_recording)
		return tacho__fail_null(__func__);
	if (!count)
		return tacho__fail(TACHO_E_INVAL, "", "", "no file is named");
	for (size_t i = 0; i < count; i++)
		if (!paths[i])
			return tacho__fail_null(__func__);
	if (kind && !*kind)
		kind = NULL;
	if (count == 1 && !kind)
		return tacho_recording_open(paths[0], out_recording);
	rc = tacho__foreign_open(paths, count, kind, &recording);
	if (!rc && !recording)
		rc = tacho__fail(TACHO_E_PARSE, "no file in it is one of a tool that tacho knows",
				 "files that are read: tacho help imports", "%s is not a recording",
				 paths[0]);
	if (!rc)
		*out_recording = recording;
	return rc;
}

const char *tacho_file_kind_get_name(size_t index)
{
	const struct tacho__foreign_reader *reader = tacho__foreign_get_reader(index);

	return reader ? reader->name : NULL;
}

const char *tacho_file_kind_get_title(size_t index)
{
	const struct tacho__foreign_reader *reader = tacho__foreign_get_reader(index);

	return reader ? reader->title : NULL;
}
