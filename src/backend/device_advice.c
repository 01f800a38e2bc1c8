/* SPDX-License-Identifier: MIT */
#include "backend/device_advice.h"

#include <string.h>

static const struct {
	const char *api;
	const struct tacho__advice *advice;
} apis[] = {
	{"opencl", tacho__opencl_advice},
};

const char *tacho__advice_find(const char *api, const char *function, const char *error)
{
	for (size_t i = 0; i < sizeof(apis) / sizeof(apis[0]); i++) {
		if (strcmp(apis[i].api, api))
			continue;
		for (const struct tacho__advice *row = apis[i].advice; row->function; row++)
			if (!strncmp(function, row->function, strlen(row->function)) &&
			    !strcmp(error, row->error))
				return row->text;
	}
	return NULL;
}
