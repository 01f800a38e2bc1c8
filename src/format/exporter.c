/* SPDX-License-Identifier: MIT */
/* The formats, and writing a recording in one of them. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/options.h"
#include "base/fs.h"
#include "base/out_stream.h"
#include "format/csv.h"
#include "format/format.h"

static const struct tacho__format *const formats[] = {
	&tacho__format_codexl,	  &tacho__format_csv,	   &tacho__format_html,
	&tacho__format_jsonl,	  &tacho__format_perfetto, &tacho__format_programs,
	&tacho__format_rocprofv3, &tacho__format_sqlite,
};

const struct tacho_format *tacho_format_get(size_t index)
{
	return index < TACHO__ARRAY_SIZE(formats) ? &formats[index]->format : NULL;
}

static int find(const char *name, const struct tacho__format **out_format)
{
	struct tacho__buf known = {0};
	int rc;

	for (size_t i = 0; i < TACHO__ARRAY_SIZE(formats); i++) {
		if (!strcmp(formats[i]->format.name, name)) {
			*out_format = formats[i];
			tacho__buf_finish(&known);
			return 0;
		}
		tacho__buf_printf(&known, "%s%s", i ? ", " : "", formats[i]->format.name);
	}
	rc = tacho__fail(TACHO_E_NOTFOUND,
			 tacho__detail("the formats are %s", tacho__buf_text(&known)),
			 "name one of them", "there is no format '%s'", name);
	tacho__buf_finish(&known);
	return rc;
}

int tacho__export_check(const struct tacho_recording *recording, const struct tacho__export *how)
{
	return how->is_partial ? 0 : tacho_recording_check(recording);
}

static int take_options(const struct tacho_export_options *options, struct tacho__export *out_how)
{
	struct tacho_export_options own;
	int rc = tacho__options_take(&own, sizeof(own), options, "tacho_export_options");

	if (!rc)
		*out_how = (struct tacho__export){.overwrite = own.overwrite != 0,
						  .is_partial = own.partial != 0,
						  .is_csv_safe = own.csv_safe != 0,
						  .warn = own.warn,
						  .user = own.user};
	return rc;
}

/* A cursor that opens has looked at all files: what is wrong is known before anything is written.
 */
static int check_first(struct tacho_recording *recording, const struct tacho__export *how)
{
	struct tacho_cursor *cursor = NULL;
	int rc;

	if (how->is_partial)
		return 0;
	rc = tacho_cursor_open(recording, &cursor);
	tacho_cursor_close(cursor);
	return rc ? rc : tacho__export_check(recording, how);
}

int tacho__export_create_csv(struct tacho__fs_new *out_file, const char *path,
			     const struct tacho__export *how)
{
	struct tacho__fs_new file = {0};
	FILE *safe;
	int rc = tacho__fs_create(&file, path, how->overwrite);

	if (!rc && how->is_csv_safe) {
		safe = tacho_csv_open_safe(file.stream);
		file.stream = safe ? safe : file.stream;
		rc = safe ? 0 : TACHO_E_NOMEM;
	}
	if (rc)
		tacho__fs_discard(&file);
	else
		*out_file = file;
	return rc;
}

static int export_file(struct tacho_recording *recording, const struct tacho__format *format,
		       const char *base, const struct tacho__export *how)
{
	char *path = tacho__format_path(base, format->format.suffixes);
	struct tacho__fs_new file = {0};
	int rc = !path		  ? TACHO_E_NOMEM
		 : format->is_csv ? tacho__export_create_csv(&file, path, how)
				  : tacho__fs_create(&file, path, how->overwrite);

	if (!rc) {
		rc = format->print(recording, file.stream);
		if (!rc)
			rc = tacho__export_check(recording, how);
		if (!rc || ferror(file.stream)) /* whose failure comes first */
			rc = tacho__fs_commit(&file);
	}
	tacho__fs_discard(&file);
	free(path);
	return rc;
}

int tacho_recording_export(struct tacho_recording *recording, const char *format, const char *base,
			   const struct tacho_export_options *options)
{
	struct tacho__export how;
	const struct tacho__format *found;
	int rc;

	if (!recording || !format || !base || !*base)
		return tacho__fail(TACHO_E_INVAL, "recording, format or name is missing", "",
				   "cannot export");
	rc = take_options(options, &how);
	if (!rc)
		rc = find(format, &found);
	if (!rc)
		rc = check_first(recording, &how);
	if (rc)
		return rc;
	return found->print ? export_file(recording, found, base, &how)
			    : found->write(recording, base, &how);
}

static int print_to(struct tacho_recording *recording, const struct tacho__format *format,
		    const struct tacho_sink *sink, const struct tacho__export *how)
{
	FILE *stream = tacho__stream_open_sink(sink), *safe;
	int rc;

	if (!stream)
		return TACHO_E_NOMEM;
	if (format->is_csv && how->is_csv_safe) {
		safe = tacho_csv_open_safe(stream);
		if (!safe) {
			fclose(stream);
			return TACHO_E_NOMEM;
		}
		stream = safe;
	}
	rc = format->print(recording, stream);
	if (!rc)
		rc = tacho__export_check(recording, how);
	if (ferror(stream))
		rc = 0; /* told below */
	if (fclose(stream) && !rc)
		rc = tacho__fs_fail(errno, "write", "the export");
	return rc;
}

int tacho_recording_export_to(struct tacho_recording *recording, const char *format,
			      const struct tacho_sink *sink,
			      const struct tacho_export_options *options)
{
	struct tacho__export how;
	const struct tacho__format *found;
	int rc;

	if (!recording || !format || !sink || !sink->write)
		return tacho__fail(TACHO_E_INVAL, "recording, format or sink is missing", "",
				   "cannot export");
	rc = take_options(options, &how);
	if (!rc)
		rc = find(format, &found);
	if (rc)
		return rc;
	if (!found->print)
		return tacho__fail(TACHO_E_UNSUPPORTED, found->why_no_stream, "export it to a file",
				   "%s cannot be written as a stream", format);
	rc = check_first(recording, &how);
	return rc ? rc : print_to(recording, found, sink, &how);
}

int tacho_recording_estimate(struct tacho_recording *recording, const char *format,
			     uint64_t *out_bytes)
{
	const struct tacho__format *found;
	int rc;

	if (!recording || !format || !out_bytes)
		return tacho__fail(TACHO_E_INVAL, "recording, format or result is missing", "",
				   "cannot estimate the size of an export");
	rc = find(format, &found);
	return rc ? rc : found->estimate(recording, out_bytes);
}

int tacho__format_each_call(struct tacho_cursor *cursor, tacho__call_fn fn, void *user)
{
	const struct tacho_call *call;
	int rc;

	while ((rc = tacho_cursor_next(cursor, &call)) == 1) {
		rc = fn ? fn(user, cursor, call) : 0;
		if (rc)
			return rc;
	}
	return rc;
}

int tacho__format_walk(struct tacho_recording *recording, tacho_blob_fn on_blob, tacho__call_fn fn,
		       void *user)
{
	struct tacho_cursor *cursor;
	int rc = tacho_cursor_open(recording, &cursor);

	if (rc)
		return rc;
	if (on_blob)
		tacho_cursor_on_blob(cursor, on_blob, user);
	rc = tacho__format_each_call(cursor, fn, user);
	tacho_cursor_close(cursor);
	return rc;
}

char *tacho__format_path(const char *base, const char *suffix)
{
	char *path;

	if (asprintf(&path, "%s%s", base, suffix) < 0) {
		tacho__fail(TACHO_E_NOMEM, "", "", "no memory for the name of %s%s", base, suffix);
		return NULL;
	}
	return path;
}
