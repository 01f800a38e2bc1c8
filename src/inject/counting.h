/* SPDX-License-Identifier: MIT */
/*
 * Counting launches inside a profiled program, for any API. The API's layer describes a launch and
 * what it can do with it; this room decides whether and how it is counted, and tells the values to
 * the interception. Nothing here ever fails for the program: what cannot be counted runs as usual.
 */
#ifndef TACHO_INJECT_COUNTING_H
#define TACHO_INJECT_COUNTING_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "inject/counting_select.h"
#include "tacho/sys/counting.h"

struct tacho__count_launch {
	struct tacho__counted_kernel *kernel;
	uint64_t start;	       /* tick of the launch's call */
	uint64_t grid[3];      /* work-items; 0: unknown */
	uint32_t workgroup[3]; /* work-items; 0: unknown */
	bool is_elsewhere;     /* on a device that was not chosen */
};

/* The launch's memory after the attempt to bring it back. */
enum tacho__restored {
	TACHO__RESTORED,	 /* it is as before the launch */
	TACHO__RESTORED_NOTHING, /* it is as the last run left it */
	TACHO__RESTORED_PART,	 /* neither, or not known */
};

/* What the API can do with a launch. All are called on the thread that launches. */
struct tacho__count_calls {
	/*
	 * Waits until the device is done with what was put in front of the launch. 0; else counting
	 * is not possible now: a sentence about it, static. TACHO__COUNT_TIMEOUT: it never ends.
	 */
	const char *(*drain)(void *user, uint64_t timeout_ns);
	/*
	 * Keeps everything that the launch may change, in at most `limit_bytes`. NULL, or why it
	 * cannot run again, static or the user's; then nothing is kept. finish() follows in any
	 * case.
	 */
	const char *(*save)(void *user, uint64_t limit_bytes);
	/* Brings back what was kept. When it is not all back the launch is not run again. */
	enum tacho__restored (*restore)(void *user);
	/* Runs it; false when the API refused: then it is over, and the program gets the error. */
	bool (*run)(void *user);
	/* Waits for the run. As drain(). */
	const char *(*wait)(void *user, uint64_t timeout_ns);
	/* Gives back what save() made. */
	void (*finish)(void *user);
};

/* What drain() and wait() return when the time is over: counting ends for this process then. */
extern const char tacho__count_timeout[];

/*
 * Starts counting when the environment asks for it (TACHO_COUNT). Once per process, after the
 * recorder was started. `control`: what the launcher says meanwhile; NULL: nobody says anything.
 */
void tacho__counting_start(const struct tacho_counting_control *control);

/* Whether any launch may be counted: the layer keeps track of what it needs for that. */
bool tacho__counting_is_on(void);
/* Whether launches on some devices are counted and on others not: these. */
bool tacho__counting_chooses_devices(void);
bool tacho__counting_selects_device(const struct tacho_counting_device *device);
/* Whether launches will have to be run again. */
bool tacho__counting_replays(void);

/*
 * Runs a launch that has to be waited for and counts it: true when it was run, or refused, by
 * calls->run(). False: nothing was done, hold it (intercept/launches.h) or run it as usual. Those
 * that run once are counted when they are held.
 */
bool tacho__counting_run(const struct tacho__count_launch *launch,
			 const struct tacho__count_calls *calls, void *user);

#endif
