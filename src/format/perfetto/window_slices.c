/* SPDX-License-Identifier: MIT */
/* Counters that were sampled beside the program: tracks of a device, for no process. */
#include <inttypes.h>
#include <math.h>

#include "base/error.h"
#include "format/perfetto/fields.h"
#include "format/perfetto/perfetto.h"

struct tacho__perfetto_sampling {
	const struct tacho_sampling *sampling;
	uint64_t uuid;	 /* of its track; those of its counters follow. 0: not described */
	bool *has_level; /* by counter: its last sample is no 0 that marks a gap */
	uint64_t end_ns; /* of the last window */
};

int tacho__perfetto_windows_init(struct tacho__perfetto *trace)
{
	const struct tacho_sampling *sampling;
	size_t count = 0;

	while (tacho_recording_get_sampling(trace->recording, count))
		count++;
	trace->samplings = tacho__arena_get(&trace->arena, (count + 1) * sizeof(*trace->samplings));
	if (!trace->samplings)
		return TACHO_E_NOMEM;
	trace->sampling_count = count;
	for (size_t i = 0; (sampling = tacho_recording_get_sampling(trace->recording, i)); i++) {
		bool *levels = tacho__arena_get(&trace->arena, sampling->counter_count + 1);

		if (!levels)
			return TACHO_E_NOMEM;
		trace->samplings[i] = (struct tacho__perfetto_sampling){.sampling = sampling,
									.has_level = levels};
	}
	return 0;
}

static void describe(struct tacho__perfetto *trace, struct tacho__perfetto_sampling *own)
{
	const struct tacho_sampling *sampling = own->sampling;

	own->uuid = trace->uuid + 1;
	trace->uuid += 1 + sampling->counter_count;
	tacho__buf_clear(&trace->scratch);
	tacho__buf_printf(&trace->scratch, "%s%s, sampled", sampling->device,
			  sampling->is_simulated ? " [simulated]" : "");
	if (trace->scratch.failed)
		trace->rc = TACHO_E_NOMEM;
	tacho__perfetto_begin_track(trace, own->uuid, 0, tacho__buf_text(&trace->scratch));
	tacho__perfetto_end_event(trace);
	for (size_t i = 0; i < sampling->counter_count; i++)
		tacho__perfetto_describe_counter(trace, own->uuid + 1 + i, own->uuid, i,
						 &sampling->counters[i],
						 sampling->counters[i].name);
}

/* A counter track knows no gaps: one of 0 marks where nothing is known any more. */
static void end_levels(struct tacho__perfetto *trace, struct tacho__perfetto_sampling *own)
{
	for (size_t i = 0; i < own->sampling->counter_count; i++) {
		if (own->has_level[i])
			tacho__perfetto_put_sample(trace, own->end_ns, own->uuid + 1 + i, NULL);
		own->has_level[i] = false;
	}
}

static bool has_number(const struct tacho_column *column)
{
	return (tacho_column_get_state(column, 0, 0) & TACHO_STATE_MASK) != TACHO_STATE_ABSENT &&
	       isfinite(tacho_column_get_value(column, 0, 0));
}

static void put_values(struct tacho__perfetto *trace, struct tacho__perfetto_sampling *own,
		       const struct tacho_window *window)
{
	for (size_t i = 0; i < own->sampling->counter_count; i++) {
		const struct tacho_column *column = tacho_result_get_column(window->result, i);
		bool is_there = has_number(column);

		if (is_there || own->has_level[i])
			tacho__perfetto_put_sample(trace, window->start_ns, own->uuid + 1 + i,
						   is_there ? column : NULL);
		own->has_level[i] = is_there;
	}
}

void tacho__perfetto_put_window(void *user, const struct tacho_window *window)
{
	struct tacho__perfetto *trace = user;
	struct tacho__perfetto_sampling *own = trace->samplings;

	while (own->sampling != window->sampling)
		own++;
	if (!own->uuid)
		describe(trace, own);
	if (window->start_ns > own->end_ns &&
	    window->start_ns - own->end_ns > window->uncertainty_ns)
		end_levels(trace, own);
	put_values(trace, own, window);
	own->end_ns = window->end_ns;
}

void tacho__perfetto_end_windows(struct tacho__perfetto *trace)
{
	for (size_t i = 0; i < trace->sampling_count; i++)
		end_levels(trace, &trace->samplings[i]);
}
