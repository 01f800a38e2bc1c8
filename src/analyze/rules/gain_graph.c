/* SPDX-License-Identifier: MIT */
#include "analyze/rules/gain_graph.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/error.h"
#include "tacho/error.h"

void tacho__graph_finish(struct tacho__graph *graph)
{
	for (size_t i = 0; i < graph->threads.capacity; i++) {
		struct tacho__graph_thread *thread = graph->threads.entries[i].value;

		if (thread)
			free(thread->pending);
		free(thread);
	}
	tacho__map_finish(&graph->threads);
	tacho__map_finish(&graph->newest);
	tacho__map_finish(&graph->numbers);
	free(graph->nodes);
	free(graph->links);
	free(graph->marks);
}

void tacho__graph_clear(struct tacho__graph *graph)
{
	graph->first += graph->count;
	graph->count = graph->link_count = graph->mark_count = 0;
	graph->slots = 0;
}

bool tacho__graph_is_full(const struct tacho__graph *graph)
{
	return graph->count >= TACHO__NODES_MAX || graph->mark_count >= TACHO__MARKS_MAX ||
	       graph->link_count >= TACHO__MARKS_MAX;
}

uint64_t tacho__graph_next(const struct tacho__graph *graph)
{
	return graph->first + graph->count;
}

struct tacho__node *tacho__graph_node(const struct tacho__graph *graph, uint64_t number)
{
	return number >= graph->first && number - graph->first < graph->count
		       ? &graph->nodes[number - graph->first]
		       : NULL;
}

int tacho__graph_thread(struct tacho__graph *graph, uint32_t process, uint32_t thread,
			struct tacho__graph_thread **out_thread)
{
	uint64_t key = (uint64_t)process << 32 | thread;
	struct tacho__graph_thread *known = tacho__map_get(&graph->threads, key);

	if (!known) {
		known = calloc(1, sizeof(*known));
		if (!known || tacho__map_set(&graph->threads, key, known)) {
			free(known);
			return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for findings");
		}
		known->peer = tacho__map_get(&graph->newest, process);
		known->number = ++graph->thread_count;
		if (tacho__map_set(&graph->newest, process, known))
			return TACHO_E_NOMEM;
	}
	*out_thread = known;
	return 0;
}

int tacho__graph_number(struct tacho__graph *graph, const void *object, uint32_t *count,
			uint32_t *out_number)
{
	uintptr_t number = (uintptr_t)tacho__map_get(&graph->numbers, (uintptr_t)object);

	if (!number) {
		number = *count + 1;
		if (tacho__map_set(&graph->numbers, (uintptr_t)object, (void *)number))
			return TACHO_E_NOMEM;
		++*count;
	}
	*out_number = (uint32_t)number;
	return 0;
}

int tacho__graph_mark(struct tacho__graph *graph, uint64_t number, const struct tacho__mark *mark)
{
	struct tacho__node *node = tacho__graph_node(graph, number);

	if (!node)
		return 0;
	if (tacho__array_reserve(&graph->marks, &graph->mark_capacity, graph->mark_count,
				 sizeof(*mark)))
		return TACHO_E_NOMEM;
	graph->marks[graph->mark_count] = *mark;
	graph->marks[graph->mark_count++].next = node->first_mark;
	node->first_mark = (uint32_t)graph->mark_count;
	return 0;
}

int tacho__graph_add(struct tacho__graph *graph, const struct tacho__node *node,
		     struct tacho__graph_thread *thread)
{
	uint64_t number = tacho__graph_next(graph);
	int rc;

	if (tacho__array_reserve(&graph->nodes, &graph->capacity, graph->count, sizeof(*node)))
		return TACHO_E_NOMEM;
	graph->nodes[graph->count] = *node;
	graph->nodes[graph->count].waker = thread ? thread->waker : 0;
	graph->nodes[graph->count++].first_link = (uint32_t)graph->link_count;
	for (size_t i = 0; thread && i < thread->count; i++) {
		rc = tacho__graph_mark(graph, number, &thread->pending[i]);
		if (rc)
			return rc;
	}
	if (thread) {
		thread->count = 0;
		thread->quiet_ns = 0;
		thread->waker = 0;
	}
	return 0;
}

/* What the thread has pending becomes a node. */
static int close_thread(struct tacho__graph *graph, struct tacho__graph_thread *thread)
{
	struct tacho__node end = {.wait = TACHO__WAIT_NONE};

	if (!thread->count)
		return 0;
	end.thread = thread->number;
	end.start_ns = end.end_ns = thread->end_ns;
	return tacho__graph_add(graph, &end, thread);
}

/* Of the last threads of the process, the one whose call ended last within a time. */
static struct tacho__graph_thread *find_waker(const struct tacho__graph *graph, uint32_t process,
					      uint64_t from_ns, uint64_t to_ns)
{
	struct tacho__graph_thread *one = tacho__map_get(&graph->newest, process), *found = NULL;

	for (unsigned i = 0; one && i < TACHO__PEERS_MAX; i++, one = one->peer)
		if (one->end_ns > from_ns && one->end_ns <= to_ns &&
		    (!found || one->end_ns > found->end_ns))
			found = one;
	return found;
}

int tacho__graph_find_waker(struct tacho__graph *graph, uint32_t process,
			    struct tacho__graph_thread *thread, uint64_t at_ns)
{
	struct tacho__graph_thread *waker = find_waker(graph, process, thread->end_ns, at_ns);

	thread->quiet_ns = at_ns - thread->end_ns;
	thread->waker = waker ? waker->number : 0;
	return waker ? close_thread(graph, waker) : 0;
}

int tacho__graph_link(struct tacho__graph *graph, uint64_t number)
{
	struct tacho__node *to = tacho__graph_node(graph, number),
			   *from = &graph->nodes[graph->count - 1];
	uint32_t index;

	if (!to || !to->has_command)
		return 0;
	index = (uint32_t)(number - graph->first);
	if (tacho__array_add(&graph->links, &graph->link_capacity, &graph->link_count, &index,
			     sizeof(index)))
		return TACHO_E_NOMEM;
	from->link_count++;
	if (!to->slot)
		to->slot = ++graph->slots;
	return 0;
}

int tacho__graph_spend(struct tacho__graph_thread *thread, const struct tacho__mark *mark)
{
	struct tacho__mark *own;

	for (size_t i = 0; i < thread->count; i++) {
		struct tacho__mark *known = &thread->pending[i];

		if (known->finding == mark->finding && known->other == mark->other) {
			known->ns += mark->ns;
			return 0;
		}
	}
	if (tacho__array_reserve(&thread->pending, &thread->capacity, thread->count, sizeof(*own)))
		return TACHO_E_NOMEM;
	own = &thread->pending[thread->count++];
	*own = *mark;
	own->what = TACHO__MARK_BEFORE;
	return 0;
}

int tacho__graph_close(struct tacho__graph *graph)
{
	int rc = 0;

	for (size_t i = 0; i < graph->threads.capacity && !rc; i++) {
		struct tacho__graph_thread *thread = graph->threads.entries[i].value;

		rc = thread ? close_thread(graph, thread) : 0;
	}
	return rc;
}
