/* SPDX-License-Identifier: MIT */
/* A launch, as its files share it. */
#ifndef TACHO_INJECT_LAUNCH_H
#define TACHO_INJECT_LAUNCH_H

#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/clock.h"
#include "base/fs.h"
#include "inject/inject.h"
#include "inject/own_library.h"
#include "record/keeper.h"
#include "record/place.h"
#include "record/window_writer.h"
#include "tacho/sys/launch.h"

enum { TACHO__WARNINGS_MAX = 8 };

/* What is sampled beside the program. */
struct tacho__launch_sampler {
	const struct tacho_launch_sampling *sampling; /* NULL: nothing is */
	struct tacho_session *session;		      /* NULL: it is not open, or has ended */
	struct tacho__window_writer writer;
	uint64_t index; /* of the next window */
	uint64_t written, lost;
	bool cannot;		    /* it was refused when the program was about to start */
	bool has_started;	    /* it is described in the recording */
	char cause[512], cure[512]; /* why it ended before the program; "" */
};

struct tacho_launch {
	char *program;	       /* absolute path */
	char binary[PATH_MAX]; /* the ELF file that will run, "" if not known */
	char **argv;	       /* a copy */
	char *directory;       /* of the recording, as the caller named it */
	char *absolute;	       /* the same, absolute */
	char *replaced;	       /* where the recording is whose name it took, until it begins */
	int replaced_fd;       /* it is locked for as long */
	int directory_fd;      /* open and locked while the launch lives */
	bool no_follow, keep_programs, time_draws;
	uint64_t began_ns, ended_ns; /* the program */
	int streams[3]; /* what the program gets as its 0, 1 and 2; 0: what this process has */
	enum tacho_launch_via via; /* not AUTO */
	struct tacho__library library;
	char *loader; /* a sentence */
	char *warnings[TACHO__WARNINGS_MAX];
	size_t warning_count;
	struct tacho__anchor start;
	char stamp[TACHO__STAMP_MAX]; /* no other recording has it */

	/* What the program inherits: as it was when the launch was made. */
	sigset_t ignored, mask;

	pid_t pid; /* 0 before the start and when it failed */
	int pidfd; /* -1: the kernel has none */
	bool has_ended;
	int status; /* as a shell shows it */

	struct tacho__keeper keeper; /* its pool is NULL when there is none */
	bool is_counting;
	struct tacho__launch_sampler sampler;
	bool has_outcome;
	struct tacho_launch_outcome outcome;
	struct tacho__buf why_empty, loss, cure; /* the outcome's texts */

	struct tacho__sightings seen;
	uint64_t next_look_ns;
};

/* launch_directory.c: makes the recording's directory. `name` may be NULL. */
int tacho__launch_make_directory(struct tacho_launch *launch, const char *name, bool overwrite);
/* The program has begun: the recording that this one replaces goes. */
void tacho__launch_drop_replaced(struct tacho_launch *launch);
/* Removes the directory and what a launcher wrote into it; what it replaced is there again. */
void tacho__launch_remove_directory(struct tacho_launch *launch);

/* launch_meta.c: files in the recording's directory. */
int tacho__launch_write_meta(struct tacho_launch *launch);
int tacho__launch_write_end(struct tacho_launch *launch);

/* launch_counting.c: counting.json. */
int tacho__launch_write_counting(struct tacho_launch *launch,
				 const struct tacho_counting *counting);
int tacho__launch_set_counting_variable(const struct tacho_launch *launch,
					struct tacho__environment *environment);

/* launch_watch.c: what the keeper has written so far. */
void tacho__launch_read_progress(const struct tacho_launch *launch,
				 struct tacho_progress *out_progress);
/* Looks at what the program and its children have in memory, when it is time to. */
void tacho__launch_look(struct tacho_launch *launch);
/* How long until it is time to look again, at most `timeout_ms`. */
int tacho__launch_get_pause_ms(const struct tacho_launch *launch, int timeout_ms);

/*
 * launch_windows.c: begins to sample, for a process that waits to become the program. What was not
 * asked for is no failure.
 */
int tacho__launch_begin_sampling(struct tacho_launch *launch, pid_t pid);
/* Writes what there is by now. */
void tacho__launch_take_windows(struct tacho_launch *launch);
/* The program has ended, or does not start: takes what is left. Again: nothing. */
void tacho__launch_end_sampling(struct tacho_launch *launch);

/* launch_empty.c: appends why no call was recorded. */
void tacho__launch_explain(struct tacho_launch *launch, struct tacho__buf *out_text);

/* launch_outcome.c: what became of the recording, once the keeper was told the end. */
void tacho__launch_find_outcome(struct tacho_launch *launch);

#endif
