/* SPDX-License-Identifier: MIT */
/*
 * Makes recordings of reports that a small generator of numbers fills: the same for the same
 * arguments.
 *
 *	oa_make FILE|- ARCH SET GUID REPORTS [SEED [TICKS]]
 *
 * Counters begin shortly before they run over. Contexts change every few reports. A pair of clock
 * readings stands at the beginning, at the end and after every 1000 reports. Quick enough to feed a
 * reader through a pipe: a few million reports a second.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "oa/report.h"
#include "tacho/error.h"
#include "tacho/sys/oa_recording.h"

static const struct machine {
	const char *arch;
	uint32_t device_id, revision;
	uint64_t timestamp_hz;
	uint16_t slices, subslices, eus;
} machines[] = {
	{"hsw", 0x0412, 6, 12500000, 1, 2, 10},	   {"bdw", 0x1616, 9, 12500000, 1, 3, 8},
	{"chv", 0x22b1, 33, 12500000, 1, 2, 8},	   {"sklgt2", 0x1912, 6, 12000000, 1, 3, 8},
	{"sklgt3", 0x1926, 10, 12000000, 2, 3, 8}, {"sklgt4", 0x193b, 9, 12000000, 3, 3, 8},
	{"bxt", 0x5a84, 11, 19200000, 1, 3, 6},	   {"glk", 0x3184, 3, 19200000, 1, 3, 6},
	{"kblgt2", 0x5916, 2, 12000000, 1, 3, 8},  {"kblgt3", 0x5926, 6, 12000000, 2, 3, 8},
	{"cflgt2", 0x3e92, 0, 12000000, 1, 3, 8},  {"cflgt3", 0x3ea5, 1, 12000000, 2, 3, 8},
	{"icl", 0x8a52, 7, 12000000, 1, 8, 8},	   {"ehl", 0x4571, 1, 19200000, 1, 4, 8},
	{"tglgt1", 0x9a60, 1, 19200000, 1, 2, 16}, {"tglgt2", 0x9a49, 1, 19200000, 1, 6, 16},
	{"rkl", 0x4c8a, 4, 19200000, 1, 2, 16},	   {"dg1", 0x4905, 1, 19200000, 1, 6, 16},
	{"adl", 0x46a6, 12, 19200000, 1, 6, 16},
};

enum {
	CLOCKS = 600000, /* about, from one report to the next */
	PAIR_EVERY = 1000,
	CONTEXT_EVERY = 5,
	TOPOLOGY_MAX = 64,
};

#define TICKS_FIRST  UINT64_C(1000000)
#define CPU_FIRST_NS UINT64_C(5000000000000)

struct maker {
	const struct machine *machine;
	enum tacho_oa_gen gen;
	const struct tacho_oa_format *format;
	uint64_t seed, ticks;
	uint64_t step_ticks; /* about, from one report to the next */
	uint32_t context;
	FILE *file;
	struct tacho_oa_report report;
	/* Of each value: how far it can come in a clock, and how wide it is. */
	uint64_t rates[TACHO_OA_VALUE_MAX], masks[TACHO_OA_VALUE_MAX];
};

/* From 0 on, below `end` of at most 32 bits. */
static uint64_t draw(struct maker *maker, uint64_t end)
{
	maker->seed = maker->seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (maker->seed >> 32) * end >> 32;
}

static uint64_t mask_of(const struct maker *maker, size_t index)
{
	uint32_t bits = tacho__oa_width(maker->format, index);

	return bits < 64 ? (UINT64_C(1) << bits) - 1 : UINT64_MAX;
}

/* struct drm_i915_query_topology_info with all parts there. */
static size_t make_topology(const struct machine *machine, uint8_t *out_bytes)
{
	uint16_t subslice_stride = (uint16_t)((machine->subslices + 7) / 8);
	uint16_t eu_stride = (uint16_t)((machine->eus + 7) / 8);
	uint16_t eu_offset = (uint16_t)(1 + machine->slices * subslice_stride);
	uint16_t head[8] = {0, machine->slices, machine->subslices, machine->eus,
			    1, subslice_stride, eu_offset,	    eu_stride};
	uint8_t *masks = out_bytes + sizeof(head);

	memset(out_bytes, 0, TOPOLOGY_MAX);
	memcpy(out_bytes, head, sizeof(head));
	masks[0] = (uint8_t)((1 << machine->slices) - 1);
	for (int slice = 0; slice < machine->slices; slice++) {
		masks[1 + slice * subslice_stride] = (uint8_t)((1 << machine->subslices) - 1);
		for (int i = 0; i < machine->subslices; i++)
			for (int eu = 0; eu < machine->eus; eu++)
				masks[eu_offset + (slice * machine->subslices + i) * eu_stride +
				      eu / 8] |= (uint8_t)(1 << eu % 8);
	}
	return sizeof(head) + (size_t)eu_offset +
	       (size_t)(machine->slices * machine->subslices * eu_stride);
}

/* Reason timer or context switch, and the bit that the context is one. */
static uint32_t make_id(const struct maker *maker, int is_switch)
{
	uint32_t valid = maker->context != TACHO_OA_NO_CONTEXT;
	uint32_t id = (is_switch ? UINT32_C(8) : UINT32_C(1)) << 19 | 0x12;

	return id | valid << (maker->gen == TACHO_OA_GEN8 ? 25 : 16);
}

static void begin(struct maker *maker)
{
	uint64_t eus = (uint64_t)maker->machine->subslices * maker->machine->eus;
	struct tacho_oa_counter counter;

	maker->ticks = TICKS_FIRST;
	for (size_t i = 0; i < maker->format->value_count; i++) {
		maker->masks[i] = mask_of(maker, i);
		maker->report.values[i] =
			(maker->masks[i] - draw(maker, 20 * CLOCKS)) & maker->masks[i];
		if (tacho_oa_format_get_counter(maker->format, i, &counter) == 0)
			maker->rates[i] = !strcmp(counter.block, "A") ? eus : 1;
	}
	maker->report.values[0] = maker->ticks;
}

static void step(struct maker *maker, uint64_t number)
{
	uint64_t clocks = CLOCKS - 1000 + draw(maker, 2000);
	int is_switch = number % CONTEXT_EVERY == 0;

	if (is_switch) {
		static const uint32_t contexts[] = {7, 9, TACHO_OA_NO_CONTEXT, 12};

		maker->context = contexts[draw(maker, TACHO__ARRAY_SIZE(contexts))];
	}
	maker->report.id = make_id(maker, is_switch);
	maker->report.context = maker->context;
	maker->ticks += maker->step_ticks + draw(maker, 100);
	maker->report.values[0] = maker->ticks;
	maker->report.values[1] = (maker->report.values[1] + clocks) & maker->masks[1];
	for (size_t i = 2; i < maker->format->value_count; i++)
		maker->report.values[i] =
			(maker->report.values[i] + draw(maker, clocks * maker->rates[i])) &
			maker->masks[i];
}

static int write_pair(struct maker *maker, uint64_t ticks)
{
	/* the CPU's clock is a little faster than the GPU's says */
	uint64_t ns =
		ticks / maker->machine->timestamp_hz * 1000000000 +
		ticks % maker->machine->timestamp_hz * 1000000000 / maker->machine->timestamp_hz;

	return tacho_oa_recording_write_correlation(maker->file, TACHO_OA_I915,
						    CPU_FIRST_NS + ns + ns / 100000, ticks);
}

static int write_all(struct maker *maker, uint64_t count)
{
	uint8_t bytes[1024];
	int rc = write_pair(maker, TICKS_FIRST - 1000);

	begin(maker);
	for (uint64_t i = 0; i < count && !rc; i++) {
		step(maker, i);
		tacho__oa_report_encode(maker->format, &maker->report, bytes);
		rc = tacho_oa_recording_write_report(maker->file, bytes, maker->format->size_bytes);
		if (!rc && i % PAIR_EVERY == PAIR_EVERY - 1)
			rc = write_pair(maker, maker->ticks + 500);
	}
	return rc ? rc : write_pair(maker, maker->ticks + 1000);
}

static int make(struct maker *maker, char **arguments)
{
	struct tacho_oa_device device = {.timestamp_frequency_hz = maker->machine->timestamp_hz,
					 .device_id = maker->machine->device_id,
					 .revision = maker->machine->revision,
					 .min_frequency_hz = 300000000,
					 .max_frequency_hz = 1100000000,
					 .format = maker->format->i915_id};
	uint8_t topology[TOPOLOGY_MAX];
	int rc;

	snprintf(device.set_name, sizeof(device.set_name), "%s", arguments[3]);
	snprintf(device.set_guid, sizeof(device.set_guid), "%s", arguments[4]);
	maker->file = !strcmp(arguments[1], "-") ? stdout : fopen(arguments[1], "w");
	if (!maker->file)
		return TACHO_E_IO;
	rc = tacho_oa_recording_write_head(maker->file, &device, topology,
					   make_topology(maker->machine, topology));
	if (!rc)
		rc = write_all(maker, strtoull(arguments[5], NULL, 10));
	if (fclose(maker->file) != 0)
		rc = TACHO_E_IO;
	return rc;
}

int main(int argc, char **argv)
{
	struct maker maker = {.context = 7, .seed = 1, .step_ticks = 12500};

	if (argc < 6) {
		fprintf(stderr, "usage: oa_make FILE|- ARCH SET GUID REPORTS [SEED [TICKS]]\n");
		return 2;
	}
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(machines); i++)
		if (!strcmp(machines[i].arch, argv[2]))
			maker.machine = &machines[i];
	if (argc > 6)
		maker.seed = strtoull(argv[6], NULL, 10);
	if (argc > 7)
		maker.step_ticks = strtoull(argv[7], NULL, 10);
	if (!maker.machine || tacho_oa_gen_find(argv[2], &maker.gen) != 0) {
		fprintf(stderr, "oa_make: there is no machine \"%s\"\n", argv[2]);
		return 2;
	}
	maker.format = tacho_oa_format_get_usual(maker.gen);
	if (make(&maker, argv) == 0)
		return 0;
	fprintf(stderr, "oa_make: %s\n", tacho_error_last()->message);
	return 1;
}
