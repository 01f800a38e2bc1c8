/* SPDX-License-Identifier: MIT */
/* Devices, queues and kernels, which readers tell as often as they meet them. */
#include <inttypes.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "format/foreign/foreign.h"

/* Things are numbered as they came. */
static uint32_t number_of(const struct tacho__foreign *foreign, const struct tacho_object *object)
{
	size_t i = foreign->objects.count;

	while (i && &foreign->objects.all[i - 1]->object != object)
		i--;
	return (uint32_t)i;
}

uint32_t tacho__foreign_find(const struct tacho__foreign *foreign, uint32_t process,
			     enum tacho_object_kind kind, uint64_t handle)
{
	return (uint32_t)(uintptr_t)tacho__map_get(&foreign->handles[process].numbers[kind],
						   handle);
}

int tacho__foreign_thing(struct tacho__foreign *foreign, uint32_t process,
			 enum tacho_object_kind kind, uint64_t handle,
			 const struct tacho__buf *text, uint32_t *out_thing)
{
	uint32_t number = tacho__foreign_find(foreign, process, kind, handle);
	struct tacho__foreign_things *things = &foreign->handles[process];
	int rc = 0;

	if (!number) {
		if (text->failed)
			return TACHO_E_NOMEM;
		rc = tacho__objects_add(&foreign->objects, &things->all,
					&foreign->recording->processes[process]->process, 0, kind,
					handle, (const uint8_t *)tacho__buf_text(text), text->size);
		if (rc)
			return rc;
		number = number_of(foreign, tacho__objects_find(&things->all, 0, kind, handle));
		rc = tacho__map_set(&things->numbers[kind], handle, (void *)(uintptr_t)number);
	}
	if (!rc)
		*out_thing = number;
	return rc;
}

int tacho__foreign_described(struct tacho__foreign *foreign, uint32_t process,
			     enum tacho_object_kind kind, struct tacho__buf *text,
			     uint64_t *out_handle, uint32_t *out_thing)
{
	uint32_t handle = 0;
	int rc = text->failed ? TACHO_E_NOMEM
			      : tacho__foreign_text(foreign, tacho__buf_text(text), &handle);

	if (!rc)
		rc = tacho__foreign_thing(foreign, process, kind, handle, text, out_thing);
	if (out_handle)
		*out_handle = handle;
	tacho__buf_finish(text);
	return rc;
}

/* ---- kernels ---- */

/* A kernel that was told. */
struct kept {
	struct tacho__foreign_kernel kernel;
	uint32_t thing;
};

static uint64_t key_of(const struct tacho__foreign_kernel *kernel)
{
	const uint64_t facts[] = {(uint64_t)kernel->registers, (uint64_t)kernel->local_bytes,
				  (uint64_t)kernel->private_bytes};
	uint64_t key = (uint64_t)kernel->process << 32 | kernel->name;

	for (size_t i = 0; i < TACHO__ARRAY_SIZE(facts); i++)
		key = (key ^ facts[i]) * UINT64_C(0x9e3779b97f4a7c15);
	return key;
}

static void put_name(struct tacho__buf *text, const char *name)
{
	size_t at = text->size;

	tacho__buf_put(text, name);
	for (; at < text->size; at++)
		if (text->text[at] == '\n')
			text->text[at] = ' ';
	tacho__buf_char(text, '\n');
}

static void put_fact(struct tacho__buf *text, const char *key, int64_t value)
{
	if (value >= 0)
		tacho__buf_printf(text, "%s=%" PRIi64 "\n", key, value);
}

static int make_kernel(struct tacho__foreign *foreign, const struct tacho__foreign_kernel *kernel,
		       uint32_t *out_thing)
{
	struct tacho__buf text = {0};

	tacho__buf_put(&text, "name=");
	put_name(&text, kernel->name ? foreign->texts[kernel->name - 1] : "(no name)");
	put_fact(&text, "registers", kernel->registers);
	put_fact(&text, "local_bytes", kernel->local_bytes);
	put_fact(&text, "private_bytes", kernel->private_bytes);
	return tacho__foreign_described(foreign, kernel->process, TACHO_OBJECT_KERNEL, &text, NULL,
					out_thing);
}

int tacho__foreign_kernel(struct tacho__foreign *foreign,
			  const struct tacho__foreign_kernel *kernel, uint32_t *out_thing)
{
	uint64_t key = key_of(kernel);
	struct kept *known = tacho__map_get(&foreign->kernels, key);
	int rc;

	if (known && !memcmp(&known->kernel, kernel, sizeof(*kernel))) {
		*out_thing = known->thing;
		return 0;
	}
	rc = make_kernel(foreign, kernel, out_thing);
	known = rc ? NULL : tacho__arena_get(&foreign->recording->arena, sizeof(*known));
	if (!known)
		return rc ? rc : TACHO_E_NOMEM;
	*known = (struct kept){.kernel = *kernel, .thing = *out_thing};
	return tacho__map_set(&foreign->kernels, key, known);
}

/* ---- launches ---- */

bool tacho__foreign_set_groups(struct tacho__foreign_command *command, const uint64_t groups[3],
			       const uint64_t local[3])
{
	uint64_t items;

	for (int i = 0; i < 3; i++)
		if (!groups[i] || !local[i] || __builtin_mul_overflow(groups[i], local[i], &items))
			return false;
	memcpy(command->global, groups, sizeof(command->global));
	memcpy(command->local, local, sizeof(command->local));
	command->sizes = TACHO__FOREIGN_IN_GROUPS;
	command->has_local = 1;
	command->dimensions = 3;
	while (command->dimensions > 1 && groups[command->dimensions - 1] == 1 &&
	       local[command->dimensions - 1] == 1)
		command->dimensions--;
	return true;
}
