/* SPDX-License-Identifier: MIT */
/* Making errors: set the thread's detail once, at the origin, and return the code. */
#ifndef TACHO_BASE_ERROR_H
#define TACHO_BASE_ERROR_H

#include "tacho/error.h"

enum { TACHO__ERROR_TEXT_MAX = 1024 };

/*
 * Sets the detail of this thread and returns `code`: `return tacho__fail(TACHO_E_PERM, "cause",
 * "cure", "cannot open %s", path)`. cause and cure may be "" and may hold text made by
 * tacho__detail(). vendor_code is errno's value at the call for TACHO_E_IO, else 0. Keeps errno.
 */
TACHO_API int tacho__fail(int code, const char *cause, const char *cure, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* INVAL for a public function that was given NULL where it takes none: __func__ names it. */
int tacho__fail_null(const char *function);

/*
 * Adds a vendor's own code, or errno, to the detail that tacho__fail() just made; returns `code`:
 * `return tacho__fail_vendor(tacho__fail(...), error)`.
 */
int tacho__fail_vendor(int code, int vendor_code);

/*
 * tacho__fail() where an errno is the cause, and the vendor's own code: "Permission denied (errno
 * 13)".
 */
int tacho__fail_errno(int code, int error, const char *cure, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* A formatted text in one of two buffers of the thread, for tacho__fail's cause and cure. */
TACHO_API const char *tacho__detail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/*
 * What a call that failed on another thread had to say. That thread takes it, and the one that
 * returns the error gives it: tacho__error_give() returns its code.
 */
struct tacho__carried_error {
	int code, vendor_code;
	char message[TACHO__ERROR_TEXT_MAX], cause[TACHO__ERROR_TEXT_MAX],
		cure[TACHO__ERROR_TEXT_MAX];
};

void tacho__error_take(struct tacho__carried_error *carried, int code);
int tacho__error_give(const struct tacho__carried_error *carried);

#endif
