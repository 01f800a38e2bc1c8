/* SPDX-License-Identifier: MIT */
#include "format/panels/panel_value.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct tacho__panel_value tacho__panel_column(struct tacho__arena *arena, size_t count)
{
	struct tacho__panel_value value = {.count = count, .is_column = true};

	value.numbers = tacho__arena_get(arena, (count + 1) * sizeof(*value.numbers));
	/* one more: what is worked out of no launches is one number, and unknown */
	for (size_t i = 0; value.numbers && i <= count; i++)
		value.numbers[i] = NAN;
	return value;
}

struct tacho__panel_value tacho__panel_number(struct tacho__arena *arena, double number)
{
	struct tacho__panel_value value = tacho__panel_column(arena, 1);

	value.is_column = false;
	if (value.numbers)
		value.numbers[0] = number;
	return value;
}

static double get(const struct tacho__panel_value *value, size_t at)
{
	if (!value->is_column)
		return value->numbers[0];
	return at < value->count ? value->numbers[at] : NAN;
}

/* Room for what is worked out of the values launch by launch. */
static struct tacho__panel_value
make_room(struct tacho__arena *arena, const struct tacho__panel_value *const *values, size_t count)
{
	struct tacho__panel_value room = {.count = 1};

	for (size_t i = 0; i < count; i++) {
		if (!values[i]->numbers)
			return (struct tacho__panel_value){0};
		room.is_column |= values[i]->is_column;
		if (values[i]->is_column && values[i]->count > room.count)
			room.count = values[i]->count;
	}
	room.numbers = tacho__arena_get(arena, (room.count + 1) * sizeof(*room.numbers));
	return room;
}

struct tacho__panel_value tacho__panel_join(struct tacho__arena *arena,
					    const struct tacho__panel_value *left,
					    const struct tacho__panel_value *right,
					    tacho__panel_pair pair)
{
	const struct tacho__panel_value *const values[] = {left, right};
	struct tacho__panel_value result = make_room(arena, values, 2);

	for (size_t i = 0; result.numbers && i < result.count; i++)
		result.numbers[i] = pair(get(left, i), get(right, i));
	return result;
}

struct tacho__panel_value tacho__panel_choose(struct tacho__arena *arena,
					      const struct tacho__panel_value *condition,
					      const struct tacho__panel_value *yes,
					      const struct tacho__panel_value *no)
{
	const struct tacho__panel_value *const values[] = {condition, yes, no};
	struct tacho__panel_value result = make_room(arena, values, 3);

	for (size_t i = 0; result.numbers && i < result.count; i++)
		result.numbers[i] = get(condition, i) != 0 ? get(yes, i) : get(no, i);
	return result;
}

/* ---- pairs ---- */

static double add(double left, double right)
{
	return left + right;
}

static double subtract(double left, double right)
{
	return left - right;
}

static double multiply(double left, double right)
{
	return left * right;
}

/* Nothing is known of what is divided by zero. */
static double divide(double left, double right)
{
	return right == 0 ? NAN : left / right;
}

static double is_equal(double left, double right)
{
	return left == right;
}

static double differs(double left, double right)
{
	return left != right;
}

static double is_less(double left, double right)
{
	return left < right;
}

static double is_at_most(double left, double right)
{
	return left <= right;
}

static double is_more(double left, double right)
{
	return left > right;
}

static double is_at_least(double left, double right)
{
	return left >= right;
}

static double smaller(double left, double right)
{
	return isnan(left) || isnan(right) ? NAN : fmin(left, right);
}

static double larger(double left, double right)
{
	return isnan(left) || isnan(right) ? NAN : fmax(left, right);
}

/* With the sign of the divisor. */
static double modulo(double left, double right)
{
	return right == 0 ? NAN : left - floor(left / right) * right;
}

/* To so many digits, halves to the even one. */
static double round_to(double number, double digits)
{
	double scale = pow(10, digits);

	return isfinite(scale) && scale > 0 ? nearbyint(number * scale) / scale : NAN;
}

tacho__panel_pair tacho__panel_operator(const char *text, size_t size)
{
	static const struct {
		const char *text;
		tacho__panel_pair pair;
	} operators[] = {
		{"+", add},	  {"-", subtract},     {"*", multiply}, {"/", divide},
		{"==", is_equal}, {"!=", differs},     {"<", is_less},	{"<=", is_at_most},
		{">", is_more},	  {">=", is_at_least},
	};

	for (size_t i = 0; i < sizeof(operators) / sizeof(operators[0]); i++)
		if (strlen(operators[i].text) == size && !memcmp(operators[i].text, text, size))
			return operators[i].pair;
	return NULL;
}

/* ---- over all launches ---- */

static int compare_numbers(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;

	return (a > b) - (a < b);
}

/* Those that are there, in order. */
static size_t sort(double *numbers, size_t count)
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i++)
		if (!isnan(numbers[i]))
			numbers[kept++] = numbers[i];
	qsort(numbers, kept, sizeof(*numbers), compare_numbers);
	return kept;
}

/* Between two neighbours in proportion. */
static double get_quantile(const double *sorted, size_t count, double part)
{
	double at = part * (double)(count - 1);
	size_t below = (size_t)floor(at);

	if (!(part >= 0 && part <= 1))
		return NAN;
	return below + 1 < count
		       ? sorted[below] + (at - floor(at)) * (sorted[below + 1] - sorted[below])
		       : sorted[below];
}

static double get_mean(const double *numbers, size_t count)
{
	double sum = 0;

	for (size_t i = 0; i < count; i++)
		sum += numbers[i];
	return sum / (double)count;
}

/* Of a sample: divided by one less than there are. */
static double get_deviation(const double *numbers, size_t count)
{
	double mean = get_mean(numbers, count), sum = 0;

	for (size_t i = 0; i < count; i++)
		sum += (numbers[i] - mean) * (numbers[i] - mean);
	return count > 1 ? sqrt(sum / (double)(count - 1)) : NAN;
}

enum fold { AVG, MIN, MAX, MEDIAN, STD, QUANTILE };

static double fold(struct tacho__panel_value *copy, enum fold how, double part)
{
	size_t count = sort(copy->numbers, copy->count);

	if (!count)
		return NAN;
	switch (how) {
	case AVG: return get_mean(copy->numbers, count);
	case MIN: return copy->numbers[0];
	case MAX: return copy->numbers[count - 1];
	case MEDIAN: return get_quantile(copy->numbers, count, 0.5);
	case STD: return get_deviation(copy->numbers, count);
	default: return get_quantile(copy->numbers, count, part);
	}
}

static struct tacho__panel_value fold_all(struct tacho__arena *arena,
					  const struct tacho__panel_value *value, enum fold how,
					  double part)
{
	struct tacho__panel_value copy = make_room(arena, &value, 1);

	if (copy.numbers)
		memcpy(copy.numbers, value->numbers, copy.count * sizeof(*copy.numbers));
	return copy.numbers ? tacho__panel_number(arena, fold(&copy, how, part)) : copy;
}

static double cut(double number, double unused)
{
	return trunc(number);
}

static const struct call {
	const char *name;
	size_t count;
	tacho__panel_pair pair; /* NULL: over all launches */
	enum fold fold;
} calls[] = {
	{"AVG", 1, NULL, AVG},	     {"MIN", 1, NULL, MIN},    {"MAX", 1, NULL, MAX},
	{"MEDIAN", 1, NULL, MEDIAN}, {"STD", 1, NULL, STD},    {"QUANTILE", 2, NULL, QUANTILE},
	{"TO_INT", 1, cut, AVG},     {"MIN", 2, smaller, AVG}, {"MAX", 2, larger, AVG},
	{"ROUND", 2, round_to, AVG}, {"MOD", 2, modulo, AVG},
};

static bool has_name(const struct call *call, const char *name, size_t size)
{
	return strlen(call->name) == size && !memcmp(call->name, name, size);
}

bool tacho__panel_is_function(const char *name, size_t size)
{
	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++)
		if (has_name(&calls[i], name, size))
			return true;
	return false;
}

bool tacho__panel_call(struct tacho__arena *arena, const char *name, size_t size,
		       const struct tacho__panel_value *values, size_t count,
		       struct tacho__panel_value *out_value)
{
	const struct tacho__panel_value *second = count > 1 ? &values[1] : &values[0];

	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
		if (calls[i].count != count || !has_name(&calls[i], name, size))
			continue;
		*out_value = calls[i].pair
				     ? tacho__panel_join(arena, &values[0], second, calls[i].pair)
				     : fold_all(arena, &values[0], calls[i].fold,
						second->numbers ? second->numbers[0] : NAN);
		return true;
	}
	return false;
}
