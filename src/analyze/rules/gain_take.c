/* SPDX-License-Identifier: MIT */
/* From calls to the graph: which give work to a device, which wait, and for what. */
#include <string.h>

#include "analyze/rules/rules.h"
#include "tacho/error.h"

enum { EVENTS_MAX = 64 };

void tacho__gain_mark(struct tacho_findings *findings, struct tacho__finding *finding,
		      enum tacho__mark_what what, uint64_t ns)
{
	struct tacho__gains *gains = &findings->gains;

	if (!finding || gains->now_count >= TACHO__NOW_MAX)
		return;
	gains->now[gains->now_count++] = (struct tacho__mark){
		.ns = ns, .finding = finding->number, .other = TACHO__NO_FINDING, .what = what};
}

int tacho__gain_mark_node(struct tacho_findings *findings, uint64_t node,
			  struct tacho__finding *finding, enum tacho__mark_what what, uint64_t ns,
			  uint64_t weight)
{
	struct tacho__mark mark = {.ns = ns, .other = TACHO__NO_FINDING, .what = what};

	if (!finding)
		return 0;
	mark.finding = finding->number;
	finding->marked_ns += weight;
	return tacho__graph_mark(&findings->gains.graph, node, &mark);
}

uint64_t tacho__gain_node(const struct tacho_findings *findings)
{
	return tacho__graph_next(&findings->gains.graph);
}

static int get_thread(struct tacho_findings *findings, const struct tacho__seen *seen,
		      struct tacho__graph_thread **out_thread)
{
	struct tacho__thread_facts *facts = seen->thread;
	int rc = 0;

	if (!facts->graph)
		rc = tacho__graph_thread(&findings->gains.graph, facts->process->index,
					 facts->thread, &facts->graph);
	*out_thread = facts->graph;
	return rc;
}

/* Of the thread, before its next node: explained by one finding, or by either of two. */
static int spend_on(struct tacho__graph_thread *thread, struct tacho__finding *finding,
		    struct tacho__finding *other, uint64_t ns)
{
	struct tacho__mark mark = {.ns = ns, .other = TACHO__NO_FINDING};

	if (!ns)
		return 0;
	mark.finding = finding->number;
	finding->marked_ns += ns;
	if (other) {
		mark.other = other->number;
		other->marked_ns += ns;
	}
	return tacho__graph_spend(thread, &mark);
}

int tacho__gain_spend(struct tacho_findings *findings, const struct tacho_process *process,
		      uint32_t thread_id, struct tacho__finding *finding,
		      struct tacho__finding *other, uint64_t ns)
{
	struct tacho__graph_thread *thread;
	int rc = tacho__graph_thread(&findings->gains.graph, process->index, thread_id, &thread);

	if (!finding) {
		finding = other;
		other = NULL;
	}
	return rc || !finding ? rc : spend_on(thread, finding, other, ns);
}

/* ---- what a call is ---- */

static uint64_t *get_end(const struct tacho_findings *findings, const struct tacho_object *queue)
{
	return tacho__map_get(&findings->gains.queue_ends, (uintptr_t)queue);
}

uint64_t tacho__gain_queue_end_ns(const struct tacho_findings *findings,
				  const struct tacho_object *queue)
{
	const uint64_t *end = queue ? get_end(findings, queue) : NULL;

	return end ? *end : 0;
}

/* When the command was given to its queue. */
static uint64_t given_ns(const struct tacho__seen *seen)
{
	return tacho__is_submitted(seen) ? seen->call->command->not_before_ns
					 : seen->call->start_ns;
}

uint64_t tacho__gain_lag_ns(const struct tacho_findings *findings, const struct tacho__seen *seen)
{
	const struct tacho_command *command = seen->call->command;
	uint64_t end = tacho__gain_queue_end_ns(findings, command->queue);
	uint64_t from = given_ns(seen) > end ? given_ns(seen) : end;

	return command->state == TACHO_STATE_OK && command->start_ns > from
		       ? command->start_ns - from
		       : 0;
}

static int note_end(struct tacho_findings *findings, const struct tacho_command *command)
{
	uint64_t *end = get_end(findings, command->queue);

	if (!end) {
		end = tacho__arena_get(&findings->arena, sizeof(*end));
		if (!end ||
		    tacho__map_set(&findings->gains.queue_ends, (uintptr_t)command->queue, end))
			return TACHO_E_NOMEM;
	}
	*end = command->end_ns > *end ? command->end_ns : *end;
	return 0;
}

/* Unless it is known not to, a queue runs its commands in order. */
static bool is_ordered(const struct tacho__seen *seen, const struct tacho_object *queue)
{
	const struct tacho__queue_facts *facts =
		tacho__map_get(&seen->process->queues, queue->handle);

	return !facts || !facts->is_known || facts->is_ordered;
}

static int take_command(struct tacho_findings *findings, const struct tacho__seen *seen,
			struct tacho__node *node)
{
	const struct tacho_command *command = seen->call->command;
	struct tacho__graph *graph = &findings->gains.graph;
	int rc = 0;

	node->has_command = true;
	node->is_timed = command->state == TACHO_STATE_OK && command->end_ns >= command->start_ns;
	node->run_ns = command->start_ns;
	node->ran_ns = command->end_ns;
	if (command->device)
		rc = tacho__graph_number(graph, command->device, &graph->device_count,
					 &node->device);
	if (rc || !command->queue)
		return rc;
	node->is_ordered = is_ordered(seen, command->queue);
	rc = tacho__graph_number(graph, command->queue, &graph->queue_count, &node->queue);
	return !rc && node->is_timed ? note_end(findings, command) : rc;
}

/* An API whose waits are not known: a call that goes on until a command ends waits for it. */
static void guess_wait(const struct tacho__seen *seen, struct tacho__node *node)
{
	const struct tacho_call *call = seen->call;
	const struct tacho__process_facts *process = seen->process;

	if (node->is_timed && node->ran_ns <= call->end_ns)
		node->wait = TACHO__WAIT_OWN;
	else if (!node->has_command && process->last_ran_ns > call->start_ns &&
		 process->last_ran_ns <= call->end_ns)
		node->wait = TACHO__WAIT_LINKS;
}

/* The queue of a wait, by its handle. */
static int take_queue(struct tacho_findings *findings, const struct tacho__seen *seen,
		      struct tacho__node *node)
{
	struct tacho__graph *graph = &findings->gains.graph;
	uint64_t handle = tacho__seen_handle(findings, seen, seen->function->role->handle);
	const struct tacho__queue_facts *queue = tacho__map_get(&seen->process->queues, handle);

	node->wait = TACHO__WAIT_QUEUE;
	return queue && queue->object ? tacho__graph_number(graph, queue->object,
							    &graph->queue_count, &node->queue)
				      : 0;
}

/* A wait that ended before what it waited for, or with any of several. */
static bool has_given_up(struct tacho_findings *findings, const struct tacho__seen *seen)
{
	const struct tacho__function_role *role = seen->function->role;
	const char *done = seen->function->api->wait_done;
	uint64_t events[2];

	if (done && strcmp(seen->call->result, done) != 0)
		return true;
	return role->act == TACHO__ACT_WAIT_EVENTS && role->all &&
	       !tacho__seen_is_true(findings, seen, role->all) &&
	       tacho__argument_handles(tacho__seen_argument(findings, seen, role->events), events,
				       2) > 1;
}

/* What kind of node the call is: one that waits, or not. */
static int take_wait(struct tacho_findings *findings, const struct tacho__seen *seen,
		     struct tacho__node *node)
{
	const struct tacho__function_role *role = seen->function->role;
	struct tacho__gains *gains = &findings->gains;

	if (gains->polled_event) {
		node->wait = TACHO__WAIT_LINKS;
		node->start_ns = gains->polled_ns;
		return 0;
	}
	if (!role) {
		if (!seen->function->api)
			guess_wait(seen, node);
		return 0;
	}
	if (seen->call->failed || has_given_up(findings, seen))
		return 0;
	switch (role->act) {
	case TACHO__ACT_WAIT_QUEUE: return take_queue(findings, seen, node);
	case TACHO__ACT_WAIT_ALL:
	case TACHO__ACT_WAIT_EVENTS: node->wait = TACHO__WAIT_LINKS; return 0;
	case TACHO__ACT_WAIT_SOME: guess_wait(seen, node); return 0;
	case TACHO__ACT_ENQUEUE:
		if (node->has_command && tacho__seen_is_true(findings, seen, role->blocking))
			node->wait = TACHO__WAIT_OWN;
		return 0;
	default: return 0;
	}
}

/* ---- adding it ---- */

static int link_event(struct tacho_findings *findings, const struct tacho__seen *seen,
		      uint64_t handle)
{
	const struct tacho__tracked *event = tacho__tracked_find(
		&findings->tracked, seen->call->process, TACHO__THING_EVENT, handle);

	return event && event->node ? tacho__graph_link(&findings->gains.graph, event->node) : 0;
}

/* The last command of each queue. */
static int link_queues(struct tacho_findings *findings, const struct tacho__seen *seen)
{
	const struct tacho__map *queues = &seen->process->queues;
	int rc = 0;

	for (size_t i = 0; i < queues->capacity && !rc; i++) {
		const struct tacho__queue_facts *queue = queues->entries[i].value;

		if (queue && queue->last_node)
			rc = tacho__graph_link(&findings->gains.graph, queue->last_node);
	}
	return rc;
}

/* Of a wait whose reason was guessed. */
static int link_last(struct tacho_findings *findings, const struct tacho__seen *seen)
{
	const struct tacho__graph *graph = &findings->gains.graph;
	bool is_linked = graph->nodes[graph->count - 1].wait == TACHO__WAIT_LINKS;

	return is_linked && seen->process->last_ran_node
		       ? tacho__graph_link(&findings->gains.graph, seen->process->last_ran_node)
		       : 0;
}

static int add_links(struct tacho_findings *findings, const struct tacho__seen *seen)
{
	const struct tacho__function_role *role = seen->function->role;
	struct tacho__gains *gains = &findings->gains;
	uint64_t events[EVENTS_MAX];
	size_t count;
	int rc = 0;

	if (gains->polled_event)
		return link_event(findings, seen, gains->polled_event);
	if (!role)
		return seen->function->api ? 0 : link_last(findings, seen);
	if (role->act == TACHO__ACT_WAIT_SOME)
		return link_last(findings, seen);
	if (role->act == TACHO__ACT_WAIT_ALL)
		return link_queues(findings, seen);
	count = tacho__argument_handles(tacho__seen_argument(findings, seen, role->events), events,
					EVENTS_MAX);
	for (size_t i = 0; i < count && i < EVENTS_MAX && !rc; i++)
		rc = link_event(findings, seen, events[i]);
	return rc;
}

static void weigh(struct tacho_findings *findings, const struct tacho__mark *mark,
		  const struct tacho__seen *seen)
{
	uint64_t ns = mark->what == TACHO__MARK_WAIT ? seen->host_ns : mark->ns;

	findings->all[mark->finding]->marked_ns += ns;
}

static int add_node(struct tacho_findings *findings, const struct tacho__seen *seen,
		    const struct tacho__node *node, struct tacho__graph_thread *thread)
{
	struct tacho__gains *gains = &findings->gains;
	uint64_t number = tacho__graph_next(&gains->graph);
	int rc = tacho__graph_add(&gains->graph, node, thread);

	if (!rc)
		rc = add_links(findings, seen);
	for (size_t i = 0; i < gains->now_count && !rc; i++) {
		weigh(findings, &gains->now[i], seen);
		rc = tacho__graph_mark(&gains->graph, number, &gains->now[i]);
	}
	if (!rc && node->is_timed && node->ran_ns > seen->process->last_ran_ns) {
		seen->process->last_ran_ns = node->ran_ns;
		seen->process->last_ran_node = number;
	}
	return !rc && tacho__graph_is_full(&gains->graph) ? tacho__gains_advance(findings) : rc;
}

/* A call between nodes: up to two findings explain its time. */
static int spend(struct tacho_findings *findings, struct tacho__graph_thread *thread)
{
	struct tacho__gains *gains = &findings->gains;
	struct tacho__finding *one = NULL, *other = NULL;
	uint64_t ns = 0;

	for (size_t i = 0; i < gains->now_count; i++) {
		if (gains->now[i].what != TACHO__MARK_CALL)
			continue;
		ns = gains->now[i].ns > ns ? gains->now[i].ns : ns;
		if (one)
			other = findings->all[gains->now[i].finding];
		else
			one = findings->all[gains->now[i].finding];
	}
	return one ? spend_on(thread, one, other, ns) : 0;
}

/* Most calls neither give work to a device nor wait: they are time between those that do. */
static bool is_between(const struct tacho_findings *findings, const struct tacho__seen *seen)
{
	const struct tacho__function_role *role = seen->function->role;

	if (seen->call->command || findings->gains.polled_event)
		return false;
	if (!role)
		return seen->function->api != NULL;
	switch (role->act) {
	case TACHO__ACT_WAIT_QUEUE:
	case TACHO__ACT_WAIT_ALL:
	case TACHO__ACT_WAIT_EVENTS:
	case TACHO__ACT_WAIT_SOME: return false;
	default: return true;
	}
}

/* The graph knows when the thread's last call ended, and which one ended last of all. */
static void note_call(struct tacho__graph *graph, struct tacho__graph_thread *thread,
		      uint64_t end_ns)
{
	/* Work that was submitted comes when it ends. */
	thread->end_ns = end_ns > thread->end_ns ? end_ns : thread->end_ns;
	if (end_ns < graph->last_end_ns)
		return;
	graph->last_end_ns = end_ns;
	graph->last_thread = thread->number;
}

static int take_node(struct tacho_findings *findings, const struct tacho__seen *seen,
		     struct tacho__graph_thread *thread)
{
	struct tacho__node node = {.start_ns = given_ns(seen),
				   .end_ns = given_ns(seen) + seen->host_ns,
				   .thread = thread ? thread->number : 0};
	int rc = seen->call->command ? take_command(findings, seen, &node) : 0;

	if (!rc && thread && !seen->call->is_bare)
		rc = take_wait(findings, seen, &node);
	if (rc)
		return rc;
	if (node.has_command || node.wait != TACHO__WAIT_NONE)
		return add_node(findings, seen, &node, thread);
	return thread ? spend(findings, thread) : 0;
}

static int take(struct tacho_findings *findings, const struct tacho__seen *seen)
{
	uint64_t start_ns = given_ns(seen);
	struct tacho__graph_thread *thread = NULL;
	int rc = 0;

	if (!seen->call->is_bare || (tacho__is_submitted(seen) && start_ns))
		rc = get_thread(findings, seen, &thread);
	if (rc)
		return rc;
	if (thread)
		note_call(&findings->gains.graph, thread, start_ns + seen->host_ns);
	if (!is_between(findings, seen))
		return take_node(findings, seen, thread);
	return thread ? spend(findings, thread) : 0;
}

int tacho__gain_begin(struct tacho_findings *findings, const struct tacho__seen *seen)
{
	struct tacho__graph_thread *thread;
	int rc = get_thread(findings, seen, &thread);

	return rc ? rc
		  : tacho__graph_wake(&findings->gains.graph, seen->call->process->index, thread,
				      seen->call->start_ns);
}

int tacho__gain_take(struct tacho_findings *findings, const struct tacho__seen *seen)
{
	int rc = take(findings, seen);

	findings->gains.now_count = 0;
	findings->gains.polled_event = 0;
	findings->gains.is_build = false;
	return rc;
}
