/* SPDX-License-Identifier: MIT */
/* Work of a known size for a context of PerfWorks: on a simulated device, OpenGL or OpenCL. */
#ifndef TACHO_TESTS_NVPA_WORK_H
#define TACHO_TESTS_NVPA_WORK_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A metric that counts work: each work_do(n) adds n. NULL: this kind has times alone. */
extern const char *const work_metric;

/* Makes a context and registers it: its ctx. NULL with the reason: there is no driver. */
void *work_open(const char **out_reason);
void work_do(unsigned n);
/* The shortest time that work_do(n) took on the device, as far as its driver tells; else 0. */
uint64_t work_get_shortest_ns(unsigned n);
void work_close(void);

#ifdef __cplusplus
}
#endif

#endif
