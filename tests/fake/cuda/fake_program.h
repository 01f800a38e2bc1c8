/* SPDX-License-Identifier: MIT */
/* CUDA's driver API for the programs of the tests: its prototypes, from the fake's list. */
#ifndef TESTS_FAKE_CUDA_FAKE_PROGRAM_H
#define TESTS_FAKE_CUDA_FAKE_PROGRAM_H

#include "cuda_types.h"
#include "fake_api.h"

#define FUNCTION(number, name, ...) CUresult name(PARAMETERS(__VA_ARGS__));
#define FUNCTION_VOID(number, name) CUresult name(void);
#define TWICE(number, number2, ending, name, ...) \
	CUresult name(PARAMETERS(__VA_ARGS__));   \
	CUresult name##ending(PARAMETERS(__VA_ARGS__));
#include "cuda_functions.h"
#undef FUNCTION
#undef FUNCTION_VOID
#undef TWICE

/* Ends the program with 3 when a call fails. */
#define OK(call) fake_check((call), #call)
void fake_check(CUresult status, const char *what);

#endif
