/* SPDX-License-Identifier: MIT */
/* Traces of PyTorch's profiler: events with the arguments that are of use. */
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "format/foreign/foreign_csv.h"
#include "format/foreign/kineto.h"

static const struct {
	const char *category;
	enum tacho__kineto_sort sort;
} sorts[] = {
	{"cpu_op", TACHO__KINETO_OPERATOR},
	{"cuda_runtime", TACHO__KINETO_CALL},
	{"kernel", TACHO__KINETO_KERNEL},
	{"ac2g", TACHO__KINETO_QUIET},
	{"cuda_driver", TACHO__KINETO_CALL},
	{"gpu_memcpy", TACHO__KINETO_COPY},
	{"gpu_memset", TACHO__KINETO_FILL},
	{"user_annotation", TACHO__KINETO_RANGE},
	{"gpu_user_annotation", TACHO__KINETO_QUIET},
	{"cuda_profiler_range", TACHO__KINETO_COUNTED},
	{"fwdbwd", TACHO__KINETO_QUIET},
	{"Trace", TACHO__KINETO_QUIET},
	/* 2021 */
	{"Operator", TACHO__KINETO_OPERATOR},
	{"Runtime", TACHO__KINETO_CALL},
	{"Kernel", TACHO__KINETO_KERNEL},
	{"Memcpy", TACHO__KINETO_COPY},
	{"Memset", TACHO__KINETO_FILL},
	{"async", TACHO__KINETO_QUIET},
	{"async_cpu_to_gpu", TACHO__KINETO_QUIET},
	{"async_gpu", TACHO__KINETO_QUIET},
	{"forward_backward", TACHO__KINETO_QUIET},
};

enum tacho__kineto_sort tacho__kineto_sort_of(const char *category)
{
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(sorts); i++)
		if (!strcmp(sorts[i].category, category))
			return sorts[i].sort;
	return TACHO__KINETO_OTHER;
}

static bool is_metadata(const struct tacho__foreign_chrome_event *event)
{
	return event->phase == 'M' && !strcmp(tacho__buf_text(&event->name), "process_name");
}

/* Where the category comes behind the arguments, these may be needed. */
static bool wants(void *user, const struct tacho__foreign_chrome_event *event)
{
	if (event->phase && event->phase != 'X')
		return is_metadata(event) || (event->phase == 'M' && !event->name.size);
	if (!event->category.size)
		return true;
	switch (tacho__kineto_sort_of(event->category.text)) {
	case TACHO__KINETO_CALL:
	case TACHO__KINETO_KERNEL:
	case TACHO__KINETO_COPY:
	case TACHO__KINETO_FILL:
	case TACHO__KINETO_COUNTED: return true;
	default: return false;
	}
}

/* ---- arguments ---- */

static int take_number(struct tacho__kineto *kineto, uint64_t *into, bool *out_has)
{
	enum tacho__foreign_json_piece piece;
	int rc = tacho__foreign_json_next(&kineto->json, &piece);

	if (rc)
		return rc;
	if (piece != TACHO__FOREIGN_JSON_STRING && piece != TACHO__FOREIGN_JSON_NUMBER)
		return tacho__foreign_json_skip(&kineto->json, piece);
	*out_has = tacho__foreign_csv_unsigned(kineto->json.text, into);
	return 0;
}

/* Three numbers. */
static int take_size(struct tacho__kineto *kineto, uint64_t into[3], bool *out_has)
{
	enum tacho__foreign_json_piece piece;
	int rc = tacho__foreign_json_next(&kineto->json, &piece), count = 0;
	bool is_whole = true;

	if (rc || piece != TACHO__FOREIGN_JSON_ARRAY)
		return rc ? rc : tacho__foreign_json_skip(&kineto->json, piece);
	while (!(rc = tacho__foreign_json_next(&kineto->json, &piece)) &&
	       piece != TACHO__FOREIGN_JSON_ARRAY_END) {
		is_whole &= count < 3 && piece == TACHO__FOREIGN_JSON_NUMBER &&
			    tacho__foreign_csv_unsigned(kineto->json.text, &into[count++]);
		rc = tacho__foreign_json_skip(&kineto->json, piece);
		if (rc)
			return rc;
	}
	*out_has = !rc && is_whole && count == 3;
	return rc;
}

static int take_label(struct tacho__kineto *kineto)
{
	enum tacho__foreign_json_piece piece;
	int rc = tacho__foreign_json_next(&kineto->json, &piece);

	if (rc || piece != TACHO__FOREIGN_JSON_STRING)
		return rc ? rc : tacho__foreign_json_skip(&kineto->json, piece);
	tacho__buf_put(&kineto->arguments.label, kineto->json.text);
	return kineto->arguments.label.failed ? TACHO_E_NOMEM : 0;
}

/* Any other number: the name and the text are kept. */
static int take_counter(struct tacho__kineto *kineto)
{
	struct tacho__buf *numbers = &kineto->arguments.numbers;
	size_t before = numbers->size;
	enum tacho__foreign_json_piece piece;
	int rc;

	tacho__buf_add(numbers, kineto->json.text, kineto->json.text_size + 1);
	rc = tacho__foreign_json_next(&kineto->json, &piece);
	if (rc)
		return rc;
	if (piece == TACHO__FOREIGN_JSON_NUMBER)
		tacho__buf_add(numbers, kineto->json.text, kineto->json.text_size + 1);
	else
		numbers->size = before;
	return numbers->failed ? TACHO_E_NOMEM : tacho__foreign_json_skip(&kineto->json, piece);
}

enum { NUMBERS_MAX = 256 * 1024 };

static bool may_count(const struct tacho__kineto *kineto,
		      const struct tacho__foreign_chrome_event *event)
{
	return kineto->arguments.numbers.size < NUMBERS_MAX &&
	       (!event->category.size ||
		tacho__kineto_sort_of(event->category.text) == TACHO__KINETO_COUNTED);
}

static int take_argument(void *user, const struct tacho__foreign_chrome_event *event)
{
	struct tacho__kineto *kineto = user;
	struct tacho__kineto_arguments *into = &kineto->arguments;
	const struct tacho__foreign_json *json = &kineto->json;

	if (tacho__foreign_json_is(json, "correlation"))
		return take_number(kineto, &into->correlation, &into->has_correlation);
	if (tacho__foreign_json_is(json, "device"))
		return take_number(kineto, &into->device, &into->has_device);
	if (tacho__foreign_json_is(json, "stream"))
		return take_number(kineto, &into->stream, &into->has_stream);
	if (tacho__foreign_json_is(json, "context"))
		return take_number(kineto, &into->context, &into->has_context);
	if (tacho__foreign_json_is(json, "grid"))
		return take_size(kineto, into->grid, &into->has_grid);
	if (tacho__foreign_json_is(json, "block"))
		return take_size(kineto, into->block, &into->has_block);
	if (tacho__foreign_json_is(json, "registers per thread"))
		return take_number(kineto, &into->registers, &into->has_registers);
	if (tacho__foreign_json_is(json, "shared memory"))
		return take_number(kineto, &into->shared, &into->has_shared);
	if (tacho__foreign_json_is(json, "bytes") || tacho__foreign_json_is(json, "size"))
		return take_number(kineto, &into->bytes, &into->has_bytes);
	if (tacho__foreign_json_is(json, "name") && event->phase != 'X')
		return take_label(kineto);
	if (may_count(kineto, event))
		return take_counter(kineto);
	return tacho__foreign_json_skip(&kineto->json, TACHO__FOREIGN_JSON_KEY);
}

static void clear(struct tacho__kineto_arguments *arguments)
{
	struct tacho__buf label = arguments->label, numbers = arguments->numbers;

	tacho__buf_clear(&label);
	tacho__buf_clear(&numbers);
	*arguments = (struct tacho__kineto_arguments){.label = label, .numbers = numbers};
}

void tacho__kineto_begin_events(struct tacho__kineto *kineto)
{
	kineto->chrome.json = &kineto->json;
	kineto->chrome.user = kineto;
	kineto->chrome.phases = "XM";
	kineto->chrome.wants = wants;
	kineto->chrome.take = take_argument;
}

int tacho__kineto_next(struct tacho__kineto *kineto, bool *out_is_one)
{
	clear(&kineto->arguments);
	return tacho__foreign_chrome_next(&kineto->chrome, out_is_one);
}
