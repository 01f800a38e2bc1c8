/* SPDX-License-Identifier: MIT */
#include "record/window_reader.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "catalog/catalog.h"
#include "record/window_records.h"

enum { SAMPLINGS_MAX = 64 };

static int no_memory(const struct tacho_recording *recording)
{
	return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for the windows of %s",
			   recording->path);
}

/* ---- what was sampled ---- */

static struct tacho__sampling *find(const struct tacho_recording *recording, uint32_t number)
{
	for (size_t i = 0; i < recording->sampling_count; i++)
		if (recording->samplings[i].number == number)
			return &recording->samplings[i];
	return NULL;
}

/* The next text of a record in the recording's memory. False: it is none; NULL: no memory. */
static bool take_text(struct tacho_recording *recording, struct tacho__unpack *unpack,
		      const char **out_text)
{
	struct tacho__sampled_text text;

	if (!tacho__sampled_unpack_text(unpack, &text))
		return false;
	*out_text = tacho__arena_text(&recording->arena, text.text, text.size);
	return true;
}

static int take_sampled(struct tacho_recording *recording, struct tacho__unpack *unpack)
{
	struct tacho__sampled sampled;
	struct tacho__sampling sampling = {
		.sampling = {.is_open = 1, .ended = "", .ended_cure = ""}};
	struct tacho_sampling *info = &sampling.sampling;

	if (!tacho__sampled_unpack(unpack, &sampled) || find(recording, sampled.number) ||
	    recording->sampling_count == SAMPLINGS_MAX ||
	    !take_text(recording, unpack, &info->device))
		return 0;
	sampling.number = sampled.number;
	info->window_ns = sampled.window_ns;
	info->is_simulated = sampled.is_simulated;
	info->counter_count = sampled.column_count;
	sampling.counters = tacho__arena_get(&recording->arena,
					     sampled.column_count * sizeof(*sampling.counters));
	info->counters = sampling.counters;
	if (!info->device || !sampling.counters)
		return no_memory(recording);
	for (size_t i = 0; i < info->counter_count; i++) {
		sampling.counters[i] = (struct tacho_entry){
			.name = "?", .unit = "", .description = "", .group = "", .semantic = ""};
		tacho__entry_complete(&sampling.counters[i]);
	}
	if (tacho__array_add(&recording->samplings, &recording->sampling_capacity,
			     &recording->sampling_count, &sampling, sizeof(sampling)))
		return no_memory(recording);
	return 0;
}

static int take_column(struct tacho_recording *recording, struct tacho__unpack *unpack)
{
	struct tacho__sampled_column column;
	struct tacho__sampling *sampling;
	struct tacho_entry entry = {.group = ""};

	if (!tacho__sampled_unpack_column(unpack, &column))
		return 0;
	sampling = find(recording, column.number);
	if (!sampling || column.column >= sampling->sampling.counter_count ||
	    !take_text(recording, unpack, &entry.name) ||
	    !take_text(recording, unpack, &entry.unit) ||
	    !take_text(recording, unpack, &entry.description) ||
	    !take_text(recording, unpack, &entry.semantic))
		return 0;
	if (!entry.name || !entry.unit || !entry.description || !entry.semantic)
		return no_memory(recording);
	entry.type = column.type;
	entry.is_simulated = sampling->sampling.is_simulated;
	tacho__entry_complete(&entry);
	sampling->counters[column.column] = entry;
	return 0;
}

static int take_end(struct tacho_recording *recording, struct tacho__unpack *unpack)
{
	struct tacho__sampled_end end;
	struct tacho__sampling *sampling;

	if (!tacho__sampled_unpack_end(unpack, &end))
		return 0;
	sampling = find(recording, end.number);
	if (!sampling || !take_text(recording, unpack, &end.cause) ||
	    !take_text(recording, unpack, &end.cure))
		return 0;
	if (!end.cause || !end.cure)
		return no_memory(recording);
	sampling->told = end.windows;
	sampling->dropped = end.lost;
	sampling->sampling.is_open = 0;
	sampling->sampling.ended = end.cause;
	sampling->sampling.ended_cure = end.cure;
	return 0;
}

int tacho__sampling_take(struct tacho_recording *recording, uint16_t kind,
			 struct tacho__unpack *unpack)
{
	switch (kind) {
	case TACHO__RECORD_SAMPLED: return take_sampled(recording, unpack);
	case TACHO__RECORD_SAMPLED_COLUMN: return take_column(recording, unpack);
	default: return take_end(recording, unpack);
	}
}

const struct tacho_sampling *tacho_recording_get_sampling(const struct tacho_recording *recording,
							  size_t index)
{
	return recording && index < recording->sampling_count
		       ? &recording->samplings[index].sampling
		       : NULL;
}

/* ---- windows ---- */

void tacho__window_reader_init(struct tacho__window_reader *reader,
			       struct tacho_recording *recording)
{
	memset(reader, 0, sizeof(*reader));
	reader->recording = recording;
	tacho__stream_reader_init(&reader->reader, recording, &recording->windows);
}

void tacho__window_reader_finish(struct tacho__window_reader *reader)
{
	for (size_t i = 0; reader->rows && i < reader->recording->sampling_count; i++)
		tacho_result_destroy(reader->rows[i].result);
	free(reader->rows);
	if (reader->recording)
		tacho__stream_reader_finish(&reader->reader);
	memset(reader, 0, sizeof(*reader));
}

static struct tacho__window_row *get_row(struct tacho__window_reader *reader, size_t index)
{
	const struct tacho_sampling *sampling = &reader->recording->samplings[index].sampling;
	struct tacho__window_row *row;

	if (!reader->rows)
		reader->rows = calloc(reader->recording->sampling_count, sizeof(*reader->rows));
	if (!reader->rows)
		return NULL;
	row = &reader->rows[index];
	if (!row->result && tacho__row_create(sampling->counters, NULL, sampling->counter_count,
					      &row->row, &row->result))
		return NULL;
	return row;
}

static bool take_values(struct tacho__unpack *unpack, size_t count, struct tacho__row *row)
{
	for (size_t i = 0; i < count; i++) {
		struct tacho__window_value value;
		union tacho__number number;

		if (!tacho__window_unpack_value(unpack, &value))
			return false;
		if ((value.state & TACHO_STATE_MASK) == TACHO_STATE_ABSENT) {
			tacho__row_miss(row, i, "", 0);
			continue;
		}
		number.u64 = value.bits;
		tacho__row_put(row, i, number);
		row->states[i] = value.state;
		row->coverage[i] = value.coverage;
	}
	return true;
}

/* 1: reader->window is one; 0: the record is none that can be read. */
static int take_window(struct tacho__window_reader *reader, struct tacho__record *record)
{
	struct tacho_recording *recording = reader->recording;
	struct tacho__window window;
	struct tacho__window_row *row;
	struct tacho__sampling *sampling;

	if (record->kind != TACHO__RECORD_WINDOW)
		return 0;
	sampling = tacho__window_unpack(&record->unpack, &window) ? find(recording, window.number)
								  : NULL;
	if (!sampling || window.count != sampling->sampling.counter_count) {
		reader->unreadable += record->size;
		return 0;
	}
	row = get_row(reader, (size_t)(sampling - recording->samplings));
	if (!row)
		return no_memory(recording);
	if (!take_values(&record->unpack, window.count, &row->row)) {
		reader->unreadable += record->size;
		return 0;
	}
	reader->window = (struct tacho_window){
		.sampling = &sampling->sampling,
		.index = window.index,
		.start_ns = window.start_ns,
		.end_ns = window.end_ns,
		.uncertainty_ns = window.uncertainty_ns,
		.result = row->result,
	};
	return 1;
}

int tacho__window_reader_next(struct tacho__window_reader *reader, uint64_t until_ns,
			      const struct tacho_window **out_window)
{
	struct tacho__record record;
	int rc;

	while (!reader->is_waiting) {
		if (reader->is_over)
			return 0;
		rc = tacho__stream_reader_next(&reader->reader, &record);
		reader->is_over = !rc;
		if (rc < 1)
			return rc;
		rc = take_window(reader, &record);
		if (rc < 0)
			return rc;
		reader->is_waiting = rc;
	}
	if (reader->window.end_ns > until_ns)
		return 0;
	reader->is_waiting = false;
	*out_window = &reader->window;
	return 1;
}

/* ---- what is missing ---- */

/* What was left out as it was set is no loss, nor what a ring let go of. */
static uint64_t count_left_out(const struct tacho_recording *recording)
{
	for (size_t i = 0; i < recording->bounded_count; i++)
		if (!recording->bounded[i].api &&
		    recording->bounded[i].function == TACHO__RECORD_WINDOW)
			return recording->bounded[i].calls;
	return 0;
}

static void count_lost(struct tacho_recording *recording, struct tacho__sampling *sampling)
{
	struct tacho_sampling *info = &sampling->sampling;
	uint64_t left_out = count_left_out(recording), missing = 0;

	if (sampling->told > info->windows)
		missing = sampling->told - info->windows;
	missing -= missing < left_out ? missing : left_out;
	if (recording->run.ring_bytes)
		missing = 0;
	info->lost = missing + sampling->dropped;
	recording->losses.windows += info->lost;
}

int tacho__windows_survey(struct tacho_recording *recording)
{
	struct tacho__window_reader reader;
	const struct tacho_window *window;
	int rc;

	tacho__window_reader_init(&reader, recording);
	while ((rc = tacho__window_reader_next(&reader, UINT64_MAX, &window)) == 1) {
		struct tacho__sampling *sampling = (struct tacho__sampling *)window->sampling;

		sampling->sampling.windows++;
		if (window->index >= sampling->told)
			sampling->told = window->index + 1;
	}
	for (size_t i = 0; i < recording->sampling_count && !rc; i++)
		count_lost(recording, &recording->samplings[i]);
	recording->losses.unreadable += reader.unreadable;
	tacho__window_reader_finish(&reader);
	return rc;
}
