/* SPDX-License-Identifier: MIT */
#include "base/inflate.h"

#include <zlib.h>

#include "base/error.h"

int tacho__inflate(const struct tacho__packed *packed, char *out)
{
	uLongf size = packed->size;
	int status = uncompress((Bytef *)out, &size, packed->bytes, packed->packed_size);

	if (status == Z_MEM_ERROR)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory to unpack %s", packed->name);
	if (status != Z_OK || size != packed->size)
		return tacho__fail(TACHO_E_PARSE, tacho__detail("zlib says %d", status),
				   "install tacho again", "%s in the library is damaged",
				   packed->name);
	return 0;
}
