/* SPDX-License-Identifier: MIT */
/* What the headers of a report's blocks say: texts, processes, devices, who made it. */
#include <inttypes.h>

#include "base/array.h"
#include "base/error.h"
#include "format/foreign/ncu.h"

enum { STRING_BYTES_MAX = 256 * 1024 * 1024, DEVICES_MAX = 1024 };

int tacho__ncu_text(struct tacho__foreign *foreign, const struct tacho__proto_field *field,
		    uint32_t *out_text)
{
	struct tacho__buf text = {0};
	int rc;

	tacho__buf_add(&text, field->bytes ? (const char *)field->bytes : "", field->size);
	rc = text.failed ? TACHO_E_NOMEM
			 : tacho__foreign_text(foreign, tacho__buf_text(&text), out_text);
	tacho__buf_finish(&text);
	return rc;
}

/* Where the texts of a field go: "CUDA Version" and "11.2". */
static int read_pair(struct tacho__ncu_rep *rep, const struct tacho__proto_field *field,
		     const char **out_name, const char **out_value)
{
	struct tacho__proto_reader reader = tacho__proto_open(field);
	struct tacho__proto_field part;
	uint32_t text;

	*out_name = *out_value = "";
	while (tacho__proto_next(&reader, &part) == 1) {
		if (part.wire != TACHO__PROTO_BYTES || part.number > 2)
			continue;
		if (tacho__ncu_text(rep->foreign, &part, &text))
			return TACHO_E_NOMEM;
		*(part.number == 1 ? out_name : out_value) = rep->foreign->texts[text - 1];
	}
	return 0;
}

/* What made the file; of several targets the first. */
static int take_fact(struct tacho__ncu_rep *rep, const struct tacho__proto_field *field)
{
	struct tacho_run *run = &rep->foreign->recording->run;
	const char *name, *value, *kept;
	struct tacho__buf text = {0};
	int rc = read_pair(rep, field, &name, &value);

	if (rc || strcmp(name, "Nsight Compute Target") || rep->has_generator)
		return rc;
	rep->has_generator = true;
	tacho__buf_printf(&text, "Nsight Compute %.*s", (int)strcspn(value, " "), value);
	kept = tacho__buf_keep(&text, &rep->foreign->recording->arena);
	if (!kept)
		return TACHO_E_NOMEM;
	run->generator = kept;
	return 0;
}

static struct tacho__ncu_device *add_device(struct tacho__ncu_rep *rep)
{
	if (rep->device_count == DEVICES_MAX ||
	    tacho__array_reserve(&rep->devices, &rep->device_capacity, rep->device_count,
				 sizeof(*rep->devices)))
		return NULL;
	rep->devices[rep->device_count] = (struct tacho__ncu_device){0};
	return &rep->devices[rep->device_count++];
}

static int take_attribute(struct tacho__ncu_rep *rep, const struct tacho__proto_field *field,
			  struct tacho__buf *text)
{
	struct tacho__proto_reader reader = tacho__proto_open(field);
	struct tacho__proto_field part;
	struct tacho__ncu_value value = {0};
	uint32_t name = 0;
	int rc = 0;

	while (!rc && tacho__proto_next(&reader, &part) == 1) {
		if (part.number == 1 && part.wire == TACHO__PROTO_BYTES)
			rc = tacho__ncu_text(rep->foreign, &part, &name);
		else if (part.number == 2 && part.wire == TACHO__PROTO_BYTES)
			value = tacho__ncu_read_value(&part);
	}
	if (!rc && name)
		tacho__ncu_put_attribute(text, rep->foreign->texts[name - 1], &value);
	return rc;
}

static int take_device(struct tacho__ncu_rep *rep, const struct tacho__proto_field *field)
{
	struct tacho__proto_reader reader = tacho__proto_open(field);
	struct tacho__proto_field part;
	struct tacho__ncu_device *device = add_device(rep);
	int rc = 0;

	if (!device)
		return rep->device_count == DEVICES_MAX ? 0 : TACHO_E_NOMEM;
	while (!rc && tacho__proto_next(&reader, &part) == 1) {
		if (part.number == 1 && part.wire == TACHO__PROTO_VARINT)
			device->number = part.value;
		else if (part.number == 3 && part.wire == TACHO__PROTO_BYTES)
			rc = take_attribute(rep, &part, &device->text);
	}
	return rc || !device->text.failed ? rc : TACHO_E_NOMEM;
}

static int take_session(struct tacho__ncu_rep *rep, const struct tacho__proto_field *field)
{
	struct tacho__proto_reader reader = tacho__proto_open(field);
	struct tacho__proto_field part;
	int rc = 0;

	while (!rc && tacho__proto_next(&reader, &part) == 1) {
		if (part.number == 2 && part.wire == TACHO__PROTO_VARINT && !rep->start_s)
			rep->start_s = part.value;
		else if (part.number == 6 && part.wire == TACHO__PROTO_BYTES)
			rc = take_device(rep, &part);
		else if (part.number == 8 && part.wire == TACHO__PROTO_BYTES)
			rc = take_fact(rep, &part);
	}
	return rc;
}

static int take_strings(struct tacho__ncu_rep *rep, const struct tacho__proto_field *field)
{
	struct tacho__proto_reader reader = tacho__proto_open(field);
	struct tacho__proto_field part;
	int rc = 0;

	rep->string_bytes += field->size;
	if (rep->string_bytes > STRING_BYTES_MAX)
		return tacho__fail(TACHO_E_PARSE,
				   tacho__detail("more than %d bytes of them", STRING_BYTES_MAX),
				   "", "%s has too many texts", rep->path);
	while (!rc && tacho__proto_next(&reader, &part) == 1) {
		if (part.number != 1 || part.wire != TACHO__PROTO_BYTES)
			continue;
		rc = tacho__array_reserve(&rep->strings, &rep->string_capacity, rep->string_count,
					  sizeof(*rep->strings));
		if (!rc)
			rc = tacho__ncu_text(rep->foreign, &part,
					     &rep->strings[rep->string_count++]);
	}
	return rc;
}

static int take_process(struct tacho__ncu_rep *rep, const struct tacho__proto_field *field)
{
	struct tacho__proto_reader reader = tacho__proto_open(field);
	struct tacho__proto_field part;
	uint32_t process, pid = 0, name = 0;
	int rc = 0;

	while (!rc && tacho__proto_next(&reader, &part) == 1) {
		if (part.number == 1 && part.wire == TACHO__PROTO_VARINT)
			pid = (uint32_t)part.value;
		else if (part.number == 3 && part.wire == TACHO__PROTO_BYTES)
			rc = tacho__ncu_text(rep->foreign, &part, &name);
	}
	if (rc || !pid || !name)
		return rc;
	rc = tacho__foreign_process(rep->foreign, rep->file << 32 | pid, pid, &process);
	return rc ? rc
		  : tacho__foreign_name_process(rep->foreign, process,
						rep->foreign->texts[name - 1]);
}

int tacho__ncu_take_header(struct tacho__ncu_rep *rep, const uint8_t *bytes, size_t size,
			   bool is_told, struct tacho__ncu_block *out_block)
{
	struct tacho__proto_reader reader = {bytes, bytes + size};
	struct tacho__ncu_block block = {0};
	struct tacho__proto_field field;
	int rc = 0, more = 1;

	while (!rc && (more = tacho__proto_next(&reader, &field)) == 1) {
		bool is_taken = is_told && field.wire == TACHO__PROTO_BYTES;

		switch (field.number) {
		case 1: block.sources = field.value; break;
		case 2: block.results = field.value; break;
		case 3: rc = is_taken ? take_session(rep, &field) : 0; break;
		case 4: rc = is_taken ? take_strings(rep, &field) : 0; break;
		case 5: block.payload = field.value; break;
		case 6: rc = is_taken ? take_process(rep, &field) : 0; break;
		case 7: block.ranges = field.value; break;
		}
	}
	*out_block = block;
	return more < 0 ? TACHO__NCU_NO_MESSAGE : rc;
}
