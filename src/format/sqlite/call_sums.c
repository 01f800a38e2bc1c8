/* SPDX-License-Identifier: MIT */
#include "format/sqlite/call_sums.h"

#include "base/error.h"
#include "record/command.h"

struct tacho__sqlite_call_sum {
	struct tacho__sqlite_call_sum *next;
	uint64_t thread, function; /* ids */
	uint64_t calls, failed;
	uint64_t timed; /* rows with a time that fits a column; what follows is of these */
	uint64_t total_ns, min_ns, max_ns;
};

void tacho__sqlite_call_sums_finish(struct tacho__sqlite_call_sums *sums)
{
	tacho__map_finish(&sums->by_key);
	tacho__arena_finish(&sums->arena);
}

/* NULL: no memory. */
static struct tacho__sqlite_call_sum *get(struct tacho__sqlite_call_sums *sums, uint64_t thread,
					  uint64_t function)
{
	uint64_t key = thread << 32 | function;
	struct tacho__sqlite_call_sum *sum = tacho__map_get(&sums->by_key, key);

	if (sum)
		return sum;
	sum = tacho__arena_get(&sums->arena, sizeof(*sum));
	if (!sum || tacho__map_set(&sums->by_key, key, sum))
		return NULL;
	sum->thread = thread;
	sum->function = function;
	sum->min_ns = UINT64_MAX;
	*(sums->last ? &sums->last->next : &sums->first) = sum;
	sums->last = sum;
	return sum;
}

/* No sum is less than what is in it. */
static void add(uint64_t *sum, uint64_t value)
{
	if (__builtin_add_overflow(*sum, value, sum))
		*sum = UINT64_MAX;
}

int tacho__sqlite_call_sums_add(struct tacho__sqlite_call_sums *sums, uint64_t thread,
				uint64_t function, const struct tacho_call *call)
{
	struct tacho__sqlite_call_sum *sum = get(sums, thread, function);
	uint64_t times = 1 + call->repeats, busy_ns = tacho__call_busy_ns(call);
	uint64_t mean_ns = times ? busy_ns / times : 0;

	if (!sum)
		return TACHO_E_NOMEM;
	add(&sum->calls, times);
	add(&sum->failed, call->failed ? times : 0);
	if (busy_ns > INT64_MAX)
		return 0;
	sum->timed++;
	add(&sum->total_ns, busy_ns);
	sum->min_ns = mean_ns < sum->min_ns ? mean_ns : sum->min_ns;
	sum->max_ns = mean_ns > sum->max_ns ? mean_ns : sum->max_ns;
	return 0;
}

/* What is too large for a column was counted with the call. */
static void put(struct tacho__sqlite_file *file, bool known, uint64_t value)
{
	tacho__sqlite_row_unsigned(file, known && value <= INT64_MAX, value);
}

int tacho__sqlite_call_sums_put(const struct tacho__sqlite_call_sums *sums,
				struct tacho__sqlite_file *file)
{
	const struct tacho__sqlite_call_sum *sum = sums->first;

	for (; sum && !file->rc; sum = sum->next) {
		tacho__sqlite_row_begin(file, TACHO__SQLITE_CALL_SUM);
		tacho__sqlite_row_id(file, sum->thread);
		tacho__sqlite_row_id(file, sum->function);
		put(file, true, sum->calls);
		put(file, true, sum->failed);
		put(file, sum->timed != 0, sum->total_ns);
		put(file, sum->timed != 0, sum->min_ns);
		put(file, sum->timed != 0, sum->max_ns);
		tacho__sqlite_row_end(file);
	}
	return file->rc;
}
