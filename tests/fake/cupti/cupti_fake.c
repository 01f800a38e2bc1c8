/* SPDX-License-Identifier: MIT */
/*
 * NVIDIA's libcupti as a fake, in version 13.0: the calls that need no GPU. Each refuses a struct
 * whose size is not exactly its own with INVALID_PARAMETER, as the library does. FAKE_CUPTI says
 * what is otherwise: "newer" takes the larger struct of 13.3; the other words answer what cannot
 * be.
 */
#include <dlfcn.h>

#include "cupti_fake.h"

#define EXPORT __attribute__((visibility("default")))

enum {
	INVALID_PARAMETER = 1,
	NOT_INITIALIZED = 15,
	INVALID_METRIC = 17,
	NOT_SUPPORTED = 27,
	INVALID_CHIP = 46
};

struct host {
	uint32_t magic;
	struct image image;
	uint32_t used_a, used_b;
	uint32_t available;
};

static int is_initialized(void)
{
	/* the library opens its other half by the bare name */
	void *other = dlopen("libnvperf_host.so", RTLD_LAZY | RTLD_NOLOAD);

	if (other)
		dlclose(other);
	return other != NULL;
}

static int is_host(const struct host *host)
{
	return host && host->magic == 0x70757463;
}

EXPORT int cuptiGetVersion(uint32_t *version)
{
	*version = fake_is("newer") ? 130300 : 130001;
	return 0;
}

struct chips {
	size_t size;
	void *priv;
	size_t count;
	const char *const *names;
};

EXPORT int cuptiProfilerHostGetSupportedChips(struct chips *params)
{
	static const char *const names[] = {"GF100", "GX101"};

	if (params->size != 32)
		return INVALID_PARAMETER;
	if (!is_initialized())
		return NOT_INITIALIZED;
	params->count = fake_is("many_chips") ? (size_t)1 << 40 : 2;
	params->names = names;
	return 0;
}

struct initialize {
	size_t size;
	void *priv;
	int type;
	const char *chip;
	const uint8_t *availability;
	struct host *host;
	const char *set;
};

EXPORT int cuptiProfilerHostInitialize(struct initialize *params)
{
	if (params->size != (fake_is("newer") ? 56 : 48) || !params->chip ||
	    (params->type != 0 && params->type != 1))
		return INVALID_PARAMETER;
	if (!is_initialized())
		return NOT_INITIALIZED;
	if (!strcmp(params->chip, "GX101"))
		return NOT_SUPPORTED;
	if (strcmp(params->chip, "GF100") != 0)
		return INVALID_CHIP;
	params->host = calloc(1, sizeof(*params->host));
	params->host->magic = 0x70757463;
	memcpy(params->host->image.magic, "FAKE", 4);
	params->host->available = UINT32_MAX;
	if (params->availability)
		memcpy(&params->host->available,
		       params->availability + offsetof(struct available, counters),
		       sizeof(params->host->available));
	return 0;
}

struct deinitialize {
	size_t size;
	void *priv;
	struct host *host;
};

EXPORT int cuptiProfilerHostDeinitialize(struct deinitialize *params)
{
	if (params->size != 24 || !is_host(params->host))
		return INVALID_PARAMETER;
	params->host->magic = 0;
	free(params->host);
	return 0;
}

struct bases {
	size_t size;
	void *priv;
	struct host *host;
	int type;
	const char *const *names;
	size_t count;
};

EXPORT int cuptiProfilerHostGetBaseMetrics(struct bases *params)
{
	static const char *const ratios[] = {"a__rate"}, *const throughputs[] = {"a__throughput"};
	static const char *counters[COUNTERS + 2];

	if (params->size != 48 || !is_host(params->host) || params->type < 0 || params->type > 2)
		return INVALID_PARAMETER;
	memcpy(counters, fake_counters, sizeof(fake_counters));
	counters[COUNTERS] = "b__limit";
	counters[COUNTERS + 1] = "c__device";
	params->names = params->type == 0 ? counters : params->type == 1 ? ratios : throughputs;
	params->count = params->type == 0 ? COUNTERS + 2 : 1;
	if (fake_is("many_names"))
		params->count = (size_t)1 << 40;
	if (fake_is("no_names"))
		params->names = NULL;
	return 0;
}

struct submetrics {
	size_t size;
	void *priv;
	struct host *host;
	int type;
	const char *name;
	size_t count;
	const char *const *endings;
};

EXPORT int cuptiProfilerHostGetSubMetrics(struct submetrics *params)
{
	const char *const *const endings[] = {fake_counter_endings, fake_ratio_endings,
					      fake_throughput_endings};
	uint32_t needs;

	if (params->size != 56 || !is_host(params->host) || !params->name)
		return INVALID_PARAMETER;
	if (fake_find(params->name, 0, &needs) != params->type)
		return INVALID_METRIC;
	params->endings = endings[params->type];
	for (params->count = 0; params->endings[params->count];)
		params->count++;
	return 0;
}

struct properties {
	size_t size;
	void *priv;
	struct host *host;
	const char *name;
	const char *description, *unit, *dimension;
	int type;
};

EXPORT int cuptiProfilerHostGetMetricProperties(struct properties *params)
{
	static char units[3][2] = {"a", "b", "c"};
	uint32_t needs;

	/* the type is not followed by padding */
	if (params->size != 60 || !is_host(params->host) || !params->name)
		return INVALID_PARAMETER;
	params->type = fake_find(params->name, 0, &needs);
	if (params->type < 0)
		return INVALID_METRIC;
	params->description = fake_is("no_texts") ? NULL : "made up";
	params->unit = units[params->name[0] - 'a'];
	params->dimension = params->type == 2 || strstr(params->name, "pct") ? "percent"
			    : params->type == 0				     ? "byte"
									     : "";
	return 0;
}

struct metrics {
	size_t size;
	void *priv;
	struct host *host;
	const char *const *names;
	size_t count;
};

/* Into the last pass, or a new one. */
static void place(struct host *host, int counter)
{
	struct image *image = &host->image;
	uint32_t *used = counter < COUNTERS_A ? &host->used_a : &host->used_b;
	uint32_t slots = counter < COUNTERS_A ? SLOTS_A : SLOTS_B;

	for (uint32_t i = 0; i < image->pass_count; i++)
		if (image->passes[i] & 1u << counter)
			return;
	if (!image->pass_count || *used == slots) {
		image->pass_count++;
		host->used_a = host->used_b = 0;
	}
	++*used;
	image->passes[image->pass_count - 1] |= 1u << counter;
}

EXPORT int cuptiProfilerHostConfigAddMetrics(struct metrics *params)
{
	int has_device = 0;

	if (params->size != 40 || !is_host(params->host) || !params->names || !params->count)
		return INVALID_PARAMETER;
	for (size_t i = 0; i < params->count; i++) {
		uint32_t needs;

		if (fake_find(params->names[i], 1, &needs) < 0)
			return INVALID_PARAMETER;
		has_device += params->names[i][0] == 'c';
		for (int k = 0; k < COUNTERS; k++)
			if (needs & params->host->available & 1u << k)
				place(params->host, k);
	}
	if (has_device && (size_t)has_device != params->count)
		return NOT_SUPPORTED;
	if (!params->host->image.pass_count)
		params->host->image.pass_count = 1;
	return 0;
}

struct image_size {
	size_t size;
	void *priv;
	struct host *host;
	size_t bytes;
};

EXPORT int cuptiProfilerHostGetConfigImageSize(struct image_size *params)
{
	if (params->size != 32 || !is_host(params->host))
		return INVALID_PARAMETER;
	params->bytes = fake_is("huge_image") ? (size_t)1 << 40 : sizeof(struct image);
	return 0;
}

struct get_image {
	size_t size;
	void *priv;
	struct host *host;
	size_t bytes;
	uint8_t *image;
};

EXPORT int cuptiProfilerHostGetConfigImage(struct get_image *params)
{
	if (params->size != 40 || !is_host(params->host) || params->bytes != sizeof(struct image))
		return INVALID_PARAMETER;
	memcpy(params->image, &params->host->image, sizeof(struct image));
	return 0;
}

struct passes {
	size_t size;
	void *priv;
	size_t bytes;
	const uint8_t *image;
	size_t count;
};

EXPORT int cuptiProfilerHostGetNumOfPasses(struct passes *params)
{
	struct image image;

	if (params->size != 40 || params->bytes != sizeof(image))
		return INVALID_PARAMETER;
	memcpy(&image, params->image, sizeof(image));
	if (memcmp(image.magic, "FAKE", 4) != 0)
		return INVALID_PARAMETER;
	params->count = fake_is("many_passes") ? (size_t)1 << 40
			: fake_is("no_passes") ? 0
					       : image.pass_count;
	return 0;
}
