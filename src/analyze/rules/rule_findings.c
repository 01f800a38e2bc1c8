/* SPDX-License-Identifier: MIT */
/* One pass over a recording, and a second one where what a device was idle for was not seen in it.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/rules/rules.h"
#include "base/array.h"
#include "base/error.h"
#include "base/options.h"
#include "record/argument.h"
#include "record/brief.h"
#include "record/whole.h"

enum { EXAMPLES_DEFAULT = 3 };

/* ---- small things that families share ---- */

const char *tacho__findings_text(struct tacho_findings *findings, const char *text)
{
	return tacho__printable(&findings->arena, text ? text : "");
}

int tacho__findings_check(const struct tacho__buf *text)
{
	return text->failed ? tacho__fail(TACHO_E_NOMEM, "", "", "no memory for findings") : 0;
}

int tacho__findings_note(struct tacho_findings *findings, const char *format, ...)
{
	va_list list;
	int rc;

	va_start(list, format);
	rc = tacho__sentences_add(&findings->notes, &findings->arena, format, list);
	va_end(list);
	return rc;
}

struct tacho__place tacho__seen_place(const struct tacho__seen *seen)
{
	return (struct tacho__place){.process = seen->call->process,
				     .function = seen->function->name,
				     .thread = seen->call->thread,
				     .index = seen->call->index,
				     .start_ns = seen->call->start_ns};
}

const char *tacho__seen_argument(struct tacho_findings *findings, const struct tacho__seen *seen,
				 int position)
{
	struct tacho__call_argument argument;
	const char *name;

	if (position == TACHO__ARGUMENT_RESULT)
		return seen->call->result;
	if (!position ||
	    !tacho__cursor_read_argument(findings->cursor, (size_t)position - 1, &argument))
		return NULL;
	return argument.text
		       ? argument.text
		       : tacho_cursor_get_argument(findings->cursor, (size_t)position - 1, &name);
}

/* Most are read as numbers: text takes several times as long. */
uint64_t tacho__seen_handle(struct tacho_findings *findings, const struct tacho__seen *seen,
			    int position)
{
	struct tacho__call_handle handle;

	if (position > 0 &&
	    tacho__cursor_read_handle(findings->cursor, (size_t)position - 1, &handle))
		return handle.handle;
	return tacho__argument_handle(tacho__seen_argument(findings, seen, position));
}

bool tacho__seen_is_true(struct tacho_findings *findings, const struct tacho__seen *seen,
			 int position)
{
	struct tacho__call_argument argument;

	if (position <= 0)
		return tacho__argument_is_true(tacho__seen_argument(findings, seen, position));
	if (!tacho__cursor_read_argument(findings->cursor, (size_t)position - 1, &argument))
		return false;
	return argument.text ? tacho__argument_is_true(argument.text) : argument.number != 0;
}

bool tacho__command_duration(const struct tacho_command *command, uint64_t *out_ns)
{
	if (command->state == TACHO_STATE_OK && command->end_ns >= command->start_ns)
		*out_ns = command->end_ns - command->start_ns;
	else if (command->has_duration)
		*out_ns = command->duration_ns;
	else
		return false;
	return true;
}

uint64_t tacho__findings_wall_ns(const struct tacho_findings *findings)
{
	const struct tacho_run *run = tacho_recording_get_run(findings->recording);

	return run->end_ns > run->start_ns ? run->end_ns - run->start_ns : 0;
}

uint64_t tacho__percent(uint64_t part, uint64_t whole)
{
	return whole ? (uint64_t)((double)part * 100 / (double)whole) : 0;
}

/* ---- evidence ---- */

static struct tacho__finding *make_finding(struct tacho_findings *findings,
					   enum tacho__rule_id rule, const char *subject)
{
	struct tacho__finding *finding = tacho__arena_get(&findings->arena, sizeof(*finding));

	if (!finding)
		return NULL;
	finding->finding.rule = &tacho__rules[rule].rule;
	finding->number = (uint32_t)findings->count;
	finding->finding.message = "";
	finding->finding.subject = tacho__findings_text(findings, subject);
	finding->finding.examples = finding->examples =
		tacho__arena_get(&findings->arena, findings->examples * sizeof(*finding->examples));
	/* The key is the text as it came: two subjects may look alike once they are printable. */
	subject = tacho__arena_string(&findings->arena, subject);
	if (!finding->finding.subject || !finding->examples || !subject ||
	    tacho__names_set(&findings->by_subject[rule], subject, finding) ||
	    tacho__array_add(&findings->all, &findings->capacity, &findings->count, &finding,
			     sizeof(finding)))
		return NULL;
	return finding;
}

int tacho__finding_get(struct tacho_findings *findings, enum tacho__rule_id rule,
		       const char *subject, struct tacho__finding **out_finding)
{
	const struct tacho__names *known = &findings->by_subject[rule];
	struct tacho__finding *finding;

	*out_finding = NULL;
	if (!findings->applies[rule])
		return 0;
	finding = tacho__names_get(known, subject);
	if (!finding && known->count >= TACHO__SUBJECTS_MAX) {
		subject = "others";
		finding = tacho__names_get(known, subject);
	}
	if (!finding)
		finding = make_finding(findings, rule, subject);
	if (finding && known->count > TACHO__SUBJECTS_MAX)
		finding->is_others |= !strcmp(subject, "others");
	*out_finding = finding;
	return finding ? 0 : TACHO_E_NOMEM;
}

/* Those that cost most come first, then the earliest. */
static bool goes_before(const struct tacho_finding_example *a,
			const struct tacho_finding_example *b)
{
	if (a->cost_ns != b->cost_ns)
		return a->cost_ns > b->cost_ns;
	if (a->start_ns != b->start_ns)
		return a->start_ns < b->start_ns;
	return a->thread != b->thread ? a->thread < b->thread : a->index < b->index;
}

int tacho__finding_count(struct tacho_findings *findings, struct tacho__finding *finding,
			 const struct tacho__place *place, uint64_t cost_ns, const char *text)
{
	struct tacho_finding *info = &finding->finding;
	size_t at = info->example_count;
	struct tacho_finding_example example = {.process = place->process,
						.function = place->function,
						.thread = place->thread,
						.index = place->index,
						.start_ns = place->start_ns,
						.cost_ns = cost_ns};

	info->count++;
	info->cost_ns += cost_ns;
	while (at && goes_before(&example, &finding->examples[at - 1]))
		at--;
	if (at >= findings->examples)
		return 0;
	example.text = text && *text ? tacho__findings_text(findings, text) : "";
	if (!example.text)
		return TACHO_E_NOMEM;
	if (info->example_count < findings->examples)
		info->example_count++;
	memmove(finding->examples + at + 1, finding->examples + at,
		(info->example_count - at - 1) * sizeof(example));
	finding->examples[at] = example;
	return 0;
}

int tacho__finding_add(struct tacho_findings *findings, enum tacho__rule_id rule,
		       const char *subject, const struct tacho__place *place, uint64_t cost_ns,
		       const char *text, struct tacho__finding **out_finding)
{
	struct tacho__finding *finding = NULL;
	int rc = tacho__finding_get(findings, rule, subject, &finding);

	if (!rc && finding)
		rc = tacho__finding_count(findings, finding, place, cost_ns, text);
	if (!rc && out_finding)
		*out_finding = finding;
	return rc;
}

/* ---- calls ---- */

/* Any of a list that ends with NULL. */
static bool begins_with(const char *name, const char *const *prefixes)
{
	for (; *prefixes; prefixes++)
		if (!strncmp(name, *prefixes, strlen(*prefixes)))
			return true;
	return false;
}

static struct tacho__function_facts *make_function(struct tacho_findings *findings,
						   const struct tacho_function *function)
{
	struct tacho__function_facts *facts = tacho__arena_get(&findings->arena, sizeof(*facts));

	if (!facts)
		return NULL;
	facts->name = tacho__findings_text(findings, function->name);
	facts->api = tacho__api_roles_find(function->api);
	if (!facts->name)
		return NULL;
	if (facts->api) {
		facts->role = tacho__function_role_find(facts->api, facts->name);
		facts->deprecated = tacho__deprecated_find(facts->api, facts->name);
		facts->is_query = begins_with(facts->name, facts->api->query_prefixes);
		facts->records = facts->api->record_prefix &&
				 !strncmp(facts->name, facts->api->record_prefix,
					  strlen(facts->api->record_prefix));
	}
	return facts;
}

static int get_function(struct tacho_findings *findings, const struct tacho_function *function,
			struct tacho__function_facts **out_facts)
{
	struct tacho__function_facts *facts =
		tacho__map_get(&findings->functions, (uintptr_t)function);

	if (!facts) {
		facts = make_function(findings, function);
		if (!facts || tacho__map_set(&findings->functions, (uintptr_t)function, facts))
			return TACHO_E_NOMEM;
	}
	*out_facts = facts;
	return 0;
}

/* Whether calls of the process may be missing: lost, or left out as asked. */
static bool has_gaps(const struct tacho_recording *recording, const struct tacho_process *process)
{
	return tacho__losses_any_but_ranges(&process->losses) ||
	       tacho__losses_any_but_ranges(tacho_recording_get_losses(recording)) ||
	       tacho_recording_get_fault(recording, 0) || tacho_recording_get_bound(recording, 0);
}

static int get_process(struct tacho_findings *findings, const struct tacho_process *process,
		       struct tacho__process_facts **out_facts)
{
	struct tacho__process_facts *facts = findings->recent;

	if (!facts || facts->process != process)
		facts = tacho__map_get(&findings->processes, (uintptr_t)process);
	if (!facts) {
		facts = tacho__arena_get(&findings->arena, sizeof(*facts));
		if (!facts || tacho__map_set(&findings->processes, (uintptr_t)process, facts) ||
		    tacho__array_add(&findings->process_list, &findings->process_capacity,
				     &findings->process_count, &facts, sizeof(facts)))
			return TACHO_E_NOMEM;
		facts->process = process;
		facts->has_loss = has_gaps(findings->recording, process);
	}
	findings->recent = *out_facts = facts;
	return 0;
}

static int get_thread(struct tacho_findings *findings, const struct tacho_call *call,
		      struct tacho__thread_facts **out_facts)
{
	uint64_t key = (uint64_t)call->process->index << 32 | call->thread;
	struct tacho__thread_facts *facts = findings->recent_thread;

	if (!facts || facts->thread != call->thread || facts->process != call->process)
		facts = tacho__map_get(&findings->threads, key);
	if (!facts) {
		facts = tacho__arena_get(&findings->arena, sizeof(*facts));
		if (!facts || tacho__map_set(&findings->threads, key, facts))
			return TACHO_E_NOMEM;
		facts->process = call->process;
		facts->thread = call->thread;
	}
	findings->recent_thread = *out_facts = facts;
	return 0;
}

/* Rules that look at what a function does. */
static int take_role(struct tacho_findings *findings, const struct tacho__seen *seen)
{
	int rc = tacho__submits_take(findings, seen);

	if (!rc)
		rc = tacho__recordings_take(findings, seen);
	if (!rc)
		rc = tacho__maps_take(findings, seen);
	if (!rc)
		rc = tacho__leaks_take(findings, seen);
	return rc ? rc : tacho__builds_take(findings, seen);
}

/* Most calls are of functions that no rule knows: to them only the last is of use. */
static int take_call(struct tacho_findings *findings, const struct tacho__seen *seen)
{
	const struct tacho__function_facts *function = seen->function;
	int rc = 0;

	if (seen->call->failed || function->deprecated)
		rc = tacho__errors_take(findings, seen);
	/* A wait asks for events before their release; work makes them before waits. */
	if (!rc && (function->role || seen->call->command || seen->thread->poll.count))
		rc = tacho__sync_take(findings, seen);
	if (!rc && (function->role || function->records))
		rc = take_role(findings, seen);
	return rc ? rc : tacho__api_time_take(findings, seen);
}

static int take_command(struct tacho_findings *findings, const struct tacho__seen *seen)
{
	int rc = tacho__device_take(findings, seen);

	if (!rc)
		rc = tacho__transfers_take(findings, seen);
	if (!rc)
		rc = tacho__reads_take(findings, seen);
	if (!rc)
		rc = tacho__launches_take(findings, seen);
	return !rc && tacho__is_submitted(seen) ? tacho__submits_take_row(findings, seen) : rc;
}

int tacho__findings_take(struct tacho_findings *findings, const struct tacho_call *call)
{
	struct tacho__seen seen = {.call = call};
	int rc = get_function(findings, call->function, &seen.function);

	if (!rc)
		rc = get_process(findings, call->process, &seen.process);
	if (!rc)
		rc = get_thread(findings, call, &seen.thread);
	if (rc)
		return rc;
	if (!call->is_bare && call->end_ns > call->start_ns)
		seen.host_ns = call->end_ns - call->start_ns;
	if (!call->is_bare)
		rc = tacho__gain_begin(findings, &seen);
	if (!rc && !call->is_bare)
		rc = take_call(findings, &seen);
	if (!rc && call->command)
		rc = take_command(findings, &seen);
	if (!rc)
		rc = tacho__idle_take(findings, &seen);
	return rc ? rc : tacho__gain_take(findings, &seen);
}

static int read_all(struct tacho_findings *findings, struct tacho_cursor *cursor,
		    int (*take)(struct tacho_findings *findings, const struct tacho_call *call))
{
	const struct tacho_call *call;
	int rc;

	while ((rc = tacho_cursor_next(cursor, &call)) == 1) {
		rc = take(findings, call);
		if (rc)
			return rc;
	}
	return rc;
}

/* What the threads did while a device had nothing to do. */
static int read_again(struct tacho_findings *findings)
{
	struct tacho_cursor *cursor;
	int rc = tacho_cursor_open(findings->recording, &cursor);

	if (rc)
		return rc;
	tacho__cursor_be_brief(cursor);
	rc = read_all(findings, cursor, tacho__idle_review);
	tacho_cursor_close(cursor);
	return rc;
}

/* ---- the end ---- */

/* Errors that matter, what gains time, what is not known to, remarks. */
static int rank_of(const struct tacho_finding *finding)
{
	if (finding->is_remark)
		return 3;
	if (finding->rule->severity == TACHO_SEVERITY_ERROR)
		return 0;
	return finding->has_gain ? 1 : 2;
}

static int compare(const void *left, const void *right)
{
	const struct tacho_finding *a = &(*(struct tacho__finding *const *)left)->finding,
				   *b = &(*(struct tacho__finding *const *)right)->finding;
	double gain_a = (double)a->gain_low_ns + (double)a->gain_high_ns,
	       gain_b = (double)b->gain_low_ns + (double)b->gain_high_ns;

	if (rank_of(a) != rank_of(b))
		return rank_of(a) - rank_of(b);
	if (gain_a != gain_b)
		return gain_a > gain_b ? -1 : 1;
	if (a->rule->severity != b->rule->severity)
		return a->rule->severity > b->rule->severity ? -1 : 1;
	if (a->cost_ns != b->cost_ns)
		return a->cost_ns > b->cost_ns ? -1 : 1;
	if (a->count != b->count)
		return a->count > b->count ? -1 : 1;
	if (a->rule != b->rule)
		return strcmp(a->rule->name, b->rule->name);
	return strcmp(a->subject, b->subject);
}

/* Only now is everything known that a rule compares with. */
static int judge(struct tacho_findings *findings)
{
	struct tacho__buf *message = &findings->message;

	findings->kept = calloc(findings->count + 1, sizeof(*findings->kept));
	if (!findings->kept)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for findings");
	for (size_t i = 0; i < findings->count; i++) {
		struct tacho__finding *finding = findings->all[i];
		struct tacho_finding *info = &finding->finding;
		const struct tacho__rule *rule = (const struct tacho__rule *)info->rule;

		if (!info->count)
			continue;
		tacho__buf_clear(message);
		info->has_cost = info->cost_ns != 0;
		if (finding->is_others)
			tacho__buf_printf(message,
					  "%" PRIu64 " more cases, of others than the first %d.",
					  info->count, TACHO__SUBJECTS_MAX);
		else if (!rule->judge(findings, finding, message))
			continue;
		if (tacho__findings_check(message))
			return TACHO_E_NOMEM;
		if (info->has_cost && info->cost_ns < findings->thresholds[TACHO__MIN_COST_NS])
			continue;
		info->message = tacho__findings_text(findings, tacho__buf_text(message));
		if (!info->message)
			return TACHO_E_NOMEM;
		findings->kept[findings->kept_count++] = finding;
	}
	if (tacho__gains_complete(findings))
		return TACHO_E_NOMEM;
	if (findings->kept_count)
		qsort(findings->kept, findings->kept_count, sizeof(*findings->kept), compare);
	return 0;
}

int tacho__findings_end(struct tacho_findings *findings)
{
	bool again = false;
	int rc = tacho__sync_complete(findings);

	if (!rc)
		rc = tacho__submits_complete(findings);
	if (!rc)
		rc = tacho__maps_complete(findings);
	if (!rc)
		rc = tacho__leaks_complete(findings);
	if (!rc)
		rc = tacho__builds_complete(findings);
	if (!rc)
		rc = tacho__launches_complete(findings);
	if (!rc)
		rc = tacho__device_complete(findings);
	if (!rc)
		rc = tacho__idle_complete(findings, &again);
	if (!rc && again)
		rc = read_again(findings);
	tacho__idle_reviewed(findings);
	return rc ? rc : judge(findings);
}

/* ---- options ---- */

static const char *rule_name(size_t index)
{
	return tacho_rule_get(index) ? tacho_rule_get(index)->name : NULL;
}

static const char *threshold_name(size_t index)
{
	return tacho_threshold_get(index) ? tacho_threshold_get(index)->name : NULL;
}

static bool find_name(const char *(*get)(size_t index), const char *name, size_t *out_index)
{
	const char *other;

	for (size_t i = 0; (other = get(i)); i++) {
		if (!strcmp(other, name)) {
			*out_index = i;
			return true;
		}
	}
	return false;
}

static int apply(struct tacho_findings *findings, const struct tacho_findings_options *options)
{
	size_t index;

	for (size_t i = 0; i < TACHO__RULES; i++)
		findings->applies[i] = !options->rule_count;
	for (size_t i = 0; i < TACHO__THRESHOLDS; i++)
		findings->thresholds[i] = tacho_threshold_get(i)->value;
	findings->examples = options->examples ? options->examples : EXAMPLES_DEFAULT;
	if (findings->examples > TACHO__EXAMPLES_MAX)
		findings->examples = TACHO__EXAMPLES_MAX;
	for (size_t i = 0; i < options->rule_count; i++) {
		if (!find_name(rule_name, options->rules[i], &index))
			return tacho__fail(TACHO_E_NOTFOUND, "", "", "there is no rule \"%s\"",
					   options->rules[i]);
		findings->applies[index] = true;
	}
	for (size_t i = 0; i < options->setting_count; i++) {
		if (!find_name(threshold_name, options->settings[i].name, &index))
			return tacho__fail(TACHO_E_NOTFOUND, "", "", "there is no threshold \"%s\"",
					   options->settings[i].name);
		findings->thresholds[index] = options->settings[i].value;
	}
	return 0;
}

int tacho__findings_begin(struct tacho_recording *recording,
			  const struct tacho_findings_options *options,
			  struct tacho_findings **out_findings)
{
	struct tacho_findings_options own;
	struct tacho_findings *findings;
	int rc = tacho__options_take(&own, sizeof(own), options, "tacho_findings_options");

	if (rc)
		return rc;
	findings = calloc(1, sizeof(*findings));
	if (!findings)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for findings");
	findings->recording = recording;
	findings->gains.graph.first = 1;
	rc = apply(findings, &own);
	findings->idle.is_wanted =
		findings->applies[TACHO__RULE_IDLE_DEVICE] && !tacho__device_was_counted(findings);
	if (rc)
		tacho_findings_destroy(findings);
	else
		*out_findings = findings;
	return rc;
}

int tacho_findings_create(struct tacho_recording *recording,
			  const struct tacho_findings_options *options,
			  struct tacho_findings **out_findings)
{
	struct tacho_findings *findings;
	int rc;

	if (!recording || !out_findings)
		return tacho__fail(TACHO_E_INVAL, "recording or result is missing", "",
				   "cannot look for findings");
	rc = tacho__findings_begin(recording, options, &findings);
	if (rc)
		return rc;
	rc = tacho_cursor_open(recording, &findings->cursor);
	if (!rc && findings->applies[TACHO__RULE_LATE_BUILD])
		tacho_cursor_on_range(findings->cursor, tacho__late_frames_end,
				      &findings->late_frames);
	if (!rc)
		rc = read_all(findings, findings->cursor, tacho__findings_take);
	if (!rc)
		rc = tacho__findings_end(findings);
	if (rc)
		tacho_findings_destroy(findings);
	else
		*out_findings = findings;
	return rc;
}

static void finish_device(struct tacho__device_facts *device)
{
	tacho__busy_finish(&device->all);
	tacho__busy_finish(&device->kernels);
	tacho__busy_finish(&device->copies);
	tacho__gaps_finish(&device->gaps);
	tacho__names_finish(&device->by_function);
	tacho__map_finish(&device->sums);
}

void tacho_findings_destroy(struct tacho_findings *findings)
{
	if (!findings)
		return;
	for (size_t i = 0; i < TACHO__RULES; i++)
		tacho__names_finish(&findings->by_subject[i]);
	for (size_t i = 0; i < findings->process_count; i++) {
		tacho__map_finish(&findings->process_list[i]->queues);
		tacho__map_finish(&findings->process_list[i]->recordings);
	}
	tacho__idle_finish(findings);
	for (size_t i = 0; i < findings->device_count; i++)
		finish_device(findings->device_list[i]);
	free(findings->process_list);
	tacho__use_finish(&findings->elsewhere);
	tacho__gains_finish(&findings->gains);
	tacho__late_frames_finish(&findings->late_frames);
	free(findings->device_list);
	tacho__map_finish(&findings->functions);
	tacho__map_finish(&findings->processes);
	tacho__map_finish(&findings->threads);
	tacho__map_finish(&findings->devices);
	tacho__map_finish(&findings->lines);
	tacho__names_finish(&findings->line_names);
	tacho__names_finish(&findings->device_names);
	tacho__names_finish(&findings->built);
	tacho__tracked_finish(&findings->tracked);
	free(findings->all);
	free(findings->kept);
	tacho__sentences_finish(&findings->notes);
	tacho__buf_finish(&findings->scratch);
	tacho__buf_finish(&findings->message);
	tacho_cursor_close(findings->cursor);
	tacho__arena_finish(&findings->arena);
	free(findings);
}

size_t tacho_findings_get_count(const struct tacho_findings *findings)
{
	return findings ? findings->kept_count : 0;
}

const struct tacho_finding *tacho_findings_get(const struct tacho_findings *findings, size_t index)
{
	return findings && index < findings->kept_count ? &findings->kept[index]->finding : NULL;
}

const char *tacho_findings_get_note(const struct tacho_findings *findings, size_t index)
{
	return findings ? tacho__sentences_get(&findings->notes, index) : NULL;
}
