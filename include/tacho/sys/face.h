/* SPDX-License-Identifier: MIT */
/* Where the drop-in libraries for vendors' APIs are. For the command and tests: no ABI promise. */
#ifndef TACHO_SYS_FACE_H
#define TACHO_SYS_FACE_H

#include <stddef.h>

#include <tacho/export.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Names the library of a face that is to be brought into a program, by its absolute path. */
#define TACHO_FACE_VARIABLE "TACHO_FACE"

enum { TACHO_FACE_LIBRARIES_MAX = 4, TACHO_FACE_VARIABLES_MAX = 6, TACHO_FACE_PATH_MAX = 4096 };

struct tacho_face_library {
	const char *name; /* "libGPUPerfAPIGL.so" */
	/* The file that a program gets that asks for the name in this environment, "" for none. */
	char answer[TACHO_FACE_PATH_MAX];
	int is_ours; /* the answer is tacho's */
};

/* What a program's environment needs. */
struct tacho_face_variable {
	char name[64];
	char value[TACHO_FACE_PATH_MAX];
	int is_list; /* it goes before what the variable holds, with a colon between them */
};

struct tacho_face {
	const char *name;  /* "gpa" */
	const char *title; /* "GPUPerfAPI 2.x" */
	const char *model; /* a simulated device that suits it */
	char folder[TACHO_FACE_PATH_MAX];
	struct tacho_face_library libraries[TACHO_FACE_LIBRARIES_MAX];
	size_t library_count;
	struct tacho_face_variable variables[TACHO_FACE_VARIABLES_MAX];
	size_t variable_count;
};

/*
 * Finds the libraries of an API beside libtacho, which file answers to their names (that is tried
 * in a child process), and what programs need. NOTFOUND for an API that is unknown, with the known
 * ones; UNSUPPORTED when the libraries are not installed, or lie where loaders do not find them.
 */
TACHO_API int tacho_face_find(const char *name, struct tacho_face *out_face);

#ifdef __cplusplus
}
#endif

#endif
