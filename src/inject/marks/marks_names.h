/* SPDX-License-Identifier: MIT */
/*
 * Names that a program registers to use them often: strings, domains, events. Equal ones of a kind
 * are the same. They stay for the life of the process; there is a bound on how many. Registering
 * takes memory, and no lock.
 */
#ifndef TACHO_INJECT_MARKS_MARKS_NAMES_H
#define TACHO_INJECT_MARKS_MARKS_NAMES_H

#include <stddef.h>
#include <stdint.h>

#include "inject/marks/itt_abi.h"

enum tacho__name_kind {
	TACHO__NAME_NVTX_STRING,
	TACHO__NAME_NVTX_DOMAIN,
	TACHO__NAME_ITT_STRING,
	TACHO__NAME_ITT_DOMAIN,
	TACHO__NAME_ITT_EVENT,
	TACHO__NAME_KINDS
};

struct tacho__name {
	/* What an ITT program holds: first, because the addresses are taken for each other. */
	union {
		struct tacho__itt_domain domain;
		struct tacho__itt_string string;
	} itt;
	struct tacho__name *next; /* of those that hash alike */
	enum tacho__name_kind kind;
	uint32_t number; /* among its kind, from 1 */
	char text[];
};

enum { TACHO__NAMES_MAX = 65536, TACHO__NAME_BYTES_MAX = 1023 };

/* What is longer than TACHO__NAME_BYTES_MAX is cut. NULL: too many (told), or no memory. */
struct tacho__name *tacho__name_get(enum tacho__name_kind kind, const char *text);

#endif
