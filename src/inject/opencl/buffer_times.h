/* SPDX-License-Identifier: MIT */
/*
 * When command buffers ran. Some drivers run what a command buffer holds as single commands and
 * give out the event of a last one, which waits for all: it tells when the execution ended, but its
 * start is the end as well. With them a marker goes in front of each execution; where all in front
 * has ended, the execution starts. A start that nobody told is absent, never the driver's.
 */
#ifndef TACHO_INJECT_OPENCL_BUFFER_TIMES_H
#define TACHO_INJECT_OPENCL_BUFFER_TIMES_H

#include "intercept/intercept.h"

/*
 * The command behind an event has ended, with these times; when it is an execution of a command
 * buffer they are put right. NULL: nobody will see its times.
 */
void tacho__opencl_put_right(void *event, struct tacho__times *times);

#endif
