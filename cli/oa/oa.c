/* SPDX-License-Identifier: MIT */
/* tacho oa: Intel OA reports, recordings, registers and flexible events. */
#include "oa/oa.h"

#include <stdlib.h>
#include <string.h>

#include "options/options.h"
#include "request.h"
#include "suggest.h"

enum { OPERANDS_MAX = 4096 };

/* Parts as bits. */
enum { DECODE = 1, METRICS = 2, FLEX = 4, REGS = 8, SETS = 16, RECORD = 32, READ = 31 };

static const struct part {
	const char *name, *operands;
	cli_oa_part *run;
	unsigned bit;
	size_t operand_min, operand_max;
} parts[] = {
	{"decode", "FILE|-", cli_oa_decode, DECODE, 1, 1},
	{"metrics", "FILE", cli_oa_metrics, METRICS, 1, 1},
	{"flex", "decode [REGISTER=]VALUE... | encode [COUNTER=]EVENT[/COARSE][/FINE]...",
	 cli_oa_flex, FLEX, 2, OPERANDS_MAX},
	{"regs", "[NAME|ADDRESS[=VALUE|=FIELD:VALUE,...]]...", cli_oa_regs, REGS, 0, OPERANDS_MAX},
	{"record", "[[--] PROGRAM [ARGUMENT...]]", cli_oa_record, RECORD, 0, OPERANDS_MAX},
	{"sets", "", cli_oa_sets, SETS, 0, 0},
};

/* The parts that have an option, in the order of the table below. */
static const unsigned option_parts[] = {
	METRICS,
	METRICS | FLEX | RECORD,
	METRICS,
	METRICS,
	DECODE | RECORD,
	DECODE | REGS,
	DECODE,
	METRICS | FLEX | SETS,
	METRICS | FLEX | SETS | RECORD,
	READ,
	DECODE | METRICS,
	DECODE | METRICS,
	RECORD,
	RECORD,
	RECORD,
	RECORD,
	RECORD,
	RECORD | FLEX,
	RECORD | FLEX,
};

#define OPTION(...) CLI_OPTION(struct cli_oa_settings, __VA_ARGS__)
static const struct cli_option options[] = {
	OPTION('m', "metrics", "LIST", CLI_TEXTS, CLI_WORDS_ENTRIES, metrics,
	       "metrics: work out these: " CLI_LIST_HELP),
	OPTION(0, "set", "S", CLI_TEXT, CLI_WORDS_ENTRY, set,
	       "metrics: the set that was programmed, by name or GUID, when the recording does not "
	       "know it. flex encode: print definitions of a set with this name. record: program "
	       "this set (default: the first one)"),
	OPTION(0, "by", "HOW", CLI_CHOICE, CLI_WORDS_OA_BY, by,
	       "metrics: a row for each span between context changes (context, default), or from "
	       "each report to the next (report)"),
	OPTION(0, "variable", "NAME=N", CLI_TEXTS, CLI_WORDS_NONE, variables,
	       "metrics: a variable of equations that the recording does not tell, "
	       "L3BankTotalCount=8 for instance; @FILE: those of a file, one a line; may be "
	       "repeated"),
	OPTION(0, "format", "F", CLI_TEXT, CLI_WORDS_NONE, format,
	       "decode, record: the reports' format, A32u40_A4u32_B8_C8 for instance (default: the "
	       "usual one)"),
	OPTION(0, "gen", "G", CLI_TEXT, CLI_WORDS_ARCH, gen,
	       "decode, regs: the generation, gen8 for instance, or an architecture of it"),
	OPTION(0, "source", "S", CLI_CHOICE, CLI_WORDS_OA_SOURCE, source,
	       "decode: what wrote the reports: the unit itself (periodic, default), or the "
	       "command "
	       "MI_REPORT_PERF_COUNT (mi-rpc)"),
	OPTION(0, "arch", "A", CLI_TEXT, CLI_WORDS_ARCH, choice.arch,
	       "metrics, flex, sets: of this architecture: chv, bdw ..."),
	OPTION(0, "definitions", "FILE", CLI_TEXTS, CLI_WORDS_FILE, choice.definitions,
	       "metrics, flex, sets, record: read this file of definitions too, XML or YAML; may "
	       "be repeated"),
	OPTION(0, "json", NULL, CLI_FLAG, CLI_WORDS_NONE, json,
	       "print JSON; decode and metrics: an object a line"),
	OPTION(0, "csv", NULL, CLI_FLAG, CLI_WORDS_NONE, csv, "decode, metrics: print CSV"),
	OPTION(0, "csv-safe", NULL, CLI_FLAG, CLI_WORDS_NONE, csv_safe,
	       "decode, metrics: as --csv, with an apostrophe before text that a spreadsheet would "
	       "take for a formula"),
	OPTION('d', "device", "DEV", CLI_TEXT, CLI_WORDS_DEVICES, device,
	       "record: this GPU, as tacho list devices names it (default: the first one)"),
	OPTION(0, "sim", "MODEL", CLI_TEXT, CLI_WORDS_SIM, model, "record: a simulated GPU, bsw"),
	OPTION('I', "interval", "MS", CLI_ABOVE_0, CLI_WORDS_NONE, interval_ms,
	       "record: milliseconds between two reports, to the nearest that there is (default "
	       "1)"),
	OPTION(0, "duration", "MS", CLI_NUMBER, CLI_WORDS_NONE, duration_ms,
	       "record: end after so many milliseconds (default: with PROGRAM, or with Ctrl-C)"),
	OPTION('o', "output", "FILE", CLI_TEXT, CLI_WORDS_FILE, output,
	       "record: the recording (default oa.record); %h %p %r %q{ENV} as in tacho record"),
	CLI_OPTION_FORCE(struct cli_oa_settings, overwrite,
			 "record: replace a recording that is there, when the first report comes; "
			 "flex encode: take events that the rules refuse"),
};
_Static_assert(sizeof(option_parts) / sizeof(option_parts[0]) ==
		       sizeof(options) / sizeof(options[0]),
	       "an option without its parts");

static bool is_given(const struct cli_option *option, const struct cli_oa_settings *settings)
{
	const void *value = (const char *)settings + option->offset;

	switch (option->type) {
	case CLI_FLAG: return *(const bool *)value;
	case CLI_OPTIONAL:
	case CLI_TEXT: return *(const char *const *)value != NULL;
	case CLI_TEXTS: return ((const struct cli_texts *)value)->count > 0;
	case CLI_CHOICE: return *(const int *)value >= 0;
	case CLI_NUMBER:
	case CLI_ABOVE_0:
	case CLI_SIZE: return *(const uint64_t *)value != 0;
	}
	return false;
}

static const struct part *find_part(const char *name)
{
	const char *names[sizeof(parts) / sizeof(parts[0]) + 1] = {0}, *nearest;

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		if (strcmp(parts[i].name, name) == 0)
			return &parts[i];
		names[i] = parts[i].name;
	}
	nearest = cli_suggest(name, names);
	cli_complain(
		"",
		nearest ? cli_part("did you mean \"tacho oa %s\"? See: tacho oa --help", nearest)
			: "see: tacho oa --help",
		"oa: there is no part \"%s\"", name);
	return NULL;
}

static bool check(const struct part *part, const struct cli_oa_settings *settings, size_t count)
{
	bool good = count >= part->operand_min && count <= part->operand_max;

	if (!good)
		cli_complain(
			"",
			cli_part("usage: tacho oa %s %s [OPTION...]", part->name, part->operands),
			"oa %s: %s", part->name,
			count < part->operand_min ? "an argument is missing"
						  : "there are too many arguments");
	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]) && good; i++)
		if (is_given(&options[i], settings) && !(option_parts[i] & part->bit)) {
			cli_complain("", "see: tacho oa --help", "oa %s: there is no option --%s",
				     part->name, options[i].name);
			good = false;
		}
	if (good && settings->json && settings->csv) {
		cli_complain("", "choose one of them", "--json and --csv were both given");
		good = false;
	}
	return good;
}

static int oa_run(const struct cli_command *command, int argc, char **argv)
{
	struct cli_oa_settings settings = {.command = command, .by = -1, .source = -1};
	const struct part *part;
	int operand, status;
	size_t count;

	settings.choice.api = "oa";
	if (!cli_options_parse(command, argc, argv, &settings, &operand, &status))
		goto out;
	status = CLI_USAGE;
	cli_take_csv_safe(settings.csv_safe, &settings.csv);
	part = find_part(argv[operand]);
	count = (size_t)(argc - operand - 1);
	if (part && check(part, &settings, count))
		status = part->run(&settings, argv + operand + 1, count);
out:
	cli_options_finish(command, &settings);
	return status;
}

const struct cli_command cli_oa = {
	.name = "oa",
	.summary = "read and record Intel OA reports, explain OA registers",
	.operands = "decode|metrics|record|flex|regs|sets [ARGUMENT...]",
	.description =
		"Intel's GPUs write reports of their counters. decode FILE shows what they hold; "
		"metrics FILE works out the metrics of a recording; record writes one, of the "
		"whole GPU. "
		"flex decode VALUE... and flex "
		"encode EVENT/COARSE/FINE... translate what counters A7 to A20 count; regs [NAME] "
		"explains registers, with a value its bits; sets lists metric sets and what is odd "
		"about them. But for record no GPU is needed.",
	.examples = {"tacho oa sets --arch chv", "tacho oa record --sim bsw -o gpu.record ./app"},
	CLI_HAS_OPTIONS(options),
	.words = CLI_WORDS_OA,
	.first_operand = "decode, metrics, record, flex, regs or sets",
	.operand_min = 1,
	.operand_max = OPERANDS_MAX,
	.run = oa_run,
};
