/* SPDX-License-Identifier: MIT */
/*
 * The table that PyTorch's profiler prints, print(prof.key_averages().table()), between other lines
 * of a program:
 *
 *	-----------------  ------------  ------------  ...  ------------
 *	             Name    Self CPU %      Self CPU  ...    # of Calls
 *	-----------------  ------------  ------------  ...  ------------
 *	         aten::mm         7.46%     165.524ms  ...         12660
 *	-----------------  ------------  ------------  ...  ------------
 *
 * Dashes say where cells are; titles may be longer than these. Lines of operators, of calls, of
 * kernels and of what was annotated stand in one table: which a line is, its times say, and whether
 * another has its name.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "base/text.h"
#include "format/foreign/foreign.h"
#include "format/foreign/foreign_csv.h"

enum {
	COLUMNS_MAX = 64,
	CELL_MAX = 64,
	NAME_ROOM = 16 * 1024, /* a longer name is cut */
	ROWS_MAX = 256 * 1024,
	DEVICE_MAX = 16,
};

enum what {
	NAME,
	CALLS,
	SELF_HOST,
	SELF_HOST_SHARE,
	HOST_TOTAL,
	HOST_TOTAL_SHARE,
	HOST_MEAN,
	SELF_DEVICE,
	SELF_DEVICE_SHARE,
	DEVICE_TOTAL,
	DEVICE_MEAN,
	WHATS
};

/* What the last line of dashes began. */
enum state { OUTSIDE, BEFORE_TITLES, BEHIND_TITLES, IN_TABLE };

struct column {
	size_t start, end; /* in characters */
};

struct table {
	struct tacho__foreign *foreign;
	const char *path;
	bool is_first;		   /* only names of lines with host time are looked for */
	struct tacho__map on_host; /* these names: texts */
	struct tacho__map told;	   /* lines: texts */
	enum state state;
	struct column columns[COLUMNS_MAX];
	size_t column_count;
	int places[WHATS]; /* -1 */
	char device[DEVICE_MAX];
	char cells[WHATS][CELL_MAX]; /* of the line, but for its name */
	char *name;
	uint64_t tables, again, lines, odd, cut_names, rows;
	bool is_rounded;
};

/* ---- titles ---- */

static bool are_dashes(const char *line)
{
	return !strncmp(line, "-----", 5) && line[strspn(line, "- ")] == '\0' &&
	       strstr(line, "-  -") != NULL;
}

static void take_dashes(struct table *table, const char *line)
{
	size_t at = 0;

	table->column_count = 0;
	while (line[at += strspn(line + at, " ")] && table->column_count < COLUMNS_MAX) {
		struct column *column = &table->columns[table->column_count++];

		column->start = at;
		at += strspn(line + at, "-");
		column->end = at;
	}
}

/* Cuts `end` off a text; false: it ends otherwise. */
static bool cut_end(char *text, const char *end)
{
	if (!tacho__ends_with(text, end))
		return false;
	text[strlen(text) - strlen(end)] = '\0';
	return true;
}

static enum what what_of(struct table *table, char *title)
{
	bool is_share, is_self, is_total, is_mean, is_host;

	if (!strcmp(title, "Name"))
		return NAME;
	if (!strcmp(title, "# of Calls") || !strcmp(title, "Number of Calls"))
		return CALLS;
	is_share = cut_end(title, " %");
	is_total = cut_end(title, " total");
	is_mean = cut_end(title, " time avg");
	is_self = !strncmp(title, "Self ", 5);
	title += is_self ? 5 : 0;
	if ((!is_self && !is_total && !is_mean) || title[strspn(title, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
								       "0123456789")])
		return WHATS;
	is_host = !strcmp(title, "CPU");
	if (!is_host)
		snprintf(table->device, sizeof(table->device), "%s", title);
	if (is_mean)
		return is_host ? HOST_MEAN : DEVICE_MEAN;
	if (is_self)
		return is_share ? (is_host ? SELF_HOST_SHARE : SELF_DEVICE_SHARE)
				: (is_host ? SELF_HOST : SELF_DEVICE);
	if (is_share)
		return is_host ? HOST_TOTAL_SHARE : WHATS;
	return is_host ? HOST_TOTAL : DEVICE_TOTAL;
}

/* Titles are apart by two blanks or more. */
static bool take_titles(struct table *table, char *line)
{
	int column = 0;

	for (int i = 0; i < WHATS; i++)
		table->places[i] = -1;
	*table->device = '\0';
	for (char *at = line + strspn(line, " "); *at; column++) {
		char *end = strstr(at, "  "), *next;
		enum what what;

		next = end ? end + strspn(end, " ") : at + strlen(at);
		if (end)
			*end = '\0';
		what = what_of(table, tacho__trim(at));
		if (what != WHATS && table->places[what] < 0)
			table->places[what] = column;
		at = next;
	}
	return table->places[NAME] == 0 && table->places[CALLS] > 0 &&
	       table->places[HOST_TOTAL] > 0 && table->places[HOST_MEAN] > 0;
}

/* ---- cells ---- */

/* Behind so many characters of UTF-8; the end where there are fewer. */
static char *skip(char *text, size_t count)
{
	for (; *text && count; count--)
		for (text++; (*text & 0xc0) == 0x80;)
			text++;
	return text;
}

/* Cuts the line; false: its cells do not stand below the dashes. */
static bool cut_line(struct table *table, char *line)
{
	char *starts[COLUMNS_MAX], *ends[COLUMNS_MAX], *at = line;
	size_t done = 0;

	for (size_t i = 0; i < table->column_count; i++) {
		char *gap = at;

		at = skip(at, table->columns[i].start - done);
		if (strspn(gap, " ") < (size_t)(at - gap))
			return false;
		starts[i] = at;
		at = ends[i] = skip(at, table->columns[i].end - table->columns[i].start);
		done = table->columns[i].end;
	}
	for (size_t i = table->column_count; i--;)
		*ends[i] = '\0';
	table->name = tacho__trim(starts[0]);
	for (int i = CALLS; i < WHATS; i++) {
		int place = table->places[i];
		bool is_there = place >= 0 && (size_t)place < table->column_count;

		snprintf(table->cells[i], CELL_MAX, "%s",
			 is_there ? tacho__trim(starts[place]) : "");
	}
	return true;
}

/* "1.234ms" in ns; below 0: it is no time. */
static double read_time(struct table *table, enum what what)
{
	char *cell = table->cells[what], *end;
	double time, scale;
	size_t size = strspn(cell, "0123456789.");

	end = cell + size;
	scale = !strcmp(end, "us") ? 1e3 : !strcmp(end, "ms") ? 1e6 : !strcmp(end, "s") ? 1e9 : 0;
	*end = '\0';
	if (!(scale > 0) || !tacho__foreign_csv_real(cell, &time) || !(time * scale < 9e18))
		return -1;
	table->is_rounded |= scale > 1e3;
	return time * scale;
}

/* ---- lines ---- */

static bool is_call(const char *name)
{
	static const char *const begins[] = {"cuda", "cu", "hip", "ur", "ze"};

	for (size_t i = 0; i < TACHO__ARRAY_SIZE(begins); i++) {
		size_t size = strlen(begins[i]);

		if (!strncmp(name, begins[i], size) && isupper((unsigned char)name[size]))
			return true;
	}
	return !strncmp(name, "hsa_", 4);
}

static bool is_transfer(const char *name)
{
	return !strncmp(name, "Memcpy", 6) || !strncmp(name, "Memset", 6);
}

/* What is added of a line: cells of a table of sums. */
struct told {
	enum tacho_sums_kind kind;
	const char *part, *more;
	double total, mean; /* below 0: not known */
	const char *share;
};

/* "CUDA", "CUDA, annotated", and of the tables behind the first "CUDA, table 2". */
static void name_part(const struct table *table, const struct told *told, char *part, size_t room)
{
	const char *comma = *told->part ? ", " : "";

	if (table->tables > 1)
		snprintf(part, room, "%s%s%stable %" PRIu64, told->part, told->more, comma,
			 table->tables);
	else
		snprintf(part, room, "%s%s", told->part, told->more);
}

/* "aten::mm (CUDA)": its time on a device is not to be added to that of the host. */
static void put_name(const struct table *table, const struct told *told, char *name, size_t room)
{
	if (told->kind == TACHO_SUMS_RANGES && told->part == table->device)
		snprintf(name, room, "%.*s (%s%s)", (int)room - 40, table->name, told->part,
			 told->more);
	else
		snprintf(name, room, "%s", table->name);
}

static void put_time(char *cell, size_t room, double ns)
{
	*cell = '\0';
	if (ns >= 0)
		snprintf(cell, room, "%.0f", ns);
}

static int add(struct table *table, const struct told *told)
{
	char name[NAME_ROOM], part[64], total[32], mean[32], share[CELL_MAX];
	char *cells[] = {name, table->cells[CALLS], total, mean, share};
	struct tacho__foreign_sums_table sums = {
		.kind = told->kind, .path = table->path, .part = part, .is_partial = true};
	struct tacho__foreign_sums_titles titles;
	bool is_one = false;
	int rc;

	tacho__foreign_sums_clear(&titles);
	titles.name = 0;
	titles.places[TACHO_SUMS_COUNT] = 1;
	titles.places[TACHO_SUMS_TOTAL] = 2;
	titles.places[TACHO_SUMS_MEAN] = 3;
	titles.places[TACHO_SUMS_SHARE] = 4;
	name_part(table, told, part, sizeof(part));
	put_name(table, told, name, sizeof(name));
	put_time(total, sizeof(total), told->total);
	put_time(mean, sizeof(mean), told->mean);
	snprintf(share, sizeof(share), "%s", told->share);
	rc = tacho__foreign_add_sums(table->foreign, &sums, &titles, cells,
				     TACHO__ARRAY_SIZE(cells), &is_one);
	table->lines += is_one;
	table->odd += !rc && !is_one;
	return rc;
}

/* A line without host time is of the device: work, or an annotation that has a line of the host. */
static int add_device(struct table *table, double self)
{
	struct told told = {.kind = TACHO_SUMS_KERNELS,
			    .part = "",
			    .more = "",
			    .total = self,
			    .mean = read_time(table, DEVICE_MEAN),
			    .share = table->cells[SELF_DEVICE_SHARE]};
	uint32_t name;
	int rc = tacho__foreign_text(table->foreign, table->name, &name);

	if (rc)
		return rc;
	if (tacho__map_get(&table->on_host, name)) {
		told.kind = TACHO_SUMS_RANGES;
		told.part = table->device;
		told.more = ", annotated";
	} else if (is_transfer(table->name)) {
		told.kind = TACHO_SUMS_TRANSFERS;
	}
	return add(table, &told);
}

/* An operator has host time, and the time of what it gave to a device. */
static int add_host(struct table *table, double total)
{
	bool is_of_api = is_call(table->name);
	struct told told = {.kind = is_of_api ? TACHO_SUMS_CALLS : TACHO_SUMS_RANGES,
			    .part = is_of_api ? "" : "CPU",
			    .more = "",
			    .total = total,
			    .mean = read_time(table, HOST_MEAN),
			    .share = table->cells[HOST_TOTAL_SHARE]};
	double on_device = read_time(table, DEVICE_TOTAL);
	int rc = add(table, &told);

	if (rc || is_of_api || !(on_device > 0))
		return rc;
	told = (struct told){.kind = TACHO_SUMS_RANGES,
			     .part = table->device,
			     .more = "",
			     .total = on_device,
			     .mean = read_time(table, DEVICE_MEAN),
			     .share = ""};
	return add(table, &told);
}

static int learn_name(struct table *table, bool is_on_host)
{
	uint32_t name;
	int rc;

	if (!is_on_host)
		return 0;
	rc = tacho__foreign_text(table->foreign, table->name, &name);
	return rc ? rc : tacho__map_set(&table->on_host, name, table);
}

/* All lines have a share of the host's time, be it none. */
static void take_share(struct table *table)
{
	char *cell = table->cells[SELF_HOST_SHARE];
	bool is_share = cut_end(cell, "%");
	double percent = 0;

	is_share = is_share && tacho__foreign_csv_real(cell, &percent);
	tacho__foreign_add_share(table->foreign, cell, is_share, percent);
}

/* 1: a table before has this line, too, for one may be printed in several orders. */
static int is_again(struct table *table)
{
	struct tacho__buf text = {0};
	uint32_t line = 0;
	int rc;

	tacho__buf_put(&text, table->name);
	for (int i = CALLS; i < WHATS; i++)
		tacho__buf_printf(&text, "\1%s", table->cells[i]);
	rc = text.failed ? TACHO_E_NOMEM : tacho__foreign_text(table->foreign, text.text, &line);
	tacho__buf_finish(&text);
	if (rc)
		return rc;
	if (tacho__map_get(&table->told, line))
		return table->tables > 1;
	return tacho__map_set(&table->told, line, table);
}

static int take_row(struct table *table, char *line)
{
	double host, device;
	int rc;

	if (++table->rows > ROWS_MAX)
		return tacho__fail(TACHO_E_PARSE,
				   tacho__detail("there are more than %d lines", ROWS_MAX), "",
				   "%s has too many sums for those of a program", table->path);
	if (!cut_line(table, line)) {
		table->odd += !table->is_first;
		return 0;
	}
	if (!*table->name) /* more of the stack of the line before */
		return 0;
	if (table->is_first)
		return learn_name(table, read_time(table, HOST_TOTAL) > 0);
	take_share(table);
	rc = is_again(table);
	if (rc) {
		table->again += rc == 1;
		return rc == 1 ? 0 : rc;
	}
	table->cut_names += tacho__ends_with(table->name, "...");
	host = read_time(table, HOST_TOTAL);
	device = read_time(table, SELF_DEVICE);
	return host == 0 && device > 0 ? add_device(table, device) : add_host(table, host);
}

/* Between two lines of dashes stand titles, then the lines of a table. */
static int take_line(void *user, char *line)
{
	struct table *table = user;
	if (are_dashes(line)) {
		if (table->state == BEHIND_TITLES || table->state == IN_TABLE) {
			table->state = table->state == IN_TABLE ? OUTSIDE : IN_TABLE;
			return 0;
		}
		take_dashes(table, line);
		table->state = BEFORE_TITLES;
		return 0;
	}
	if (table->state == IN_TABLE)
		return take_row(table, line);
	if (table->state == BEFORE_TITLES && take_titles(table, line)) {
		table->state = BEHIND_TITLES;
		table->tables++;
		tacho__foreign_begin_shares(table->foreign, table->path);
	} else {
		table->state = OUTSIDE;
	}
	return 0;
}

/* ---- the file ---- */

static int walk(struct table *table, bool is_first)
{
	table->is_first = is_first;
	table->state = OUTSIDE;
	table->rows = table->tables = 0;
	return tacho__foreign_read_lines(table->foreign, table->path, take_line, table,
					 is_first ? NULL : &table->lines);
}

static void note_lines(const struct table *table)
{
	struct tacho__foreign *foreign = table->foreign;

	if (table->is_rounded)
		tacho__foreign_note(foreign, "Times are rounded to four digits or more there: "
					     "those in ms to microseconds, those in s to "
					     "milliseconds.");
	if (table->cut_names)
		tacho__foreign_note(foreign,
				    "%" PRIu64 " name%s that end%s in ... %s cut in the file "
				    "(table(max_name_column_width=None) keeps them whole): several "
				    "may be alike.",
				    table->cut_names, tacho__plural(table->cut_names),
				    table->cut_names == 1 ? "s" : "",
				    table->cut_names == 1 ? "is" : "are");
	if (table->again)
		tacho__foreign_note(foreign,
				    "%" PRIu64 " line%s that a table before has, too, %s left out.",
				    table->again, tacho__plural(table->again),
				    table->again == 1 ? "is" : "are");
	if (table->odd)
		tacho__foreign_note(foreign,
				    "%" PRIu64 " line%s of tables without a name, numbers or all "
				    "columns %s left out.",
				    table->odd, tacho__plural(table->odd),
				    table->odd == 1 ? "is" : "are");
	if (!table->lines)
		foreign->recording->run.why_empty = "The tables have no rows.";
}

static int read_file(struct tacho__foreign *foreign, const struct tacho__foreign_file *file)
{
	struct table *table = calloc(1, sizeof(*table));
	int rc;

	if (!table)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory to read %s", file->path);
	table->foreign = foreign;
	table->path = file->path;
	rc = walk(table, true);
	if (!rc)
		rc = walk(table, false);
	if (!rc && table->state == IN_TABLE)
		rc = tacho__foreign_lose(foreign, table->path,
					 "ends within a table: its last lines are missing");
	if (!rc)
		note_lines(table);
	tacho__map_finish(&table->on_host);
	tacho__map_finish(&table->told);
	free(table);
	tacho__foreign_explain_sums(
		foreign,
		"it has sums of PyTorch's profiler over all runs of an operator and all launches "
		"of a kernel",
		"open the trace that prof.export_chrome_trace(\"trace.json\") writes");
	return rc ? rc : tacho__foreign_set_tool(foreign, "PyTorch's profiler, table");
}

static bool fits(const struct tacho__foreign_file *file)
{
	static const char *const titles[] = {"Self CPU %", "Self CPU total %"};
	const char *at = strstr(file->head, "Name  ");

	for (; at; at = strstr(at + 1, "Name  ")) {
		const char *next = at + 4 + strspn(at + 4, " ");

		for (size_t i = 0; i < TACHO__ARRAY_SIZE(titles); i++)
			if (!strncmp(next, titles[i], strlen(titles[i])))
				return true;
	}
	return false;
}

const struct tacho__foreign_reader tacho__foreign_kineto_table = {
	.name = "pytorch-table",
	.title = "PyTorch's profiler, printed table",
	.fits = fits,
	.read_file = read_file,
};
