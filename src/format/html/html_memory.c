/* SPDX-License-Identifier: MIT */
/* Memory that the program allocated of devices: a table, and a track in the timeline for each heap.
 */
#include <inttypes.h>
#include <stdio.h>

#include "base/error.h"
#include "format/html/html.h"
#include "format/html/html_timeline.h"
#include "tacho/sys/report.h"
#include "tacho/sys/units.h"

/* ---- the table ---- */

bool tacho__html_has_memory(const struct tacho__html *page)
{
	return tacho_report_get_memory_device(page->summary, 0) != NULL;
}

static void put_bytes(FILE *stream, uint64_t bytes)
{
	char text[TACHO_UNITS_MAX];

	tacho__html_put_number(stream, bytes, tacho_units_bytes(text, bytes));
}

static void put_row(FILE *stream, const struct tacho_object *device,
		    const struct tacho_device_memory *memory)
{
	bool is_heap = memory->type < 0;
	char text[TACHO_UNITS_MAX];

	tacho__html_print(stream,
			  "<tr><th scope=\"row\"><span class=\"name\">%s</span></th><td>%" PRIu32
			  "</td>",
			  device->name, memory->heap);
	if (is_heap)
		fputs("<td>all</td>", stream);
	else
		fprintf(stream, "<td>%" PRIi32 "</td>", memory->type);
	put_bytes(stream, memory->peak_bytes);
	put_bytes(stream, memory->used_bytes);
	tacho__html_put_number(stream, memory->allocations,
			       tacho_units_count(text, memory->allocations));
	if (is_heap)
		put_bytes(stream, memory->size_bytes);
	else
		fputs("<td></td>", stream);
	fprintf(stream, "<td>%s</td></tr>\n",
		is_heap ? memory->is_local ? "the device's" : ""
			: (memory->is_host_visible ? "the host can map it" : ""));
}

/* Allocations that found no place where they are counted. */
static void put_unknown(FILE *stream, const struct tacho_object *device)
{
	const char *count = device ? tacho_object_get(device, "memory_unknown") : NULL;

	if (count)
		tacho__html_print(stream,
				  "<p><b>%s</b> %s further allocations were not followed</p>\n",
				  device->name, count);
}

void tacho__html_put_memory(const struct tacho__html *page)
{
	static const char *const names[] = {"device", "heap", "type"};
	static const char *const titles[] = {"peak", "at the end", "allocations", "size"};
	static const char *const notes[] = {"of it"};
	const struct tacho_object *device;
	struct tacho_device_memory memory;
	FILE *stream = page->stream;

	if (!tacho__html_has_memory(page))
		return;
	tacho__html_begin_section(page, "memory", "Memory");
	fputs("<div class=\"scroll\" tabindex=\"0\" role=\"group\" "
	      "aria-labelledby=\"memory-title\">\n<table class=\"data\">\n<caption>that the "
	      "program allocated, as it told last</caption>\n<thead><tr>",
	      stream);
	tacho__html_put_titles(stream, false, names, 3);
	tacho__html_put_titles(stream, true, titles, 4);
	tacho__html_put_titles(stream, false, notes, 1);
	fputs("</tr></thead>\n<tbody>\n", stream);
	for (size_t i = 0; (device = tacho_report_get_memory_device(page->summary, i)); i++)
		for (size_t k = 0; tacho_object_get_memory(device, k, &memory); k++)
			put_row(stream, device, &memory);
	fputs("</tbody></table></div>\n", stream);
	for (size_t i = 0; (device = tacho_report_get_memory_device(page->summary, i)); i++)
		put_unknown(stream, device);
	fputs("</section>\n", stream);
}

/* ---- the tracks ---- */

enum { HEAP_PARTS = 640 }; /* of what a page holds one heap may fill one */

static int end_level(struct tacho__timeline_heap *heap, uint64_t end_ns)
{
	const uint8_t state = TACHO_STATE_OK;
	const struct tacho__html_series_row row = {.start_ns = heap->since_ns,
						   .time_ns = end_ns - heap->since_ns};

	if (end_ns <= heap->since_ns)
		return 0;
	return tacho__html_series_add(&heap->series, &row, &heap->used_bytes, &state);
}

/* Pointers leave the upper 16 bits free. */
static uint64_t heap_key(const struct tacho_object *device, uint32_t number)
{
	return (uintptr_t)device ^ (uint64_t)(number + 1) << 48;
}

/* NULL: there is no room for one more. */
static struct tacho__timeline_heap *find_heap(struct tacho__timeline *timeline,
					      const struct tacho_object *device, uint32_t number)
{
	struct tacho__timeline_heap *heap = timeline->heaps;
	struct tacho__buf *text = &timeline->scratch;

	for (; heap < timeline->heaps + timeline->heap_count; heap++)
		if (heap->device == device && heap->number == number)
			return heap;
	if (timeline->heap_count == TACHO__TIMELINE_HEAPS_MAX) {
		timeline->rc = tacho__map_set(&timeline->heaps_left, heap_key(device, number),
					      (void *)device);
		return NULL;
	}
	tacho__buf_clear(text);
	tacho__buf_printf(text, "memory of heap %" PRIu32, number);
	*heap = (struct tacho__timeline_heap){
		.device = device,
		.number = number,
		.series = {.kind = "windows",
			   .label = device->name,
			   .values_max = timeline->store_max / HEAP_PARTS,
			   .column_count = 1}};
	heap->series.columns[0] = (struct tacho__html_series_column){
		.name = tacho__arena_string(&timeline->arena, tacho__buf_text(text)),
		.unit = "bytes"};
	if (text->failed || !heap->series.columns[0].name) {
		timeline->rc = TACHO_E_NOMEM;
		return NULL;
	}
	timeline->heap_count++;
	return heap;
}

void tacho__timeline_add_memory(void *user, const struct tacho_object *device, uint64_t time_ns,
				const struct tacho_device_memory *memory)
{
	struct tacho__timeline *timeline = user;
	struct tacho__timeline_heap *heap;

	if (timeline->rc || memory->type >= 0 || !time_ns)
		return;
	if (!timeline->has_any || time_ns < timeline->first_ns)
		timeline->first_ns = time_ns;
	if (!timeline->has_any || time_ns > timeline->last_ns)
		timeline->last_ns = time_ns;
	timeline->has_any = true;
	heap = find_heap(timeline, device, memory->heap);
	if (!heap || (heap->since_ns && heap->used_bytes == (double)memory->used_bytes))
		return;
	if (heap->since_ns)
		timeline->rc = end_level(heap, time_ns);
	heap->since_ns = time_ns;
	heap->used_bytes = (double)memory->used_bytes;
}

int tacho__timeline_write_memory(struct tacho__timeline *timeline)
{
	int rc = 0;

	for (size_t i = 0; i < timeline->heap_count && !rc; i++) {
		rc = end_level(&timeline->heaps[i], timeline->last_ns);
		if (!rc)
			rc = tacho__html_series_write(&timeline->heaps[i].series, &timeline->store);
	}
	return rc;
}
