/* SPDX-License-Identifier: MIT */
#include "base/options.h"

#include <string.h>

#include "base/error.h"

/* No struct of options comes near it: a size above is one that was never set, and not read. */
enum { SIZE_MOST = 4096 };

int tacho__options_take(void *own, size_t own_size, const void *given, const char *type)
{
	size_t size = own_size;

	if (given)
		memcpy(&size, given, sizeof(size));
	if (size < sizeof(size) || size > SIZE_MOST)
		return tacho__fail(TACHO_E_INVAL, tacho__detail("its size is %zu", size),
				   tacho__detail("set .size = sizeof(struct %s)", type),
				   "a struct %s is not valid", type);
	for (size_t at = own_size; at < size; at++)
		if (((const unsigned char *)given)[at])
			return tacho__fail(
				TACHO_E_VERSION,
				tacho__detail("byte %zu is not 0; this is libtacho %s, where the "
					      "struct has %zu bytes",
					      at, TACHO_VERSION, own_size),
				"install the libtacho of the program's headers, or leave 0 there",
				"a struct %s asks for what this library does not have", type);
	memset(own, 0, own_size);
	if (given)
		memcpy(own, given, size < own_size ? size : own_size);
	memcpy(own, &own_size, sizeof(own_size));
	return 0;
}
