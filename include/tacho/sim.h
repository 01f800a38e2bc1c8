/* SPDX-License-Identifier: MIT */
/*
 * Simulated devices: work is described, not run, and every counter follows from the description by
 * the rules of docs/sim.md. Nothing depends on the machine, the time of day or the number of
 * threads.
 *
 * A simulated device exists when its model is named: backends "sim:mi300x", "sim:rx480:gl" (with
 * the API where several count on it) or "sim:FILE.yaml" of struct tacho_context_options.
 */
#ifndef TACHO_SIM_H
#define TACHO_SIM_H

#include <stddef.h>
#include <stdint.h>

#include <tacho/export.h>
#include <tacho/session.h>

#ifdef __cplusplus
extern "C" {
#endif

enum tacho_sim_kind {
	TACHO_SIM_KERNEL = 0,
	TACHO_SIM_DRAW,
};

/* Instructions that a wave issues, by type. */
struct tacho_sim_instructions {
	uint32_t valu;	     /* vector arithmetic; of these: */
	uint32_t fma_f32;    /* f32 fused multiply-adds */
	uint32_t fma_f64;    /* f64 fused multiply-adds */
	uint32_t mfma_f16;   /* f16 matrix instructions */
	uint32_t salu;	     /* scalar arithmetic */
	uint32_t vmem_read;  /* vector memory reads, FLAT not among them */
	uint32_t vmem_write; /* and writes */
	uint32_t smem;	     /* scalar memory reads */
	uint32_t lds;	     /* local data share, FLAT not among them */
	uint32_t gds;	     /* global data share */
	uint32_t flat_read;  /* FLAT instructions that read memory */
	uint32_t flat_write; /* that write it */
	uint32_t flat_lds;   /* that use the local data share only */
	uint32_t branch;
	uint32_t barrier;
};

/* A draw; what is 0 did not happen. */
struct tacho_sim_draw {
	uint64_t vertices;   /* vertices that the vertex shader works on */
	uint64_t primitives; /* that come to primitive assembly */
	uint64_t patches;    /* of tessellation; 0: there is none */
	uint64_t domain_vertices;
	uint64_t gs_primitives; /* that the geometry shader works on; 0: there is none */
	uint64_t gs_vertices;	/* that it makes */
	/* Primitives that are culled: by the view volume, empty, by facing, by polygon mode. */
	uint64_t culled_clip, culled_empty, culled_back, culled_front, culled_polygon;
	uint64_t clipped;	/* cut at the view volume */
	uint64_t pixels;	/* that are rasterized */
	uint32_t targets;	/* color buffers that each pixel goes to */
	uint32_t samples;	/* of a pixel; 0: 1 */
	uint32_t target_bytes;	/* of a pixel in one of the targets; 0: 4 */
	uint32_t is_blended;	/* targets are read too */
	uint32_t is_depth_late; /* depth is tested after the pixel shader, not before */
	uint64_t samples_failing_z, samples_failing_s;
	uint64_t tiles, tiles_culled, tiles_detail_culled; /* 8x8 pixels; 0: pixels / 64 */
	uint64_t quads_culled_hiz, quads_culled_early;
	uint64_t texture_pixels; /* that are fetched */
	uint32_t is_trilinear, is_volume;
	uint32_t anisotropy;				  /* 1, 2, 4, 6 ... 16; 0: 1 */
	struct tacho_sim_instructions vs, hs, ds, gs, ps; /* of the stages */
};

/* A kernel or draw. What is 0 takes the default that is stated, or does not happen. */
struct tacho_sim_work {
	size_t size;	  /* sizeof(struct tacho_sim_work) */
	const char *name; /* NULL: "" */
	uint32_t kind;	  /* enum tacho_sim_kind */
	uint32_t queue;	  /* work of one queue runs in order, that of several at the same time */
	/*
	 * The range that it belongs to, and with it those around it; 0: all that are open.
	 */
	tacho_range range;
	uint32_t is_row; /* it makes a row of its own, as on devices that count launches */

	uint64_t grid[3];      /* items; 0: 1 */
	uint32_t workgroup[3]; /* items; 0: 1 */
	struct tacho_sim_instructions per_wave;
	uint32_t lanes; /* that are active in vector instructions, on average; 0: all */
	uint64_t bytes_read, bytes_written;
	uint64_t address;      /* of the first byte: decides the channel that comes first */
	double l1_hit, l2_hit; /* part of the requests, 0 to 1 */
	double lds_conflict;   /* part of the cycles of the local data share that wait, 0 to 1 */

	/* How long it runs alone: this, else what the slowest of the three below takes. */
	uint64_t duration_ns;
	double bytes_per_ns;	 /* 0: the device's */
	double waves_per_cycle;	 /* that start; 0: the device's */
	double valu_utilization; /* part of the SIMDs' cycles that it can use; 0: 1 */

	double occupancy;     /* waves on a compute unit at a time; 0: by the device's limit */
	uint64_t ramp_cycles; /* in which it rises from none, and in which it falls to none */

	struct tacho_sim_draw draw; /* of a draw */
};

/*
 * Writes the name of a device that can be simulated without a file, "mi300x", cut to `size` bytes
 * with their end. NOTFOUND past the last; INVAL.
 */
TACHO_API int tacho_sim_get_name(size_t index, char *out_name, size_t size);

/*
 * Puts work on the device, at its present time. It counts in the pass that is open.
 * From any thread. Out, which may be NULL: a handle, rising from 1. UNSUPPORTED for a device that
 * is not simulated; INVAL for a description that cannot be; LOST when the device is gone; NOMEM: it
 * was not put there.
 */
TACHO_API int tacho_sim_submit(struct tacho_device *device, const struct tacho_sim_work *work,
			       uint64_t *out_handle);

/* When the work began and ended, on the device's clock. NOTFOUND for a handle of long ago. */
TACHO_API int tacho_sim_get_times(struct tacho_device *device, uint64_t handle,
				  uint64_t *out_begin_ns, uint64_t *out_end_ns);

/*
 * Lets time pass on the device; it also passes by itself when a range waits for its work. The clock
 * ends after 2^53 ns: what goes past that is INVAL, work too. LOST when the device is gone. NOMEM
 * when a window that is over could not be delivered: the time has passed, and it comes with the
 * next call, or with tacho_session_drain().
 */
TACHO_API int tacho_sim_advance(struct tacho_device *device, uint64_t duration_ns);
/* Lets time pass until all work is done. Out, which may be NULL: the time then. */
TACHO_API int tacho_sim_wait(struct tacho_device *device, uint64_t *out_time_ns);

/*
 * Another process has the whole device for this long: time passes, work that has begun stands
 * still, and all that is on the device or waits for it ends later. Ranges do not count what the
 * other process does, but their time goes on. Rows of launches, which come with their work, do not
 * see it. Errors as tacho_sim_advance().
 */
TACHO_API int tacho_sim_leave_context(struct tacho_device *device, uint64_t duration_ns);

/*
 * Another process keeps the device busy from now on with this work, again and again; NULL: no
 * more. It counts only in sessions over everything (pid -1).
 */
TACHO_API int tacho_sim_set_background(struct tacho_device *device,
				       const struct tacho_sim_work *work);

/*
 * The work of fixed size that stands for what happens between two calls of a program that knows
 * nothing of simulated devices: a kernel or a draw (enum tacho_sim_kind). NULL for other kinds.
 * Static.
 */
TACHO_API const struct tacho_sim_work *tacho_sim_get_sample_work(uint32_t kind);

/*
 * What kernels do, for work that stands for launches of a real program: these tell their size only.
 * A file (docs/replay.md) describes kernels by name; for the rest there are defaults.
 */
struct tacho_sim_kernels;

/* path NULL: defaults alone. PARSE, NOTFOUND, PERM, IO, NOMEM. Owned. */
TACHO_API int tacho_sim_kernels_read(const char *path, struct tacho_sim_kernels **out_kernels);
/* Frees what was read. NULL does nothing. */
TACHO_API void tacho_sim_kernels_destroy(struct tacho_sim_kernels *kernels);
/*
 * Fills in what the work of this kernel does; its size must be there. *out_given: a bit for each
 * thing that the file says, to be compared with tacho_sim_get_needed_work().
 */
TACHO_API void tacho_sim_kernels_describe(const struct tacho_sim_kernels *kernels, const char *name,
					  struct tacho_sim_work *work, uint64_t *out_given);
/*
 * What a counter or metric of the device follows from, beyond the size of the launch: its value
 * rests on a default when a bit is there that is not among the given. UNSUPPORTED for a device that
 * is not simulated; errors as tacho_arch_list_inputs().
 */
TACHO_API int tacho_sim_get_needed_work(const struct tacho_device *device,
					const struct tacho_entry *entry, uint64_t *out_needed);

enum tacho_sim_fault {
	TACHO_SIM_FAULT_NONE = 0,   /* no fault any more, but for a device that is gone */
	TACHO_SIM_FAULT_PERMISSION, /* sessions cannot be made: PERM */
	TACHO_SIM_FAULT_BUSY,	    /* another profiler holds the counters: BUSY */
	TACHO_SIM_FAULT_OVERFLOW,   /* counters have `number` bits: 32, 40 or any from 1 to 63 */
	TACHO_SIM_FAULT_LOST,	    /* the values of the next `number` rows are lost */
	TACHO_SIM_FAULT_GONE, /* the device vanishes after `number` more works, or at once with 0 */
};

/* One fault at a time, from now on. UNSUPPORTED for a device that is not simulated; INVAL. */
TACHO_API int tacho_sim_set_fault(struct tacho_device *device, uint32_t fault, uint64_t number);

#ifdef __cplusplus
}
#endif

#endif
