/* SPDX-License-Identifier: MIT */
/* What is counted for each launch of a program: the options, what they come to, and the passes. */
#ifndef TACHO_CLI_COUNT_H
#define TACHO_CLI_COUNT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <tacho/plan.h>
#include <tacho/session.h>
#include <tacho/sys/counting.h>

#include "options/options.h"

/* What the options say. */
struct cli_count_choice {
	struct cli_texts metrics, files, kernels, excluded, ranges;
	const char *device, *model, *kernels_file, *iterations;
	uint64_t job, skip, count, delay_ms, duration_ms;
	uint64_t passes, replay_memory_mb, timeout_s;
	int replay; /* enum tacho_replay; CALLER: what fits */
	bool is_paused, is_strict;
};

/* The rows for an option table; `settings` has a struct cli_count_choice called `counting`. */
#define CLI_COUNT_OPTION(settings, letter, name, member, metavar, type, words, help) \
	CLI_OPTION(settings, letter, name, metavar, type, words, counting.member, help)
#define CLI_OPTION_METRICS(settings, help)                                                        \
	CLI_COUNT_OPTION(settings, 'm', "metrics", metrics, "LIST", CLI_TEXTS, CLI_WORDS_ENTRIES, \
			 help)
/* Files with counters. */
#define CLI_OPTIONS_INPUT(settings)                                                              \
	CLI_COUNT_OPTION(settings, 'i', "input", files, "FILE", CLI_TEXTS, CLI_WORDS_FILE,       \
			 "count what FILE lists and where it says so: pmc lines or jobs of "     \
			 "rocprofv3, or names by line; may be repeated"),                        \
		CLI_COUNT_OPTION(settings, 0, "job", job, "N", CLI_NUMBER, CLI_WORDS_NONE,       \
				 "of FILE take the N-th job or pmc line only (default: all, in " \
				 "one plan)")
#define CLI_OPTION_DEVICE(settings, help) \
	CLI_COUNT_OPTION(settings, 'd', "device", device, "DEV", CLI_TEXT, CLI_WORDS_DEVICES, help)
#define CLI_OPTION_SIM(settings, help) \
	CLI_COUNT_OPTION(settings, 0, "sim", model, "MODEL", CLI_TEXT, CLI_WORDS_SIM, help)
#define CLI_OPTION_REPLAY(settings, help) \
	CLI_COUNT_OPTION(settings, 0, "replay", replay, "HOW", CLI_CHOICE, CLI_WORDS_REPLAY, help)
#define CLI_OPTION_PASSES(settings)                                                      \
	CLI_COUNT_OPTION(settings, 0, "passes", passes, "N", CLI_NUMBER, CLI_WORDS_NONE, \
			 "fail when more than N passes are needed")
#define CLI_OPTION_STRICT(settings, help) \
	CLI_COUNT_OPTION(settings, 0, "strict", is_strict, NULL, CLI_FLAG, CLI_WORDS_NONE, help)
/* Which launches, and what it may cost. */
#define CLI_OPTIONS_SELECT(settings)                                                               \
	CLI_COUNT_OPTION(settings, 'k', "kernel", kernels, "NAME", CLI_TEXTS, CLI_WORDS_NONE,      \
			 "count launches of this kernel only: a name, a glob or regex:RE; may be " \
			 "repeated"),                                                              \
		CLI_COUNT_OPTION(settings, 0, "exclude", excluded, "NAME", CLI_TEXTS,              \
				 CLI_WORDS_NONE, "count no launches of this kernel"),              \
		CLI_COUNT_OPTION(settings, 0, "range", ranges, "NAME", CLI_TEXTS, CLI_WORDS_NONE,  \
				 "count launches in this range of the program only: a name, a "    \
				 "glob or regex:RE; may be repeated"),                             \
		CLI_COUNT_OPTION(settings, 0, "iterations", iterations, "RANGES", CLI_TEXT,        \
				 CLI_WORDS_NONE,                                                   \
				 "count these launches of each kernel, from 1: 1-2,5"),            \
		CLI_COUNT_OPTION(settings, 's', "skip", skip, "N", CLI_NUMBER, CLI_WORDS_NONE,     \
				 "do not count the first N launches that fit, per process"),       \
		CLI_COUNT_OPTION(settings, 'c', "count", count, "N", CLI_NUMBER, CLI_WORDS_NONE,   \
				 "count N launches that fit and no more, per process"),            \
		CLI_COUNT_OPTION(settings, 'D', "delay", delay_ms, "MS", CLI_NUMBER,               \
				 CLI_WORDS_NONE, "begin to count after MS milliseconds"),          \
		CLI_COUNT_OPTION(settings, 0, "duration", duration_ms, "MS", CLI_NUMBER,           \
				 CLI_WORDS_NONE, "count for MS milliseconds"),                     \
		CLI_COUNT_OPTION(settings, 0, "start-paused", is_paused, NULL, CLI_FLAG,           \
				 CLI_WORDS_NONE,                                                   \
				 "count nothing until SIGUSR2 comes to tacho, or the program "     \
				 "calls tacho_profile_resume(); SIGUSR1 pauses"),                  \
		CLI_COUNT_OPTION(settings, 0, "replay-memory", replay_memory_mb, "MB", CLI_NUMBER, \
				 CLI_WORDS_NONE,                                                   \
				 "copies of a launch's memory take at most this (default: 1024)"), \
		CLI_COUNT_OPTION(settings, 0, "timeout", timeout_s, "S", CLI_NUMBER,               \
				 CLI_WORDS_NONE,                                                   \
				 "when launches wait for each other for S seconds, let them run "  \
				 "together uncounted; with --replay kernel, when one runs for S "  \
				 "seconds, count no more in this process (default: 30)"),          \
		CLI_COUNT_OPTION(settings, 0, "kernels", kernels_file, "FILE", CLI_TEXT,           \
				 CLI_WORDS_FILE,                                                   \
				 "describe kernels to the simulated device: YAML, docs/replay.md")

struct cli_count;

/* Whether anything is to be counted. */
bool cli_count_is_asked(const struct cli_count_choice *choice);

/*
 * Finds what the names stand for, on commands and on the device, and the passes. Otherwise it says
 * why not and returns the class of the failure. Owned.
 */
int cli_count_create(const struct cli_count_choice *choice, struct cli_count **out_count);
/* Of a choice that asks for nothing: what it says is checked all the same, as cli_count_create().
 */
int cli_count_check(const struct cli_count_choice *choice);
/* The first option that chooses among launches; NULL when none is given. Static. */
const char *cli_count_find_chooser(const struct cli_count_choice *choice);
void cli_count_destroy(struct cli_count *count);

/* For a run: `only_pass` with PROCESS, else -1. Borrowed until the next call. */
const struct tacho_counting *cli_count_get(struct cli_count *count, int only_pass);

/* The passes and how launches come to run in each: before the program starts. */
void cli_count_announce(const struct cli_count *count, FILE *stream, unsigned width);

#endif
