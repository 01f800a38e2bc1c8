/* SPDX-License-Identifier: MIT */
/*
 * How long a thread ran on a processor in stretches of its time. That was read now and then, so
 * what lies between two readings is known as a sum: the rest of that time may have run first, or
 * last. Stretches that share such a time are taken together, up to where readings part them.
 */
#include "analyze/rules/rules.h"

static const struct tacho_thread_time *get(const struct tacho_findings *findings, size_t index)
{
	return tacho_recording_get_thread_time(findings->recording, index);
}

static bool is_before(const struct tacho_thread_time *one, const struct tacho__thread_facts *thread)
{
	uint32_t process = thread->process->index;

	return one && (one->process->index < process ||
		       (one->process->index == process && one->thread < thread->thread));
}

/* Where the readings of a thread begin, or would. */
static size_t find_first(const struct tacho_findings *findings,
			 const struct tacho__thread_facts *thread)
{
	size_t low = 0, high = 1;

	while (is_before(get(findings, high - 1), thread)) {
		low = high;
		high *= 2;
	}
	while (low + 1 < high) {
		size_t middle = low + (high - low) / 2;

		if (is_before(get(findings, middle - 1), thread))
			low = middle;
		else
			high = middle;
	}
	return low;
}

/* A reading of the thread by number, from 1; NULL: there is none. */
static const struct tacho_thread_time *get_reading(const struct tacho_findings *findings,
						   const struct tacho__thread_facts *thread,
						   size_t number)
{
	const struct tacho_thread_time *one =
		number ? get(findings, thread->processor.first + number - 1) : NULL;

	return one && one->process == thread->process && one->thread == thread->thread ? one : NULL;
}

void tacho__processor_end(struct tacho_findings *findings, struct tacho__thread_facts *thread)
{
	struct tacho__processor *processor = &thread->processor;
	const struct tacho_thread_time *from = get_reading(findings, thread, processor->from),
				       *to = get_reading(findings, thread, processor->to);
	uint64_t covered_ns = processor->covered_ns, ran_ns, rest_ns = UINT64_MAX;
	struct tacho_finding *info;

	if (!processor->finding || !to)
		return;
	info = &processor->finding->finding;
	processor->finding = NULL;
	ran_ns = to->run_ns - (from ? from->run_ns : 0);
	if (from && to->at_ns - from->at_ns >= covered_ns)
		rest_ns = to->at_ns - from->at_ns - covered_ns;
	if (from && to->run_ns < from->run_ns) /* of another thread that had the number before */
		ran_ns = covered_ns;
	else if (ran_ns > rest_ns)
		info->processor_low_ns +=
			ran_ns - rest_ns < covered_ns ? ran_ns - rest_ns : covered_ns;
	info->processor_high_ns += ran_ns < covered_ns ? ran_ns : covered_ns;
}

/* Adds what lies between two readings. */
static void add_between(struct tacho_findings *findings, struct tacho__thread_facts *thread,
			struct tacho__finding *finding, size_t from, size_t to, uint64_t ns)
{
	struct tacho__processor *processor = &thread->processor;

	if (processor->finding != finding || from >= processor->to) {
		tacho__processor_end(findings, thread);
		*processor = (struct tacho__processor){.is_found = true,
						       .first = processor->first,
						       .last = processor->last,
						       .finding = finding,
						       .from = from};
	}
	processor->to = to > processor->to ? to : processor->to;
	processor->covered_ns += ns;
}

static void add(struct tacho_findings *findings, struct tacho__thread_facts *thread,
		struct tacho__finding *finding, uint64_t from_ns, uint64_t to_ns)
{
	struct tacho__processor *processor = &thread->processor;
	struct tacho_finding *info = &finding->finding;
	const struct tacho_thread_time *one;
	size_t from, to;

	for (from = processor->last; (one = get_reading(findings, thread, from + 1)); from++)
		if (one->at_ns > from_ns)
			break;
	processor->last = from;
	for (to = from + 1; (one = get_reading(findings, thread, to)); to++)
		if (one->at_ns >= to_ns)
			break;
	info->has_processor |= to > 1 || one;
	if (!one) { /* from the last reading on nothing is known */
		one = get_reading(findings, thread, --to);
		if (!one || one->at_ns < from_ns) {
			info->processor_high_ns += to_ns - from_ns;
			return;
		}
		info->processor_high_ns += to_ns - one->at_ns;
		to_ns = one->at_ns;
	}
	if (to > from)
		add_between(findings, thread, finding, from, to, to_ns - from_ns);
}

void tacho__processor_add(struct tacho_findings *findings, struct tacho__thread_facts *thread,
			  struct tacho__finding *finding, uint64_t from_ns, uint64_t to_ns)
{
	struct tacho__processor *processor = &thread->processor;
	const struct tacho_thread_time *first;

	if (!processor->is_found)
		processor->first = find_first(findings, thread);
	processor->is_found = true;
	first = get_reading(findings, thread, 1);
	/* Before that nothing parts it from all that the thread did since it began. */
	if (first && from_ns < first->at_ns && first->at_ns < to_ns) {
		add(findings, thread, finding, from_ns, first->at_ns);
		from_ns = first->at_ns;
	}
	add(findings, thread, finding, from_ns, to_ns);
}
