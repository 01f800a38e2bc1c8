/* SPDX-License-Identifier: MIT */
#include "format/foreign/amd.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "base/text.h"
#include "format/foreign/foreign_csv.h"

enum { AGENTS_MAX = 65536 };

/* A launch on its way: which it is, and who told of it. */
struct launch {
	struct tacho__foreign_command command;
	uint32_t teller;
};

static int compare(uint64_t left, uint64_t right)
{
	return (left > right) - (left < right);
}

static int compare_launches(const void *left, const void *right)
{
	const struct launch *a = left, *b = right;
	int order = compare(a->command.process, b->command.process);

	order = order ? order : compare(a->command.values, b->command.values);
	return order ? order : compare(a->teller, b->teller);
}

void tacho__amd_begin(struct tacho__amd *amd, struct tacho__foreign *foreign)
{
	*amd = (struct tacho__amd){.foreign = foreign};
	amd->launches.compare = compare_launches;
}

void tacho__amd_finish(struct tacho__amd *amd)
{
	tacho__sorter_finish(&amd->launches);
	tacho__map_finish(&amd->machines);
	free(amd->agents);
}

int tacho__amd_tell_host(struct tacho__amd *amd, const char *path)
{
	const char *base = tacho__base_name(path), *folder = base;
	char *host;

	if (base == path)
		return 0;
	for (folder--; folder > path && folder[-1] != '/'; folder--)
		;
	host = strndup(folder, (size_t)(base - folder - 1));
	if (!host)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory to read %s", path);
	tacho__foreign_set_host(amd->foreign, host);
	free(host);
	return 0;
}

/* ---- launches ---- */

static int add_command(struct tacho__amd *amd, const struct tacho__foreign_command *command)
{
	amd->launch_count++;
	amd->untimed += command->state != TACHO_STATE_OK;
	amd->has_queue_times |= command->has_queue_times != 0;
	return tacho__foreign_add_command(amd->foreign, command);
}

int tacho__amd_add_launch(struct tacho__amd *amd, const struct tacho__foreign_command *launch,
			  enum tacho__amd_teller teller)
{
	const struct launch told = {.command = *launch, .teller = teller};

	return launch->values ? tacho__sorter_add(&amd->launches, &told, sizeof(told))
			      : add_command(amd, launch);
}

/* Several rows of a trace are several launches; those of counters are one, if no trace has it. */
int tacho__amd_end_launches(struct tacho__amd *amd)
{
	struct tacho__sorted sorted = {0};
	struct launch last = {0};
	const void *record;
	size_t size;
	int rc = tacho__sorter_seal(&amd->launches);

	if (!rc)
		rc = tacho__sorted_open(&sorted, &amd->launches);
	while (!rc && (rc = tacho__sorted_next(&sorted, &record, &size)) == 1) {
		const struct launch *launch = record;
		bool is_again = launch->teller == TACHO__AMD_COUNTERS &&
				launch->command.values == last.command.values &&
				launch->command.process == last.command.process;

		amd->counted_alone += !is_again && launch->teller == TACHO__AMD_COUNTERS;
		rc = is_again ? 0 : add_command(amd, &launch->command);
		last = *launch;
	}
	tacho__sorted_close(&sorted);
	return rc;
}

static void put_fact(struct tacho__buf *text, const char *key,
		     const struct tacho__amd_number *number)
{
	if (number->is_known)
		tacho__buf_printf(text, "%s=%" PRIu64 "\n", key, number->value);
}

size_t tacho__amd_name_size(const char *name)
{
	static const char *const tails[] = {" [clone .kd]", " (.kd)", ".kd"};
	size_t size = strcspn(name, "\n");

	for (size_t i = 0; i < TACHO__ARRAY_SIZE(tails); i++) {
		size_t tail = strlen(tails[i]);

		if (size > tail && !strncmp(name + size - tail, tails[i], tail))
			return size - tail;
	}
	return size;
}

int tacho__amd_take_kernel(struct tacho__amd *amd, const struct tacho__amd_kernel *kernel,
			   struct tacho__foreign_command *command)
{
	struct tacho__buf text = {0};
	uint32_t number;
	int rc;

	command->kind = TACHO_COMMAND_KERNEL;
	tacho__buf_put(&text, "name=");
	tacho__buf_add(&text, kernel->name, tacho__amd_name_size(kernel->name));
	tacho__buf_put(&text, *kernel->name ? "\n" : "(no name)\n");
	put_fact(&text, "local_bytes", &kernel->local_bytes);
	put_fact(&text, "private_bytes", &kernel->private_bytes);
	put_fact(&text, "vgprs", &kernel->vgprs);
	put_fact(&text, "accum_vgprs", &kernel->accum_vgprs);
	put_fact(&text, "sgprs", &kernel->sgprs);
	rc = text.failed ? TACHO_E_NOMEM
			 : tacho__foreign_text(amd->foreign, tacho__buf_text(&text), &number);
	if (!rc)
		rc = tacho__foreign_text(amd->foreign, "kernel", &command->name);
	if (!rc)
		rc = tacho__foreign_thing(amd->foreign, command->process, TACHO_OBJECT_KERNEL,
					  number, &text, &command->kernel);
	tacho__buf_finish(&text);
	return rc;
}

void tacho__amd_take_sizes(const struct tacho__amd_number grid[3],
			   const struct tacho__amd_number group[3],
			   struct tacho__foreign_command *command)
{
	command->has_local = 1;
	for (int i = 0; i < 3; i++) {
		if (!grid[i].is_known || !grid[i].value)
			return;
		command->has_local &= group[i].is_known && group[i].value;
		command->global[i] = grid[i].value;
		command->local[i] = group[i].value;
	}
	command->dimensions = 3;
	while (command->dimensions > 1 && command->global[command->dimensions - 1] == 1)
		command->dimensions--;
}

int tacho__amd_take_times(struct tacho__amd *amd, const struct tacho__amd_number *start,
			  const struct tacho__amd_number *end, const char *why,
			  struct tacho__foreign_command *command)
{
	bool is_known = start->is_known && end->is_known && start->value <= INT64_MAX &&
			end->value <= INT64_MAX && start->value && end->value;

	command->state = is_known ? TACHO_STATE_OK : TACHO_STATE_ABSENT;
	if (!is_known)
		return tacho__foreign_text(amd->foreign, why ? why : "the file has no time for it",
					   &command->reason);
	command->start_ns = (int64_t)start->value;
	command->end_ns = (int64_t)end->value;
	return 0;
}

/* ---- agents ---- */

int tacho__amd_add_agent(struct tacho__amd *amd, const struct tacho__amd_agent *agent)
{
	struct tacho__amd_agent kept = *agent;

	if (amd->agent_count == AGENTS_MAX)
		return 0;
	kept.text = tacho__arena_string(&amd->foreign->recording->arena, agent->text);
	if (!kept.text)
		return TACHO_E_NOMEM;
	return tacho__array_add(&amd->agents, &amd->agent_capacity, &amd->agent_count, &kept,
				sizeof(kept));
}

static const struct tacho__amd_agent *find_numbered(const struct tacho__amd *amd, uint32_t run,
						    enum tacho__amd_numbering numbering,
						    uint64_t number, bool is_gpu)
{
	for (size_t i = 0; i < amd->agent_count; i++) {
		const struct tacho__amd_agent *agent = &amd->agents[i];

		if (agent->run == run && agent->is_gpu == is_gpu &&
		    agent->numbers[numbering].is_known && agent->numbers[numbering].value == number)
			return agent;
	}
	return NULL;
}

/* Without a word in front it is the kernel's number; "Agent" is what --agent-index makes it. */
static const struct tacho__amd_agent *find_agent(const struct tacho__amd *amd, uint32_t run,
						 const char *name, bool is_gpu)
{
	static const enum tacho__amd_numbering orders[][2] = {
		{TACHO__AMD_NODE, TACHO__AMD_LOGICAL},
		{TACHO__AMD_LOGICAL, TACHO__AMD_NODE},
		{TACHO__AMD_OF_TYPE, TACHO__AMD_OF_TYPE},
	};
	const char *digits = name + strcspn(name, "0123456789");
	size_t order = digits == name ? 0 : strncasecmp(name, "Agent", 5) ? 2 : 1;
	const struct tacho__amd_agent *found = NULL;
	uint64_t number;

	if (!tacho__foreign_csv_unsigned(digits, &number))
		return NULL;
	for (size_t i = 0; i < 2 && !found; i++)
		found = find_numbered(amd, run, orders[order][i], number, is_gpu);
	return found;
}

static void describe(const struct tacho__amd *amd, uint32_t run, const char *name, bool is_gpu,
		     struct tacho__buf *text)
{
	const struct tacho__amd_agent *agent = find_agent(amd, run, name, is_gpu);
	const char *machine = is_gpu ? tacho__map_get(&amd->machines, run) : NULL;

	if (agent || machine) {
		tacho__buf_put(text, agent ? agent->text : machine);
		return;
	}
	tacho__buf_printf(text, "type=%s\nvendor=AMD\nname=%s%.*s\n", is_gpu ? "gpu" : "cpu",
			  isdigit((unsigned char)*name) ? "Agent " : "", (int)strcspn(name, "\n"),
			  name);
}

int tacho__amd_device(struct tacho__amd *amd, uint32_t process, uint32_t run, const char *name,
		      bool is_gpu, uint32_t *out_device)
{
	struct tacho__buf text = {0};
	uint32_t handle;
	int rc;

	*out_device = 0;
	rc = *name ? tacho__foreign_text(amd->foreign, name, &handle) : 0;
	if (rc || !*name)
		return rc;
	*out_device = tacho__foreign_find(amd->foreign, process, TACHO_OBJECT_DEVICE, handle);
	if (*out_device)
		return 0;
	describe(amd, run, name, is_gpu, &text);
	rc = tacho__foreign_thing(amd->foreign, process, TACHO_OBJECT_DEVICE, handle, &text,
				  out_device);
	tacho__buf_finish(&text);
	return rc;
}

int tacho__amd_queue(struct tacho__amd *amd, const char *name,
		     struct tacho__foreign_command *command)
{
	const struct tacho__objects *objects = &amd->foreign->objects;
	const struct tacho_object *device =
		command->device ? &objects->all[command->device - 1]->object : NULL;
	struct tacho__buf text = {0};
	uint32_t handle;
	int rc;

	if (!*name)
		return 0;
	tacho__buf_printf(&text, "name=%.*s\n", (int)strcspn(name, "\n"), name);
	if (device)
		tacho__buf_printf(&text, "device=0x%" PRIX64 "\n", device->handle);
	rc = text.failed ? TACHO_E_NOMEM : tacho__foreign_text(amd->foreign, text.text, &handle);
	if (!rc)
		command->queue = tacho__foreign_find(amd->foreign, command->process,
						     TACHO_OBJECT_QUEUE, handle);
	if (!rc && !command->queue)
		rc = tacho__foreign_thing(amd->foreign, command->process, TACHO_OBJECT_QUEUE,
					  handle, &text, &command->queue);
	tacho__buf_finish(&text);
	return rc;
}

/* ---- words ---- */

int tacho__amd_take_direction(struct tacho__amd *amd, const char *direction,
			      struct tacho__foreign_command *command)
{
	static const struct {
		const char *words, *name;
		enum tacho_command_kind kind;
	} directions[] = {
		{"HOST_TO_DEVICE", "copy host to device", TACHO_COMMAND_WRITE},
		{"HOSTTODEVICE", "copy host to device", TACHO_COMMAND_WRITE},
		{"DEVICE_TO_HOST", "copy device to host", TACHO_COMMAND_READ},
		{"DEVICETOHOST", "copy device to host", TACHO_COMMAND_READ},
		{"DEVICE_TO_DEVICE", "copy device to device", TACHO_COMMAND_COPY},
		{"DEVICETODEVICE", "copy device to device", TACHO_COMMAND_COPY},
		{"HOST_TO_HOST", "copy host to host", TACHO_COMMAND_COPY},
		{"", "copy", TACHO_COMMAND_COPY},
	};
	size_t i = 0;

	while (*directions[i].words && !strcasestr(direction, directions[i].words))
		i++;
	command->kind = directions[i].kind;
	return tacho__foreign_text(amd->foreign, directions[i].name, &command->name);
}

static bool cut_tail(char *text, const char *tail)
{
	size_t size = strlen(text), cut = strlen(tail);

	if (size <= cut || strcasecmp(text + size - cut, tail) != 0)
		return false;
	text[size - cut] = '\0';
	return true;
}

int tacho__amd_function(struct tacho__amd *amd, const char *domain, const char *name,
			uint32_t *out_function)
{
	static const char *const tails[] = {"_EXT", "_API",   "_RUNTIME",  "_COMPILER", "_CORE",
					    "_AMD", "_IMAGE", "_FINALIZE", "_DOMAIN"};
	char api[64];
	bool is_cut = true;

	strncpy(api, domain, sizeof(api) - 1);
	api[sizeof(api) - 1] = '\0';
	while (is_cut) {
		is_cut = false;
		for (size_t i = 0; i < TACHO__ARRAY_SIZE(tails); i++)
			is_cut |= cut_tail(api, tails[i]);
	}
	for (char *at = api; *at; at++)
		*at = *at == ' ' ? '_' : (char)tolower((unsigned char)*at);
	return tacho__foreign_function(amd->foreign, api, *name ? name : "(no name)", out_function);
}

bool tacho__amd_is_marker(const char *domain)
{
	return !strncasecmp(domain, "MARKER_", 7);
}

int tacho__amd_add_marker(struct tacho__amd *amd, const char *domain, const char *name,
			  struct tacho__foreign_range *range)
{
	bool is_mark =
		range->has_end && range->end_ns == range->start_ns && !strcasestr(domain, "RANGE");
	int rc = tacho__foreign_text(amd->foreign, name, &range->name);

	/* what is begun and ended by whatever thread has none */
	range->kind = is_mark	      ? TACHO_RANGE_MARK
		      : range->thread ? TACHO_RANGE_NESTED
				      : TACHO_RANGE_PROCESS;
	if (!rc)
		rc = tacho__foreign_text(amd->foreign, "roctx", &range->api);
	return rc ? rc : tacho__foreign_add_range(amd->foreign, range);
}
