/* SPDX-License-Identifier: MIT */
/* Intervals and their metrics as lines of JSON or CSV. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "oa/metrics.h"
#include "tacho/sys/json.h"

static uint8_t get_state(const struct tacho_column *column, size_t row)
{
	return column->states ? column->states[row] : TACHO_STATE_OK;
}

static int is_absent(uint8_t state)
{
	return (state & TACHO_STATE_MASK) == TACHO_STATE_ABSENT;
}

static void add_value(struct tacho_json *json, const struct tacho_column *column, size_t row)
{
	uint8_t state = get_state(column, row);

	tacho_json_begin_object(json, column->name);
	if (is_absent(state))
		tacho_json_add_null(json, "value");
	else if (column->type == TACHO_TYPE_U64)
		tacho_json_add_unsigned(json, "value", column->data.u64[row]);
	else
		tacho_json_add_real(json, "value", column->data.f64[row]);
	tacho_json_add_string(json, "state", tacho_state_to_string(state));
	if (state & TACHO_MARK_DIV0)
		tacho_json_add_bool(json, "div0", true);
	if (state & TACHO_MARK_BELOW0)
		tacho_json_add_string(json, "reason", tacho_column_get_note(column, row, 0));
	tacho_json_end(json);
}

void tacho_oa_batch_write_json(const struct tacho_oa_batch *batch, FILE *stream)
{
	for (size_t row = 0; row < batch->count; row++) {
		const struct tacho_oa_interval *interval = &batch->intervals[row];
		struct tacho_json json;

		tacho_json_init(&json, stream, false);
		tacho_json_begin_object(&json, NULL);
		tacho_json_add_known(&json, "cpu_start_ns",
				     interval->start_time != TACHO_OA_TIME_UNKNOWN,
				     interval->cpu_start_ns);
		tacho_json_add_known(&json, "cpu_end_ns",
				     interval->end_time != TACHO_OA_TIME_UNKNOWN,
				     interval->cpu_end_ns);
		tacho_json_add_unsigned(&json, "gpu_start", interval->gpu_start_ticks);
		tacho_json_add_unsigned(&json, "gpu_end", interval->gpu_end_ticks);
		tacho_json_add_known(&json, "context", interval->context != TACHO_OA_NO_CONTEXT,
				     interval->context);
		tacho_json_begin_object(&json, "values");
		for (size_t i = 0; i < batch->column_count; i++)
			add_value(&json, &batch->columns[i], row);
		tacho_json_finish(&json);
	}
}

/* Text on its way to a stream, in pieces worth a call. */
struct out {
	FILE *stream;
	size_t size;
	char text[65536];
};

/* What begins a row: five numbers and a state. */
enum { HEAD_MAX = 5 * TACHO__NUMBER_MAX + 32 };
/* Cells between two looks at the room that is left. */
enum { CELLS = 64, CELLS_MAX = CELLS * (TACHO__NUMBER_MAX + 1) };

static void flush(struct out *out)
{
	fwrite(out->text, 1, out->size, out->stream);
	out->size = 0;
}

/* Room for `size` characters, which a caller fills up to what it then gives to finish(). */
static char *reserve(struct out *out, size_t size)
{
	if (out->size + size > sizeof(out->text))
		flush(out);
	return out->text + out->size;
}

static void finish(struct out *out, const char *end)
{
	out->size = (size_t)(end - out->text);
}

static void put_text(struct out *out, const char *text)
{
	for (; *text; text++) {
		*reserve(out, 1) = *text;
		out->size++;
	}
}

static void put_quoted(struct out *out, const char *text)
{
	if (!text[strcspn(text, ",\"\r\n")]) {
		put_text(out, text);
		return;
	}
	put_text(out, "\"");
	for (; *text; text++)
		put_text(out, *text == '"' ? "\"\"" : (char[]){*text, '\0'});
	put_text(out, "\"");
}

void tacho_oa_batch_write_csv_header(const struct tacho_oa_batch *batch, FILE *stream)
{
	struct out out;

	out.stream = stream;
	out.size = 0;
	put_text(&out, "cpu_start_ns,cpu_end_ns,gpu_start,gpu_end,context,state");
	for (size_t i = 0; i < batch->column_count; i++) {
		put_text(&out, ",");
		put_quoted(&out, batch->columns[i].name);
	}
	put_text(&out, "\r\n");
	flush(&out);
}

/* The worst state of the values that are there: the cells of others are empty. */
static const char *get_row_state(const struct tacho_oa_batch *batch, size_t row)
{
	uint8_t worst = TACHO_STATE_OK;

	for (size_t i = 0; i < batch->column_count; i++) {
		uint8_t state = get_state(&batch->columns[i], row) & TACHO_STATE_MASK;

		if (!is_absent(state) && state > worst)
			worst = state;
	}
	return tacho_state_to_string(worst);
}

/* Whether some value may have a state other than ok and absent. A note: all of them are absent. */
static int has_states(const struct tacho_oa_batch *batch)
{
	for (size_t i = 0; i < batch->column_count; i++)
		if (batch->columns[i].states && !*batch->columns[i].note)
			return 1;
	return 0;
}

/* The functions below write behind `at`, where there is room, and return where they ended. */

static char *add_known(char *at, int is_known, uint64_t value)
{
	return is_known ? at + tacho__number_format_whole(value, at) : at;
}

static char *add_head(char *at, const struct tacho_oa_interval *interval, const char *state)
{
	at = add_known(at, interval->start_time != TACHO_OA_TIME_UNKNOWN, interval->cpu_start_ns);
	*at++ = ',';
	at = add_known(at, interval->end_time != TACHO_OA_TIME_UNKNOWN, interval->cpu_end_ns);
	*at++ = ',';
	at += tacho__number_format_whole(interval->gpu_start_ticks, at);
	*at++ = ',';
	at += tacho__number_format_whole(interval->gpu_end_ticks, at);
	*at++ = ',';
	at = add_known(at, interval->context != TACHO_OA_NO_CONTEXT, interval->context);
	*at++ = ',';
	while (*state)
		*at++ = *state++;
	return at;
}

/* A comma, and the value if there is one. */
static char *add_cell(char *at, const struct tacho_column *column, size_t row)
{
	*at++ = ',';
	if (is_absent(get_state(column, row)))
		return at;
	if (column->type == TACHO_TYPE_U64)
		return at + tacho__number_format_whole(column->data.u64[row], at);
	if (isfinite(column->data.f64[row]))
		return at + tacho__number_format(column->data.f64[row], at);
	return at;
}

static void put_row(struct out *out, const struct tacho_oa_batch *batch, size_t row,
		    const char *state)
{
	char *at = reserve(out, HEAD_MAX);

	finish(out, add_head(at, &batch->intervals[row], state));
	for (size_t i = 0; i < batch->column_count; i += CELLS) {
		size_t end = batch->column_count - i < CELLS ? batch->column_count : i + CELLS;

		at = reserve(out, CELLS_MAX);
		for (size_t k = i; k < end; k++)
			at = add_cell(at, &batch->columns[k], row);
		finish(out, at);
	}
	put_text(out, "\r\n");
}

void tacho_oa_batch_write_csv(const struct tacho_oa_batch *batch, FILE *stream)
{
	struct out out;
	int is_plain = !has_states(batch);

	out.stream = stream;
	out.size = 0;
	for (size_t row = 0; row < batch->count; row++)
		put_row(&out, batch, row,
			is_plain ? tacho_state_to_string(TACHO_STATE_OK)
				 : get_row_state(batch, row));
	flush(&out);
}
