/* SPDX-License-Identifier: MIT */
/* tacho help errors, tacho help E_CODE: what a code of tacho/error.h means, and what to do. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <tacho/error.h>

#include "columns.h"
#include "help/help.h"
#include "nearest.h"
#include "text.h"

enum { PREFIX = sizeof("TACHO_") - 1, LINES_MAX = 4 };

struct page {
	int code;
	const char *meaning; /* a clause */
	const char *causes[LINES_MAX], *cures[LINES_MAX];
};

static const struct page pages[] = {
	{TACHO_E_INVAL,
	 "an argument is not valid",
	 {"an option, a name or an expression that is written in a way that tacho does not take",
	  "in a program of yours: NULL where a pointer must be, a struct whose size is not set, "
	  "calls in an order that is not allowed"},
	 {"read the message: it has the value, and the cure says what may stand there",
	  "tacho COMMAND --help has the options, docs/formulas.md and docs/plan.md the notations, "
	  "and the comment of the function in include/tacho its arguments"}},
	{TACHO_E_NOMEM,
	 "there is no memory for it",
	 {"the machine, a control group or ulimit -v leaves too little",
	  "a result of very many rows times instances"},
	 {"count fewer counters, launches or instances at a time",
	  "look at ulimit -v and the limit of the container"}},
	{TACHO_E_NOTFOUND,
	 "there is no such thing",
	 {"a counter, metric, device, model or recording whose name is misspelled, or which this "
	  "architecture does not have",
	  "a file that was moved or removed",
	  "a counter of another API or GPU than the one that is chosen"},
	 {"take one of the nearest names, which the message ends with",
	  "look it up: tacho list metrics, tacho list devices, tacho info NAME"}},
	{TACHO_E_EXISTS,
	 "it exists already",
	 {"a recording or a file of this name is there", "a name is defined twice"},
	 {"give another name, or -f to replace what is there"}},
	{TACHO_E_AMBIGUOUS,
	 "the name fits several things",
	 {"a part of a name that several devices have", "an architecture that several APIs define"},
	 {"write more of the name, or its number as in tacho list devices",
	  "choose the API with --api"}},
	{TACHO_E_UNSUPPORTED,
	 "this cannot be done here",
	 {"the device, its driver or the API cannot do it",
	  "tacho was built without it, or a library that it needs is not installed",
	  "a format or a counter cannot express what was asked for"},
	 {"the cause names what is missing; tacho doctor shows what can be used here, and why "
	  "the rest cannot",
	  "README.md has a table of what works where"}},
	{TACHO_E_NODEVICE,
	 "no device can be used",
	 {"there is no GPU, or its driver or the vendor's library is not loaded",
	  "an environment variable or a container hides it", "the device has vanished"},
	 {"run tacho doctor: it says of each way to count what it found and what is missing",
	  "try a simulated device: --sim mi300x"}},
	{TACHO_E_PERM,
	 "a permission is missing",
	 {"the kernel or a driver allows counters to the administrator only",
	  "a file or a folder belongs to somebody else", "a container bars system calls"},
	 {"do what the cure says; for counters it names the setting and its value",
	  "tacho doctor tells which permissions are missing"}},
	{TACHO_E_BUSY,
	 "somebody else holds it",
	 {"another profiler, or another session of the program, has the counters",
	  "a process still writes into the recording"},
	 {"end the other one, or wait until it ends", "one session at a time counts on a device"}},
	{TACHO_E_PASSES,
	 "it does not fit into the passes that are allowed",
	 {"the counters need more passes than the run or the work can be repeated",
	  "the work was not run as often as the plan says"},
	 {"tacho plan with the same list tells the passes, why there are not fewer, and which "
	  "counters to leave out",
	  "allow more with --replay, or count in turns"}},
	{TACHO_E_VERSION,
	 "a version does not fit",
	 {"a recording of a newer tacho", "a library of a vendor's that is too old or too new",
	  "a program that was built for another version of tacho's structs"},
	 {"install the version that the cure names; tacho --version tells this one",
	  "build the program anew against the headers that are installed"}},
	{TACHO_E_LOST,
	 "data was lost",
	 {"a program was killed, a buffer ran full or the disk is full",
	  "the device, its driver or an OpenGL context was gone before the values were read"},
	 {"tacho check tells what a recording lacks; what is left can be read",
	  "open the device again and begin anew; record less, or raise --max-size"}},
	{TACHO_E_TIMEOUT,
	 "it took too long",
	 {"the device is busy with other work, or work of the program never ends",
	  "values are asked for before the work is done"},
	 {"wait for the work and ask again, or allow more time",
	  "look whether the device hangs: its driver writes to the kernel's log"}},
	{TACHO_E_IO,
	 "input or output failed",
	 {"a disk that is full or failing, a file that was cut while it was read",
	  "a folder that does not exist or cannot be written"},
	 {"the cause has the system's own words and number; df and ls -l show room and rights",
	  "tacho check tells whether a recording is whole"}},
	{TACHO_E_PARSE,
	 "text or data is malformed",
	 {"a mistake in a file of definitions, a formula or a configuration",
	  "a file of another format than its name says, or one that is damaged"},
	 {"the message has the file, the line and the column; correct it there",
	  "tacho check tells what is damaged in a recording"}},
	{TACHO_E_VENDOR,
	 "a vendor's library failed",
	 {"the driver and its profiling library are of different versions",
	  "the library refuses with a status of its own, which the cause has"},
	 {"look that status up in the vendor's manual; --log FILE keeps what was called",
	  "tacho doctor shows the libraries and their versions"}},
};

enum { PAGE_COUNT = sizeof(pages) / sizeof(pages[0]) };

static const char *get_short(const struct page *page)
{
	return tacho_error_to_string(page->code) + PREFIX;
}

static const struct page *find_page(const char *name)
{
	for (size_t i = 0; i < PAGE_COUNT; i++) {
		const char *whole = tacho_error_to_string(pages[i].code);

		if (strcasecmp(name, whole) == 0 || strcasecmp(name, whole + PREFIX) == 0 ||
		    strcasecmp(name, whole + PREFIX + 2) == 0)
			return &pages[i];
	}
	return NULL;
}

static bool has_prefix(const char *name)
{
	return strncasecmp(name, "TACHO_E_", PREFIX + 2) == 0 || strncasecmp(name, "E_", 2) == 0;
}

bool cli_help_is_error(const char *name)
{
	return has_prefix(name) || find_page(name);
}

/* The nearest codes: of what is behind E_, since all begin with that. */
static int complain_unknown(const char *name)
{
	const char *rest = name + (strncasecmp(name, "TACHO_", PREFIX) == 0 ? PREFIX : 0) + 2;
	struct cli_nearest nearest = {0};
	char *names = NULL;

	for (size_t i = 0; i < PAGE_COUNT; i++)
		cli_nearest_offer(&nearest, rest, get_short(&pages[i]) + 2);
	for (size_t i = 0; i < nearest.count; i++)
		cli_append(&names, i + 1 < nearest.count ? ", " : " or ", "E_%s", nearest.names[i]);
	cli_complain("", cli_part("did you mean %s? All: tacho help errors", names),
		     "there is no error \"%s\"", name);
	free(names);
	return CLI_USAGE;
}

static void print_list(const char *title, const char *const *lines, FILE *stream, unsigned width)
{
	fprintf(stream, "\n%s\n", title);
	for (size_t i = 0; i < LINES_MAX && lines[i]; i++)
		cli_text_print(stream, 2, 4, width, "- %s", lines[i]);
}

int cli_help_print_error(const char *name, FILE *stream, unsigned width)
{
	const struct page *page = find_page(name);
	enum cli_exit class;

	if (!page)
		return complain_unknown(name);
	class = cli_exit_of(page->code);
	cli_text_print(stream, 0, 2, width, "%s (%d): %s.", tacho_error_to_string(page->code),
		       page->code, page->meaning);
	fputc('\n', stream);
	cli_text_print(stream, 0, 2, width,
		       "Exit status: usually %d (%s); of record, stat and others that start a "
		       "program 125, with \"[class %d: %s]\" in the message.",
		       class, cli_exit_to_string(class), class, cli_exit_to_string(class));
	print_list("Usual causes:", page->causes, stream, width);
	print_list("What to do:", page->cures, stream, width);
	return CLI_OK;
}

int cli_help_print_errors(FILE *stream, unsigned width)
{
	static const struct cli_column columns[] = {
		{"error", false}, {"number", true}, {"exit status", true}, {"meaning", false}};
	struct cli_table table;

	cli_text_print(stream, 0, 0, width,
		       "What functions of libtacho return, and what tacho_error_last() and "
		       "Python's tacho.Error name. Begin with the message, its cause and its cure: "
		       "they are about what happened, this is about what usually does.");
	fputc('\n', stream);
	cli_table_init(&table, columns, sizeof(columns) / sizeof(columns[0]));
	for (size_t i = 0; i < PAGE_COUNT; i++) {
		const char *cells[] = {get_short(&pages[i]),
				       cli_table_format(&table, "%d", pages[i].code),
				       cli_table_format(&table, "%d", cli_exit_of(pages[i].code)),
				       pages[i].meaning};

		cli_table_add(&table, cells);
	}
	cli_columns_print(&table, stream, width);
	cli_table_finish(&table);
	fputs("\nMore of one: tacho help E_PERM\n", stream);
	return CLI_OK;
}
