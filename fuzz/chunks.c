/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes the reader of recordings of version 2: the input is split into control.bin and
 * calls-1.bin. Checksums of chunks are made right first, so that what lies behind them is reached;
 * everything that a report would ask for is asked for.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/crc32c.h"
#include "record/chunk.h"
#include "folder.h"
#include "read_recording.h"

static void put(const char *name, const void *bytes, size_t size)
{
	char path[128];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", fuzz_folder.path, name);
	file = fopen(path, "w");
	if (!file)
		abort();
	fwrite(bytes, 1, size, file);
	fclose(file);
}

static void set_up(void)
{
	static const char meta[] = "{\"schema\":\"tacho.meta/1\",\"generator\":\"fuzz\","
				   "\"start\":{\"monotonic_ns\":1}}";

	fuzz_folder_make();
	put("meta.json", meta, sizeof(meta) - 1);
	put("counting.json", fuzz_counting, sizeof(fuzz_counting) - 1);
}

/* Makes a chunk of what begins at `bytes`; returns its size, 0 when there is not enough. */
static uint32_t seal(uint8_t *bytes, size_t size)
{
	struct tacho__chunk_header header;
	uint32_t body;

	if (size < sizeof(header) + 8)
		return 0;
	memcpy(&header, bytes, sizeof(header));
	body = (uint32_t)(size - sizeof(header)) & ~7u;
	if (body > TACHO__CHUNK_MAX - sizeof(header))
		body = TACHO__CHUNK_MAX - sizeof(header);
	header.slots %= body / (uint32_t)sizeof(struct tacho__slot) + 1;
	body -= header.slots * (uint32_t)sizeof(struct tacho__slot);
	header.payload_bytes %= body + 1;
	header.magic = TACHO__CHUNK_MAGIC;
	header.version = TACHO__CHUNK_VERSION;
	header.header_bytes = sizeof(header);
	header.bytes = (uint32_t)sizeof(header) + ((header.payload_bytes + 7) & ~7u) +
		       header.slots * (uint32_t)sizeof(struct tacho__slot);
	header.recording = 0;
	header.payload_crc = tacho__crc32c(0, bytes + sizeof(header), header.payload_bytes);
	header.header_crc =
		tacho__crc32c(0, &header, offsetof(struct tacho__chunk_header, header_crc));
	memcpy(bytes, &header, sizeof(header));
	return header.bytes;
}

static void put_chunks(const char *name, uint8_t *bytes, size_t size)
{
	uint32_t chunk;

	for (size_t at = 0; (chunk = seal(bytes + at, size - at)); at += chunk)
		;
	put(name, bytes, size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static int ready;
	uint32_t control;
	uint8_t *copy;

	if (!ready++)
		set_up();
	if (size < sizeof(control))
		return 0;
	memcpy(&control, data, sizeof(control));
	size -= sizeof(control);
	copy = malloc(size + 1);
	if (!copy)
		abort();
	memcpy(copy, data + sizeof(control), size);
	control %= (uint32_t)size + 1;
	put_chunks("control.bin", copy, control);
	put_chunks("calls-1.bin", copy + control, size - control);
	free(copy);
	fuzz_read_recording(fuzz_folder.path);
	return 0;
}
