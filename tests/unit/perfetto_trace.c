/* SPDX-License-Identifier: MIT */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "perfetto_decoder.h"
#include "sample_recording.h"
#include "tacho/tacho.h"
#include "test_folder.h"
#include "perfetto_trace.h"

struct decoded *export_trace(struct fake_recording *recording)
{
	static const struct tacho_export_options options = {.size = sizeof(options), .partial = 1};
	struct decoded *trace;
	struct folder folder;

	folder_make(&folder);
	assert_int_equal(tacho_recording_export(fake_recording(recording), "perfetto",
						folder_name(&folder, "x"), &options),
			 0);
	trace = decode_trace(folder_name(&folder, "x.pftrace"));
	assert_int_equal(folder_count(&folder), 1);
	folder_remove(&folder);
	return trace;
}

void check_time(const struct decoded_event *event, uint64_t start_ns, uint64_t end_ns)
{
	assert_int_equal(event->kind, DECODED_SLICE);
	assert_int_equal(event->start_ns, start_ns);
	assert_int_equal(event->end_ns, end_ns);
}
