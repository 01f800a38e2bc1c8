/* SPDX-License-Identifier: MIT */
/* How memory.c tells calls.c that main() begins: prctl() with a request that nobody has. */
#ifndef TESTS_FAULT_MARKER_H
#define TESTS_FAULT_MARKER_H

enum { FAULT_MARKER = 0x7461636f };

#endif
