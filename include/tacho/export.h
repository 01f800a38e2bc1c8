/* SPDX-License-Identifier: MIT */
/* Visibility of public functions. */
#ifndef TACHO_EXPORT_H
#define TACHO_EXPORT_H

#if defined(__GNUC__)
#define TACHO_API __attribute__((visibility("default")))
#else
#define TACHO_API
#endif

#endif
