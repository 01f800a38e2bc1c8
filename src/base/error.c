/* SPDX-License-Identifier: MIT */
/* The thread-local detail of the last error. */
#include "base/error.h"

#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

struct last {
	struct tacho_error_detail detail;
	char message[TACHO__ERROR_TEXT_MAX], cause[TACHO__ERROR_TEXT_MAX],
		cure[TACHO__ERROR_TEXT_MAX];
	char scratch[2][TACHO__ERROR_TEXT_MAX];
	unsigned turn;
};

/*
 * The one piece of state that the core keeps (design.md section 4). Only a pointer lies in the
 * thread's own memory: a library that is loaded late gets a few hundred bytes of it at most.
 */
static _Thread_local struct last *own;
/* What stands in where there is no memory for that: the code, and what it says in general. */
static _Thread_local struct tacho_error_detail bare;
static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void destroy(void *last)
{
	own = NULL; /* what a later destructor of the thread wants gets a new one */
	free(last);
}

static void create_key(void)
{
	pthread_key_create(&key, destroy);
}

/* NULL when memory ran out. */
static struct last *get_last(void)
{
	if (!own) {
		pthread_once(&once, create_key);
		own = calloc(1, sizeof(*own));
		pthread_setspecific(key, own);
	}
	return own;
}

static const struct code {
	const char *name, *text;
} codes[] = {
	[TACHO_OK] = {"TACHO_OK", ""},
	[-TACHO_E_INVAL] = {"TACHO_E_INVAL", "an argument is not valid"},
	[-TACHO_E_NOMEM] = {"TACHO_E_NOMEM", "out of memory"},
	[-TACHO_E_NOTFOUND] = {"TACHO_E_NOTFOUND", "there is no such thing"},
	[-TACHO_E_EXISTS] = {"TACHO_E_EXISTS", "it exists already"},
	[-TACHO_E_AMBIGUOUS] = {"TACHO_E_AMBIGUOUS", "the name fits several things"},
	[-TACHO_E_UNSUPPORTED] = {"TACHO_E_UNSUPPORTED", "this cannot be done here"},
	[-TACHO_E_NODEVICE] = {"TACHO_E_NODEVICE", "no device can be used"},
	[-TACHO_E_PERM] = {"TACHO_E_PERM", "permission is missing"},
	[-TACHO_E_BUSY] = {"TACHO_E_BUSY", "somebody else holds it"},
	[-TACHO_E_PASSES] = {"TACHO_E_PASSES", "it does not fit into the passes allowed"},
	[-TACHO_E_VERSION] = {"TACHO_E_VERSION", "a version does not fit"},
	[-TACHO_E_LOST] = {"TACHO_E_LOST", "data was lost"},
	[-TACHO_E_TIMEOUT] = {"TACHO_E_TIMEOUT", "it took too long"},
	[-TACHO_E_IO] = {"TACHO_E_IO", "input or output failed"},
	[-TACHO_E_PARSE] = {"TACHO_E_PARSE", "text or data is malformed"},
	[-TACHO_E_VENDOR] = {"TACHO_E_VENDOR", "a vendor's library failed"},
};

/* NULL for a number that is none. */
static const struct code *find_code(int code)
{
	return code <= 0 && code > -(int)TACHO__ARRAY_SIZE(codes) ? &codes[-code] : NULL;
}

static void set_bare(int code, int vendor_code)
{
	const struct code *found = find_code(code);

	bare = (struct tacho_error_detail){.code = code,
					   .message = found ? found->text : "it failed",
					   .cause = "there is no memory to say why",
					   .cure = "",
					   .vendor_code = vendor_code};
}

static const char *keep(char *into, const char *text)
{
	snprintf(into, TACHO__ERROR_TEXT_MAX, "%s", text ? text : "");
	return into;
}

static void set_last(int code, const char *cause, const char *cure, int vendor_code,
		     const char *format, va_list list)
{
	int error = errno;
	struct last *last = get_last();

	if (last) {
		last->detail.cause = keep(last->cause, cause);
		last->detail.cure = keep(last->cure, cure);
		vsnprintf(last->message, sizeof(last->message), format, list);
		last->detail.message = last->message;
		last->detail.code = code;
		last->detail.vendor_code = vendor_code;
	} else {
		set_bare(code, vendor_code);
	}
	errno = error;
}

int tacho__fail(int code, const char *cause, const char *cure, const char *format, ...)
{
	va_list list;

	va_start(list, format);
	set_last(code, cause, cure, code == TACHO_E_IO ? errno : 0, format, list);
	va_end(list);
	return code;
}

int tacho__fail_errno(int code, int error, const char *cure, const char *format, ...)
{
	char cause[256];
	va_list list;

	snprintf(cause, sizeof(cause), "%s (errno %d)", strerror(error), error);
	va_start(list, format);
	set_last(code, cause, cure, error, format, list);
	va_end(list);
	return code;
}

int tacho__fail_null(const char *function)
{
	return tacho__fail(TACHO_E_INVAL, "", "", "an argument of %s() is NULL", function);
}

int tacho__fail_vendor(int code, int vendor_code)
{
	if (own)
		own->detail.vendor_code = vendor_code;
	bare.vendor_code = vendor_code;
	return code;
}

void tacho__error_take(struct tacho__carried_error *carried, int code)
{
	const struct tacho_error_detail *detail = tacho_error_last();

	if (detail->code != code) { /* nobody said why: what is there is about something else */
		const struct code *found = find_code(code);

		tacho__fail(code, "", "", "%s", found ? found->text : "it failed");
		detail = tacho_error_last();
	}
	carried->code = code;
	carried->vendor_code = detail->vendor_code;
	keep(carried->message, detail->message);
	keep(carried->cause, detail->cause);
	keep(carried->cure, detail->cure);
}

int tacho__error_give(const struct tacho__carried_error *carried)
{
	return tacho__fail_vendor(
		tacho__fail(carried->code, carried->cause, carried->cure, "%s", carried->message),
		carried->vendor_code);
}

const char *tacho__detail(const char *format, ...)
{
	struct last *last = get_last();
	char *text;
	va_list list;

	if (!last)
		return "(no memory for a text)";
	text = last->scratch[last->turn++ % TACHO__ARRAY_SIZE(last->scratch)];
	va_start(list, format);
	vsnprintf(text, TACHO__ERROR_TEXT_MAX, format, list);
	va_end(list);
	return text;
}

const struct tacho_error_detail *tacho_error_last(void)
{
	struct tacho_error_detail *detail = own ? &own->detail : &bare;

	if (!detail->message)
		detail->message = detail->cause = detail->cure = "";
	return detail;
}

const char *tacho_error_to_string(int code)
{
	const struct code *found = find_code(code);

	return found ? found->name : "TACHO_E_UNKNOWN";
}
