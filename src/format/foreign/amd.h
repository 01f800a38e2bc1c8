/* SPDX-License-Identifier: MIT */
/*
 * Files of AMD's profilers, whatever they are written as: launches that several of them tell of,
 * agents, kernels and queues. The files' readers say what they read; amd.c makes things of it.
 */
#ifndef TACHO_FORMAT_FOREIGN_AMD_H
#define TACHO_FORMAT_FOREIGN_AMD_H

#include "format/foreign/foreign.h"

struct tacho__amd_number {
	bool is_known;
	uint64_t value;
};

/* How files number agents: as the kernel does, among those that a process sees, in their type. */
enum tacho__amd_numbering {
	TACHO__AMD_NODE,
	TACHO__AMD_LOGICAL,
	TACHO__AMD_OF_TYPE,
	TACHO__AMD_NUMBERINGS
};

struct tacho__amd_agent {
	uint32_t run; /* a text: whose agent it is */
	uint32_t is_gpu;
	struct tacho__amd_number numbers[TACHO__AMD_NUMBERINGS];
	const char *text; /* "key=value" lines */
};

/* {0} but for `foreign` at first. */
struct tacho__amd {
	struct tacho__foreign *foreign;
	struct tacho__sorter launches;
	struct tacho__amd_agent *agents;
	size_t agent_count, agent_capacity;
	struct tacho__map machines; /* runs -> "key=value" lines of their one sort of GPU */
	uint64_t launch_count, untimed;
	uint64_t counted_alone; /* that no trace has */
	bool has_queue_times;
};

void tacho__amd_begin(struct tacho__amd *amd, struct tacho__foreign *foreign);
void tacho__amd_finish(struct tacho__amd *amd);

/* Who tells of a launch: of those that tell of the same one, the first is believed. */
enum tacho__amd_teller { TACHO__AMD_TRACE, TACHO__AMD_COUNTERS };

/*
 * A launch; one whose `values` is not 0 may be told again, by each of its counters. Not before
 * tacho__amd_end_launches() it is a command. IO, NOMEM.
 */
int tacho__amd_add_launch(struct tacho__amd *amd, const struct tacho__foreign_command *launch,
			  enum tacho__amd_teller teller);
int tacho__amd_end_launches(struct tacho__amd *amd);

/* Symbols of kernels, as some versions tell them, end in what is no part of the name. */
size_t tacho__amd_name_size(const char *name);

/* What a file says of a kernel that ran. */
struct tacho__amd_kernel {
	const char *name;
	struct tacho__amd_number local_bytes, private_bytes, vgprs, accum_vgprs, sgprs;
};

/* All: NOMEM. */
int tacho__amd_take_kernel(struct tacho__amd *amd, const struct tacho__amd_kernel *kernel,
			   struct tacho__foreign_command *command);
/* Work-items and those of a group, in each dimension; nothing when one is not known or 0. */
void tacho__amd_take_sizes(const struct tacho__amd_number grid[3],
			   const struct tacho__amd_number group[3],
			   struct tacho__foreign_command *command);
/* Its times, or why there are none; `why` NULL: the file has none. */
int tacho__amd_take_times(struct tacho__amd *amd, const struct tacho__amd_number *start,
			  const struct tacho__amd_number *end, const char *why,
			  struct tacho__foreign_command *command);

/*
 * The times of a file count from the start of the host that names its folder, as in
 * "out/node7/12_kernel_trace.csv". Only for files that are named by their process. NOMEM.
 */
int tacho__amd_tell_host(struct tacho__amd *amd, const char *path);

/* An agent that a file describes; the text is copied. */
int tacho__amd_add_agent(struct tacho__amd *amd, const struct tacho__amd_agent *agent);
/*
 * The device that a file calls so: "Agent 4", "GPU 1", "4"; `is_gpu` says what it must be. 0 for
 * an empty name.
 */
int tacho__amd_device(struct tacho__amd *amd, uint32_t process, uint32_t run, const char *name,
		      bool is_gpu, uint32_t *out_device);
/* Of a command whose device is known, by the file's name of it, "queue 1". 0 for an empty name. */
int tacho__amd_queue(struct tacho__amd *amd, const char *name,
		     struct tacho__foreign_command *command);

/* "MEMORY_COPY_HOST_TO_DEVICE": kind and name of the command. Unknown ones are copies. */
int tacho__amd_take_direction(struct tacho__amd *amd, const char *direction,
			      struct tacho__foreign_command *command);
/* "HIP_RUNTIME_API_EXT" is of the API "hip". */
int tacho__amd_function(struct tacho__amd *amd, const char *domain, const char *name,
			uint32_t *out_function);
/* Whether what this domain has are ranges that the program named. */
bool tacho__amd_is_marker(const char *domain);
/* A range, or a mark where it ends when it begins, and the domain is not only of ranges. */
int tacho__amd_add_marker(struct tacho__amd *amd, const char *domain, const char *name,
			  struct tacho__foreign_range *range);

#endif
