/* SPDX-License-Identifier: MIT */
#include "oa/oa_report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <tacho/error.h>
#include <tacho/sys/json.h>

#include "cli.h"
#include "oa/oa.h"

enum {
	HEADER_VALUES = 2,
	PER_LINE = 4,
	REASON_BITS = 7,
	NUMBER_MAX = 20, /* digits of 64 bits */
	ROW_MAX = (TACHO_OA_VALUE_MAX + 8) * (NUMBER_MAX + 1) + 256,
};

/* A report and what its id means. */
struct view {
	struct tacho_oa_report report;
	struct tacho_oa_report_id id;
	uint64_t offset;
	const struct tacho_oa_record *record;
};

/* "timer+context-switch"; "" when no reason is stated. Owned. */
static char *format_reasons(const struct tacho_oa_report_id *id)
{
	char *text = cli_format("%s", "");

	for (uint32_t bit = 0; bit < REASON_BITS; bit++) {
		if (id->reasons >> bit & 1)
			cli_append(&text, "+", "%s", tacho_oa_reason_to_string(1u << bit));
	}
	return text;
}

/* Whether the context's number is one. */
static bool has_context(const struct view *view)
{
	return view->report.context != TACHO_OA_NO_CONTEXT && view->id.context_valid != TACHO_OA_NO;
}

static bool has_value(const struct cli_oa_printer *printer, size_t index)
{
	return printer->counters[index].width_bits > 0;
}

static void print_head(const struct cli_oa_printer *printer, const struct view *view)
{
	const struct tacho_oa_report_id *id = &view->id;
	FILE *stream = printer->stream;
	char *reasons = format_reasons(id);

	fprintf(stream, "report at byte %" PRIu64 ": ", view->offset);
	if (printer->source == TACHO_OA_SOURCE_MI_RPC)
		fprintf(stream, "id 0x%08x", id->caller_id);
	else
		fprintf(stream, "%s", *reasons ? reasons : "no reason stated");
	fprintf(stream, ", time %" PRIu64, view->report.values[0]);
	if (view->record && view->record->time != TACHO_OA_TIME_UNKNOWN)
		fprintf(stream, " (%" PRIu64 " ns)", view->record->cpu_ns);
	if (has_value(printer, 1))
		fprintf(stream, ", clock %" PRIu64, view->report.values[1]);
	if (has_context(view))
		fprintf(stream, ", context 0x%x", view->report.context);
	else
		fputs(", no context", stream);
	if (id->unslice_hz)
		fprintf(stream, ", unslice %.1f MHz", id->unslice_hz / 1e6);
	if (id->slice_hz)
		fprintf(stream, ", slice %.1f MHz%s", id->slice_hz / 1e6,
			id->is_slice_certain ? "" : " (uncertain)");
	if (id->engine)
		fprintf(stream, ", engine %u", id->engine);
	fputc('\n', stream);
	free(reasons);
}

static void print_text(const struct cli_oa_printer *printer, const struct view *view)
{
	size_t on_line = 0;

	print_head(printer, view);
	for (size_t i = HEADER_VALUES; i < printer->format->value_count; i++) {
		const struct tacho_oa_counter *counter = &printer->counters[i];
		bool begins = i == HEADER_VALUES || strcmp(counter->block, counter[-1].block) != 0;

		if (i > HEADER_VALUES && (begins || on_line == PER_LINE)) {
			fputc('\n', printer->stream);
			on_line = 0;
		}
		fprintf(printer->stream, "%*s%-5s %14" PRIu64, on_line ? 2 : 4, "", counter->name,
			view->report.values[i]);
		on_line++;
	}
	fputs("\n\n", printer->stream);
}

/* What a report of this source has for an id. */
static void write_id(const struct cli_oa_printer *printer, const struct view *view,
		     struct tacho_json *json)
{
	tacho_json_add_unsigned(json, "id", view->report.id);
	if (printer->source == TACHO_OA_SOURCE_MI_RPC)
		return;
	tacho_json_begin_array(json, "reasons");
	for (uint32_t bit = 0; bit < REASON_BITS; bit++)
		if (view->id.reasons >> bit & 1)
			tacho_json_add_string(json, NULL, tacho_oa_reason_to_string(1u << bit));
	tacho_json_end(json);
	cli_oa_write_known(json, "context_valid", view->id.context_valid);
	if (printer->gen >= TACHO_OA_GEN12_5)
		tacho_json_add_unsigned(json, "engine", view->id.engine);
	tacho_json_add_known(json, "unslice_hz", view->id.unslice_hz != 0, view->id.unslice_hz);
	tacho_json_add_known(json, "slice_hz", view->id.slice_hz != 0, view->id.slice_hz);
	if (view->id.slice_hz)
		tacho_json_add_bool(json, "slice_is_certain", view->id.is_slice_certain);
}

static void write_json(const struct cli_oa_printer *printer, const struct view *view)
{
	struct tacho_json json;

	tacho_json_init(&json, printer->stream, false);
	tacho_json_begin_object(&json, NULL);
	tacho_json_add_unsigned(&json, "offset", view->offset);
	tacho_json_add_string(&json, "source",
			      printer->source == TACHO_OA_SOURCE_MI_RPC ? "mi-rpc" : "periodic");
	write_id(printer, view, &json);
	tacho_json_add_known(&json, "context", has_context(view), view->report.context);
	if (view->record && view->record->time != TACHO_OA_TIME_UNKNOWN)
		tacho_json_add_unsigned(&json, "cpu_ns", view->record->cpu_ns);
	tacho_json_begin_object(&json, "counters");
	for (size_t i = 0; i < printer->format->value_count; i++)
		if (has_value(printer, i))
			tacho_json_add_unsigned(&json, printer->counters[i].name,
						view->report.values[i]);
	tacho_json_finish(&json);
}

/* A comma and a number, behind `at`; returns where they end. */
static char *add_number(char *at, uint64_t value)
{
	char digits[NUMBER_MAX];
	size_t first = sizeof(digits), size;

	do {
		digits[--first] = (char)('0' + value % 10);
		value /= 10;
	} while (value);
	size = sizeof(digits) - first;
	*at++ = ',';
	memcpy(at, digits + first, size);
	return at + size;
}

/* Recordings have millions of reports: a line is made without the help of printf. */
static void write_csv(const struct cli_oa_printer *printer, const struct view *view)
{
	char line[ROW_MAX], *at = add_number(line, view->offset);
	const char *plus = "";

	at = add_number(at, view->report.id);
	*at++ = ',';
	for (uint32_t bit = 0; bit < REASON_BITS; bit++) {
		if (!(view->id.reasons >> bit & 1))
			continue;
		at = stpcpy(stpcpy(at, plus), tacho_oa_reason_to_string(1u << bit));
		plus = "+";
	}
	if (has_context(view))
		at = add_number(at, view->report.context);
	else
		*at++ = ',';
	for (size_t i = 0; i < printer->format->value_count; i++)
		if (has_value(printer, i))
			at = add_number(at, view->report.values[i]);
	at = stpcpy(at, "\r\n");
	fwrite(line + 1, 1, (size_t)(at - line - 1), printer->stream); /* without the first comma */
}

void cli_oa_printer_begin(struct cli_oa_printer *printer)
{
	for (size_t i = 0; i < printer->format->value_count; i++)
		if (tacho_oa_format_get_counter(printer->format, i, &printer->counters[i]) != 0)
			printer->counters[i] = (struct tacho_oa_counter){0};
	if (*printer->format->caveat)
		cli_warn("format %s: %s", printer->format->name, printer->format->caveat);
	if (printer->style != CLI_OA_CSV)
		return;
	fputs("offset,id,reasons,context", printer->stream);
	for (size_t i = 0; i < printer->format->value_count; i++)
		if (has_value(printer, i))
			fprintf(printer->stream, ",%s", printer->counters[i].name);
	fputs("\r\n", printer->stream);
}

void cli_oa_printer_add(struct cli_oa_printer *printer, const uint8_t *bytes, size_t size,
			uint64_t offset, const struct tacho_oa_record *record)
{
	struct view view = {.offset = offset, .record = record};

	if (!cli_succeeded(tacho_oa_report_decode(printer->format, bytes, size, &view.report))) {
		cli_warn("at byte %" PRIu64 ": %s", offset, tacho_error_last()->message);
		return;
	}
	if (printer->source == TACHO_OA_SOURCE_PERIODIC && tacho_oa_report_is_empty(&view.report)) {
		printer->empty_count++;
		printer->empty_run++;
		return;
	}
	printer->empty_run = 0;
	tacho_oa_report_id_decode(view.report.id, printer->gen, printer->source, &view.id);
	switch (printer->style) {
	case CLI_OA_TEXT: print_text(printer, &view); break;
	case CLI_OA_JSON: write_json(printer, &view); break;
	case CLI_OA_CSV: write_csv(printer, &view); break;
	}
}

void cli_oa_printer_add_lost(struct cli_oa_printer *printer, uint64_t offset, bool is_buffer)
{
	const char *what = is_buffer ? "buffer-lost" : "report-lost";
	struct tacho_json json;

	if (printer->style == CLI_OA_TEXT) {
		fprintf(printer->stream, "lost at byte %" PRIu64 ": %s\n\n", offset,
			is_buffer ? "all reports of a buffer" : "one or more reports");
	} else if (printer->style == CLI_OA_JSON) {
		tacho_json_init(&json, printer->stream, false);
		tacho_json_begin_object(&json, NULL);
		tacho_json_add_unsigned(&json, "offset", offset);
		tacho_json_add_string(&json, "lost", what);
		tacho_json_finish(&json);
	} else {
		cli_warn("at byte %" PRIu64 ": %s", offset, what);
	}
}

void cli_oa_printer_end(struct cli_oa_printer *printer)
{
	cli_oa_warn_count(printer->empty_count,
			  "reports have no id: they had not landed in memory when they were read, "
			  "and were left out");
}
