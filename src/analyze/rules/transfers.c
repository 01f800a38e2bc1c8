/* SPDX-License-Identifier: MIT */
/* Transfers: of little, of what lies in the wrong place, at a time when nothing else runs. */
#include <inttypes.h>
#include <stdio.h>

#include "analyze/rules/rules.h"
#include "tacho/error.h"
#include "tacho/sys/units.h"

enum {
	USUAL_STEP = 32,
	USUAL_TIMES = 4 /* what takes longer than so many others was held up */
};

static bool is_transfer(enum tacho_command_kind kind)
{
	return kind == TACHO_COMMAND_WRITE || kind == TACHO_COMMAND_READ ||
	       kind == TACHO_COMMAND_COPY || kind == TACHO_COMMAND_MAP ||
	       kind == TACHO_COMMAND_UNMAP;
}

static bool is_blocking(struct tacho_findings *findings, const struct tacho__seen *seen)
{
	const struct tacho__function_role *role = seen->function->role;

	return role && tacho__seen_is_true(findings, seen, role->blocking);
}

/* What the host spent on it; a call that waits spends it on what was before it, too. */
static uint64_t cost_of(struct tacho_findings *findings, const struct tacho__seen *seen)
{
	uint64_t ns = 0;

	if (!is_blocking(findings, seen))
		return seen->host_ns;
	return tacho__command_duration(seen->call->command, &ns) && ns < seen->host_ns
		       ? ns
		       : seen->host_ns;
}

/*
 * Times of commands of a submit are taken between them, behind all that is in front, which some
 * drivers spend more on than on what is little. Nothing of the program's lies between two of them:
 * so much, on average, is in the time of each. What is left of all together is theirs.
 */
static uint64_t left_of(const struct tacho__finding *finding)
{
	const uint64_t *sums = finding->sums;
	double each = sums[TACHO__SUM_BEHIND]
			      ? (double)sums[TACHO__SUM_BETWEEN] / (double)sums[TACHO__SUM_BEHIND]
			      : 0;
	uint64_t taking = (uint64_t)(each * (double)sums[TACHO__SUM_TIMED]);

	return sums[TACHO__SUM_RAN] > taking ? sums[TACHO__SUM_RAN] - taking : 0;
}

/* Follows what half of the values are above. */
static void follow(uint64_t *usual, uint64_t value)
{
	uint64_t step = *usual / USUAL_STEP + 1;

	if (!*usual)
		*usual = value;
	else if (value > *usual)
		*usual += step;
	else
		*usual -= step < *usual ? step : 0;
}

/* Where the device does other work some take many times as long, in a command or between two: these
 * few would decide about the difference. */
static uint64_t bounded(const struct tacho__finding *finding, uint64_t ns)
{
	uint64_t run = finding->sums[TACHO__SUM_USUAL_RUN],
		 gap = finding->sums[TACHO__SUM_USUAL_GAP],
		 most = USUAL_TIMES * (run > gap ? run : gap);

	return ns < most ? ns : most;
}

/* What is left more than without this one. */
static uint64_t cost_of_submitted(const struct tacho__seen *seen, struct tacho__finding *finding)
{
	const struct tacho_command *command = seen->call->command;
	uint64_t *sums = finding->sums, ns, left, told = finding->finding.cost_ns;
	uint64_t before_ns = seen->thread->batch.commands ? seen->thread->batch.end_ns : 0;

	sums[TACHO__SUM_SUBMITTED]++;
	if (!tacho__command_duration(command, &ns))
		return 0;
	follow(&sums[TACHO__SUM_USUAL_RUN], ns);
	if (before_ns && command->state == TACHO_STATE_OK && command->start_ns >= before_ns) {
		follow(&sums[TACHO__SUM_USUAL_GAP], command->start_ns - before_ns);
		sums[TACHO__SUM_BETWEEN] += bounded(finding, command->start_ns - before_ns);
		sums[TACHO__SUM_BEHIND]++;
	}
	ns = bounded(finding, ns);
	sums[TACHO__SUM_RAN] += ns;
	sums[TACHO__SUM_TIMED]++;
	left = left_of(finding);
	left = left > told ? left - told : 0;
	return left < ns ? left : ns;
}

/* Gathered into one, all but one of them cost next to nothing. */
static void mark_small(struct tacho_findings *findings, const struct tacho__seen *seen,
		       struct tacho__finding *finding, uint64_t cost_ns)
{
	uint64_t ns = 0;

	if (finding->finding.count == 1)
		return;
	if (tacho__is_submitted(seen)) {
		tacho__gain_mark(findings, finding, TACHO__MARK_COMMAND, cost_ns);
		if (!seen->thread->batch.commands)
			tacho__gain_mark(findings, finding, TACHO__MARK_LAG,
					 tacho__gain_lag_ns(findings, seen));
		return;
	}
	if (is_blocking(findings, seen))
		tacho__gain_mark(findings, finding, TACHO__MARK_WAIT, 0);
	else
		tacho__gain_mark(findings, finding, TACHO__MARK_CALL, seen->host_ns);
	if (tacho__command_duration(seen->call->command, &ns))
		tacho__gain_mark(findings, finding, TACHO__MARK_COMMAND, ns);
	tacho__gain_mark(findings, finding, TACHO__MARK_LAG, tacho__gain_lag_ns(findings, seen));
}

static int take_small(struct tacho_findings *findings, const struct tacho__seen *seen,
		      const struct tacho__device_facts *device)
{
	const struct tacho_command *command = seen->call->command;
	struct tacho__place place = tacho__seen_place(seen);
	struct tacho__finding *finding = NULL;
	char subject[256];
	uint64_t cost_ns;
	int rc;

	if (!findings->applies[TACHO__RULE_SMALL_TRANSFERS] || !command->has_bytes ||
	    command->bytes >= findings->thresholds[TACHO__SMALL_TRANSFER_BYTES] ||
	    (seen->call->is_bare && !tacho__is_submitted(seen)))
		return 0;
	snprintf(subject, sizeof(subject), "%s on %s", tacho_command_kind_to_string(command->kind),
		 device->label);
	rc = tacho__finding_get(findings, TACHO__RULE_SMALL_TRANSFERS, subject, &finding);
	if (rc || !finding)
		return rc;
	finding->sums[0] += command->bytes;
	cost_ns = tacho__is_submitted(seen) ? cost_of_submitted(seen, finding)
					    : cost_of(findings, seen);
	rc = tacho__finding_count(findings, finding, &place, cost_ns, NULL);
	mark_small(findings, seen, finding, cost_ns);
	return rc;
}

static int take_persistent(struct tacho_findings *findings, const struct tacho__seen *seen)
{
	const struct tacho__function_role *role = seen->function->role;
	const struct tacho__api_roles *api = seen->function->api;
	struct tacho__place place = tacho__seen_place(seen);
	const struct tacho__tracked *memory;
	struct tacho__finding *finding = NULL;
	uint64_t handle;
	char text[64];
	int rc;

	if (!role || !role->memory || !role->flags)
		return 0;
	handle = tacho__seen_handle(findings, seen, role->memory);
	memory = tacho__tracked_find(&findings->tracked, seen->call->process, TACHO__THING_MEMORY,
				     handle);
	if (!memory || !memory->is_persistent ||
	    !tacho__argument_has_flag(tacho__seen_argument(findings, seen, role->flags),
				      api->map_for_read, 0))
		return 0;
	snprintf(text, sizeof(text), "memory 0x%" PRIX64 " of call %" PRIu64 " of thread %" PRIu32,
		 handle, memory->index, memory->thread);
	rc = tacho__finding_add(findings, TACHO__RULE_PERSISTENT_MAP, seen->function->name, &place,
				cost_of(findings, seen), text, &finding);
	tacho__gain_mark(findings, finding, TACHO__MARK_CALL, cost_of(findings, seen));
	return rc;
}

/* The cost is worked out at the end; until then examples are ranked by how long they took. */
static int take_serial(struct tacho_findings *findings, const struct tacho__seen *seen,
		       struct tacho__device_facts *device)
{
	struct tacho__place place = tacho__seen_place(seen);
	struct tacho__finding *finding = NULL;
	uint64_t ns;
	int rc;

	if (!device->is_judged || !tacho__command_duration(seen->call->command, &ns))
		return 0;
	rc = tacho__finding_add(findings, TACHO__RULE_SERIAL_TRANSFERS, device->label, &place, ns,
				NULL, &finding);
	if (!rc && finding)
		finding->owner = device;
	tacho__gain_mark(findings, finding, TACHO__MARK_COMMAND, ns);
	return rc;
}

int tacho__transfers_take(struct tacho_findings *findings, const struct tacho__seen *seen)
{
	const struct tacho_command *command = seen->call->command;
	struct tacho__device_facts *device;
	int rc;

	if (!is_transfer(command->kind))
		return 0;
	rc = command->kind == TACHO_COMMAND_MAP ? take_persistent(findings, seen) : 0;
	if (rc || !command->device)
		return rc;
	rc = tacho__device_get(findings, command->device, &device);
	if (!rc)
		rc = take_small(findings, seen, device);
	return rc ? rc : take_serial(findings, seen, device);
}

bool tacho__judge_persistent_map(struct tacho_findings *findings, struct tacho__finding *finding,
				 struct tacho__buf *message)
{
	const struct tacho_finding *info = &finding->finding;
	char time[TACHO_UNITS_MAX];

	tacho__buf_printf(message,
			  "%s mapped persistent device memory for reading %" PRIu64
			  " time%s, which took %s: each access of the host goes to the device.",
			  info->subject, info->count, info->count == 1 ? "" : "s",
			  tacho_units_time(time, info->cost_ns, 3));
	return true;
}

bool tacho__judge_small_transfers(struct tacho_findings *findings, struct tacho__finding *finding,
				  struct tacho__buf *message)
{
	struct tacho_finding *info = &finding->finding;
	char time[TACHO_UNITS_MAX], bytes[TACHO_UNITS_MAX], limit[TACHO_UNITS_MAX];
	bool is_submitted = finding->sums[TACHO__SUM_SUBMITTED] != 0;

	if (info->count < findings->thresholds[TACHO__SMALL_TRANSFER_COUNT] || !info->count)
		return false;
	if (is_submitted && info->cost_ns > left_of(finding)) {
		finding->over_ns = info->cost_ns - left_of(finding);
		info->cost_ns = left_of(finding);
	}
	tacho__buf_printf(
		message,
		"%s: %" PRIu64 " transfers of less than %s, %s on average, held the %s for %s",
		info->subject, info->count,
		tacho_units_bytes(limit, findings->thresholds[TACHO__SMALL_TRANSFER_BYTES]),
		tacho_units_bytes(bytes, finding->sums[0] / info->count),
		is_submitted ? "device" : "host", tacho_units_time(time, info->cost_ns, 3));
	/* That nothing is left of them is known, too. */
	info->has_cost |= is_submitted;
	info->has_gain |= is_submitted;
	tacho__buf_put(message, finding->sums[TACHO__SUM_BEHIND]
					? ", besides what taking their times took."
					: ".");
	return true;
}

bool tacho__judge_serial_transfers(struct tacho_findings *findings, struct tacho__finding *finding,
				   struct tacho__buf *message)
{
	struct tacho__device_facts *device = finding->owner;
	struct tacho_finding *info = &finding->finding;
	uint64_t all, kernels, copies, either, both, wanted;
	char time[3][TACHO_UNITS_MAX];

	wanted = findings->thresholds[TACHO__OVERLAP_TRANSFERS];
	/* A share of 0 or a sum that is not whole says nothing about what ran beside what. */
	if (!device || info->count < wanted || device->launches < wanted || device->all.late_ns ||
	    device->kernels.late_ns || device->copies.late_ns || device->is_mixed)
		return false;
	all = tacho__busy_sum_ns(&device->all);
	kernels = tacho__busy_sum_ns(&device->kernels);
	copies = tacho__busy_sum_ns(&device->copies);
	both = kernels + copies > all ? kernels + copies - all : 0;
	either = kernels < copies ? kernels : copies;
	if (either <= both ||
	    tacho__percent(either - both, all) < findings->thresholds[TACHO__OVERLAP_SHARE])
		return false;
	info->cost_ns = either - both;
	info->has_cost = 1;
	tacho__buf_printf(
		message,
		"%s ran kernels for %s and transfers for %s, both at once for %s: in %" PRIu64
		" transfers.",
		info->subject, tacho_units_time(time[0], kernels, 3),
		tacho_units_time(time[1], copies, 3), tacho_units_time(time[2], both, 3),
		info->count);
	return true;
}
