/* SPDX-License-Identifier: MIT */
/*
 * Which clock a device's times are on. Drivers differ: some use one of the host's clocks, some
 * their own, some make times up. Each command brackets its times: it cannot be queued before its
 * call began, nor end after its end was reported. Over all commands of a device the brackets tell.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/error.h"
#include "record/reader.h"
#include "record/wire.h"

enum {
	TOLERANCE_NS = 2000,   /* of a bracket: drivers round, anchors are not exact */
	PIECE_NS = 1000000000, /* a clock of its own is fitted piece by piece */
	OUTLIERS_PER_MILLION = 10000,
};

static const enum tacho__clock candidates[] = {TACHO__CLOCK_RAW, TACHO__CLOCK_MONOTONIC,
					       TACHO__CLOCK_REALTIME};
enum { CANDIDATES = sizeof(candidates) / sizeof(candidates[0]) };

/* The offsets that fit all brackets of one piece of time lie between these. */
struct piece {
	uint64_t from_ns; /* the device's clock */
	uint64_t until_host_ns;
	int64_t low_ns, high_ns;
};

struct survey {
	uint64_t tolerance_ns;
	uint64_t resolution_ns;
	bool has_resolution;
	uint64_t stated_ns; /* how far off who recorded says that times may be, beyond ours */
	uint64_t measured, disordered;
	uint64_t outside[CANDIDATES];  /* commands further out of their bracket than tolerated */
	uint64_t worst_ns[CANDIDATES]; /* of those that are tolerated */
	uint64_t first_queued, first_start;
	bool advances;
	struct piece *pieces;
	size_t piece_count, piece_capacity;
};

static bool has_times(const struct tacho__slot *slot)
{
	uint64_t code = slot->done & 255;

	return code == TACHO__SLOT_TIMES || code == TACHO__SLOT_MARKED ||
	       code == TACHO__SLOT_UNQUEUED;
}

static bool in_order(const struct tacho__slot *slot)
{
	return slot->queued <= slot->submit && slot->submit <= slot->start &&
	       slot->start <= slot->end;
}

static uint64_t tolerance_ns(const struct tacho__process *process, uint64_t resolution_ns,
			     uint64_t stated_ns)
{
	enum { RESOLUTION_MAX_NS = 1000000 }; /* a driver that says more can place nothing */

	if (resolution_ns > RESOLUTION_MAX_NS)
		resolution_ns = RESOLUTION_MAX_NS;
	return TOLERANCE_NS + 2 * resolution_ns + 2 * process->clocks->uncertainty_ns +
	       2 * stated_ns;
}

/* A number of the device, which may be damaged; 0 without it. */
static uint64_t get_stated_ns(const struct tacho_object *device)
{
	enum { STATED_MAX_NS = 1000000 };
	const char *text = device ? tacho_object_get(device, "clock_uncertainty_ns") : NULL;
	uint64_t stated_ns = text ? strtoull(text, NULL, 10) : 0;

	return stated_ns < STATED_MAX_NS ? stated_ns : STATED_MAX_NS;
}

/* How far [start, end] sticks out of [low, high]. */
static uint64_t sticks_out_ns(uint64_t start, uint64_t end, uint64_t low, uint64_t high)
{
	uint64_t before = start < low ? low - start : 0, after = end > high ? end - high : 0;

	return before > after ? before : after;
}

static uint64_t outside_ns(const struct tacho__evidence *e, enum tacho__clock clock)
{
	uint64_t low = tacho__time_lines_own(e->times, clock, e->call_start);
	uint64_t high = tacho__time_lines_own(e->times, clock, e->slot->seen);

	return sticks_out_ns(e->slot->queued, e->slot->end, low, high);
}

static int add_to_piece(struct survey *survey, const struct tacho__evidence *e)
{
	uint64_t start = tacho__time_lines_host_ns(e->times, e->call_start);
	uint64_t seen = tacho__time_lines_host_ns(e->times, e->slot->seen);
	int64_t low = (int64_t)(start - e->slot->queued), high = (int64_t)(seen - e->slot->end);
	struct piece *piece = survey->piece_count ? &survey->pieces[survey->piece_count - 1] : NULL;

	if (!piece || start >= piece->until_host_ns) {
		if (tacho__array_reserve(&survey->pieces, &survey->piece_capacity,
					 survey->piece_count, sizeof(*piece)))
			return TACHO_E_NOMEM;
		piece = &survey->pieces[survey->piece_count++];
		*piece = (struct piece){.from_ns = e->slot->queued,
					.until_host_ns = start + PIECE_NS,
					.low_ns = low,
					.high_ns = high};
	}
	if (low > piece->low_ns)
		piece->low_ns = low;
	if (high < piece->high_ns)
		piece->high_ns = high;
	return 0;
}

static struct survey *find_survey(const struct tacho__evidence *e)
{
	struct tacho__map *map = &e->process->device_clocks;
	uint64_t key = e->device ? e->device->handle : 0;
	struct survey *survey = tacho__map_get(map, key);
	const char *resolution;

	if (survey)
		return survey;
	survey = calloc(1, sizeof(*survey));
	if (!survey || tacho__map_set(map, key, survey)) {
		free(survey);
		tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a device's clock");
		return NULL;
	}
	resolution = e->device ? tacho_object_get(e->device, "timer_resolution_ns") : NULL;
	survey->has_resolution = resolution != NULL;
	survey->resolution_ns = resolution ? strtoull(resolution, NULL, 10) : 0;
	survey->stated_ns = get_stated_ns(e->device);
	survey->tolerance_ns = tolerance_ns(e->process, survey->resolution_ns, survey->stated_ns);
	return survey;
}

static int look(void *user, const struct tacho__evidence *e)
{
	struct survey *survey;

	if (!has_times(e->slot))
		return 0;
	survey = find_survey(e);
	if (!survey)
		return TACHO_E_NOMEM;
	if (!in_order(e->slot)) {
		survey->disordered++;
		return 0;
	}
	if (!survey->measured) {
		survey->first_queued = e->slot->queued;
		survey->first_start = e->slot->start;
	}
	survey->measured++;
	/* commands that were given to the device together have one QUEUED time */
	survey->advances |=
		e->slot->queued != survey->first_queued || e->slot->start != survey->first_start;
	for (int i = 0; i < CANDIDATES; i++) {
		uint64_t outside = outside_ns(e, candidates[i]);

		if (outside > survey->tolerance_ns)
			survey->outside[i]++;
		else if (outside > survey->worst_ns[i])
			survey->worst_ns[i] = outside;
	}
	return add_to_piece(survey, e);
}

/* One of the host's clocks, when nearly all commands fit their calls on it. */
static bool choose_host_clock(const struct tacho__process *process, const struct survey *survey,
			      struct tacho__device_clock *clock)
{
	int best = 0;

	for (int i = 1; i < CANDIDATES; i++)
		if (survey->outside[i] < survey->outside[best] ||
		    (survey->outside[i] == survey->outside[best] &&
		     survey->worst_ns[i] < survey->worst_ns[best]))
			best = i;
	if (survey->outside[best] * 1000000 > survey->measured * OUTLIERS_PER_MILLION)
		return false;
	clock->clock = candidates[best];
	clock->name = tacho__clock_to_string(candidates[best]);
	clock->uncertainty_ns = process->clocks->uncertainty_ns + survey->worst_ns[best];
	return true;
}

/* A clock of its own: in each piece the middle of the offsets that fit. */
static int fit(struct tacho_recording *recording, const struct tacho__process *process,
	       const struct survey *survey, struct tacho__device_clock *clock)
{
	clock->fits =
		tacho__arena_get(&recording->arena, survey->piece_count * sizeof(*clock->fits));
	if (!clock->fits)
		return TACHO_E_NOMEM;
	clock->fitted = true;
	clock->name = "its own, fitted to the calls";
	for (size_t i = 0; i < survey->piece_count; i++) {
		const struct piece *piece = &survey->pieces[i];
		/* of a damaged file, anything: so by halves, which cannot overflow */
		int64_t half_width = piece->high_ns / 2 - piece->low_ns / 2;
		uint64_t half = (uint64_t)(half_width < 0 ? -half_width : half_width) + 1;

		clock->fits[clock->fit_count++] = (struct tacho__clock_fit){
			.from_ns = piece->from_ns, .offset_ns = piece->low_ns + half_width};
		if (half > clock->uncertainty_ns)
			clock->uncertainty_ns = half;
	}
	clock->uncertainty_ns += process->clocks->uncertainty_ns;
	clock->tolerance_ns += clock->uncertainty_ns;
	return 0;
}

static const char *refusal(struct tacho_recording *recording, const struct survey *survey)
{
	struct tacho__buf text = {0};
	const char *kept;

	if (survey->has_resolution && !survey->resolution_ns)
		return "the driver's times are not credible: it gives its timer a resolution of 0 "
		       "ns";
	if (!survey->measured && survey->disordered)
		return "the driver's times are not credible: none are in order";
	if (survey->measured < 2 || survey->advances)
		return NULL;
	tacho__buf_printf(&text,
			  "the driver's times are not credible: all %" PRIu64
			  " commands have the same QUEUED time, %" PRIu64,
			  survey->measured, survey->first_queued);
	kept = tacho__arena_string(&recording->arena, tacho__buf_text(&text));
	tacho__buf_finish(&text);
	return kept ? kept : "the driver's times are not credible: they do not advance";
}

/* Replaces the survey in the map by what it found. */
static int conclude(struct tacho_recording *recording, struct tacho__process *process,
		    struct tacho__map_entry *entry)
{
	struct survey *survey = entry->value;
	struct tacho__device_clock *clock = tacho__arena_get(&recording->arena, sizeof(*clock));
	int rc = 0;

	entry->value = clock;
	if (clock) {
		clock->refused = refusal(recording, survey);
		clock->name = "";
		clock->tolerance_ns = survey->tolerance_ns;
		if (!clock->refused && !choose_host_clock(process, survey, clock))
			rc = fit(recording, process, survey, clock);
		clock->uncertainty_ns += survey->stated_ns;
	} else {
		rc = TACHO_E_NOMEM;
	}
	free(survey->pieces);
	free(survey);
	return rc;
}

int tacho__device_clocks_find(struct tacho_recording *recording)
{
	int rc = tacho__cursor_survey(recording, look, NULL);

	for (size_t i = 0; i < recording->process_count; i++) {
		struct tacho__process *process = recording->processes[i];

		for (size_t k = 0; k < process->device_clocks.capacity; k++) {
			struct tacho__map_entry *entry = &process->device_clocks.entries[k];
			int failed = entry->value ? conclude(recording, process, entry) : 0;

			if (failed && !rc)
				rc = failed;
		}
	}
	/* Who asks again begins anew: what was found is no survey. */
	for (size_t i = 0; rc && i < recording->process_count; i++)
		tacho__map_finish(&recording->processes[i]->device_clocks);
	recording->clocks_known = !rc;
	return rc;
}

static int64_t fitted_offset_ns(const struct tacho__device_clock *clock, uint64_t time_ns)
{
	size_t low = 0, high = clock->fit_count;
	const struct tacho__clock_fit *a;

	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (clock->fits[middle].from_ns <= time_ns)
			low = middle;
		else
			high = middle;
	}
	a = &clock->fits[low];
	return a->offset_ns;
}

/*
 * What brings a command's times onto the host's clock: one offset for all four, so that durations
 * stay the device's own where its clock and the host's tick a few parts per million apart.
 */
static uint64_t offset_ns(const struct tacho__evidence *e, const struct tacho__device_clock *clock)
{
	const struct tacho__slot *slot = e->slot;

	if (clock->fitted)
		return (uint64_t)fitted_offset_ns(clock, slot->queued);
	return tacho__time_lines_own_to_host_ns(e->times, clock->clock, slot->start) - slot->start;
}

static void refuse(struct tacho_command *command, enum tacho_state state, const char *reason)
{
	command->state = state;
	command->reason = reason;
}

/* Why a command has no times, by what its slot says. */
static const char *const absences[] = {
	[TACHO__SLOT_NO_PROFILING] = "the driver has no times for this command",
	[TACHO__SLOT_NO_CALLBACK] = "the driver did not let the command's end be watched",
	[TACHO__SLOT_FAILED] = "the command failed on the device",
	[TACHO__SLOT_NO_START] = "the driver tells when the command ended, not when it began",
	[TACHO__SLOT_NO_ROOM] =
		"more commands were waiting for their times than tacho keeps track of",
	[TACHO__SLOT_NO_CLOCK] = "its queue has no clock that can time it",
	[TACHO__SLOT_AT_ONCE] =
		"what holds it may run several times at once, which would mix its times",
	[TACHO__SLOT_INSIDE] = "it is a part of something that can be timed only as a whole",
	[TACHO__SLOT_BY_TILE] = "the device draws tile by tile: times of one of several draws are "
				"not credible",
	[TACHO__SLOT_MIXED] = "what holds it was on another queue before its times were read",
	[TACHO__SLOT_ODD] = "the driver's times of this command lie outside of its submit, or are "
			    "not in order",
	[TACHO__SLOT_BY_PARTS] = "its parts have times of their own, which would be in its again",
};

/* No times of it were ever taken: none that could be refused. */
static bool is_untimed(unsigned code)
{
	return (code >= TACHO__SLOT_NO_ROOM && code <= TACHO__SLOT_BY_TILE) ||
	       code == TACHO__SLOT_BY_PARTS;
}

/* False: it has times. */
static bool refuse_by_slot(const struct tacho__slot *slot, struct tacho_command *command)
{
	unsigned code = slot->done & 255;
	const char *why = code < TACHO__ARRAY_SIZE(absences) ? absences[code] : NULL;

	switch (code) {
	case TACHO__SLOT_TIMES: return false;
	case TACHO__SLOT_MARKED: command->has_marked_start = 1; return false;
	case TACHO__SLOT_UNQUEUED: command->lacks_queue_times = 1; return false;
	case TACHO__SLOT_PENDING:
		refuse(command, TACHO_STATE_LOST, "its end was not seen before the program ended");
		return true;
	default:
		command->is_untimed = is_untimed(code);
		refuse(command, TACHO_STATE_ABSENT, why ? why : absences[TACHO__SLOT_NO_PROFILING]);
		return true;
	}
}

/* Between its call and the report of its end, whatever the driver says. */
static void set_bounds(const struct tacho__evidence *e, struct tacho_command *command)
{
	command->not_before_ns = tacho__time_lines_host_ns(e->times, e->call_start);
	command->not_after_ns = UINT64_MAX;
	if ((e->slot->done & 255) != TACHO__SLOT_PENDING && e->slot->seen)
		command->not_after_ns = tacho__time_lines_host_ns(e->times, e->slot->seen);
}

void tacho__device_clock_apply(const struct tacho__evidence *e, struct tacho_command *command)
{
	const struct tacho__slot *slot = e->slot;
	const struct tacho__device_clock *clock;
	uint64_t low, high, offset;

	set_bounds(e, command);
	if (refuse_by_slot(slot, command))
		return;
	clock = tacho__map_get(&e->process->device_clocks, e->device ? e->device->handle : 0);
	if (!clock || clock->refused) {
		refuse(command, TACHO_STATE_ABSENT,
		       clock ? clock->refused : "its device is unknown");
		return;
	}
	if (!in_order(slot)) {
		refuse(command, TACHO_STATE_ABSENT,
		       "the driver's times of this command are not in order");
		return;
	}
	low = command->not_before_ns;
	high = command->not_after_ns;
	offset = offset_ns(e, clock);
	command->queued_ns = slot->queued + offset;
	command->submit_ns = slot->submit + offset;
	command->start_ns = slot->start + offset;
	command->end_ns = slot->end + offset;
	command->uncertainty_ns = clock->uncertainty_ns;
	command->clock = clock->name;
	if (sticks_out_ns(command->queued_ns, command->end_ns, low, high) > clock->tolerance_ns)
		refuse(command, TACHO_STATE_ABSENT,
		       "the driver's times of this command lie outside of its call");
}
