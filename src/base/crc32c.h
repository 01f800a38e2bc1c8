/* SPDX-License-Identifier: MIT */
/* CRC-32C (Castagnoli), as RFC 3720 B.4 has it: with the CPU's own instruction where it has one. */
#ifndef TACHO_BASE_CRC32C_H
#define TACHO_BASE_CRC32C_H

#include <stddef.h>
#include <stdint.h>

/* Goes on from `crc`, which is 0 at the start. */
uint32_t tacho__crc32c(uint32_t crc, const void *bytes, size_t size);

/* The same without the CPU's instruction, for machines that lack it. */
uint32_t tacho__crc32c_plain(uint32_t crc, const void *bytes, size_t size);

#endif
