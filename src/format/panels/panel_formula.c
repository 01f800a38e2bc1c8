/* SPDX-License-Identifier: MIT */
/* Recursive descent that works values out while it reads. */
#include "format/panels/panel_formula.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "base/number.h"
#include "base/text.h"
#include "format/panels/panel_value.h"
#include "model/result.h"
#include "tacho/sys/panels.h"

/* Sums over more than a hundred channels are written as brackets in brackets. */
enum { DEPTH_MAX = 1000, WORD_DEPTH_MAX = 8, ARGUMENTS_MAX = 4, NOTE_MAX = 200 };

#define EXACT_MAX ((uint64_t)1 << 53) /* whole numbers that a double has all of */

struct reader {
	const struct tacho__panel_scope *scope;
	struct tacho__arena *arena;
	const char *text, *at;
	unsigned depth, word_depth;
	char note[NOTE_MAX]; /* the first thing that is missing or wrong */
	bool is_wrong;	     /* the formula does not parse */
};

/* What a word with "$" before it stands for; others are numbers of the machine. */
static const struct {
	const char *word, *text;
} words[] = {
	{"numActiveCUs", "TO_INT(MIN(8*ROUND(AVG(4*SQ_BUSY_CU_CYCLES/$GRBM_GUI_ACTIVE_PER_XCD),0)/"
			 "$max_waves_per_cu + MIN(MOD(ROUND(AVG(4*SQ_BUSY_CU_CYCLES/"
			 "$GRBM_GUI_ACTIVE_PER_XCD),0),$max_waves_per_cu),8),$cu_per_gpu))"},
	{"kernelBusyCycles", "ROUND(AVG((End_Timestamp-Start_Timestamp)/1000*$max_sclk),0)"},
	{"hbmBandwidth", "$max_mclk/1000*32*$num_hbm_channels"},
};

static const char per_die[] = "_PER_XCD", accumulator[] = "SQ_ACCUM_PREV_HIRES";

static struct tacho__panel_value read_choice(struct reader *reader);

__attribute__((format(printf, 2, 3))) static struct tacho__panel_value miss(struct reader *reader,
									    const char *format, ...)
{
	va_list list;

	if (!*reader->note) {
		va_start(list, format);
		vsnprintf(reader->note, sizeof(reader->note), format, list);
		va_end(list);
	}
	return tacho__panel_number(reader->arena, NAN);
}

/* The rest is not read. */
static struct tacho__panel_value fail(struct reader *reader, const char *what)
{
	size_t column = (size_t)(reader->at - reader->text) + 1;

	if (!reader->is_wrong)
		reader->note[0] = '\0';
	reader->is_wrong = true;
	reader->at += strlen(reader->at);
	return miss(reader, "its formula does not parse in the notation of panels: column %zu: %s",
		    column, what);
}

static void skip_blanks(struct reader *reader)
{
	while (tacho__is_blank(*reader->at))
		reader->at++;
}

/* Takes a mark when it is next. */
static bool take(struct reader *reader, const char *mark)
{
	size_t size = strlen(mark);

	skip_blanks(reader);
	if (strncmp(reader->at, mark, size) != 0 ||
	    (tacho__is_name(*mark) && tacho__is_name(reader->at[size])))
		return false;
	reader->at += size;
	return true;
}

/* Another formula in the place of a word. */
static struct tacho__panel_value read_word(struct reader *reader, const char *text)
{
	struct tacho__panel_value value;
	const char *outer_text = reader->text, *outer_at = reader->at;

	if (reader->word_depth == WORD_DEPTH_MAX)
		return fail(reader, "a word stands for itself");
	reader->word_depth++;
	reader->text = reader->at = text;
	value = read_choice(reader);
	reader->text = outer_text;
	reader->at = reader->is_wrong ? outer_at + strlen(outer_at) : outer_at;
	reader->word_depth--;
	return value;
}

static const char begin_name[] = "Start_Timestamp", end_name[] = "End_Timestamp";

/*
 * What is left out of stamps that have more digits than a real number: the first of all launches.
 * Only what is between stamps means something.
 */
static uint64_t find_origin(const struct tacho_result *counters, const char *name)
{
	const struct tacho_column *column = tacho_result_find_column(counters, begin_name);
	uint64_t origin = UINT64_MAX;

	if ((strcmp(name, begin_name) != 0 && strcmp(name, end_name) != 0) || !column ||
	    column->type != TACHO_TYPE_U64 || column->instance_count != 1)
		return 0;
	for (size_t row = 0; row < counters->row_count; row++)
		if (column->data.u64[row] > EXACT_MAX && column->data.u64[row] < origin)
			origin = column->data.u64[row];
	return origin == UINT64_MAX ? 0 : origin;
}

static double get_number(const struct tacho_column *column, size_t row, size_t position,
			 uint64_t origin)
{
	uint64_t whole;

	if (!origin || column->type != TACHO_TYPE_U64)
		return tacho_column_get_value(column, row, position);
	whole = column->data.u64[row * column->instance_count + position];
	return whole >= origin ? (double)(whole - origin) : (double)whole;
}

static struct tacho__panel_value get_counter(struct reader *reader, const char *name,
					     const char *index)
{
	const struct tacho_result *counters = reader->scope->counters;
	const struct tacho_column *column;
	struct tacho__panel_value value;
	double position = 0;
	uint64_t origin;

	if (reader->scope->accumulated && !strcmp(name, accumulator))
		name = reader->scope->accumulated;
	column = tacho_result_find_column(counters, name);
	if (!column)
		return miss(reader, "the values lack %s", name);
	if (*index && tacho__number_parse(index, strlen(index), &position))
		return fail(reader, "expected the number of an instance in the brackets");
	if (!*index && column->instance_count != 1)
		return miss(reader, "the values have instances of %s, and no number of it", name);
	if (!(position >= 0 && position < (double)column->instance_count) ||
	    !tacho_column_is_present(column, (size_t)position))
		return miss(reader, "the values lack %s[%s]", name, index);
	value = tacho__panel_column(reader->arena, counters->row_count);
	origin = find_origin(counters, name);
	for (size_t row = 0; value.numbers && row < value.count; row++)
		if ((tacho_column_get_state(column, row, (size_t)position) & TACHO_STATE_MASK) !=
		    TACHO_STATE_ABSENT)
			value.numbers[row] = get_number(column, row, (size_t)position, origin);
	return value;
}

/* A number that was given, else one of the machine. */
static struct tacho__panel_value get_machine(struct reader *reader, const char *name)
{
	const struct tacho_result *base = reader->scope->base, *machine = reader->scope->machine;
	const struct tacho_column *column = tacho_result_find_column(machine, name);

	for (size_t i = 0; base && i < base->constant_count; i++)
		if (!strcmp(base->constants[i].name, name))
			return tacho__panel_number(reader->arena, base->constants[i].value);
	if (!column || !machine->row_count ||
	    (tacho_column_get_state(column, 0, 0) & TACHO_STATE_MASK) == TACHO_STATE_ABSENT)
		return miss(reader, "nothing says $%s: give --constant %s=NUMBER", name, name);
	return tacho__panel_number(reader->arena, tacho_column_get_value(column, 0, 0));
}

static struct tacho__panel_value read_of_base(struct reader *reader, const char *text)
{
	const struct tacho__panel_scope *outer = reader->scope;
	struct tacho__panel_scope base = *outer;
	struct tacho__panel_value value;

	base.counters = outer->base;
	reader->scope = &base;
	value = read_word(reader, text);
	reader->scope = outer;
	return value;
}

static struct tacho__panel_value get_word(struct reader *reader, const char *name)
{
	size_t size = strlen(name), tail = strlen(per_die);
	char text[160];

	if (!strcmp(name, "denom"))
		return read_word(reader, reader->scope->denominator);
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (!strcmp(name, words[i].word))
			return read_of_base(reader, words[i].text);
	if (size <= tail || strcmp(name + size - tail, per_die) != 0)
		return get_machine(reader, name);
	snprintf(text, sizeof(text), "%.*s/$num_xcd", (int)(size - tail), name);
	return read_of_base(reader, text);
}

/* The name that is next; false: none is, or it is too long. */
static bool take_name(struct reader *reader, char *out_name, size_t room)
{
	size_t size = 0;

	if (!tacho__is_name_start(*reader->at))
		return false;
	while (tacho__is_name(reader->at[size]))
		size++;
	if (size >= room)
		return false;
	memcpy(out_name, reader->at, size);
	out_name[size] = '\0';
	reader->at += size;
	return true;
}

/* "NAME(" was read. */
static struct tacho__panel_value read_call(struct reader *reader, const char *name)
{
	struct tacho__panel_value arguments[ARGUMENTS_MAX], value;
	size_t count = 0;

	do {
		if (count == ARGUMENTS_MAX)
			return fail(reader, "a function of more than 4 values");
		arguments[count++] = read_choice(reader);
	} while (take(reader, ","));
	if (!take(reader, ")"))
		return fail(reader, "expected \",\" or \")\"");
	if (!tacho__panel_call(reader->arena, name, strlen(name), arguments, count, &value))
		return miss(reader, "there is no function %.40s of %zu values", name, count);
	return value;
}

static struct tacho__panel_value read_name(struct reader *reader)
{
	char name[128], index[16] = "";
	size_t size;

	if (!take_name(reader, name, sizeof(name)))
		return fail(reader, "expected a number, a name or \"(\"");
	if (take(reader, "("))
		return read_call(reader, name);
	if (!strcmp(name, "None"))
		return tacho__panel_number(reader->arena, NAN);
	if (take(reader, "[")) {
		size = strcspn(reader->at, "]");
		if (!reader->at[size] || size == 0 || size >= sizeof(index))
			return fail(reader, "expected the number of an instance and \"]\"");
		memcpy(index, reader->at, size);
		index[size] = '\0';
		reader->at += size + 1;
	}
	return get_counter(reader, name, index);
}

static struct tacho__panel_value read_number(struct reader *reader)
{
	size_t size = strspn(reader->at, "0123456789.");
	double number;

	if (strchr("eE", reader->at[size]) && reader->at[size]) {
		size++;
		size += strspn(reader->at + size, "+-");
		size += strspn(reader->at + size, "0123456789");
	}
	if (tacho__number_parse(reader->at, size, &number))
		return fail(reader, "expected a number");
	reader->at += size;
	return tacho__panel_number(reader->arena, number);
}

static struct tacho__panel_value read_operand(struct reader *reader)
{
	struct tacho__panel_value value, zero;
	char name[128];

	if (reader->depth == DEPTH_MAX)
		return fail(reader, "brackets are nested too deep");
	reader->depth++;
	skip_blanks(reader);
	if (take(reader, "(")) {
		value = read_choice(reader);
		if (!take(reader, ")"))
			value = fail(reader, "expected an operator or \")\"");
	} else if (take(reader, "-")) {
		zero = tacho__panel_number(reader->arena, 0);
		value = read_operand(reader);
		value = tacho__panel_join(reader->arena, &zero, &value,
					  tacho__panel_operator("-", 1));
	} else if (take(reader, "+")) {
		value = read_operand(reader);
	} else if (take(reader, "$")) {
		value = take_name(reader, name, sizeof(name))
				? get_word(reader, name)
				: fail(reader, "expected a name behind \"$\"");
	} else if ((*reader->at >= '0' && *reader->at <= '9') || *reader->at == '.') {
		value = read_number(reader);
	} else {
		value = read_name(reader);
	}
	reader->depth--;
	return value;
}

/* Operators by how they bind, the loosest first. */
static const char *const levels[][7] = {
	{"==", "!=", "<=", ">=", "<", ">", NULL}, {"+", "-", NULL}, {"*", "/", NULL}};

enum { LEVELS = sizeof(levels) / sizeof(levels[0]) };

static const char *take_operator(struct reader *reader, size_t level)
{
	for (size_t i = 0; levels[level][i]; i++)
		if (take(reader, levels[level][i]))
			return levels[level][i];
	return NULL;
}

static struct tacho__panel_value read_level(struct reader *reader, size_t level)
{
	struct tacho__panel_value left, right;
	const char *mark;

	if (level == LEVELS)
		return read_operand(reader);
	left = read_level(reader, level + 1);
	while ((mark = take_operator(reader, level))) {
		right = read_level(reader, level + 1);
		left = tacho__panel_join(reader->arena, &left, &right,
					 tacho__panel_operator(mark, strlen(mark)));
	}
	return left;
}

/* VALUE if CONDITION else OTHER. */
static struct tacho__panel_value read_choice(struct reader *reader)
{
	struct tacho__panel_value value = read_level(reader, 0), condition, other;

	if (!take(reader, "if"))
		return value;
	condition = read_level(reader, 0);
	if (!take(reader, "else"))
		return fail(reader, "expected \"else\"");
	if (reader->depth == DEPTH_MAX)
		return fail(reader, "choices are nested too deep");
	reader->depth++;
	other = read_choice(reader);
	reader->depth--;
	return tacho__panel_choose(reader->arena, &condition, &value, &other);
}

int tacho__panel_evaluate_all(const struct tacho__panel_scope *scope, struct tacho__arena *arena,
			      const char *text, struct tacho__panel_value *out_value,
			      const char **out_note)
{
	struct reader reader = {.scope = scope, .arena = arena, .text = text, .at = text};
	struct tacho__panel_value value = read_choice(&reader);

	skip_blanks(&reader);
	if (*reader.at)
		value = fail(&reader, "expected an operator or the end");
	if (!value.numbers || arena->failed)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a formula");
	*out_value = value;
	*out_note = tacho__arena_string(arena, reader.note);
	return *out_note ? 0 : TACHO_E_NOMEM;
}

int tacho__panel_evaluate(const struct tacho__panel_scope *scope, struct tacho__arena *arena,
			  const char *text, double *out_number, const char **out_note)
{
	struct tacho__panel_value value = {0};
	const char *note = "";
	int rc = tacho__panel_evaluate_all(scope, arena, text, &value, &note);

	if (rc)
		return rc;
	if (!*note && value.is_column && value.count != 1)
		note = "it has a value for each launch: put AVG, MIN or MAX around it";
	if (!*note && !isfinite(value.numbers[0]))
		note = TACHO__PANEL_NO_VALUE;
	*out_number = *note ? NAN : value.numbers[0];
	*out_note = note;
	return 0;
}

/* A mark, or a name and what stands behind it, that only this notation has; skips it. */
static bool is_own_word(const char **at)
{
	static const char *const marks[] = {"==", "!=", "<", ">"};
	const char *start = *at;
	size_t size = 0;

	for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++)
		if (!strncmp(start, marks[i], strlen(marks[i])))
			return true;
	while (tacho__is_name(start[size]))
		size++;
	*at += size ? size : 1;
	if (*start == '$')
		return tacho__is_name_start(start[1]);
	if (size && tacho__is_blank(start[size]))
		return size == 2 && !strncmp(start, "if", 2) && strstr(start, "else") != NULL;
	return start[size] == '(' && tacho__panel_is_function(start, size);
}

bool tacho_values_panel_is_formula(const char *text)
{
	while (text && *text) {
		if (*text == '"') {
			text++;
			text += strcspn(text, "\"");
			text += *text == '"';
		} else if (is_own_word(&text)) {
			return true;
		}
	}
	return false;
}
