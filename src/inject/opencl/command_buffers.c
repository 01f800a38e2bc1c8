/* SPDX-License-Identifier: MIT */
#include "inject/opencl/command_buffers.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "inject/handles.h"
#include "inject/recorded.h"
#include "intercept/intercept.h"
#include "opencl_api.h"
#include "opencl_constants.h"

enum {
	BUFFERS_MAX =
		16384, /* different handles in the life of a process; others are not followed */
	QUEUES_MAX = 32,
	PIECE = 16, /* changed commands that are told at once */
};

/* Of a handle, which drivers give out again: then it is another command buffer's. */
struct buffer {
	_Atomic(uint64_t) version; /* 0: what it holds is not known */
	_Atomic(void *) queue;	   /* the first that it was made for */
	atomic_uint queue_count;
	atomic_uint commands;
	atomic_int references;
};

static struct {
	struct tacho__handles places; /* command buffer to its place in `all`, plus 1 */
	struct buffer all[BUFFERS_MAX];
	atomic_uint used;
	_Atomic(uint64_t) versions; /* the last one given */
	/* Handle of a command to its index and, in the lowest two bits, its dimensions. */
	struct tacho__handles commands;
} buffers;

static struct buffer *find(void *handle)
{
	uint64_t place = tacho__handles_get(&buffers.places, handle);

	return place ? &buffers.all[place - 1] : NULL;
}

/* A command buffer came to be under this handle. NULL when there is no room for another handle. */
static struct buffer *make(void *handle)
{
	struct buffer *buffer = find(handle);
	unsigned place;

	if (!buffer) {
		place = atomic_fetch_add(&buffers.used, 1);
		if (place >= BUFFERS_MAX) {
			atomic_fetch_sub(&buffers.used, 1);
			return NULL;
		}
		if (!tacho__handles_set(&buffers.places, handle, place + 1))
			return NULL;
		buffer = &buffers.all[place];
	}
	atomic_store(&buffer->commands, 0);
	atomic_store(&buffer->references, 1);
	return buffer;
}

static void set_queues(struct buffer *buffer, uint32_t num_queues, void *const *queues)
{
	atomic_store(&buffer->queue, num_queues && queues ? queues[0] : NULL);
	atomic_store(&buffer->queue_count, queues ? num_queues : 0);
}

static uint64_t next_version(void)
{
	return atomic_fetch_add(&buffers.versions, 1) + 1;
}

static struct tacho__template describe(const void *handle, uint64_t version)
{
	return (struct tacho__template){
		.api = TACHO__API_ID, .handle = (uintptr_t)handle, .version = version};
}

/* Its queues take the place of those that were told before. */
static void record_queues(struct tacho__template *template, uint32_t num_queues,
			  void *const *queues)
{
	uint64_t handles[QUEUES_MAX];

	for (uint32_t i = 0; i < num_queues && i < QUEUES_MAX; i++)
		handles[i] = (uintptr_t)queues[i];
	if (queues && num_queues) {
		template->queues = handles;
		template->queue_count = num_queues < QUEUES_MAX ? num_queues : QUEUES_MAX;
	}
	tacho__intercept_template(template);
	template->queues = NULL;
}

/* ---- its life ---- */

void tacho__opencl_made_buffer(void *result, uint32_t num_queues, void *const *queues)
{
	struct tacho__template template;
	struct buffer *buffer = result ? make(result) : NULL;
	int error = errno;

	if (!buffer)
		return;
	template = describe(result, next_version());
	record_queues(&template, num_queues, queues);
	set_queues(buffer, num_queues, queues);
	atomic_store(&buffer->version, template.version);
	errno = error;
}

void tacho__opencl_retained_buffer(int32_t result, void *command_buffer)
{
	struct buffer *buffer = result == CL_SUCCESS ? find(command_buffer) : NULL;

	if (buffer)
		atomic_fetch_add(&buffer->references, 1);
}

/* Forgotten before the driver may give the handle to a new one. */
int32_t tacho__opencl_release_buffer(void *command_buffer)
{
	struct buffer *buffer = find(command_buffer);
	bool is_last = buffer && atomic_fetch_sub(&buffer->references, 1) == 1;
	uint64_t version = is_last ? atomic_exchange(&buffer->version, 0) : 0;
	int32_t rc = tacho__opencl_extension_target.clReleaseCommandBufferKHR(command_buffer);

	if (rc && buffer) {
		atomic_fetch_add(&buffer->references, 1);
		if (is_last)
			atomic_store(&buffer->version, version);
	}
	return rc;
}

void tacho__opencl_finalized_buffer(int32_t result, void *command_buffer)
{
	struct buffer *buffer = result == CL_SUCCESS ? find(command_buffer) : NULL;
	uint64_t version = buffer ? atomic_load(&buffer->version) : 0;
	struct tacho__template template = describe(command_buffer, version);
	int error = errno;

	if (!version)
		return;
	template.is_complete = true;
	template.total = atomic_load(&buffer->commands);
	tacho__intercept_template(&template);
	errno = error;
}

/* ---- its commands ---- */

static void set_sizes(struct tacho__template_command *command, const size_t *global,
		      const size_t *local)
{
	command->has_global = global != NULL;
	command->has_local = local != NULL;
	for (uint32_t i = 0; i < command->dimensions && i < 3; i++) {
		command->global[i] = global ? global[i] : 0;
		command->local[i] = local ? local[i] : 0;
	}
}

void tacho__opencl_record(const struct tacho__recorded *recorded)
{
	struct buffer *buffer = find(recorded->holder);
	uint64_t version = buffer ? atomic_load(&buffer->version) : 0;
	struct tacho__template template = describe(recorded->holder, version);
	struct tacho__template_command command = {
		.kind = recorded->kind,
		.name = recorded->name,
		.queue = (uintptr_t)recorded->queue,
		.kernel = (uintptr_t)recorded->kernel,
		.dimensions = recorded->dimensions,
		.has_bytes = recorded->has_bytes,
		.bytes = recorded->bytes,
	};
	int error = errno;

	if (!version)
		return;
	command.index = atomic_fetch_add(&buffer->commands, 1);
	set_sizes(&command, recorded->global, recorded->local);
	if (recorded->region)
		command.bytes = (uint64_t)recorded->region[0] * recorded->region[1] *
				recorded->region[2] * (recorded->scale ? recorded->scale : 1);
	template.commands = &command;
	template.count = 1;
	tacho__intercept_template(&template);
	if (recorded->command)
		tacho__handles_set(&buffers.commands, recorded->command,
				   command.index << 2 | (recorded->dimensions & 3));
	errno = error;
}

/* ---- changes ---- */

/* What a program passes to change a kernel's launch, as the extension's version 0.9.2 has it. */
struct dispatch_config {
	void *command;
	uint32_t num_args, num_svm_args, num_exec_infos, work_dim;
	const void *arg_list, *arg_svm_list, *exec_info_list;
	const size_t *global_work_offset, *global_work_size, *local_work_size;
};

/* The same before that version: with a type of its own and a list of what follows. */
struct listed_config {
	uint32_t type;
	const void *next;
	struct dispatch_config config;
};

struct config_list {
	uint32_t type;
	const void *next;
	uint32_t count;
	const struct listed_config *configs;
};

enum { LIST_CONFIG = 0, LISTED_DISPATCH_CONFIG = 1, DISPATCH_CONFIG = 0 };

/* A change under way: told in pieces, as the next version. */
struct change {
	struct buffer *buffer;
	struct tacho__template template;
	struct tacho__template_command commands[PIECE];
	bool is_lost; /* something in it is not understood */
};

static bool begin_change(struct change *change, void *command_buffer)
{
	struct buffer *buffer = find(command_buffer);
	uint64_t version = buffer ? atomic_load(&buffer->version) : 0;

	if (!version)
		return false;
	change->buffer = buffer;
	change->is_lost = false;
	change->template = describe(command_buffer, next_version());
	change->template.base_handle = change->template.handle;
	change->template.base_version = version;
	change->template.commands = change->commands;
	return true;
}

static void add_change(struct change *change, const struct dispatch_config *config)
{
	struct tacho__template *template = &change->template;
	struct tacho__template_command *command = &change->commands[template->count];
	uint64_t known = tacho__handles_get(&buffers.commands, config->command);

	/* A kernel has dimensions, so what is known of one is not 0. */
	if (!(known & 3)) {
		change->is_lost = true;
		return;
	}
	if (!config->global_work_size && !config->local_work_size)
		return;
	*command = (struct tacho__template_command){
		.index = known >> 2, .name = "", .dimensions = known & 3};
	set_sizes(command, config->global_work_size, config->local_work_size);
	if (++template->count < PIECE)
		return;
	tacho__intercept_template(template);
	template->base_version = template->count = 0;
}

static void end_change(struct change *change)
{
	change->template.is_complete = true;
	change->template.total = atomic_load(&change->buffer->commands);
	tacho__intercept_template(&change->template);
	atomic_store(&change->buffer->version, change->is_lost ? 0 : change->template.version);
}

void tacho__opencl_updated_buffer_by_list(int32_t result, void *command_buffer,
					  const void *mutable_config)
{
	const struct config_list *list = mutable_config;
	struct change change;
	int error = errno;

	if (result != CL_SUCCESS || !list || !begin_change(&change, command_buffer))
		return;
	change.is_lost = list->type != LIST_CONFIG || list->next;
	for (uint32_t i = 0; !change.is_lost && list->configs && i < list->count; i++) {
		change.is_lost =
			list->configs[i].type != LISTED_DISPATCH_CONFIG || list->configs[i].next;
		if (!change.is_lost)
			add_change(&change, &list->configs[i].config);
	}
	end_change(&change);
	errno = error;
}

void tacho__opencl_updated_buffer(int32_t result, void *command_buffer, uint32_t num_configs,
				  const uint32_t *config_types, const void **configs)
{
	struct change change;
	int error = errno;

	if (result != CL_SUCCESS || !begin_change(&change, command_buffer))
		return;
	for (uint32_t i = 0; !change.is_lost && i < num_configs; i++) {
		change.is_lost = config_types[i] != DISPATCH_CONFIG || !configs[i];
		if (!change.is_lost)
			add_change(&change, configs[i]);
	}
	end_change(&change);
	errno = error;
}

/* A copy for other queues: its commands have handles of their own. */
void tacho__opencl_remapped_buffer(void *result, void *command_buffer, uint32_t num_queues,
				   void *const *queues, uint32_t num_handles, void *const *handles,
				   void **handles_ret)
{
	struct buffer *source = result ? find(command_buffer) : NULL;
	struct buffer *buffer = result ? make(result) : NULL;
	uint64_t version = source ? atomic_load(&source->version) : 0;
	struct tacho__template template;
	int error = errno;

	if (!buffer)
		return;
	set_queues(buffer, num_queues, queues);
	atomic_store(&buffer->version, 0);
	if (!version)
		return;
	atomic_store(&buffer->commands, atomic_load(&source->commands));
	for (uint32_t i = 0; handles && handles_ret && i < num_handles; i++)
		if (handles_ret[i])
			tacho__handles_set(&buffers.commands, handles_ret[i],
					   tacho__handles_get(&buffers.commands, handles[i]));
	template = describe(result, next_version());
	template.base_handle = (uintptr_t)command_buffer;
	template.base_version = version;
	template.is_complete = true;
	template.total = atomic_load(&source->commands);
	record_queues(&template, num_queues, queues);
	atomic_store(&buffer->version, template.version);
	errno = error;
}

/* ---- its executions ---- */

void *tacho__opencl_find_buffer_queue(uint32_t num_queues, void *const *queues,
				      void *command_buffer)
{
	struct buffer *buffer = find(command_buffer);

	if (num_queues && queues)
		return queues[0];
	return buffer ? atomic_load(&buffer->queue) : NULL;
}

bool tacho__opencl_buffer_has_one_queue(uint32_t num_queues, void *command_buffer)
{
	struct buffer *buffer = find(command_buffer);

	return (num_queues ? num_queues : buffer ? atomic_load(&buffer->queue_count) : 0) == 1;
}

uint64_t tacho__opencl_buffer_queue(uint32_t num_queues, void **queues, void *command_buffer)
{
	return (uintptr_t)tacho__opencl_find_buffer_queue(num_queues, queues, command_buffer);
}

uint64_t tacho__opencl_buffer_version(void *command_buffer)
{
	struct buffer *buffer = find(command_buffer);

	return buffer ? atomic_load(&buffer->version) : 0;
}
