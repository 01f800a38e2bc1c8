/* SPDX-License-Identifier: MIT */
/* Recordings written as i915-perf-recorder and xe-perf-recorder do. */
#include <errno.h>
#include <stdio.h>

#include "base/error.h"
#include "oa/oa_recording.h"

static void put16(uint8_t *at, uint16_t value)
{
	memcpy(at, &value, sizeof(value));
}

static void put32(uint8_t *at, uint32_t value)
{
	memcpy(at, &value, sizeof(value));
}

static void put64(uint8_t *at, uint64_t value)
{
	memcpy(at, &value, sizeof(value));
}

static int write_bytes(FILE *stream, const void *bytes, size_t size)
{
	if (fwrite(bytes, 1, size, stream) == size)
		return 0;
	return tacho__fail_errno(TACHO_E_IO, errno, "", "cannot write the recording");
}

static int write_record(FILE *stream, uint32_t type, const void *body, size_t size, size_t padding)
{
	static const uint8_t zeros[8];
	uint8_t header[TACHO__OA_HEADER_BYTES] = {0};
	size_t whole = sizeof(header) + size + padding;
	int rc;

	if (whole > TACHO__OA_RECORD_MAX)
		return tacho__fail(TACHO_E_INVAL,
				   tacho__detail("%zu bytes, and a record has at most %d", whole,
						 TACHO__OA_RECORD_MAX),
				   "", "the record does not fit into a recording");
	put32(header, type);
	put16(header + 6, (uint16_t)whole);
	rc = write_bytes(stream, header, sizeof(header));
	if (!rc && size)
		rc = write_bytes(stream, body, size);
	if (!rc && padding)
		rc = write_bytes(stream, zeros, padding);
	return rc;
}

static void pack_device(const struct tacho_oa_device *device, uint8_t *body)
{
	memset(body, 0, TACHO__OA_DEVICE_BYTES);
	put64(body + TACHO__OA_DEVICE_FREQUENCY, device->timestamp_frequency_hz);
	put32(body + TACHO__OA_DEVICE_ID, device->device_id);
	put32(body + TACHO__OA_DEVICE_REVISION, device->revision);
	put32(body + TACHO__OA_DEVICE_MIN_FREQUENCY, device->min_frequency_hz);
	put32(body + TACHO__OA_DEVICE_MAX_FREQUENCY, device->max_frequency_hz);
	put32(body + TACHO__OA_DEVICE_ENGINE_CLASS, device->engine_class);
	put32(body + TACHO__OA_DEVICE_ENGINE_INSTANCE, device->engine_instance);
	put32(body + TACHO__OA_DEVICE_FORMAT, device->format);
	memcpy(body + TACHO__OA_DEVICE_SET_NAME, device->set_name,
	       strnlen(device->set_name, TACHO__OA_DEVICE_SET_NAME_BYTES - 1));
	memcpy(body + TACHO__OA_DEVICE_SET_GUID, device->set_guid,
	       strnlen(device->set_guid, TACHO__OA_DEVICE_SET_GUID_BYTES - 1));
}

/* A recorder's own type of record. */
static uint32_t number(enum tacho_oa_driver driver, enum tacho__oa_type type)
{
	return driver == TACHO_OA_XE
		       ? TACHO__XE_TYPE_VERSION + (uint32_t)type - TACHO__OA_TYPE_VERSION
		       : (uint32_t)type;
}

int tacho_oa_recording_write_head(FILE *stream, const struct tacho_oa_device *device,
				  const void *topology, size_t topology_size)
{
	uint8_t version[TACHO__OA_VERSION_BYTES] = {0}, body[TACHO__OA_DEVICE_BYTES];
	int rc;

	put32(version, TACHO__OA_VERSION);
	pack_device(device, body);
	rc = write_record(stream, number(device->driver, TACHO__OA_TYPE_VERSION), version,
			  sizeof(version), 0);
	if (!rc)
		rc = write_record(stream, number(device->driver, TACHO__OA_TYPE_DEVICE), body,
				  sizeof(body), 0);
	/* A driver that does not tell it; readers take an empty one for damage. */
	if (!rc && topology_size)
		rc = write_record(stream, number(device->driver, TACHO__OA_TYPE_TOPOLOGY), topology,
				  topology_size, -topology_size % 8);
	return rc;
}

int tacho_oa_recording_write_correlation(FILE *stream, enum tacho_oa_driver driver, uint64_t cpu_ns,
					 uint64_t gpu_ticks)
{
	uint8_t body[TACHO__OA_CORRELATION_BYTES];

	put64(body, cpu_ns);
	put64(body + 8, gpu_ticks);
	return write_record(stream, number(driver, TACHO__OA_TYPE_CORRELATION), body, sizeof(body),
			    0);
}

int tacho_oa_recording_write_report(FILE *stream, const void *report, size_t size)
{
	return write_record(stream, TACHO__OA_TYPE_SAMPLE, report, size, 0);
}

int tacho_oa_recording_write_lost(FILE *stream, enum tacho_oa_record_kind kind)
{
	if (kind != TACHO_OA_REPORT_LOST && kind != TACHO_OA_BUFFER_LOST)
		return tacho__fail(TACHO_E_INVAL, "", "name a record of lost reports",
				   "record kind %d says nothing about lost reports", (int)kind);
	return write_record(stream,
			    kind == TACHO_OA_REPORT_LOST ? TACHO__OA_TYPE_REPORT_LOST
							 : TACHO__OA_TYPE_BUFFER_LOST,
			    NULL, 0, 0);
}
