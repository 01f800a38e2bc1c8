/* SPDX-License-Identifier: MIT */
/*
 * What we have in flight holds references to the program's context and queue. What is over by then
 * shall be gone when the program reads how many there are.
 */
#ifndef TACHO_INJECT_OPENCL_CL_SETTLE_H
#define TACHO_INJECT_OPENCL_CL_SETTLE_H

void tacho__opencl_take_off(void);
void tacho__opencl_land(void);

/* Gives what is over a short time to go. What still waits stays, and is counted. Keeps errno. */
void tacho__opencl_settle(void);

#endif
