/* SPDX-License-Identifier: MIT */
/* Where the recordings of `tacho diff --run` lie: A's in the folder a, B's in b. */
#ifndef TACHO_CLI_TURNS_PLACE_H
#define TACHO_CLI_TURNS_PLACE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct cli_turns_place {
	char *folder;	 /* NULL: there is none */
	bool is_kept;	 /* else it goes at the end, however that comes */
	pid_t guard;	 /* the process that removes it */
	int guard_fd;	 /* which it waits for */
	int messages_fd; /* a file without a name: what a program writes to stderr */
	char *last;	 /* what stood at its end when it was cut; NULL: it was not */
};

/*
 * Makes `name`, with a and b in it, or a folder for this while without a name. What is in a and b
 * goes with `overwrite`, else there must be neither. OK, or the class of the failure, which was
 * said.
 */
int cli_turns_place_create(const char *name, bool overwrite, struct cli_turns_place *out_place);

/*
 * Bytes that each of so many recordings may take: half of what is free, but so much that short
 * programs fit whatever their number is. 0: the disk is full, or it cannot be known, which was
 * said.
 */
uint64_t cli_turns_place_share(const struct cli_turns_place *place, uint64_t count);
/* Whether a recording of that size fits. False: that was said. */
bool cli_turns_place_has_room(const struct cli_turns_place *place, uint64_t bytes);

/* Empties what programs wrote to stderr: another one begins. */
void cli_turns_place_begin_messages(struct cli_turns_place *place);
/* Keeps it short; now and again while a program runs. */
void cli_turns_place_cut_messages(struct cli_turns_place *place);
/* The last lines on stderr. */
void cli_turns_place_show_messages(const struct cli_turns_place *place);

/* False: the folder could not be removed, which was said. Nothing for {0}. */
bool cli_turns_place_finish(struct cli_turns_place *place);

#endif
