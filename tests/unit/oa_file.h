/* SPDX-License-Identifier: MIT */
/* Recordings of Intel's OA unit made byte by byte, in memory. */
#ifndef OA_FILE_H
#define OA_FILE_H

#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tacho/sys/oa_recording.h"

enum { FILE_MAX = 1 << 16, REPORT_BYTES = 256 };

struct file {
	uint8_t bytes[FILE_MAX];
	size_t size;
};

static inline void put(struct file *file, const void *bytes, size_t size)
{
	assert_true(file->size + size <= sizeof(file->bytes));
	if (size)
		memcpy(file->bytes + file->size, bytes, size);
	file->size += size;
}

static inline void put_number(struct file *file, uint64_t value, size_t size)
{
	put(file, &value, size); /* little endian */
}

static inline void put_record(struct file *file, uint32_t type, const void *body, size_t size)
{
	put_number(file, type, 4);
	put_number(file, 0, 2);
	put_number(file, 8 + size, 2);
	put(file, body, size);
}

static inline void put_version(struct file *file, uint32_t type, uint32_t version)
{
	const uint32_t body[2] = {version, 0};

	put_record(file, type, body, sizeof(body));
}

static inline void put_device(struct file *file, uint32_t type, uint32_t device_id, uint32_t format,
			      const char *set, const char *guid)
{
	uint8_t body[336] = {0};
	const uint64_t frequency = 12500000;
	const uint32_t numbers[] = {device_id, 33, 300000000, 600000000, 0, 0, format};

	memcpy(body, &frequency, sizeof(frequency));
	memcpy(body + 8, numbers, sizeof(numbers));
	memcpy(body + 36, set, strlen(set));
	memcpy(body + 292, guid, strlen(guid));
	put_record(file, type, body, sizeof(body));
}

/* One slice of two subslices with eight EUs each, all there: a Braswell with 16 EUs. */
static inline void put_topology(struct file *file, uint32_t type)
{
	static const uint8_t body[24] = {0, 0, 1, 0, 2, 0, 8,	 0,    1, 0, 1, 0,
					 2, 0, 1, 0, 1, 3, 0xff, 0xff, 0, 0, 0, 0};

	put_record(file, type, body, sizeof(body));
}

static inline void put_pair(struct file *file, uint64_t cpu_ns, uint64_t gpu_ticks)
{
	const uint64_t body[2] = {cpu_ns, gpu_ticks};

	put_record(file, 65539, body, sizeof(body));
}

/* A report with a reason, and a timestamp. */
static inline void put_report(struct file *file, uint32_t ticks)
{
	uint32_t body[REPORT_BYTES / 4] = {1u << 19, ticks};

	put_record(file, 1, body, sizeof(body));
}

static inline void put_head(struct file *file)
{
	put_version(file, 65536, 1);
	put_device(file, 65537, 0x22b1, 10, "RenderBasic", "9d8a3af5-c02c-4a4a-b947-f1672469e0fb");
	put_topology(file, 65538);
}

/* Only one at a time. */
static inline int open_file(const struct file *file, struct tacho_oa_recording **out_recording)
{
	static int fd = -1;

	if (fd >= 0)
		close(fd);
	fd = memfd_create("recording", MFD_CLOEXEC);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, file->bytes, file->size), file->size);
	assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
	return tacho_oa_recording_open_fd(fd, "a.rec", out_recording);
}

#endif
