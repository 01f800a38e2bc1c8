/* SPDX-License-Identifier: MIT */
/*
 * An OpenCL layer above the driver that leaves a number of each function's own in errno, whatever
 * the driver does with it: a program then sees this number, or what a layer above has left there.
 */
#include <errno.h>
#include <stddef.h>
#include <stdint.h>

enum {
	LEFT = 1000, /* and the function's slot in the loaders' table, CL/cl_icd.h */
	LAYER_INFO_VERSION = 0x4240,
	LAYER_VERSION_100 = 100,
	INVALID_VALUE = -30,
};

/* OpenCL's functions take up to 14 integers and pointers. Where these travel in 64-bit registers
 * and places of the stack, passing on all 14 passes on those that there are. */
_Static_assert(sizeof(intptr_t) == 8, "arguments are passed on as 64-bit words");
#define TAKEN                                                                               \
	intptr_t a, intptr_t b, intptr_t c, intptr_t d, intptr_t e, intptr_t f, intptr_t g, \
		intptr_t h, intptr_t i, intptr_t j, intptr_t k, intptr_t l, intptr_t m, intptr_t n
#define PASSED a, b, c, d, e, f, g, h, i, j, k, l, m, n

typedef intptr_t function(TAKEN);

static function *const *target;

#define FORWARD(slot)                                   \
	static intptr_t forward_##slot(TAKEN)           \
	{                                               \
		intptr_t result = target[slot](PASSED); \
                                                        \
		errno = LEFT + slot;                    \
		return result;                          \
	}
#define ENTRY(slot) forward_##slot,

/* clang-format off */
#define TEN(X, tens) X(tens##0) X(tens##1) X(tens##2) X(tens##3) X(tens##4) \
		     X(tens##5) X(tens##6) X(tens##7) X(tens##8) X(tens##9)
#define SLOTS(X) TEN(X,) TEN(X, 1) TEN(X, 2) TEN(X, 3) TEN(X, 4) TEN(X, 5) TEN(X, 6) \
		 TEN(X, 7) TEN(X, 8) TEN(X, 9) TEN(X, 10) TEN(X, 11) TEN(X, 12) TEN(X, 13)
/* clang-format on */

SLOTS(FORWARD)

static function *table[] = {SLOTS(ENTRY)};
enum { SLOT_COUNT = sizeof(table) / sizeof(table[0]) };

int32_t clGetLayerInfo(uint32_t name, size_t size, void *value, size_t *out_size);
int32_t clInitLayer(uint32_t count, function *const *below, uint32_t *out_count,
		    function *const **out_table);

int32_t clGetLayerInfo(uint32_t name, size_t size, void *value, size_t *out_size)
{
	if (name != LAYER_INFO_VERSION || (value && size < sizeof(uint32_t)))
		return INVALID_VALUE;
	if (value)
		*(uint32_t *)value = LAYER_VERSION_100;
	if (out_size)
		*out_size = sizeof(uint32_t);
	return 0;
}

int32_t clInitLayer(uint32_t count, function *const *below, uint32_t *out_count,
		    function *const **out_table)
{
	target = below;
	*out_count = count < SLOT_COUNT ? count : SLOT_COUNT;
	for (uint32_t i = 0; i < *out_count; i++) {
		if (!below[i])
			table[i] = NULL;
	}
	*out_table = table;
	return 0;
}
