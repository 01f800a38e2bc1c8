/* SPDX-License-Identifier: MIT */
/* The parts of `tacho occupancy`: kernels with what they need, and ways to print them. */
#ifndef TACHO_CLI_OCCUPANCY_H
#define TACHO_CLI_OCCUPANCY_H

#include <stdbool.h>
#include <stdint.h>

#include <tacho/occupancy.h>

#define CLI_OCCUPANCY_UNSET UINT64_MAX

struct cli_occupancy_settings {
	const char *arch, *params, *unit, *as;
	uint64_t vector, accumulation, scalar, local, group, wave;
	bool plot, json, csv, csv_safe, archs;
};

/* A kernel in groups of one size. */
struct cli_occupancy_row {
	char *kernel;
	char *device; /* of a recording; NULL */
	char *arch;   /* "" when that is not known */
	char *why;    /* why occupancy is not known; then nothing below is */
	struct tacho_limits limits;
	struct tacho_use use;
	struct tacho_occupancy occupancy;
	bool group_is_assumed; /* nobody said it */
	bool is_compiled;      /* the two below are known */
	uint64_t scratch_bytes, spills;
	uint64_t launches; /* of a recording */
};

struct cli_occupancy {
	struct cli_occupancy_row *rows;
	size_t count;
	bool is_import; /* of files of another tool: these keep no programs */
	char *gap;	/* why its recording is not whole; NULL: it is, or there is none */
};

void cli_occupancy_finish(struct cli_occupancy *list);

/* An empty row at the end. Borrowed until the next one. */
struct cli_occupancy_row *cli_occupancy_add(struct cli_occupancy *list, const char *kernel);

/* Each adds rows; false: that failed, was said, and *out_status is the command's. */
bool cli_occupancy_from_params(const struct cli_occupancy_settings *settings,
			       struct cli_occupancy *list, int *out_status);
bool cli_occupancy_from_file(const struct cli_occupancy_settings *settings, const char *path,
			     struct cli_occupancy *list, int *out_status);
bool cli_occupancy_from_recording(const struct cli_occupancy_settings *settings,
				  struct tacho_recording *recording, const char *path,
				  struct cli_occupancy *list, int *out_status);

/* Puts the numbers that options give in the place of those that the row has. */
void cli_occupancy_replace(const struct cli_occupancy_settings *settings,
			   struct cli_occupancy_row *row);

/* The limits of settings->arch as wave size and unit say; false: that was said. */
bool cli_occupancy_find_limits(const struct cli_occupancy_settings *settings, const char *arch,
			       struct tacho_limits *out_limits);

void cli_occupancy_print(const struct cli_occupancy *list, bool plot);
void cli_occupancy_print_json(const struct cli_occupancy *list, bool plot);
void cli_occupancy_print_csv(const struct cli_occupancy *list);

#endif
