/* SPDX-License-Identifier: MIT */
/* Completion scripts for shells, made from the tables of commands. */
#include "help/help.h"

#include <stdbool.h>
#include <string.h>

static void put_words(FILE *stream, enum cli_words words)
{
	for (size_t i = 0; cli_words_get(words, i); i++)
		fprintf(stream, "%s%s", i ? " " : "", cli_words_get(words, i));
}

/* The command that prints words which only the catalog knows; NULL for other words. */
static const char *get_source(enum cli_words words)
{
	switch (words) {
	case CLI_WORDS_ARCH: return "tacho list archs --names 2>/dev/null";
	case CLI_WORDS_MODEL: return "tacho list models --names 2>/dev/null";
	default: return NULL;
	}
}

/*
 * For bash and zsh. There are thousands of names: they are listed once a part of one was typed, and
 * those of the machine's own counters with them.
 */
static const char name_functions[] =
	"# _tacho_counted [only]: what the device counts that -d names, or else the machine\n"
	"_tacho_counted()\n{\n"
	"\tlocal each before device\n\n"
	"\tfor each in \"${COMP_WORDS[@]}\" \"${words[@]}\"; do\n"
	"\t\tcase $before in -d | --device) device=$each ;; esac\n"
	"\t\tbefore=$each\n"
	"\tdone\n"
	"\t[ -n \"$1\" ] && [ -z \"$device\" ] && return\n"
	"\ttacho stat --list ${device:+\"--device=$device\"} 2>/dev/null |\n"
	"\t\tsed -n 's/^  \\([A-Za-z][^ ]*\\) .*/\\1/p'\n"
	"}\n"
	"# _tacho_names PART: what can be counted and begins so\n"
	"_tacho_names()\n{\n"
	"\tprintf '%s\\n' all set:\n"
	"\t[ -n \"$1\" ] || return\n"
	"\ttacho list metrics --names -- \"$1\" 2>/dev/null\n"
	"\ttacho list counters --names -- \"$1\" 2>/dev/null\n"
	"\t_tacho_counted\n"
	"}\n"
	"# _tacho_things PART: what tacho info explains\n"
	"_tacho_things()\n{\n"
	"\t[ -n \"$1\" ] || return\n"
	"\tfor kind in metrics counters sets blocks archs models; do\n"
	"\t\ttacho list $kind --names -- \"$1\" 2>/dev/null\n"
	"\tdone\n"
	"\t_tacho_counted only\n"
	"}\n"
	"# Names of devices, and their numbers\n"
	"_tacho_devices()\n{\n"
	"\techo all\n"
	"\ttacho list devices --names 2>/dev/null | grep -v '^('\n"
	"}\n";

/* The function that prints what can stand in a word, or in a part of one; NULL: other words. */
static const char *get_function(enum cli_words words)
{
	switch (words) {
	case CLI_WORDS_ENTRY: return "things";
	case CLI_WORDS_ENTRIES: return "names";
	case CLI_WORDS_DEVICES: return "devices";
	default: return NULL;
	}
}

/* Words that take several, with commas between. */
static bool is_list(enum cli_words words)
{
	return words == CLI_WORDS_ENTRIES || words == CLI_WORDS_DEVICES ||
	       words == CLI_WORDS_FORMAT || words == CLI_WORDS_EXPORT;
}

/* The words, or what the shell is to run for them. */
static void put_choices(FILE *stream, enum cli_words words, bool has_dollar)
{
	if (get_source(words))
		fprintf(stream, "%s(%s)", has_dollar ? "$" : "", get_source(words));
	else
		put_words(stream, words);
}

static void put_options(FILE *stream, const struct cli_command *command)
{
	fputs("-h --help", stream);
	const struct cli_option *option;

	for (size_t i = 0; (option = cli_command_get_option(command, i)); i++) {
		if (option->is_hidden)
			continue;
		fprintf(stream, " --%s", option->name);
		if (option->letter)
			fprintf(stream, " -%c", option->letter);
	}
}

/* The bash command that fills COMPREPLY with what can stand here. */
static void put_bash_reply(FILE *stream, enum cli_words words)
{
	switch (words) {
	case CLI_WORDS_NONE: fputc(':', stream); break;
	case CLI_WORDS_PROGRAM: fputs("COMPREPLY=($(compgen -c -- \"$word\"))", stream); break;
	case CLI_WORDS_FILE: fputs("COMPREPLY=($(compgen -f -- \"$word\"))", stream); break;
	case CLI_WORDS_RECORDING:
		fputs("COMPREPLY=($(compgen -d -X '!*.tacho' -- \"$word\"; "
		      "compgen -f -X '!*.atp' -- \"$word\"; "
		      "compgen -f -X '!*.csv' -- \"$word\"; "
		      "compgen -f -X '!*.occupancy' -- \"$word\"))",
		      stream);
		break;
	default:
		if (get_function(words)) {
			fprintf(stream, "_tacho_offer %d \"$(_tacho_%s \"${word##*,}\")\"",
				is_list(words), get_function(words));
			return;
		}
		fprintf(stream, "_tacho_offer %d \"$(printf '%%s\\n' ", is_list(words));
		put_choices(stream, words, true);
		fputs(")\"", stream);
	}
}

static void put_bash_options(FILE *stream, const struct cli_command *command)
{
	const struct cli_option *option;

	for (size_t i = 0; (option = cli_command_get_option(command, i)); i++) {
		if (option->is_hidden || !cli_option_takes_word(option))
			continue;
		fprintf(stream, "\t%s:--%s", command->name, option->name);
		if (option->letter)
			fprintf(stream, "|%s:-%c", command->name, option->letter);
		fputs(")\n\t\t", stream);
		put_bash_reply(stream, option->words);
		fputs("\n\t\treturn ;;\n", stream);
	}
}

/* The program after a launching command: its own completion takes over. */
static void put_bash_program(FILE *stream, const struct cli_command *command)
{
	fprintf(stream,
		"\tif [ \"$command\" = %s ]; then\n"
		"\t\tfor ((i = 2; i < COMP_CWORD; i++)); do\n"
		"\t\t\tcase ${COMP_WORDS[i]} in\n",
		command->name);
	const struct cli_option *option;

	for (size_t i = 0; (option = cli_command_get_option(command, i)); i++) {
		if (!cli_option_takes_word(option))
			continue;
		fprintf(stream, "\t\t\t--%s", option->name);
		if (option->letter)
			fprintf(stream, "|-%c", option->letter);
		fputs(") ((i++)) ;;\n", stream);
	}
	fputs("\t\t\t--) ((i++)); break ;;\n"
	      "\t\t\t-*) ;;\n"
	      "\t\t\t*) break ;;\n"
	      "\t\t\tesac\n"
	      "\t\tdone\n"
	      "\t\tif ((i < COMP_CWORD)) && declare -F _command_offset >/dev/null; then\n"
	      "\t\t\t_command_offset $i\n"
	      "\t\t\treturn\n"
	      "\t\telif ((i < COMP_CWORD)); then\n"
	      "\t\t\tCOMPREPLY=($(compgen -f -- \"$word\"))\n"
	      "\t\t\treturn\n"
	      "\t\tfi\n"
	      "\tfi\n",
	      stream);
}

/* Of a command that starts programs, but not as its first operand. */
static void put_bash_dashes(FILE *stream, const struct cli_command *command)
{
	fprintf(stream,
		"\tfor ((i = 2; i < COMP_CWORD; i++)); do\n"
		"\t\t[ \"$command:${COMP_WORDS[i]}\" = %s:-- ] || continue\n"
		"\t\tif declare -F _command_offset >/dev/null; then\n"
		"\t\t\t_command_offset $((i + 1))\n"
		"\t\telse\n"
		"\t\t\tCOMPREPLY=($(compgen -c -- \"$word\"))\n"
		"\t\tfi\n"
		"\t\treturn\n"
		"\tdone\n",
		command->name);
}

void cli_completion_print_bash(const struct cli_command *const *commands, FILE *stream)
{
	fputs("# bash completion for tacho; made by: tacho help --completion bash\n", stream);
	fputs(name_functions, stream);
	fputs("# _tacho_offer IS_LIST LINES: those that complete $word, or what is behind its "
	      "last\n"
	      "# comma\n"
	      "_tacho_offer()\n{\n"
	      "\tlocal part=$word IFS=$'\\n'\n\n"
	      "\t[ \"$1\" = 0 ] || part=${word##*,}\n"
	      "\tCOMPREPLY=($(compgen -P \"${word%\"$part\"}\" -W \"$2\" -- \"$part\"))\n"
	      "\t[ \"$1\" = 0 ] || compopt -o nospace 2>/dev/null\n"
	      "}\n"
	      "_tacho()\n{\n"
	      "\tlocal word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}\n"
	      "\tlocal command=${COMP_WORDS[1]} i\n\n"
	      "\tCOMPREPLY=()\n"
	      "\t# bash takes '=' and ':' for words\n"
	      "\t[ \"$word\" = = ] && word=\n"
	      "\t[ \"$before\" = = ] && before=${COMP_WORDS[COMP_CWORD - 2]}\n"
	      "\tcase ${COMP_WORDS[COMP_CWORD - 1]}$word in\n"
	      "\tset: | *,set:) word= i=set ;;\n"
	      "\t:*) case ${COMP_WORDS[COMP_CWORD - 2]} in set | *,set) i=set ;; esac ;;\n"
	      "\tesac\n"
	      "\tif [ \"$i\" = set ]; then\n"
	      "\t\t_tacho_offer 0 \"$(tacho list sets --names 2>/dev/null)\"\n"
	      "\t\treturn\n"
	      "\tfi\n"
	      "\tif ((COMP_CWORD == 1)); then\n"
	      "\t\tCOMPREPLY=($(compgen -W \"",
	      stream);
	put_words(stream, CLI_WORDS_COMMAND);
	fputs(" --help --version\" -- \"$word\"))\n\t\treturn\n\tfi\n", stream);
	for (size_t i = 0; commands[i]; i++)
		if (commands[i]->is_launcher)
			put_bash_program(stream, commands[i]);
		else if (strstr(commands[i]->operands, "-- PROGRAM"))
			put_bash_dashes(stream, commands[i]);
	fputs("\tcase $command:$before in\n", stream);
	for (size_t i = 0; commands[i]; i++)
		put_bash_options(stream, commands[i]);
	fputs("\tesac\n\tcase $command:$word in\n", stream);
	for (size_t i = 0; commands[i]; i++) {
		const struct cli_command *command = commands[i];

		fprintf(stream, "\t%s:-*) COMPREPLY=($(compgen -W \"", command->name);
		put_options(stream, command);
		fprintf(stream, "\" -- \"$word\")) ;;\n\t%s:*) ", command->name);
		put_bash_reply(stream, command->words);
		fputs(" ;;\n", stream);
	}
	fputs("\tesac\n}\ncomplete -o filenames -o bashdefault -F _tacho tacho\n", stream);
}

/* Text inside single quotes of a shell; ':' and brackets mean something to _arguments. */
static void put_quoted(FILE *stream, const char *text, bool is_spec)
{
	for (; *text; text++) {
		if (*text == '\'')
			fputs("'\\''", stream);
		else if (is_spec && strchr(":[]\\", *text))
			fprintf(stream, "\\%c", *text);
		else
			fputc(*text, stream);
	}
}

static void put_zsh_action(FILE *stream, enum cli_words words)
{
	switch (words) {
	case CLI_WORDS_NONE: fputs(" ", stream); break;
	case CLI_WORDS_PROGRAM: fputs("_command_names -e", stream); break;
	case CLI_WORDS_FILE: fputs("_files", stream); break;
	case CLI_WORDS_RECORDING:
		fputs("_files -/ -g \"*.tacho(/) *.atp *.csv *.occupancy\"", stream);
		break;
	default:
		if (get_function(words)) {
			fprintf(stream, " _tacho_offer %d %s", is_list(words), get_function(words));
			return;
		}
		fputs(is_list(words) ? " _tacho_offer 1 these " : "(", stream);
		put_choices(stream, words, true);
		fputs(is_list(words) ? "" : ")", stream);
	}
}

static void put_zsh_option(FILE *stream, const struct cli_option *option)
{
	if (option->letter)
		fprintf(stream, " \\\n\t\t\t'(-%c --%s)'{-%c,--%s}'", option->letter, option->name,
			option->letter, option->name);
	else
		fprintf(stream, " \\\n\t\t\t'--%s", option->name);
	fputc('[', stream);
	put_quoted(stream, option->help, true);
	fputc(']', stream);
	if (cli_option_takes_word(option)) {
		fprintf(stream, ":%s:", option->metavar);
		put_zsh_action(stream, option->words);
	}
	fputc('\'', stream);
}

void cli_completion_print_zsh(const struct cli_command *const *commands, FILE *stream)
{
	fputs("#compdef tacho\n# made by: tacho help --completion zsh\n\n", stream);
	fputs(name_functions, stream);
	fputs("# _tacho_offer IS_LIST FUNCTION|these [WORD...]\n"
	      "_tacho_offer()\n{\n"
	      "\tlocal -a lines\n\n"
	      "\t(($1)) && compset -P '*,'\n"
	      "\tif [[ $2 = these ]]; then\n"
	      "\t\tlines=(${@[3,-1]})\n"
	      "\telif [[ $PREFIX = set:* ]]; then\n"
	      "\t\tlines=(set:${^${(f)\"$(tacho list sets --names 2>/dev/null)\"}})\n"
	      "\telse\n"
	      "\t\tlines=(${(f)\"$(_tacho_$2 \"$PREFIX\")\"})\n"
	      "\tfi\n"
	      "\tif (($1)); then\n"
	      "\t\tcompadd -S '' -a lines\n"
	      "\telse\n"
	      "\t\tcompadd -a lines\n"
	      "\tfi\n"
	      "}\n\n_tacho()\n{\n"
	      "\tlocal -a commands\n\n\tcommands=(\n",
	      stream);
	for (size_t i = 0; commands[i]; i++) {
		fprintf(stream, "\t\t'%s:", commands[i]->name);
		put_quoted(stream, commands[i]->summary, false);
		fputs("'\n", stream);
	}
	fputs("\t)\n\tif ((CURRENT == 2)); then\n"
	      "\t\t_describe command commands\n"
	      "\t\t_arguments '--help[print help]' '--version[print the version]'\n"
	      "\t\treturn\n\tfi\n"
	      "\tshift words\n\t((CURRENT--))\n"
	      "\tcase $words[1] in\n",
	      stream);
	for (size_t i = 0; commands[i]; i++) {
		const struct cli_command *command = commands[i];

		fprintf(stream, "\t%s)\n\t\t_arguments%s '(-h --help)'{-h,--help}'[print help]'",
			command->name, command->is_launcher ? " -A '-*'" : "");
		const struct cli_option *option;

		for (size_t k = 0; (option = cli_command_get_option(command, k)); k++)
			if (!option->is_hidden)
				put_zsh_option(stream, option);
		if (command->is_launcher) {
			fputs(" \\\n\t\t\t'(-):program:_command_names -e'"
			      " '*::arguments: _normal' ;;\n",
			      stream);
			continue;
		}
		fputs(" \\\n\t\t\t'*:argument:", stream);
		put_zsh_action(stream, command->words);
		fputs("' ;;\n", stream);
	}
	fputs("\tesac\n}\n\n_tacho \"$@\"\n", stream);
}

/* What follows a launching command, options that take a value and their values left out. */
static void put_fish_program(FILE *stream, const struct cli_command *command)
{
	fputs(" -x -a '(__fish_complete_subcommand --fcs-skip=2", stream);
	const struct cli_option *option;

	for (size_t i = 0; (option = cli_command_get_option(command, i)); i++) {
		if (!cli_option_takes_word(option))
			continue;
		fprintf(stream, " --%s", option->name);
		if (option->letter)
			fprintf(stream, " -%c", option->letter);
	}
	fputs(")'", stream);
}

static void put_fish_arguments(FILE *stream, const struct cli_command *command,
			       enum cli_words words)
{
	switch (words) {
	case CLI_WORDS_NONE: fputs(" -x", stream); break;
	case CLI_WORDS_FILE: fputs(" -r -F", stream); break;
	case CLI_WORDS_PROGRAM: put_fish_program(stream, command); break;
	case CLI_WORDS_RECORDING: fputs(" -x -a '(__fish_complete_directories)'", stream); break;
	default:
		if (get_function(words)) {
			fprintf(stream,
				is_list(words) ? " -x -a '(__fish_complete_list , __tacho_%s)'"
					       : " -x -a '(__tacho_%s)'",
				get_function(words));
			return;
		}
		fputs(is_list(words) ? " -x -a '(__fish_complete_list , \"printf %s\\\\n "
				     : " -x -a '",
		      stream);
		put_choices(stream, words, false);
		fputs(is_list(words) ? "\")'" : "'", stream);
	}
}

static void put_fish_option(FILE *stream, const struct cli_command *command,
			    const struct cli_option *option)
{
	fprintf(stream, "complete -c tacho -n '__fish_seen_subcommand_from %s' -l %s",
		command->name, option->name);
	if (option->letter)
		fprintf(stream, " -s %c", option->letter);
	if (cli_option_takes_word(option))
		put_fish_arguments(stream, command, option->words);
	fputs(" -d '", stream);
	put_quoted(stream, option->help, false);
	fputs("'\n", stream);
}

static const char fish_functions[] =
	"function __tacho_part\n"
	"\tcommandline -ct | string replace -r '^--[a-z-]*=' '' | string replace -r '.*,' "
	"''\n"
	"end\n"
	"function __tacho_counted\n"
	"\tset -l words (commandline -opc)\n"
	"\tset -l at (contains -i -- -d $words; or contains -i -- --device $words)\n"
	"\tset -l device\n"
	"\ttest -n \"$at\"; and set device -d $words[(math $at + 1)]\n"
	"\ttest -n \"$argv\" -a -z \"$device\"; and return\n"
	"\ttacho stat --list $device 2>/dev/null | string match -r -g '^  "
	"([A-Za-z]\\S*) '\n"
	"end\n"
	"function __tacho_names\n"
	"\tset -l part (__tacho_part)\n"
	"\tprintf '%s\\n' all set:\n"
	"\ttest -n \"$part\"; or return\n"
	"\tif string match -q 'set:*' -- $part\n"
	"\t\ttacho list sets --names 2>/dev/null | string replace -r '^' set:\n"
	"\t\treturn\n"
	"\tend\n"
	"\tfor kind in metrics counters\n"
	"\t\ttacho list $kind --names -- $part 2>/dev/null\n"
	"\tend\n"
	"\t__tacho_counted\n"
	"end\n"
	"function __tacho_things\n"
	"\tset -l part (__tacho_part)\n"
	"\ttest -n \"$part\"; or return\n"
	"\tfor kind in metrics counters sets blocks archs models\n"
	"\t\ttacho list $kind --names -- $part 2>/dev/null\n"
	"\tend\n"
	"\t__tacho_counted only\n"
	"end\n"
	"function __tacho_devices\n"
	"\techo all\n"
	"\ttacho list devices --names 2>/dev/null | string match -v -r '^\\('\n"
	"end\n";

void cli_completion_print_fish(const struct cli_command *const *commands, FILE *stream)
{
	fputs("# fish completion for tacho; made by: tacho help --completion fish\n", stream);
	fputs(fish_functions, stream);
	fputs("complete -c tacho -f\n"
	      "complete -c tacho -n __fish_use_subcommand -l help -s h -d 'print help'\n"
	      "complete -c tacho -n __fish_use_subcommand -l version -d 'print the version'\n",
	      stream);
	for (size_t i = 0; commands[i]; i++) {
		const struct cli_command *command = commands[i];

		fprintf(stream, "complete -c tacho -n __fish_use_subcommand -a %s -d '",
			command->name);
		put_quoted(stream, command->summary, false);
		fputs("'\n", stream);
		fprintf(stream, "complete -c tacho -n '__fish_seen_subcommand_from %s'",
			command->name);
		put_fish_arguments(stream, command, command->words);
		fputc('\n', stream);
		const struct cli_option *option;

		for (size_t k = 0; (option = cli_command_get_option(command, k)); k++)
			if (!option->is_hidden)
				put_fish_option(stream, command, option);
	}
}
