/* SPDX-License-Identifier: MIT */
/*
 * Work that is recorded first and submitted later. Each command of a submit is told of by itself,
 * right before the call that submitted it, so that what a thread was told of since its last submit
 * is what the next one gave to the device.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "analyze/rules/rules.h"
#include "tacho/error.h"
#include "tacho/sys/units.h"

enum { EVENTS_MAX = 64, TINY_AFTER = 2 };

/* ---- commands ---- */

/* Work that came in fewer submits would begin at once; whether they are tiny is known at the end.
 */
static int mark_lag(struct tacho_findings *findings, const struct tacho__seen *seen,
		    struct tacho__submits *submits, const char *label)
{
	int rc = submits->finding ? 0
				  : tacho__finding_get(findings, TACHO__RULE_TINY_SUBMITS, label,
						       &submits->finding);

	if (!rc && submits->count >= TINY_AFTER)
		tacho__gain_mark(findings, submits->finding, TACHO__MARK_LAG,
				 tacho__gain_lag_ns(findings, seen));
	return rc;
}

int tacho__submits_take_row(struct tacho_findings *findings, const struct tacho__seen *seen)
{
	const struct tacho_command *command = seen->call->command;
	struct tacho__queue_facts *queue;
	struct tacho__batch *batch = &seen->thread->batch;
	uint64_t ns;
	int rc;

	if (!command->queue || !command->device)
		return 0;
	rc = tacho__queue_get(findings, seen->process, command->queue->handle, &queue);
	if (!rc)
		rc = tacho__device_get(findings, command->device, &batch->device);
	if (!rc && !batch->commands)
		rc = mark_lag(findings, seen, &batch->device->submits, batch->device->label);
	if (rc)
		return rc;
	queue->object = command->queue;
	queue->last_node = tacho__gain_node(findings);
	batch->commands++;
	batch->end_ns = command->state == TACHO_STATE_OK ? command->end_ns : 0;
	if (tacho__command_duration(command, &ns))
		batch->device_ns += ns;
	else
		batch->untimed++;
	return 0;
}

/* ---- submits ---- */

static void count_submit(struct tacho_findings *findings, const struct tacho__seen *seen,
			 const struct tacho__batch *batch)
{
	struct tacho__submits *submits = &batch->device->submits;

	if (batch->untimed)
		return;
	submits->count++;
	submits->host_ns += seen->host_ns;
	submits->device_ns += batch->device_ns;
	if (submits->count > TINY_AFTER)
		tacho__gain_mark(findings, submits->finding, TACHO__MARK_CALL, seen->host_ns);
	if (seen->host_ns > batch->device_ns &&
	    seen->host_ns - batch->device_ns > submits->worst_ns) {
		submits->worst_ns = seen->host_ns - batch->device_ns;
		submits->worst_place = tacho__seen_place(seen);
	}
}

/* The queue had nothing to do from the wait on until now. */
static int end_drain(struct tacho_findings *findings, const struct tacho__seen *seen,
		     struct tacho__queue_facts *queue)
{
	uint64_t now_ns = seen->call->start_ns,
		 gap_ns = now_ns > queue->drained_ns ? now_ns - queue->drained_ns : 0;
	struct tacho__finding *finding = NULL;
	char text[96], time[TACHO_UNITS_MAX];
	int rc;

	if (queue->drain.thread != seen->call->thread ||
	    gap_ns < findings->thresholds[TACHO__DRAIN_NS])
		return 0;
	snprintf(text, sizeof(text), "nothing to do for %s behind it",
		 tacho_units_time(time, gap_ns, 3));
	rc = tacho__finding_add(findings, TACHO__RULE_DRAINED_QUEUE, queue->drain.function,
				&queue->drain, gap_ns, text, &finding);
	return rc ? rc
		  : tacho__gain_mark_node(findings, queue->drain_node, finding, TACHO__MARK_WAIT, 0,
					  gap_ns);
}

/* Who waits for the event waits for all that the queue has by now. */
static void set_event(struct tacho_findings *findings, const struct tacho__seen *seen,
		      const struct tacho__queue_facts *queue, uint64_t queue_handle)
{
	uint64_t handle = tacho__seen_handle(findings, seen, seen->function->role->event);
	struct tacho__tracked *event = tacho__tracked_find(&findings->tracked, seen->call->process,
							   TACHO__THING_EVENT, handle);

	if (!event)
		return;
	event->node = queue->last_node;
	event->parent = queue_handle;
}

static int take_submit(struct tacho_findings *findings, const struct tacho__seen *seen)
{
	uint64_t handle = tacho__seen_handle(findings, seen, seen->function->role->handle);
	struct tacho__queue_facts *queue;
	struct tacho__batch *batch = &seen->thread->batch;
	int rc = tacho__queue_get(findings, seen->process, handle, &queue);

	if (rc)
		return rc;
	set_event(findings, seen, queue, handle);
	if (!batch->commands)
		return 0;
	seen->process->has_submitted = true;
	count_submit(findings, seen, batch);
	if (queue->drain.function)
		rc = end_drain(findings, seen, queue);
	queue->drain.function = NULL;
	*batch = (struct tacho__batch){.device = batch->device};
	return rc;
}

/* ---- waits ---- */

static void drain(struct tacho_findings *findings, const struct tacho__seen *seen,
		  struct tacho__queue_facts *queue, const struct tacho__place *place)
{
	if (!queue || !queue->last_node)
		return;
	queue->drain = *place;
	queue->drain_node = tacho__gain_node(findings);
	queue->drained_ns = seen->call->start_ns + seen->host_ns;
}

void tacho__submits_waited(struct tacho_findings *findings, const struct tacho__seen *seen,
			   uint64_t handle, const struct tacho__place *place)
{
	const struct tacho__tracked *event = tacho__tracked_find(
		&findings->tracked, seen->call->process, TACHO__THING_EVENT, handle);
	struct tacho__queue_facts *queue =
		event ? tacho__map_get(&seen->process->queues, event->parent) : NULL;

	if (queue && event->node == queue->last_node)
		drain(findings, seen, queue, place);
}

static void take_events(struct tacho_findings *findings, const struct tacho__seen *seen,
			const struct tacho__place *place)
{
	const struct tacho__function_role *role = seen->function->role;
	uint64_t events[EVENTS_MAX];
	size_t count = tacho__argument_handles(tacho__seen_argument(findings, seen, role->events),
					       events, EVENTS_MAX);

	if (count > 1 && !tacho__seen_is_true(findings, seen, role->all))
		return;
	for (size_t i = 0; i < count && i < EVENTS_MAX; i++)
		tacho__submits_waited(findings, seen, events[i], place);
}

static void take_wait(struct tacho_findings *findings, const struct tacho__seen *seen)
{
	const struct tacho__function_role *role = seen->function->role;
	const struct tacho__map *queues = &seen->process->queues;
	struct tacho__place place = tacho__seen_place(seen);

	if (strcmp(seen->call->result, seen->function->api->wait_done) != 0)
		return;
	if (role->act == TACHO__ACT_WAIT_QUEUE)
		drain(findings, seen,
		      tacho__map_get(queues, tacho__seen_handle(findings, seen, role->handle)),
		      &place);
	else if (role->act == TACHO__ACT_WAIT_EVENTS)
		take_events(findings, seen, &place);
	for (size_t i = 0; role->act == TACHO__ACT_WAIT_ALL && i < queues->capacity; i++)
		drain(findings, seen, queues->entries[i].value, &place);
}

/* Its queues go with it, and the next one's may have their handles. */
static void end_device(const struct tacho__seen *seen)
{
	const struct tacho__map *queues = &seen->process->queues;

	seen->process->has_submitted = false;
	for (size_t i = 0; i < queues->capacity; i++) {
		struct tacho__queue_facts *queue = queues->entries[i].value;

		if (queue)
			*queue = (struct tacho__queue_facts){.object = NULL};
	}
}

int tacho__submits_take(struct tacho_findings *findings, const struct tacho__seen *seen)
{
	const struct tacho__function_role *role = seen->function->role;

	if (!role || !seen->function->api->is_submitted || seen->call->failed)
		return 0;
	switch (role->act) {
	case TACHO__ACT_SUBMIT: return take_submit(findings, seen);
	case TACHO__ACT_WAIT_QUEUE:
	case TACHO__ACT_WAIT_EVENTS:
	case TACHO__ACT_WAIT_ALL: take_wait(findings, seen); return 0;
	case TACHO__ACT_RELEASE:
		if (role->thing == TACHO__THING_CONTEXT)
			end_device(seen);
		return 0;
	default: return 0;
	}
}

/* ---- the end ---- */

int tacho__submits_complete(struct tacho_findings *findings)
{
	int rc = 0;

	for (size_t i = 0; i < findings->device_count && !rc; i++) {
		struct tacho__device_facts *device = findings->device_list[i];
		const struct tacho__submits *submits = &device->submits;
		struct tacho__finding *finding = submits->finding;

		if (!finding || submits->host_ns <= submits->device_ns ||
		    submits->count < findings->thresholds[TACHO__TINY_SUBMIT_COUNT])
			continue;
		finding->owner = device;
		rc = tacho__finding_count(findings, finding, &submits->worst_place,
					  submits->worst_ns, NULL);
		finding->finding.count += submits->count - 1;
		finding->finding.cost_ns +=
			submits->host_ns - submits->device_ns - submits->worst_ns;
	}
	return rc;
}

/* ---- judgement ---- */

bool tacho__judge_drained_queue(struct tacho_findings *findings, struct tacho__finding *finding,
				struct tacho__buf *message)
{
	const struct tacho_finding *info = &finding->finding;
	char time[TACHO_UNITS_MAX];

	tacho__buf_printf(message,
			  "%" PRIu64 " time%s %s waited for all that a queue had, and the queue "
			  "then had nothing to do until the thread had prepared more and submitted "
			  "it, for %s in all.",
			  info->count, info->count == 1 ? "" : "s", info->subject,
			  tacho_units_time(time, info->cost_ns, 3));
	return true;
}

bool tacho__judge_tiny_submits(struct tacho_findings *findings, struct tacho__finding *finding,
			       struct tacho__buf *message)
{
	const struct tacho__device_facts *device = finding->owner;
	const struct tacho__submits *submits = &device->submits;
	char host[TACHO_UNITS_MAX], run[TACHO_UNITS_MAX];

	tacho__buf_printf(message,
			  "%s: %" PRIu64 " submits took the host %s each on average, and their "
			  "work the device %s.",
			  finding->finding.subject, submits->count,
			  tacho_units_time(host, submits->host_ns / submits->count, 3),
			  tacho_units_time(run, submits->device_ns / submits->count, 3));
	return true;
}
