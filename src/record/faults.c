/* SPDX-License-Identifier: MIT */
/* What is wrong with a recording. Each reader passes the same files; each fault counts once. */
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "record/reader.h"

static bool is_known(const struct tacho_recording *recording, const struct tacho_fault *fault,
		     uint64_t offset)
{
	for (size_t i = 0; i < recording->fault_count; i++) {
		const struct tacho__fault *known = &recording->faults[i];

		if (known->offset == offset && !strcmp(known->fault.path, fault->path) &&
		    !strcmp(known->fault.what, fault->what))
			return true;
	}
	return false;
}

static int add(struct tacho_recording *recording, const struct tacho_fault *fault, uint64_t offset)
{
	struct tacho__fault *added;

	if (is_known(recording, fault, offset))
		return 0;
	if (tacho__array_reserve(&recording->faults, &recording->fault_capacity,
				 recording->fault_count, sizeof(*added)))
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory to say what is wrong with %s",
				   recording->path);
	added = &recording->faults[recording->fault_count];
	added->fault = *fault;
	added->offset = offset;
	added->fault.what = tacho__arena_string(&recording->arena, fault->what);
	added->fault.path = tacho__arena_string(&recording->arena, fault->path);
	if (!added->fault.what || !added->fault.path)
		return TACHO_E_NOMEM;
	recording->fault_count++;
	recording->losses.missing += fault->calls;
	recording->losses.unreadable += fault->bytes;
	return 0;
}

int tacho__fault_add(struct tacho_recording *recording, const struct tacho_fault *fault,
		     uint64_t offset)
{
	int rc;

	pthread_mutex_lock(&recording->noting);
	rc = add(recording, fault, offset);
	pthread_mutex_unlock(&recording->noting);
	return rc;
}

int tacho__fault_add_of_file(struct tacho_recording *recording, uint32_t file, const char *what,
			     int error, uint64_t bytes, uint64_t calls, uint64_t offset)
{
	char path[4096];
	const struct tacho_fault fault = {
		.what = what, .path = path, .error = error, .bytes = bytes, .calls = calls};

	tacho__recording_name_file(recording, file, path, sizeof(path));
	return tacho__fault_add(recording, &fault, offset);
}

const struct tacho_losses *tacho_recording_get_losses(const struct tacho_recording *recording)
{
	return recording ? &recording->losses : NULL;
}

const struct tacho_fault *tacho_recording_get_fault(const struct tacho_recording *recording,
						    size_t index)
{
	return recording && index < recording->fault_count ? &recording->faults[index].fault : NULL;
}

const struct tacho_bound *tacho_recording_get_bound(const struct tacho_recording *recording,
						    size_t index)
{
	return recording && index < recording->bound_count ? &recording->bounds[index] : NULL;
}
