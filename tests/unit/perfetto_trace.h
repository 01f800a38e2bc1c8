/* SPDX-License-Identifier: MIT */
/* A recording as a trace for Perfetto, read back. */
#ifndef PERFETTO_TRACE_H
#define PERFETTO_TRACE_H

#include "perfetto_decoder.h"
#include "sample_recording.h"

struct decoded *export_trace(struct fake_recording *recording);
void check_time(const struct decoded_event *event, uint64_t start_ns, uint64_t end_ns);

#define HAS(event, note)                                                                  \
	do {                                                                              \
		if (!decoded_has(event, note))                                            \
			fail_msg("%s: no %s in %s", (event)->name, note, (event)->notes); \
	} while (0)

#endif
