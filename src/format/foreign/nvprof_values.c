/* SPDX-License-Identifier: MIT */
/*
 * Events and metrics of launches in databases of nvprof, over all units of the device or of each.
 * They have numbers for names. Events are counts, as numbers or texts. A metric is eight bytes that
 * may be a real number or a whole one, and the file does not say which. Its bits do: as a real
 * number every count below 2^52 would be less than 1e-307.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "format/foreign/foreign_csv.h"
#include "format/foreign/nvprof.h"

enum column { ID, VALUE, LINK, INSTANCE, FLAGS, COLUMNS };

/* Of metrics. */
enum { RAN_OVER = 1, IS_INVALID = 2 };

static const struct {
	const char *name;
	bool is_metric;
} tables[] = {
	{"CUPTI_ACTIVITY_KIND_EVENT", false},
	{"CUPTI_ACTIVITY_KIND_EVENT_INSTANCE", false},
	{"CUPTI_ACTIVITY_KIND_METRIC", true},
	{"CUPTI_ACTIVITY_KIND_METRIC_INSTANCE", true},
};

struct reading {
	const struct tacho__nvprof_file *file;
	bool is_metric;
	uint64_t events, metrics, bare;
};

bool tacho__nvprof_has_values(struct tacho__foreign_db *db)
{
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(tables); i++)
		if (tacho__foreign_db_has(db, tables[i].name))
			return true;
	return false;
}

static int set_absent(struct reading *reading, const char *why, struct tacho__foreign_value *value)
{
	value->state = TACHO_STATE_ABSENT;
	return tacho__foreign_word(reading->file->foreign, why, &value->note);
}

/* The two highest counts say that there is none. */
static int read_event(struct reading *reading, const struct tacho__foreign_query *query,
		      struct tacho__foreign_value *value)
{
	const char *text = tacho__foreign_query_text(query, VALUE);
	int64_t number;
	double real; /* SQLite makes one of a whole number that is too high for it */

	if (tacho__foreign_query_int(query, VALUE, &number))
		value->number.u64 = (uint64_t)number;
	else if (tacho__foreign_query_real(query, VALUE, &real) && real > 9e18)
		return set_absent(reading, "nvprof says that the count is not valid", value);
	else if (!tacho__foreign_csv_unsigned(text, &value->number.u64))
		return set_absent(reading, "the file has no number for it", value);
	if (value->number.u64 == UINT64_MAX)
		return set_absent(reading, "nvprof says that the counter ran over", value);
	if (value->number.u64 == UINT64_MAX - 1)
		return set_absent(reading, "nvprof says that the count is not valid", value);
	return value->number.u64 <= INT64_MAX
		       ? 0
		       : set_absent(reading, "it is more than any counter has", value);
}

/* What eight bytes of the machine that wrote them stand for. */
static double read_bytes(const unsigned char *bytes)
{
	const uint64_t least = UINT64_C(1) << 52; /* of real numbers that are not nearly 0 */
	uint64_t bits = 0;
	double real;

	for (int i = 8; i--;)
		bits = bits << 8 | bytes[i];
	memcpy(&real, &bits, sizeof(real));
	return bits < least ? (double)bits : real;
}

static int read_metric(struct reading *reading, const struct tacho__foreign_query *query,
		       struct tacho__foreign_value *value)
{
	size_t size;
	const unsigned char *bytes = tacho__foreign_query_bytes(query, VALUE, &size);
	int64_t flags = tacho__foreign_query_get(query, FLAGS);

	if (flags & IS_INVALID)
		return set_absent(reading, "nvprof says that it is not valid", value);
	if (bytes && size == 8)
		value->number.f64 = read_bytes(bytes);
	else if (!tacho__foreign_query_real(query, VALUE, &value->number.f64))
		return set_absent(reading, "the file has no eight bytes for it", value);
	if (!isfinite(value->number.f64))
		return set_absent(reading, "its bytes are no number", value);
	if (flags & RAN_OVER)
		value->state = TACHO_STATE_OVERFLOW;
	return 0;
}

/* "metric 19923062", or of a unit of the device "metric 19923062[3]". */
static int find_counter(struct reading *reading, const struct tacho__foreign_query *query,
			uint32_t *out_counter)
{
	char name[80];
	int64_t instance;
	int size =
		snprintf(name, sizeof(name), "%s %" PRIi64, reading->is_metric ? "metric" : "event",
			 tacho__foreign_query_get(query, ID));

	if (tacho__foreign_query_int(query, INSTANCE, &instance))
		snprintf(name + size, sizeof(name) - (size_t)size, "[%" PRIi64 "]", instance);
	return tacho__foreign_counter(reading->file->foreign, name, "",
				      reading->is_metric ? TACHO_TYPE_F64 : TACHO_TYPE_U64,
				      out_counter);
}

static int take_value(void *user, const struct tacho__foreign_query *query)
{
	struct reading *reading = user;
	struct tacho__foreign_value value = {
		.process = reading->file->process,
		.values = (uint64_t)tacho__foreign_query_get(query, LINK),
		.state = TACHO_STATE_OK};
	int rc;

	if (!value.values) {
		reading->bare++;
		return 0;
	}
	if (reading->is_metric)
		reading->metrics++;
	else
		reading->events++;
	rc = find_counter(reading, query, &value.counter);
	if (!rc)
		rc = reading->is_metric ? read_metric(reading, query, &value)
					: read_event(reading, query, &value);
	return rc ? rc : tacho__foreign_add_value(reading->file->foreign, &value);
}

static void note_values(const struct reading *reading)
{
	struct tacho__foreign *foreign = reading->file->foreign;

	if (reading->events || reading->metrics)
		tacho__foreign_note(foreign, "Events and metrics have numbers in such files, not "
					     "names (nvprof --csv prints the names).");
	if (reading->metrics)
		tacho__foreign_note(foreign,
				    "Such files do not say what a metric is in, nor whether its "
				    "bytes are a real number or a whole one: they are read as the "
				    "one that is not next to 0.");
	tacho__foreign_note_count(foreign, reading->bare,
				  "event or metric that names no launch is left out.",
				  "events or metrics that name no launch are left out.");
}

int tacho__nvprof_read_values(const struct tacho__nvprof_file *file)
{
	static const char *const columns[COLUMNS] = {
		[ID] = "id",
		[VALUE] = "value",
		[LINK] = "correlationId",
		[INSTANCE] = "instance",
		[FLAGS] = "flags",
	};
	struct reading reading = {.file = file};
	int rc = 0;

	for (size_t i = 0; i < TACHO__ARRAY_SIZE(tables) && !rc; i++) {
		reading.is_metric = tables[i].is_metric;
		rc = tacho__foreign_db_each_row(file->db, tables[i].name, columns, COLUMNS,
						take_value, &reading);
	}
	note_values(&reading);
	return rc;
}
