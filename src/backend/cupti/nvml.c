/* SPDX-License-Identifier: MIT */
/*
 * What NVML shows of GPUs as a backend: windows of time. Performance (GPM) is what the GPU counted
 * between two moments, on Hopper and later; the rest is what holds when a window ends. No profiling
 * right is needed, and nobody else is disturbed.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "backend/collection.h"
#include "backend/cupti/cupti.h"
#include "backend/cupti/cupti_gpus.h"
#include "backend/cupti/nvml_library.h"
#include "base/clock.h"
#include "base/cond.h"
#include "base/error.h"
#include "base/number.h"

static const uint64_t MIN_WINDOW_NS = 100000000; /* the GPU counts on ten times in a second */

enum {
	POWER = 1,
	SM_CLOCK,
	MEMORY_CLOCK,
	GPU_UTIL,
	MEMORY_UTIL,
	TEMPERATURE
}; /* data/nvidia/gpm.yaml */

struct device {
	struct tacho_device base;
	struct tacho__cupti_gpu gpu;
	const struct tacho__nvml *nvml;
	void *handle;
	bool has_gpm;
	struct tacho_model model;
};

struct collection {
	struct tacho__collection base;
	struct device *device;
	struct tacho__rows *rows;
	const struct tacho_plan_pass *pass;
	struct tacho__nvml_gpm gpm; /* its metrics are the pass's, in their order */
	void *samples[2];
	unsigned at; /* which of them is the older one */
	bool is_open, is_stopping;
	pthread_t thread;
	uint64_t origin_ns, end_ns, number; /* end_ns: of the last window */
};

/* ---- devices ---- */

static int add_gpu(struct tacho_probe *probe, const struct tacho__cupti_system *system,
		   size_t index)
{
	const struct tacho__cupti_found *found = &system->gpus[index];
	struct tacho_device_info *info = tacho__probe_add_device_info(probe);
	bool is_shown = found->asked && found->asked->nvml_index >= 0;

	if (!info)
		return TACHO_E_NOMEM;
	info->name = system->count > 1 ? tacho__probe_text(probe, "%s #%" PRIu32, found->gpu.name,
							   found->gpu.index)
				       : tacho__probe_text(probe, "%s", found->gpu.name);
	info->id = tacho__probe_text(probe, "%s", found->gpu.uuid);
	info->pci = tacho__probe_text(probe, "%s", found->gpu.pci);
	info->vendor = "NVIDIA";
	info->platform = "NVML";
	info->kind = "gpu";
	info->driver = tacho__probe_text(probe, "%s%s", system->answers.driver_version,
					 is_shown && !found->asked->has_gpm ? ", without GPM" : "");
	info->arch = "gpm";
	info->api = "nvml";
	info->compute_units = found->gpu.multiprocessors;
	info->memory_bytes = found->gpu.memory_bytes;
	info->usable = is_shown;
	if (!is_shown) {
		info->cause =
			system->answers.nvml.code
				? tacho__probe_text(probe, "%s: %s", system->answers.nvml.message,
						    system->answers.nvml.cause)
				: "NVML does not show it";
		info->cure = "look whether nvidia-smi shows it";
	}
	return 0;
}

static int probe_gpus(struct tacho_probe *probe, struct tacho_probe_backend *backend_info)
{
	const struct tacho_device_info *info;
	struct tacho__cupti_system *system;
	int rc = tacho__cupti_find_gpus(probe, &system);

	if (rc)
		return rc;
	backend_info->library = TACHO__NVML_LIBRARY;
	backend_info->cause = "no NVIDIA GPU is there";
	backend_info->cure = "see: tacho doctor cupti";
	for (uint32_t i = 0; i < system->count && !rc; i++)
		rc = add_gpu(probe, system, i);
	for (uint32_t i = 0; i < system->count && !rc; i++) {
		info = tacho__probe_get_own_info(probe, tacho__backend_nvml.name, i);
		backend_info->usable |= info->usable;
		backend_info->cause = info->cause;
		backend_info->cure = info->cure;
	}
	if (backend_info->usable)
		backend_info->cause = backend_info->cure = "";
	free(system);
	return rc;
}

/* In this process now: by its UUID, since numbers may have changed. */
static int find_handle(struct device *device)
{
	struct tacho__nvml_gpm_support gpm = {.version = TACHO__NVML_GPM_VERSION};
	char uuid[TACHO__NVML_TEXT_MAX];
	unsigned count = 0;
	int rc = tacho__nvml_load(&device->nvml);

	if (rc)
		return rc;
	device->nvml->get_count(&count);
	for (unsigned i = 0; i < count && !device->handle; i++) {
		void *handle;

		if (!device->nvml->get_device(i, &handle) &&
		    !device->nvml->get_uuid(handle, uuid, sizeof(uuid)) &&
		    !strcmp(uuid, device->gpu.uuid))
			device->handle = handle;
	}
	if (!device->handle)
		return tacho__fail(TACHO_E_NODEVICE, "NVML does not show it any more",
				   "look whether nvidia-smi shows it", "%s cannot be watched",
				   device->gpu.name);
	device->has_gpm = device->nvml->gpm_ask && device->nvml->gpm_make &&
			  device->nvml->gpm_take && device->nvml->gpm_get &&
			  device->nvml->gpm_drop && !device->nvml->gpm_ask(device->handle, &gpm) &&
			  gpm.is_supported;
	return 0;
}

static void close_device(struct tacho_device *base)
{
	free(TACHO__OWN(struct device, base));
}

static int open_device(const struct tacho_probe *probe, size_t index,
		       const struct tacho_catalog *catalog, struct tacho_device **out_device)
{
	static const char no_ranges[] = "NVML tells of the whole GPU, whatever it runs";
	struct device *device = calloc(1, sizeof(*device));
	struct tacho__cupti_system *system = NULL;
	int rc;

	if (!device)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a device");
	rc = tacho__cupti_find_gpu(probe, index, &system);
	if (!rc) {
		device->gpu = system->gpus[index].gpu;
		rc = find_handle(device);
	}
	if (!rc)
		rc = tacho_catalog_find_arch(catalog, "gpm", "nvml", &device->base.traits.arch);
	free(system);
	if (rc) {
		free(device);
		return rc;
	}
	device->model = (struct tacho_model){
		.name = device->gpu.name, .title = device->gpu.name, .source = "NVML"};
	device->base.traits.model = &device->model;
	device->base.traits.replays = 1u << TACHO_REPLAY_NONE;
	device->base.traits.has_windows = 1;
	device->base.traits.modes[TACHO_MODE_DEFAULT].note = "of the whole GPU, whoever used it";
	device->base.traits.modes[TACHO_MODE_SERIALIZED].cause = no_ranges;
	device->base.traits.modes[TACHO_MODE_PIPELINED].cause = no_ranges;
	*out_device = &device->base;
	return 0;
}

static bool is_of_gpm(const struct tacho_entry *counter)
{
	return !strcmp(counter->block, "gpm");
}

/* Before anything runs: what this GPU cannot tell at all. */
static int check_pass(struct tacho_device *base, const struct tacho_plan *plan, size_t pass)
{
	const struct device *device = TACHO__OWN(const struct device, base);
	const struct tacho_plan_pass *info = tacho_plan_get_pass(plan, pass);

	for (size_t i = 0; i < info->counter_count && !device->has_gpm; i++)
		if (is_of_gpm(info->counters[i].entry))
			return tacho__fail(TACHO_E_UNSUPPORTED,
					   "NVML says that it has no GPM, which began with Hopper",
					   "take power, clocks and utilization, or sample it: "
					   "tacho stat -I -d cupti_sampling:NAME",
					   "%s does not tell %s", device->gpu.name,
					   info->counters[i].entry->name);
	return 0;
}

/* ---- collections ---- */

static int prepare_gpm(struct collection *collection)
{
	const struct tacho__nvml *nvml = collection->device->nvml;
	struct tacho__nvml_gpm *gpm = &collection->gpm;

	*gpm = (struct tacho__nvml_gpm){.version = TACHO__NVML_GPM_VERSION};
	for (size_t i = 0; i < collection->pass->counter_count; i++) {
		const struct tacho_entry *entry = collection->pass->counters[i].entry;

		if (is_of_gpm(entry) && gpm->count < TACHO__NVML_GPM_METRICS_MAX)
			gpm->metrics[gpm->count++].id = (unsigned)entry->event;
	}
	for (size_t i = 0; gpm->count && i < 2; i++)
		if (!collection->samples[i] && nvml->gpm_make(&collection->samples[i]))
			return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a sample");
	return 0;
}

static void drop_samples(struct collection *collection)
{
	for (size_t i = 0; i < 2; i++) {
		if (collection->samples[i])
			collection->device->nvml->gpm_drop(collection->samples[i]);
		collection->samples[i] = NULL;
	}
}

static int begin(struct tacho_device *base, const struct tacho__collection_options *options,
		 struct tacho__collection **out_collection)
{
	struct device *device = TACHO__OWN(struct device, base);
	struct collection *collection;

	if (options->window_ns < MIN_WINDOW_NS)
		return tacho__fail(TACHO_E_UNSUPPORTED,
				   options->window_ns ? "its windows have 100 ms at least"
						      : "NVML tells of windows of time",
				   "say how long they are: tacho stat -I 100", "%s is not watched",
				   device->gpu.name);
	collection = tacho__collection_create(sizeof(*collection), options);
	if (!collection)
		return TACHO_E_NOMEM;
	collection->device = device;
	*out_collection = &collection->base;
	return 0;
}

static int take_sample(struct collection *collection)
{
	const struct tacho__nvml *nvml = collection->device->nvml;
	int status;

	if (!collection->gpm.count)
		return 0;
	status = nvml->gpm_take(collection->device->handle, collection->samples[collection->at]);
	collection->at = !collection->at;
	return status ? tacho__nvml_fail(nvml, status, "the GPU is not watched any more") : 0;
}

/* Of a counter of the driver; NAN: it does not say. */
static double ask_driver(const struct device *device, uint64_t event)
{
	const struct tacho__nvml *nvml = device->nvml;
	struct tacho__nvml_utilization use = {0, 0};
	unsigned number = 0;
	int status = TACHO__NVML_NOT_SUPPORTED;

	if (event == POWER && nvml->get_power)
		status = nvml->get_power(device->handle, &number);
	else if ((event == SM_CLOCK || event == MEMORY_CLOCK) && nvml->get_clock)
		status = nvml->get_clock(device->handle,
					 event == SM_CLOCK ? TACHO__NVML_CLOCK_SM
							   : TACHO__NVML_CLOCK_MEMORY,
					 &number);
	else if ((event == GPU_UTIL || event == MEMORY_UTIL) && nvml->get_utilization)
		status = nvml->get_utilization(device->handle, &use);
	else if (event == TEMPERATURE && nvml->get_temperature)
		status = nvml->get_temperature(device->handle, TACHO__NVML_SENSOR_GPU, &number);
	if (status)
		return NAN;
	switch (event) {
	case POWER: return number / 1e3;
	case SM_CLOCK:
	case MEMORY_CLOCK: return number * 1e6;
	case GPU_UTIL: return use.gpu;
	case MEMORY_UTIL: return use.memory;
	default: return number;
	}
}

/* NVML counts what goes over links in MiB. */
static double convert(const struct tacho_entry *entry, const struct tacho__nvml_gpm_metric *metric)
{
	if (metric->status)
		return NAN;
	return strcmp(entry->unit, "bytes/second") != 0 ? metric->value : metric->value * (1 << 20);
}

static int deliver(struct collection *collection, uint64_t now_ns)
{
	char name[TACHO__NUMBER_MAX];
	struct tacho_row row = {.id = collection->number++,
				.name = name,
				.start_ns = collection->end_ns,
				.end_ns = now_ns};
	struct tacho__rows *rows = collection->rows;
	size_t metric = 0;

	collection->end_ns = now_ns;
	tacho__number_format_seconds(now_ns - collection->origin_ns, name);
	for (size_t i = 0; i < rows->counter_count; i++) {
		const struct tacho_entry *entry = collection->pass->counters[i].entry;
		double value = is_of_gpm(entry) ? convert(entry, &collection->gpm.metrics[metric++])
						: ask_driver(collection->device, entry->event);
		bool is_there = isfinite(value);

		tacho__rows_put(rows, i, 0, is_there && value >= 0 ? (uint64_t)value : 0,
				is_there ? value : 0,
				is_there ? TACHO_STATE_OK : TACHO_STATE_ABSENT);
	}
	row.uncertainty_ns = tacho__clock_monotonic_ns() - now_ns;
	return tacho__collection_deliver(&collection->base,
					 &(struct tacho__batch){.pass = collection->base.pass,
								.row_count = 1,
								.rows = &row,
								.columns = rows->columns});
}

static int end_window(struct collection *collection)
{
	const struct tacho__nvml *nvml = collection->device->nvml;
	int status, rc = take_sample(collection);

	if (rc)
		return rc;
	if (collection->gpm.count) {
		/* the one that is taken next is the older one */
		collection->gpm.before = collection->samples[collection->at];
		collection->gpm.after = collection->samples[!collection->at];
		status = nvml->gpm_get(&collection->gpm);
		if (status)
			return tacho__nvml_fail(nvml, status, "GPM has no values");
	}
	return deliver(collection, tacho__clock_monotonic_ns());
}

/* False: the pass ends. */
static bool await(struct collection *collection, uint64_t until_ns)
{
	bool in_time = true, is_stopping;

	pthread_mutex_lock(&collection->base.lock);
	while (!collection->is_stopping && in_time)
		in_time = tacho__cond_wait(&collection->base.changed, &collection->base.lock,
					   until_ns);
	is_stopping = collection->is_stopping;
	pthread_mutex_unlock(&collection->base.lock);
	return !is_stopping;
}

/* A window that begins late ends late, too: a short one would show what the one before did. */
static uint64_t find_end(uint64_t last_ns, uint64_t window_ns)
{
	uint64_t now_ns = tacho__clock_monotonic_ns(), end_ns = last_ns + window_ns;

	return end_ns < now_ns + window_ns / 4 * 3 ? now_ns + window_ns : end_ns;
}

static void *run(void *user)
{
	struct collection *collection = user;
	uint64_t end_ns = collection->origin_ns;
	int rc = take_sample(collection);

	while (!rc) {
		end_ns = find_end(end_ns, collection->base.options->window_ns);
		if (!await(collection, end_ns))
			return NULL; /* a window that is cut short is none */
		rc = end_window(collection);
	}
	tacho__collection_fail(&collection->base, rc);
	return NULL;
}

static int begin_pass(struct tacho__collection *base, uint32_t pass)
{
	struct collection *collection = TACHO__OWN(struct collection, base);
	int rc;

	collection->pass = tacho_plan_get_pass(base->options->plan, pass);
	collection->rows = tacho__rows_create(collection->pass, 1);
	if (!collection->rows)
		return TACHO_E_NOMEM;
	base->pass = pass;
	base->has_failed = collection->is_stopping = false;
	collection->number = 0;
	collection->origin_ns = collection->end_ns = tacho__clock_monotonic_ns();
	rc = prepare_gpm(collection);
	if (!rc)
		rc = tacho__collection_start_thread(base, run, &collection->thread);
	collection->is_open = !rc;
	if (rc)
		free(collection->rows);
	return rc;
}

static int end_pass(struct tacho__collection *base)
{
	struct collection *collection = TACHO__OWN(struct collection, base);

	if (!collection->is_open)
		return 0;
	pthread_mutex_lock(&base->lock);
	collection->is_stopping = true;
	pthread_cond_broadcast(&base->changed);
	pthread_mutex_unlock(&base->lock);
	pthread_join(collection->thread, NULL);
	free(collection->rows);
	collection->is_open = false;
	return 0;
}

static void end(struct tacho__collection *base)
{
	end_pass(base);
	drop_samples(TACHO__OWN(struct collection, base));
	tacho__collection_destroy(base);
}

/* The same GPUs as those of CUPTI: one that is named without a backend is that of launches. */
const struct tacho__backend tacho__backend_nvml = {
	.name = "nvml",
	.summary = "watches NVIDIA's GPUs as the driver shows them to everybody",
	.is_named_only = 1,
	.probe = probe_gpus,
	.open = open_device,
	.close = close_device,
	.check_pass = check_pass,
	.begin = begin,
	.begin_pass = begin_pass,
	.end_pass = end_pass,
	.end = end,
};
