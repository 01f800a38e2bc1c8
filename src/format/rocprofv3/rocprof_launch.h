/* SPDX-License-Identifier: MIT */
/* A kernel launch of a recording as rocprofv3 tells it, with the ids that its files share. */
#ifndef TACHO_FORMAT_ROCPROFV3_ROCPROF_LAUNCH_H
#define TACHO_FORMAT_ROCPROFV3_ROCPROF_LAUNCH_H

#include "tacho/occupancy.h"
#include "tacho/recording.h"

#include <stdbool.h>

/* The id of a queue, kernel or program that is not known. */
enum { TACHO__ROCPROF_UNKNOWN = 0 };

/*
 * Ids of agents: the host, then the device that counts where there is one, then the others in the
 * order of their own ids; and that of an agent that is not known.
 */
enum { TACHO__ROCPROF_HOST = 0, TACHO__ROCPROF_COUNTS = 1 };
#define TACHO__ROCPROF_NO_AGENT UINT64_C(0xffffffff)

struct tacho__rocprof_number {
	bool is_known;
	uint64_t value;
};

/* What a kernel takes, as the driver or its compiled program states it. */
struct tacho__rocprof_resources {
	struct tacho__rocprof_number local_bytes, scratch_bytes;   /* of a group, of a work-item */
	struct tacho__rocprof_number vector, accumulation, scalar; /* registers */
};

struct tacho__rocprof_run {
	const struct tacho_recording *recording;
	const struct tacho_kept *kept; /* NULL: no program was kept */
};

struct tacho__rocprof_launch {
	const struct tacho__rocprof_run *run;
	const struct tacho_call *call;
	const struct tacho_command *command;
	const struct tacho_result *values; /* of one row; NULL: nothing was counted in it */
	uint64_t call_number, dispatch;	   /* of the whole recording, from 1 */
	uint64_t agent;			   /* that it ran on */
	struct tacho__rocprof_resources resources;
};

/* TACHO__ROCPROF_NO_AGENT for NULL. */
uint64_t tacho__rocprof_get_agent(const struct tacho__rocprof_run *run,
				  const struct tacho_object *device);
/* Its name; NULL: values come with commands, and from no device of their own. */
const char *tacho__rocprof_get_counting_device(const struct tacho__rocprof_run *run);

/* "CPU", "GPU" or "UNK". Static. */
const char *tacho__rocprof_get_type(const struct tacho_object *device);

/* NOMEM. */
int tacho__rocprof_get_resources(const struct tacho__rocprof_run *run,
				 const struct tacho_object *kernel,
				 const struct tacho_object *device,
				 struct tacho__rocprof_resources *out_resources);

/* Work-items in each dimension; false: not known. */
bool tacho__rocprof_get_grid(const struct tacho_command *command, uint64_t out_grid[3]);
bool tacho__rocprof_get_workgroup(const struct tacho_command *command, uint64_t out_workgroup[3]);

/* Whose the values of the n-th counter are. */
uint64_t tacho__rocprof_get_counting_agent(const struct tacho__rocprof_launch *launch,
					   size_t counter);
/* Whether launches have such values at all. */
bool tacho__rocprof_has_column(const struct tacho_column *column);

/* What all instances of a counter come to. */
struct tacho__rocprof_sum {
	bool is_known; /* each of them is */
	bool is_scaled, is_whole;
	uint64_t whole; /* when it is_whole */
	double real;
};
void tacho__rocprof_add_up(const struct tacho_column *column, struct tacho__rocprof_sum *out_sum);

#endif
