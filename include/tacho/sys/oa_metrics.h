/* SPDX-License-Identifier: MIT */
/*
 * Metrics of an OA recording, interval by interval. For the command and tests: no ABI promise.
 */
#ifndef TACHO_SYS_OA_METRICS_H
#define TACHO_SYS_OA_METRICS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <tacho/catalog.h>
#include <tacho/export.h>
#include <tacho/oa.h>
#include <tacho/result.h>
#include <tacho/sys/oa_recording.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The architecture of a device, as definitions name it: "chv"; "" when it is not known. Static. */
TACHO_API const char *tacho_oa_device_get_arch(const struct tacho_oa_device *device);
/*
 * The format of a device's reports: the recorded one, or the usual one of the generation when that
 * is none of it. NULL when there is none.
 */
TACHO_API const struct tacho_oa_format *
tacho_oa_device_get_format(const struct tacho_oa_device *device, enum tacho_oa_gen gen);

/* Where one interval ends and the next begins. */
enum tacho_oa_cut {
	TACHO_OA_CUT_CONTEXT, /* where the GPU changes to another context, or to none */
	TACHO_OA_CUT_REPORT,  /* at each report */
};

struct tacho_oa_metrics_options {
	const struct tacho_arch *arch;
	const char *set; /* NULL: the recording's */
	/*
	 * What to work out: a list as tacho_config_parse() takes it, of symbols of the set and of
	 * raw counters. NULL: all of the set.
	 */
	const char *names;
	enum tacho_oa_cut cut;
	bool strict; /* a division by zero makes a value absent */
	/* Variables of equations that the recording does not tell, or tells wrongly. */
	const struct tacho_property *variables;
	size_t variable_count;
};

/* The time between two reports. */
struct tacho_oa_interval {
	uint64_t gpu_start_ticks, gpu_end_ticks;
	uint64_t cpu_start_ns, cpu_end_ns;
	enum tacho_oa_time start_time, end_time;
	uint32_t context; /* that ran; TACHO_OA_NO_CONTEXT: none, or not known */
};

/* Some intervals, one after another: the rows of the columns, one column for each metric. */
struct tacho_oa_batch {
	const struct tacho_oa_interval *intervals;
	size_t count;
	const struct tacho_column *columns; /* named by symbols; a note says why one is absent */
	size_t column_count;
};

struct tacho_oa_metrics;

/*
 * Prepares to work metrics out of a recording that was opened and not read yet, and outlives this.
 * NOTFOUND for a set, name or variable that the architecture does not have; UNSUPPORTED when
 * reports of the recording have no known layout; INVAL, NOMEM. Owned; free with
 * tacho_oa_metrics_close().
 */
TACHO_API int tacho_oa_metrics_open(struct tacho_oa_recording *recording,
				    const struct tacho_oa_metrics_options *options,
				    struct tacho_oa_metrics **out_metrics);
TACHO_API void tacho_oa_metrics_close(struct tacho_oa_metrics *metrics);

TACHO_API const struct tacho_set *tacho_oa_metrics_get_set(const struct tacho_oa_metrics *metrics);

/*
 * The next intervals: 1 and *out_batch, borrowed until the next move; 0 at the end; negative on
 * error, after the intervals before it. Memory does not grow with the recording.
 */
TACHO_API int tacho_oa_metrics_next(struct tacho_oa_metrics *metrics,
				    struct tacho_oa_batch *out_batch);
/*
 * Reports so far that were passed over: those that had not landed in memory when they were read,
 * and those that are older than the one before.
 */
TACHO_API uint64_t tacho_oa_metrics_get_skipped_count(const struct tacho_oa_metrics *metrics);

/* One JSON object a line for each interval of a batch. */
TACHO_API void tacho_oa_batch_write_json(const struct tacho_oa_batch *batch, FILE *stream);
/* Rows of RFC 4180; the first line names the columns. Errors of the stream stay in it. */
TACHO_API void tacho_oa_batch_write_csv_header(const struct tacho_oa_batch *batch, FILE *stream);
TACHO_API void tacho_oa_batch_write_csv(const struct tacho_oa_batch *batch, FILE *stream);

#ifdef __cplusplus
}
#endif

#endif
