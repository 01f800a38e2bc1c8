/* SPDX-License-Identifier: MIT */
#include "format/import/read_csv.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"

enum { COLUMNS_MAX = 1024 }; /* more than lines of such files can hold */

/* Columns with a meaning of their own, by all the names that they ever had. */
static const struct {
	const char *title;
	enum tacho__csv_role role;
	const char *key, *unit;
} known[] = {
	{"Method", TACHO__CSV_METHOD},
	{"ExecutionOrder", TACHO__CSV_IGNORED},
	{"ThreadID", TACHO__CSV_THREAD},
	{"Thread ID", TACHO__CSV_THREAD},
	{"CallIndex", TACHO__CSV_CALL},
	{"GlobalWorkSize", TACHO__CSV_GLOBAL},
	{"WorkGroupSize", TACHO__CSV_LOCAL},
	{"GroupWorkSize", TACHO__CSV_LOCAL},
	{"Time", TACHO__CSV_TIME},
	{"KernelTime", TACHO__CSV_TIME},
	{"MemTransferSize", TACHO__CSV_BYTES},
	{"LocalMemSize", TACHO__CSV_KERNEL_FACT, "local_bytes"},
	{"LocalMem", TACHO__CSV_KERNEL_FACT, "local_bytes"},
	{"VGPRs", TACHO__CSV_KERNEL_FACT, "vgprs"},
	{"SGPRs", TACHO__CSV_KERNEL_FACT, "sgprs"},
	{"ScratchRegs", TACHO__CSV_KERNEL_FACT, "scratch_registers"},
	{"KernelOccupancy", TACHO__CSV_COUNTER, NULL, "percent"},
	{"Kernel occupancy", TACHO__CSV_COUNTER, NULL, "percent"},
	{"Kernel Name", TACHO__CSV_KERNEL},
	{"Device Name", TACHO__CSV_DEVICE},
	{"Number of compute units", TACHO__CSV_DEVICE_FACT, "compute_units"},
	{"Max. number of wavefronts per CU", TACHO__CSV_DEVICE_FACT, "max_waves_per_unit"},
	{"Max. number of work-group per CU", TACHO__CSV_DEVICE_FACT, "max_groups_per_unit"},
	{"Max. number of VGPR", TACHO__CSV_DEVICE_FACT, "max_vgprs"},
	{"Max. number of SGPR", TACHO__CSV_DEVICE_FACT, "max_sgprs"},
	{"Max. amount of LDS", TACHO__CSV_DEVICE_FACT, "max_lds_bytes"},
	{"Size of wavefront", TACHO__CSV_DEVICE_FACT, "wave_size"},
	{"Max work-group size", TACHO__CSV_DEVICE_FACT, "max_group_size"},
	{"Max wavefronts per work-group", TACHO__CSV_DEVICE_FACT, "max_waves_per_group"},
	{"Maximum global work size", TACHO__CSV_DEVICE_FACT, "max_global_size"},
	{"Graphics IP Version", TACHO__CSV_DEVICE_FACT, "graphics_ip"},
	{"Number of SIMDs per CU", TACHO__CSV_DEVICE_FACT, "simds_per_unit"},
};

bool tacho__csv_is_known(struct tacho__span cell)
{
	return tacho__span_size(cell) && !tacho__span_is(cell, "NA") &&
	       !tacho__span_is(cell, "NULL");
}

/* Takes the next cell off. Sizes in braces may hold the separator. False behind the last. */
static bool take_cell(struct tacho__span *line, char separator, struct tacho__span *out_cell)
{
	struct tacho__span rest = *line, cell;
	const char *from, *end;

	if (!rest.at)
		return false;
	while (rest.at < rest.end && (*rest.at == ' ' || *rest.at == '\t'))
		rest.at++;
	from = rest.at;
	if (from < rest.end && *from == '{') {
		const char *brace = memchr(from, '}', tacho__span_size(rest));

		from = brace ? brace : from;
	}
	end = memchr(from, separator, (size_t)(rest.end - from));
	cell = (struct tacho__span){rest.at, end ? end : rest.end};
	line->at = end ? end + 1 : NULL;
	*out_cell = tacho__span_trim(cell);
	return true;
}

void tacho__csv_split(const struct tacho__csv_file *file, struct tacho__span line,
		      struct tacho__span *out_cells)
{
	for (size_t i = 0; i < file->column_count; i++)
		if (!take_cell(&line, file->separator, &out_cells[i]))
			out_cells[i] = (struct tacho__span){0};
}

struct tacho__span tacho__csv_get(const struct tacho__csv_file *file,
				  const struct tacho__span *cells, enum tacho__csv_role role)
{
	size_t column = file->roles[role];

	return column && tacho__csv_is_known(cells[column - 1]) ? cells[column - 1]
								: (struct tacho__span){0};
}

/* ---- columns ---- */

static int add_column(struct tacho__csv_file *file, struct tacho__span title)
{
	struct tacho__csv_column *column;

	if (tacho__array_reserve(&file->columns, &file->column_capacity, file->column_count,
				 sizeof(*file->columns)))
		return TACHO_E_NOMEM;
	column = &file->columns[file->column_count++];
	*column = (struct tacho__csv_column){.title = title,
					     .role = tacho__span_size(title) ? TACHO__CSV_COUNTER
									     : TACHO__CSV_IGNORED,
					     .unit = "",
					     .type = TACHO_TYPE_U64};
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(known); i++) {
		if (!tacho__span_is(title, known[i].title))
			continue;
		column->role = known[i].role;
		column->key = known[i].key;
		if (known[i].unit) {
			column->unit = known[i].unit;
			column->type = TACHO_TYPE_F64;
		}
	}
	if (!file->roles[column->role])
		file->roles[column->role] = file->column_count;
	return 0;
}

static int read_columns(const char *name, struct tacho__csv_file *file, struct tacho__span line)
{
	size_t first = file->is_occupancy ? TACHO__CSV_KERNEL : TACHO__CSV_METHOD;
	struct tacho__span title;
	int rc = 0;

	if (!file->separator) { /* what separates the first two names */
		const char *at = line.at;

		while (at < line.end && !memchr(",;\t|", *at, 4))
			at++;
		file->separator = at < line.end ? *at : ',';
	}
	file->decimal = file->separator == ',' ? "." : ".,";
	while (!rc && file->column_count < COLUMNS_MAX && take_cell(&line, file->separator, &title))
		rc = add_column(file, title);
	if (!rc && !file->roles[first])
		rc = tacho__fail(TACHO_E_PARSE,
				 tacho__detail("its line of column names has no column \"%s\"",
					       file->is_occupancy ? "Kernel Name" : "Method"),
				 "give a file that rcprof, CodeXL or tacho wrote, or one of tacho "
				 "help imports",
				 "%s is no session file", name);
	return rc;
}

/* ---- rows ---- */

/* As many as there are columns; what is more is empty, as some writers end their lines. */
static bool has_all_cells(const struct tacho__csv_file *file, struct tacho__span line)
{
	struct tacho__span cell;
	size_t count = 0;

	for (; take_cell(&line, file->separator, &cell); count++)
		if (count >= file->column_count && tacho__span_size(cell))
			return false;
	return count >= file->column_count;
}

static int add_row(struct tacho__csv_file *file, struct tacho__span line, struct tacho__span *cells)
{
	struct tacho__csv_row *row;
	uint64_t thread = 0;

	if (tacho__array_reserve(&file->rows, &file->row_capacity, file->row_count,
				 sizeof(*file->rows)))
		return TACHO_E_NOMEM;
	tacho__csv_split(file, line, cells);
	if (!has_all_cells(file, line) || !tacho__csv_is_known(cells[0])) {
		file->unreadable += tacho__span_size(line) + 1;
		return 0;
	}
	row = &file->rows[file->row_count++];
	*row = (struct tacho__csv_row){.line = line};
	row->has_thread =
		tacho__span_to_u64(tacho__csv_get(file, cells, TACHO__CSV_THREAD), &thread);
	row->thread = (uint32_t)thread;
	row->has_call =
		tacho__span_to_u64(tacho__csv_get(file, cells, TACHO__CSV_CALL), &row->call);
	for (size_t i = 0; i < file->column_count; i++) {
		struct tacho__csv_column *column = &file->columns[i];
		uint64_t whole;

		if (column->role == TACHO__CSV_COUNTER && tacho__csv_is_known(cells[i]) &&
		    !tacho__span_to_u64(cells[i], &whole))
			column->type = TACHO_TYPE_F64;
	}
	return 0;
}

static int read_lines(const char *name, struct tacho__span text,
		      struct tacho__import_header *header, struct tacho__csv_file *file)
{
	struct tacho__span line, *cells = NULL;
	int rc = 0;

	while (!rc && tacho__span_take_line(&text, &line)) {
		if (!tacho__span_size(tacho__span_trim(line)))
			continue;
		if (!file->column_count && *line.at == '#') {
			line.at += 1;
			rc = tacho__import_header_take(header, tacho__span_trim(line));
			file->separator = header->separator;
		} else if (!file->column_count) {
			rc = read_columns(name, file, line);
			cells = calloc(file->column_count + 1, sizeof(*cells));
			if (!rc && !cells)
				rc = tacho__fail(TACHO_E_NOMEM, "", "", "no memory to read %s",
						 name);
		} else {
			rc = add_row(file, line, cells);
		}
	}
	free(cells);
	if (!rc && !file->column_count)
		rc = tacho__fail(TACHO_E_PARSE, "it has no line of column names",
				 "give a file that rcprof, CodeXL or tacho wrote, or one of tacho "
				 "help imports",
				 "%s is no session file", name);
	return rc;
}

/* ---- rows by call ---- */

static int compare_calls(const struct tacho__csv_row *a, uint32_t thread, uint64_t call)
{
	if (a->thread != thread)
		return a->thread < thread ? -1 : 1;
	return (a->call > call) - (a->call < call);
}

static int compare_rows(const void *left, const void *right, void *user)
{
	const struct tacho__csv_file *file = user;
	size_t a = *(const size_t *)left, b = *(const size_t *)right;
	int order = compare_calls(&file->rows[a], file->rows[b].thread, file->rows[b].call);

	return order ? order : (a > b) - (a < b);
}

static int sort_rows(struct tacho__csv_file *file)
{
	file->by_call = calloc(file->row_count + 1, sizeof(*file->by_call));
	if (!file->by_call)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for %zu rows",
				   file->row_count);
	for (size_t i = 0; i < file->row_count; i++)
		if (file->rows[i].has_thread && file->rows[i].has_call)
			file->by_call[file->by_call_count++] = i;
	if (file->by_call_count)
		qsort_r(file->by_call, file->by_call_count, sizeof(*file->by_call), compare_rows,
			file);
	return 0;
}

const struct tacho__csv_row *tacho__csv_find(const struct tacho__csv_file *file, uint32_t thread,
					     uint64_t call)
{
	size_t from = 0, to = file->by_call_count;

	while (from < to) {
		size_t middle = from + (to - from) / 2;

		if (compare_calls(&file->rows[file->by_call[middle]], thread, call) < 0)
			from = middle + 1;
		else
			to = middle;
	}
	if (from == file->by_call_count ||
	    compare_calls(&file->rows[file->by_call[from]], thread, call) != 0)
		return NULL;
	return &file->rows[file->by_call[from]];
}

int tacho__csv_read(const char *name, struct tacho__span text, bool is_occupancy,
		    struct tacho__import_header *header, struct tacho__csv_file *out_file)
{
	struct tacho__csv_file file = {.is_occupancy = is_occupancy};
	int rc;

	header->separator = 0;
	rc = read_lines(name, text, header, &file);
	if (!rc)
		rc = sort_rows(&file);
	if (rc)
		tacho__csv_file_finish(&file);
	else
		*out_file = file;
	return rc;
}

void tacho__csv_file_finish(struct tacho__csv_file *file)
{
	free(file->columns);
	free(file->rows);
	free(file->by_call);
	memset(file, 0, sizeof(*file));
}

/* ---- the names of launches ---- */

/* The last "__kDIGITS_" of the text. */
static bool find_number(struct tacho__span text, struct tacho__csv_method *method)
{
	for (const char *at = text.end - 1; at >= text.at; at--) {
		struct tacho__span digits;

		if (!tacho__span_starts((struct tacho__span){at, text.end}, "__k"))
			continue;
		digits.at = digits.end = at + strlen("__k");
		while (digits.end < text.end && *digits.end >= '0' && *digits.end <= '9')
			digits.end++;
		if (digits.end == text.end || *digits.end != '_' ||
		    !tacho__span_to_u32(digits, &method->number))
			continue;
		method->kernel = (struct tacho__span){text.at, at};
		method->device = (struct tacho__span){digits.end + 1, text.end};
		return true;
	}
	return false;
}

/* DEVICEn: a device may end in digits itself, so those that the header names come first. */
static void split_device(struct tacho__csv_method *method,
			 const struct tacho__import_header *header)
{
	struct tacho__span device = method->device, number;
	size_t size;

	if (tacho__import_header_find(header, device, &size)) {
		number = (struct tacho__span){device.at + size, device.end};
	} else {
		number = device;
		number = tacho__span_take_digits(&number);
		if (tacho__span_size(number))
			number.at = number.end - 1;
	}
	if (tacho__span_to_u32(number, &method->device_number))
		method->device.end = number.at;
}

void tacho__csv_parse_method(struct tacho__span text, const struct tacho__import_header *header,
			     struct tacho__csv_method *out_method)
{
	struct tacho__csv_method method = {.kernel = text};
	const char *underscore;

	if (!tacho__span_size(text)) {
		*out_method = (struct tacho__csv_method){0};
		return;
	}
	if (find_number(text, &method)) {
		split_device(&method, header);
	} else if (header->api && !strcmp(header->api, "HSA")) {
		underscore = memrchr(text.at, '_', tacho__span_size(text));
		if (underscore && underscore > text.at && underscore + 1 < text.end) {
			method.kernel.end = underscore;
			method.device = (struct tacho__span){underscore + 1, text.end};
		}
	}
	*out_method = method;
}
