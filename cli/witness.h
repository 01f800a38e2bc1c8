/* SPDX-License-Identifier: MIT */
/*
 * Whether a signal came to all of tacho's process group, as Ctrl-C does, or to tacho alone: a
 * process of the group that does nothing has it then, too. A program in the group has then got it
 * by itself, and must not get it twice.
 */
#ifndef TACHO_CLI_WITNESS_H
#define TACHO_CLI_WITNESS_H

#include <stdbool.h>
#include <sys/types.h>

/* From now on until cli_witness_end(), which also ends what an earlier one began. */
void cli_witness_begin(void);
void cli_witness_end(void);

/*
 * For a signal that tacho has just got: whether the process `pid` got it by itself. Takes some
 * milliseconds, since who sends to tacho and then to the group means both as one. Where nobody can
 * tell, interrupts are taken for those of a terminal, and others for tacho's.
 */
bool cli_witness_saw(int number, pid_t pid);

#endif
