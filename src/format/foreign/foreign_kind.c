/* SPDX-License-Identifier: MIT */
#include "format/foreign/foreign_kind.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "format/foreign/foreign.h"
#include "format/foreign/foreign_bytes.h"

int tacho__foreign_has_values(const char *path, bool *out_has)
{
	struct tacho__foreign_file *file = calloc(1, sizeof(*file));
	struct tacho__foreign_bytes *bytes = NULL;
	size_t got = 1;
	int rc = file ? tacho__foreign_bytes_open(path, &bytes)
		      : tacho__fail(TACHO_E_NOMEM, "", "", "no memory to read %s", path);

	while (!rc && got && TACHO__FOREIGN_HEAD - file->head_size >= 4) {
		rc = tacho__foreign_bytes_read(bytes, file->head + file->head_size,
					       TACHO__FOREIGN_HEAD - file->head_size, &got);
		file->head_size += rc ? 0 : got;
	}
	if (!rc)
		*out_has = memchr(file->head, '\0', file->head_size) ||
			   tacho__foreign_ncu_csv.fits(file);
	tacho__foreign_bytes_close(bytes);
	free(file);
	return rc;
}
