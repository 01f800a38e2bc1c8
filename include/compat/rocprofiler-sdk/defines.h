/* SPDX-License-Identifier: MIT */
/*
 * The words that the headers of ROCprofiler-SDK 1.0 are written with. Tools use some of them too.
 *
 * To be defined before the first of these headers is included, where the default does not fit:
 * ROCPROFILER_SDK_BETA_COMPAT          0: without the names of 0.5 and 0.6. By default they are
 * there. ROCPROFILER_SDK_DEPRECATED_WARNINGS  1: the compiler warns where such a name is used.
 * ROCPROFILER_SDK_EXPERIMENTAL_WARNINGS 1: and where a name is used that AMD calls experimental.
 */
#ifndef TACHO_COMPAT_ROCPROFILER_DEFINES_H
#define TACHO_COMPAT_ROCPROFILER_DEFINES_H

#include <stdint.h>

#define ROCPROFILER_SDK_VERSION_0_0

#ifndef ROCPROFILER_ATTRIBUTE
#define ROCPROFILER_ATTRIBUTE(...) __attribute__((__VA_ARGS__))
#endif
#ifndef ROCPROFILER_PUBLIC_API
#define ROCPROFILER_PUBLIC_API ROCPROFILER_ATTRIBUTE(visibility("default"))
#endif
#ifndef ROCPROFILER_HIDDEN_API
#define ROCPROFILER_HIDDEN_API ROCPROFILER_ATTRIBUTE(visibility("hidden"))
#endif
#ifndef ROCPROFILER_EXPORT_DECORATOR
#define ROCPROFILER_EXPORT_DECORATOR ROCPROFILER_PUBLIC_API
#endif
#ifndef ROCPROFILER_IMPORT_DECORATOR
#define ROCPROFILER_IMPORT_DECORATOR
#endif
#define ROCPROFILER_EXPORT ROCPROFILER_EXPORT_DECORATOR
#define ROCPROFILER_IMPORT ROCPROFILER_IMPORT_DECORATOR

/* The library itself is built with rocprofiler_EXPORTS; it checks what it is given. */
#ifndef ROCPROFILER_API
#ifdef rocprofiler_EXPORTS
#define ROCPROFILER_API ROCPROFILER_EXPORT
#else
#define ROCPROFILER_API ROCPROFILER_IMPORT
#endif
#endif
#ifndef ROCPROFILER_NONNULL
#ifdef rocprofiler_EXPORTS
#define ROCPROFILER_NONNULL(...)
#else
#define ROCPROFILER_NONNULL(...) __attribute__((nonnull(__VA_ARGS__)))
#endif
#endif

/* A handle with a value, as an expression. */
#ifdef __cplusplus
#define ROCPROFILER_HANDLE_LITERAL(type, value) (type{value})
#else
#define ROCPROFILER_HANDLE_LITERAL(type, value) ((type){value})
#endif

#ifdef __cplusplus
#define ROCPROFILER_EXTERN_C_INIT   extern "C" {
#define ROCPROFILER_EXTERN_C_FINI   }
#define ROCPROFILER_CXX_CODE(...)   __VA_ARGS__
#define ROCPROFILER_UINT64_C(value) uint64_t(value)
#else
#define ROCPROFILER_EXTERN_C_INIT
#define ROCPROFILER_EXTERN_C_FINI
#define ROCPROFILER_CXX_CODE(...)
#define ROCPROFILER_UINT64_C(value) UINT64_C(value)
#endif

/* Members without a name, which C99 and C++ do not have. */
#define ROCPROFILER_COMPAT_UNNAMED __extension__

#ifndef ROCPROFILER_SDK_DEPRECATED_WARNINGS
#define ROCPROFILER_SDK_DEPRECATED_WARNINGS 0
#endif
#ifndef ROCPROFILER_SDK_EXPERIMENTAL_WARNINGS
#define ROCPROFILER_SDK_EXPERIMENTAL_WARNINGS 0
#endif
#define ROCPROFILER_SDK_DEPRECATED_MESSAGE(...) __attribute__((deprecated(__VA_ARGS__)))
#define ROCPROFILER_SDK_EXPERIMENTAL_MESSAGE \
	ROCPROFILER_SDK_DEPRECATED_MESSAGE("AMD calls this experimental: it may change")
#if ROCPROFILER_SDK_DEPRECATED_WARNINGS > 0
#define ROCPROFILER_SDK_DEPRECATED(...) ROCPROFILER_SDK_DEPRECATED_MESSAGE(__VA_ARGS__)
#else
#define ROCPROFILER_SDK_DEPRECATED(...)
#endif
#if ROCPROFILER_SDK_EXPERIMENTAL_WARNINGS > 0
#define ROCPROFILER_SDK_EXPERIMENTAL ROCPROFILER_SDK_EXPERIMENTAL_MESSAGE
#else
#define ROCPROFILER_SDK_EXPERIMENTAL
#endif

#ifndef ROCPROFILER_SDK_BETA_COMPAT
#define ROCPROFILER_SDK_BETA_COMPAT 1
#endif
#if ROCPROFILER_SDK_BETA_COMPAT > 0
#define ROCPROFILER_SDK_BETA_COMPAT_SUPPORTED 1
#endif

/* 1.2.3 is 10203. */
#define ROCPROFILER_SDK_COMPUTE_VERSION_VALUE(MAX_VERSION_VALUE, MAJOR, MINOR, PATCH) \
	((((MAX_VERSION_VALUE) * (MAX_VERSION_VALUE)) * (MAJOR)) +                    \
	 ((MAX_VERSION_VALUE) * (MINOR)) + (PATCH))
#define ROCPROFILER_SDK_COMPUTE_VERSION(MAJOR, MINOR, PATCH) \
	ROCPROFILER_SDK_COMPUTE_VERSION_VALUE(100, MAJOR, MINOR, PATCH)

#endif
