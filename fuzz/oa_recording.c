/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes recordings of Intel's OA unit: read to their end, with some metrics. What was read is
 * written and read again.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tacho/sys/oa_metrics.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct tacho_catalog *catalog;
static const struct tacho_arch *chv;
static FILE *nowhere;

static void set_up(void)
{
	const struct tacho_catalog_options options = {
		.size = sizeof(options), .arch = "chv", .api = "oa", .no_environment = 1};

	nowhere = fopen("/dev/null", "w");
	if (!nowhere || tacho_catalog_open(&options, &catalog) ||
	    tacho_catalog_find_arch(catalog, "chv", "oa", &chv))
		abort();
}

static void read_metrics(struct tacho_oa_recording *recording, enum tacho_oa_cut cut)
{
	const struct tacho_oa_metrics_options options = {
		.arch = chv,
		.set = "RenderBasic",
		.names = "GpuTime,EuActive,GtiReadThroughput,A0",
		.cut = cut};
	struct tacho_oa_metrics *metrics;
	struct tacho_oa_batch batch;

	if (tacho_oa_metrics_open(recording, &options, &metrics))
		return;
	while (tacho_oa_metrics_next(metrics, &batch) == 1) {
		tacho_oa_batch_write_csv(&batch, nowhere);
		tacho_oa_batch_write_json(&batch, nowhere);
	}
	tacho_oa_metrics_close(metrics);
}

/* Everything but the pairs of clock readings, which are not told. */
static void write_again(struct tacho_oa_recording *recording, FILE *stream)
{
	const struct tacho_oa_device *device = tacho_oa_recording_get_device(recording);
	const struct tacho_oa_topology *topology = tacho_oa_recording_get_topology(recording);
	struct tacho_oa_record record;
	int rc = tacho_oa_recording_write_head(stream, device, topology ? topology->bytes : NULL,
					       topology ? topology->size : 0);

	if (!rc)
		rc = tacho_oa_recording_write_correlation(stream, device->driver, 1, 1);
	while (!rc && tacho_oa_recording_next(recording, &record) == 1)
		rc = record.kind == TACHO_OA_REPORT
			     ? tacho_oa_recording_write_report(stream, record.bytes, record.size)
			     : tacho_oa_recording_write_lost(stream, record.kind);
	if (rc || fflush(stream))
		abort();
}

static void check_device(const struct tacho_oa_recording *first,
			 const struct tacho_oa_recording *second)
{
	const struct tacho_oa_device *one = tacho_oa_recording_get_device(first);
	const struct tacho_oa_device *other = tacho_oa_recording_get_device(second);
	const struct tacho_oa_topology *parts = tacho_oa_recording_get_topology(first);
	const struct tacho_oa_topology *other_parts = tacho_oa_recording_get_topology(second);

	/* Names end in the last byte at the latest: that one is not written. */
	if (one->driver != other->driver || one->device_id != other->device_id ||
	    one->format != other->format ||
	    one->timestamp_frequency_hz != other->timestamp_frequency_hz ||
	    strncmp(one->set_name, other->set_name, sizeof(one->set_name) - 2) != 0 ||
	    strncmp(one->set_guid, other->set_guid, sizeof(one->set_guid) - 2) != 0)
		abort();
	if (!parts != !other_parts || (parts && parts->eu_count != other_parts->eu_count))
		abort();
}

/* Both have been opened just now. */
static void compare(struct tacho_oa_recording *first, struct tacho_oa_recording *second)
{
	struct tacho_oa_record one, other;

	check_device(first, second);
	while (tacho_oa_recording_next(first, &one) == 1) {
		if (tacho_oa_recording_next(second, &other) != 1 || one.kind != other.kind)
			abort();
		if (one.kind == TACHO_OA_REPORT &&
		    (one.size != other.size || memcmp(one.bytes, other.bytes, one.size) != 0))
			abort();
	}
	if (tacho_oa_recording_next(second, &other) != 0)
		abort();
}

static void check_writer(int fd)
{
	struct tacho_oa_recording *first, *second;
	int copy = memfd_create("copy", MFD_CLOEXEC);
	FILE *stream = fdopen(copy, "w");

	if (!stream || lseek(fd, 0, SEEK_SET))
		abort();
	if (tacho_oa_recording_open_fd(fd, "fuzz", &first))
		goto out;
	write_again(first, stream);
	tacho_oa_recording_close(first);
	if (lseek(fd, 0, SEEK_SET) || lseek(copy, 0, SEEK_SET) ||
	    tacho_oa_recording_open_fd(fd, "fuzz", &first) ||
	    tacho_oa_recording_open_fd(copy, "copy", &second))
		abort();
	compare(first, second);
	tacho_oa_recording_close(first);
	tacho_oa_recording_close(second);
out:
	fclose(stream);
}

static void read_all(int fd, int how)
{
	struct tacho_oa_recording *recording;
	struct tacho_oa_record record;

	if (lseek(fd, 0, SEEK_SET) || tacho_oa_recording_open_fd(fd, "fuzz", &recording))
		return;
	if (how < 2)
		read_metrics(recording, how ? TACHO_OA_CUT_REPORT : TACHO_OA_CUT_CONTEXT);
	else
		while (tacho_oa_recording_next(recording, &record) == 1)
			if (record.kind == TACHO_OA_REPORT && !record.size)
				abort();
	tacho_oa_recording_close(recording);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	int fd;

	if (!catalog)
		set_up();
	fd = memfd_create("fuzz", MFD_CLOEXEC);
	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		abort();
	for (int how = 0; how < 3; how++)
		read_all(fd, how);
	check_writer(fd);
	close(fd);
	return 0;
}
