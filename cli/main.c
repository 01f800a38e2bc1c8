/* SPDX-License-Identifier: MIT */
/* tacho: finds the command and runs it. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <tacho/tacho.h>

#include "events.h"
#include "help/help.h"
#include "options/config.h"
#include "options/habits.h"
#include "options/options.h"
#include "output.h"
#include "suggest.h"
#include "text.h"

/* The command that was meant by a word that is none. */
static const char *find_cure(const char *word)
{
	const char *known[32] = {0}, *nearest, *habit = cli_habit_of_command(word);

	if (habit)
		return habit;
	for (size_t i = 0; i < 31 && cli_words_get(CLI_WORDS_COMMAND, i); i++)
		known[i] = cli_words_get(CLI_WORDS_COMMAND, i);
	nearest = cli_suggest(word, known);
	if (nearest)
		return cli_part("did you mean \"tacho %s\"? See: tacho --help", nearest);
	if (*word == '-')
		return "see: tacho --help";
	if (access(word, F_OK) == 0) {
		char *quoted = cli_text_quote(word);
		const char *cure = cli_part("to run a program: tacho record %s; to read a "
					    "recording: tacho report %s",
					    quoted, quoted);

		free(quoted);
		return cure;
	}
	return "to run a program: tacho record PROGRAM; see: tacho --help";
}

static int complain_unknown(const char *word)
{
	cli_complain("", find_cure(word), "%s \"%s\" is not known",
		     *word == '-' ? "option" : "command", word);
	return CLI_USAGE;
}

static int run(int argc, char **argv)
{
	const struct cli_command *command;
	int taken = cli_options_take_common(argc - 1, argv + 1);
	const char *word;

	if (taken < 0)
		return CLI_USAGE;
	argc -= taken;
	argv += taken;
	word = argc > 1 ? argv[1] : NULL;
	if (!word) {
		cli_help_print_all(stderr, cli_width(stderr));
		return CLI_USAGE;
	}
	if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0) {
		command = argc > 2 ? cli_command_find(argv[2]) : NULL;
		if (command)
			cli_usage_print(command, stdout, cli_width(stdout));
		else
			cli_help_print_all(stdout, cli_width(stdout));
		return CLI_OK;
	}
	if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0) {
		printf("tacho %s\n", tacho_version());
		return CLI_OK;
	}
	cli_config_set_commands(cli_command_get_all());
	command = cli_command_find(word);
	return command ? command->run(command, argc - 1, argv + 1) : complain_unknown(word);
}

static void do_nothing(int number)
{
	(void)number;
}

/*
 * A file that would become larger than its limit is then an error like a full disk, and no end in
 * the middle. A handler, not SIG_IGN: programs that are started get the default back.
 */
static void outlive_file_limits(void)
{
	const struct sigaction action = {.sa_handler = do_nothing, .sa_flags = SA_RESTART};
	struct sigaction old;

	if (!sigaction(SIGXFSZ, NULL, &old) && old.sa_handler == SIG_DFL)
		sigaction(SIGXFSZ, &action, NULL);
}

int main(int argc, char **argv)
{
	int status;

	outlive_file_limits();
	cli_output_clean_on_signals();

	if (!cli_open_streams()) {
		fputs("tacho: out of memory\n", stderr);
		return CLI_FAILED;
	}
	cli_text_init();
	status = cli_close_streams(run(argc, argv));
	cli_events_end(status);
	return status;
}
