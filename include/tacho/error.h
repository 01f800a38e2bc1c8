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
enum tacho_error {
	TACHO_OK = 0,
	TACHO_E_INVAL = -1,	  /* an argument is not valid */
	TACHO_E_NOMEM = -2,	  /* out of memory */
	TACHO_E_NOTFOUND = -3,	  /* there is no such thing */
	TACHO_E_EXISTS = -4,	  /* it exists already */
	TACHO_E_AMBIGUOUS = -5,	  /* the name fits several things */
	TACHO_E_UNSUPPORTED = -6, /* this cannot be done here */
	TACHO_E_NODEVICE = -7,	  /* no device can be used */
	TACHO_E_PERM = -8,	  /* permission is missing */
	TACHO_E_BUSY = -9,	  /* somebody else holds it */
	TACHO_E_PASSES = -10,	  /* it does not fit into the passes allowed */
	TACHO_E_VERSION = -11,	  /* a version does not fit */
	TACHO_E_LOST = -12,	  /* data was lost */
	TACHO_E_TIMEOUT = -13,	  /* it took too long */
	TACHO_E_IO = -14,	  /* input or output failed */
	TACHO_E_PARSE = -15,	  /* text or data is malformed */
	TACHO_E_VENDOR = -16	  /* a vendor's library failed */
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
