/* SPDX-License-Identifier: MIT */
/*
 * The records of a recording: a type, two bytes of nothing, a size with these 8 bytes of header,
 * then the body. Little endian. Types 1 to 3 are the kernel's, the rest the recorder's.
 */
#ifndef TACHO_OA_RECORDING_H
#define TACHO_OA_RECORDING_H

#include <string.h>

#include "tacho/oa.h"
#include "tacho/sys/oa_recording.h"

enum {
	TACHO__OA_HEADER_BYTES = 8,
	TACHO__OA_RECORD_MAX = 0xffff,
	TACHO__OA_VERSION = 1,
	TACHO__OA_VERSION_BYTES = 8,
	TACHO__OA_DEVICE_BYTES = 336,
	TACHO__OA_TOPOLOGY_BYTES = 16, /* before its masks */
	TACHO__OA_CORRELATION_BYTES = 16,
};

/* i915's numbers. xe's recorder numbers its own records on from the kernel's: from 4 on. */
enum tacho__oa_type {
	TACHO__OA_TYPE_UNKNOWN = 0,
	TACHO__OA_TYPE_SAMPLE = 1,
	TACHO__OA_TYPE_REPORT_LOST = 2,
	TACHO__OA_TYPE_BUFFER_LOST = 3,
	TACHO__OA_TYPE_VERSION = 65536,
	TACHO__OA_TYPE_DEVICE = 65537,
	TACHO__OA_TYPE_TOPOLOGY = 65538,
	TACHO__OA_TYPE_CORRELATION = 65539,

	TACHO__XE_TYPE_VERSION = 4,
	TACHO__XE_TYPE_CORRELATION = 7,
};

/* Offsets in the body of a DEVICE record. */
enum {
	TACHO__OA_DEVICE_FREQUENCY = 0,
	TACHO__OA_DEVICE_ID = 8,
	TACHO__OA_DEVICE_REVISION = 12,
	TACHO__OA_DEVICE_MIN_FREQUENCY = 16,
	TACHO__OA_DEVICE_MAX_FREQUENCY = 20,
	TACHO__OA_DEVICE_ENGINE_CLASS = 24,
	TACHO__OA_DEVICE_ENGINE_INSTANCE = 28,
	TACHO__OA_DEVICE_FORMAT = 32,
	TACHO__OA_DEVICE_SET_NAME = 36,
	TACHO__OA_DEVICE_SET_NAME_BYTES = 256,
	TACHO__OA_DEVICE_SET_GUID = 292,
	TACHO__OA_DEVICE_SET_GUID_BYTES = 40,
};

static inline uint16_t tacho__oa_get16(const uint8_t *at)
{
	uint16_t value;

	memcpy(&value, at, sizeof(value));
	return value;
}

static inline uint32_t tacho__oa_get32(const uint8_t *at)
{
	uint32_t value;

	memcpy(&value, at, sizeof(value));
	return value;
}

static inline uint64_t tacho__oa_get64(const uint8_t *at)
{
	uint64_t value;

	memcpy(&value, at, sizeof(value));
	return value;
}

/*
 * The number by which recordings of a driver name a format: struct tacho_oa_device.format. 0: they
 * have none for it.
 */
uint32_t tacho__oa_get_format_number(enum tacho_oa_driver driver,
				     const struct tacho_oa_format *format);

/*
 * The parts that a topology names. PARSE, with the error's cause but no place, when its masks do
 * not lie inside. `bytes` is borrowed.
 */
int tacho__oa_topology_parse(const uint8_t *bytes, size_t size,
			     struct tacho_oa_topology *out_topology);

#endif
