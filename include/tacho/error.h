/* SPDX-License-Identifier: MIT */
/* Errors: a negative code tells the caller what to do, a thread-local detail tells the person. */
#ifndef TACHO_ERROR_H
#define TACHO_ERROR_H

#include <tacho/export.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Every function of tacho that can fail returns 0 or one of these, negative. There is one code for
 * each thing that a caller does differently; the numbers never change.
 */
#define TACHO_ERROR_MAP(X)                                       \
	X(INVAL, 1, "an argument is not valid")                  \
	X(NOMEM, 2, "out of memory")                             \
	X(NOTFOUND, 3, "there is no such thing")                 \
	X(EXISTS, 4, "it exists already")                        \
	X(AMBIGUOUS, 5, "the name fits several things")          \
	X(UNSUPPORTED, 6, "this cannot be done here")            \
	X(NODEVICE, 7, "no device can be used")                  \
	X(PERM, 8, "permission is missing")                      \
	X(BUSY, 9, "somebody else holds it")                     \
	X(PASSES, 10, "it does not fit into the passes allowed") \
	X(VERSION, 11, "a version does not fit")                 \
	X(LOST, 12, "data was lost")                             \
	X(TIMEOUT, 13, "it took too long")                       \
	X(IO, 14, "input or output failed")                      \
	X(PARSE, 15, "text or data is malformed")                \
	X(VENDOR, 16, "a vendor's library failed")

enum tacho_error {
	TACHO_OK = 0,
#define X(name, number, text) TACHO_E_##name = -(number),
	TACHO_ERROR_MAP(X)
#undef X
};

/* What a failed call of this thread had to say. Strings are "" when there is nothing to say. */
struct tacho_error_detail {
	int code;	     /* the negative enum tacho_error that was returned */
	const char *message; /* what failed, with the device, file or name */
	const char *cause;   /* a fact that was checked, with the value that was read */
	const char *cure;    /* what to do, an imperative sentence */
	int vendor_code;     /* errno or the vendor library's own code; 0 when there is none */
};

/*
 * The detail of the last failed call on the calling thread. Borrowed: valid until the next failed
 * call on this thread. Before any failure all strings are "" and code is 0. Never fails.
 */
TACHO_API const struct tacho_error_detail *tacho_error_last(void);

/* The name of a code, "TACHO_E_PERM"; "TACHO_E_UNKNOWN" for a number that is none. Static. */
TACHO_API const char *tacho_error_to_string(int code);

#ifdef __cplusplus
}
#endif

#endif
