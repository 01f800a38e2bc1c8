/* SPDX-License-Identifier: MIT */
/* Which ranges choose launches to be counted, as counting.json says. */
#ifndef TACHO_RECORD_RANGE_CHOICE_H
#define TACHO_RECORD_RANGE_CHOICE_H

/* Reads it when the environment names one, and has intercept/marks.h ask. Once, at the start. */
void tacho__range_choice_read(void);

#endif
