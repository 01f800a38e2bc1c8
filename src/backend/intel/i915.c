/* SPDX-License-Identifier: MIT */
/* The driver i915: its questions, sets and streams. */
#include <errno.h>
#include <string.h>

#include "backend/intel/intel_private.h"
#include "backend/intel/uapi.h"
#include "base/array.h"
#include "base/error.h"

enum {
	TOPOLOGY_MAX = 64 * 1024,
	POLL_PERIOD_NS = 1000000,
	REVISION_POLL = 5,
	REVISION_MEDIA = 7,
	FORMAT_MEDIA = 13, /* of i915's numbers the first that media engines write */
	PROPERTY_MAX = 8,
};

/* 0 or a negated errno. */
static int get_param(const struct tacho__intel_gpu *gpu, int32_t param, int *out_value)
{
	int value = 0;
	struct tacho__i915_getparam question = {.param = param, .value = &value};

	if (tacho__intel_ioctl(gpu->system, gpu->fd, TACHO__I915_GETPARAM, &question) < 0)
		return -errno;
	*out_value = value;
	return 0;
}

static int query(const struct tacho__intel_gpu *gpu, struct tacho__i915_query_item *item)
{
	struct tacho__i915_query question = {.item_count = 1, .items = (uintptr_t)item};

	if (tacho__intel_ioctl(gpu->system, gpu->fd, TACHO__I915_QUERY, &question) < 0)
		return -errno;
	return item->length < 0 ? item->length : 0;
}

/* Kernels before 4.17 do not tell it. Then the numbers of parts stay unknown. */
static int ask_topology(struct tacho__arena *arena, struct tacho__intel_gpu *gpu)
{
	struct tacho__i915_query_item item = {.query_id = TACHO__I915_QUERY_TOPOLOGY};
	int32_t room;
	uint8_t *bytes;

	if (query(gpu, &item) || item.length <= 0 || item.length > TOPOLOGY_MAX)
		return 0;
	room = item.length;
	bytes = tacho__arena_get(arena, (size_t)room);
	if (!bytes)
		return TACHO_E_NOMEM;
	item.data = (uintptr_t)bytes;
	if (query(gpu, &item) || !item.length || item.length > room)
		return 0;
	return tacho__oa_topology_parse(bytes, (size_t)item.length, &gpu->topology);
}

int tacho__i915_ask(struct tacho__arena *arena, struct tacho__intel_gpu *gpu)
{
	int value = 0, error;

	if (!get_param(gpu, TACHO__I915_PARAM_REVISION, &value))
		gpu->device.revision = (uint32_t)value;
	/* Without an answer the interface is the first one: Linux 4.13. */
	gpu->perf_revision = 1;
	if (!get_param(gpu, TACHO__I915_PARAM_PERF_REVISION, &value) && value > 0)
		gpu->perf_revision = (uint32_t)value;
	error = get_param(gpu, TACHO__I915_PARAM_OA_TIMESTAMP_FREQUENCY, &value);
	if (error || value <= 0)
		error = get_param(gpu, TACHO__I915_PARAM_CS_TIMESTAMP_FREQUENCY, &value);
	if (error)
		return tacho__fail_errno(TACHO_E_UNSUPPORTED, -error, "use Linux 4.16 or later",
					 "i915 does not tell the frequency of %s's timestamps",
					 gpu->card.name);
	if (value <= 0)
		return tacho__fail(TACHO_E_UNSUPPORTED, tacho__detail("it says %d Hz", value),
				   "use Linux 4.16 or later",
				   "i915 does not tell the frequency of %s's timestamps",
				   gpu->card.name);
	gpu->device.timestamp_frequency_hz = (uint64_t)value;
	gpu->device.format = gpu->format->i915_id;
	return ask_topology(arena, gpu);
}

int tacho__i915_choose_unit(struct tacho__intel_gpu *gpu, const struct tacho_oa_format *format)
{
	int is_media = format->i915_id >= FORMAT_MEDIA;

	if (is_media && gpu->perf_revision < REVISION_MEDIA)
		return tacho__fail(
			TACHO_E_UNSUPPORTED,
			tacho__detail("media engines are counted from revision %d of i915's "
				      "interface on, and this is revision %u",
				      REVISION_MEDIA, gpu->perf_revision),
			"use Linux 6.5 or later; early Meteor Lakes cannot",
			"%s writes no reports %s", gpu->card.name, format->name);
	gpu->device.engine_class = is_media ? TACHO__I915_ENGINE_VIDEO : 0;
	gpu->device.engine_instance = 0;
	return 0;
}

int tacho__i915_get_clock(const struct tacho__intel_gpu *gpu, uint64_t *out_gpu_ticks)
{
	struct tacho__i915_reg_read question = {.offset = TACHO__I915_TIMESTAMP |
							  TACHO__I915_TIMESTAMP_WHOLE};

	if (tacho__intel_ioctl(gpu->system, gpu->fd, TACHO__I915_REG_READ, &question) < 0)
		return tacho__fail_errno(TACHO_E_UNSUPPORTED, errno, "",
					 "i915 does not show the timestamp of %s", gpu->card.name);
	*out_gpu_ticks = question.value;
	return 0;
}

int64_t tacho__i915_add_config(const struct tacho__intel_gpu *gpu,
			       const struct tacho__intel_registers *registers)
{
	struct tacho__i915_perf_config config = {
		.mux_count = registers->counts[0],
		.boolean_count = registers->counts[1],
		.flex_count = registers->counts[2],
		.mux = (uintptr_t)registers->pairs[0],
		.boolean = (uintptr_t)registers->pairs[1],
		.flex = (uintptr_t)registers->pairs[2],
	};
	int id;

	memcpy(config.uuid, registers->guid, sizeof(config.uuid));
	id = tacho__intel_ioctl(gpu->system, gpu->fd, TACHO__I915_PERF_ADD_CONFIG, &config);
	return id < 0 ? -errno : id;
}

void tacho__i915_remove_config(const struct tacho__intel_gpu *gpu, uint64_t config)
{
	tacho__intel_ioctl(gpu->system, gpu->fd, TACHO__I915_PERF_REMOVE_CONFIG, &config);
}

static void add_property(struct tacho__i915_perf_open *open, uint64_t properties[][2],
			 uint64_t name, uint64_t value)
{
	uint64_t *property = properties[open->property_count++];

	property[0] = name;
	property[1] = value;
}

int tacho__i915_open_stream(const struct tacho__intel_gpu *gpu, uint64_t config, uint32_t exponent)
{
	uint64_t properties[PROPERTY_MAX][2] = {
		{TACHO__I915_PROPERTY_SAMPLE_OA, 1},
		{TACHO__I915_PROPERTY_METRICS_SET, config},
		{TACHO__I915_PROPERTY_FORMAT, gpu->format->i915_id},
		{TACHO__I915_PROPERTY_EXPONENT, exponent},
	};
	struct tacho__i915_perf_open open = {
		.flags = TACHO__I915_PERF_CLOEXEC | TACHO__I915_PERF_NONBLOCK |
			 TACHO__I915_PERF_DISABLED,
		.property_count = 4,
		.properties = (uintptr_t)properties,
	};
	int fd;

	if (gpu->perf_revision >= REVISION_POLL)
		add_property(&open, properties, TACHO__I915_PROPERTY_POLL_PERIOD, POLL_PERIOD_NS);
	if (gpu->device.engine_class) {
		add_property(&open, properties, TACHO__I915_PROPERTY_ENGINE_CLASS,
			     gpu->device.engine_class);
		add_property(&open, properties, TACHO__I915_PROPERTY_ENGINE_INSTANCE,
			     gpu->device.engine_instance);
	}
	fd = tacho__intel_ioctl(gpu->system, gpu->fd, TACHO__I915_PERF_OPEN, &open);
	return fd < 0 ? -errno : fd;
}
