/* SPDX-License-Identifier: MIT */
/* From a description of work to the numbers that rules are written in: docs/sim.md, "Variables". */
#include "backend/sim/sim_work.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"

static const char *const names[] = {
#define X(name)	 #name,
#define S(stage) TACHO__SIM_STAGE_VARIABLES(X, stage)
	TACHO__SIM_VARIABLES(X) TACHO__SIM_STAGES(S)
#undef S
#undef X
};

/* Past this, sums of whole numbers would be exact no more. */
static const double number_max = 9007199254740992.0; /* 2^53 */

/* What a stage issues for one wave. */
struct stage {
	enum tacho__sim_variable first; /* of its variables, in the order of the X-macro */
	double items;
	const struct tacho_sim_instructions *per_wave;
};

/* Work while it is being understood. */
struct reading {
	const struct tacho__sim_spec *device;
	const struct tacho_sim_work *info;
	struct tacho__sim_work *work;
	double *v;
	double wave_size, units, simds;
};

const char *tacho__sim_variable_name(size_t index)
{
	return index < TACHO__ARRAY_SIZE(names) ? names[index] : NULL;
}

static double divide_up(double number, double by)
{
	return ceil(number / by);
}

static double at_least(double number, double least)
{
	return number > least ? number : least;
}

static double hardware(const struct reading *r, const char *name, double otherwise)
{
	double value = tacho__sim_spec_get(r->device, name);

	return value > 0 ? value : otherwise;
}

static void add_instructions(struct reading *r, const struct tacho_sim_instructions *per_wave,
			     double waves)
{
	double *v = r->v;
	double all = (double)per_wave->valu + per_wave->salu + per_wave->vmem_read +
		     per_wave->vmem_write + per_wave->smem + per_wave->lds + per_wave->gds +
		     per_wave->flat_read + per_wave->flat_write + per_wave->flat_lds +
		     per_wave->branch + per_wave->barrier;
	double lanes = r->info->lanes ? r->info->lanes : r->wave_size;

	if (!r->info->lanes && v[TACHO__SIM_waves] > 0 && r->info->kind == TACHO_SIM_KERNEL)
		lanes = v[TACHO__SIM_items] / v[TACHO__SIM_waves];
	v[TACHO__SIM_instructions] += all * waves;
#define X(name) v[TACHO__SIM_##name] += (double)per_wave->name * waves;
	TACHO__SIM_INSTRUCTIONS(X)
#undef X
	v[TACHO__SIM_lanes] += per_wave->valu * waves * lanes;
}

/* The variables items, waves, valu and salu of a stage; its cycles depend on time. */
static void set_stage(struct reading *r, const struct stage *stage)
{
	double *own = r->v + stage->first;
	double waves = divide_up(stage->items, r->wave_size);

	own[0] = stage->items;
	own[1] = waves;
	own[2] = stage->per_wave ? stage->per_wave->valu * waves : 0;
	own[3] = stage->per_wave ? stage->per_wave->salu * waves : 0;
	r->v[TACHO__SIM_waves] += waves;
	r->v[TACHO__SIM_items] += stage->items;
	if (stage->per_wave)
		add_instructions(r, stage->per_wave, waves);
}

static void read_kernel(struct reading *r)
{
	const struct tacho_sim_work *work = r->info;
	double *v = r->v, items = 1, group = 1, groups = 1, tail;
	int has_group = work->workgroup[0] || work->workgroup[1] || work->workgroup[2];

	for (int i = 0; i < 3; i++) {
		double grid = work->grid[i] ? (double)work->grid[i] : 1;
		double size = work->workgroup[i] ? work->workgroup[i] : 1;

		if (!has_group && i == 0)
			size = r->wave_size;
		items *= grid;
		group *= size;
		groups *= divide_up(grid, size);
	}
	v[TACHO__SIM_is_kernel] = 1;
	v[TACHO__SIM_items] = items;
	v[TACHO__SIM_groups] = groups;
	v[TACHO__SIM_waves] = groups * divide_up(group, r->wave_size);
	v[TACHO__SIM_waves_64] = groups * floor(group / 64);
	tail = fmod(group, 64);
	v[TACHO__SIM_waves_below_64] = tail > 0 ? groups : 0;
	v[TACHO__SIM_waves_below_48] = tail > 0 && tail < 48 ? groups : 0;
	v[TACHO__SIM_waves_below_32] = tail > 0 && tail < 32 ? groups : 0;
	v[TACHO__SIM_waves_below_16] = tail > 0 && tail < 16 ? groups : 0;
	v[TACHO__SIM_cs_items] = items;
	v[TACHO__SIM_cs_waves] = v[TACHO__SIM_waves];
	v[TACHO__SIM_cs_valu] = work->per_wave.valu * v[TACHO__SIM_waves];
	v[TACHO__SIM_cs_salu] = work->per_wave.salu * v[TACHO__SIM_waves];
	add_instructions(r, &work->per_wave, v[TACHO__SIM_waves]);
}

/* Which stage of the hardware runs which shader: docs/sim.md, "Draws". */
static void read_stages(struct reading *r)
{
	const struct tacho_sim_draw *draw = &r->info->draw;
	int has_patches = draw->patches > 0, has_gs = draw->gs_primitives > 0;
	/* Vertices behind tessellation, and the shader that makes them. */
	double vertices = (double)(has_patches ? draw->domain_vertices : draw->vertices);
	const struct tacho_sim_instructions *shader = has_patches ? &draw->ds : &draw->vs;
	const struct stage stages[] = {
		{TACHO__SIM_ls_items, has_patches ? (double)draw->vertices : 0, &draw->vs},
		{TACHO__SIM_hs_items, (double)draw->patches, &draw->hs},
		{TACHO__SIM_es_items, has_gs ? vertices : 0, shader},
		{TACHO__SIM_gs_items, (double)draw->gs_primitives, &draw->gs},
		{TACHO__SIM_vs_items, has_gs ? (double)draw->gs_vertices : vertices,
		 has_gs ? NULL : shader},
		{TACHO__SIM_ps_items, (double)draw->pixels, &draw->ps},
	};

	for (size_t i = 0; i < TACHO__ARRAY_SIZE(stages); i++)
		set_stage(r, &stages[i]);
	r->v[TACHO__SIM_ls_vertices] = r->v[TACHO__SIM_ls_items];
	r->v[TACHO__SIM_es_vertices] = r->v[TACHO__SIM_es_items];
	r->v[TACHO__SIM_vs_vertices] = r->v[TACHO__SIM_vs_items];
}

static void read_depth(struct reading *r)
{
	const struct tacho_sim_draw *draw = &r->info->draw;
	double *v = r->v;
	double samples = (double)draw->pixels * (draw->samples ? draw->samples : 1);
	double failing_z = (double)draw->samples_failing_z;
	double failing_s = (double)draw->samples_failing_s;
	double passing = at_least(samples - failing_z - failing_s, 0);

	v[TACHO__SIM_samples] = samples;
	if (draw->is_depth_late) {
		v[TACHO__SIM_late_samples] = passing;
		v[TACHO__SIM_late_failing_z] = failing_z;
		v[TACHO__SIM_late_failing_s] = failing_s;
	} else {
		v[TACHO__SIM_early_samples] = passing;
		v[TACHO__SIM_early_failing_z] = failing_z;
		v[TACHO__SIM_early_failing_s] = failing_s;
	}
	v[TACHO__SIM_tiles] =
		draw->tiles ? (double)draw->tiles : divide_up((double)draw->pixels, 64);
	v[TACHO__SIM_tiles_culled] = (double)draw->tiles_culled;
	v[TACHO__SIM_tiles_detail_culled] = (double)draw->tiles_detail_culled;
	v[TACHO__SIM_quads] = divide_up((double)draw->pixels, 4);
	v[TACHO__SIM_quads_hiz] = at_least(v[TACHO__SIM_quads] - (double)draw->quads_culled_hiz, 0);
	v[TACHO__SIM_quads_early] =
		at_least(v[TACHO__SIM_quads_hiz] - (double)draw->quads_culled_early, 0);
}

static void read_targets(struct reading *r)
{
	const struct tacho_sim_draw *draw = &r->info->draw;
	double bytes = draw->target_bytes ? draw->target_bytes : 4;
	double *v = r->v;

	v[TACHO__SIM_pixels] = (double)draw->pixels;
	v[TACHO__SIM_pixels_out] = (double)draw->pixels * draw->targets;
	v[TACHO__SIM_target_bytes_written] = v[TACHO__SIM_pixels_out] * bytes;
	v[TACHO__SIM_target_bytes_read] = draw->is_blended ? v[TACHO__SIM_target_bytes_written] : 0;
	v[TACHO__SIM_target_reads] = divide_up(v[TACHO__SIM_target_bytes_read], 32);
	v[TACHO__SIM_target_writes] = divide_up(v[TACHO__SIM_target_bytes_written], 32);
	v[TACHO__SIM_target_quads] = v[TACHO__SIM_quads] * draw->targets;
	/* 16 bytes of a pixel leave the shader at half the speed. */
	v[TACHO__SIM_slow_quads] = bytes >= 16 ? v[TACHO__SIM_target_quads] : 0;
}

static void read_textures(struct reading *r)
{
	static const struct {
		uint32_t anisotropy;
		enum tacho__sim_variable variable;
	} steps[] = {
		{16, TACHO__SIM_aniso_16}, {14, TACHO__SIM_aniso_14}, {12, TACHO__SIM_aniso_12},
		{10, TACHO__SIM_aniso_10}, {8, TACHO__SIM_aniso_8},   {6, TACHO__SIM_aniso_6},
		{4, TACHO__SIM_aniso_4},   {2, TACHO__SIM_aniso_2},   {0, TACHO__SIM_aniso_1},
	};
	const struct tacho_sim_draw *draw = &r->info->draw;
	double *v = r->v, pixels = (double)draw->texture_pixels;
	size_t step = 0;

	v[TACHO__SIM_texture_pixels] = pixels;
	v[TACHO__SIM_texture_quads] = divide_up(pixels, 4);
	v[draw->is_trilinear ? TACHO__SIM_mip_2_pixels : TACHO__SIM_mip_1_pixels] = pixels;
	v[draw->is_volume ? TACHO__SIM_vol_2_pixels : TACHO__SIM_vol_1_pixels] = pixels;
	while (draw->anisotropy < steps[step].anisotropy)
		step++;
	v[steps[step].variable] = v[TACHO__SIM_texture_quads];
}

static void read_draw(struct reading *r)
{
	const struct tacho_sim_draw *draw = &r->info->draw;
	double *v = r->v;

	v[TACHO__SIM_is_draw] = 1;
#define X(name) v[TACHO__SIM_##name] = (double)draw->name;
	X(vertices)
	X(primitives)
	X(patches)
	X(domain_vertices)
	X(gs_primitives)
	X(gs_vertices)
	X(culled_clip)
	X(culled_empty)
	X(culled_back)
	X(culled_front)
	X(culled_polygon)
	X(clipped)
#undef X
	v[TACHO__SIM_drawn] = v[TACHO__SIM_primitives] - v[TACHO__SIM_culled_clip] -
			      v[TACHO__SIM_culled_empty] - v[TACHO__SIM_culled_back] -
			      v[TACHO__SIM_culled_front] - v[TACHO__SIM_culled_polygon];
	read_stages(r);
	read_depth(r);
	read_targets(r);
	read_textures(r);
}

/* Requests of 64 bytes, through both caches. */
static void read_memory(struct reading *r)
{
	const struct tacho_sim_work *work = r->info;
	double *v = r->v;

	v[TACHO__SIM_bytes_read] = (double)work->bytes_read;
	v[TACHO__SIM_bytes_written] = (double)work->bytes_written;
	v[TACHO__SIM_reads] = divide_up((double)work->bytes_read, 64);
	v[TACHO__SIM_writes] = divide_up((double)work->bytes_written, 64);
	v[TACHO__SIM_requests] = v[TACHO__SIM_reads] + v[TACHO__SIM_writes];
	v[TACHO__SIM_l1_hits] = round(v[TACHO__SIM_reads] * work->l1_hit);
	v[TACHO__SIM_l2_reads] = v[TACHO__SIM_reads] - v[TACHO__SIM_l1_hits];
	v[TACHO__SIM_l2_writes] = v[TACHO__SIM_writes];
	v[TACHO__SIM_l2_hits] =
		round((v[TACHO__SIM_l2_reads] + v[TACHO__SIM_l2_writes]) * work->l2_hit);
	v[TACHO__SIM_l2_misses] =
		v[TACHO__SIM_l2_reads] + v[TACHO__SIM_l2_writes] - v[TACHO__SIM_l2_hits];
	v[TACHO__SIM_fetches] =
		v[TACHO__SIM_l2_reads] - round(v[TACHO__SIM_l2_reads] * work->l2_hit);
	v[TACHO__SIM_stores] = v[TACHO__SIM_l2_writes];
	/* 64 lanes over 32 banks take 2 cycles; conflicts come on top. */
	v[TACHO__SIM_lds_wait_cycles] =
		round(2 * v[TACHO__SIM_lds] * work->lds_conflict / (1 - work->lds_conflict));
	v[TACHO__SIM_lds_cycles] = 2 * v[TACHO__SIM_lds] + v[TACHO__SIM_lds_wait_cycles];
}

/* The slowest of what memory, the start of waves and arithmetic take. */
static double find_duration_ns(const struct reading *r)
{
	const struct tacho_sim_work *work = r->info;
	const double *v = r->v;
	double bytes_per_ns =
		work->bytes_per_ns > 0 ? work->bytes_per_ns : hardware(r, "bytes_per_ns", 100);
	double waves_per_cycle =
		work->waves_per_cycle > 0 ? work->waves_per_cycle : hardware(r, "engines", 1);
	double use = work->valu_utilization > 0 ? work->valu_utilization : 1;
	double engines = hardware(r, "engines", 1);
	double cycles = v[TACHO__SIM_waves] / waves_per_cycle;
	double bytes = 64 * (v[TACHO__SIM_fetches] + v[TACHO__SIM_stores]) +
		       v[TACHO__SIM_target_bytes_read] + v[TACHO__SIM_target_bytes_written];
	double ns;

	cycles = at_least(cycles, 4 * v[TACHO__SIM_valu] / r->simds / use);
	cycles = at_least(cycles, 4 * v[TACHO__SIM_salu] * engines / r->simds);
	cycles = at_least(cycles, v[TACHO__SIM_primitives] / engines);
	cycles = at_least(cycles, v[TACHO__SIM_samples] / (4 * engines));
	cycles = at_least(cycles, v[TACHO__SIM_lds_cycles] / r->units);
	ns = cycles * 1000 / hardware(r, "clock_mhz", 1000);
	return ceil(at_least(at_least(ns, bytes / bytes_per_ns), 1));
}

/* Sums of the level of waves over cycles: it rises evenly, stays, and falls evenly. */
static void read_levels(struct reading *r)
{
	const struct tacho_sim_work *work = r->info;
	double *v = r->v;
	double cycles = floor((double)r->work->duration_ns * hardware(r, "clock_mhz", 1000) / 1000);
	double limit = hardware(r, "waves_per_unit", 32);
	double mean = v[TACHO__SIM_waves] / r->units;
	double ramp = (double)work->ramp_cycles;
	double level = r->units * (work->occupancy > 0 ? work->occupancy
				   : mean < limit      ? mean
						       : limit);
	double first, middle, last; /* how many multiples of 4 lie in each of the three parts */

	if (2 * ramp > cycles)
		ramp = floor(cycles / 2);
	v[TACHO__SIM_units] = v[TACHO__SIM_waves] < r->units ? v[TACHO__SIM_waves] : r->units;
	v[TACHO__SIM_wave_cycles] = level * (cycles - ramp);
	first = divide_up(ramp, 4);
	middle = divide_up(cycles - ramp, 4) - first;
	last = divide_up(cycles, 4) - first - middle;
	v[TACHO__SIM_wave_cycles_4th] = level * middle;
	if (ramp > 0) {
		/* of cycles 0, 4, 8 ... each level * t / ramp, in the end level * (cycles - t) */
		double rising = 4 * first * (first - 1) / 2;
		double before = first + middle;
		double falling = last * cycles - 4 * (last * before + last * (last - 1) / 2);

		v[TACHO__SIM_wave_cycles_4th] += level * (rising + falling) / ramp;
	}
}

static uint64_t mix(uint64_t hash, const void *bytes, size_t size)
{
	for (const unsigned char *at = bytes; size--; at++)
		hash = (hash ^ *at) * UINT64_C(0x100000001b3); /* FNV-1a */
	return hash;
}

static int fail(const char *cause)
{
	return tacho__fail(TACHO_E_INVAL, cause, "correct the description",
			   "work cannot be simulated");
}

static int is_part(double number)
{
	return number >= 0 && number <= 1;
}

/* What can be said before anything is worked out. */
static int check_submitted(const struct tacho_sim_work *work)
{
	if (work->kind > TACHO_SIM_DRAW)
		return fail(tacho__detail("its kind is %u", work->kind));
	if (!is_part(work->l1_hit) || !is_part(work->l2_hit))
		return fail("a hit ratio is not between 0 and 1");
	if (!(work->lds_conflict >= 0 && work->lds_conflict < 1))
		return fail("lds_conflict is not between 0 and 1");
	if (!is_part(work->valu_utilization))
		return fail("valu_utilization is not between 0 and 1");
	if (!(work->bytes_per_ns >= 0) || !(work->waves_per_cycle >= 0) ||
	    !(work->occupancy >= 0) || !isfinite(work->occupancy))
		return fail("a rate or its occupancy is no number from 0");
	return 0;
}

static int check_numbers(const struct tacho__sim_work *work)
{
	if (work->variables[TACHO__SIM_drawn] < 0)
		return fail("more primitives are culled than there are");
	for (size_t i = 0; i < TACHO__SIM_VARIABLE_COUNT; i++)
		if (!(work->variables[i] <= number_max))
			return fail(tacho__detail("%s is over 2^53", names[i]));
	return 0;
}

int tacho__sim_work_init(struct tacho__sim_work *work, const struct tacho__sim_spec *device,
			 const struct tacho_sim_work *info)
{
	struct reading r = {.device = device, .info = info, .work = work, .v = work->variables};
	double duration;
	int rc = check_submitted(info);

	if (rc)
		return rc;
	memset(work, 0, sizeof(*work));
	snprintf(work->name, sizeof(work->name), "%s", info->name ? info->name : "");
	r.wave_size = hardware(&r, "wave_size", 64);
	r.units = hardware(&r, "compute_units", 1);
	r.simds = hardware(&r, "simds", 4 * r.units);
	if (info->kind == TACHO_SIM_DRAW)
		read_draw(&r);
	else
		read_kernel(&r);
	read_memory(&r);
	rc = check_numbers(work);
	duration = info->duration_ns ? (double)info->duration_ns : find_duration_ns(&r);
	/* two hours: what rises with time stays exact */
	if (!rc && !(duration <= 7.2e12))
		rc = fail("it takes longer than two hours");
	if (rc)
		return rc;
	work->duration_ns = (uint64_t)duration;
	read_levels(&r);
	work->waves = (uint64_t)r.v[TACHO__SIM_waves];
	work->address = info->address;
	/* Where and when it runs changes nothing. */
	work->hash = mix(mix(UINT64_C(0xcbf29ce484222325), work->name, strlen(work->name)),
			 work->variables, sizeof(work->variables));
	return check_numbers(work);
}

void tacho__sim_work_set_time(struct tacho__sim_work *work, const struct tacho__sim_spec *device,
			      uint64_t busy_ns)
{
	static const enum tacho__sim_variable stages[] = {
#define S(stage) TACHO__SIM_##stage##_items,
		TACHO__SIM_STAGES(S)
#undef S
	};
	double *v = work->variables, all = 0;
	double clock_mhz = tacho__sim_spec_get(device, "clock_mhz");
	double units = tacho__sim_spec_get(device, "compute_units");
	double channels = tacho__sim_spec_get(device, "channels");
	double cycles = floor((double)busy_ns * clock_mhz / 1000);
	double busy, stall;

	v[TACHO__SIM_ns] = (double)busy_ns;
	v[TACHO__SIM_cycles] = cycles;
	/* A stage is busy for its part of all instructions, with one more for each wave. */
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(stages); i++)
		all += v[stages[i] + 1] + v[stages[i] + 2] + v[stages[i] + 3];
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(stages); i++)
		v[stages[i] + 4] =
			all > 0 ? floor(cycles *
					(v[stages[i] + 1] + v[stages[i] + 2] + v[stages[i] + 3]) /
					all)
				: 0;
	/* 16 cycles for the addresses of a wave, one for the 4 pixels of a texture fetch. */
	busy = 16 * (v[TACHO__SIM_vmem_read] + v[TACHO__SIM_vmem_write] + v[TACHO__SIM_flat_read] +
		     v[TACHO__SIM_flat_write]) +
	       v[TACHO__SIM_texture_quads];
	busy = floor(busy / (units > 0 ? units : 1));
	v[TACHO__SIM_memory_busy] = busy < cycles ? busy : cycles;
	v[TACHO__SIM_memory_stall] =
		v[TACHO__SIM_reads] > 0 ? floor(v[TACHO__SIM_memory_busy] * v[TACHO__SIM_l2_reads] /
						v[TACHO__SIM_reads] / 2)
					: 0;
	stall = floor(v[TACHO__SIM_stores] / (channels > 0 ? channels : 1) / 2);
	v[TACHO__SIM_write_stall] = stall < cycles ? stall : cycles;
}
