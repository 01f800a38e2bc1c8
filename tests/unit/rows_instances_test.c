/* SPDX-License-Identifier: MIT */
/* Rows of counters whose instances are kept, in recordings: also what no process of tacho's writes.
 */
#include "sample_api.h"

#include "record/count_shapes.h"
#include "record/recorder.h"
#include "record/values.h"
#include "tacho/result.h"
#include "tacho/sys/counting.h"

enum { COLUMNS = 3, SUM = 0, EACH = 1, LATE = 2, MANY = 400 };

static const uint8_t present[] = {0x37}; /* positions 3 and up are not all there */
static const struct tacho_column small = {
	.dimension_count = 2,
	.dimensions = {{.name = "X", .extent = 2}, {.name = "Y", .extent = 3}},
	.instance_count = 6,
	.present = present,
};
static const struct tacho_column large = {
	.dimension_count = 1,
	.dimensions = {{.name = "DIMENSION_INSTANCE", .extent = MANY}},
	.instance_count = MANY,
};

static void write_counting(const char *path, int32_t only_pass, uint32_t run_count)
{
	static const char *const names[COLUMNS] = {"sum", "each", "late"};
	struct tacho_counting_column columns[COLUMNS];
	struct tacho_counting counting = {
		.title = "made",
		.entry_count = COLUMNS,
		.columns = columns,
		.column_count = COLUMNS,
		.pass_count = run_count,
		.replay = run_count > 1 ? TACHO_REPLAY_PROCESS : TACHO_REPLAY_NONE,
		.only_pass = only_pass,
		.run_count = run_count,
	};
	char file[128];
	FILE *stream;

	for (size_t i = 0; i < COLUMNS; i++)
		columns[i] = (struct tacho_counting_column){.name = names[i],
							    .unit = "",
							    .description = "",
							    .group = "",
							    .semantic = "event",
							    .type = TACHO_TYPE_U64,
							    .from = TACHO_FROM_SESSION};
	snprintf(file, sizeof(file), "%s/" TACHO_COUNTING_FILE, path);
	stream = fopen(file, "w");
	assert_non_null(stream);
	tacho_counting_write(&counting, stream);
	fclose(stream);
}

/* What the program tells, in this order. */
struct wish {
	const struct tacho_column *shapes[COLUMNS]; /* NULL: it tells none */
	const struct tacho__count *counts;
	size_t count;
	uint32_t lost; /* bit n: record n of a row never comes */
	int launches;
};

static void tell_row(const struct tacho__counts *counts, uint32_t lost)
{
	uint8_t packed[TACHO__VALUES_BYTES];

	for (uint32_t i = 0; i < tacho__values_record_count(counts); i++) {
		uint32_t size = tacho__values_pack(counts, i, packed);

		if (!(lost >> i & 1))
			tacho__stream_put(tacho__stream_own(), tacho__tick(), TACHO__RECORD_VALUES,
					  packed, size);
	}
}

static void launch_once(const struct wish *wish)
{
	struct tacho__counts counts = {.thread = (uint32_t)gettid(),
				       .seen = 1,
				       .note = "",
				       .counts = wish->counts,
				       .count = wish->count};
	struct tacho__call call;
	struct tacho__pack pack;

	if (!tacho__call_begin(&call, TACHO__KIND(SAMPLE_API, SAMPLE_LAUNCH)))
		_exit(98);
	counts.start = call.start;
	tell_row(&counts, wish->lost);
	tacho__call_end(&call, &pack);
	call.has_slot = true;
	tacho__pack_i64(&pack, 0);
	tacho__pack_u64(&pack, SAMPLE_QUEUE);
	tacho__pack_u64(&pack, SAMPLE_KERNEL);
	tacho__pack_u64(&pack, 1);
	tacho__pack_u64(&pack, 0); /* offset: NULL */
	tacho__pack_u64(&pack, 1 + 1);
	tacho__pack_u64(&pack, 1);
	tacho__pack_u64(&pack, 1024);
	tacho__pack_u64(&pack, 0); /* local: NULL */
	tacho__call_commit(&call, &pack);
}

static void launch(void *user)
{
	const struct wish *wish = user;

	sample_make_objects("1");
	for (uint32_t i = 0; i < COLUMNS; i++)
		if (wish->shapes[i])
			tacho__intercept_count_shape(&(struct tacho__count_shape){
				.index = i, .column = wish->shapes[i]});
	for (int i = 0; i < wish->launches; i++)
		launch_once(wish);
}

static char *record_run(struct wish wish, int32_t only_pass, uint32_t run_count)
{
	char *path = sample_recording();

	write_counting(path, only_pass, run_count);
	assert_int_equal(sample_run(path, launch, &wish), 0);
	return path;
}

/* A recording that is open at its first launch. */
struct opened {
	struct tacho_recording *recording;
	struct tacho_cursor *cursor;
	const struct tacho_recorded_row *row;
	const struct tacho_column *each;
};

static void next(struct opened *opened)
{
	const struct tacho_call *call;

	assert_int_equal(tacho_cursor_next(opened->cursor, &call), 1);
	opened->row = tacho_cursor_get_row(opened->cursor);
	assert_non_null(opened->row);
	assert_int_equal(opened->row->is_counted, 1);
	opened->each = tacho_result_get_column(opened->row->result, EACH);
}

static struct opened open_first(const char *path)
{
	struct opened opened;

	assert_int_equal(tacho_recording_open(path, &opened.recording), 0);
	assert_int_equal(tacho_cursor_open(opened.recording, &opened.cursor), 0);
	next(&opened);
	return opened;
}

static const char *fault_of(const struct opened *opened)
{
	const struct tacho_fault *fault = tacho_recording_get_fault(opened->recording, 0);

	return fault ? fault->what : "";
}

static void close_all(struct opened *opened, char *path)
{
	tacho_cursor_close(opened->cursor);
	tacho_recording_close(opened->recording);
	sample_remove(path);
}

#define COUNT(which, at, number)                                                     \
	{                                                                            \
		.column = (which), .instance = (at), .bits = (number), .coverage = 1 \
	}

static void assert_there(const struct opened *opened, size_t instance, uint64_t number)
{
	assert_int_equal(tacho_column_get_state(opened->each, 0, instance), TACHO_STATE_OK);
	assert_true(opened->each->data.u64[instance] == number);
}

static void assert_missing(const struct opened *opened, size_t instance)
{
	assert_int_equal(tacho_column_get_state(opened->each, 0, instance), TACHO_STATE_ABSENT);
	assert_true(*tacho_column_get_note(opened->each, 0, instance));
}

/* States and numbers by instance; what did not come stays absent. */
static void instances_come_back(void **state)
{
	static const struct tacho__count counts[] = {
		COUNT(SUM, 0, 100),
		COUNT(EACH, 1, 11),
		{.column = EACH,
		 .instance = 3,
		 .bits = 13,
		 .state = TACHO_STATE_SCALED,
		 .coverage = 0.25},
		COUNT(EACH, 6, 16),
		COUNT(LATE, 0, 7),
	};
	char *path = record_run(
		(struct wish){.shapes[EACH] = &small, .counts = counts, .count = 5, .launches = 1},
		-1, 1);
	struct opened opened = open_first(path);
	const struct tacho_result *result = opened.row->result;

	(void)state;
	assert_int_equal(opened.each->dimension_count, 2);
	assert_string_equal(opened.each->dimensions[1].name, "Y");
	assert_int_equal(opened.each->instance_count, 6);
	assert_int_equal(tacho_column_is_present(opened.each, 3), 0);
	assert_int_equal(tacho_column_is_present(opened.each, 5), 1);
	assert_there(&opened, 0, 11);
	assert_missing(&opened, 1);
	assert_int_equal(tacho_column_get_state(opened.each, 0, 2), TACHO_STATE_SCALED);
	assert_true(tacho_column_get_coverage(opened.each, 0, 2) == 0.25);
	assert_there(&opened, 5, 16);
	assert_true(tacho_result_get_column(result, SUM)->data.u64[0] == 100);
	assert_true(tacho_result_get_column(result, LATE)->data.u64[0] == 7);
	assert_string_equal(fault_of(&opened), "");
	close_all(&opened, path);
}

/* An instance that there is not is damage; the rest of the row is not. */
static void instances_outside_are_damage(void **state)
{
	static const struct tacho__count wrong[] = {
		COUNT(EACH, 7, 99),	     /* behind the last */
		COUNT(EACH, UINT32_MAX, 99), /* far behind */
		COUNT(EACH, 4, 99),	     /* where nothing is */
		COUNT(EACH, 0, 99),	     /* of all of them */
		COUNT(COLUMNS, 0, 99),	     /* of no column */
		COUNT(UINT32_MAX, 1, 99),
	};

	(void)state;
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		const struct tacho__count counts[] = {COUNT(EACH, 1, 11), wrong[i],
						      COUNT(EACH, 2, 12)};
		char *path = record_run((struct wish){.shapes[EACH] = &small,
						      .counts = counts,
						      .count = 3,
						      .launches = 1},
					-1, 1);
		struct opened opened = open_first(path);

		assert_string_equal(fault_of(&opened),
				    "holds counters of a launch that make no sense");
		assert_int_equal(tacho_recording_check(opened.recording) != 0, 1);
		assert_there(&opened, 0, 11);
		assert_there(&opened, 1, 12);
		assert_missing(&opened, 2);
		for (size_t k = 3; k < 6; k++)
			assert_int_equal(tacho_column_get_state(opened.each, 0, k),
					 TACHO_STATE_ABSENT);
		close_all(&opened, path);
	}
}

/* The shape was lost: none of them is shown as the counter's value. */
static void untold_instances_are_no_value(void **state)
{
	static const struct tacho__count counts[] = {COUNT(EACH, 1, 11), COUNT(EACH, 2, 12)};
	char *path = record_run((struct wish){.counts = counts, .count = 2, .launches = 1}, -1, 1);
	struct opened opened = open_first(path);

	(void)state;
	assert_int_equal(opened.each->instance_count, 1);
	assert_int_equal(opened.each->dimension_count, 0);
	assert_int_equal(tacho_column_get_state(opened.each, 0, 0), TACHO_STATE_ABSENT);
	assert_string_equal(tacho_column_get_note(opened.each, 0, 0),
			    "of which instances its values are was not recorded");
	assert_string_equal(fault_of(&opened), "");
	close_all(&opened, path);
}

/* Shapes that cannot be: of no column, and more values than a row may have. */
static void shapes_outside_are_damage(void **state)
{
	static const struct tacho_column huge = {
		.dimension_count = 1,
		.dimensions = {{.name = "D", .extent = TACHO__COUNT_VALUES_MAX}},
		.instance_count = TACHO__COUNT_VALUES_MAX,
	};
	static const struct tacho__count counts[] = {COUNT(EACH, 1, 11)};
	struct wish wish = {
		.shapes = {&huge, &small, NULL}, .counts = counts, .count = 1, .launches = 1};
	char *path = record_run(wish, -1, 1);
	struct opened opened = open_first(path);

	(void)state;
	assert_string_equal(fault_of(&opened), "tells instances of a counter that cannot be");
	assert_int_equal(tacho_result_get_column(opened.row->result, SUM)->instance_count, 1);
	assert_there(&opened, 0, 11);
	close_all(&opened, path);
}

static struct tacho__count *make_many(void)
{
	static struct tacho__count counts[MANY];

	for (uint32_t i = 0; i < MANY; i++)
		counts[i] = (struct tacho__count)COUNT(EACH, i + 1, 1000 + i);
	return counts;
}

/* Rows of several records are read again, each when its launch comes. */
static void long_rows_come_back(void **state)
{
	char *path = record_run((struct wish){.shapes[EACH] = &large,
					      .counts = make_many(),
					      .count = MANY,
					      .launches = 300},
				-1, 1);
	struct opened opened = open_first(path);

	(void)state;
	for (int i = 0; i < 300; i++) {
		assert_string_equal(opened.row->note, "");
		for (size_t k = 0; k < MANY; k++)
			assert_there(&opened, k, 1000 + k);
		if (i + 1 < 300)
			next(&opened);
	}
	assert_string_equal(fault_of(&opened), "");
	close_all(&opened, path);
}

/* A record that was lost, wherever it was: the row says so, and what came is there. */
static void lost_records_are_told(void **state)
{
	(void)state;
	for (uint32_t lost = 0; lost < 4; lost++) {
		char *path = record_run((struct wish){.shapes[EACH] = &large,
						      .counts = make_many(),
						      .count = MANY,
						      .lost = 1u << lost,
						      .launches = 2},
					-1, 1);
		struct opened opened = open_first(path);

		for (int i = 0; i < 2; i++) {
			assert_string_equal(opened.row->note,
					    "a part of its values was lost while recording");
			for (size_t k = 0; k < MANY; k++)
				if (k / TACHO__VALUES_PER_RECORD == lost)
					assert_missing(&opened, k);
				else
					assert_there(&opened, k, 1000 + k);
			if (!i)
				next(&opened);
		}
		close_all(&opened, path);
	}
}

/* Instances of a pass that another run of the program counted. */
static void further_runs_have_instances(void **state)
{
	static const struct tacho__count first[] = {COUNT(SUM, 0, 5)};
	static const struct tacho__count second[] = {COUNT(SUM, 0, 99), COUNT(EACH, 1, 11),
						     COUNT(EACH, 6, 16)};
	char *path = record_run((struct wish){.counts = first, .count = 1, .launches = 2}, 0, 2);
	char *further = record_run(
		(struct wish){.shapes[EACH] = &small, .counts = second, .count = 3, .launches = 2},
		1, 2);
	struct opened opened;
	char to[128];

	(void)state;
	snprintf(to, sizeof(to), "%s/" TACHO_COUNTING_RUN_FORMAT, path, 2);
	assert_int_equal(rename(further, to), 0);
	free(further);
	opened = open_first(path);
	assert_int_equal(opened.each->instance_count, 6);
	assert_there(&opened, 0, 11);
	assert_missing(&opened, 1);
	assert_there(&opened, 5, 16);
	assert_true(tacho_result_get_column(opened.row->result, SUM)->data.u64[0] == 5);
	close_all(&opened, path);
}

/* A run whose device has other instances has no part in the row. */
static void runs_with_other_instances_do_not_mix(void **state)
{
	static const struct tacho__count first[] = {COUNT(EACH, 1, 5)};
	static const struct tacho__count second[] = {COUNT(EACH, 2, 12)};
	struct tacho_column other = small;
	char *path = record_run(
		(struct wish){.shapes[EACH] = &small, .counts = first, .count = 1, .launches = 1},
		0, 2);
	char *further, to[128];
	struct opened opened;

	(void)state;
	other.dimensions[0].name = "Z";
	further = record_run(
		(struct wish){.shapes[EACH] = &other, .counts = second, .count = 1, .launches = 1},
		1, 2);
	snprintf(to, sizeof(to), "%s/" TACHO_COUNTING_RUN_FORMAT, path, 2);
	assert_int_equal(rename(further, to), 0);
	free(further);
	opened = open_first(path);
	assert_string_equal(opened.each->dimensions[0].name, "X");
	assert_there(&opened, 0, 5);
	assert_missing(&opened, 1);
	close_all(&opened, path);
}

/* The child of a fork counts on a device with other instances. */
static void launch_and_fork(void *user)
{
	struct wish *wish = user;
	struct tacho_column other = small;
	pid_t pid;

	launch(wish);
	other.dimensions[1].name = "Z";
	wish->shapes[EACH] = &other;
	pid = fork();
	if (!pid) {
		launch(wish);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
}

/* Which instances those are nobody can tell in one column: the process that came first is right. */
static void processes_with_other_instances_do_not_mix(void **state)
{
	static const struct tacho__count counts[] = {COUNT(SUM, 0, 3), COUNT(EACH, 2, 12)};
	struct wish wish = {.shapes[EACH] = &small, .counts = counts, .count = 2, .launches = 1};
	char *path = sample_recording();
	struct opened opened;

	(void)state;
	write_counting(path, -1, 1);
	assert_int_equal(sample_run(path, launch_and_fork, &wish), 0);
	opened = open_first(path);
	assert_string_equal(opened.each->dimensions[1].name, "Y");
	assert_there(&opened, 1, 12);
	next(&opened);
	assert_missing(&opened, 1);
	assert_true(tacho_result_get_column(opened.row->result, SUM)->data.u64[0] == 3);
	assert_string_equal(fault_of(&opened), "");
	close_all(&opened, path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(instances_come_back),
		cmocka_unit_test(instances_outside_are_damage),
		cmocka_unit_test(untold_instances_are_no_value),
		cmocka_unit_test(shapes_outside_are_damage),
		cmocka_unit_test(long_rows_come_back),
		cmocka_unit_test(lost_records_are_told),
		cmocka_unit_test(further_runs_have_instances),
		cmocka_unit_test(runs_with_other_instances_do_not_mix),
		cmocka_unit_test(processes_with_other_instances_do_not_mix),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
