/* SPDX-License-Identifier: MIT */
/*
 * Recordings of Intel's OA unit as i915-perf-recorder and xe-perf-recorder write them. For the
 * command and tests: no ABI promise.
 */
#ifndef TACHO_SYS_OA_RECORDING_H
#define TACHO_SYS_OA_RECORDING_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <tacho/export.h>

#ifdef __cplusplus
extern "C" {
#endif

enum tacho_oa_driver { TACHO_OA_I915, TACHO_OA_XE };

/* What a recording says about the device and what was programmed. */
struct tacho_oa_device {
	enum tacho_oa_driver driver;
	uint64_t timestamp_frequency_hz; /* of the reports' timestamps; 0: not known */
	uint32_t device_id, revision;
	uint32_t min_frequency_hz, max_frequency_hz;
	uint32_t engine_class, engine_instance;
	uint32_t format; /* of the reports: i915's enum drm_i915_oa_format; IGT's numbers for xe */
	char set_name[257], set_guid[41];
};

/* Which parts the device has: the kernel's struct drm_i915_query_topology_info. */
struct tacho_oa_topology {
	uint32_t max_slices, max_subslices, max_eus; /* per device, slice, subslice */
	uint32_t slice_count, subslice_count, eu_count;
	uint64_t slice_mask;
	const uint8_t *bytes; /* the whole struct; borrowed from the recording */
	size_t size;
};

/* 1 when this subslice exists and is not fused off. */
TACHO_API int tacho_oa_topology_has_subslice(const struct tacho_oa_topology *topology,
					     uint32_t slice, uint32_t subslice);

/* How the time of a report on the CPU's clock is known. */
enum tacho_oa_time {
	TACHO_OA_TIME_UNKNOWN,	    /* no pair of clock readings was recorded */
	TACHO_OA_TIME_EXTRAPOLATED, /* the report lies outside of the pairs that were read */
	TACHO_OA_TIME_INTERPOLATED, /* between two pairs */
};

enum tacho_oa_record_kind {
	TACHO_OA_REPORT,
	TACHO_OA_REPORT_LOST, /* one or more reports before the next one were not written */
	TACHO_OA_BUFFER_LOST, /* all reports that were not yet read were thrown away */
};

struct tacho_oa_record {
	enum tacho_oa_record_kind kind;
	uint64_t offset; /* of the record's header in the file */
	/* Of a report; borrowed, valid until the next move. */
	const uint8_t *bytes;
	size_t size;
	uint64_t gpu_ticks; /* its timestamp; what ran over its 32 bits was added */
	uint64_t cpu_ns;    /* on the clock that the recorder was told to use: CLOCK_MONOTONIC */
	enum tacho_oa_time time;
};

struct tacho_oa_recording;

/*
 * Opens a recording; "-" is standard input. Everything before the first report is read. PARSE: it
 * is none, or it is malformed before the first report, with the byte; VERSION; NOTFOUND, PERM, IO,
 * NOMEM. Owned; free with tacho_oa_recording_close().
 */
TACHO_API int tacho_oa_recording_open(const char *path, struct tacho_oa_recording **out_recording);
/* The same from an open file, which stays the caller's; `name` is for messages. */
TACHO_API int tacho_oa_recording_open_fd(int fd, const char *name,
					 struct tacho_oa_recording **out_recording);
TACHO_API void tacho_oa_recording_close(struct tacho_oa_recording *recording);

/* Borrowed. */
TACHO_API const struct tacho_oa_device *
tacho_oa_recording_get_device(const struct tacho_oa_recording *recording);
/* NULL when the recording has none. */
TACHO_API const struct tacho_oa_topology *
tacho_oa_recording_get_topology(const struct tacho_oa_recording *recording);

/*
 * Moves to the next record: 1 and *out_record, 0 at the end, negative on error, and from then on
 * again. What was before a malformed place has been delivered; the error names its byte: PARSE, IO,
 * NOMEM. Memory does not grow with the recording.
 */
TACHO_API int tacho_oa_recording_next(struct tacho_oa_recording *recording,
				      struct tacho_oa_record *out_record);

/* What was met so far. */
struct tacho_oa_counts {
	uint64_t reports, reports_lost, buffers_lost; /* the latter two: records that say so */
	uint64_t correlations;			      /* pairs of clock readings */
	uint64_t odd_correlations;		      /* pairs that go back in time: not used */
	uint64_t unknown; /* records of a type that nobody knows: passed over */
};

TACHO_API const struct tacho_oa_counts *
tacho_oa_recording_get_counts(const struct tacho_oa_recording *recording);

/*
 * True when these first bytes of a file, 8 are enough, begin a recording rather than raw reports.
 */
TACHO_API int tacho_oa_recording_is(const uint8_t *bytes, size_t size);

/*
 * Writing, byte for byte as the recorder of the device's driver does: the head (version, device,
 * topology), a pair of clock readings, then reports, with a pair every second and at the end.
 * `topology` is the kernel's struct, padded here to 8 bytes; of size 0 it is left out. INVAL for
 * what does not fit into a record, IO.
 */
TACHO_API int tacho_oa_recording_write_head(FILE *stream, const struct tacho_oa_device *device,
					    const void *topology, size_t topology_size);
TACHO_API int tacho_oa_recording_write_correlation(FILE *stream, enum tacho_oa_driver driver,
						   uint64_t cpu_ns, uint64_t gpu_ticks);
TACHO_API int tacho_oa_recording_write_report(FILE *stream, const void *report, size_t size);
/* TACHO_OA_REPORT_LOST or TACHO_OA_BUFFER_LOST. */
TACHO_API int tacho_oa_recording_write_lost(FILE *stream, enum tacho_oa_record_kind kind);

#ifdef __cplusplus
}
#endif

#endif
