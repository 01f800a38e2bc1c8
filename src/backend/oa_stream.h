/* SPDX-License-Identifier: MIT */
/* What backends with an OA unit give for streams of its reports. */
#ifndef TACHO_BACKEND_OA_STREAM_H
#define TACHO_BACKEND_OA_STREAM_H

#include "backend/backend.h"
#include "tacho/sys/oa_stream.h"

/* First in each backend's own struct. */
struct tacho_oa_stream {
	const struct tacho__oa_stream_kind *kind;
	struct tacho_oa_device device;
	struct tacho_oa_topology topology;
	uint64_t period_ns;
};

struct tacho__oa_stream_kind {
	void (*close)(struct tacho_oa_stream *stream);
	int (*get_clock)(struct tacho_oa_stream *stream, uint64_t *out_cpu_ns,
			 uint64_t *out_gpu_ticks);
	int (*next)(struct tacho_oa_stream *stream, int timeout_ms,
		    struct tacho_oa_record *out_record);
	const char *(*get_note)(struct tacho_oa_stream *stream); /* optional */
};

/* format NULL: the usual one. */
int tacho__intel_open_oa(struct tacho_device *device, const struct tacho_set *set,
			 uint64_t period_ns, const char *format,
			 struct tacho_oa_stream **out_stream);
/* UNSUPPORTED for a device of another vendor. */
int tacho__sim_open_oa(struct tacho_device *device, const struct tacho_set *set, uint64_t period_ns,
		       struct tacho_oa_stream **out_stream);

#endif
