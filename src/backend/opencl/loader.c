/* SPDX-License-Identifier: MIT */
/* Which file is the OpenCL loader, and whether it can load layers. */
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "backend/opencl/opencl.h"

enum { LOADER_MAX = 256 << 20 };

/* The variable's name is in every loader that reads it: ocl-icd from 2.3, Khronos's from 2020. */
static bool knows_layers(const char *path)
{
	static const char variable[] = "OPENCL_LAYERS";
	struct stat status;
	bool found = false;
	void *bytes;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	if (fd < 0)
		return false;
	if (!fstat(fd, &status) && S_ISREG(status.st_mode) && status.st_size > 0 &&
	    status.st_size <= LOADER_MAX) {
		size_t size = (size_t)status.st_size;

		bytes = mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0);
		if (bytes != MAP_FAILED) {
			found = memmem(bytes, size, variable, sizeof(variable)) != NULL;
			munmap(bytes, size);
		}
	}
	close(fd);
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
