/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "diff_world.h"

struct world *make_world(const char *device)
{
	struct world *world = calloc(1, sizeof(*world));

	assert_non_null(world);
	world->recording = *sample_vadd();
	world->process = world->recording.processes[0];
	memset(&world->process.losses, 0, sizeof(world->process.losses));
	world->gpu = *world->recording.objects[0];
	world->gpu.object.name = device;
	world->gpu.object.process = &world->process;
	world->objects[0] = &world->gpu;
	world->recording.processes = &world->process;
	world->recording.objects = world->objects;
	world->recording.object_count = 1;
	world->recording.calls = world->calls;
	world->recording.call_count = 0;
	world->now_ns = 1000;
	return world;
}

static const struct tacho_object *get_kernel(struct world *world, const char *name)
{
	struct fake_object *kernel;

	for (size_t i = 0; i < world->kernel_count; i++)
		if (!strcmp(world->kernels[i].object.name, name))
			return &world->kernels[i].object;
	assert_true(world->kernel_count < KERNELS_MAX);
	kernel = &world->kernels[world->kernel_count++];
	*kernel = *sample_vadd()->objects[4];
	kernel->object.name = name;
	kernel->object.id = (uint32_t)world->kernel_count;
	kernel->object.process = &world->process;
	world->objects[world->kernel_count] = kernel;
	world->recording.object_count = 1 + world->kernel_count;
	return &kernel->object;
}

struct tacho_command *launch(struct world *world, const char *name, uint64_t duration_ns)
{
	const struct fake_call *model = &sample_vadd()->calls[2];
	size_t index = world->recording.call_count++;
	struct tacho_command *command = &world->commands[index];

	assert_true(index < LAUNCHES_MAX);
	*command = *model->call.command;
	command->id = index + 1;
	command->queue = NULL;
	command->device = &world->gpu.object;
	command->kernel = get_kernel(world, name);
	command->first_launch = 0;
	command->start_ns = world->now_ns;
	command->end_ns = world->now_ns + duration_ns;
	world->calls[index] = *model;
	world->calls[index].objects = 0;
	world->calls[index].call.process = &world->process;
	world->calls[index].call.command = command;
	world->calls[index].call.index = index;
	world->calls[index].call.start_ns = world->now_ns;
	world->calls[index].call.end_ns = world->now_ns + 10;
	world->now_ns += duration_ns + 100;
	return command;
}

void set_value(struct world *world, double number, uint8_t state)
{
	static const struct tacho_entry counters[] = {
		{.name = "Waves", .unit = "items", .semantic = "event", .type = TACHO_TYPE_F64},
		{0}};
	static const struct tacho_recorded_counting counting = {"sim", 1, 1, TACHO_REPLAY_NONE};
	size_t index = world->recording.call_count - 1;

	world->recording.counters = counters;
	world->recording.counting = &counting;
	world->values[index].data.f64 = number;
	world->values[index].state = state;
	world->values[index].coverage = 1;
	world->values[index].note = state == TACHO_STATE_ABSENT ? "no slot was free" : "";
	world->rows[index].values = &world->values[index];
	world->rows[index].count = 1;
	world->rows[index].is_counted = 1;
	world->rows[index].note = "";
	world->calls[index].values = &world->rows[index];
}

struct tacho_diff *compare_groups(struct world **a, size_t a_count, struct world **b,
				  size_t b_count, const struct tacho_diff_options *options)
{
	struct tacho_recording *recordings[16];
	struct tacho_diff *diff;

	for (size_t i = 0; i < a_count + b_count; i++)
		recordings[i] =
			fake_recording(i < a_count ? &a[i]->recording : &b[i - a_count]->recording);
	assert_int_equal(tacho_diff_create(recordings, a_count, recordings + a_count, b_count,
					   options, &diff),
			 0);
	return diff;
}

const struct tacho_diff_measure *get_measure(const struct tacho_diff *diff, const char *name,
					     const char *measure)
{
	const struct tacho_diff_line *line;

	for (size_t i = 0; (line = tacho_diff_get_line(diff, i)); i++)
		for (size_t k = 0; !strcmp(line->name, name) && k < line->measure_count; k++)
			if (!strcmp(line->measures[k].name, measure))
				return &line->measures[k];
	fail_msg("no %s of %s", measure, name);
	return NULL;
}
