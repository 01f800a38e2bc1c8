/* SPDX-License-Identifier: MIT */
/* Counters: a mean in a cell of the kernels' table, and a table of all that is known of them. */
#include "format/html/html.h"

#include <stdbool.h>
#include <string.h>

#include "base/array.h"
#include "model/shape.h"
#include "tacho/sys/units.h"

static bool adds_up(const struct tacho_entry *counter)
{
	return strcmp(counter->semantic, "event") == 0 ||
	       strcmp(counter->semantic, "duration") == 0;
}

/* A counter of a line, or an instance of it: its statistics. */
struct cell {
	const struct tacho_entry *counter;
	const struct tacho_column *columns;
	size_t line, instance;
};

static uint64_t get_number(const struct cell *cell, enum tacho_statistic what)
{
	const struct tacho_column *column = &cell->columns[what];

	return column->data.u64[cell->line * column->instance_count + cell->instance];
}

static double get_real(const struct cell *cell, enum tacho_statistic what)
{
	return tacho_column_get_value(&cell->columns[what], cell->line, cell->instance);
}

static uint8_t get_state(const struct cell *cell)
{
	return tacho_column_get_state(cell->columns, cell->line, cell->instance);
}

static const char *get_note(const struct cell *cell)
{
	return tacho_column_get_note(cell->columns, cell->line, cell->instance);
}

/* Whether there is such a thing, and the line can have it. */
static bool is_shown(const struct cell *cell)
{
	return tacho_column_is_present(cell->columns, cell->instance) &&
	       !(get_state(cell) & TACHO_MARK_FOREIGN);
}

/* What a number is not plainly, as small marks behind it. */
static void put_marks(FILE *stream, const struct cell *cell)
{
	uint64_t measured = get_number(cell, TACHO_STATISTIC_MEASURED);
	uint64_t missing = get_number(cell, TACHO_STATISTIC_COUNT) - measured;
	uint8_t marks = get_state(cell), state = marks & TACHO_STATE_MASK;
	char text[TACHO_UNITS_MAX];

	if (state == TACHO_STATE_SCALED)
		fprintf(stream, " <small class=\"mark\">scaled %.3g%%</small>",
			100 * tacho_column_get_coverage(cell->columns, cell->line, cell->instance));
	else if (state == TACHO_STATE_OVERFLOW || state == TACHO_STATE_LOST)
		fprintf(stream, " <small class=\"mark\">%s</small>", tacho_state_to_string(state));
	else if (measured && missing)
		tacho__html_print(stream, " <small class=\"mark\">%s missing</small>",
				  tacho_units_count(text, missing));
	if (marks & TACHO_MARK_DEFAULT)
		fputs(" <small class=\"mark\">default</small>", stream);
	if (marks & TACHO_MARK_DIV0)
		fputs(" <small class=\"mark\">divided by 0</small>", stream);
}

static void put_real(FILE *stream, double number, const char *unit)
{
	char text[TACHO_UNITS_MAX];

	tacho_units_value(text, number, unit);
	fprintf(stream, "<td class=\"num\" data-v=\"%.17g\">", number);
	tacho__html_print(stream, "%s</td>", text);
}

void tacho__html_put_value(const struct tacho__html *page, const struct tacho_column *columns,
			   size_t line)
{
	const struct cell of_line = {.columns = columns, .line = line}, *cell = &of_line;
	const char *unit = columns[TACHO_STATISTIC_MEAN].unit;
	double value = get_real(cell, TACHO_STATISTIC_MEAN);
	char text[TACHO_UNITS_MAX];

	if (!get_number(cell, TACHO_STATISTIC_MEASURED)) {
		tacho__html_put_absent(page->stream, get_state(cell) & TACHO_MARK_FOREIGN
							     ? "such a launch cannot have it"
							     : get_note(cell));
		return;
	}
	fprintf(page->stream, "<td class=\"num\" data-v=\"%.17g\">", value);
	tacho__html_print(page->stream, "%s", tacho_units_value(text, value, unit));
	if (strcmp(unit, "percent") == 0)
		fputs("%", page->stream);
	put_marks(page->stream, cell);
	fputs("</td>", page->stream);
}

static void put_total(FILE *stream, const struct cell *cell)
{
	const struct tacho_entry *counter = cell->counter;
	uint64_t total = get_number(cell, TACHO_STATISTIC_TOTAL);
	bool has_unit = strcmp(counter->unit, "nanoseconds") == 0 ||
			strcmp(counter->unit, "bytes") == 0 ||
			strcmp(counter->unit, "bytes/second") == 0;
	uint8_t state = get_state(cell) & TACHO_STATE_MASK;
	char text[TACHO_UNITS_MAX];

	if (!get_number(cell, TACHO_STATISTIC_MEASURED))
		tacho__html_put_absent(stream, get_note(cell));
	else if (!adds_up(counter))
		tacho__html_put_absent(stream, "such values do not add up");
	else if (counter->type == TACHO_TYPE_U64 && !has_unit && state != TACHO_STATE_OVERFLOW)
		tacho__html_put_number(stream, total, tacho_units_count(text, total));
	else
		put_real(stream, get_real(cell, TACHO_STATISTIC_TOTAL), counter->unit);
}

/* "[DIMENSION_XCC=1;DIMENSION_INSTANCE=0]", as in CSV. */
static void put_position(FILE *stream, const struct cell *cell)
{
	const struct tacho_column *column = cell->columns;
	uint32_t positions[TACHO_DIMENSION_MAX];

	tacho__shape_position(column->dimensions, column->dimension_count, cell->instance,
			      positions);
	for (uint32_t i = 0; i < column->dimension_count; i++)
		tacho__html_print(stream, "%s%s=%u", i ? ";" : "[", column->dimensions[i].name,
				  positions[i]);
	if (column->dimension_count)
		fputs("]", stream);
}

static void put_row(const struct tacho__html *page, const struct tacho_summary_line *info,
		    const struct cell *cell)
{
	const struct tacho_entry *counter = cell->counter;
	uint64_t measured = get_number(cell, TACHO_STATISTIC_MEASURED);
	FILE *stream = page->stream;
	char counted[TACHO_UNITS_MAX];

	tacho__html_print(stream,
			  "<tr><th scope=\"row\"><span class=\"name\">%s</span></th>"
			  "<td>%s</td><td title=\"%s\">%s",
			  *info->name ? info->name : "(no name)", info->device,
			  counter->description, counter->name);
	put_position(stream, cell);
	tacho__html_print(stream, "%s</td><td>%s</td>", counter->is_simulated ? " [simulated]" : "",
			  counter->unit);
	tacho__html_put_number(stream, measured, tacho_units_count(counted, measured));
	put_total(stream, cell);
	for (int i = TACHO_STATISTIC_MEAN; i <= TACHO_STATISTIC_MAX; i++) {
		if (measured)
			put_real(stream, get_real(cell, (enum tacho_statistic)i), counter->unit);
		else
			tacho__html_put_absent(stream, get_note(cell));
	}
	fputs("<td>", stream);
	if (measured)
		put_marks(stream, cell);
	else
		fputs("<small class=\"mark\">absent</small>", stream);
	fputs("</td></tr>\n", stream);
}

static bool has_state(const struct tacho__html *page, enum tacho_summary_key key, uint8_t mask,
		      uint8_t wanted)
{
	size_t count = tacho_summary_get_line_count(page->summary, key);
	struct cell cell = {0};

	for (size_t k = 0; (cell.columns = tacho_summary_get_columns(page->summary, key, k)); k++)
		for (cell.line = 0; cell.line < count; cell.line++)
			for (cell.instance = 0; cell.instance < cell.columns->instance_count;
			     cell.instance++)
				if ((get_state(&cell) & mask) == wanted)
					return true;
	return false;
}

/* The reason, and the counters that it is about. */
static void put_reason(const struct tacho__html *page, const struct tacho_summary_reason *reason)
{
	enum { NAMES_MAX = 4 };
	const struct tacho_entry *counter;
	size_t count = 0;

	fputs("<li><b>", page->stream);
	for (size_t i = 0; (counter = tacho_recording_get_counter(page->recording, i)); i++)
		if (reason->is_of[i] && count++ < NAMES_MAX)
			tacho__html_print(page->stream, "%s%s", count > 1 ? ", " : "",
					  counter->name);
	if (count > NAMES_MAX)
		fprintf(page->stream, " and %zu more", count - NAMES_MAX);
	tacho__html_print(page->stream, "</b> %s</li>\n", reason->text);
}

/* The cells have no room for them. */
static size_t put_counter_reasons(const struct tacho__html *page, enum tacho_summary_key key)
{
	enum { REASONS_MAX = 30 };
	const struct tacho_summary_reason *reason;
	size_t told = 0;

	while (told < REASONS_MAX &&
	       (reason = tacho_summary_get_reason(page->summary, key, told))) {
		if (!told++)
			fputs("<ul class=\"reasons\">\n", page->stream);
		put_reason(page, reason);
	}
	return told;
}

void tacho__html_put_value_reasons(const struct tacho__html *page, enum tacho_summary_key key)
{
	FILE *stream = page->stream;

	if (!tacho_recording_get_counting(page->recording))
		return;
	if (put_counter_reasons(page, key))
		fputs("</ul>\n", stream);
	if (has_state(page, key, TACHO_STATE_MASK, TACHO_STATE_SCALED))
		fputs("<p class=\"reasons\"><b>scaled</b> counted in that part of the time or of "
		      "the launches; the total is extrapolated</p>\n",
		      stream);
	if (has_state(page, key, TACHO_MARK_DEFAULT, TACHO_MARK_DEFAULT))
		fputs("<p class=\"reasons\"><b>default</b> rests on what the simulated device "
		      "takes "
		      "for what a launch does not tell</p>\n",
		      stream);
}

/* A row for each instance. */
static size_t put_counter(const struct tacho__html *page, const struct tacho_summary_line *line,
			  struct cell *cell, size_t put)
{
	for (cell->instance = 0; cell->instance < cell->columns->instance_count; cell->instance++) {
		if (!is_shown(cell))
			continue;
		if (put < TACHO__HTML_ROWS_MAX)
			put_row(page, line, cell);
		put++;
	}
	return put;
}

/* The rows of one key; returns how many. */
static size_t put_rows(const struct tacho__html *page, enum tacho_summary_key key, size_t put)
{
	const struct tacho_summary_line *line;
	struct cell cell = {0};

	for (; (line = tacho_summary_get_line(page->summary, key, cell.line)); cell.line++)
		for (size_t k = 0; (cell.counter = tacho_recording_get_counter(page->recording, k));
		     k++) {
			cell.columns = tacho_summary_get_columns(page->summary, key, k);
			put = put_counter(page, line, &cell, put);
		}
	return put;
}

void tacho__html_put_values(const struct tacho__html *page)
{
	static const char *const names[] = {"kernel or transfer", "device", "counter", "unit"};
	static const char *const titles[] = {"counted", "total", "average", "min", "max"};
	const struct tacho_recorded_counting *counting =
		tacho_recording_get_counting(page->recording);
	FILE *stream = page->stream;
	size_t rows;

	if (!counting)
		return;
	tacho__html_begin_section(page, "counters", "Counters");
	fputs("<div class=\"scroll\" tabindex=\"0\" role=\"group\" "
	      "aria-labelledby=\"counters-title\">\n<table class=\"data\">\n<caption>per launch or "
	      "transfer",
	      stream);
	if (*counting->device)
		tacho__html_print(stream, ", on %s", counting->device);
	fputs("</caption>\n<thead><tr>", stream);
	tacho__html_put_titles(stream, false, names, TACHO__ARRAY_SIZE(names));
	tacho__html_put_titles(stream, true, titles, TACHO__ARRAY_SIZE(titles));
	fputs("<th scope=\"col\" data-sort=\"text\">note</th></tr></thead>\n<tbody>\n", stream);
	rows = put_rows(page, TACHO_BY_KERNEL, 0);
	rows = put_rows(page, TACHO_BY_TRANSFER, rows);
	fputs("</tbody></table></div>\n", stream);
	if (rows > TACHO__HTML_ROWS_MAX)
		fprintf(stream,
			"<p class=\"rest\">and %zu more: <code>tacho report NAME --json</code> has "
			"all</p>\n",
			rows - TACHO__HTML_ROWS_MAX);
	tacho__html_put_value_reasons(page, TACHO_BY_TRANSFER);
	fputs("</section>\n", stream);
}
