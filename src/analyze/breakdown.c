/* SPDX-License-Identifier: MIT */
#include "analyze/breakdown.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/time_roles.h"
#include "base/array.h"
#include "base/error.h"
#include "record/argument.h"
#include "record/command.h"

/* What is known of a function, once for all its calls. */
struct function_facts {
	const struct tacho__time_role *role; /* NULL: none */
	size_t deeds[TACHO_SPENT_API + 1];   /* by kind; 0: not met */
};

static int fail(void)
{
	return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for what the time went to");
}

int tacho__breakdown_init(struct tacho__breakdown *breakdown, struct tacho__arena *arena,
			  const struct tacho_run *run)
{
	breakdown->arena = arena;
	breakdown->end_ns = run->end_ns && run->end_ns >= run->start_ns ? run->end_ns : UINT64_MAX;
	breakdown->deed_count = TACHO__DEEDS;
	breakdown->tiles = calloc(TACHO__TILES_MAX, sizeof(*breakdown->tiles));
	if (!breakdown->tiles)
		return fail();
	/* session files tell neither start nor end: there it is the first call that begins */
	breakdown->is_begun = !run->import_note || run->end_ns;
	if (!breakdown->is_begun)
		return 0;
	if (tacho__curve_init(&breakdown->busy, run->start_ns))
		return TACHO_E_NOMEM;
	return tacho__curve_init(&breakdown->any, run->start_ns);
}

void tacho__breakdown_finish(struct tacho__breakdown *breakdown)
{
	tacho__curve_finish(&breakdown->busy);
	tacho__curve_finish(&breakdown->any);
	tacho__busy_finish(&breakdown->work);
	for (size_t i = 0; i < breakdown->thread_count; i++)
		free(breakdown->threads[i]->sums);
	tacho__map_finish(&breakdown->functions);
	tacho__map_finish(&breakdown->by_thread);
	tacho__names_finish(&breakdown->by_deed);
	tacho__buf_finish(&breakdown->scratch);
	free(breakdown->tiles);
	free(breakdown->threads);
	free(breakdown->deeds);
	free(breakdown->parts);
}

/* ---- tiles ---- */

static struct tacho__tile *get_tile(const struct tacho__breakdown *breakdown, size_t index)
{
	return &breakdown->tiles[(breakdown->first_tile + index) & (TACHO__TILES_MAX - 1)];
}

static struct tacho__deed_sum *get_sum(struct tacho__deeds_of_thread *thread, size_t deed)
{
	size_t capacity = deed + 16;
	struct tacho__deed_sum *sums;

	if (deed < thread->capacity)
		return &thread->sums[deed];
	sums = realloc(thread->sums, capacity * sizeof(*sums));
	if (!sums)
		return NULL;
	memset(sums + thread->capacity, 0, (capacity - thread->capacity) * sizeof(*sums));
	thread->sums = sums;
	thread->capacity = capacity;
	return &sums[deed];
}

static uint64_t clamp(uint64_t value, uint64_t least, uint64_t most)
{
	return value < least ? least : value > most ? most : value;
}

/* A stretch that the thread was in one call for. */
static bool is_call(const struct tacho__tile *tile)
{
	return tile->deed >= TACHO__DEEDS && tile->deed_ns == UINT64_MAX;
}

/* The curve `any` at the end of a tile. In a call it grows all the time: that needs no search. */
static uint64_t find_any(struct tacho__breakdown *breakdown, const struct tacho__tile *tile)
{
	struct tacho__deeds_of_thread *thread = tile->thread;
	bool is_known =
		thread->turn == breakdown->turn && thread->at_ns >= breakdown->any.horizon_ns;
	uint64_t unused = 0;

	if (is_known && is_call(tile))
		thread->any_there_ns += tile->end_ns - thread->at_ns;
	else
		thread->any_there_ns = tacho__curve_at(&breakdown->any, tile->end_ns, &unused);
	thread->turn = breakdown->turn;
	return thread->any_there_ns;
}

static uint64_t grown(uint64_t now_ns, uint64_t before_ns)
{
	return now_ns > before_ns ? now_ns - before_ns : 0;
}

/* The thread has sums of all deeds that its tiles have. */
static void do_tile(struct tacho__breakdown *breakdown, const struct tacho__tile *tile)
{
	struct tacho__deeds_of_thread *thread = tile->thread;
	struct tacho__deed_sum *sums = thread->sums;
	uint64_t length_ns, busy_ns, any_ns, own_ns, others_ns = 0;

	if (tile->end_ns <= thread->at_ns)
		return;
	length_ns = tile->end_ns - thread->at_ns;
	busy_ns = grown(tacho__curve_at(&breakdown->busy, tile->end_ns, &thread->doubt_ns),
			thread->busy_ns);
	busy_ns = clamp(busy_ns, 0, length_ns);
	any_ns = grown(find_any(breakdown, tile), thread->any_ns);
	any_ns = clamp(any_ns, busy_ns, length_ns);
	if (tile->deed < TACHO__DEEDS) { /* nothing of the API's */
		others_ns = any_ns - busy_ns;
		sums[TACHO__DEED_OTHERS].ns += others_ns;
	}
	own_ns = length_ns - busy_ns - others_ns;
	if (tile->deed_ns < length_ns) {
		uint64_t all_ns = own_ns;

		own_ns = (uint64_t)((double)own_ns * (double)tile->deed_ns / (double)length_ns);
		sums[TACHO__DEED_OUTSIDE].ns += all_ns - own_ns;
	}
	sums[tile->deed].ns += own_ns;
	thread->at_ns = tile->end_ns;
	thread->busy_ns += busy_ns;
	thread->any_ns += any_ns;
}

static int do_tiles(struct tacho__breakdown *breakdown, size_t count)
{
	int rc = tacho__curve_settle(&breakdown->busy);

	breakdown->turn++;
	if (!rc)
		rc = tacho__curve_settle(&breakdown->any);
	for (size_t i = 0; i < count && !rc; i++)
		do_tile(breakdown, get_tile(breakdown, i));
	breakdown->first_tile = (breakdown->first_tile + count) & (TACHO__TILES_MAX - 1);
	breakdown->tile_count -= count;
	return rc;
}

int tacho__tiles_do(struct tacho__breakdown *breakdown)
{
	return do_tiles(breakdown, breakdown->tile_count);
}

/* Does the first half. The rest ask for later moments, but for those that are late already. */
static int do_half(struct tacho__breakdown *breakdown)
{
	int rc = do_tiles(breakdown, TACHO__TILES_MAX / 2);

	if (rc || breakdown->later_ns == UINT64_MAX)
		return rc;
	tacho__curve_forget(&breakdown->busy, breakdown->later_ns);
	tacho__curve_forget(&breakdown->any, breakdown->later_ns);
	return 0;
}

static inline int add_tile(struct tacho__breakdown *breakdown,
			   struct tacho__deeds_of_thread *thread, size_t deed, uint64_t end_ns,
			   uint64_t deed_ns)
{
	struct tacho__tile *tile;

	if (end_ns > breakdown->end_ns)
		end_ns = breakdown->end_ns;
	if (end_ns > breakdown->last_ns)
		breakdown->last_ns = end_ns;
	if (breakdown->tile_count == TACHO__TILES_MAX && do_half(breakdown))
		return TACHO_E_NOMEM;
	if (breakdown->tile_count == TACHO__TILES_MAX / 2)
		breakdown->later_ns = UINT64_MAX;
	if (end_ns > breakdown->busy.horizon_ns && end_ns < breakdown->later_ns)
		breakdown->later_ns = end_ns;
	tile = get_tile(breakdown, breakdown->tile_count++);
	tile->thread = thread;
	tile->end_ns = end_ns;
	tile->deed_ns = deed_ns;
	tile->deed = deed;
	return 0;
}

int tacho__tile_add(struct tacho__breakdown *breakdown, struct tacho__deeds_of_thread *thread,
		    size_t deed, uint64_t end_ns, uint64_t deed_ns)
{
	return add_tile(breakdown, thread, deed, end_ns, deed_ns);
}

/* ---- what calls are ---- */

static int begin(struct tacho__breakdown *breakdown, uint64_t start_ns)
{
	int rc;

	if (breakdown->is_begun || !start_ns)
		return 0;
	breakdown->is_begun = true;
	rc = tacho__curve_init(&breakdown->busy, start_ns);
	return rc ? rc : tacho__curve_init(&breakdown->any, start_ns);
}

static int get_thread(struct tacho__breakdown *breakdown, const struct tacho_call *call,
		      struct tacho__deeds_of_thread **out_thread)
{
	uint64_t key = (uint64_t)call->process->index << 32 | call->thread;
	struct tacho__deeds_of_thread *thread = breakdown->recent;

	if (!thread || thread->process != call->process || thread->thread != call->thread)
		thread = tacho__map_get(&breakdown->by_thread, key);
	if (!thread) {
		thread = tacho__arena_get(breakdown->arena, sizeof(*thread));
		if (!thread || !get_sum(thread, TACHO__DEEDS))
			return fail();
		thread->process = call->process;
		thread->thread = call->thread;
		thread->at_ns = breakdown->busy.origin_ns;
		if (tacho__array_add(&breakdown->threads, &breakdown->thread_capacity,
				     &breakdown->thread_count, &thread, sizeof(thread))) {
			free(thread->sums);
			return fail();
		}
		if (tacho__map_set(&breakdown->by_thread, key, thread))
			return fail();
	}
	breakdown->recent = *out_thread = thread;
	return 0;
}

/* The number of the deed "this function, for that", which processes share. */
static int find_deed(struct tacho__breakdown *breakdown, const char *function,
		     enum tacho_spent spent, size_t *out_deed)
{
	struct tacho_spent_part deed = {.spent = spent};
	struct tacho__buf *text = &breakdown->scratch;
	size_t number = breakdown->deed_count;
	const char *key;

	tacho__buf_clear(text);
	tacho__buf_printf(text, "%d %s", (int)spent, function);
	if (text->failed)
		return fail();
	*out_deed = (size_t)tacho__names_get(&breakdown->by_deed, tacho__buf_text(text));
	if (*out_deed)
		return 0;
	key = tacho__arena_string(breakdown->arena, tacho__buf_text(text));
	if (!key)
		return TACHO_E_NOMEM;
	deed.function = strchr(key, ' ') + 1;
	if (tacho__array_reserve(&breakdown->deeds, &breakdown->deed_capacity, number,
				 sizeof(deed)) ||
	    tacho__names_set(&breakdown->by_deed, key, (void *)number))
		return fail();
	breakdown->deeds[number] = deed;
	breakdown->deed_count++;
	*out_deed = number;
	return 0;
}

static enum tacho_spent classify(const struct tacho__time_role *role, struct tacho_cursor *cursor,
				 const struct tacho_call *call)
{
	const struct tacho_command *command = call->command;
	struct tacho__call_argument query;

	if (role && role->query) {
		if (tacho__cursor_read_argument(cursor, (size_t)role->query - 1, &query) &&
		    query.text && !strncmp(query.text, role->begins, strlen(role->begins)))
			return role->spent;
	} else if (role) {
		return role->spent;
	}
	/* one that is over when the call returns was waited for */
	if (command && tacho__command_is_transfer(command) && command->state == TACHO_STATE_OK &&
	    command->end_ns <= call->end_ns)
		return TACHO_SPENT_WAIT;
	return TACHO_SPENT_API;
}

static int get_deed(struct tacho__breakdown *breakdown, struct tacho_cursor *cursor,
		    const struct tacho_call *call, size_t *out_deed)
{
	uint64_t key = (uintptr_t)call->function;
	struct function_facts *facts = tacho__map_get(&breakdown->functions, key);
	enum tacho_spent spent;

	if (!facts) {
		facts = tacho__arena_get(breakdown->arena, sizeof(*facts));
		if (!facts || tacho__map_set(&breakdown->functions, key, facts))
			return fail();
		facts->role = tacho__time_role_find(call->function);
	}
	spent = classify(facts->role, cursor, call);
	if (!facts->deeds[spent] &&
	    find_deed(breakdown, call->function->name, spent, &facts->deeds[spent]))
		return TACHO_E_NOMEM;
	*out_deed = facts->deeds[spent];
	return 0;
}

/* ---- taking calls ---- */

/* Calls that were made within this one came to their ends before it: what lies between them, as
 * far as it was told already, is this one's. */
static void take_back(struct tacho__breakdown *breakdown,
		      const struct tacho__deeds_of_thread *thread, size_t deed, uint64_t start_ns)
{
	for (size_t i = breakdown->tile_count; i-- > 0;) {
		struct tacho__tile *tile = get_tile(breakdown, i);

		if (tile->thread != thread)
			continue;
		if (tile->end_ns <= start_ns)
			return;
		if (tile->deed >= TACHO__DEEDS)
			continue;
		tile->deed = deed;
		tile->deed_ns = tile->end_ns - start_ns;
	}
}

static int add_host(struct tacho__breakdown *breakdown, struct tacho_cursor *cursor,
		    const struct tacho_call *call)
{
	struct tacho__deeds_of_thread *thread = NULL;
	struct tacho__deed_sum *sum;
	bool is_first;
	size_t deed = 0;
	int rc = get_thread(breakdown, call, &thread);

	if (!rc)
		rc = get_deed(breakdown, cursor, call, &deed);
	if (!rc)
		rc = tacho__curve_append(&breakdown->any, call->start_ns, call->end_ns);
	sum = rc ? NULL : get_sum(thread, deed);
	if (rc || !sum)
		return rc ? rc : fail();
	is_first = !thread->seen_ns;
	sum->calls += 1 + call->repeats;
	if (call->start_ns < thread->seen_ns)
		take_back(breakdown, thread, deed, call->start_ns);
	else
		rc = add_tile(breakdown, thread, is_first ? TACHO__DEED_START : TACHO__DEED_OUTSIDE,
			      call->start_ns, UINT64_MAX);
	if (call->end_ns > thread->seen_ns)
		thread->seen_ns = call->end_ns;
	return rc ? rc
		  : add_tile(breakdown, thread, deed, call->end_ns,
			     call->repeats ? tacho__call_busy_ns(call) : UINT64_MAX);
}

static int add_command(struct tacho__breakdown *breakdown, const struct tacho_command *command)
{
	uint64_t end_ns = command->end_ns;
	int rc;

	if (command->state != TACHO_STATE_OK || command->start_ns > end_ns) {
		breakdown->untimed++;
		return 0;
	}
	if (end_ns > breakdown->end_ns)
		end_ns = breakdown->end_ns;
	if (end_ns > breakdown->last_ns)
		breakdown->last_ns = end_ns;
	rc = tacho__curve_add(&breakdown->busy, command->start_ns, end_ns);
	if (!rc)
		rc = tacho__curve_add(&breakdown->any, command->start_ns, end_ns);
	if (rc || tacho__command_is_transfer(command))
		return rc;
	return tacho__busy_add(&breakdown->work,
			       command->start_ns > breakdown->busy.origin_ns
				       ? command->start_ns
				       : breakdown->busy.origin_ns,
			       end_ns);
}

int tacho__breakdown_add(struct tacho__breakdown *breakdown, struct tacho_cursor *cursor,
			 const struct tacho_call *call)
{
	int rc = begin(breakdown, call->start_ns);

	if (!rc && breakdown->is_begun && call->command)
		rc = add_command(breakdown, call->command);
	return rc || call->is_bare || !breakdown->is_begun ? rc : add_host(breakdown, cursor, call);
}
