/* SPDX-License-Identifier: MIT */
/* Options that bound a recording: how long it may be, and what of the program it is of. */
#ifndef TACHO_CLI_BOUNDS_H
#define TACHO_CLI_BOUNDS_H

#include <tacho/sys/launch.h>

#include "options/options.h"

struct cli_bounds {
	uint64_t max_bytes, ring_bytes;	  /* 0: not given */
	uint64_t max_calls, max_launches; /* 0: all */
	struct cli_texts calls;		  /* lists with commas */
	bool only_work, is_synced;
	char **names; /* of all lists; cli_bounds_check() */
	size_t name_count;
};

/* The rows for an option table; `settings` has a struct cli_bounds called `bounds`. */
#define CLI_BOUNDS_OPTION(settings, name, member, metavar, type, help) \
	CLI_OPTION(settings, 0, name, metavar, type, CLI_WORDS_NONE, bounds.member, help)
#define CLI_OPTIONS_BOUNDS(settings)                                                               \
	CLI_BOUNDS_OPTION(settings, "max-size", max_bytes, "SIZE", CLI_SIZE,                       \
			  "let the recording take at most SIZE bytes (500M, 2G): from seven "      \
			  "eighths of it on only calls that give work or wait for it are "         \
			  "recorded, at last none (default: a tenth of the free disk)"),           \
		CLI_BOUNDS_OPTION(settings, "max-calls", max_calls, "N", CLI_NUMBER,               \
				  "record the first N calls, of all processes together, and "      \
				  "count the others (default, and 0: record all)"),                \
		CLI_BOUNDS_OPTION(settings, "max-kernels", max_launches, "N", CLI_NUMBER,          \
				  "record nothing behind the N-th launch of a kernel, and count "  \
				  "the calls that come later (default, and 0: record all)"),       \
		CLI_BOUNDS_OPTION(settings, "ring", ring_bytes, "SIZE", CLI_SIZE,                  \
				  "keep only the newest SIZE bytes of calls; tacho snapshot, or "  \
				  "SIGUSR1 to tacho, saves them while the program runs"),          \
		CLI_BOUNDS_OPTION(settings, "calls", calls, "LIST", CLI_TEXTS,                     \
				  "record only calls of these functions: names and globs with "    \
				  "commas between them, or regex:RE; may be given several times"), \
		CLI_BOUNDS_OPTION(settings, "no-calls", only_work, NULL, CLI_FLAG,                 \
				  "of calls, record only those that give work to a device or "     \
				  "wait for it"),                                                  \
		CLI_BOUNDS_OPTION(settings, "sync", is_synced, NULL, CLI_FLAG,                     \
				  "write to the disk each second, so that a loss of power "        \
				  "costs a second at most")

/* Says what contradicts itself, or is no list of names: the class of the failure, or CLI_OK. */
int cli_bounds_check(struct cli_bounds *bounds);

/* What it borrows from `bounds` lives until cli_bounds_finish(). */
void cli_bounds_apply(const struct cli_bounds *bounds, struct tacho_launch_options *options);
void cli_bounds_finish(struct cli_bounds *bounds);

#endif
