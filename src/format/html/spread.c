/* SPDX-License-Identifier: MIT */
/* How durations are spread: columns from the shortest to the longest, on a logarithmic axis. */
#include "format/html/html.h"

#include <math.h>
#include <string.h>

#include "tacho/sys/units.h"

enum { SMALL_COLUMNS = 24, LARGE_COLUMNS = 48, LARGE_MAX = 8, HEIGHT = 20 };

/* Neighbouring bins summed up until they are few enough. */
struct spread {
	uint64_t columns[LARGE_COLUMNS];
	size_t count;
	size_t first_bin, bins_each; /* of a column */
	uint64_t most, sum;
};

static struct spread make_spread(const uint64_t *bins, size_t columns_max)
{
	size_t first = 0, last = TACHO_DURATION_BINS - 1;
	struct spread spread = {0};

	while (first < last && !bins[first])
		first++;
	while (last > first && !bins[last])
		last--;
	spread.first_bin = first;
	spread.bins_each = (last - first) / columns_max + 1;
	spread.count = (last - first) / spread.bins_each + 1;
	for (size_t i = first; i <= last; i++) {
		uint64_t *column = &spread.columns[(i - first) / spread.bins_each];

		*column += bins[i];
		spread.sum += bins[i];
		if (*column > spread.most)
			spread.most = *column;
	}
	return spread;
}

static uint64_t get_column_start_ns(const struct spread *spread, size_t column)
{
	return tacho_duration_bin_start_ns(spread->first_bin + column * spread->bins_each);
}

/* What at least this part of the durations does not exceed: the end of the bin that holds it. */
static uint64_t get_quantile_ns(const struct tacho_summary_line *line, const uint64_t *bins,
				double part)
{
	uint64_t wanted = (uint64_t)ceil(part * (double)line->measured), sum = 0, end_ns;

	for (size_t i = 0; i < TACHO_DURATION_BINS; i++) {
		sum += bins[i];
		if (sum < wanted)
			continue;
		end_ns = tacho_duration_bin_start_ns(i + 1) - 1;
		return end_ns < line->max_ns ? end_ns : line->max_ns;
	}
	return line->max_ns;
}

/* One path for all columns; none that has something is lower than one unit. */
static void put_columns(FILE *stream, const struct spread *spread)
{
	fputs("<path d=\"", stream);
	for (size_t i = 0; i < spread->count; i++) {
		double height = spread->most ? (double)HEIGHT * (double)spread->columns[i] /
						       (double)spread->most
					     : 0;

		if (!spread->columns[i])
			continue;
		if (height < 1)
			height = 1;
		fprintf(stream, "M%zu %dv-%.3gh3v%.3gz", 4 * i, HEIGHT, height, height);
	}
	fputs("\"/>", stream);
}

static void put_words(FILE *stream, const struct tacho_summary_line *line, const uint64_t *bins)
{
	char times[2][TACHO_UNITS_MAX];

	tacho__html_print(stream, "half of them take at most %s, 95%% at most %s",
			  tacho_units_time(times[0], get_quantile_ns(line, bins, 0.5), 3),
			  tacho_units_time(times[1], get_quantile_ns(line, bins, 0.95), 3));
}

void tacho__html_put_spread(const struct tacho__html *page, enum tacho_summary_key key,
			    size_t index)
{
	const uint64_t *bins = tacho_summary_get_durations(page->summary, key, index);
	struct spread spread;

	if (!bins)
		return;
	spread = make_spread(bins, SMALL_COLUMNS);
	fputs("<svg role=\"img\" viewBox=\"0 0 96 20\" preserveAspectRatio=\"none\" "
	      "focusable=\"false\"><title>",
	      page->stream);
	put_words(page->stream, tacho_summary_get_line(page->summary, key, index), bins);
	fputs("</title>", page->stream);
	put_columns(page->stream, &spread);
	fputs("</svg>", page->stream);
}

static void put_figure(const struct tacho__html *page, size_t index)
{
	const struct tacho_summary_line *line =
		tacho_summary_get_line(page->summary, TACHO_BY_KERNEL, index);
	const uint64_t *bins = tacho_summary_get_durations(page->summary, TACHO_BY_KERNEL, index);
	FILE *stream = page->stream;
	char times[2][TACHO_UNITS_MAX];
	struct spread spread = make_spread(bins, LARGE_COLUMNS);

	tacho__html_print(stream, "<figure class=\"k%zu\"><figcaption><b class=\"name\">%s</b> ",
			  index < TACHO__HTML_COLORS ? index : (size_t)TACHO__HTML_COLORS,
			  line->name);
	tacho__html_put_count(page, line->measured, "launch", "launches");
	fputs(": ", stream);
	put_words(stream, line, bins);
	fprintf(stream,
		"</figcaption>\n<svg viewBox=\"0 0 %zu %d\" preserveAspectRatio=\"none\" "
		"aria-hidden=\"true\" focusable=\"false\">",
		4 * spread.count, HEIGHT);
	put_columns(stream, &spread);
	tacho__html_print(
		stream,
		"</svg>\n<p class=\"axis\" "
		"aria-hidden=\"true\"><span>%s</span><span>%s</span></p></figure>\n",
		tacho_units_time(times[0], get_column_start_ns(&spread, 0), 3),
		tacho_units_time(times[1], get_column_start_ns(&spread, spread.count), 3));
}

void tacho__html_put_spreads(const struct tacho__html *page)
{
	size_t count = tacho_summary_get_line_count(page->summary, TACHO_BY_KERNEL), put = 0;

	for (size_t i = 0; i < count && put < LARGE_MAX; i++) {
		const struct tacho_summary_line *line =
			tacho_summary_get_line(page->summary, TACHO_BY_KERNEL, i);

		/* One launch, or a few, say nothing that the table does not. */
		if (line->measured < 4 ||
		    !tacho_summary_get_durations(page->summary, TACHO_BY_KERNEL, i))
			continue;
		if (!put++) {
			tacho__html_begin_section(page, "spreads", "Durations of kernels");
			fputs("<p>How many launches took how long, from the shortest on the left "
			      "to the longest on the right. The axis is logarithmic.</p>\n"
			      "<div class=\"figures\">\n",
			      page->stream);
		}
		put_figure(page, i);
	}
	if (put)
		fputs("</div>\n</section>\n", page->stream);
}
