/* SPDX-License-Identifier: MIT */
/*
 * Occupancy: how many waves of a kernel a unit of a GPU can hold at once, worked out from what the
 * kernel needs and what the unit has. docs/occupancy.md has the rules and where they come from.
 *
 * Words: a wave is what executes one instruction together (wavefront, warp). A group is a
 * work-group (block). A unit is what a group runs on: compute unit, work-group processor,
 * multiprocessor. Local memory is what a group's work-items share (LDS, shared memory).
 *
 * Threads: limits and results are plain values. A struct tacho_compiled is immutable; a struct
 * tacho_kept belongs to one thread at a time.
 */
#ifndef TACHO_OCCUPANCY_H
#define TACHO_OCCUPANCY_H

#include <stddef.h>
#include <stdint.h>
#include <tacho/export.h>
#include <tacho/recording.h>

#ifdef __cplusplus
extern "C" {
#endif

/* On which unit the groups of a kernel run, where an architecture has two. */
enum tacho_unit_mode {
	TACHO_UNIT_USUAL = 0,  /* what compilers choose when they are not told */
	TACHO_UNIT_SINGLE = 1, /* one compute unit */
	TACHO_UNIT_PAIR = 2    /* two that share their local memory */
};

/*
 * What a unit has. Fields may be changed before use: a driver's own numbers, where they are known,
 * are better than a table's.
 */
struct tacho_limits {
	const char *arch;   /* its name as tacho list archs has it. Static */
	const char *unit;   /* what waves are counted in, as its vendor calls it. Static */
	const char *source; /* the document that the numbers are from. Static */
	const char *vector_name, *scalar_name, *local_name; /* As its vendor calls them. Static */
	uint32_t wave_size;				    /* work-items */
	uint32_t simd_count;	/* parts of the unit that have registers of their own */
	uint32_t waves_max;	/* per unit */
	uint32_t groups_max;	/* per unit, of groups of several waves */
	uint32_t groups_of_one; /* the same for groups of one wave */
	uint32_t group_max;	/* work-items in a group */
	uint32_t vector_total;	/* vector registers of a SIMD, per work-item of one wave */
	uint32_t vector_granule, vector_max; /* allocated in steps; most that a kernel can use */
	uint32_t scalar_total;		     /* of a SIMD; 0: they never limit */
	uint32_t scalar_granule, scalar_max;
	uint32_t scalar_extra; /* added to a count that leaves registers of the hardware out */
	uint64_t local_total;  /* bytes per unit */
	uint64_t local_group_max, local_granule, local_reserved; /* bytes per group */
	uint32_t barriers_total;       /* named barriers per unit; 0: they never limit */
	uint32_t accumulation_granule; /* vector registers are rounded up to it before accumulation
					  registers are added to them; 0: the larger number counts
				       */
};

/*
 * The limits of an architecture by its name, with target features behind a colon or not, upper or
 * lower case. `wave_size` 0 is the usual one. NOTFOUND: an architecture whose limits are
 * not known, or a wave size or mode that it does not have.
 */
TACHO_API int tacho_limits_find(const char *arch, uint32_t wave_size, enum tacho_unit_mode mode,
				struct tacho_limits *out_limits);

/* The name of an architecture whose limits are known, by position; NULL past the last. Static. */
TACHO_API const char *tacho_limits_get_arch(size_t index);

/* Vector registers and accumulation registers as the architecture counts them together. */
TACHO_API uint32_t tacho_limits_add_registers(const struct tacho_limits *limits, uint32_t vector,
					      uint32_t accumulation);

/* What a kernel needs. */
struct tacho_use {
	uint32_t vector;     /* vector registers per work-item, all kinds together */
	uint32_t scalar;     /* scalar registers per wave */
	uint32_t all_scalar; /* `scalar` counts the hardware's own ones too: VCC and the like */
	uint32_t group_size; /* work-items */
	uint64_t local_bytes;
	uint32_t barriers;
};

/* What can limit the waves of a unit. */
enum tacho_occupancy_resource {
	TACHO_OCCUPANCY_GROUPS = 0, /* slots of waves and groups, and named barriers */
	TACHO_OCCUPANCY_VECTOR = 1,
	TACHO_OCCUPANCY_SCALAR = 2,
	TACHO_OCCUPANCY_LOCAL = 3,
	TACHO_OCCUPANCY_RESOURCES = 4
};

struct tacho_occupancy {
	uint32_t waves_per_group;
	uint32_t waves_max; /* that the unit can hold of this size of group: 100 % */
	uint32_t limits[TACHO_OCCUPANCY_RESOURCES]; /* waves, whole groups */
	uint32_t waves;				    /* the least of them; 0: it cannot run at all */
	uint32_t groups;
	uint32_t binding; /* a bit, 1 << resource, for each one that allows no more than `waves` */
	double percent;
};

/* INVAL: a group of 0 work-items or of more than limits->group_max. */
TACHO_API int tacho_occupancy_get(const struct tacho_limits *limits, const struct tacho_use *use,
				  struct tacho_occupancy *out_occupancy);

/* How much of one resource would allow more waves. */
struct tacho_occupancy_step {
	uint64_t use;	/* the nearest one: registers, bytes, or work-items of a group */
	uint32_t limit; /* waves that this resource then allows; of a group's size: all together */
	uint32_t waves; /* that the unit then holds when nothing else changes */
};

/*
 * The next step of `resource`. NOTFOUND: none raises the number of waves that this resource allows
 * above the present ones, so another one has to change. INVAL as above.
 */
TACHO_API int tacho_occupancy_get_step(const struct tacho_limits *limits,
				       const struct tacho_use *use,
				       enum tacho_occupancy_resource resource,
				       struct tacho_occupancy_step *out_step);

/* Uses of one resource between which occupancy stays the same. */
struct tacho_occupancy_range {
	uint64_t first, last;
	uint32_t waves;
};

/*
 * Occupancy over all uses of `resource`, the others as they are. *out_ranges is owned, free() it.
 * NOTFOUND: the resource never limits here. INVAL as above, NOMEM.
 */
TACHO_API int tacho_occupancy_list(const struct tacho_limits *limits, const struct tacho_use *use,
				   enum tacho_occupancy_resource resource,
				   struct tacho_occupancy_range **out_ranges, size_t *out_count);

/* A kernel as a compiler left it. Strings are borrowed from the struct tacho_compiled. */
struct tacho_compiled_kernel {
	const char *name; /* as drivers know it: mangled for C++ */
	const char *arch; /* as in struct tacho_limits; "" when that is not said */
	const char *why;  /* why the registers and local memory are not known; "" when they are */
	uint32_t vector;  /* accumulation registers included */
	uint32_t accumulation;
	uint32_t scalar;
	uint32_t has_scalar; /* the architecture has them and the number is stated */
	uint32_t all_scalar; /* as in struct tacho_use */
	uint32_t barriers;
	uint32_t vector_spills, scalar_spills;
	uint64_t local_bytes;	/* that the kernel itself declares */
	uint64_t scratch_bytes; /* per work-item */
	uint32_t wave_size;	/* 0: not said, the usual one */
	enum tacho_unit_mode mode;
	uint32_t group_size;	 /* work-items that the source demands; 0: any */
	uint32_t group_size_max; /* 0: not said */
};

struct tacho_compiled;

/*
 * Reads a compiled program: the code of a device as its vendor's compiler leaves it, bundles of
 * that, and programs with such things inside; docs/occupancy.md has the forms. Trusts no byte.
 * `bytes` may go away afterwards. Owned; free with tacho_compiled_destroy(). UNSUPPORTED: it is
 * something else, or compressed in an unknown way; PARSE: it is malformed; NOTFOUND: it has no
 * kernels; NOMEM.
 */
TACHO_API int tacho_compiled_parse(const void *bytes, size_t size,
				   struct tacho_compiled **out_compiled);
/* The same for a file. NOTFOUND, IO, PERM too. */
TACHO_API int tacho_compiled_read(const char *path, struct tacho_compiled **out_compiled);
/* Frees it with its kernels. NULL does nothing. */
TACHO_API void tacho_compiled_destroy(struct tacho_compiled *compiled);

/* In the order of the file; NULL past the last. */
TACHO_API const struct tacho_compiled_kernel *
tacho_compiled_get_kernel(const struct tacho_compiled *compiled, size_t index);

/* What of the file could not be used, "" when nothing. Borrowed. */
TACHO_API const char *tacho_compiled_get_note(const struct tacho_compiled *compiled);

/*
 * Limits and use of a compiled kernel in groups of `group_size` work-items; 0: the size that its
 * source demands. UNSUPPORTED with kernel->why; NOTFOUND: the architecture is not known; INVAL: 0
 * where the source demands none.
 */
TACHO_API int tacho_compiled_get_use(const struct tacho_compiled_kernel *kernel,
				     uint32_t group_size, struct tacho_limits *out_limits,
				     struct tacho_use *out_use);

/* The compiled programs that a recording kept. */
struct tacho_kept;

/* Owned; free with tacho_kept_destroy(). NOMEM. */
TACHO_API int tacho_kept_create(struct tacho_kept **out_kept);
/* Frees it with its programs. NULL does nothing. */
TACHO_API void tacho_kept_destroy(struct tacho_kept *kept);

/* For tacho_cursor_on_blob(), with the struct tacho_kept as `user`. Takes binaries, no others. */
TACHO_API void tacho_kept_add(void *kept, const struct tacho_blob *blob);

/*
 * What a kernel of the recording needs on `device`: as the driver states it, where it does, else as
 * its kept program has it. All three may be NULL when they are not there or not known. Strings of
 * the result live as long as `kept` and the recording. NOTFOUND: neither states it for this device;
 * UNSUPPORTED, PARSE: what was kept could not be read.
 */
TACHO_API int tacho_kept_find(const struct tacho_kept *kept, const struct tacho_object *kernel,
			      const struct tacho_object *device,
			      struct tacho_compiled_kernel *out_kernel);

/* Whether a driver states what the kernel needs: tacho_kept_find() then needs no program. */
TACHO_API int tacho_kernel_is_stated(const struct tacho_object *kernel);

/* Local memory of a work-group of a launch whose kernel itself declares `declared` bytes: with what
 * was asked for when it was launched. */
TACHO_API uint64_t tacho_command_get_local_bytes(const struct tacho_command *command,
						 uint64_t declared);

#ifdef __cplusplus
}
#endif

#endif
