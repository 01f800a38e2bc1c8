/* SPDX-License-Identifier: MIT */
/* Launches of a report: a message each, with the values of all metrics. */
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "format/foreign/ncu.h"

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

/* ---- launches ---- */

/* A launch while its message is read. */
struct reading {
	struct tacho__ncu_rep *rep;
	struct tacho__ncu_launch launch;
	uint32_t mangled, function, demangled;
	uint64_t pid;
};

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

static int add_value(struct reading *reading, uint32_t text, double real)
{
	struct tacho__foreign *foreign = reading->rep->foreign;
	struct tacho__foreign_value value = {.process = reading->launch.command.process,
					     .values = reading->launch.command.values,
					     .number = {.f64 = real}};
	int rc = find_counter(reading->rep, text, &value.counter);

	if (!rc && !isfinite(real)) {
		value.state = TACHO_STATE_ABSENT;
		rc = tacho__foreign_text(foreign, "Nsight Compute has no number for it",
					 &value.note);
	}
	return rc ? rc : tacho__foreign_add_value(foreign, &value);
}

static int take_value(struct reading *reading, uint32_t text, const struct tacho__ncu_value *value)
{
	struct tacho__ncu_rep *rep = reading->rep;
	const char *name = rep->foreign->texts[text - 1];

	if (!strncmp(name, TACHO__NCU_DEVICE, strlen(TACHO__NCU_DEVICE))) {
		tacho__ncu_put_attribute(&reading->launch.device, name, value);
		return 0;
	}
	if (value->text.bytes)
		rep->texts++;
	if (!value->is_real)
		return 0;
	tacho__ncu_take_metric(&reading->launch, name, value->real);
	return add_value(reading, text, value->real);
}

/* A metric: its name's place among the texts, its value, perhaps the parts of it. */
static int take_metric(struct reading *reading, const struct tacho__proto_field *field)
{
	struct tacho__proto_reader reader = tacho__proto_open(field);
	struct tacho__ncu_rep *rep = reading->rep;
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
	return take_value(reading, rep->strings[name], &value);
}

static void take_sizes(const struct tacho__proto_field *field, uint64_t *sizes)
{
	struct tacho__proto_reader reader = tacho__proto_open(field);
	struct tacho__proto_field part;

	while (tacho__proto_next(&reader, &part) == 1)
		if (part.number >= 1 && part.number <= 3 && part.wire == TACHO__PROTO_VARINT)
			sizes[part.number - 1] = part.value;
}

static int take_number(struct reading *reading, const struct tacho__proto_field *field)
{
	switch (field->number) {
	case 1: reading->pid = field->value; break;
	case 22: reading->launch.context = field->value; break;
	case 23:
		reading->launch.stream = field->value;
		reading->launch.has_stream = true;
		break;
	}
	return 0;
}

static int take_bytes(struct reading *reading, const struct tacho__proto_field *field)
{
	struct tacho__foreign *foreign = reading->rep->foreign;

	switch (field->number) {
	case 5: return tacho__ncu_text(foreign, field, &reading->mangled);
	case 6: return tacho__ncu_text(foreign, field, &reading->function);
	case 7: return tacho__ncu_text(foreign, field, &reading->demangled);
	case 10: take_sizes(field, reading->launch.grid); break;
	case 11: take_sizes(field, reading->launch.block); break;
	}
	return 0;
}

/* What does not depend on the order of fields, before its metrics are taken. */
static int take_launch(struct reading *reading, const uint8_t *bytes, size_t size)
{
	struct tacho__proto_reader reader = {bytes, bytes + size};
	struct tacho__proto_field field;
	int rc = 0, more = 0;

	while (!rc && (more = tacho__proto_next(&reader, &field)) == 1)
		rc = field.wire == TACHO__PROTO_BYTES	 ? take_bytes(reading, &field)
		     : field.wire == TACHO__PROTO_VARINT ? take_number(reading, &field)
							 : 0;
	return more < 0 ? TACHO__NCU_NO_MESSAGE : rc;
}

static int take_metrics(struct reading *reading, const uint8_t *bytes, size_t size)
{
	struct tacho__proto_reader reader = {bytes, bytes + size};
	struct tacho__proto_field field;
	int rc = 0;

	while (!rc && tacho__proto_next(&reader, &field) == 1)
		if (field.number == 13 && field.wire == TACHO__PROTO_BYTES)
			rc = take_metric(reading, &field);
	return rc;
}

/* Of a launch that does not say what its device is. */
static void take_session_device(struct reading *reading)
{
	const struct tacho__ncu_rep *rep = reading->rep;
	struct tacho__ncu_launch *launch = &reading->launch;

	for (size_t i = 0; i < rep->device_count && !launch->device.size; i++)
		if (rep->devices[i].number == launch->device_number)
			tacho__buf_put(&launch->device, tacho__buf_text(&rep->devices[i].text));
}

int tacho__ncu_take_result(struct tacho__ncu_rep *rep, const uint8_t *bytes, size_t size)
{
	struct reading reading = {.rep = rep};
	struct tacho__ncu_launch *launch = &reading.launch;
	int rc = take_launch(&reading, bytes, size);

	launch->command.values = ++rep->launches;
	if (!rc)
		rc = tacho__foreign_process(rep->foreign, rep->file << 32 | (uint32_t)reading.pid,
					    (uint32_t)reading.pid, &launch->command.process);
	if (!rc)
		rc = take_metrics(&reading, bytes, size);
	launch->name = reading.demangled ? reading.demangled
		       : reading.mangled ? reading.mangled
					 : reading.function;
	take_session_device(&reading);
	if (!rc)
		rc = tacho__ncu_add_launch(rep->foreign, launch);
	tacho__buf_finish(&launch->device);
	return rc;
}
