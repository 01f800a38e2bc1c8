/* SPDX-License-Identifier: MIT */
/* What an ELF file says about how it is run. Trusts no byte of it. */
#ifndef TACHO_INJECT_ELF_TABLES_H
#define TACHO_INJECT_ELF_TABLES_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

struct tacho__elf {
	bool is_elf;
	bool is_64;
	bool is_native;	       /* class, byte order and machine are those of this library */
	uint16_t machine;      /* EM_* */
	char interpreter[256]; /* "" when it is static */
};

/* Reads from an open file. A file that is no ELF or is cut off has is_elf false. */
void tacho__elf_read(int fd, struct tacho__elf *out_elf);

/* Appends the names of the libraries that a native file is linked with, each with a NUL behind. */
void tacho__elf_list_needed(int fd, struct tacho__buf *out_names);

/* "x86-64", or "machine 243". Static, or text of tacho__detail(). */
const char *tacho__elf_machine_name(uint16_t machine);

#endif
