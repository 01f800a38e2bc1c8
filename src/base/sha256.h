/* SPDX-License-Identifier: MIT */
/* SHA-256 (FIPS 180-4) of a text in memory. */
#ifndef TACHO_BASE_SHA256_H
#define TACHO_BASE_SHA256_H

#include <stddef.h>
#include <stdint.h>

enum { TACHO__SHA256_SIZE = 32, TACHO__SHA256_BASE64_SIZE = 45 };

void tacho__sha256(const void *bytes, size_t size, uint8_t out_digest[TACHO__SHA256_SIZE]);

/* The digest in base64 (RFC 4648), with a NUL behind it. */
void tacho__sha256_base64(const void *bytes, size_t size, char out_text[TACHO__SHA256_BASE64_SIZE]);

#endif
