/* SPDX-License-Identifier: MIT */
/*
 * Sums of kernels, transfers, calls and ranges as versions of "nsys stats" since 2020 title them:
 *
 *	Time (%),Total Time (ns),Instances,Avg (ns),Med (ns),Min (ns),Max (ns),StdDev (ns),Name
 *	Time(%),Total Time (ns),Num Calls,Average,Minimum,Maximum,Name
 *	Total (MB),Count,Avg (MB),Med (MB),Min (MB),Max (MB),StdDev (MB),Operation
 */
#include "format/foreign/nsys_sums.h"

#include <ctype.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "base/text.h"

/* Where the names of lines stand, and what they are names of. */
enum naming { NAME, OPERATION, RANGE };

static const struct {
	const char *title;
	enum tacho_sums_column column;
} titles[] = {
	{"Time", TACHO_SUMS_SHARE},	  {"Total Time", TACHO_SUMS_TOTAL},
	{"Total", TACHO_SUMS_TOTAL},	  {"Instances", TACHO_SUMS_COUNT},
	{"Num Calls", TACHO_SUMS_COUNT},  {"Calls", TACHO_SUMS_COUNT},
	{"Count", TACHO_SUMS_COUNT},	  {"Operations", TACHO_SUMS_COUNT},
	{"Avg", TACHO_SUMS_MEAN},	  {"Average", TACHO_SUMS_MEAN},
	{"Med", TACHO_SUMS_MEDIAN},	  {"Median", TACHO_SUMS_MEDIAN},
	{"Min", TACHO_SUMS_MIN},	  {"Minimum", TACHO_SUMS_MIN},
	{"Max", TACHO_SUMS_MAX},	  {"Maximum", TACHO_SUMS_MAX},
	{"StdDev", TACHO_SUMS_DEVIATION},
};

bool tacho__nsys_has_title(const char *title, const char *name, const char **out_unit)
{
	for (; *name; name++, title++)
		if (tolower((unsigned char)*title) != tolower((unsigned char)*name))
			return false;
	title += strspn(title, " ");
	*out_unit = *title == '(' ? title + 1 : "";
	return !*title || *title == '(';
}

static int find(const struct tacho__foreign_csv *csv, const char *name)
{
	const char *unit;

	for (size_t i = 0; i < csv->cell_count; i++)
		if (tacho__nsys_has_title(csv->cells[i], name, &unit))
			return (int)i;
	return -1;
}

/* "ns)", "usec)", "KiB)": in ns or bytes; 0: not known. */
static double scale_of(const char *unit)
{
	static const struct {
		const char *word;
		double scale;
	} words[] = {{"ns", 1},	  {"us", 1e3},	   {"ms", 1e6},	       {"s", 1e9},
		     {"B", 1},	  {"KB", 1e3},	   {"kB", 1e3},	       {"MB", 1e6},
		     {"GB", 1e9}, {"KiB", 1024.0}, {"MiB", 1048576.0}, {"GiB", 1073741824.0},
		     {"bytes", 1}};
	size_t size = strcspn(unit, ")");

	if (size > 2 && !strncmp(unit + size - 2, "ec", 2)) /* "nsec" */
		size -= 2;
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(words); i++)
		if (strlen(words[i].word) == size && !strncmp(unit, words[i].word, size))
			return words[i].scale;
	return 0;
}

/* ---- titles ---- */

/* Times without a unit are ns, as old versions have them; sizes are what the heading says. */
static void take_titles(struct tacho__nsys_sums *sums, const struct tacho__foreign_csv *csv)
{
	double bare = sums->is_of_bytes ? sums->size_scale : 1;
	const char *unit;

	for (size_t i = 0; i < csv->cell_count; i++)
		for (size_t k = 0; k < TACHO__ARRAY_SIZE(titles); k++) {
			enum tacho_sums_column column = titles[k].column;

			if (sums->titles.places[column] >= 0 ||
			    !tacho__nsys_has_title(csv->cells[i], titles[k].title, &unit))
				continue;
			sums->titles.places[column] = (int)i;
			sums->titles.scales[column] = *unit ? scale_of(unit) : bare;
		}
}

static enum naming find_names(struct tacho__nsys_sums *sums, const struct tacho__foreign_csv *csv)
{
	static const char *const names[] = {"Operation", "Range", "Name"};
	static const enum naming namings[] = {OPERATION, RANGE, NAME};
	size_t i = 0;

	while (i < 2 && find(csv, names[i]) < 0)
		i++;
	sums->titles.name = find(csv, names[i]);
	return namings[i];
}

bool tacho__nsys_sums_begin(struct tacho__nsys_sums *sums, const struct tacho__foreign_csv *csv,
			    const char *path)
{
	const char *first = csv->cell_count > 3 ? csv->cells[0] : "", *unit;
	bool is_of_bytes = tacho__nsys_has_title(first, "Total", &unit);
	enum naming naming;

	if (!is_of_bytes && !tacho__nsys_has_title(first, "Time", &unit))
		return false;
	tacho__foreign_begin_shares(sums->foreign, path);
	tacho__foreign_sums_clear(&sums->titles);
	sums->is_of_bytes = is_of_bytes;
	take_titles(sums, csv);
	naming = find_names(sums, csv);
	sums->category = find(csv, "Category");
	sums->grid = find(csv, "GridXYZ");
	sums->block = find(csv, "BlockXYZ");
	sums->kind = naming == OPERATION	   ? TACHO_SUMS_TRANSFERS
		     : naming == RANGE		   ? TACHO_SUMS_RANGES
		     : find(csv, "Num Calls") >= 0 ? TACHO_SUMS_CALLS
						   : TACHO_SUMS_KERNELS;
	return true;
}

/* ---- lines ---- */

int tacho__nsys_sums_take_heading(struct tacho__nsys_sums *sums, const char *line)
{
	const char *sizes = strstr(line, "by size in "), *title, *end;

	line += strspn(line, " ");
	if (strncmp(line, "** ", 3))
		return 0;
	title = line + 3;
	end = strstr(title, " (");
	sums->size_scale = sizes ? scale_of(sizes + strlen("by size in ")) : 0;
	tacho__buf_clear(&sums->part);
	tacho__buf_add(&sums->part, title, end ? (size_t)(end - title) : strcspn(title, ":"));
	return sums->part.failed ? TACHO_E_NOMEM : 0;
}

/* Tables of everything say of each line what it is. */
static enum tacho_sums_kind kind_of(const struct tacho__nsys_sums *sums, const char *category)
{
	if (strstr(category, "API"))
		return TACHO_SUMS_CALLS;
	if (strstr(category, "KERNEL"))
		return TACHO_SUMS_KERNELS;
	return sums->kind;
}

/* Kernels by the shape of their launch are several of one name: "k(int) {896 1 1} {256 1 1}". */
static int name_shape(struct tacho__nsys_sums *sums, const struct tacho__foreign_csv *csv)
{
	tacho__buf_clear(&sums->name);
	tacho__buf_printf(&sums->name, "%s {", csv->cells[sums->titles.name]);
	for (int i = 0; i < 2; i++) {
		const char *at = tacho__foreign_csv_cell(csv, i ? sums->block : sums->grid);

		while (*(at += strspn(at, " "))) {
			size_t size = strcspn(at, " ");

			tacho__buf_add(&sums->name, at, size);
			at += size;
			tacho__buf_put(&sums->name, at[strspn(at, " ")] ? " " : "");
		}
		tacho__buf_put(&sums->name, i ? "}" : "} {");
	}
	if (sums->name.failed)
		return TACHO_E_NOMEM;
	csv->cells[sums->titles.name] = sums->name.text;
	return 0;
}

int tacho__nsys_sums_take_row(struct tacho__nsys_sums *sums, const struct tacho__foreign_csv *csv,
			      const char *path)
{
	const struct tacho__foreign_sums_table table = {
		.kind = kind_of(sums, tacho__foreign_csv_cell(csv, sums->category)),
		.is_of_bytes = sums->is_of_bytes,
		.path = path,
		.part = tacho__buf_text(&sums->part)};
	bool has_shape = sums->grid >= 0 && sums->block >= 0 && sums->titles.name >= 0 &&
			 csv->cell_count > (size_t)sums->titles.name;
	bool is_one;
	int rc = has_shape ? name_shape(sums, csv) : 0;

	if (!rc)
		rc = tacho__foreign_add_sums(sums->foreign, &table, &sums->titles, csv->cells,
					     csv->cell_count, &is_one);
	sums->lines += !rc && is_one;
	sums->odd += !rc && !is_one;
	return rc;
}

void tacho__nsys_sums_finish(struct tacho__nsys_sums *sums)
{
	tacho__buf_finish(&sums->part);
	tacho__buf_finish(&sums->name);
}
