/* SPDX-License-Identifier: MIT */
/*
 * The least that a tool can do to get the times of kernels and copies out of libcupti: what
 * tools/gpu-check.sh compares tacho's overhead with. NVIDIA's driver loads it
 * (CUDA_INJECTION64_PATH).
 */
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

enum { COPY = 1, KERNEL = 10, BUFFER_BYTES = 1 << 20 }; /* kinds of records */

typedef void request_fn(uint8_t **buffer, size_t *size, size_t *max_records);
typedef void complete_fn(void *context, uint32_t stream, uint8_t *buffer, size_t size,
			 size_t valid_size);

static int (*flush_all)(uint32_t flag);

static void request(uint8_t **buffer, size_t *size, size_t *max_records)
{
	*buffer = aligned_alloc(8, BUFFER_BYTES);
	*size = *buffer ? BUFFER_BYTES : 0;
	*max_records = 0;
}

static void complete(void *context, uint32_t stream, uint8_t *buffer, size_t size,
		     size_t valid_size)
{
	(void)context;
	(void)stream;
	(void)size;
	(void)valid_size;
	free(buffer);
}

static void finish(void)
{
	flush_all(1);
}

static void *open_cupti(void)
{
	const char *names[] = {getenv("GPU_CHECK_CUPTI"),
			       "libcupti.so.13",
			       "libcupti.so.12",
			       "libcupti.so",
			       "/usr/local/cuda/lib64/libcupti.so",
			       "/usr/local/cuda/extras/CUPTI/lib64/libcupti.so"};
	void *library = NULL;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]) && !library; i++)
		library = names[i] ? dlopen(names[i], RTLD_NOW) : NULL;
	return library;
}

__attribute__((visibility("default"))) int InitializeInjection(void);

int InitializeInjection(void)
{
	int (*register_callbacks)(request_fn *, complete_fn *);
	int (*enable)(int kind);
	void *library = open_cupti();

	if (!library)
		return 1;
	*(void **)&register_callbacks = dlsym(library, "cuptiActivityRegisterCallbacks");
	*(void **)&enable = dlsym(library, "cuptiActivityEnable");
	*(void **)&flush_all = dlsym(library, "cuptiActivityFlushAll");
	if (!register_callbacks || !enable || !flush_all || register_callbacks(request, complete))
		return 1;
	enable(KERNEL);
	enable(COPY);
	atexit(finish);
	return 1;
}
