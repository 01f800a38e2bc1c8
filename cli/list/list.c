/* SPDX-License-Identifier: MIT */
/* tacho list: what there is on this machine, and what can be counted anywhere. */
#include "list/list.h"

#include <stdlib.h>

#include "text.h"

struct settings {
	struct cli_catalog_choice choice;
	bool json, csv, csv_safe, names;
};

enum { WORDS_MAX = 32 };

/* Devices are all there whatever was chosen of the catalog, but it must be possible. */
static int check_choice(const struct cli_listing *listing)
{
	const struct cli_catalog_choice *choice = &listing->choice;
	struct tacho_catalog *catalog;
	const struct tacho_arch **archs;
	size_t count;
	int status;

	if (!choice->arch && !choice->api && !choice->model && !choice->definitions.count)
		return CLI_OK;
	status = cli_catalog_open_archs(choice, &catalog, &archs, &count);
	if (status)
		return status;
	free(archs);
	tacho_catalog_close(catalog);
	cli_warn("devices are listed whatever the architecture; what can be counted on it: tacho "
		 "list counters, metrics or sets with the same options");
	return CLI_OK;
}

/* Ends with NULL, as the words do. */
static bool make_patterns(char *const *words, struct tacho_pattern **out_patterns)
{
	for (; *words; words++, out_patterns++)
		if (tacho_pattern_create(*words, TACHO_PATTERN_IGNORE_CASE | TACHO_PATTERN_PART,
					 out_patterns) != 0) {
			cli_complain_last();
			return false;
		}
	return true;
}

static int list_run(const struct cli_command *command, int argc, char **argv)
{
	struct settings settings = {0};
	struct cli_listing listing = {0};
	struct tacho_pattern *patterns[WORDS_MAX + 1] = {0};
	int operand, status, what = CLI_LIST_DEVICES;

	if (!cli_options_parse(command, argc, argv, &settings, &operand, &status))
		goto out;
	if (operand < argc)
		what = cli_words_find(command->words, argv[operand++], "list");
	status = CLI_USAGE;
	cli_take_csv_safe(settings.csv_safe, &settings.csv);
	if (settings.json + settings.csv + settings.names > 1) {
		cli_complain("each says how the list is printed", "leave the others out",
			     "list: give one of --json, --csv and --names");
		goto out;
	}
	if (what < 0 || !make_patterns(argv + operand, patterns))
		goto out;
	listing.what = (enum cli_list_what)what;
	listing.choice = settings.choice;
	listing.json = settings.json;
	listing.csv = settings.csv;
	listing.names = settings.names;
	listing.words = argv + operand;
	listing.patterns = patterns;
	listing.width = cli_page_width();
	if (what == CLI_LIST_DEVICES || what == CLI_LIST_BACKENDS)
		status = check_choice(&listing) ? CLI_FAILED : cli_list_devices(&listing);
	else
		status = cli_list_catalog(&listing);
out:
	for (size_t i = 0; patterns[i]; i++)
		tacho_pattern_destroy(patterns[i]);
	cli_options_finish(command, &settings);
	return status;
}

static const struct cli_option options[] = {
	CLI_OPTION_ARCH(struct settings),
	CLI_OPTION_API(struct settings),
	CLI_OPTION_MODEL(struct settings),
	CLI_OPTION_DEFINITIONS(struct settings),
	CLI_OPTION_FLAG(struct settings, 0, "names", names, "print names only, one a line"),
	CLI_OPTION_FLAG(struct settings, 0, "json", json, "print JSON with base units"),
	CLI_OPTION_FLAG(struct settings, 0, "csv", csv, "print CSV (RFC 4180) with base units"),
	CLI_OPTION_CSV_SAFE(struct settings),
};

const struct cli_command cli_list = {
	.name = "list",
	.summary = "list devices, and what can be counted on which architecture",
	.operands = "[devices|counters|metrics|sets|blocks|backends|archs|models] [WORD...]",
	.description =
		"Lists the devices of this machine (when nothing else is asked for) or what the "
		"catalog knows of any architecture: counters, metrics, sets of them, the blocks "
		"that count, and models of devices. WORDs narrow the list to entries in whose "
		"name, group or "
		"description each of them occurs; a glob (\"TCC_*\") is to fit one of these, and "
		"regex:RE to match somewhere in it. Case is ignored.",
	.examples = {"tacho list metrics lds conflict", "tacho list counters 'TCC_*' --csv"},
	CLI_HAS_OPTIONS(options),
	.is_paged = true,
	.words = CLI_WORDS_WHAT,
	.operand_max = WORDS_MAX,
	.run = list_run,
};
