/* SPDX-License-Identifier: MIT */
/*
 * What threads did while a device had nothing to do. It is gathered while the calls are read, where
 * commands come in time for it; else the calls are read a second time.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/rules/rules.h"
#include "base/array.h"
#include "base/error.h"
#include "tacho/sys/units.h"

/* A call that waits until the commands up to its end are likely to be known. */
struct tacho__idle_call {
	const struct tacho_process *process;
	const char *function;
	uint64_t start_ns, end_ns;
};

enum { CALLS_MAX = 1 << 17, ENDS_MAX = 4 * TACHO__GAPS_PIECES_MAX };

/* ---- while calls are read ---- */

int tacho__idle_end(struct tacho__device_facts *device, uint64_t start_ns, uint64_t end_ns)
{
	tacho__gap_calls_expect(&device->calls, &device->gaps, start_ns, end_ns);
	return tacho__gaps_add(&device->gaps, start_ns, end_ns);
}

static struct tacho__idle_call *get_call(const struct tacho__idle *idle, size_t index)
{
	return &idle->calls[(idle->first + index) & (CALLS_MAX - 1)];
}

/* The first `count` that wait are shared out to the gaps that they lie in. */
static int share_out(struct tacho_findings *findings, size_t count)
{
	struct tacho__idle *idle = &findings->idle;
	int rc = 0;

	for (size_t i = 0; i < count; i++) {
		const struct tacho__idle_call *call = get_call(idle, i);

		for (size_t k = 0; k < findings->device_count && !rc; k++) {
			struct tacho__device_facts *device = findings->device_list[k];

			if (device->object->process == call->process && !device->calls.is_missed)
				rc = tacho__gap_calls_add(&device->calls, &device->gaps,
							  call->function, call->start_ns,
							  call->end_ns);
		}
		if (call->end_ns > idle->done_ns)
			idle->done_ns = call->end_ns;
	}
	for (size_t k = 0; k < findings->device_count; k++)
		findings->device_list[k]->calls.done_ns = idle->done_ns;
	idle->first = (idle->first + count) & (CALLS_MAX - 1);
	idle->count -= count;
	return rc;
}

/* Lets go of those that no gap ends at. */
static void forget_ends(struct tacho__device_facts *device)
{
	size_t kept = 0;

	for (size_t i = 0; i < device->end_count; i++) {
		const struct tacho__gaps *gaps = &device->gaps;
		uint64_t ns = device->ends[i].at_ns;

		if (tacho__gaps_before_ns(gaps, ns) || gaps->pieces[0].start_ns == ns)
			device->ends[kept++] = device->ends[i];
	}
	device->end_count = kept;
	device->calls.is_missed |= kept > ENDS_MAX / 2;
}

/* A command that may turn out to have ended a gap. */
static int note_end(struct tacho__device_facts *device, const struct tacho__seen *seen)
{
	const struct tacho__gaps *gaps = &device->gaps;
	uint64_t start_ns = seen->call->command->start_ns;
	size_t i = tacho__intervals_find(gaps->pieces, gaps->count, start_ns);

	if (i == gaps->count || gaps->pieces[i].start_ns > start_ns)
		device->calls.is_missed = true; /* it is not in the gaps' way, and may end one */
	if (device->calls.is_missed || gaps->pieces[i].start_ns != start_ns)
		return 0;
	if (device->end_count == ENDS_MAX)
		forget_ends(device);
	return tacho__array_add(&device->ends, &device->end_capacity, &device->end_count,
				&(struct tacho__gap_end){start_ns, tacho__seen_place(seen)},
				sizeof(*device->ends));
}

int tacho__idle_take(struct tacho_findings *findings, const struct tacho__seen *seen)
{
	const struct tacho_call *call = seen->call;
	const struct tacho_command *command = call->command;
	struct tacho__idle *idle = &findings->idle;
	struct tacho__device_facts *device;
	int rc = 0;

	if (!idle->is_wanted)
		return 0;
	if (command && command->device && command->state == TACHO_STATE_OK &&
	    command->device->process == call->process) {
		rc = tacho__device_get(findings, command->device, &device);
		if (!rc)
			rc = note_end(device, seen);
	}
	if (rc || !seen->host_ns)
		return rc;
	if (!idle->calls)
		idle->calls = calloc(CALLS_MAX, sizeof(*idle->calls));
	if (!idle->calls)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for findings");
	if (idle->count == CALLS_MAX)
		rc = share_out(findings, CALLS_MAX / 2);
	*get_call(idle, idle->count++) = (struct tacho__idle_call){
		call->process, seen->function->name, call->start_ns, call->end_ns};
	return rc;
}

void tacho__idle_finish(struct tacho_findings *findings)
{
	free(findings->idle.calls);
	for (size_t i = 0; i < findings->device_count; i++) {
		tacho__gap_calls_finish(&findings->device_list[i]->calls);
		free(findings->device_list[i]->ends);
	}
}

/* ---- the end ---- */

/* The sum of all functions of that name; `name` lives as long as the findings. */
static uint64_t *get_named(struct tacho_findings *findings, struct tacho__device_facts *device,
			   const char *name)
{
	uint64_t *sum = tacho__names_get(&device->by_function, name);

	if (sum)
		return sum;
	sum = tacho__arena_get(&findings->arena, sizeof(*sum));
	return sum && !tacho__names_set(&device->by_function, name, sum) ? sum : NULL;
}

static int add_shares(struct tacho_findings *findings, struct tacho__device_facts *device)
{
	for (size_t i = 0; i < device->calls.capacity; i++) {
		const struct tacho__gap_share *share = &device->calls.shares[i];
		uint64_t *sum;

		if (!tacho__gap_share_counts(share, &device->gaps))
			continue;
		sum = get_named(findings, device, share->function);
		if (!sum)
			return TACHO_E_NOMEM;
		*sum += share->ns;
		device->api_ns += share->ns;
	}
	return 0;
}

/* The command at `place` ended the gap in front of it. */
static int tell_end(struct tacho_findings *findings, struct tacho__device_facts *device,
		    const struct tacho__place *place, uint64_t gap_ns)
{
	struct tacho__finding *finding = NULL;
	char text[64], time[TACHO_UNITS_MAX];
	int rc;

	snprintf(text, sizeof(text), "idle for %s before this command",
		 tacho_units_time(time, gap_ns, 3));
	rc = tacho__finding_add(findings, TACHO__RULE_IDLE_DEVICE, device->label, place, gap_ns,
				text, &finding);
	if (!rc && finding)
		finding->owner = device;
	return rc;
}

static int tell_ends(struct tacho_findings *findings, struct tacho__device_facts *device)
{
	int rc = 0;

	for (size_t i = 0; i < device->end_count && !rc; i++) {
		const struct tacho__gap_end *end = &device->ends[i];
		uint64_t gap_ns = tacho__gaps_before_ns(&device->gaps, end->at_ns);

		if (gap_ns)
			rc = tell_end(findings, device, &end->place, gap_ns);
	}
	return rc;
}

int tacho__idle_complete(struct tacho_findings *findings, bool *out_again)
{
	int rc = share_out(findings, findings->idle.count);

	*out_again = false;
	for (size_t i = 0; i < findings->device_count; i++)
		*out_again |= findings->device_list[i]->is_idle &&
			      findings->device_list[i]->calls.is_missed;
	for (size_t i = 0; i < findings->device_count && !rc && !*out_again; i++) {
		struct tacho__device_facts *device = findings->device_list[i];

		if (!device->is_idle)
			continue;
		rc = tell_ends(findings, device);
		if (!rc)
			rc = add_shares(findings, device);
	}
	return rc;
}

/* ---- a second look ---- */

/* The sum of a function; those of one name share it. */
static uint64_t *get_sum(struct tacho_findings *findings, struct tacho__device_facts *device,
			 const struct tacho_function *function)
{
	uint64_t *sum = tacho__map_get(&device->sums, (uintptr_t)function);
	const char *name;

	if (sum)
		return sum;
	name = tacho__findings_text(findings, function->name);
	sum = name ? get_named(findings, device, name) : NULL;
	if (!sum)
		return NULL;
	return tacho__map_set(&device->sums, (uintptr_t)function, sum) ? NULL : sum;
}

static int add_call(struct tacho_findings *findings, struct tacho__device_facts *device,
		    const struct tacho_function *function, uint64_t ns)
{
	uint64_t *sum = get_sum(findings, device, function);

	if (!sum)
		return TACHO_E_NOMEM;
	*sum += ns;
	device->api_ns += ns;
	return 0;
}

/* Objects of two cursors differ, ids do not. */
static int add_gap(struct tacho_findings *findings, struct tacho__device_facts *device,
		   const struct tacho_call *call)
{
	const struct tacho_command *command = call->command;
	struct tacho__place place = {call->process, NULL, call->thread, call->index,
				     call->start_ns};
	uint64_t gap_ns;

	if (!command || !command->device || command->device->id != device->object->id ||
	    command->device->process != device->object->process || command->state != TACHO_STATE_OK)
		return 0;
	gap_ns = tacho__gaps_before_ns(&device->gaps, command->start_ns);
	if (!gap_ns)
		return 0;
	place.function = tacho__findings_text(findings, call->function->name);
	return place.function ? tell_end(findings, device, &place, gap_ns) : TACHO_E_NOMEM;
}

int tacho__idle_review(struct tacho_findings *findings, const struct tacho_call *call)
{
	int rc = 0;

	for (size_t i = 0; i < findings->device_count && !rc; i++) {
		struct tacho__device_facts *device = findings->device_list[i];
		uint64_t ns;

		if (!device->is_idle || device->object->process != call->process)
			continue;
		rc = add_gap(findings, device, call);
		if (rc || call->is_bare || call->end_ns <= call->start_ns)
			continue;
		ns = tacho__gaps_overlap_ns(&device->gaps, call->start_ns, call->end_ns);
		if (ns)
			rc = add_call(findings, device, call->function, ns);
	}
	return rc;
}

/* ---- judgement ---- */

void tacho__idle_reviewed(struct tacho_findings *findings)
{
	for (size_t i = 0; i < findings->device_count; i++) {
		struct tacho__device_facts *device = findings->device_list[i];
		const struct tacho__names *names = &device->by_function;

		for (size_t k = 0; k < names->capacity; k++) {
			const uint64_t *ns = names->entries[k].value;

			if (!names->entries[k].key || *ns < device->worst_ns ||
			    (*ns == device->worst_ns && device->worst_function &&
			     strcmp(names->entries[k].key, device->worst_function) > 0))
				continue;
			device->worst_ns = *ns;
			device->worst_function = names->entries[k].key;
		}
	}
}

bool tacho__judge_idle_device(struct tacho_findings *findings, struct tacho__finding *finding,
			      struct tacho__buf *message)
{
	const struct tacho__device_facts *device = finding->owner;
	struct tacho_finding *info = &finding->finding;
	char time[5][TACHO_UNITS_MAX], share[TACHO_UNITS_MAX];
	uint64_t idle;

	if (!device)
		return false;
	idle = tacho__gaps_sum_ns(&device->gaps);
	info->cost_ns = idle;
	info->has_cost = 1;
	info->count = device->gaps.count - 1;
	tacho__buf_printf(message,
			  "%s was idle for %s, %s of the %s between its first command and the end "
			  "of its last, in %" PRIu64 " gap%s of at least %s.",
			  info->subject, tacho_units_time(time[0], idle, 3),
			  tacho_units_share(share, idle, tacho__device_span_ns(device)),
			  tacho_units_time(time[1], tacho__device_span_ns(device), 3), info->count,
			  info->count == 1 ? "" : "s",
			  tacho_units_time(time[2], device->gaps.gap_ns, 3));
	if (device->worst_function)
		tacho__buf_printf(message,
				  " Meanwhile threads of its process were in API calls for %s "
				  "(summed over threads), %s of it in %s.",
				  tacho_units_time(time[3], device->api_ns, 3),
				  tacho_units_time(time[4], device->worst_ns, 3),
				  device->worst_function);
	else
		tacho__buf_put(message, " Meanwhile no thread of its process was in an API call.");
	return true;
}
