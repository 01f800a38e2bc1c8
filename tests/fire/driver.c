/* SPDX-License-Identifier: MIT */
/*
 * An OpenCL program that is hard on the loader and the driver. Prints what it did, in the end.
 *
 *	driver reload TIMES	loads the loader, asks for platforms, unloads it
 *	driver queues COUNT	that many queues at once, a marker in each
 *
 * Needs no OpenCL headers.
 */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *library;

static void *load(const char *name)
{
	void *symbol;

	if (!library)
		library = dlopen("libOpenCL.so.1", RTLD_NOW);
	symbol = library ? dlsym(library, name) : NULL;
	if (!symbol) {
		fprintf(stderr, "driver: %s\n", dlerror());
		exit(1);
	}
	return symbol;
}

static void reload(unsigned long times)
{
	uint32_t count = 0, sum = 0;

	for (unsigned long i = 0; i < times; i++) {
		int32_t (*get_platforms)(uint32_t, void **, uint32_t *) = load("clGetPlatformIDs");

		if (!get_platforms(0, NULL, &count))
			sum += count;
		dlclose(library);
		library = NULL;
	}
	printf("platforms %lu times, %u in all\n", times, sum);
}

static void *find_device(void)
{
	int32_t (*get_platforms)(uint32_t, void **, uint32_t *) = load("clGetPlatformIDs");
	int32_t (*get_devices)(void *, uint64_t, uint32_t, void **, uint32_t *) =
		load("clGetDeviceIDs");
	void *platforms[8], *device = NULL;
	uint32_t count = 0;

	get_platforms(8, platforms, &count);
	for (uint32_t i = 0; i < count && i < 8 && !device; i++)
		get_devices(platforms[i], 0xffffffff, 1, &device, NULL);
	return device;
}

static void make_queues(unsigned long count)
{
	void *(*create_context)(const intptr_t *, uint32_t, void *const *, void *, void *,
				int32_t *) = load("clCreateContext");
	void *(*create_queue)(void *, void *, uint64_t, int32_t *) = load("clCreateCommandQueue");
	int32_t (*marker)(void *, uint32_t, void *const *, void **) =
		load("clEnqueueMarkerWithWaitList");
	int32_t (*finish)(void *) = load("clFinish");
	int32_t (*release)(void *) = load("clReleaseCommandQueue");
	void *device = find_device(), **queues = calloc(count, sizeof(*queues));
	int32_t status = 0, failed = 0;
	void *context = create_context(NULL, 1, &device, NULL, NULL, &status);

	for (unsigned long i = 0; queues && i < count; i++) {
		queues[i] = create_queue(context, device, 0, &status);
		failed += status || marker(queues[i], 0, NULL, NULL);
	}
	for (unsigned long i = 0; queues && i < count; i++)
		failed += finish(queues[i]) || release(queues[i]);
	free(queues);
	printf("%lu queues, %d failures\n", count, failed);
}

int main(int argc, char **argv)
{
	unsigned long count = argc == 3 ? strtoul(argv[2], NULL, 10) : 0;

	if (count && !strcmp(argv[1], "reload")) {
		reload(count);
	} else if (count && !strcmp(argv[1], "queues")) {
		make_queues(count);
	} else {
		fprintf(stderr, "usage: driver reload|queues COUNT\n");
		return 2;
	}
	return 0;
}
