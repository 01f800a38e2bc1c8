/* SPDX-License-Identifier: MIT */
/* All packets are of one sequence, whose first one says that nothing was interned before it. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "format/perfetto/perfetto.h"
#include "format/perfetto/fields.h"

enum { SEQUENCE = 1, FLUSH_BYTES = 1 << 16 };

/* Texts that are interned, in all; later ones stand where they are used. */
enum { INTERNED_MAX = 1 << 16, INTERNED_BYTES_MAX = 8 << 20 };

/* Shorter ones take no more room where they are used; longer ones seldom come twice. */
enum { STRING_MIN_BYTES = 6, STRING_MAX_BYTES = 128 };

void tacho__perfetto_flush(struct tacho__perfetto *trace)
{
	fwrite(trace->packets.bytes, 1, trace->packets.size, trace->stream);
	tacho__proto_clear(&trace->packets);
}

void tacho__perfetto_begin(struct tacho__perfetto *trace, uint64_t time_ns)
{
	struct tacho__proto *packets = &trace->packets;

	tacho__proto_begin(packets, PF_TRACE_PACKET);
	if (time_ns)
		tacho__proto_add_unsigned(packets, PF_PACKET_TIMESTAMP, time_ns);
	tacho__proto_add_unsigned(packets, PF_PACKET_SEQUENCE_ID, SEQUENCE);
	tacho__proto_add_unsigned(packets, PF_PACKET_SEQUENCE_FLAGS,
				  trace->has_begun ? PF_SEQUENCE_NEEDS_STATE
						   : PF_SEQUENCE_STATE_CLEARED);
	trace->has_begun = true;
}

void tacho__perfetto_end(struct tacho__perfetto *trace)
{
	struct tacho__proto *interned = &trace->interned;

	if (interned->size)
		tacho__proto_add_bytes(&trace->packets, PF_PACKET_INTERNED_DATA, interned->bytes,
				       interned->size);
	tacho__proto_clear(interned);
	tacho__proto_end(&trace->packets);
	if (trace->packets.size >= FLUSH_BYTES)
		tacho__perfetto_flush(trace);
}

void tacho__perfetto_begin_event(struct tacho__perfetto *trace, uint64_t time_ns, uint32_t type,
				 uint64_t track_uuid)
{
	if (time_ns && (!trace->first_ns || time_ns < trace->first_ns))
		trace->first_ns = time_ns;
	tacho__perfetto_begin(trace, time_ns);
	tacho__proto_begin(&trace->packets, PF_PACKET_TRACK_EVENT);
	tacho__proto_add_unsigned(&trace->packets, PF_EVENT_TYPE, type);
	tacho__proto_add_unsigned(&trace->packets, PF_EVENT_TRACK_UUID, track_uuid);
	trace->note_depth = 0;
	trace->note_fields[0] = PF_EVENT_ANNOTATIONS;
}

void tacho__perfetto_end_event(struct tacho__perfetto *trace)
{
	tacho__proto_end(&trace->packets);
	tacho__perfetto_end(trace);
}

/* NULL: there are too many, or no memory. */
static const struct tacho__perfetto_interned *
add_text(struct tacho__perfetto *trace, enum tacho__perfetto_text kind, const char *text)
{
	static const uint32_t fields[] = {
		[TACHO__PERFETTO_CATEGORY] = PF_INTERNED_CATEGORIES,
		[TACHO__PERFETTO_NAME] = PF_INTERNED_EVENT_NAMES,
		[TACHO__PERFETTO_KEY] = PF_INTERNED_NOTE_NAMES,
		[TACHO__PERFETTO_STRING] = PF_INTERNED_NOTE_STRINGS,
	};
	struct tacho__names *texts = &trace->texts[kind];
	size_t size = strlen(text) + 1;
	struct tacho__perfetto_interned *interned;

	if (texts->count >= INTERNED_MAX || size > INTERNED_BYTES_MAX - trace->text_bytes)
		return NULL;
	interned = tacho__arena_get(&trace->arena, sizeof(*interned));
	if (interned)
		interned->text = tacho__arena_string(&trace->arena, text);
	if (!interned || !interned->text || tacho__names_set(texts, interned->text, interned)) {
		trace->rc = TACHO_E_NOMEM;
		return NULL;
	}
	interned->iid = texts->count;
	trace->text_bytes += size;
	tacho__proto_begin(&trace->interned, fields[kind]);
	tacho__proto_add_unsigned(&trace->interned, PF_INTERNED_IID, interned->iid);
	tacho__proto_add_string(&trace->interned, PF_INTERNED_TEXT, text);
	tacho__proto_end(&trace->interned);
	return interned;
}

static struct tacho__perfetto_recent *get_recent(struct tacho__perfetto *trace,
						 enum tacho__perfetto_text kind, const char *text)
{
	uint64_t mixed = (uint64_t)(uintptr_t)text * UINT64_C(0x9e3779b97f4a7c15);

	return &trace->recent[kind][mixed >> 32 & (TACHO__PERFETTO_RECENT - 1)];
}

/* Of one that was met at this place before; 0: it was not. */
static uint64_t find_recent(struct tacho__perfetto *trace, enum tacho__perfetto_text kind,
			    const char *text)
{
	const struct tacho__perfetto_recent *recent = get_recent(trace, kind, text);

	return recent->place == text && !strcmp(recent->interned->text, text)
		       ? recent->interned->iid
		       : 0;
}

/* The number of a text; 0: there are too many. */
static uint64_t intern(struct tacho__perfetto *trace, enum tacho__perfetto_text kind,
		       const char *text)
{
	const struct tacho__perfetto_interned *interned;
	uint64_t iid = find_recent(trace, kind, text);

	if (iid)
		return iid;
	interned = tacho__names_get(&trace->texts[kind], text);
	if (!interned)
		interned = add_text(trace, kind, text);
	if (!interned)
		return 0;
	*get_recent(trace, kind, text) = (struct tacho__perfetto_recent){text, interned};
	return interned->iid;
}

/* A text as the field of its number, or as the field that holds it. */
static void put_text(struct tacho__perfetto *trace, enum tacho__perfetto_text kind,
		     uint32_t iid_field, uint32_t text_field, const char *text)
{
	uint64_t iid = intern(trace, kind, text);

	if (iid)
		tacho__proto_add_unsigned(&trace->packets, iid_field, iid);
	else
		tacho__proto_add_string(&trace->packets, text_field, text);
}

void tacho__perfetto_name_event(struct tacho__perfetto *trace, const char *category,
				const char *name)
{
	put_text(trace, TACHO__PERFETTO_CATEGORY, PF_EVENT_CATEGORY_IIDS, PF_EVENT_CATEGORIES,
		 category);
	put_text(trace, TACHO__PERFETTO_NAME, PF_EVENT_NAME_IID, PF_EVENT_NAME, name);
}

static void begin_note(struct tacho__perfetto *trace, const char *key)
{
	tacho__proto_begin(&trace->packets, trace->note_fields[trace->note_depth]);
	if (key)
		put_text(trace, TACHO__PERFETTO_KEY, PF_NOTE_NAME_IID, PF_NOTE_NAME, key);
}

void tacho__perfetto_note_unsigned(struct tacho__perfetto *trace, const char *key, uint64_t value)
{
	begin_note(trace, key);
	tacho__proto_add_unsigned(&trace->packets, PF_NOTE_UINT, value);
	tacho__proto_end(&trace->packets);
}

void tacho__perfetto_note_signed(struct tacho__perfetto *trace, const char *key, int64_t value)
{
	begin_note(trace, key);
	tacho__proto_add_signed(&trace->packets, PF_NOTE_INT, value);
	tacho__proto_end(&trace->packets);
}

void tacho__perfetto_note_pointer(struct tacho__perfetto *trace, const char *key, uint64_t value)
{
	begin_note(trace, key);
	tacho__proto_add_unsigned(&trace->packets, PF_NOTE_POINTER, value);
	tacho__proto_end(&trace->packets);
}

void tacho__perfetto_note_real(struct tacho__perfetto *trace, const char *key, double value)
{
	begin_note(trace, key);
	tacho__proto_add_double(&trace->packets, PF_NOTE_DOUBLE, value);
	tacho__proto_end(&trace->packets);
}

void tacho__perfetto_note_bool(struct tacho__perfetto *trace, const char *key, bool value)
{
	begin_note(trace, key);
	tacho__proto_add_unsigned(&trace->packets, PF_NOTE_BOOL, value);
	tacho__proto_end(&trace->packets);
}

/* Addresses hardly come twice and would fill the tables. */
static bool is_worth_interning(const char *text)
{
	size_t size = strlen(text);

	return size >= STRING_MIN_BYTES && size <= STRING_MAX_BYTES && !strstr(text, "0x");
}

static void put_note_text(struct tacho__perfetto *trace, const char *key, const char *text)
{
	uint64_t iid = find_recent(trace, TACHO__PERFETTO_STRING, text);

	begin_note(trace, key);
	if (iid)
		tacho__proto_add_unsigned(&trace->packets, PF_NOTE_STRING_IID, iid);
	else if (is_worth_interning(text))
		put_text(trace, TACHO__PERFETTO_STRING, PF_NOTE_STRING_IID, PF_NOTE_STRING, text);
	else
		tacho__proto_add_string(&trace->packets, PF_NOTE_STRING, text);
	tacho__proto_end(&trace->packets);
}

void tacho__perfetto_note_text(struct tacho__perfetto *trace, const char *key, const char *text)
{
	if (text && *text)
		put_note_text(trace, key, text);
}

static unsigned digit_of(char letter, unsigned none)
{
	if (letter >= '0' && letter <= '9')
		return (unsigned)(letter - '0');
	letter = (char)(letter | 0x20);
	return letter >= 'a' && letter <= 'f' ? (unsigned)(letter - 'a') + 10 : none;
}

/* Reads "1024", "-1" or "0x7F1A2B3C4D50", the whole text: the field it is for, 0 if it is none. */
static uint32_t parse_printed(const char *text, uint64_t *out_value)
{
	bool is_negative = *text == '-', is_hex = text[0] == '0' && text[1] == 'x';
	const char *digits = text + is_negative + (is_hex ? 2 : 0);
	const uint64_t base = is_hex ? 16 : 10, limit = is_hex ? UINT64_MAX / 16 : UINT64_MAX / 10;
	uint64_t value = 0;

	if (!*digits || (!is_hex && *digits == '0' && digits[1]))
		return 0;
	for (; *digits; digits++) {
		unsigned digit = digit_of(*digits, 16);

		if (digit >= base || value > limit || (value == limit && digit > UINT64_MAX % base))
			return 0;
		value = value * base + digit;
	}
	if (is_negative && (value > (uint64_t)INT64_MAX || !value))
		return 0;
	*out_value = is_negative ? (uint64_t) - (int64_t)value : value;
	return is_hex ? PF_NOTE_POINTER : is_negative ? PF_NOTE_INT : PF_NOTE_UINT;
}

void tacho__perfetto_note_printed(struct tacho__perfetto *trace, const char *key, const char *text)
{
	uint64_t value = 0;
	uint32_t field = parse_printed(text, &value);

	if (!field) {
		put_note_text(trace, key, text);
		return;
	}
	begin_note(trace, key);
	tacho__proto_add_unsigned(&trace->packets, field, value);
	tacho__proto_end(&trace->packets);
}

void tacho__perfetto_begin_notes(struct tacho__perfetto *trace, const char *key, bool is_array)
{
	begin_note(trace, key);
	if (trace->note_depth + 1 < TACHO__PROTO_DEPTH_MAX)
		trace->note_depth++;
	trace->note_fields[trace->note_depth] =
		is_array ? PF_NOTE_ARRAY_VALUES : PF_NOTE_DICT_ENTRIES;
}

void tacho__perfetto_end_notes(struct tacho__perfetto *trace)
{
	if (trace->note_depth)
		trace->note_depth--;
	tacho__proto_end(&trace->packets);
}
