/* SPDX-License-Identifier: MIT */
/* A command that the program puts into a thing that holds commands, to run them many times. */
#ifndef TACHO_INJECT_RECORDED_H
#define TACHO_INJECT_RECORDED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tacho/recording.h"

struct tacho__recorded {
	enum tacho_command_kind kind;
	const char *name; /* what the API calls it */
	void *holder;	  /* what the command goes into */
	void *queue;	  /* NULL: the holder's own */
	void *command;	  /* its handle; NULL when the program did not ask for it */
	void *kernel;
	uint32_t dimensions;
	const size_t *global, *local;
	bool has_bytes;
	uint64_t bytes;
	const size_t
		*region; /* when not NULL: three sizes, whose product times the scale is bytes */
	uint64_t scale;	 /* 0: 1 */
};

#endif
