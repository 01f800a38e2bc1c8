/* SPDX-License-Identifier: MIT */
#include "session/sequence.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/error.h"

/*
 * A step is twice the number of a range: of the one around it where a range begins, of its own, and
 * 1 more, where it ends.
 */
enum { NUMBER_MAX = INT32_MAX };

void tacho__sequence_finish(struct tacho__sequence *sequence)
{
	free(sequence->ids);
	free(sequence->steps);
}

void tacho__sequence_start(struct tacho__sequence *sequence, uint32_t run)
{
	sequence->run = run;
	sequence->at_id = 0;
	sequence->at_step = 0;
	sequence->difference[0] = '\0';
	if (run)
		return;
	sequence->id_count = 0;
	sequence->step_count = 0;
}

int tacho__sequence_reserve(struct tacho__sequence *sequence, size_t open)
{
	size_t more = 2 * open + 1;

	if (sequence->run)
		return 0;
	if (sequence->id_count + open >= NUMBER_MAX)
		return tacho__fail(TACHO_E_NOMEM, tacho__detail("%zu ranges", sequence->id_count),
				   "do not ask for the same ranges",
				   "a pass has too many ranges to compare");
	if (tacho__array_reserve(&sequence->ids, &sequence->id_capacity, sequence->id_count + open,
				 sizeof(*sequence->ids)))
		return TACHO_E_NOMEM;
	return tacho__array_reserve(&sequence->steps, &sequence->step_capacity,
				    sequence->step_count + more, sizeof(*sequence->steps));
}

/* What is told first of a run stays; the place is that of the step that comes next. */
__attribute__((format(printf, 2, 3))) static void differ(struct tacho__sequence *sequence,
							 const char *format, ...)
{
	char what[160];
	va_list list;

	if (*sequence->difference)
		return;
	va_start(list, format);
	vsnprintf(what, sizeof(what), format, list);
	va_end(list);
	snprintf(sequence->difference, sizeof(sequence->difference), "pass %u %s (position %zu)",
		 (unsigned)sequence->run + 1, what, sequence->at_step + 1);
}

/* What the first run did in this place: "began range 5", "ended range 5", "ended". */
static void describe(const struct tacho__sequence *sequence, char text[48])
{
	uint32_t step;

	if (sequence->at_step >= sequence->step_count) {
		snprintf(text, 48, "ended");
		return;
	}
	step = sequence->steps[sequence->at_step];
	snprintf(text, 48, "%s range %llu", step % 2 ? "ended" : "began",
		 (unsigned long long)sequence->ids[step % 2 ? step / 2 - 1 : sequence->at_id]);
}

/* The same range, in another one. */
static void differ_outer(struct tacho__sequence *sequence, uint64_t id, uint32_t outer)
{
	uint32_t theirs = sequence->steps[sequence->at_step] / 2;
	char names[2][32] = {"no other", "no other"};

	if (outer)
		snprintf(names[0], sizeof(names[0]), "range %llu",
			 (unsigned long long)sequence->ids[outer - 1]);
	if (theirs)
		snprintf(names[1], sizeof(names[1]), "range %llu",
			 (unsigned long long)sequence->ids[theirs - 1]);
	differ(sequence, "began range %llu in %s where pass 1 began it in %s",
	       (unsigned long long)id, names[0], names[1]);
}

static void compare_begin(struct tacho__sequence *sequence, uint64_t id, uint32_t outer)
{
	bool is_begin = sequence->at_step < sequence->step_count &&
			sequence->steps[sequence->at_step] % 2 == 0;
	char first[48];

	if (*sequence->difference || (is_begin && sequence->ids[sequence->at_id] == id &&
				      sequence->steps[sequence->at_step] == 2 * outer))
		return;
	if (is_begin && sequence->ids[sequence->at_id] == id) {
		differ_outer(sequence, id, outer);
		return;
	}
	describe(sequence, first);
	differ(sequence, "began range %llu where pass 1 %s", (unsigned long long)id, first);
}

uint32_t tacho__sequence_begin(struct tacho__sequence *sequence, uint64_t id, uint32_t outer)
{
	if (sequence->run) {
		compare_begin(sequence, id, outer);
	} else {
		sequence->ids[sequence->id_count++] = id;
		sequence->steps[sequence->step_count++] = 2 * outer;
	}
	sequence->at_step++;
	return (uint32_t)++sequence->at_id;
}

void tacho__sequence_end(struct tacho__sequence *sequence, uint64_t id, uint32_t number)
{
	char first[48];

	if (!sequence->run) {
		sequence->steps[sequence->step_count++] = 2 * number + 1;
	} else if (sequence->at_step >= sequence->step_count ||
		   sequence->steps[sequence->at_step] != 2 * number + 1) {
		describe(sequence, first);
		differ(sequence, "ended range %llu where pass 1 %s", (unsigned long long)id, first);
	}
	sequence->at_step++;
}

bool tacho__sequence_compare(struct tacho__sequence *sequence)
{
	char first[48];

	if (sequence->run && sequence->at_step < sequence->step_count) {
		describe(sequence, first);
		differ(sequence, "ended where pass 1 %s", first);
	}
	return !*sequence->difference;
}
