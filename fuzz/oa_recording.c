/* SPDX-License-Identifier: MIT */
/* Fuzzes recordings of Intel's OA unit: read to their end, with some metrics. */
#include <stdlib.h>
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
		.size = sizeof(options),
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
	close(fd);
	return 0;
}
