/* SPDX-License-Identifier: MIT */
/* What all commands share: exit statuses, error messages, the output's width. */
#ifndef TACHO_CLI_H
#define TACHO_CLI_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include <tacho/sys/json.h>

/* Exit statuses of commands that launch nothing, and classes of failure of those that do. */
enum cli_exit {
	CLI_OK = 0,
	CLI_FAILED = 1,
	CLI_USAGE = 2,
	CLI_NOTHING = 3, /* nothing to measure */
	CLI_PERMISSION = 4,
	CLI_DOES_NOT_FIT = 5,
	CLI_FALSE = 6,	   /* a condition is false */
	CLI_REFUSED = 125, /* a launching command failed before the start */
	CLI_NOT_EXECUTABLE = 126,
	CLI_NOT_FOUND = 127
};

/* Writes what failed, its cause and its cure to stderr; NULL or "" parts are left out. */
void cli_complain(const char *cause, const char *cure, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* A cause or cure for the next complaint, which frees it. */
const char *cli_part(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Complains with the library's last error and returns its class. */
enum cli_exit cli_complain_last(void);

/* The class of an error of tacho/error.h. */
enum cli_exit cli_exit_of(int code);

/* Writes "tacho: warning: TEXT" to stderr. */
void cli_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* "usage", "permission"...: how messages and documents name a class. Static. */
const char *cli_exit_to_string(enum cli_exit class);

/*
 * From now on complaints end with their class, because the exit status cannot tell it: the status
 * of a command that launches is 125 whatever the class is.
 */
void cli_show_class(enum cli_exit class);
/* Where messages show their class it is this one from now on. */
void cli_change_class(enum cli_exit class);

/*
 * From now on stdout and stderr are tacho_stream_open()'s. False when there is no memory for them.
 */
bool cli_open_streams(void);

/*
 * The last thing: closes them, and says so when what was written to stdout did not arrive. Returns
 * `status` or FAILED.
 */
int cli_close_streams(int status);

/* From now on what is written to the stream, CSV, has no cells that are formulas to spreadsheets.
 */
void cli_make_csv_safe(FILE **stream);
/* --csv-safe of a command that prints to stdout: as its --csv, and stdout is made so. */
void cli_take_csv_safe(bool is_given, bool *csv);

/* Columns for text on this stream: COLUMNS or the terminal's within 40 and 200, else 80. */
unsigned cli_width(FILE *stream);
/* For what is listed on stdout: CLI_TEXT_UNLIMITED where neither it nor COLUMNS says. */
unsigned cli_page_width(void);

/*
 * For failures that a command can do without: true for 0. Lack of memory is none of them; then the
 * command ends with a message.
 */
bool cli_succeeded(int rc);

/* Ends the command with a message; files that are half written go. */
void cli_out_of_memory(void) __attribute__((noreturn));

/* Memory that is there: when there is none the command ends with a message. */
void *cli_alloc(size_t size);
/* The list, moved perhaps, with room for one more element behind its `count`, of `size` bytes. */
void *cli_grow(void *list, size_t count, size_t size);
char *cli_format(const char *format, ...) __attribute__((format(printf, 1, 2)));
char *cli_format_list(const char *format, va_list list) __attribute__((format(printf, 1, 0)));
/* Makes a text longer, with the separator between when it is neither NULL nor empty. */
void cli_append(char **text, const char *separator, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Begins a document of this schema, with what made it. */
void cli_json_begin(struct tacho_json *json, FILE *stream, const char *schema);
void cli_json_add_names(struct tacho_json *json, const char *key, const char *const *names,
			size_t count);

#endif
