/* SPDX-License-Identifier: MIT */
/* AMD's profiling library, found as a file: it is loaded by programs, never by tacho's command. */
#ifndef TACHO_BACKEND_ROCM_ROCM_LIBRARY_H
#define TACHO_BACKEND_ROCM_ROCM_LIBRARY_H

#include <limits.h>

#define TACHO__ROCM_LIBRARY "librocprofiler-sdk.so.1"

struct tacho__rocm_library {
	char path[PATH_MAX]; /* absolute; "" when there is none that loads */
	char version[32];    /* "1.0.0", from the file's name; "" when it does not tell */
	char cause[768];     /* why there is none */
	const char *cure;
};

/*
 * Where the dynamic linker finds it, else in /opt/rocm/lib and /opt/rocm-VERSION/lib below `root`
 * (which ends with a slash), the newest first. tacho's own drop-in library of that name is passed
 * over. A child process tries whether the file loads. Never fails.
 */
void tacho__rocm_library_find(const char *root, struct tacho__rocm_library *out_library);

#endif
