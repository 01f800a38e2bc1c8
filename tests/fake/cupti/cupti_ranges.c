/* SPDX-License-Identifier: MIT */
/*
 * libcupti's profiler of ranges as a fake, over the fake of the driver: the chip GF100 of
 * cupti_fake.h counts what kernels do. What it counts can be worked out by hand (count_kernel()).
 *
 * It is as strict as the library: orders, sizes of structs, modes that do not go together. A range
 * begins and ends when the context is idle, so what never ends hangs it, and so does a kernel that
 * waits for another under the library's own replay.
 *
 * Words of FAKE_CUPTI that are its:
 *   CALL=N     the call fails with status N: initialize, supported, availability, enable,
 *              config, start, stop, push, pop, decode, size, data, evaluate
 *   sli, vgpu, confidential, mining, wsl   DeviceSupported says so; vgpu_off: disabled
 *   lacks_b    the GPU lets nobody count unit b
 *   drops      each third range is dropped
 *   one        only one context at a time
 *   short      it says one pass too early that all are over
 *   newer      structs have the sizes of later versions
 */
#include <math.h>
#include <pthread.h>
#include <signal.h>

#include "../cuda/fake_cuda.h"
#include "cupti_fake.h"

#define EXPORT __attribute__((visibility("default")))

enum {
	INVALID_PARAMETER = 1,
	INVALID_CONTEXT = 3,
	INVALID_OPERATION = 7,
	INVALID_METRIC = 17,
	NOT_INITIALIZED = 15,
	HARDWARE_BUSY = 26,
	UNKNOWN = 999
};
enum { AUTO = 1, USER = 2 };
enum { APPLICATION = 1, KERNEL = 2, USER_REPLAY = 3 };
enum { RANGES_MAX = 2000, NAME_BYTES = 64, LEVELS_MAX = 4, DATA_MAGIC = 0x44504f4c };

struct record {
	char name[NAME_BYTES];
	uint32_t counted; /* bits of counters that were collected */
	uint32_t kernels;
	double values[COUNTERS];
};

struct data {
	uint32_t magic, max, count, dropped;
	struct record records[];
};

struct profiler {
	uint32_t magic;
	CUcontext context;
	/* of the last SetConfig; read until the next one, as the library does */
	const struct image *config;
	struct data *data;
	int ranges, replay;
	size_t range_max, pass, passes;
	bool is_set, is_started, is_stopped;
	char names[LEVELS_MAX][NAME_BYTES];
	uint32_t depth;
	struct record *pending; /* ranges of the pass, not decoded */
	size_t pending_count;
	/* the library's own replay */
	struct fake_cuda_memory *memory;
	bool has_launch;
};

static struct {
	pthread_mutex_t lock;
	const struct fake_cuda_hooks *hooks;
	bool is_initialized, is_observing;
	struct profiler *enabled[8];
	struct profiler *open; /* with a range that kernels count in */
} fake = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* A status that a word asks for; 0. */
static int fails(const char *call)
{
	const char *words = getenv("FAKE_CUPTI"), *at = words ? strstr(words, call) : NULL;

	while (at && (at[strlen(call)] != '=' || (at > words && at[-1] != ',')))
		at = strstr(at + 1, call);
	return at ? atoi(at + strlen(call) + 1) : 0;
}

static bool is_profiler(const struct profiler *profiler)
{
	return profiler && profiler->magic == 0x726e6770;
}

/* ---- what kernels count ---- */

/*
 * a__x00 counts 1 for each thread, a__x01 2, and so on; b__y0 counts 1 for each block, b__y1 2, and
 * so on.
 */
static void count_kernel(struct record *record, uint32_t collected,
			 const struct fake_cuda_work *work)
{
	double blocks = (double)work->grid[0] * work->grid[1] * work->grid[2];
	double threads = blocks * work->block[0] * work->block[1] * work->block[2];

	for (int i = 0; i < COUNTERS; i++)
		if (collected & 1u << i)
			record->values[i] +=
				i < COUNTERS_A ? threads * (i + 1) : blocks * (i - COUNTERS_A + 1);
	record->kernels++;
}

static void on_work_end(const struct fake_cuda_work *work)
{
	pthread_mutex_lock(&fake.lock);
	if (fake.open && work->kind == FAKE_CUDA_KERNEL && fake.open->context == work->context)
		count_kernel(&fake.open->pending[fake.open->pending_count - 1],
			     fake.open->config->passes[fake.open->pass], work);
	pthread_mutex_unlock(&fake.lock);
}

static struct profiler *find_automatic(CUcontext context)
{
	struct profiler *found = NULL;

	pthread_mutex_lock(&fake.lock);
	for (size_t i = 0; i < 8; i++)
		if (fake.enabled[i] && fake.enabled[i]->context == context &&
		    fake.enabled[i]->is_started && fake.enabled[i]->ranges == AUTO)
			found = fake.enabled[i];
	pthread_mutex_unlock(&fake.lock);
	return found;
}

static bool is_launch(const struct fake_cuda_call *call)
{
	return call->api == FAKE_CUDA_DRIVER_API && !strncmp(call->name, "cuLaunch", 8) &&
	       !strstr(call->name, "HostFunc");
}

static void add_pending(struct profiler *profiler, const char *name)
{
	struct record *record;

	profiler->pending = realloc(profiler->pending,
				    (profiler->pending_count + 1) * sizeof(*profiler->pending));
	record = &profiler->pending[profiler->pending_count++];
	*record = (struct record){.counted = profiler->config->passes[profiler->pass]};
	snprintf(record->name, sizeof(record->name), "%s", name);
}

/* Runs the launch as often as there are passes, each time with memory as it was. */
static void replay_launch(struct profiler *profiler)
{
	const struct fake_cuda_work *launch = fake.hooks->last_launch();
	char name[NAME_BYTES];
	size_t kernels = 0;

	if (!profiler->has_launch || !launch)
		return;
	profiler->has_launch = false;
	fake.hooks->wait(profiler->context, UINT64_MAX);
	for (size_t i = 0; i < profiler->pending_count; i++)
		kernels += !strcmp(profiler->pending[i].name, "0");
	snprintf(name, sizeof(name), "%zu", profiler->passes ? kernels / profiler->passes : 0);
	for (size_t pass = 0; pass < profiler->passes; pass++) {
		const struct fake_cuda_work work = *launch;

		if (pass) {
			fake.hooks->memory_restore(profiler->memory);
			fake.hooks->run(&work);
		}
		profiler->pass = pass;
		add_pending(profiler, name);
		count_kernel(&profiler->pending[profiler->pending_count - 1],
			     profiler->config->passes[pass], &work);
	}
	fake.hooks->memory_free(profiler->memory);
	profiler->memory = NULL;
	profiler->pass = 0;
}

static void on_enter(struct fake_cuda_call *call)
{
	struct profiler *profiler = is_launch(call) ? find_automatic(call->context) : NULL;

	if (!profiler)
		return;
	fake.hooks->wait(profiler->context, UINT64_MAX);
	profiler->memory = fake.hooks->memory_save(profiler->context);
	profiler->has_launch = true;
}

static void on_exit_(struct fake_cuda_call *call)
{
	struct profiler *profiler = is_launch(call) ? find_automatic(call->context) : NULL;

	if (profiler)
		replay_launch(profiler);
}

static struct fake_cuda_observer observer = {
	.enter = on_enter, .exit = on_exit_, .end = on_work_end};

/* ---- the device ---- */

struct only {
	size_t size;
	void *priv;
	struct profiler *profiler;
};

EXPORT int cuptiProfilerInitialize(struct only *params)
{
	if (params->size != 16)
		return INVALID_PARAMETER;
	fake.hooks = fake_cuda_find();
	if (!fake.hooks || !fake.hooks->is_initialized())
		return UNKNOWN;
	if (fails("initialize"))
		return fails("initialize");
	pthread_mutex_lock(&fake.lock);
	if (!fake.is_observing)
		fake.hooks->observe(&observer);
	fake.is_observing = fake.is_initialized = true;
	pthread_mutex_unlock(&fake.lock);
	return 0;
}

struct supported {
	size_t size;
	void *priv;
	int device;
	int is_supported, architecture, sli, vgpu, confidential, mining, wsl;
	int api;
};

static int level(const char *word)
{
	return fake_is(word) ? 1 : 3;
}

EXPORT int cuptiProfilerDeviceSupported(struct supported *params)
{
	if (params->size != 52 || (params->api != 0 && params->api != 3))
		return INVALID_PARAMETER;
	if (!fake.is_initialized)
		return UNKNOWN;
	if (fails("supported"))
		return fails("supported");
	params->architecture = params->api && fake_is("no_samples") ? 1 : level("old_chip");
	params->sli = level("sli");
	params->vgpu = fake_is("vgpu_off") ? 2 : level("vgpu");
	params->confidential = level("confidential");
	params->mining = level("mining");
	params->wsl = level("wsl");
	params->is_supported = params->architecture == 3 && params->sli == 3 && params->vgpu == 3 &&
					       params->confidential == 3 && params->mining == 3 &&
					       params->wsl == 3
				       ? 3
				       : 1;
	return 0;
}

struct availability {
	size_t size;
	void *priv;
	CUcontext context;
	size_t bytes;
	uint8_t *image;
	uint8_t allows_device;
};

EXPORT int cuptiProfilerGetCounterAvailability(struct availability *params)
{
	if (params->size != (fake_is("newer") ? 41 : 40))
		return INVALID_PARAMETER;
	if (!fake.is_initialized)
		return NOT_INITIALIZED;
	if (!fake.hooks->context_id(params->context))
		return INVALID_CONTEXT;
	if (fails("availability"))
		return fails("availability");
	for (size_t i = 0; i < 8; i++)
		if (fake.enabled[i] && fake.enabled[i]->context == params->context)
			return INVALID_OPERATION;
	if (params->image && params->bytes < sizeof(struct available))
		return INVALID_PARAMETER;
	params->bytes = sizeof(struct available);
	if (params->image)
		memcpy(params->image,
		       &(struct available){"AVAI", fake_is("lacks_b") ? 0x0fff : 0xffff},
		       sizeof(struct available));
	return 0;
}

/* ---- the profiler ---- */

struct enable {
	size_t size;
	void *priv;
	CUcontext context;
	struct profiler *profiler;
	int cache_control;
};

EXPORT int cuptiRangeProfilerEnable(struct enable *params)
{
	struct profiler **place = NULL;
	int status = 0;

	if (!fake_cuda_find()) /* as the library */
		raise(SIGSEGV);
	if (params->size != (fake_is("newer") ? 36 : 32))
		return INVALID_PARAMETER;
	if (!fake.is_initialized)
		return NOT_INITIALIZED;
	if (!fake.hooks->context_id(params->context))
		return INVALID_CONTEXT;
	if (fails("enable"))
		return fails("enable");
	pthread_mutex_lock(&fake.lock);
	for (size_t i = 0; i < 8; i++) {
		if (fake.enabled[i] && fake.enabled[i]->context == params->context)
			status = INVALID_OPERATION;
		else if (fake.enabled[i] && fake_is("one"))
			status = HARDWARE_BUSY;
		else if (!fake.enabled[i])
			place = &fake.enabled[i];
	}
	if (!status && place) {
		params->profiler = *place = calloc(1, sizeof(**place));
		(*place)->magic = 0x726e6770;
		(*place)->context = params->context;
	}
	pthread_mutex_unlock(&fake.lock);
	return status ? status : place ? 0 : 8;
}

EXPORT int cuptiRangeProfilerDisable(struct only *params)
{
	struct profiler *profiler = params->profiler;

	if (params->size != 24 || !is_profiler(profiler))
		return INVALID_PARAMETER;
	if (!fake.hooks->context_id(profiler->context)) /* the library reads what is gone */
		abort();
	pthread_mutex_lock(&fake.lock);
	for (size_t i = 0; i < 8; i++)
		if (fake.enabled[i] == profiler)
			fake.enabled[i] = NULL;
	if (fake.open == profiler)
		fake.open = NULL;
	pthread_mutex_unlock(&fake.lock);
	free(profiler->pending);
	profiler->magic = 0;
	free(profiler);
	return 0;
}

struct data_size {
	size_t size;
	void *priv;
	struct profiler *profiler;
	const char *const *names;
	size_t count, range_max;
	uint32_t node_max;
	size_t bytes;
};

EXPORT int cuptiRangeProfilerGetCounterDataSize(struct data_size *params)
{
	uint32_t needs;

	if (params->size != 64 || !is_profiler(params->profiler) || !params->names ||
	    !params->count || !params->range_max || !params->node_max)
		return INVALID_PARAMETER;
	for (size_t i = 0; i < params->count; i++)
		if (fake_find(params->names[i], 1, &needs) < 0)
			return INVALID_METRIC;
	params->bytes = sizeof(struct data) + params->range_max * sizeof(struct record);
	return fails("size");
}

struct make_data {
	size_t size;
	void *priv;
	struct profiler *profiler;
	size_t bytes;
	struct data *data;
};

EXPORT int cuptiRangeProfilerCounterDataImageInitialize(struct make_data *params)
{
	if (params->size != 40 || !is_profiler(params->profiler) || !params->data ||
	    params->bytes < sizeof(struct data))
		return INVALID_PARAMETER;
	memset(params->data, 0, params->bytes);
	params->data->magic = DATA_MAGIC;
	params->data->max =
		(uint32_t)((params->bytes - sizeof(struct data)) / sizeof(struct record));
	return fails("data");
}

struct set_config {
	size_t size;
	void *priv;
	struct profiler *profiler;
	size_t config_bytes;
	const struct image *config;
	size_t data_bytes;
	struct data *data;
	int ranges, replay;
	size_t range_max;
	uint16_t levels, first_level;
	size_t pass;
	uint16_t level;
};

EXPORT int cuptiRangeProfilerSetConfig(struct set_config *params)
{
	struct profiler *profiler = params->profiler;

	if (params->size != 90 || !is_profiler(profiler) || !params->config ||
	    params->config_bytes != sizeof(struct image) ||
	    memcmp(params->config->magic, "FAKE", 4) != 0 || !params->data ||
	    params->data->magic != DATA_MAGIC || !params->levels || !params->level ||
	    !params->first_level || params->pass >= params->config->pass_count)
		return INVALID_PARAMETER;
	if (fails("config"))
		return fails("config");
	if (profiler->is_started || params->range_max > RANGES_MAX ||
	    (params->ranges == AUTO) != (params->replay == KERNEL) ||
	    (params->ranges != AUTO && params->ranges != USER) ||
	    (params->replay != APPLICATION && params->pass))
		return INVALID_OPERATION;
	profiler->config = params->config;
	profiler->data = params->data;
	profiler->ranges = params->ranges;
	profiler->replay = params->replay;
	profiler->range_max = params->range_max;
	profiler->pass = params->pass;
	profiler->passes = params->config->pass_count;
	profiler->pending_count = 0;
	profiler->is_set = true;
	profiler->is_stopped = false;
	return 0;
}

EXPORT int cuptiRangeProfilerStart(struct only *params)
{
	struct profiler *profiler = params->profiler;

	if (params->size != 24 || !is_profiler(profiler))
		return INVALID_PARAMETER;
	if (fails("start"))
		return fails("start");
	if (!profiler->is_set || profiler->is_started || profiler->pass >= profiler->passes)
		return INVALID_OPERATION;
	profiler->is_started = true;
	profiler->is_stopped = false;
	profiler->pending_count = 0;
	return 0;
}

struct push {
	size_t size;
	void *priv;
	struct profiler *profiler;
	const char *name;
};

EXPORT int cuptiRangeProfilerPushRange(struct push *params)
{
	struct profiler *profiler = params->profiler;

	if (params->size != 32 || !is_profiler(profiler) || !params->name)
		return INVALID_PARAMETER;
	if (fails("push"))
		return fails("push");
	if (profiler->ranges != USER || !profiler->is_started || profiler->depth == LEVELS_MAX)
		return INVALID_OPERATION;
	fake.hooks->wait(profiler->context, UINT64_MAX);
	pthread_mutex_lock(&fake.lock);
	if (!profiler->depth++) {
		add_pending(profiler, params->name);
		fake.open = profiler;
	}
	pthread_mutex_unlock(&fake.lock);
	return 0;
}

EXPORT int cuptiRangeProfilerPopRange(struct only *params)
{
	struct profiler *profiler = params->profiler;

	if (params->size != 24 || !is_profiler(profiler))
		return INVALID_PARAMETER;
	if (fails("pop"))
		return fails("pop");
	if (!profiler->depth)
		return INVALID_OPERATION;
	fake.hooks->wait(profiler->context, UINT64_MAX);
	pthread_mutex_lock(&fake.lock);
	if (!--profiler->depth)
		fake.open = NULL;
	pthread_mutex_unlock(&fake.lock);
	return 0;
}

struct stop {
	size_t size;
	void *priv;
	struct profiler *profiler;
	size_t pass, level;
	uint8_t all_submitted;
};

EXPORT int cuptiRangeProfilerStop(struct stop *params)
{
	struct profiler *profiler = params->profiler;

	if (params->size != 41 || !is_profiler(profiler))
		return INVALID_PARAMETER;
	if (fails("stop"))
		return fails("stop");
	if (!profiler->is_started || profiler->depth)
		return INVALID_OPERATION;
	if (profiler->ranges == AUTO)
		replay_launch(profiler);
	profiler->is_started = false;
	profiler->is_stopped = true;
	if (profiler->ranges == USER)
		profiler->pass++;
	params->pass = profiler->pass;
	params->level = 1;
	params->all_submitted =
		profiler->ranges == AUTO || profiler->pass + fake_is("short") >= profiler->passes;
	return 0;
}

static struct record *find_record(struct data *data, const char *name)
{
	for (uint32_t i = 0; i < data->count; i++)
		if (!strcmp(data->records[i].name, name))
			return &data->records[i];
	if (data->count == data->max)
		return NULL;
	snprintf(data->records[data->count].name, NAME_BYTES, "%s", name);
	return &data->records[data->count++];
}

struct decode {
	size_t size;
	void *priv;
	struct profiler *profiler;
	size_t dropped;
};

EXPORT int cuptiRangeProfilerDecodeData(struct decode *params)
{
	struct profiler *profiler = params->profiler;

	if (params->size != 32 || !is_profiler(profiler))
		return INVALID_PARAMETER;
	if (fails("decode"))
		return fails("decode");
	if (!profiler->is_stopped)
		return INVALID_OPERATION;
	params->dropped = 0;
	for (size_t i = 0; i < profiler->pending_count; i++) {
		const struct record *from = &profiler->pending[i];
		struct record *to = NULL;

		if (i < profiler->range_max * profiler->passes && !(fake_is("drops") && i % 3 == 2))
			to = find_record(profiler->data, from->name);
		if (!to) {
			params->dropped++;
			continue;
		}
		to->counted |= from->counted;
		to->kernels += from->kernels;
		for (int k = 0; k < COUNTERS; k++)
			to->values[k] += from->values[k];
	}
	profiler->pending_count = 0;
	profiler->is_stopped = false;
	return 0;
}

/* ---- values ---- */

struct data_info {
	size_t size;
	void *priv;
	const struct data *data;
	size_t bytes, count;
};

EXPORT int cuptiRangeProfilerGetCounterDataInfo(struct data_info *params)
{
	if (params->size != 40 || !params->data || params->data->magic != DATA_MAGIC)
		return INVALID_PARAMETER;
	params->count = fake_is("many_ranges") ? (size_t)1 << 40 : params->data->count;
	return 0;
}

struct range_info {
	size_t size;
	void *priv;
	const struct data *data;
	size_t bytes, range;
	const char *delimiter, *name;
};

EXPORT int cuptiRangeProfilerCounterDataGetRangeInfo(struct range_info *params)
{
	if (params->size != 56 || !params->data || params->data->magic != DATA_MAGIC ||
	    !params->delimiter || params->range >= params->data->count)
		return INVALID_PARAMETER;
	params->name = params->data->records[params->range].name;
	return 0;
}

struct evaluate {
	size_t size;
	void *priv;
	void *host;
	const struct data *data;
	size_t bytes, range;
	const char *const *names;
	size_t count;
	double *values;
};

static double evaluate(const struct record *record, const char *name, uint32_t needs)
{
	double sum = 0;

	if ((record->counted & needs) != needs)
		return NAN;
	if (!strncmp(name, "a__rate", 7))
		return record->values[0] / record->values[1] * (strstr(name, "pct") ? 100 : 1);
	if (!strncmp(name, "a__throughput", 13))
		return record->values[0] / record->values[3] * 100;
	if (!needs)
		return 7;
	for (int i = 0; i < COUNTERS; i++)
		if (needs & 1u << i)
			sum += record->values[i];
	if (strstr(name, ".per_second"))
		return sum * 1000;
	return strstr(name, ".sum") ? sum : sum / 4; /* of four units that do the same */
}

EXPORT int cuptiProfilerHostEvaluateToGpuValues(struct evaluate *params)
{
	uint32_t needs;

	if (params->size == 72 && params->data && params->data->magic != DATA_MAGIC &&
	    params->names && params->values)
		return fake_samples_evaluate(params->data, params->range, params->names,
					     params->count, params->values);
	if (params->size != 72 || !params->host || !params->data ||
	    params->data->magic != DATA_MAGIC || params->range >= params->data->count ||
	    !params->names || !params->values)
		return INVALID_PARAMETER;
	for (size_t i = 0; i < params->count; i++) {
		if (fake_find(params->names[i], 1, &needs) < 0)
			return INVALID_METRIC;
		params->values[i] =
			evaluate(&params->data->records[params->range], params->names[i], needs);
	}
	return fails("evaluate");
}
