/* SPDX-License-Identifier: MIT */
/* Opening a recording, whatever it is kept in. */
#include <sys/stat.h>

#include "base/error.h"
#include "base/fs.h"
#include "format/foreign/foreign.h"
#include "format/import/import.h"

/* A file of another tool, or a session file; *out_recording is NULL when it is neither. */
static int open_file(const char *path, bool is_session, enum tacho__import_file file,
		     struct tacho_recording **out_recording)
{
	struct tacho_recording *recording = NULL;
	int rc = tacho__foreign_open(path, &recording);

	if (!rc && !recording && is_session)
		rc = tacho__import_open(path, file, &recording);
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
	if (unread || !has_base)
		return unread ? unread : rc;
	return tacho__import_open(path, TACHO__IMPORT_FILES, out_recording);
}
