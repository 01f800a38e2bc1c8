/* SPDX-License-Identifier: MIT */
/*
 * All orders in which launches of one device can become ready, be started, end and be lifted, one
 * step after the other: nothing overlaps unseen, nothing is told twice, nothing waits for ever.
 *
 * The world of a case: what a launch waits for (events), which must run beside it so that it can
 * end (kernels that need each other), and which may fail before they run.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "intercept/serial.h"

enum { MOST = 4, HASH_BITS = 20 };

struct world {
	int count;
	unsigned waits_for[MOST]; /* bit per launch that must have ended before it is ready */
	unsigned needs[MOST];	  /* that must have been let go before it can end */
	unsigned may_fail;	  /* before it was let go */
	bool lifts;		  /* patience may end at any time, else only when nothing else can
				     happen */
};

/* A step that somebody is in the middle of, per launch. */
enum {
	JOINED = 1,
	SAID_READY = 2,
	TO_START = 4,	 /* the machine returned it; nobody has begun yet */
	BEGUN = 8,	 /* it was counted from here on */
	LET_GO = 16,	 /* its gate is open: it may run */
	TO_ENTER = 32,	 /* let go, and started() is still to be called */
	ENDED = 64,	 /* its kernel, or its failure */
	TO_FINISH = 128, /* its end is to be told */
	TOLD = 256,
};

struct state {
	struct tacho__serial serial;
	struct tacho__ticket tickets[MOST];
	uint16_t marks[MOST];
	uint8_t beside[MOST]; /* bit per launch that ran at the same time */
};

static struct {
	uint64_t *seen; /* hashes; 0: free */
	size_t seen_count;
	struct state *todo;
	size_t todo_count, todo_capacity;
	size_t ends; /* states in which nothing can happen any more */
} search;

/* ---- states ---- */

static struct tacho__ticket *moved(struct state *to, const struct state *from,
				   const struct tacho__ticket *ticket)
{
	return ticket ? to->tickets + (ticket - from->tickets) : NULL;
}

static struct tacho__ticket_list moved_list(struct state *to, const struct state *from,
					    struct tacho__ticket_list list)
{
	return (struct tacho__ticket_list){moved(to, from, list.first), moved(to, from, list.last)};
}

/* The machine's pointers point into the state that has them. */
static void copy(struct state *to, const struct state *from)
{
	memcpy(to, from, sizeof(*to));
	to->serial.pending = moved_list(to, from, from->serial.pending);
	to->serial.waiting = moved_list(to, from, from->serial.waiting);
	to->serial.active = moved_list(to, from, from->serial.active);
	for (int i = 0; i < MOST; i++) {
		to->tickets[i].next = moved(to, from, from->tickets[i].next);
		to->tickets[i].previous = moved(to, from, from->tickets[i].previous);
		to->tickets[i].next_start = NULL;
	}
}

static uint64_t mix(uint64_t hash, uint64_t value)
{
	hash = (hash ^ value) * UINT64_C(0x9E3779B97F4A7C15);
	return hash ^ hash >> 29;
}

static uint64_t hash_list(const struct state *state, struct tacho__ticket_list list, uint64_t hash)
{
	for (const struct tacho__ticket *ticket = list.first; ticket; ticket = ticket->next)
		hash = mix(hash, (uint64_t)(ticket - state->tickets) + 1);
	return mix(hash, 99);
}

static uint64_t hash_state(const struct state *state)
{
	uint64_t hash = hash_list(state, state->serial.waiting, 1);

	hash = hash_list(state, state->serial.active, hash);
	for (int i = 0; i < MOST; i++) {
		const struct tacho__ticket *ticket = &state->tickets[i];

		hash = mix(hash, (uint64_t)ticket->phase << 3 | (unsigned)ticket->has_device << 2 |
					 (unsigned)ticket->is_beside << 1 | ticket->has_ended);
		hash = mix(hash, (uint64_t)state->marks[i] << 8 | state->beside[i]);
	}
	return hash ? hash : 1;
}

static void visit(const struct state *state)
{
	uint64_t hash = hash_state(state);
	size_t at = hash >> (64 - HASH_BITS);

	for (; search.seen[at]; at = (at + 1) & ((1u << HASH_BITS) - 1))
		if (search.seen[at] == hash)
			return;
	search.seen[at] = hash;
	assert_true(++search.seen_count < (1u << HASH_BITS) / 2);
	if (search.todo_count == search.todo_capacity) {
		struct state *grown;

		search.todo_capacity = search.todo_capacity * 2 + 1024;
		grown = calloc(search.todo_capacity, sizeof(*grown));
		assert_non_null(grown);
		for (size_t i = 0; i < search.todo_count; i++)
			copy(&grown[i], &search.todo[i]);
		free(search.todo);
		search.todo = grown;
	}
	copy(&search.todo[search.todo_count++], state);
}

/* ---- what must hold in each of them ---- */

static int check_list(const struct state *state, struct tacho__ticket_list list, unsigned phases,
		      unsigned *listed)
{
	const struct tacho__ticket *previous = NULL;
	int count = 0;

	for (const struct tacho__ticket *ticket = list.first; ticket; ticket = ticket->next) {
		unsigned bit = 1u << (ticket - state->tickets);

		assert_false(*listed & bit);
		assert_ptr_equal(ticket->previous, previous);
		assert_true(phases >> ticket->phase & 1);
		*listed |= bit;
		previous = ticket;
		count++;
	}
	assert_ptr_equal(list.last, previous);
	return count;
}

/* Who says again that a launch is ready, as a guard does, says nothing new. */
static void check_again(const struct world *world, const struct state *state)
{
	struct state again;

	copy(&again, state);
	for (int i = 0; i < world->count; i++)
		if (state->marks[i] & (SAID_READY | ENDED))
			assert_null(tacho__serial_ready(&again.serial, &again.tickets[i], 0));
	assert_true(hash_state(&again) == hash_state(state));
}

static void check(const struct world *world, const struct state *state)
{
	unsigned listed = 0, alone = 0, running = 0;

	check_list(state, state->serial.pending, 1u << TACHO__TICKET_PENDING, &listed);
	check_list(state, state->serial.waiting, 1u << TACHO__TICKET_WAITING, &listed);
	check_list(state, state->serial.active,
		   1u << TACHO__TICKET_STARTING | 1u << TACHO__TICKET_RUNNING |
			   1u << TACHO__TICKET_ENDING,
		   &listed);
	for (int i = 0; i < world->count; i++) {
		unsigned marks = state->marks[i];

		running += marks & LET_GO && !(marks & ENDED);
		alone += marks & LET_GO && !(marks & ENDED) && !state->tickets[i].is_beside;
		/* Who is counted alone was alone. */
		if (marks & TOLD && state->beside[i])
			assert_true(state->tickets[i].is_beside);
	}
	assert_true(alone <= 1);
	assert_true(!alone || running == 1);
}

/* ---- steps ---- */

static void mark_start(struct state *state, struct tacho__ticket *ticket)
{
	for (; ticket; ticket = ticket->next_start) {
		uint16_t *marks = &state->marks[ticket - state->tickets];

		assert_int_equal(*marks & (TO_START | LET_GO | TOLD), 0);
		*marks |= TO_START;
	}
}

static void mark_one(struct state *state, struct tacho__ticket *ticket)
{
	if (ticket)
		ticket->next_start = NULL;
	mark_start(state, ticket);
}

static void let_go(const struct world *world, struct state *state, int i)
{
	state->marks[i] = (uint16_t)((state->marks[i] & ~TO_START) | TO_ENTER | LET_GO);
	if (state->marks[i] & ENDED)
		return; /* it failed while it was being started: it never runs */
	for (int other = 0; other < world->count; other++)
		if (other != i && state->marks[other] & LET_GO && !(state->marks[other] & ENDED)) {
			state->beside[i] |= (uint8_t)(1u << other);
			state->beside[other] |= (uint8_t)(1u << i);
		}
}

static void end(struct state *state, int i)
{
	state->marks[i] |= ENDED;
	if (tacho__serial_ended(&state->serial, &state->tickets[i]))
		state->marks[i] |= TO_FINISH;
}

static void finish(struct state *state, int i)
{
	assert_int_equal(state->marks[i] & TOLD, 0);
	state->marks[i] = (uint16_t)((state->marks[i] & ~TO_FINISH) | TOLD);
	mark_one(state, tacho__serial_retire(&state->serial, &state->tickets[i], 0));
}

static bool have(const struct state *state, unsigned launches, unsigned mark)
{
	for (int i = 0; i < MOST; i++)
		if (launches >> i & 1 && !(state->marks[i] & mark))
			return false;
	return true;
}

enum step {
	STEP_JOIN,
	STEP_READY,
	STEP_START,
	STEP_ENTER,
	STEP_END,
	STEP_FAIL,
	STEP_FINISH,
	STEPS
};

static bool is_possible(const struct world *world, const struct state *state, enum step step, int i)
{
	unsigned marks = state->marks[i];

	switch (step) {
	case STEP_JOIN: return !(marks & JOINED);
	case STEP_READY:
		return marks & JOINED && !(marks & SAID_READY) &&
		       have(state, world->waits_for[i], ENDED);
	case STEP_START: return marks & TO_START;
	case STEP_ENTER: return marks & TO_ENTER;
	case STEP_END:
		return marks & LET_GO && !(marks & ENDED) && have(state, world->needs[i], LET_GO);
	case STEP_FAIL:
		return world->may_fail >> i & 1 && marks & JOINED && !(marks & (LET_GO | ENDED));
	case STEP_FINISH: return marks & TO_FINISH;
	default: return false;
	}
}

static void take(const struct world *world, struct state *state, enum step step, int i)
{
	struct tacho__ticket *ticket = &state->tickets[i];

	switch (step) {
	case STEP_JOIN:
		state->marks[i] |= JOINED;
		tacho__serial_join(&state->serial, ticket);
		break;
	case STEP_READY:
		state->marks[i] |= SAID_READY;
		mark_one(state, tacho__serial_ready(&state->serial, ticket, 0));
		break;
	case STEP_START: let_go(world, state, i); break;
	case STEP_ENTER:
		state->marks[i] &= (uint16_t)~TO_ENTER;
		if (tacho__serial_started(&state->serial, ticket))
			state->marks[i] |= TO_FINISH;
		break;
	case STEP_END:
	case STEP_FAIL: end(state, i); break;
	case STEP_FINISH: finish(state, i); break;
	default: break;
	}
	check(world, state);
	check_again(world, state);
	visit(state);
}

/* All steps from a state; false when there is none. */
static bool take_all(const struct world *world, const struct state *from)
{
	bool is_any = false;

	for (int step = 0; step < STEPS; step++)
		for (int i = 0; i < world->count; i++) {
			struct state next;

			if (!is_possible(world, from, (enum step)step, i))
				continue;
			copy(&next, from);
			take(world, &next, (enum step)step, i);
			is_any = true;
		}
	return is_any;
}

static bool try_lift(const struct world *world, const struct state *from)
{
	struct tacho__ticket *ticket;
	struct state next;

	copy(&next, from);
	ticket = tacho__serial_lift(&next.serial, 10, 10);
	if (!ticket)
		return false;
	mark_start(&next, ticket);
	check(world, &next);
	visit(&next);
	return true;
}

/* Which launches end without anybody who counts, when `failed` never run: bits. */
static unsigned ends_plainly(const struct world *world, unsigned failed)
{
	unsigned running = 0, ended = failed, before;

	do {
		before = running | ended << MOST;
		for (int i = 0; i < world->count; i++) {
			if ((world->waits_for[i] & ended) == world->waits_for[i])
				running |= ~failed & 1u << i;
			if (running >> i & 1 && (world->needs[i] & running) == world->needs[i])
				ended |= 1u << i;
		}
	} while (before != (running | ended << MOST));
	return ended;
}

/* Nothing can happen any more: all that ends by itself has ended, and was told. */
static void check_end(const struct world *world, const struct state *state)
{
	unsigned plain, failed = 0, needs = 0;

	for (int i = 0; i < world->count; i++) {
		if (state->marks[i] & ENDED && !(state->marks[i] & LET_GO))
			failed |= 1u << i;
		needs |= world->needs[i];
	}
	plain = ends_plainly(world, failed);
	for (int i = 0; i < world->count; i++)
		if (plain >> i & 1) {
			assert_true(state->marks[i] & ENDED);
			assert_true(state->marks[i] & TOLD);
			assert_int_equal(state->tickets[i].phase, TACHO__TICKET_GONE);
			/* Nobody is refused its values without need. */
			assert_true(needs || world->lifts || !state->tickets[i].is_beside);
		}
	search.ends++;
}

static void explore(const struct world *world)
{
	struct state state = {.marks = {0}};

	memset(search.seen, 0, sizeof(*search.seen) << HASH_BITS);
	search.seen_count = search.todo_count = search.ends = 0;
	visit(&state);
	while (search.todo_count) {
		bool is_any;

		copy(&state, &search.todo[--search.todo_count]);
		is_any = take_all(world, &state);
		if ((world->lifts || !is_any) && try_lift(world, &state))
			is_any = true;
		if (!is_any)
			check_end(world, &state);
	}
	assert_true(search.ends > 0);
}

static int set_up(void **unused)
{
	(void)unused;
	search.seen = calloc(1u << HASH_BITS, sizeof(*search.seen));
	return search.seen ? 0 : -1;
}

static int tear_down(void **unused)
{
	(void)unused;
	free(search.seen);
	free(search.todo);
	memset(&search, 0, sizeof(search));
	return 0;
}

/* ---- worlds ---- */

/* Three launches: every order of events between them, all needs, each may fail. */
static void all_of_three(bool lifts)
{
	for (unsigned code = 0; code < 8 * 64; code++) {
		struct world world = {.count = 3, .may_fail = code % 8, .lifts = lifts};

		world.waits_for[1] = code & 1;
		world.waits_for[2] = code >> 1 & 3;
		for (int i = 0; i < 3; i++)
			world.needs[i] = (code >> (3 + 2 * i) & 3) * (i ? 1 : 2) & ~(1u << i);
		explore(&world);
	}
}

static void three_launches_end_whatever_they_need(void **unused)
{
	(void)unused;
	all_of_three(false);
}

static void patience_may_end_at_any_time(void **unused)
{
	(void)unused;
	all_of_three(true);
}

static void four_launches_end(void **unused)
{
	const struct world worlds[] = {
		{.count = 4},
		{.count = 4, .waits_for = {0, 1, 1, 6}, .may_fail = 2},
		{.count = 4, .needs = {2, 1, 8, 4}},
		{.count = 4, .needs = {2, 4, 8, 1}},
		{.count = 4, .waits_for = {0, 0, 3, 0}, .needs = {2, 1, 0, 0}, .may_fail = 8},
	};

	(void)unused;
	for (size_t i = 0; i < sizeof(worlds) / sizeof(worlds[0]); i++)
		explore(&worlds[i]);
}

static void patience_begins_with_who_waits(void **unused)
{
	struct tacho__serial serial = {.progress_ns = 0};
	struct tacho__ticket first = {.phase = 0}, second = {.phase = 0};

	(void)unused;
	tacho__serial_join(&serial, &first);
	tacho__serial_join(&serial, &second);
	assert_ptr_equal(tacho__serial_ready(&serial, &first, 100), &first);
	assert_false(tacho__serial_started(&serial, &first));
	assert_null(tacho__serial_ready(&serial, &second, 5000)); /* `first` is a long kernel */
	assert_null(tacho__serial_lift(&serial, 5999, 1000));
	assert_ptr_equal(tacho__serial_lift(&serial, 6000, 1000), &second);
	assert_true(first.is_beside && second.is_beside);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(three_launches_end_whatever_they_need),
		cmocka_unit_test(patience_may_end_at_any_time),
		cmocka_unit_test(four_launches_end),
		cmocka_unit_test(patience_begins_with_who_waits),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
