/* SPDX-License-Identifier: MIT */
#include "format/sheet.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "base/number.h"
#include "format/values_file.h"
#include "model/shape.h"

/* More than the values of all copies of a block on the largest device that is known. */
enum { INSTANCES_MAX = 1 << 17, NAME_MAX_BYTES = 512 };
/* Positions between those that are named: hardware leaves out few. */
enum { SPARSE_MAX = 256 };
/* Of a table that somebody measured; each takes up to 24 bytes. */
#define ROOM_MAX ((size_t)1 << 27)

enum kind { NOTHING, WHOLE, REAL, TEXT };

struct number {
	enum kind kind;
	uint64_t whole;
	double real;
};

/* What a series says of its value. */
enum part { VALUES, STATES, COVERAGES, PART_COUNT };

static const char *const suffixes[] = {"", TACHO__STATE_SUFFIX, TACHO__COVERAGE_SUFFIX};

/* A name taken apart: "TCC_HIT[DIMENSION_XCC=1;DIMENSION_INSTANCE=3]:state" */
struct label {
	char name[NAME_MAX_BYTES]; /* changed: ends are cut into it */
	uint32_t dimension_count;
	const char *dimensions[TACHO_DIMENSION_MAX];
	uint32_t positions[TACHO_DIMENSION_MAX];
	enum part part;
	size_t suffix; /* its length */
};

/* The series of one column. */
struct group {
	struct group *next; /* in the order of the file */
	struct tacho_column column;
	struct member {
		struct member *next;
		const struct tacho__series *parts[PART_COUNT];
		uint32_t positions[TACHO_DIMENSION_MAX];
	} * members;
	size_t member_count, text_line, number_count;
	bool is_whole, has_gaps;
};

struct builder {
	const struct tacho__sheet *sheet;
	struct tacho_result *result;
	struct tacho__arena arena;
	struct tacho__names by_name, members; /* to groups, and of names with their positions */
	struct group *groups, **last;
};

void tacho__sheet_finish(struct tacho__sheet *sheet)
{
	for (size_t i = 0; i < sheet->series_count; i++)
		free(sheet->series[i].cells);
	free(sheet->series);
	sheet->series = NULL;
	sheet->series_count = 0;
}

int tacho__sheet_add_series(struct tacho__sheet *sheet, const char *name, size_t *out_series)
{
	if (tacho__array_reserve(&sheet->series, &sheet->series_capacity, sheet->series_count,
				 sizeof(*sheet->series)))
		return TACHO_E_NOMEM;
	sheet->series[sheet->series_count] = (struct tacho__series){.name = name};
	*out_series = sheet->series_count++;
	return 0;
}

int tacho__sheet_set(struct tacho__sheet *sheet, size_t series, size_t row, const char *text,
		     size_t line)
{
	struct tacho__series *to = &sheet->series[series];
	struct tacho__sheet_cell *cells;
	size_t room = to->cell_capacity;

	if (tacho__array_reserve(&to->cells, &to->cell_capacity, row, sizeof(*cells)))
		return TACHO_E_NOMEM;
	sheet->room += to->cell_capacity - room;
	cells = to->cells;
	if (sheet->room > ROOM_MAX)
		return tacho__fail(
			TACHO_E_PARSE,
			tacho__detail("counters times launches are more than %zu values", ROOM_MAX),
			"split the file", "%s is too large", sheet->name);
	while (to->cell_count <= row)
		cells[to->cell_count++] = (struct tacho__sheet_cell){0};
	if (cells[row].text)
		return tacho__fail(TACHO_E_EXISTS, "", "", "%s has a value already", to->name);
	cells[row] = (struct tacho__sheet_cell){text, line};
	if (row >= sheet->row_count)
		sheet->row_count = row + 1;
	return 0;
}

static const char *get_text(const struct tacho__series *series, size_t row)
{
	const char *text = row < series->cell_count ? series->cells[row].text : NULL;

	while (text && (*text == ' ' || *text == '\t'))
		text++;
	return text;
}

static bool is_nothing(const char *text)
{
	static const char *const words[] = {"nan", "n/a", "na", "null", "none", "-"};

	if (!text || !*text)
		return true;
	if (isdigit((unsigned char)*text))
		return false;
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(words); i++)
		if (!strcasecmp(text, words[i]))
			return true;
	return false;
}

/* Decimal numbers only: "0x7f97f7c10ec0" is an address, "inf" is no count. */
static struct number parse_number(const char *text)
{
	struct number number = {TEXT, 0, 0};
	size_t length, rest;
	char *end;

	if (is_nothing(text))
		return (struct number){NOTHING, 0, 0};
	length = strspn(text, "+-.0123456789eE");
	rest = length + strspn(text + length, " \t");
	if (text[rest] || !strpbrk(text, "0123456789"))
		return number;
	errno = 0;
	number.whole = strtoull(text, &end, 10);
	if (tacho__number_parse(text, length, &number.real))
		return number;
	if (isdigit((unsigned char)text[0]) && (size_t)(end - text) == length && !errno) {
		number.kind = WHOLE;
		return number;
	}
	if (isfinite(number.real))
		number.kind = REAL;
	return number;
}

/* "3" or "DIMENSION_XCC=3" of a list; cuts the text. */
static bool read_position(struct label *label, char *text)
{
	char *equals = strchr(text, '='), *end;
	unsigned long position;
	uint32_t at = label->dimension_count;

	if (equals)
		*equals = '\0';
	if (at == TACHO_DIMENSION_MAX || (equals && equals == text))
		return false;
	label->dimensions[at] = equals ? text : "DIMENSION_INSTANCE";
	text = equals ? equals + 1 : text;
	if (!isdigit((unsigned char)*text))
		return false;
	position = strtoul(text, &end, 10);
	if (*end || position >= INSTANCES_MAX)
		return false;
	for (uint32_t i = 0; i < at; i++)
		if (!strcmp(label->dimensions[i], label->dimensions[at]))
			return false;
	label->positions[at] = (uint32_t)position;
	label->dimension_count++;
	return true;
}

/* A bracket that holds no positions is part of the name. */
static void read_label(const char *text, struct label *label)
{
	size_t length = strlen(text);
	char *open, *save = NULL;
	bool good = true;

	memset(label, 0, sizeof(*label));
	for (enum part part = STATES; part < PART_COUNT; part++) {
		size_t suffix = strlen(suffixes[part]);

		if (length > suffix && !strcmp(text + length - suffix, suffixes[part])) {
			label->part = part;
			label->suffix = suffix;
		}
	}
	length -= label->suffix;
	memcpy(label->name, text, length);
	open = strrchr(label->name, '[');
	if (!open || open == label->name || label->name[length - 1] != ']')
		return;
	*open = '\0';
	label->name[length - 1] = '\0';
	for (char *part = strtok_r(open + 1, ";", &save); part && good;
	     part = strtok_r(NULL, ";", &save))
		good = read_position(label, part);
	if (good && label->dimension_count)
		return;
	label->dimension_count = 0;
	memcpy(label->name, text, length);
}

static int refuse(const struct builder *builder, const char *name, const char *cause,
		  const char *cure)
{
	return tacho__fail(TACHO_E_PARSE, cause, cure, "cannot read column \"%s\" of %s", name,
			   builder->sheet->name);
}

static int find_group(struct builder *builder, const struct label *label, struct group **out_group)
{
	struct group *group = tacho__names_get(&builder->by_name, label->name);
	struct tacho_column *column;
	int rc;

	if (group) {
		*out_group = group;
		return 0;
	}
	group = tacho__arena_get(&builder->arena, sizeof(*group));
	if (!group)
		return TACHO_E_NOMEM;
	column = &group->column;
	column->name = tacho__arena_string(&builder->arena, label->name);
	if (!column->name)
		return TACHO_E_NOMEM;
	column->dimension_count = label->dimension_count;
	for (uint32_t i = 0; i < label->dimension_count; i++) {
		column->dimensions[i].name =
			tacho__arena_string(&builder->arena, label->dimensions[i]);
		if (!column->dimensions[i].name)
			return TACHO_E_NOMEM;
	}
	group->is_whole = true;
	rc = tacho__names_set(&builder->by_name, column->name, group);
	if (rc)
		return rc;
	*builder->last = group;
	builder->last = &group->next;
	*out_group = group;
	return 0;
}

static bool has_same_dimensions(const struct group *group, const struct label *label)
{
	if (group->column.dimension_count != label->dimension_count)
		return false;
	for (uint32_t i = 0; i < label->dimension_count; i++)
		if (strcmp(group->column.dimensions[i].name, label->dimensions[i]) != 0)
			return false;
	return true;
}

static void note_cells(struct group *group, const struct tacho__series *series, size_t row_count)
{
	for (size_t row = 0; row < row_count; row++) {
		enum kind kind = parse_number(get_text(series, row)).kind;

		group->number_count += kind == WHOLE || kind == REAL;
		group->is_whole = group->is_whole && kind != REAL;
		group->has_gaps = group->has_gaps || kind == NOTHING;
		if (kind == TEXT && !group->text_line)
			group->text_line = series->cells[row].line;
	}
}

/* Values and states of one position are one member. */
static int find_member(struct builder *builder, struct group *group, const struct label *label,
		       const char *name, struct member **out_member)
{
	char *key = tacho__arena_text(&builder->arena, name, strlen(name) - label->suffix);
	struct member *member;

	if (!key)
		return TACHO_E_NOMEM;
	member = tacho__names_get(&builder->members, key);
	if (!member) {
		member = tacho__arena_get(&builder->arena, sizeof(*member));
		if (!member || tacho__names_set(&builder->members, key, member))
			return TACHO_E_NOMEM;
		memcpy(member->positions, label->positions, sizeof(member->positions));
		member->next = group->members;
		group->members = member;
		group->member_count++;
	}
	*out_member = member;
	return 0;
}

static int add_series(struct builder *builder, const struct tacho__series *series)
{
	struct member *member;
	struct group *group;
	struct label label;
	int rc;

	if (strlen(series->name) >= NAME_MAX_BYTES)
		return 0; /* no counter has such a name */
	read_label(series->name, &label);
	rc = find_group(builder, &label, &group);
	if (rc)
		return rc;
	if (!has_same_dimensions(group, &label))
		return refuse(builder, series->name,
			      "other columns of this name have other dimensions",
			      "give all of them the same dimensions in the same order");
	rc = find_member(builder, group, &label, series->name, &member);
	if (rc)
		return rc;
	if (member->parts[label.part])
		return refuse(builder, series->name, "there are two with this name", "");
	member->parts[label.part] = series;
	if (label.part == VALUES)
		note_cells(group, series, builder->sheet->row_count);
	return 0;
}

static size_t get_instance(const struct tacho_column *column, const struct member *member)
{
	size_t instance = 0;

	for (uint32_t i = 0; i < column->dimension_count; i++)
		instance = instance * column->dimensions[i].extent + member->positions[i];
	return instance;
}

/* Positions without a series do not exist: their bits stay 0. */
static int set_present(struct builder *builder, const struct group *group, size_t instances)
{
	uint8_t *present = tacho__arena_get(&builder->arena, (instances + 7) / 8);

	if (!present)
		return TACHO_E_NOMEM;
	for (const struct member *member = group->members; member; member = member->next) {
		size_t at = get_instance(&group->column, member);

		if (present[at / 8] >> at % 8 & 1)
			return refuse(builder, member->parts[VALUES]->name,
				      "its position is that of another column", "");
		present[at / 8] |= (uint8_t)(1 << at % 8);
	}
	return group->member_count == instances
		       ? 0
		       : tacho__result_set_present(builder->result, present);
}

static int store_state(const struct builder *builder, const struct member *member, size_t row,
		       bool is_absent, uint8_t *state)
{
	const struct tacho__series *series = member->parts[STATES];
	const char *text = series ? get_text(series, row) : NULL;

	*state = TACHO_STATE_OK;
	if (text && *text && !tacho__state_parse(text, state))
		return refuse(builder, series->name,
			      tacho__detail("\"%.40s\" in line %zu is no state", text,
					    series->cells[row].line),
			      "use ok, scaled, overflow, lost or absent");
	if (is_absent)
		*state = (*state & TACHO__STATE_MARKS) | TACHO_STATE_ABSENT;
	return 0;
}

static int store_coverage(const struct builder *builder, const struct member *member, size_t row,
			  double *coverage)
{
	const struct tacho__series *series = member->parts[COVERAGES];
	struct number number = parse_number(series ? get_text(series, row) : NULL);

	*coverage = number.kind == NOTHING ? 1 : number.real;
	if (number.kind != TEXT && *coverage >= 0 && *coverage <= 1)
		return 0;
	return refuse(builder, series->name,
		      tacho__detail("\"%.40s\" in line %zu is no part of a whole",
				    get_text(series, row), series->cells[row].line),
		      "give a number from 0 to 1");
}

/* Where the values of a column go; NULL: it has none of these. */
struct target {
	void *data;
	uint8_t *states;
	double *coverage;
};

static int store_member(const struct builder *builder, const struct group *group,
			const struct member *member, size_t instances, const struct target *target)
{
	size_t instance = get_instance(&group->column, member);
	int rc = 0;

	for (size_t row = 0; row < builder->sheet->row_count && !rc; row++) {
		struct number number = parse_number(get_text(member->parts[VALUES], row));
		size_t at = row * instances + instance;

		if (group->is_whole)
			((uint64_t *)target->data)[at] = number.whole;
		else
			((double *)target->data)[at] = number.real;
		if (target->states)
			rc = store_state(builder, member, row, number.kind == NOTHING,
					 &target->states[at]);
		if (!rc && target->coverage)
			rc = store_coverage(builder, member, row, &target->coverage[at]);
	}
	return rc;
}

static int find_extents(const struct builder *builder, struct group *group, size_t *out_instances)
{
	struct tacho_column *column = &group->column;
	size_t instances;

	for (const struct member *member = group->members; member; member = member->next) {
		for (uint32_t i = 0; i < column->dimension_count; i++)
			if (member->positions[i] >= column->dimensions[i].extent)
				column->dimensions[i].extent = member->positions[i] + 1;
		for (enum part part = STATES; part < PART_COUNT; part++)
			if (member->parts[part] && !member->parts[VALUES])
				return refuse(builder, member->parts[part]->name,
					      "there are states without values", "");
	}
	instances = tacho__shape_count(column->dimensions, column->dimension_count);
	if (!instances || instances > INSTANCES_MAX || instances > group->member_count * SPARSE_MAX)
		return refuse(
			builder, column->name,
			tacho__detail("its positions span more than %d values", INSTANCES_MAX), "");
	*out_instances = instances;
	return 0;
}

static bool has_part(const struct group *group, enum part part)
{
	for (const struct member *member = group->members; member; member = member->next)
		if (member->parts[part])
			return true;
	return false;
}

static int build_group(struct builder *builder, struct group *group)
{
	struct target target = {0};
	size_t instances = 0;
	int rc;

	if (group->text_line && !group->number_count)
		return 0;
	if (group->text_line)
		return refuse(builder, group->column.name,
			      tacho__detail("it has numbers, and in line %zu something else",
					    group->text_line),
			      "leave the cell empty when there is no value");
	rc = find_extents(builder, group, &instances);
	if (rc)
		return rc;
	group->column.type = group->is_whole ? TACHO_TYPE_U64 : TACHO_TYPE_F64;
	rc = tacho__result_add_column(builder->result, &group->column, &target.data);
	if (!rc && (group->has_gaps || has_part(group, STATES)))
		rc = tacho__result_add_states(builder->result, &target.states);
	if (!rc && has_part(group, COVERAGES))
		rc = tacho__result_add_coverage(builder->result, &target.coverage);
	if (!rc)
		rc = set_present(builder, group, instances);
	for (const struct member *member = group->members; member && !rc; member = member->next)
		rc = store_member(builder, group, member, instances, &target);
	return rc;
}

int tacho__sheet_build(const struct tacho__sheet *sheet, struct tacho_result *result)
{
	struct builder builder = {.sheet = sheet, .result = result};
	int rc = 0;

	builder.last = &builder.groups;
	for (size_t i = 0; i < sheet->series_count && !rc; i++)
		rc = add_series(&builder, &sheet->series[i]);
	for (struct group *group = builder.groups; group && !rc; group = group->next)
		rc = build_group(&builder, group);
	tacho__names_finish(&builder.by_name);
	tacho__names_finish(&builder.members);
	tacho__arena_finish(&builder.arena);
	return rc;
}
