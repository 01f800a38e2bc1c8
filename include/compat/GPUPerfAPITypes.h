/* SPDX-License-Identifier: MIT */
/*
 * Types of GPUPerfAPI 2.x, for programs that are written for it. The numbers and sizes are those of
 * AMD's library, so that programs that were built with AMD's headers fit too.
 *
 * GPA_COMPAT_MACROS: define it before including this to get the helpers for Linux that AMD's header
 * brought along, such as strcpy_s and UINT.
 * GPA_COMPAT_NO_BOOL: define it in C89 when the program has a one-byte `bool` of its own.
 */
#ifndef TACHO_COMPAT_GPUPERFAPITYPES_H
#define TACHO_COMPAT_GPUPERFAPITYPES_H

#if defined(__GNUC__)
#define GPA_COMPAT_EXTENSION __extension__
#else
#define GPA_COMPAT_EXTENSION
#endif

typedef char gpa_int8;
typedef short gpa_int16;
typedef int gpa_int32;
GPA_COMPAT_EXTENSION typedef long long gpa_int64;
typedef unsigned char gpa_uint8;
typedef unsigned short gpa_uint16;
typedef unsigned int gpa_uint32;
GPA_COMPAT_EXTENSION typedef unsigned long long gpa_uint64;
typedef float gpa_float32;
typedef double gpa_float64;

/* One byte in every language: the library writes 0 or 1. */
#if defined(__cplusplus)
typedef bool gpa_bool;
#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 199901L
#include <stdbool.h>
typedef bool gpa_bool;
#else
typedef gpa_uint8 gpa_bool;
#if !defined(bool) && !defined(GPA_COMPAT_NO_BOOL)
typedef gpa_bool bool;
#endif
#endif

#define GPA_INT8_MAX   127
#define GPA_INT16_MAX  32767
#define GPA_INT32_MAX  2147483647
#define GPA_INT64_MAX  9223372036854775807LL
#define GPA_UINT8_MAX  255u
#define GPA_UINT16_MAX 65535u
#define GPA_UINT32_MAX 4294967295u
#define GPA_UINT64_MAX 18446744073709551615ULL

typedef enum {
	GPA_STATUS_OK = 0,
	GPA_STATUS_ERROR_NULL_POINTER = 1,
	GPA_STATUS_ERROR_COUNTERS_NOT_OPEN = 2,
	GPA_STATUS_ERROR_COUNTERS_ALREADY_OPEN = 3,
	GPA_STATUS_ERROR_INDEX_OUT_OF_RANGE = 4,
	GPA_STATUS_ERROR_NOT_FOUND = 5,
	GPA_STATUS_ERROR_ALREADY_ENABLED = 6,
	GPA_STATUS_ERROR_NO_COUNTERS_ENABLED = 7,
	GPA_STATUS_ERROR_NOT_ENABLED = 8,
	GPA_STATUS_ERROR_SAMPLING_NOT_STARTED = 9,
	GPA_STATUS_ERROR_SAMPLING_ALREADY_STARTED = 10,
	GPA_STATUS_ERROR_SAMPLING_NOT_ENDED = 11,
	GPA_STATUS_ERROR_NOT_ENOUGH_PASSES = 12,
	GPA_STATUS_ERROR_PASS_NOT_ENDED = 13,
	GPA_STATUS_ERROR_PASS_NOT_STARTED = 14,
	GPA_STATUS_ERROR_PASS_ALREADY_STARTED = 15,
	GPA_STATUS_ERROR_SAMPLE_NOT_STARTED = 16,
	GPA_STATUS_ERROR_SAMPLE_ALREADY_STARTED = 17,
	GPA_STATUS_ERROR_SAMPLE_NOT_ENDED = 18,
	GPA_STATUS_ERROR_CANNOT_CHANGE_COUNTERS_WHEN_SAMPLING = 19,
	GPA_STATUS_ERROR_SESSION_NOT_FOUND = 20,
	GPA_STATUS_ERROR_SAMPLE_NOT_FOUND = 21,
	GPA_STATUS_ERROR_SAMPLE_NOT_FOUND_IN_ALL_PASSES = 22,
	GPA_STATUS_ERROR_COUNTER_NOT_OF_SPECIFIED_TYPE = 23,
	GPA_STATUS_ERROR_READING_COUNTER_RESULT = 24,
	GPA_STATUS_ERROR_VARIABLE_NUMBER_OF_SAMPLES_IN_PASSES = 25,
	GPA_STATUS_ERROR_FAILED = 26,
	GPA_STATUS_ERROR_HARDWARE_NOT_SUPPORTED = 27,
	GPA_STATUS_ERROR_DRIVER_NOT_SUPPORTED = 28,
	GPA_STATUS_INTERNAL = 256, /* never returned */
	GPA_STATUS_OK_HANDLED = GPA_STATUS_INTERNAL
} GPA_Status;

typedef enum {
	GPA_TYPE_FLOAT32 = 0,
	GPA_TYPE_FLOAT64 = 1,
	GPA_TYPE_UINT32 = 2,
	GPA_TYPE_UINT64 = 3,
	GPA_TYPE_INT32 = 4,
	GPA_TYPE_INT64 = 5,
	GPA_TYPE__LAST = 6
} GPA_Type;

typedef enum {
	GPA_USAGE_TYPE_RATIO = 0,
	GPA_USAGE_TYPE_PERCENTAGE = 1,
	GPA_USAGE_TYPE_CYCLES = 2,
	GPA_USAGE_TYPE_MILLISECONDS = 3,
	GPA_USAGE_TYPE_BYTES = 4,
	GPA_USAGE_TYPE_ITEMS = 5,
	GPA_USAGE_TYPE_KILOBYTES = 6,
	GPA_USAGE_TYPE__LAST = 7
} GPA_Usage_Type;

/* A mask of what the callback is to get. */
typedef enum {
	GPA_LOGGING_NONE = 0,
	GPA_LOGGING_ERROR = 1,
	GPA_LOGGING_MESSAGE = 2,
	GPA_LOGGING_ERROR_AND_MESSAGE = 3,
	GPA_LOGGING_TRACE = 4,
	GPA_LOGGING_ERROR_AND_TRACE = 5,
	GPA_LOGGING_MESSAGE_AND_TRACE = 6,
	GPA_LOGGING_ERROR_MESSAGE_AND_TRACE = 7,
	GPA_LOGGING_ALL = 0xFF
} GPA_Logging_Type;

typedef enum {
	GPA_API_DIRECTX_11 = 0,
	GPA_API_DIRECTX_12 = 1,
	GPA_API_OPENGL = 2,
	GPA_API_OPENGLES = 3,
	GPA_API_OPENCL = 4,
	GPA_API_HSA = 5
} GPA_API_Type;

#if defined(GPA_COMPAT_MACROS)
#include <assert.h>
#if defined(__linux__) || defined(_LINUX)
#include <string.h>
#include <strings.h>
typedef unsigned int UINT;
#ifndef UNREFERENCED_PARAMETER
#define UNREFERENCED_PARAMETER(parameter) ((void)(parameter))
#endif
#ifndef _strcmpi
#define _strcmpi(left, right) strcasecmp(left, right)
#endif
#ifndef strcpy_s
#define strcpy_s(to, size, from) strncpy(to, from, size)
#endif
#ifndef strtok_s
#define strtok_s(text, separators, state) strtok_r(text, separators, state)
#endif
#endif
#endif

#endif
