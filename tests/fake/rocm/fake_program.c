/* SPDX-License-Identifier: MIT */
/*
 * A "HIP program" over the fake: fake_program LAUNCHES THREADS. Each thread copies 4096 bytes to
 * the device, launches kernels `add` and `scale(float*, int)` in turns and copies 1024 bytes back.
 * Prints what the fake did, one line a dispatch, and how often the library was misused.
 */
#include <rocprofiler-sdk/rocprofiler.h>

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fake.h"

enum {
	HIP = ROCPROFILER_BUFFER_TRACING_HIP_RUNTIME_API,
	MALLOC = 0,
	LAUNCH = 2,
	COPY = 3,
	SYNC = 411
};

static int launches;
static pthread_mutex_t printing = PTHREAD_MUTEX_INITIALIZER;

static void copy(uint32_t operation, uint64_t bytes)
{
	struct fake_call call;

	fake_call_begin(&call, HIP, COPY);
	fake_copy(operation, bytes);
	fake_call_end(&call);
}

static void launch(uint64_t queue, int number)
{
	struct fake_dispatch dispatch = {.kernel = 1 + (uint64_t)number % 2,
					 .queue = queue,
					 .grid = {1024, 4, 1},
					 .workgroup = {256, 1, 1},
					 .duration_ns = 20000};
	struct fake_call call;

	fake_call_begin(&call, HIP, LAUNCH);
	fake_dispatch(&dispatch);
	fake_call_end(&call);
	pthread_mutex_lock(&printing);
	printf("dispatch %" PRIu64 " kernel %" PRIu64 " queue %" PRIu64 " ns %" PRIu64 " tid %d\n",
	       dispatch.id, dispatch.kernel, queue, dispatch.end_ns - dispatch.start_ns,
	       (int)gettid());
	pthread_mutex_unlock(&printing);
}

static void *work(void *user)
{
	struct fake_call call;

	fake_call_begin(&call, HIP, MALLOC);
	fake_call_end(&call);
	copy(2, 4096);
	for (int i = 0; i < launches; i++)
		launch(1 + (uint64_t)(uintptr_t)user, i);
	copy(3, 1024);
	fake_call_begin(&call, HIP, SYNC);
	fake_call_end(&call);
	return NULL;
}

int main(int argc, char **argv)
{
	static const char *const kernels[] = {"add", "_Z5scalePfi"};
	pthread_t threads[64];
	int count = argc > 2 ? atoi(argv[2]) : 1;
	uint32_t misuses;

	launches = argc > 1 ? atoi(argv[1]) : 1;
	fake_start();
	fake_load(kernels, 2);
	if (count == 1)
		work(NULL);
	for (int i = 0; count > 1 && i < count && i < 64; i++)
		pthread_create(&threads[i], NULL, work, (void *)(uintptr_t)i);
	for (int i = 0; count > 1 && i < count && i < 64; i++)
		pthread_join(threads[i], NULL);
	misuses = fake_finish();
	printf("misuses %" PRIu32 "\n", misuses);
	return misuses ? 99 : 0;
}
