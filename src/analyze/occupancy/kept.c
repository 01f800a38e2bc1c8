/* SPDX-License-Identifier: MIT */
/*
 * What kernels of a recording need: drivers state it, or the programs that were kept do. These are
 * read once each.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "tacho/occupancy.h"

enum { ARCH_MAX = 16 };

/* One binary of a program: programs for several devices have several. */
struct binary {
	const struct tacho_object *program;
	struct tacho_compiled *compiled; /* NULL: it could not be read */
	int rc;
	char *why;
};

struct tacho_kept {
	struct binary *binaries;
	size_t count, capacity;
	int failed; /* memory ran out while they were taken */
};

int tacho_kept_create(struct tacho_kept **out_kept)
{
	struct tacho_kept *kept = calloc(1, sizeof(*kept));

	if (!out_kept)
		return tacho__fail_null(__func__);
	if (!kept)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for kept programs");
	*out_kept = kept;
	return 0;
}

void tacho_kept_destroy(struct tacho_kept *kept)
{
	if (!kept)
		return;
	for (size_t i = 0; i < kept->count; i++) {
		tacho_compiled_destroy(kept->binaries[i].compiled);
		free(kept->binaries[i].why);
	}
	free(kept->binaries);
	free(kept);
}

void tacho_kept_add(void *user, const struct tacho_blob *blob)
{
	struct tacho_kept *kept = user;
	struct binary binary = {0};

	if (!kept || !blob || strcmp(blob->kind, "binary") || !blob->program)
		return;
	binary.program = blob->program;
	if (tacho__array_reserve(&kept->binaries, &kept->capacity, kept->count, sizeof(binary))) {
		kept->failed = 1;
		return;
	}
	binary.rc = tacho_compiled_parse(blob->bytes, blob->size, &binary.compiled);
	if (binary.rc)
		binary.why = strdup(tacho_error_last()->cause);
	kept->failed |= binary.rc == TACHO_E_NOMEM || (binary.rc && !binary.why);
	kept->binaries[kept->count++] = binary;
}

static bool get_number(const struct tacho_object *object, const char *key, uint64_t *out_number)
{
	const char *text = tacho_object_get(object, key);

	if (!text || !*text || strlen(text) > 10 || strspn(text, "0123456789") != strlen(text))
		return false;
	*out_number = strtoull(text, NULL, 10);
	return *out_number <= UINT32_MAX;
}

/* The architecture that a device says it is: its name, or 9.0, which is sm_90. False: none. */
static bool get_arch(const struct tacho_object *device, char arch[ARCH_MAX])
{
	const char *name = tacho_object_get(device, "architecture");
	const char *text = tacho_object_get(device, "compute_capability");
	unsigned major, minor;

	if (name && *name) {
		snprintf(arch, ARCH_MAX, "%.*s", (int)strcspn(name, ":"), name);
		return true;
	}
	if (!text || sscanf(text, "%4u.%4u", &major, &minor) != 2)
		return false;
	snprintf(arch, ARCH_MAX, "sm_%u%u", major, minor);
	return true;
}

static bool has_registers(const struct tacho_object *kernel)
{
	uint64_t number;

	return get_number(kernel, "registers", &number) || get_number(kernel, "vgprs", &number);
}

/* Of a thread; or of a work-item, of two sorts, and of a wave. */
static void take_registers(const struct tacho_object *kernel, const struct tacho_limits *limits,
			   struct tacho_compiled_kernel *stated)
{
	uint64_t vector = 0, accumulation = 0, scalar = 0;

	if (!get_number(kernel, "registers", &vector)) {
		get_number(kernel, "vgprs", &vector);
		get_number(kernel, "accum_vgprs", &accumulation);
	}
	stated->vector =
		tacho_limits_add_registers(limits, (uint32_t)vector, (uint32_t)accumulation);
	stated->accumulation = (uint32_t)accumulation;
	stated->has_scalar = get_number(kernel, "sgprs", &scalar);
	stated->scalar = (uint32_t)scalar;
	stated->all_scalar = 1; /* what a launch was given, the hardware's own ones too */
}

/*
 * What the driver states. 1: it does not state enough. It does not say how many named barriers a
 * kernel has: they are taken to limit nothing.
 */
static int find_stated(const struct tacho_object *kernel, const struct tacho_object *device,
		       struct tacho_compiled_kernel *out_kernel)
{
	struct tacho_compiled_kernel stated = {.name = kernel ? kernel->name : "", .why = ""};
	struct tacho_limits limits;
	char arch[ARCH_MAX];
	int rc;

	if (!kernel || !device || !has_registers(kernel) ||
	    !get_number(kernel, "local_bytes", &stated.local_bytes) || !get_arch(device, arch))
		return 1;
	rc = tacho_limits_find(arch, 0, TACHO_UNIT_USUAL, &limits);
	if (rc)
		return rc;
	get_number(kernel, "private_bytes", &stated.scratch_bytes);
	stated.arch = limits.arch;
	take_registers(kernel, &limits, &stated);
	*out_kernel = stated;
	return 0;
}

/* Devices of ROCm are called by their architecture. Others say nothing of it. */
static int fits_device(const struct tacho_compiled_kernel *kernel,
		       const struct tacho_object *device)
{
	struct tacho_limits limits;
	size_t size;

	if (!device || tacho_limits_find(device->name, 0, TACHO_UNIT_USUAL, &limits))
		return 1;
	size = strcspn(kernel->arch, ":");
	return strlen(limits.arch) == size && !strncmp(limits.arch, kernel->arch, size);
}

static const struct tacho_compiled_kernel *find_in(const struct binary *binary, const char *name,
						   const struct tacho_object *device)
{
	const struct tacho_compiled_kernel *kernel;

	for (size_t i = 0; (kernel = tacho_compiled_get_kernel(binary->compiled, i)); i++)
		if (!strcmp(kernel->name, name) && fits_device(kernel, device))
			return kernel;
	return NULL;
}

/* In the program that was kept. */
static int find_kept(const struct tacho_kept *kept, const struct tacho_object *kernel,
		     const struct tacho_object *device, struct tacho_compiled_kernel *out_kernel)
{
	const struct tacho_compiled_kernel *found = NULL, *other;
	const struct binary *unread = NULL;
	size_t binaries = 0;

	for (size_t i = 0; kept && kernel && kernel->program && i < kept->count; i++) {
		const struct binary *binary = &kept->binaries[i];

		if (binary->program != kernel->program)
			continue;
		binaries++;
		if (!binary->compiled) {
			unread = binary;
			continue;
		}
		other = find_in(binary, kernel->name, device);
		if (found && other && strcmp(found->arch, other->arch))
			return tacho__fail(TACHO_E_NOTFOUND,
					   tacho__detail("it was compiled for %s and for %s",
							 found->arch, other->arch),
					   "", "which code of kernel %s ran is not known",
					   kernel->name);
		found = found ? found : other;
	}
	if (found) {
		*out_kernel = *found;
		return 0;
	}
	if (unread)
		return tacho__fail(unread->rc, unread->why ? unread->why : "", "",
				   "the program of kernel %s could not be read", kernel->name);
	if (!binaries && kernel && has_registers(kernel))
		return tacho__fail(TACHO_E_NOTFOUND, "it is not known which GPU its device is", "",
				   "the occupancy of kernel %s is not known", kernel->name);
	return tacho__fail(TACHO_E_NOTFOUND,
			   binaries ? "the kept program has no such kernel for this device"
				    : "the recording kept no binary of its program",
			   binaries ? "" : "record again with --keep-programs",
			   "the registers of kernel %s are not known", kernel ? kernel->name : "?");
}

int tacho_kept_find(const struct tacho_kept *kept, const struct tacho_object *kernel,
		    const struct tacho_object *device, struct tacho_compiled_kernel *out_kernel)
{
	int rc;

	if (!out_kernel)
		return tacho__fail_null(__func__);
	if (kept && kept->failed)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for kept programs");
	rc = find_stated(kernel, device, out_kernel);
	return rc == 1 ? find_kept(kept, kernel, device, out_kernel) : rc;
}

int tacho_kernel_is_stated(const struct tacho_object *kernel)
{
	return kernel && tacho_object_get(kernel, "registers") != NULL;
}

/* A driver counts local memory that the host asked for before the launch, too. */
uint64_t tacho_command_get_local_bytes(const struct tacho_command *command, uint64_t declared)
{
	uint64_t stated = 0, extra = 0;

	if (!command)
		return declared;
	if (command->has_extra_local)
		extra = command->extra_local_bytes;
	if (command->kernel && get_number(command->kernel, "local_bytes", &stated) &&
	    stated > declared)
		declared = stated;
	return extra > UINT64_MAX - declared ? UINT64_MAX : declared + extra;
}
