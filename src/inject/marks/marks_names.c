/* SPDX-License-Identifier: MIT */
#include "inject/marks/marks_names.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "inject/marks/marks_source.h"

enum { BUCKETS = 1024 };

static struct {
	_Atomic(struct tacho__name *) buckets[BUCKETS];
	atomic_uint numbers[TACHO__NAME_KINDS];
	atomic_uint count;
} names;

static uint32_t hash(enum tacho__name_kind kind, const char *text, size_t size)
{
	uint32_t value = 2166136261u ^ (uint32_t)kind;

	for (size_t i = 0; i < size; i++)
		value = (value ^ (unsigned char)text[i]) * 16777619u;
	return value % BUCKETS;
}

static struct tacho__name *find(struct tacho__name *name, enum tacho__name_kind kind,
				const char *text, size_t size)
{
	while (name &&
	       (name->kind != kind || strncmp(name->text, text, size) != 0 || name->text[size]))
		name = name->next;
	return name;
}

static struct tacho__name *make(enum tacho__name_kind kind, const char *text, size_t size)
{
	struct tacho__name *name;

	if (atomic_fetch_add(&names.count, 1) >= TACHO__NAMES_MAX) {
		atomic_fetch_sub(&names.count, 1);
		tacho__source_lose(TACHO__LOST_NAMES);
		return NULL;
	}
	name = calloc(1, sizeof(*name) + size + 1);
	if (!name)
		return NULL;
	name->kind = kind;
	name->number = atomic_fetch_add(&names.numbers[kind], 1) + 1;
	memcpy(name->text, text, size);
	if (kind == TACHO__NAME_ITT_DOMAIN) {
		name->itt.domain.flags = 1;
		name->itt.domain.name = name->text;
	} else if (kind == TACHO__NAME_ITT_STRING) {
		name->itt.string.text = name->text;
	}
	return name;
}

struct tacho__name *tacho__name_get(enum tacho__name_kind kind, const char *text)
{
	size_t size = strnlen(text, TACHO__NAME_BYTES_MAX);
	_Atomic(struct tacho__name *) *bucket = &names.buckets[hash(kind, text, size)];
	struct tacho__name *first = atomic_load_explicit(bucket, memory_order_acquire);
	struct tacho__name *name = find(first, kind, text, size);

	if (name)
		return name;
	name = make(kind, text, size);
	if (!name)
		return NULL;
	/* two threads that register the same at once get two, which are told alike */
	do
		name->next = first;
	while (!atomic_compare_exchange_weak_explicit(bucket, &first, name, memory_order_release,
						      memory_order_acquire));
	return name;
}
