/* SPDX-License-Identifier: MIT */
#ifndef TACHO_RECORD_SUBSCRIBER_H
#define TACHO_RECORD_SUBSCRIBER_H

/* writer.c: has the recorder hear of everything that is intercepted. Once per process. */
void tacho__record_subscribe(void);

#endif
