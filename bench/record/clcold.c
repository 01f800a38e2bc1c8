/* SPDX-License-Identifier: MIT */
/*
 * What a cheap call takes when other work lies between two of them: clGetPlatformInfo() after every
 * byte of MB megabytes was written. Prints the median and the quartiles of N calls in ns, with one
 * reading of the clock in each.
 *
 *	clcold MB N
 */
#include <dlfcn.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { PLATFORM_NAME = 0x0902, LINE = 64 };

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static int compare(const void *left, const void *right)
{
	const uint64_t *a = left, *b = right;

	return (*a > *b) - (*a < *b);
}

int main(int argc, char **argv)
{
	size_t bytes = argc == 3 ? strtoul(argv[1], NULL, 10) << 20 : 0;
	size_t count = argc == 3 ? strtoul(argv[2], NULL, 10) : 0;
	volatile unsigned char *memory = calloc(bytes + 1, 1);
	uint64_t *times = calloc(count + 1, sizeof(*times));
	void *library = dlopen("libOpenCL.so.1", RTLD_NOW), *platform;
	int32_t (*get_platforms)(uint32_t, void **, uint32_t *);
	int32_t (*get_info)(void *, uint32_t, size_t, void *, size_t *);
	char name[256];

	if (!count || !memory || !times || !library)
		return 2;
	*(void **)&get_platforms = dlsym(library, "clGetPlatformIDs");
	*(void **)&get_info = dlsym(library, "clGetPlatformInfo");
	if (!get_platforms || !get_info || get_platforms(1, &platform, NULL))
		return 1;
	for (size_t i = 0; i < count; i++) {
		uint64_t start_ns;

		for (size_t at = 0; at < bytes; at += LINE)
			memory[at]++;
		start_ns = now_ns();
		get_info(platform, PLATFORM_NAME, sizeof(name), name, NULL);
		times[i] = now_ns() - start_ns;
	}
	qsort(times, count, sizeof(*times), compare);
	printf("median %" PRIu64 " (%" PRIu64 " to %" PRIu64 ")\n", times[count / 2],
	       times[count / 4], times[count * 3 / 4]);
	return 0;
}
