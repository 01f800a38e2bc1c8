/* SPDX-License-Identifier: MIT */
/* Bytes as text: base64 (RFC 4648), with padding. */
#ifndef TACHO_BASE_BASE64_H
#define TACHO_BASE_BASE64_H

#include <stddef.h>

/* The characters of `size` bytes, without a NUL. */
#define TACHO__BASE64_SIZE(size) (((size) + 2) / 3 * 4)

/* Writes them; no NUL behind. */
void tacho__base64_write(const void *bytes, size_t size, char *out_text);

#endif
