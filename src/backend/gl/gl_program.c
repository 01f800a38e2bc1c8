/* SPDX-License-Identifier: MIT */
/* What is done for a range: the GL objects that count the counters of a pass, begun and ended. */

#include "backend/gl/gl_private.h"
#include "base/array.h"
#include "base/error.h"

static const struct tacho__gl_source *find_source(const struct tacho__gl_program *program,
						  const struct tacho__gl_counter *counter)
{
	for (size_t i = 0; i < program->source_count; i++) {
		const struct tacho__gl_source *source = &program->sources[i];

		if (source->kind == counter->kind && source->target == counter->target &&
		    source->stream == counter->index)
			return source;
	}
	return NULL;
}

/* A query of a target counts for all counters that want it. */
static const struct tacho__gl_source *add_source(const struct tacho__gl_device *device,
						 struct tacho__gl_program *program,
						 const struct tacho__gl_counter *counter)
{
	struct tacho__gl_source *source = &program->sources[program->source_count++];
	bool is_pair;

	*source = (struct tacho__gl_source){.kind = counter->kind,
					    .target = counter->target,
					    .stream = counter->index,
					    .name = (uint32_t)program->name_count};
	is_pair = counter->kind == TACHO__GL_TIME && device->has_stamps;
	program->name_count += is_pair ? 2 : 1;
	program->has_stamps |= is_pair;
	return source;
}

static int add_value(const struct tacho__gl_device *device, const struct tacho_entry *entry,
		     uint32_t mode, struct tacho__gl_program *program)
{
	const struct tacho__gl_counter *counter =
		tacho__map_get(&device->own.counters, (uintptr_t)entry);
	struct tacho__gl_value *value = &program->values[program->value_count++];

	if (!counter)
		return tacho__fail(TACHO_E_INVAL, "", "plan with tacho_device_plan()",
				   "%s is no counter of this context", entry->name);
	value->counter = counter;
	program->only_times &= counter->kind == TACHO__GL_TIME && device->has_stamps;
	switch (counter->kind) {
	case TACHO__GL_QUERY:
	case TACHO__GL_TIME:
		if (!tacho__gl_has_time(counter, mode))
			return 0;
		value->source = find_source(program, counter);
		if (!value->source)
			value->source = add_source(device, program, counter);
		return 0;
	case TACHO__GL_MONITOR: program->has_monitor = true; return 0;
	case TACHO__GL_PERF: break;
	}
	if (program->has_perf && program->perf_query != counter->target)
		return tacho__fail(TACHO_E_UNSUPPORTED,
				   "GL_INTEL_performance_query counts one query at a time",
				   "plan with tacho_device_plan()",
				   "%s does not fit into a pass with another query", entry->name);
	program->has_perf = true;
	program->perf_query = counter->target;
	program->perf_size = counter->data_size;
	return 0;
}

static void add_target(struct tacho__gl_program *program, uint32_t target, uint32_t stream)
{
	for (size_t i = 0; i < program->target_count; i++)
		if (program->targets[i].target == target && program->targets[i].stream == stream)
			return;
	program->targets[program->target_count++] = (struct tacho__gl_target){target, stream};
}

/* Where a query of the program itself would exclude ours. */
static void add_targets(const struct tacho__gl_device *device, struct tacho__gl_program *program,
			const struct tacho__gl_source *source)
{
	bool is_occlusion =
		source->target == GL__SAMPLES_PASSED || source->target == GL__ANY_SAMPLES_PASSED;

	if (source->kind == TACHO__GL_TIME && device->has_stamps)
		return;
	if (!is_occlusion) {
		add_target(program, source->target, source->stream);
		return;
	}
	/* asking for those that the context does not know would be an error of the program */
	if (!device->version.is_es)
		add_target(program, GL__SAMPLES_PASSED, 0);
	if (device->has_any_samples)
		add_target(program, GL__ANY_SAMPLES_PASSED, 0);
	if (device->version.number >= (device->version.is_es ? 30 : 43))
		add_target(program, GL__ANY_SAMPLES_PASSED_CONSERVATIVE, 0);
}

/* Each counter is of one source at most; an occlusion query excludes three targets. */
static int make_targets(const struct tacho__gl_device *device, struct tacho__arena *arena,
			struct tacho__gl_program *program)
{
	program->targets = tacho__arena_get(arena, (3 * program->source_count + 1) *
							   sizeof(*program->targets));
	if (!program->targets)
		return TACHO_E_NOMEM;
	for (size_t i = 0; i < program->source_count; i++)
		add_targets(device, program, &program->sources[i]);
	return 0;
}

int tacho__gl_program_make(const struct tacho__gl_device *device, struct tacho__arena *arena,
			   const struct tacho_plan_pass *pass,
			   struct tacho__gl_program *out_program)
{
	struct tacho__gl_program program = {.only_times = true,
					    .is_serialized = pass->mode == TACHO_MODE_SERIALIZED};
	size_t count = pass->counter_count + 1;
	int rc = 0;

	program.sources = tacho__arena_get(arena, count * sizeof(*program.sources));
	program.values = tacho__arena_get(arena, count * sizeof(*program.values));
	if (!program.sources || !program.values)
		return TACHO_E_NOMEM;
	for (size_t i = 0; i < pass->counter_count && !rc; i++)
		rc = add_value(device, pass->counters[i].entry, pass->mode, &program);
	if (!rc)
		rc = make_targets(device, arena, &program);
	if (!rc)
		*out_program = program;
	return rc;
}

static void select_counters(const struct tacho__gl_device *device,
			    const struct tacho__gl_program *program, uint32_t monitor)
{
	for (size_t i = 0; i < program->value_count; i++) {
		const struct tacho__gl_counter *counter = program->values[i].counter;
		uint32_t index = counter->index;

		if (counter->kind == TACHO__GL_MONITOR)
			device->gl.select_counters(monitor, 1, counter->target, 1, &index);
	}
}

/* Names are made for all slots at once: that is half of the cost of a query. */
int tacho__gl_slots_create(const struct tacho__gl_device *device,
			   const struct tacho__gl_program *program, struct tacho__arena *arena,
			   size_t count, struct tacho__gl_slot **out_first)
{
	size_t name_count = program->name_count;
	struct tacho__gl_slot *slots = tacho__arena_get(arena, count * sizeof(*slots));
	uint32_t *names = tacho__arena_get(arena, (count * name_count + 1) * sizeof(*names));

	if (!slots || !names)
		return TACHO_E_NOMEM;
	if (name_count)
		device->gl.gen_queries((int32_t)(count * name_count), names);
	for (size_t i = 0; i < count; i++) {
		slots[i].names = names + i * name_count;
		slots[i].next = i + 1 < count ? &slots[i + 1] : NULL;
		if (program->has_monitor) {
			device->gl.gen_monitors(1, &slots[i].monitor);
			select_counters(device, program, slots[i].monitor);
		}
		if (program->has_perf)
			device->gl.create_perf_query(program->perf_query, &slots[i].perf);
	}
	*out_first = slots;
	return 0;
}

void tacho__gl_slot_delete(const struct tacho__gl_device *device,
			   const struct tacho__gl_program *program, struct tacho__gl_slot *slot)
{
	if (program->name_count)
		device->gl.delete_queries((int32_t)program->name_count, slot->names);
	if (program->has_monitor)
		device->gl.delete_monitors(1, &slot->monitor);
	if (program->has_perf)
		device->gl.delete_perf_query(slot->perf);
}

static int32_t get_active(const struct tacho__gl_device *device, uint32_t target, uint32_t stream)
{
	int32_t name = 0;

	if (stream)
		device->gl.get_query_at(target, stream, GL__CURRENT_QUERY, &name);
	else
		device->gl.get_query(target, GL__CURRENT_QUERY, &name);
	return name;
}

/* A query that the program has active is not ours to end; a second one would be an error of GL. */
static int check_free(const struct tacho__gl_device *device, const struct tacho__gl_target *target)
{
	int32_t name = get_active(device, target->target, target->stream);

	if (!name)
		return 0;
	return tacho__fail(TACHO_E_BUSY,
			   tacho__detail("GL_CURRENT_QUERY of target 0x%04x, stream %u, is %d",
					 (unsigned)target->target, (unsigned)target->stream,
					 (int)name),
			   "end the program's own query before the range, or leave the counter out",
			   "the program itself has a query active that the range needs");
}

static void begin_source(const struct tacho__gl_device *device,
			 const struct tacho__gl_source *source, const struct tacho__gl_slot *slot)
{
	uint32_t name = slot->names[source->name];

	if (source->kind == TACHO__GL_TIME && device->has_stamps)
		device->gl.query_counter(name, GL__TIMESTAMP);
	else if (source->stream)
		device->gl.begin_query_at(source->target, source->stream, name);
	else
		device->gl.begin_query(source->target, name);
}

static void end_source(const struct tacho__gl_device *device, const struct tacho__gl_source *source,
		       const struct tacho__gl_slot *slot)
{
	if (source->kind == TACHO__GL_TIME && device->has_stamps)
		device->gl.query_counter(slot->names[source->name + 1], GL__TIMESTAMP);
	else if (source->stream)
		device->gl.end_query_at(source->target, source->stream);
	else
		device->gl.end_query(source->target);
}

/* Some drivers take time stamps rightly only when nothing is under way. */
static bool needs_quiet(const struct tacho__gl_device *device,
			const struct tacho__gl_program *program)
{
	return device->finishes && program->has_stamps;
}

int tacho__gl_slot_begin(const struct tacho__gl_device *device,
			 const struct tacho__gl_program *program, struct tacho__gl_slot *slot)
{
	int rc = 0;

	for (size_t i = 0; i < program->target_count && !rc; i++)
		rc = check_free(device, &program->targets[i]);
	if (rc)
		return rc;
	if (program->is_serialized || needs_quiet(device, program))
		device->gl.finish();
	if (program->has_monitor)
		device->gl.begin_monitor(slot->monitor);
	if (program->has_perf)
		device->gl.begin_perf_query(slot->perf);
	for (size_t i = 0; i < program->source_count; i++)
		begin_source(device, &program->sources[i], slot);
	return 0;
}

void tacho__gl_slot_end(const struct tacho__gl_device *device,
			const struct tacho__gl_program *program, struct tacho__gl_slot *slot)
{
	bool is_quiet = needs_quiet(device, program);

	if (is_quiet)
		device->gl.finish();
	for (size_t i = program->source_count; i > 0; i--)
		end_source(device, &program->sources[i - 1], slot);
	if (program->has_perf)
		device->gl.end_perf_query(slot->perf);
	if (program->has_monitor)
		device->gl.end_monitor(slot->monitor);
	/* behind the time stamp, which is the GPU's word and not that of a thread that woke up */
	if (program->is_serialized && !is_quiet)
		device->gl.finish();
}
