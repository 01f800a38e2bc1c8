/* SPDX-License-Identifier: MIT */
/* Opening a recording, whatever it is kept in. */
#include <sys/stat.h>

#include "base/error.h"
#include "base/fs.h"
#include "format/import/import.h"

int tacho_recording_open(const char *path, struct tacho_recording **out_recording)
{
	enum tacho__import_file file;
	bool is_session, has_base = false;
	mode_t kind = 0;
	int rc, unread;

	if (!path || !out_recording)
		return tacho__fail_null(__func__);
	is_session = tacho__import_is_file(path, &file);
	rc = is_session ? tacho__fs_get_kind(path, &kind) : 0;
	if (rc)
		return rc;
	if (kind && kind != S_IFDIR)
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
