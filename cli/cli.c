/* SPDX-License-Identifier: MIT */
/* Messages, the output's streams and width. */
#include "cli.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <tacho/error.h>
#include <tacho/sys/csv.h>
#include <tacho/sys/file.h>

#include "documents.h"
#include "events.h"
#include "terminal.h"
#include "text.h"

enum { WIDTH_MIN = 40, WIDTH_MAX = 200, WIDTH_DEFAULT = 80, INDENT = 10 };

static struct {
	enum cli_exit shown_class; /* 0: the exit status says it */
	bool is_closed;		   /* stdout */
	char **parts;		   /* of the next complaint */
	size_t part_count;
} state;

static void put_part(const char *label, enum cli_color color, const char *text)
{
	unsigned width = isatty(STDERR_FILENO) ? cli_width(stderr) : CLI_TEXT_UNLIMITED;

	if (!text || !*text)
		return;
	cli_color_begin(stderr, color);
	fputs(label, stderr);
	cli_color_end(stderr);
	cli_text_wrap(stderr, text, (unsigned)strlen(label), INDENT, width);
}

/* A cure may name a document. */
static void put_cure(const char *cure)
{
	char *placed = cure && *cure ? cli_documents_place(cure) : NULL;

	put_part("  cure:  ", CLI_COLOR_HEADING, placed);
	free(placed);
}

static void complain(enum cli_exit class, const char *message, const char *cause, const char *cure)
{
	char *first = class == CLI_OK ? cli_format("%s", message)
				      : cli_format("%s [class %d: %s]", message, class,
						   cli_exit_to_string(class));

	if (!state.is_closed)
		fflush(stdout);
	put_part("tacho: ", CLI_COLOR_ERROR, first);
	put_part("  cause: ", CLI_COLOR_HEADING, cause);
	put_cure(cure);
	free(first);
	cli_events_message("error", class == CLI_OK ? NULL : cli_exit_to_string(class), message,
			   cause, cure);
	while (state.part_count)
		free(state.parts[--state.part_count]);
}

const char *cli_part(const char *format, ...)
{
	char *part;
	va_list list;

	va_start(list, format);
	part = cli_format_list(format, list);
	va_end(list);
	state.parts = cli_grow(state.parts, state.part_count, sizeof(*state.parts));
	state.parts[state.part_count++] = part;
	return part;
}

void cli_complain(const char *cause, const char *cure, const char *format, ...)
{
	char *message;
	va_list list;

	va_start(list, format);
	if (vasprintf(&message, format, list) < 0)
		message = NULL;
	va_end(list);
	complain(state.shown_class, message ? message : "out of memory", cause, cure);
	free(message);
}

enum cli_exit cli_exit_of(int code)
{
	switch (code) {
	case TACHO_E_INVAL:
	case TACHO_E_AMBIGUOUS: return CLI_USAGE;
	case TACHO_E_NODEVICE: return CLI_NOTHING;
	case TACHO_E_PERM: return CLI_PERMISSION;
	case TACHO_E_PASSES:
	case TACHO_E_BUSY: return CLI_DOES_NOT_FIT;
	default: return CLI_FAILED;
	}
}

enum cli_exit cli_complain_last(void)
{
	const struct tacho_error_detail *detail = tacho_error_last();
	enum cli_exit class = cli_exit_of(detail->code);
	const char *message = detail->message;

	if (!*message)
		message = tacho_error_to_string(detail->code);
	complain(state.shown_class ? class : CLI_OK, message, detail->cause, detail->cure);
	return class;
}

void cli_warn(const char *format, ...)
{
	char *text;
	va_list list;

	va_start(list, format);
	text = cli_format_list(format, list);
	va_end(list);
	put_part("tacho: warning: ", CLI_COLOR_WARNING, text);
	cli_events_message("warning", NULL, text, NULL, NULL);
	free(text);
}

const char *cli_exit_to_string(enum cli_exit class)
{
	switch (class) {
	case CLI_OK: return "ok";
	case CLI_USAGE: return "usage";
	case CLI_NOTHING: return "nothing to measure";
	case CLI_PERMISSION: return "permission";
	case CLI_DOES_NOT_FIT: return "does not fit";
	case CLI_FALSE: return "condition false";
	default: return "failed";
	}
}

void cli_show_class(enum cli_exit class)
{
	state.shown_class = class;
}

void cli_change_class(enum cli_exit class)
{
	if (state.shown_class)
		state.shown_class = class;
}

/*
 * Where standard streams are closed, the first files that are opened would take their numbers, and
 * get what is printed. What stands there instead cannot be read, or written to.
 */
static void occupy_numbers(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0)
			open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

bool cli_open_streams(void)
{
	FILE *out, *err;

	occupy_numbers();
	out = tacho_stream_open(STDOUT_FILENO);
	err = tacho_stream_open(STDERR_FILENO);
	if (!out || !err)
		return false;
	if (isatty(STDOUT_FILENO))
		setvbuf(out, NULL, _IOLBF, 0);
	setvbuf(err, NULL, _IONBF, 0);
#ifdef __GLIBC__ /* elsewhere they are constants, and an interruption is an error of the output */
	stdout = out;
	stderr = err;
#endif
	return true;
}

int cli_close_streams(int status)
{
	bool failed = ferror(stdout) != 0;

	state.is_closed = true;
	if (failed) /* nothing is written any more: it fails again, for the same cause */
		fputc('\n', stdout);
	/* not freed: a vendor's library may have kept the streams, to flush them at the very end */
	failed = fflush(stdout) != 0 || failed;
	if (failed && errno == EPIPE && cli_pager_runs())
		failed = false; /* its user has seen enough */
	if ((close(STDOUT_FILENO) != 0 && errno != EINTR) || failed) {
		cli_show_class(CLI_OK); /* what prints to stdout launches nothing */
		cli_complain(strerror(errno), "", "the output could not be written");
		status = status ? status : CLI_FAILED;
	}
	fflush(stderr);
	cli_pager_finish();
	return status;
}

void cli_make_csv_safe(FILE **stream)
{
	FILE *safe = tacho_csv_open_safe(*stream);

	if (!safe)
		cli_out_of_memory();
	*stream = safe;
}

void cli_take_csv_safe(bool is_given, bool *csv)
{
	if (!is_given)
		return;
	*csv = true;
	cli_make_csv_safe(&stdout);
}

unsigned cli_width(FILE *stream)
{
	unsigned columns = cli_terminal_columns(stream);

	if (!columns)
		return WIDTH_DEFAULT;
	return columns < WIDTH_MIN ? WIDTH_MIN : columns > WIDTH_MAX ? WIDTH_MAX : columns;
}

unsigned cli_page_width(void)
{
	return cli_is_terminal(stdout) || cli_terminal_columns(stdout) ? cli_width(stdout)
								       : CLI_TEXT_UNLIMITED;
}

void cli_json_begin(struct tacho_json *json, FILE *stream, const char *schema)
{
	tacho_json_init(json, stream, true);
	tacho_json_begin_object(json, NULL);
	tacho_json_add_string(json, "schema", schema);
	tacho_json_add_string(json, "generator", "tacho " TACHO_VERSION);
}

void cli_json_add_names(struct tacho_json *json, const char *key, const char *const *names,
			size_t count)
{
	tacho_json_begin_array(json, key);
	for (size_t i = 0; i < count; i++)
		tacho_json_add_string(json, NULL, names[i]);
	tacho_json_end(json);
}
