/* SPDX-License-Identifier: MIT */
/*
 * What the tests under fire share. A program is a function; it runs twice in a forked child, once
 * without the recorder and once with it, and must end and print the same. Its books lie in memory
 * shared with the test, so they survive whatever ends it and say what the recording must hold.
 */
#ifndef TESTS_FIRE_FIRE_H
#define TESTS_FIRE_FIRE_H

#include "unit/sample_api.h"

#include <stdatomic.h>
#include <sys/types.h>

enum { FIRE_VALUES = 128 };

struct fire_books {
	atomic_ulong done[FIRE_VALUES];	 /* calls that have returned, by the value they passed */
	atomic_ulong timed[FIRE_VALUES]; /* launches whose device times were handed over */
	atomic_uint started;		 /* tacho__record_start() said yes */
	atomic_uint stage;		 /* the program's own, for the test to wait for */
};

/* Shared with every child; emptied before each run. */
extern struct fire_books *fire_books;

struct fire_program {
	void (*before)(void *argument); /* runs before the recorder starts, or NULL */
	void (*work)(void *argument);	/* then returns (status 0) or ends in its own way */
	void *argument;
};

/* What a reader of the recording finds. */
struct fire_tally {
	uint64_t calls, commands, timed;
	uint64_t by_value[FIRE_VALUES];	      /* pokes */
	uint64_t timed_by_value[FIRE_VALUES]; /* launches of each queue with device times */
	uint64_t lost, waits;
	uint64_t no_space, no_window, no_thread, unwritten, missing, bounded;
	uint64_t processes, faults, unreadable;
	int io_error;
};

/* Whether TACHO_LONG=1 asks for full sizes, and the size that goes with it. */
bool fire_is_long(void);
unsigned long fire_size(unsigned long quick, unsigned long full);

/* What a recording may be from then on; NULL: as usual. */
extern const struct tacho__keeper_limits *fire_limits;

/* The keeper of the last program that was started with a path, until it was waited for. */
extern struct tacho__keeper fire_keeper;

/* An empty recording below `parent`; the caller frees it with fire_remove(). */
char *fire_recording(const char *parent);
void fire_remove(char *path);

/* Starts the program in a child, recording into `path` unless that is NULL. */
pid_t fire_start(const char *path, const struct fire_program *program, int output_fd);
/* Waits for the child, at most a minute, and for its records; its wait status. */
int fire_wait(pid_t child);

/* Without the recorder, then with it; checks that both end and print alike. The wait status. */
int fire_both(const char *path, const struct fire_program *program);

/* Reads the recording; checks that it is whole and in order. */
struct fire_tally fire_read(const char *path);
/* The same of one whose files somebody has spoilt. */
struct fire_tally fire_read_damaged(const char *path);

/* The calls of `values` values are all there: what was done, and at most `more` of each else. */
void fire_check_books(const struct fire_tally *tally, int values, unsigned more);
void fire_check_nothing_lost(const struct fire_tally *tally);

/* A poke, entered into the books. */
void fire_poke(unsigned value);
void fire_poke_many(unsigned value, unsigned long times);
/* A launch with device times, entered into the books. */
void fire_launch(unsigned value);
/* The launch of this token has ended; NULL: nothing. */
void fire_complete(unsigned value, void *token);

/* Entries of a directory whose names begin so. */
int fire_count_entries(const char *path, const char *prefix);

/* Waits until books.stage is at least `stage`, at most 20 s. */
void fire_await(unsigned stage);

/*
 * A file system of `bytes` at `path` that only this process and its children see. Skips the
 * running test where that is not allowed.
 */
void fire_mount(const char *path, unsigned long bytes);
void fire_unmount(const char *path);

#endif
