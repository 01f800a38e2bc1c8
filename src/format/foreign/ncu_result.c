/* SPDX-License-Identifier: MIT */
/* Launches of a report: a message each, with the values of all metrics. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "format/foreign/ncu.h"

#define DEVICE_PREFIX "device__attribute_"

/* ---- values ---- */

struct tacho__ncu_value tacho__ncu_read_value(const struct tacho__proto_field *field)
{
	struct tacho__proto_reader reader = tacho__proto_open(field);
	struct tacho__ncu_value value = {0};
	struct tacho__proto_field part;

	while (tacho__proto_next(&reader, &part) == 1) {
		if (part.number == 1 && part.wire == TACHO__PROTO_BYTES)
			value.text = part;
		else if (part.number == 2 || part.number == 3)
			value.is_real = tacho__proto_get_real(&part, &value.real);
		else if ((part.number == 4 || part.number == 5) &&
			 part.wire == TACHO__PROTO_VARINT) {
			value.is_real = value.is_whole = true;
			value.whole = part.value;
			value.real = (double)part.value;
		}
	}
	return value;
}

/* ---- devices ---- */

/* A text that is one line. */
static void put_line(struct tacho__buf *text, const char *key, const char *value, size_t size)
{
	tacho__buf_printf(text, "%s=", key);
	for (size_t i = 0; i < size && value[i]; i++)
		tacho__buf_char(text, value[i] == '\n' ? ' ' : value[i]);
	tacho__buf_char(text, '\n');
}

void tacho__ncu_put_attribute(struct tacho__buf *text, const char *name,
			      const struct tacho__ncu_value *value)
{
	static const struct {
		const char *name, *key;
	} known[] = {{DEVICE_PREFIX "display_name", "name"},
		     {DEVICE_PREFIX "multiprocessor_count", "compute_units"},
		     {DEVICE_PREFIX "total_memory", "memory_bytes"}};

	if (!*name || strchr(name, '\n') || strchr(name, '='))
		return;
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (!strcmp(name, known[i].name))
			name = known[i].key;
	if (value->text.bytes)
		put_line(text, name, (const char *)value->text.bytes, value->text.size);
	else if (value->is_whole)
		tacho__buf_printf(text, "%s=%" PRIu64 "\n", name, value->whole);
	else if (value->is_real)
		tacho__buf_printf(text, "%s=%.17g\n", name, value->real);
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

	if (find_number(facts, DEVICE_PREFIX "compute_capability_major", &major) &&
	    find_number(facts, DEVICE_PREFIX "compute_capability_minor", &minor))
		tacho__buf_printf(&joined, "compute_capability=%" PRIu64 ".%" PRIu64 "\n", major,
				  minor);
	if (find_number(facts, DEVICE_PREFIX "pci_domain_id", &domain) &&
	    find_number(facts, DEVICE_PREFIX "pci_bus_id", &bus) &&
	    find_number(facts, DEVICE_PREFIX "pci_device_id", &device))
		tacho__buf_printf(&joined, "pci=%04x:%02x:%02x.0\n", (unsigned)domain,
				  (unsigned)bus, (unsigned)device);
	tacho__buf_put(text, tacho__buf_text(&joined));
	text->failed |= joined.failed;
	tacho__buf_finish(&joined);
}

/* ---- launches ---- */

/* What a launch is known by, while its message is read. */
struct launch {
	struct tacho__ncu_rep *rep;
	struct tacho__foreign_command command;
	struct tacho__buf device; /* lines about it */
	uint32_t mangled, function, demangled;
	uint64_t pid, context, stream, device_number;
	uint64_t grid[3], block[3];
	uint64_t registers, shared_bytes, dynamic_bytes;
	bool has_device, has_registers, has_shared, has_dynamic, has_stream;
};

/* Launches tell these as metrics, too, which say more about it. */
static void take_launch_metric(struct launch *launch, const char *name, uint64_t whole)
{
	const struct {
		const char *name;
		uint64_t *value;
		bool *has;
	} known[] = {
		{"launch__registers_per_thread", &launch->registers, &launch->has_registers},
		{"launch__shared_mem_per_block_static", &launch->shared_bytes, &launch->has_shared},
		{"launch__shared_mem_per_block_dynamic", &launch->dynamic_bytes,
		 &launch->has_dynamic},
		{"launch__device_id", &launch->device_number, &launch->has_device},
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		if (strcmp(name, known[i].name) != 0)
			continue;
		*known[i].value = whole;
		*known[i].has = true;
	}
}

static int find_counter(struct tacho__ncu_rep *rep, uint32_t text, uint32_t *out_counter)
{
	const char *name = rep->foreign->texts[text - 1];
	char unit[TACHO__NCU_UNIT_MAX];
	int rc;

	*out_counter = (uint32_t)(uintptr_t)tacho__map_get(&rep->counters, text);
	if (*out_counter)
		return 0;
	tacho__ncu_unit(name, unit);
	rc = tacho__foreign_counter(rep->foreign, name, unit, TACHO_TYPE_F64, out_counter);
	return rc ? rc : tacho__map_set(&rep->counters, text, (void *)(uintptr_t)*out_counter);
}

static int add_value(struct launch *launch, uint32_t text, double real)
{
	struct tacho__foreign *foreign = launch->rep->foreign;
	struct tacho__foreign_value value = {.process = launch->command.process,
					     .values = launch->command.values,
					     .number = {.f64 = real}};
	int rc = find_counter(launch->rep, text, &value.counter);

	if (!rc && !isfinite(real)) {
		value.state = TACHO_STATE_ABSENT;
		rc = tacho__foreign_text(foreign, "Nsight Compute has no number for it",
					 &value.note);
	}
	return rc ? rc : tacho__foreign_add_value(foreign, &value);
}

static int take_value(struct launch *launch, uint32_t text, const struct tacho__ncu_value *value)
{
	struct tacho__ncu_rep *rep = launch->rep;
	const char *name = rep->foreign->texts[text - 1];

	if (!strncmp(name, DEVICE_PREFIX, strlen(DEVICE_PREFIX))) {
		tacho__ncu_put_attribute(&launch->device, name, value);
		return 0;
	}
	if (value->text.bytes)
		rep->texts++;
	if (!value->is_real)
		return 0;
	if (value->real >= 0 && value->real < 9e15)
		take_launch_metric(launch, name, (uint64_t)value->real);
	if (!strcmp(name, "gpu__time_duration.sum") && value->real >= 0 && value->real < 9e18) {
		launch->command.has_duration = 1;
		launch->command.duration_ns = (uint64_t)(value->real + 0.5);
	}
	return add_value(launch, text, value->real);
}

/* A metric: its name's place among the texts, its value, perhaps the parts of it. */
static int take_metric(struct launch *launch, const struct tacho__proto_field *field)
{
	struct tacho__proto_reader reader = tacho__proto_open(field);
	struct tacho__ncu_rep *rep = launch->rep;
	struct tacho__ncu_value value = {0};
	struct tacho__proto_field part;
	uint64_t name = UINT64_MAX;
	bool has_parts = false;

	while (tacho__proto_next(&reader, &part) == 1) {
		if (part.number == 1 && part.wire == TACHO__PROTO_VARINT)
			name = part.value;
		else if (part.number == 2 && part.wire == TACHO__PROTO_BYTES)
			value = tacho__ncu_read_value(&part);
		has_parts |= part.number == 3;
	}
	rep->instances += has_parts;
	if (name >= rep->string_count || !*rep->foreign->texts[rep->strings[name] - 1]) {
		rep->unnamed++;
		return 0;
	}
	return take_value(launch, rep->strings[name], &value);
}

static void take_sizes(const struct tacho__proto_field *field, uint64_t *sizes)
{
	struct tacho__proto_reader reader = tacho__proto_open(field);
	struct tacho__proto_field part;

	while (tacho__proto_next(&reader, &part) == 1)
		if (part.number >= 1 && part.number <= 3 && part.wire == TACHO__PROTO_VARINT)
			sizes[part.number - 1] = part.value;
}

static int take_number(struct launch *launch, const struct tacho__proto_field *field)
{
	switch (field->number) {
	case 1: launch->pid = field->value; break;
	case 22: launch->context = field->value; break;
	case 23:
		launch->stream = field->value;
		launch->has_stream = true;
		break;
	}
	return 0;
}

static int take_bytes(struct launch *launch, const struct tacho__proto_field *field)
{
	struct tacho__foreign *foreign = launch->rep->foreign;

	switch (field->number) {
	case 5: return tacho__ncu_text(foreign, field, &launch->mangled);
	case 6: return tacho__ncu_text(foreign, field, &launch->function);
	case 7: return tacho__ncu_text(foreign, field, &launch->demangled);
	case 10: take_sizes(field, launch->grid); break;
	case 11: take_sizes(field, launch->block); break;
	}
	return 0;
}

/* What does not depend on the order of fields, before its metrics are taken. */
static int take_launch(struct launch *launch, const uint8_t *bytes, size_t size)
{
	struct tacho__proto_reader reader = {bytes, bytes + size};
	struct tacho__proto_field field;
	int rc = 0, more = 0;

	while (!rc && (more = tacho__proto_next(&reader, &field)) == 1)
		rc = field.wire == TACHO__PROTO_BYTES	 ? take_bytes(launch, &field)
		     : field.wire == TACHO__PROTO_VARINT ? take_number(launch, &field)
							 : 0;
	return more < 0 ? TACHO__NCU_NO_MESSAGE : rc;
}

static int take_metrics(struct launch *launch, const uint8_t *bytes, size_t size)
{
	struct tacho__proto_reader reader = {bytes, bytes + size};
	struct tacho__proto_field field;
	int rc = 0;

	while (!rc && tacho__proto_next(&reader, &field) == 1)
		if (field.number == 13 && field.wire == TACHO__PROTO_BYTES)
			rc = take_metric(launch, &field);
	return rc;
}

/* ---- its things ---- */

static int find_device(struct launch *launch)
{
	struct tacho__ncu_rep *rep = launch->rep;
	struct tacho__buf text = {0};
	uint64_t number = launch->device_number;
	int rc;

	tacho__buf_printf(&text, "type=gpu\nvendor=NVIDIA\nnumber=%" PRIu64 "\n", number);
	tacho__buf_put(&text, tacho__buf_text(&launch->device));
	for (size_t i = 0; i < rep->device_count && !launch->device.size; i++)
		if (rep->devices[i].number == number)
			tacho__buf_put(&text, tacho__buf_text(&rep->devices[i].text));
	if (!strstr(tacho__buf_text(&text), "\nname="))
		tacho__buf_printf(&text, "name=GPU %" PRIu64 "\n", number);
	put_joined(&text);
	rc = text.failed || launch->device.failed
		     ? TACHO_E_NOMEM
		     : tacho__foreign_thing(rep->foreign, launch->command.process,
					    TACHO_OBJECT_DEVICE, number + 1, &text,
					    &launch->command.device);
	tacho__buf_finish(&text);
	return rc;
}

static int find_queue(struct launch *launch)
{
	struct tacho__foreign *foreign = launch->rep->foreign;
	uint64_t context = launch->context + 1;
	struct tacho__buf text = {0};
	uint32_t thing;
	int rc;

	tacho__buf_printf(&text, "number=%" PRIu64 "\n", launch->context);
	rc = tacho__foreign_thing(foreign, launch->command.process, TACHO_OBJECT_CONTEXT, context,
				  &text, &thing);
	tacho__buf_clear(&text);
	tacho__buf_printf(&text,
			  "number=%" PRIu64 "\nname=stream %" PRIu64 "\ncontext=0x%" PRIX64
			  "\ndevice=0x%" PRIX64 "\n",
			  launch->stream, launch->stream, context, launch->device_number + 1);
	if (!rc)
		rc = tacho__foreign_thing(foreign, launch->command.process, TACHO_OBJECT_QUEUE,
					  context << 32 | ((launch->stream + 1) & UINT32_MAX),
					  &text, &launch->command.queue);
	tacho__buf_finish(&text);
	return rc;
}

/* Kernels of one name that were compiled in several ways are several. */
static int find_kernel(struct launch *launch)
{
	struct tacho__foreign *foreign = launch->rep->foreign;
	uint32_t name = launch->demangled ? launch->demangled
			: launch->mangled ? launch->mangled
					  : launch->function;
	const char *known = name ? foreign->texts[name - 1] : "(no name)";
	struct tacho__buf text = {0};
	uint32_t number = 0;
	int rc;

	put_line(&text, "name", known, strlen(known));
	if (launch->has_registers)
		tacho__buf_printf(&text, "registers=%" PRIu64 "\n", launch->registers);
	if (launch->has_shared)
		tacho__buf_printf(&text, "local_bytes=%" PRIu64 "\n", launch->shared_bytes);
	rc = text.failed ? TACHO_E_NOMEM : tacho__foreign_text(foreign, text.text, &number);
	if (!rc)
		rc = tacho__foreign_thing(foreign, launch->command.process, TACHO_OBJECT_KERNEL,
					  number, &text, &launch->command.kernel);
	tacho__buf_finish(&text);
	return rc;
}

/* Of a launch whose size the file does not have, or that cannot be, nothing is told. */
static void put_sizes(struct launch *launch)
{
	struct tacho__foreign_command *command = &launch->command;

	for (int i = 0; i < 3; i++) {
		if (!launch->grid[i] || !launch->block[i] ||
		    __builtin_mul_overflow(launch->grid[i], launch->block[i], &command->global[i]))
			return;
		command->local[i] = launch->block[i];
	}
	command->dimensions = 3;
	command->has_local = 1;
	while (command->dimensions > 1 && command->global[command->dimensions - 1] == 1)
		command->dimensions--;
}

static int add_launch(struct launch *launch)
{
	struct tacho__foreign *foreign = launch->rep->foreign;
	struct tacho__foreign_command *command = &launch->command;
	int rc = find_device(launch);

	if (!rc && launch->has_stream)
		rc = find_queue(launch);
	if (!rc)
		rc = find_kernel(launch);
	if (!rc)
		rc = tacho__foreign_text(foreign, "kernel", &command->name);
	if (!rc)
		rc = tacho__foreign_text(foreign, TACHO__NCU_NO_TIMES, &command->reason);
	if (rc)
		return rc;
	put_sizes(launch);
	command->kind = TACHO_COMMAND_KERNEL;
	command->state = TACHO_STATE_ABSENT;
	command->has_extra_local = launch->has_dynamic && launch->dynamic_bytes;
	command->extra_local_bytes = launch->dynamic_bytes;
	return tacho__foreign_add_command(foreign, command);
}

int tacho__ncu_take_result(struct tacho__ncu_rep *rep, const uint8_t *bytes, size_t size)
{
	struct launch launch = {.rep = rep};
	int rc = take_launch(&launch, bytes, size);

	launch.command.values = ++rep->launches;
	if (!rc)
		rc = tacho__foreign_process(rep->foreign, rep->file << 32 | (uint32_t)launch.pid,
					    (uint32_t)launch.pid, &launch.command.process);
	if (!rc)
		rc = take_metrics(&launch, bytes, size);
	if (!rc)
		rc = add_launch(&launch);
	tacho__buf_finish(&launch.device);
	return rc;
}
