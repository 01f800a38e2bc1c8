/* SPDX-License-Identifier: MIT */
/*
 * Reports of an OA unit as they are written, of a real GPU or a simulated one. For the command and
 * tests: no ABI promise.
 */
#ifndef TACHO_SYS_OA_STREAM_H
#define TACHO_SYS_OA_STREAM_H

#include <stddef.h>
#include <stdint.h>

#include <tacho/export.h>
#include <tacho/session.h>
#include <tacho/sys/oa_recording.h>

#ifdef __cplusplus
extern "C" {
#endif

struct tacho_oa_stream;

struct tacho_oa_stream_options {
	const char *set;    /* name or GUID; NULL: the architecture's first */
	uint64_t period_ns; /* between two reports of the timer: the nearest that there is */
	const char *format; /* of the reports; NULL: the usual one of the generation */
};

/*
 * Programs the set and begins. Everything that can be known before fails here: UNSUPPORTED for a
 * unit without OA, for a format that the driver cannot express, and on a simulated GPU for a set
 * whose start trigger can never fire; NOTFOUND for a set or a format, PERM, BUSY, NODEVICE. The
 * unit must outlive it. Owned; free with tacho_oa_stream_close().
 */
TACHO_API int tacho_oa_stream_open(struct tacho_device *device,
				   const struct tacho_oa_stream_options *options,
				   struct tacho_oa_stream **out_stream);
TACHO_API void tacho_oa_stream_close(struct tacho_oa_stream *stream);

/* With the set that was programmed. Borrowed. */
TACHO_API const struct tacho_oa_device *
tacho_oa_stream_get_device(const struct tacho_oa_stream *stream);
/* Its size is 0 when the driver does not tell. Borrowed. */
TACHO_API const struct tacho_oa_topology *
tacho_oa_stream_get_topology(const struct tacho_oa_stream *stream);
/* The period that there is, in ns, rounded up. */
TACHO_API uint64_t tacho_oa_stream_get_period_ns(const struct tacho_oa_stream *stream);

/*
 * CLOCK_MONOTONIC and the GPU's timestamp at one moment. A simulated GPU's time begins when the
 * stream is opened, and passes as the machine's does. UNSUPPORTED, LOST.
 */
TACHO_API int tacho_oa_stream_get_clock(struct tacho_oa_stream *stream, uint64_t *out_cpu_ns,
					uint64_t *out_gpu_ticks);

/*
 * The next record: 1 and *out_record, with its kind and bytes only, borrowed until the next call; 0
 * when none came within the time. LOST when the GPU is gone, IO.
 */
TACHO_API int tacho_oa_stream_next(struct tacho_oa_stream *stream, int timeout_ms,
				   struct tacho_oa_record *out_record);

/*
 * Why reports that the set asks for did not come so far: a trigger of a simulated GPU that has not
 * fired; or how many records of a driver were of unknown types. "" when there is nothing to say.
 * Borrowed until the next call.
 */
TACHO_API const char *tacho_oa_stream_get_note(struct tacho_oa_stream *stream);

#ifdef __cplusplus
}
#endif

#endif
