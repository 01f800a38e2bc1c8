/* SPDX-License-Identifier: MIT */
#include "record/launch_counters.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "catalog/command_entries.h"
#include "record/command.h"

/* What is worked out here is a whole number of a command: NULL, or why it has none. */

/* Such a command can never have it. */
static const char no_transfer[] = "the command is no transfer",
		  no_kernel[] = "the command is no kernel";
static const char too_large[] = "the number does not fit into 64 bits";

/* ---- times ---- */

static const char *measure(const struct tacho_command *command, uint64_t from_ns, uint64_t to_ns,
			   uint64_t *out_number)
{
	if (command->state != TACHO_STATE_OK)
		return *command->reason ? command->reason : "the driver gave no times";
	if (to_ns < from_ns)
		return "the driver's times run backwards";
	*out_number = to_ns - from_ns;
	return NULL;
}

/* ---- transfers ---- */

static const char *get_transfer_bytes(const struct tacho_command *command, uint64_t *out_number)
{
	if (!tacho__command_is_transfer(command))
		return no_transfer;
	*out_number = command->bytes;
	return command->has_bytes ? NULL : "the call does not tell how many bytes it moves";
}

/* ---- kernels ---- */

/* A kernel that ran: launched, or by a template. */
struct work {
	const struct tacho_object *kernel;
	uint32_t has_local;
	const uint64_t *global, *local;
};

/* One number of a kernel: NULL, or the reason why it has none. */
typedef const char *(*work_fn)(const struct work *work, uint64_t *out_number);

static const char *multiply(const uint64_t factors[3], uint64_t *out_number)
{
	uint64_t product = 1;

	for (int i = 0; i < 3; i++)
		if (__builtin_mul_overflow(product, factors[i], &product))
			return too_large;
	*out_number = product;
	return NULL;
}

static const char *count_items(const struct work *work, uint64_t *out_number)
{
	return multiply(work->global, out_number);
}

static bool has_groups(const struct work *work)
{
	return work->has_local && work->local[0] && work->local[1] && work->local[2];
}

static const char no_groups[] = "the driver chose the size of the work-groups and does not tell it";

static const char *count_groups(const struct work *work, uint64_t *out_number)
{
	uint64_t groups[3];

	if (!has_groups(work))
		return no_groups;
	for (int i = 0; i < 3; i++)
		groups[i] =
			work->global[i] / work->local[i] + (work->global[i] % work->local[i] != 0);
	return multiply(groups, out_number);
}

/* A number that the driver stated of the kernel. */
static bool get_stated(const struct tacho_object *kernel, const char *key, uint64_t *out_number)
{
	const char *text = kernel ? tacho_object_get(kernel, key) : NULL;

	if (!text || !*text || strspn(text, "0123456789") != strlen(text))
		return false;
	*out_number = strtoull(text, NULL, 10);
	return true;
}

/*
 * Of each dimension there are whole groups and perhaps one that is cut short: eight sorts of groups
 * at most, each with its own number of work-items.
 */
static bool sum_wavefronts(const struct work *work, uint64_t multiple, uint64_t *out_count)
{
	uint64_t sum = 0;

	for (unsigned sort = 0; sort < 8; sort++) {
		uint64_t groups = 1, items = 1;

		for (unsigned i = 0; i < 3; i++) {
			uint64_t whole = work->global[i] / work->local[i];
			uint64_t rest = work->global[i] % work->local[i];
			bool is_cut = sort >> i & 1;

			if (__builtin_mul_overflow(groups, is_cut ? rest != 0 : whole, &groups) ||
			    __builtin_mul_overflow(items, is_cut ? rest : work->local[i], &items))
				return false;
		}
		items = items / multiple + (items % multiple != 0);
		if (__builtin_mul_overflow(groups, items, &groups) ||
		    __builtin_add_overflow(sum, groups, &sum))
			return false;
	}
	*out_count = sum;
	return true;
}

static const char *count_wavefronts(const struct work *work, uint64_t *out_number)
{
	uint64_t multiple = 0;

	if (!has_groups(work))
		return no_groups;
	if (!get_stated(work->kernel, "preferred_multiple", &multiple) || !multiple)
		return "the driver states no preferred multiple for the kernel";
	return sum_wavefronts(work, multiple, out_number) ? NULL : too_large;
}

/* Over all kernels of a template, when all are known. */
static const char *sum_template(const struct tacho_template *contents, work_fn count,
				uint64_t *out_number)
{
	uint64_t sum = 0, number = 0;

	if (!contents->is_known)
		return contents->reason;
	for (size_t i = 0; i < contents->command_count; i++) {
		const struct tacho_template_command *command = &contents->commands[i];
		const struct work work = {command->kernel, command->has_local, command->global,
					  command->local};
		const char *why =
			command->kind == TACHO_COMMAND_KERNEL ? count(&work, &number) : NULL;

		if (why)
			return why;
		if (command->kind == TACHO_COMMAND_KERNEL &&
		    __builtin_add_overflow(sum, number, &sum))
			return too_large;
	}
	*out_number = sum;
	return NULL;
}

static const char *add_work(const struct tacho_command *command, work_fn count,
			    uint64_t *out_number)
{
	const struct work work = {command->kernel, command->has_local, command->global,
				  command->local};

	if (command->kind == TACHO_COMMAND_BUFFER)
		return sum_template(command->contents, count, out_number);
	return command->kind == TACHO_COMMAND_KERNEL ? count(&work, out_number) : no_kernel;
}

static const char *find_stated(const struct tacho_command *command, const char *key,
			       uint64_t *out_number)
{
	if (command->kind == TACHO_COMMAND_BUFFER)
		return "each kernel of a command buffer has its own";
	if (command->kind != TACHO_COMMAND_KERNEL)
		return no_kernel;
	return get_stated(command->kernel, key, out_number)
		       ? NULL
		       : "the driver does not state it for the kernel";
}

/* With what the launch itself asked for. */
static const char *find_local(const struct tacho_command *command, uint64_t *out_number)
{
	const char *why = find_stated(command, "local_bytes", out_number);

	if (why || !command->has_extra_local)
		return why;
	return __builtin_add_overflow(*out_number, command->extra_local_bytes, out_number)
		       ? too_large
		       : NULL;
}

/* From when it was queued, or submitted. */
static const char *measure_delay(const struct tacho_command *of, uint64_t from_ns, uint64_t to_ns,
				 uint64_t *out_number)
{
	return of->lacks_queue_times ? "when it was queued is not known"
				     : measure(of, from_ns, to_ns, out_number);
}

/* ---- all ---- */

static const char *compute(int counter, const struct tacho_command *of, uint64_t *out_number)
{
	switch (counter) {
	case TACHO__COMMAND_DEVICE_TIME: return measure(of, of->start_ns, of->end_ns, out_number);
	case TACHO__COMMAND_QUEUED_DELAY:
		return measure_delay(of, of->queued_ns, of->submit_ns, out_number);
	case TACHO__COMMAND_SUBMIT_DELAY:
		return measure_delay(of, of->submit_ns, of->start_ns, out_number);
	case TACHO__COMMAND_START_DELAY:
		return measure_delay(of, of->queued_ns, of->start_ns, out_number);
	case TACHO__COMMAND_TRANSFER_BYTES: return get_transfer_bytes(of, out_number);
	case TACHO__COMMAND_WORK_ITEMS: return add_work(of, count_items, out_number);
	case TACHO__COMMAND_WORK_GROUPS: return add_work(of, count_groups, out_number);
	case TACHO__COMMAND_WAVEFRONTS: return add_work(of, count_wavefronts, out_number);
	case TACHO__COMMAND_LOCAL_MEMORY: return find_local(of, out_number);
	case TACHO__COMMAND_PRIVATE_MEMORY: return find_stated(of, "private_bytes", out_number);
	default: return "this tacho does not know the counter";
	}
}

/* Bytes per second, where both are known. */
static const char *put_rate(const struct tacho_command *command, bool is_strict,
			    struct tacho__row *row, size_t at)
{
	uint64_t bytes = 0, time_ns = 0;
	const char *why = get_transfer_bytes(command, &bytes);

	if (!why)
		why = measure(command, command->start_ns, command->end_ns, &time_ns);
	if (!why && !time_ns && is_strict)
		why = "something was divided by zero";
	if (why)
		return why;
	tacho__row_put(
		row, at,
		(union tacho__number){.f64 = time_ns ? 1e9 * (double)bytes / (double)time_ns : 0});
	if (!time_ns)
		row->states[at] = TACHO_STATE_OK | TACHO_MARK_DIV0;
	return NULL;
}

void tacho__launch_counter_get(int counter, const struct tacho_command *command, bool is_strict,
			       struct tacho__row *row, size_t at)
{
	bool is_rate = counter == TACHO__COMMAND_TRANSFER_RATE;
	union tacho__number number = {0};
	const char *why = is_rate ? put_rate(command, is_strict, row, at)
				  : compute(counter, command, &number.u64);

	if (why == too_large) { /* the largest number is wrong, and nearer than 0 would be */
		tacho__row_put(row, at, (union tacho__number){.u64 = UINT64_MAX});
		row->states[at] = TACHO_STATE_OVERFLOW;
		row->notes[at] = why;
	} else if (why) {
		tacho__row_miss(row, at, why,
				why == no_transfer || why == no_kernel ? TACHO_MARK_FOREIGN : 0);
	} else if (!is_rate) {
		tacho__row_put(row, at, number);
	}
}
