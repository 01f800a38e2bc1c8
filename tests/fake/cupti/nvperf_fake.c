/* SPDX-License-Identifier: MIT */
/* NVIDIA's libnvperf_host as a fake: what passes collect, and what metrics need. */
#include "cupti_fake.h"

#define EXPORT __attribute__((visibility("default")))

enum { ERROR = 1, INVALID_ARGUMENT = 8, SCRATCH = 4096 };

static int initialized;

struct head {
	size_t size;
	void *priv;
};

EXPORT int NVPW_InitializeHost(struct head *params)
{
	if (params->size != 16)
		return INVALID_ARGUMENT;
	initialized = 1;
	return fake_is("mute") ? ERROR : 0;
}

/* What a counter is called here. 0 is in every first pass. */
static const char *get_id(int counter)
{
	static char ids[COUNTERS][19];

	snprintf(ids[counter], sizeof(ids[counter]), "0x%016x", counter + 0x100);
	return ids[counter];
}

struct get_counters {
	size_t size;
	void *priv;
	const uint8_t *image;
	size_t bytes;
	size_t pass;
	const char **names;
	size_t count;
};

EXPORT int NVPW_Config_GetRawCounters(struct get_counters *params)
{
	struct image image;
	const char *ids[COUNTERS + 1];
	size_t count = 0;

	if (!initialized || params->size != 56 || params->bytes != sizeof(image))
		return INVALID_ARGUMENT;
	memcpy(&image, params->image, sizeof(image));
	if (params->pass >= image.pass_count)
		return INVALID_ARGUMENT;
	if (!params->pass)
		ids[count++] = "0x0000000000000000";
	for (int i = 0; i < COUNTERS; i++)
		if (image.passes[params->pass] & 1u << i)
			ids[count++] = get_id(i);
	if (!params->names) {
		params->count = fake_is("many_counters") ? (size_t)1 << 40 : count;
		return 0;
	}
	if (params->count < count)
		return ERROR;
	memcpy(params->names, ids, count * sizeof(*ids));
	params->count = fake_is("more_counters") ? params->count + 1000 : count;
	return 0;
}

struct scratch {
	size_t size;
	void *priv;
	const char *chip;
	const uint8_t *availability;
	size_t bytes;
};

EXPORT int NVPW_CUDA_MetricsEvaluator_CalculateScratchBufferSize(struct scratch *params)
{
	if (params->size != 40 || !params->chip)
		return INVALID_ARGUMENT;
	params->bytes = fake_is("huge_scratch") ? (size_t)1 << 40 : SCRATCH;
	return 0;
}

struct evaluator {
	size_t size;
	void *priv;
	uint8_t *scratch;
	size_t scratch_size;
	const char *chip;
	const uint8_t *availability, *data;
	size_t data_size;
	void *evaluator;
};

EXPORT int NVPW_CUDA_MetricsEvaluator_Initialize(struct evaluator *params)
{
	if (params->size != 72 || !params->chip || !params->scratch ||
	    params->scratch_size < SCRATCH || params->data)
		return INVALID_ARGUMENT;
	memset(params->scratch, 0x5a, SCRATCH);
	params->evaluator = params->scratch;
	return 0;
}

struct destroy {
	size_t size;
	void *priv;
	uint8_t *evaluator;
};

EXPORT int NVPW_MetricsEvaluator_Destroy(struct destroy *params)
{
	return params->size != 24 || params->evaluator[SCRATCH - 1] != 0x5a ? INVALID_ARGUMENT : 0;
}

struct request {
	size_t metric;
	uint8_t type, rollup;
	uint16_t submetric;
};

struct convert {
	size_t size;
	void *priv;
	uint8_t *evaluator;
	const char *name;
	struct request *request;
	size_t request_size;
};

/* The request has the metric's counters in the place of its number. */
EXPORT int NVPW_MetricsEvaluator_ConvertMetricNameToMetricEvalRequest(struct convert *params)
{
	uint32_t needs;
	int type;

	if (params->size != 48 || params->request_size != 12 || *params->evaluator != 0x5a)
		return INVALID_ARGUMENT;
	type = fake_find(params->name, 1, &needs);
	if (type < 0)
		return INVALID_ARGUMENT;
	*params->request = (struct request){.metric = needs, .type = (uint8_t)type};
	return 0;
}

struct dependencies {
	size_t size;
	void *priv;
	uint8_t *evaluator;
	const struct request *requests;
	size_t count;
	size_t request_size, request_stride;
	const char **names;
	size_t name_count;
	const char **optional;
	size_t optional_count;
};

EXPORT int NVPW_MetricsEvaluator_GetMetricRawDependencies(struct dependencies *params)
{
	size_t count = 0;

	if (params->size != 88 || params->count != 1 || params->request_size != 12 ||
	    params->request_stride != sizeof(struct request) || *params->evaluator != 0x5a)
		return INVALID_ARGUMENT;
	for (int i = 0; i < COUNTERS; i++) {
		if (!(params->requests->metric & 1u << i))
			continue;
		if (params->names && count == params->name_count)
			return ERROR;
		if (params->names)
			params->names[count] = get_id(i);
		count++;
	}
	params->name_count = count;
	params->optional_count = 0;
	return 0;
}
