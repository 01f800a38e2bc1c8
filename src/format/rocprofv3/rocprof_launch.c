/* SPDX-License-Identifier: MIT */
#include "format/rocprofv3/rocprof_launch.h"

#include <string.h>

#include "tacho/error.h"

const char *tacho__rocprof_get_counting_device(const struct tacho__rocprof_run *run)
{
	const struct tacho_recorded_counting *counting =
		tacho_recording_get_counting(run->recording);

	return counting && *counting->device ? counting->device : NULL;
}

uint64_t tacho__rocprof_get_agent(const struct tacho__rocprof_run *run,
				  const struct tacho_object *device)
{
	if (!device || !device->id)
		return TACHO__ROCPROF_NO_AGENT;
	return device->id + (uint64_t)(tacho__rocprof_get_counting_device(run)
					       ? TACHO__ROCPROF_COUNTS
					       : TACHO__ROCPROF_HOST);
}

const char *tacho__rocprof_get_type(const struct tacho_object *device)
{
	const char *type = tacho_object_get(device, "type");

	if (type && !strcmp(type, "gpu"))
		return "GPU";
	return type && !strcmp(type, "cpu") ? "CPU" : "UNK";
}

uint64_t tacho__rocprof_get_counting_agent(const struct tacho__rocprof_launch *launch,
					   size_t counter)
{
	const struct tacho_entry *entry =
		tacho_recording_get_counter(launch->run->recording, counter);

	return entry && !entry->is_of_command && tacho__rocprof_get_counting_device(launch->run)
		       ? TACHO__ROCPROF_COUNTS
		       : launch->agent;
}

/* A whole number that the driver states. */
static struct tacho__rocprof_number get_fact(const struct tacho_object *kernel, const char *key)
{
	const char *text = kernel ? tacho_object_get(kernel, key) : NULL;
	struct tacho__rocprof_number number = {.is_known = text && *text && strlen(text) < 19};

	for (; number.is_known && *text; text++) {
		number.is_known = *text >= '0' && *text <= '9';
		number.value = number.value * 10 + (uint64_t)(*text - '0');
	}
	return number;
}

static void complete(struct tacho__rocprof_number *number, bool is_known, uint64_t value)
{
	if (!number->is_known && is_known)
		*number = (struct tacho__rocprof_number){true, value};
}

int tacho__rocprof_get_resources(const struct tacho__rocprof_run *run,
				 const struct tacho_object *kernel,
				 const struct tacho_object *device,
				 struct tacho__rocprof_resources *out_resources)
{
	struct tacho__rocprof_resources resources = {
		.local_bytes = get_fact(kernel, "local_bytes"),
		.scratch_bytes = get_fact(kernel, "private_bytes"),
		.vector = get_fact(kernel, "vgprs"),
		.accumulation = get_fact(kernel, "accum_vgprs"),
		.scalar = get_fact(kernel, "sgprs"),
	};
	struct tacho_compiled_kernel found;
	int rc = run->kept || tacho_kernel_is_stated(kernel)
			 ? tacho_kept_find(run->kept, kernel, device, &found)
			 : TACHO_E_NOTFOUND;

	if (rc == TACHO_E_NOMEM)
		return rc;
	if (!rc && !*found.why) {
		complete(&resources.local_bytes, true, found.local_bytes);
		complete(&resources.scratch_bytes, true, found.scratch_bytes);
		complete(&resources.vector, true, found.vector - found.accumulation);
		complete(&resources.accumulation, true, found.accumulation);
		complete(&resources.scalar, found.has_scalar, found.scalar);
	}
	*out_resources = resources;
	return 0;
}

static void get_sizes(const struct tacho_command *command, const uint64_t *from, uint64_t out[3])
{
	for (uint32_t i = 0; i < 3; i++)
		out[i] = i < command->dimensions ? from[i] : 1;
}

bool tacho__rocprof_get_grid(const struct tacho_command *command, uint64_t out_grid[3])
{
	get_sizes(command, command->global, out_grid);
	return command->dimensions != 0;
}

bool tacho__rocprof_get_workgroup(const struct tacho_command *command, uint64_t out_workgroup[3])
{
	get_sizes(command, command->local, out_workgroup);
	return command->dimensions && command->has_local;
}

bool tacho__rocprof_has_column(const struct tacho_column *column)
{
	return !(tacho_column_get_state(column, 0, 0) & TACHO_MARK_FOREIGN);
}

void tacho__rocprof_add_up(const struct tacho_column *column, struct tacho__rocprof_sum *out_sum)
{
	struct tacho__rocprof_sum sum = {.is_known = true,
					 .is_whole = column->type == TACHO_TYPE_U64};

	for (size_t i = 0; i < column->instance_count; i++) {
		uint8_t state = tacho_column_get_state(column, 0, i) & TACHO_STATE_MASK;

		if (!tacho_column_is_present(column, i))
			continue;
		sum.is_known &= state <= TACHO_STATE_SCALED;
		sum.is_scaled |= state == TACHO_STATE_SCALED;
		sum.real += tacho_column_get_value(column, 0, i);
		if (column->type == TACHO_TYPE_U64 &&
		    __builtin_add_overflow(sum.whole, column->data.u64[i], &sum.whole))
			sum.is_whole = false;
	}
	*out_sum = sum;
}
