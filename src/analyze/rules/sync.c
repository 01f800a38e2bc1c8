/* SPDX-License-Identifier: MIT */
/* Waits of the host: those that nothing needs, those that burn time, writes that need not wait. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/rules/rules.h"
#include "tacho/error.h"
#include "tacho/sys/units.h"

enum { EVENTS_MAX = 64, RIVALS_MAX = 4096 };

/* ---- queues ---- */

int tacho__queue_get(struct tacho_findings *findings, struct tacho__process_facts *process,
		     uint64_t handle, struct tacho__queue_facts **out_queue)
{
	struct tacho__queue_facts *queue = tacho__map_get(&process->queues, handle);

	if (!queue) {
		queue = tacho__arena_get(&findings->arena, sizeof(*queue));
		if (!queue || tacho__map_set(&process->queues, handle, queue))
			return TACHO_E_NOMEM;
	}
	*out_queue = queue;
	return 0;
}

/* A queue goes away: whether it was of use is known now. */
static int forget_queue(struct tacho_findings *findings, const struct tacho__process_facts *process,
			const struct tacho__queue_facts *queue)
{
	return queue->is_unused && !process->has_loss
		       ? tacho__finding_add(findings, TACHO__RULE_UNUSED_QUEUE,
					    queue->place.function, &queue->place, 0, NULL, NULL)
		       : 0;
}

/* A queue is made: what its properties say holds until the driver's own word is seen. */
static int take_new_queue(struct tacho_findings *findings, const struct tacho__seen *seen)
{
	const struct tacho__api_roles *api = seen->function->api;
	const char *flags = tacho__seen_argument(findings, seen, seen->function->role->flags);
	uint64_t handle = tacho__argument_handle(seen->call->result);
	struct tacho__queue_facts *queue;
	int rc = handle ? tacho__queue_get(findings, seen->process, handle, &queue) : 0;

	if (rc || !handle)
		return rc;
	if (seen->process->waited == queue)
		seen->process->waited = NULL;
	rc = forget_queue(findings, seen->process, queue);
	if (rc)
		return rc;
	memset(queue, 0, sizeof(*queue));
	queue->is_unused =
		!tacho__argument_has_flag(flags, api->device_queue_flag, api->device_queue_bit);
	queue->place = tacho__seen_place(seen);
	queue->is_known = flags != NULL;
	queue->is_ordered =
		flags && !tacho__argument_has_flag(flags, api->order_flag, api->order_bit);
	return 0;
}

/* Commands know their queue, and the driver may have told how it works. */
static void take_object(const struct tacho__api_roles *api, struct tacho__queue_facts *queue,
			const struct tacho_object *object)
{
	const char *order;

	if (queue->object == object)
		return;
	if (queue->object) /* another queue under the handle of one that is gone */
		memset(queue, 0, sizeof(*queue));
	queue->object = object;
	order = tacho_object_get(object, api->order_key);
	if (!order)
		return;
	queue->is_known = true;
	queue->is_ordered = !(strtoull(order, NULL, 0) & api->order_bit);
}

/* ---- waits ---- */

static void forget_wait(struct tacho__process_facts *process)
{
	process->waited = NULL;
}

/* The host has waited for `queue`: whether that was needed is seen from what comes next. */
static void take_wait(const struct tacho_findings *findings, const struct tacho__seen *seen,
		      struct tacho__queue_facts *queue, bool is_answer,
		      const struct tacho__place *place, uint64_t ns)
{
	struct tacho__process_facts *process = seen->process;
	bool is_needed = is_answer || queue->has_answer || process->shares_memory ||
			 (queue->has_write && !findings->thresholds[TACHO__SYNC_AFTER_WRITE]);

	forget_wait(process);
	if (!queue->is_known || !queue->is_ordered || !queue->has_work || is_needed)
		return;
	process->waited = queue;
	process->wait_place = *place;
	process->wait_ns = ns;
	process->wait_node = tacho__gain_node(findings);
}

static void clear(struct tacho__queue_facts *queue)
{
	queue->has_work = queue->has_answer = queue->has_write = false;
	queue->last_event = 0;
}

static void wait_queue(struct tacho_findings *findings, const struct tacho__seen *seen)
{
	uint64_t handle = tacho__seen_handle(findings, seen, seen->function->role->handle);
	struct tacho__queue_facts *queue = tacho__map_get(&seen->process->queues, handle);
	struct tacho__place place = tacho__seen_place(seen);

	if (!queue)
		return;
	take_wait(findings, seen, queue, false, &place, seen->host_ns);
	clear(queue);
}

/* Events of several queues, or such as no command made, order more than one queue does. */
static void wait_events(struct tacho_findings *findings, const struct tacho__seen *seen,
			const uint64_t *events, size_t count, const struct tacho__place *place,
			uint64_t ns)
{
	struct tacho__queue_facts *queue = NULL;
	bool is_answer = false, is_last = false;
	uint64_t handle = 0;

	forget_wait(seen->process);
	for (size_t i = 0; i < count; i++) {
		const struct tacho__tracked *event = tacho__tracked_find(
			&findings->tracked, seen->call->process, TACHO__THING_EVENT, events[i]);

		if (!event || !event->parent || (handle && handle != event->parent))
			return;
		handle = event->parent;
		is_answer |= event->is_answer;
	}
	queue = tacho__map_get(&seen->process->queues, handle);
	if (!queue)
		return;
	for (size_t i = 0; i < count; i++)
		is_last |= events[i] == queue->last_event;
	take_wait(findings, seen, queue, is_answer, place, ns);
	if (is_last)
		clear(queue);
}

/* ---- work ---- */

static int take_blocking(struct tacho_findings *findings, const struct tacho__seen *seen,
			 const struct tacho__queue_facts *queue)
{
	struct tacho__place place = tacho__seen_place(seen);
	const struct tacho_command *command = seen->call->command;
	struct tacho__finding *finding = NULL;
	char text[64] = "";
	uint64_t ns = 0;
	int rc;

	if (command->kind != TACHO_COMMAND_WRITE || !queue->is_known || !queue->is_ordered)
		return 0;
	if (command->has_bytes)
		snprintf(text, sizeof(text), "%" PRIu64 " bytes", command->bytes);
	rc = tacho__finding_add(findings, TACHO__RULE_BLOCKING_WRITE, seen->function->name, &place,
				seen->host_ns, text, &finding);
	/* A write that does not wait may copy the data first. */
	if (!tacho__command_duration(command, &ns) || ns > seen->host_ns)
		ns = seen->host_ns;
	tacho__gain_mark(findings, finding, TACHO__MARK_WAIT, ns);
	return rc;
}

/* The last wait was for nothing. */
static int tell_wait(struct tacho_findings *findings, const struct tacho__process_facts *process)
{
	struct tacho__finding *finding = NULL;
	int rc = tacho__finding_add(findings, TACHO__RULE_REDUNDANT_SYNC,
				    process->wait_place.function, &process->wait_place,
				    process->wait_ns, NULL, &finding);

	return rc ? rc
		  : tacho__gain_mark_node(findings, process->wait_node, finding, TACHO__MARK_WAIT,
					  0, process->wait_ns);
}

static int take_work(struct tacho_findings *findings, const struct tacho__seen *seen)
{
	const struct tacho__function_role *role = seen->function->role;
	const struct tacho_command *command = seen->call->command;
	struct tacho__process_facts *process = seen->process;
	struct tacho__queue_facts *queue;
	bool is_blocking;
	int rc;

	if (!command || !command->queue) {
		forget_wait(process);
		return 0;
	}
	rc = tacho__queue_get(findings, process, command->queue->handle, &queue);
	if (rc)
		return rc;
	take_object(seen->function->api, queue, command->queue);
	queue->is_unused = false;
	/* Another thread, or another queue: the wait may have been for its sake. */
	if (process->waited == queue && process->wait_place.thread == seen->call->thread)
		rc = tell_wait(findings, process);
	forget_wait(process);
	if (rc)
		return rc;
	is_blocking = tacho__seen_is_true(findings, seen, role->blocking);
	if (is_blocking) {
		clear(queue); /* it has waited for all that was before it, too */
		return take_blocking(findings, seen, queue);
	}
	queue->has_work = true;
	queue->has_answer |= role->is_answer;
	queue->has_write |= command->kind == TACHO_COMMAND_WRITE;
	queue->last_event = tacho__seen_handle(findings, seen, role->event);
	return 0;
}

/* ---- polls ---- */

/* *out_finding: what it belongs to now, NULL when that is nothing. */
static int end_poll(struct tacho_findings *findings, struct tacho__thread_facts *thread,
		    struct tacho__finding **out_finding)
{
	struct tacho__poll *poll = &thread->poll;
	struct tacho__finding *finding = NULL;
	char text[64];
	int rc = 0;

	if (poll->count >= findings->thresholds[TACHO__BUSY_WAIT_POLLS] && poll->count > 1) {
		snprintf(text, sizeof(text), "%" PRIu64 " questions about event 0x%" PRIX64,
			 poll->count, poll->event);
		rc = tacho__finding_add(findings, TACHO__RULE_BUSY_WAIT, poll->place.function,
					&poll->place, poll->last_ns - poll->first_ns, text,
					&finding);
		if (!rc && finding) {
			finding->sums[0] += poll->count;
			tacho__processor_add(findings, thread, finding, poll->first_ns,
					     poll->last_ns);
		}
	}
	memset(poll, 0, sizeof(*poll));
	*out_finding = finding;
	return rc;
}

/* A command that ran, or was to begin, during the loop. */
static int mark_rival(struct tacho_findings *findings, struct tacho__finding *finding,
		      uint64_t number, const struct tacho__node *node, uint64_t from_ns,
		      uint64_t to_ns)
{
	uint64_t first = node->run_ns > from_ns ? node->run_ns : from_ns,
		 last = node->ran_ns < to_ns ? node->ran_ns : to_ns,
		 ns = last > first ? last - first : 0;
	bool begins = node->run_ns > from_ns && node->run_ns < to_ns;
	int rc = tacho__gain_mark_node(findings, number, finding, TACHO__MARK_COMMAND, ns, ns);

	return rc || !begins ? rc
			     : tacho__gain_mark_node(findings, number, finding, TACHO__MARK_LAG,
						     node->run_ns - from_ns, 0);
}

/*
 * A loop may take a processor from commands of a device that is some: those up to the one that it
 * asks for. How much sooner they would end is not what the loop ran: where others want processors,
 * too, each of theirs takes several times as long.
 */
static int mark_rivals(struct tacho_findings *findings, uint64_t last,
		       struct tacho__finding *finding, uint64_t from_ns, uint64_t to_ns)
{
	const struct tacho__graph *graph = &findings->gains.graph;
	const struct tacho__node *polled = tacho__graph_node(graph, last), *node;
	int rc = 0;

	if (!finding || !polled)
		return 0;
	for (uint64_t i = last; !rc && i + RIVALS_MAX > last; i--) {
		node = tacho__graph_node(graph, i);
		if (!node)
			break;
		if (!node->is_timed || node->device != polled->device)
			continue;
		if (node->ran_ns <= from_ns)
			break;
		rc = mark_rival(findings, finding, i, node, from_ns, to_ns);
	}
	return rc;
}

/* The node of the event's command, if its device is a processor; 0: it is not. */
static int find_rival(struct tacho_findings *findings, const struct tacho__seen *seen,
		      uint64_t handle, uint64_t *out_node)
{
	const struct tacho__tracked *event = tacho__tracked_find(
		&findings->tracked, seen->call->process, TACHO__THING_EVENT, handle);
	const struct tacho__queue_facts *queue =
		event ? tacho__map_get(&seen->process->queues, event->parent) : NULL;
	struct tacho__device_facts *device;
	int rc;

	*out_node = 0;
	if (!queue || !queue->object || !queue->object->device)
		return 0;
	rc = tacho__device_get(findings, queue->object->device, &device);
	if (!rc && device && device->is_cpu)
		*out_node = event->node;
	return rc;
}

static bool is_poll(struct tacho_findings *findings, const struct tacho__seen *seen)
{
	const struct tacho__function_role *role = seen->function->role;
	const char *query;

	if (!role || role->act != TACHO__ACT_POLL)
		return false;
	if (!seen->function->api->poll_query)
		return true;
	query = tacho__seen_argument(findings, seen, role->query);
	return query && !strcmp(query, seen->function->api->poll_query);
}

static int take_poll(struct tacho_findings *findings, const struct tacho__seen *seen)
{
	const struct tacho__function_role *role = seen->function->role;
	const struct tacho_call *call = seen->call;
	uint64_t event = tacho__seen_handle(findings, seen, role->events);
	const char *answer = tacho__seen_argument(findings, seen, role->value);
	struct tacho__poll *poll = &seen->thread->poll;
	struct tacho__finding *finding;
	uint64_t from_ns, to_ns, node;
	int rc = 0;

	if (poll->event != event)
		rc = end_poll(findings, seen->thread, &finding);
	if (rc || !event)
		return rc;
	if (!poll->count) {
		poll->event = event;
		poll->first_ns = call->start_ns;
		poll->place = tacho__seen_place(seen);
	}
	poll->count += 1 + call->repeats;
	poll->last_ns = call->end_ns > poll->first_ns ? call->end_ns : poll->first_ns;
	if (!answer || strcmp(answer, seen->function->api->poll_done) != 0)
		return 0;
	/* Asked once and done: that is a look, no wait. */
	from_ns = poll->first_ns;
	to_ns = poll->last_ns;
	if (poll->count > 1) {
		wait_events(findings, seen, &event, 1, &poll->place, to_ns - from_ns);
		tacho__submits_waited(findings, seen, event, &poll->place);
		findings->gains.polled_event = event;
		findings->gains.polled_ns = poll->first_ns;
	}
	rc = end_poll(findings, seen->thread, &finding);
	if (!rc)
		rc = find_rival(findings, seen, event, &node);
	return rc ? rc : mark_rivals(findings, node, finding, from_ns, to_ns);
}

/* ---- calls ---- */

/* Queues that a template is made for are of use. */
static void use_queues(struct tacho_findings *findings, const struct tacho__seen *seen)
{
	uint64_t handles[EVENTS_MAX];
	size_t count = tacho__argument_handles(
		tacho__seen_argument(findings, seen, seen->function->role->memory), handles,
		EVENTS_MAX);

	for (size_t i = 0; i < count && i < EVENTS_MAX; i++) {
		struct tacho__queue_facts *queue =
			tacho__map_get(&seen->process->queues, handles[i]);

		if (queue)
			queue->is_unused = false;
	}
}

/* All events of a list. */
static void wait_list(struct tacho_findings *findings, const struct tacho__seen *seen)
{
	const char *list = tacho__seen_argument(findings, seen, seen->function->role->events);
	struct tacho__place place = tacho__seen_place(seen);
	uint64_t events[EVENTS_MAX];
	size_t count = tacho__argument_handles(list, events, EVENTS_MAX);

	if (count && count <= EVENTS_MAX)
		wait_events(findings, seen, events, count, &place, seen->host_ns);
	else
		forget_wait(seen->process);
}

static int take_role(struct tacho_findings *findings, const struct tacho__seen *seen)
{
	const struct tacho__function_role *role = seen->function->role;

	switch (role->act) {
	case TACHO__ACT_CREATE:
		if (role->thing == TACHO__THING_TEMPLATE)
			use_queues(findings, seen);
		return role->thing == TACHO__THING_QUEUE ? take_new_queue(findings, seen) : 0;
	case TACHO__ACT_ENQUEUE: return take_work(findings, seen);
	case TACHO__ACT_WAIT_QUEUE: wait_queue(findings, seen); return 0;
	case TACHO__ACT_WAIT_EVENTS: wait_list(findings, seen); return 0;
	case TACHO__ACT_READ_TIMES: forget_wait(seen->process); return 0;
	case TACHO__ACT_SHARED_MEMORY: seen->process->shares_memory = true; return 0;
	default: return 0;
	}
}

int tacho__sync_take(struct tacho_findings *findings, const struct tacho__seen *seen)
{
	struct tacho__process_facts *process = seen->process;
	struct tacho__finding *finding;
	int rc = 0;

	if (is_poll(findings, seen) && !seen->call->failed)
		return take_poll(findings, seen);
	if (seen->thread->poll.count)
		rc = end_poll(findings, seen->thread, &finding);
	/* Work without a role may need any wait before it. */
	if (!seen->function->role && seen->call->command)
		forget_wait(process);
	return rc || !seen->function->role || seen->call->failed ? rc : take_role(findings, seen);
}

int tacho__sync_complete(struct tacho_findings *findings)
{
	const struct tacho__map *threads = &findings->threads;
	struct tacho__finding *finding;
	int rc = 0;

	for (size_t i = 0; i < threads->capacity && !rc; i++) {
		struct tacho__thread_facts *thread = threads->entries[i].value;

		if (thread && thread->poll.count)
			rc = end_poll(findings, thread, &finding);
		if (thread)
			tacho__processor_end(findings, thread);
	}
	for (size_t i = 0; i < findings->process_count && !rc; i++) {
		const struct tacho__map *queues = &findings->process_list[i]->queues;

		for (size_t k = 0; k < queues->capacity && !rc; k++)
			if (queues->entries[k].value)
				rc = forget_queue(findings, findings->process_list[i],
						  queues->entries[k].value);
	}
	return rc;
}

/* ---- judgement ---- */

bool tacho__judge_redundant_sync(struct tacho_findings *findings, struct tacho__finding *finding,
				 struct tacho__buf *message)
{
	const struct tacho_finding *info = &finding->finding;
	char time[TACHO_UNITS_MAX];

	tacho__buf_printf(message,
			  "%s waited %" PRIu64 " time%s, %s in all, for commands that left nothing "
			  "for the host to read, and more work for the same queue came next.",
			  info->subject, info->count, info->count == 1 ? "" : "s",
			  tacho_units_time(time, info->cost_ns, 3));
	return true;
}

bool tacho__judge_unused_queue(struct tacho_findings *findings, struct tacho__finding *finding,
			       struct tacho__buf *message)
{
	const struct tacho_finding *info = &finding->finding;

	tacho__buf_printf(message, "%" PRIu64 " queue%s made by %s got no command.", info->count,
			  info->count == 1 ? "" : "s", info->subject);
	return true;
}

bool tacho__judge_busy_wait(struct tacho_findings *findings, struct tacho__finding *finding,
			    struct tacho__buf *message)
{
	const struct tacho_finding *info = &finding->finding;
	char time[TACHO_UNITS_MAX], low[TACHO_UNITS_MAX];

	tacho__buf_printf(message,
			  "%" PRIu64 " loop%s called %s %" PRIu64 " times to learn whether a "
			  "command had ended, for %s in all.",
			  info->count, info->count == 1 ? "" : "s", info->subject, finding->sums[0],
			  tacho_units_time(time, info->cost_ns, 3));
	if (!info->has_processor)
		return true;
	tacho__buf_put(message, " They kept a processor busy for ");
	tacho_units_time(time, info->processor_high_ns, 3);
	tacho_units_time(low, info->processor_low_ns, 3);
	if (!strcmp(low, time))
		tacho__buf_printf(message, "%s.", time);
	else if (info->processor_low_ns)
		tacho__buf_printf(message, "%s to %s.", low, time);
	else
		tacho__buf_printf(message, "%s at most.", time);
	return true;
}

bool tacho__judge_blocking_write(struct tacho_findings *findings, struct tacho__finding *finding,
				 struct tacho__buf *message)
{
	const struct tacho_finding *info = &finding->finding;
	char time[TACHO_UNITS_MAX];

	tacho__buf_printf(message,
			  "%" PRIu64
			  " blocking call%s of %s held the host for %s, though the queue "
			  "runs commands in order.",
			  info->count, info->count == 1 ? "" : "s", info->subject,
			  tacho_units_time(time, info->cost_ns, 3));
	return true;
}
