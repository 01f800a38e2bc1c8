/* SPDX-License-Identifier: MIT */
/*
 * Reports that a simulated GPU writes by itself: by its timer, where the context changes, and by
 * the triggers that the set programs. A kernel runs for 5 ms and nothing for 5 ms, again and again.
 */
#include "backend/oa_stream.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "backend/sim/oa.h"
#include "backend/sim/oa_boolean.h"
#include "backend/sim/sim_private.h"
#include "base/clock.h"
#include "base/error.h"
#include "oa/period.h"
#include "oa/oa_recording.h"

static const uint64_t NS_PER_S = 1000000000, NS_PER_MS = 1000000, BUSY_NS = 5000000,
		      EVERY_NS = 10000000;

enum { CONTEXT = 0x1000, VALID_GEN8 = 1 << 25, VALID = 1 << 16, REASON_SHIFT = 19 };

static const uint16_t braswell = 0x22b1, broadwell = 0x1616;

struct own {
	struct tacho_oa_stream stream;
	struct tacho__sim_device *device;
	struct tacho__sim_counters counters; /* all that reports have */
	struct tacho_plan_counter *programmed;
	struct tacho__sim_work work;
	int64_t *once;			    /* what the kernel counts in BUSY_NS */
	uint64_t rates[TACHO_OA_VALUE_MAX]; /* the same, in the order of reports */
	int first_b;			    /* where B counters are there; -1: nowhere */
	struct tacho__sim_boolean boolean;
	uint64_t begin_ns;	       /* on CLOCK_MONOTONIC */
	uint64_t now_ns, timer_number; /* since then; the timer's last report */
	/* What happens next, already worked out; reasons 0: it is not. */
	uint64_t due_ns;
	uint32_t due_reasons;
	uint8_t topology[24], bytes[1024];
	char note[256];
};

static struct own *get_own(struct tacho_oa_stream *stream)
{
	return (struct own *)stream;
}

static void close_stream(struct tacho_oa_stream *stream)
{
	struct own *own = get_own(stream);

	tacho__sim_boolean_finish(&own->boolean);
	tacho__sim_counters_finish(&own->counters);
	free(own->programmed);
	free(own->once);
	free(own);
}

static uint64_t scale(uint64_t number, uint64_t by, uint64_t over)
{
	return (uint64_t)((unsigned __int128)number * by / over);
}

static uint64_t get_ticks(const struct own *own, uint64_t ns)
{
	return scale(ns, own->stream.device.timestamp_frequency_hz, NS_PER_S);
}

static int get_clock(struct tacho_oa_stream *stream, uint64_t *out_cpu_ns, uint64_t *out_gpu_ticks)
{
	struct own *own = get_own(stream);

	*out_cpu_ns = tacho__clock_monotonic_ns();
	*out_gpu_ticks = get_ticks(own, *out_cpu_ns - own->begin_ns) + own->device->oa->totals[0];
	return 0;
}

static bool is_busy(uint64_t ns)
{
	return ns % EVERY_NS < BUSY_NS;
}

static uint64_t get_clocks(const struct own *own, uint64_t ns)
{
	return scale(ns, own->device->oa->limits.clock_max_hz, NS_PER_S);
}

/* When so many clocks have passed. */
static uint64_t get_clock_ns(const struct own *own, uint64_t clocks)
{
	uint64_t hz = own->device->oa->limits.clock_max_hz;

	return (uint64_t)(((unsigned __int128)clocks * NS_PER_S + hz - 1) / hz);
}

static uint64_t get_busy_ns(uint64_t ns)
{
	uint64_t rest_ns = ns % EVERY_NS;

	return ns / EVERY_NS * BUSY_NS + (rest_ns < BUSY_NS ? rest_ns : BUSY_NS);
}

/*
 * All counters at a time, after those of before the stream. Until the unit starts, the timestamp
 * alone goes on.
 */
static void fill(const struct own *own, uint64_t ns, uint64_t *values)
{
	const struct tacho__sim_oa *oa = own->device->oa;
	const struct tacho__sim_boolean *boolean = &own->boolean;
	uint64_t busy_ns = get_busy_ns(ns);
	uint64_t before_ns = get_busy_ns(get_clock_ns(own, boolean->start_clock));

	memcpy(values, oa->totals, sizeof(oa->totals));
	values[0] += get_ticks(own, ns);
	values[1] += boolean->clock - boolean->start_clock;
	for (size_t i = 2; i < TACHO_OA_VALUE_MAX; i++)
		values[i] += scale(own->rates[i], busy_ns, BUSY_NS) -
			     scale(own->rates[i], before_ns, BUSY_NS);
	for (int i = 0; own->first_b >= 0 && i < TACHO__OA_COMPARATORS; i++)
		if (boolean->comparators >> i & 1)
			values[own->first_b + i] =
				oa->totals[own->first_b + i] + boolean->unit.b[i];
}

static void write_report(struct own *own, uint64_t ns, uint32_t reasons)
{
	const struct tacho__sim_oa *oa = own->device->oa;
	uint32_t valid = oa->gen == TACHO_OA_GEN8 ? VALID_GEN8 : VALID;
	/* In steps of 50/3 MHz. */
	uint32_t ratio = (uint32_t)(oa->limits.clock_max_hz * 3 / 50000000);
	struct tacho_oa_report report = {.id = reasons << REASON_SHIFT | ratio,
					 .context = TACHO_OA_NO_CONTEXT};

	if (is_busy(ns)) {
		report.id |= valid;
		report.context = CONTEXT;
	}
	fill(own, ns, report.values);
	tacho__oa_report_encode(oa->format, &report, own->bytes);
}

/* A simulated GPU's time is not ahead of the machine's. 0: it would be, at the end of the wait. */
static int wait_until(const struct own *own, uint64_t ns, uint64_t limit_ns)
{
	uint64_t passed_ns = tacho__clock_monotonic_ns() - own->begin_ns;
	uint64_t left_ns = ns > passed_ns ? ns - passed_ns : 0;
	uint64_t wait_ns = limit_ns > passed_ns ? limit_ns - passed_ns : 0;
	struct timespec wait;
	int is_reached = left_ns <= wait_ns;

	if (is_reached)
		wait_ns = left_ns;
	wait.tv_sec = (time_t)(wait_ns / NS_PER_S);
	wait.tv_nsec = (long)(wait_ns % NS_PER_S);
	if (wait_ns)
		nanosleep(&wait, NULL);
	return is_reached;
}

/* The timer, a border of the kernel, or a trigger before both. */
static void find_next(struct own *own)
{
	uint64_t timer_ns = (own->timer_number + 1) * own->stream.period_ns;
	uint64_t switch_ns = (own->now_ns / BUSY_NS + 1) * BUSY_NS;
	uint64_t next_ns = timer_ns < switch_ns ? timer_ns : switch_ns, event_ns;
	uint32_t reasons = tacho__sim_boolean_advance(&own->boolean, is_busy(own->now_ns),
						      get_clocks(own, next_ns));

	event_ns = get_clock_ns(own, own->boolean.clock);
	own->due_ns = reasons && event_ns < next_ns ? event_ns : next_ns;
	if (own->due_ns == timer_ns)
		reasons |= TACHO_OA_REASON_TIMER;
	if (own->due_ns == switch_ns)
		reasons |= TACHO_OA_REASON_CONTEXT_SWITCH;
	own->due_reasons = reasons;
}

static int next(struct tacho_oa_stream *stream, int timeout_ms, struct tacho_oa_record *out_record)
{
	struct own *own = get_own(stream);
	uint64_t limit_ns =
		tacho__clock_monotonic_ns() - own->begin_ns + (uint64_t)timeout_ms * NS_PER_MS;
	uint32_t reasons;

	do {
		if (!own->due_reasons)
			find_next(own);
		if (!wait_until(own, own->due_ns, limit_ns))
			return 0;
		reasons = own->due_reasons;
		own->due_reasons = 0;
		own->now_ns = own->due_ns;
		own->timer_number += (reasons & TACHO_OA_REASON_TIMER) != 0;
	} while (!tacho__sim_boolean_has_started(&own->boolean));
	write_report(own, own->now_ns, reasons);
	*out_record = (struct tacho_oa_record){.kind = TACHO_OA_REPORT,
					       .bytes = own->bytes,
					       .size = own->device->oa->format->size_bytes};
	return 1;
}

static uint64_t get_busy_clocks(const struct own *own)
{
	return get_clocks(own, BUSY_NS);
}

static const char *get_note(struct tacho_oa_stream *stream)
{
	struct own *own = get_own(stream);
	const struct tacho__sim_boolean *boolean = &own->boolean;
	bool has_started = tacho__sim_boolean_has_started(boolean);

	for (unsigned i = 0; i < 2; i++) {
		const struct tacho__oa_trigger *start = &boolean->unit.start[i];
		const struct tacho__oa_trigger *report = &boolean->unit.report[i];

		if (!has_started && start->is_enabled && !start->has_fired) {
			snprintf(own->note, sizeof(own->note),
				 "start trigger %u has not fired, and nothing counts before: its "
				 "logic was true on %u of %u clocks",
				 i + 1, start->count, start->has_threshold ? start->threshold : 1u);
			return own->note;
		}
		if (!has_started || !report->is_enabled || boolean->report_counts[i])
			continue;
		if (tacho__sim_boolean_is_never(boolean, i, get_busy_clocks(own)))
			snprintf(own->note, sizeof(own->note),
				 "report trigger %u cannot fire: its logic is true on no clock",
				 i + 1);
		else
			snprintf(own->note, sizeof(own->note),
				 "report trigger %u has not fired: its logic was true on %u of %u "
				 "clocks",
				 i + 1, report->count,
				 report->has_threshold ? report->threshold : 1u);
		return own->note;
	}
	return "";
}

static const struct tacho__oa_stream_kind kind = {
	.close = close_stream, .get_clock = get_clock, .next = next, .get_note = get_note};

/* A unit that can never start would be waited for in vain. */
static int program(struct own *own, const struct tacho_set *set)
{
	const struct tacho__sim_device *device = own->device;
	int rc = tacho__sim_boolean_init(&own->boolean, device->arch, &device->model, set);
	unsigned never;

	if (rc)
		return rc;
	never = tacho__sim_boolean_find_never(&own->boolean, get_busy_clocks(own));
	if (!never)
		return 0;
	return tacho__fail(TACHO_E_UNSUPPORTED,
			   "its logic is true on no clock of the simulated signals, and nothing "
			   "counts or reports before",
			   tacho__detail("look at the signals in docs/sim.md, and at its logic: "
					 "tacho oa regs OASTARTTRIG%u",
					 never == 1 ? 2 : 6),
			   "start trigger %u of the set %s never fires", never, set->name);
}

/* Where counters are in reports. */
static void find_places(struct own *own)
{
	const struct tacho_oa_format *format = own->device->oa->format;

	for (size_t i = 0; i < own->counters.count; i++) {
		const struct tacho__sim_counter *counter = &own->counters.counters[i];
		int index = tacho_oa_format_find_counter(format, counter->entry->name);
		int64_t once = own->once[counter->offset];

		if (index > 1 && once > 0)
			own->rates[index] += (uint64_t)once;
	}
	own->first_b = tacho_oa_format_find_counter(format, "B0");
}

/* Every raw counter of the architecture, as the set programs it. */
static int make_counters(struct own *own, const struct tacho_set *set)
{
	const struct tacho__sim_device *device = own->device;
	struct tacho_plan_pass pass = {.set = set};
	const struct tacho_entry *entry;
	size_t count = 0;
	int rc;

	for (size_t i = 0; (entry = tacho_arch_get_entry(device->arch, i)); i++)
		count += entry->kind == TACHO_ENTRY_COUNTER;
	own->programmed = calloc(count + 1, sizeof(*own->programmed));
	if (!own->programmed)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a stream");
	for (size_t i = 0; (entry = tacho_arch_get_entry(device->arch, i)); i++)
		if (entry->kind == TACHO_ENTRY_COUNTER)
			own->programmed[pass.counter_count++] =
				(struct tacho_plan_counter){.entry = entry, .accumulate = ""};
	pass.counters = own->programmed;
	rc = tacho__sim_counters_init(&own->counters, device, &pass);
	if (rc)
		return rc;
	own->once = calloc(own->counters.value_count + 1, sizeof(*own->once));
	if (!own->once)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a stream");
	tacho__sim_work_set_time(&own->work, &device->spec, BUSY_NS);
	rc = tacho__sim_counters_add(&own->counters, device, &own->work, own->once);
	if (!rc)
		find_places(own);
	return rc;
}

/* One slice; its EUs in equal parts of 8 at most: i915's struct. */
static void describe(struct own *own)
{
	const struct tacho__sim_oa *oa = own->device->oa;
	uint32_t eus = (uint32_t)oa->limits.eu_count, parts = (eus + 7) / 8;
	const uint16_t numbers[] = {0, 1, (uint16_t)parts, 8, 1, 1, 2, 1};

	own->stream.device = (struct tacho_oa_device){
		.driver = TACHO_OA_I915,
		.timestamp_frequency_hz = oa->limits.timestamp_hz,
		.device_id = !strcmp(own->device->arch->name, "bdw") ? broadwell : braswell,
		.revision = 33,
		.min_frequency_hz = (uint32_t)oa->limits.clock_max_hz,
		.max_frequency_hz = (uint32_t)oa->limits.clock_max_hz,
		.format = oa->format->i915_id,
	};
	if (!parts || parts > 6)
		return;
	memcpy(own->topology, numbers, sizeof(numbers));
	own->topology[16] = 1;
	own->topology[17] = (uint8_t)((1u << parts) - 1);
	for (uint32_t i = 0; i < parts; i++)
		own->topology[18 + i] = (uint8_t)((1u << ((eus + i) / parts)) - 1);
	if (tacho__oa_topology_parse(own->topology, 18 + parts, &own->stream.topology))
		own->stream.topology.size = 0;
}

/* What times and clocks are worked out from. */
static int check_limits(const struct tacho__sim_device *device)
{
	const struct tacho_oa_limits *limits = &device->oa->limits;

	if (!limits->timestamp_hz)
		return tacho__fail(TACHO_E_INVAL,
				   "its constant GpuTimestampFrequency is missing or 0",
				   "give its face a model of the architecture, or its description "
				   "\"properties: {GpuTimestampFrequency: HZ}\"",
				   "the simulated device %s writes no reports", device->spec.name);
	if (!limits->clock_max_hz)
		return tacho__fail(TACHO_E_INVAL, "its clock_mhz is below 1 Hz",
				   "give it at least 0.000001",
				   "the simulated device %s writes no reports", device->spec.name);
	return 0;
}

int tacho__sim_open_oa(struct tacho_device *base, const struct tacho_set *set, uint64_t period_ns,
		       struct tacho_oa_stream **out_stream)
{
	struct tacho__sim_device *device = TACHO__OWN(struct tacho__sim_device, base);
	static const struct tacho_sim_work work = {
		.size = sizeof(work),
		.name = "repeated kernel",
		.grid = {16384, 1, 1},
		.workgroup = {64, 1, 1},
		.per_wave = {.valu = 400, .fma_f32 = 200, .vmem_read = 8, .vmem_write = 4},
		.bytes_read = 4194304,
		.bytes_written = 1048576,
		.duration_ns = 5000000,
	};
	struct own *own;
	int rc;

	if (!device->oa)
		return tacho__fail(TACHO_E_UNSUPPORTED, "it has no OA unit",
				   "choose an Intel GPU of the backend intel, or \"sim:bsw\"",
				   "the simulated device %s writes no reports", device->spec.name);
	rc = check_limits(device);
	if (rc)
		return rc;
	own = calloc(1, sizeof(*own));
	if (!own)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a stream");
	own->device = device;
	own->stream.kind = &kind;
	own->begin_ns = tacho__clock_monotonic_ns();
	describe(own);
	own->stream.period_ns = tacho__oa_get_period_ns(
		own->stream.device.timestamp_frequency_hz,
		tacho__oa_find_exponent(own->stream.device.timestamp_frequency_hz, period_ns));
	rc = program(own, set);
	if (!rc)
		rc = tacho__sim_work_init(&own->work, &device->spec, &work);
	if (!rc)
		rc = make_counters(own, set);
	if (rc)
		close_stream(&own->stream);
	else
		*out_stream = &own->stream;
	return rc;
}
