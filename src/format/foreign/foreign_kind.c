/* SPDX-License-Identifier: MIT */
/* What a file is, by what it begins with. */
#include "format/foreign/foreign_kind.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "format/foreign/foreign.h"
#include "format/foreign/foreign_bytes.h"
#include "format/foreign/foreign_db.h"

int tacho__foreign_read_head(struct tacho__foreign_file *file)
{
	struct tacho__foreign_bytes *bytes;
	size_t got = 1;
	int rc = tacho__foreign_bytes_open(file->path, &bytes);

	if (rc)
		return rc;
	while (!rc && got && TACHO__FOREIGN_HEAD - file->head_size >= 4) {
		rc = tacho__foreign_bytes_read(bytes, file->head + file->head_size,
					       TACHO__FOREIGN_HEAD - file->head_size, &got);
		file->head_size += got;
	}
	tacho__foreign_bytes_close(bytes);
	return file->head_size ? 0 : rc;
}

bool tacho__foreign_has_line(const struct tacho__foreign_file *file, const char *const *lines,
			     size_t count)
{
	for (size_t i = 0; i < count; i++)
		for (const char *at = strstr(file->head, lines[i]); at;
		     at = strstr(at + 1, lines[i]))
			if (at == file->head || at[-1] == '\n')
				return true;
	return false;
}

int tacho__foreign_has_values(const char *path, bool *out_has)
{
	struct tacho__foreign_file *file = calloc(1, sizeof(*file));
	int rc;

	if (!file)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory to read %s", path);
	file->path = path;
	rc = tacho__foreign_read_head(file);
	if (!rc)
		*out_has = tacho__foreign_ncu_rep.fits(file) || tacho__foreign_ncu_csv.fits(file) ||
			   tacho__foreign_db_is(file->head, file->head_size);
	free(file);
	return rc;
}
