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

enum { TEXT_MAX = 1024 };

struct last {
	struct tacho_error_detail detail;
	char message[TEXT_MAX], cause[TEXT_MAX], cure[TEXT_MAX];
	char scratch[2][TEXT_MAX];
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

static const struct {
	int code;
	const char *name, *text;
} codes[] = {
#define X(name, number, text) {-(number), "TACHO_E_" #name, text},
	TACHO_ERROR_MAP(X)
#undef X
};

static void set_bare(int code, int vendor_code)
{
	bare = (struct tacho_error_detail){.code = code,
					   .message = "it failed",
					   .cause = "there is no memory to say why",
					   .cure = "",
					   .vendor_code = vendor_code};
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(codes); i++)
		if (codes[i].code == code)
			bare.message = codes[i].text;
}

static const char *keep(char *into, const char *text)
{
	snprintf(into, TEXT_MAX, "%s", text ? text : "");
	return into;
}

int tacho__fail(int code, const char *cause, const char *cure, const char *format, ...)
{
	int error = errno;
	struct last *last = get_last();
	va_list list;

	if (!last) {
		set_bare(code, code == TACHO_E_IO ? error : 0);
		errno = error;
		return code;
	}
	last->detail.cause = keep(last->cause, cause);
	last->detail.cure = keep(last->cure, cure);
	va_start(list, format);
	vsnprintf(last->message, sizeof(last->message), format, list);
	va_end(list);
	last->detail.message = last->message;
	last->detail.code = code;
	last->detail.vendor_code = code == TACHO_E_IO ? error : 0;
	errno = error;
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

const char *tacho__detail(const char *format, ...)
{
	struct last *last = get_last();
	char *text;
	va_list list;

	if (!last)
		return "(no memory for a text)";
	text = last->scratch[last->turn++ % TACHO__ARRAY_SIZE(last->scratch)];
	va_start(list, format);
	vsnprintf(text, TEXT_MAX, format, list);
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
	if (code == TACHO_OK)
		return "TACHO_OK";
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(codes); i++)
		if (codes[i].code == code)
			return codes[i].name;
	return "TACHO_E_UNKNOWN";
}
