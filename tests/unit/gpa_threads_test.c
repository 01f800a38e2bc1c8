/* SPDX-License-Identifier: MIT */
/* The GPUPerfAPI face called from several threads, over a device that is made here. */
#include "gpa_face.h"

#include <pthread.h>
#include <time.h>

enum { THREADS = 8, ROUNDS = 200 };

static void *hammer(void *argument)
{
	for (unsigned i = 0; i < ROUNDS; i++) {
		gpa_uint32 number, session;
		const char *text;
		gpa_bool ready;
		double value;

		assert_int_equal(api.GetNumCounters(&number), 0);
		assert_int_equal(number, 20);
		assert_int_equal(api.GetCounterName(i % 20, &text), 0);
		assert_string_equal(api.GetStatusAsStr(0), "Ok");
		if (api.BeginSession(&session)) /* another thread has one */
			continue;
		if (!api.BeginPass() && !api.BeginSample(i)) {
			assert_int_equal(api.EndSample(), 0);
			assert_int_equal(api.EndPass(), 0);
		}
		assert_int_equal(api.EndSession(), 0);
		if (!api.IsSessionReady(&ready, session) && ready &&
		    !api.GetSampleFloat64(session, i, 0, &value))
			assert_true(value == 1000);
		++*(unsigned *)argument;
	}
	return NULL;
}

static void threads_share_a_context(void **state)
{
	pthread_t threads[THREADS];
	unsigned done[THREADS] = {0}, sum = 0;
	gpa_uint32 session;

	open_fake();
	expect(0, api.EnableCounterStr("Wavefronts"));
	assert_int_equal(index_of("Wavefronts"), 0);
	expect(0, api.RegisterLoggingCallback(GPA_LOGGING_NONE, NULL));
	for (int i = 0; i < THREADS; i++)
		assert_int_equal(pthread_create(&threads[i], NULL, hammer, &done[i]), 0);
	for (int i = 0; i < THREADS; i++) {
		pthread_join(threads[i], NULL);
		sum += done[i];
	}
	assert_true(sum > 0);
	assert_int_equal(api.BeginSession(&session), 0);
	assert_int_equal(session, sum + 1); /* every session had a number of its own */
}

/* ---- while a thread waits for values ---- */

struct reader {
	pthread_t thread;
	gpa_uint32 session, index;
	GPA_Status status;
	double value;
	int is_done;
};

static void rest(void)
{
	nanosleep(&(struct timespec){.tv_nsec = 1000 * 1000}, NULL);
}

static void await_waiter(void)
{
	while (!__atomic_load_n(&fake.waiters, __ATOMIC_ACQUIRE))
		rest();
}

static void release_values(void)
{
	__atomic_store_n(&fake.is_held, 0, __ATOMIC_RELEASE);
}

static void *read_value(void *argument)
{
	struct reader *reader = argument;

	reader->status = api.GetSampleFloat64(reader->session, 1, reader->index, &reader->value);
	__atomic_store_n(&reader->is_done, 1, __ATOMIC_RELEASE);
	return NULL;
}

/* A sample whose value does not come as yet. Logging would be of several threads. */
static struct reader make_reader(void)
{
	struct reader reader = {0};

	expect(0, api.RegisterLoggingCallback(GPA_LOGGING_NONE, NULL));
	open_fake();
	expect(0, api.EnableCounterStr("Wavefronts"));
	reader.index = index_of("Wavefronts");
	fake.is_held = fake.blocks = 1;
	reader.session = run((const char *[]){"1"}, 1);
	return reader;
}

static void start_reader(struct reader *reader)
{
	assert_int_equal(pthread_create(&reader->thread, NULL, read_value, reader), 0);
	await_waiter();
}

static void join_reader(struct reader *reader)
{
	pthread_join(reader->thread, NULL);
	assert_int_equal(reader->status, 0);
	assert_true(reader->value == 1000);
}

/* Other contexts are opened, counted on, read and closed meanwhile. */
static void others_go_on_while_one_waits(void **state)
{
	struct reader reader = make_reader();
	gpa_uint32 session;
	double value;

	start_reader(&reader);
	expect(0, api.OpenContext(&other));
	expect(0, api.EnableCounterStr("Wavefronts"));
	session = run((const char *[]){"12"}, 1);
	expect(0, api.GetSampleFloat64(session, 2, index_of("Wavefronts"), &value));
	assert_true(value == 2000);
	expect(0, api.SelectContext(&fake));
	expect(0, api.SelectContext(&other));
	expect(0, api.CloseContext());
	assert_int_equal(other.units, 0);
	assert_int_equal(__atomic_load_n(&reader.is_done, __ATOMIC_ACQUIRE), 0);
	release_values();
	join_reader(&reader);
}

struct call {
	GPA_Status (*function)(void);
	GPA_Status status;
	int is_done;
};

static void *make_call(void *argument)
{
	struct call *call = argument;

	call->status = call->function();
	__atomic_store_n(&call->is_done, 1, __ATOMIC_RELEASE);
	return NULL;
}

/* What ends the context comes when the value was read. */
static void end_while_one_waits(GPA_Status (*function)(void))
{
	struct reader reader = make_reader();
	struct call call = {.function = function, .status = GPA_STATUS_ERROR_FAILED};
	pthread_t thread;

	start_reader(&reader);
	assert_int_equal(pthread_create(&thread, NULL, make_call, &call), 0);
	for (int i = 0; i < 20; i++)
		rest();
	assert_int_equal(__atomic_load_n(&call.is_done, __ATOMIC_ACQUIRE), 0);
	release_values();
	join_reader(&reader);
	pthread_join(thread, NULL);
	assert_int_equal(call.status, 0);
	assert_int_equal(fake.units, 0);
}

static void closing_waits_for_readers(void **state)
{
	end_while_one_waits(api.CloseContext);
}

static void destroying_waits_for_readers(void **state)
{
	end_while_one_waits(api.Destroy);
}

/* ---- from a callback ---- */

static struct {
	struct reader reader;
	gpa_uint32 count;
	GPA_Status status;
} called;

/* Counters of the context that another thread waits for. */
static void ask_in_callback(GPA_Logging_Type type, const char *text)
{
	if (!strstr(text, "is not enabled"))
		return;
	called.status = api.SelectContext(&fake);
	if (!called.status)
		called.status = api.GetEnabledCount(&called.count);
}

static void *release_later(void *argument)
{
	for (int i = 0; i < 20; i++)
		rest();
	release_values();
	return NULL;
}

static void a_callback_waits_too(void **state)
{
	pthread_t thread;
	gpa_uint32 count;

	called.reader = make_reader();
	start_reader(&called.reader);
	expect(0, api.OpenContext(&other));
	called.status = GPA_STATUS_ERROR_FAILED;
	expect(0, api.RegisterLoggingCallback(GPA_LOGGING_MESSAGE, ask_in_callback));
	assert_int_equal(pthread_create(&thread, NULL, release_later, NULL), 0);
	assert_int_equal(api.IsCounterEnabled(0), 5);
	assert_int_equal(called.status, 0);
	assert_int_equal(called.count, 1);
	pthread_join(thread, NULL);
	join_reader(&called.reader);
	expect(0, api.GetNumCounters(&count)); /* the lock is as free as before */
	assert_int_equal(count, 20);
}

static void read_in_callback(GPA_Logging_Type type, const char *text)
{
	if (strstr(text, "is not enabled"))
		read_value(&called.reader);
}

static void *go_on_and_release(void *argument)
{
	struct call *call = argument;
	gpa_uint32 count = 0;

	await_waiter();
	call->status = api.SelectContext(&other);
	if (!call->status)
		call->status = api.GetNumCounters(&count);
	call->is_done = count == 20;
	release_values();
	return NULL;
}

static void a_callback_reads(void **state)
{
	struct call call = {.status = GPA_STATUS_ERROR_FAILED};
	pthread_t thread;

	expect(0, api.OpenContext(&other));
	called.reader = make_reader();
	expect(0, api.RegisterLoggingCallback(GPA_LOGGING_MESSAGE, read_in_callback));
	assert_int_equal(pthread_create(&thread, NULL, go_on_and_release, &call), 0);
	assert_int_equal(api.IsCounterEnabled(called.reader.index + 1), 5);
	pthread_join(thread, NULL);
	assert_int_equal(call.status, 0);
	assert_int_equal(call.is_done, 1);
	assert_int_equal(called.reader.status, 0);
	assert_true(called.reader.value == 1000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
#define T(name) cmocka_unit_test_setup_teardown(name, gpa_setup, gpa_teardown)
		T(threads_share_a_context),   T(others_go_on_while_one_waits),
		T(closing_waits_for_readers), T(destroying_waits_for_readers),
		T(a_callback_waits_too),      T(a_callback_reads),
	};

	gpa_load(getenv("TACHO_GPA_FAKE"), &api);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
