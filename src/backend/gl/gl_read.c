/* SPDX-License-Identifier: MIT */
/* Values of a range that was ended: whether they are there, and what they are. */
#include <stdlib.h>
#include <string.h>

#include "backend/gl/gl_private.h"
#include "base/error.h"

enum { MONITOR_DATA_MAX = 16 << 20 };

/*
 * With a buffer bound to GL_QUERY_BUFFER results go there (OpenGL 4.4, section 4.2.1): it is the
 * program's, and bound again after.
 */
static int32_t unbind_buffer(const struct tacho__gl_device *device)
{
	int32_t buffer = 0;

	if (!device->has_query_buffer)
		return 0;
	device->gl.get_integer(GL__QUERY_BUFFER_BINDING, &buffer);
	if (buffer)
		device->gl.bind_buffer(GL__QUERY_BUFFER, 0);
	return buffer;
}

static void bind_buffer(const struct tacho__gl_device *device, int32_t buffer)
{
	if (buffer)
		device->gl.bind_buffer(GL__QUERY_BUFFER, (uint32_t)buffer);
}

static bool is_available(const struct tacho__gl_device *device, uint32_t name)
{
	uint32_t available = 0;

	device->gl.get_object(name, GL__QUERY_RESULT_AVAILABLE, &available);
	return available != 0;
}

static bool are_available(const struct tacho__gl_device *device,
			  const struct tacho__gl_program *program,
			  const struct tacho__gl_slot *slot)
{
	/* the last one first: it is the one that is most likely missing */
	for (size_t i = program->name_count; i > 0; i--)
		if (!is_available(device, slot->names[i - 1]))
			return false;
	return true;
}

bool tacho__gl_slot_is_ready(const struct tacho__gl_device *device,
			     const struct tacho__gl_program *program,
			     const struct tacho__gl_slot *slot)
{
	uint32_t available = 0;
	int32_t size = 0, buffer;
	bool ready = true;

	if (program->name_count) {
		buffer = unbind_buffer(device);
		ready = are_available(device, program, slot);
		bind_buffer(device, buffer);
	}
	if (ready && program->has_monitor) {
		device->gl.get_monitor_data(slot->monitor, GL__PERFMON_RESULT_AVAILABLE_AMD,
					    sizeof(available), &available, &size);
		ready = available != 0;
	}
	if (ready && program->has_perf) {
		uint32_t written = 0;
		void *data = malloc(program->perf_size + 1u);

		if (data)
			device->gl.get_perf_query_data(slot->perf, GL__PERFQUERY_DONOT_FLUSH_INTEL,
						       (int32_t)program->perf_size, data, &written);
		free(data);
		ready = written > 0;
	}
	return ready;
}

/* A larger result than 32 bits hold is read as the largest that they do (OpenGL 4.2, 6.1). */
static uint64_t read_object(const struct tacho__gl_device *device, uint32_t name,
			    uint8_t *out_state)
{
	uint64_t value = 0;
	uint32_t half = 0;

	*out_state = TACHO_STATE_OK;
	if (device->gl.get_object_64) {
		device->gl.get_object_64(name, GL__QUERY_RESULT, &value);
		return value;
	}
	device->gl.get_object(name, GL__QUERY_RESULT, &half);
	if (half == UINT32_MAX)
		*out_state = TACHO_STATE_OVERFLOW;
	return half;
}

/* Where the count of a source began and ended; of queries it begins at 0. */
struct reading {
	uint64_t begin, end;
	uint8_t state;
};

/* The time nearest to the last one that the bits of a time stamp may stand for. */
static uint64_t continue_clock(const struct tacho__gl_clock *clock, uint64_t stamp, uint64_t mask)
{
	uint64_t ahead = (stamp - clock->time_ns) & mask;

	if (!clock->time_ns)
		return stamp;
	return clock->time_ns + (ahead > mask / 2 ? ahead - mask - 1 : ahead);
}

/* Time stamps are read only where they have all their bits. */
static void read_stamps(const struct tacho__gl_device *device, const uint32_t *names,
			struct tacho__gl_clock *clock, struct reading *out_reading)
{
	uint64_t mask = UINT64_MAX >> (64 - device->stamp_bits);
	uint64_t begin = read_object(device, names[0], &out_reading->state);
	uint64_t end = read_object(device, names[1], &out_reading->state);

	out_reading->begin = continue_clock(clock, begin, mask);
	out_reading->end = out_reading->begin + ((end - begin) & mask);
	clock->time_ns = out_reading->end;
}

static void read_source(const struct tacho__gl_device *device,
			const struct tacho__gl_source *source, const struct tacho__gl_slot *slot,
			struct tacho__gl_clock *clock, struct reading *out_reading)
{
	const uint32_t *names = &slot->names[source->name];

	if (source->kind == TACHO__GL_TIME && device->has_stamps) {
		read_stamps(device, names, clock, out_reading);
		return;
	}
	out_reading->begin = 0;
	out_reading->end = read_object(device, names[0], &out_reading->state);
}

static uint64_t get_whole(const struct tacho__gl_counter *counter, const struct reading *reading)
{
	switch (counter->time) {
	case TACHO__GL_START: return reading->begin;
	case TACHO__GL_STOP: return reading->end;
	default: return reading->end - reading->begin;
	}
}

static void read_queries(const struct tacho__gl_device *device,
			 const struct tacho__gl_program *program, const struct tacho__gl_slot *slot,
			 struct tacho__gl_clock *clock, struct tacho__rows *rows, size_t row)
{
	int32_t buffer = unbind_buffer(device);
	const struct tacho__gl_source *read = NULL;
	struct reading reading = {0};

	for (size_t i = 0; i < program->value_count; i++) {
		const struct tacho__gl_value *value = &program->values[i];
		uint64_t whole;

		if (!value->source)
			continue;
		if (value->source != read)
			read_source(device, value->source, slot, clock, &reading);
		read = value->source;
		whole = get_whole(value->counter, &reading);
		tacho__rows_put(rows, i, row, whole, (double)whole, reading.state);
	}
	bind_buffer(device, buffer);
}

/* Gives a number of the data to the counters that are this one. */
static void put_monitored(const struct tacho__gl_program *program, const uint32_t *at,
			  uint32_t words, struct tacho__rows *rows, size_t row)
{
	uint64_t whole = at[2];
	float real;

	memcpy(&real, &at[2], sizeof(real));
	if (words == 2)
		memcpy(&whole, &at[2], sizeof(whole));
	for (size_t i = 0; i < program->value_count; i++) {
		const struct tacho__gl_counter *counter = program->values[i].counter;
		bool is_real = words == 1 && counter->type != GL__UNSIGNED_INT;

		if (counter->kind == TACHO__GL_MONITOR && counter->target == at[0] &&
		    counter->index == at[1])
			tacho__rows_put(rows, i, row, whole, is_real ? (double)real : (double)whole,
					TACHO_STATE_OK);
	}
}

/* Words that the value of a counter takes; 0: it was not asked for. */
static uint32_t count_words(const struct tacho__gl_program *program, uint32_t group,
			    uint32_t counter)
{
	for (size_t i = 0; i < program->value_count; i++) {
		const struct tacho__gl_counter *info = program->values[i].counter;

		if (info->kind == TACHO__GL_MONITOR && info->target == group &&
		    info->index == counter)
			return info->type == GL__UNSIGNED_INT64_AMD ? 2 : 1;
	}
	return 0;
}

/* The result is a row of group, counter, value: AMD_performance_monitor, GetPerfMonitorCounterData
 */
static int read_monitor(const struct tacho__gl_device *device,
			const struct tacho__gl_program *program, const struct tacho__gl_slot *slot,
			struct tacho__rows *rows, size_t row)
{
	uint32_t size = 0, *data, count, words;
	int32_t written = 0;

	device->gl.get_monitor_data(slot->monitor, GL__PERFMON_RESULT_SIZE_AMD, sizeof(size), &size,
				    &written);
	if (size > MONITOR_DATA_MAX)
		return 0;
	written = 0;
	data = calloc(1, size + sizeof(*data));
	if (!data)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for values");
	device->gl.get_monitor_data(slot->monitor, GL__PERFMON_RESULT_AMD, (int32_t)size, data,
				    &written);
	if (written < 0 || (uint32_t)written > size)
		written = 0;
	count = (uint32_t)written / sizeof(*data);
	for (uint32_t i = 0; i + 3 <= count; i += 2 + words) {
		words = count_words(program, data[i], data[i + 1]);
		if (!words || i + 2 + words > count)
			break;
		put_monitored(program, &data[i], words, rows, row);
	}
	free(data);
	return 0;
}

static void put_perf(struct tacho__rows *rows, size_t index, size_t row, uint32_t type,
		     const unsigned char *at)
{
	uint64_t whole = 0;
	uint32_t half;
	double real = 0;
	float single;

	memcpy(&half, at, sizeof(half));
	memcpy(&single, at, sizeof(single));
	switch (type) {
	case GL__PERFQUERY_COUNTER_DATA_UINT64_INTEL: memcpy(&whole, at, sizeof(whole)); break;
	case GL__PERFQUERY_COUNTER_DATA_DOUBLE_INTEL: memcpy(&real, at, sizeof(real)); break;
	case GL__PERFQUERY_COUNTER_DATA_FLOAT_INTEL: real = single; break;
	default: whole = half;
	}
	tacho__rows_put(rows, index, row, whole, real, TACHO_STATE_OK);
}

static int read_perf(const struct tacho__gl_device *device, const struct tacho__gl_program *program,
		     const struct tacho__gl_slot *slot, struct tacho__rows *rows, size_t row)
{
	unsigned char *data = calloc(1, program->perf_size + 1u);
	uint32_t written = 0;

	if (!data)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for values");
	device->gl.get_perf_query_data(slot->perf, GL__PERFQUERY_DONOT_FLUSH_INTEL,
				       (int32_t)program->perf_size, data, &written);
	for (size_t i = 0; i < program->value_count; i++) {
		const struct tacho__gl_counter *counter = program->values[i].counter;

		if (counter->kind != TACHO__GL_PERF || written < counter->size ||
		    counter->index > written - counter->size)
			continue;
		put_perf(rows, i, row, counter->type, data + counter->index);
	}
	free(data);
	return 0;
}

int tacho__gl_slot_read(const struct tacho__gl_device *device,
			const struct tacho__gl_program *program, const struct tacho__gl_slot *slot,
			struct tacho__gl_clock *clock, struct tacho__rows *rows, size_t row)
{
	int rc = 0;

	if (program->name_count)
		read_queries(device, program, slot, clock, rows, row);
	if (program->has_monitor)
		rc = read_monitor(device, program, slot, rows, row);
	if (!rc && program->has_perf)
		rc = read_perf(device, program, slot, rows, row);
	return rc;
}
