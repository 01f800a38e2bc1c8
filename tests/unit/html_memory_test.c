/* SPDX-License-Identifier: MIT */
/* Memory of devices on the page: those that nothing ran on, and heaps beyond the tracks. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "sample_recording.h"
#include "tacho/sys/report.h"
#include "tacho/tacho.h"

static int gather(void *text, const void *bytes, size_t size)
{
	tacho__buf_add(text, bytes, size);
	return 0;
}

static char *make_page(struct fake_recording *recording)
{
	static const struct tacho_export_options options = {.size = sizeof(options), .partial = 1};
	struct tacho__buf text = {0};
	const struct tacho_sink sink = {gather, &text};

	assert_int_equal(
		tacho_recording_export_to(fake_recording(recording), "html", &sink, &options), 0);
	assert_false(text.failed);
	return text.text;
}

/* One that is asked only, and one that memory was taken of. */
static void test_idle_devices(void **state)
{
	struct fake_recording recording = *sample_vadd();
	const struct fake_object *objects[16];
	struct fake_object asked = {
		.object = {.kind = TACHO_OBJECT_DEVICE,
			   .id = 8,
			   .name = "only asked",
			   .process = &recording.processes[0]},
		.attributes = {{"memory_heap_0", "size=9000 local=1 used=0 peak=0 allocations=0"}}};
	struct fake_object held = asked;
	struct tacho_summary *summary;
	char *page;

	held.object.id = 9;
	held.object.name = "only held";
	held.attributes[0].value = "size=9000 local=1 used=0 peak=4096 allocations=3";
	memcpy(objects, recording.objects, recording.object_count * sizeof(*objects));
	objects[recording.object_count] = &asked;
	objects[recording.object_count + 1] = &held;
	recording.objects = objects;
	recording.object_count += 2;
	assert_int_equal(tacho_summary_create(fake_recording(&recording), &summary), 0);
	assert_null(tacho_summary_get_device(summary, 1));
	assert_ptr_equal(tacho_report_get_memory_device(summary, 0), &held.object);
	assert_null(tacho_report_get_memory_device(summary, 1));
	tacho_summary_destroy(summary);
	page = make_page(&recording);
	assert_non_null(strstr(page, "<a href=\"#memory\">"));
	assert_non_null(strstr(page, "<span class=\"name\">only held</span></th><td>0</td>"));
	assert_non_null(strstr(page, "data-v=\"4096\""));
	assert_null(strstr(page, "only asked"));
	free(page);
}

/* There is room for 64 tracks. */
static void test_many_heaps(void **state)
{
	enum { HEAPS = 70 };
	struct fake_recording recording = *sample_vadd();
	const struct tacho_object device = {.kind = TACHO_OBJECT_DEVICE,
					    .id = 7,
					    .name = "big",
					    .process = recording.processes};
	struct fake_memory memory[2 * HEAPS];
	char *page;

	for (uint32_t i = 0; i < 2 * HEAPS; i++)
		memory[i] =
			(struct fake_memory){&device,
					     recording.run.start_ns + 1 + i,
					     {.heap = i % HEAPS, .type = -1, .used_bytes = i + 1},
					     0};
	recording.memory = memory;
	recording.memory_count = 64;
	page = make_page(&recording);
	assert_non_null(strstr(page, "memory of heap 63"));
	assert_null(strstr(page, "Not drawn"));
	free(page);
	recording.memory_count = sizeof(memory) / sizeof(memory[0]);
	page = make_page(&recording);
	assert_non_null(strstr(page, " Not drawn: memory of 6 more heaps."));
	assert_null(strstr(page, "memory of heap 64"));
	free(page);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_idle_devices),
		cmocka_unit_test(test_many_heaps),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
