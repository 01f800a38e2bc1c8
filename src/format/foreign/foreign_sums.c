/* SPDX-License-Identifier: MIT */
/* Lines of sums as they come, and the tables that they become. */
#include "format/foreign/foreign_sums.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "base/number.h"
#include "base/text.h"
#include "format/foreign/foreign.h"
#include "format/foreign/foreign_csv.h"
#include "format/foreign/sums_lines.h"

enum {
	LINES_MAX = 256 * 1024,
	NAMES_MAX = 64 * 1024 * 1024, /* bytes of all names */
	TABLES_MAX = 4096,
	CELL_MAX = 64,	/* a longer one is no number */
	FILES_NAMED = 5 /* of those that are left out */
};

void tacho__foreign_sums_clear(struct tacho__foreign_sums_titles *titles)
{
	titles->name = -1;
	for (int i = 0; i < TACHO_SUMS_COLUMNS; i++) {
		titles->places[i] = -1;
		titles->scales[i] = 1;
	}
}

void tacho__foreign_explain_sums(struct tacho__foreign *foreign, const char *why, const char *cure)
{
	if (foreign->sums.why)
		return;
	foreign->sums.why = why;
	foreign->sums.cure = cure;
}

/* ---- cells ---- */

/* A number of any of these tools: a comma may be the point, and a "%" stand behind it. */
static bool read_real(const char *cell, double *out_value)
{
	size_t size = strlen(cell);
	char text[CELL_MAX];
	char *comma;

	if (size && cell[size - 1] == '%')
		size--;
	if (!size || size >= sizeof(text))
		return false;
	memcpy(text, cell, size);
	text[size] = '\0';
	comma = strchr(text, ',');
	if (comma && !strchr(text, '.'))
		*comma = '.';
	return !tacho__number_parse(text, size, out_value) && isfinite(*out_value) &&
	       *out_value >= 0;
}

/* Whole numbers are exact where their unit is the base. */
static bool read_cell(const char *cell, enum tacho_sums_column column, double scale,
		      union tacho__number *out_number)
{
	double value;

	if (tacho__foreign_sums_columns[column].is_whole && scale == 1 &&
	    tacho__foreign_csv_unsigned(cell, &out_number->u64))
		return out_number->u64 <= INT64_MAX;
	if (!read_real(cell, &value) || !(scale > 0) || !(value * scale < 9e18))
		return false;
	if (!tacho__foreign_sums_columns[column].is_whole) {
		out_number->f64 = value * scale;
		return true;
	}
	out_number->u64 = (uint64_t)llround(value * scale);
	return column != TACHO_SUMS_COUNT || value == floor(value);
}

/* Sizes in MB that are told as 0 are less than what the tool rounds to, and not known. */
static void take_cells(const struct tacho__foreign_sums_table *table,
		       const struct tacho__foreign_sums_titles *titles, char *const *cells,
		       size_t count, struct tacho__foreign_sums_line *line)
{
	for (int i = 0; i < TACHO_SUMS_COLUMNS; i++) {
		const char *cell = tacho__foreign_csv_get(cells, count, titles->places[i]);
		double scale = tacho__foreign_sums_columns[i].is_size ? titles->scales[i] : 1;
		union tacho__number *number = &line->numbers[i];
		bool is_known = read_cell(cell, (enum tacho_sums_column)i, scale, number);

		if (is_known && table->is_of_bytes && tacho__foreign_sums_columns[i].is_size &&
		    scale > 1 && i != TACHO_SUMS_DEVIATION &&
		    (tacho__foreign_sums_columns[i].is_whole ? !number->u64 : number->f64 == 0)) {
			line->nought |= (uint8_t)(1u << i);
			is_known = false;
		}
		line->known |= (uint8_t)((unsigned)is_known << i);
	}
}

/* ---- lines ---- */

static bool is_table(const struct tacho_sums *about, const struct tacho__foreign_sums_table *table)
{
	return about->kind == table->kind && !about->is_of_bytes == !table->is_of_bytes &&
	       !strcmp(about->part, table->part) &&
	       !strcmp(about->file, tacho__base_name(table->path));
}

static int find_table(struct tacho__foreign *foreign, const struct tacho__foreign_sums_table *table,
		      struct tacho__foreign_sums_lines **out_lines)
{
	struct tacho__foreign_sums *sums = &foreign->sums;
	struct tacho__arena *arena = &foreign->recording->arena;
	struct tacho__foreign_sums_lines lines = {
		.about = {.kind = table->kind, .is_of_bytes = table->is_of_bytes},
		.number = sums->table_count};
	int rc;

	for (size_t i = sums->table_count; i--;)
		if (is_table(&sums->tables[i].about, table)) {
			*out_lines = &sums->tables[i];
			return 0;
		}
	if (sums->table_count == TABLES_MAX)
		return tacho__fail(TACHO_E_PARSE, "", "name fewer files",
				   "more than %d tables of sums are no recording", TABLES_MAX);
	lines.about.file = tacho__arena_string(arena, tacho__base_name(table->path));
	lines.about.part = tacho__arena_string(arena, table->part);
	if (!lines.about.file || !lines.about.part)
		return TACHO_E_NOMEM;
	rc = tacho__array_add(&sums->tables, &sums->table_capacity, &sums->table_count, &lines,
			      sizeof(lines));
	*out_lines = rc ? NULL : &sums->tables[sums->table_count - 1];
	return rc;
}

/* Kernels are called as their authors wrote them, as those of recordings are. */
static const char *keep_name(struct tacho__foreign *foreign, enum tacho_sums_kind kind,
			     const char *name)
{
	char *written = kind == TACHO_SUMS_KERNELS
				? tacho__demangle(&foreign->objects.demangler, name)
				: NULL;
	const char *kept = NULL;

	if (!foreign->objects.demangler.failed)
		kept = tacho__arena_string(&foreign->recording->arena, written ? written : name);
	free(written);
	return kept;
}

int tacho__foreign_add_sums(struct tacho__foreign *foreign,
			    const struct tacho__foreign_sums_table *table,
			    const struct tacho__foreign_sums_titles *titles, char *const *cells,
			    size_t cell_count, bool *out_is_one)
{
	const uint8_t needed = 1u << TACHO_SUMS_COUNT | 1u << TACHO_SUMS_TOTAL;
	const char *name = tacho__foreign_csv_get(cells, cell_count, titles->name);
	struct tacho__foreign_sums *sums = &foreign->sums;
	struct tacho__foreign_sums_lines *lines = NULL;
	struct tacho__foreign_sums_line line = {0};
	int rc;

	take_cells(table, titles, cells, cell_count, &line);
	*out_is_one = *name && line.known & needed;
	if (!*out_is_one)
		return 0;
	if (!table->is_of_bytes && !table->is_partial)
		tacho__foreign_add_share(
			foreign,
			tacho__foreign_csv_get(cells, cell_count, titles->places[TACHO_SUMS_SHARE]),
			line.known & 1u << TACHO_SUMS_SHARE, line.numbers[TACHO_SUMS_SHARE].f64);
	sums->name_bytes += strlen(name);
	if (++sums->line_count > LINES_MAX || sums->name_bytes > NAMES_MAX)
		return tacho__fail(TACHO_E_PARSE,
				   tacho__detail("there are more than %d lines, or %d MiB of names",
						 LINES_MAX, NAMES_MAX >> 20),
				   "", "%s has too many sums for those of a program", table->path);
	rc = find_table(foreign, table, &lines);
	if (rc)
		return rc;
	line.number = lines->count;
	line.name = keep_name(foreign, table->kind, name);
	if (!line.name)
		return TACHO_E_NOMEM;
	return tacho__array_add(&lines->lines, &lines->capacity, &lines->count, &line,
				sizeof(line));
}

/* ---- tables ---- */

static int compare_tables(const void *left, const void *right)
{
	const struct tacho__foreign_sums_lines *a = left, *b = right;

	if (a->about.kind != b->about.kind)
		return a->about.kind < b->about.kind ? -1 : 1;
	if (a->about.is_of_bytes != b->about.is_of_bytes)
		return a->about.is_of_bytes < b->about.is_of_bytes ? -1 : 1;
	return a->number < b->number ? -1 : 1;
}

static int make_tables(struct tacho__foreign *foreign)
{
	struct tacho__foreign_sums *sums = &foreign->sums;
	struct tacho_recording *recording = foreign->recording;
	struct tacho_result *lines;
	struct tacho__buf text = {0};
	int rc = 0;

	recording->sums = calloc(sums->table_count, sizeof(*recording->sums));
	if (!recording->sums)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for tables of sums");
	qsort(sums->tables, sums->table_count, sizeof(*sums->tables), compare_tables);
	for (size_t i = 0; i < sums->table_count && !rc; i++) {
		rc = tacho__foreign_make_sums(&sums->tables[i], &lines);
		if (rc)
			break;
		recording->sums[i] = sums->tables[i].about;
		recording->sums[i].lines = lines;
		recording->sum_count++;
	}
	recording->why_sums = sums->why;
	recording->sums_cure = sums->cure;
	tacho__buf_printf(&text,
			  "%s: no timeline, no idle time, no launch by itself and no finding; for "
			  "these %s",
			  sums->why, sums->cure);
	recording->run.why_empty = tacho__buf_keep(&text, &recording->arena);
	return rc ? rc : recording->run.why_empty ? 0 : TACHO_E_NOMEM;
}

/* The files that have them, each once, a few of them by name. */
static void note_left_out(struct tacho__foreign *foreign)
{
	const struct tacho__foreign_sums *sums = &foreign->sums;
	struct tacho__buf names = {0};
	size_t files = 0;

	for (size_t i = 0; i < sums->table_count; i++) {
		const char *file = sums->tables[i].about.file;

		if (i && !strcmp(file, sums->tables[i - 1].about.file))
			continue;
		if (++files <= FILES_NAMED)
			tacho__buf_printf(&names, "%s%s", files > 1 ? ", " : "", file);
	}
	if (files > FILES_NAMED)
		tacho__buf_put(&names, ", ...");
	foreign->note.failed |= names.failed;
	tacho__foreign_note(foreign,
			    "%zu table%s of sums %s left out (%s): there are single calls or "
			    "launches to read.",
			    sums->table_count, tacho__plural(sums->table_count),
			    sums->table_count == 1 ? "is" : "are", tacho__buf_text(&names));
	tacho__buf_finish(&names);
}

int tacho__foreign_finish_sums(struct tacho__foreign *foreign)
{
	bool has_rows = false;

	tacho__foreign_begin_shares(foreign, "");
	if (!foreign->sums.table_count)
		return 0;
	for (size_t i = 0; i < foreign->source_count; i++)
		has_rows |= foreign->sources[i].told != 0;
	if (!has_rows)
		return make_tables(foreign);
	note_left_out(foreign);
	return 0;
}

void tacho__foreign_close_sums(struct tacho__foreign_sums *sums)
{
	for (size_t i = 0; i < sums->table_count; i++)
		free(sums->tables[i].lines);
	free(sums->tables);
}
