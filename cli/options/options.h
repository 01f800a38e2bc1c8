/* SPDX-License-Identifier: MIT */
/*
 * Options of commands. One table for each command drives parsing, --help, the man page's first half
 * and shell completion.
 */
#ifndef TACHO_CLI_OPTIONS_H
#define TACHO_CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "cli.h"

enum cli_option_type {
	CLI_FLAG,    /* bool */
	CLI_TEXT,    /* const char * */
	CLI_NUMBER,  /* uint64_t */
	CLI_ABOVE_0, /* the same, and not 0, which stands for none given */
	CLI_SIZE,    /* uint64_t, in bytes: 64M */
	CLI_CHOICE,  /* int: the position of the word in `words` */
	CLI_TEXTS,   /* struct cli_texts: may be given several times */
	CLI_OPTIONAL /* const char *: --name or --name=VALUE; "" without a value */
};

/* The values of an option in the order given. Texts are borrowed from argv, the array is owned. */
struct cli_texts {
	const char **texts;
	size_t count;
};

/* All lists with commas between them. Owned. */
char *cli_texts_join(const struct cli_texts *lists);

/* What can stand in an argument: completion offers it, CLI_CHOICE accepts nothing else. */
enum cli_words {
	CLI_WORDS_NONE,
	CLI_WORDS_FILE,
	CLI_WORDS_PROGRAM,
	CLI_WORDS_RECORDING,
	CLI_WORDS_FORMAT,
	CLI_WORDS_EXPORT, /* formats and "none" */
	CLI_WORDS_VIA,
	CLI_WORDS_KEY,
	CLI_WORDS_WHAT,
	CLI_WORDS_SHELL,
	CLI_WORDS_COMMAND,
	CLI_WORDS_TOPIC, /* what tacho help explains: commands and more */
	CLI_WORDS_API,
	CLI_WORDS_ARCH, /* asked of the command when the shell completes, as those below */
	CLI_WORDS_MODEL,
	CLI_WORDS_ENTRY,
	CLI_WORDS_SIM,
	CLI_WORDS_ENTRIES, /* with commas between, as the next */
	CLI_WORDS_DEVICES,
	CLI_WORDS_NOTATION,
	CLI_WORDS_NORMALIZATION,
	CLI_WORDS_POLICY,
	CLI_WORDS_OA, /* parts of tacho oa, and words of its options */
	CLI_WORDS_OA_SOURCE,
	CLI_WORDS_OA_BY,
	CLI_WORDS_DIFF_KEY, /* words of options of tacho diff */
	CLI_WORDS_DIFF_MATCH,
	CLI_WORDS_DIFF_SORT,
	CLI_WORDS_KIND, /* of files of other tools */
	CLI_WORDS_FACE, /* APIs of tacho env */
	CLI_WORDS_REPLAY,
	CLI_WORDS_WHEN
};

struct cli_option {
	char letter; /* 0: none */
	const char *name;
	const char *metavar; /* NULL for flags */
	enum cli_option_type type;
	enum cli_words words;
	size_t offset; /* of the value in the command's settings */
	bool is_hidden;
	const char *help;
};

/* The rows of a table of options; `field` is a member of the struct `settings`. */
#define CLI_OPTION(settings, letter, name, metavar, type, words, field, help)              \
	{                                                                                  \
		letter, name, metavar, type, words, offsetof(settings, field), false, help \
	}
#define CLI_OPTION_FLAG(settings, letter, name, field, help) \
	CLI_OPTION(settings, letter, name, NULL, CLI_FLAG, CLI_WORDS_NONE, field, help)

/* Two rows: -f, --force, and the name that other tools have for it, which is not shown. */
#define CLI_OPTION_FORCE(settings, field, help)                                                  \
	CLI_OPTION_FLAG(settings, 'f', "force", field, help),                                    \
	{                                                                                        \
		0, "overwrite", NULL, CLI_FLAG, CLI_WORDS_NONE, offsetof(settings, field), true, \
			"the same as --force"                                                    \
	}

#define CLI_OPTION_CSV_SAFE(settings)                                                             \
	CLI_OPTION_FLAG(settings, 0, "csv-safe", csv_safe,                                        \
			"as --csv, with an apostrophe before text that a spreadsheet would take " \
			"for a formula")

#define CLI_HAS_OPTIONS(table) \
	.options = (table), .option_count = sizeof(table) / sizeof((table)[0])

/* What is not said is 0: no operands, for instance. */
struct cli_command {
	const char *name;
	const char *summary;	 /* one line */
	const char *operands;	 /* "NAME", "[--] PROGRAM [ARGUMENT...]" */
	const char *description; /* a paragraph */
	const char *examples[3]; /* lines for a shell, which a test runs; ends with NULL */
	const struct cli_option *options;
	size_t option_count;
	enum cli_words words;	   /* of operands */
	const char *first_operand; /* for the message that it is missing; NULL: it may be */
	unsigned operand_min, operand_max;
	bool is_paged;	     /* long output for people */
	bool pages_late;     /* it calls cli_options_start_pager() when it has what to show */
	bool ignores_config; /* it must work when that is wrong */
	bool is_launcher;    /* options end at the first operand, failures have status 125 */
	int (*run)(const struct cli_command *command, int argc, char **argv);
};

/* The commands in the order of the help. */
#define CLI_COMMANDS(X) \
	X(record)       \
	X(report)       \
	X(open)         \
	X(check)        \
	X(snapshot)     \
	X(export)       \
	X(diff)         \
	X(stat)         \
	X(list)         \
	X(info)         \
	X(eval)         \
	X(plan)         \
	X(oa)           \
	X(occupancy)    \
	X(doctor)       \
	X(env)          \
	X(help)

#define X(name) extern const struct cli_command cli_##name;
CLI_COMMANDS(X)
#undef X

/*
 * Reads the options of `command` into `settings`, which holds the defaults, and checks the number
 * of operands. CLI_OK: *out_operands is the index of the first one in argv, which may have been
 * reordered. Otherwise the command is to end with *out_status: help was asked for, or the usage
 * was wrong and that was said.
 */
bool cli_options_parse(const struct cli_command *command, int argc, char **argv, void *settings,
		       int *out_operands, int *out_status);

/*
 * Takes options that all commands have from in front of the command's name: how many words these
 * are, -1 when something is wrong with them, which was said.
 */
int cli_options_take_common(int argc, char **argv);

/* What these say. */
struct cli_common {
	int color; /* enum cli_color_when */
	bool no_pager;
	const char *log;       /* NULL: none */
	const char *status_fd; /* NULL: none */
};
extern struct cli_common cli_common;

/* The options of the command, then those that all have; NULL past the last. */
const struct cli_option *cli_command_get_option(const struct cli_command *command, size_t index);

/* Of a command that pages late: from now on its output goes to the pager, where there is one. */
void cli_options_start_pager(void);

/* Frees the lists in `settings`. */
void cli_options_finish(const struct cli_command *command, void *settings);

/* Whether the option takes the word behind it as its value. */
static inline bool cli_option_takes_word(const struct cli_option *option)
{
	return option->type != CLI_FLAG && option->type != CLI_OPTIONAL;
}

/* A whole number in plain digits and nothing else. */
bool cli_parse_number(const char *text, uint64_t *out_number);

/* The same with K, M, G or T behind it, thousands as sizes are printed; not 0. */
bool cli_parse_size(const char *text, uint64_t *out_bytes);

/* Status of a usage error of this command. */
int cli_usage_status(const struct cli_command *command);

/* Word `index` of a list, NULL past the last or when anything may stand there. Static. */
const char *cli_words_get(enum cli_words words, size_t index);

/*
 * Position of `word`, -1 when it is not in the list: then that was said, with the nearest word.
 * `what` says what the word should be: "format".
 */
int cli_words_find(enum cli_words words, const char *word, const char *what);

/* "  LEFT", padded; then the text beside it, or below it when it is too long. */
void cli_usage_print_entry(FILE *stream, const char *left, const char *text, unsigned column,
			   unsigned width);

/* What --help says of a command. */
void cli_usage_print(const struct cli_command *command, FILE *stream, unsigned width);

#endif
