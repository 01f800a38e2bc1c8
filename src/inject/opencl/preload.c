/* SPDX-License-Identifier: MIT */
#include "inject/opencl/preload.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "inject/opencl/cl_start.h"
#include "opencl_api.h"

static struct {
	atomic_bool entered; /* TACHO_VIA says that we were loaded before the loader */
	pthread_once_t once;
	void *own_base; /* where our own library is mapped */
	void *loader;	/* of dlopen; NULL while the next library in line does */
} preload = {.once = PTHREAD_ONCE_INIT};

static void *base_of(const void *address)
{
	Dl_info info;

	return dladdr(address, &info) ? info.dli_fbase : NULL;
}

static void *find_function(const char *name)
{
	void *function = NULL;

	if (preload.loader)
		function = dlsym(preload.loader, name);
	else
		function = dlsym(RTLD_NEXT, name);
	return function && base_of(function) != preload.own_base ? function : NULL;
}

/*
 * A loader that was loaded for one library alone is behind nobody in line: then it is looked up by
 * name, first among the libraries that are there.
 */
static void find_loader(void)
{
	static const char *const names[] = {"libOpenCL.so.1", "libOpenCL.so"};

	for (size_t i = 0; i < 4 && !find_function("clGetPlatformIDs"); i++)
		preload.loader = dlopen(names[i % 2], i < 2 ? RTLD_NOLOAD | RTLD_LAZY : RTLD_LAZY);
}

static void fill_target(void)
{
	void **target = (void **)&tacho__opencl_target;
	int error = errno;

	/* Not when the loader came to us as a layer: then it has told its functions. */
	if (!tacho__opencl_target.clGetPlatformIDs) {
		preload.own_base = base_of(&preload);
		find_loader();
		for (size_t i = 0; i < TACHO__DISPATCH_COUNT; i++)
			if (tacho__opencl_dispatch_names[i])
				target[i] = find_function(tacho__opencl_dispatch_names[i]);
		if (tacho__opencl_is_preloaded())
			tacho__opencl_start((void *)tacho__opencl_target.clGetPlatformIDs);
	}
	errno = error;
}

bool tacho__opencl_preload_target(size_t index)
{
	pthread_once(&preload.once, fill_target);
	return ((void **)&tacho__opencl_target)[index] != NULL;
}

bool tacho__opencl_is_preloaded(void)
{
	return atomic_load_explicit(&preload.entered, memory_order_relaxed);
}

/* Whether the entry of LD_PRELOAD of `size` bytes is our own library. */
static bool is_own(const char *entry, size_t size, const char *own_path)
{
	return size == strlen(own_path) && !strncmp(entry, own_path, size);
}

/* So that the programs which this one starts do not load us. */
static void leave_environment(const char *own_path)
{
	const char *old = getenv("LD_PRELOAD"), *at;
	char *kept, *end;

	if (!old)
		return;
	kept = malloc(strlen(old) + 1);
	if (!kept)
		return;
	end = kept;
	for (at = old; *at;) {
		size_t size = strcspn(at, ": ");

		if (size && !is_own(at, size, own_path)) {
			if (end != kept)
				*end++ = ':';
			memcpy(end, at, size);
			end += size;
		}
		at += size + (at[size] != '\0');
	}
	*end = '\0';
	if (end == kept)
		unsetenv("LD_PRELOAD");
	else
		setenv("LD_PRELOAD", kept, 1);
	free(kept);
}

/*
 * A program that uses OpenCL starts compilers and linkers, which shall not load us; a shell or an
 * interpreter without it starts the programs that do.
 */
__attribute__((constructor)) static void enter(void)
{
	const char *via = getenv("TACHO_VIA");
	int error = errno;
	Dl_info info;

	if (via && !strcmp(via, "preload") && dladdr(&preload, &info)) {
		atomic_store(&preload.entered, true);
		if (dlsym(RTLD_NEXT, "clGetPlatformIDs"))
			leave_environment(info.dli_fname);
	}
	errno = error;
}
