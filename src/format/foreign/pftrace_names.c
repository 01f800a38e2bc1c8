/* SPDX-License-Identifier: MIT */
/* Traces of Perfetto: what packets call by numbers. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "format/foreign/pftrace.h"

enum { SEQUENCES_MAX = 4096, NAMES_MAX = 1 << 16 };

enum { /* InternedData */
       INTERNED_EVENT_NAMES = 2,
       INTERNED_CONTEXTS = 23,
       INTERNED_SPECS = 24,
       INTERNED_KERNELS = 1000,
       INTERNED_ARGUMENTS = 1001
};

struct tacho__pftrace_sequence *tacho__pftrace_sequence(struct tacho__pftrace *trace,
							uint64_t number)
{
	struct tacho__pftrace_sequence *sequence = tacho__map_get(&trace->sequences, number);

	if (sequence)
		return sequence;
	if (trace->sequence_count >= SEQUENCES_MAX) {
		tacho__fail(TACHO_E_PARSE, "more than 4096 sequences of packets", "",
			    "the trace is damaged");
		return NULL;
	}
	sequence = calloc(1, sizeof(*sequence));
	if (!sequence) {
		tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a sequence of packets");
		return NULL;
	}
	if (tacho__map_set(&trace->sequences, number, sequence)) {
		free(sequence);
		return NULL;
	}
	trace->sequence_count++;
	return sequence;
}

void tacho__pftrace_clear(struct tacho__pftrace_sequence *sequence)
{
	for (int i = 0; i < TACHO__PFTRACE_NAMES; i++) {
		tacho__map_finish(&sequence->names[i]);
		sequence->names[i] = (struct tacho__map){0};
	}
	sequence->clock = 0;
}

uintptr_t tacho__pftrace_find(const struct tacho__pftrace_sequence *sequence,
			      enum tacho__pftrace_name kind, uint64_t iid)
{
	return (uintptr_t)tacho__map_get(&sequence->names[kind], iid);
}

void tacho__pftrace_put(struct tacho__buf *text, const struct tacho__proto_field *field)
{
	for (size_t i = 0; i < field->size; i++)
		tacho__buf_char(text, field->bytes[i] >= ' ' ? (char)field->bytes[i] : ' ');
}

static int set(struct tacho__pftrace *trace, struct tacho__pftrace_sequence *sequence,
	       enum tacho__pftrace_name kind, uint64_t iid, uintptr_t value)
{
	if (sequence->names[kind].count >= NAMES_MAX) {
		trace->surplus++;
		return 0;
	}
	return tacho__map_set(&sequence->names[kind], iid, (void *)value);
}

/* Messages with a number and a name, whatever else. */
static int take_name(struct tacho__pftrace *trace, struct tacho__pftrace_sequence *sequence,
		     enum tacho__pftrace_name kind, struct tacho__proto_reader reader)
{
	struct tacho__proto_field field;
	struct tacho__buf text = {0};
	uint64_t iid = 0;
	uint32_t number;
	int rc;

	while (tacho__proto_next(&reader, &field) == 1)
		if (field.number == 1 && field.wire == TACHO__PROTO_VARINT)
			iid = field.value;
		else if (field.number == 2 && field.wire == TACHO__PROTO_BYTES && !text.size)
			tacho__pftrace_put(&text, &field);
	rc = text.failed ? TACHO_E_NOMEM
			 : tacho__foreign_text(trace->foreign, tacho__buf_text(&text), &number);
	tacho__buf_finish(&text);
	return rc ? rc : set(trace, sequence, kind, iid, number);
}

static int take_context(struct tacho__pftrace *trace, struct tacho__pftrace_sequence *sequence,
			struct tacho__proto_reader reader)
{
	struct tacho__proto_field field;
	uint64_t iid = 0, pid = 0;

	while (tacho__proto_next(&reader, &field) == 1)
		if (field.wire == TACHO__PROTO_VARINT && field.number == 1)
			iid = field.value;
		else if (field.wire == TACHO__PROTO_VARINT && field.number == 2)
			pid = (uint32_t)field.value;
	return set(trace, sequence, TACHO__PFTRACE_CONTEXT, iid, (uintptr_t)pid + 1);
}

void tacho__pftrace_take_argument(struct tacho__pftrace *trace,
				  const struct tacho__pftrace_sequence *sequence,
				  struct tacho__proto_reader reader, struct tacho__buf *attributes,
				  bool *has_extra, uint64_t *extra_bytes)
{
	struct tacho__proto_field field;
	struct tacho__buf name = {0};
	bool has_value = false;
	uint64_t value = 0;

	while (tacho__proto_next(&reader, &field) == 1) {
		uintptr_t known = field.number == 1 && field.wire == TACHO__PROTO_VARINT
					  ? tacho__pftrace_find(sequence, TACHO__PFTRACE_ARGUMENT,
								field.value)
					  : 0;

		if (known)
			tacho__buf_put(&name, trace->foreign->texts[known - 1]);
		else if (field.number == 2 && field.wire == TACHO__PROTO_BYTES)
			tacho__pftrace_put(&name, &field);
		else if ((field.number == 3 || field.number == 4) &&
			 field.wire == TACHO__PROTO_VARINT && field.value <= INT64_MAX) {
			value = field.value;
			has_value = true;
		}
	}
	if (has_value && !strcmp(tacho__buf_text(&name), "registers_per_thread"))
		tacho__buf_printf(attributes, "registers=%" PRIu64 "\n", value);
	else if (has_value && !strcmp(tacho__buf_text(&name), "shared_mem_static"))
		tacho__buf_printf(attributes, "local_bytes=%" PRIu64 "\n", value);
	if (has_value && has_extra && !strcmp(tacho__buf_text(&name), "shared_mem_dynamic")) {
		*has_extra = value != 0;
		*extra_bytes = value;
	}
	if (name.failed)
		attributes->failed = true;
	tacho__buf_finish(&name);
}

/* Its name as people write it, else as the linker has it; then its arguments. */
static int take_kernel(struct tacho__pftrace *trace, struct tacho__pftrace_sequence *sequence,
		       struct tacho__proto_reader reader)
{
	struct tacho__proto_field field;
	struct tacho__buf plain = {0}, readable = {0}, arguments = {0}, text = {0};
	uint64_t iid = 0;
	uint32_t number;
	int rc;

	while (tacho__proto_next(&reader, &field) == 1) {
		if (field.number == 1 && field.wire == TACHO__PROTO_VARINT)
			iid = field.value;
		else if (field.wire != TACHO__PROTO_BYTES)
			continue;
		else if (field.number == 2)
			tacho__pftrace_put(&plain, &field);
		else if (field.number == 3)
			tacho__pftrace_put(&readable, &field);
		else if (field.number == 5)
			tacho__pftrace_take_argument(trace, sequence, tacho__proto_open(&field),
						     &arguments, NULL, NULL);
	}
	tacho__buf_printf(&text, "name=%s\n%s", tacho__buf_text(readable.size ? &readable : &plain),
			  tacho__buf_text(&arguments));
	rc = plain.failed || readable.failed || arguments.failed || text.failed
		     ? TACHO_E_NOMEM
		     : tacho__foreign_text(trace->foreign, tacho__buf_text(&text), &number);
	tacho__buf_finish(&plain);
	tacho__buf_finish(&readable);
	tacho__buf_finish(&arguments);
	tacho__buf_finish(&text);
	return rc ? rc : set(trace, sequence, TACHO__PFTRACE_KERNEL, iid, number);
}

/* Names of arguments first: kernels of the same packet use them. */
int tacho__pftrace_take_names(struct tacho__pftrace *trace,
			      struct tacho__pftrace_sequence *sequence,
			      struct tacho__proto_reader reader)
{
	struct tacho__proto_reader again = reader;
	struct tacho__proto_field field;
	int rc = 0;

	while (!rc && tacho__proto_next(&reader, &field) == 1)
		if (field.wire == TACHO__PROTO_BYTES && field.number == INTERNED_ARGUMENTS)
			rc = take_name(trace, sequence, TACHO__PFTRACE_ARGUMENT,
				       tacho__proto_open(&field));
	while (!rc && tacho__proto_next(&again, &field) == 1) {
		if (field.wire != TACHO__PROTO_BYTES)
			continue;
		if (field.number == INTERNED_EVENT_NAMES)
			rc = take_name(trace, sequence, TACHO__PFTRACE_EVENT,
				       tacho__proto_open(&field));
		else if (field.number == INTERNED_SPECS)
			rc = take_name(trace, sequence, TACHO__PFTRACE_SPEC,
				       tacho__proto_open(&field));
		else if (field.number == INTERNED_CONTEXTS)
			rc = take_context(trace, sequence, tacho__proto_open(&field));
		else if (field.number == INTERNED_KERNELS)
			rc = take_kernel(trace, sequence, tacho__proto_open(&field));
	}
	return rc;
}
