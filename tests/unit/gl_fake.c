/* SPDX-License-Identifier: MIT */
#include "gl_fake.h"

#include <stdio.h>
#include <string.h>

#include "backend/gl/gl_private.h"
#include "base/error.h"

enum { PERF_QUERIES = 2, PERF_BYTES = 24, WORK_NS = 1000 };

struct fake fake;
static int contexts[2];

void fake_reset(void)
{
	memset(&fake, 0, sizeof(fake));
	fake.current = &contexts[0];
	fake.version = "4.6 (Core Profile) Fake 1.0";
	fake.renderer = "Fake Renderer";
	fake.counter_bits = 64;
	fake.stamp_ns = 5000;
}

static void trace(char call)
{
	size_t length = strlen(fake.trace);

	if (length + 1 < sizeof(fake.trace))
		fake.trace[length] = call;
}

void fake_work(uint64_t amount)
{
	trace('w');
	fake.work += amount;
	fake.stamp_ns += amount * WORK_NS;
}

uint64_t fake_value(uint32_t target, uint32_t stream, uint64_t amount)
{
	if (target == GL__ANY_SAMPLES_PASSED)
		return amount > 0;
	return amount * (target % 1000 + stream);
}

uint64_t fake_monitored(uint32_t group, uint32_t counter)
{
	return 1000000 - 1000 * group - counter;
}

static struct fake_active *find_active(uint32_t target, uint32_t stream)
{
	for (size_t i = 0; i < FAKE_ACTIVE; i++)
		if (fake.active[i].name && fake.active[i].target == target &&
		    fake.active[i].stream == stream)
			return &fake.active[i];
	return NULL;
}

static void gen_queries(int32_t count, uint32_t *names)
{
	for (uint32_t i = 1; i < FAKE_NAMES && count > 0; i++) {
		if (fake.exists[i])
			continue;
		fake.exists[i] = true;
		fake.was_begun[i] = false;
		*names++ = i;
		fake.generated++;
		count--;
	}
}

static void delete_queries(int32_t count, const uint32_t *names)
{
	for (int32_t i = 0; i < count; i++) {
		if (!fake.exists[names[i]] || fake.is_counting[names[i]])
			fake.errors++;
		fake.exists[names[i]] = false;
		fake.deleted++;
	}
}

static uint8_t is_query(uint32_t name)
{
	return name < FAKE_NAMES && fake.exists[name] && fake.was_begun[name];
}

static bool excludes(uint32_t a, uint32_t b)
{
	bool is_a = a == GL__SAMPLES_PASSED || a == GL__ANY_SAMPLES_PASSED;
	bool is_b = b == GL__SAMPLES_PASSED || b == GL__ANY_SAMPLES_PASSED;

	return is_a && is_b;
}

static void begin_query_at(uint32_t target, uint32_t stream, uint32_t name)
{
	struct fake_active *free_one = NULL;

	for (size_t i = 0; i < FAKE_ACTIVE; i++) {
		if (!fake.active[i].name)
			free_one = &fake.active[i];
		else if (excludes(fake.active[i].target, target))
			fake.errors++;
	}
	if (find_active(target, stream) || !free_one || !fake.exists[name] ||
	    fake.is_counting[name]) {
		fake.errors++;
		return;
	}
	trace('B');
	*free_one = (struct fake_active){target, stream, name};
	fake.was_begun[name] = fake.is_counting[name] = true;
	fake.base[name] = fake.work;
}

static void begin_query(uint32_t target, uint32_t name)
{
	begin_query_at(target, 0, name);
}

static void end_query_at(uint32_t target, uint32_t stream)
{
	struct fake_active *active = find_active(target, stream);

	if (!active) {
		fake.errors++;
		return;
	}
	trace('E');
	fake.result[active->name] = fake_value(target, stream, fake.work - fake.base[active->name]);
	fake.is_counting[active->name] = false;
	fake.polls[active->name] = 0;
	active->name = 0;
}

static void end_query(uint32_t target)
{
	end_query_at(target, 0);
}

static void query_counter(uint32_t name, uint32_t target)
{
	if (target != GL__TIMESTAMP || !fake.exists[name])
		fake.errors++;
	trace('S');
	fake.was_begun[name] = true;
	fake.result[name] = fake.stamp_ns & UINT64_MAX >> (64 - fake.counter_bits);
	fake.polls[name] = 0;
}

static void get_query_at(uint32_t target, uint32_t stream, uint32_t what, int32_t *out_value)
{
	struct fake_active *active = find_active(target, stream);

	if (what == GL__CURRENT_QUERY)
		*out_value = active ? (int32_t)active->name : 0;
	else
		*out_value = fake.counter_bits;
}

static void get_query(uint32_t target, uint32_t what, int32_t *out_value)
{
	get_query_at(target, 0, what, out_value);
}

static void read_object(uint32_t name, uint32_t what, uint64_t *out_value)
{
	if (fake.query_buffer || !is_query(name) || fake.is_counting[name])
		fake.errors++;
	fake.reads += what == GL__QUERY_RESULT;
	if (what == GL__QUERY_RESULT)
		*out_value = fake.result[name];
	else
		*out_value = fake.polls[name]++ >= fake.delay;
}

static void get_object_64(uint32_t name, uint32_t what, uint64_t *out_value)
{
	if (!fake.has_stub)
		read_object(name, what, out_value);
}

static void get_object(uint32_t name, uint32_t what, uint32_t *out_value)
{
	uint64_t value;

	read_object(name, what, &value);
	*out_value = value < UINT32_MAX ? (uint32_t)value : UINT32_MAX;
}

static const unsigned char *get_string(uint32_t name)
{
	switch (name) {
	case GL__VENDOR: return (const unsigned char *)"Fake Vendor";
	case GL__RENDERER: return (const unsigned char *)fake.renderer;
	case GL__VERSION: return (const unsigned char *)fake.version;
	default: return (const unsigned char *)"";
	}
}

static const unsigned char *get_string_at(uint32_t name, uint32_t index)
{
	return (const unsigned char *)fake.extensions[index];
}

static void get_integer(uint32_t name, int32_t *out_value)
{
	int32_t count = 0;

	switch (name) {
	case GL__NUM_EXTENSIONS:
		while (fake.extensions[count])
			count++;
		*out_value = count;
		break;
	case GL__MAX_VERTEX_STREAMS: *out_value = 4; break;
	case GL__QUERY_BUFFER_BINDING: *out_value = fake.query_buffer; break;
	default: fake.errors++;
	}
}

static void bind_buffer(uint32_t target, uint32_t buffer)
{
	fake.errors += target != GL__QUERY_BUFFER;
	fake.query_buffer = (int32_t)buffer;
}

static void finish(void)
{
	trace('F');
	fake.finishes++;
	fake.stamp_ns += fake.finish_ns;
}

static void flush(void)
{
	fake.flushes++;
}

static void get_groups(int32_t *out_count, int32_t size, uint32_t *out_groups)
{
	if (out_count)
		*out_count = (int32_t)fake.group_count;
	for (int32_t i = 0; i < size; i++)
		out_groups[i] = (uint32_t)i;
}

static void get_counters(uint32_t group, int32_t *out_count, int32_t *out_max_active, int32_t size,
			 uint32_t *out_counters)
{
	if (out_count)
		*out_count = (int32_t)fake.groups[group].counter_count;
	if (out_max_active)
		*out_max_active = (int32_t)fake.groups[group].max_active;
	for (int32_t i = 0; i < size; i++)
		out_counters[i] = (uint32_t)i;
}

static void get_group_string(uint32_t group, int32_t size, int32_t *out_size, char *out_text)
{
	*out_size = snprintf(out_text, (size_t)size, "%s", fake.groups[group].name);
}

static void get_counter_string(uint32_t group, uint32_t counter, int32_t size, int32_t *out_size,
			       char *out_text)
{
	*out_size = snprintf(out_text, (size_t)size, "%s_%03u", fake.groups[group].name, counter);
}

/* The last group's counters are percentages, all others numbers of 64 bits. */
static bool is_percentage(uint32_t group)
{
	return group + 1 == fake.group_count;
}

static void get_counter_info(uint32_t group, uint32_t counter, uint32_t what, void *out_value)
{
	*(uint32_t *)out_value = is_percentage(group) ? GL__PERCENTAGE_AMD : GL__UNSIGNED_INT64_AMD;
}

static void gen_monitors(int32_t count, uint32_t *out_monitors)
{
	uint32_t i = 1;

	while (fake.monitors[i].exists)
		i++;
	memset(&fake.monitors[i], 0, sizeof(fake.monitors[i]));
	fake.monitors[i].exists = true;
	fake.generated++;
	*out_monitors = i;
}

static void delete_monitors(int32_t count, uint32_t *monitors)
{
	fake.errors += !fake.monitors[*monitors].exists || fake.monitors[*monitors].is_active;
	fake.monitors[*monitors].exists = false;
	fake.deleted++;
}

static void select_counters(uint32_t monitor, uint8_t enable, uint32_t group, int32_t count,
			    uint32_t *counters)
{
	uint32_t used = 1;

	for (uint32_t i = 0; i < fake.monitors[monitor].count; i++)
		used += fake.monitors[monitor].selected[i].group == group;
	if (used > fake.groups[group].max_active || count != 1) {
		fake.errors++;
		return;
	}
	fake.monitors[monitor].selected[fake.monitors[monitor].count].group = group;
	fake.monitors[monitor].selected[fake.monitors[monitor].count++].counter = *counters;
}

static void begin_monitor(uint32_t monitor)
{
	fake.errors += fake.monitors[monitor].is_active;
	fake.monitors[monitor].is_active = true;
	fake.monitors[monitor].has_result = false;
}

static void end_monitor(uint32_t monitor)
{
	fake.errors += !fake.monitors[monitor].is_active;
	fake.monitors[monitor].is_active = false;
	fake.monitors[monitor].has_result = true;
}

static uint32_t write_result(uint32_t monitor, uint32_t *data)
{
	uint32_t *at = data;

	for (uint32_t i = 0; i < fake.monitors[monitor].count; i++) {
		uint32_t group = fake.monitors[monitor].selected[i].group;
		uint32_t counter = fake.monitors[monitor].selected[i].counter;
		uint64_t value = fake_monitored(group, counter);
		float percentage = 12.5f;

		*at++ = group;
		*at++ = counter;
		if (is_percentage(group)) {
			memcpy(at++, &percentage, sizeof(percentage));
		} else {
			memcpy(at, &value, sizeof(value));
			at += 2;
		}
	}
	return (uint32_t)((char *)at - (char *)data);
}

static void get_monitor_data(uint32_t monitor, uint32_t what, int32_t size, uint32_t *out_data,
			     int32_t *out_size)
{
	uint32_t data[512];
	uint32_t bytes = write_result(monitor, data);

	*out_size = sizeof(*out_data);
	if (what == GL__PERFMON_RESULT_AVAILABLE_AMD) {
		*out_data = fake.monitors[monitor].has_result;
	} else if (what == GL__PERFMON_RESULT_SIZE_AMD) {
		*out_data = bytes;
	} else if (size >= (int32_t)bytes) {
		memcpy(out_data, data, bytes);
		*out_size = (int32_t)bytes;
	}
}

/* Two queries: "Render Basic" with three counters, "Compute Basic" with one. */
static void get_first_perf_query(uint32_t *out_query)
{
	*out_query = 1;
}

static void get_next_perf_query(uint32_t query, uint32_t *out_next)
{
	*out_next = query < PERF_QUERIES ? query + 1 : 0;
}

static void get_perf_query_info(uint32_t query, uint32_t name_size, char *out_name,
				uint32_t *out_data_size, uint32_t *out_counter_count,
				uint32_t *out_instance_count, uint32_t *out_caps)
{
	snprintf(out_name, name_size, "%s Basic", query == 1 ? "Render" : "Compute");
	*out_data_size = PERF_BYTES;
	*out_counter_count = query == 1 ? 4 : 1;
	*out_instance_count = *out_caps = 0;
}

static void get_perf_counter_info(uint32_t query, uint32_t counter, uint32_t name_size,
				  char *out_name, uint32_t description_size, char *out_description,
				  uint32_t *out_offset, uint32_t *out_data_size, uint32_t *out_type,
				  uint32_t *out_data_type, uint64_t *out_raw_maximum)
{
	static const char *const names[] = {"", "GPU Time", "Busy", "Threads", "Outside"};
	static const uint32_t offsets[] = {0, 0, 8, 12, PERF_BYTES - 2};
	static const uint32_t types[] = {
		0, GL__PERFQUERY_COUNTER_DATA_UINT64_INTEL, GL__PERFQUERY_COUNTER_DATA_FLOAT_INTEL,
		GL__PERFQUERY_COUNTER_DATA_UINT32_INTEL, GL__PERFQUERY_COUNTER_DATA_UINT32_INTEL};

	snprintf(out_name, name_size, "%s", names[counter]);
	snprintf(out_description, description_size, "About %s", names[counter]);
	*out_offset = offsets[counter];
	*out_data_size = 4;
	*out_type = GL__PERFQUERY_COUNTER_EVENT_INTEL;
	*out_data_type = types[counter];
	*out_raw_maximum = 0;
}

static void create_perf_query(uint32_t query, uint32_t *out_handle)
{
	uint32_t i = 1;

	while (fake.perf[i].exists)
		i++;
	memset(&fake.perf[i], 0, sizeof(fake.perf[i]));
	fake.perf[i].exists = true;
	fake.perf[i].query = query;
	fake.generated++;
	*out_handle = i;
}

static void delete_perf_query(uint32_t handle)
{
	fake.errors += !fake.perf[handle].exists || fake.perf[handle].is_active;
	fake.perf[handle].exists = false;
	fake.deleted++;
}

static void begin_perf_query(uint32_t handle)
{
	for (uint32_t i = 0; i < 64; i++)
		fake.errors += fake.perf[i].is_active;
	fake.perf[handle].is_active = true;
}

static void end_perf_query(uint32_t handle)
{
	fake.perf[handle].is_active = false;
	fake.perf[handle].has_result = true;
}

static void get_perf_query_data(uint32_t handle, uint32_t flags, int32_t size, void *out_data,
				uint32_t *out_size)
{
	uint64_t time = fake.perf[handle].query * UINT64_C(5000000000);
	uint32_t threads = 77;
	float busy = 62.5f;

	*out_size = 0;
	if (!fake.perf[handle].has_result || size < PERF_BYTES)
		return;
	memset(out_data, 0, PERF_BYTES);
	memcpy(out_data, &time, sizeof(time));
	memcpy((char *)out_data + 8, &busy, sizeof(busy));
	memcpy((char *)out_data + 12, &threads, sizeof(threads));
	*out_size = PERF_BYTES;
}

void fake_program_begins(uint32_t target, uint32_t stream)
{
	uint32_t name = 0;

	gen_queries(1, &name);
	begin_query_at(target, stream, name);
}

void fake_program_ends(uint32_t target, uint32_t stream)
{
	struct fake_active *active = find_active(target, stream);
	uint32_t name = active->name;

	end_query_at(target, stream);
	delete_queries(1, &name);
}

void fake_replace_context(void)
{
	memset(fake.exists, 0, sizeof(fake.exists));
	memset(fake.is_counting, 0, sizeof(fake.is_counting));
	memset(fake.active, 0, sizeof(fake.active));
}

static void *get_current(void)
{
	fake.asked++;
	return fake.current;
}

static void *get_own(void)
{
	return fake.own;
}

/* Wins over the library's, which looks for a real driver. */
int tacho__gl_find(struct tacho__gl *out_gl)
{
	if (!fake.current)
		return tacho__fail(TACHO_E_NODEVICE, "there is none", "make one current",
				   "no OpenGL context is current on this thread");
	*out_gl = (struct tacho__gl){
		.get_current = get_current,
		.get_own = get_own,
		.get_string = get_string,
		.get_string_at = get_string_at,
		.get_integer = get_integer,
		.finish = finish,
		.flush = flush,
		.bind_buffer = bind_buffer,
		.gen_queries = gen_queries,
		.delete_queries = delete_queries,
		.is_query = is_query,
		.begin_query = begin_query,
		.end_query = end_query,
		.begin_query_at = begin_query_at,
		.end_query_at = end_query_at,
		.query_counter = query_counter,
		.get_query = get_query,
		.get_query_at = get_query_at,
		.get_object = get_object,
		.get_object_64 = get_object_64,
		.get_groups = get_groups,
		.get_counters = get_counters,
		.get_group_string = get_group_string,
		.get_counter_string = get_counter_string,
		.get_counter_info = get_counter_info,
		.gen_monitors = gen_monitors,
		.delete_monitors = delete_monitors,
		.select_counters = select_counters,
		.begin_monitor = begin_monitor,
		.end_monitor = end_monitor,
		.get_monitor_data = get_monitor_data,
		.get_first_perf_query = get_first_perf_query,
		.get_next_perf_query = get_next_perf_query,
		.get_perf_query_info = get_perf_query_info,
		.get_perf_counter_info = get_perf_counter_info,
		.create_perf_query = create_perf_query,
		.delete_perf_query = delete_perf_query,
		.begin_perf_query = begin_perf_query,
		.end_perf_query = end_perf_query,
		.get_perf_query_data = get_perf_query_data,
	};
	if (fake.is_without_functions)
		out_gl->query_counter = NULL;
	return 0;
}
