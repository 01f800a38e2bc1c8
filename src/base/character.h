/* SPDX-License-Identifier: MIT */
/*
 * Texts from outside in what tacho writes. Formats that keep each character as it is (databases,
 * traces) take tacho__text_put_utf8(); those that people open with anything, tacho__text_put().
 */
#ifndef TACHO_BASE_CHARACTER_H
#define TACHO_BASE_CHARACTER_H

#include <stddef.h>
#include <stdio.h>

#include "base/buf.h"
#include "tacho/sys/character.h"

/* How much of the text is UTF-8, in bytes. */
size_t tacho__text_find_bad(const char *text);

/* Adds it; bytes that are no UTF-8 are spelled. */
void tacho__text_put_utf8(struct tacho__buf *buf, const char *text);

/* Adds it; what is not shown is spelled, too. */
void tacho__text_put(struct tacho__buf *buf, const char *text);
/* The same into a stream. */
void tacho__text_write(FILE *stream, const char *text);

#endif
