/* SPDX-License-Identifier: MIT */
/* What a session works out: a program for all entries whose inputs come from the same passes. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "catalog/arch.h"
#include "session/session.h"

static int find_counter(const struct tacho_session *session, uint32_t pass, const char *name,
			enum tacho__resolution resolution, struct tacho__source *out_source)
{
	const struct tacho_plan_pass *info = tacho_plan_get_pass(session->plan, pass);

	for (size_t i = 0; info && i < info->counter_count; i++) {
		if (strcmp(info->counters[i].entry->name, name) != 0 ||
		    strcmp(info->counters[i].accumulate, tacho__resolution_names[resolution]) != 0)
			continue;
		*out_source = (struct tacho__source){.pass = pass, .counter = (uint32_t)i};
		return 1;
	}
	return 0;
}

/* In the first of an entry's passes that has it. */
static int find_source(const struct tacho_session *session, const uint32_t *passes,
		       size_t pass_count, const struct tacho__input *input,
		       struct tacho__source *out_source)
{
	for (size_t i = 0; i < pass_count; i++)
		if (find_counter(session, passes[i], input->name, input->resolution, out_source))
			return 1;
	return 0;
}

int tacho__session_add_output(const struct tacho_session *session, struct tacho__program *program,
			      const struct tacho_entry *entry, size_t *out_output)
{
	struct tacho__arch_scope scope;
	struct tacho__expression expression = {
		.text = entry->name, .size = strlen(entry->name), .notation = "infix"};
	int type = -1;

	tacho__arch_scope_init(&scope, session->device->traits.arch, session->device->traits.model);
	if (entry->kind == TACHO_ENTRY_METRIC) {
		expression = tacho__entry_expression(entry);
		type = tacho__entry_type(entry);
	}
	return tacho__program_add(program, &expression, type, &scope.scope, out_output, NULL);
}

/* Why an entry cannot be worked out from its passes; "" when it can. NULL: NOMEM. */
static const char *try_alone(struct tacho_session *session, const struct tacho_plan_entry *entry)
{
	struct tacho__program *program;
	struct tacho__source source;
	const struct tacho__input *inputs;
	const char *note = "";
	size_t count, output;
	int rc = tacho__program_create(&program);

	if (rc)
		return NULL;
	rc = tacho__session_add_output(session, program, entry->entry, &output);
	if (rc == TACHO_E_NOMEM)
		note = NULL;
	else if (rc)
		note = tacho__arena_string(&session->arena, tacho_error_last()->message);
	count = rc ? 0 : tacho__program_get_inputs(program, &inputs);
	for (size_t i = 0; i < count && note && !*note; i++)
		if (!find_source(session, entry->passes, entry->pass_count, &inputs[i], &source))
			note = tacho__arena_string(
				&session->arena,
				tacho__detail("no pass counts %s", inputs[i].name));
	tacho__program_destroy(program);
	return note;
}

static int same_passes(const struct tacho__group *group, const struct tacho_plan_entry *entry)
{
	return group->pass_count == entry->pass_count &&
	       (!group->pass_count ||
		!memcmp(group->passes, entry->passes, group->pass_count * sizeof(*group->passes)));
}

static int find_group(struct tacho_session *session, const struct tacho_plan_entry *entry,
		      size_t *out_group)
{
	struct tacho__group *group;

	for (*out_group = 0; *out_group < session->group_count; ++*out_group)
		if (same_passes(&session->groups[*out_group], entry))
			return 0;
	group = &session->groups[*out_group];
	if (tacho__program_create(&group->program))
		return TACHO_E_NOMEM;
	group->passes = entry->passes;
	group->pass_count = entry->pass_count;
	session->group_count++;
	return 0;
}

/* An entry that is counted itself, or that the device works out. */
static int is_counted(const struct tacho_session *session, const struct tacho_plan_entry *entry,
		      struct tacho__source *out_source)
{
	struct tacho__input input = {.name = entry->entry->name, .resolution = TACHO__PLAIN};

	return find_source(session, entry->passes, entry->pass_count, &input, out_source);
}

/* The note of an entry that is there: why what it is made of never has values; "". */
static int explain(const struct tacho_session *session, size_t index,
		   struct tacho__outcome *outcome)
{
	const struct tacho_device *device = session->device;
	const struct tacho_entry *entry = tacho_plan_get_entry(session->plan, index)->entry;
	const struct tacho_entry *const *inputs = &entry, **listed = NULL;
	uint32_t mode = tacho_config_get_entry(session->config, index)->mode;
	size_t count = 1;
	int rc = 0;

	if (!device->backend->explain)
		return 0;
	if (outcome->how == TACHO__FROM_GROUP) {
		rc = tacho_arch_list_inputs(device->traits.arch, entry, &listed, &count);
		inputs = listed;
	}
	for (size_t i = 0; !rc && i < count && !*outcome->note; i++)
		outcome->note = device->backend->explain(device, inputs[i], mode);
	free(listed);
	return rc;
}

static int compile_entry(struct tacho_session *session, size_t index)
{
	const struct tacho_plan_entry *entry = tacho_plan_get_entry(session->plan, index);
	struct tacho__outcome *outcome = &session->outcomes[index];
	int rc;

	outcome->how = TACHO__FROM_COUNTER;
	outcome->note = "";
	if (is_counted(session, entry, &outcome->source))
		return explain(session, index, outcome);
	outcome->how = TACHO__NOT_THERE;
	if (entry->entry->kind == TACHO_ENTRY_COUNTER) {
		outcome->note = entry->entry->is_of_command ? "only a recorded launch has it"
							    : "no pass counts it";
		return 0;
	}
	outcome->note = try_alone(session, entry);
	if (!outcome->note)
		return TACHO_E_NOMEM;
	if (*outcome->note)
		return 0;
	outcome->how = TACHO__FROM_GROUP;
	rc = explain(session, index, outcome);
	if (!rc)
		rc = find_group(session, entry, &outcome->group);
	return rc ? rc
		  : tacho__session_add_output(session, session->groups[outcome->group].program,
					      entry->entry, &outcome->output);
}

int tacho__session_find_sources(const struct tacho_session *session, struct tacho__arena *arena,
				struct tacho__group *group)
{
	const struct tacho__input *inputs;

	group->source_count = tacho__program_get_inputs(group->program, &inputs);
	group->sources =
		tacho__arena_get(arena, (group->source_count + 1) * sizeof(*group->sources));
	for (size_t i = 0; group->sources && i < group->source_count; i++)
		find_source(session, group->passes, group->pass_count, &inputs[i],
			    &group->sources[i]);
	return group->sources ? 0 : TACHO_E_NOMEM;
}

/* Inputs of formulas are wanted with all instances. */
static int keep_inputs(struct tacho_session *session, struct tacho__group *group)
{
	int rc = tacho__session_find_sources(session, &session->arena, group);

	for (size_t i = 0; i < group->source_count && !rc; i++)
		session->stores[group->sources[i].pass].raws[group->sources[i].counter].reduces = 0;
	return rc;
}

int tacho__session_compile(struct tacho_session *session)
{
	int rc = 0;

	while (tacho_config_get_entry(session->config, session->outcome_count))
		session->outcome_count++;
	session->outcomes = tacho__arena_get(&session->arena, (session->outcome_count + 1) *
								      sizeof(*session->outcomes));
	session->groups = tacho__arena_get(&session->arena,
					   (session->outcome_count + 1) * sizeof(*session->groups));
	if (!session->outcomes || !session->groups)
		return TACHO_E_NOMEM;
	for (size_t i = 0; i < session->pass_count; i++)
		for (size_t k = 0; k < session->stores[i].raw_count; k++) {
			struct tacho__raw *raw = &session->stores[i].raws[k];

			/* the first of each instance, before all become one */
			raw->reduces = !raw->is_first && !raw->is_last;
		}
	for (size_t i = 0; i < session->outcome_count && !rc; i++) {
		const struct tacho__outcome *outcome = &session->outcomes[i];

		rc = compile_entry(session, i);
		if (!rc && outcome->how == TACHO__FROM_COUNTER &&
		    tacho_config_get_entry(session->config, i)->keeps_instances)
			session->stores[outcome->source.pass]
				.raws[outcome->source.counter]
				.reduces = 0;
	}
	for (size_t i = 0; i < session->group_count && !rc; i++)
		rc = keep_inputs(session, &session->groups[i]);
	return rc;
}

void tacho__session_drop_formulas(struct tacho_session *session)
{
	for (size_t i = 0; i < session->group_count; i++)
		tacho__program_destroy(session->groups[i].program);
}
