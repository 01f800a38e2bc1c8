/* SPDX-License-Identifier: MIT */
/* Memory that a program allocated of a device, in the trace for Perfetto. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "perfetto_decoder.h"
#include "perfetto_trace.h"

enum { START = 1000000100000 };

/* The samples of a track as "TIME=VALUE ", times from START on. */
static void list_samples(const struct decoded *trace, const struct decoded_track *track, char *out,
			 size_t size)
{
	size_t used = 0;

	*out = '\0';
	for (size_t i = 0; i < trace->event_count; i++) {
		const struct decoded_event *event = &trace->events[i];

		if (event->kind == DECODED_SAMPLE && event->track == track && used < size)
			used += (size_t)snprintf(out + used, size - used, "%llu=%.0f ",
						 (unsigned long long)(event->start_ns - START),
						 event->value);
	}
}

/* Two heaps, a type of the first, and what is told again as it was. */
static void test_tracks(void **state)
{
	const struct tacho_object device = {.kind = TACHO_OBJECT_DEVICE,
					    .id = 7,
					    .name = "big",
					    .process = &sample_vadd()->processes[0]};
	const struct fake_memory memory[] = {
		{&device, START, {.heap = 0, .type = -1, .used_bytes = 4096}, 0},
		{&device, START, {.heap = 0, .type = 2, .used_bytes = 100}, 0},
		{&device, START + 10, {.heap = 0, .type = -1, .used_bytes = 4096}, 1},
		{&device, START + 10, {.heap = 1, .type = -1, .used_bytes = 50}, 1},
		{&device, START + 30, {.heap = 0, .type = -1, .used_bytes = 0}, 1},
	};
	struct fake_recording recording = *sample_vadd();
	const struct decoded_track *heap;
	struct decoded *trace;
	char samples[256];

	(void)state;
	recording.memory = memory;
	recording.memory_count = sizeof(memory) / sizeof(memory[0]);
	trace = export_trace(&recording);
	heap = decoded_track(trace, "memory of heap 0");
	assert_int_equal(heap->parent_uuid, decoded_track(trace, "big (device 7)")->uuid);
	assert_true(heap->is_counter);
	assert_int_equal(heap->unit, 3); /* bytes */
	list_samples(trace, heap, samples, sizeof(samples));
	assert_string_equal(samples, "0=4096 30=0 ");
	list_samples(trace, decoded_track(trace, "memory of heap 1"), samples, sizeof(samples));
	assert_string_equal(samples, "10=50 ");
	free(trace);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_tracks)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
