/* SPDX-License-Identifier: MIT */
#include "inject/counting_kernels.h"

#include <stdlib.h>
#include <string.h>

struct tacho__launched_kernel {
	struct tacho__launched_kernel *next;
	atomic_uint_least64_t launches;
	char name[TACHO__KERNEL_NAME_MAX];
};

/* They live as long as the process, which may end at any time. */
static _Atomic(struct tacho__launched_kernel *) newest;

static struct tacho__launched_kernel *find(struct tacho__launched_kernel *from,
					   const struct tacho__launched_kernel *end,
					   const char *name)
{
	while (from != end && strcmp(from->name, name))
		from = from->next;
	return from != end ? from : NULL;
}

/* When others add kernels meanwhile, only those are looked at again. */
static struct tacho__launched_kernel *get(const char *name)
{
	struct tacho__launched_kernel *head = atomic_load(&newest), *seen = NULL, *added = NULL;
	struct tacho__launched_kernel *found;

	for (;;) {
		found = find(head, seen, name);
		if (found || (!added && !(added = calloc(1, sizeof(*added)))))
			break;
		memcpy(added->name, name, strlen(name) + 1);
		added->next = seen = head;
		if (atomic_compare_exchange_strong(&newest, &head, added))
			return added;
	}
	free(added);
	return found;
}

uint64_t tacho__counting_kernels_next(struct tacho__counted_kernel *kernel)
{
	struct tacho__launched_kernel *launched =
		atomic_load_explicit(&kernel->launched, memory_order_acquire);

	if (!launched) {
		launched = get(kernel->name);
		if (!launched)
			return 0;
		atomic_store_explicit(&kernel->launched, launched, memory_order_release);
	}
	return atomic_fetch_add_explicit(&launched->launches, 1, memory_order_relaxed) + 1;
}
