/* SPDX-License-Identifier: MIT */
/*
 * Metrics of launches as unitrace writes them ("--metric-query"): for each device
 *
 *	=== Device #0 Metrics ===
 *
 *	Kernel,GlobalInstanceId,SubDeviceId,GpuTime[ns],XVE_ACTIVE[%],...
 *	"k[SIMD32 {8192; 1; 1} {128; 1; 1}]",17,0,12345,...
 *
 * A launch has the number that it has in a Chrome trace of the same process. Names have commas, and
 * elder versions no quotes around them: cells are counted from the end. In a folder of results
 * ("--result-dir") each device has a file, and its name takes the place of the title.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "base/text.h"
#include "format/foreign/foreign_chrome.h"
#include "format/foreign/foreign_csv.h"
#include "format/foreign/unitrace.h"

static const char begin[] = "Kernel,GlobalInstanceId,SubDeviceId,";
static const char result[] = "metrics_"; /* begins the name of a file of one device */

enum { METRICS_MAX = 2000, FIXED = 3 };

struct metrics {
	struct tacho__foreign *foreign;
	struct tacho__foreign_csv lines;
	uint32_t process;
	bool is_joined; /* a trace has the launches */
	uint64_t device;
	uint32_t counters[METRICS_MAX];
	size_t count;	 /* of metrics */
	size_t duration; /* which of them is "GpuTime[ns]", + 1; 0: none */
	uint64_t last;	 /* the launch of the last line, + 1 */
	uint64_t rows, odd;
};

bool tacho__unitrace_is_metrics(const struct tacho__foreign_file *file)
{
	const char *at = strstr(file->head, begin);

	return at && (at == file->head || at[-1] == '\n');
}

/* ---- titles ---- */

/* "XVE_ACTIVE[%]": units that are none of tacho's stay in the name. */
static int add_metric(struct metrics *metrics, char *title)
{
	static const struct {
		const char *tail, *unit;
	} units[] = {{"[ns]", "ns"},
		     {"[%]", "percent"},
		     {"[bytes]", "bytes"},
		     {"[cycles]", "cycles"},
		     {"[events]", ""}};
	const char *unit = "";

	if (metrics->count == METRICS_MAX)
		return tacho__fail(TACHO_E_PARSE, "", "", "a table has more than %d metrics",
				   METRICS_MAX);
	if (!strcmp(title, "GpuTime[ns]"))
		metrics->duration = metrics->count + 1;
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(units); i++)
		if (tacho__ends_with(title, units[i].tail)) {
			title[strlen(title) - strlen(units[i].tail)] = '\0';
			unit = units[i].unit;
			break;
		}
	return tacho__foreign_counter(metrics->foreign, title, unit, TACHO_TYPE_F64,
				      &metrics->counters[metrics->count++]);
}

static int take_titles(struct metrics *metrics, char *line)
{
	char *rest = NULL;
	int rc = 0;

	metrics->count = metrics->duration = 0;
	line += strlen(begin);
	for (char *title = strtok_r(line, ",\r", &rest); title && !rc;
	     title = strtok_r(NULL, ",\r", &rest))
		rc = add_metric(metrics, title);
	return rc;
}

/* ---- launches ---- */

/* Cuts the cells off, the last first. False: they are too few. */
static bool cut_cells(const struct metrics *metrics, char *line, char **cells)
{
	for (size_t i = metrics->count + FIXED; i-- > 1;) {
		char *comma = strrchr(line, ',');

		if (!comma)
			return false;
		*comma = '\0';
		cells[i] = comma + 1;
	}
	cells[0] = line;
	return true;
}

static int add_launch(struct metrics *metrics, char *const *cells, uint64_t values)
{
	struct tacho__foreign_command launch = {
		.process = metrics->process, .state = TACHO_STATE_ABSENT, .values = values};
	char device[40];
	int rc = tacho__unitrace_take_name(metrics->foreign, cells[0], &launch);

	snprintf(device, sizeof(device), "#%" PRIu64, metrics->device);
	if (!rc)
		rc = tacho__unitrace_take_place(metrics->foreign, device, "", "", &launch);
	if (!rc)
		rc = tacho__foreign_text(metrics->foreign,
					 "tables of metrics say how long it ran, not when",
					 &launch.reason);
	if (metrics->duration)
		launch.has_duration = tacho__foreign_csv_unsigned(
			cells[FIXED + metrics->duration - 1], &launch.duration_ns);
	return rc ? rc : tacho__foreign_add_command(metrics->foreign, &launch);
}

/* Of a part of the device but the first a metric is one of its own: "XVE_ACTIVE[1]". */
static int find_counter(struct metrics *metrics, size_t metric, uint64_t part,
			uint32_t *out_counter)
{
	const struct tacho_entry *entry =
		&metrics->foreign->counters[metrics->counters[metric] - 1];
	struct tacho__buf name = {0};
	int rc;

	*out_counter = metrics->counters[metric];
	if (!part)
		return 0;
	tacho__buf_printf(&name, "%s[%" PRIu64 "]", entry->name, part);
	rc = name.failed ? TACHO_E_NOMEM
			 : tacho__foreign_counter(metrics->foreign, name.text, entry->unit,
						  TACHO_TYPE_F64, out_counter);
	tacho__buf_finish(&name);
	return rc;
}

static int add_values(struct metrics *metrics, char *const *cells, uint64_t values, uint64_t part)
{
	struct tacho__foreign_value value = {.process = metrics->process, .values = values};
	int rc = 0;

	for (size_t i = 0; i < metrics->count && !rc; i++) {
		value.state = tacho__foreign_csv_real(cells[FIXED + i], &value.number.f64)
				      ? TACHO_STATE_OK
				      : TACHO_STATE_ABSENT;
		value.note = 0;
		if (value.state != TACHO_STATE_OK)
			rc = tacho__foreign_text(metrics->foreign, "the file has no number for it",
						 &value.note);
		if (!rc)
			rc = find_counter(metrics, i, part, &value.counter);
		if (!rc)
			rc = tacho__foreign_add_value(metrics->foreign, &value);
	}
	return rc;
}

static int take_row(struct metrics *metrics, char *line)
{
	char *cells[METRICS_MAX + FIXED];
	uint64_t instance, part;
	int rc = 0;

	if (!cut_cells(metrics, line, cells) || !tacho__foreign_csv_unsigned(cells[1], &instance) ||
	    !tacho__foreign_csv_unsigned(cells[2], &part) || instance == UINT64_MAX) {
		metrics->odd++;
		return 0;
	}
	metrics->rows++;
	if (!metrics->is_joined && instance + 1 != metrics->last)
		rc = add_launch(metrics, cells, instance + 1);
	metrics->last = instance + 1;
	return rc ? rc : add_values(metrics, cells, instance + 1, part);
}

/* ---- the file ---- */

/* "app.metrics.77.csv", "metrics.77.csv"; in a folder of results "app.77/metrics/metrics_0.csv",
 * of device 0. 0: the name does not tell it. */
static uint64_t pid_of(const char *path)
{
	const char *base = tacho__base_name(path), *at = strstr(base, "metrics.");
	static const char folder[] = "/metrics/";
	size_t before = (size_t)(base - path);
	uint64_t pid = 0;

	if (!strncmp(base, result, strlen(result)) && before > strlen(folder) &&
	    !strncmp(base - strlen(folder), folder, strlen(folder))) {
		at = base - strlen(folder);
		while (at > path && tacho__is_digit(at[-1]))
			at--;
		at = tacho__is_digit(*at) ? at : NULL;
	}
	return at && tacho__foreign_chrome_number(at, &pid) && pid <= UINT32_MAX ? pid : 0;
}

static int find_process(struct metrics *metrics, uint64_t number, uint64_t pid,
			const struct tacho__map *processes)
{
	uintptr_t known = pid ? (uintptr_t)tacho__map_get(processes, pid) : 0;

	metrics->is_joined = known != 0;
	metrics->process = (uint32_t)(known - 1);
	return known ? 0
		     : tacho__foreign_process(metrics->foreign, number, (uint32_t)pid,
					      &metrics->process);
}

static int take_line(struct metrics *metrics, char *line)
{
	unsigned long device;

	if (!strncmp(line, begin, strlen(begin)))
		return take_titles(metrics, line);
	if (sscanf(line, "=== Device #%lu Metrics ===", &device) == 1) {
		metrics->device = device;
		return 0;
	}
	if (!metrics->count || !*line || *line == '\r')
		return 0;
	return take_row(metrics, line);
}

static int read_lines(struct metrics *metrics)
{
	char **cells;
	size_t count;
	int rc;

	metrics->lines.separator = '\1';
	while (!(rc = tacho__foreign_csv_next(&metrics->lines, &cells, &count)) && count) {
		rc = take_line(metrics, cells[0]);
		if (rc)
			break;
	}
	return rc;
}

static void note_what_lacks(const struct metrics *metrics)
{
	struct tacho__foreign *foreign = metrics->foreign;

	if (!metrics->is_joined && metrics->rows)
		tacho__foreign_note(foreign,
				    "A table of metrics says how long launches ran, and not when: "
				    "open it with the Chrome trace of its process.");
	tacho__foreign_note_count(foreign, metrics->odd,
				  "line of metrics is not whole and is left out.",
				  "lines of metrics are not whole and are left out.");
}

int tacho__unitrace_read_metrics(struct tacho__foreign *foreign, const char *path, uint64_t number,
				 const struct tacho__map *processes)
{
	struct metrics *metrics = calloc(1, sizeof(*metrics));
	int rc;

	if (!metrics)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory to read %s", path);
	metrics->foreign = foreign;
	if (!strncmp(tacho__base_name(path), result, strlen(result)))
		tacho__foreign_chrome_number(tacho__base_name(path), &metrics->device);
	tacho__foreign_begin_file(foreign);
	rc = find_process(metrics, number, pid_of(path), processes);
	if (!rc)
		rc = tacho__foreign_csv_open(&metrics->lines, path);
	if (!rc) {
		rc = read_lines(metrics);
		tacho__foreign_note_end(foreign, path, metrics->lines.is_open);
		tacho__foreign_csv_close(&metrics->lines);
	}
	if (!rc)
		note_what_lacks(metrics);
	free(metrics);
	return rc;
}
