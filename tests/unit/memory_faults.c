/* SPDX-License-Identifier: MIT */
#include "memory_faults.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <pthread.h>

#include "rounds.h"
#include "tacho/error.h"

enum { MOST = 20000 };

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
char *__real_strdup(const char *text);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
char *__wrap_strdup(const char *text);

/* Backends have threads of their own. */
static struct {
	pthread_mutex_t lock;
	size_t left; /* allocations until one fails; 0: none does */
	int is_lasting, has_failed;
} faults = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void begin(size_t number, int is_lasting)
{
	pthread_mutex_lock(&faults.lock);
	faults.left = number;
	faults.is_lasting = is_lasting;
	faults.has_failed = 0;
	pthread_mutex_unlock(&faults.lock);
}

void memory_reset(void)
{
	begin(0, 0);
}

static int fails_now(void)
{
	int fails = 0;

	pthread_mutex_lock(&faults.lock);
	if (faults.left && !--faults.left) {
		fails = faults.has_failed = 1;
		faults.left = (size_t)faults.is_lasting;
	}
	pthread_mutex_unlock(&faults.lock);
	return fails;
}

void *__wrap_malloc(size_t size)
{
	return fails_now() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
	return fails_now() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *old, size_t size)
{
	return fails_now() ? NULL : __real_realloc(old, size);
}

char *__wrap_strdup(const char *text)
{
	return fails_now() ? NULL : __real_strdup(text);
}

int memory_has_failed(void)
{
	int failed;

	pthread_mutex_lock(&faults.lock);
	failed = faults.has_failed;
	pthread_mutex_unlock(&faults.lock);
	return failed;
}

int memory_settle(int rc)
{
	if (rc) {
		assert_int_equal(rc, TACHO_E_NOMEM);
		assert_true(memory_has_failed());
		pthread_mutex_lock(&faults.lock);
		faults.left = 0;
		pthread_mutex_unlock(&faults.lock);
	}
	return rc;
}

/* ./check builds what a sanitizer runs as well (-Dunit=plain): that one sees each that fails alone.
 */
static int fails_alone(void)
{
#ifdef MEMORY_FAILS_LASTING
	return 0;
#else
	return 1;
#endif
}

void memory_fail_each(void (*flow)(void), unsigned least)
{
	/* the thread's room for its errors is there */
	assert_string_not_equal(tacho_error_to_string(tacho_error_last()->code), "");
	for (int is_lasting = !fails_alone(); is_lasting < 2; is_lasting++) {
		/* sanitizers see each that fails alone, and a part of those with all behind them */
		size_t number = 0, step = is_lasting ? rounds_of(16, 1, 1) : 1;

		do {
			begin(number += step, is_lasting);
			flow();
		} while (memory_has_failed() && number < MOST);
		print_message("%zu allocations\n", number - 1);
		assert_in_range(number, least + 1, MOST - 1);
	}
	memory_reset();
}
