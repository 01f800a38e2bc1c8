/* SPDX-License-Identifier: MIT */
/*
 * Tables of sums as text with bars, which rocprofv3 --summary prints between lines of the program
 * or writes to a file, and rocpd as Markdown:
 *
 *	ROCPROFV3 KERNEL_DISPATCH SUMMARY:
 *
 *	| NAME | DOMAIN | CALLS | DURATION (nsec) | AVERAGE (nsec) | PERCENT (INC) | ...
 *	|------|--------|-------|-----------------|----------------|---------------|-...
 *
 * The last table has lines of all domains. Those that had a table of their own stand there again.
 */
#include <inttypes.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/error.h"
#include "base/text.h"
#include "format/foreign/amd_csv.h"

enum {
	CELLS_MAX = 16,
	DOMAINS_MAX = 32,
	DOMAIN_ROOM = 48,
};

static const struct {
	const char *begin; /* of the title, of which the rest is a unit */
	enum tacho_sums_column column;
} titles[] = {
	{"CALLS", TACHO_SUMS_COUNT},	  {"DURATION (", TACHO_SUMS_TOTAL},
	{"AVERAGE (", TACHO_SUMS_MEAN},	  {"PERCENT", TACHO_SUMS_SHARE},
	{"MIN (", TACHO_SUMS_MIN},	  {"MAX (", TACHO_SUMS_MAX},
	{"STDDEV", TACHO_SUMS_DEVIATION}, {"STD_DEV", TACHO_SUMS_DEVIATION},
};

struct domain {
	char name[DOMAIN_ROOM];
	bool is_told; /* by a table that has ended */
};

struct reading {
	struct tacho__foreign *foreign;
	const char *path;
	struct tacho__buf part; /* the heading of the table */
	struct tacho__foreign_sums_titles places;
	size_t cell_count; /* of a line; 0: no table */
	int domain;	   /* the place of what a line is of; -1 */
	struct domain domains[DOMAINS_MAX];
	size_t domain_count;
	uint64_t lines, odd, again;
	bool is_rounded;
};

static bool begins(const char *line, const char *text)
{
	return !strncasecmp(line, text, strlen(text));
}

/* The cells between bars. A name may have bars itself: all others are cut off at the end. */
static size_t cut(char *line, size_t count, char *cells[CELLS_MAX])
{
	size_t size = strlen(line), found = 0;

	if (*line != '|' || size < 2 || line[size - 1] != '|')
		return 0;
	line[size - 1] = '\0';
	if (!count) {
		for (char *at = line; at && found < CELLS_MAX; at = strchr(at + 1, '|'))
			found++;
		count = found;
	}
	for (size_t i = count; i-- > 1;) {
		char *bar = strrchr(line + 1, '|');

		if (!bar)
			return 0;
		*bar = '\0';
		cells[i] = tacho__trim(bar + 1);
	}
	cells[0] = tacho__trim(line + 1);
	return count;
}

/* ---- titles ---- */

/* "DURATION (usec)": 1000; without a unit 1. */
static double scale_of(const char *title)
{
	const char *unit = strchr(title, '(');

	switch (unit ? unit[1] : 'n') {
	case 'u': return 1e3;
	case 'm': return 1e6;
	case 's': return 1e9;
	default: return 1;
	}
}

/* What domains the table that ends has told, the ones to come need not tell again. */
static void end_table(struct reading *reading)
{
	for (size_t i = 0; i < reading->domain_count; i++)
		reading->domains[i].is_told = true;
	reading->cell_count = 0;
}

static bool are_titles(const char *line)
{
	const char *at = line + strspn(line, " \t");

	if (*at++ != '|')
		return false;
	at += strspn(at, " ");
	return begins(at, "NAME ") && strcasestr(at, " DURATION (") != NULL;
}

static bool take_titles(struct reading *reading, char *line)
{
	char *cells[CELLS_MAX];
	size_t count = are_titles(line) ? cut(line, 0, cells) : 0;

	if (!count)
		return false;
	end_table(reading);
	tacho__foreign_begin_shares(reading->foreign, reading->path);
	tacho__foreign_sums_clear(&reading->places);
	reading->places.name = 0;
	reading->domain = tacho__foreign_csv_find(cells, count, "DOMAIN");
	for (size_t i = 1; i < count; i++)
		for (size_t k = 0; k < TACHO__ARRAY_SIZE(titles); k++)
			if (begins(cells[i], titles[k].begin)) {
				reading->places.places[titles[k].column] = (int)i;
				reading->places.scales[titles[k].column] = scale_of(cells[i]);
			}
	/* the deviation has the unit of the others and does not say it */
	reading->places.scales[TACHO_SUMS_DEVIATION] = reading->places.scales[TACHO_SUMS_TOTAL];
	reading->cell_count = count;
	return true;
}

/* ---- lines ---- */

/* Whether an earlier table has told this domain; one that is new is kept. */
static bool is_told(struct reading *reading, const char *name)
{
	struct domain *domain = reading->domains;

	for (size_t i = 0; i < reading->domain_count; i++, domain++)
		if (!strncmp(domain->name, name, DOMAIN_ROOM - 1))
			return domain->is_told;
	if (*name && reading->domain_count < DOMAINS_MAX) {
		*domain = (struct domain){0};
		memcpy(domain->name, name, strnlen(name, DOMAIN_ROOM - 1));
		reading->domain_count++;
	}
	return false;
}

static enum tacho_sums_kind kind_of(const char *domain)
{
	return begins(domain, "KERNEL")	       ? TACHO_SUMS_KERNELS
	       : begins(domain, "MEMORY_COPY") ? TACHO_SUMS_TRANSFERS
	       : begins(domain, "MARKER")      ? TACHO_SUMS_RANGES
					       : TACHO_SUMS_CALLS;
}

static int add_line(struct reading *reading, enum tacho_sums_kind kind, char **cells)
{
	struct tacho__foreign_sums_table table = {
		.kind = kind, .path = reading->path, .part = tacho__buf_text(&reading->part)};
	bool is_one = false;
	int rc;

	if (kind == TACHO_SUMS_KERNELS)
		cells[0][tacho__amd_name_size(cells[0])] = '\0';
	reading->is_rounded |=
		strchr(tacho__foreign_csv_get(cells, reading->cell_count,
					      reading->places.places[TACHO_SUMS_MEAN]),
		       'e') != NULL;
	rc = tacho__foreign_add_sums(reading->foreign, &table, &reading->places, cells,
				     reading->cell_count, &is_one);
	reading->lines += is_one;
	reading->odd += !rc && !is_one;
	return rc;
}

static int take_row(struct reading *reading, char *line)
{
	char *cells[CELLS_MAX];
	const char *domain;
	int kind;

	if (cut(line, reading->cell_count, cells) != reading->cell_count) {
		reading->odd++;
		return 0;
	}
	domain = tacho__foreign_csv_get(cells, reading->cell_count, reading->domain);
	if (is_told(reading, domain)) {
		reading->again++;
		tacho__foreign_add_share(reading->foreign, "", false, 0);
		return 0;
	}
	kind = *domain ? (int)kind_of(domain) : tacho__amd_sums_kind(reading->path, cells[0]);
	return kind < 0 ? 0 : add_line(reading, (enum tacho_sums_kind)kind, cells);
}

/* "ROCPROFV3 HIP_API SUMMARY:" */
static bool take_heading(struct reading *reading, const char *line)
{
	static const char tool[] = "ROCPROFV3 ";

	if (!begins(line, tool) || !tacho__ends_with(line, "SUMMARY:"))
		return false;
	tacho__buf_clear(&reading->part);
	tacho__buf_add(&reading->part, line + strlen(tool), strlen(line + strlen(tool)) - 1);
	return true;
}

static int take_line(void *user, char *line)
{
	struct reading *reading = user;
	line = tacho__trim(line);
	if (take_heading(reading, line))
		return reading->part.failed ? TACHO_E_NOMEM : 0;
	if (take_titles(reading, line) || !reading->cell_count || begins(line, "|-") ||
	    begins(line, "|:"))
		return 0;
	if (*line == '|')
		return take_row(reading, line);
	end_table(reading);
	return 0;
}

/* ---- the file ---- */

static void note_lines(const struct reading *reading)
{
	struct tacho__foreign *foreign = reading->foreign;

	if (reading->is_rounded)
		tacho__foreign_note(foreign, "Averages and deviations are rounded to four digits "
					     "in such a summary.");
	if (reading->again)
		tacho__foreign_note(foreign,
				    "%" PRIu64 " line%s of a table of all kinds %s left out: %s in "
				    "a table before.",
				    reading->again, tacho__plural(reading->again),
				    reading->again == 1 ? "is" : "are",
				    reading->again == 1 ? "it is" : "they are");
	if (reading->odd)
		tacho__foreign_note(foreign,
				    "%" PRIu64 " line%s of tables without a name or numbers %s "
				    "left out.",
				    reading->odd, tacho__plural(reading->odd),
				    reading->odd == 1 ? "is" : "are");
	if (!reading->lines)
		foreign->recording->run.why_empty = "The tables have no rows.";
}

static int read_file(struct tacho__foreign *foreign, const struct tacho__foreign_file *file)
{
	struct reading reading = {.foreign = foreign, .path = file->path, .domain = -1};
	int rc =
		tacho__foreign_read_lines(foreign, file->path, take_line, &reading, &reading.lines);

	if (!rc)
		note_lines(&reading);
	tacho__buf_finish(&reading.part);
	tacho__foreign_explain_sums(
		foreign, "it is a summary of rocprofv3: sums over all launches of a kernel",
		"open the database or traces that rocprofv3 writes beside it");
	return rc ? rc : tacho__foreign_set_tool(foreign, "rocprofv3, summary");
}

static bool fits(const struct tacho__foreign_file *file)
{
	for (const char *line = file->head; line && *line; line = strchr(line, '\n')) {
		char titles_of[256] = "";

		line += strspn(line, "\r\n");
		memcpy(titles_of, line, strnlen(line, sizeof(titles_of) - 1));
		if (are_titles(titles_of))
			return true;
	}
	return false;
}

const struct tacho__foreign_reader tacho__foreign_amd_summary = {
	.name = "rocprofv3-summary",
	.title = "rocprofv3, rocpd: summary as text",
	.fits = fits,
	.read_file = read_file,
};
