/* SPDX-License-Identifier: MIT */
/* References: what is made, retained and released. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "analyze/rules/rules.h"
#include "record/argument.h"
#include "tacho/error.h"

enum { HANDLES_MAX = 64 };

static const char *const thing_names[] = {
	[TACHO__THING_NONE] = "object",
	[TACHO__THING_CONTEXT] = "context",
	[TACHO__THING_QUEUE] = "queue",
	[TACHO__THING_MEMORY] = "memory object",
	[TACHO__THING_POINTER] = "memory",
	[TACHO__THING_SAMPLER] = "sampler",
	[TACHO__THING_PROGRAM] = "program",
	[TACHO__THING_KERNEL] = "kernel",
	[TACHO__THING_TEMPLATE] = "command buffer",
	[TACHO__THING_EVENT] = "event",
};

/* Fills in what depends on the kind of thing. */
static void describe(struct tacho_findings *findings, const struct tacho__seen *seen,
		     struct tacho__tracked *tracked)
{
	const struct tacho__function_role *role = seen->function->role;
	const struct tacho__api_roles *api = seen->function->api;
	const struct tacho_command *command = seen->call->command;

	switch (tracked->thing) {
	case TACHO__THING_MEMORY:
		tracked->is_persistent =
			tacho__argument_has_flag(tacho__seen_argument(findings, seen, role->flags),
						 api->persistent, api->persistent_bit);
		break;
	case TACHO__THING_PROGRAM: tracked->parent = tacho__seen_handle(findings, seen, 0); break;
	case TACHO__THING_EVENT:
		tracked->is_answer = role->is_answer;
		tracked->node = command ? tacho__gain_node(findings) : 0;
		if (command && command->queue)
			tracked->parent = command->queue->handle;
		break;
	default: break;
	}
}

static int track(struct tacho_findings *findings, const struct tacho__seen *seen,
		 enum tacho__thing thing, uint64_t handle)
{
	struct tacho__tracked *tracked;
	int rc = tacho__tracked_add(&findings->tracked, seen->call->process, thing, handle,
				    &tracked);

	if (rc || !tracked)
		return rc;
	tracked->function = seen->function->name;
	tracked->maker = seen->function;
	tracked->thread = seen->call->thread;
	tracked->index = seen->call->index;
	tracked->start_ns = seen->call->start_ns;
	describe(findings, seen, tracked);
	return 0;
}

static int take_made(struct tacho_findings *findings, const struct tacho__seen *seen)
{
	const struct tacho__function_role *role = seen->function->role;
	int position = role->act == TACHO__ACT_ENQUEUE ? role->event : role->handle;
	struct tacho__call_handle made;
	uint64_t handles[HANDLES_MAX];
	const char *text;
	size_t count;
	int rc = 0;

	if (position > 0 &&
	    tacho__cursor_read_handle(findings->cursor, (size_t)position - 1, &made) &&
	    made.is_written)
		return made.handle ? track(findings, seen, role->thing, made.handle) : 0;
	text = tacho__seen_argument(findings, seen, position);
	if (!text)
		return 0;
	count = tacho__argument_handles(text, handles, HANDLES_MAX);
	if (!count) {
		handles[0] = tacho__argument_handle(text);
		/* The event of a call that wrote none is shown as the pointer to it. */
		count = handles[0] && position == TACHO__ARGUMENT_RESULT;
	}
	for (size_t i = 0; i < count && i < HANDLES_MAX && !rc; i++)
		rc = track(findings, seen, role->thing, handles[i]);
	return rc;
}

/* The last reference of a thing is gone. What making it cost, releasing it costs, too. */
static int forget(struct tacho_findings *findings, const struct tacho__seen *seen,
		  struct tacho__tracked *tracked)
{
	struct tacho__function_facts *maker = tracked->maker;
	int rc = 0;

	maker->released++;
	if (maker->churn) {
		maker->churn->finding.cost_ns += seen->host_ns;
		tacho__gain_mark(findings, maker->churn, TACHO__MARK_CALL, seen->host_ns);
	}
	if (tracked->thing == TACHO__THING_PROGRAM)
		rc = tacho__builds_forget(findings, tracked);
	else if (tracked->thing == TACHO__THING_MEMORY)
		rc = tacho__maps_forget(findings, tracked);
	tacho__tracked_remove(&findings->tracked, tracked);
	return rc;
}

static int take_reference(struct tacho_findings *findings, const struct tacho__seen *seen)
{
	const struct tacho__function_role *role = seen->function->role;
	uint64_t handle = tacho__seen_handle(findings, seen, role->handle);
	struct tacho__tracked *tracked =
		tacho__tracked_find(&findings->tracked, seen->call->process, role->thing, handle);

	if (!tracked)
		return 0; /* made by a parent process, or by a call that was not seen */
	if (role->act == TACHO__ACT_RETAIN)
		tracked->refs += tracked->refs < UINT32_MAX;
	else if (tracked->refs == 1)
		return forget(findings, seen, tracked);
	else
		tracked->refs--;
	return 0;
}

int tacho__leaks_take(struct tacho_findings *findings, const struct tacho__seen *seen)
{
	const struct tacho__function_role *role = seen->function->role;

	if (!role || seen->call->failed)
		return 0;
	switch (role->act) {
	case TACHO__ACT_CREATE: return take_made(findings, seen);
	case TACHO__ACT_ENQUEUE: return take_made(findings, seen);
	case TACHO__ACT_BUILD:
		return role->word || role->handle == TACHO__ARGUMENT_RESULT
			       ? take_made(findings, seen)
			       : 0;
	case TACHO__ACT_RETAIN:
	case TACHO__ACT_RELEASE: return take_reference(findings, seen);
	default: return 0;
	}
}

/* Why what is still there need not be a leak; NULL when it is one. */
static const char *why_unknown(const struct tacho_findings *findings)
{
	const struct tacho_run *run = tacho_recording_get_run(findings->recording);

	if (run->exit_status > 128)
		return "the program was ended by a signal, before it could release them";
	/* Session files were written when their program ended well, and say no more. */
	if (run->exit_status < 0 && *run->via)
		return "how the program ended is not known";
	return NULL;
}

/* Session files tell which functions were left out of them: releases may be among these. */
static bool is_left_out(const struct tacho_findings *findings, enum tacho__thing thing)
{
	const char *note = tacho_recording_get_run(findings->recording)->import_note;
	const struct tacho__api_roles *api;

	if (!note || !*note)
		return false;
	for (size_t i = 0; (api = tacho__api_roles_get(i)); i++)
		for (const struct tacho__function_role *role = api->roles; role->function; role++)
			if (role->act == TACHO__ACT_RELEASE && role->thing == thing &&
			    strstr(note, role->function))
				return true;
	return false;
}

/* Kinds that an API has a word of its own for are destroyed, and no references counted. */
static bool is_counted(const struct tacho__tracked *tracked)
{
	return !tracked->maker->role->word;
}

static const char *name_of(const struct tacho__tracked *tracked)
{
	return is_counted(tracked) ? thing_names[tracked->thing] : tracked->maker->role->word;
}

static int tell(struct tacho_findings *findings, const struct tacho__tracked *tracked)
{
	const struct tacho__place place = {tracked->process, tracked->function, tracked->thread,
					   tracked->index, tracked->start_ns};
	struct tacho__finding *finding = NULL;
	const char *name = name_of(tracked);
	char subject[256], text[96];
	int rc;

	snprintf(subject, sizeof(subject), "%s of %s", name, tracked->function);
	if (is_counted(tracked))
		snprintf(text, sizeof(text), "handle 0x%" PRIX64 ", %" PRIu32 " reference%s",
			 tracked->handle, tracked->refs, tracked->refs == 1 ? "" : "s");
	else
		snprintf(text, sizeof(text), "handle 0x%" PRIX64, tracked->handle);
	rc = tacho__finding_add(findings, TACHO__RULE_LEAKED_OBJECT, subject, &place, 0, text,
				&finding);
	if (!rc && finding) {
		finding->sums[0] += is_counted(tracked) ? tracked->refs : 0;
		finding->extra = name;
	}
	return rc;
}

int tacho__leaks_complete(struct tacho_findings *findings)
{
	const struct tacho__tracked_table *table = &findings->tracked;
	const char *unknown = why_unknown(findings);
	bool left_out[TACHO__THINGS];
	uint64_t unsure = 0;
	int rc = 0;

	if (!findings->applies[TACHO__RULE_LEAKED_OBJECT] || !table->count)
		return 0;
	if (unknown)
		return tacho__findings_note(findings,
					    "Leaks were not looked for: %zu object%s not released, "
					    "but %s.",
					    table->count, table->count == 1 ? " was" : "s were",
					    unknown);
	for (unsigned thing = 0; thing < TACHO__THINGS; thing++)
		left_out[thing] = is_left_out(findings, (enum tacho__thing)thing);
	for (size_t i = 0; i < table->capacity && !rc; i++) {
		const struct tacho__tracked *tracked = &table->entries[i];
		const struct tacho__process_facts *process;

		if (!tracked->refs)
			continue;
		process = tacho__map_get(&findings->processes, (uintptr_t)tracked->process);
		if ((process && process->has_loss) || left_out[tracked->thing])
			unsure++;
		else
			rc = tell(findings, tracked);
	}
	if (!rc && unsure)
		rc = tacho__findings_note(findings,
					  "%" PRIu64
					  " object%s not released as far as is known. Calls "
					  "that may have released them were not recorded, so that "
					  "these are not told as leaks.",
					  unsure, unsure == 1 ? " was" : "s were");
	if (!rc && table->untracked)
		rc = tacho__findings_note(findings,
					  "%" PRIu64 " more objects were made while %d were "
					  "alive: leaks are counted among the first ones only.",
					  table->untracked, TACHO__TRACKED_MAX);
	return rc;
}

bool tacho__judge_leak(struct tacho_findings *findings, struct tacho__finding *finding,
		       struct tacho__buf *message)
{
	const struct tacho_finding *info = &finding->finding;
	bool one = info->count == 1;

	tacho__buf_printf(message, "%" PRIu64 " %s%s made by %s %s still ", info->count,
			  finding->extra, one ? "" : "s",
			  info->example_count ? info->examples[0].function : "?",
			  one ? "is" : "are");
	if (finding->sums[0])
		tacho__buf_printf(message, "referenced at the end, %" PRIu64 " reference%s in all.",
				  finding->sums[0], finding->sums[0] == 1 ? "" : "s");
	else
		tacho__buf_put(message, "there at the end.");
	return true;
}
