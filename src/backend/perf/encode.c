/* SPDX-License-Identifier: MIT */
/* From the terms of an event to the numbers that the kernel wants. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "backend/perf/pmu.h"
#include "base/buf.h"
#include "base/error.h"

enum { TERMS_MAX = 64, NUMBER_SIZE_MAX = 24, NAMES_SHOWN = 12, BYTES_SHOWN = 100 };

struct term {
	const char *name;
	size_t name_size;
	const char *value; /* NULL: a name alone */
	size_t value_size;
};

static bool is_word(const char *word, size_t size, const char *text)
{
	return strlen(text) == size && !memcmp(word, text, size);
}

static bool parse_value(const struct term *term, uint64_t *out_value)
{
	char text[NUMBER_SIZE_MAX], *end;

	if (!term->value_size || term->value_size >= sizeof(text) || *term->value < '0' ||
	    *term->value > '9')
		return false;
	memcpy(text, term->value, term->value_size);
	text[term->value_size] = '\0';
	errno = 0;
	*out_value = strtoull(text, &end, 0);
	return !errno && !*end;
}

/* How much of a text of others is in a message, for %.*s. */
static int shown(size_t size)
{
	return (int)(size < BYTES_SHOWN ? size : BYTES_SHOWN);
}

static int fail_value(const struct tacho__perf_pmu *pmu, const struct term *term)
{
	if (is_word(term->value, term->value_size, "?"))
		return tacho__fail(TACHO_E_INVAL, "the event leaves this number open",
				   tacho__detail("write %s/EVENT,%.*s=NUMBER/", pmu->name,
						 shown(term->name_size), term->name),
				   "%.*s of %s needs a number", shown(term->name_size), term->name,
				   pmu->name);
	return tacho__fail(TACHO_E_PARSE,
			   tacho__detail("it is \"%.*s\"", shown(term->value_size), term->value),
			   "write a decimal number, or a hexadecimal one with 0x before it",
			   "%.*s of %s is no number of 64 bits", shown(term->name_size), term->name,
			   pmu->name);
}

/* Puts a value into the bits of its format, the lowest bits into the first range. */
static int put(const struct tacho__perf_pmu *pmu, const struct tacho__perf_format *format,
	       uint64_t value, struct tacho__perf_code *code)
{
	uint64_t *config = &code->config[format->config], rest = value;
	unsigned total = 0;

	for (unsigned i = 0; i < format->range_count; i++) {
		unsigned low = format->ranges[i].low;
		unsigned bits = format->ranges[i].high - low + 1u;
		uint64_t mask = bits == 64 ? UINT64_MAX : (1ULL << bits) - 1;

		*config = (*config & ~(mask << low)) | ((rest & mask) << low);
		rest = bits == 64 ? 0 : rest >> bits;
		total += bits;
	}
	if (!rest)
		return 0;
	return tacho__fail(TACHO_E_INVAL, tacho__detail("it is 0x%llx", (unsigned long long)value),
			   tacho__detail("give a number of at most %u bits", total),
			   "%s of %s does not fit into its bits", format->name, pmu->name);
}

static int fail_term(const struct tacho__perf_pmu *pmu, const struct term *term)
{
	struct tacho__buf known = {0};
	int rc;

	for (size_t i = 0; i < pmu->format_count && i < NAMES_SHOWN; i++)
		tacho__buf_printf(&known, "%s%s", i ? ", " : "", pmu->formats[i].name);
	rc = tacho__fail(
		TACHO_E_NOTFOUND, "",
		tacho__detail("it has %zu named events; numbers can be given for %s%sconfig",
			      pmu->event_count, tacho__buf_text(&known),
			      pmu->format_count ? ", " : ""),
		"%s has no event or number \"%.*s\"", pmu->name, shown(term->name_size),
		term->name);
	tacho__buf_finish(&known);
	return rc;
}

/* "config" and "config1" to "config3" of any unit: the whole number. */
static int find_config(const struct term *term)
{
	if (is_word(term->name, term->name_size, "config"))
		return 0;
	if (term->name_size == 7 && !memcmp(term->name, "config", 6) && term->name[6] >= '1' &&
	    term->name[6] < '0' + TACHO__PERF_CONFIGS)
		return term->name[6] - '0';
	return -1;
}

static int set_name(const struct term *term, struct tacho__perf_code *code)
{
	if (!term->value_size || term->value_size >= sizeof(code->name))
		return tacho__fail(TACHO_E_PARSE, "", "write name=TEXT with at most 127 characters",
				   "the name of an event is empty or too long");
	memcpy(code->name, term->value, term->value_size);
	code->name[term->value_size] = '\0';
	return 0;
}

static int apply_terms(const struct tacho__perf_pmu *pmu, const char *terms, size_t size,
		       bool is_event, struct tacho__perf_code *code);

static int apply(const struct tacho__perf_pmu *pmu, const struct term *term, bool is_event,
		 struct tacho__perf_code *code)
{
	int config = find_config(term);
	uint64_t value = 1;

	if (term->value && is_word(term->name, term->name_size, "name"))
		return set_name(term, code);
	for (size_t i = 0; !term->value && !is_event && i < pmu->event_count; i++) {
		const struct tacho__perf_event *event = &pmu->events[i];

		if (!is_word(term->name, term->name_size, event->name))
			continue;
		code->event = event;
		return apply_terms(pmu, event->terms, strlen(event->terms), true, code);
	}
	/* what an event leaves open may follow it */
	if (is_event && term->value && is_word(term->value, term->value_size, "?"))
		return 0;
	if (term->value && !parse_value(term, &value))
		return fail_value(pmu, term);
	if (config >= 0 && term->value) {
		code->config[config] = value;
		return 0;
	}
	for (size_t i = 0; i < pmu->format_count; i++)
		if (is_word(term->name, term->name_size, pmu->formats[i].name))
			return put(pmu, &pmu->formats[i], value, code);
	return fail_term(pmu, term);
}

static int apply_terms(const struct tacho__perf_pmu *pmu, const char *terms, size_t size,
		       bool is_event, struct tacho__perf_code *code)
{
	const char *end = terms + size;
	int rc = 0, count = 0;

	while (terms < end && !rc) {
		const char *comma = memchr(terms, ',', (size_t)(end - terms)), *equals;
		struct term term = {.name = terms};

		if (!comma)
			comma = end;
		equals = memchr(terms, '=', (size_t)(comma - terms));
		term.name_size = (size_t)((equals ? equals : comma) - terms);
		if (equals) {
			term.value = equals + 1;
			term.value_size = (size_t)(comma - equals - 1);
		}
		if (!term.name_size || ++count > TERMS_MAX)
			return tacho__fail(TACHO_E_PARSE,
					   tacho__detail("in \"%.*s\" a name is missing, or there "
							 "are more than %d numbers",
							 shown(size), end - size, TERMS_MAX),
					   "write NAME=NUMBER with commas between",
					   "an event of %s is malformed", pmu->name);
		rc = apply(pmu, &term, is_event, code);
		terms = comma < end ? comma + 1 : end;
	}
	return rc;
}

int tacho__perf_encode(const struct tacho__perf_pmu *pmu, const char *terms, size_t size,
		       struct tacho__perf_code *out_code)
{
	struct tacho__perf_code code = {.type = pmu->type};
	const char *open;
	int rc;

	if (!size || terms[size - 1] == ',')
		return tacho__fail(TACHO_E_PARSE, "", "write PMU/EVENT/ or PMU/NAME=NUMBER,.../",
				   "an event of %s is malformed", pmu->name);
	rc = apply_terms(pmu, terms, size, false, &code);
	if (rc)
		return rc;
	/* a number that the event leaves open has to be among the terms */
	open = code.event ? strstr(code.event->terms, "=?") : NULL;
	while (open) {
		const char *start = open;
		struct term term = {.value = "?", .value_size = 1};
		bool has_term = false;

		while (start > code.event->terms && start[-1] != ',')
			start--;
		term.name = start;
		term.name_size = (size_t)(open - start);
		for (const char *at = terms; !has_term && at + term.name_size < terms + size; at++)
			has_term = !memcmp(at, start, term.name_size) &&
				   at[term.name_size] == '=' && (at == terms || at[-1] == ',');
		if (!has_term)
			return fail_value(pmu, &term);
		open = strstr(open + 2, "=?");
	}
	*out_code = code;
	return 0;
}
