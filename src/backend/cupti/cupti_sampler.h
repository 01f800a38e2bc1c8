/* SPDX-License-Identifier: MIT */
/*
 * The library's sampler of one GPU: the hardware writes what counters have at the end of each
 * interval into a buffer, the library decodes what is there into an image, and values are worked
 * out of that.
 */
#ifndef TACHO_BACKEND_CUPTI_CUPTI_SAMPLER_H
#define TACHO_BACKEND_CUPTI_CUPTI_SAMPLER_H

#include "backend/cupti/cupti_gpu.h"
#include "backend/cupti/cupti_host.h"

struct tacho__cupti_sampler {
	const struct tacho__cupti_device *device;
	size_t number; /* of the GPU, as CUDA has it here */
	void *host;
	uint8_t *availability;
	struct tacho__arena arena;
	const char **names; /* whole, in the order of the plan's counters */
	size_t count;
	struct tacho__cupti_config config; /* read by the library until the sampler is closed */
	void *object;			   /* NULL: it is not enabled */
	uint8_t *data;
	size_t data_size;
	size_t done; /* samples of the image that were read */
	double *values;
};

/* A sample; values in the order of the plan's counters, none where the library has none. */
struct tacho__cupti_sample_values {
	uint64_t start_ns, end_ns; /* of a clock of the library's */
	const double *values;
};

/*
 * Prepares: what can be found out before the GPU samples. NODEVICE, PERM, BUSY, VERSION,
 * UNSUPPORTED; PASSES: the GPU cannot sample all of it at once.
 */
int tacho__cupti_sampler_open(const struct tacho__cupti_device *device,
			      const struct tacho_plan *plan,
			      struct tacho__cupti_sampler *out_sampler);
void tacho__cupti_sampler_close(struct tacho__cupti_sampler *sampler);

/* Samples every interval, until it is stopped. */
int tacho__cupti_sampler_start(struct tacho__cupti_sampler *sampler, uint64_t interval_ns);
/* The GPU samples no more; what is there can be decoded still. */
int tacho__cupti_sampler_stop(struct tacho__cupti_sampler *sampler);
/* Sampling has stopped, and what was not decoded is gone. */
void tacho__cupti_sampler_disable(struct tacho__cupti_sampler *sampler);

/*
 * Decodes what there is and hands each new sample to `fn`. *out_overflow: the buffer was full, and
 * samples are missing.
 */
int tacho__cupti_sampler_read(struct tacho__cupti_sampler *sampler,
			      int (*fn)(void *user,
					const struct tacho__cupti_sample_values *sample),
			      void *user, bool *out_overflow);

#endif
