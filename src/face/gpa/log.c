/* SPDX-License-Identifier: MIT */
/* The lock around every function, and messages to the callback. */
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "face/gpa/gpa.h"
#include "tacho/error.h"

struct tacho__gpa tacho__gpa;

/* A callback may call the library again. */
static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_cond_t arrived = PTHREAD_COND_INITIALIZER; /* a thread waits for no device now */
static unsigned depth;					  /* how deep the lock's thread is in */

static int is_wanted(GPA_Logging_Type type)
{
	return tacho__gpa.callback && (tacho__gpa.logged & type) && !tacho__gpa.is_in_callback;
}

static void emit(GPA_Logging_Type type, const char *text)
{
	if (!is_wanted(type))
		return;
	tacho__gpa.is_in_callback = 1;
	tacho__gpa.callback(type, text);
	tacho__gpa.is_in_callback = 0;
}

static void trace(const char *what, const char *function)
{
	char text[96];

	if (!is_wanted(GPA_LOGGING_TRACE))
		return;
	snprintf(text, sizeof(text), "%s: %s.", what, function);
	emit(GPA_LOGGING_TRACE, text);
}

void tacho__gpa_enter(const char *function)
{
	pthread_mutex_lock(&lock);
	if (depth++)
		return;
	tacho__gpa.function = function;
	trace("Entering", function);
}

GPA_Status tacho__gpa_leave(GPA_Status status)
{
	if (depth == 1)
		trace("Leaving", tacho__gpa.function);
	depth--;
	pthread_mutex_unlock(&lock);
	return status;
}

/*
 * What the lock's thread is about, put aside while others have the lock. A callback below it still
 * runs: nothing else is logged.
 */
struct aside {
	unsigned depth;
	const char *function;
};

/* The lock is held once after that, so that it can be waited with or let go. */
static struct aside put_aside(void)
{
	struct aside aside = {depth, tacho__gpa.function};

	for (unsigned i = 1; i < aside.depth; i++)
		pthread_mutex_unlock(&lock);
	depth = 0;
	return aside;
}

static void take_up(const struct aside *aside)
{
	for (unsigned i = 1; i < aside->depth; i++)
		pthread_mutex_lock(&lock);
	depth = aside->depth;
	tacho__gpa.function = aside->function;
}

int tacho__gpa_await_values(struct tacho__gpa_context *context, struct tacho_session *session,
			    uint64_t timeout_ns)
{
	struct aside aside = put_aside();
	int rc;

	context->is_awaited = 1;
	pthread_mutex_unlock(&lock);
	rc = tacho_session_drain(session, timeout_ns, NULL);
	pthread_mutex_lock(&lock);
	context->is_awaited = 0;
	pthread_cond_broadcast(&arrived);
	take_up(&aside);
	return rc;
}

void tacho__gpa_let_arrive(void)
{
	struct aside aside = put_aside();

	pthread_cond_wait(&arrived, &lock);
	take_up(&aside);
}

/* Starts `text` with the function's name; returns where the message goes. */
static size_t start(char *text, size_t size)
{
	int length = snprintf(text, size, "%s: ", tacho__gpa.function);

	return length < 0 ? 0 : (size_t)length;
}

static void put(GPA_Logging_Type type, const char *format, va_list list)
	__attribute__((format(printf, 2, 0)));
static void put(GPA_Logging_Type type, const char *format, va_list list)
{
	char text[2048];
	size_t length = start(text, sizeof(text));

	vsnprintf(text + length, sizeof(text) - length, format, list);
	length = strlen(text);
	if (text[length - 1] != '.')
		memcpy(length + 2 < sizeof(text) ? text + length : text + sizeof(text) - 2, ".", 2);
	emit(type, text);
}

GPA_Status tacho__gpa_fail(GPA_Status status, const char *format, ...)
{
	va_list list;

	va_start(list, format);
	put(GPA_LOGGING_ERROR, format, list);
	va_end(list);
	return status;
}

void tacho__gpa_tell(const char *format, ...)
{
	va_list list;

	va_start(list, format);
	put(GPA_LOGGING_MESSAGE, format, list);
	va_end(list);
}

static GPA_Status status_of(int code)
{
	switch (code) {
	case TACHO_E_VERSION: return GPA_STATUS_ERROR_DRIVER_NOT_SUPPORTED;
	case TACHO_E_NODEVICE:
	case TACHO_E_NOTFOUND:
	case TACHO_E_UNSUPPORTED: return GPA_STATUS_ERROR_HARDWARE_NOT_SUPPORTED;
	default: return GPA_STATUS_ERROR_FAILED;
	}
}

static GPA_Status fail_detail(GPA_Status status)
{
	const struct tacho_error_detail *detail = tacho_error_last();

	return tacho__gpa_fail(status, "%s%s%s%s%s", detail->message, *detail->cause ? ": " : "",
			       detail->cause, *detail->cure ? "; the cure: " : "", detail->cure);
}

GPA_Status tacho__gpa_fail_core(void)
{
	return fail_detail(GPA_STATUS_ERROR_FAILED);
}

GPA_Status tacho__gpa_refuse(void)
{
	return fail_detail(status_of(tacho_error_last()->code));
}

static GPA_Status register_callback(GPA_Logging_Type type, GPA_LoggingCallbackPtrType callback)
{
	if (!callback && type != GPA_LOGGING_NONE)
		return tacho__gpa_fail(GPA_STATUS_ERROR_NULL_POINTER,
				       "'pCallbackFuncPtr' is NULL, but messages of type %d are "
				       "asked for. The callback of before stays registered.",
				       (int)type);
	tacho__gpa.logged = callback ? type : GPA_LOGGING_NONE;
	tacho__gpa.callback = callback;
	emit(GPA_LOGGING_MESSAGE, "Logging callback registered successfully.");
	return GPA_STATUS_OK;
}

GPA_Status GPA_RegisterLoggingCallback(GPA_Logging_Type loggingType,
				       GPA_LoggingCallbackPtrType pCallbackFuncPtr)
{
	TACHO__GPA_CALL("GPA_RegisterLoggingCallback",
			register_callback(loggingType, pCallbackFuncPtr));
}
