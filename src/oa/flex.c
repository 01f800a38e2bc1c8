/* SPDX-License-Identifier: MIT */
/*
 * Flexible EU events: their encoding and which combinations are supported (facts of
 * IHD-OS-CHV-BSW-Vol 14-06.15; the registers' addresses and bit positions, which it does not have,
 * from Linux gt/intel_gt_regs.h and Intel's metrics-discovery).
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/error.h"
#include "tacho/oa.h"

enum { EVENT_BITS = 12, EVENT_MASK = 0xfff, PART_BITS = 4, PART_MAX = 15 };

enum { FPU0, FPU1, SEND, BOTH, SOME, STALL, THREADS = 8 };
enum { ROW0 = 7, ROW1 = 8 };
enum { HYBRID = 1, TERNARY, BINARY, MOV, START, UNDEFINED, EU0, EU3 = 10 };

static const char *const increments[] = {"fpu0",  "fpu1", "send", "both",   "some",
					 "stall", NULL,	  NULL,	  "threads"};
static const char *const coarses[] = {"none", "vs", "hs", "ds", "gs", "ps", "ts", "row0", "row1"};
static const char *const fines[] = {"none", "hybrid", "ternary", "binary", "mov", "start",
				    NULL,   "eu0",    "eu1",	 "eu2",	   "eu3"};

#define BIT(n) (1u << (n))
#define ROWS   (BIT(ROW0) | BIT(ROW1))
#define EUS    (BIT(EU0) | BIT(8) | BIT(9) | BIT(EU3))

/* The filters that each increment supports, one bit each. */
static const struct support {
	uint32_t coarse, fine;
} supports[] = {
	[FPU0] = {0x1ff, 0x3f | EUS},
	[FPU1] = {0x1ff, 0x3f | EUS},
	[SEND] = {0x1ff, BIT(0) | BIT(START) | BIT(UNDEFINED) | EUS},
	[BOTH] = {BIT(0) | ROWS, BIT(0) | EUS},
	[SOME] = {BIT(0) | ROWS, BIT(0) | BIT(START) | BIT(UNDEFINED) | EUS},
	[STALL] = {BIT(0) | ROWS, BIT(0) | EUS},
	[THREADS] = {BIT(0) | ROWS, BIT(0) | EUS},
};

static const uint32_t addresses[TACHO_OA_FLEX_REGISTERS] = {0xe458, 0xe558, 0xe658, 0xe758,
							    0xe45c, 0xe55c, 0xe65c};

static const char *word_of(const char *const *words, size_t count, uint32_t code)
{
	return code < count && words[code] ? words[code] : "";
}

const char *tacho_oa_flex_increment_to_string(uint32_t increment)
{
	return word_of(increments, TACHO__ARRAY_SIZE(increments), increment);
}

const char *tacho_oa_flex_coarse_to_string(uint32_t coarse)
{
	return word_of(coarses, TACHO__ARRAY_SIZE(coarses), coarse);
}

const char *tacho_oa_flex_fine_to_string(uint32_t fine)
{
	return word_of(fines, TACHO__ARRAY_SIZE(fines), fine);
}

const char *tacho_oa_flex_verdict_to_string(enum tacho_oa_flex_verdict verdict)
{
	static const char *const names[] = {"valid", "implementation-specific", "undefined",
					    "refused"};

	return (size_t)verdict < TACHO__ARRAY_SIZE(names) ? names[verdict] : "";
}

static bool has_bit(uint32_t set, uint32_t bit)
{
	return bit <= PART_MAX && set >> bit & 1;
}

/* Why the combination is refused; "" when it is not. */
static const char *find_fault(const struct tacho_oa_flex *event)
{
	const struct support *support;

	if (!*tacho_oa_flex_increment_to_string(event->increment))
		return "no event has this number on Gen8 to Gen12.0";
	if (!*tacho_oa_flex_coarse_to_string(event->coarse))
		return "no coarse filter has this number";
	if (event->fine != UNDEFINED && !*tacho_oa_flex_fine_to_string(event->fine))
		return "no fine filter has this number";
	support = &supports[event->increment];
	if (!has_bit(support->coarse, event->coarse))
		return "filters of shader stages look at one executing thread; this event is not "
		       "of one thread: only none, row0 and row1 are supported";
	if (has_bit(support->fine, event->fine))
		return "";
	if (event->fine == UNDEFINED)
		return "fine filter 6 is not defined, and not listed for this event";
	if (event->increment == SEND)
		return "sends are of one kind: only none, start and eu0 to eu3 are supported";
	return event->increment == SOME
		       ? "only the fine filters none, start and eu0 to eu3 are supported"
		       : "only the fine filters none and eu0 to eu3 are supported";
}

static const char *find_caveat(const struct tacho_oa_flex *event)
{
	if (event->increment == THREADS)
		return "counts once for every 8 threads loaded in a clock, though an EU of Gen8 "
		       "has 7";
	if (event->fine == HYBRID)
		return "unreliable when a shader has 64-bit immediates";
	return "";
}

void tacho_oa_flex_explain(const struct tacho_oa_flex *event,
			   struct tacho_oa_flex_meaning *out_meaning)
{
	struct tacho_oa_flex_meaning meaning = {.eu_share = 1, .factor = 1};

	if (!event || !out_meaning)
		return;
	meaning.reason = find_fault(event);
	meaning.caveat = find_caveat(event);
	if (*meaning.reason) {
		meaning.verdict = TACHO_OA_FLEX_REFUSED;
	} else if (event->fine == UNDEFINED) {
		meaning.verdict = TACHO_OA_FLEX_UNDEFINED;
		meaning.reason = "fine filter 6 is listed for this event and defined nowhere";
	} else if (event->fine == START && event->increment <= FPU1) {
		meaning.verdict = TACHO_OA_FLEX_IMPLEMENTATION;
		meaning.reason = "starts of sends are no work of an FPU: what this counts depends "
				 "on the GPU";
	}
	/* Two rows of EUs in a subslice, numbered from 0 to 3 in each. */
	if (event->coarse == ROW0 || event->coarse == ROW1)
		meaning.eu_share *= 2;
	if (event->fine >= EU0 && event->fine <= EU3)
		meaning.eu_share *= 4;
	if (event->increment == THREADS)
		meaning.factor = 8;
	*out_meaning = meaning;
}

struct tacho_oa_flex tacho_oa_flex_decode(uint32_t value, unsigned index)
{
	uint32_t bits = value >> (index ? EVENT_BITS : 0);
	struct tacho_oa_flex event = {
		.increment = bits & PART_MAX,
		.coarse = bits >> PART_BITS & PART_MAX,
		.fine = bits >> 2 * PART_BITS & PART_MAX,
	};

	return event;
}

uint32_t tacho_oa_flex_encode(const struct tacho_oa_flex *event, unsigned index, uint32_t value)
{
	unsigned shift = index ? EVENT_BITS : 0;
	uint32_t bits;

	if (!event)
		return 0;
	bits = (event->increment & PART_MAX) | (event->coarse & PART_MAX) << PART_BITS |
	       (event->fine & PART_MAX) << 2 * PART_BITS;
	return (value & ~((uint32_t)EVENT_MASK << shift)) | bits << shift;
}

uint32_t tacho_oa_flex_get_address(unsigned event)
{
	return event < TACHO_OA_FLEX_EVENTS ? addresses[event / 2] : 0;
}

int tacho_oa_flex_find_register(uint32_t address)
{
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(addresses); i++)
		if (addresses[i] == address)
			return (int)i;
	return -1;
}

void tacho_oa_flex_format(const struct tacho_oa_flex *event, char out_text[TACHO_OA_FLEX_TEXT_MAX])
{
	const struct tacho_oa_flex own = event ? *event : (struct tacho_oa_flex){0};
	const struct {
		const char *word;
		uint32_t code;
	} parts[] = {
		{tacho_oa_flex_increment_to_string(own.increment), own.increment},
		{tacho_oa_flex_coarse_to_string(own.coarse), own.coarse},
		{tacho_oa_flex_fine_to_string(own.fine), own.fine},
	};
	size_t size = 0;

	if (!event || !out_text)
		return;
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(parts); i++) {
		char *at = out_text + size;
		size_t room = TACHO_OA_FLEX_TEXT_MAX - size;
		int added;

		/* A filter that passes everything is left out, but for one before another filter.
		 */
		if (i && !parts[i].code && (i == 2 || !own.fine))
			continue;
		if (*parts[i].word)
			added = snprintf(at, room, "%s%s", i ? "/" : "", parts[i].word);
		else
			added = snprintf(at, room, "%s0x%x", i ? "/" : "",
					 parts[i].code & PART_MAX);
		size += (size_t)added;
	}
}

/* The code of a word or number of `size` bytes; -1: it is neither. */
static int find_code(const char *const *words, size_t count, const char *text, size_t size)
{
	char number[8], *end;
	unsigned long code;

	for (size_t i = 0; i < count; i++)
		if (words[i] && strlen(words[i]) == size && !strncasecmp(words[i], text, size))
			return (int)i;
	if (!size || size >= sizeof(number) || text[0] < '0' || text[0] > '9')
		return -1;
	memcpy(number, text, size);
	number[size] = '\0';
	code = strtoul(number, &end, 0);
	return *end || code > PART_MAX ? -1 : (int)code;
}

/* `place` 3: the second and last part, which may be either filter. */
static int fail_part(const char *text, const char *part, size_t size, unsigned place)
{
	static const char *const names[] = {"event", "coarse filter", "fine filter", "filter"};
	static const char *const known[] = {
		"events: fpu0, fpu1, send, both, some, stall, threads",
		"coarse filters: none, vs, hs, ds, gs, ps, ts, row0, row1",
		"fine filters: none, hybrid, ternary, binary, mov, start, eu0 to eu3",
		("filters: none, vs, hs, ds, gs, ps, ts, row0, row1; hybrid, ternary, binary, mov, "
		 "start, eu0 to eu3"),
	};

	return tacho__fail(TACHO_E_PARSE, "", known[place], "\"%.*s\" in \"%s\" is no %s",
			   (int)(size < 64 ? size : 64), part, text, names[place]);
}

int tacho_oa_flex_parse(const char *text, struct tacho_oa_flex *out_event)
{
	uint32_t codes[3] = {0};
	unsigned place = 0;
	const char *part = text;

	if (!text || !out_event)
		return tacho__fail_null(__func__);
	for (;; place++) {
		size_t size = strcspn(part, "/");
		bool is_second = place == 1 && !part[size];
		int code = -1;

		if (place == 0)
			code = find_code(increments, TACHO__ARRAY_SIZE(increments), part, size);
		else if (place == 1)
			code = size ? find_code(coarses, TACHO__ARRAY_SIZE(coarses), part, size)
				    : 0;
		if (is_second && code < 0)
			place = 2;
		if (place == 2)
			code = size ? find_code(fines, TACHO__ARRAY_SIZE(fines), part, size) : 0;
		if (code < 0 && place > 2)
			return tacho__fail(TACHO_E_PARSE, "",
					   "write EVENT/COARSE/FINE: fpu0/ps/ternary",
					   "\"%s\" has more than three parts", text);
		if (code < 0)
			return fail_part(text, part, size, is_second ? 3 : place);
		codes[place] = (uint32_t)code;
		if (!part[size])
			break;
		part += size + 1;
	}
	*out_event = (struct tacho_oa_flex){codes[0], codes[1], codes[2]};
	return 0;
}
