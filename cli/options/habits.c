/* SPDX-License-Identifier: MIT */
/* docs/coming-from.md says the same at more length, tool by tool. */
#include "options/habits.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

struct habit {
	const char *commands; /* that have what stands for the option, between blanks; NULL: all */
	const char *word;
	const char *instead;
};

static const struct habit commands[] = {
	{NULL, "profile", "run a program: tacho record PROGRAM"},
	{NULL, "collect", "run a program: tacho record PROGRAM"},
	{NULL, "launch", "run a program: tacho record PROGRAM"},
	{NULL, "run", "run a program: tacho record PROGRAM; count: tacho stat PROGRAM"},
	{NULL, "trace", "run a program: tacho record PROGRAM"},
	{NULL, "stats",
	 "of a recording: tacho report NAME; while a program runs: tacho stat PROGRAM"},
	{NULL, "analyze", "of a recording: tacho report NAME"},
	{NULL, "summary", "of a recording: tacho report NAME"},
	{NULL, "show", "of a recording: tacho report NAME, or tacho open NAME"},
	{NULL, "view", "of a recording: tacho open NAME, or tacho report NAME"},
	{NULL, "ui", "of a recording: tacho open NAME"},
	{NULL, "convert", "of a recording: tacho export NAME --to FORMAT"},
	{NULL, "compare", "two recordings: tacho diff A B"},
	{NULL, "merge",
	 "processes of one run are one recording; of other tools' files name several: "
	 "tacho report A B"},
	{NULL, "top", "the whole machine, each second: tacho stat -a -I 1000"},
	{NULL, "monitor", "the whole machine, each second: tacho stat -a -I 1000"},
	{NULL, "devices", "they are listed: tacho list devices"},
	{NULL, "metrics", "they are listed: tacho list metrics"},
	{NULL, "counters", "they are listed: tacho list counters"},
	{NULL, "query", "they are listed: tacho list; of one: tacho info NAME"},
	{NULL, "completion", "print a script for a shell: tacho help --completion bash"},
	{NULL, "version", "print it: tacho --version"},
	{NULL, "--no-color", "print without colours: tacho --color never COMMAND, or NO_COLOR=1"},
};

static const char all_is_recorded[] = "leave it out: what tacho knows is recorded";
static const char no_samples[] = "leave it out: stacks of the processor are not sampled";

static const struct habit options[] = {
	{NULL, "--no-color", "print without colours: --color never, or NO_COLOR=1"},
	{" record ", "--trace", all_is_recorded},
	{" record ", "-t", all_is_recorded},
	{" record ", "--kernel-trace", all_is_recorded},
	{" record ", "--memory-copy-trace", all_is_recorded},
	{" record ", "--marker-trace", all_is_recorded},
	{" record ", "--runtime-trace", all_is_recorded},
	{" record ", "--sys-trace", all_is_recorded},
	{" record ", "--hip-trace", all_is_recorded},
	{" record ", "--hsa-trace", all_is_recorded},
	{" record ", "--nvtx",
	 "leave it out: ranges are recorded; of some alone count: --range NAME"},
	{" record ", "--nvtx-include", "count in ranges: --range NAME"},
	{" record ", "--target-processes",
	 "leave it out: children are followed unless --no-follow"},
	{" record ", "--trace-fork-before-exec", "leave it out: children are followed"},
	{" record ", "--host-timing", "see it afterwards: tacho report NAME --by api"},
	{" record ", "--device-timing", "see it afterwards: tacho report NAME --by kernel"},
	{" record ", "--stats", "print the report at the end: --report"},
	{" record ", "--summary", "print the report at the end: --report"},
	{" record ", "--csv", "write it at the end: --export csv"},
	{" record ", "--page", "see it afterwards: tacho report NAME, tacho export NAME --to csv"},
	{" record ", "--output-format", "write other formats, too: --export FORMAT"},
	{" record ", "--output-directory", "name it with its folder: -o FOLDER/NAME"},
	{" record ", "--output-file", "name it: -o NAME"},
	{" record ", "--sample", no_samples},
	{" record ", "--call-graph", no_samples},
	{" record ", "-g", no_samples},
	{" record ", "-F", no_samples},
	{" record ", "--capture-range",
	 "all is recorded; count from tacho_profile_resume() on: "
	 "--start-paused"},
	{" record ", "--profile-from-start",
	 "count from tacho_profile_resume() on: --start-paused"},
	{" record ", "--startdisabled", "count from tacho_profile_resume() on: --start-paused"},
	{" record ", "--gpu-metrics-devices",
	 "count windows of the whole GPU: -I MS -d DEV -m LIST"},
	{" record ", "-a", "count the whole machine: tacho stat -a"},
	{" record ", "--import", "read it: tacho report FILE"},
	{" report ", "--report", "choose a table: --by KEY"},
	{" stat ", "-x", "print comma-separated values: --csv"},
	{" stat ", "-j", "print JSON: --json"},
	{" stat ", "-r", "repeat and compare programs: tacho diff --run N"},
	{" stat ", "--repeat", "repeat and compare programs: tacho diff --run N"},
	{" record stat diff plan oa ", "--pmc", "name counters: -m A,B"},
	{" record stat diff plan oa ", "--event", "name counters: -m A,B"},
	{" record stat diff plan oa ", "--events", "name counters: -m A,B"},
	{" record stat diff plan oa ", "-e", "name counters: -m A,B"},
	{" record stat diff plan ", "--set", "name a set: -m set:NAME; see: tacho list sets"},
	{" record stat diff plan ", "--section", "name a set: -m set:NAME; see: tacho list sets"},
	{" record stat report diff ", "--kernel-name", "choose kernels: -k NAME, -k regex:RE"},
	{" record stat report diff ", "--kernel-include-regex", "choose kernels: -k regex:RE"},
	{" record stat report ", "--kernel-exclude-regex", "leave kernels out: --exclude regex:RE"},
	{" record stat ", "--kernel-iteration-range",
	 "choose launches of each kernel: --iterations 1-2,5"},
	{" record stat ", "--launch-skip", "skip launches: -s N"},
	{" record stat ", "--launch-count", "count so many launches: -c N"},
	{" record stat diff ", "--replay-mode", "choose how: --replay kernel, --replay process"},
	{" record stat open export diff oa ", "--force-overwrite", "replace what is there: -f"},
	{NULL, "--log-file", "write messages into a file, too: --log FILE"},
	{NULL, "--list-avail", "see: tacho list"},
	{NULL, "--list-metrics", "see: tacho list metrics"},
	{NULL, "--list-sets", "see: tacho list sets"},
	{NULL, "--query-metrics", "see: tacho list metrics"},
	{NULL, "-L", "see: tacho list"},
};

static bool is_listed(const char *list, const char *command)
{
	size_t size = strlen(command);

	for (const char *at = list; (at = strstr(at, command)); at++)
		if (at[-1] == ' ' && at[size] == ' ')
			return true;
	return false;
}

static const char *find(const struct habit *habits, size_t count, const char *command,
			const char *word)
{
	size_t size = strcspn(word, "=");

	for (size_t i = 0; i < count; i++)
		if (strlen(habits[i].word) == size && !strncmp(habits[i].word, word, size) &&
		    (!habits[i].commands || is_listed(habits[i].commands, command)))
			return habits[i].instead;
	return NULL;
}

const char *cli_habit_of_command(const char *word)
{
	return find(commands, sizeof(commands) / sizeof(commands[0]), "", word);
}

const char *cli_habit_of_option(const char *command, const char *word)
{
	return find(options, sizeof(options) / sizeof(options[0]), command, word);
}
