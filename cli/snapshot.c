/* SPDX-License-Identifier: MIT */
/* tacho snapshot: saves the present state of a recording that is still written. */
#include "snapshot.h"

#include <stdlib.h>

#include <tacho/tacho.h>

#include "name.h"
#include "options/options.h"

enum { NUMBERS_MAX = 100000 };

struct settings {
	const char *output;
};

static int save_numbered(const char *name, char **out_name)
{
	char *base = cli_name_get_base(name);
	int rc = TACHO_E_EXISTS;

	for (unsigned number = 1; rc == TACHO_E_EXISTS && number < NUMBERS_MAX; number++) {
		char *path = cli_format("%s-%u.tacho", base, number);

		rc = tacho_recording_snapshot(name, path);
		if (rc)
			free(path);
		else
			*out_name = path;
	}
	free(base);
	return rc;
}

int cli_snapshot_save(const char *name, const char *output, char **out_name)
{
	char *base;

	if (!output)
		return save_numbered(name, out_name) ? (int)cli_complain_last() : CLI_OK;
	if (tacho_recording_snapshot(name, output) != 0)
		return cli_complain_last();
	base = cli_name_get_base(output);
	*out_name = cli_format("%s.tacho", base);
	free(base);
	return CLI_OK;
}

static int snapshot_run(const struct cli_command *command, int argc, char **argv)
{
	struct settings settings = {0};
	char *output = NULL, *name = NULL;
	int operand, status;

	if (!cli_options_parse(command, argc, argv, &settings, &operand, &status))
		return status;
	if (settings.output && !cli_name_expand(settings.output, &output))
		return CLI_USAGE;
	status = cli_snapshot_save(argv[operand], output, &name);
	if (!status)
		puts(name);
	free(name);
	free(output);
	return status;
}

static const struct cli_option options[] = {
	{'o', "output", "OTHER", CLI_TEXT, CLI_WORDS_FILE, offsetof(struct settings, output), false,
	 "name of the new recording (default: NAME-N, with the first free number); %h host, "
	 "%p process id of tacho, %r rank, %q{NAME} environment variable, %% percent sign"},
};

const struct cli_command cli_snapshot = {
	.name = "snapshot",
	.summary = "save a recording that is still written, as it is now",
	.operands = "NAME",
	.description = "Saves what the recording NAME holds now as a recording of its own, while "
		       "the program goes on, and prints its name. Nothing is replaced. With "
		       "tacho record --ring it keeps what the ring would lose.",
	.examples = {"tacho snapshot run", "tacho snapshot run -o so-far"},
	CLI_HAS_OPTIONS(options),
	.words = CLI_WORDS_RECORDING,
	.first_operand = "NAME",
	.operand_min = 1,
	.operand_max = 1,
	.run = snapshot_run,
};
