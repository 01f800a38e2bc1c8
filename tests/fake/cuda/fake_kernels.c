/* SPDX-License-Identifier: MIT */
/* What kernels do, by the word of their module's text. */
#include <time.h>

#include "fake_driver.h"

#define ARGUMENT(run, type, i) (*(const type *)(run)->arguments[i])
#define MEMORY(run, type, i)   ((type *)(uintptr_t)ARGUMENT(run, CUdeviceptr, i))

static uint64_t threads_of(const struct fake_cuda_run *run)
{
	uint64_t threads = 1;

	for (int i = 0; i < 3; i++)
		threads *= (uint64_t)run->grid[i] * run->block[i];
	return threads;
}

/* As many items as there are threads, and no more than there are. */
static uint64_t items_of(const struct fake_cuda_run *run, int argument)
{
	uint64_t count = ARGUMENT(run, uint32_t, argument);

	return count < threads_of(run) ? count : threads_of(run);
}

/* scale(float *x, float by, unsigned count) */
static void scale(const struct fake_cuda_run *run)
{
	float *x = MEMORY(run, float, 0), by = ARGUMENT(run, float, 1);

	for (uint64_t i = 0; i < items_of(run, 2); i++)
		x[i] *= by;
}

/* add(const float *a, const float *b, float *c, unsigned count) */
static void add(const struct fake_cuda_run *run)
{
	const float *a = MEMORY(run, float, 0), *b = MEMORY(run, float, 1);
	float *c = MEMORY(run, float, 2);

	for (uint64_t i = 0; i < items_of(run, 3); i++)
		c[i] = a[i] + b[i];
}

/* busy(unsigned long long ns): takes so long. */
static void busy(const struct fake_cuda_run *run)
{
	uint64_t ns = ARGUMENT(run, uint64_t, 0);
	struct timespec time = {.tv_sec = (time_t)(ns / 1000000000),
				.tv_nsec = (long)(ns % 1000000000)};

	nanosleep(&time, NULL);
}

/* count(unsigned *counter): adds the number of threads, so that each run shows. */
static void count(const struct fake_cuda_run *run)
{
	__atomic_fetch_add(MEMORY(run, uint32_t, 0), (uint32_t)threads_of(run), __ATOMIC_SEQ_CST);
}

/* await(unsigned *flag): ends when another kernel has raised the flag. */
static void await(const struct fake_cuda_run *run)
{
	const struct timespec pause = {.tv_nsec = 100000};

	while (!__atomic_load_n(MEMORY(run, uint32_t, 0), __ATOMIC_SEQ_CST) && !run->is_ended())
		nanosleep(&pause, NULL);
}

/* raise(unsigned *flag) */
static void raise_flag(const struct fake_cuda_run *run)
{
	__atomic_store_n(MEMORY(run, uint32_t, 0), 1, __ATOMIC_SEQ_CST);
}

/* copy(const unsigned *from, unsigned *to, unsigned count) */
static void copy(const struct fake_cuda_run *run)
{
	memcpy(MEMORY(run, uint32_t, 1), MEMORY(run, uint32_t, 0),
	       items_of(run, 2) * sizeof(uint32_t));
}

/* multiply(const float *a, const float *b, float *c, unsigned side): square matrices */
static void multiply(const struct fake_cuda_run *run)
{
	const float *a = MEMORY(run, float, 0), *b = MEMORY(run, float, 1);
	uint32_t side = ARGUMENT(run, uint32_t, 3);
	float *c = MEMORY(run, float, 2);

	for (size_t i = 0; i < (size_t)side * side; i++) {
		c[i] = 0;
		for (size_t k = 0; k < side; k++)
			c[i] += a[i / side * side + k] * b[k * side + i % side];
	}
}

/* nothing() */
static void nothing(const struct fake_cuda_run *run)
{
	(void)run;
}

void (*fake_kernel_find(const char *name))(const struct fake_cuda_run *)
{
	static const struct {
		const char *name;
		void (*run)(const struct fake_cuda_run *run);
	} kernels[] = {
		{"copy", copy},	  {"multiply", multiply}, {"scale", scale},
		{"add", add},	  {"busy", busy},	  {"count", count},
		{"await", await}, {"raise", raise_flag},  {"nothing", nothing},
	};

	for (size_t i = 0; i < sizeof(kernels) / sizeof(kernels[0]); i++)
		if (!strcmp(kernels[i].name, name))
			return kernels[i].run;
	return NULL;
}
