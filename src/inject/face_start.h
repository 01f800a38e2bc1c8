/* SPDX-License-Identifier: MIT */
/*
 * Bringing a face into a program that does not load it by itself: TACHO_FACE names its library. It
 * is loaded behind the program's first call of an API, as before that no API can be called.
 */
#ifndef TACHO_INJECT_FACE_START_H
#define TACHO_INJECT_FACE_START_H

#include <stdbool.h>

/* What a face's library exports for this. Called once. */
typedef void tacho__face_start_fn(void);
#define TACHO__FACE_START "tacho__face_start"

/* Waits for the first call, when the environment asks for a face. Returns whether it does. */
bool tacho__face_await_call(void);

#endif
