/* SPDX-License-Identifier: MIT */
/* The parts of the backend. */
#ifndef TACHO_BACKEND_INTEL_INTEL_PRIVATE_H
#define TACHO_BACKEND_INTEL_INTEL_PRIVATE_H

#include "backend/collection.h"
#include "backend/intel/intel.h"
#include "backend/intel/system.h"
#include "base/arena.h"
#include "oa/oa_recording.h"
#include "oa/report.h"

/* A GPU as sysfs shows it. */
struct tacho__intel_card {
	const char *name;	     /* "card0" */
	const char *folder;	     /* "/sys/class/drm/card0" */
	const char *node;	     /* "/dev/dri/renderD128" */
	const char *pci;	     /* "0000:00:02.0"; "" when the kernel does not tell */
	enum tacho_oa_driver driver; /* of i915 and xe; others are not listed */
	uint32_t device_id;
	uint32_t tile_count; /* at least 1 */
};

/* In the arena, in the order of their numbers. What a foreign tree says is not trusted. NOMEM. */
int tacho__intel_list_cards(struct tacho__arena *arena, const char *sysroot,
			    const struct tacho__intel_card **out_cards, size_t *out_count);

/*
 * ", Level Zero device 0": as programs started from here number cards[index], by the order and the
 * variables of Intel's driver; ", hidden by ZE_AFFINITY_MASK"; "" where it does not serve the card.
 * NULL: no memory.
 */
const char *tacho__intel_describe_zero(struct tacho__arena *arena,
				       const struct tacho__intel_card *cards, size_t count,
				       size_t index);

/* The number in a file of sysfs or /proc/sys; NOTFOUND, PARSE without an error that is set. */
int tacho__intel_read_number(const char *folder, const char *name, uint64_t *out_number);

/* Who may count, as it was read. */
struct tacho__intel_rights {
	const char *sysctl; /* "dev.i915.perf_stream_paranoid" */
	bool is_known, is_paranoid;
	bool is_privileged;
	uint64_t max_rate_hz; /* of reports, without privilege; 0: no limit is known */
};

void tacho__intel_get_rights(const char *sysroot, enum tacho_oa_driver driver,
			     const struct tacho__intel_system *system,
			     struct tacho__intel_rights *out_rights);
/* 0, or PERM with what was read. `what` names what needs it. */
int tacho__intel_check_rights(const struct tacho__intel_rights *rights, const char *what);

/* One of xe's OA units: what it counts is chosen with its number. */
struct tacho__xe_unit {
	uint64_t timestamp_hz; /* 0: there is none */
	uint32_t id;
	uint16_t class, instance, gt_id; /* of an engine that it sees */
};

/* A GPU that is open. */
struct tacho__intel_gpu {
	const struct tacho__intel_system *system;
	const char *sysroot;
	struct tacho__intel_card card;
	int fd;
	struct tacho_oa_device device; /* set and format are those of nothing yet */
	enum tacho_oa_gen gen;
	const struct tacho_oa_format *format; /* the usual one of the generation */
	struct tacho_oa_topology topology;    /* bytes in the arena; none: size 0 */
	uint32_t perf_revision;		      /* of i915's interface */
	/* Of xe: that of the render engine, which sees it all; of the media engines; the used one.
	 */
	struct tacho__xe_unit render, media, unit;
};

/*
 * Opens the card's node and asks its driver what it is. NODEVICE, PERM, UNSUPPORTED for a driver
 * that is too old or a GPU that nobody knows; IO. Closed by tacho__intel_gpu_close().
 */
int tacho__intel_gpu_open(struct tacho__arena *arena, const char *sysroot,
			  const struct tacho__intel_card *card,
			  const struct tacho__intel_system *system,
			  struct tacho__intel_gpu *out_gpu);
void tacho__intel_gpu_close(struct tacho__intel_gpu *gpu);
/* As tacho__intel_check_rights(). */
int tacho__intel_gpu_check_rights(const struct tacho__intel_gpu *gpu);
/*
 * Has streams of the GPU write reports in this format, of its generation, from the unit that can.
 * UNSUPPORTED when the driver's interface cannot express it.
 */
int tacho__intel_gpu_choose_format(struct tacho__intel_gpu *gpu,
				   const struct tacho_oa_format *format);
/*
 * The timestamp of the GPU, and CLOCK_MONOTONIC at the same moment. UNSUPPORTED when the driver
 * does not show one.
 */
int tacho__intel_gpu_get_clock(const struct tacho__intel_gpu *gpu, uint64_t *out_cpu_ns,
			       uint64_t *out_gpu_ticks);

/* The parts of a driver, in i915.c and xe.c. The format is one that the driver has a number for. */
int tacho__i915_choose_unit(struct tacho__intel_gpu *gpu, const struct tacho_oa_format *format);
int tacho__xe_choose_unit(struct tacho__intel_gpu *gpu, const struct tacho_oa_format *format);
int tacho__i915_ask(struct tacho__arena *arena, struct tacho__intel_gpu *gpu);
int tacho__xe_ask(struct tacho__arena *arena, struct tacho__intel_gpu *gpu);
int tacho__i915_get_clock(const struct tacho__intel_gpu *gpu, uint64_t *out_gpu_ticks);
int tacho__xe_get_clock(const struct tacho__intel_gpu *gpu, uint64_t *out_cpu_ns,
			uint64_t *out_gpu_ticks);

/* Registers of a set as the drivers take them. */
struct tacho__intel_registers {
	const char *guid;
	const uint32_t *pairs[3]; /* NOA, OA, FLEX: address, value */
	uint32_t counts[3];	  /* of pairs */
};

/* The driver's number for them, rising from 1, or a negated errno. */
int64_t tacho__i915_add_config(const struct tacho__intel_gpu *gpu,
			       const struct tacho__intel_registers *registers);
int64_t tacho__xe_add_config(const struct tacho__intel_gpu *gpu,
			     const struct tacho__intel_registers *registers);
void tacho__i915_remove_config(const struct tacho__intel_gpu *gpu, uint64_t config);
void tacho__xe_remove_config(const struct tacho__intel_gpu *gpu, uint64_t config);
/* A stream that is not enabled: its descriptor, or a negated errno. */
int tacho__i915_open_stream(const struct tacho__intel_gpu *gpu, uint64_t config, uint32_t exponent);
int tacho__xe_open_stream(const struct tacho__intel_gpu *gpu, uint64_t config, uint32_t exponent);

/* A set as the driver knows it. */
struct tacho__intel_set {
	uint64_t config;
	bool is_ours; /* it was added here, and is to be removed */
};

/*
 * Finds the set in sysfs, or gives it to the driver, leaving out registers that the model does not
 * have. PERM, INVAL when the driver refuses its registers, IO, NOMEM.
 */
int tacho__intel_set_add(const struct tacho__intel_gpu *gpu, const struct tacho_arch *arch,
			 const struct tacho_model *model, const struct tacho_set *set,
			 struct tacho__intel_set *out_set);
void tacho__intel_set_remove(const struct tacho__intel_gpu *gpu,
			     const struct tacho__intel_set *set);

enum { TACHO__INTEL_BUFFER_BYTES = 256 * 1024 };

/* Reports as they come. */
struct tacho__intel_stream {
	const struct tacho__intel_gpu *gpu;
	int fd;
	uint32_t exponent;
	uint64_t period_ns;
	bool is_enabled;
	uint8_t *buffer; /* what was read and not yet given out */
	size_t at, size;
	uint64_t odd_count; /* records of types that nobody knows, passed over */
};

/*
 * Opens a stream of the set with the nearest period, not enabled. PERM with what was read and the
 * sysctl, BUSY, UNSUPPORTED, NODEVICE, IO, NOMEM.
 */
int tacho__intel_stream_open(const struct tacho__intel_gpu *gpu, uint64_t config,
			     uint64_t period_ns, struct tacho__intel_stream *out_stream);
int tacho__intel_stream_enable(struct tacho__intel_stream *stream);
void tacho__intel_stream_close(struct tacho__intel_stream *stream);

/*
 * The next record: 1 and its kind, bytes and size; 0 when none came within the time; LOST when the
 * GPU is gone, else IO. A sample that is too short for a report is one that was lost.
 */
int tacho__intel_stream_next(struct tacho__intel_stream *stream, int timeout_ms,
			     struct tacho_oa_record *out_record);

struct tacho__intel_device {
	struct tacho_device base;
	struct tacho__arena arena;
	struct tacho__intel_gpu gpu;
	const struct tacho_arch *arch;
	struct tacho_model model;
	struct tacho_oa_limits limits;
	bool is_foreign; /* the tree of another machine: nothing can be counted */
};

/* UNSUPPORTED for a foreign tree, PERM: what can be known before anything is programmed. */
int tacho__intel_check_device(const struct tacho__intel_device *device);
/* probe() and open() over another system; a tree other than "/" can be counted on with one. */
int tacho__intel_probe(struct tacho_probe *probe, struct tacho_probe_backend *backend_info,
		       const struct tacho__intel_system *system);
int tacho__intel_open(const struct tacho_probe *probe, size_t index,
		      const struct tacho_catalog *catalog, const struct tacho__intel_system *system,
		      struct tacho_device **out_device);
void tacho__intel_check(tacho_check_fn fn, void *user);

int tacho__intel_begin(struct tacho_device *device, const struct tacho__collection_options *options,
		       struct tacho__collection **out_collection);
int tacho__intel_begin_pass(struct tacho__collection *collection, uint32_t pass);
int tacho__intel_end_pass(struct tacho__collection *collection);
int tacho__intel_begin_range(struct tacho__collection *collection, uint64_t key, uint64_t parent);
int tacho__intel_end_range(struct tacho__collection *collection, uint64_t key);
int tacho__intel_drain(struct tacho__collection *collection, uint64_t timeout_ns);
void tacho__intel_end(struct tacho__collection *collection);

#endif
