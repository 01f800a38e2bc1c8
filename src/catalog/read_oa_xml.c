/* SPDX-License-Identifier: MIT */
/* Metric sets in MDAPI's XML, as Mesa, IGT and gputop ship them. */
#include "catalog/read_oa.h"

#include <ctype.h>
#include <errno.h>
#include <expat.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/buf.h"
#include "base/error.h"

/* Since 2.9 Expat warns of their older names. */
#if XML_MAJOR_VERSION == 2 && XML_MINOR_VERSION < 9
#define XML_GetCurrentLineNumber64   XML_GetCurrentLineNumber
#define XML_GetCurrentColumnNumber64 XML_GetCurrentColumnNumber
#endif

enum { TEXT_MAX = 64 << 20, SET_MAX = 5000, METRIC_MAX = 200000, REGISTER_MAX = 2000000 };
enum { NAME_MAX_SIZE = 120, GUID_SIZE = 36 };

struct reader {
	struct tacho__oa_reader oa; /* .arch while sets are added */
	XML_Parser xml;
	struct tacho__oa_set **sets;
	size_t set_count, set_capacity, metric_count, register_count;
	struct tacho__oa_set *set;	 /* the open one */
	const char *kind, *availability; /* of the open register_config */
	uint32_t config_priority;
	uint32_t *priorities; /* of the registers of the open set */
	size_t priority_capacity;
	const char *version;
	int depth, rc;
};

static uint32_t line_of(const struct reader *r)
{
	return (uint32_t)XML_GetCurrentLineNumber64(r->xml);
}

static void stop(struct reader *r, int rc)
{
	if (rc && !r->rc) {
		r->rc = rc;
		XML_StopParser(r->xml, XML_FALSE);
	}
}

static const char *attribute(const char **attributes, const char *name)
{
	for (size_t i = 0; attributes[i]; i += 2)
		if (!strcmp(attributes[i], name))
			return attributes[i + 1];
	return "";
}

/* A copy in the catalog, runs of blanks made one; "" and an error for no memory. */
static const char *keep(struct reader *r, const char *text)
{
	struct tacho__buf buf = {0};
	const char *kept;
	size_t size;

	if (!*text)
		return "";
	for (const char *at = tacho__oa_word(text, &size); size;
	     at = tacho__oa_word(at + size, &size)) {
		if (buf.size)
			tacho__buf_char(&buf, ' ');
		tacho__buf_add(&buf, at, size);
	}
	kept = buf.failed ? NULL : tacho__catalog_text(r->oa.catalog, "%s", tacho__buf_text(&buf));
	tacho__buf_finish(&buf);
	if (!kept)
		stop(r, TACHO_E_NOMEM);
	return kept ? kept : "";
}

static void mistake(struct reader *r, const char *entry, const char *message, const char *what)
{
	stop(r, tacho__mistake(r->oa.definitions, line_of(r), entry, message, what));
}

/* Names of sets and counters become words in lists and expressions. */
static bool is_name(const char *name)
{
	size_t size = strlen(name);

	for (size_t i = 0; i < size; i++)
		if (!isalnum((unsigned char)name[i]) && name[i] != '_')
			return false;
	return size > 0 && size < NAME_MAX_SIZE;
}

static const char *lower(struct reader *r, const char *text)
{
	char *kept = tacho__arena_string(tacho__catalog_arena(r->oa.catalog), text);

	if (!kept) {
		stop(r, TACHO_E_NOMEM);
		return "";
	}
	for (char *at = kept; *at; at++)
		*at = (char)tolower((unsigned char)*at);
	return kept;
}

static bool is_guid(const char *text)
{
	static const char form[] = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx";

	if (strlen(text) != GUID_SIZE)
		return false;
	for (size_t i = 0; i < GUID_SIZE; i++)
		if (form[i] == 'x' ? !isxdigit((unsigned char)text[i]) : text[i] != '-')
			return false;
	return true;
}

static bool is_known_set(const struct reader *r, const char *arch, const char *name)
{
	for (size_t i = 0; i < r->set_count; i++)
		if (!strcmp(r->sets[i]->set.name, name) && !strcmp(r->sets[i]->arch, arch))
			return true;
	return false;
}

static void begin_set(struct reader *r, const char **attributes)
{
	const char *name = attribute(attributes, "symbol_name");
	const char *chipset = attribute(attributes, "chipset");
	const char *guid = attribute(attributes, "hw_config_guid");
	struct tacho__oa_set *set;

	if (!is_name(name) || !is_name(chipset))
		return mistake(r, name,
			       "a set has a symbol_name and a chipset of letters, digits "
			       "and \"_\"%s",
			       "");
	if (r->set_count == SET_MAX)
		return mistake(r, name, "the file has too many sets; split it%s", "");
	chipset = lower(r, chipset);
	if (is_known_set(r, chipset, name))
		return mistake(r, name, "the set is there twice%s: the first one holds", "");
	set = calloc(1, sizeof(*set));
	if (!set ||
	    tacho__array_add(&r->sets, &r->set_capacity, &r->set_count, &set, sizeof(set))) {
		free(set);
		return stop(r, TACHO_E_NOMEM);
	}
	r->set = set;
	set->line = line_of(r);
	set->arch = chipset;
	set->set.name = keep(r, name);
	set->set.title = keep(r, attribute(attributes, "name"));
	set->set.guid = lower(r, guid);
	if (*guid && !is_guid(guid)) {
		set->set.guid = "";
		mistake(r, name, "its hw_config_guid \"%.60s\" is no GUID", guid);
	}
}

/* 0 for unknown types. */
static bool type_of(const char *text, enum tacho_type *out_type)
{
	static const struct {
		const char *name;
		enum tacho_type type;
	} types[] = {{"uint64", TACHO_TYPE_U64},
		     {"uint32", TACHO_TYPE_U64},
		     {"bool32", TACHO_TYPE_U64},
		     {"float", TACHO_TYPE_F64},
		     {"double", TACHO_TYPE_F64}};

	for (size_t i = 0; i < TACHO__ARRAY_SIZE(types); i++) {
		if (!strcmp(types[i].name, text)) {
			*out_type = types[i].type;
			return true;
		}
	}
	return false;
}

static uint32_t small_number(const char *text)
{
	char *end;
	unsigned long number = strtoul(text, &end, 10);

	return *text && !*end && number < 1000000 ? (uint32_t)number : 0;
}

/* Whether the expressions of a counter can be read; says it when not. */
static bool check(struct reader *r, const struct tacho_entry *entry)
{
	const char *texts[] = {entry->expression, entry->maximum, entry->availability};
	static const char *const names[] = {"equation", "max_equation", "availability"};
	struct tacho_formula_problem problem = {0};

	for (size_t i = 0; i < TACHO__ARRAY_SIZE(texts); i++) {
		int rc = tacho__oa_check(texts[i], &problem);

		if (rc == TACHO_E_NOMEM)
			stop(r, rc);
		else if (rc)
			stop(r, tacho__mistake(r->oa.definitions, line_of(r), entry->name,
					       "%s, column %zu: %s", names[i], problem.column,
					       problem.message));
		if (rc)
			return false;
	}
	return true;
}

static void add_metric(struct reader *r, const struct tacho__oa_metric *info)
{
	struct tacho__arena *arena = tacho__catalog_arena(r->oa.catalog);
	struct tacho__oa_metric *metric = tacho__arena_get(arena, sizeof(*metric));
	struct tacho__oa_set *set = r->set;

	if (!metric || tacho__names_set(&set->by_symbol, info->entry.name, metric) ||
	    tacho__array_add(&set->metrics, &set->metric_capacity, &set->metric_count, &metric,
			     sizeof(metric)))
		return stop(r, TACHO_E_NOMEM);
	*metric = *info;
	r->metric_count++;
}

static void on_counter(struct reader *r, const char **attributes)
{
	struct tacho__oa_metric metric = {.line = line_of(r), .set = r->set->set.name};
	struct tacho_entry *entry = &metric.entry;
	const char *name = attribute(attributes, "symbol_name");
	const char *type = attribute(attributes, "data_type");

	if (!is_name(name))
		return mistake(r, name,
			       "a counter has a symbol_name of letters, digits and \"_\"%s", "");
	if (tacho__names_get(&r->set->by_symbol, name))
		return mistake(r, name, "the counter is there twice in set %s: the first one holds",
			       r->set->set.name);
	if (!type_of(type, &entry->type))
		return mistake(r, name, "data_type is \"%.60s\"; write uint64 or float", type);
	if (!*attribute(attributes, "equation"))
		return mistake(r, name, "the counter has no equation%s", "");
	if (r->metric_count == METRIC_MAX)
		return mistake(r, name, "the file has too many counters; split it%s", "");
	entry->name = keep(r, name);
	entry->title = keep(r, attribute(attributes, "name"));
	entry->description = keep(r, attribute(attributes, "description"));
	entry->unit = keep(r, attribute(attributes, "units"));
	entry->semantic = keep(r, attribute(attributes, "semantic_type"));
	entry->group = keep(r, attribute(attributes, "mdapi_group"));
	entry->expression = keep(r, attribute(attributes, "equation"));
	entry->maximum = keep(r, attribute(attributes, "max_equation"));
	entry->availability = keep(r, attribute(attributes, "availability"));
	metric.low_watermark = small_number(attribute(attributes, "low_watermark"));
	metric.high_watermark = small_number(attribute(attributes, "high_watermark"));
	if (!r->rc && check(r, entry))
		add_metric(r, &metric);
}

/* The kind of registers, as a text that stays; "" for an unknown one. */
static const char *kind_of(const char *type)
{
	static const char *const kinds[] = {"NOA", "OA", "FLEX"};

	for (size_t i = 0; i < TACHO__ARRAY_SIZE(kinds); i++)
		if (!strcmp(kinds[i], type))
			return kinds[i];
	return "";
}

static void begin_config(struct reader *r, const char **attributes)
{
	const char *type = attribute(attributes, "type");
	struct tacho_formula_problem problem = {0};

	r->kind = kind_of(type);
	if (!*r->kind) {
		r->kind = NULL;
		return mistake(r, r->set->set.name,
			       "a register_config has the type \"%.60s\"; NOA, OA and FLEX are "
			       "known",
			       type);
	}
	r->availability = keep(r, attribute(attributes, "availability"));
	r->config_priority = small_number(attribute(attributes, "priority"));
	if (tacho__oa_check(r->availability, &problem)) {
		r->kind = NULL;
		mistake(r, r->set->set.name, "the availability of a register_config: %.300s",
			problem.message);
	}
}

static bool hex_of(const char *text, uint32_t *out_number)
{
	char *end;
	unsigned long long number;

	if (!isxdigit((unsigned char)text[0]))
		return false;
	errno = 0;
	number = strtoull(text, &end, 0);
	*out_number = (uint32_t)number;
	return !*end && !errno && number <= UINT32_MAX;
}

struct ranked {
	struct tacho_register reg;
	uint32_t priority;
	size_t place;
};

static int compare_ranked(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;

	if (x->priority != y->priority)
		return x->priority < y->priority ? -1 : 1;
	return x->place < y->place ? -1 : 1;
}

/* Configurations of one kind that follow each other are programmed in the order of priority. */
static void sort_registers(struct reader *r, struct tacho__oa_set *set)
{
	size_t count = set->register_count, start = 0;
	struct ranked *ranked;

	if (!set->has_priorities)
		return;
	ranked = calloc(count + 1, sizeof(*ranked));
	if (!ranked)
		return stop(r, tacho__fail(TACHO_E_NOMEM, "", "", "no memory to read %s",
					   r->oa.definitions->file));
	for (size_t i = 0; i < count; i++)
		ranked[i] = (struct ranked){set->registers[i], r->priorities[i], i};
	for (size_t i = 1; i <= count; i++) {
		if (i < count && !strcmp(ranked[i].reg.kind, ranked[start].reg.kind))
			continue;
		qsort(ranked + start, i - start, sizeof(*ranked), compare_ranked);
		start = i;
	}
	for (size_t i = 0; i < count; i++)
		set->registers[i] = ranked[i].reg;
	free(ranked);
}

static void on_register(struct reader *r, const char **attributes)
{
	const char *type = attribute(attributes, "type");
	struct tacho__oa_set *set = r->set;
	struct tacho_register new = {.kind = r->kind, .availability = r->availability};

	if (*type && !*kind_of(type))
		return mistake(r, set->set.name,
			       "a register has the type \"%.60s\"; NOA, OA and FLEX are known",
			       type);
	if (*type)
		new.kind = kind_of(type);
	if (!hex_of(attribute(attributes, "address"), &new.address) ||
	    !hex_of(attribute(attributes, "value"), &new.value))
		return mistake(r, set->set.name,
			       "address and value of a register are numbers of 32 bits%s", "");
	if (r->register_count == REGISTER_MAX)
		return mistake(r, set->set.name, "the file has too many registers; split it%s", "");
	if (tacho__array_reserve(&set->registers, &set->register_capacity, set->register_count,
				 sizeof(new)) ||
	    tacho__array_reserve(&r->priorities, &r->priority_capacity, set->register_count,
				 sizeof(*r->priorities)))
		return stop(r, TACHO_E_NOMEM);
	r->priorities[set->register_count] = r->config_priority;
	set->registers[set->register_count++] = new;
	set->has_priorities |= r->config_priority != 0;
	r->register_count++;
}

static void on_start(void *user, const char *element, const char **attributes)
{
	struct reader *r = user;
	int depth = r->depth++;

	if (depth == 0) {
		r->version = keep(r, attribute(attributes, "version"));
		if (strcmp(element, "metrics"))
			stop(r, tacho__fail(TACHO_E_PARSE,
					    tacho__detail("it begins with <%.60s>", element),
					    "give a file of metric sets, which begins with "
					    "<metrics>",
					    "no metric sets in %s", r->oa.definitions->file));
	} else if (depth == 1 && !strcmp(element, "set")) {
		begin_set(r, attributes);
	} else if (depth == 2 && r->set && !strcmp(element, "counter")) {
		on_counter(r, attributes);
	} else if (depth == 2 && r->set && !strcmp(element, "register_config")) {
		begin_config(r, attributes);
	} else if (depth == 3 && r->set && r->kind && !strcmp(element, "register")) {
		on_register(r, attributes);
	}
}

static void on_end(void *user, const char *element)
{
	struct reader *r = user;

	r->depth--;
	if (r->depth == 1) {
		if (r->set && !r->rc)
			sort_registers(r, r->set);
		r->set = NULL;
	}
	if (r->depth == 2)
		r->kind = NULL;
}

/* No file of sets has one, and entities are the way to make a small file endless. */
static void on_doctype(void *user, const char *name, const char *system, const char *public,
		       int has_internal)
{
	struct reader *r = user;

	stop(r,
	     tacho__fail(TACHO_E_PARSE, tacho__detail("it has a DOCTYPE, in line %u", line_of(r)),
			 "take the DOCTYPE out", "%s is not read", r->oa.definitions->file));
}

static int parse(struct reader *r, const char *text, size_t size)
{
	enum XML_Status status;

	r->xml = XML_ParserCreate(NULL);
	if (!r->xml)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory to read %s",
				   r->oa.definitions->file);
	XML_SetUserData(r->xml, r);
	XML_SetElementHandler(r->xml, on_start, on_end);
	XML_SetStartDoctypeDeclHandler(r->xml, on_doctype);
	status = XML_Parse(r->xml, text, (int)size, 1);
	if (!r->rc && status != XML_STATUS_OK)
		r->rc = tacho__fail(TACHO_E_PARSE, XML_ErrorString(XML_GetErrorCode(r->xml)),
				    "correct the file at this place",
				    "malformed XML in %s, line %lu, column %lu",
				    r->oa.definitions->file,
				    (unsigned long)XML_GetCurrentLineNumber64(r->xml),
				    (unsigned long)XML_GetCurrentColumnNumber64(r->xml) + 1);
	XML_ParserFree(r->xml);
	return r->rc;
}

/* The sets of the architecture that the set `first` is of; they are taken out of the list. */
static int add_arch(struct reader *r, struct tacho__oa_set **scratch, size_t first)
{
	const char *name = r->sets[first]->arch;
	struct tacho_arch arch = {.name = name, .api = "oa", .vendor = "Intel", .is_own = 1};
	size_t count = 0;
	int rc;

	arch.source = r->oa.source;
	arch.title = tacho__catalog_text(r->oa.catalog, "Intel %s", name);
	if (!arch.title)
		return TACHO_E_NOMEM;
	for (char *at = (char *)arch.title + 6; *at; at++)
		*at = (char)toupper((unsigned char)*at);
	for (size_t i = first; i < r->set_count; i++) {
		if (r->sets[i] && r->sets[i]->arch && !strcmp(r->sets[i]->arch, name)) {
			scratch[count++] = r->sets[i];
			if (i != first)
				r->sets[i]->arch = NULL;
		}
	}
	rc = tacho__catalog_add_arch(r->oa.catalog, &arch, &r->oa.arch);
	return rc ? rc : tacho__oa_add_sets(&r->oa, scratch, count);
}

static void finish(struct reader *r)
{
	for (size_t i = 0; i < r->set_count; i++) {
		tacho__names_finish(&r->sets[i]->by_symbol);
		free(r->sets[i]->metrics);
		free(r->sets[i]->registers);
		free(r->sets[i]);
	}
	free(r->sets);
	free(r->priorities);
}

/* Behind a byte order mark, comments and <? ?>; NULL when there is no element. */
static const char *first_element(const char *at, const char *end)
{
	if (end - at >= 3 && !memcmp(at, "\xef\xbb\xbf", 3))
		at += 3;
	while (at < end) {
		const char *close = NULL;

		if (isspace((unsigned char)*at)) {
			at++;
			continue;
		}
		if (end - at >= 2 && !memcmp(at, "<?", 2))
			close = memmem(at, (size_t)(end - at), "?>", 2);
		else if (end - at >= 4 && !memcmp(at, "<!--", 4))
			close = memmem(at, (size_t)(end - at), "-->", 3);
		else
			return at;
		if (!close)
			return NULL;
		at = close + (at[1] == '?' ? 2 : 3);
	}
	return NULL;
}

int tacho__oa_xml_is(const char *text, size_t size)
{
	const char *end = text + size, *at = first_element(text, end);
	static const char *const starts[] = {"<metrics", "<!DOCTYPE metrics"};

	for (size_t i = 0; at && i < TACHO__ARRAY_SIZE(starts); i++) {
		size_t start_size = strlen(starts[i]);

		if ((size_t)(end - at) > start_size && !memcmp(at, starts[i], start_size) &&
		    strchr(" \t\r\n>/", at[start_size]))
			return 1;
	}
	return 0;
}

int tacho__oa_xml_read(struct tacho_catalog *catalog, const char *file, const char *text,
		       size_t size)
{
	const struct tacho__definitions definitions = {.catalog = catalog, .file = file};
	struct reader r = {.oa = {.catalog = catalog, .definitions = &definitions}};
	struct tacho__oa_set **scratch = NULL;
	int rc;

	if (size > TEXT_MAX)
		return tacho__fail(TACHO_E_PARSE,
				   tacho__detail("it has %zu bytes, more than %d", size, TEXT_MAX),
				   "split the file", "cannot read %s", file);
	rc = parse(&r, text, size);
	if (!rc && r.set_count) {
		scratch = calloc(r.set_count, sizeof(struct tacho__oa_set *));
		r.oa.source = tacho__catalog_text(catalog, "%s%s%s", file,
						  *r.version ? ", version " : "", r.version);
		if (!scratch || !r.oa.source)
			rc = TACHO_E_NOMEM;
	}
	for (size_t i = 0; i < r.set_count && !rc; i++)
		if (r.sets[i]->arch)
			rc = add_arch(&r, scratch, i);
	free(scratch);
	finish(&r);
	return rc;
}
