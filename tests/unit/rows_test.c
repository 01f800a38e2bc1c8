/* SPDX-License-Identifier: MIT */
/* Rows of counters in recordings: what processes wrote, and what further runs of it add. */
#include "sample_api.h"

#include <pthread.h>

#include "tacho/result.h"
#include "tacho/sys/counting.h"

enum { COLUMNS = 3, LAUNCHES = 2 };

static const char *const names[COLUMNS] = {"whole", "other", "real"};

/* Says what is counted, in a recording. */
static void write_counting(const char *path, int32_t only_pass, uint32_t run_count)
{
	struct tacho_counting_column columns[COLUMNS];
	struct tacho_counting counting = {
		.title = "made",
		.entry_count = COLUMNS,
		.columns = columns,
		.column_count = COLUMNS,
		.pass_count = 2,
		.replay = TACHO_REPLAY_PROCESS,
		.only_pass = only_pass,
		.run_count = run_count,
	};
	char file[128];
	FILE *stream;

	for (size_t i = 0; i < COLUMNS; i++) {
		columns[i] = (struct tacho_counting_column){
			.name = names[i],
			.unit = "",
			.description = "",
			.group = "",
			.semantic = "event",
			.type = i == 2 ? TACHO_TYPE_F64 : TACHO_TYPE_U64,
			.from = TACHO_FROM_SESSION,
		};
	}
	snprintf(file, sizeof(file), "%s/" TACHO_COUNTING_FILE, path);
	stream = fopen(file, "w");
	assert_non_null(stream);
	tacho_counting_write(&counting, stream);
	fclose(stream);
}

static uint64_t bits_of(double value)
{
	uint64_t bits;

	memcpy(&bits, &value, sizeof(bits));
	return bits;
}

struct wish {
	const struct tacho__count *counts;
	size_t count;
	uint64_t seen;
};

static void begin_launch(struct tacho__call *call)
{
	if (!tacho__call_begin(call, TACHO__KIND(SAMPLE_API, SAMPLE_LAUNCH)))
		_exit(98);
}

static void commit_launch(struct tacho__call *call)
{
	static const uint64_t global[1] = {1024};
	struct tacho__pack pack;

	tacho__call_end(call, &pack);
	call->has_slot = true;
	tacho__pack_i64(&pack, 0);
	tacho__pack_u64(&pack, SAMPLE_QUEUE);
	tacho__pack_u64(&pack, SAMPLE_KERNEL);
	tacho__pack_u64(&pack, 1);
	tacho__pack_u64(&pack, 0); /* offset: NULL */
	tacho__pack_u64(&pack, 1 + 1);
	tacho__pack_u64(&pack, 1);
	tacho__pack_u64(&pack, global[0]);
	tacho__pack_u64(&pack, 0); /* local: NULL */
	tacho__call_commit(call, &pack);
}

static void tell(const struct wish *wish, uint32_t thread, uint64_t start)
{
	const struct tacho__counts counts = {.thread = thread,
					     .start = start,
					     .seen = wish->seen,
					     .note = wish->count ? "" : "nothing yet",
					     .counts = wish->counts,
					     .count = wish->count};

	tacho__intercept_counts(&counts);
}

/* Launches with these counters, in front of their calls as a process writes them. */
static void launch(void *user)
{
	sample_make_objects("1");
	for (int i = 0; i < LAUNCHES; i++) {
		struct tacho__call call;

		begin_launch(&call);
		tell(user, (uint32_t)gettid(), call.start);
		commit_launch(&call);
	}
}

struct launched {
	uint64_t start;
	uint32_t thread;
};

static void *launch_without_values(void *user)
{
	const struct wish nothing = {0};
	struct launched *launched = user;
	struct tacho__call call;

	begin_launch(&call);
	*launched = (struct launched){call.start, (uint32_t)gettid()};
	tell(&nothing, launched->thread, launched->start);
	commit_launch(&call);
	return NULL;
}

struct teller {
	const struct wish *wish;
	struct launched launched;
};

static void *tell_launched(void *user)
{
	const struct teller *teller = user;

	tell(teller->wish, teller->launched.thread, teller->launched.start);
	return NULL;
}

/* The values come from another thread than the launch, of which the one or the other is new: either
 * stream may be read first. */
static void launch_and_let_tell(void *user)
{
	struct teller teller = {.wish = user};
	pthread_t thread;

	sample_make_objects("1");
	for (int i = 0; i < LAUNCHES; i++) {
		launch_without_values(&teller.launched);
		if (pthread_create(&thread, NULL, tell_launched, &teller))
			_exit(97);
		pthread_join(thread, NULL);
	}
}

static void launch_and_tell_later(void *user)
{
	struct launched launched;
	pthread_t thread;

	sample_make_objects("1");
	for (int i = 0; i < LAUNCHES; i++) {
		if (pthread_create(&thread, NULL, launch_without_values, &launched))
			_exit(97);
		pthread_join(thread, NULL);
		tell(user, launched.thread, launched.start);
	}
}

/* Moves `from` into the recording `path` as its further run. */
static void move_in(char *from, const char *path, unsigned number)
{
	char to[128];

	snprintf(to, sizeof(to), "%s/" TACHO_COUNTING_RUN_FORMAT, path, number);
	assert_int_equal(rename(from, to), 0);
	free(from);
}

struct got {
	uint64_t u64;
	double f64;
	uint8_t state;
	bool is_told; /* why */
};

/* The rows of all launches, which are the same. */
static size_t read_rows(const char *path, struct got got[COLUMNS], uint64_t *out_passes)
{
	const struct tacho_recorded_row *row;
	const struct tacho_column *column;
	struct tacho_recording *recording;
	struct tacho_cursor *cursor;
	const struct tacho_call *call;
	size_t count = 0;
	int rc;

	assert_int_equal(tacho_recording_open(path, &recording), 0);
	assert_int_equal(tacho_cursor_open(recording, &cursor), 0);
	for (; (rc = tacho_cursor_next(cursor, &call)) == 1; count++) {
		row = tacho_cursor_get_row(cursor);
		assert_non_null(row);
		assert_int_equal(row->is_counted, 1);
		assert_int_equal(tacho_result_get_row_count(row->result), 1);
		assert_int_equal(tacho_result_get_column_count(row->result), COLUMNS);
		for (size_t i = 0; i < COLUMNS; i++) {
			column = tacho_result_get_column(row->result, i);
			assert_ptr_equal(column,
					 tacho_result_find_column(row->result, column->name));
			got[i] = (struct got){.state = tacho_column_get_state(column, 0, 0),
					      .f64 = tacho_column_get_value(column, 0, 0),
					      .u64 = column->data.u64[0],
					      .is_told = *tacho_column_get_note(column, 0, 0)};
		}
		*out_passes = row->passes;
	}
	assert_int_equal(rc, 0);
	tacho_cursor_close(cursor);
	tacho_recording_close(recording);
	return count;
}

static char *record(int32_t only_pass, uint32_t run_count, struct wish wish)
{
	char *path = sample_recording();

	write_counting(path, only_pass, run_count);
	assert_int_equal(sample_run(path, launch, &wish), 0);
	return path;
}

/* A number that is not of the column's type, and none that cannot be in it. */
static void test_types(void **state)
{
	static const struct {
		double written;
		uint8_t state;
		uint64_t expected;
	} cases[] = {
		{41.75, TACHO_STATE_OK, 41},
		{0, TACHO_STATE_OK, 0},
		{-1, TACHO_STATE_ABSENT, 0},
		{0. / 0., TACHO_STATE_ABSENT, 0},
		{18446744073709551616.0, TACHO_STATE_ABSENT, 0},
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct tacho__count counts[] = {
			{.column = 0,
			 .type = TACHO_TYPE_F64,
			 .bits = bits_of(cases[i].written),
			 .coverage = 1},
			{.column = 2, .type = TACHO_TYPE_U64, .bits = 7, .coverage = 1},
		};
		char *path = record(-1, 1, (struct wish){counts, 2, 1});
		struct got values[COLUMNS];
		uint64_t passes;

		assert_int_equal(read_rows(path, values, &passes), LAUNCHES);
		assert_int_equal(values[0].state, cases[i].state);
		assert_true(values[0].u64 == cases[i].expected);
		assert_int_equal(values[0].is_told, cases[i].state == TACHO_STATE_ABSENT);
		assert_int_equal(values[1].state, TACHO_STATE_ABSENT);
		assert_true(values[2].state == TACHO_STATE_OK && values[2].f64 == 7);
		sample_remove(path);
	}
}

static const struct tacho__count first[] = {{.column = 0, .bits = 11, .coverage = 1}};
static const struct tacho__count second[] = {
	{.column = 0, .bits = 99, .coverage = 1}, /* the first run has it already */
	{.column = 1, .bits = 22, .coverage = 1},
};

static void check_two_runs(const char *path)
{
	struct got values[COLUMNS];
	uint64_t passes;

	assert_int_equal(read_rows(path, values, &passes), LAUNCHES);
	assert_int_equal(passes, 3);
	assert_true(values[0].state == TACHO_STATE_OK && values[0].u64 == 11);
	assert_true(values[1].state == TACHO_STATE_OK && values[1].u64 == 22);
	assert_int_equal(values[2].state, TACHO_STATE_ABSENT);
}

static void test_further_run(void **state)
{
	char *path = record(0, 2, (struct wish){first, 1, 1});

	move_in(record(1, 2, (struct wish){second, 2, 2}), path, 2);
	check_two_runs(path);
	sample_remove(path);
}

/* Of the rows of a launch the last that was written counts, whichever is read first. */
static void test_told_twice(void **state)
{
	void (*const ways[])(void *) = {launch_and_tell_later, launch_and_let_tell};

	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
		char *path = sample_recording();
		struct wish wish = {second, 2, 1};
		struct got values[COLUMNS];
		uint64_t passes;

		write_counting(path, -1, 1);
		assert_int_equal(sample_run(path, ways[i], &wish), 0);
		assert_int_equal(read_rows(path, values, &passes), LAUNCHES);
		assert_int_equal(passes, 1);
		assert_true(values[0].state == TACHO_STATE_OK && values[0].u64 == 99);
		assert_true(values[1].state == TACHO_STATE_OK && values[1].u64 == 22);
		sample_remove(path);
	}
}

/*
 * A recording from anywhere: its further run says that it is a first one, and links in it lead
 * back. Without an end to that, two links are read 2^40 times.
 */
static void test_links_in_a_circle(void **state)
{
	char *path = record(0, 3, (struct wish){first, 1, 1});
	char link[128];

	move_in(record(0, 3, (struct wish){second, 2, 2}), path, 2);
	for (unsigned i = 2; i <= 3; i++) {
		snprintf(link, sizeof(link), "%s/" TACHO_COUNTING_RUN_FORMAT, path, 2);
		snprintf(link + strlen(link), sizeof(link) - strlen(link),
			 "/" TACHO_COUNTING_RUN_FORMAT, i);
		assert_int_equal(symlink("..", link), 0);
	}
	alarm(20);
	check_two_runs(path);
	alarm(0);
	sample_remove(path);
}

/* Command `index` of a submit, with what was counted for it. */
static void dispatch(const struct wish *wish, uint64_t submission, uint64_t index, uint64_t groups)
{
	uint64_t tick = tacho__tick();
	struct tacho__call call = {.kind = TACHO__KIND(SAMPLE_API, SAMPLE_DISPATCH),
				   .start = tick,
				   .end = tick,
				   .has_slot = true};
	const uint64_t arguments[] = {0xb0ffe4 + (uint64_t)getpid(),
				      submission,
				      index,
				      SAMPLE_QUEUE,
				      SAMPLE_KERNEL,
				      0,
				      1 + 1,
				      1,
				      groups};
	struct tacho__pack pack;

	tell(wish, (uint32_t)gettid(), tick);
	tacho__pack_begin(&pack, call.arguments);
	for (size_t i = 0; i < sizeof(arguments) / sizeof(arguments[0]); i++)
		tacho__pack_u64(&pack, arguments[i]);
	call.size = (uint32_t)(pack.at - call.arguments);
	tacho__intercept_commit(&call);
}

static void submit_first(void *user)
{
	sample_make_objects("1");
	dispatch(user, 0, 0, 3);
	dispatch(user, 0, 1, 4);
	dispatch(user, 0, 3, 4);
	dispatch(user, 1, 0, 4);
}

/* The second is larger, the third stands elsewhere, and the last is a submit late. */
static void submit_otherwise(void *user)
{
	sample_make_objects("1");
	dispatch(user, 0, 0, 3);
	dispatch(user, 0, 1, 5);
	dispatch(user, 0, 2, 4);
	dispatch(user, 2, 0, 4);
}

static char *record_submits(int32_t only_pass, void (*submit)(void *), struct wish wish)
{
	char *path = sample_recording();

	write_counting(path, only_pass, 2);
	assert_int_equal(sample_run(path, submit, &wish), 0);
	return path;
}

/* Commands of a submit are the same where they stand at the same place of it in both runs. */
static void test_submits(void **state)
{
	static const char *const notes[] = {"", "another command has this place",
					    "another command has this place",
					    "another run of the program lacks this launch"};
	char *path = record_submits(0, submit_first, (struct wish){first, 1, 1});
	const struct tacho_recorded_row *row;
	struct tacho_matching matching;
	struct tacho_recording *recording;
	struct tacho_cursor *cursor;
	const struct tacho_call *call;
	size_t count = 0;

	move_in(record_submits(1, submit_otherwise, (struct wish){second, 2, 2}), path, 2);
	assert_int_equal(tacho_recording_open(path, &recording), 0);
	assert_int_equal(tacho_cursor_open(recording, &cursor), 0);
	for (; tacho_cursor_next(cursor, &call) == 1; count++) {
		row = tacho_cursor_get_row(cursor);
		assert_true(count < 4);
		assert_int_equal(row->is_counted, 1);
		assert_non_null(strstr(row->note, notes[count]));
		assert_int_equal(row->is_unmatched, count > 0);
		assert_int_equal(
			tacho_column_get_state(tacho_result_get_column(row->result, 1), 0, 0),
			count ? TACHO_STATE_ABSENT : TACHO_STATE_OK);
	}
	assert_int_equal(count, 4);
	tacho_cursor_get_matching(cursor, &matching);
	assert_int_equal(matching.launches, 4);
	assert_int_equal(matching.missing, 1);
	assert_int_equal(matching.different, 2);
	assert_int_equal(matching.additional, 1);
	tacho_cursor_close(cursor);
	tacho_recording_close(recording);
	sample_remove(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_types),
		cmocka_unit_test(test_further_run),
		cmocka_unit_test(test_submits),
		cmocka_unit_test(test_told_twice),
		cmocka_unit_test(test_links_in_a_circle),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
