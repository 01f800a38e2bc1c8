/* SPDX-License-Identifier: MIT */
#include "record/templates.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "record/objects.h"
#include "record/template.h"

/* Commands that are there because others were copied: what a damaged file may make us hold. */
enum { COPIES_MAX = 1024 * 1024 };

/* The kernels of templates, in their order: what tells contents apart. */
struct content {
	const char *name;
	uint32_t id;
};

struct state {
	struct tacho_template template; /* as of the last execution */
	uint32_t api;
	struct tacho_template_command *commands;
	size_t count, capacity, copied;
	const struct tacho_object *devices[TACHO__TEMPLATE_QUEUES_MAX];
	size_t device_count;
	bool is_complete, lacks_base, lacks_commands;
	uint64_t total;
	bool is_named; /* about's name and number of kernels are those of the commands */
};

static uint64_t key_of(uint64_t api, uint64_t handle)
{
	return api << 58 ^ handle;
}

static struct state *find(const struct tacho__map *states, uint64_t api, uint64_t handle)
{
	struct state *state = tacho__map_get(states, key_of(api, handle));

	return state && state->api == api && state->template.handle == handle ? state : NULL;
}

void tacho__templates_finish_process(struct tacho__map *states)
{
	for (size_t i = 0; i < states->capacity; i++) {
		struct state *state = states->entries[i].value;

		if (state)
			free(state->commands);
		free(state);
	}
	tacho__map_finish(states);
}

void tacho__templates_finish(struct tacho__templates *templates)
{
	tacho__names_finish(&templates->names);
	tacho__names_finish(&templates->contents);
	tacho__map_finish(&templates->labels);
	tacho__buf_finish(&templates->scratch);
	tacho__arena_finish(&templates->arena);
}

/* ---- records ---- */

/* The state of a handle; a thing of another API under the same key gives way. */
static int get_state(struct tacho__map *states, const struct tacho__template_head *head,
		     struct state **out_state)
{
	struct state *state = tacho__map_get(states, key_of(head->api, head->handle));
	int rc = 0;

	if (!state) {
		state = calloc(1, sizeof(*state));
		if (!state)
			return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a template");
		rc = tacho__map_set(states, key_of(head->api, head->handle), state);
	}
	if (rc) {
		free(state);
		return rc;
	}
	if (state->api != head->api || state->template.handle != head->handle)
		state->template.version = 0;
	state->api = (uint32_t)head->api;
	state->template.handle = head->handle;
	*out_state = state;
	return 0;
}

static int copy_commands(struct tacho__templates *templates, struct state *state,
			 const struct state *base)
{
	struct tacho_template_command *commands;

	if (templates->copied - state->copied + base->count > COPIES_MAX) {
		state->lacks_base = true;
		return 0;
	}
	commands = calloc(base->count + 1, sizeof(*commands));
	if (!commands)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a template");
	if (base->count)
		memcpy(commands, base->commands, base->count * sizeof(*commands));
	free(state->commands);
	templates->copied += base->count - state->copied;
	state->copied = base->count;
	state->commands = commands;
	state->count = base->count;
	state->capacity = base->count + 1;
	state->total = base->total;
	state->device_count = base->device_count;
	memcpy(state->devices, base->devices, sizeof(state->devices));
	return 0;
}

/* A version that was not told of before. */
static int begin_version(struct tacho__templates *templates, const struct tacho__map *states,
			 struct state *state, const struct tacho__template_head *head)
{
	const struct state *base =
		head->base_version ? find(states, head->api, head->base_handle) : NULL;
	bool has_base = base && base->template.version == head->base_version;
	int rc = 0;

	if (!has_base || base != state) {
		state->count = state->device_count = 0;
		state->total = 0;
		state->lacks_base = head->base_version && !has_base;
		state->lacks_commands = false;
		if (has_base)
			rc = copy_commands(templates, state, base);
		if (!rc && has_base)
			state->lacks_commands = base->lacks_commands ||
						(base->is_complete && base->count != base->total);
	}
	state->template.version = head->version;
	state->is_complete = state->is_named = false;
	return rc;
}

/* The names of commands are few. NULL: no memory. */
static const char *keep_name(struct tacho__templates *templates,
			     const struct tacho__template_item *item)
{
	struct tacho__buf *text = &templates->scratch;
	const char *known;
	char *kept;

	if (memchr(item->name, '\0', item->name_size))
		return "";
	tacho__buf_clear(text);
	tacho__buf_add(text, item->name, item->name_size);
	if (text->failed)
		return NULL;
	known = tacho__names_get(&templates->names, tacho__buf_text(text));
	if (known)
		return known;
	kept = tacho__arena_string(&templates->arena, tacho__buf_text(text));
	return kept && !tacho__names_set(&templates->names, kept, kept) ? kept : NULL;
}

static const struct tacho_object *device_of(const struct tacho__map *handles, uint32_t api,
					    uint64_t queue)
{
	const struct tacho_object *object =
		tacho__objects_find(handles, api, TACHO_OBJECT_QUEUE, queue);

	return object ? object->device : NULL;
}

/* The command that an item makes or changes, NULL when there were others in front of it. */
static int get_command(struct state *state, uint64_t index,
		       struct tacho_template_command **out_command)
{
	*out_command = NULL;
	if (index > state->count) {
		state->lacks_commands = true;
		return 0;
	}
	if (index == state->count) {
		if (tacho__array_reserve(&state->commands, &state->capacity, state->count,
					 sizeof(*state->commands)))
			return TACHO_E_NOMEM;
		memset(&state->commands[state->count], 0, sizeof(*state->commands));
		state->commands[state->count++].name = "";
	}
	*out_command = &state->commands[index];
	return 0;
}

static void set_sizes(struct tacho_template_command *command,
		      const struct tacho__template_command *recorded)
{
	if (recorded->dimensions)
		command->dimensions = recorded->dimensions;
	if (recorded->has_local)
		command->has_local = 1;
	for (uint32_t i = 0; i < 3; i++) {
		bool is_used = i < command->dimensions;

		if (recorded->has_global)
			command->global[i] = is_used ? recorded->global[i] : 1;
		if (recorded->has_local)
			command->local[i] = is_used ? recorded->local[i] : 1;
	}
	if (recorded->has_bytes) {
		command->bytes = recorded->bytes;
		command->has_bytes = 1;
	}
	if (recorded->has_extra_local) {
		command->extra_local_bytes = recorded->extra_local_bytes;
		command->has_extra_local = 1;
	}
}

static int take_command(struct tacho__templates *templates, struct state *state,
			const struct tacho__map *handles, const struct tacho__template_item *item)
{
	const struct tacho__template_command *recorded = &item->command;
	struct tacho_template_command *command;
	int rc = get_command(state, recorded->index, &command);

	if (rc || !command)
		return rc;
	if (recorded->kind >= TACHO_COMMAND_KERNEL && recorded->kind <= TACHO_COMMAND_BUFFER &&
	    (!command->kind || recorded->kernel))
		command->kind = (enum tacho_command_kind)recorded->kind;
	else if (!command->kind)
		command->kind = TACHO_COMMAND_OTHER;
	if (item->name_size) {
		command->name = keep_name(templates, item);
		if (!command->name)
			return TACHO_E_NOMEM;
	}
	if (recorded->queue)
		command->device = device_of(handles, state->api, recorded->queue);
	else if (!command->device && state->device_count == 1)
		command->device = state->devices[0];
	if (recorded->kernel) {
		command->kernel = tacho__objects_find(handles, state->api, TACHO_OBJECT_KERNEL,
						      recorded->kernel);
		state->is_named = false;
	}
	set_sizes(command, recorded);
	return 0;
}

/* Its queues, as devices; commands keep nothing of the queues that were told before. */
static void take_queues(struct state *state, const struct tacho__map *handles,
			const struct tacho__template_head *head)
{
	state->device_count = 0;
	for (uint32_t i = 0; i < head->queue_count; i++) {
		const struct tacho_object *device = device_of(handles, state->api, head->queues[i]);
		size_t place = 0;

		while (place < state->device_count && state->devices[place] != device)
			place++;
		if (device && place == state->device_count)
			state->devices[state->device_count++] = device;
	}
	for (size_t i = 0; i < state->count; i++)
		state->commands[i].device = state->device_count == 1 ? state->devices[0] : NULL;
}

int tacho__templates_take(struct tacho__templates *templates, struct tacho__map *states,
			  const struct tacho__map *handles, struct tacho__unpack *unpack)
{
	struct tacho__template_head head;
	struct tacho__template_item item;
	struct state *state = NULL;
	int rc;

	if (!tacho__template_unpack_head(unpack, &head) || head.api >= 64)
		return 0;
	rc = get_state(states, &head, &state);
	if (!rc && state->template.version != head.version)
		rc = begin_version(templates, states, state, &head);
	if (!rc && head.has_queues)
		take_queues(state, handles, &head);
	for (uint32_t i = 0; !rc && i < head.count; i++) {
		size_t count = state->count;

		if (!tacho__template_unpack(unpack, &item)) {
			state->lacks_commands = true;
			return 0;
		}
		rc = take_command(templates, state, handles, &item);
		if (state->count != count)
			state->is_named = false;
	}
	if (!rc && head.is_complete) {
		state->is_complete = true;
		state->total = head.total;
	}
	return rc;
}

/* ---- executions ---- */

static void put_name(struct tacho__templates *templates, size_t kernels, bool is_known)
{
	uintptr_t seen = (uintptr_t)tacho__map_get(&templates->labels, kernels + 1) + 1;
	struct tacho__buf *text = &templates->scratch;

	tacho__buf_clear(text);
	tacho__buf_put(text, tacho_command_kind_to_string(TACHO_COMMAND_BUFFER));
	if (!is_known) {
		tacho__buf_put(text, " (contents not known)");
		return;
	}
	if (kernels)
		tacho__buf_printf(text, " (%zu kernel%s)", kernels, kernels == 1 ? "" : "s");
	else
		tacho__buf_put(text, " (no kernels)");
	if (seen > 1)
		tacho__buf_printf(text, " #%" PRIuPTR, seen);
	if (tacho__map_set(&templates->labels, kernels + 1, (void *)seen))
		text->failed = true;
}

/* The content of this key, which is made when it is new. NULL: no memory. */
static const struct content *get_content(struct tacho__templates *templates, const char *key,
					 size_t kernels, bool is_known)
{
	struct content *content = tacho__names_get(&templates->contents, key);
	const char *kept;

	if (content)
		return content;
	content = tacho__arena_get(&templates->arena, sizeof(*content));
	kept = tacho__arena_string(&templates->arena, key);
	if (!content || !kept)
		return NULL;
	put_name(templates, kernels, is_known);
	content->name = templates->scratch.failed
				? NULL
				: tacho__arena_string(&templates->arena,
						      tacho__buf_text(&templates->scratch));
	content->id = ++templates->ids;
	return content->name && !tacho__names_set(&templates->contents, kept, content) ? content
										       : NULL;
}

/* FNV-1a over the names of its kernels, each with its end. */
static uint64_t hash_kernels(const struct state *state, size_t *out_kernels)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	*out_kernels = 0;
	for (size_t i = 0; i < state->count; i++) {
		const struct tacho_template_command *command = &state->commands[i];
		const char *name = command->kernel ? command->kernel->name : "";

		if (command->kind != TACHO_COMMAND_KERNEL)
			continue;
		++*out_kernels;
		do
			hash = (hash ^ (unsigned char)*name) * UINT64_C(0x100000001b3);
		while (*name++);
	}
	return hash;
}

static int set_name(struct tacho__templates *templates, struct tacho_template *template,
		    const char *key)
{
	const struct content *content =
		get_content(templates, key, template->kernel_count, template->is_known != 0);

	if (!content)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a template");
	template->name = content->name;
	template->id = content->id;
	return 0;
}

static const struct tacho_template *make_unknown(struct tacho__templates *templates,
						 uint64_t handle, uint64_t version)
{
	struct tacho_template *unknown = &templates->unknown;

	*unknown = (struct tacho_template){
		.handle = handle,
		.version = version,
		.reason = version ? "what it holds was not recorded in this process"
				  : "the recorder could not follow what it holds",
	};
	return set_name(templates, unknown, "unknown") ? NULL : unknown;
}

static const char *why_unknown(const struct state *state)
{
	if (state->lacks_base)
		return "what it was a copy of is not in the recording";
	if (!state->is_complete)
		return "it was not seen to be completed";
	if (state->lacks_commands || state->count != state->total)
		return "some of its commands are not in the recording";
	return "";
}

const struct tacho_template *tacho__templates_find(struct tacho__templates *templates,
						   const struct tacho__map *states, uint32_t api,
						   uint64_t handle, uint64_t version)
{
	struct state *state = find(states, api, handle);
	struct tacho_template *template;
	char key[64];
	uint64_t hash;

	if (!state || !version || state->template.version != version)
		return make_unknown(templates, handle, version);
	template = &state->template;
	template->reason = why_unknown(state);
	template->commands = state->commands;
	template->command_count = state->count;
	template->devices = state->devices;
	template->device_count = state->device_count;
	if (state->is_named && template->is_known == !*template->reason)
		return template;
	template->is_known = !*template->reason;
	hash = hash_kernels(state, &template->kernel_count);
	snprintf(key, sizeof(key), template->is_known ? "%016" PRIx64 " %zu" : "unknown", hash,
		 template->kernel_count);
	if (set_name(templates, template, key))
		return NULL;
	state->is_named = true;
	return template;
}
