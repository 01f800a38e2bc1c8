/* SPDX-License-Identifier: MIT */
/* Files that are no recordings, and what may have been meant. */
#ifndef TACHO_FORMAT_STRANGER_H
#define TACHO_FORMAT_STRANGER_H

/* Fails with NOTFOUND: what the regular file is as far as that can be seen, and what to give. */
int tacho__stranger_fail(const char *path);

#endif
