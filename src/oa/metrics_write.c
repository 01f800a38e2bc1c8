/* SPDX-License-Identifier: MIT */
/* Intervals and their metrics as lines of JSON or CSV. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "oa/metrics.h"
#include "tacho/sys/json.h"

static void add_time(struct tacho_json *json, const char *key, enum tacho_oa_time time,
		     uint64_t cpu_ns)
{
	if (time == TACHO_OA_TIME_UNKNOWN)
		tacho_json_add_null(json, key);
	else
		tacho_json_add_unsigned(json, key, cpu_ns);
}

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
	tacho_json_end(json);
}

void tacho_oa_batch_write_json(const struct tacho_oa_batch *batch, FILE *stream)
{
	for (size_t row = 0; row < batch->count; row++) {
		const struct tacho_oa_interval *interval = &batch->intervals[row];
		struct tacho_json json;

		tacho_json_init(&json, stream, false);
		tacho_json_begin_object(&json, NULL);
		add_time(&json, "cpu_start_ns", interval->start_time, interval->cpu_start_ns);
		add_time(&json, "cpu_end_ns", interval->end_time, interval->cpu_end_ns);
		tacho_json_add_unsigned(&json, "gpu_start", interval->gpu_start_ticks);
		tacho_json_add_unsigned(&json, "gpu_end", interval->gpu_end_ticks);
		if (interval->context == TACHO_OA_NO_CONTEXT)
			tacho_json_add_null(&json, "context");
		else
			tacho_json_add_unsigned(&json, "context", interval->context);
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
	char text[16384];
};

static void flush(struct out *out)
{
	fwrite(out->text, 1, out->size, out->stream);
	out->size = 0;
}

/* Room for a number and what stands around it. */
static char *reserve(struct out *out)
{
	if (out->size + 2 * TACHO__NUMBER_MAX > sizeof(out->text))
		flush(out);
	return out->text + out->size;
}

static void put_char(struct out *out, char c)
{
	*reserve(out) = c;
	out->size++;
}

static void put_text(struct out *out, const char *text)
{
	while (*text)
		put_char(out, *text++);
}

/* A comma and a number. */
static void put_whole(struct out *out, uint64_t value)
{
	char *at = reserve(out);

	*at = ',';
	out->size += 1 + tacho__number_format_whole(value, at + 1);
}

static void put_real(struct out *out, double value)
{
	char *at = reserve(out);

	*at = ',';
	out->size += 1 + (isfinite(value) ? tacho__number_format(value, at + 1) : 0);
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
	struct out out = {.stream = stream};

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

/* A comma, and the number when it is known. */
static void put_known(struct out *out, int is_known, uint64_t value)
{
	if (is_known)
		put_whole(out, value);
	else
		put_char(out, ',');
}

static void put_row(struct out *out, const struct tacho_oa_batch *batch, size_t row)
{
	const struct tacho_oa_interval *interval = &batch->intervals[row];

	if (interval->start_time != TACHO_OA_TIME_UNKNOWN)
		out->size += tacho__number_format_whole(interval->cpu_start_ns, reserve(out));
	put_known(out, interval->end_time != TACHO_OA_TIME_UNKNOWN, interval->cpu_end_ns);
	put_whole(out, interval->gpu_start_ticks);
	put_whole(out, interval->gpu_end_ticks);
	put_known(out, interval->context != TACHO_OA_NO_CONTEXT, interval->context);
	put_char(out, ',');
	put_text(out, get_row_state(batch, row));
	for (size_t i = 0; i < batch->column_count; i++) {
		const struct tacho_column *column = &batch->columns[i];

		if (is_absent(get_state(column, row)))
			put_char(out, ',');
		else if (column->type == TACHO_TYPE_U64)
			put_whole(out, column->data.u64[row]);
		else
			put_real(out, column->data.f64[row]);
	}
	put_text(out, "\r\n");
}

void tacho_oa_batch_write_csv(const struct tacho_oa_batch *batch, FILE *stream)
{
	struct out out = {.stream = stream};

	for (size_t row = 0; row < batch->count; row++)
		put_row(&out, batch, row);
	flush(&out);
}
