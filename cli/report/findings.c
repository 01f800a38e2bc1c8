/* SPDX-License-Identifier: MIT */
/* What rules found in the recording: at the end of the report, or all of it with --findings. */
#include "report/findings.h"

#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include <tacho/error.h>
#include <tacho/sys/file.h>
#include <tacho/sys/report.h>

#include "cli.h"
#include "report/report.h"
#include "suggest.h"
#include "options/options.h"
#include "terminal.h"
#include "text.h"
#include "units.h"

enum { SHOWN = 5, NAMES_MAX = 64, FILE_BYTES_MAX = 1 << 20 };
enum { GAIN_MAX = 3 * TACHO_UNITS_MAX };

static const char codexl_prefix[] = "APITrace.APIRules.";

/* ---- options ---- */

struct choice {
	bool is_off[NAMES_MAX], is_listed[NAMES_MAX];
	bool has_list;
	struct tacho_threshold_setting settings[NAMES_MAX];
	size_t setting_count;
};

static const char *rule_name(size_t index)
{
	const struct tacho_rule *rule = index < NAMES_MAX ? tacho_rule_get(index) : NULL;

	return rule ? rule->name : NULL;
}

static const char *threshold_name(size_t index)
{
	const struct tacho_threshold *threshold =
		index < NAMES_MAX ? tacho_threshold_get(index) : NULL;

	return threshold ? threshold->name : NULL;
}

static bool find(const char *(*get)(size_t index), const char *name, size_t *out_index)
{
	for (size_t i = 0; get(i); i++) {
		if (strcmp(get(i), name) == 0) {
			*out_index = i;
			return true;
		}
	}
	return false;
}

static void complain_name(const char *(*get)(size_t index), const char *what, const char *name)
{
	const char *names[NAMES_MAX + 1] = {0}, *nearest;

	for (size_t i = 0; get(i); i++)
		names[i] = get(i);
	nearest = cli_suggest(name, names);
	cli_complain("",
		     nearest ? cli_part("did you mean %s? See: docs/findings.md", nearest)
			     : "see: tacho report --help, docs/findings.md",
		     "report: there is no %s \"%s\"", what, name);
}

static bool take_list(struct choice *choice, const char *list)
{
	char *copy = cli_format("%s", list), *rest = copy, *name;
	bool good = true;
	size_t index;

	while (good && (name = strsep(&rest, ","))) {
		if (!*name)
			continue;
		good = find(rule_name, name, &index);
		if (!good) {
			complain_name(rule_name, "rule", name);
			break;
		}
		choice->is_listed[index] = true;
		choice->has_list = true;
	}
	free(copy);
	return good;
}

/* The last word on a threshold counts. */
static bool set_threshold(struct choice *choice, size_t index, const char *value)
{
	const char *name = threshold_name(index);
	uint64_t number;

	if (!cli_parse_number(value, &number)) {
		cli_complain("", "give a whole number, 0 or more",
			     "report: threshold %s is \"%s\", which is no number", name, value);
		return false;
	}
	for (size_t i = 0; i < choice->setting_count; i++) {
		if (strcmp(choice->settings[i].name, name) == 0) {
			choice->settings[i].value = number;
			return true;
		}
	}
	choice->settings[choice->setting_count++] = (struct tacho_threshold_setting){name, number};
	return true;
}

/* NAME=VALUE of --rule. */
static bool take_rule(struct choice *choice, const char *text)
{
	char *copy = cli_format("%s", text), *value = strchr(copy, '=');
	bool good = false;
	size_t index;

	if (!value) {
		cli_complain("", "write --rule NAME=VALUE",
			     "report: --rule is \"%s\", which has no value", text);
		goto out;
	}
	*value++ = '\0';
	if (!find(threshold_name, copy, &index)) {
		complain_name(threshold_name, "threshold", copy);
		goto out;
	}
	good = set_threshold(choice, index, value);
out:
	free(copy);
	return good;
}

/* "True", "False"; anything else is neither. */
static bool parse_word(const char *text, bool *out_is_true)
{
	*out_is_true = strcasecmp(text, "true") == 0;
	return *out_is_true || strcasecmp(text, "false") == 0;
}

/* Rules that CodeXL knows by this name; false when there is none. */
static bool switch_codexl(struct choice *choice, const char *name, bool is_on)
{
	const struct tacho_rule *rule;
	bool found = false;

	for (size_t i = 0; i < NAMES_MAX && (rule = tacho_rule_get(i)); i++) {
		if (strcmp(rule->codexl, name) != 0)
			continue;
		choice->is_off[i] = !is_on;
		found = true;
	}
	return found;
}

static bool take_line(struct choice *choice, const char *name, const char *value)
{
	const size_t size = sizeof(codexl_prefix) - 1;
	size_t index;
	bool is_on;

	if (find(threshold_name, name, &index))
		return set_threshold(choice, index, value);
	if (!parse_word(value, &is_on)) {
		cli_complain("", "write True or False", "report: rule %s is \"%s\"", name, value);
		return false;
	}
	if (strncmp(name, codexl_prefix, size) == 0) {
		if (switch_codexl(choice, name + size, is_on))
			return true;
	} else if (find(rule_name, name, &index)) {
		choice->is_off[index] = !is_on;
		return true;
	}
	complain_name(rule_name, "rule", name);
	return false;
}

static char *trim(char *text)
{
	char *end = text + strlen(text);

	while (end > text && strchr(" \t\r\n", end[-1]))
		*--end = '\0';
	return text + strspn(text, " \t");
}

/* A rules file: NAME=VALUE lines, and "#" in front of remarks. */
static int take_file(struct choice *choice, const char *path)
{
	char *all, *rest, *line;
	int status = CLI_OK;
	unsigned number = 0;
	size_t size;

	if (tacho_file_read_text(path, FILE_BYTES_MAX, &all, &size) != 0)
		return (int)cli_complain_last();
	rest = all;
	while (status == CLI_OK && (line = strsep(&rest, "\n"))) {
		char *text = trim(line), *value = strchr(text, '=');

		number++;
		if (!*text || *text == '#')
			continue;
		if (value) {
			*value++ = '\0';
			if (!take_line(choice, trim(text), trim(value)))
				status = CLI_USAGE;
			continue;
		}
		cli_complain(cli_part("line %u is no NAME=VALUE", number), "",
			     "report: %s is no rules file", path);
		status = CLI_USAGE;
	}
	free(all);
	return status;
}

/* Those rules that are not switched off, and are listed where there is a list. */
static int list_rules(const struct choice *choice, const char **rules,
		      struct tacho_findings_options *options)
{
	for (size_t i = 0; rule_name(i); i++)
		if (!choice->is_off[i] && (!choice->has_list || choice->is_listed[i]))
			rules[options->rule_count++] = rule_name(i);
	options->rules = rules;
	if (options->rule_count)
		return CLI_OK;
	cli_complain("all rules are switched off", "leave one on", "report: no rule is left");
	return CLI_USAGE;
}

/* ---- looking ---- */

/* With another CPU findings are looked for while the summary is made, each reading for itself: that
 * is more work than reading once for both, but over sooner. */
struct search {
	struct tacho_recording *recording;
	const struct tacho_findings_options *options;
	struct tacho_findings *findings;
	int status;
};

static void *search(void *user)
{
	struct search *search = user;

	search->status =
		tacho_findings_create(search->recording, search->options, &search->findings)
			? (int)cli_complain_last()
			: CLI_OK;
	return NULL;
}

static bool has_other_cpu(void)
{
	cpu_set_t cpus;

	return sched_getaffinity(0, sizeof(cpus), &cpus) == 0 && CPU_COUNT(&cpus) > 1;
}

static int create(struct search *search_of, bool has_gaps, struct tacho_summary **out_summary)
{
	struct tacho_recording *recording = search_of->recording;
	pthread_t thread;
	int rc;

	if (!has_other_cpu() || pthread_create(&thread, NULL, search, search_of) != 0)
		return tacho_report_create(recording, search_of->options, has_gaps, out_summary,
					   &search_of->findings)
			       ? (int)cli_complain_last()
			       : CLI_OK;
	rc = has_gaps ? tacho_summary_create_with_gaps(recording, out_summary)
		      : tacho_summary_create(recording, out_summary);
	pthread_join(thread, NULL);
	return search_of->status || !rc ? search_of->status : (int)cli_complain_last();
}

int cli_findings_create(struct tacho_recording *recording,
			const struct cli_findings_settings *settings, bool has_gaps,
			struct tacho_summary **out_summary, struct tacho_findings **out_findings)
{
	struct choice choice = {.has_list = false};
	const char *rules[NAMES_MAX];
	struct tacho_findings_options options = {.size = sizeof(options),
						 .examples = settings->examples};
	struct search search_of = {.recording = recording, .options = &options};
	int status = CLI_OK;

	if (settings->list && !take_list(&choice, settings->list))
		return CLI_USAGE;
	if (settings->file)
		status = take_file(&choice, settings->file);
	for (size_t i = 0; status == CLI_OK && i < settings->rules.count; i++)
		if (!take_rule(&choice, settings->rules.texts[i]))
			status = CLI_USAGE;
	if (status == CLI_OK)
		status = list_rules(&choice, rules, &options);
	if (status != CLI_OK)
		return status;
	options.settings = choice.settings;
	options.setting_count = choice.setting_count;
	status = create(&search_of, has_gaps, out_summary);
	*out_findings = search_of.findings;
	return status;
}

/* ---- text ---- */

static void put_example(const struct tacho_finding_example *example, const struct tacho_run *run,
			FILE *stream, unsigned width)
{
	uint64_t since = example->start_ns > run->start_ns ? example->start_ns - run->start_ns : 0;
	struct cli_number at, cost;
	char *process = example->process->pid ? cli_format("%u/", example->process->pid)
					      : cli_format("%s", "");

	cli_text_print(stream, 4, 6, width, "call %" PRIu64 " of thread %s%u, %s, at %s%s%s%s%s",
		       example->index, process, example->thread, example->function,
		       cli_units_time(&at, since, 4), example->cost_ns ? ": " : "",
		       example->cost_ns ? cli_units_time(&cost, example->cost_ns, 3) : "",
		       *example->text ? ": " : "", example->text);
	free(process);
}

static const char *level_of(const struct tacho_finding *finding)
{
	return finding->is_remark ? "remark" : tacho_severity_to_string(finding->rule->severity);
}

/* "1.2 s", "0.8 to 1.2 s", "at most 1.2 s"; the text is in `gain`. */
static const char *gain_text(const struct tacho_finding *finding, char text[GAIN_MAX])
{
	struct cli_number low, high;

	cli_units_time(&low, finding->gain_low_ns, 3);
	cli_units_time(&high, finding->gain_high_ns, 3);
	if (finding->gain_low_ns == finding->gain_high_ns)
		snprintf(text, GAIN_MAX, "%s", high.text);
	else if (finding->gain_low_ns)
		snprintf(text, GAIN_MAX, "%s to %s", low.text, high.text);
	else
		snprintf(text, GAIN_MAX, "at most %s", high.text);
	return text;
}

static void put_whole(const struct tacho_finding *finding, const struct tacho_run *run,
		      FILE *stream, unsigned width)
{
	char gain[GAIN_MAX];

	fputc('\n', stream);
	cli_text_print(stream, 0, 2, width, "%s: %s", level_of(finding), finding->rule->name);
	cli_text_print(stream, 2, 4, width, "%s", finding->message);
	if (finding->has_gain)
		cli_text_print(stream, 2, 4, width, "gain: %s", gain_text(finding, gain));
	for (size_t i = 0; i < finding->example_count; i++)
		put_example(&finding->examples[i], run, stream, width);
	cli_text_print(stream, 2, 4, width, "cure: %s", finding->rule->cure);
}

static void put_short(const struct tacho_finding *finding, FILE *stream, unsigned width)
{
	char gain[GAIN_MAX];

	cli_text_print(stream, 2, 4, width, "%s: %s: %s%s%s", level_of(finding),
		       finding->rule->name, finding->message, finding->has_gain ? " Gain: " : "",
		       finding->has_gain ? gain_text(finding, gain) : "");
}

/* "remarks: 3 deprecated-function, 1 failed-query (--findings shows them)"; they stand behind all
 * findings, those of a rule not always together. */
static void put_remarks(const struct tacho_findings *findings, size_t from, FILE *stream,
			unsigned width)
{
	const struct tacho_finding *remark, *other;
	char *text = cli_format("%s", "");

	for (size_t i = from; (remark = tacho_findings_get(findings, i)); i++) {
		bool is_told = false;
		size_t count = 0;

		for (size_t k = from; (other = tacho_findings_get(findings, k)); k++) {
			is_told |= other->rule == remark->rule && k < i;
			count += other->rule == remark->rule;
		}
		if (!is_told)
			cli_append(&text, ", ", "%zu %s", count, remark->rule->name);
	}
	if (*text)
		cli_text_print(stream, 2, 4, width, "remarks: %s (--findings shows them)", text);
	free(text);
}

/* The first few with a sentence each, and a line for all remarks. */
static void print_short(const struct tacho_findings *findings, FILE *stream, unsigned width)
{
	size_t count = 0;
	struct cli_number number;

	while (count < tacho_findings_get_count(findings) &&
	       !tacho_findings_get(findings, count)->is_remark)
		count++;
	if (!tacho_findings_get_count(findings))
		fputs("  none\n", stream);
	for (size_t i = 0; i < count && i < SHOWN; i++)
		put_short(tacho_findings_get(findings, i), stream, width);
	if (count > SHOWN)
		fprintf(stream, "  and %s more (--findings shows all)\n",
			cli_units_count(&number, count - SHOWN));
	put_remarks(findings, count, stream, width);
}

/* All with examples and cures, and what was not judged. */
static void print_whole(const struct tacho_findings *findings, struct tacho_recording *recording,
			FILE *stream, unsigned width)
{
	const struct tacho_run *run = tacho_recording_get_run(recording);
	const struct tacho_finding *finding;
	const char *note;

	if (!tacho_findings_get_count(findings))
		fputs("  none\n", stream);
	for (size_t i = 0; (finding = tacho_findings_get(findings, i)); i++)
		put_whole(finding, run, stream, width);
	for (size_t i = 0; (note = tacho_findings_get_note(findings, i)); i++) {
		fputs(i ? "" : "\nNot judged\n", stream);
		cli_text_print(stream, 2, 4, width, "%s", note);
	}
}

void cli_report_print_findings(const struct cli_report *report, FILE *stream, unsigned width)
{
	if (!report->findings)
		return;
	cli_put_heading(stream, "Findings");
	if (report->findings_only)
		print_whole(report->findings, report->recording, stream, width);
	else
		print_short(report->findings, stream, width);
}

/* ---- JSON ---- */

static void add_example(struct tacho_json *json, const struct tacho_finding_example *example)
{
	tacho_json_begin_object(json, NULL);
	tacho_json_add_string(json, "function", example->function);
	tacho_json_add_unsigned(json, "pid", example->process->pid);
	tacho_json_add_unsigned(json, "thread", example->thread);
	tacho_json_add_unsigned(json, "index", example->index);
	tacho_json_add_unsigned(json, "start_ns", example->start_ns);
	tacho_json_add_known(json, "cost_ns", example->cost_ns != 0, example->cost_ns);
	tacho_json_add_string(json, "text", example->text);
	tacho_json_end(json);
}

static void add_finding(struct tacho_json *json, const struct tacho_finding *finding)
{
	tacho_json_begin_object(json, NULL);
	tacho_json_add_string(json, "rule", finding->rule->name);
	tacho_json_add_string(json, "severity", tacho_severity_to_string(finding->rule->severity));
	tacho_json_add_string(json, "subject", finding->subject);
	tacho_json_add_string(json, "message", finding->message);
	tacho_json_add_string(json, "cure", finding->rule->cure);
	tacho_json_add_unsigned(json, "count", finding->count);
	tacho_json_add_known(json, "cost_ns", finding->has_cost != 0, finding->cost_ns);
	tacho_json_add_known(json, "gain_low_ns", finding->has_gain != 0, finding->gain_low_ns);
	tacho_json_add_known(json, "gain_high_ns", finding->has_gain != 0, finding->gain_high_ns);
	tacho_json_add_known(json, "processor_low_ns", finding->has_processor != 0,
			     finding->processor_low_ns);
	tacho_json_add_known(json, "processor_high_ns", finding->has_processor != 0,
			     finding->processor_high_ns);
	tacho_json_add_bool(json, "remark", finding->is_remark != 0);
	tacho_json_begin_array(json, "examples");
	for (size_t i = 0; i < finding->example_count; i++)
		add_example(json, &finding->examples[i]);
	tacho_json_end(json);
	tacho_json_end(json);
}

void cli_findings_add(struct tacho_json *json, const struct tacho_findings *findings)
{
	const char *note;

	if (!findings) {
		tacho_json_add_null(json, "findings");
		return;
	}
	tacho_json_begin_array(json, "findings");
	for (size_t i = 0; i < tacho_findings_get_count(findings); i++)
		add_finding(json, tacho_findings_get(findings, i));
	tacho_json_end(json);
	tacho_json_begin_array(json, "not_judged");
	for (size_t i = 0; (note = tacho_findings_get_note(findings, i)); i++)
		tacho_json_add_string(json, NULL, note);
	tacho_json_end(json);
}
