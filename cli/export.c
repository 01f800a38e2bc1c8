/* SPDX-License-Identifier: MIT */
/* tacho export: a recording in other tools' formats. */
#include "export.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <tacho/tacho.h>

#include "files.h"
#include "gaps.h"
#include "name.h"
#include "options/options.h"
#include "terminal.h"
#include "waiting.h"

struct settings {
	const char *to, *output, *as;
	bool overwrite, partial, csv_safe;
};

static bool add_format(struct cli_formats *formats, const char *word, enum cli_words known)
{
	int index = cli_words_find(known, word, "format");
	const char *name;

	if (index < 0)
		return false;
	name = cli_words_get(known, (size_t)index);
	for (size_t i = 0; i < formats->count; i++)
		if (strcmp(formats->names[i], name) == 0)
			return true;
	if (formats->count < CLI_FORMATS_MAX)
		formats->names[formats->count++] = name;
	return true;
}

bool cli_formats_parse(const char *list, bool none_allowed, struct cli_formats *out_formats)
{
	enum cli_words known = none_allowed ? CLI_WORDS_EXPORT : CLI_WORDS_FORMAT;
	struct cli_formats formats = {0};
	char *copy, *rest, *word;
	bool good = true;

	if (none_allowed && strcmp(list, "none") == 0) {
		*out_formats = formats;
		return true;
	}
	copy = rest = cli_format("%s", list);
	while (good && (word = strsep(&rest, ","))) {
		if (none_allowed && strcmp(word, "none") == 0) {
			cli_complain("", "give \"none\" alone, or formats without it",
				     "\"%s\" asks for nothing and for something", list);
			good = false;
		} else {
			good = add_format(&formats, word, known);
		}
	}
	free(copy);
	if (good)
		*out_formats = formats;
	return good;
}

static void print_files(const char *format_name, const char *base, FILE *log, const char *before)
{
	const struct tacho_format *format;
	char *suffixes, *rest, *suffix;

	for (size_t i = 0; (format = tacho_format_get(i)); i++)
		if (strcmp(format->name, format_name) == 0)
			break;
	if (!format)
		return;
	suffixes = rest = cli_format("%s", format->suffixes);
	while ((suffix = strsep(&rest, " ")))
		if (*suffix)
			fprintf(log, "%s%s%s\n", before, base, suffix);
	free(suffixes);
}

static void warn(void *user, const char *sentence)
{
	cli_warn("%s: %s", (const char *)user, sentence);
}

/* Formats with one value of a counter: they have the sum of its instances. */
static bool has_one_value(const char *format)
{
	return strcmp(format, "codexl") == 0 || strcmp(format, "perfetto") == 0;
}

/* What is not in the files though it is in the recording, which was read for them. */
static void warn_of_instances(const struct tacho_recording *recording, const char *format)
{
	const struct tacho_entry *counter;
	char *names = NULL;

	for (size_t i = 0; (counter = tacho_recording_get_counter(recording, i)); i++)
		if (counter->has_instances && strcmp(counter->semantic, "event") != 0 &&
		    strcmp(counter->semantic, "duration") != 0 && has_one_value(format))
			cli_append(&names, ", ", "%s", counter->name);
	if (names)
		cli_warn("%s has one value of a counter, and instances that do not add up are "
			 "left out: %s; csv, jsonl and sqlite have all",
			 format, names);
	free(names);
}

/* False: it failed, and the last error says why. */
static bool write_files(struct tacho_recording *recording, const char *format, const char *base,
			const struct tacho_export_options *options, FILE *log, const char *before)
{
	struct tacho_export_options warning = *options;
	struct cli_waiting waiting;
	int rc;

	warning.warn = warn;
	warning.user = (void *)(uintptr_t)format;
	cli_waiting_begin(&waiting, log != NULL, "writing %s as %s", base, format);
	cli_waiting_watch(&waiting, recording);
	rc = tacho_recording_export(recording, format, base, &warning);
	cli_waiting_end(&waiting);
	if (rc != 0)
		return false;
	if (log)
		print_files(format, base, log, before);
	warn_of_instances(recording, format);
	return true;
}

enum cli_exit cli_export_write(struct tacho_recording *recording, const char *format,
			       const char *base, const struct cli_export_how *how, FILE *log)
{
	const struct tacho_export_options options = {.size = sizeof(options),
						     .overwrite = how->overwrite,
						     .partial = 1,
						     .csv_safe = how->csv_safe};

	if (write_files(recording, format, base, &options, log, "tacho: wrote "))
		return CLI_OK;
	return cli_complain_last();
}

static int put_bytes(void *stream, const void *bytes, size_t size)
{
	return fwrite(bytes, 1, size, stream) == size ? 0 : errno;
}

static bool print(struct tacho_recording *recording, const char *format, FILE *stream,
		  const struct tacho_export_options *options)
{
	const struct tacho_sink sink = {put_bytes, stream};
	struct cli_waiting waiting;
	int rc;

	/* on a terminal the export itself shows that it goes on */
	cli_waiting_begin(&waiting, !cli_is_terminal(stream), "writing %s", format);
	cli_waiting_watch(&waiting, recording);
	rc = tacho_recording_export_to(recording, format, &sink, options);
	cli_waiting_end(&waiting);
	if (rc != 0) {
		cli_complain_last();
		return false;
	}
	warn_of_instances(recording, format);
	return true;
}

bool cli_export_print(struct tacho_recording *recording, const char *format, bool csv_safe,
		      FILE *stream)
{
	const struct tacho_export_options options = {
		.size = sizeof(options), .partial = 1, .csv_safe = csv_safe};

	return print(recording, format, stream, &options);
}

static int export_to_stdout(struct tacho_recording *recording, const struct cli_formats *formats,
			    const struct tacho_export_options *options)
{
	int status;

	if (formats->count > 1) {
		cli_complain("there is one standard output", "name one format, or a file with -o",
			     "several formats cannot be written to \"-\"");
		return CLI_USAGE;
	}
	status = print(recording, formats->names[0], stdout, options) ? CLI_OK : CLI_FAILED;
	if (status == CLI_OK)
		cli_gaps_warn(recording);
	return status;
}

/* What is wrong with the recording itself fails each format alike, and is said once. */
static enum cli_exit complain_once(char **said)
{
	const struct tacho_error_detail *last = tacho_error_last();

	if (*said && strcmp(*said, last->message) == 0)
		return cli_exit_of(last->code);
	free(*said);
	*said = cli_format("%s", last->message);
	return cli_complain_last();
}

/* What one format cannot have the others may: each is tried, and those that failed are named. */
static int export_all(struct tacho_recording *recording, const struct cli_formats *formats,
		      char *base, const struct tacho_export_options *options)
{
	char *failed = NULL, *said = NULL;
	enum cli_exit class, first = CLI_OK;
	size_t written = 0;

	for (size_t i = 0; i < formats->count; i++) {
		if (write_files(recording, formats->names[i], base, options, stdout, "")) {
			written++;
			continue;
		}
		class = complain_once(&said);
		first = first ? first : class;
		cli_append(&failed, ", ", "%s", formats->names[i]);
	}
	if (failed && formats->count > 1)
		cli_warn("not written: %s%s", failed, written ? "; the others are" : "");
	if (written)
		cli_gaps_warn(recording);
	free(failed);
	free(said);
	return first;
}

/* "." and "runs/" name a folder: the files would have no names, and dots would hide them. */
static bool is_folder(const char *base)
{
	const char *last = strrchr(base, '/');

	last = last ? last + 1 : base;
	return strspn(last, ".") == strlen(last);
}

/* To where --output says, or beside the recording. */
static int write_to(const char *output, const char *name, struct tacho_recording *recording,
		    const struct cli_formats *formats, const struct tacho_export_options *options)
{
	char *base = NULL;
	int status;

	if (output && strcmp(output, "-") == 0)
		return export_to_stdout(recording, formats, options);
	if (!output)
		base = cli_name_get_base(name);
	else if (!cli_name_expand(output, &base))
		return CLI_USAGE;
	if (is_folder(base)) {
		cli_complain("", "say how the files' names begin: -o FOLDER/NAME",
			     "\"%s\" is no beginning of names, but a folder", base);
		free(base);
		return CLI_USAGE;
	}
	status = export_all(recording, formats, base, options);
	free(base);
	return status;
}

static int export_run(const struct cli_command *command, int argc, char **argv)
{
	struct settings settings = {0};
	struct tacho_export_options how = {.size = sizeof(how)};
	struct tacho_recording *recording = NULL;
	struct cli_formats formats;
	int operand, status;

	if (!cli_options_parse(command, argc, argv, &settings, &operand, &status))
		return status;
	if (!settings.to) {
		cli_complain("", "add --to html, or see: tacho export --help",
			     "export: the format is missing");
		return CLI_USAGE;
	}
	if (!cli_formats_parse(settings.to, false, &formats))
		return CLI_USAGE;
	how.overwrite = settings.overwrite;
	how.partial = settings.partial;
	how.csv_safe = settings.csv_safe;
	status = cli_files_open(argv + operand, argc - operand, settings.as, &recording);
	if (status == CLI_OK)
		status = write_to(settings.output, argv[operand], recording, &formats, &how);
	tacho_recording_close(recording);
	return status;
}

static const struct cli_option options[] = {
	{0, "to", "LIST", CLI_TEXT, CLI_WORDS_FORMAT, offsetof(struct settings, to), false,
	 "formats to write, with commas between them: codexl (.atp, .csv and .occupancy session "
	 "files), html (one page for a browser), jsonl (one JSON object per line), perfetto (a "
	 "trace for ui.perfetto.dev), "
	 "programs (sources, binaries and build logs), rocprofv3 (its CSV files and rocpd "
	 "database), sqlite (a database)"},
	{'o', "output", "BASE", CLI_TEXT, CLI_WORDS_FILE, offsetof(struct settings, output), false,
	 "beginning of the files' names (default: the recording's name), - for standard output; %h "
	 "host, %p process id, %r rank, %q{NAME} environment variable, %% percent sign"},
	CLI_OPTION_FORCE(struct settings, overwrite, "replace files that exist"),
	CLI_OPTION_AS(struct settings),
	{0, "partial", NULL, CLI_FLAG, CLI_WORDS_NONE, offsetof(struct settings, partial), false,
	 "write what there is of a recording that is not whole, which the output says; else it "
	 "ends "
	 "with status 1 and writes nothing"},
	CLI_OPTION_FLAG(struct settings, 0, "csv-safe", csv_safe,
			"in files of CSV put an apostrophe before text that a spreadsheet would "
			"take for a formula"),
};

const struct cli_command cli_export = {
	.name = "export",
	.summary = "write a recording in other tools' formats",
	.operands = "NAME...",
	.description =
		"Writes the recording NAME in other tools' formats and prints the names of "
		"the files; with -o - it prints the export itself, of a format that is one "
		"file. NAME may be a session file of CodeXL or rcprof, too: FILE.atp, "
		"FILE.csv or FILE.occupancy; or a file or folder of another tool. Several of "
		"such files are one recording.",
	.examples = {"tacho export run --to html", "tacho export run --to jsonl -o -"},
	CLI_HAS_OPTIONS(options),
	.words = CLI_WORDS_RECORDING,
	.first_operand = "NAME",
	.operand_min = 1,
	.operand_max = CLI_FILES_MAX,
	.run = export_run,
};
