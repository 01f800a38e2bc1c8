/* SPDX-License-Identifier: MIT */
/*
 * NVTX as a program speaks it that was compiled with it, of our own: the library that
 * NVTX_INJECTION64_PATH names is loaded at the first call, and sets the functions that it wants.
 */
#ifndef TACHO_TESTS_SPEAK_NVTX_H
#define TACHO_TESTS_SPEAK_NVTX_H

#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <wchar.h>

struct nvtx_event {
	uint16_t version, size;
	uint32_t category;
	int32_t color_type;
	uint32_t color;
	int32_t payload_type, reserved;
	uint64_t payload;
	int32_t message_type;
	const void *message;
};

/* In the order of the tables. */
static struct {
	void *none;
	void (*mark_ex)(const struct nvtx_event *);
	void (*mark)(const char *);
	void (*mark_wide)(const wchar_t *);
	uint64_t (*start_ex)(const struct nvtx_event *);
	uint64_t (*start)(const char *);
	uint64_t (*start_wide)(const wchar_t *);
	void (*end)(uint64_t);
	int (*push_ex)(const struct nvtx_event *);
	int (*push)(const char *);
	int (*push_wide)(const wchar_t *);
	int (*pop)(void);
	void *categories[2];
	void (*thread)(uint32_t, const char *);
	void (*thread_wide)(uint32_t, const wchar_t *);
} core;

static struct {
	void *none;
	void (*mark_ex)(void *, const struct nvtx_event *);
	uint64_t (*start_ex)(void *, const struct nvtx_event *);
	void (*end)(void *, uint64_t);
	int (*push_ex)(void *, const struct nvtx_event *);
	int (*pop)(void *);
	void *resources[2], *names[2];
	void *(*string)(void *, const char *);
	void *(*string_wide)(void *, const wchar_t *);
	void *(*domain)(const char *);
	void *(*domain_wide)(const wchar_t *);
	void *others[2];
} core2;

enum { CORE_SIZE = sizeof(core) / sizeof(void *), CORE2_SIZE = sizeof(core2) / sizeof(void *) };

static void **core_places[CORE_SIZE + 1], **core2_places[CORE2_SIZE + 1];

/* A shorter table is what an older version has; 0: whole. */
static unsigned nvtx_shorter;

static int get_functions(int module, void ****out_table, unsigned *out_count)
{
	if (module != 1 && module != 5)
		return 0;
	*out_table = module == 1 ? core_places : core2_places;
	*out_count = (module == 1 ? CORE_SIZE : CORE2_SIZE) - nvtx_shorter;
	return 1;
}

static const void *get_table(uint32_t number)
{
	static const struct {
		size_t size;
		int (*get)(int, void ****, unsigned *);
	} callbacks = {sizeof(callbacks), get_functions};

	return number == 1 ? &callbacks : NULL;
}

/* 1: a library takes part. */
static int nvtx_load(void)
{
	const char *path = getenv("NVTX_INJECTION64_PATH");
	void *library = path ? dlopen(path, RTLD_LAZY) : NULL;
	int (*initialize)(const void *(*)(uint32_t)) = NULL;

	for (unsigned i = 1; i < CORE_SIZE; i++)
		core_places[i] = (void **)&core + i;
	for (unsigned i = 1; i < CORE2_SIZE; i++)
		core2_places[i] = (void **)&core2 + i;
	if (library)
		*(void **)&initialize = dlsym(library, "InitializeInjectionNvtx2");
	return initialize ? initialize(get_table) : 0;
}

#endif
