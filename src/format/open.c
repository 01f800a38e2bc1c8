/* SPDX-License-Identifier: MIT */
/* Opening a recording, whatever it is kept in. */
#include <sys/stat.h>

#include "base/error.h"
#include "format/import/import.h"

int tacho_recording_open(const char *path, struct tacho_recording **out_recording)
{
	enum tacho__import_file file;
	bool is_session = tacho__import_is_file(path, &file);
	struct stat status;
	int rc;

	if (is_session && !stat(path, &status) && !S_ISDIR(status.st_mode))
		return tacho__import_open(path, file, out_recording);
	rc = tacho__recording_open_folder(path, out_recording);
	if (rc != TACHO_E_NOTFOUND)
		return rc;
	if (is_session)
		return tacho__import_open(path, file, out_recording);
	return tacho__import_has_base(path)
		       ? tacho__import_open(path, TACHO__IMPORT_FILES, out_recording)
		       : rc;
}
