/* SPDX-License-Identifier: MIT */
/* Databases of rocprof (results.db): a table for each section of its trace. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "format/foreign/foreign_csv.h"
#include "format/foreign/foreign_db.h"
#include "format/foreign/rocprof.h"

enum column { START, END, PROCESS, THREAD, NAME, INDEX, ARGUMENTS, DEVICE, QUEUE, STREAM };

static const char *const columns[] = {"BeginNs", "EndNs", "pid",    "tid",	"Name",
				      "Index",	 "args",  "dev-id", "queue-id", "stream-id"};

/* A column of the table of launches. */
struct counter {
	const char *name;
	uint32_t number;
};

struct database {
	struct tacho__rocprof rocprof;
	struct tacho__foreign_db *db;
	bool has_queue_times;
	uint64_t kernels, launches; /* of the runtime's trace, of the table of launches */
	struct counter *counters;
	size_t counter_count, counter_capacity;
	uint32_t counter; /* whose column is read */
};

static bool fits(const struct tacho__foreign_file *file)
{
	static const char *const tables[] = {"HIP", "HSA", "OPS", "COPY"};

	if (!file->db || !tacho__foreign_db_has(file->db, "KERN"))
		return false;
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(tables); i++)
		if (tacho__foreign_db_has(file->db, tables[i]))
			return true;
	return false;
}

/* ---- rows ---- */

/* Some tables keep numbers as texts. */
static bool get(const struct tacho__foreign_query *query, int column, int64_t *out_value)
{
	const char *text = tacho__foreign_query_text(query, column);
	int end = 0;

	return tacho__foreign_query_int(query, column, out_value) ||
	       (sscanf(text, "%" SCNi64 "%n", out_value, &end) == 1 && !text[end]);
}

static uint64_t number_or_0(const struct tacho__foreign_query *query, int column)
{
	int64_t value;

	return get(query, column, &value) && value >= 0 ? (uint64_t)value : 0;
}

/*
 * What names the values of a launch: the table of launches and the runtime's trace number them each
 * in their own way, but take both times from the same signal of the device.
 */
static uint64_t key_of(const struct database *database, int64_t start_ns, int64_t end_ns)
{
	uint64_t key = (uint64_t)start_ns * UINT64_C(0x9e3779b97f4a7c15) ^ (uint64_t)end_ns;

	return database->counter_count ? key + !key : 0;
}

/* False: it has no time. */
static bool fill_row(const struct tacho__foreign_query *query, struct tacho__rocprof_row *row)
{
	*row = (struct tacho__rocprof_row){.pid = (uint32_t)number_or_0(query, PROCESS),
					   .tid = (uint32_t)number_or_0(query, THREAD),
					   .link = number_or_0(query, INDEX),
					   .name = tacho__foreign_query_text(query, NAME),
					   .arguments = tacho__foreign_query_text(query, ARGUMENTS),
					   .device = "",
					   .queue = ""};
	return get(query, START, &row->start_ns) && get(query, END, &row->end_ns);
}

static int take_hip(void *user, const struct tacho__foreign_query *query)
{
	struct database *database = user;
	struct tacho__rocprof_row row;

	return fill_row(query, &row) ? tacho__rocprof_add_call(&database->rocprof, &row, "hip") : 0;
}

/* The numbers of its calls are others than those of HIP, which its work does not know. */
static int take_hsa(void *user, const struct tacho__foreign_query *query)
{
	struct database *database = user;
	struct tacho__rocprof_row row;

	if (!fill_row(query, &row))
		return 0;
	row.link = 0;
	return tacho__rocprof_add_call(&database->rocprof, &row, "hsa");
}

static int take_marker(void *user, const struct tacho__foreign_query *query)
{
	struct database *database = user;
	struct tacho__rocprof_row row;

	return fill_row(query, &row) ? tacho__rocprof_add_marker(&database->rocprof, &row) : 0;
}

static int take_work(void *user, const struct tacho__foreign_query *query)
{
	struct database *database = user;
	char device[40] = "", queue[80] = "";
	struct tacho__rocprof_row row;
	int64_t number, stream;

	if (!fill_row(query, &row))
		return 0;
	if (get(query, DEVICE, &number))
		snprintf(device, sizeof(device), "GPU %" PRIi64, number);
	if (get(query, QUEUE, &number))
		snprintf(queue, sizeof(queue), "queue %" PRIi64, number);
	if (*queue && get(query, STREAM, &stream))
		snprintf(queue, sizeof(queue), "queue %" PRIi64 ", stream %" PRIi64, number,
			 stream);
	row.device = device;
	row.queue = queue;
	if (tacho__rocprof_is_kernel(row.name)) {
		row.values = key_of(database, row.start_ns, row.end_ns);
		database->kernels++;
	}
	/* copies of HSA name its calls */
	if (!strcmp(row.name, "async-copy"))
		row.link = 0;
	return tacho__rocprof_add_work(&database->rocprof, &row);
}

/* ---- the table of launches ---- */

enum launch_column {
	L_START,
	L_END,
	L_QUEUED,
	L_PROCESS,
	L_THREAD,
	L_NAME,
	L_GPU,
	L_QUEUE,
	L_GRID,
	L_GROUP,
	L_LOCAL,
	L_PRIVATE,
	L_VGPRS,
	L_OLD_VGPRS,
	L_ACCUM,
	L_SGPRS
};

static const char *const launch_columns[] = {"BeginNs",	  "EndNs",	"DispatchNs", "pid",
					     "tid",	  "KernelName", "gpu-id",     "queue-id",
					     "grd",	  "wgr",	"lds",	      "scr",
					     "arch_vgpr", "vgpr",	"accum_vgpr", "sgpr"};

static struct tacho__amd_number known(const struct tacho__foreign_query *query, int column)
{
	int64_t value = 0;
	bool is_known = get(query, column, &value) && value >= 0;

	return (struct tacho__amd_number){is_known, is_known ? (uint64_t)value : 0};
}

/* Without the quotes that the table has around it. */
static void copy_name(const char *name, char *out_name, size_t room)
{
	size_t size;

	snprintf(out_name, room, "%s", name + (*name == '"'));
	size = strlen(out_name);
	if (size && out_name[size - 1] == '"')
		out_name[size - 1] = '\0';
}

static void take_sizes(struct database *database, const struct tacho__foreign_query *query,
		       const struct tacho__rocprof_row *row, struct tacho__foreign_command *launch)
{
	const struct tacho__amd_number one = {true, 1};
	const struct tacho__amd_number grid[3] = {known(query, L_GRID), one, one};
	const struct tacho__amd_number group[3] = {known(query, L_GROUP), one, one};
	int64_t queued;

	tacho__amd_take_sizes(grid, group, launch);
	if (!get(query, L_QUEUED, &queued) || queued <= 0 || queued > row->start_ns)
		return;
	launch->has_queue_times = database->has_queue_times = true;
	launch->queued_ns = launch->submit_ns = queued;
}

static int take_launch(void *user, const struct tacho__foreign_query *query)
{
	struct database *database = user;
	char name[4096], device[40], queue[40];
	struct tacho__foreign_command launch = {0};
	struct tacho__rocprof_row row = {.pid = (uint32_t)number_or_0(query, L_PROCESS),
					 .tid = (uint32_t)number_or_0(query, L_THREAD),
					 .arguments = "",
					 .name = name,
					 .device = device,
					 .queue = queue};
	const struct tacho__amd_kernel kernel = {
		.name = name,
		.local_bytes = known(query, L_LOCAL),
		.private_bytes = known(query, L_PRIVATE),
		.vgprs = known(query, known(query, L_VGPRS).is_known ? L_VGPRS : L_OLD_VGPRS),
		.accum_vgprs = known(query, L_ACCUM),
		.sgprs = known(query, L_SGPRS)};
	int rc;

	copy_name(tacho__foreign_query_text(query, L_NAME), name, sizeof(name));
	if (!get(query, L_START, &row.start_ns) || !get(query, L_END, &row.end_ns))
		return 0;
	snprintf(device, sizeof(device), "GPU %" PRIu64, number_or_0(query, L_GPU));
	snprintf(queue, sizeof(queue), "queue %" PRIu64, number_or_0(query, L_QUEUE));
	rc = tacho__rocprof_process(&database->rocprof, row.pid, &launch.process);
	take_sizes(database, query, &row, &launch);
	launch.values = key_of(database, row.start_ns, row.end_ns);
	database->launches++;
	return rc ? rc : tacho__rocprof_add_launch(&database->rocprof, &row, &kernel, &launch);
}

static int count_launch(void *user, const struct tacho__foreign_query *query)
{
	struct database *database = user;
	(void)query;
	database->launches++;
	return 0;
}

/* ---- counters ---- */

/* The name is a part of SQL, and is shown. */
static bool is_plain(const char *name)
{
	const char *at = name;

	while (*at > ' ' && *at < 0x7f && *at != '"')
		at++;
	return *name && !*at && at - name < 128;
}

static int take_column(void *user, const char *name)
{
	struct database *database = user;
	struct tacho__foreign *foreign = database->rocprof.amd.foreign;
	struct counter counter = {0};
	int rc;

	if (tacho__rocprof_is_fact(name) || !is_plain(name))
		return 0;
	counter.name = tacho__arena_string(&foreign->recording->arena, name);
	rc = counter.name ? tacho__foreign_counter(foreign, counter.name, "", TACHO_TYPE_F64,
						   &counter.number)
			  : TACHO_E_NOMEM;
	return rc ? rc
		  : tacho__array_add(&database->counters, &database->counter_capacity,
				     &database->counter_count, &counter, sizeof(counter));
}

enum value_column { V_START, V_END, V_PROCESS, V_VALUE, VALUE_COLUMNS };

static bool get_real(const struct tacho__foreign_query *query, int column, double *out_value)
{
	return tacho__foreign_query_real(query, column, out_value) ||
	       tacho__foreign_csv_real(tacho__foreign_query_text(query, column), out_value);
}

static int take_value(void *user, const struct tacho__foreign_query *query)
{
	struct database *database = user;
	struct tacho__foreign_value value = {.counter = database->counter, .state = TACHO_STATE_OK};
	int64_t start_ns, end_ns;
	int rc;

	if (!get(query, V_START, &start_ns) || !get(query, V_END, &end_ns) ||
	    !get_real(query, V_VALUE, &value.number.f64))
		return 0;
	value.values = key_of(database, start_ns, end_ns);
	rc = tacho__rocprof_process(&database->rocprof, (uint32_t)number_or_0(query, V_PROCESS),
				    &value.process);
	return rc ? rc : tacho__foreign_add_value(database->rocprof.amd.foreign, &value);
}

/* Column by column: a table may have more than a query takes. */
static int read_counters(struct database *database)
{
	int rc = 0;

	for (size_t i = 0; i < database->counter_count && !rc; i++) {
		const char *const of_value[VALUE_COLUMNS] = {"BeginNs", "EndNs", "pid",
							     database->counters[i].name};

		database->counter = database->counters[i].number;
		rc = tacho__foreign_db_each_row(database->db, "KERN", of_value, VALUE_COLUMNS,
						take_value, database);
	}
	return rc;
}

/* ---- the file ---- */

static int read_tables(struct database *database)
{
	static const struct {
		const char *name;
		int (*take)(void *user, const struct tacho__foreign_query *query);
	} tables[] = {{"HIP", take_hip},
		      {"HSA", take_hsa},
		      {"OPS", take_work},
		      {"COPY", take_work},
		      {"rocTX", take_marker}};
	int rc = tacho__foreign_db_each_column(database->db, "KERN", take_column, database);

	for (size_t i = 0; i < TACHO__ARRAY_SIZE(tables) && !rc; i++)
		rc = tacho__foreign_db_each_row(database->db, tables[i].name, columns,
						TACHO__ARRAY_SIZE(columns), tables[i].take,
						database);
	/* the same launches once more, which name no call */
	if (!rc)
		rc = tacho__foreign_db_each_row(
			database->db, "KERN", launch_columns, TACHO__ARRAY_SIZE(launch_columns),
			database->kernels ? count_launch : take_launch, database);
	return rc ? rc : read_counters(database);
}

static void note_what_lacks(const struct database *database)
{
	const struct tacho__rocprof *rocprof = &database->rocprof;
	struct tacho__foreign *foreign = rocprof->amd.foreign;

	if (!database->has_queue_times)
		tacho__foreign_note(foreign,
				    "When work was queued and submitted is not in this file.");
	if (database->launches && database->kernels)
		tacho__foreign_note(
			foreign,
			"Launches of the table KERN are left out, %" PRIu64
			" in all: they are those of "
			"the runtime's trace, which names their calls%s.",
			database->launches,
			database->counter_count ? ", and has their values, by their times" : "");
	if (!rocprof->calls && !rocprof->work && !rocprof->markers)
		foreign->recording->run.why_empty = "The file holds no call and no work.";
}

static int read_files(struct tacho__foreign *foreign, const struct tacho__foreign_file *files,
		      size_t count)
{
	int rc = 0;

	for (size_t i = 0; i < count && !rc; i++) {
		struct database database = {.db = files[i].db};

		if (!files[i].db)
			continue;
		tacho__foreign_begin_file(foreign);
		tacho__amd_begin(&database.rocprof.amd, foreign);
		database.rocprof.file = i + 1;
		rc = read_tables(&database);
		if (!rc)
			note_what_lacks(&database);
		tacho__amd_finish(&database.rocprof.amd);
		free(database.counters);
	}
	return rc ? rc : tacho__foreign_set_tool(foreign, "rocprof, database");
}

const struct tacho__foreign_reader tacho__foreign_rocprof_db = {
	.name = "rocprof-sqlite",
	.title = "rocprof, databases",
	.fits = fits,
	.read = read_files,
};
