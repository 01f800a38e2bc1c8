/* SPDX-License-Identifier: MIT */
#include "record/call_format.h"

#include <inttypes.h>
#include <string.h>

#include "base/utf8.h"
#include "record/calls.h"

enum { STRING_SHOWN = 60 }; /* of session files: longer text is cut */

static void put_mask(struct tacho__buf *buf, const struct tacho__enum *set, uint64_t value)
{
	const struct tacho__constant *whole = tacho__enum_find(set, (int64_t)value);
	const char *separator = "";

	if (whole) { /* some combinations have a name of their own */
		tacho__buf_put(buf, whole->name);
		return;
	}
	for (size_t i = 0; i < set->count; i++) {
		uint64_t bits = (uint64_t)set->constants[i].value;

		if (!bits || (bits & (bits - 1)) || !(value & bits))
			continue;
		tacho__buf_put(buf, separator);
		tacho__buf_put(buf, set->constants[i].name);
		separator = "|";
		value &= ~bits;
	}
	if (value)
		tacho__buf_printf(buf, "%s0x%" PRIX64, separator, value);
	else if (!*separator)
		tacho__buf_char(buf, '0');
}

static void put_constant(struct tacho__buf *buf, const struct tacho__enum *set, int64_t value)
{
	const struct tacho__constant *constant = tacho__enum_find(set, value);

	if (constant)
		tacho__buf_put(buf, constant->name);
	else
		tacho__buf_signed(buf, value);
}

static void put_pointer(struct tacho__buf *buf, uint64_t value)
{
	if (value)
		tacho__buf_hex(buf, value);
	else
		tacho__buf_put(buf, "NULL");
}

static void put_scalar(struct tacho__buf *buf, char kind, const struct tacho__enum *set,
		       uint64_t value)
{
	switch (kind) {
	case 'i': tacho__buf_signed(buf, (int64_t)value); break;
	case 'x': put_pointer(buf, value); break;
	case 'f': tacho__buf_printf(buf, "%.3f", (double)(int64_t)value / 1000); break;
	case 'b':
	case 'e': put_constant(buf, set, (int64_t)value); break;
	case 'm': put_mask(buf, set, value); break;
	default: tacho__buf_unsigned(buf, value); break;
	}
}

static uint64_t take_scalar(const struct tacho__show *show, struct tacho__unpack *unpack,
			    struct tacho__buf *buf)
{
	bool is_signed = show->kind == 'i' || show->kind == 'e' || show->kind == 'f';
	uint64_t value =
		is_signed ? (uint64_t)tacho__unpack_i64(unpack) : tacho__unpack_u64(unpack);

	if (buf && show->kind != TACHO__SHOW_HIDDEN)
		put_scalar(buf, show->kind, show->set, value);
	return value;
}

/* Whether a pointer was NULL, by the number that stands where it was. */
static bool take_null(uint64_t number, struct tacho__buf *buf, struct tacho__value *value)
{
	value->present = number != 0;
	if (!number && buf)
		tacho__buf_put(buf, "NULL");
	return !number;
}

/* Other control characters would break the line they stand in. */
static void put_quoted(struct tacho__buf *buf, const uint8_t *text, uint64_t size, bool cut)
{
	tacho__buf_char(buf, '"');
	for (uint64_t i = 0; i < size; i++) {
		switch (text[i]) {
		case '\n': tacho__buf_put(buf, "\\n"); break;
		case '\r': tacho__buf_put(buf, "\\r"); break;
		case '\t': tacho__buf_put(buf, "\\t"); break;
		case '"': tacho__buf_put(buf, "\\\""); break;
		default:
			if (text[i] < 0x20 || text[i] == 0x7f)
				tacho__buf_printf(buf, "\\x%02x", text[i]);
			else
				tacho__buf_char(buf, (char)text[i]);
		}
	}
	tacho__buf_put(buf, cut ? "...\"" : "\"");
}

static void decode_string(struct tacho__unpack *unpack, struct tacho__buf *buf,
			  struct tacho__value *value)
{
	uint64_t length = tacho__unpack_u64(unpack), kept;
	const uint8_t *text;

	if (take_null(length, buf, value))
		return;
	length--;
	kept = length < TACHO__CALLS_STRING_MAX ? length : TACHO__CALLS_STRING_MAX;
	text = tacho__unpack_bytes(unpack, kept);
	if (buf && text)
		put_quoted(buf, text, tacho__utf8_fit((const char *)text, kept, STRING_SHOWN),
			   length > STRING_SHOWN);
}

static void decode_list(const struct tacho__show *show, struct tacho__unpack *unpack,
			struct tacho__buf *buf, struct tacho__value *value)
{
	uint64_t count = tacho__unpack_u64(unpack), shown;

	if (take_null(count, buf, value))
		return;
	value->count = --count;
	value->product = count != 0;
	shown = tacho__unpack_u64(unpack);
	if (buf)
		tacho__buf_char(buf, '[');
	for (uint64_t i = 0; i < shown && !unpack->bad; i++) {
		uint64_t element;

		if (buf && i)
			tacho__buf_char(buf, ',');
		element = take_scalar(show->inner, unpack, buf);
		if (i < 3)
			value->list[i] = element;
		value->product *= element;
	}
	if (shown < count)
		value->product = 0;
	if (buf)
		tacho__buf_put(buf, shown < count ? (shown ? ",...]" : "...]") : "]");
}

static void decode_output(const struct tacho__show *show, struct tacho__unpack *unpack,
			  struct tacho__buf *buf, struct tacho__value *value)
{
	switch (tacho__unpack_u64(unpack)) {
	case 0:
		if (buf)
			tacho__buf_put(buf, "NULL");
		break;
	case 1:
		if (buf)
			tacho__buf_char(buf, '[');
		value->scalar = take_scalar(show->inner, unpack, buf);
		value->present = true;
		if (buf)
			tacho__buf_char(buf, ']');
		break;
	default: {
		uint64_t pointer = tacho__unpack_u64(unpack);

		if (buf)
			put_pointer(buf, pointer);
	}
	}
}

static void decode_properties(const struct tacho__show *show, struct tacho__unpack *unpack,
			      struct tacho__buf *buf, struct tacho__value *value)
{
	uint64_t count = tacho__unpack_u64(unpack), shown;

	if (take_null(count, buf, value))
		return;
	shown = tacho__unpack_u64(unpack);
	if (buf)
		tacho__buf_char(buf, '[');
	for (uint64_t i = 0; i < shown && !unpack->bad; i++) {
		int64_t key = tacho__unpack_i64(unpack);
		uint64_t number = tacho__unpack_u64(unpack);

		if (!buf)
			continue;
		put_constant(buf, show->set, key);
		tacho__buf_printf(buf, ",0x%" PRIX64 ",", number);
	}
	if (buf)
		tacho__buf_put(buf, shown < count - 1 ? "...]" : "0]");
}

static void decode_structure(const struct tacho__show *show, struct tacho__unpack *unpack,
			     struct tacho__buf *buf, struct tacho__value *value)
{
	if (take_null(tacho__unpack_u64(unpack), buf, value))
		return;
	for (const struct tacho__show *member = show->inner; member; member = member->next) {
		if (buf)
			tacho__buf_char(buf, member == show->inner ? '{' : ',');
		take_scalar(member, unpack, buf);
	}
	if (buf)
		tacho__buf_char(buf, '}');
}

static uint64_t little_endian(const uint8_t *bytes, unsigned width)
{
	uint64_t value = 0;

	for (unsigned i = 0; i < width; i++)
		value |= (uint64_t)bytes[i] << (8 * i);
	return value;
}

static void put_query_values(struct tacho__buf *buf, const struct tacho__value_show *show,
			     const uint8_t *bytes, uint64_t kept, uint64_t size)
{
	uint64_t count = show->list ? kept / show->width : kept >= show->width;

	for (uint64_t i = 0; i < count; i++) {
		uint64_t value = little_endian(bytes + i * show->width, show->width);

		if (i)
			tacho__buf_char(buf, ',');
		if (show->kind == 'e' && show->width == 4) /* constants may be negative */
			value = (uint64_t)(int64_t)(int32_t)value;
		put_scalar(buf, show->kind, show->set, value);
	}
	if (show->list && kept < size)
		tacho__buf_put(buf, ",...");
}

static void decode_query(const struct tacho__show *show, struct tacho__unpack *unpack,
			 const struct tacho__function *function, const struct tacho__value *values,
			 struct tacho__buf *buf, struct tacho__value *value)
{
	uint64_t form = tacho__unpack_u64(unpack), size, kept;
	const struct tacho__constant *query;
	const uint8_t *bytes;

	if (form != 1) {
		uint64_t pointer = form ? tacho__unpack_u64(unpack) : 0;

		if (buf)
			put_pointer(buf, pointer);
		return;
	}
	value->present = true;
	size = tacho__unpack_u64(unpack);
	kept = size < TACHO__CALLS_VALUE_MAX ? size : TACHO__CALLS_VALUE_MAX;
	bytes = tacho__unpack_bytes(unpack, kept);
	if (!buf || !bytes)
		return;
	query = tacho__enum_find(function->arguments[show->argument].show.set,
				 (int64_t)values[show->argument].scalar);
	tacho__buf_char(buf, '[');
	if (!query || !query->show.kind) {
		tacho__buf_printf(buf, "%" PRIu64 " bytes", size);
	} else if (query->show.kind == 's') {
		uint64_t length = strnlen((const char *)bytes, kept);

		put_quoted(buf, bytes, length < STRING_SHOWN ? length : STRING_SHOWN,
			   length > STRING_SHOWN);
	} else {
		put_query_values(buf, &query->show, bytes, kept, size);
	}
	tacho__buf_char(buf, ']');
}

const char *tacho__call_find_name(const struct tacho__show *show, uint64_t value)
{
	const struct tacho__constant *constant =
		tacho__call_has_names(show) ? tacho__enum_find(show->set, (int64_t)value) : NULL;

	return constant ? constant->name : NULL;
}

void tacho__call_decode(const struct tacho__show *show, struct tacho__unpack *unpack,
			const struct tacho__function *function, const struct tacho__value *values,
			struct tacho__buf *buf, struct tacho__value *out_value)
{
	memset(out_value, 0, sizeof(*out_value));
	switch (show->kind) {
	case 's': decode_string(unpack, buf, out_value); break;
	case 'l': decode_list(show, unpack, buf, out_value); break;
	case 'o': decode_output(show, unpack, buf, out_value); break;
	case 'p': decode_properties(show, unpack, buf, out_value); break;
	case 't': decode_structure(show, unpack, buf, out_value); break;
	case 'v': decode_query(show, unpack, function, values, buf, out_value); break;
	default: out_value->scalar = take_scalar(show, unpack, buf); out_value->present = true;
	}
}
