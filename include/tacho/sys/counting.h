/* SPDX-License-Identifier: MIT */
/*
 * What is counted in a launched program: counting.json in a recording, written by the launcher
 * before the start, read by the library inside the program and by all readers of the recording. For
 * the command, the injected library and tests: no ABI promise. docs/recording.md has the file.
 */
#ifndef TACHO_SYS_COUNTING_H
#define TACHO_SYS_COUNTING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <tacho/config.h>
#include <tacho/export.h>
#include <tacho/result.h>
#include <tacho/session.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TACHO_COUNTING_FILE	  "counting.json"
#define TACHO_COUNTING_RUN_FORMAT "pass-%u.tacho" /* recordings of run 2 and on, in the first */
#define TACHO_COUNTING_VARIABLE	  "TACHO_COUNT"	  /* path of counting.json, in the environment */

/* Where the values of a column come from. */
enum tacho_counting_from {
	TACHO_FROM_LAUNCH = 0,	/* readers work it out from the recorded command */
	TACHO_FROM_SESSION = 1, /* counted in the program, pass by pass */
};

struct tacho_counting_column {
	const char *name;
	const char *unit; /* "" when not stated */
	const char *description;
	const char *group;
	const char *semantic; /* how values add up: "event", "duration", "throughput", "ratio" */
	uint32_t type;	      /* enum tacho_type */
	uint32_t from;	      /* enum tacho_counting_from */
};

/* A device, by all that is known of it. Texts are "" when they are not known. */
struct tacho_counting_device {
	const char *name, *platform;
	const char *id;	 /* as its driver has it for all APIs: "GPU-1b2c..." or "1b2c..." */
	const char *pci; /* "0000:1b:00.0" */
	/* Among devices of the same name and platform, from 0; NUMBER_UNKNOWN. */
	uint32_t number;
	/* Of one that is chosen: others may call it by another name. A device of its platform that
	 * tells neither id nor place is taken for it. */
	bool is_known_by_place;
};
#define TACHO_COUNTING_NUMBER_UNKNOWN UINT32_MAX

/*
 * Which launches are counted. The process decides: for each launch that is selected while counting
 * is not paused it writes a row, without values when there are no entries. Readers take a launch
 * that has no row for one that was not selected; where nothing was to be selected, no process wrote
 * a row, and none said that it left one out, all were.
 */
struct tacho_counting_select {
	/*
	 * Names of kernels: a name, with * ? [ a glob, or "regex:RE" (POSIX, extended) that
	 * matches somewhere. No kernels: all.
	 */
	const char *const *kernels;
	size_t kernel_count;
	const char *const *excluded;
	size_t excluded_count;
	/* Names of ranges (tacho/profile.h), as those of kernels: a launch is selected when its
	 * thread, or its process, is in one of them. None: wherever it is. */
	const char *const *ranges;
	size_t range_count;
	/* Launches, and transfers, on these. None: on whatever device. */
	const struct tacho_counting_device *devices;
	size_t device_count;
	/*
	 * Of the launches of each kernel in a process, which are counted from 1 by its name, also
	 * while counting is paused: those in a range. In order without overlaps in one that was
	 * read; none: all.
	 */
	const struct tacho_iterations *iterations;
	size_t iteration_count;
	/* Of the launches in a process that match: the first `skip` are not counted, the next
	 * `count` are; 0: all that follow. */
	uint64_t skip, count;
	uint64_t delay_ns;    /* from the start of the recording in a process */
	uint64_t duration_ns; /* behind the delay; 0: to the end */
	bool is_paused;	      /* at the start */
};

/*
 * All strings are borrowed: from the caller in one that is filled for writing, from itself in one
 * that was read. NULL strings are written as null and read as NULL only where it says so.
 */
struct tacho_counting {
	const char *backends; /* as in struct tacho_context_options; NULL: no session is needed */
	const char *device;   /* selector: "perf:linux"; NULL: the first device */
	const char *title;    /* of the device, for people; "" */
	bool is_simulated;

	/* The n-th column with FROM_SESSION belongs to entry n of the plan's config. */
	size_t entry_count;
	const struct tacho_counting_column *columns; /* in the order that was asked for */
	size_t column_count;

	const struct tacho_plan *plan; /* to write; NULL: none is needed, or it was read */
	uint32_t pass_count;
	uint32_t replay;   /* enum tacho_replay, but CALLER */
	int32_t only_pass; /* with PROCESS: from 0; -1: none */
	uint32_t
		run_count; /* recordings that a launcher made for this: 1, or passes with PROCESS */
	uint64_t replay_memory_bytes; /* what the copies of a launch's memory may take */
	uint64_t timeout_ns;	      /* for a launch to end */
	bool is_strict;		      /* a division by zero makes a value absent */
	struct tacho_counting_select select;
	const char *kernels_file; /* of descriptions for a simulated device; NULL: none */
	/* The library's own; NULL in one that is filled for writing. */
	const void *matchers, *plan_json;
};

/* PARSE names the line or the member; NOMEM. All that it allocates it allocates here. Owned. */
TACHO_API int tacho_counting_parse(const char *text, size_t size,
				   struct tacho_counting **out_counting);
/* From a file. NOTFOUND, PERM, IO too. */
TACHO_API int tacho_counting_read(const char *path, struct tacho_counting **out_counting);
TACHO_API void tacho_counting_destroy(struct tacho_counting *counting);
/* Errors of the stream stay in it. */
TACHO_API void tacho_counting_write(const struct tacho_counting *counting, FILE *stream);

/*
 * Opens the device that is counted, or the only one that its backends have, in a context of its
 * own. `handle` is what the backend needs of the program, as struct tacho_context_options has it;
 * NULL. Owned, the device first; the context also where the device cannot be opened. NODEVICE,
 * NOMEM, and as tacho_device_open().
 */
TACHO_API int tacho_counting_open_device(const struct tacho_counting *counting, void *handle,
					 struct tacho_context **out_context,
					 struct tacho_device **out_device);

/*
 * The config and the plan that the file holds, for its device: the process that is counted makes no
 * plan of its own. `counting` must be one that was read. INVAL when they do not fit the device, or
 * the file has none; as tacho_device_plan() when the device refuses a pass. Owned, the plan first.
 */
TACHO_API int tacho_counting_make_plan(const struct tacho_counting *counting,
				       struct tacho_device *device,
				       struct tacho_config **out_config,
				       struct tacho_plan **out_plan);

/* Whether launches can be counted on the device at all: 0, or UNSUPPORTED. */
TACHO_API int tacho_counting_check_launches(const struct tacho_device *device);

/*
 * Whether launches on the device can be run again: by tacho (TACHO_REPLAY_KERNEL), by the vendor's
 * library (TACHO_REPLAY_VENDOR). 0, or UNSUPPORTED.
 */
TACHO_API int tacho_counting_check_replay(const struct tacho_device *device, uint32_t replay);

/*
 * Whether launches can be counted in the modes of the plan: 0, or UNSUPPORTED. A launch that is
 * counted has the device for itself.
 */
TACHO_API int tacho_counting_check_modes(const struct tacho_plan *plan);

/* Whether the options select: some launch may be left out. */
TACHO_API bool tacho_counting_is_selective(const struct tacho_counting *counting);
/*
 * Whether launches of a kernel are selected by its name. `counting` must be one that was read. From
 * any thread; a regular expression may allocate: ask once per kernel.
 */
TACHO_API bool tacho_counting_selects(const struct tacho_counting *counting, const char *kernel);
/* As above, whether what is launched in a range of this name is selected; true without ranges. */
TACHO_API bool tacho_counting_selects_range(const struct tacho_counting *counting,
					    const char *name);
/*
 * As above, whether what is launched on this device is selected; true without devices. Ids decide,
 * where both have one of the same form; else where they are; else names, platforms and numbers.
 */
TACHO_API bool tacho_counting_selects_device(const struct tacho_counting *counting,
					     const struct tacho_counting_device *device);
/* Whether one pattern of such a list fits a name. As above. */
TACHO_API bool tacho_counting_fits(const struct tacho_counting *counting, const char *pattern,
				   const char *name);
/* Whether the n-th launch of a kernel is selected, from 1. As above; allocates nothing. */
TACHO_API bool tacho_counting_selects_iteration(const struct tacho_counting *counting, uint64_t n);
/* Whether this can be among `kernels`, `excluded` or `ranges`: 0, or INVAL with what is wrong with
 * it. */
TACHO_API int tacho_counting_check_pattern(const char *pattern);

/* What somebody asked for last. */
enum tacho_counting_request {
	TACHO_REQUEST_NONE = 0,
	TACHO_REQUEST_PAUSE,
	TACHO_REQUEST_RESUME,
};

/*
 * Written by the launcher at any time, in memory that every process of the recording shares, and
 * only read there, with atomic loads.
 */
#define TACHO_CONTROL_MAGIC UINT32_C(0x4c544354) /* "TCTL" */
struct tacho_counting_control {
	uint32_t magic, version; /* version 1 */
	uint32_t request;	 /* enum tacho_counting_request, by a signal to the launcher */
	uint32_t reserved[13];
};

/*
 * Whether launches are not counted now: the launcher or the program itself (tacho/profile.h) said
 * to pause; or the start is paused and neither has said to resume. `control` may be NULL.
 */
TACHO_API bool tacho_counting_is_paused(const struct tacho_counting *counting,
					const struct tacho_counting_control *control);

#ifdef __cplusplus
}
#endif

#endif
