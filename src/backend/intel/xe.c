/* SPDX-License-Identifier: MIT */
/* The driver xe: its questions, sets and streams. */
#include <errno.h>
#include <string.h>
#include <time.h>

#include "backend/intel/intel_private.h"
#include "backend/intel/uapi.h"
#include "base/array.h"
#include "base/error.h"

enum { ANSWER_MAX = 1 << 20, EUS_MAX = 64 };

static int fail_query(const struct tacho__intel_gpu *gpu, const char *what, int error)
{
	return tacho__fail_errno(error == ENODEV ? TACHO_E_NODEVICE : TACHO_E_UNSUPPORTED, error,
				 "use Linux 6.12 or later", "xe does not tell %s of %s", what,
				 gpu->card.name);
}

/* The answer, in the arena. 0, NOMEM, or a positive errno. */
static int ask(struct tacho__arena *arena, const struct tacho__intel_gpu *gpu, uint32_t query,
	       void **out_answer, size_t *out_size)
{
	struct tacho__xe_device_query question = {.query = query};
	uint32_t room;
	void *answer;

	if (tacho__intel_ioctl(gpu->system, gpu->fd, TACHO__XE_DEVICE_QUERY, &question) < 0)
		return errno;
	if (!question.size || question.size > ANSWER_MAX)
		return ENODATA;
	room = question.size;
	answer = tacho__arena_get(arena, room);
	if (!answer)
		return TACHO_E_NOMEM;
	question.data = (uintptr_t)answer;
	if (tacho__intel_ioctl(gpu->system, gpu->fd, TACHO__XE_DEVICE_QUERY, &question) < 0)
		return errno;
	if (question.size > room)
		return ENODATA;
	*out_answer = answer;
	*out_size = question.size;
	return 0;
}

static int ask_revision(struct tacho__arena *arena, struct tacho__intel_gpu *gpu)
{
	const struct tacho__xe_config *config;
	void *answer;
	size_t size;
	int error = ask(arena, gpu, TACHO__XE_QUERY_CONFIG, &answer, &size);

	config = answer;
	if (!error && size >= sizeof(*config) + sizeof(uint64_t) && config->count)
		gpu->device.revision = (uint32_t)(config->info[0] >> 16 & 0xff);
	return error == TACHO_E_NOMEM ? error : 0;
}

/* Keeps the first unit of each type that writes reports. */
static void keep_unit(struct tacho__intel_gpu *gpu, const struct tacho__xe_oa_unit *unit)
{
	struct tacho__xe_unit *kept =
		unit->type == TACHO__XE_OA_UNIT_OAM ? &gpu->media : &gpu->render;

	if (unit->type > TACHO__XE_OA_UNIT_OAM || kept->timestamp_hz ||
	    !(unit->capabilities & TACHO__XE_OA_UNIT_BASE))
		return;
	*kept = (struct tacho__xe_unit){.timestamp_hz = unit->timestamp_hz, .id = unit->id};
	if (!unit->engine_count)
		return;
	kept->class = unit->engines[0].class;
	kept->instance = unit->engines[0].instance;
	kept->gt_id = unit->engines[0].gt_id;
}

static void use_unit(struct tacho__intel_gpu *gpu, const struct tacho__xe_unit *unit)
{
	gpu->unit = *unit;
	gpu->device.timestamp_frequency_hz = unit->timestamp_hz;
	gpu->device.engine_class = unit->class;
	gpu->device.engine_instance = unit->instance;
}

/* The unit that sees the whole render engine is used: all published sets are for it. */
static int ask_units(struct tacho__arena *arena, struct tacho__intel_gpu *gpu)
{
	const struct tacho__xe_oa_units *units;
	const struct tacho__xe_oa_unit *unit;
	const uint8_t *at, *end;
	void *answer;
	size_t size;
	int error = ask(arena, gpu, TACHO__XE_QUERY_OA_UNITS, &answer, &size);

	if (error == TACHO_E_NOMEM)
		return error;
	if (error || size < sizeof(*units))
		return fail_query(gpu, "the OA units", error ? error : ENODATA);
	units = answer;
	at = (const uint8_t *)units->units;
	end = (const uint8_t *)answer + size;
	for (uint32_t i = 0; i < units->count && (size_t)(end - at) >= sizeof(*unit); i++) {
		size_t room = (size_t)(end - at) - sizeof(*unit);

		unit = (const void *)at;
		if (unit->engine_count > room / sizeof(unit->engines[0]))
			break;
		keep_unit(gpu, unit);
		at += sizeof(*unit) + unit->engine_count * sizeof(unit->engines[0]);
	}
	if (!gpu->render.timestamp_hz)
		return tacho__fail(
			TACHO_E_UNSUPPORTED,
			tacho__detail("none of its %u OA units is of the type OAG", units->count),
			"use Linux 6.12 or later", "%s cannot be counted on", gpu->card.name);
	use_unit(gpu, &gpu->render);
	return 0;
}

int tacho__xe_choose_unit(struct tacho__intel_gpu *gpu, const struct tacho_oa_format *format)
{
	uint32_t type = format->xe_format & TACHO__XE_FORMAT_TYPE_MASK;
	int is_media = type == TACHO__XE_FORMAT_OAM || type == TACHO__XE_FORMAT_OAM_MPEC;

	if (is_media && !gpu->media.timestamp_hz)
		return tacho__fail(TACHO_E_UNSUPPORTED,
				   "xe tells of no OA unit of the type OAM, which writes them",
				   "choose a format of the render engine: PEC64u64, for instance",
				   "%s writes no reports %s", gpu->card.name, format->name);
	use_unit(gpu, is_media ? &gpu->media : &gpu->render);
	return 0;
}

static uint32_t count_bits(const uint8_t *mask, size_t size)
{
	uint32_t count = 0;

	for (size_t i = 0; i < size; i++)
		count += (uint32_t)__builtin_popcount(mask[i]);
	return count;
}

/* A mask of the first GT; NULL when there is none. */
static const struct tacho__xe_topology_mask *find_mask(const void *answer, size_t size,
						       uint16_t type)
{
	const struct tacho__xe_topology_mask *mask;
	const uint8_t *at = answer, *end = at + size;

	for (; (size_t)(end - at) >= sizeof(*mask); at += sizeof(*mask) + mask->size_bytes) {
		mask = (const void *)at;
		if (mask->size_bytes > (size_t)(end - at) - sizeof(*mask))
			return NULL;
		if (!mask->gt_id && mask->type == type && mask->size_bytes)
			return mask;
	}
	return NULL;
}

/*
 * xe has no slices: its masks become i915's struct with one slice of that many subslices, which
 * all have the same EUs.
 */
static int make_topology(struct tacho__arena *arena, struct tacho__intel_gpu *gpu,
			 const struct tacho__xe_topology_mask *cores, uint32_t eu_count)
{
	uint32_t core_max = 8 * cores->size_bytes;
	size_t eu_stride = (eu_count + 7) / 8, core_bytes = cores->size_bytes;
	size_t size = TACHO__OA_TOPOLOGY_BYTES + 1 + core_bytes + core_max * eu_stride;
	uint8_t *bytes = tacho__arena_get(arena, size);
	const uint16_t numbers[] = {0,
				    1,
				    (uint16_t)core_max,
				    (uint16_t)eu_count,
				    1,
				    (uint16_t)core_bytes,
				    (uint16_t)(1 + core_bytes),
				    (uint16_t)eu_stride};

	if (!bytes)
		return TACHO_E_NOMEM;
	memcpy(bytes, numbers, sizeof(numbers));
	bytes[TACHO__OA_TOPOLOGY_BYTES] = 1;
	memcpy(bytes + TACHO__OA_TOPOLOGY_BYTES + 1, cores->mask, core_bytes);
	for (uint32_t i = 0; i < core_max * eu_stride; i++) {
		uint32_t left = eu_count - 8 * (uint32_t)(i % eu_stride);

		if (cores->mask[i / eu_stride / 8] >> (i / eu_stride % 8) & 1)
			bytes[TACHO__OA_TOPOLOGY_BYTES + 1 + core_bytes + i] =
				(uint8_t)(left < 8 ? (1u << left) - 1 : 0xff);
	}
	return tacho__oa_topology_parse(bytes, size, &gpu->topology);
}

static int ask_topology(struct tacho__arena *arena, struct tacho__intel_gpu *gpu)
{
	const struct tacho__xe_topology_mask *cores, *eus;
	uint32_t eu_count;
	void *answer;
	size_t size;
	int error = ask(arena, gpu, TACHO__XE_QUERY_TOPOLOGY, &answer, &size);

	if (error)
		return error == TACHO_E_NOMEM ? error : 0;
	cores = find_mask(answer, size, TACHO__XE_TOPOLOGY_COMPUTE);
	if (!cores || !count_bits(cores->mask, cores->size_bytes))
		cores = find_mask(answer, size, TACHO__XE_TOPOLOGY_GEOMETRY);
	eus = find_mask(answer, size, TACHO__XE_TOPOLOGY_EUS_SIMD16);
	if (!eus)
		eus = find_mask(answer, size, TACHO__XE_TOPOLOGY_EUS);
	eu_count = eus ? count_bits(eus->mask, eus->size_bytes) : 0;
	if (!cores || !eu_count || eu_count > EUS_MAX || cores->size_bytes > 32)
		return 0;
	return make_topology(arena, gpu, cores, eu_count);
}

int tacho__xe_ask(struct tacho__arena *arena, struct tacho__intel_gpu *gpu)
{
	int rc = ask_revision(arena, gpu);

	if (!rc)
		rc = ask_units(arena, gpu);
	if (!rc)
		rc = ask_topology(arena, gpu);
	if (!rc && gpu->format->xe_format == UINT32_MAX)
		rc = tacho__fail(TACHO_E_UNSUPPORTED,
				 tacho__detail("its reports are %s, which xe does not have",
					       gpu->format->name),
				 "use the driver i915", "%s cannot be counted on", gpu->card.name);
	gpu->device.format = tacho__oa_get_format_number(TACHO_OA_XE, gpu->format);
	return rc;
}

int tacho__xe_get_clock(const struct tacho__intel_gpu *gpu, uint64_t *out_cpu_ns,
			uint64_t *out_gpu_ticks)
{
	struct tacho__xe_engine_cycles cycles = {
		.engine = {.class = gpu->unit.class,
			   .instance = gpu->unit.instance,
			   .gt_id = gpu->unit.gt_id},
		.clock = CLOCK_MONOTONIC,
	};
	struct tacho__xe_device_query question = {.query = TACHO__XE_QUERY_ENGINE_CYCLES,
						  .size = sizeof(cycles),
						  .data = (uintptr_t)&cycles};

	if (tacho__intel_ioctl(gpu->system, gpu->fd, TACHO__XE_DEVICE_QUERY, &question) < 0)
		return fail_query(gpu, "the clock", errno);
	*out_cpu_ns = cycles.cpu_ns;
	*out_gpu_ticks = cycles.cycles;
	return 0;
}

static int observe(const struct tacho__intel_gpu *gpu, uint64_t operation, void *param)
{
	struct tacho__xe_observation observation = {.type = TACHO__XE_OBSERVATION_OA,
						    .operation = operation,
						    .param = (uintptr_t)param};
	int result = tacho__intel_ioctl(gpu->system, gpu->fd, TACHO__XE_OBSERVATION, &observation);

	return result < 0 ? -errno : result;
}

int64_t tacho__xe_add_config(const struct tacho__intel_gpu *gpu,
			     const struct tacho__intel_registers *registers)
{
	/* One list of all kinds, which lie one after another. */
	struct tacho__xe_oa_config config = {
		.register_count =
			registers->counts[0] + registers->counts[1] + registers->counts[2],
		.registers = (uintptr_t)registers->pairs[0],
	};

	memcpy(config.uuid, registers->guid, sizeof(config.uuid));
	return observe(gpu, TACHO__XE_OBSERVATION_ADD_CONFIG, &config);
}

void tacho__xe_remove_config(const struct tacho__intel_gpu *gpu, uint64_t config)
{
	observe(gpu, TACHO__XE_OBSERVATION_REMOVE_CONFIG, &config);
}

int tacho__xe_open_stream(const struct tacho__intel_gpu *gpu, uint64_t config, uint32_t exponent)
{
	const uint64_t values[][2] = {
		{TACHO__XE_PROPERTY_OA_UNIT, gpu->unit.id},
		{TACHO__XE_PROPERTY_SAMPLE_OA, 1},
		{TACHO__XE_PROPERTY_METRIC_SET, config},
		{TACHO__XE_PROPERTY_FORMAT, gpu->format->xe_format},
		{TACHO__XE_PROPERTY_EXPONENT, exponent},
		{TACHO__XE_PROPERTY_DISABLED, 1},
	};
	struct tacho__xe_property properties[TACHO__ARRAY_SIZE(values)] = {0};

	for (size_t i = 0; i < TACHO__ARRAY_SIZE(values); i++) {
		properties[i].property = (uint32_t)values[i][0];
		properties[i].value = values[i][1];
		if (i + 1 < TACHO__ARRAY_SIZE(values))
			properties[i].next = (uintptr_t)&properties[i + 1];
	}
	return observe(gpu, TACHO__XE_OBSERVATION_OPEN, properties);
}
