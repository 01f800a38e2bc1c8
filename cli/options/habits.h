/* SPDX-License-Identifier: MIT */
/* Words that people know from other profilers, and what stands for them here. */
#ifndef TACHO_CLI_HABITS_H
#define TACHO_CLI_HABITS_H

/* What to type in place of `tacho WORD ...`; NULL: no tool that is known has such a command. */
const char *cli_habit_of_command(const char *word);

/*
 * What to type in place of this option of `command`: of "--name", "--name=VALUE" or "-n". NULL: no
 * tool that is known has it.
 */
const char *cli_habit_of_option(const char *command, const char *word);

#endif
