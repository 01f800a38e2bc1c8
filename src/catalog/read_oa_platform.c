/* SPDX-License-Identifier: MIT */
/*
 * A platform's file of data/intel/oa: docs/intel-oa.md has its form. Words are cut out of the text
 * in place and stay there. The file is tacho's own; what is wrong in it is a defect.
 */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "catalog/arch.h"
#include "catalog/read_oa.h"

struct platform {
	struct tacho__oa_reader *reader;
	uint32_t line;
	/* What is open: a metric has a name, a set has one. */
	struct tacho_entry metric;
	const char *text_key;
	uint32_t low_watermark, high_watermark;
	struct tacho_set set;
	const char **names; /* aliases of the metric, or metrics of the set */
	size_t name_count, name_capacity;
	struct tacho_register *registers, next; /* next: what the lines' registers have in common */
	size_t register_count, register_capacity;
};

static int fail(const struct platform *p, const char *word)
{
	return tacho__fail(TACHO_E_PARSE, tacho__detail("at \"%.60s\"", word),
			   "report this: it is a defect of tacho",
			   "line %u of the built-in sets of %s is wrong", p->line,
			   tacho__arch_public(p->reader->arch)->name);
}

/* Cuts the next word off; "" at the end. */
static char *take(char **at)
{
	char *word = *at, *end = strchr(word, ' ');

	if (end)
		*end = '\0';
	*at = end ? end + 1 : word + strlen(word);
	return word;
}

static int add_names(struct platform *p, char *rest)
{
	int rc = 0;

	while (*rest && !rc) {
		const char *name = take(&rest);

		rc = tacho__array_add(&p->names, &p->name_capacity, &p->name_count, &name,
				      sizeof(name));
	}
	return rc;
}

/* A copy that lives as long as the catalog. */
static void *keep(struct platform *p, const void *from, size_t size)
{
	void *copy = tacho__arena_get(tacho__catalog_arena(p->reader->catalog), size + 1);

	if (copy && size)
		memcpy(copy, from, size);
	return copy;
}

/* "KEY<tab>DESCRIPTION<tab>CAVEAT<tab>BETTER<tab>ADVICE"; what is empty at the end is left out. */
static int take_texts(struct platform *p)
{
	const char *found = tacho__oa_find_text(&p->reader->catalog->texts, p->text_key);
	const char **const fields[] = {&p->metric.description, &p->metric.caveat, &p->metric.better,
				       &p->metric.advice};
	char *at = found ? keep(p, found, strlen(found)) : NULL;

	if (!found)
		return fail(p, p->text_key);
	if (!at)
		return TACHO_E_NOMEM;
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(fields) && at; i++) {
		at = strchr(at, '\t');
		if (!at)
			break;
		*at++ = '\0';
		if (*at != '\t' && *at)
			*fields[i] = at;
	}
	return 0;
}

static int finish_metric(struct platform *p)
{
	struct tacho_entry *metric = &p->metric;
	int rc = take_texts(p);

	if (!rc && p->name_count) {
		metric->aliases = keep(p, p->names, p->name_count * sizeof(*p->names));
		metric->alias_count = p->name_count;
		rc = metric->aliases ? 0 : TACHO_E_NOMEM;
	}
	if (!rc)
		rc = tacho__oa_finish_metric(p->reader, p->line, p->low_watermark,
					     p->high_watermark, metric);
	return rc ? rc : tacho__arch_add_entry(p->reader->arch, metric, TACHO__ADD_NEW);
}

static int finish_set(struct platform *p)
{
	p->set.registers = keep(p, p->registers, p->register_count * sizeof(*p->registers));
	p->set.register_count = p->register_count;
	p->set.is_exclusive = 1;
	if (!p->set.registers)
		return TACHO_E_NOMEM;
	return tacho__arch_add_set(p->reader->arch, &p->set, p->names, p->name_count);
}

static int finish_open(struct platform *p)
{
	int rc = p->metric.name ? finish_metric(p) : p->set.name ? finish_set(p) : 0;

	p->metric = (struct tacho_entry){0};
	p->set = (struct tacho_set){0};
	p->next = (struct tacho_register){0};
	p->low_watermark = p->high_watermark = 0;
	p->name_count = p->register_count = 0;
	return rc;
}

/* A line that begins something; `word` was taken off it. */
static int read_begin(struct platform *p, const char *word, char *rest)
{
	int rc = finish_open(p);

	if (rc || *word == '#')
		return rc;
	if (!strcmp(word, "metric")) {
		p->metric.name = p->text_key = take(&rest);
		p->metric.type = *take(&rest) == 'u' ? TACHO_TYPE_U64 : TACHO_TYPE_F64;
		p->metric.semantic = take(&rest);
		p->metric.unit = rest;
	} else if (!strcmp(word, "set")) {
		p->set.name = take(&rest);
		p->set.guid = rest;
	} else if (!strcmp(word, "counter")) {
		const char *name = take(&rest);
		uint32_t width = (uint32_t)strtoul(take(&rest), NULL, 10);
		const char *unit = take(&rest);

		return tacho__oa_add_raw(p->reader, name, width, unit, rest);
	} else if (!strcmp(word, "variables")) {
		while (*rest && !rc)
			rc = tacho__oa_add_variable(p->reader, take(&rest));
	} else if (!strcmp(word, "source")) {
		p->reader->source = rest;
	} else if (strcmp(word, "platform")) {
		return fail(p, word);
	}
	return rc;
}

static int read_of_metric(struct platform *p, const char *word, char *rest)
{
	const struct {
		const char *word, **field;
	} fields[] = {
		{"=", &p->metric.expression},	 {"title", &p->metric.title},
		{"group", &p->metric.group},	 {"max", &p->metric.maximum},
		{"if", &p->metric.availability}, {"text", &p->text_key},
	};

	for (size_t i = 0; i < TACHO__ARRAY_SIZE(fields); i++) {
		if (!strcmp(word, fields[i].word)) {
			*fields[i].field = rest;
			return 0;
		}
	}
	if (!strcmp(word, "alias"))
		return add_names(p, rest);
	if (strcmp(word, "marks"))
		return fail(p, word);
	p->low_watermark = (uint32_t)strtoul(take(&rest), NULL, 10);
	p->high_watermark = (uint32_t)strtoul(rest, NULL, 10);
	return 0;
}

/* A hexadecimal number in small letters; strtoul() takes a fifth of the time of reading. */
static uint32_t take_hex(char **at)
{
	uint32_t number = 0;

	for (; (**at >= '0' && **at <= '9') || (**at >= 'a' && **at <= 'f'); ++*at)
		number = number << 4 | (uint32_t)(**at <= '9' ? **at - '0' : **at - 'a' + 10);
	return number;
}

/* "w ADDRESS VALUE...": written one after another. */
static int read_writes(struct platform *p, char *rest)
{
	p->next.address = take_hex(&rest);
	while (*rest == ' ') {
		rest++;
		p->next.value = take_hex(&rest);
		if (tacho__array_reserve(&p->registers, &p->register_capacity, p->register_count,
					 sizeof(*p->registers)))
			return TACHO_E_NOMEM;
		p->registers[p->register_count++] = p->next;
	}
	return *rest || !p->next.kind ? fail(p, rest) : 0;
}

static int read_of_set(struct platform *p, const char *word, char *rest)
{
	if (!strcmp(word, "w"))
		return read_writes(p, rest);
	if (!strcmp(word, "has"))
		return add_names(p, rest);
	if (!strcmp(word, "on")) {
		p->next.kind = take(&rest);
		p->next.availability = rest;
	} else if (!strcmp(word, "title")) {
		p->set.title = rest;
	} else {
		return fail(p, word);
	}
	return 0;
}

static int read_line(struct platform *p, char *line)
{
	int is_field = *line == '\t';
	char *rest = line + is_field;
	const char *word = take(&rest);

	if (!is_field)
		return read_begin(p, word, rest);
	if (p->metric.name)
		return read_of_metric(p, word, rest);
	return p->set.name ? read_of_set(p, word, rest) : fail(p, word);
}

int tacho__oa_platform_read(struct tacho__oa_reader *reader, char *text, size_t size)
{
	struct platform p = {.reader = reader};
	char *end;
	int rc = 0;

	for (char *at = text; !rc && (end = memchr(at, '\n', (size_t)(text + size - at)));
	     at = end + 1) {
		*end = '\0';
		p.line++;
		rc = read_line(&p, at);
	}
	if (!rc)
		rc = finish_open(&p);
	free(p.names);
	free(p.registers);
	return rc;
}
