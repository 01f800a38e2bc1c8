/* SPDX-License-Identifier: MIT */
#include "backend/cupti/cupti_sampler.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "backend/cupti/cuda_driver.h"
#include "backend/cupti/cupti_chip.h"
#include "backend/cupti/cupti_status.h"
#include "base/error.h"
#include "plan/plan_order.h"

enum {
	SAMPLES_MAX = 4096,	 /* of an image */
	SAMPLES_FULL = 3072,	 /* it is emptied then */
	BUFFER_BYTES = 64 << 20, /* that the hardware fills: more than enough for a second */
	DATA_MAX = 256 << 20,	 /* bytes of an image */
	AVAILABILITY_MAX = 1 << 20,
	DECODES_MAX = 64, /* of one reading: more come with the next one */
	OUT_OF_MEMORY = 8,
};

static const uint64_t NS_PER_S = 1000000000;

static int fail(const struct tacho__cupti_sampler *sampler, enum tacho__cupti_call call, int status)
{
	return tacho__cupti_fail_status(
		tacho__cupti_call_name(call), status,
		tacho__detail("%s cannot be sampled", sampler->device->gpu.name));
}

/* ---- the GPU ---- */

/* In this process it may have another number than in the one that was asked. */
static int find_number(struct tacho__cupti_sampler *sampler)
{
	const struct tacho__cupti_gpu *gpu = &sampler->device->gpu;
	struct tacho__cuda_driver driver;
	struct tacho__cuda_uuid bytes;
	char uuid[TACHO__CUDA_UUID_MAX];
	int count = 0, device, status, rc = tacho__cuda_driver_load(&driver);

	if (rc)
		return rc;
	status = driver.init(0);
	if (!status)
		status = driver.get_count(&count);
	if (status)
		return tacho__fail_vendor(
			tacho__fail(TACHO_E_NODEVICE,
				    tacho__detail("cuInit says %d, %s", status,
						  tacho__cuda_status_name(status)),
				    tacho__cuda_status_cure(status), "%s cannot be sampled",
				    gpu->name),
			status);
	for (int i = 0; i < count; i++) {
		if (driver.get_device(&device, i) || driver.get_uuid(&bytes, device))
			continue;
		tacho__cuda_format_uuid(&bytes, uuid);
		if (strcasecmp(uuid, gpu->uuid) != 0)
			continue;
		sampler->number = (size_t)i;
		return 0;
	}
	return tacho__fail(TACHO_E_NODEVICE, "CUDA does not show it to this process",
			   "look at CUDA_VISIBLE_DEVICES", "%s cannot be sampled", gpu->name);
}

/* It is the first to say that rights are missing, or that others sample. */
static int get_availability(struct tacho__cupti_sampler *sampler)
{
	struct tacho__cupti_samples_availability params = {.device = sampler->number};
	int status = tacho__cupti_call(TACHO__CUPTI_SAMPLES_GET_AVAILABILITY, &params);

	if (status)
		return fail(sampler, TACHO__CUPTI_SAMPLES_GET_AVAILABILITY, status);
	if (!params.size || params.size > AVAILABILITY_MAX)
		return tacho__fail(TACHO_E_UNSUPPORTED,
				   tacho__detail("%zu bytes say what can be sampled", params.size),
				   "install another version of CUPTI",
				   "NVIDIA's library answers what cannot be");
	sampler->availability = calloc(1, params.size);
	if (!sampler->availability)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for sampling");
	params.bytes = sampler->availability;
	status = tacho__cupti_call(TACHO__CUPTI_SAMPLES_GET_AVAILABILITY, &params);
	return status ? fail(sampler, TACHO__CUPTI_SAMPLES_GET_AVAILABILITY, status) : 0;
}

/* ---- what is sampled ---- */

static int name_all(struct tacho__arena *arena, const struct tacho_entry *const *entries,
		    size_t count, const char ***out_names)
{
	const char **names = tacho__arena_get(arena, (count + 1) * sizeof(*names));

	if (!names)
		return TACHO_E_NOMEM;
	for (size_t i = 0; i < count; i++) {
		names[i] = tacho__cupti_name_whole(arena, entries[i]);
		if (!names[i])
			return TACHO_E_NOMEM;
	}
	*out_names = names;
	return 0;
}

static int copy_names(struct tacho__cupti_sampler *sampler, const struct tacho_plan_pass *pass)
{
	const struct tacho_entry **entries =
		tacho__arena_get(&sampler->arena, (pass->counter_count + 1) * sizeof(*entries));
	int rc;

	if (!entries)
		return TACHO_E_NOMEM;
	for (size_t i = 0; i < pass->counter_count; i++)
		entries[i] = pass->counters[i].entry;
	rc = name_all(&sampler->arena, entries, pass->counter_count, &sampler->names);
	sampler->count = pass->counter_count;
	sampler->values =
		tacho__arena_get(&sampler->arena, (sampler->count + 1) * sizeof(*sampler->values));
	return rc ? rc : sampler->values ? 0 : TACHO_E_NOMEM;
}

/* In the order that was planned: the library makes as many passes of it as then. */
static int configure(struct tacho__cupti_sampler *sampler, const struct tacho_plan *plan)
{
	const struct tacho__plan_order *order = tacho__plan_get_order(plan, TACHO_MODE_DEFAULT);
	const struct tacho__cupti_chip *chip;
	const char **names;
	void *user = NULL;
	int rc;

	if (!order->count || !tacho__arch_get_library(sampler->device->base.traits.arch, &user))
		return tacho__fail(TACHO_E_UNSUPPORTED, "it says no order of the counters",
				   "plan with tacho_device_plan()", "the plan is not NVIDIA's");
	chip = user;
	rc = name_all(&sampler->arena, order->entries, order->count, &names);
	if (!rc)
		rc = tacho__cupti_host_open(TACHO__CUPTI_SAMPLES, chip->name, sampler->availability,
					    &sampler->host);
	if (!rc)
		rc = tacho__cupti_configure(sampler->host, names, order->count, &sampler->config);
	if (!rc && sampler->config.pass_count != 1)
		rc = tacho__fail(TACHO_E_PASSES,
				 tacho__detail("it needs %zu passes on this GPU",
					       sampler->config.pass_count),
				 "name fewer: samples have one pass", "%s cannot sample all of it",
				 sampler->device->gpu.name);
	return rc;
}

static int prepare(struct tacho__cupti_sampler *sampler, const struct tacho_plan *plan)
{
	struct tacho__cupti_head none;
	const struct tacho__cupti *cupti;
	int status, rc = find_number(sampler);

	if (!rc)
		rc = tacho__cupti_load(&cupti);
	if (rc)
		return rc;
	status = tacho__cupti_call(TACHO__CUPTI_INITIALIZE, &none);
	if (status)
		return fail(sampler, TACHO__CUPTI_INITIALIZE, status);
	rc = get_availability(sampler);
	if (!rc)
		rc = copy_names(sampler, tacho_plan_get_pass(plan, 0));
	return rc ? rc : configure(sampler, plan);
}

int tacho__cupti_sampler_open(const struct tacho__cupti_device *device,
			      const struct tacho_plan *plan,
			      struct tacho__cupti_sampler *out_sampler)
{
	struct tacho__cupti_sampler sampler = {.device = device};
	int rc;

	if (tacho_plan_get_pass(plan, 1))
		return tacho__fail(TACHO_E_PASSES, "samples have one pass", "name fewer",
				   "%s cannot sample all of it", device->gpu.name);
	rc = prepare(&sampler, plan);
	if (rc)
		tacho__cupti_sampler_close(&sampler);
	else
		*out_sampler = sampler;
	return rc;
}

void tacho__cupti_sampler_close(struct tacho__cupti_sampler *sampler)
{
	tacho__cupti_sampler_disable(sampler);
	if (sampler->host)
		tacho__cupti_host_close(sampler->host);
	free(sampler->config.bytes);
	free(sampler->availability);
	tacho__arena_finish(&sampler->arena);
	memset(sampler, 0, sizeof(*sampler));
}

/* ---- sampling ---- */

static int call_object(const struct tacho__cupti_sampler *sampler, enum tacho__cupti_call call)
{
	struct tacho__cupti_profiler_only params = {.profiler = sampler->object};
	int status = tacho__cupti_call(call, &params);

	return status ? fail(sampler, call, status) : 0;
}

static int empty_data(struct tacho__cupti_sampler *sampler)
{
	struct tacho__cupti_data params = {
		.profiler = sampler->object, .size = sampler->data_size, .bytes = sampler->data};
	int status = tacho__cupti_call(TACHO__CUPTI_SAMPLES_MAKE_DATA, &params);

	sampler->done = 0;
	return status ? fail(sampler, TACHO__CUPTI_SAMPLES_MAKE_DATA, status) : 0;
}

static int make_data(struct tacho__cupti_sampler *sampler)
{
	struct tacho__cupti_samples_size params = {.sampler = sampler->object,
						   .names = sampler->names,
						   .count = sampler->count,
						   .sample_max = SAMPLES_MAX};
	int status = tacho__cupti_call(TACHO__CUPTI_SAMPLES_GET_SIZE, &params);

	if (status)
		return fail(sampler, TACHO__CUPTI_SAMPLES_GET_SIZE, status);
	if (!params.size || params.size > DATA_MAX)
		return tacho__fail(
			TACHO_E_NOMEM,
			tacho__detail("%zu bytes for %u samples", params.size, SAMPLES_MAX),
			"name fewer", "samples do not fit");
	sampler->data = calloc(1, params.size);
	sampler->data_size = params.size;
	return sampler->data ? empty_data(sampler)
			     : tacho__fail(TACHO_E_NOMEM, "", "", "no memory for samples");
}

/* Turing and GA100 sample by a clock of the GPU, whose frequency is taken for that of the SMs. */
static void set_trigger(const struct tacho__cupti_sampler *sampler, uint64_t interval_ns,
			struct tacho__cupti_samples_config *params)
{
	static const uint64_t usual_hz = 1400000000;
	const struct tacho__cupti_gpu *gpu = &sampler->device->gpu;
	bool has_time = strncmp(gpu->chip, "tu", 2) != 0 && strcmp(gpu->chip, "ga100") != 0;
	uint64_t hz = gpu->clock_hz ? gpu->clock_hz : usual_hz;

	params->trigger = has_time ? TACHO__CUPTI_EVERY_NS : TACHO__CUPTI_EVERY_CYCLES;
	params->interval =
		has_time ? interval_ns : (uint64_t)((unsigned __int128)interval_ns * hz / NS_PER_S);
}

static int set_config(struct tacho__cupti_sampler *sampler, uint64_t interval_ns)
{
	struct tacho__cupti_samples_config params = {.sampler = sampler->object,
						     .config_size = sampler->config.size,
						     .config = sampler->config.bytes,
						     .buffer_size = BUFFER_BYTES};
	int status;

	set_trigger(sampler, interval_ns, &params);
	status = tacho__cupti_call(TACHO__CUPTI_SAMPLES_SET_CONFIG, &params);
	return status ? fail(sampler, TACHO__CUPTI_SAMPLES_SET_CONFIG, status) : 0;
}

int tacho__cupti_sampler_start(struct tacho__cupti_sampler *sampler, uint64_t interval_ns)
{
	struct tacho__cupti_samples_enable params = {.device = sampler->number};
	int rc, status = tacho__cupti_call(TACHO__CUPTI_SAMPLES_ENABLE, &params);

	if (status)
		return fail(sampler, TACHO__CUPTI_SAMPLES_ENABLE, status);
	sampler->object = params.sampler;
	rc = set_config(sampler, interval_ns);
	if (!rc)
		rc = make_data(sampler);
	if (!rc)
		rc = call_object(sampler, TACHO__CUPTI_SAMPLES_START);
	if (rc)
		tacho__cupti_sampler_disable(sampler);
	return rc;
}

int tacho__cupti_sampler_stop(struct tacho__cupti_sampler *sampler)
{
	return sampler->object ? call_object(sampler, TACHO__CUPTI_SAMPLES_STOP) : 0;
}

/* Before the host object, and before the image that it decodes into. */
void tacho__cupti_sampler_disable(struct tacho__cupti_sampler *sampler)
{
	struct tacho__cupti_profiler_only params = {.profiler = sampler->object};

	if (sampler->object)
		tacho__cupti_call(TACHO__CUPTI_SAMPLES_DISABLE, &params);
	sampler->object = NULL;
	free(sampler->data);
	sampler->data = NULL;
}

/* ---- reading ---- */

static int decode(struct tacho__cupti_sampler *sampler, bool *out_overflow)
{
	struct tacho__cupti_samples_decode params = {
		.sampler = sampler->object, .data = sampler->data, .data_size = sampler->data_size};
	int status = tacho__cupti_call(TACHO__CUPTI_SAMPLES_DECODE, &params);

	*out_overflow |= status == OUT_OF_MEMORY || params.overflow;
	return status && status != OUT_OF_MEMORY
		       ? fail(sampler, TACHO__CUPTI_SAMPLES_DECODE, status)
		       : 0;
}

static int count_samples(const struct tacho__cupti_sampler *sampler, size_t *out_count)
{
	struct tacho__cupti_samples_count params = {.data = sampler->data,
						    .data_size = sampler->data_size};
	int status = tacho__cupti_call(TACHO__CUPTI_SAMPLES_GET_COUNT, &params);

	if (status)
		return fail(sampler, TACHO__CUPTI_SAMPLES_GET_COUNT, status);
	*out_count = params.completed < SAMPLES_MAX ? params.completed : SAMPLES_MAX;
	return 0;
}

static int evaluate(struct tacho__cupti_sampler *sampler, size_t index,
		    struct tacho__cupti_sample_values *out_sample)
{
	struct tacho__cupti_sample times = {.sampler = sampler->object,
					    .data = sampler->data,
					    .data_size = sampler->data_size,
					    .index = index};
	struct tacho__cupti_evaluate params = {.host = sampler->host,
					       .data = sampler->data,
					       .data_size = sampler->data_size,
					       .range = index,
					       .names = sampler->names,
					       .count = sampler->count,
					       .values = sampler->values};
	int status = tacho__cupti_call(TACHO__CUPTI_SAMPLES_GET_SAMPLE, &times);

	if (status)
		return fail(sampler, TACHO__CUPTI_SAMPLES_GET_SAMPLE, status);
	status = tacho__cupti_call(TACHO__CUPTI_EVALUATE, &params);
	if (status)
		return fail(sampler, TACHO__CUPTI_EVALUATE, status);
	*out_sample = (struct tacho__cupti_sample_values){
		.start_ns = times.start_ns, .end_ns = times.end_ns, .values = sampler->values};
	return 0;
}

int tacho__cupti_sampler_read(struct tacho__cupti_sampler *sampler,
			      int (*fn)(void *user,
					const struct tacho__cupti_sample_values *sample),
			      void *user, bool *out_overflow)
{
	struct tacho__cupti_sample_values sample;
	size_t count = 0, before;
	int rc = 0;

	for (int i = 0; i < DECODES_MAX && !rc; i++) {
		rc = decode(sampler, out_overflow);
		before = sampler->done;
		if (!rc)
			rc = count_samples(sampler, &count);
		for (; !rc && sampler->done < count; sampler->done++) {
			rc = evaluate(sampler, sampler->done, &sample);
			if (!rc)
				rc = fn(user, &sample);
		}
		/* nothing new: all is decoded */
		if (rc || count == before)
			break;
		if (count >= SAMPLES_FULL)
			rc = empty_data(sampler);
	}
	return rc;
}
