/* SPDX-License-Identifier: MIT */
/* The table of registers. */
#ifndef TACHO_OA_REGISTERS_H
#define TACHO_OA_REGISTERS_H

#include <stddef.h>
#include <stdint.h>

#include "tacho/oa.h"

/* Registers of one kind, numbered. */
struct tacho__oa_register_row {
	const char *name; /* a format with one %u when there are several */
	uint32_t address, stride;
	uint8_t first, count; /* of the numbers */
	enum tacho_oa_gen gen_first, gen_last;
	uint8_t is_kept; /* enum tacho_oa_known */
	const struct tacho_oa_field *fields;
	size_t field_count;
	const char *description;
};

extern const struct tacho__oa_register_row tacho__oa_register_rows[];
extern const size_t tacho__oa_register_row_count;

#endif
