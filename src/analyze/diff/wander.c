/* SPDX-License-Identifier: MIT */
#include "analyze/diff/wander.h"

#include <math.h>
#include <string.h>

enum {
	EIGHTHS = 8,
	TREND_MIN = 12, /* values that a trend can be told of */
	SCALE_MIN = 12, /* blocks that an autocorrelation can be told of */
};

/* ---- eighths ---- */

static double median_of(const double *values, size_t count, double *room)
{
	memcpy(room, values, count * sizeof(*room));
	tacho__sort(room, count);
	return tacho__median(room, count);
}

static double variance_of(const double *values, size_t count)
{
	double mean = 0, sum = 0;

	for (size_t i = 0; i < count; i++)
		mean += values[i] / (double)count;
	for (size_t i = 0; i < count; i++)
		sum += (values[i] - mean) * (values[i] - mean);
	return sum / (double)(count - 1);
}

static void measure_eighths(const double *values, size_t count, double *room,
			    struct tacho__wander *wander)
{
	size_t eighths = count < EIGHTHS ? count : EIGHTHS, first = eighths > 2;
	double medians[EIGHTHS] = {0}, logs[EIGHTHS] = {0};
	bool is_positive = true;

	for (size_t i = first; i < eighths; i++) {
		size_t from = i * count / eighths, to = (i + 1) * count / eighths;
		double median = median_of(values + from, to - from, room);

		medians[i - first] = median;
		is_positive = is_positive && median > 0;
		logs[i - first] = median > 0 ? log(median) : 0;
	}
	if (eighths - first < 2)
		return;
	wander->freedom = (double)(eighths - first - 1);
	wander->variance = variance_of(medians, eighths - first);
	wander->log_variance = is_positive ? variance_of(logs, eighths - first) : NAN;
}

/* ---- drift ---- */

/* A copy in which values beyond the fences around the quartiles lie on them. */
static void clip(const double *values, size_t count, double *room)
{
	double low, high, fence;

	memcpy(room, values, count * sizeof(*room));
	tacho__sort(room, count);
	low = room[count / 4];
	high = room[count - 1 - count / 4];
	fence = 1.5 * (high - low);
	for (size_t i = 0; i < count; i++)
		room[i] = fmax(low - fence, fmin(high + fence, values[i]));
}

/* Takes the straight line off that fits best, and returns its slope. */
static double take_slope(double *values, size_t count)
{
	double middle = (double)(count - 1) / 2, mean = 0, sum = 0, slope;

	for (size_t i = 0; i < count; i++)
		mean += values[i] / (double)count;
	for (size_t i = 0; i < count; i++)
		sum += ((double)i - middle) * (values[i] - mean);
	slope = sum * 12 / ((double)count * ((double)count * (double)count - 1));
	for (size_t i = 0; i < count; i++)
		values[i] -= mean + slope * ((double)i - middle);
	return slope;
}

/*
 * How far means of neighbours go together: their first autocorrelation, with what taking a line off
 * takes from it (Kendall) added again. Between 0 and 0.99.
 */
static double correlate(const double *values, size_t count, double squares)
{
	double sum = 0, part;

	for (size_t i = 1; i < count; i++)
		sum += values[i - 1] * values[i];
	part = squares > 0 ? sum / squares : 0;
	part += (2 + 4 * part) / (double)count;
	return fmax(0, fmin(0.99, part));
}

/*
 * The variance of a value as it counts for a mean or a slope: that of the values themselves, times
 * what their correlation makes it. Taken of single values, of means of two, of four, ..., and the
 * largest is believed, as slow changes below much noise show in the means of many only.
 */
static double find_variance(double *values, size_t count, double *out_freedom)
{
	double largest = 0;

	*out_freedom = 1;
	for (size_t size = 1; count >= SCALE_MIN; size *= 2, count /= 2) {
		double squares = 0, part, variance;

		for (size_t i = 0; i < count; i++)
			squares += values[i] * values[i];
		part = correlate(values, count, squares);
		variance = (double)size * squares / (double)(count - 2) * (1 + part) / (1 - part);
		if (variance > largest) {
			largest = variance;
			*out_freedom = fmax(1, (double)count * (1 - part) / (1 + part) - 2);
		}
		for (size_t i = 0; i < count / 2; i++)
			values[i] = (values[2 * i] + values[2 * i + 1]) / 2;
	}
	return largest;
}

static double test_trend(const double *values, size_t count, double *room)
{
	double slope, variance, freedom, squares;

	if (count < TREND_MIN)
		return 1;
	clip(values, count, room);
	slope = take_slope(room, count);
	variance = find_variance(room, count, &freedom);
	squares = (double)count * ((double)count * (double)count - 1) / 12;
	if (!(variance > 0))
		return slope == 0 ? 1 : 0;
	return tacho__t_tails(slope / sqrt(variance / squares), freedom);
}

void tacho__wander_measure(const double *values, size_t count, double *room,
			   struct tacho__wander *out_wander)
{
	struct tacho__wander wander = {.log_variance = NAN, .drift_p = 1};
	size_t warm = count / EIGHTHS;

	measure_eighths(values, count, room, &wander);
	wander.drift_p = test_trend(values + warm, count - warm, room);
	*out_wander = wander;
}

struct tacho__estimate tacho__wander_compare(double difference, const struct tacho__lone sides[2],
					     bool is_log)
{
	struct tacho__part parts[4];

	for (int side = 0; side < 2; side++) {
		const struct tacho__wander *wander = sides[side].wander;
		double variance = is_log ? wander->log_variance : wander->variance;

		parts[2 * side] = (struct tacho__part){
			variance > sides[side].floor ? variance : sides[side].floor,
			wander->freedom};
		parts[2 * side + 1] =
			(struct tacho__part){sides[side].effect * sides[side].effect, INFINITY};
		if (!(wander->freedom > 0))
			return (struct tacho__estimate){0};
	}
	return tacho__estimate_of_parts(difference, parts, 4);
}
