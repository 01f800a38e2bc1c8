/* SPDX-License-Identifier: MIT */
#include "base/base64.h"

#include <stdint.h>

void tacho__base64_write(const void *bytes, size_t size, char *out_text)
{
	static const char letters[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const uint8_t *at = bytes;

	for (size_t left = size; left; left -= left < 3 ? left : 3, at += 3) {
		uint32_t three = (uint32_t)at[0] << 16 | (left > 1 ? (uint32_t)at[1] << 8 : 0) |
				 (left > 2 ? at[2] : 0);

		*out_text++ = letters[three >> 18];
		*out_text++ = letters[three >> 12 & 63];
		*out_text++ = left > 1 ? letters[three >> 6 & 63] : '=';
		*out_text++ = left > 2 ? letters[three & 63] : '=';
	}
}
