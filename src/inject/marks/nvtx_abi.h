/* SPDX-License-Identifier: MIT */
/*
 * NVTX as a program and the library that it loads speak it: version 3. Judged against
 * NVIDIA's headers by tests/real/nvtx.sh.
 */
#ifndef TACHO_INJECT_MARKS_NVTX_ABI_H
#define TACHO_INJECT_MARKS_NVTX_ABI_H

#include <stddef.h>
#include <stdint.h>
#include <wchar.h>

/* What a program says of a range. Later versions may have more behind it. */
struct tacho__nvtx_attributes {
	uint16_t version;
	uint16_t size; /* of the struct, as the program has it */
	uint32_t category;
	int32_t color_type;
	uint32_t color; /* 0xAARRGGBB */
	int32_t payload_type;
	int32_t reserved;
	uint64_t payload;
	int32_t message_type;
	union {
		const char *ascii;
		const wchar_t *wide;
		const void *registered; /* what we gave for it */
	} message;
};

enum { TACHO__NVTX_COLOR_ARGB = 1 };
enum {
	TACHO__NVTX_MESSAGE_ASCII = 1,
	TACHO__NVTX_MESSAGE_WIDE = 2,
	TACHO__NVTX_MESSAGE_REGISTERED = 3,
};

/* What push and pop return instead of a level. */
enum { TACHO__NVTX_ERROR = -1, TACHO__NVTX_UNTRACKED = -2 };

/* Tables of functions, by the numbers of these modules ... */
enum { TACHO__NVTX_CORE = 1, TACHO__NVTX_CORE2 = 5 };

/* ... with these members. */
enum {
	TACHO__NVTX_MARK_EX = 1,
	TACHO__NVTX_MARK_A,
	TACHO__NVTX_MARK_W,
	TACHO__NVTX_RANGE_START_EX,
	TACHO__NVTX_RANGE_START_A,
	TACHO__NVTX_RANGE_START_W,
	TACHO__NVTX_RANGE_END,
	TACHO__NVTX_RANGE_PUSH_EX,
	TACHO__NVTX_RANGE_PUSH_A,
	TACHO__NVTX_RANGE_PUSH_W,
	TACHO__NVTX_RANGE_POP,
	TACHO__NVTX_NAME_CATEGORY_A,
	TACHO__NVTX_NAME_CATEGORY_W,
	TACHO__NVTX_NAME_THREAD_A,
	TACHO__NVTX_NAME_THREAD_W,
	TACHO__NVTX_CORE_SIZE
};
enum {
	TACHO__NVTX_DOMAIN_MARK_EX = 1,
	TACHO__NVTX_DOMAIN_RANGE_START_EX,
	TACHO__NVTX_DOMAIN_RANGE_END,
	TACHO__NVTX_DOMAIN_RANGE_PUSH_EX,
	TACHO__NVTX_DOMAIN_RANGE_POP,
	TACHO__NVTX_DOMAIN_RESOURCE_CREATE,
	TACHO__NVTX_DOMAIN_RESOURCE_DESTROY,
	TACHO__NVTX_DOMAIN_NAME_CATEGORY_A,
	TACHO__NVTX_DOMAIN_NAME_CATEGORY_W,
	TACHO__NVTX_DOMAIN_STRING_A,
	TACHO__NVTX_DOMAIN_STRING_W,
	TACHO__NVTX_DOMAIN_CREATE_A,
	TACHO__NVTX_DOMAIN_CREATE_W,
	TACHO__NVTX_DOMAIN_DESTROY,
	TACHO__NVTX_INITIALIZE,
	TACHO__NVTX_CORE2_SIZE
};

typedef void (*tacho__nvtx_function)(void);

enum { TACHO__NVTX_TABLE_CALLBACKS = 1 };

struct tacho__nvtx_callbacks {
	size_t size;
	/* The places of a module's functions; 0: it has no such module. */
	int (*get_functions)(int module, tacho__nvtx_function ***out_table, unsigned *out_count);
};

/* A table of the program's, by number. */
typedef const void *(*tacho__nvtx_get_table)(uint32_t table);

#endif
