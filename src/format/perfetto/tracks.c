/* SPDX-License-Identifier: MIT */
/* Processes hold threads and devices, devices hold queues, queues hold their counters. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/buf.h"
#include "base/error.h"
#include "format/estimate.h"
#include "format/perfetto/perfetto.h"
#include "format/perfetto/fields.h"
#include "record/command.h"

int tacho__perfetto_tracks_init(struct tacho__perfetto *trace)
{
	trace->process_count = tacho_recording_get_process_count(trace->recording);
	trace->processes = tacho__arena_get(&trace->arena,
					    (trace->process_count + 1) * sizeof(*trace->processes));
	while (tacho_recording_get_counter(trace->recording, trace->counter_count))
		trace->counter_count++;
	return trace->processes ? 0 : TACHO_E_NOMEM;
}

static void finish_track(struct tacho__perfetto_track *track)
{
	if (!track)
		return;
	tacho__lanes_finish(&track->lanes);
	free(track->ids);
	free(track->open);
}

static void finish_all(struct tacho__map *tracks)
{
	for (size_t i = 0; i < tracks->capacity; i++)
		finish_track(tracks->entries[i].value);
	tacho__map_finish(tracks);
}

void tacho__perfetto_tracks_finish(struct tacho__perfetto *trace)
{
	finish_all(&trace->threads);
	finish_all(&trace->queues);
	for (size_t i = 0; i < trace->domains.capacity; i++)
		finish_track(trace->domains.entries[i].value);
	tacho__names_finish(&trace->domains);
	tacho__map_finish(&trace->devices);
	tacho__map_finish(&trace->heaps);
}

/* A descriptor is open until ..._end_event(). */
static void begin_track(struct tacho__perfetto *trace, uint64_t time_ns, uint64_t uuid,
			uint64_t parent_uuid, const char *name)
{
	tacho__perfetto_begin(trace, time_ns);
	tacho__proto_begin(&trace->packets, PF_PACKET_TRACK_DESCRIPTOR);
	tacho__proto_add_unsigned(&trace->packets, PF_TRACK_UUID, uuid);
	if (parent_uuid)
		tacho__proto_add_unsigned(&trace->packets, PF_TRACK_PARENT_UUID, parent_uuid);
	if (name)
		tacho__proto_add_string(&trace->packets, PF_TRACK_NAME, name);
}

void tacho__perfetto_begin_track(struct tacho__perfetto *trace, uint64_t uuid, uint64_t parent_uuid,
				 const char *name)
{
	begin_track(trace, 0, uuid, parent_uuid, name);
}

/* ---- threads ---- */

static void describe_thread(struct tacho__perfetto *trace, struct tacho__perfetto_track *track,
			    uint64_t time_ns)
{
	const char *name =
		tacho_cursor_get_thread_name(trace->cursor, track->process, track->thread);
	char number[32];

	track->name_hash = tacho__hash_text(name);
	if (trace->is_import) {
		snprintf(number, sizeof(number), "thread %" PRIu32, track->thread);
		begin_track(trace, time_ns, track->ids[0].uuid,
			    trace->processes[track->process->index].uuid, number);
		tacho__perfetto_end_event(trace);
		return;
	}
	begin_track(trace, time_ns, track->ids[0].uuid, 0, NULL);
	tacho__proto_begin(&trace->packets, PF_TRACK_THREAD);
	tacho__proto_add_signed(&trace->packets, PF_THREAD_PID, (int32_t)track->process->pid);
	tacho__proto_add_signed(&trace->packets, PF_THREAD_TID, (int32_t)track->thread);
	if (*name)
		tacho__proto_add_string(&trace->packets, PF_THREAD_NAME, name);
	tacho__proto_end(&trace->packets);
	tacho__perfetto_end_event(trace);
}

void tacho__perfetto_tracks_complete(struct tacho__perfetto *trace)
{
	for (size_t i = 0; i < trace->threads.capacity; i++) {
		struct tacho__perfetto_track *track = trace->threads.entries[i].value;

		if (track && track->id_count && !trace->is_import &&
		    track->name_hash != tacho__hash_text(tacho_cursor_get_thread_name(
						trace->cursor, track->process, track->thread)))
			describe_thread(trace, track, 0);
	}
}

static int add_track(struct tacho__perfetto *trace, struct tacho__map *tracks, uint64_t key,
		     const struct tacho_process *process, struct tacho__perfetto_track **out_track)
{
	struct tacho__perfetto_track *track = tacho__arena_get(&trace->arena, sizeof(*track));

	if (!track || tacho__map_set(tracks, key, track))
		return TACHO_E_NOMEM;
	track->process = process;
	*out_track = track;
	return 0;
}

int tacho__perfetto_get_thread(struct tacho__perfetto *trace, const struct tacho_process *process,
			       uint32_t thread, struct tacho__perfetto_track **out_track)
{
	uint64_t key = (uint64_t)process->index << 32 | thread;
	struct tacho__perfetto_track *track = tacho__map_get(&trace->threads, key);
	int rc = track ? 0 : add_track(trace, &trace->threads, key, process, &track);

	if (rc)
		return rc;
	track->thread = thread;
	track->lanes.nests = true;
	*out_track = track;
	return 0;
}

/* ---- devices and queues ---- */

/* The id is in the name, because tracks of one name are shown as one. */
int tacho__perfetto_get_device(struct tacho__perfetto *trace, const struct tacho_object *device,
			       const struct tacho_process *process, uint64_t *out_uuid)
{
	uint64_t process_uuid = trace->processes[process->index].uuid;
	uint64_t uuid = device ? (uintptr_t)tacho__map_get(&trace->devices, device->id) : 0;
	struct tacho__buf name = {0};
	int rc;

	if (!device || uuid) {
		*out_uuid = device ? uuid : process_uuid;
		return 0;
	}
	uuid = ++trace->uuid;
	rc = tacho__map_set(&trace->devices, device->id, (void *)(uintptr_t)uuid);
	if (rc)
		return rc;
	tacho__buf_printf(&name, "%s (device %" PRIu32 ")", device->name, device->id);
	begin_track(trace, 0, uuid, process_uuid, tacho__buf_text(&name));
	tacho__perfetto_end_event(trace);
	rc = name.failed ? TACHO_E_NOMEM : 0;
	tacho__buf_finish(&name);
	*out_uuid = uuid;
	return rc;
}

static int name_queue(struct tacho__perfetto *trace, const struct tacho_command *command,
		      struct tacho__perfetto_track *track)
{
	char queue[TACHO__QUEUE_TEXT_MAX];
	struct tacho__buf name = {0};

	if (command->queue)
		tacho__buf_put(&name, tacho__queue_format(queue, command->queue));
	else
		tacho__buf_put(&name, "commands of unknown queues");
	track->name =
		name.failed ? NULL : tacho__arena_string(&trace->arena, tacho__buf_text(&name));
	tacho__buf_finish(&name);
	return track->name ? 0 : TACHO_E_NOMEM;
}

int tacho__perfetto_get_queue(struct tacho__perfetto *trace, const struct tacho_call *call,
			      struct tacho__perfetto_track **out_track)
{
	const struct tacho_command *command = call->command;
	uint64_t key =
		command->queue ? command->queue->id : UINT64_C(1) << 32 | call->process->index;
	struct tacho__perfetto_track *track = tacho__map_get(&trace->queues, key);
	int rc;

	if (track) {
		*out_track = track;
		return 0;
	}
	rc = add_track(trace, &trace->queues, key, call->process, &track);
	if (!rc)
		track->owner = TACHO__PERFETTO_QUEUE;
	if (!rc)
		rc = name_queue(trace, command, track);
	if (!rc)
		rc = tacho__perfetto_get_device(trace, command->queue ? command->device : NULL,
						call->process, &track->parent_uuid);
	if (!rc)
		*out_track = track;
	return rc;
}

/* ---- lanes ---- */

static void describe_lane(struct tacho__perfetto *trace, struct tacho__perfetto_track *track,
			  uint64_t time_ns)
{
	const struct tacho__perfetto_lane *lane = &track->ids[track->id_count - 1];

	if (track->owner == TACHO__PERFETTO_THREAD && track->id_count == 1) {
		describe_thread(trace, track, time_ns);
		return;
	}
	if (track->owner == TACHO__PERFETTO_THREAD)
		begin_track(trace, time_ns, lane->uuid, track->ids[0].uuid, "overlapping calls");
	else
		begin_track(trace, time_ns, lane->uuid, track->parent_uuid, track->name);
	if (track->owner == TACHO__PERFETTO_QUEUE)
		tacho__proto_add_signed(&trace->packets, PF_TRACK_CHILD_ORDERING,
					PF_ORDERING_EXPLICIT);
	tacho__perfetto_end_event(trace);
}

static int add_lane(struct tacho__perfetto *trace, struct tacho__perfetto_track *track,
		    uint64_t time_ns)
{
	if (tacho__array_reserve(&track->ids, &track->id_capacity, track->id_count,
				 sizeof(*track->ids)))
		return TACHO_E_NOMEM;
	track->ids[track->id_count++] = (struct tacho__perfetto_lane){.uuid = ++trace->uuid};
	describe_lane(trace, track, time_ns);
	return 0;
}

/* NULL for a lane beyond the last one that can be. */
static int find_lane(struct tacho__perfetto *trace, struct tacho__perfetto_track *track,
		     size_t number, uint64_t time_ns, struct tacho__perfetto_lane **out_lane)
{
	if (number == TACHO__LANES_MAX) {
		*out_lane = NULL;
		return 0;
	}
	if (number == track->id_count && add_lane(trace, track, time_ns))
		return TACHO_E_NOMEM;
	*out_lane = &track->ids[number];
	return 0;
}

int tacho__perfetto_open_lane(struct tacho__perfetto *trace, struct tacho__perfetto_track *track,
			      uint64_t start_ns, size_t *out_number,
			      struct tacho__perfetto_lane **out_lane)
{
	int rc = tacho__lanes_open(&track->lanes, start_ns, out_number);

	return rc ? rc : find_lane(trace, track, *out_number, start_ns, out_lane);
}

int tacho__perfetto_get_lane(struct tacho__perfetto *trace, struct tacho__perfetto_track *track,
			     uint64_t start_ns, uint64_t end_ns,
			     struct tacho__perfetto_lane **out_lane)
{
	size_t number;
	int rc = tacho__lanes_place(&track->lanes, start_ns, end_ns, &number);

	return rc ? rc : find_lane(trace, track, number, start_ns, out_lane);
}

/* ---- ranges ---- */

static bool is_between(const struct tacho_named_range *range)
{
	return range->kind == TACHO_RANGE_LABEL || range->kind == TACHO_RANGE_PASS;
}

static const char *name_ranges(const struct tacho_named_range *range)
{
	return range->kind == TACHO_RANGE_FRAME ? "frames" : "ranges of the process";
}

/* Ranges of a domain on a thread are beside the thread, those of the process below it, and those
 * between commands beside their queue. */
static int add_ranges(struct tacho__perfetto *trace, const struct tacho_named_range *range,
		      struct tacho__perfetto_track *track)
{
	struct tacho__perfetto_track *thread;
	int rc;

	track->parent_uuid = trace->processes[range->process->index].uuid;
	tacho__buf_clear(&trace->scratch);
	if (range->kind == TACHO_RANGE_NESTED)
		tacho__buf_printf(&trace->scratch, "ranges of %s", range->domain);
	else if (is_between(range))
		tacho__buf_printf(&trace->scratch, "labels of queue %" PRIu32,
				  range->queue ? range->queue->id : 0);
	else
		tacho__buf_printf(&trace->scratch, "%s%s%s", name_ranges(range),
				  *range->domain ? ", " : "", range->domain);
	track->name = tacho__arena_string(&trace->arena, tacho__buf_text(&trace->scratch));
	if (!track->name || trace->scratch.failed)
		return TACHO_E_NOMEM;
	if (is_between(range))
		return tacho__perfetto_get_device(trace, range->queue ? range->queue->device : NULL,
						  range->process, &track->parent_uuid);
	if (range->kind != TACHO_RANGE_NESTED)
		return 0;
	track->lanes.nests = true;
	rc = tacho__perfetto_get_thread(trace, range->process, range->thread, &thread);
	if (!rc && !thread->id_count)
		rc = add_lane(trace, thread, range->start_ns);
	if (!rc)
		track->parent_uuid = thread->ids[0].uuid;
	return rc;
}

int tacho__perfetto_get_ranges(struct tacho__perfetto *trace, const struct tacho_named_range *range,
			       struct tacho__perfetto_track **out_track)
{
	bool is_nested = range->kind == TACHO_RANGE_NESTED;
	struct tacho__perfetto_track *track;
	const char *key;
	int rc;

	if (is_nested && !*range->domain)
		return tacho__perfetto_get_thread(trace, range->process, range->thread, out_track);
	tacho__buf_clear(&trace->scratch);
	if (is_between(range)) /* what is in another one of a queue is on the next track */
		tacho__buf_printf(&trace->scratch, "queue %" PRIu32 " %" PRIu32,
				  range->queue ? range->queue->id : 0, range->depth);
	else
		tacho__buf_printf(
			&trace->scratch, "%" PRIu32 " %" PRId64 " %s", range->process->index,
			is_nested ? (int64_t)range->thread : -(int64_t)range->kind, range->domain);
	if (trace->scratch.failed)
		return TACHO_E_NOMEM;
	*out_track = tacho__names_get(&trace->domains, tacho__buf_text(&trace->scratch));
	if (*out_track)
		return 0;
	track = tacho__arena_get(&trace->arena, sizeof(*track));
	key = tacho__arena_string(&trace->arena, tacho__buf_text(&trace->scratch));
	if (!track || !key || tacho__names_set(&trace->domains, key, track))
		return TACHO_E_NOMEM;
	track->owner = TACHO__PERFETTO_RANGES;
	track->process = range->process;
	rc = add_ranges(trace, range, track);
	if (!rc)
		*out_track = track;
	return rc;
}

uint64_t tacho__perfetto_get_marks(struct tacho__perfetto *trace,
				   const struct tacho_process *process, uint64_t time_ns)
{
	struct tacho__perfetto_process *own = &trace->processes[process->index];

	if (own->marks_uuid)
		return own->marks_uuid;
	own->marks_uuid = ++trace->uuid;
	begin_track(trace, time_ns, own->marks_uuid, own->uuid, "marks");
	tacho__perfetto_end_event(trace);
	return own->marks_uuid;
}

/* ---- counters ---- */

static void put_unit(struct tacho__proto *packets, const char *unit)
{
	tacho__proto_begin(packets, PF_TRACK_COUNTER);
	if (!strcmp(unit, "ns") || !strcmp(unit, "nanoseconds"))
		tacho__proto_add_unsigned(packets, PF_COUNTER_UNIT, PF_UNIT_TIME_NS);
	else if (!strcmp(unit, "bytes"))
		tacho__proto_add_unsigned(packets, PF_COUNTER_UNIT, PF_UNIT_SIZE_BYTES);
	else if (!strcmp(unit, "count") || !strcmp(unit, "items"))
		tacho__proto_add_unsigned(packets, PF_COUNTER_UNIT, PF_UNIT_COUNT);
	else if (*unit)
		tacho__proto_add_string(packets, PF_COUNTER_UNIT_NAME, unit);
	tacho__proto_end(packets);
}

void tacho__perfetto_describe_counter(struct tacho__perfetto *trace, uint64_t uuid,
				      uint64_t parent_uuid, size_t rank,
				      const struct tacho_entry *counter, const char *name)
{
	begin_track(trace, 0, uuid, parent_uuid, name);
	if (*counter->description)
		tacho__proto_add_string(&trace->packets, PF_TRACK_DESCRIPTION,
					counter->description);
	tacho__proto_add_signed(&trace->packets, PF_TRACK_ORDER_RANK, (int32_t)rank);
	put_unit(&trace->packets, counter->unit);
	tacho__perfetto_end_event(trace);
}

static void describe_counter(struct tacho__perfetto *trace,
			     const struct tacho__perfetto_track *track,
			     const struct tacho__perfetto_lane *lane, size_t index)
{
	const struct tacho_entry *counter = tacho_recording_get_counter(trace->recording, index);
	size_t number = (size_t)(lane - track->ids) + 1;
	struct tacho__buf name = {0};

	tacho__buf_put(&name, counter->name);
	if (counter->is_simulated)
		tacho__buf_put(&name, " [simulated]");
	if (number > 1)
		tacho__buf_printf(&name, ", lane %zu", number);
	tacho__perfetto_describe_counter(trace, lane->counter_uuid + index, lane->uuid, index,
					 counter, tacho__buf_text(&name));
	if (name.failed)
		trace->rc = TACHO_E_NOMEM;
	tacho__buf_finish(&name);
}

void tacho__perfetto_describe_counters(struct tacho__perfetto *trace,
				       const struct tacho__perfetto_track *track,
				       struct tacho__perfetto_lane *lane)
{
	if (lane->counter_uuid)
		return;
	lane->counter_uuid = trace->uuid + 1;
	trace->uuid += trace->counter_count;
	for (size_t i = 0; i < trace->counter_count; i++)
		describe_counter(trace, track, lane, i);
}
