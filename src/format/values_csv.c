/* SPDX-License-Identifier: MIT */
/*
 * Values as CSV. One row a launch with a column for each counter, or one row for each counter of a
 * launch, as rocprofv3 writes them; written is the first form.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/number.h"
#include "format/csv.h"
#include "format/sheet.h"
#include "format/values_file.h"
#include "model/shape.h"

/* Columns that are about the row. */
enum role {
	ROLE_ID,
	ROLE_NAME,
	ROLE_DEVICE,
	ROLE_PROCESS,
	ROLE_COUNTER,
	ROLE_VALUE,
	ROLE_COUNT,
	ROLE_NONE
};

/* When a line of the long form says that its launch ran. */
struct stamp {
	size_t row, line;
	uint64_t begin_ns, end_ns;
};

struct reader {
	struct tacho__csv_reader csv;
	struct tacho__sheet sheet;
	struct tacho__arena arena;
	const char **header;
	size_t column_count;
	size_t roles[ROLE_COUNT]; /* the column; SIZE_MAX: none */
	struct tacho_row *rows;
	size_t row_count, row_capacity;
	struct tacho__names row_numbers, series_numbers; /* of the long form, plus 1 */
	size_t begin_column, end_column;		 /* its stamps; SIZE_MAX: none */
	struct stamp *stamps;
	size_t stamp_count, stamp_capacity;
};

static enum role find_role(const char *title)
{
	static const struct {
		const char *title;
		enum role role;
	} titles[] = {
		{"Dispatch_Id", ROLE_ID},	{"id", ROLE_ID},
		{"Kernel_Name", ROLE_NAME},	{"name", ROLE_NAME},
		{"device", ROLE_DEVICE},	{"Process_Id", ROLE_PROCESS},
		{"Counter_Name", ROLE_COUNTER}, {"Counter_Value", ROLE_VALUE},
	};

	for (size_t i = 0; i < TACHO__ARRAY_SIZE(titles); i++)
		if (!strcasecmp(title, titles[i].title))
			return titles[i].role;
	return ROLE_NONE;
}

static int read_header(struct reader *reader)
{
	char **cells;
	int rc = tacho__csv_reader_next(&reader->csv, &cells, &reader->column_count);

	if (rc)
		return rc;
	reader->header =
		tacho__arena_get(&reader->arena, reader->column_count * sizeof(*reader->header));
	if (!reader->header)
		return TACHO_E_NOMEM;
	reader->begin_column = reader->end_column = SIZE_MAX;
	for (size_t role = 0; role < ROLE_COUNT; role++)
		reader->roles[role] = SIZE_MAX;
	for (size_t i = 0; i < reader->column_count; i++) {
		enum role role = find_role(cells[i]);

		reader->header[i] = cells[i];
		if (!strcasecmp(cells[i], "Start_Timestamp"))
			reader->begin_column = i;
		if (!strcasecmp(cells[i], "End_Timestamp"))
			reader->end_column = i;
		if (role != ROLE_NONE && reader->roles[role] == SIZE_MAX)
			reader->roles[role] = i;
	}
	if (reader->roles[ROLE_NAME] != SIZE_MAX)
		reader->csv.text_column = (ptrdiff_t)reader->roles[ROLE_NAME];
	return 0;
}

static const char *get_role(const struct reader *reader, char **cells, enum role role)
{
	return reader->roles[role] == SIZE_MAX ? "" : cells[reader->roles[role]];
}

static int add_row(struct reader *reader, char **cells)
{
	const char *text = get_role(reader, cells, ROLE_ID);
	uint64_t id;
	char *end;

	if (tacho__array_reserve(&reader->rows, &reader->row_capacity, reader->row_count,
				 sizeof(*reader->rows)))
		return TACHO_E_NOMEM;
	id = strtoull(text, &end, 10);
	if (end == text || *end)
		id = reader->row_count;
	reader->rows[reader->row_count++] =
		(struct tacho_row){.id = id,
				   .name = get_role(reader, cells, ROLE_NAME),
				   .device = get_role(reader, cells, ROLE_DEVICE)};
	return 0;
}

static bool is_counter(const struct reader *reader, size_t column)
{
	return column != reader->roles[ROLE_ID] && column != reader->roles[ROLE_NAME] &&
	       column != reader->roles[ROLE_DEVICE] && column != reader->roles[ROLE_PROCESS] &&
	       column != reader->roles[ROLE_COUNTER] && column != reader->roles[ROLE_VALUE] &&
	       reader->header[column][0];
}

static int read_wide(struct reader *reader)
{
	size_t *series = tacho__arena_get(&reader->arena, reader->column_count * sizeof(*series));
	size_t count;
	char **cells;
	int rc = series ? 0 : TACHO_E_NOMEM;

	for (size_t i = 0; i < reader->column_count && !rc; i++)
		if (is_counter(reader, i))
			rc = tacho__sheet_add_series(&reader->sheet, reader->header[i], &series[i]);
	while (!rc && !(rc = tacho__csv_reader_next(&reader->csv, &cells, &count)) && count) {
		rc = add_row(reader, cells);
		for (size_t i = 0; i < count && !rc; i++)
			if (is_counter(reader, i))
				rc = tacho__sheet_set(&reader->sheet, series[i],
						      reader->row_count - 1, cells[i],
						      reader->csv.line);
	}
	return rc;
}

/* The number of a name, given in the order of their coming; *out_is_new when it had none. */
static int get_number(struct reader *reader, struct tacho__names *names, const char *name,
		      size_t next, size_t *out_number, bool *out_is_new)
{
	uintptr_t known = (uintptr_t)tacho__names_get(names, name);
	char *copy;

	*out_is_new = !known;
	*out_number = known ? known - 1 : next;
	if (known)
		return 0;
	copy = tacho__arena_string(&reader->arena, name);
	return copy ? tacho__names_set(names, copy, (void *)(uintptr_t)(next + 1)) : TACHO_E_NOMEM;
}

static bool is_stamp(const struct reader *reader, size_t column)
{
	return reader->end_column != SIZE_MAX &&
	       (column == reader->begin_column || column == reader->end_column);
}

/* What the first line of a launch says of it: columns that are no counter's. */
static int add_facts(struct reader *reader, size_t row, char **cells, size_t count)
{
	size_t series;
	bool is_new;
	int rc = 0;

	for (size_t i = 0; i < count && !rc; i++) {
		if (!is_counter(reader, i) || is_stamp(reader, i))
			continue;
		rc = get_number(reader, &reader->series_numbers, reader->header[i],
				reader->sheet.series_count, &series, &is_new);
		if (!rc && is_new)
			rc = tacho__sheet_add_series(&reader->sheet, reader->header[i], &series);
		if (!rc)
			rc = tacho__sheet_set(&reader->sheet, series, row, cells[i],
					      reader->csv.line);
	}
	return rc;
}

static int keep_stamp(struct reader *reader, size_t row, char **cells)
{
	struct stamp stamp = {.row = row, .line = reader->csv.line};
	char *end;

	if (reader->begin_column == SIZE_MAX || reader->end_column == SIZE_MAX)
		return 0;
	stamp.begin_ns = strtoull(cells[reader->begin_column], &end, 10);
	if (end == cells[reader->begin_column] || *end)
		return 0;
	stamp.end_ns = strtoull(cells[reader->end_column], &end, 10);
	if (end == cells[reader->end_column] || *end || stamp.end_ns < stamp.begin_ns)
		return 0;
	return tacho__array_add(&reader->stamps, &reader->stamp_capacity, &reader->stamp_count,
				&stamp, sizeof(stamp));
}

static int compare_stamps(const void *left, const void *right)
{
	const struct stamp *a = left, *b = right;
	uint64_t took_a = a->end_ns - a->begin_ns, took_b = b->end_ns - b->begin_ns;

	return a->row != b->row ? (a->row > b->row) - (a->row < b->row)
				: (took_a > took_b) - (took_a < took_b);
}

static int set_stamp(struct reader *reader, const struct stamp *stamp, size_t column,
		     const char *text)
{
	const char *kept = tacho__arena_string(&reader->arena, text);
	size_t series;
	bool is_new;
	int rc = get_number(reader, &reader->series_numbers, reader->header[column],
			    reader->sheet.series_count, &series, &is_new);

	if (!rc && is_new)
		rc = tacho__sheet_add_series(&reader->sheet, reader->header[column], &series);
	if (rc || !kept)
		return rc ? rc : TACHO_E_NOMEM;
	return tacho__sheet_set(&reader->sheet, series, stamp->row, kept, stamp->line);
}

/*
 * A launch whose lines have other times ran several times, for a few counters each: then it began
 * at 0 and ended after the median of how long it took.
 */
static int add_stamps(struct reader *reader)
{
	size_t count = 0;
	int rc = 0;

	if (reader->stamp_count)
		qsort(reader->stamps, reader->stamp_count, sizeof(*reader->stamps), compare_stamps);
	for (size_t i = 0; i < reader->stamp_count && !rc; i += count) {
		const struct stamp *first = &reader->stamps[i], *low, *high;
		char begin[24] = "0", end[32];
		bool is_one = true;
		uint64_t twice;

		for (count = 0; i + count < reader->stamp_count && first[count].row == first->row;
		     count++)
			is_one &= first[count].begin_ns == first->begin_ns &&
				  first[count].end_ns == first->end_ns;
		low = &first[(count - 1) / 2];
		high = &first[count / 2];
		twice = low->end_ns - low->begin_ns + (high->end_ns - high->begin_ns);
		snprintf(end, sizeof(end), "%" PRIu64 "%s", is_one ? first->end_ns : twice / 2,
			 !is_one && twice % 2 ? ".5" : "");
		if (is_one)
			snprintf(begin, sizeof(begin), "%" PRIu64, first->begin_ns);
		rc = set_stamp(reader, first, reader->begin_column, begin);
		if (!rc)
			rc = set_stamp(reader, first, reader->end_column, end);
	}
	return rc;
}

static int read_long_row(struct reader *reader, char **cells, size_t count)
{
	const char *counter = cells[reader->roles[ROLE_COUNTER]];
	char key[96];
	size_t row, series;
	bool is_new;
	int rc;

	if (!counter[0])
		return tacho__fail(TACHO_E_PARSE, "the name of the counter is empty", "",
				   "cannot read line %zu of %s", reader->csv.line,
				   reader->csv.name);
	snprintf(key, sizeof(key), "%.40s/%.40s", get_role(reader, cells, ROLE_PROCESS),
		 get_role(reader, cells, ROLE_ID));
	rc = get_number(reader, &reader->row_numbers, key, reader->row_count, &row, &is_new);
	if (!rc && is_new) {
		rc = add_row(reader, cells);
		if (!rc)
			rc = add_facts(reader, row, cells, count);
	}
	if (!rc)
		rc = keep_stamp(reader, row, cells);
	if (rc)
		return rc;
	rc = get_number(reader, &reader->series_numbers, counter, reader->sheet.series_count,
			&series, &is_new);
	if (!rc && is_new)
		rc = tacho__sheet_add_series(&reader->sheet, counter, &series);
	if (!rc)
		rc = tacho__sheet_set(&reader->sheet, series, row, cells[reader->roles[ROLE_VALUE]],
				      reader->csv.line);
	if (rc != TACHO_E_EXISTS)
		return rc;
	return tacho__fail(
		TACHO_E_PARSE,
		tacho__detail("%s has a value for this dispatch in an earlier line", counter),
		"keep one of the two lines", "cannot read line %zu of %s", reader->csv.line,
		reader->csv.name);
}

static int read_long(struct reader *reader)
{
	size_t count;
	char **cells;
	int rc;

	if (reader->roles[ROLE_ID] == SIZE_MAX)
		return tacho__fail(TACHO_E_PARSE, "it has Counter_Name and no Dispatch_Id", "",
				   "cannot tell the dispatches of %s apart", reader->csv.name);
	while (!(rc = tacho__csv_reader_next(&reader->csv, &cells, &count)) && count) {
		rc = read_long_row(reader, cells, count);
		if (rc)
			return rc;
	}
	return rc ? rc : add_stamps(reader);
}

static int build(struct reader *reader, struct tacho_result **out_result)
{
	struct tacho_result *result = NULL;
	int rc = tacho__result_create(reader->row_count, &result);

	if (rc)
		return rc;
	reader->sheet.row_count = reader->row_count;
	for (size_t row = 0; row < reader->row_count && !rc; row++)
		rc = tacho__result_set_row(result, row, &reader->rows[row]);
	if (!rc)
		rc = tacho__sheet_build(&reader->sheet, result);
	if (rc)
		tacho_result_destroy(result);
	else
		*out_result = result;
	return rc;
}

int tacho__values_read_csv(const char *name, const char *text, size_t size,
			   struct tacho_result **out_result)
{
	struct reader reader = {.sheet.name = name};
	char *copy = malloc(size + 1);
	int rc;

	if (!copy)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory to read %s", name);
	memcpy(copy, text, size);
	tacho__csv_reader_begin(&reader.csv, name, copy, size);
	rc = read_header(&reader);
	if (!rc)
		rc = reader.roles[ROLE_COUNTER] != SIZE_MAX && reader.roles[ROLE_VALUE] != SIZE_MAX
			     ? read_long(&reader)
			     : read_wide(&reader);
	if (!rc)
		rc = build(&reader, out_result);
	tacho__names_finish(&reader.row_numbers);
	tacho__names_finish(&reader.series_numbers);
	tacho__sheet_finish(&reader.sheet);
	tacho__csv_reader_finish(&reader.csv);
	tacho__arena_finish(&reader.arena);
	free(reader.stamps);
	free(reader.rows);
	free(copy);
	return rc;
}

/* "NAME", "NAME[3]" for instances alone, "NAME[DIMENSION_XCC=1;DIMENSION_WGP=0]" else. */
static void write_title(struct tacho__csv_table *table, const struct tacho_column *column,
			size_t instance, const char *suffix)
{
	uint32_t positions[TACHO_DIMENSION_MAX];
	bool plain = column->dimension_count == 1 &&
		     !strcmp(column->dimensions[0].name, "DIMENSION_INSTANCE");
	struct tacho__buf title = {0};

	tacho__buf_put(&title, column->name);
	tacho__shape_position(column->dimensions, column->dimension_count, instance, positions);
	for (uint32_t i = 0; i < column->dimension_count; i++) {
		tacho__buf_char(&title, i ? ';' : '[');
		if (!plain)
			tacho__buf_printf(&title, "%s=", column->dimensions[i].name);
		tacho__buf_printf(&title, "%" PRIu32, positions[i]);
	}
	tacho__buf_printf(&title, "%s%s", column->dimension_count ? "]" : "", suffix);
	putc(',', table->stream);
	tacho_csv_write_text(table->stream, tacho__buf_text(&title));
	table->has_failed |= title.failed;
	tacho__buf_finish(&title);
}

/* The columns that a value has besides its own. */
enum extra { EXTRA_STATE = 1, EXTRA_COVERAGE = 2, EXTRA_NOTE = 4 };

struct cell {
	const struct tacho_column *column;
	size_t row, instance;
	uint8_t *extras;
};

typedef void (*cell_fn)(struct tacho__csv_table *table, const struct cell *cell);

static void each_cell(struct tacho__csv_table *table, const struct tacho_result *result, size_t row,
		      cell_fn fn)
{
	struct cell cell = {.row = row, .extras = table->extras};

	for (size_t i = 0; i < result->column_count; i++) {
		cell.column = &result->columns[i];
		for (cell.instance = 0; cell.instance < cell.column->instance_count;
		     cell.instance++, cell.extras++)
			if (tacho_column_is_present(cell.column, cell.instance))
				fn(table, &cell);
	}
}

static uint8_t get_state(const struct cell *cell)
{
	return tacho_column_get_state(cell->column, cell->row, cell->instance);
}

static void look(struct tacho__csv_table *table, const struct cell *cell)
{
	uint8_t state = get_state(cell);

	(void)table;
	if (state != TACHO_STATE_OK)
		*cell->extras |= EXTRA_STATE;
	if ((state & TACHO_STATE_MASK) == TACHO_STATE_SCALED && cell->column->coverage)
		*cell->extras |= EXTRA_COVERAGE;
	/* what is said of a column stands behind its first value */
	if (*cell->column->note && !cell->instance)
		*cell->extras |= EXTRA_NOTE;
}

static int make_room(struct tacho__csv_table *table, const struct tacho_result *result)
{
	size_t count = 0;

	for (size_t i = 0; i < result->column_count; i++)
		count += result->columns[i].instance_count;
	if (!table->extras)
		table->extras = calloc(count ? count : 1, 1);
	if (!table->extras)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for %zu columns", count);
	table->count = count;
	return 0;
}

int tacho__csv_table_look(struct tacho__csv_table *table, const struct tacho_result *result)
{
	int rc = make_room(table, result);

	for (size_t row = 0; row < result->row_count && !rc; row++) {
		table->has_device |= *result->rows[row].device != '\0';
		each_cell(table, result, row, look);
	}
	return rc;
}

static void write_titles(struct tacho__csv_table *table, const struct cell *cell)
{
	write_title(table, cell->column, cell->instance, "");
	if (*cell->extras & EXTRA_STATE)
		write_title(table, cell->column, cell->instance, TACHO__STATE_SUFFIX);
	if (*cell->extras & EXTRA_COVERAGE)
		write_title(table, cell->column, cell->instance, TACHO__COVERAGE_SUFFIX);
	if (*cell->extras & EXTRA_NOTE)
		write_title(table, cell->column, cell->instance, ":note");
}

int tacho__csv_table_write_header(struct tacho__csv_table *table, const struct tacho_result *result)
{
	fputs(table->has_device ? "id,name,device" : "id,name", table->stream);
	each_cell(table, result, 0, write_titles);
	fputs(table->ranges ? ",ranges" : "", table->stream);
	fputs(table->remark ? ",recording\r\n" : "\r\n", table->stream);
	return table->has_failed ? tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a title") : 0;
}

static void write_cells(struct tacho__csv_table *table, const struct cell *cell)
{
	const struct tacho_column *column = cell->column;
	size_t at = cell->row * column->instance_count + cell->instance;
	uint8_t state = get_state(cell);
	char text[TACHO__NUMBER_MAX] = "";

	if ((state & TACHO_STATE_MASK) == TACHO_STATE_ABSENT)
		text[0] = '\0';
	else if (column->type == TACHO_TYPE_U64)
		tacho__number_format_whole(column->data.u64[at], text);
	else if (isfinite(column->data.f64[at]))
		tacho__number_format(column->data.f64[at], text);
	fprintf(table->stream, ",%s", text);
	if (*cell->extras & EXTRA_STATE) {
		putc(',', table->stream);
		tacho__state_write(table->stream, state);
	}
	if (*cell->extras & EXTRA_COVERAGE) {
		tacho__number_format(tacho_column_get_coverage(column, cell->row, cell->instance),
				     text);
		fprintf(table->stream, ",%s", text);
	}
	if (*cell->extras & EXTRA_NOTE) {
		putc(',', table->stream);
		tacho_csv_write_text(table->stream, column->note);
	}
}

void tacho__csv_table_write_row(struct tacho__csv_table *table, const struct tacho_row *info,
				const struct tacho_result *result, size_t row)
{
	fprintf(table->stream, "%" PRIu64 ",", info->id);
	tacho_csv_write_text(table->stream, info->name);
	if (table->has_device) {
		putc(',', table->stream);
		tacho_csv_write_text(table->stream, info->device);
	}
	each_cell(table, result, row, write_cells);
	if (table->ranges) {
		putc(',', table->stream);
		tacho_csv_write_text(table->stream, table->ranges);
	}
	if (table->remark)
		fprintf(table->stream, ",%s", table->remark);
	fputs("\r\n", table->stream);
}

void tacho__csv_table_finish(struct tacho__csv_table *table)
{
	free(table->extras);
}

int tacho_result_write_csv(const struct tacho_result *result, enum tacho_csv_part part,
			   FILE *stream)
{
	struct tacho__csv_table table = {.stream = stream};
	int rc = part == TACHO_CSV_WHOLE ? tacho__csv_table_look(&table, result)
					 : make_room(&table, result);

	if (!rc && part != TACHO_CSV_WHOLE)
		memset(table.extras, EXTRA_STATE | EXTRA_COVERAGE, table.count);
	if (!rc && part != TACHO_CSV_NEXT)
		rc = tacho__csv_table_write_header(&table, result);
	for (size_t row = 0; row < result->row_count && !rc; row++)
		tacho__csv_table_write_row(&table, &result->rows[row], result, row);
	tacho__csv_table_finish(&table);
	return rc;
}
