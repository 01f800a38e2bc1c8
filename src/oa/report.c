/* SPDX-License-Identifier: MIT */
/* Reports, decoded and encoded by their layout. */
#include "oa/report.h"

#include <endian.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "oa/avx2.h"

#ifndef __clang__ /* which vectorizes as it is */
#pragma GCC optimize("O3")
#endif

enum {
	/* Offsets of the short headers, in bytes; the wide one has twice these. */
	AT_ID = 0,
	AT_TIMESTAMP = 4,
	AT_CONTEXT = 8,
	AT_CLOCK = 12,
};

static const char *const block_names[] = {"A", "B", "C", "PEC", "R"};

static uint32_t read32(const uint8_t *bytes)
{
	uint32_t value;

	memcpy(&value, bytes, sizeof(value));
	return le32toh(value);
}

static uint64_t read64(const uint8_t *bytes)
{
	uint64_t value;

	memcpy(&value, bytes, sizeof(value));
	return le64toh(value);
}

static void write32(uint8_t *bytes, uint64_t value)
{
	uint32_t low = htole32((uint32_t)value);

	memcpy(bytes, &low, sizeof(low));
}

static void write64(uint8_t *bytes, uint64_t value)
{
	value = htole64(value);
	memcpy(bytes, &value, sizeof(value));
}

static void decode_header(enum tacho__oa_header header, const uint8_t *bytes,
			  struct tacho_oa_report *report)
{
	report->id = read32(bytes + AT_ID);
	if (header == TACHO__OA_HEADER_WIDE) {
		report->context = read32(bytes + 2 * AT_CONTEXT);
		report->values[0] =
			read64(bytes + 2 * AT_TIMESTAMP) & ((1ull << TACHO__OA_WIDE_TIME_BITS) - 1);
		report->values[1] = read64(bytes + 2 * AT_CLOCK);
		return;
	}
	report->context = read32(bytes + AT_CONTEXT);
	report->values[0] = read32(bytes + AT_TIMESTAMP);
	report->values[1] = header == TACHO__OA_HEADER_CLOCK ? read32(bytes + AT_CLOCK) : 0;
}

void tacho__oa_decode_runs(const struct tacho__oa_run *run, const uint8_t *bytes,
			   uint64_t *restrict values)
{
	for (; run->count; run++) {
		const uint8_t *low = bytes + run->offset, *high = bytes + run->high;
		size_t count = run->count;

		switch (run->width_bits) {
		case 64:
			for (size_t i = 0; i < count; i++)
				values[i] = read64(low + 8 * i);
			break;
		case 40:
			for (size_t i = 0; i < count; i++)
				values[i] = (uint64_t)high[i] << 32 | read32(low + 4 * i);
			break;
		default:
			for (size_t i = 0; i < count; i++)
				values[i] = read32(low + 4 * i);
		}
		values += count;
	}
}

void tacho__oa_report_decode(const struct tacho_oa_format *format, const void *bytes,
			     struct tacho_oa_report *out_report)
{
	const struct tacho__oa_layout *layout = tacho__oa_layout(format);
	uint64_t *values = out_report->values + TACHO__OA_HEADER_VALUES;

	decode_header(layout->header, bytes, out_report);
	if (tacho__oa_has_avx2())
		tacho__oa_decode_runs_avx2(layout->runs, bytes, values);
	else
		tacho__oa_decode_runs(layout->runs, bytes, values);
}

int tacho_oa_report_decode(const struct tacho_oa_format *format, const void *bytes, size_t size,
			   struct tacho_oa_report *out_report)
{
	if (!format || !bytes || !out_report)
		return tacho__fail_null(__func__);
	if (size < format->size_bytes)
		return tacho__fail(
			TACHO_E_PARSE,
			tacho__detail("there are %zu bytes of %u", size, format->size_bytes),
			"choose the format that the reports were written in",
			"a report of format %s is cut off", format->name);
	tacho__oa_report_decode(format, bytes, out_report);
	return 0;
}

int tacho_oa_report_is_empty(const struct tacho_oa_report *report)
{
	if (!report)
		return 0;
	return report->id == 0;
}

static void encode_header(enum tacho__oa_header header, const struct tacho_oa_report *report,
			  uint8_t *bytes)
{
	write32(bytes + AT_ID, report->id);
	if (header == TACHO__OA_HEADER_WIDE) {
		write64(bytes + 2 * AT_TIMESTAMP,
			report->values[0] & ((1ull << TACHO__OA_WIDE_TIME_BITS) - 1));
		write32(bytes + 2 * AT_CONTEXT, report->context);
		write64(bytes + 2 * AT_CLOCK, report->values[1]);
		return;
	}
	write32(bytes + AT_TIMESTAMP, report->values[0]);
	write32(bytes + AT_CONTEXT, report->context);
	if (header == TACHO__OA_HEADER_CLOCK)
		write32(bytes + AT_CLOCK, report->values[1]);
}

void tacho__oa_report_encode(const struct tacho_oa_format *format,
			     const struct tacho_oa_report *report, void *out_bytes)
{
	const struct tacho__oa_layout *layout = tacho__oa_layout(format);
	const uint64_t *values = report->values + TACHO__OA_HEADER_VALUES;
	uint8_t *bytes = out_bytes;

	memset(bytes, 0, format->size_bytes);
	encode_header(layout->header, report, bytes);
	for (const struct tacho__oa_run *run = layout->runs; run->count; run++) {
		for (size_t i = 0; i < run->count; i++) {
			if (run->width_bits == 64)
				write64(bytes + run->offset + 8 * i, values[i]);
			else
				write32(bytes + run->offset + 4 * i, values[i]);
			if (run->width_bits == 40)
				bytes[run->high + i] = (uint8_t)(values[i] >> 32);
		}
		values += run->count;
	}
}

/* The run of value `index` and its place there; NULL for the header's values and past the last. */
static const struct tacho__oa_run *find_run(const struct tacho_oa_format *format, size_t index,
					    size_t *out_place)
{
	size_t first = TACHO__OA_HEADER_VALUES;

	for (const struct tacho__oa_run *run = tacho__oa_layout(format)->runs;
	     run->count && index >= first; run++) {
		if (index < first + run->count) {
			*out_place = index - first;
			return run;
		}
		first += run->count;
	}
	return NULL;
}

uint32_t tacho__oa_width(const struct tacho_oa_format *format, size_t index)
{
	const struct tacho__oa_run *run;
	size_t place;

	if (index < TACHO__OA_HEADER_VALUES)
		return index ? tacho__oa_clock_bits(format) : tacho__oa_time_bits(format);
	run = find_run(format, index, &place);
	return run ? run->width_bits : 0;
}

int tacho_oa_format_get_counter(const struct tacho_oa_format *format, size_t index,
				struct tacho_oa_counter *out_counter)
{
	struct tacho_oa_counter counter = {0};
	const struct tacho__oa_run *run;
	size_t place;

	if (!format || !out_counter)
		return tacho__fail_null(__func__);
	if (index >= format->value_count)
		return tacho__fail(
			TACHO_E_INVAL, tacho__detail("it has %u values", format->value_count),
			"ask for less", "format %s has no value %zu", format->name, index);
	counter.width_bits = tacho__oa_width(format, index);
	run = find_run(format, index, &place);
	if (!run) {
		strcpy(counter.name, index ? "GPU_CLOCK" : "GPU_TIME");
	} else {
		counter.number = run->first + (uint32_t)place;
		strcpy(counter.block, block_names[run->block]);
		snprintf(counter.name, sizeof(counter.name), "%s%u", counter.block, counter.number);
		counter.is_undefined = run->block == TACHO__OA_A && counter.number < 64 &&
				       tacho__oa_layout(format)->undefined_a >> counter.number & 1;
	}
	*out_counter = counter;
	return 0;
}

int tacho_oa_format_find_counter(const struct tacho_oa_format *format, const char *name)
{
	struct tacho_oa_counter counter;

	if (!format || !name)
		return -1;
	for (size_t i = 0; i < format->value_count; i++)
		if (tacho_oa_format_get_counter(format, i, &counter) == 0 && counter.width_bits &&
		    !strcmp(counter.name, name))
			return (int)i;
	return -1;
}
