/* SPDX-License-Identifier: MIT */
#include "sim_world.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "tacho/error.h"

/* 1024 waves: 65536 items in groups of 256. */
const struct tacho_sim_work kernel = {
	.size = sizeof(kernel),
	.name = "kernel",
	.grid = {65536},
	.workgroup = {256},
	.per_wave = {.valu = 100,
		     .fma_f32 = 40,
		     .salu = 10,
		     .vmem_read = 4,
		     .vmem_write = 2,
		     .smem = 3,
		     .lds = 8,
		     .branch = 5,
		     .barrier = 1},
	.bytes_read = 1048576,
	.bytes_written = 524288,
	.l1_hit = 0.5,
	.l2_hit = 0.25,
	.lds_conflict = 0.2,
	.duration_ns = 100000,
	.occupancy = 8,
};

/* 100 triangles to 2 targets. */
const struct tacho_sim_work draw = {
	.size = sizeof(draw),
	.name = "draw",
	.kind = TACHO_SIM_DRAW,
	.draw = {.vertices = 300,
		 .primitives = 100,
		 .culled_clip = 3,
		 .culled_empty = 4,
		 .culled_back = 20,
		 .culled_front = 1,
		 .culled_polygon = 2,
		 .clipped = 5,
		 .pixels = 10001,
		 .targets = 2,
		 .samples = 4,
		 .is_depth_late = 1,
		 .samples_failing_z = 1000,
		 .samples_failing_s = 24,
		 .tiles = 200,
		 .tiles_culled = 50,
		 .tiles_detail_culled = 20,
		 .quads_culled_hiz = 501,
		 .quads_culled_early = 250,
		 .texture_pixels = 40000,
		 .is_trilinear = 1,
		 .anisotropy = 8,
		 .vs = {.valu = 30, .salu = 6},
		 .ps = {.valu = 50, .salu = 4}},
	.bytes_read = 65536,
	.l1_hit = 0.5,
	.l2_hit = 0.5,
	.duration_ns = 200000,
};

static void must(int rc)
{
	if (rc)
		fail_msg("%s (%s) %s", tacho_error_last()->message, tacho_error_last()->cause,
			 tacho_error_last()->cure);
}

void world_open(struct world *world, const char *backends)
{
	struct tacho_catalog_options catalog = {.size = sizeof(catalog), .no_environment = 1};
	struct tacho_context_options options = {
		.size = sizeof(options), .backends = backends, .catalog = &catalog};

	if (world->definitions) {
		catalog.definitions = &world->definitions;
		catalog.definition_count = 1;
	}
	must(tacho_context_create(&options, &world->context));
	must(tacho_device_open(world->context, tacho_context_get_device_info(world->context, 0),
			       &world->device));
	world->options.size = sizeof(world->options);
}

static void begin(struct world *world, const struct tacho_config_entry *entries, size_t count)
{
	must(tacho_config_create(tacho_device_get_arch(world->device),
				 tacho_device_get_model(world->device), entries, count,
				 &world->config));
	must(tacho_device_plan(world->device, world->config, NULL, &world->plan));
	must(tacho_session_create(world->device, world->plan, &world->options, &world->session));
}

void world_begin(struct world *world, const char *const *names)
{
	struct tacho_config_entry entries[32] = {0};
	size_t count = 0;

	for (; names[count]; count++)
		entries[count] =
			(struct tacho_config_entry){.name = names[count],
						    .mode = world->mode,
						    .keeps_instances = world->keeps_instances};
	begin(world, entries, count);
}

size_t world_begin_all(struct world *world, enum tacho_entry_kind kind)
{
	const struct tacho_arch *arch = tacho_device_get_arch(world->device);
	const struct tacho_model *model = tacho_device_get_model(world->device);
	struct tacho_config_entry *entries = calloc(4096, sizeof(*entries));
	const struct tacho_entry *entry;
	size_t count = 0;

	assert_non_null(entries);
	for (size_t i = 0; (entry = tacho_arch_get_entry(arch, i)); i++) {
		if (entry->kind != kind || tacho_config_check_entry(arch, model, entry))
			continue;
		assert_true(count < 4096);
		entries[count++] = (struct tacho_config_entry){
			.name = entry->name, .keeps_instances = world->keeps_instances};
	}
	begin(world, entries, count);
	free(entries);
	return count;
}

void world_run(struct world *world, const struct tacho_sim_work *works, size_t count)
{
	tacho_range range;
	int more = 1;

	while (more) {
		must(tacho_session_begin_pass(world->session));
		must(tacho_session_begin_range(world->session, 0, 1, "range", &range));
		for (size_t i = 0; i < count; i++)
			must(tacho_sim_submit(world->device, &works[i], NULL));
		must(tacho_session_end_range(world->session, range));
		must(tacho_session_end_pass(world->session, &more));
	}
	must(tacho_session_drain(world->session, 0, NULL));
	must(tacho_session_take(world->session, &world->result));
}

void world_end(struct world *world)
{
	tacho_result_destroy(world->result);
	tacho_session_destroy(world->session);
	tacho_plan_destroy(world->plan);
	tacho_config_destroy(world->config);
	world->result = NULL;
	world->session = NULL;
	world->plan = NULL;
	world->config = NULL;
}

void world_close(struct world *world)
{
	world_end(world);
	tacho_device_close(world->device);
	tacho_context_destroy(world->context);
}

static const struct tacho_column *find(const struct world *world, const char *name)
{
	const struct tacho_column *column = tacho_result_find_column(world->result, name);

	if (!column)
		fail_msg("there is no column %s", name);
	return column;
}

double world_get(const struct world *world, const char *name, size_t row, size_t instance)
{
	const struct tacho_column *column = find(world, name);
	uint8_t state = tacho_column_get_state(column, row, instance);

	if (state & TACHO_STATE_MASK)
		fail_msg("%s is %s: %s", name, tacho_state_to_string(state), column->note);
	return tacho_column_get_value(column, row, instance);
}

uint8_t world_get_state(const struct world *world, const char *name, size_t row, size_t instance)
{
	return tacho_column_get_state(find(world, name), row, instance) & TACHO_STATE_MASK;
}
