/* SPDX-License-Identifier: MIT */
/* Launches that Nsight Compute profiled, as commands: what all forms of its files tell of them. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "format/foreign/cuda_work.h"
#include "format/foreign/ncu.h"

/* ---- devices ---- */

/* A text that is one line. */
static void put_line(struct tacho__buf *text, const char *key, const char *value, size_t size)
{
	tacho__buf_printf(text, "%s=", key);
	for (size_t i = 0; i < size && value[i]; i++)
		tacho__buf_char(text, value[i] == '\n' ? ' ' : value[i]);
	tacho__buf_char(text, '\n');
}

static void put_value(struct tacho__buf *text, const char *key,
		      const struct tacho__ncu_value *value)
{
	if (value->text.bytes)
		put_line(text, key, (const char *)value->text.bytes, value->text.size);
	else if (value->is_whole)
		tacho__buf_printf(text, "%s=%" PRIu64 "\n", key, value->whole);
	else if (value->is_real)
		tacho__buf_printf(text, "%s=%.17g\n", key, value->real);
}

void tacho__ncu_put_attribute(struct tacho__buf *text, const char *name,
			      const struct tacho__ncu_value *value)
{
	static const struct {
		const char *name, *key;
	} known[] = {{TACHO__NCU_DEVICE "display_name", "name"},
		     {TACHO__NCU_DEVICE "multiprocessor_count", "compute_units"},
		     {TACHO__NCU_DEVICE "total_memory", "memory_bytes"}};

	if (!*name || strchr(name, '\n') || strchr(name, '='))
		return;
	put_value(text, name, value);
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (!strcmp(name, known[i].name))
			put_value(text, known[i].key, value);
}

/* The number behind "\nKEY=" of such lines; false: there is none. */
static bool find_number(const char *text, const char *key, uint64_t *out_number)
{
	size_t length = strlen(key);

	for (const char *line = text; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (strncmp(line, key, length) || line[length] != '=')
			continue;
		*out_number = strtoull(line + length + 1, NULL, 10);
		return true;
	}
	return false;
}

/* Facts that are put together of several. */
static void put_joined(struct tacho__buf *text)
{
	const char *facts = tacho__buf_text(text);
	struct tacho__buf joined = {0};
	uint64_t major, minor, domain, bus, device;

	if (find_number(facts, TACHO__NCU_DEVICE "compute_capability_major", &major) &&
	    find_number(facts, TACHO__NCU_DEVICE "compute_capability_minor", &minor))
		tacho__buf_printf(&joined, "compute_capability=%" PRIu64 ".%" PRIu64 "\n", major,
				  minor);
	if (find_number(facts, TACHO__NCU_DEVICE "pci_domain_id", &domain) &&
	    find_number(facts, TACHO__NCU_DEVICE "pci_bus_id", &bus) &&
	    find_number(facts, TACHO__NCU_DEVICE "pci_device_id", &device))
		tacho__buf_printf(&joined, "pci=%04x:%02x:%02x.0\n", (unsigned)domain,
				  (unsigned)bus, (unsigned)device);
	tacho__buf_put(text, tacho__buf_text(&joined));
	text->failed |= joined.failed;
	tacho__buf_finish(&joined);
}

/* ---- what metrics say of their launch ---- */

void tacho__ncu_take_metric(struct tacho__ncu_launch *launch, const char *name, double real)
{
	const struct {
		const char *name;
		uint64_t *value;
		bool *has;
	} known[] = {
		{"launch__registers_per_thread", &launch->registers, &launch->has_registers},
		{"Registers Per Thread", &launch->registers, &launch->has_registers},
		{"launch__shared_mem_per_block_static", &launch->shared_bytes, &launch->has_shared},
		{"Static Shared Memory Per Block", &launch->shared_bytes, &launch->has_shared},
		{"launch__shared_mem_per_block_dynamic", &launch->dynamic_bytes,
		 &launch->has_dynamic},
		{"Dynamic Shared Memory Per Block", &launch->dynamic_bytes, &launch->has_dynamic},
		{"launch__device_id", &launch->device_number, &launch->has_device},
		{"gpu__time_duration.sum", &launch->duration_ns, &launch->has_duration},
		{"Duration", &launch->duration_ns, &launch->has_duration},
	};

	if (!(real >= 0 && real < 9e15))
		return;
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		if (strcmp(name, known[i].name) != 0)
			continue;
		*known[i].value = (uint64_t)(real + 0.5);
		*known[i].has = true;
	}
}

/* ---- its things ---- */

static int find_device(struct tacho__foreign *foreign, struct tacho__ncu_launch *launch)
{
	struct tacho__buf text = {0};
	uint64_t number = launch->device_number;
	int rc;

	tacho__buf_printf(&text, "type=gpu\nvendor=NVIDIA\nnumber=%" PRIu64 "\n", number);
	tacho__buf_put(&text, tacho__buf_text(&launch->device));
	if (!strstr(tacho__buf_text(&text), "\nname="))
		tacho__buf_printf(&text, "name=GPU %" PRIu64 "\n", number);
	put_joined(&text);
	rc = text.failed || launch->device.failed
		     ? TACHO_E_NOMEM
		     : tacho__foreign_thing(foreign, launch->command.process, TACHO_OBJECT_DEVICE,
					    number + 1, &text, &launch->command.device);
	tacho__buf_finish(&text);
	return rc;
}

static int find_kernel(struct tacho__foreign *foreign, struct tacho__ncu_launch *launch)
{
	const struct tacho__foreign_kernel kernel = {
		.process = launch->command.process,
		.name = launch->name,
		.registers = tacho__foreign_fact(launch->has_registers, launch->registers),
		.local_bytes = tacho__foreign_fact(launch->has_shared, launch->shared_bytes),
		.private_bytes = -1};

	return tacho__foreign_kernel(foreign, &kernel, &launch->command.kernel);
}

int tacho__ncu_add_launch(struct tacho__foreign *foreign, struct tacho__ncu_launch *launch)
{
	struct tacho__foreign_command *command = &launch->command;
	int rc = find_device(foreign, launch);

	if (!rc && launch->has_stream)
		rc = tacho__cuda_queue(foreign, command->process, launch->context, launch->stream,
				       launch->device_number, &command->queue);
	if (!rc)
		rc = find_kernel(foreign, launch);
	if (!rc)
		rc = tacho__foreign_text(foreign, "kernel", &command->name);
	if (!rc)
		rc = tacho__foreign_text(foreign,
					 launch->reason ? launch->reason : TACHO__NCU_NO_TIMES,
					 &command->reason);
	if (rc)
		return rc;
	tacho__foreign_set_groups(command, launch->grid, launch->block);
	command->kind = TACHO_COMMAND_KERNEL;
	command->state = TACHO_STATE_ABSENT;
	command->has_duration = launch->has_duration;
	command->duration_ns = launch->duration_ns;
	command->has_extra_local = launch->has_dynamic && launch->dynamic_bytes;
	command->extra_local_bytes = launch->dynamic_bytes;
	return tacho__foreign_add_command(foreign, command);
}
