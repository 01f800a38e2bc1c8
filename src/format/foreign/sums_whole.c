/* SPDX-License-Identifier: MIT */
/*
 * A table that was cut behind one of its lines looks like a smaller one. But tools end each line,
 * and most say the share that a line has of all: what lacks an end, or does not add up to all, is
 * told.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/text.h"
#include "format/foreign/foreign.h"
#include "format/foreign/foreign_csv.h"

enum { PLACES_MAX = 12 };

/* How much the last digit of a number is worth: of "66,7" 0.1, of "2.920e-03" 0.000001. */
static double worth_of_last(const char *cell)
{
	const char *point = strpbrk(cell, ".,"), *exponent = strpbrk(cell, "eE");
	size_t digits = point ? strspn(point + 1, "0123456789") : 0;
	long power = exponent ? strtol(exponent + 1, NULL, 10) : 0;

	/* Shares have few digits; what a file says may be any number. */
	power = power < -PLACES_MAX ? -PLACES_MAX : power > 0 ? 0 : power;
	power -= digits < PLACES_MAX ? (long)digits : PLACES_MAX;
	return pow(10, (double)power);
}

void tacho__foreign_add_share(struct tacho__foreign *foreign, const char *cell, bool is_known,
			      double percent)
{
	struct tacho__foreign_shares *shares = &foreign->sums.shares;

	shares->lines++;
	shares->bare += !is_known;
	if (!is_known)
		return;
	shares->sum += percent;
	shares->slack += worth_of_last(cell);
}

void tacho__foreign_begin_shares(struct tacho__foreign *foreign, const char *path)
{
	const struct tacho__foreign_shares *shares = &foreign->sums.shares;

	if (shares->lines && !shares->bare && shares->sum + shares->slack + 0.01 < 100)
		tacho__foreign_note(foreign,
				    "The lines of a table in %s make up %.4g%% of a whole: others "
				    "are missing, the file was cut or not all were kept.",
				    tacho__base_name(shares->path), shares->sum);
	foreign->sums.shares = (struct tacho__foreign_shares){.path = path};
}

void tacho__foreign_note_end(struct tacho__foreign *foreign, const char *path, bool is_open)
{
	if (is_open)
		tacho__foreign_note(foreign,
				    "%s may be cut: nothing ends its last line, which may not be "
				    "whole, and others may be missing.",
				    tacho__base_name(path));
}

int tacho__foreign_end_lines(struct tacho__foreign *foreign, const char *path, bool is_open,
			     uint64_t lines)
{
	tacho__foreign_begin_shares(foreign, path);
	if (is_open && !lines)
		return tacho__fail(TACHO_E_PARSE,
				   "no line of a table comes before its last one, which has no end",
				   "copy the file again, or let the tool write it again",
				   "%s ends before its first line of numbers", path);
	tacho__foreign_note_end(foreign, path, is_open);
	if (!lines)
		tacho__foreign_note(foreign,
				    "%s has titles and no whole line below them: it is empty, or "
				    "was cut there.",
				    tacho__base_name(path));
	return 0;
}

int tacho__foreign_read_lines(struct tacho__foreign *foreign, const char *path,
			      int (*take)(void *user, char *line), void *user,
			      const uint64_t *lines)
{
	struct tacho__foreign_csv text;
	char **cells;
	size_t count;
	int rc = tacho__foreign_csv_open(&text, path);

	text.separator = '\1';
	while (!rc && !(rc = tacho__foreign_csv_next(&text, &cells, &count)) && count)
		rc = take(user, cells[0]);
	if (!rc && lines)
		rc = tacho__foreign_end_lines(foreign, path, text.is_open, *lines);
	tacho__foreign_csv_close(&text);
	return rc;
}
