/* SPDX-License-Identifier: MIT */
#include "analyze/rules/gain_replay.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "tacho/error.h"

void tacho__replay_finish(struct tacho__replay *replay)
{
	free(replay->threads);
	free(replay->queues);
	free(replay->slots);
	free(replay->devices);
}

static int grow(void *array, size_t *count, size_t wanted, size_t size)
{
	void *old, *grown;

	if (wanted <= *count)
		return 0;
	memcpy(&old, array, sizeof(old));
	grown = realloc(old, wanted * size);
	if (!grown)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for findings");
	memset((char *)grown + *count * size, 0, (wanted - *count) * size);
	memcpy(array, &grown, sizeof(grown));
	*count = wanted;
	return 0;
}

/* ---- marks ---- */

/* What the marks of a node take away in one world. */
struct cuts {
	int64_t before_ns, call_ns, command_ns, lag_ns, rest_ns;
	bool has_no_wait;
};

static void take_mark(struct cuts *cuts, const struct tacho__mark *mark)
{
	int64_t ns = (int64_t)mark->ns;

	switch (mark->what) {
	case TACHO__MARK_BEFORE: cuts->before_ns += ns; break;
	case TACHO__MARK_CALL: cuts->call_ns = ns > cuts->call_ns ? ns : cuts->call_ns; break;
	case TACHO__MARK_COMMAND:
		cuts->command_ns = ns > cuts->command_ns ? ns : cuts->command_ns;
		break;
	case TACHO__MARK_LAG: cuts->lag_ns = ns > cuts->lag_ns ? ns : cuts->lag_ns; break;
	case TACHO__MARK_WAIT:
		if (!cuts->has_no_wait || ns < cuts->rest_ns)
			cuts->rest_ns = ns;
		cuts->has_no_wait = true;
		break;
	}
}

/* The worlds that lack one of these classes, as bits. */
static uint32_t worlds_without(const struct tacho__replay *replay, uint32_t classes)
{
	uint32_t worlds = 0;

	for (; classes; classes &= classes - 1)
		worlds |= replay->lacking[__builtin_ctz(classes)];
	return worlds;
}

static void find_cuts(const struct tacho__replay *replay, const struct tacho__graph *graph,
		      const struct tacho__node *node, const uint32_t *class_of, struct cuts *cuts)
{
	memset(cuts, 0, replay->count * sizeof(*cuts));
	for (uint32_t i = node->first_mark; i; i = graph->marks[i - 1].next) {
		const struct tacho__mark *mark = &graph->marks[i - 1];
		uint32_t bits = class_of[mark->finding], worlds;

		if (mark->other != TACHO__NO_FINDING)
			bits |= class_of[mark->other];
		for (worlds = worlds_without(replay, bits); worlds; worlds &= worlds - 1)
			take_mark(&cuts[__builtin_ctz(worlds)], mark);
	}
}

/* ---- moments ---- */

/* The later of both, world by world. */
static void join(struct tacho__moment *moment, const struct tacho__moment *other, size_t count)
{
	if (!other->is_set)
		return;
	if (!moment->is_set) {
		*moment = *other;
		return;
	}
	if (other->at_ns > moment->at_ns)
		moment->at_ns = other->at_ns;
	for (size_t w = 0; w < count; w++)
		if (other->in_ns[w] > moment->in_ns[w])
			moment->in_ns[w] = other->in_ns[w];
}

/* It was no later than `at_ns`, whatever clocks say. */
static void limit(struct tacho__moment *moment, int64_t at_ns, size_t count)
{
	int64_t over = moment->at_ns - at_ns;

	if (over <= 0)
		return;
	moment->at_ns = at_ns;
	for (size_t w = 0; w < count; w++)
		moment->in_ns[w] -= over;
}

static int64_t shift(const struct tacho__moment *moment, size_t world)
{
	return moment->at_ns - moment->in_ns[world];
}

/* Behind the first threads of very many those that began last are kept. */
static void note_begun(struct tacho__replay *replay, const struct tacho__moment *thread)
{
	const size_t half = TACHO__BEGUN_MAX / 2;
	size_t at = replay->begun_count++;

	if (at >= TACHO__BEGUN_MAX)
		at = half + at % half;
	replay->begun[at] = (uint32_t)(thread - replay->threads);
}

/* A thread begins as much earlier as those do that are there: one of them made it. */
static void begin_thread(struct tacho__replay *replay, struct tacho__moment *thread, int64_t at_ns)
{
	size_t begun =
		replay->begun_count < TACHO__BEGUN_MAX ? replay->begun_count : TACHO__BEGUN_MAX;

	thread->at_ns = at_ns;
	for (size_t w = 0; w < replay->count; w++) {
		bool is_eager = replay->worlds[w].is_eager;
		int64_t most = 0;

		for (size_t i = 0; i < begun; i++) {
			int64_t by = shift(&replay->threads[replay->begun[i]], w);

			if (!i || (by > most) == is_eager)
				most = by;
		}
		thread->in_ns[w] = at_ns - most;
	}
	thread->is_set = true;
	note_begun(replay, thread);
}

/* An eager world takes a thread that called nothing for a while to have waited for another one. */
static int64_t shift_start(const struct tacho__replay *replay, const struct tacho__node *node,
			   size_t world)
{
	int64_t own = shift(&replay->threads[node->thread - 1], world), others;

	if (!node->waker || !replay->worlds[world].is_eager)
		return own;
	others = shift(&replay->threads[node->waker - 1], world);
	return others > own ? others : own;
}

/* When the node's call begins. */
static void find_start(struct tacho__replay *replay, const struct tacho__node *node,
		       const struct cuts *cuts, struct tacho__moment *start)
{
	struct tacho__moment *thread = &replay->threads[node->thread - 1];
	int64_t at_ns = (int64_t)node->start_ns;
	bool is_new = !thread->is_set;

	if (is_new)
		begin_thread(replay, thread, at_ns);
	start->is_set = true;
	start->at_ns = at_ns;
	for (size_t w = 0; w < replay->count; w++) {
		start->in_ns[w] = at_ns - shift_start(replay, node, w) - cuts[w].before_ns;
		if (!is_new && start->in_ns[w] < thread->in_ns[w])
			start->in_ns[w] = thread->in_ns[w];
	}
}

/* ---- commands ---- */

/* Of what ran on the device, the last that had ended when this began. */
static const struct tacho__moment *find_before(const struct tacho__replay_device *device,
					       int64_t at_ns)
{
	const struct tacho__moment *found = NULL;

	/* Mostly what ended last of all is what was enqueued last. */
	if (device->last.is_set && device->last.at_ns <= at_ns)
		return &device->last;
	for (unsigned i = 0; i < TACHO__RECENT_MAX; i++) {
		const struct tacho__moment *one = &device->recent[i];

		if (one->is_set && one->at_ns <= at_ns && (!found || one->at_ns > found->at_ns))
			found = one;
	}
	return found;
}

/* One thing that a command waits for, or more of them. */
struct needs {
	const struct tacho__moment *all[4];
	size_t count;
	int64_t last_ns; /* of the run: what held it up */
};

static void need(struct needs *needs, const struct tacho__moment *moment)
{
	if (!moment || !moment->is_set)
		return;
	if (!needs->count || moment->at_ns > needs->last_ns)
		needs->last_ns = moment->at_ns;
	needs->all[needs->count++] = moment;
}

/* When the command begins in each world, if all that it needs is there. */
static void begin(const struct tacho__replay *replay, const struct needs *needs, int64_t run_ns,
		  const struct cuts *cuts, int64_t *in_ns)
{
	int64_t lag = run_ns > needs->last_ns ? run_ns - needs->last_ns : 0;
	int64_t left[TACHO__WORLDS_MAX], kept[TACHO__WORLDS_MAX];

	for (size_t w = 0; w < replay->count; w++) {
		left[w] = lag > cuts[w].lag_ns ? lag - cuts[w].lag_ns : 0;
		kept[w] = replay->worlds[w].is_eager ? 0 : left[w];
	}
	for (size_t i = 0; i < needs->count; i++) {
		const struct tacho__moment *one = needs->all[i];
		/* What clocks put behind the beginning of the command was before it. */
		int64_t over = one->at_ns > run_ns ? one->at_ns - run_ns : 0;
		const int64_t *behind = one->at_ns >= needs->last_ns ? left : kept;

		for (size_t w = 0; w < replay->count; w++) {
			int64_t in = one->in_ns[w] - over + behind[w];

			in_ns[w] = i && in_ns[w] > in ? in_ns[w] : in;
		}
	}
	for (size_t w = 0; !needs->count && w < replay->count; w++)
		in_ns[w] = run_ns;
}

/* A command whose times are not known comes as much earlier as what it needs does. */
static void guess(const struct tacho__replay *replay, const struct tacho__node *node,
		  const struct needs *needs, struct tacho__moment *end)
{
	end->at_ns = (int64_t)node->end_ns;
	for (size_t w = 0; w < replay->count; w++) {
		int64_t least = needs->count ? shift(needs->all[0], w) : 0;

		for (size_t i = 1; i < needs->count; i++)
			if (shift(needs->all[i], w) < least)
				least = shift(needs->all[i], w);
		end->in_ns[w] = end->at_ns - least;
	}
}

static void find_links(const struct tacho__replay *replay, const struct tacho__graph *graph,
		       const struct tacho__node *node, struct tacho__moment *links)
{
	for (uint32_t i = 0; i < node->link_count; i++) {
		uint32_t slot = graph->nodes[graph->links[node->first_link + i]].slot;

		join(links, &replay->slots[slot - 1], replay->count);
	}
}

static void run_on(struct tacho__replay *replay, const struct tacho__node *node,
		   const struct cuts *cuts, const struct needs *needs, struct tacho__moment *end)
{
	struct tacho__replay_device *device =
		node->device ? &replay->devices[node->device - 1] : NULL;
	int64_t run_ns = (int64_t)node->run_ns, took = (int64_t)(node->ran_ns - node->run_ns);
	struct tacho__moment first;

	first.at_ns = run_ns;
	first.is_set = true;
	end->at_ns = (int64_t)node->ran_ns;
	begin(replay, needs, run_ns, cuts, first.in_ns);
	for (size_t w = 0; w < replay->count; w++) {
		int64_t cut = cuts[w].command_ns < took ? cuts[w].command_ns : took;

		/* What made it is not known: it may be what keeps it where it is. */
		if (!node->thread && !replay->worlds[w].is_eager && first.in_ns[w] < run_ns)
			first.in_ns[w] = run_ns;
		end->in_ns[w] = first.in_ns[w] + took - cut;
		if (device)
			device->cut_ns[w] += cut;
	}
	if (!device)
		return;
	if (!device->first.is_set)
		device->first = first;
	end->is_set = true;
	join(&device->last, end, replay->count);
	device->recent[device->next++ % TACHO__RECENT_MAX] = *end;
}

static void run_command(struct tacho__replay *replay, const struct tacho__graph *graph,
			const struct tacho__node *node, const struct cuts *cuts,
			const struct tacho__moment *start, struct tacho__moment *end)
{
	struct tacho__moment links, *queue = node->queue ? &replay->queues[node->queue - 1] : NULL;
	struct needs needs = {.count = 0};

	links.is_set = false;
	need(&needs, start);
	if (queue && node->is_ordered)
		need(&needs, queue);
	if (node->wait != TACHO__WAIT_LINKS)
		find_links(replay, graph, node, &links);
	need(&needs, &links);
	if (node->is_timed && node->device)
		need(&needs,
		     find_before(&replay->devices[node->device - 1], (int64_t)node->run_ns));
	if (node->is_timed)
		run_on(replay, node, cuts, &needs, end);
	else
		guess(replay, node, &needs, end);
	end->is_set = true;
	if (queue)
		join(queue, end, replay->count);
	if (node->slot)
		replay->slots[node->slot - 1] = *end;
}

/* ---- calls ---- */

/* What the call waits for; not set when it waits for nothing. */
static void find_wait(const struct tacho__replay *replay, const struct tacho__graph *graph,
		      const struct tacho__node *node, const struct tacho__moment *own,
		      struct tacho__moment *wait)
{
	if (node->wait == TACHO__WAIT_OWN)
		*wait = *own;
	else if (node->wait == TACHO__WAIT_QUEUE && node->queue)
		*wait = replay->queues[node->queue - 1];
	else if (node->wait == TACHO__WAIT_LINKS)
		find_links(replay, graph, node, wait);
}

/* When the call ends in a world. */
static int64_t end_call(const struct tacho__node *node, const struct tacho__moment *start,
			const struct tacho__moment *wait, const struct cuts *cuts, bool is_eager,
			size_t world)
{
	int64_t took = (int64_t)(node->end_ns - node->start_ns), begun = start->in_ns[world];
	int64_t tail = (int64_t)node->end_ns - wait->at_ns, alone;

	if (cuts->has_no_wait && is_eager)
		return begun;
	if (cuts->has_no_wait)
		return begun + (cuts->rest_ns < took ? cuts->rest_ns : took);
	alone = cuts->call_ns < took ? took - cuts->call_ns : 0;
	if (!wait->is_set)
		return begun + alone;
	if (wait->at_ns > start->at_ns) {
		/* It was held up: what it takes by itself is what it took from then on. */
		alone = is_eager ? 0 : tail < took ? tail : took;
	} else {
		tail = 0;
	}
	begun += alone;
	return wait->in_ns[world] + tail > begun ? wait->in_ns[world] + tail : begun;
}

static void take_node(struct tacho__replay *replay, const struct tacho__graph *graph,
		      const struct tacho__node *node, const uint32_t *class_of)
{
	struct tacho__moment start, own, wait;
	struct cuts cuts[TACHO__WORLDS_MAX];
	struct tacho__moment *thread = node->thread ? &replay->threads[node->thread - 1] : NULL;

	start.is_set = own.is_set = wait.is_set = false;
	find_cuts(replay, graph, node, class_of, cuts);
	if (thread)
		find_start(replay, node, cuts, &start);
	if (node->has_command)
		run_command(replay, graph, node, cuts, &start, &own);
	if (!thread)
		return;
	find_wait(replay, graph, node, &own, &wait);
	if (wait.is_set)
		limit(&wait, (int64_t)node->end_ns, replay->count);
	thread->at_ns = (int64_t)node->end_ns;
	for (size_t w = 0; w < replay->count; w++)
		thread->in_ns[w] =
			end_call(node, &start, &wait, &cuts[w], replay->worlds[w].is_eager, w);
}

/* Of each class, the worlds that lack it. */
static void note_lacking(struct tacho__replay *replay)
{
	memset(replay->lacking, 0, sizeof(replay->lacking));
	for (uint32_t w = 0; w < replay->count; w++)
		for (uint32_t left = replay->worlds[w].without; left; left &= left - 1)
			replay->lacking[__builtin_ctz(left)] |= UINT32_C(1) << w;
}

int tacho__replay_run(struct tacho__replay *replay, const struct tacho__graph *graph,
		      const uint32_t *class_of)
{
	int rc = grow(&replay->threads, &replay->thread_count, graph->thread_count,
		      sizeof(*replay->threads));

	if (!rc)
		rc = grow(&replay->queues, &replay->queue_count, graph->queue_count,
			  sizeof(*replay->queues));
	if (!rc)
		rc = grow(&replay->devices, &replay->device_count, graph->device_count,
			  sizeof(*replay->devices));
	if (!rc)
		rc = grow(&replay->slots, &replay->slot_count, graph->slots,
			  sizeof(*replay->slots));
	if (rc)
		return rc;
	if (replay->slot_count)
		memset(replay->slots, 0, replay->slot_count * sizeof(*replay->slots));
	note_lacking(replay);
	for (size_t i = 0; i < graph->count; i++)
		take_node(replay, graph, &graph->nodes[i], class_of);
	return 0;
}

uint64_t tacho__replay_gain_ns(const struct tacho__replay *replay, const struct tacho__graph *graph,
			       size_t world)
{
	bool is_eager = replay->worlds[world].is_eager, has_thread = false;
	int64_t gain = 0;

	for (size_t i = 0; i < replay->thread_count; i++) {
		const struct tacho__moment *thread = &replay->threads[i];

		has_thread |= thread->is_set;
		if (thread->is_set && (is_eager || i + 1 == graph->last_thread) &&
		    shift(thread, world) > gain)
			gain = shift(thread, world);
	}
	/* No calls are known, only what devices did. */
	for (size_t i = 0; !has_thread && is_eager && i < replay->device_count; i++) {
		const struct tacho__moment *last = &replay->devices[i].last;

		if (last->is_set && shift(last, world) > gain)
			gain = shift(last, world);
	}
	return (uint64_t)gain;
}

uint64_t tacho__replay_filled_ns(const struct tacho__replay *replay, uint32_t device, size_t world)
{
	const struct tacho__replay_device *one;
	int64_t shrunk;

	if (!device || device > replay->device_count)
		return 0;
	one = &replay->devices[device - 1];
	if (!one->first.is_set)
		return 0;
	shrunk = one->last.at_ns - one->first.at_ns -
		 (one->last.in_ns[world] - one->first.in_ns[world]) - one->cut_ns[world];
	return shrunk > 0 ? (uint64_t)shrunk : 0;
}
