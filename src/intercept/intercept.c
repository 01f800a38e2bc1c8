/* SPDX-License-Identifier: MIT */
#include "intercept/intercept.h"

struct tacho__intercept tacho__intercept;

bool tacho__intercept_subscribe(const struct tacho__subscriber *subscriber)
{
	unsigned count = atomic_load(&tacho__intercept.subscriber_count);

	if (count == TACHO__SUBSCRIBERS_MAX)
		return false;
	tacho__intercept.subscribers[count] = subscriber;
	atomic_store(&tacho__intercept.subscriber_count, count + 1);
	if (!subscriber->keeps_nothing)
		atomic_store(&tacho__intercept.keeps, true);
	atomic_store(&tacho__intercept.active, true);
	return true;
}

/* Calls `member` of every subscriber that has one. */
#define EACH(member, argument)                                                             \
	do {                                                                               \
		unsigned count_ = atomic_load_explicit(&tacho__intercept.subscriber_count, \
						       memory_order_acquire);              \
		for (unsigned i_ = 0; i_ < count_; i_++)                                   \
			if (tacho__intercept.subscribers[i_]->member)                      \
				tacho__intercept.subscribers[i_]->member argument;         \
	} while (0)

void tacho__intercept_commit(struct tacho__call *call)
{
	EACH(call, (call));
}

void tacho__intercept_complete(void *token, const struct tacho__times *times)
{
	EACH(complete, (token, times));
}

void tacho__intercept_made(const struct tacho__made *made)
{
	EACH(made, (made));
}

void tacho__intercept_blob(const struct tacho__blob_note *blob)
{
	EACH(blob, (blob));
}

void tacho__intercept_process(const char *attributes)
{
	EACH(process, (attributes));
}

void tacho__intercept_count_shape(const struct tacho__count_shape *shape)
{
	EACH(count_shape, (shape));
}

void tacho__intercept_counts(const struct tacho__counts *counts)
{
	EACH(counts, (counts));
}

void tacho__intercept_template(const struct tacho__template *template)
{
	EACH(template, (template));
}

void tacho__intercept_nested(void)
{
	EACH(nested, ());
}

void tacho__intercept_commit_of(struct tacho__call *call, uint32_t thread)
{
	EACH(call_of, (call, thread));
}

void tacho__intercept_range(const struct tacho__range_note *note)
{
	EACH(range, (note));
}

void tacho__intercept_thread_name(const char *name)
{
	EACH(thread_name, (name));
}

void tacho__intercept_lost(uint64_t count)
{
	EACH(lost, (count));
}
#undef EACH
