/* SPDX-License-Identifier: MIT */
/* Counting chosen threads of this process: others are not in it, and new ones are followed. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tacho/error.h"
#include "tacho/session.h"

enum { PAGES = 500, WORKERS = 2 };

/* Faults besides those of the pages; ThreadSanitizer touches memory of its own for each page. */
#if defined(__SANITIZE_THREAD__)
enum { MORE = 10 * PAGES };
#else
enum { MORE = 16 };
#endif

/* A thread that touches new pages when it is told. */
struct worker {
	pthread_t thread;
	atomic_int tid, wanted, done;
};

static struct worker workers[WORKERS];

/* Without the address sanitizer's own memory, which has pages to touch too. */
__attribute__((no_sanitize("address"))) static void touch_pages(void)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	char *memory = mmap(NULL, PAGES * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			    -1, 0);

	madvise(memory, PAGES * page, MADV_NOHUGEPAGE);
	for (size_t i = 0; i < PAGES; i++)
		memory[i * page] = 1;
	munmap(memory, PAGES * page);
}

static void *work(void *user)
{
	struct worker *worker = user;

	atomic_store(&worker->tid, gettid());
	for (;;) {
		int wanted = atomic_load(&worker->wanted);

		if (wanted < 0)
			return NULL;
		if (wanted > atomic_load(&worker->done)) {
			touch_pages();
			atomic_fetch_add(&worker->done, 1);
		}
		usleep(500);
	}
}

static void start_worker(struct worker *worker)
{
	assert_int_equal(pthread_create(&worker->thread, NULL, work, worker), 0);
	while (!atomic_load(&worker->tid))
		usleep(500);
}

static void let_work(struct worker *worker)
{
	int wanted = atomic_fetch_add(&worker->wanted, 1) + 1;

	while (atomic_load(&worker->done) < wanted)
		usleep(500);
}

/* Only these are counted. */
static atomic_int chosen[WORKERS];

static int wants(void *user, int64_t thread)
{
	assert_ptr_equal(user, chosen);
	for (int i = 0; i < WORKERS; i++)
		if (atomic_load(&chosen[i]) == thread)
			return 1;
	return 0;
}

static uint8_t expected_state;

static uint64_t count(struct tacho_session *session, int is_first_working, int is_second_working,
		      int is_caller_working)
{
	struct tacho_result *result;
	tacho_range range;
	uint64_t faults;

	assert_int_equal(tacho_session_begin_range(session, 0, 1, "range", &range), 0);
	if (is_first_working)
		let_work(&workers[0]);
	if (is_second_working)
		let_work(&workers[1]);
	if (is_caller_working)
		touch_pages();
	assert_int_equal(tacho_session_end_range(session, range), 0);
	assert_int_equal(tacho_session_take(session, &result), 0);
	assert_int_equal(tacho_result_get_row_count(result), 1);
	assert_int_equal(tacho_column_get_state(tacho_result_get_column(result, 0), 0, 0),
			 expected_state);
	faults = (uint64_t)tacho_column_get_value(tacho_result_get_column(result, 0), 0, 0);
	tacho_result_destroy(result);
	return faults;
}

struct world {
	struct tacho_context *context;
	struct tacho_device *device;
	struct tacho_config *config;
	struct tacho_plan *plan;
	struct tacho_session *session;
};

static void open_world(struct world *world)
{
	const struct tacho_context_options machine = {.size = sizeof(machine), .backends = "perf"};
	const struct tacho_config_entry entry = {.name = "page-faults"};
	const struct tacho_session_options options = {.size = sizeof(options),
						      .replay = TACHO_REPLAY_NONE,
						      .wants_thread = wants,
						      .user = chosen};
	const struct tacho_device_info *info;

	assert_int_equal(tacho_context_create(&machine, &world->context), 0);
	if (tacho_context_find_device_info(world->context, "perf:linux", &info) ||
	    tacho_device_open(world->context, info, &world->device)) {
		tacho_context_destroy(world->context);
		skip(); /* this machine lets nobody count */
	}
	assert_int_equal(tacho_config_create(tacho_device_get_arch(world->device), NULL, &entry, 1,
					     &world->config),
			 0);
	assert_int_equal(tacho_device_plan(world->device, world->config, NULL, &world->plan), 0);
	assert_int_equal(
		tacho_session_create(world->device, world->plan, &options, &world->session), 0);
}

static void close_world(struct world *world)
{
	tacho_session_destroy(world->session);
	tacho_plan_destroy(world->plan);
	tacho_config_destroy(world->config);
	tacho_device_close(world->device);
	tacho_context_destroy(world->context);
}

static void counts_chosen_threads(void **state)
{
	struct tacho_session *session;
	struct world world;

	open_world(&world);
	session = world.session;
	start_worker(&workers[0]);
	assert_int_equal(tacho_session_begin_pass(session), 0);
	/* nobody is counted yet: that is no 0 */
	expected_state = TACHO_STATE_ABSENT;
	count(session, 1, 0, 1);
	expected_state = TACHO_STATE_OK;
	atomic_store(&chosen[0], atomic_load(&workers[0].tid));
	assert_in_range(count(session, 1, 0, 1), PAGES, PAGES + MORE);
	assert_in_range(count(session, 0, 0, 1), 0, MORE);
	/* a thread that came after the pass began */
	start_worker(&workers[1]);
	assert_in_range(count(session, 1, 1, 0), PAGES, PAGES + MORE);
	atomic_store(&chosen[1], atomic_load(&workers[1].tid));
	assert_in_range(count(session, 1, 1, 1), 2 * PAGES, 2 * PAGES + 2 * MORE);
	/* what a thread counted stays when it ends */
	atomic_store(&workers[1].wanted, -1);
	pthread_join(workers[1].thread, NULL);
	assert_in_range(count(session, 1, 0, 0), PAGES, PAGES + MORE);
	atomic_store(&workers[0].wanted, -1);
	pthread_join(workers[0].thread, NULL);
	close_world(&world);
}

/* A program may close what it does not know: counting ends, and nothing of the program's is read.
 */
static void closed_descriptors_end_it(void **state)
{
	struct world world;
	char text[25] = "";
	tacho_range range;
	int own[2];

	open_world(&world);
	assert_int_equal(tacho_session_begin_pass(world.session), 0);
	atomic_store(&chosen[0], gettid());
	assert_int_equal(tacho_session_begin_range(world.session, 0, 1, "range", &range), 0);
	assert_int_equal(close(512), 0); /* high, out of the program's way */
	assert_int_equal(pipe(own), 0);
	assert_int_equal(dup2(own[0], 512), 512);
	assert_int_equal(write(own[1], "all mine, 24 bytes of it", 24), 24);
	assert_int_equal(tacho_session_end_range(world.session, range), TACHO_E_LOST);
	close_world(&world);
	/* neither read from nor closed */
	assert_int_equal(read(512, text, 24), 24);
	assert_string_equal(text, "all mine, 24 bytes of it");
	close(512);
	close(own[0]);
	close(own[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counts_chosen_threads),
		cmocka_unit_test(closed_descriptors_end_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
