/* SPDX-License-Identifier: MIT */
/*
 * Reads that wait. Whether the host needed the data is not recorded; that it had no time to look at
 * them is: its next command came sooner than any processor reads that much.
 */
#include <inttypes.h>
#include <stdio.h>

#include "analyze/rules/rules.h"
#include "tacho/error.h"
#include "tacho/sys/units.h"

/* The next command of the thread is here. */
static int judge_read(struct tacho_findings *findings, const struct tacho__read *read,
		      uint64_t next_ns)
{
	struct tacho__finding *finding = NULL;
	uint64_t gap = next_ns > read->end_ns ? next_ns - read->end_ns : 0;
	char text[64];
	int rc;

	if ((double)gap * (double)findings->thresholds[TACHO__READ_BYTES_A_US] >=
	    (double)read->bytes * 1000)
		return 0;
	snprintf(text, sizeof(text), "%" PRIu64 " bytes, %" PRIu64 " ns before the next command",
		 read->bytes, gap);
	rc = tacho__finding_add(findings, TACHO__RULE_BLOCKING_READ, read->place.function,
				&read->place, read->host_ns, text, &finding);
	return rc ? rc
		  : tacho__gain_mark_node(findings, read->node, finding, TACHO__MARK_WAIT,
					  read->device_ns < read->host_ns ? read->device_ns
									  : read->host_ns,
					  read->host_ns);
}

int tacho__reads_take(struct tacho_findings *findings, const struct tacho__seen *seen)
{
	const struct tacho__function_role *role = seen->function->role;
	const struct tacho_command *command = seen->call->command;
	struct tacho__read *read = &seen->process->read;
	int rc = 0;

	if (!role || seen->call->is_bare || seen->call->failed)
		return 0;
	if (read->place.function && read->place.thread == seen->call->thread) {
		rc = judge_read(findings, read, seen->call->start_ns);
		read->place.function = NULL;
	}
	if (rc || command->kind != TACHO_COMMAND_READ || !command->has_bytes ||
	    !tacho__seen_is_true(findings, seen, role->blocking))
		return rc;
	*read = (struct tacho__read){.node = tacho__gain_node(findings),
				     .end_ns = seen->call->start_ns + seen->host_ns,
				     .bytes = command->bytes,
				     .host_ns = seen->host_ns,
				     .place = tacho__seen_place(seen)};
	if (!tacho__command_duration(command, &read->device_ns))
		read->device_ns = read->host_ns;
	return 0;
}

bool tacho__judge_blocking_read(struct tacho_findings *findings, struct tacho__finding *finding,
				struct tacho__buf *message)
{
	const struct tacho_finding *info = &finding->finding;
	char time[TACHO_UNITS_MAX];

	tacho__buf_printf(message,
			  "%" PRIu64 " blocking call%s of %s held the host for %s, and the next "
			  "command came before it could have looked at the data.",
			  info->count, info->count == 1 ? "" : "s", info->subject,
			  tacho_units_time(time, info->cost_ns, 3));
	return true;
}
