/* SPDX-License-Identifier: MIT */
/* tacho eval: metrics and expressions worked out from values that were measured. */
#include "eval/eval.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <tacho/error.h>
#include <tacho/sys/panels.h>
#include <tacho/sys/values.h>

#include "catalog.h"
#include "files.h"
#include "options/options.h"
#include "request.h"
#include "text.h"
#include "values.h"

struct settings {
	struct cli_catalog_choice choice;
	struct cli_texts metrics, expressions, constants;
	const char *values, *panels, *as;
	int normalize; /* position in CLI_WORDS_NORMALIZATION */
	int notation;  /* position in CLI_WORDS_NOTATION */
	bool strict, json, csv, csv_safe;
};

struct evaluation {
	const struct settings *settings;
	struct tacho_catalog *catalog;
	const struct tacho_arch *arch;
	const struct tacho_model *model;
	struct tacho_result *values, *result;
	struct tacho_config *config; /* of the names that are asked for */
	struct cli_eval_list list;   /* names are borrowed from it */
};

static int read_values(struct evaluation *evaluation)
{
	static const char nothing[] = "{\"counters\":{}}";
	const char *path = evaluation->settings->values;
	const struct tacho_error_detail *detail;
	char *message;
	int rc;

	if (evaluation->settings->as &&
	    cli_words_find(CLI_WORDS_KIND, evaluation->settings->as, "kind of files") < 0)
		return CLI_USAGE;
	rc = path ? tacho_values_read_as(path, evaluation->settings->as, &evaluation->values)
		  : tacho_values_parse("", nothing, strlen(nothing), &evaluation->values);
	if (!rc && tacho_result_get_gap(evaluation->values))
		cli_warn("launches may be missing: %s", tacho_result_get_gap(evaluation->values));
	if (!rc)
		return CLI_OK;
	if (!evaluation->settings->json)
		return (int)cli_complain_last();
	detail = tacho_error_last();
	message = cli_format("%s%s%s", detail->message, *detail->cause ? ": " : "", detail->cause);
	cli_eval_write_error("values", message, 0, NULL);
	free(message);
	return rc == TACHO_E_PERM ? CLI_PERMISSION : CLI_FAILED;
}

static int set_constants(struct evaluation *evaluation, const struct cli_command *command)
{
	const struct cli_texts *constants = &evaluation->settings->constants;

	for (size_t i = 0; i < constants->count; i++) {
		const char *text = constants->texts[i], *equals = strchr(text, '=');
		char *name, *end = NULL;
		double value = equals ? strtod(equals + 1, &end) : NAN;
		int rc;

		if (!equals || equals == text || end == equals + 1 || *end || !isfinite(value)) {
			cli_complain("", "write --constant NAME=NUMBER", "\"%s\" sets no constant",
				     text);
			return cli_usage_status(command);
		}
		name = cli_format("%.*s", (int)(equals - text), text);
		rc = tacho_values_set_constant(evaluation->values, name, value);
		free(name);
		if (rc)
			return (int)cli_complain_last();
	}
	return CLI_OK;
}

static int find_arch(struct evaluation *evaluation)
{
	const struct cli_catalog_choice *choice = &evaluation->settings->choice;
	int status;

	if (!choice->arch && !choice->model && !choice->api && !choice->definitions.count)
		return CLI_OK;
	status = cli_catalog_open(choice, true, &evaluation->catalog);
	if (!status)
		status = cli_catalog_find_arch(evaluation->catalog, choice, &evaluation->arch);
	if (!status)
		status = cli_catalog_find_model(evaluation->arch, choice, &evaluation->model);
	return status;
}

/* Where none was named, that of the device of which the values are, when it stands in the catalog.
 */
static int take_arch(struct evaluation *evaluation)
{
	const struct cli_catalog_choice choice = {
		.arch = tacho_values_get_arch(evaluation->values)};
	int status;

	if (evaluation->catalog || !*choice.arch || !evaluation->settings->metrics.count)
		return CLI_OK;
	status = cli_catalog_open(&choice, true, &evaluation->catalog);
	if (!status &&
	    tacho_catalog_find_arch(evaluation->catalog, choice.arch, NULL, &evaluation->arch))
		evaluation->arch = NULL;
	return status;
}

static int parse_names(struct evaluation *evaluation)
{
	const struct settings *settings = evaluation->settings;
	const struct cli_request request = {
		.lists = &settings->metrics,
		.definitions = &settings->choice.definitions,
		.options = {.arch = evaluation->arch,
			    .model = evaluation->model,
			    .values = evaluation->values,
			    .is_counted = 1},
	};

	return settings->metrics.count ? cli_request_parse(&request, &evaluation->config) : CLI_OK;
}

static void add_formula(struct cli_eval_list *list, const struct tacho_formula *formula,
			bool is_named)
{
	for (size_t i = 0; i < list->count; i++)
		if (strcmp(list->formulas[i].name, formula->name) == 0)
			return;
	list->is_named[list->count] = is_named;
	list->formulas[list->count++] = *formula;
}

static const char *get_notation(const struct settings *settings)
{
	return cli_words_get(CLI_WORDS_NOTATION, (size_t)settings->notation);
}

static bool has_notation(const struct settings *settings, const char *name)
{
	return strcmp(get_notation(settings), name) == 0;
}

static int list_formulas(struct evaluation *evaluation)
{
	const struct cli_texts *expressions = &evaluation->settings->expressions;
	struct cli_eval_list *list = &evaluation->list;
	const struct tacho_config_entry *entry;
	size_t count = expressions->count;
	int status = parse_names(evaluation);

	if (status)
		return status;
	while (tacho_config_get_entry(evaluation->config, count - expressions->count))
		count++;
	list->formulas = cli_alloc(count * sizeof(*list->formulas));
	list->is_named = cli_alloc(count * sizeof(*list->is_named));
	for (size_t i = 0; (entry = tacho_config_get_entry(evaluation->config, i)); i++)
		add_formula(list, &(struct tacho_formula){.name = entry->name},
			    !entry->is_from_pattern);
	for (size_t i = 0; i < expressions->count; i++)
		add_formula(list,
			    &(struct tacho_formula){
				    .name = expressions->texts[i],
				    .expression = expressions->texts[i],
				    .notation = has_notation(evaluation->settings, "auto")
							? "infix"
							: get_notation(evaluation->settings),
			    },
			    true);
	return CLI_OK;
}

static int derive(struct evaluation *evaluation, const struct tacho_formula *formulas, size_t count,
		  struct tacho_formula_problem *problem)
{
	struct tacho_derive_options options = {.size = sizeof(options),
					       .arch = evaluation->arch,
					       .model = evaluation->model,
					       .strict = evaluation->settings->strict};

	return tacho_result_derive(evaluation->values, formulas, count, &options,
				   &evaluation->result, problem);
}

/* The text that a problem is in: of another metric, or of the expression that fails alone. */
static const char *find_text(struct evaluation *evaluation,
			     const struct tacho_formula_problem *problem)
{
	const struct tacho_entry *entry;
	const char *text;

	if (problem->metric[0]) {
		text = tacho_values_get_expression(evaluation->values, problem->metric);
		entry = !text && evaluation->arch
				? tacho_arch_find_entry(evaluation->arch, problem->metric)
				: NULL;
		return entry ? entry->expression : text;
	}
	for (size_t i = 0; i < evaluation->list.count; i++) {
		struct tacho_formula_problem again;

		if (derive(evaluation, &evaluation->list.formulas[i], 1, &again) != 0)
			return evaluation->list.formulas[i].expression;
		tacho_result_destroy(evaluation->result);
		evaluation->result = NULL;
	}
	return NULL;
}

static int work_out(struct evaluation *evaluation)
{
	struct tacho_formula_problem problem = {0};
	const char *text;
	char *cure;

	if (derive(evaluation, evaluation->list.formulas, evaluation->list.count, &problem) == 0)
		return CLI_OK;
	if (!problem.stage)
		return (int)cli_complain_last();
	if (evaluation->settings->json) {
		cli_eval_write_error(problem.stage, problem.message, problem.column,
				     problem.metric);
		return CLI_FAILED;
	}
	cure = cli_format("%s", tacho_error_last()->cure);
	text = find_text(evaluation, &problem);
	cli_eval_complain(&problem, text, cure);
	free(cure);
	return CLI_FAILED;
}

/* Absent by --strict is an answer; absent because nothing was measured is none. */
static bool is_answer(uint8_t state)
{
	return (state & TACHO_STATE_MASK) != TACHO_STATE_ABSENT || state & TACHO_MARK_DIV0;
}

static bool has_answer(const struct tacho_result *result)
{
	const struct tacho_column *column;

	for (size_t i = 0; (column = tacho_result_get_column(result, i)); i++)
		for (size_t row = 0; row < tacho_result_get_row_count(result); row++)
			for (size_t at = 0; at < column->instance_count; at++)
				if (tacho_column_is_present(column, at) &&
				    is_answer(tacho_column_get_state(column, row, at)))
					return true;
	return false;
}

static int print(const struct evaluation *evaluation)
{
	const struct settings *settings = evaluation->settings;
	const struct tacho_column *first = tacho_result_get_column(evaluation->result, 0);

	if (settings->json)
		tacho_result_write_json(evaluation->result, stdout);
	else if (!settings->csv)
		cli_values_print(evaluation->result, evaluation->list.is_named, stdout,
				 cli_page_width());
	else if (tacho_result_write_csv(evaluation->result, TACHO_CSV_WHOLE, stdout) != 0)
		return (int)cli_complain_last();
	if (has_answer(evaluation->result))
		return CLI_OK;
	cli_complain(first ? first->note : "",
		     "measure the counters that are missing: tacho info NAME lists them",
		     "no value can be worked out from %s",
		     settings->values ? settings->values : "nothing: --values FILE is missing");
	return CLI_NOTHING;
}

/* What was said on stderr, for programs. */
static int describe(const struct evaluation *evaluation, int status)
{
	const char *message = tacho_error_last()->message;

	if (status && evaluation->settings->json)
		cli_eval_write_error("resolve", *message ? message : "standard error says it", 0,
				     NULL);
	return status;
}

/* The first expression that can only be one of panels, where no notation was asked for. */
static const char *find_of_panels(const struct settings *settings)
{
	for (size_t i = 0; has_notation(settings, "auto") && i < settings->expressions.count; i++)
		if (tacho_values_panel_is_formula(settings->expressions.texts[i]))
			return settings->expressions.texts[i];
	return NULL;
}

/* The first that can only be one of the infix notation: a call of a function that others lack. */
static const char *find_of_infix(const struct settings *settings)
{
	static const char *const functions[] = {"reduce", "select", "accumulate"};

	for (size_t i = 0; i < settings->expressions.count; i++) {
		const char *text = settings->expressions.texts[i];

		for (size_t j = 0; j < sizeof(functions) / sizeof(functions[0]); j++) {
			const char *call = strstr(text, functions[j]);

			if (call && call[strlen(functions[j])] == '(')
				return text;
		}
	}
	return NULL;
}

/* Panels are worked out by rules of their own. */
static bool is_of_panels(const struct settings *settings)
{
	return settings->panels || has_notation(settings, "panel") || find_of_panels(settings);
}

static int evaluate_panels(struct evaluation *evaluation, const struct cli_command *command)
{
	const struct settings *settings = evaluation->settings;
	struct cli_eval_panels wanted = {
		.path = settings->values,
		.panels = settings->panels,
		.normalize = cli_words_get(CLI_WORDS_NORMALIZATION, (size_t)settings->normalize),
		.expressions = settings->expressions.texts,
		.expression_count = settings->expressions.count,
		.json = settings->json,
		.csv = settings->csv};
	int status = read_values(evaluation);

	if (!status)
		status = describe(evaluation, set_constants(evaluation, command));
	if (status)
		return status;
	wanted.values = evaluation->values;
	status = cli_eval_panels(&wanted);
	/* tables without a number are an answer, and say why */
	return status == CLI_NOTHING ? status : describe(evaluation, status);
}

/* False when what is asked for is of two notations, which no command works out at once. */
static bool is_of_one_notation(const struct settings *settings)
{
	const char *of_panels = find_of_panels(settings), *of_infix = find_of_infix(settings);
	char *cause = cli_format("\"%s\" is in the notation of panels", of_panels ? of_panels : "");
	bool is_one = !(of_panels && (of_infix || settings->metrics.count));

	if (!is_one && of_infix)
		cli_complain(cause, "ask for them one after the other",
			     "\"%s\" is in the infix notation", of_infix);
	else if (!is_one)
		cli_complain(cause, "ask for it without -m", "-m was given with panels");
	free(cause);
	return is_one;
}

static int check_usage(const struct settings *settings, const struct cli_command *command)
{
	if (!is_of_one_notation(settings))
		return cli_usage_status(command);
	if (settings->metrics.count && is_of_panels(settings))
		cli_complain("", "leave it out: panels say what is worked out",
			     "-m was given with panels");
	else if (!settings->panels && !settings->metrics.count && !settings->expressions.count)
		cli_complain("", "name metrics, -m A,B; or give an expression, -e 'A/B'",
			     "nothing is asked for");
	else if (settings->json && settings->csv)
		cli_complain("", "choose one of them", "--json and --csv were both given");
	else
		return CLI_OK;
	return cli_usage_status(command);
}

/* Everything before the work: what is asked for, of what. */
static int prepare(struct evaluation *evaluation, const struct cli_command *command)
{
	int status = describe(evaluation, find_arch(evaluation));

	if (!status)
		status = read_values(evaluation);
	if (!status)
		status = describe(evaluation, take_arch(evaluation));
	if (!status)
		status = describe(evaluation, set_constants(evaluation, command));
	if (!status)
		status = describe(evaluation, list_formulas(evaluation));
	return status;
}

static int eval_run(const struct cli_command *command, int argc, char **argv)
{
	struct settings settings = {0};
	struct evaluation evaluation = {.settings = &settings};
	int operand, status;

	if (!cli_options_parse(command, argc, argv, &settings, &operand, &status))
		goto out;
	cli_take_csv_safe(settings.csv_safe, &settings.csv);
	status = check_usage(&settings, command);
	if (!status && is_of_panels(&settings)) {
		status = evaluate_panels(&evaluation, command);
		goto out;
	}
	if (!status)
		status = prepare(&evaluation, command);
	if (!status)
		status = work_out(&evaluation);
	if (!status)
		status = print(&evaluation);
out:
	tacho_result_destroy(evaluation.result);
	tacho_result_destroy(evaluation.values);
	free(evaluation.list.formulas);
	free(evaluation.list.is_named);
	tacho_config_destroy(evaluation.config);
	tacho_catalog_close(evaluation.catalog);
	cli_options_finish(command, &settings);
	return status;
}

static const struct cli_option options[] = {
	{'m', "metrics", "LIST", CLI_TEXTS, CLI_WORDS_ENTRIES, offsetof(struct settings, metrics),
	 false, "work out these: " CLI_LIST_HELP},
	{'e', "expression", "EXPR", CLI_TEXTS, CLI_WORDS_NONE,
	 offsetof(struct settings, expressions), false,
	 "work out this expression over counters; may be repeated"},
	{0, "notation", "N", CLI_CHOICE, CLI_WORDS_NOTATION, offsetof(struct settings, notation),
	 false,
	 "notation of -e: infix, gpa, oa or panel; auto (default) is infix, or panel for if, AVG( "
	 "..."},
	{0, "panels", "PATH", CLI_TEXT, CLI_WORDS_FILE, offsetof(struct settings, panels), false,
	 "work out the tables of this panel file, or of all in this folder"},
	{0, "normalize", "BY", CLI_CHOICE, CLI_WORDS_NORMALIZATION,
	 offsetof(struct settings, normalize), false,
	 "$denom of panels: per_kernel (default), per_wave, per_cycle or per_second"},
	{0, "values", "FILE", CLI_TEXT, CLI_WORDS_FILE, offsetof(struct settings, values), false,
	 "take counters from this file, JSON or CSV; - is standard input"},
	CLI_OPTION_AS(struct settings),
	{0, "constant", "NAME=V", CLI_TEXTS, CLI_WORDS_NONE, offsetof(struct settings, constants),
	 false, "set a constant; may be repeated"},
	CLI_OPTION_ARCH(struct settings),
	CLI_OPTION_API(struct settings),
	CLI_OPTION_MODEL(struct settings),
	CLI_OPTION_DEFINITIONS(struct settings),
	{0, "strict", NULL, CLI_FLAG, CLI_WORDS_NONE, offsetof(struct settings, strict), false,
	 "a division by zero has no value, instead of 0"},
	CLI_OPTION_FLAG(struct settings, 0, "json", json, "print JSON, errors too"),
	CLI_OPTION_FLAG(struct settings, 0, "csv", csv, "print CSV: one row for each launch"),
	CLI_OPTION_CSV_SAFE(struct settings),
};

const struct cli_command cli_eval = {
	.name = "eval",
	.summary = "work out metrics from values of counters",
	.operands = "",
	.description =
		"Works out metrics or expressions from values in a file. Every value has a state: "
		"what is not known is a \"-\" and never 0.",
	.examples = {"tacho eval -e '(1+2)*3'",
		     "tacho eval --model mi210 -m VALUInsts --values c.csv"},
	CLI_HAS_OPTIONS(options),
	.is_paged = true,
	.run = eval_run,
};
