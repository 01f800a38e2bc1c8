/* SPDX-License-Identifier: MIT */
/* Lists of counters as people write them become configs. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/nearest.h"
#include "base/options.h"
#include "base/pattern.h"
#include "catalog/arch.h"
#include "catalog/library.h"
#include "model/result.h"
#include "plan/config.h"
#include "plan/counter_list.h"
#include "plan/words.h"

struct parser {
	struct tacho_config_options options;
	struct tacho_config *config;
	const struct tacho_arch *measured;     /* what the values name; NULL: there are none */
	const struct tacho_arch *arch;	       /* of the options, else of what is there besides */
	const struct tacho_entry **candidates; /* what patterns can mean; outside of the arena */
	size_t candidate_count, candidate_capacity;
	struct tacho_config_problem problem;
};

/* A word without its options. */
struct name {
	const char *text;
	struct tacho_config_entry wanted; /* what the options come to */
};

/* ---- what names can mean ---- */

static int add_measured(struct tacho__arch *arch, const char *name, enum tacho_entry_kind kind)
{
	const struct tacho_entry entry = {.name = name,
					  .kind = kind,
					  .type = TACHO_TYPE_F64,
					  .expression = kind == TACHO_ENTRY_METRIC ? name : ""};

	if (tacho__arch_get_exact(tacho__arch_public(arch), name))
		return 0;
	return tacho__arch_add_entry(arch, &entry, TACHO__ADD_NEW);
}

/* The values, or nothing but what every architecture has of commands, as an architecture. */
static int make_arch(struct parser *parser)
{
	const struct tacho_result *values = parser->options.values;
	const struct tacho_arch info = {.name = values ? "the file" : "a command", .api = ""};
	struct tacho__arch *arch;
	int rc = tacho__catalog_create(&parser->config->catalog);

	if (!rc)
		rc = tacho__catalog_add_arch(parser->config->catalog, &info, &arch);
	for (size_t i = 0; values && i < values->expression_count && !rc; i++)
		rc = add_measured(arch, values->expressions[i].name, TACHO_ENTRY_METRIC);
	for (size_t i = 0; values && i < values->column_count && !rc; i++)
		rc = add_measured(arch, values->columns[i].name, TACHO_ENTRY_COUNTER);
	for (size_t i = 0; values && i < values->constant_count && !rc; i++)
		rc = add_measured(arch, values->constants[i].name, TACHO_ENTRY_CONSTANT);
	if (rc)
		return rc;
	if (values)
		parser->measured = tacho__arch_public(arch);
	if (!parser->arch)
		parser->arch = tacho__arch_public(arch);
	return 0;
}

/* There is a way to a number: a device counts it, or a formula is known. */
static bool is_countable(const struct tacho_entry *entry)
{
	return entry->kind == TACHO_ENTRY_COUNTER ||
	       (entry->kind == TACHO_ENTRY_METRIC && *entry->expression);
}

static int add_candidate(struct parser *parser, const struct tacho_entry *entry)
{
	if (!is_countable(entry))
		return 0;
	return tacho__array_add(&parser->candidates, &parser->candidate_capacity,
				&parser->candidate_count, &entry, sizeof(entry));
}

static int list_candidates(struct parser *parser)
{
	const struct tacho_set *set = parser->options.set;
	const struct tacho_entry *entry;
	int rc = 0;

	for (size_t i = 0; set && i < set->entry_count && !rc; i++)
		rc = add_candidate(parser, set->entries[i]);
	for (size_t i = 0; !set && !rc && (entry = tacho_arch_get_entry(parser->arch, i)); i++)
		rc = add_candidate(parser, entry);
	if (parser->options.has_launches ||
	    (!tacho_arch_get_entry(parser->arch, 0) && !parser->measured))
		for (size_t i = 0; !rc && (entry = tacho_command_get_entry(i)); i++)
			rc = add_candidate(parser, entry);
	return rc;
}

/* In a set its own name of an entry: "GtiReadThroughput" of "RenderBasic.GtiReadThroughput". */
static const char *get_symbol(const struct parser *parser, const struct tacho_entry *entry)
{
	const char *point = parser->options.set ? strrchr(entry->name, '.') : NULL;

	return point ? point + 1 : entry->name;
}

static const struct tacho_entry *find(const struct parser *parser, const char *name)
{
	const struct tacho_entry *entry =
		parser->measured ? tacho__arch_get_exact(parser->measured, name) : NULL;

	for (size_t i = 0; parser->options.set && i < parser->candidate_count && !entry; i++)
		if (!strcasecmp(get_symbol(parser, parser->candidates[i]), name))
			entry = parser->candidates[i];
	return entry ? entry : tacho_arch_find_entry(parser->arch, name);
}

/* ---- what is wrong ---- */

static int fail_set(const struct parser *parser, const char *name)
{
	const void *names[TACHO__HINT_COUNT];
	unsigned scores[TACHO__HINT_COUNT];
	struct tacho__nearest nearest = {names, scores, TACHO__HINT_COUNT, 0};
	const struct tacho_set *set;

	for (size_t i = 0; (set = tacho_arch_get_set(parser->arch, i)); i++)
		tacho__nearest_offer(&nearest, set->name, tacho_nearest_score(name, set->name));
	return tacho__fail(TACHO_E_NOTFOUND, nearest.used ? "" : "it has no sets",
			   tacho__nearest_describe(&nearest), "%s has no set \"%s\"",
			   parser->arch->name, name);
}

/* What is wrong with how it is written; "" when it is simply not known. */
static const char *explain(const struct parser *parser, const char *name)
{
	const char *colon = strrchr(name, ':');

	if (strpbrk(name, TACHO__BLANKS))
		return "names have commas between them, not blanks";
	if (colon && find(parser, tacho__detail("%.*s", (int)(colon - name), name)))
		return "behind a name and a colon stand \"instances\", \"serialized\" or "
		       "\"pipelined\"";
	return tacho__arch_explain_missing(parser->arch, name);
}

/* What any device may have is called by the device's own name, where that is known. */
static const char *get_arch_name(const struct tacho_arch *arch)
{
	return strcmp(arch->name, "any") ? arch->name : arch->title;
}

static int fail_unknown(const struct parser *parser, const char *name)
{
	const struct tacho_set *set = parser->options.set;
	const void *symbols[TACHO__HINT_COUNT];
	unsigned scores[TACHO__HINT_COUNT];
	struct tacho__nearest nearest = {symbols, scores, TACHO__HINT_COUNT, 0};
	const struct tacho_entry *entry;
	int rc = tacho_arch_resolve_entry(parser->arch, name, &entry);

	if (rc == TACHO_E_UNSUPPORTED || rc == TACHO_E_NOMEM)
		return rc;
	for (size_t i = 0; set && i < parser->candidate_count; i++) {
		const char *symbol = get_symbol(parser, parser->candidates[i]);

		tacho__nearest_offer(&nearest, symbol, tacho_nearest_score(name, symbol));
	}
	return tacho__fail(TACHO_E_NOTFOUND, explain(parser, name),
			   set ? tacho__nearest_describe(&nearest)
			       : tacho__arch_describe_nearest(parser->arch, name),
			   "%s has no counter, metric or set \"%s\"",
			   set ? set->name : get_arch_name(parser->arch), name);
}

/* Of what is known elsewhere, but not counted by the set; and of names that the grammar makes. */
static int fail_elsewhere(const struct parser *parser, const struct tacho_entry *entry,
			  const char *name)
{
	const struct tacho_config_options *options = &parser->options;
	bool is_made = tacho__arch_get_exact(parser->arch, entry->name) != entry;

	return tacho__fail(
		TACHO_E_NOTFOUND,
		is_made ? "rollups and peaks are for what is being counted; here are the values "
			  "that the set has"
			: tacho__detail("set %s does not program what it counts",
					options->set->name),
		tacho__detail("see what the set has: tacho info %s --arch %s", options->set->name,
			      options->arch->name),
		"%s cannot be worked out from what set %s counts", name, options->set->name);
}

/* ---- entries ---- */

/* What brings it leaves out what cannot be counted. */
static int add_fitting(struct parser *parser, const struct name *name,
		       const struct tacho_entry *entry)
{
	struct tacho_config_entry wanted = name->wanted;
	int rc;

	wanted.is_from_pattern = 1;
	rc = tacho__config_add(parser->config, &wanted, entry);
	if (!rc || rc == TACHO_E_NOMEM)
		return rc;
	parser->config->left_out_count++;
	return 0;
}

static int add_set(struct parser *parser, const struct name *name, const char *text)
{
	const struct tacho_set *set = tacho_arch_find_set(parser->arch, text);
	int rc = set ? 0 : fail_set(parser, text);

	for (size_t i = 0; set && i < set->entry_count && !rc; i++)
		rc = add_fitting(parser, name, set->entries[i]);
	return rc;
}

static int add_matching(struct parser *parser, const struct name *name,
			const struct tacho__pattern *pattern, size_t *found)
{
	int rc = 0;

	for (size_t i = 0; i < parser->candidate_count && !rc; i++) {
		const struct tacho_entry *entry = parser->candidates[i];

		if (!tacho__pattern_fits(pattern, get_symbol(parser, entry)) &&
		    !tacho__pattern_fits(pattern, entry->name))
			continue;
		++*found;
		rc = add_fitting(parser, name, entry);
	}
	return rc;
}

/* What fits of a base and this ending, "" for the base alone. */
static int add_made(struct parser *parser, const struct name *name,
		    const struct tacho__pattern *pattern, const struct tacho_metric_base *base,
		    const char *ending, size_t *found)
{
	const struct tacho_entry *entry = NULL;
	struct tacho__buf text = {0};

	int rc = 0;

	tacho__buf_printf(&text, "%s%s", base->name, ending);
	if (tacho__pattern_fits(pattern, tacho__buf_text(&text)))
		rc = tacho_arch_resolve_entry(parser->arch, tacho__buf_text(&text), &entry);
	if (text.failed)
		rc = TACHO_E_NOMEM;
	tacho__buf_finish(&text);
	if (!entry)
		return rc == TACHO_E_NOMEM ? rc : 0;
	++*found;
	return add_fitting(parser, name, entry);
}

/* Whole names of entries that a vendor's library makes with endings. */
static int add_matching_endings(struct parser *parser, const struct name *name,
				const struct tacho__pattern *pattern, size_t *found)
{
	int rc = 0;

	for (size_t i = 0; i < parser->candidate_count && !rc; i++) {
		const struct tacho_entry *base = parser->candidates[i];

		for (size_t k = 0; k < base->ending_count && !rc; k++) {
			const struct tacho_metric_base made = {.name = base->name};

			rc = add_made(parser, name, pattern, &made, base->endings[k], found);
		}
	}
	return rc;
}

/*
 * Names that are made by the grammar: of bases, and where none fits of bases with endings. "sm__*"
 * is not to mean sixty values of each counter.
 */
static int add_matching_made(struct parser *parser, const struct name *name,
			     const struct tacho__pattern *pattern, size_t *found)
{
	struct tacho_metric_base *bases;
	const char *ending;
	bool is_ending;
	size_t count;
	int rc = tacho_arch_list_metric_bases(parser->arch, &bases, &count);

	if (rc)
		return rc;
	for (size_t i = 0; i < count && !rc; i++)
		rc = add_made(parser, name, pattern, &bases[i], "", found);
	is_ending = !*found;
	for (size_t i = 0; i < count && !rc && is_ending; i++)
		for (size_t k = 0; !rc && (ending = tacho_metric_get_ending(k)); k++)
			if (bases[i].endings >> k & 1)
				rc = add_made(parser, name, pattern, &bases[i], ending, found);
	free(bases);
	return rc || *found ? rc : add_matching_endings(parser, name, pattern, found);
}

/*
 * What fits the pattern: entries, of a glob with the case as written, else with case ignored; else
 * names of the grammar.
 */
static int add_pattern(struct parser *parser, const struct name *name)
{
	struct tacho__pattern pattern;
	size_t found = 0;
	int rc = tacho__pattern_init(&pattern, name->text, 0);

	if (rc)
		return rc;
	rc = add_matching(parser, name, &pattern, &found);
	if (!rc && !found && pattern.kind == TACHO__PATTERN_GLOB) {
		pattern.flags = TACHO_PATTERN_IGNORE_CASE;
		rc = add_matching(parser, name, &pattern, &found);
	}
	if (!rc && !found && !parser->options.set && !parser->measured)
		rc = add_matching_made(parser, name, &pattern, &found);
	tacho__pattern_finish(&pattern);
	return rc || found ? rc : fail_unknown(parser, name->text);
}

static int add_all(struct parser *parser, const struct name *name)
{
	struct tacho__pattern every;
	size_t found = 0;
	int rc = tacho__pattern_init(&every, "*", 0);

	return rc ? rc : add_matching(parser, name, &every, &found);
}

static int add_entry(struct parser *parser, const struct name *name,
		     const struct tacho_entry *entry)
{
	const struct tacho_set *set = parser->options.set;

	if (!entry && strchr(name->text, '/') && parser->options.define) {
		int rc = parser->options.define(parser->options.user, name->text, &entry);

		if (rc)
			return rc;
	}
	if (!entry)
		return fail_unknown(parser, name->text);
	if (set && entry->kind == TACHO_ENTRY_METRIC) {
		size_t i = 0;

		while (i < set->entry_count && set->entries[i] != entry)
			i++;
		if (i == set->entry_count)
			return fail_elsewhere(parser, entry, name->text);
	}
	return tacho__config_add(parser->config, &name->wanted, entry);
}

/* A name that is spelled like a pattern is a name. */
static int add_name(struct parser *parser, const struct name *name)
{
	const struct tacho_entry *entry = find(parser, name->text);

	if (!entry && !strncasecmp(name->text, "set:", 4))
		return add_set(parser, name, name->text + 4);
	if (!entry && !strcasecmp(name->text, "all"))
		return add_all(parser, name);
	if (!entry && tacho_pattern_is_one(name->text))
		return add_pattern(parser, name);
	return add_entry(parser, name, entry);
}

/* ---- words ---- */

/* Takes ":instances" and the like from the end of a word. */
static int take_options(char *text, struct tacho_config_entry *wanted)
{
	static const struct {
		const char *word;
		struct tacho_config_entry means;
	} options[] = {
		{":instances", {.keeps_instances = 1}},
		{":serialized", {.mode = TACHO_MODE_SERIALIZED}},
		{":pipelined", {.mode = TACHO_MODE_PIPELINED}},
	};
	char *colon;
	size_t i;

	while ((colon = strrchr(text, ':')) && colon > text) {
		for (i = 0; i < TACHO__ARRAY_SIZE(options); i++)
			if (!strcasecmp(colon, options[i].word))
				break;
		if (i == TACHO__ARRAY_SIZE(options))
			break;
		if (options[i].means.mode && wanted->mode && wanted->mode != options[i].means.mode)
			return tacho__fail(TACHO_E_INVAL, "ranges either overlap or do not",
					   "leave one of them out, or name it twice",
					   "%s is to be serialized and pipelined", text);
		wanted->keeps_instances |= options[i].means.keeps_instances;
		wanted->mode |= options[i].means.mode;
		*colon = '\0';
	}
	return 0;
}

static int add_file(struct parser *parser, const char *path,
		    const struct tacho_config_entry *inherited);

static int add_word(struct parser *parser, const struct tacho__word *word,
		    const struct tacho_config_entry *inherited, bool is_in_file)
{
	char *text = strndup(word->text, word->size);
	struct name name = {.text = text, .wanted = *inherited};
	int rc = 0;

	if (!text)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a list of counters");
	/* values that were counted in several modes are named for them */
	if (!parser->measured || !tacho__arch_get_exact(parser->measured, text))
		rc = take_options(text, &name.wanted);
	if (!rc && *text != '@')
		rc = add_name(parser, &name);
	else if (!rc && !is_in_file)
		rc = add_file(parser, text + 1, &name.wanted);
	else if (!rc)
		rc = tacho__fail(TACHO_E_INVAL, "", "name both where the first one is named",
				 "a list in a file names another file, \"%s\"", text + 1);
	if (rc && *text != '@' && !*parser->problem.name)
		strncat(parser->problem.name, text, sizeof(parser->problem.name) - 1);
	free(text);
	return rc;
}

static int keep_text(struct parser *parser, const char *from, const char ***to, size_t *count,
		     size_t *capacity)
{
	const char *text = tacho__arena_string(&parser->config->arena, from);

	return text ? tacho__array_add(to, capacity, count, &text, sizeof(text)) : TACHO_E_NOMEM;
}

/* Which launches a file selects, and what it says that is not done. */
static int keep_selection(struct parser *parser, const struct tacho__counter_list *list)
{
	struct tacho_config *config = parser->config;
	int rc = 0;

	for (size_t i = 0; i < list->kernel_count && !rc; i++)
		rc = keep_text(parser, list->kernels[i].text, &config->kernels,
			       &config->kernel_count, &config->kernel_capacity);
	for (size_t i = 0; i < list->excluded_count && !rc; i++)
		rc = keep_text(parser, list->excluded[i].text, &config->excluded,
			       &config->excluded_count, &config->excluded_capacity);
	for (size_t i = 0; i < list->iteration_count && !rc; i++)
		rc = tacho__array_add(&config->iterations, &config->iteration_capacity,
				      &config->iteration_count, &list->iterations[i],
				      sizeof(list->iterations[i]));
	for (size_t i = 0; i < list->remark_count && !rc; i++)
		rc = keep_text(parser, list->remarks[i], &config->remarks, &config->remark_count,
			       &config->remark_capacity);
	return rc;
}

/* What is wrong with a name of a file is told with its place. */
static int place_failure(int rc, const char *path, const struct tacho__listed *name)
{
	const struct tacho_error_detail *last = tacho_error_last();
	char *message = NULL, *cause = NULL, *cure = NULL;

	if (rc != TACHO_E_NOMEM && asprintf(&message, "%s", last->message) >= 0 &&
	    asprintf(&cause, "%s", last->cause) >= 0 && asprintf(&cure, "%s", last->cure) >= 0)
		rc = tacho__fail(rc, cause, cure, "%s, line %u, column %u: %s", path,
				 (unsigned)name->line, (unsigned)name->column, message);
	free(message);
	free(cause);
	free(cure);
	return rc;
}

static int add_file(struct parser *parser, const char *path,
		    const struct tacho_config_entry *inherited)
{
	struct tacho__counter_list *list;
	int rc = tacho__counter_list_read(path, parser->options.job, &list);

	if (rc)
		return rc;
	for (size_t i = 0; i < list->name_count && !rc; i++) {
		struct tacho__word word = {list->names[i].text, strlen(list->names[i].text)};

		rc = add_word(parser, &word, inherited, true);
		if (rc)
			rc = place_failure(rc, path, &list->names[i]);
	}
	if (!rc)
		rc = keep_selection(parser, list);
	tacho__counter_list_destroy(list);
	return rc;
}

static int parse(struct parser *parser, const char *list)
{
	static const struct tacho_config_entry plain;
	size_t size = strlen(list), count = 0;
	struct tacho__word word;
	int rc = 0;

	parser->arch = parser->options.arch;
	if (!parser->arch || parser->options.values)
		rc = make_arch(parser);
	if (!rc)
		rc = list_candidates(parser);
	for (; !rc && tacho__words_next(&list, &size, &word); count++)
		rc = add_word(parser, &word, &plain, false);
	for (size_t i = 0; !rc && i < parser->options.file_count; i++, count++)
		rc = add_file(parser, parser->options.files[i], &plain);
	if (!rc && !count)
		return tacho__fail(TACHO_E_INVAL, "the list is empty",
				   "name counters, metrics, \"set:NAME\" or \"all\"",
				   "nothing is named");
	if (!rc && !parser->config->entry_count)
		return tacho__fail(TACHO_E_UNSUPPORTED, "", "see what can be: tacho list metrics",
				   "nothing of the list can be counted on %s", parser->arch->name);
	return rc;
}

int tacho_config_parse(const char *list, const struct tacho_config_options *options,
		       struct tacho_config **out_config, struct tacho_config_problem *out_problem)
{
	struct parser parser = {0};
	int rc;

	if (!list || !out_config)
		return tacho__fail_null(__func__);
	rc = tacho__options_take(&parser.options, sizeof(parser.options), options,
				 "tacho_config_options");
	if (!rc)
		rc = tacho__config_create(parser.options.arch, parser.options.model,
					  &parser.config);
	if (rc)
		return rc;
	parser.config->is_counted = (int)parser.options.is_counted;
	rc = parse(&parser, list);
	free(parser.candidates);
	if (!rc) {
		*out_config = parser.config;
		return 0;
	}
	tacho_config_destroy(parser.config);
	if (out_problem)
		*out_problem = parser.problem;
	return rc;
}
