/* SPDX-License-Identifier: MIT */
/*
 * What is noted of a call that gives work, until the device tells of the work: by CUPTI's number,
 * which the call and the device's records have in common. A table without locks, of bounded size.
 * Program threads begin and end notes; who takes records finds them, one at a time.
 */
#ifndef TACHO_INJECT_CUDA_CUDA_NOTES_H
#define TACHO_INJECT_CUDA_CUDA_NOTES_H

#include <stdbool.h>
#include <stdint.h>

#include "intercept/intercept.h"

struct tacho__cuda_note;

/* Where and when a call was made. */
struct tacho__cuda_place {
	uint64_t tick, monotonic_ns;
	uint32_t thread;
};

/*
 * The calling thread is about to make the call. `around`: the number of a call of the runtime that
 * it is a part of, whose number records may have instead; 0: none. NULL: there is no room, its
 * times are lost, and its record is nobody's.
 */
struct tacho__cuda_note *tacho__cuda_note_begin(uint32_t correlation, uint32_t around,
						uint64_t tick);

/* The work of the call runs several times, the first of which is the program's. */
void tacho__cuda_note_runs_again(struct tacho__cuda_note *note);

/* A call of tacho's own: records of its number are nobody's. */
void tacho__cuda_note_own(uint32_t correlation);

/* It was made, and a slot waits for its times, which may be there already. */
void tacho__cuda_note_await(struct tacho__cuda_note *note, void *token);
/* No slot waits; records are placed there all the same. */
void tacho__cuda_note_keep(struct tacho__cuda_note *note);

/*
 * A record of that number came. True: it is the command of the call, which is complete with
 * `times`, once per call; a queued time of 0 is replaced by the call's. So it is for records that
 * come once more, of work that ran again, of tacho's own calls, and of calls for which there was
 * no room, which are dropped. Else
 * out_place->tick is the call's, 0 when no call is known.
 */
bool tacho__cuda_note_complete(uint32_t correlation, const struct tacho__times *times,
			       struct tacho__cuda_place *out_place);

/* Slots that wait for times. */
uint32_t tacho__cuda_note_count_awaited(void);
/* Ends those of calls that began before the tick, without times; returns how many. As above. */
uint32_t tacho__cuda_note_give_up(uint64_t tick);
/* Rises with each note that is begun. */
uint64_t tacho__cuda_note_count_begun(void);

enum { TACHO__CUDA_NOTES_MAX = 1 << 17 };

#endif
