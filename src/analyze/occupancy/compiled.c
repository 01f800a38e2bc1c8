/* SPDX-License-Identifier: MIT */
#include "analyze/occupancy/compiled.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "base/fs.h"

enum { FILE_BYTES_MAX = 1 << 30 };

struct tacho_compiled_kernel *tacho__compiled_add(struct tacho_compiled *compiled, const char *name,
						  size_t size)
{
	struct tacho_compiled_kernel *kernel;

	if (tacho__array_reserve(&compiled->kernels, &compiled->capacity, compiled->count,
				 sizeof(struct tacho_compiled_kernel *)))
		return NULL;
	kernel = tacho__arena_get(&compiled->arena, sizeof(*kernel));
	if (!kernel)
		return NULL;
	kernel->name = tacho__arena_text(&compiled->arena, name, size);
	if (!kernel->name)
		return NULL;
	kernel->arch = kernel->why = "";
	compiled->kernels[compiled->count++] = kernel;
	return kernel;
}

void tacho__compiled_note(struct tacho_compiled *compiled, const char *text)
{
	if (strstr(tacho__buf_text(&compiled->note), text))
		return;
	if (compiled->note.size)
		tacho__buf_put(&compiled->note, "; ");
	tacho__buf_put(&compiled->note, text);
}

void tacho_compiled_destroy(struct tacho_compiled *compiled)
{
	if (!compiled)
		return;
	tacho__arena_finish(&compiled->arena);
	tacho__buf_finish(&compiled->note);
	free(compiled->kernels);
	free(compiled);
}

int tacho_compiled_parse(const void *bytes, size_t size, struct tacho_compiled **out_compiled)
{
	struct tacho_compiled *compiled = calloc(1, sizeof(*compiled));
	int rc;

	if (!bytes || !out_compiled)
		return tacho__fail_null(__func__);
	if (!compiled)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory to read a program");
	rc = tacho__compiled_read_any(compiled, bytes, size);
	if (!rc && !compiled->count && compiled->has_ptx)
		tacho__compiled_note(compiled, "it holds PTX, which gets its registers when a "
					       "driver compiles it");
	if (!rc && compiled->note.failed)
		rc = TACHO_E_NOMEM;
	if (!rc && !compiled->count)
		rc = tacho__fail(TACHO_E_NOTFOUND,
				 compiled->note.size ? tacho__detail("%s", compiled->note.text)
						     : "it was read to its end",
				 "", "the compiled program has no kernels that can be used");
	if (!rc)
		*out_compiled = compiled;
	else
		tacho_compiled_destroy(compiled);
	return rc;
}

int tacho_compiled_read(const char *path, struct tacho_compiled **out_compiled)
{
	struct tacho__buf bytes = {0};
	int rc;

	if (!path || !out_compiled)
		return tacho__fail_null(__func__);
	rc = tacho__fs_read(path, FILE_BYTES_MAX, &bytes);
	if (!rc)
		rc = tacho_compiled_parse(tacho__buf_text(&bytes), bytes.size, out_compiled);
	tacho__buf_finish(&bytes);
	return rc;
}

const struct tacho_compiled_kernel *tacho_compiled_get_kernel(const struct tacho_compiled *compiled,
							      size_t index)
{
	return compiled && index < compiled->count ? compiled->kernels[index] : NULL;
}

const char *tacho_compiled_get_note(const struct tacho_compiled *compiled)
{
	return compiled ? tacho__buf_text(&compiled->note) : NULL;
}

int tacho_compiled_get_use(const struct tacho_compiled_kernel *kernel, uint32_t group_size,
			   struct tacho_limits *out_limits, struct tacho_use *out_use)
{
	struct tacho_limits limits;
	int rc;

	if (!kernel)
		return tacho__fail_null(__func__);
	if (*kernel->why)
		return tacho__fail(TACHO_E_UNSUPPORTED, kernel->why, "",
				   "the occupancy of kernel %s is not known", kernel->name);
	rc = tacho_limits_find(kernel->arch, kernel->wave_size, kernel->mode, &limits);
	if (rc)
		return rc;
	if (limits.scalar_total && !kernel->has_scalar)
		return tacho__fail(TACHO_E_UNSUPPORTED,
				   "its metadata does not state the scalar registers", "",
				   "the occupancy of kernel %s is not known", kernel->name);
	if (!group_size && !kernel->group_size)
		return tacho__fail(TACHO_E_INVAL, "its source demands none", "give a size",
				   "the work-group size of kernel %s is not known", kernel->name);
	*out_limits = limits;
	*out_use = (struct tacho_use){
		.vector = kernel->vector,
		.scalar = kernel->scalar,
		.all_scalar = kernel->all_scalar,
		.group_size = group_size ? group_size : kernel->group_size,
		.local_bytes = kernel->local_bytes,
		.barriers = kernel->barriers,
	};
	return 0;
}
