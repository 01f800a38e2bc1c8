/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes raw OA reports: two bytes choose format and generation, the rest are reports. What is
 * decoded is encoded and decoded again, and accumulated in both ways; the loops for machines with
 * AVX2 must do what those for any machine do.
 */
#include <stdlib.h>
#include <string.h>

#include "oa/avx2.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { REPORT_MAX = 64 };

static const enum tacho_oa_gen gens[] = {TACHO_OA_GEN7_5, TACHO_OA_GEN8,  TACHO_OA_GEN9,
					 TACHO_OA_GEN11,  TACHO_OA_GEN12, TACHO_OA_GEN12_5,
					 TACHO_OA_XE2};

static void check_same(const struct tacho_oa_format *format, const struct tacho_oa_report *report)
{
	struct tacho_oa_report again;
	uint8_t bytes[1024];

	tacho__oa_report_encode(format, report, bytes);
	tacho__oa_report_decode(format, bytes, &again);
	if (memcmp(again.values, report->values, format->value_count * sizeof(again.values[0])))
		abort();
}

/* The loops are given bytes that end where the report does. */
static void check_loops(const struct tacho_oa_format *format, const uint8_t *data,
			const struct tacho_oa_report *before, const struct tacho_oa_report *after)
{
	const struct tacho__oa_run *runs = tacho__oa_layout(format)->runs;
	uint64_t plain[TACHO_OA_VALUE_MAX] = {0}, quick[TACHO_OA_VALUE_MAX] = {0};
	uint8_t *bytes;

	if (!tacho__oa_has_avx2())
		return;
	bytes = malloc(format->size_bytes);
	if (!bytes)
		abort();
	memcpy(bytes, data, format->size_bytes);
	tacho__oa_decode_runs(runs, bytes, plain);
	tacho__oa_decode_runs_avx2(runs, bytes, quick);
	free(bytes);
	tacho__oa_add_runs(runs, before->values, after->values, plain);
	tacho__oa_add_runs_avx2(runs, before->values, after->values, quick);
	if (memcmp(plain, quick, sizeof(plain)))
		abort();
}

static void accumulate(const struct tacho_oa_format *format, enum tacho_oa_gen gen,
		       const struct tacho_oa_report *reports, size_t count)
{
	struct tacho_oa_limits limits = {12500000, 600000000, 16};
	struct tacho_oa_sums sums = {0};

	if (count < 2)
		return;
	for (size_t i = 1; i < count; i++)
		tacho_oa_sums_add(format, &limits, &reports[i - 1], &reports[i],
				  i % 2 ? 0 : reports[i].values[1], &sums);
	tacho_oa_sums_add_context(format, gen, &limits, reports[0].context, &reports[0],
				  &reports[count - 1], reports, count, &sums);
	tacho_oa_sums_mark(format, TACHO_STATE_LOST, &sums);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct tacho_oa_report reports[REPORT_MAX];
	const struct tacho_oa_format *format;
	struct tacho_oa_report_id id;
	enum tacho_oa_gen gen;
	size_t count = 0;

	if (size < 2)
		return 0;
	format = tacho_oa_format_get(data[0] % 32);
	gen = gens[data[1] % (sizeof(gens) / sizeof(gens[0]))];
	data += 2;
	size -= 2;
	while (format && count < REPORT_MAX &&
	       !tacho_oa_report_decode(format, data, size, &reports[count])) {
		check_same(format, &reports[count]);
		check_loops(format, data, &reports[count ? count - 1 : 0], &reports[count]);
		for (int source = 0; source < 2; source++)
			tacho_oa_report_id_decode(reports[count].id, gen,
						  (enum tacho_oa_source)source, &id);
		data += format->size_bytes;
		size -= format->size_bytes;
		count++;
	}
	if (format)
		accumulate(format, gen, reports, count);
	return 0;
}
