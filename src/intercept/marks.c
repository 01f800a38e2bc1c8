/* SPDX-License-Identifier: MIT */
/*
 * Ranges that the program names. What a thread has open is kept with the thread: how deep each of
 * its stacks is, and which levels chose launches to be counted.
 */
#include "intercept/marks.h"

enum {
	STACKS = 4,   /* of a thread that are open at a time; it lies in every thread */
	LEVELS = 64,  /* of a stack that can choose */
	CHOSEN = 256, /* ranges of the process that chose and are open */
};

struct stack {
	uint64_t key;	 /* a domain, or 0 */
	uint64_t chosen; /* a bit for each level */
	uint32_t depth;	 /* 0: free */
};

/* Initial-exec: no call into the dynamic linker. */
static _Thread_local __attribute__((tls_model("initial-exec"))) struct {
	uint32_t image;	    /* whose stacks these are: a forked child begins anew */
	uint32_t chosen;    /* levels that chose */
	uint32_t untracked; /* pushes for which there was no stack */
	struct stack stacks[STACKS];
} own;

static struct {
	atomic_ullong last;
	_Atomic(tacho__range_chooser) chooser;
	atomic_uint chosen_count; /* of the process: those that follow */
	atomic_ullong chosen[CHOSEN];
} ranges;

/* ---- of threads ---- */

static uint32_t read_image(void)
{
	const uint32_t *image = atomic_load_explicit(&tacho__intercept.image, memory_order_acquire);

	return image ? __atomic_load_n(image, __ATOMIC_RELAXED) : 0;
}

static void begin_image(void)
{
	uint32_t image = read_image();

	if (own.image == image)
		return;
	own.image = image;
	own.chosen = own.untracked = 0;
	for (int i = 0; i < STACKS; i++)
		own.stacks[i].depth = 0;
}

static struct stack *find_stack(uint64_t key)
{
	for (int i = 0; i < STACKS; i++)
		if (own.stacks[i].depth && own.stacks[i].key == key)
			return &own.stacks[i];
	return NULL;
}

static struct stack *make_stack(uint64_t key)
{
	for (int i = 0; i < STACKS; i++) {
		struct stack *stack = &own.stacks[i];

		if (stack->depth)
			continue;
		stack->key = key;
		stack->chosen = 0;
		return stack;
	}
	return NULL;
}

static bool is_chosen(const struct tacho__range_note *note)
{
	tacho__range_chooser chooser = atomic_load_explicit(&ranges.chooser, memory_order_acquire);

	return chooser && chooser(note->name);
}

static void push(struct tacho__range_note *note)
{
	struct stack *stack = find_stack(note->id);
	uint32_t level;

	if (!stack)
		stack = make_stack(note->id);
	if (!stack) {
		own.untracked++;
		return;
	}
	level = stack->depth++;
	note->level = stack->depth;
	if (level < LEVELS && is_chosen(note)) {
		stack->chosen |= UINT64_C(1) << level;
		own.chosen++;
	}
}

/* Whether there was a push. */
static bool pop(struct tacho__range_note *note)
{
	struct stack *stack = find_stack(note->id);
	uint64_t bit;

	if (!stack)
		return own.untracked && own.untracked--;
	note->level = stack->depth--;
	bit = stack->depth < LEVELS ? UINT64_C(1) << stack->depth : 0;
	if (stack->chosen & bit) {
		stack->chosen &= ~bit;
		own.chosen--;
	}
	return true;
}

/* ---- of the process ---- */

static void begin(const struct tacho__range_note *note)
{
	if (!is_chosen(note))
		return;
	for (int i = 0; i < CHOSEN; i++) {
		unsigned long long none = 0;

		if (!atomic_compare_exchange_strong(&ranges.chosen[i], &none, note->id))
			continue;
		atomic_fetch_add(&ranges.chosen_count, 1);
		return;
	}
}

static void end(const struct tacho__range_note *note)
{
	for (int i = 0; i < CHOSEN && atomic_load(&ranges.chosen_count); i++) {
		unsigned long long id = note->id;

		if (!atomic_compare_exchange_strong(&ranges.chosen[i], &id, 0))
			continue;
		atomic_fetch_sub(&ranges.chosen_count, 1);
		return;
	}
}

/* ---- of both ---- */

void tacho__marks_choose(tacho__range_chooser chooser)
{
	atomic_store_explicit(&ranges.chooser, chooser, memory_order_release);
}

bool tacho__marks_have_chosen(void)
{
	return own.chosen || atomic_load_explicit(&ranges.chosen_count, memory_order_relaxed);
}

/* Whether anybody is to hear of it. */
static bool track(struct tacho__range_note *note)
{
	begin_image();
	switch ((enum tacho__range_event)note->event) {
	case TACHO__RANGE_PUSH: push(note); break;
	case TACHO__RANGE_POP: return pop(note);
	case TACHO__RANGE_BEGIN: begin(note); break;
	case TACHO__RANGE_END: end(note); break;
	case TACHO__RANGE_MARK: break;
	}
	return true;
}

void tacho__marks_tell(struct tacho__range_note *note)
{
	if (note->event == TACHO__RANGE_BEGIN)
		note->id = atomic_fetch_add_explicit(&ranges.last, 1, memory_order_relaxed) + 1;
	if (!atomic_load_explicit(&tacho__intercept.active, memory_order_relaxed) || !track(note))
		return;
	tacho__intercept_range(note);
	own.image = read_image(); /* a child's recording begins with what it tells first */
}
