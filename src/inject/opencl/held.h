/* SPDX-License-Identifier: MIT */
/*
 * Events of the program that we hold a reference to until their command has ended. The program's
 * reference counts are told without it.
 */
#ifndef TACHO_INJECT_OPENCL_HELD_H
#define TACHO_INJECT_OPENCL_HELD_H

#include <stdbool.h>
#include <stddef.h>

/* Remembers an event that we have just retained. False when there is no room. */
bool tacho__opencl_hold(void *event, void *token);

/*
 * Takes it out again: not 0 for one caller, who then completes the token and passes the number to
 * tacho__opencl_let_go(). *token NULL: whatever it was put in with, which is stored there.
 */
size_t tacho__opencl_take(void *event, void **token);

/*
 * The same of an event that nobody takes: returns the number for tacho__opencl_let_go(), 0 when
 * there is no room.
 */
size_t tacho__opencl_hold_plain(void *event);

bool tacho__opencl_is_held(const void *event);

/* Releases an event; taken 0: it lies in no slot. */
void tacho__opencl_let_go(void *event, size_t taken);

#endif
