/* SPDX-License-Identifier: MIT */
/* Memory that is mapped: too often, or for ever. */
#include <inttypes.h>
#include <stdio.h>

#include "analyze/rules/rules.h"
#include "tacho/error.h"
#include "tacho/sys/units.h"

/* ---- never unmapped ---- */

static struct tacho__tracked *find_memory(struct tacho_findings *findings,
					  const struct tacho__seen *seen)
{
	uint64_t handle = tacho__seen_handle(findings, seen, seen->function->role->memory);

	return tacho__tracked_find(&findings->tracked, seen->call->process, TACHO__THING_MEMORY,
				   handle);
}

static void count_maps(struct tacho__tracked *memory, const struct tacho__seen *seen, bool is_map)
{
	if (!is_map) {
		memory->maps -= memory->maps != 0;
		return;
	}
	memory->maps += memory->maps < UINT32_MAX;
	memory->map.function = seen->function->name;
	memory->map.thread = seen->call->thread;
	memory->map.index = seen->call->index;
	memory->map.start_ns = seen->call->start_ns;
}

int tacho__maps_forget(struct tacho_findings *findings, const struct tacho__tracked *memory)
{
	const struct tacho__process_facts *process =
		tacho__map_get(&findings->processes, (uintptr_t)memory->process);
	struct tacho__place place = {memory->process, memory->map.function, memory->map.thread,
				     memory->map.index, memory->map.start_ns};
	char text[96];

	if (!memory->maps || !process || process->has_loss)
		return 0;
	snprintf(text, sizeof(text), "memory 0x%" PRIX64 ", %" PRIu32 " map%s left", memory->handle,
		 memory->maps, memory->maps == 1 ? "" : "s");
	return tacho__finding_add(findings, TACHO__RULE_NEVER_UNMAPPED, place.function, &place, 0,
				  text, NULL);
}

int tacho__maps_complete(struct tacho_findings *findings)
{
	int rc = 0;

	for (size_t i = 0; i < findings->tracked.capacity && !rc; i++)
		if (findings->tracked.entries[i].refs)
			rc = tacho__maps_forget(findings, &findings->tracked.entries[i]);
	return rc;
}

bool tacho__judge_never_unmapped(struct tacho_findings *findings, struct tacho__finding *finding,
				 struct tacho__buf *message)
{
	const struct tacho_finding *info = &finding->finding;

	tacho__buf_printf(message,
			  "%" PRIu64 " memory object%s mapped by %s and never unmapped, until "
			  "released or the end.",
			  info->count, info->count == 1 ? " was" : "s were", info->subject);
	return true;
}

/* ---- rounds ---- */

/* One step more of a round: map, unmap, wait. */
static void add_step(struct tacho_findings *findings, const struct tacho__seen *seen,
		     struct tacho__map_round *round)
{
	round->nodes[round->steps] = tacho__gain_node(findings);
	round->ns[round->steps++] = seen->host_ns;
}

/* The memory is mapped again, and nobody used what was written. */
static int tell_round(struct tacho_findings *findings, const struct tacho__map_round *round)
{
	struct tacho__finding *finding = NULL;
	uint64_t ns = 0;
	int rc;

	for (unsigned i = 0; i < round->steps; i++)
		ns += round->ns[i];
	rc = tacho__finding_add(findings, TACHO__RULE_MAP_ROUNDS, round->place.function,
				&round->place, ns, NULL, &finding);
	for (unsigned i = 0; i < round->steps && !rc; i++) {
		rc = tacho__gain_mark_node(findings, round->nodes[i], finding, TACHO__MARK_WAIT, 0,
					   round->ns[i]);
		if (!rc)
			rc = tacho__gain_mark_node(findings, round->nodes[i], finding,
						   TACHO__MARK_COMMAND, INT64_MAX, 0);
	}
	return rc;
}

static int begin_round(struct tacho_findings *findings, const struct tacho__seen *seen,
		       uint64_t memory)
{
	struct tacho__map_round *round = &seen->process->round;
	int rc = 0;

	if (round->memory == memory && round->steps >= 2 &&
	    round->place.thread == seen->call->thread)
		rc = tell_round(findings, round);
	*round = (struct tacho__map_round){.memory = memory, .place = tacho__seen_place(seen)};
	add_step(findings, seen, round);
	return rc;
}

static bool is_for_reading(struct tacho_findings *findings, const struct tacho__seen *seen)
{
	return tacho__argument_has_flag(
		tacho__seen_argument(findings, seen, seen->function->role->flags),
		seen->function->api->map_for_read, 0);
}

static int take_map(struct tacho_findings *findings, const struct tacho__seen *seen)
{
	struct tacho__map_round *round = &seen->process->round;
	bool is_map = seen->call->command->kind == TACHO_COMMAND_MAP;
	struct tacho__tracked *memory = find_memory(findings, seen);

	if (!memory)
		return 0;
	count_maps(memory, seen, is_map);
	if (is_map && !is_for_reading(findings, seen))
		return begin_round(findings, seen, memory->handle);
	if (!is_map && round->memory == memory->handle && round->steps == 1)
		add_step(findings, seen, round);
	else
		round->memory = 0;
	return 0;
}

int tacho__maps_take(struct tacho_findings *findings, const struct tacho__seen *seen)
{
	const struct tacho__function_role *role = seen->function->role;
	const struct tacho_command *command = seen->call->command;
	struct tacho__map_round *round = &seen->process->round;

	if (!role || seen->call->failed)
		return 0;
	if (role->act == TACHO__ACT_WAIT_QUEUE && round->memory && round->steps == 2 &&
	    round->place.thread == seen->call->thread)
		add_step(findings, seen, round);
	if (!command)
		return 0;
	if (role->memory &&
	    (command->kind == TACHO_COMMAND_MAP || command->kind == TACHO_COMMAND_UNMAP))
		return take_map(findings, seen);
	/* Any other command may use what was written. */
	round->memory = 0;
	return 0;
}

bool tacho__judge_map_rounds(struct tacho_findings *findings, struct tacho__finding *finding,
			     struct tacho__buf *message)
{
	const struct tacho_finding *info = &finding->finding;
	char time[TACHO_UNITS_MAX];

	if (info->count < findings->thresholds[TACHO__MAP_ROUND_COUNT])
		return false;
	tacho__buf_printf(message,
			  "Memory was mapped by %s, unmapped, and mapped again before any command "
			  "could use it, %" PRIu64 " times, which took %s.",
			  info->subject, info->count, tacho_units_time(time, info->cost_ns, 3));
	return true;
}
