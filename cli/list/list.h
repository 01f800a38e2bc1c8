/* SPDX-License-Identifier: MIT */
/* What `tacho list` was asked for, and its parts. */
#ifndef TACHO_CLI_LIST_H
#define TACHO_CLI_LIST_H

#include <stdbool.h>

#include <tacho/device.h>
#include <tacho/sys/json.h>
#include <tacho/sys/pattern.h>

#include "catalog.h"

/* In the order of CLI_WORDS_WHAT. */
enum cli_list_what {
	CLI_LIST_DEVICES,
	CLI_LIST_COUNTERS,
	CLI_LIST_METRICS,
	CLI_LIST_SETS,
	CLI_LIST_BLOCKS,
	CLI_LIST_BACKENDS,
	CLI_LIST_ARCHS,
	CLI_LIST_MODELS,
};

struct cli_listing {
	enum cli_list_what what;
	struct cli_catalog_choice choice;
	bool json, csv, names;
	char *const *words;		       /* ends with NULL; each must occur */
	struct tacho_pattern *const *patterns; /* of the words; ends with NULL */
	unsigned width;			       /* CLI_TEXT_UNLIMITED when stdout is no terminal */
};

/* Each prints and returns the exit status. */
int cli_list_devices(const struct cli_listing *listing);
int cli_list_catalog(const struct cli_listing *listing);

struct cli_list_device {
	struct tacho_device_info info;
	size_t index; /* among the devices of its backend */
};

/*
 * The devices that `tacho list devices` shows, in its order: they live as long as the command.
 * *out_numbers is "choose of 0 opencl:cpu, 1 perf:linux", and owned. Otherwise it says why not and
 * returns the class of the failure.
 */
int cli_list_read(const struct cli_list_device **out_devices, size_t *out_count,
		  char **out_numbers);

/*
 * A list as JSON: an object that begins with schema, generator and kind, whose array "entries" is
 * the list. With --csv that array becomes a table.
 */
struct cli_list_document {
	struct tacho_json json;
	char *text; /* of --csv */
	size_t size;
};
void cli_list_begin(struct cli_list_document *out_document, const struct cli_listing *listing);
void cli_list_end(struct cli_list_document *document, const struct cli_listing *listing);

#endif
