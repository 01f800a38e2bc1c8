/* SPDX-License-Identifier: MIT */
/* Which file is the OpenCL loader, and whether it can load layers. */
#include <string.h>

#include "backend/opencl/opencl.h"
#include "base/fs.h"

enum { LOADER_MAX = 256 << 20 };

/* The variable's name is in every loader that reads it: ocl-icd from 2.3, Khronos's from 2020. */
static bool knows_layers(const char *path)
{
	static const char variable[] = "OPENCL_LAYERS";
	struct tacho__buf bytes = {0};
	bool found = !tacho__fs_read(path, LOADER_MAX, &bytes) &&
		     memmem(tacho__buf_text(&bytes), bytes.size, variable, sizeof(variable));

	tacho__buf_finish(&bytes);
	return found;
}

void tacho__opencl_loader_find(struct tacho__opencl_loader *out_loader)
{
	struct tacho__dl_answer answer;

	memset(out_loader, 0, sizeof(*out_loader));
	tacho__dl_try(TACHO__OPENCL_LOADER, &answer);
	strcpy(out_loader->error, answer.error);
	if (!answer.loads)
		return;
	strcpy(out_loader->path, answer.path);
	out_loader->has_layers = knows_layers(answer.path);
}
