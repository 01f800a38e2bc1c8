/* SPDX-License-Identifier: MIT */
/* What is worked out: the wanted metrics of a set as one program over the reports' values. */
#include "oa/metrics.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "catalog/arch.h"
#include "oa/variables.h"
#include "tacho/config.h"

static int no_memory(void)
{
	return tacho__fail(TACHO_E_NOMEM, "", "", "no memory to work out metrics");
}

/* The set's own name of a metric: "GtiReadThroughput" of "RenderBasic.GtiReadThroughput". */
static const char *get_symbol(const struct tacho_entry *entry)
{
	const char *point = strrchr(entry->name, '.');

	return point ? point + 1 : entry->name;
}

static int fail_set(const struct tacho_oa_metrics *metrics, const char *name)
{
	const struct tacho_oa_device *device = tacho_oa_recording_get_device(metrics->recording);
	const struct tacho_set *set = tacho_arch_get_set(metrics->arch, 0);
	const char *cure =
		set ? tacho__detail("choose one with --set, for instance %s: tacho list sets "
				    "--arch %s; or give its definitions",
				    set->name, metrics->arch->name)
		    : "give a file with its definitions";

	if (!name && !*device->set_name)
		return tacho__fail(TACHO_E_NOTFOUND, "", cure,
				   "the recording does not name the set that it was made with");
	return tacho__fail(TACHO_E_NOTFOUND, name ? "" : "the recording was made with it", cure,
			   "%s has no set \"%.255s\"", metrics->arch->name,
			   name ? name : device->set_name);
}

static int find_set(struct tacho_oa_metrics *metrics, const char *name)
{
	const struct tacho_oa_device *device = tacho_oa_recording_get_device(metrics->recording);

	if (name)
		metrics->set = tacho_arch_find_set(metrics->arch, name);
	else if (*device->set_name)
		metrics->set = tacho_arch_find_set(metrics->arch, device->set_name);
	if (!metrics->set && !name && *device->set_guid)
		metrics->set = tacho_arch_find_set(metrics->arch, device->set_guid);
	return metrics->set ? 0 : fail_set(metrics, name);
}

static int list_wanted(struct tacho_oa_metrics *metrics, const char *names)
{
	const struct tacho_config_options options = {
		.size = sizeof(options),
		.arch = metrics->arch,
		.set = metrics->set,
		.is_counted = 1,
	};
	const struct tacho_entry *entry;
	struct tacho_config *config;
	size_t count = 0;
	int rc = tacho_config_parse(names ? names : "all", &options, &config, NULL);

	if (rc)
		return rc;
	while (tacho_config_get_entry(config, count))
		count++;
	metrics->wanted = tacho__arena_get(&metrics->arena, count * sizeof(*metrics->wanted));
	for (size_t i = 0; metrics->wanted && i < count; i++) {
		entry = tacho_config_get_definition(config, i);
		metrics->wanted[metrics->wanted_count++] = (struct tacho__oa_wanted){
			.entry = entry, .symbol = get_symbol(entry), .note = ""};
	}
	tacho_config_destroy(config);
	return metrics->wanted ? 0 : TACHO_E_NOMEM;
}

static int add_output(struct tacho_oa_metrics *metrics, struct tacho__program *program,
		      struct tacho__oa_wanted *wanted)
{
	struct tacho__expression expression = {.text = wanted->entry->name,
					       .size = strlen(wanted->entry->name)};
	struct tacho_formula_problem problem = {0};
	int type = -1, rc;

	if (wanted->entry->kind == TACHO_ENTRY_METRIC) {
		expression = tacho__entry_expression(wanted->entry);
		type = tacho__entry_type(wanted->entry);
	}
	rc = tacho__program_add(program, &expression, type, &metrics->scope.scope, &wanted->output,
				&problem);
	if (!rc || rc == TACHO_E_NOMEM)
		return rc;
	wanted->note = tacho__arena_string(&metrics->arena, problem.message);
	return wanted->note ? 0 : no_memory();
}

static int build_program(struct tacho_oa_metrics *metrics, struct tacho__program **out_program)
{
	int rc = tacho__program_create(out_program);

	for (size_t i = 0; i < metrics->wanted_count && !rc; i++)
		if (!*metrics->wanted[i].note)
			rc = add_output(metrics, *out_program, &metrics->wanted[i]);
	return rc;
}

/* Beside what a batch takes: else the same row of all columns would share few lines of the cache.
 */
enum { COLUMN_GAP = 8 };

static int make_input(struct tacho_oa_metrics *metrics, size_t index)
{
	const char *name = metrics->inputs[index].name;
	uint64_t *values =
		tacho__arena_get(&metrics->arena, (TACHO__OA_BATCH + COLUMN_GAP) * sizeof(*values));
	uint8_t *states = tacho__arena_get(&metrics->arena, TACHO__OA_BATCH);
	struct tacho_column column = {.name = name,
				      .unit = "",
				      .type = TACHO_TYPE_U64,
				      .instance_count = 1,
				      .data.u64 = values,
				      .note = ""};

	if (!values || !states)
		return no_memory();
	metrics->input_index[index] = tacho_oa_format_find_counter(metrics->format, name);
	metrics->input_values[index] = values;
	metrics->input_states[index] = states;
	metrics->plain_columns[index] = column;
	column.states = states;
	metrics->stateful_columns[index] = column;
	return 0;
}

static int make_inputs(struct tacho_oa_metrics *metrics)
{
	struct tacho__arena *arena = &metrics->arena;
	size_t count = tacho__program_get_inputs(metrics->plain, &metrics->inputs);
	size_t room = count + 1;
	int rc = 0;

	metrics->input_count = count;
	metrics->input_index = tacho__arena_get(arena, room * sizeof(*metrics->input_index));
	metrics->input_values = tacho__arena_get(arena, room * sizeof(*metrics->input_values));
	metrics->input_states = tacho__arena_get(arena, room * sizeof(*metrics->input_states));
	metrics->plain_columns = tacho__arena_get(arena, room * sizeof(*metrics->plain_columns));
	metrics->stateful_columns =
		tacho__arena_get(arena, room * sizeof(*metrics->stateful_columns));
	if (!metrics->input_index || !metrics->input_values || !metrics->input_states ||
	    !metrics->plain_columns || !metrics->stateful_columns)
		return no_memory();
	for (size_t i = 0; i < count && !rc; i++)
		rc = make_input(metrics, i);
	return rc;
}

static int make_column(struct tacho_oa_metrics *metrics, size_t index)
{
	const struct tacho__oa_wanted *wanted = &metrics->wanted[index];
	struct tacho_column *column = &metrics->columns[index];
	struct tacho__target *target;

	*column = (struct tacho_column){.name = wanted->symbol,
					.unit = wanted->entry->unit,
					.type = TACHO_TYPE_F64,
					.instance_count = 1,
					.states = metrics->absent_states,
					.note = wanted->note};
	if (*wanted->note) {
		column->data.u64 =
			tacho__arena_get(&metrics->arena, TACHO__OA_BATCH * sizeof(uint64_t));
		return column->data.u64 ? 0 : no_memory();
	}
	target = &metrics->targets[wanted->output];
	column->type = tacho__program_get_shape(metrics->plain, wanted->output)->type;
	if (!target->data) {
		target->data =
			tacho__arena_get(&metrics->arena, TACHO__OA_BATCH * sizeof(uint64_t));
		target->states = tacho__arena_get(&metrics->arena, TACHO__OA_BATCH);
	}
	column->data.u64 = target->data;
	return target->data && target->states ? 0 : no_memory();
}

static const char *describe_missing(struct tacho_oa_metrics *metrics, const char *counter)
{
	char text[200];

	snprintf(text, sizeof(text), "it needs %s, which reports in format %s do not have", counter,
		 metrics->format->name);
	return tacho__arena_string(&metrics->arena, text);
}

/* A metric that reads what reports of the format do not have gets a note that says so. */
static int check_inputs(struct tacho_oa_metrics *metrics, struct tacho__oa_wanted *wanted)
{
	struct tacho__oa_wanted alone = *wanted;
	const struct tacho__input *inputs;
	struct tacho__program *program;
	size_t count;
	int rc = tacho__program_create(&program);

	if (rc)
		return rc;
	rc = add_output(metrics, program, &alone);
	count = rc ? 0 : tacho__program_get_inputs(program, &inputs);
	for (size_t i = 0; i < count; i++) {
		if (tacho_oa_format_find_counter(metrics->format, inputs[i].name) >= 0)
			continue;
		alone.note = describe_missing(metrics, inputs[i].name);
		if (!alone.note)
			rc = no_memory();
		break;
	}
	tacho__program_destroy(program);
	if (!rc)
		wanted->note = alone.note;
	return rc;
}

/* Notes for what cannot be worked out here. */
static int check_wanted(struct tacho_oa_metrics *metrics)
{
	int rc = 0;

	for (size_t i = 0; i < metrics->wanted_count && !rc; i++) {
		struct tacho__oa_wanted *wanted = &metrics->wanted[i];
		bool is_false;

		rc = tacho__condition_judge(wanted->entry->availability, "oa",
					    &metrics->scope.scope, &is_false);
		if (!rc && is_false)
			wanted->note = "this device does not have it: the condition of its "
				       "definition is 0";
		else if (!rc)
			rc = check_inputs(metrics, wanted);
	}
	return rc;
}

static int make_columns(struct tacho_oa_metrics *metrics)
{
	size_t room = metrics->wanted_count + 1;
	int rc = 0;

	metrics->targets = tacho__arena_get(&metrics->arena, room * sizeof(*metrics->targets));
	metrics->columns = tacho__arena_get(&metrics->arena, room * sizeof(*metrics->columns));
	metrics->absent_states = tacho__arena_get(&metrics->arena, TACHO__OA_BATCH);
	if (!metrics->targets || !metrics->columns || !metrics->absent_states)
		return no_memory();
	memset(metrics->absent_states, TACHO_STATE_ABSENT, TACHO__OA_BATCH);
	for (size_t i = 0; i < metrics->wanted_count && !rc; i++)
		rc = make_column(metrics, i);
	return rc;
}

static int build(struct tacho_oa_metrics *metrics)
{
	int rc = check_wanted(metrics);

	if (!rc)
		rc = build_program(metrics, &metrics->plain);
	if (!rc)
		rc = build_program(metrics, &metrics->stateful);
	if (!rc)
		rc = make_inputs(metrics);
	if (!rc)
		rc = tacho__program_bind(metrics->plain, metrics->plain_columns, NULL);
	if (!rc)
		rc = tacho__program_bind(metrics->stateful, metrics->stateful_columns, NULL);
	return rc ? rc : make_columns(metrics);
}

/* As it was given, when no topology was recorded. */
static void bound_eus(struct tacho_oa_metrics *metrics)
{
	for (size_t i = 0; i < metrics->model.property_count && !metrics->limits.eu_count; i++) {
		const struct tacho_property *property = &metrics->model.properties[i];

		if ((!strcmp(property->name, "EuCoresTotalCount") ||
		     !strcmp(property->name, "VectorEngineTotalCount")) &&
		    property->value <= UINT32_MAX)
			metrics->limits.eu_count = (uint32_t)property->value;
	}
}

static int find_format(struct tacho_oa_metrics *metrics)
{
	const struct tacho_oa_device *device = tacho_oa_recording_get_device(metrics->recording);
	const struct tacho_oa_topology *topology =
		tacho_oa_recording_get_topology(metrics->recording);
	int rc = tacho_oa_gen_find(metrics->arch->name, &metrics->gen);

	if (rc)
		return rc;
	metrics->format = tacho_oa_device_get_format(device, metrics->gen);
	if (!metrics->format)
		return tacho__fail(TACHO_E_UNSUPPORTED, tacho__detail("format %u", device->format),
				   "choose the right architecture with --arch",
				   "reports of %s in this format have no known layout",
				   metrics->arch->name);
	metrics->limits.timestamp_hz = device->timestamp_frequency_hz;
	metrics->limits.clock_max_hz = device->max_frequency_hz;
	metrics->limits.eu_count = topology ? topology->eu_count : 0;
	return 0;
}

int tacho_oa_metrics_open(struct tacho_oa_recording *recording,
			  const struct tacho_oa_metrics_options *options,
			  struct tacho_oa_metrics **out_metrics)
{
	struct tacho_oa_metrics *metrics = calloc(1, sizeof(*metrics));
	int rc;

	if (!metrics)
		return no_memory();
	metrics->recording = recording;
	metrics->arch = options->arch;
	metrics->cut = options->cut;
	metrics->strict = options->strict;
	metrics->end = 1;
	rc = find_format(metrics);
	if (!rc)
		rc = find_set(metrics, options->set);
	if (!rc)
		rc = tacho__oa_variables_get(&metrics->arena, recording, metrics->arch,
					     metrics->gen, &metrics->model);
	if (!rc)
		rc = tacho__oa_variables_replace(&metrics->arena, metrics->arch, options->variables,
						 options->variable_count, &metrics->model);
	if (!rc)
		bound_eus(metrics);
	tacho__arch_scope_init(&metrics->scope, metrics->arch, &metrics->model);
	if (!rc)
		rc = list_wanted(metrics, options->names);
	if (!rc)
		rc = build(metrics);
	if (rc) {
		tacho_oa_metrics_close(metrics);
		return rc;
	}
	*out_metrics = metrics;
	return 0;
}

void tacho_oa_metrics_close(struct tacho_oa_metrics *metrics)
{
	if (!metrics)
		return;
	tacho__program_destroy(metrics->plain);
	tacho__program_destroy(metrics->stateful);
	tacho__arena_finish(&metrics->arena);
	free(metrics);
}

const struct tacho_set *tacho_oa_metrics_get_set(const struct tacho_oa_metrics *metrics)
{
	return metrics->set;
}

uint64_t tacho_oa_metrics_get_skipped_count(const struct tacho_oa_metrics *metrics)
{
	return metrics->skipped_count;
}
