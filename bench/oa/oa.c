/* SPDX-License-Identifier: MIT */
/*
 * Measures Intel OA reports: decoded and accumulated in memory, against reading the same memory;
 * and the metrics of a recording. Prints Markdown for RESULTS.md.
 *
 *	oa RECORDING [ROUNDS]
 *	oa --decode RECORDING
 *
 * The recording is one of chv. Each figure is the median of ROUNDS rounds (default 5). --decode
 *does nothing but read a recording, with the time of each report and its values, for others to
 *measure.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "oa/report.h"
#include "tacho/error.h"
#include "tacho/sys/oa_metrics.h"

enum { ROUNDS_MAX = 99, MEMORY_BYTES = 256 << 20, REPORT_BYTES = 256 };

static size_t rounds = 5;

static void die(const char *what)
{
	const struct tacho_error_detail *detail = tacho_error_last();

	fprintf(stderr, "oa: %s: %s %s\n", what, detail->message, detail->cause);
	exit(1);
}

static double now_s(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

static double median(double *values)
{
	qsort(values, rounds, sizeof(*values), compare);
	return values[rounds / 2];
}

/* Fills memory with reports, one after another, from the recording's first ones. */
static uint8_t *read_reports(const char *path)
{
	uint8_t *memory = malloc(MEMORY_BYTES);
	struct tacho_oa_recording *recording;
	struct tacho_oa_record record;
	size_t size = 0;

	if (!memory || tacho_oa_recording_open(path, &recording))
		die(path);
	while (size < MEMORY_BYTES && tacho_oa_recording_next(recording, &record) == 1) {
		if (record.kind != TACHO_OA_REPORT || record.size != REPORT_BYTES)
			continue;
		memcpy(memory + size, record.bytes, REPORT_BYTES);
		size += REPORT_BYTES;
	}
	tacho_oa_recording_close(recording);
	if (!size)
		die("no reports");
	for (size_t whole = size; size < MEMORY_BYTES; size += REPORT_BYTES)
		memcpy(memory + size, memory + size % whole, REPORT_BYTES);
	return memory;
}

static double read_memory(const uint8_t *memory)
{
	const uint64_t *words = (const uint64_t *)memory;
	uint64_t sums[8] = {0};
	double begin = now_s(), took;

	for (size_t i = 0; i < MEMORY_BYTES / 8; i += 8)
		for (size_t j = 0; j < 8; j++)
			sums[j] += words[i + j];
	took = now_s() - begin;
	for (size_t j = 1; j < 8; j++)
		sums[0] += sums[j];
	if (sums[0] == 1)
		puts("");
	return took;
}

static double accumulate(const uint8_t *memory)
{
	const struct tacho_oa_format *format = tacho_oa_format_get_usual(TACHO_OA_GEN8);
	const struct tacho_oa_limits limits = {12500000, 600000000, 16};
	struct tacho_oa_report reports[2];
	struct tacho_oa_sums sums = {0};
	double begin = now_s(), took;

	tacho__oa_report_decode(format, memory, &reports[0]);
	for (size_t i = 1; i < MEMORY_BYTES / REPORT_BYTES; i++) {
		tacho__oa_report_decode(format, memory + i * REPORT_BYTES, &reports[i % 2]);
		tacho_oa_sums_add(format, &limits, &reports[(i + 1) % 2], &reports[i % 2], 0,
				  &sums);
	}
	took = now_s() - begin;
	if (sums.interval_count != MEMORY_BYTES / REPORT_BYTES - 1)
		die("reports are missing");
	return took;
}

static const struct tacho_arch *open_chv(struct tacho_catalog **out_catalog)
{
	const struct tacho_catalog_options options = {
		.size = sizeof(options), .arch = "chv", .api = "oa", .no_environment = 1};
	const struct tacho_arch *arch;

	if (tacho_catalog_open(&options, out_catalog) ||
	    tacho_catalog_find_arch(*out_catalog, "chv", "oa", &arch))
		die("chv");
	return arch;
}

/* All metrics from each report to the next. */
static double work_out(const char *path, const struct tacho_arch *arch, size_t *out_intervals)
{
	const struct tacho_oa_metrics_options options = {.arch = arch, .cut = TACHO_OA_CUT_REPORT};
	struct tacho_oa_recording *recording;
	struct tacho_oa_metrics *metrics;
	struct tacho_oa_batch batch;
	size_t intervals = 0;
	double begin, took;
	int rc;

	if (tacho_oa_recording_open(path, &recording) ||
	    tacho_oa_metrics_open(recording, &options, &metrics))
		die(path);
	begin = now_s();
	while ((rc = tacho_oa_metrics_next(metrics, &batch)) == 1)
		intervals += batch.count;
	took = now_s() - begin;
	if (rc)
		die(path);
	tacho_oa_metrics_close(metrics);
	tacho_oa_recording_close(recording);
	*out_intervals = intervals;
	return took;
}

/* Returns the exit status. */
static int decode(const char *path)
{
	const struct tacho_oa_format *format = tacho_oa_format_get_usual(TACHO_OA_GEN8);
	struct tacho_oa_recording *recording;
	struct tacho_oa_record record;
	struct tacho_oa_report report;
	uint64_t sum = 0, count = 0;
	int rc;

	if (tacho_oa_recording_open(path, &recording))
		die(path);
	while ((rc = tacho_oa_recording_next(recording, &record)) == 1) {
		if (record.kind != TACHO_OA_REPORT ||
		    tacho_oa_report_decode(format, record.bytes, record.size, &report))
			continue;
		count++;
		sum += record.cpu_ns + report.values[count % format->value_count];
	}
	tacho_oa_recording_close(recording);
	if (rc)
		die(path);
	printf("%llu reports, checksum %llx\n", (unsigned long long)count, (unsigned long long)sum);
	return 0;
}

int main(int argc, char **argv)
{
	double memory_s[ROUNDS_MAX], accumulate_s[ROUNDS_MAX], metrics_s[ROUNDS_MAX];
	const double gib = MEMORY_BYTES / 1e9, reports = MEMORY_BYTES / (double)REPORT_BYTES;
	struct tacho_catalog *catalog;
	const struct tacho_arch *arch;
	size_t intervals = 0;
	double read_at, accumulate_at;
	uint8_t *memory;

	if (argc == 3 && !strcmp(argv[1], "--decode"))
		return decode(argv[2]);
	if (argc > 2)
		rounds = strtoul(argv[2], NULL, 10);
	if (argc < 2 || rounds < 1 || rounds > ROUNDS_MAX) {
		fprintf(stderr, "usage: oa RECORDING [ROUNDS] | --decode RECORDING\n");
		return 2;
	}
	arch = open_chv(&catalog);
	memory = read_reports(argv[1]);
	for (size_t i = 0; i < rounds; i++) {
		memory_s[i] = read_memory(memory);
		accumulate_s[i] = accumulate(memory);
		metrics_s[i] = work_out(argv[1], arch, &intervals);
	}
	read_at = gib / median(memory_s);
	accumulate_at = gib / median(accumulate_s);
	printf("| in memory, one core | GB/s | million reports/s | of reading "
	       "|\n|---|---|---|---|\n");
	printf("| reading it once | %.2f | | 100 %% |\n", read_at);
	printf("| reports decoded and accumulated | %.2f | %.2f | %.0f %% |\n", accumulate_at,
	       reports * accumulate_at / gib / 1e6, 100 * accumulate_at / read_at);
	printf("\nAll metrics of RenderBasic, from each report of a recording to the next: "
	       "%.2f million reports/s.\n",
	       (double)intervals / median(metrics_s) / 1e6);
	free(memory);
	tacho_catalog_close(catalog);
	return 0;
}
