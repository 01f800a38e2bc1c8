/* SPDX-License-Identifier: MIT */
#include "inject/cuda/cuda_notes.h"

#include <stdatomic.h>
#include <unistd.h>

#include "inject/cuda/cuda_clock.h"
#include "record/wire.h"

enum { TRIES = 8 };

/* With the number in the upper half of `word`, so that one exchange says whose note it changed. */
enum state {
	FREE = 0,
	WRITING, /* its owner fills it */
	CALLING, /* the call has not returned */
	AWAITED, /* it has, and a slot waits */
	TIMED,	 /* times came before it returned */
	SETTLED, /* nothing waits; others may take its place */
	ALIAS,	 /* it stands for the note of another number; as SETTLED */
	OWN,	 /* the call is tacho's; as SETTLED */
};

struct tacho__cuda_note {
	_Atomic(uint64_t) word;
	_Atomic(uint64_t) tick, monotonic_ns;
	atomic_uint thread, alias_of;
	atomic_bool runs_again; /* for counting: what comes behind the first is dropped */
	void *token;
	struct tacho__times times; /* that came; of who takes records, but for await() */
};

static struct {
	struct tacho__cuda_note notes[TACHO__CUDA_NOTES_MAX];
	atomic_uint awaited;
	_Atomic(uint64_t) begun;
	/* calls without a note, of which no record came so far, and what numbers they have */
	atomic_uint refused, refused_first, refused_last;
} table;

static _Thread_local uint32_t own_thread; /* its id, once it was asked for */

static uint64_t word_of(uint32_t correlation, enum state state)
{
	return (uint64_t)correlation << 32 | state;
}

static enum state state_of(uint64_t word)
{
	return (enum state)(word & 7);
}

static bool change(struct tacho__cuda_note *note, uint32_t correlation, enum state from,
		   enum state to)
{
	uint64_t expected = word_of(correlation, from);

	return atomic_compare_exchange_strong(&note->word, &expected, word_of(correlation, to));
}

static uint32_t number_of(struct tacho__cuda_note *note)
{
	return (uint32_t)(atomic_load_explicit(&note->word, memory_order_relaxed) >> 32);
}

/* One that nobody waits for, now the caller's; NULL: all that it may be are awaited. */
static struct tacho__cuda_note *take(uint32_t correlation)
{
	for (uint32_t i = 0; i < TRIES; i++) {
		struct tacho__cuda_note *note =
			&table.notes[(correlation + i) % TACHO__CUDA_NOTES_MAX];
		uint64_t word = atomic_load_explicit(&note->word, memory_order_acquire);
		enum state state = state_of(word);

		if (state != FREE && state != SETTLED && state != ALIAS && state != OWN)
			continue;
		if (atomic_compare_exchange_strong(&note->word, &word,
						   word_of(correlation, WRITING)))
			return note;
	}
	return NULL;
}

static struct tacho__cuda_note *find(uint32_t correlation)
{
	for (uint32_t i = 0; i < TRIES; i++) {
		struct tacho__cuda_note *note =
			&table.notes[(correlation + i) % TACHO__CUDA_NOTES_MAX];
		uint64_t word = atomic_load_explicit(&note->word, memory_order_acquire);

		if (word >> 32 == correlation && state_of(word) > WRITING)
			return note;
	}
	return NULL;
}

static void write_alias(uint32_t correlation, uint32_t alias_of)
{
	struct tacho__cuda_note *note = find(correlation);

	if (note && !change(note, correlation, ALIAS, WRITING))
		return;
	if (!note)
		note = take(correlation);
	if (!note)
		return;
	atomic_store_explicit(&note->alias_of, alias_of, memory_order_relaxed);
	atomic_store_explicit(&note->word, word_of(correlation, ALIAS), memory_order_release);
}

static void widen_refused(uint32_t correlation)
{
	uint32_t first = atomic_load_explicit(&table.refused_first, memory_order_relaxed);
	uint32_t last = atomic_load_explicit(&table.refused_last, memory_order_relaxed);

	while ((!first || correlation < first) &&
	       !atomic_compare_exchange_weak(&table.refused_first, &first, correlation))
		;
	while (correlation > last &&
	       !atomic_compare_exchange_weak(&table.refused_last, &last, correlation))
		;
}

/* Whether a record without a note is taken for that of a call that got none: once for each. */
static bool is_refused(uint32_t correlation)
{
	unsigned refused = atomic_load(&table.refused);

	while (refused && correlation >= atomic_load(&table.refused_first) &&
	       correlation <= atomic_load(&table.refused_last))
		if (atomic_compare_exchange_weak(&table.refused, &refused, refused - 1))
			return true;
	return false;
}

struct tacho__cuda_note *tacho__cuda_note_begin(uint32_t correlation, uint32_t around,
						uint64_t tick)
{
	struct tacho__cuda_note *note = take(correlation);

	atomic_fetch_add_explicit(&table.begun, 1, memory_order_relaxed);
	if (!note) {
		widen_refused(correlation);
		if (around)
			widen_refused(around);
		atomic_fetch_add(&table.refused, 1);
		return NULL;
	}
	if (!own_thread)
		own_thread = (uint32_t)gettid();
	/* the call begins before its work is queued, also when the thread is stopped in between */
	atomic_store_explicit(&note->tick, tick, memory_order_relaxed);
	atomic_store_explicit(&note->monotonic_ns, tacho__cuda_clock_monotonic_ns(),
			      memory_order_relaxed);
	atomic_store_explicit(&note->thread, own_thread, memory_order_relaxed);
	atomic_store_explicit(&note->runs_again, false, memory_order_relaxed);
	note->token = NULL;
	note->times = (struct tacho__times){.code = TACHO__SLOT_PENDING};
	atomic_store_explicit(&note->word, word_of(correlation, CALLING), memory_order_release);
	if (around && around != correlation)
		write_alias(around, correlation);
	return note;
}

void tacho__cuda_note_runs_again(struct tacho__cuda_note *note)
{
	atomic_store_explicit(&note->runs_again, true, memory_order_relaxed);
}

void tacho__cuda_note_own(uint32_t correlation)
{
	struct tacho__cuda_note *note = find(correlation) ? NULL : take(correlation);

	if (note)
		atomic_store_explicit(&note->word, word_of(correlation, OWN), memory_order_release);
}

static void complete(struct tacho__cuda_note *note, void *token, const struct tacho__times *times)
{
	struct tacho__times full = *times;
	uint64_t called = atomic_load_explicit(&note->monotonic_ns, memory_order_relaxed);

	if (full.code == TACHO__SLOT_TIMES && !full.queued)
		full.queued = full.submit = called < full.start ? called : full.start;
	tacho__intercept_complete(token, &full);
}

void tacho__cuda_note_await(struct tacho__cuda_note *note, void *token)
{
	uint32_t correlation = number_of(note);

	note->token = token;
	atomic_fetch_add_explicit(&table.awaited, 1, memory_order_relaxed);
	if (change(note, correlation, CALLING, AWAITED))
		return;
	atomic_fetch_sub_explicit(&table.awaited, 1, memory_order_relaxed);
	atomic_thread_fence(memory_order_acquire);
	complete(note, token, &note->times);
	change(note, correlation, TIMED, SETTLED);
}

void tacho__cuda_note_keep(struct tacho__cuda_note *note)
{
	uint32_t correlation = number_of(note);

	if (!change(note, correlation, CALLING, SETTLED))
		change(note, correlation, TIMED, SETTLED);
}

/* Where the call was; false when the note is another's by now. */
static bool get_place(struct tacho__cuda_note *note, uint32_t correlation,
		      struct tacho__cuda_place *out_place)
{
	*out_place = (struct tacho__cuda_place){
		.tick = atomic_load_explicit(&note->tick, memory_order_acquire),
		.monotonic_ns = atomic_load_explicit(&note->monotonic_ns, memory_order_acquire),
		.thread = atomic_load_explicit(&note->thread, memory_order_acquire)};
	return number_of(note) == correlation;
}

/* While AWAITED nobody else changes it; while CALLING its owner may end the call meanwhile. */
static bool settle(struct tacho__cuda_note *note, uint32_t correlation,
		   const struct tacho__times *times)
{
	uint64_t word = atomic_load_explicit(&note->word, memory_order_acquire);

	if (word == word_of(correlation, CALLING)) {
		note->times = *times;
		if (change(note, correlation, CALLING, TIMED))
			return true;
		word = atomic_load_explicit(&note->word, memory_order_acquire);
	}
	if (word == word_of(correlation, SETTLED) || word == word_of(correlation, TIMED))
		return atomic_load_explicit(&note->runs_again, memory_order_relaxed) ||
		       (note->times.start && note->times.start == times->start &&
			note->times.end == times->end);
	if (word != word_of(correlation, AWAITED))
		return false;
	atomic_fetch_sub_explicit(&table.awaited, 1, memory_order_relaxed);
	note->times = *times; /* so that they are known when they come again */
	complete(note, note->token, times);
	change(note, correlation, AWAITED, SETTLED);
	return true;
}

bool tacho__cuda_note_complete(uint32_t correlation, const struct tacho__times *times,
			       struct tacho__cuda_place *out_place)
{
	struct tacho__cuda_note *note = correlation ? find(correlation) : NULL;

	*out_place = (struct tacho__cuda_place){0};
	if (note && state_of(atomic_load(&note->word)) == ALIAS) {
		correlation = atomic_load_explicit(&note->alias_of, memory_order_acquire);
		note = find(correlation);
	}
	if (!note)
		return times && is_refused(correlation);
	if (state_of(atomic_load(&note->word)) == OWN)
		return true;
	if (!get_place(note, correlation, out_place)) {
		*out_place = (struct tacho__cuda_place){0};
		return false;
	}
	return times && settle(note, correlation, times);
}

uint32_t tacho__cuda_note_count_awaited(void)
{
	return atomic_load_explicit(&table.awaited, memory_order_relaxed);
}

uint32_t tacho__cuda_note_give_up(uint64_t tick)
{
	const struct tacho__times none = {.code = TACHO__SLOT_NO_PROFILING};
	uint32_t count = 0;

	/* Mostly none is left, and of the table's ten megabytes no page is touched for that. */
	for (uint32_t i = 0; i < TACHO__CUDA_NOTES_MAX && atomic_load(&table.awaited); i++) {
		struct tacho__cuda_note *note = &table.notes[i];
		uint64_t word = atomic_load_explicit(&note->word, memory_order_acquire);

		if (state_of(word) == AWAITED &&
		    atomic_load_explicit(&note->tick, memory_order_relaxed) < tick)
			count += settle(note, (uint32_t)(word >> 32), &none);
	}
	return count;
}

uint64_t tacho__cuda_note_count_begun(void)
{
	return atomic_load_explicit(&table.begun, memory_order_relaxed);
}
