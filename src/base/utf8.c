/* SPDX-License-Identifier: MIT */
#include "base/utf8.h"

#include <stddef.h>

unsigned tacho__utf8_length(const unsigned char *s)
{
	static const struct {
		unsigned char low, high, second_low, second_high, length;
	} forms[] = {
		{0x00, 0x7f, 0, 0, 1},	     {0xc2, 0xdf, 0x80, 0xbf, 2},
		{0xe0, 0xe0, 0xa0, 0xbf, 3}, {0xe1, 0xec, 0x80, 0xbf, 3},
		{0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3},
		{0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4},
		{0xf4, 0xf4, 0x80, 0x8f, 4},
	};

	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		if (s[0] < forms[i].low || s[0] > forms[i].high)
			continue;
		if (forms[i].length > 1 &&
		    (s[1] < forms[i].second_low || s[1] > forms[i].second_high))
			return 0;
		for (unsigned k = 2; k < forms[i].length; k++)
			if ((s[k] & 0xc0) != 0x80)
				return 0;
		return forms[i].length;
	}
	return 0;
}

size_t tacho__utf8_fit(const char *text, size_t size, size_t max)
{
	if (size <= max)
		return size;
	size = max;
	while (size && (text[size] & 0xc0) == 0x80)
		size--;
	return size;
}
