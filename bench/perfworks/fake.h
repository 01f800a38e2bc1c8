/* SPDX-License-Identifier: MIT */
/* A queue of an OpenCL driver that does nothing: what is left is what is not the driver's. */
#ifndef TACHO_BENCH_PERFWORKS_FAKE_H
#define TACHO_BENCH_PERFWORKS_FAKE_H

#include "../gpa/gpa.h"

/* NULL with the reason: the libOpenCL.so.1 that is found is not that of tests/face. */
void *fake_open(const char **out_driver);
extern const struct gpa_case fake_case;

#endif
