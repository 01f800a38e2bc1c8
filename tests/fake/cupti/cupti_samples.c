/* SPDX-License-Identifier: MIT */
/*
 * libcupti's profiler of samples as a fake, of the chip GF100: whatever the GPU does, sample n
 * (from 0) has (n + 1) * (k + 1) of the k-th counter of unit a, and the same of unit b. Five
 * samples come with the first decoding, and one after each that found none, until sampling stops.
 *
 * As strict as the library: orders, sizes, one pass, one sampler for a device.
 *
 * Words of FAKE_CUPTI that are its:
 *   s_CALL=N     the call fails with status N: s_availability, s_enable, s_config ...
 *   no_samples   the GPU cannot be sampled
 *   s_overflow   the buffer is full after three samples: four are missing, and decoding says so
 *   s_huge       sizes are what cannot be
 *   s_own_clock  times are of a clock that nobody else has
 */
#include <math.h>
#include <stdbool.h>
#include <time.h>

#include "../cuda/fake_cuda.h"
#include "cupti_fake.h"

#define EXPORT __attribute__((visibility("default")))

enum { INVALID_PARAMETER = 1, INVALID_OPERATION = 7, NOT_SUPPORTED = 27, UNKNOWN = 999 };
enum { FIRST_SAMPLES = 5, SAMPLES_MAX = 1 << 16, DATA_MAGIC = 0x504d4153, DEVICES = 64 };
enum { DECODE_MORE = 0, DECODE_FULL = 1, DECODE_END = 2 };

/* An image: numbers of samples. */
struct data {
	uint32_t magic, max, count;
	uint32_t collected; /* bits of counters */
	uint64_t interval, origin;
	uint64_t numbers[];
};

struct sampler {
	uint32_t magic;
	size_t device;
	const struct image *config; /* read until the sampler is disabled, as the library does */
	uint64_t interval;
	bool is_set, is_started, has_jumped;
	uint64_t origin;  /* when sample 0 began; 0: not asked for yet */
	uint64_t next;	  /* sample that comes next */
	uint64_t waiting; /* that can be decoded */
};

static struct sampler *enabled[DEVICES];

static int fails(const char *call)
{
	const char *words = getenv("FAKE_CUPTI"), *at = words ? strstr(words, call) : NULL;

	return at && at[strlen(call)] == '=' ? atoi(at + strlen(call) + 1) : 0;
}

static bool is_sampler(const struct sampler *sampler)
{
	return sampler && sampler->magic == 0x6c706d73;
}

static bool has_device(size_t device)
{
	const struct fake_cuda_hooks *hooks = fake_cuda_find();

	return hooks && hooks->is_initialized() && device < hooks->get_word("devices", 1);
}

struct availability {
	size_t size;
	void *priv;
	size_t device, bytes;
	uint8_t *image;
};

EXPORT int cuptiPmSamplingGetCounterAvailability(struct availability *params)
{
	const struct available all = {"AVAI", 0xffff};

	if (params->size != 40 || !has_device(params->device))
		return INVALID_PARAMETER;
	if (fails("s_availability"))
		return fails("s_availability");
	if (params->image && params->bytes < sizeof(all))
		return INVALID_PARAMETER;
	params->bytes = fake_is("s_huge") ? (size_t)1 << 40 : sizeof(all);
	if (params->image)
		memcpy(params->image, &all, sizeof(all));
	return 0;
}

struct enable {
	size_t size;
	void *priv;
	size_t device;
	struct sampler *sampler;
};

EXPORT int cuptiPmSamplingEnable(struct enable *params)
{
	if (params->size != 32 || params->device >= DEVICES || !has_device(params->device))
		return INVALID_PARAMETER;
	if (fails("s_enable"))
		return fails("s_enable");
	if (enabled[params->device])
		return INVALID_OPERATION;
	params->sampler = calloc(1, sizeof(*params->sampler));
	params->sampler->magic = 0x6c706d73;
	params->sampler->device = params->device;
	enabled[params->device] = params->sampler;
	return 0;
}

struct only {
	size_t size;
	void *priv;
	struct sampler *sampler;
};

EXPORT int cuptiPmSamplingDisable(struct only *params)
{
	if (params->size != 24 || !is_sampler(params->sampler) || params->sampler->is_started)
		return INVALID_PARAMETER;
	enabled[params->sampler->device] = NULL;
	params->sampler->magic = 0;
	free(params->sampler);
	return 0;
}

struct config {
	size_t size;
	void *priv;
	struct sampler *sampler;
	size_t bytes;
	const struct image *image;
	size_t buffer;
	uint64_t interval;
	int trigger, append;
};

EXPORT int cuptiPmSamplingSetConfig(struct config *params)
{
	if (params->size != 64 || !is_sampler(params->sampler) ||
	    params->bytes != sizeof(struct image) || memcmp(params->image->magic, "FAKE", 4) != 0 ||
	    !params->buffer || !params->interval || params->trigger != 1 || params->append != 0)
		return INVALID_PARAMETER;
	if (fails("s_config"))
		return fails("s_config");
	if (params->image->pass_count != 1)
		return NOT_SUPPORTED;
	params->sampler->config = params->image;
	params->sampler->interval = params->interval;
	params->sampler->is_set = true;
	return 0;
}

struct data_size {
	size_t size;
	void *priv;
	struct sampler *sampler;
	const char *const *names;
	size_t count;
	uint32_t max;
	size_t bytes;
};

EXPORT int cuptiPmSamplingGetCounterDataSize(struct data_size *params)
{
	uint32_t needs;

	if (params->size != 56 || !is_sampler(params->sampler) || !params->count || !params->max ||
	    params->max > SAMPLES_MAX)
		return INVALID_PARAMETER;
	for (size_t i = 0; i < params->count; i++)
		if (fake_find(params->names[i], 1, &needs) < 0)
			return INVALID_PARAMETER;
	params->bytes = sizeof(struct data) + params->max * sizeof(uint64_t);
	return 0;
}

struct make {
	size_t size;
	void *priv;
	struct sampler *sampler;
	size_t bytes;
	struct data *data;
};

EXPORT int cuptiPmSamplingCounterDataImageInitialize(struct make *params)
{
	if (params->size != 40 || !is_sampler(params->sampler) || !params->sampler->is_set ||
	    params->bytes <= sizeof(struct data))
		return INVALID_PARAMETER;
	memset(params->data, 0, params->bytes);
	params->data->magic = DATA_MAGIC;
	params->data->max = (uint32_t)((params->bytes - sizeof(struct data)) / sizeof(uint64_t));
	params->data->interval = params->sampler->interval;
	params->data->collected = params->sampler->config->passes[0];
	return 0;
}

EXPORT int cuptiPmSamplingStart(struct only *params)
{
	if (params->size != 24 || !is_sampler(params->sampler))
		return INVALID_PARAMETER;
	if (fails("s_start"))
		return fails("s_start");
	if (!params->sampler->is_set || params->sampler->is_started)
		return INVALID_OPERATION;
	params->sampler->is_started = true;
	params->sampler->waiting = FIRST_SAMPLES;
	return 0;
}

EXPORT int cuptiPmSamplingStop(struct only *params)
{
	if (params->size != 24 || !is_sampler(params->sampler))
		return INVALID_PARAMETER;
	if (!params->sampler->is_started)
		return INVALID_OPERATION;
	params->sampler->is_started = false;
	return fails("s_stop");
}

struct decode {
	size_t size;
	void *priv;
	struct sampler *sampler;
	struct data *data;
	size_t bytes;
	int reason;
	uint8_t overflow;
};

/* On a clock of the CPU's: the first samples have just ended. Or on one of the GPU's own. */
static uint64_t find_origin(const struct sampler *sampler)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	if (fake_is("s_own_clock"))
		return 1000000000000;
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec -
	       FIRST_SAMPLES * sampler->interval;
}

EXPORT int cuptiPmSamplingDecodeData(struct decode *params)
{
	struct sampler *sampler = params->sampler;
	struct data *data = params->data;
	bool found = sampler->waiting;

	if (params->size != 45 || !is_sampler(sampler) || data->magic != DATA_MAGIC)
		return INVALID_PARAMETER;
	if (fails("s_decode"))
		return fails("s_decode");
	if (!sampler->origin)
		sampler->origin = find_origin(sampler);
	data->origin = sampler->origin;
	for (; sampler->waiting && data->count < data->max; sampler->waiting--) {
		if (fake_is("s_overflow") && sampler->next == 3 && !sampler->has_jumped) {
			sampler->has_jumped = true;
			sampler->next += 4;
			params->overflow = 1;
			params->reason = DECODE_MORE;
			return 0;
		}
		data->numbers[data->count++] = sampler->next++;
	}
	params->reason = data->count == data->max ? DECODE_FULL : DECODE_END;
	sampler->waiting = sampler->is_started && !found ? 1 : 0;
	return 0;
}

struct count {
	size_t size;
	void *priv;
	const struct data *data;
	size_t bytes;
	size_t total, populated, completed;
};

EXPORT int cuptiPmSamplingGetCounterDataInfo(struct count *params)
{
	if (params->size != 56 || params->data->magic != DATA_MAGIC)
		return INVALID_PARAMETER;
	params->total = params->data->max;
	params->populated = params->completed =
		fake_is("s_huge") ? (size_t)1 << 40 : params->data->count;
	return fails("s_count");
}

struct sample {
	size_t size;
	void *priv;
	struct sampler *sampler;
	const struct data *data;
	size_t bytes, index;
	uint64_t start, end;
};

EXPORT int cuptiPmSamplingCounterDataGetSampleInfo(struct sample *params)
{
	if (params->size != 64 || !is_sampler(params->sampler) ||
	    params->data->magic != DATA_MAGIC || params->index >= params->data->count)
		return INVALID_PARAMETER;
	params->start = params->data->origin +
			params->data->numbers[params->index] * params->data->interval;
	params->end = params->start + params->data->interval;
	return fails("s_sample");
}

int fake_samples_evaluate(const void *image, size_t index, const char *const *names, size_t count,
			  double *values)
{
	const struct data *data = image;
	uint32_t needs;

	if (data->magic != DATA_MAGIC || index >= data->count)
		return INVALID_PARAMETER;
	for (size_t i = 0; i < count; i++) {
		if (fake_find(names[i], 1, &needs) < 0)
			return INVALID_PARAMETER;
		values[i] = (data->collected & needs) == needs && needs ? 0 : NAN;
		for (int k = 0; k < COUNTERS; k++)
			if (needs & 1u << k)
				values[i] += (double)(data->numbers[index] + 1) *
					     (k < COUNTERS_A ? k + 1 : k - COUNTERS_A + 1);
	}
	return 0;
}
