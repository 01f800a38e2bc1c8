/* SPDX-License-Identifier: MIT */
/* Ranges that a program names, through a whole recording and as hand-made records. */
#include "sample_api.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>

#include "base/buf.h"
#include "base/error.h"
#include "intercept/marks.h"
#include "record/told_ranges.h"
#include "tacho/profile.h"

enum { NO_FILTERS = 43 }; /* exit status */

/* What a recording tells: a line for each call and each range that has ended. */
struct story {
	struct tacho__buf text;
	uint64_t headless, deep;
};

static void tell_range(void *user, const struct tacho_named_range *range)
{
	static const char *const kinds[] = {"",	     "nested", "process", "mark",
					    "frame", "label",  "pass"};
	struct story *story = user;

	assert_true(range->end_ns >= range->start_ns && range->start_ns);
	assert_true(range->process != NULL);
	tacho__buf_printf(&story->text, "%s %s", kinds[range->kind], range->name);
	if (*range->domain)
		tacho__buf_printf(&story->text, "@%s", range->domain);
	if (range->number)
		tacho__buf_printf(&story->text, " #%u", (unsigned)range->number);
	if (range->parent)
		tacho__buf_printf(&story->text, " in %s", range->parent->name);
	tacho__buf_printf(&story->text, " %u%s\n", range->depth, range->is_open ? " open" : "");
}

static void tell_call(struct story *story, struct tacho_cursor *cursor,
		      const struct tacho_call *call)
{
	const char *name, *value = tacho_cursor_get_argument(cursor, 1, &name);

	tacho__buf_printf(&story->text, "call %s:", value);
	for (size_t i = 0; i < call->range_count; i++) {
		assert_int_equal(call->ranges[i]->end_ns, 0);
		assert_true(call->ranges[i]->start_ns <= call->start_ns);
		tacho__buf_printf(&story->text, " %s", call->ranges[i]->name);
	}
	tacho__buf_char(&story->text, '\n');
}

static struct story read_story(const char *path)
{
	struct story story = {0};
	struct tacho_recording *recording;
	struct tacho_cursor *cursor;
	const struct tacho_call *call;
	struct tacho_losses losses;

	assert_int_equal(tacho_recording_open(path, &recording), 0);
	assert_int_equal(tacho_cursor_open(recording, &cursor), 0);
	tacho_cursor_on_range(cursor, tell_range, &story);
	while (tacho_cursor_next(cursor, &call) == 1)
		tell_call(&story, cursor, call);
	assert_int_equal(tacho_cursor_next(cursor, &call), 0);
	tacho_cursor_close(cursor);
	assert_int_equal(tacho_cursor_open(recording, &cursor), 0);
	tacho_cursor_close(cursor); /* counts nothing once more */
	assert_int_equal(tacho_recording_sum_losses(recording, &losses), 0);
	story.headless = losses.headless_ranges;
	story.deep = losses.deep_ranges;
	assert_int_equal(losses.unreadable, 0);
	tacho_recording_close(recording);
	return story;
}

static void check_story(void (*work)(void *), void *argument, const char *expected,
			uint64_t headless, uint64_t deep)
{
	char *path = sample_recording();
	struct story story;

	assert_true(sample_run(path, work, argument) != -1);
	story = read_story(path);
	assert_string_equal(tacho__buf_text(&story.text), expected);
	assert_int_equal(story.headless, headless);
	assert_int_equal(story.deep, deep);
	tacho__buf_finish(&story.text);
	sample_remove(path);
}

static void *poke_elsewhere(void *unused)
{
	tacho_profile_push("other");
	sample_poke(1, 4, 0);
	tacho_profile_pop();
	return NULL;
}

static void name_parts(void *unused)
{
	uint64_t job;
	pthread_t thread;

	sample_poke(1, 0, 0);
	tacho_profile_push("train");
	job = tacho_profile_begin("job");
	sample_poke(1, 1, 0);
	tacho_profile_push("forward");
	sample_poke(1, 2, 0);
	tacho_profile_mark("here");
	tacho_profile_pop();
	sample_poke(1, 3, 0);
	pthread_create(&thread, NULL, poke_elsewhere, NULL);
	pthread_join(thread, NULL);
	tacho_profile_pop();
	sample_poke(1, 5, 0);
	tacho_profile_end(job);
	sample_poke(1, 6, 0);
	tacho_profile_push(NULL);
	tacho_profile_pop();
}

static void test_calls_are_in_ranges(void **state)
{
	check_story(name_parts, NULL,
		    "call 0:\n"
		    "call 1: train job\n"
		    "call 2: forward train job\n"
		    "mark here in forward 2\n"
		    "nested forward in train 1\n"
		    "call 3: train job\n"
		    "call 4: other job\n"
		    "nested other 0\n"
		    "nested train 0\n"
		    "call 5: job\n"
		    "process job 0\n"
		    "call 6:\n"
		    "nested  0\n",
		    0, 0);
}

static void tell_frame(uint32_t event, uint64_t *id, uint64_t number)
{
	struct tacho__range_note note = {.event = event,
					 .id = *id,
					 .api = "test",
					 .domain = "",
					 .name = event == TACHO__RANGE_BEGIN ? "frame" : NULL,
					 .kind = TACHO_RANGE_FRAME,
					 .number = number};

	tacho__marks_tell(&note);
	*id = note.id;
}

static void tell_work(uint32_t event, uint32_t kind, uint32_t level, const char *name)
{
	tacho__intercept_range(&(struct tacho__range_note){.event = event,
							   .id = 77,
							   .level = level,
							   .api = "test",
							   .domain = "",
							   .name = name,
							   .kind = kind,
							   .api_id = 1,
							   .queue = 77});
}

/* The outer one of two labels may end first; a frame that goes on is open. */
static void show_frames(void *unused)
{
	uint64_t frame = 0;

	sample_poke(1, 0, 0);
	tell_frame(TACHO__RANGE_BEGIN, &frame, 1);
	sample_poke(1, 1, 0);
	tell_frame(TACHO__RANGE_END, &frame, 1);
	tell_frame(TACHO__RANGE_BEGIN, &frame, 2);
	tell_work(TACHO__RANGE_PUSH, TACHO_RANGE_LABEL, 1, "scene");
	tell_work(TACHO__RANGE_PUSH, TACHO_RANGE_PASS, 2, "shadows");
	sample_poke(1, 2, 0);
	tell_work(TACHO__RANGE_POP, TACHO_RANGE_LABEL, 1, NULL);
	tell_work(TACHO__RANGE_POP, TACHO_RANGE_PASS, 2, NULL);
	tell_work(TACHO__RANGE_PUSH, 99, 1, "of a later version");
	tell_work(TACHO__RANGE_POP, 99, 1, NULL);
}

static void test_frames_and_labels(void **state)
{
	check_story(show_frames, NULL,
		    "call 0:\n"
		    "call 1: frame\n"
		    "frame frame #1 0\n"
		    "call 2: shadows scene frame\n"
		    "label scene 0\n"
		    "pass shadows 1\n"
		    "nested of a later version 0\n"
		    "frame frame #2 0 open\n",
		    0, 0);
}

static void tell_in(const char *domain, uint64_t id, uint32_t event, const char *name)
{
	tacho__intercept_range(&(struct tacho__range_note){
		.event = event, .id = id, .api = "nvtx", .domain = domain, .name = name});
}

/* Each domain has its own stack; they overlap as they like. */
static void cross_domains(void *unused)
{
	tell_in("A", 7, TACHO__RANGE_PUSH, "a");
	tell_in("B", 8, TACHO__RANGE_PUSH, "b");
	tell_in("A", 7, TACHO__RANGE_PUSH, "c");
	sample_poke(1, 1, 0);
	tell_in("B", 8, TACHO__RANGE_POP, NULL);
	sample_poke(1, 2, 0);
	tell_in("A", 7, TACHO__RANGE_POP, NULL);
	tell_in("A", 7, TACHO__RANGE_POP, NULL);
	tell_in("A", 7, TACHO__RANGE_POP, NULL);
	tell_in("", 99, TACHO__RANGE_END, NULL);
}

static void test_domains(void **state)
{
	check_story(cross_domains, NULL,
		    "call 1: c b a\n"
		    "nested b@B 0\n"
		    "call 2: c a\n"
		    "nested c@A in a 1\n"
		    "nested a@A 0\n",
		    2, 0);
}

/* They do nothing, neither do those of a stack that is not there. */
static void pop_too_often(void *unused)
{
	tacho_profile_pop();
	tacho_profile_push("a");
	tacho_profile_push("b");
	for (int i = 0; i < 5; i++)
		tacho_profile_pop();
	tacho__marks_tell(&(struct tacho__range_note){
		.event = TACHO__RANGE_POP, .id = 5, .api = "nvtx", .domain = "D"});
	tacho_profile_end(0);
	sample_poke(1, 1, 0);
}

static void test_pops_without_push(void **state)
{
	check_story(pop_too_often, NULL, "nested b in a 1\nnested a 0\ncall 1:\n", 0, 0);
}

static bool is_wanted(const char *name)
{
	return !strncmp(name, "want", 4);
}

static void expect(bool is_chosen)
{
	if (tacho__marks_have_chosen() != is_chosen)
		_exit(1);
}

static void *expect_nothing(void *is_chosen)
{
	expect(is_chosen != NULL);
	tacho_profile_push("want me");
	expect(true);
	tacho_profile_pop();
	expect(is_chosen != NULL);
	return NULL;
}

static void run_thread(bool is_chosen)
{
	pthread_t thread;

	pthread_create(&thread, NULL, expect_nothing, is_chosen ? "" : NULL);
	pthread_join(thread, NULL);
}

static void choose(void *unused)
{
	uint64_t first, second;

	tacho__marks_choose(is_wanted);
	expect(false);
	tacho_profile_push("other");
	expect(false);
	tacho_profile_push("wanted");
	tacho_profile_push("inner");
	tacho_profile_push("want twice");
	expect(true);
	run_thread(false);
	tacho_profile_pop();
	tacho_profile_pop();
	expect(true);
	tacho_profile_pop();
	expect(false);
	tacho_profile_pop();
	tacho_profile_pop();
	tacho_profile_mark("wanted");
	expect(false);
	first = tacho_profile_begin("want this");
	second = tacho_profile_begin("want that");
	tacho_profile_end(tacho_profile_begin("not this"));
	run_thread(true);
	tacho_profile_end(first);
	tacho_profile_end(first);
	expect(true);
	tacho_profile_end(second);
	expect(false);
	run_thread(false);
	_exit(42);
}

/* What lies too deep, or in more domains than a thread can follow, chooses nothing and harms
 * nothing. */
static void choose_deep(void *unused)
{
	tacho__marks_choose(is_wanted);
	for (int i = 0; i < 64; i++)
		tacho_profile_push("other");
	tacho_profile_push("wanted");
	expect(false);
	for (int i = 0; i < 65; i++)
		tacho_profile_pop();
	for (uint64_t domain = 1; domain <= 6; domain++)
		tacho__marks_tell(
			&(struct tacho__range_note){.event = TACHO__RANGE_PUSH,
						    .id = domain,
						    .api = "nvtx",
						    .domain = "",
						    .name = domain < 5 ? "no" : "wanted"});
	expect(false);
	for (uint64_t domain = 1; domain <= 6; domain++)
		tacho__marks_tell(&(struct tacho__range_note){
			.event = TACHO__RANGE_POP, .id = domain, .api = "nvtx", .domain = ""});
	tacho_profile_push("wanted");
	expect(true);
	_exit(42);
}

static void test_choosing(void **state)
{
	char *path = sample_recording(), *other = sample_recording();

	assert_int_equal(WEXITSTATUS(sample_run(path, choose, NULL)), 42);
	assert_int_equal(WEXITSTATUS(sample_run(other, choose_deep, NULL)), 42);
	sample_remove(path);
	sample_remove(other);
}

static void die_inside(void *unused)
{
	tacho_profile_push("outer");
	tacho_profile_begin("job");
	tacho_profile_push("inner");
	sample_poke(1, 1, 0);
	kill(getpid(), SIGKILL);
}

static void test_killed_inside(void **state)
{
	check_story(die_inside, NULL,
		    "call 1: inner outer job\n"
		    "nested inner in outer 1 open\n"
		    "nested outer 0 open\n"
		    "process job 0 open\n",
		    0, 0);
}

static void run_child(void *unused)
{
	int status;

	tacho_profile_push("parent");
	if (!fork()) {
		sample_poke(1, 1, 0);
		tacho_profile_push("child");
		sample_poke(1, 2, 0);
		tacho_profile_pop();
		tacho_profile_pop(); /* the parent's */
		_exit(0);
	}
	wait(&status);
	sample_poke(1, 3, 0);
	tacho_profile_pop();
}

static const char story_of_child[] = "call 1:\n"
				     "call 2: child\n"
				     "nested child 0\n"
				     "call 3: parent\n"
				     "nested parent 0\n";

static void test_children_have_their_own(void **state)
{
	check_story(run_child, NULL, story_of_child, 0, 0);
}

/* A filter that allows all: with any filter no page is wiped in children. */
static void filter(void *unused)
{
	struct sock_filter allow = {.code = BPF_RET | BPF_K, .k = SECCOMP_RET_ALLOW};
	const struct sock_fprog program = {.len = 1, .filter = &allow};

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
		_exit(NO_FILTERS);
}

static void test_filtered_children_have_their_own(void **state)
{
	char *path = sample_recording();
	struct story story;
	int status = sample_run_after(path, filter, run_child, NULL);

	if (WIFEXITED(status) && WEXITSTATUS(status) == NO_FILTERS) {
		sample_remove(path);
		print_message("no filter of system calls can be set here\n");
		skip();
	}
	assert_int_equal(status, 0);
	story = read_story(path);
	assert_string_equal(tacho__buf_text(&story.text), story_of_child);
	tacho__buf_finish(&story.text);
	sample_remove(path);
}

/* ---- hand-made records ---- */

struct world {
	struct tacho__told told;
	struct tacho__told_process process;
	struct tacho__told_thread thread;
	struct tacho_process info;
	uint64_t now_ns;
	const struct tacho_named_range *ended;
};

static int take_level(struct world *world, uint64_t event, uint64_t key, const char *name,
		      uint64_t level)
{
	uint8_t packed[1024];
	struct tacho__pack pack;
	struct tacho__unpack unpack;
	const struct tacho__told_place place = {.process = &world->info,
						.told_process = &world->process,
						.told_thread = &world->thread,
						.thread = 1,
						.at_ns = ++world->now_ns};

	tacho__pack_begin(&pack, packed);
	tacho__pack_u64(&pack, event);
	tacho__pack_u64(&pack, key);
	tacho__pack_u64(&pack, 0x12345678 + UINT64_C(1));
	for (int i = 0; i < (name ? 3 : 2); i++) {
		const char *text = i == 2 ? name : "";

		tacho__pack_u64(&pack, strlen(text));
		tacho__pack_bytes(&pack, text, strlen(text));
	}
	if (level)
		tacho__pack_u64(&pack, level);
	tacho__unpack_begin(&unpack, packed, (uint32_t)(pack.at - packed));
	world->ended = NULL;
	return tacho__told_take(&world->told, &place, &unpack, &world->ended);
}

/* As older recordings have it: without levels. */
static int take(struct world *world, uint64_t event, uint64_t key, const char *name)
{
	return take_level(world, event, key, name, 0);
}

static void finish(struct world *world)
{
	tacho__told_finish_thread(&world->thread);
	tacho__told_finish_process(&world->process);
	tacho__told_finish(&world->told);
}

static size_t count_around(struct world *world, uint64_t start_ns)
{
	const struct tacho_named_range *const *ranges;
	size_t count;

	assert_int_equal(tacho__told_find_around(&world->told, &world->process, &world->thread,
						 start_ns, &ranges, &count),
			 0);
	return count;
}

/* A pop whose push was dropped ends nothing else; one whose pop was dropped lets others end. */
static void test_levels(void **state)
{
	struct world world = {0};

	assert_int_equal(take_level(&world, TACHO__RANGE_PUSH, 3, "outer", 1), 0);
	assert_int_equal(take_level(&world, TACHO__RANGE_POP, 3, NULL, 2), 0);
	assert_int_equal(world.process.headless, 1);
	assert_int_equal(take_level(&world, TACHO__RANGE_PUSH, 3, "inner", 2), 0);
	assert_int_equal(take_level(&world, TACHO__RANGE_POP, 3, NULL, 1), 1);
	assert_string_equal(world.ended->name, "outer");
	assert_int_equal(take_level(&world, TACHO__RANGE_POP, 3, NULL, 2), 1);
	assert_string_equal(world.ended->name, "inner");
	assert_null(world.ended->parent);
	assert_int_equal(world.process.headless, 1);
	finish(&world);
}

/* What is too deep is counted, and its pops are its own. */
static void test_depth_is_bounded(void **state)
{
	enum { MORE = 100, DEPTH = TACHO__TOLD_DEPTH_MAX };
	struct world world = {0};

	for (int i = 0; i < DEPTH + MORE; i++)
		assert_int_equal(take(&world, TACHO__RANGE_PUSH, 3, "x"), 0);
	assert_int_equal(world.process.beyond, MORE);
	assert_int_equal(count_around(&world, UINT64_MAX), DEPTH);
	assert_int_equal(take(&world, TACHO__RANGE_PUSH, 4, "y"), 0);
	assert_int_equal(take(&world, TACHO__RANGE_POP, 4, NULL), 0);
	for (int i = 0; i < MORE; i++)
		assert_int_equal(take(&world, TACHO__RANGE_POP, 3, NULL), 0);
	for (int i = DEPTH; i-- > 0;) {
		assert_int_equal(take(&world, TACHO__RANGE_POP, 3, NULL), 1);
		assert_int_equal(world.ended->depth, i);
		assert_int_equal(world.ended->start_ns, i + 1);
		assert_int_equal(world.ended->color, 0x12345678);
	}
	assert_int_equal(world.process.headless, 0);
	assert_int_equal(take(&world, TACHO__RANGE_POP, 3, NULL), 0);
	assert_int_equal(world.process.headless, 1);
	assert_int_equal(world.process.beyond, MORE + 1);
	finish(&world);
}

static void test_open_ranges_are_bounded(void **state)
{
	enum { MORE = 10, OPEN = TACHO__TOLD_OPEN_MAX };
	struct world world = {0};

	for (uint64_t i = 1; i <= OPEN + MORE; i++)
		assert_int_equal(take(&world, TACHO__RANGE_BEGIN, i, "x"), 0);
	assert_int_equal(world.process.beyond, MORE);
	assert_int_equal(count_around(&world, UINT64_MAX), OPEN);
	assert_int_equal(count_around(&world, 5), 5);
	for (uint64_t i = 1; i <= OPEN + MORE; i++)
		assert_int_equal(take(&world, TACHO__RANGE_END, i, NULL), i <= OPEN);
	assert_int_equal(world.process.headless, 0);
	finish(&world);
}

/* A million names one after another take the memory of one. */
static void test_structs_are_used_again(void **state)
{
	struct world world = {0};
	const struct tacho__told_range *first;
	char name[32];

	assert_int_equal(take(&world, TACHO__RANGE_MARK, 0, "first"), 1);
	first = world.told.free;
	for (int i = 0; i < 1000; i++) {
		snprintf(name, sizeof(name), "step %d", i);
		assert_int_equal(take(&world, TACHO__RANGE_PUSH, 0, name), 0);
		assert_int_equal(take(&world, TACHO__RANGE_POP, 0, NULL), 1);
		assert_string_equal(world.ended->name, name);
		assert_int_equal(world.ended->id, i + 2);
		assert_ptr_equal(world.told.free, first);
		assert_null(first->next_free);
	}
	finish(&world);
}

static void test_nonsense_is_refused(void **state)
{
	struct world world = {0};
	char long_name[600];

	memset(long_name, 'n', sizeof(long_name));
	memcpy(long_name + 254, "\xc3\xa9", 3);
	assert_int_equal(take(&world, 0, 0, "x"), TACHO_E_PARSE);
	assert_int_equal(take(&world, 6, 0, NULL), TACHO_E_PARSE);
	assert_int_equal(take(&world, TACHO__RANGE_PUSH, 0, NULL), TACHO_E_PARSE);
	assert_int_equal(take(&world, TACHO__RANGE_MARK, 0, long_name), 1);
	assert_int_equal(strlen(world.ended->name), 254); /* the last character does not fit */
	finish(&world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_calls_are_in_ranges),
		cmocka_unit_test(test_frames_and_labels),
		cmocka_unit_test(test_domains),
		cmocka_unit_test(test_pops_without_push),
		cmocka_unit_test(test_choosing),
		cmocka_unit_test(test_killed_inside),
		cmocka_unit_test(test_children_have_their_own),
		cmocka_unit_test(test_filtered_children_have_their_own),
		cmocka_unit_test(test_levels),
		cmocka_unit_test(test_depth_is_bounded),
		cmocka_unit_test(test_open_ranges_are_bounded),
		cmocka_unit_test(test_structs_are_used_again),
		cmocka_unit_test(test_nonsense_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
