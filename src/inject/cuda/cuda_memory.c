/* SPDX-License-Identifier: MIT */
/*
 * Memory of a context, kept by NVIDIA's libcheckpoint, which lies beside libcupti: it knows every
 * allocation, whoever made it. It keeps them on the GPU, in the host's memory, or in files.
 */
#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/cupti/cupti_live.h"
#include "inject/cuda/cuda_run.h"

/* As the library has it, in every version so far. */
struct checkpoint {
	size_t size;
	void *context;
	size_t device_reserve_mb, host_reserve_mb;
	uint8_t overwrites, optimizes;
	void *reserved;
};

struct tacho__cuda_memory {
	struct checkpoint checkpoint;
};

static struct {
	bool is_tried;
	int (*save)(struct checkpoint *checkpoint);
	int (*restore)(struct checkpoint *checkpoint);
	int (*release)(struct checkpoint *checkpoint);
	int (*get_info)(size_t *free_bytes, size_t *all_bytes);
} library;

static void find_function(void *handle, const char *name, void *function)
{
	*(void **)function = handle ? dlsym(handle, name) : NULL;
}

/* Under the lock of counting. */
static void load(void)
{
	static const char name[] = "libcheckpoint.so";
	char path[PATH_MAX + sizeof(name)];
	void *handle = NULL;
	char *slash;

	library.is_tried = true;
	tacho__cupti_get_path(path, PATH_MAX);
	slash = strrchr(path, '/');
	if (slash) {
		strcpy(slash + 1, name);
		handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	}
	if (!handle)
		handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
	find_function(handle, "cuptiCheckpointSave", &library.save);
	find_function(handle, "cuptiCheckpointRestore", &library.restore);
	find_function(handle, "cuptiCheckpointFree", &library.release);
	find_function(dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD), "cuMemGetInfo_v2",
		      &library.get_info);
}

/* Of the GPU, all that is in use: whose it is the driver does not tell. */
static uint64_t get_used(void)
{
	size_t free_bytes = 0, all_bytes = 0;

	if (!library.get_info || library.get_info(&free_bytes, &all_bytes) ||
	    free_bytes > all_bytes)
		return 0;
	return all_bytes - free_bytes;
}

const char *tacho__cuda_memory_save(void *context, uint64_t limit_bytes,
				    struct tacho__cuda_memory **out_memory)
{
	struct tacho__cuda_memory *memory;

	if (!library.is_tried)
		load();
	if (!library.save || !library.restore || !library.release)
		return "one pass only: NVIDIA's libcheckpoint, which keeps memory, is not beside "
		       "libcupti";
	if (limit_bytes && get_used() > limit_bytes)
		return "one pass only: the GPU has more memory in use than --replay-memory allows "
		       "to keep";
	memory = calloc(1, sizeof(*memory));
	if (!memory)
		return "one pass only: no memory to keep what it changes";
	memory->checkpoint.size = offsetof(struct checkpoint, reserved) + sizeof(void *);
	memory->checkpoint.context = context;
	if (library.save(&memory->checkpoint)) {
		free(memory);
		return "one pass only: NVIDIA's libcheckpoint could not keep its memory";
	}
	*out_memory = memory;
	return NULL;
}

bool tacho__cuda_memory_restore(struct tacho__cuda_memory *memory)
{
	return !library.restore(&memory->checkpoint);
}

void tacho__cuda_memory_free(struct tacho__cuda_memory *memory)
{
	if (!memory)
		return;
	library.release(&memory->checkpoint);
	free(memory);
}
