/* SPDX-License-Identifier: MIT */
/*
 * Allocations that fail on demand. The test is linked with
 * -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=strdup, which sends the library's here.
 */
#ifndef TACHO_TESTS_MEMORY_FAULTS_H
#define TACHO_TESTS_MEMORY_FAULTS_H

/* Runs a flow with its first, second, ... allocation failing until it has no more: once alone, and
 * once with all after it. Tests fail when there are fewer than `least`. */
void memory_fail_each(void (*flow)(void), unsigned least);

/* None fails any more: a test may have ended in the middle of a flow. */
void memory_reset(void);

/* Whether an allocation has failed since the flow began. */
int memory_has_failed(void);

/* An error must be NOMEM, and because of a failure; from the first one on memory is there again. */
int memory_settle(int rc);

/* A call that fails can be made again. */
#define TWICE(call)                                \
	do {                                       \
		if (memory_settle(call))           \
			assert_int_equal(call, 0); \
	} while (0)

#endif
