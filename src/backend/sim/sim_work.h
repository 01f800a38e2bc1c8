/* SPDX-License-Identifier: MIT */
/* Work, and the variables of the rules that follow from it. */
#ifndef TACHO_BACKEND_SIM_SIM_WORK_H
#define TACHO_BACKEND_SIM_SIM_WORK_H

#include "backend/sim/sim_spec.h"
#include "tacho/sim.h"

/* Kinds of instructions. */
#define TACHO__SIM_INSTRUCTIONS(X) \
	X(valu)                    \
	X(fma_f32)                 \
	X(fma_f64)                 \
	X(mfma_f16)                \
	X(salu)                    \
	X(vmem_read)               \
	X(vmem_write)              \
	X(smem)                    \
	X(lds)                     \
	X(gds)                     \
	X(flat_read)               \
	X(flat_write)              \
	X(flat_lds)                \
	X(branch)                  \
	X(barrier)

/* docs/sim.md explains each of them, in this order. */
#define TACHO__SIM_VARIABLES(X)    \
	X(rows)                    \
	X(elapsed_cycles)          \
	X(elapsed_ns)              \
	X(begin_ns)                \
	X(end_ns)                  \
	X(active_ns)               \
	X(cycles)                  \
	X(ns)                      \
	X(items)                   \
	X(groups)                  \
	X(waves)                   \
	X(waves_64)                \
	X(waves_below_64)          \
	X(waves_below_48)          \
	X(waves_below_32)          \
	X(waves_below_16)          \
	X(units)                   \
	X(wave_cycles)             \
	X(wave_cycles_4th)         \
	X(instructions)            \
	TACHO__SIM_INSTRUCTIONS(X) \
	X(lanes)                   \
	X(lds_cycles)              \
	X(lds_wait_cycles)         \
	X(memory_busy)             \
	X(memory_stall)            \
	X(write_stall)             \
	X(bytes_read)              \
	X(bytes_written)           \
	X(requests)                \
	X(reads)                   \
	X(writes)                  \
	X(l1_hits)                 \
	X(l2_reads)                \
	X(l2_writes)               \
	X(l2_hits)                 \
	X(l2_misses)               \
	X(fetches)                 \
	X(stores)                  \
	X(is_draw)                 \
	X(is_kernel)               \
	X(vertices)                \
	X(primitives)              \
	X(patches)                 \
	X(domain_vertices)         \
	X(gs_primitives)           \
	X(gs_vertices)             \
	X(ls_vertices)             \
	X(es_vertices)             \
	X(vs_vertices)             \
	X(culled_clip)             \
	X(culled_empty)            \
	X(culled_back)             \
	X(culled_front)            \
	X(culled_polygon)          \
	X(clipped)                 \
	X(drawn)                   \
	X(pixels)                  \
	X(pixels_out)              \
	X(samples)                 \
	X(early_samples)           \
	X(early_failing_z)         \
	X(early_failing_s)         \
	X(late_samples)            \
	X(late_failing_z)          \
	X(late_failing_s)          \
	X(tiles)                   \
	X(tiles_culled)            \
	X(tiles_detail_culled)     \
	X(quads)                   \
	X(quads_hiz)               \
	X(quads_early)             \
	X(target_bytes_read)       \
	X(target_bytes_written)    \
	X(target_reads)            \
	X(target_writes)           \
	X(target_quads)            \
	X(slow_quads)              \
	X(texture_pixels)          \
	X(texture_quads)           \
	X(mip_1_pixels)            \
	X(mip_2_pixels)            \
	X(vol_1_pixels)            \
	X(vol_2_pixels)            \
	X(aniso_1)                 \
	X(aniso_2)                 \
	X(aniso_4)                 \
	X(aniso_6)                 \
	X(aniso_8)                 \
	X(aniso_10)                \
	X(aniso_12)                \
	X(aniso_14)                \
	X(aniso_16)

/* Of each stage of the hardware; "ls_waves" and so on. Rules of its counters say "stage_waves". */
#define TACHO__SIM_STAGES(X) X(ls) X(hs) X(es) X(gs) X(vs) X(ps) X(cs)
#define TACHO__SIM_STAGE_VARIABLES(X, stage) \
	X(stage##_items)                     \
	X(stage##_waves)                     \
	X(stage##_valu)                      \
	X(stage##_salu)                      \
	X(stage##_cycles)

enum tacho__sim_variable {
#define X(name)	 TACHO__SIM_##name,
#define S(stage) TACHO__SIM_STAGE_VARIABLES(X, stage)
	TACHO__SIM_VARIABLES(X) TACHO__SIM_STAGES(S)
#undef S
#undef X
		TACHO__SIM_VARIABLE_COUNT
};

/* Its name, or NULL past the last. */
const char *tacho__sim_variable_name(size_t index);

/* Work that was understood: everything but when it runs. */
struct tacho__sim_work {
	char name[128];
	uint64_t hash; /* of the description: the same work has the same in every pass */
	uint64_t duration_ns, waves, address;
	double variables[TACHO__SIM_VARIABLE_COUNT];
};

/* INVAL for a description that cannot be. */
int tacho__sim_work_init(struct tacho__sim_work *work, const struct tacho__sim_spec *device,
			 const struct tacho_sim_work *info);
/* Sets the variables that depend on how long it keeps the device busy. */
void tacho__sim_work_set_time(struct tacho__sim_work *work, const struct tacho__sim_spec *device,
			      uint64_t busy_ns);

#endif
