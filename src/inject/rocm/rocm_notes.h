/* SPDX-License-Identifier: MIT */
/*
 * What is noted of a dispatch when the program launches it, until its times and values come: which
 * thread it was, when, and whether it is counted. A table without locks; of more dispatches than it
 * holds the oldest are forgotten.
 */
#ifndef TACHO_INJECT_ROCM_ROCM_NOTES_H
#define TACHO_INJECT_ROCM_ROCM_NOTES_H

#include <stdbool.h>
#include <stdint.h>

struct tacho__rocm_note {
	uint64_t dispatch;     /* its id; 0: none */
	uint64_t tick;	       /* of the launch */
	uint64_t monotonic_ns; /* the same */
	uint32_t thread;
	bool is_awaited; /* its values are */
};

/*
 * Notes that the calling thread launches it now; the same note when it did already. What it takes
 * the place of comes out in *out_forgotten when its values are still awaited, else 0 in its id.
 */
struct tacho__rocm_note tacho__rocm_note_launch(uint64_t dispatch,
						struct tacho__rocm_note *out_forgotten);
/* False: it is not, or no longer, noted. */
bool tacho__rocm_note_find(uint64_t dispatch, struct tacho__rocm_note *out_note);
/* From now on its values are awaited. */
void tacho__rocm_note_await(uint64_t dispatch);
/* They came; false when they were not awaited. */
bool tacho__rocm_note_settle(uint64_t dispatch);
/* The next one that is still awaited, from *index on, which moves behind it; false: none. */
bool tacho__rocm_note_next_awaited(uint32_t *index, struct tacho__rocm_note *out_note);

#endif
