/* SPDX-License-Identifier: MIT */
/*
 * Sums as nvprof prints them, with a line of units below the titles; early versions have a table
 * for the GPU and one for calls. Migrations of unified memory have a table of their own.
 *
 *	"Type","Time(%)","Time","Calls","Avg","Min","Max","Name"
 *	"Device","Count","Avg Size","Min Size","Max Size","Total Size","Total Time","Name"
 */
#include "format/foreign/nvprof_sums.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "format/foreign/nvprof.h"

struct title {
	const char *text;
	enum tacho_sums_column column;
};

static const struct title of_times[] = {
	{"Time(%)", TACHO_SUMS_SHARE}, {"Time", TACHO_SUMS_TOTAL},
	{"Calls", TACHO_SUMS_COUNT},   {"Avg", TACHO_SUMS_MEAN},
	{"Min", TACHO_SUMS_MIN},       {"Max", TACHO_SUMS_MAX},
	{"Count", TACHO_SUMS_COUNT},   {"Total Time", TACHO_SUMS_TOTAL},
};

static const struct title of_sizes[] = {
	{"Count", TACHO_SUMS_COUNT},   {"Total Size", TACHO_SUMS_TOTAL},
	{"Avg Size", TACHO_SUMS_MEAN}, {"Min Size", TACHO_SUMS_MIN},
	{"Max Size", TACHO_SUMS_MAX},
};

/* ---- titles and units ---- */

void tacho__nvprof_sums_take_line(struct tacho__nvprof_sums *sums, const char *line)
{
	char *end;
	unsigned long pid = strtoul(line + 2, &end, 10);

	if (end > line + 2 && pid)
		snprintf(sums->part, sizeof(sums->part), "process %lu", pid);
	sums->is_of_calls = strstr(line, "API calls:") != NULL;
}

static void find_titles(struct tacho__foreign_sums_titles *places,
			const struct tacho__foreign_csv *csv, const struct title *titles,
			size_t count)
{
	tacho__foreign_sums_clear(places);
	places->name = tacho__foreign_csv_find(csv->cells, csv->cell_count, "Name");
	for (size_t i = 0; i < count; i++) {
		int place = tacho__foreign_csv_find(csv->cells, csv->cell_count, titles[i].text);

		if (place >= 0)
			places->places[titles[i].column] = place;
	}
}

bool tacho__nvprof_sums_begin(struct tacho__nvprof_sums *sums, const struct tacho__foreign_csv *csv,
			      const char *path)
{
	bool has_sizes = tacho__foreign_csv_find(csv->cells, csv->cell_count, "Total Size") > 0;

	if (strcmp(csv->cells[0], "Type") && strcmp(csv->cells[0], "Time(%)") && !has_sizes)
		return false;
	*sums->last_type = '\0';
	sums->type = tacho__foreign_csv_find(csv->cells, csv->cell_count, "Type");
	sums->device =
		has_sizes ? tacho__foreign_csv_find(csv->cells, csv->cell_count, "Device") : -1;
	tacho__foreign_begin_shares(sums->foreign, path);
	find_titles(&sums->times, csv, of_times, TACHO__ARRAY_SIZE(of_times));
	find_titles(&sums->sizes, csv, of_sizes, has_sizes ? TACHO__ARRAY_SIZE(of_sizes) : 0);
	return sums->times.name > 0;
}

static void take_scales(struct tacho__foreign_sums_titles *titles,
			const struct tacho__foreign_csv *csv, double (*read)(const char *unit))
{
	for (int i = TACHO_SUMS_TOTAL; i < TACHO_SUMS_SHARE; i++)
		titles->scales[i] = read(tacho__foreign_csv_cell(csv, titles->places[i]));
}

bool tacho__nvprof_sums_take_units(struct tacho__nvprof_sums *sums,
				   const struct tacho__foreign_csv *csv)
{
	take_scales(&sums->times, csv, tacho__nvprof_time_unit);
	take_scales(&sums->sizes, csv, tacho__nvprof_size_unit);
	return sums->times.scales[TACHO_SUMS_TOTAL] > 0;
}

/* ---- lines ---- */

/* The shares of lines of one type are of one whole. */
static void take_type(struct tacho__nvprof_sums *sums, const char *type, const char *path)
{
	if (!strncmp(sums->last_type, type, sizeof(sums->last_type) - 1))
		return;
	tacho__foreign_begin_shares(sums->foreign, path);
	snprintf(sums->last_type, sizeof(sums->last_type), "%s", type);
}

static enum tacho_sums_kind kind_of(const struct tacho__nvprof_sums *sums, const char *type,
				    const char *name)
{
	if (strstr(name, "page fault"))
		return TACHO_SUMS_COMMANDS;
	if (sums->device >= 0 || *name == '[')
		return TACHO_SUMS_TRANSFERS;
	if (!*type)
		return sums->is_of_calls ? TACHO_SUMS_CALLS : TACHO_SUMS_KERNELS;
	return !strcmp(type, "GPU activities") ? TACHO_SUMS_KERNELS
	       : !strcmp(type, "API calls")    ? TACHO_SUMS_CALLS
					       : TACHO_SUMS_RANGES; /* "OpenACC (incl)" */
}

int tacho__nvprof_sums_take_row(struct tacho__nvprof_sums *sums,
				const struct tacho__foreign_csv *csv, const char *path)
{
	const char *type = tacho__foreign_csv_cell(csv, sums->type);
	const char *name = tacho__foreign_csv_cell(csv, sums->times.name);
	struct tacho__foreign_sums_table table = {
		.kind = kind_of(sums, type, name), .path = path, .part = sums->part};
	bool is_one = false, has_size = false;
	int rc;

	if (table.kind == TACHO_SUMS_RANGES)
		table.part = type;
	else if (sums->device >= 0)
		table.part = tacho__foreign_csv_cell(csv, sums->device);
	take_type(sums, type, path);
	rc = tacho__foreign_add_sums(sums->foreign, &table, &sums->times, csv->cells,
				     csv->cell_count, &is_one);
	table.is_of_bytes = true;
	if (!rc && *tacho__foreign_csv_cell(csv, sums->sizes.places[TACHO_SUMS_TOTAL]))
		rc = tacho__foreign_add_sums(sums->foreign, &table, &sums->sizes, csv->cells,
					     csv->cell_count, &has_size);
	sums->lines += is_one;
	sums->odd += !rc && !is_one;
	return rc;
}
