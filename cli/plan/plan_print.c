/* SPDX-License-Identifier: MIT */
/* Plans for people and for programs. */
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "fold.h"
#include "options/options.h"
#include "plan/plan.h"
#include "text.h"

enum { LABEL_WIDTH = 12 };

static void put(FILE *stream, unsigned width, const char *label, const char *text)
{
	if (!text || !*text)
		return;
	fprintf(stream, "  %-*s", LABEL_WIDTH - 2, label);
	cli_text_wrap(stream, text, LABEL_WIDTH, LABEL_WIDTH, width);
}

static const char *mode_word(uint32_t mode)
{
	return mode ? tacho_mode_to_string(mode) : "";
}

/* Names that differ in a number only are joined: "TA[0-15]_TA_BUSY". */
static void print_entries(const struct tacho_plan_pass *pass, enum tacho_entry_kind kind,
			  const char *label, FILE *stream, unsigned width)
{
	const char **names = cli_alloc((pass->entry_count + 1) * sizeof(*names));
	char *line = NULL;
	size_t count = 0, run;

	for (size_t i = 0; i < pass->entry_count; i++)
		if (pass->entries[i]->kind == kind)
			names[count++] = pass->entries[i]->name;
	for (size_t i = 0; i < count; i += run) {
		char *text;

		run = cli_fold_get_run(names, count, i);
		text = cli_fold_format_run(names[i], names[i + run - 1]);
		cli_append(&line, ", ", "%s", text);
		free(text);
	}
	put(stream, width, label, line);
	free(line);
	free(names);
}

/* Counters of a vendor's library, by the names of metrics where they have one. */
static void print_raws(const struct tacho_plan_pass *pass, FILE *stream, unsigned width)
{
	char *line = NULL;
	size_t unnamed = 0;

	for (size_t i = 0; i < pass->raw_count; i++) {
		const struct tacho_plan_raw *raw = &pass->raws[i];

		unnamed += !*raw->name;
		if (!*raw->name)
			continue;
		cli_append(&line, ", ", "%s", raw->name);
		if (raw->entry_count > 1)
			cli_append(&line, "", " (for %zu)", raw->entry_count);
	}
	if (unnamed)
		cli_append(&line, ", ", "%zu without a name", unnamed);
	put(stream, width, "collects", line);
	free(line);
}

static void print_pass(const struct tacho_plan *plan, size_t index, uint32_t cap, FILE *stream,
		       unsigned width)
{
	const struct tacho_plan_pass *pass = tacho_plan_get_pass(plan, index);
	char *uses = NULL;

	fprintf(stream, "\npass %zu: %zu", index + 1,
		pass->raws ? pass->raw_count : pass->counter_count);
	if (cap)
		fprintf(stream, " of %u", cap);
	if (pass->raws)
		fputs(" of the vendor's counters", stream);
	else
		fputs(pass->counter_count == 1 && !cap ? " counter" : " counters", stream);
	if (pass->set)
		fprintf(stream, ", set %s", pass->set->name);
	if (*mode_word(pass->mode))
		fprintf(stream, ", %s", mode_word(pass->mode));
	fputc('\n', stream);
	for (size_t i = 0; i < pass->use_count; i++)
		cli_append(&uses, ", ", "%s %u/%u", pass->uses[i].block, pass->uses[i].used,
			   pass->uses[i].slots);
	put(stream, width, "slots", uses);
	free(uses);
	print_raws(pass, stream, width);
	print_entries(pass, TACHO_ENTRY_METRIC, "metrics", stream, width);
	print_entries(pass, TACHO_ENTRY_COUNTER, "counters", stream, width);
}

/* Entries that no single pass has all inputs of. */
static void print_split(const struct tacho_plan *plan, FILE *stream, unsigned width)
{
	const struct tacho_plan_entry *entry;
	char *text = NULL;

	for (size_t i = 0; (entry = tacho_plan_get_entry(plan, i)); i++) {
		if (!entry->is_split)
			continue;
		cli_append(&text, "; ", "%s", entry->entry->name);
		for (size_t k = 0; k < entry->pass_count; k++)
			cli_append(&text, k ? " + " : " ", "%s%u", k ? "" : "from passes ",
				   entry->passes[k] + 1);
	}
	put(stream, width, "split", text);
	free(text);
}

void cli_plan_print(const struct tacho_plan *plan, const char *device, FILE *stream, unsigned width)
{
	const struct tacho_config *config = tacho_plan_get_config(plan);
	const struct tacho_arch *arch = tacho_config_get_arch(config);
	struct tacho_plan_summary summary;
	size_t entries = 0;
	char *bound;

	tacho_plan_get_summary(plan, &summary);
	while (tacho_plan_get_entry(plan, entries))
		entries++;
	if (device)
		fputs(device, stream);
	else
		fprintf(stream, "%s (%s)", arch->name, arch->api);
	fprintf(stream, ": %zu %s for %zu %s", summary.pass_count,
		summary.pass_count == 1 ? "pass" : "passes", entries,
		entries == 1 ? "entry" : "entries");
	if (summary.run_count != summary.pass_count)
		fprintf(stream, ", the work runs %zu times", summary.run_count);
	fputc('\n', stream);
	for (size_t i = 0; i < summary.pass_count; i++)
		print_pass(plan, i, summary.cap, stream, width);
	fputc('\n', stream);
	print_split(plan, stream, width);
	if (summary.lower_bound)
		bound = cli_format("at least %zu (%s)%s", summary.lower_bound, summary.binding,
				   summary.is_optimal == 1 ? ": no plan has fewer passes"
							   : ": fewer passes might do");
	else if (summary.pass_count)
		bound = cli_format("not known");
	else
		bound = cli_format("constants only: nothing has to be counted");
	put(stream, width, "bound", bound);
	if (summary.trial_count > 1) {
		char *orders = cli_format("%u tried: %zu %s as given, %zu in the best",
					  summary.trial_count, summary.given_pass_count,
					  summary.given_pass_count == 1 ? "pass" : "passes",
					  summary.pass_count);

		put(stream, width, "orders", orders);
		free(orders);
	}
	put(stream, width, "advice", summary.advice);
	free(bound);
}

static void write_counter(struct tacho_json *json, const struct tacho_plan_counter *counter)
{
	const char *name = counter->entry->name;
	char *text = *counter->accumulate
			     ? cli_format("accumulate(%s, %s)", name, counter->accumulate)
			     : cli_format("%s", name);

	tacho_json_add_string(json, NULL, text);
	free(text);
}

static void write_raws(struct tacho_json *json, const struct tacho_plan_pass *pass)
{
	if (!pass->raws)
		return;
	tacho_json_begin_array(json, "raw");
	for (size_t i = 0; i < pass->raw_count; i++) {
		const struct tacho_plan_raw *raw = &pass->raws[i];

		tacho_json_begin_object(json, NULL);
		tacho_json_add_string(json, "id", raw->id);
		tacho_json_add_text(json, "name", *raw->name ? raw->name : NULL);
		tacho_json_begin_array(json, "entries");
		for (size_t k = 0; k < raw->entry_count; k++)
			tacho_json_add_string(json, NULL, raw->entries[k]->name);
		tacho_json_end(json);
		tacho_json_end(json);
	}
	tacho_json_end(json);
}

static void write_pass(struct tacho_json *json, const struct tacho_plan_pass *pass)
{
	tacho_json_begin_object(json, NULL);
	tacho_json_begin_object(json, "blocks");
	for (size_t i = 0; i < pass->use_count; i++) {
		tacho_json_begin_array(json, pass->uses[i].block);
		tacho_json_add_unsigned(json, NULL, pass->uses[i].used);
		tacho_json_add_unsigned(json, NULL, pass->uses[i].slots);
		tacho_json_end(json);
	}
	tacho_json_end(json);
	tacho_json_begin_array(json, "counters");
	for (size_t i = 0; i < pass->counter_count; i++)
		write_counter(json, &pass->counters[i]);
	tacho_json_end(json);
	tacho_json_begin_array(json, "metrics");
	for (size_t i = 0; i < pass->entry_count; i++)
		if (pass->entries[i]->kind == TACHO_ENTRY_METRIC)
			tacho_json_add_string(json, NULL, pass->entries[i]->name);
	tacho_json_end(json);
	write_raws(json, pass);
	tacho_json_add_text(json, "set", pass->set ? pass->set->name : NULL);
	tacho_json_add_text(json, "mode", mode_word(pass->mode));
	tacho_json_end(json);
}

static void write_entries(struct tacho_json *json, const struct tacho_plan *plan)
{
	const struct tacho_plan_entry *entry;

	tacho_json_begin_array(json, "entries");
	for (size_t i = 0; (entry = tacho_plan_get_entry(plan, i)); i++) {
		tacho_json_begin_object(json, NULL);
		tacho_json_add_string(json, "name", entry->entry->name);
		tacho_json_begin_array(json, "passes");
		for (size_t k = 0; k < entry->pass_count; k++)
			tacho_json_add_unsigned(json, NULL, entry->passes[k]);
		tacho_json_end(json);
		tacho_json_add_bool(json, "split", entry->is_split != 0);
		tacho_json_end(json);
	}
	tacho_json_end(json);
}

static void write_summary(struct tacho_json *json, const struct tacho_plan_summary *summary)
{
	tacho_json_add_known(json, "lower_bound", summary->lower_bound || !summary->pass_count,
			     summary->lower_bound);
	if (summary->is_optimal < 0)
		tacho_json_add_null(json, "optimal");
	else
		tacho_json_add_bool(json, "optimal", summary->is_optimal);
	tacho_json_add_string(json, "binding", summary->binding);
	tacho_json_add_string(json, "advice", summary->advice);
	tacho_json_add_known(json, "cap", summary->cap != 0, summary->cap);
	tacho_json_add_unsigned(json, "runs", summary->run_count);
	if (summary->trial_count) {
		tacho_json_add_unsigned(json, "orders_tried", summary->trial_count);
		tacho_json_add_unsigned(json, "passes_as_given", summary->given_pass_count);
	}
}

void cli_plan_write(const struct tacho_plan *plan, const struct tacho_plan_options *options,
		    const char *device, FILE *stream)
{
	const struct tacho_arch *arch = tacho_config_get_arch(tacho_plan_get_config(plan));
	struct tacho_plan_summary summary;
	struct tacho_json json;

	tacho_plan_get_summary(plan, &summary);
	cli_json_begin(&json, stream, "tacho.plan/1");
	tacho_json_add_string(&json, "arch", arch->name);
	tacho_json_add_string(&json, "api", arch->api);
	tacho_json_add_text(&json, "device", device);
	tacho_json_add_string(&json, "policy", cli_words_get(CLI_WORDS_POLICY, options->policy));
	tacho_json_begin_array(&json, "passes");
	for (size_t i = 0; i < summary.pass_count; i++)
		write_pass(&json, tacho_plan_get_pass(plan, i));
	tacho_json_end(&json);
	write_entries(&json, plan);
	write_summary(&json, &summary);
	tacho_json_finish(&json);
}
