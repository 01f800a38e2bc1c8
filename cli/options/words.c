/* SPDX-License-Identifier: MIT */
/* The words that options and operands accept. */
#include "options/options.h"

#include <stdlib.h>
#include <string.h>

#include <tacho/error.h>
#include <tacho/exporter.h>
#include <tacho/recording.h>
#include <tacho/session.h>
#include <tacho/sim.h>

#include "suggest.h"

enum { WORDS_MAX = 32 };

static const char *get_format(size_t index)
{
	const struct tacho_format *format = tacho_format_get(index);

	return format ? format->name : NULL;
}

static const char *get_export(size_t index)
{
	if (!index)
		return "none";
	return get_format(index - 1);
}

/* Names live as long as the command. */
static const char *get_simulated(size_t index)
{
	static char names[WORDS_MAX][64];

	if (index >= WORDS_MAX ||
	    tacho_sim_get_name(index, names[index], sizeof(names[index])) != 0)
		return NULL;
	return names[index];
}

/* Commands, and what tacho help explains beside them. */
static const char *get_topic(size_t index)
{
	static const char *const topics[] = {"config", "errors", "imports"};
	enum { TOPIC_COUNT = sizeof(topics) / sizeof(topics[0]) };
	size_t count = 0;
	const char *name;

	while (cli_words_get(CLI_WORDS_COMMAND, count))
		count++;
	if (index < count)
		return cli_words_get(CLI_WORDS_COMMAND, index);
	if (index < count + TOPIC_COUNT)
		return topics[index - count];
	/* errors are numbered from -1 on */
	name = tacho_error_to_string(-(int)(index - count - TOPIC_COUNT) - 1);
	return strcmp(name, "TACHO_E_UNKNOWN") ? name + strlen("TACHO_") : NULL;
}

/* Those that one can choose come first. The caller is this command, which takes what fits. */
static const char *get_replay(size_t index)
{
	if (index == TACHO_REPLAY_CALLER)
		return "auto";
	return index <= TACHO_REPLAY_VENDOR ? tacho_replay_to_string((uint32_t)index) : NULL;
}

static const char *const apis[] = {
	"cl",	"cuda", "cuda_sampling", "gl",	 "hsa",	   "dx11", "dx12",
	"rocm", "oa",	"sim",		 "nvml", "vulkan", NULL};

const char *cli_words_get(enum cli_words words, size_t index)
{
	static const char *const commands[] = {
#define X(name) #name,
		CLI_COMMANDS(X)
#undef X
			NULL};
	static const char *const via[] = {"auto", "layer", "preload", NULL};
	static const char *const keys[] = {"kernel",  "api",	  "queue",   "thread",
					   "process", "transfer", "range",   "gap",
					   "frame",   "pass",	  "command", NULL};
	static const char *const whats[] = {"devices",	"counters", "metrics", "sets", "blocks",
					    "backends", "archs",    "models",  NULL};
	static const char *const shells[] = {"bash", "zsh", "fish", NULL};
	static const char *const policies[] = {"coherent", "fewest", NULL};
	static const char *const normalizations[] = {"per_kernel", "per_wave", "per_cycle",
						     "per_second", NULL};
	static const char *const notations[] = {"auto", "infix", "gpa", "oa", "panel", NULL};
	static const char *const oa_parts[] = {"decode", "metrics", "flex", "record",
					       "regs",	 "sets",    NULL};
	static const char *const oa_sources[] = {"periodic", "mi-rpc", NULL};
	static const char *const oa_cuts[] = {"context", "report", NULL};
	static const char *const diff_keys[] = {"kernel", "api", "transfer", "queue",
						"range",  "gap", NULL};
	static const char *const diff_matches[] = {"device", "name", "place", NULL};
	static const char *const diff_sorts[] = {"impact", "change", "time", "p", "name", NULL};
	static const char *const whens[] = {"auto", "always", "never", NULL};
	static const char *const faces[] = {"gpa", "perfworks", "rocprofiler", NULL};
	const char *const *list;

	switch (words) {
	case CLI_WORDS_SIM: return get_simulated(index);
	case CLI_WORDS_FORMAT: return get_format(index);
	case CLI_WORDS_EXPORT: return get_export(index);
	case CLI_WORDS_REPLAY: return get_replay(index);
	case CLI_WORDS_TOPIC: return get_topic(index);
	case CLI_WORDS_KIND: return tacho_file_kind_get_name(index);
	case CLI_WORDS_COMMAND: list = commands; break;
	case CLI_WORDS_VIA: list = via; break;
	case CLI_WORDS_KEY: list = keys; break;
	case CLI_WORDS_WHAT: list = whats; break;
	case CLI_WORDS_SHELL: list = shells; break;
	case CLI_WORDS_API: list = apis; break;
	case CLI_WORDS_NOTATION: list = notations; break;
	case CLI_WORDS_NORMALIZATION: list = normalizations; break;
	case CLI_WORDS_POLICY: list = policies; break;
	case CLI_WORDS_DIFF_KEY: list = diff_keys; break;
	case CLI_WORDS_DIFF_MATCH: list = diff_matches; break;
	case CLI_WORDS_DIFF_SORT: list = diff_sorts; break;
	case CLI_WORDS_OA: list = oa_parts; break;
	case CLI_WORDS_OA_SOURCE: list = oa_sources; break;
	case CLI_WORDS_OA_BY: list = oa_cuts; break;
	case CLI_WORDS_FACE: list = faces; break;
	case CLI_WORDS_WHEN: list = whens; break;
	default: return NULL;
	}
	for (size_t i = 0; i < index; i++)
		if (!list[i])
			return NULL;
	return list[index];
}

int cli_words_find(enum cli_words words, const char *word, const char *what)
{
	const char *known[WORDS_MAX + 1] = {0}, *nearest;
	char *all;
	int count = 0;

	for (; count < WORDS_MAX && (known[count] = cli_words_get(words, (size_t)count)); count++)
		if (strcmp(known[count], word) == 0)
			return count;
	all = cli_format("%s", count ? known[0] : "");
	for (int i = 1; i < count; i++)
		cli_append(&all, ", ", "%s", known[i]);
	nearest = cli_suggest(word, known);
	cli_complain("",
		     nearest ? cli_part("did you mean %s? Known: %s", nearest, all)
			     : cli_part("known: %s", all),
		     "%s \"%s\" is not known", what, word);
	free(all);
	return -1;
}
