/* SPDX-License-Identifier: MIT */
#include "record/launch_counters.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "catalog/command_entries.h"
#include "record/command.h"

typedef void (*counter_fn)(const struct tacho_command *command, struct tacho_value *value);

static void put(struct tacho_value *value, uint64_t number)
{
	value->data.u64 = number;
	value->state = TACHO_STATE_OK;
	value->note = "";
}

static void miss(struct tacho_value *value, const char *why)
{
	value->state = TACHO_STATE_ABSENT;
	value->note = why;
}

/* Such a command can never have it. */
static void deny(struct tacho_value *value, const char *why)
{
	miss(value, why);
	value->is_foreign = 1;
}

/* ---- times ---- */

static void put_span(const struct tacho_command *command, uint64_t from_ns, uint64_t to_ns,
		     struct tacho_value *value)
{
	if (command->state != TACHO_STATE_OK) {
		miss(value, *command->reason ? command->reason : "the driver gave no times");
	} else if (to_ns < from_ns) {
		miss(value, "the driver's times run backwards");
	} else {
		put(value, to_ns - from_ns);
	}
}

static void get_device_time(const struct tacho_command *command, struct tacho_value *value)
{
	put_span(command, command->start_ns, command->end_ns, value);
}

static void get_queued_delay(const struct tacho_command *command, struct tacho_value *value)
{
	put_span(command, command->queued_ns, command->submit_ns, value);
}

static void get_submit_delay(const struct tacho_command *command, struct tacho_value *value)
{
	put_span(command, command->submit_ns, command->start_ns, value);
}

static void get_start_delay(const struct tacho_command *command, struct tacho_value *value)
{
	put_span(command, command->queued_ns, command->start_ns, value);
}

/* ---- transfers ---- */

static void get_transfer_bytes(const struct tacho_command *command, struct tacho_value *value)
{
	if (!tacho__command_is_transfer(command))
		deny(value, "the command is no transfer");
	else if (!command->has_bytes)
		miss(value, "the call does not tell how many bytes it moves");
	else
		put(value, command->bytes);
}

static void get_transfer_rate(const struct tacho_command *command, struct tacho_value *value)
{
	struct tacho_value time = {.note = ""};

	get_transfer_bytes(command, value);
	if (value->state != TACHO_STATE_OK)
		return;
	get_device_time(command, &time);
	if (time.state != TACHO_STATE_OK) {
		value->state = time.state;
		value->note = time.note;
	} else if (!time.data.u64) {
		value->data.f64 = 0;
		value->state = TACHO_STATE_OK | TACHO_MARK_DIV0;
	} else {
		value->data.f64 = 1e9 * (double)value->data.u64 / (double)time.data.u64;
	}
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

static const char too_large[] = "the number does not fit into 64 bits";

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

/* A program chooses sizes freely. The largest number is wrong, and nearer than 0 would be. */
static void put_work(const struct tacho_command *command, work_fn count, struct tacho_value *value)
{
	const struct work work = {command->kernel, command->has_local, command->global,
				  command->local};
	const char *why = NULL;
	uint64_t number = 0;

	if (command->kind == TACHO_COMMAND_BUFFER) {
		why = sum_template(command->contents, count, &number);
	} else if (command->kind == TACHO_COMMAND_KERNEL) {
		why = count(&work, &number);
	} else {
		deny(value, "the command is no kernel");
		return;
	}
	if (why == too_large) {
		put(value, UINT64_MAX);
		value->state = TACHO_STATE_OVERFLOW;
		value->note = why;
	} else if (why) {
		miss(value, why);
	} else {
		put(value, number);
	}
}

static void get_work_items(const struct tacho_command *command, struct tacho_value *value)
{
	put_work(command, count_items, value);
}

static void get_work_groups(const struct tacho_command *command, struct tacho_value *value)
{
	put_work(command, count_groups, value);
}

static void get_wavefronts(const struct tacho_command *command, struct tacho_value *value)
{
	put_work(command, count_wavefronts, value);
}

static void put_stated(const struct tacho_command *command, const char *key,
		       struct tacho_value *value)
{
	uint64_t number;

	if (command->kind == TACHO_COMMAND_BUFFER)
		miss(value, "each kernel of a command buffer has its own");
	else if (command->kind != TACHO_COMMAND_KERNEL)
		deny(value, "the command is no kernel");
	else if (get_stated(command->kernel, key, &number))
		put(value, number);
	else
		miss(value, "the driver does not state it for the kernel");
}

static void get_local_memory(const struct tacho_command *command, struct tacho_value *value)
{
	put_stated(command, "local_bytes", value);
}

static void get_private_memory(const struct tacho_command *command, struct tacho_value *value)
{
	put_stated(command, "private_bytes", value);
}

static const counter_fn getters[TACHO__COMMAND_ENTRY_COUNT] = {
	[TACHO__COMMAND_DEVICE_TIME] = get_device_time,
	[TACHO__COMMAND_QUEUED_DELAY] = get_queued_delay,
	[TACHO__COMMAND_SUBMIT_DELAY] = get_submit_delay,
	[TACHO__COMMAND_START_DELAY] = get_start_delay,
	[TACHO__COMMAND_TRANSFER_BYTES] = get_transfer_bytes,
	[TACHO__COMMAND_TRANSFER_RATE] = get_transfer_rate,
	[TACHO__COMMAND_WORK_ITEMS] = get_work_items,
	[TACHO__COMMAND_WORK_GROUPS] = get_work_groups,
	[TACHO__COMMAND_WAVEFRONTS] = get_wavefronts,
	[TACHO__COMMAND_LOCAL_MEMORY] = get_local_memory,
	[TACHO__COMMAND_PRIVATE_MEMORY] = get_private_memory,
};

void tacho__launch_counter_get(int counter, const struct tacho_command *command, bool is_strict,
			       struct tacho_value *out_value)
{
	struct tacho_value value = {.state = TACHO_STATE_ABSENT, .note = "", .coverage = 1};

	if (counter >= 0 && (size_t)counter < TACHO__ARRAY_SIZE(getters))
		getters[counter](command, &value);
	else
		value.note = "this tacho does not know the counter";
	if (is_strict && value.state & TACHO_MARK_DIV0)
		miss(&value, "something was divided by zero");
	*out_value = value;
}
