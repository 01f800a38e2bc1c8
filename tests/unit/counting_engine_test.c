/* SPDX-License-Identifier: MIT */
/*
 * Counting launches of an API that is made here, on a simulated device: what is run how often, what
 * rows come out, and that the launch runs whatever goes wrong. Counting starts once per process, so
 * each case has one of its own.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "inject/counting.h"
#include "intercept/intercept.h"
#include "intercept/launches.h"
#include "tacho/profile.h"
#include "tacho/result.h"
#include "tacho/session.h"
#include "tacho/sys/counting.h"

enum { ROWS_MAX = 64, VALUES_MAX = 32 };

/* What the interception was told. */
static struct {
	struct {
		uint64_t start, seen;
		uint32_t thread;
		int times_told; /* the last one counts */
		char note[128];
		size_t count;
		struct tacho__count counts[VALUES_MAX];
	} rows[ROWS_MAX];
	size_t row_count;
	char process[4096];
} told;

/* The API: a launch adds 1 to memory that save() and restore() keep. */
static struct {
	int drains, saves, restores, runs, waits, finishes;
	int memory, copy;
	const char *drain_says, *save_says, *wait_says;
	uint32_t end; /* of launches that are held: enum tacho__launch_end */
	const char *end_why;
	enum tacho__restored restored;
	int refuses_run; /* the n-th */
} api;

static const char *drain(void *user, uint64_t timeout_ns)
{
	assert_true(timeout_ns == 2000000000);
	api.drains++;
	return api.drain_says;
}

static const char *save(void *user, uint64_t limit_bytes)
{
	assert_int_equal(limit_bytes, 4096);
	api.saves++;
	api.copy = api.memory;
	return api.save_says;
}

static enum tacho__restored restore(void *user)
{
	api.restores++;
	if (!api.restored)
		api.memory = api.copy;
	return api.restored;
}

static bool run(void *user)
{
	api.runs++;
	if (api.refuses_run == api.runs)
		return false;
	api.memory++;
	return true;
}

static const char *wait_for(void *user, uint64_t timeout_ns)
{
	api.waits++;
	return api.wait_says;
}

static void finish(void *user)
{
	api.finishes++;
}

static const struct tacho__count_calls calls = {
	.drain = drain,
	.save = save,
	.restore = restore,
	.run = run,
	.wait = wait_for,
	.finish = finish,
};

static void on_counts(const struct tacho__counts *counts)
{
	size_t row = 0;

	while (row < told.row_count && told.rows[row].start != counts->start)
		row++;
	if (row == told.row_count)
		told.row_count++;
	assert_true(row < ROWS_MAX && counts->count <= VALUES_MAX);
	told.rows[row].start = counts->start;
	told.rows[row].thread = counts->thread;
	told.rows[row].times_told++;
	told.rows[row].seen = counts->seen;
	snprintf(told.rows[row].note, sizeof(told.rows[row].note), "%s", counts->note);
	told.rows[row].count = counts->count;
	if (counts->count)
		memcpy(told.rows[row].counts, counts->counts,
		       counts->count * sizeof(*counts->counts));
}

static void on_process(const char *attributes)
{
	strncat(told.process, attributes, sizeof(told.process) - strlen(told.process) - 1);
}

static const char *const names[] = {
	"SQ_WAVES",	   "SQ_INSTS_VALU",  "SQ_INSTS_SALU",	 "SQ_INSTS_LDS",
	"SQ_INSTS_BRANCH", "SQ_ITEMS",	     "SQ_WAVE_CYCLES",	 "SQ_WAIT_ANY",
	"SQ_INSTS_SMEM",   "SQ_INSTS_FLAT",  "SQ_CYCLES",	 "SQ_BUSY_CYCLES",
	"SQ_WAVES_EQ_64",  "SQ_WAVES_LT_64", "SQ_INSTS_VMEM_RD", "SQ_INSTS_VMEM_WR",
	"SQ_INSTS_GDS",
};

/* What a launcher does before the program runs. */
static struct {
	struct tacho_context *context;
	struct tacho_device *device;
	struct tacho_config *config;
	struct tacho_plan *plan;
} launcher;

static void make_plan(const char *backends, size_t entry_count)
{
	const struct tacho_catalog_options catalog = {.size = sizeof(catalog), .api = "rocm"};
	const struct tacho_context_options options = {
		.size = sizeof(options), .catalog = &catalog, .backends = backends};
	struct tacho_config_entry entries[17] = {0};

	for (size_t i = 0; i < 17; i++)
		entries[i].name = names[i];
	assert_int_equal(tacho_context_create(&options, &launcher.context), 0);
	assert_int_equal(tacho_device_open(launcher.context,
					   tacho_context_get_device_info(launcher.context, 0),
					   &launcher.device),
			 0);
	assert_int_equal(tacho_config_create(tacho_device_get_arch(launcher.device),
					     tacho_device_get_model(launcher.device), entries,
					     entry_count, &launcher.config),
			 0);
	assert_int_equal(tacho_device_plan(launcher.device, launcher.config, NULL, &launcher.plan),
			 0);
}

static void drop_plan(void)
{
	tacho_plan_destroy(launcher.plan);
	tacho_config_destroy(launcher.config);
	tacho_device_close(launcher.device);
	tacho_context_destroy(launcher.context);
}

/* Starts counting as a launcher would have it: 17 counters are three passes, the first is one. */
static void start(struct tacho_counting *counting, const struct tacho_counting_control *control)
{
	static const struct tacho__subscriber subscriber = {.counts = on_counts,
							    .process = on_process};
	struct tacho_counting_column columns[17];
	char folder[] = "/tmp/tacho-engine-XXXXXX", path[64];
	FILE *file;

	counting->pass_count = counting->replay == TACHO_REPLAY_NONE ? 1 : 3;
	counting->entry_count = counting->column_count = counting->pass_count == 1 ? 1 : 17;
	for (size_t i = 0; i < 17; i++) {
		columns[i] = (struct tacho_counting_column){.name = names[i],
							    .unit = "",
							    .description = "",
							    .group = "",
							    .semantic = "",
							    .from = TACHO_FROM_SESSION};
	}
	make_plan("sim:mi300x", counting->entry_count);
	counting->plan = launcher.plan;
	if (!counting->backends)
		counting->backends = "sim:mi300x";
	counting->is_simulated = true;
	counting->columns = columns;
	counting->replay_memory_bytes = 4096;
	counting->timeout_ns = 2000000000;
	assert_non_null(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/" TACHO_COUNTING_FILE, folder);
	file = fopen(path, "w");
	tacho_counting_write(counting, file);
	fclose(file);
	drop_plan();
	setenv(TACHO_COUNTING_VARIABLE, path, 1);
	tacho__clock_init();
	tacho__intercept_subscribe(&subscriber);
	tacho__counting_start(control);
	unlink(path);
	rmdir(folder);
}

/* On any thread. */
static void let_go(void *user)
{
	__atomic_add_fetch(&api.memory, 1, __ATOMIC_SEQ_CST);
	__atomic_add_fetch(&api.runs, 1, __ATOMIC_SEQ_CST);
}

static void release(void *user)
{
}

static const struct tacho__held_calls held_calls = {.let_go = let_go, .release = release};

/* NULL: nobody counts it. */
static struct tacho__held *hold(const char *name, uint64_t start)
{
	const struct tacho__launch launch = {.start = start,
					     .device = 1,
					     .name = name,
					     .grid = {1024, 1, 1},
					     .workgroup = {64, 1, 1}};

	return tacho__launches_are_wanted() ? tacho__launch_hold(&launch, &held_calls, NULL) : NULL;
}

/* On a device that runs it at once. */
static bool launch_held(const char *name, uint64_t start)
{
	const struct tacho__launch_outcome outcome = {.end = api.end, .why = api.end_why};
	struct tacho__held *held = hold(name, start);

	if (!held)
		return false;
	if (api.end != TACHO__LAUNCH_REFUSED)
		tacho__launch_ready(held);
	tacho__launch_end(held, &outcome);
	tacho__launch_drop(held);
	return true;
}

/* As an API's layer does. False: it was not counted. */
static bool launch_named(const char *name)
{
	static struct tacho__counted_kernel kernels[4];
	static uint64_t start_tick;
	struct tacho__count_launch launch = {
		.start = ++start_tick, .grid = {1024, 1, 1}, .workgroup = {64, 1, 1}};
	size_t i = 0;

	while (kernels[i].name[0] && strcmp(kernels[i].name, name))
		i++;
	snprintf(kernels[i].name, sizeof(kernels[i].name), "%s", name);
	launch.kernel = &kernels[i];
	return tacho__counting_run(&launch, &calls, NULL) || launch_held(name, launch.start);
}

static const struct tacho__count *find(size_t row, uint32_t column)
{
	for (size_t i = 0; i < told.rows[row].count; i++)
		if (told.rows[row].counts[i].column == column)
			return &told.rows[row].counts[i];
	return NULL;
}

static void case_kernel(void)
{
	struct tacho_counting counting = {.replay = TACHO_REPLAY_KERNEL, .only_pass = -1};

	start(&counting, NULL);
	assert_true(tacho__counting_is_on());
	assert_true(tacho__counting_replays());
	assert_true(launch_named("a"));
	assert_true(launch_named("b"));
	assert_int_equal(api.runs, 6);
	assert_int_equal(api.waits, 6);
	assert_int_equal(api.restores, 4);
	assert_int_equal(api.saves, 2);
	assert_int_equal(api.finishes, 2);
	assert_int_equal(api.memory, 2); /* as if each had run once */
	assert_int_equal(told.row_count, 2);
	assert_int_equal(told.rows[1].start, 2);
	assert_int_equal(told.rows[0].seen, 7);
	assert_int_equal(told.rows[0].count, 17);
	assert_string_equal(told.rows[0].note, "");
	/* 1024 items are 16 waves, of 64 vector instructions by default */
	assert_int_equal(find(0, 0)->bits, 16);
	assert_int_equal(find(0, 0)->state, TACHO_STATE_OK);
	assert_int_equal(find(0, 1)->bits, 1024);
	assert_int_equal(find(0, 1)->state, TACHO_MARK_DEFAULT);
	assert_string_equal(told.process, "");
}

static void case_rotate(void)
{
	struct tacho_counting counting = {.replay = TACHO_REPLAY_ROTATE, .only_pass = -1};
	uint64_t seen = 0;

	start(&counting, NULL);
	assert_false(tacho__counting_replays());
	for (int i = 0; i < 6; i++)
		assert_true(launch_named("a"));
	assert_int_equal(api.runs, 6);
	assert_int_equal(api.saves, 0);
	assert_int_equal(told.row_count, 6);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(told.rows[i].seen, told.rows[i + 3].seen);
		seen |= told.rows[i].seen;
	}
	assert_int_equal(seen, 7);
}

static void case_process(void)
{
	struct tacho_counting counting = {.replay = TACHO_REPLAY_PROCESS, .only_pass = 1};

	start(&counting, NULL);
	assert_true(launch_named("a"));
	assert_int_equal(api.runs, 1);
	assert_int_equal(told.rows[0].seen, 2);
	assert_null(find(0, 0));
	assert_true(told.rows[0].count > 0);
}

static void case_cannot_replay(void)
{
	struct tacho_counting counting = {.replay = TACHO_REPLAY_KERNEL, .only_pass = -1};

	start(&counting, NULL);
	api.save_says = "it uses a pipe";
	assert_true(launch_named("a"));
	assert_int_equal(api.runs, 1);
	assert_int_equal(api.restores, 0);
	assert_int_equal(api.finishes, 1);
	assert_string_equal(told.rows[0].note, "it uses a pipe");
	assert_int_equal(told.rows[0].seen, 1);
	assert_int_equal(find(0, 0)->bits, 16);
	api.save_says = NULL;
	assert_true(launch_named("a"));
	assert_int_equal(told.rows[1].count, 17);
}

static void case_refused(void)
{
	struct tacho_counting counting = {.replay = TACHO_REPLAY_KERNEL, .only_pass = -1};

	start(&counting, NULL);
	api.refuses_run = 1;
	assert_true(launch_named("a")); /* the API's answer stands */
	assert_int_equal(api.runs, 1);
	assert_int_equal(api.waits, 0);
	assert_int_equal(told.row_count, 0);
	assert_true(launch_named("a"));
	assert_int_equal(told.row_count, 1);
	assert_int_equal(told.rows[0].seen, 7);
}

/* In a session that goes on, nothing of a refused launch gets into the next row. */
static void case_refused_once(void)
{
	struct tacho_counting counting = {.replay = TACHO_REPLAY_NONE, .only_pass = -1};

	start(&counting, NULL);
	api.end = TACHO__LAUNCH_REFUSED;
	api.end_why = "the API refused it";
	assert_true(launch_named("a"));
	assert_int_equal(told.rows[0].times_told, 1); /* before it was; there is no launch */
	api.end = TACHO__LAUNCH_FAILED;
	api.end_why = "it ended with an error";
	assert_true(launch_named("a"));
	assert_int_equal(told.row_count, 2);
	assert_int_equal(told.rows[1].count, 0);
	assert_string_equal(told.rows[1].note, "it ended with an error");
	api.end = TACHO__LAUNCH_UNSEEN;
	api.end_why = "the driver does not tell when it ends";
	assert_true(launch_named("a"));
	assert_string_equal(told.rows[2].note, api.end_why);
	api.end = TACHO__LAUNCH_ENDED;
	assert_true(launch_named("a"));
	assert_int_equal(told.rows[3].start, 4);
	assert_string_equal(told.rows[3].note, "");
	assert_int_equal(find(3, 0)->bits, 16);
	assert_true(tacho__counting_is_on());
}

static void *end_held(void *held)
{
	const struct tacho__launch_outcome outcome = {.end = TACHO__LAUNCH_ENDED};

	tacho__launch_end(held, &outcome);
	tacho__launch_drop(held);
	return NULL;
}

/* Its end is told by another thread, or never. */
static void case_other_thread(void)
{
	struct tacho_counting counting = {.replay = TACHO_REPLAY_NONE, .only_pass = -1};
	struct tacho__held *held;
	pthread_t thread;

	start(&counting, NULL);
	assert_true(launch_named("b")); /* from here on launches are held */
	held = hold("a", 100);
	assert_int_equal(told.row_count, 2);
	assert_int_equal(told.rows[1].count, 0);
	assert_string_equal(told.rows[1].note, "it was not seen to end before its process did");
	tacho__launch_ready(held);
	assert_int_equal(told.rows[1].times_told, 1);
	assert_int_equal(pthread_create(&thread, NULL, end_held, held), 0);
	pthread_join(thread, NULL);
	assert_int_equal(told.rows[1].times_told, 2);
	assert_string_equal(told.rows[1].note, "");
	assert_int_equal(find(1, 0)->bits, 16);
	assert_int_equal(told.rows[1].thread, gettid()); /* not the one that told its end */
}

/* It ended, but others ran beside it. */
static void case_beside(void)
{
	struct tacho_counting counting = {.replay = TACHO_REPLAY_NONE, .only_pass = -1};
	struct tacho__held *held[2];

	start(&counting, NULL);
	assert_true(launch_named("a"));
	tacho__launches_set_patience(1000000);
	for (int i = 0; i < 2; i++) {
		held[i] = hold("a", 100 + (uint64_t)i);
		tacho__launch_ready(held[i]);
	}
	while (__atomic_load_n(&api.runs, __ATOMIC_SEQ_CST) < 3)
		usleep(1000);
	for (int i = 0; i < 2; i++)
		end_held(held[i]);
	for (int i = 1; i < 3; i++) {
		assert_int_equal(told.rows[i].count, 0);
		assert_non_null(strstr(told.rows[i].note, "had to run beside it"));
	}
	assert_true(launch_named("a"));
	assert_int_equal(find(3, 0)->bits, 16);
}

static void case_endless(void)
{
	struct tacho_counting counting = {.replay = TACHO_REPLAY_KERNEL, .only_pass = -1};

	start(&counting, NULL);
	api.wait_says = tacho__count_timeout;
	assert_true(launch_named("a"));
	assert_int_equal(api.runs, 1);
	assert_int_equal(told.row_count, 1);
	assert_int_equal(told.rows[0].count, 0);
	assert_string_equal(told.rows[0].note, "it did not end before --timeout");
	assert_false(tacho__counting_is_on());
	assert_string_equal(told.process,
			    "uncounted=counting ended: kernel a did not end within 2 s\n"
			    "uncounted_cure=give it longer with --timeout, or leave it out with "
			    "--exclude\n");
	assert_false(launch_named("a"));
	assert_int_equal(api.drains, 1);
}

static void case_device_never_idle(void)
{
	struct tacho_counting counting = {.replay = TACHO_REPLAY_KERNEL, .only_pass = -1};

	start(&counting, NULL);
	api.drain_says = "the program has an event of its own that it has not set yet";
	assert_false(launch_named("a"));
	assert_int_equal(told.row_count, 1);
	assert_string_equal(told.rows[0].note, api.drain_says);
	assert_true(tacho__counting_is_on());
	api.drain_says = tacho__count_timeout;
	assert_false(launch_named("a"));
	assert_false(tacho__counting_is_on());
	assert_int_equal(api.runs, 0);
}

static void case_restore_refused(void)
{
	struct tacho_counting counting = {.replay = TACHO_REPLAY_KERNEL, .only_pass = -1};

	start(&counting, NULL);
	api.restored = TACHO__RESTORED_NOTHING;
	assert_true(launch_named("a"));
	assert_int_equal(api.runs, 1);
	assert_int_equal(api.memory, 1);
	assert_int_equal(told.rows[0].count, 0);
	assert_true(strlen(told.rows[0].note) > 0);
	assert_int_equal(api.finishes, 1);
	/* the memory is whole, so the next launch is counted */
	api.restored = TACHO__RESTORED;
	assert_true(launch_named("a"));
	assert_int_equal(told.rows[1].count, 17);
}

/* What the program has is unknown then: it is told, and no launch is counted after it. */
static void case_half_restored(void)
{
	struct tacho_counting counting = {.replay = TACHO_REPLAY_KERNEL, .only_pass = -1};

	start(&counting, NULL);
	api.restored = TACHO__RESTORED_PART;
	assert_true(launch_named("a"));
	assert_int_equal(api.runs, 1);
	assert_int_equal(api.restores, 1);
	assert_int_equal(api.finishes, 1);
	assert_int_equal(told.rows[0].count, 0);
	assert_string_equal(told.rows[0].note,
			    "the device brought back a part of the launch's memory only");
	assert_non_null(strstr(told.process, "uncounted=counting ended: the device brought back a "
					     "part of the memory of kernel a and refused the "
					     "rest"));
	assert_false(launch_named("a"));
	assert_int_equal(told.row_count, 1);
}

static void case_selection(void)
{
	const char *kernels[] = {"regex:^a"}, *excluded[] = {"ab*"};
	struct tacho_counting counting = {.replay = TACHO_REPLAY_NONE,
					  .only_pass = -1,
					  .select = {.kernels = kernels,
						     .kernel_count = 1,
						     .excluded = excluded,
						     .excluded_count = 1,
						     .skip = 1,
						     .count = 2}};

	start(&counting, NULL);
	assert_false(launch_named("b"));
	assert_false(launch_named("abc"));
	assert_false(launch_named("a1")); /* skipped */
	assert_true(launch_named("a2"));
	assert_true(launch_named("a2"));
	assert_false(launch_named("a2"));
	assert_int_equal(told.row_count, 2);
}

static void case_paused(void)
{
	struct tacho_counting_control control = {.magic = TACHO_CONTROL_MAGIC, .version = 1};
	struct tacho_counting counting = {
		.replay = TACHO_REPLAY_NONE, .only_pass = -1, .select = {.is_paused = true}};

	start(&counting, &control);
	assert_false(launch_named("a"));
	tacho_profile_resume();
	assert_true(launch_named("a"));
	tacho_profile_pause();
	assert_false(launch_named("a"));
	assert_int_equal(told.row_count, 1);
}

static void case_paused_by_launcher(void)
{
	const struct tacho_counting_control control = {
		.magic = TACHO_CONTROL_MAGIC, .version = 1, .request = TACHO_REQUEST_PAUSE};
	struct tacho_counting counting = {.replay = TACHO_REPLAY_NONE, .only_pass = -1};

	start(&counting, &control);
	assert_false(launch_named("a"));
}

static void case_delayed(void)
{
	struct tacho_counting counting = {
		.replay = TACHO_REPLAY_NONE,
		.only_pass = -1,
		.select = {.delay_ns = 200000000, .duration_ns = 3600000000000}};

	uint64_t begin_ns = tacho__clock_raw_ns(), started_ns;
	bool was_counted;

	start(&counting, NULL);
	started_ns = tacho__clock_raw_ns();
	was_counted = launch_named("a");
	if (tacho__clock_raw_ns() - begin_ns < counting.select.delay_ns) /* not on a slow machine */
		assert_false(was_counted);
	while (tacho__clock_raw_ns() - started_ns < 2 * counting.select.delay_ns)
		usleep(1000);
	assert_true(launch_named("a"));
}

/* A child of the program has no session: it runs as it is. */
static void case_forked(void)
{
	struct tacho_counting counting = {.replay = TACHO_REPLAY_NONE, .only_pass = -1};
	int status;
	pid_t child;

	start(&counting, NULL);
	assert_true(launch_named("a"));
	child = fork();
	if (!child)
		_exit(launch_named("a") || !strstr(told.process, "uncounted=nothing was counted: "
								 "it was forked"));
	waitpid(child, &status, 0);
	assert_int_equal(status, 0);
	assert_string_equal(told.process, "");
}

/* The process has another device than the command: nothing is counted, and it says why. */
static void case_other_device(void)
{
	struct tacho_counting counting = {
		.backends = "sim:rx480", .replay = TACHO_REPLAY_KERNEL, .only_pass = -1};

	start(&counting, NULL);
	assert_false(tacho__counting_is_on());
	assert_false(launch_named("a"));
	assert_int_equal(told.row_count, 0);
	assert_non_null(strstr(told.process, "uncounted=counting did not begin: the plan in "
					     "counting.json does not fit rx480"));
	assert_non_null(strstr(told.process, "it is for gfx942, the device is gfx8"));
	assert_non_null(strstr(told.process, "uncounted_cure=let the program use the libtacho"));
}

static void case_broken_file(void)
{
	setenv(TACHO_COUNTING_VARIABLE, "/nowhere/" TACHO_COUNTING_FILE, 1);
	tacho__clock_init();
	tacho__counting_start(NULL);
	assert_false(tacho__counting_is_on());
	assert_false(launch_named("a"));
}

/* cmocka's assertions end the child with another status. */
static void in_a_process(void (*body)(void))
{
	int status;
	pid_t child = fork();

	assert_true(child >= 0);
	if (!child) {
		body();
		_exit(42);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 42);
}

#define CASES(X)              \
	X(kernel)             \
	X(rotate)             \
	X(process)            \
	X(cannot_replay)      \
	X(refused)            \
	X(refused_once)       \
	X(other_thread)       \
	X(beside)             \
	X(endless)            \
	X(device_never_idle)  \
	X(restore_refused)    \
	X(half_restored)      \
	X(selection)          \
	X(paused)             \
	X(paused_by_launcher) \
	X(delayed)            \
	X(forked)             \
	X(other_device)       \
	X(broken_file)

#define X(name)                               \
	static void test_##name(void **state) \
	{                                     \
		in_a_process(case_##name);    \
	}
CASES(X)
#undef X

int main(void)
{
	const struct CMUnitTest tests[] = {
#define X(name) cmocka_unit_test(test_##name),
		CASES(X)
#undef X
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
