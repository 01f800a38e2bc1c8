/* SPDX-License-Identifier: MIT */
/* Every function that the fake driver exports, with what tools see of a call around it. */
#include <stdio.h>

#include "fake_driver.h"

struct fake_driver fake_driver = {.lock = PTHREAD_MUTEX_INITIALIZER};

struct fake_thread *fake_thread_get(void)
{
	static _Thread_local struct fake_thread thread;
	static atomic_ullong threads;

	if (!thread.number)
		thread.number = ++threads;
	return &thread;
}

#define FUNCTION(number, name, ...) \
	struct name##_params {      \
		FIELDS(__VA_ARGS__) \
	};
#define FUNCTION_VOID(number, name)
#define TWICE(number, number2, ending, name, ...) FUNCTION(number, name, __VA_ARGS__)
#include "cuda_functions.h"
#undef FUNCTION
#undef FUNCTION_VOID
#undef TWICE

static bool is_launch(const struct fake_cuda_call *call)
{
	return !strncmp(call->name, "cuLaunch", 8) || !strncmp(call->name, "cuGraphLaunch", 13) ||
	       !strncmp(call->name, "cuMemcpy", 8) || !strncmp(call->name, "cuMemset", 8);
}

static const char *find_symbol(const struct fake_cuda_call *call)
{
	CUfunction function = NULL;

	if (!strncmp(call->name, "cuLaunchKernelEx", 16))
		function = ((const struct cuLaunchKernelEx_params *)call->params)->function;
	else if (!strncmp(call->name, "cuLaunchKernel", 14) ||
		 !strncmp(call->name, "cuLaunchCooperative", 19))
		function = *(const CUfunction *)call->params;
	return function ? function->base.name : NULL;
}

static uint32_t next_correlation(const struct fake_thread *thread)
{
	bool is_inner = thread->depth && thread->api[thread->depth - 1] == FAKE_CUDA_RUNTIME_API;

	if (is_inner && !fake_has_word("inner_ids") && !fake_has_word("outer_ids"))
		return thread->correlation[thread->depth - 1];
	return ++fake_driver.correlations;
}

void fake_call_begin(struct fake_cuda_call *call)
{
	struct fake_thread *thread = fake_thread_get();

	call->context = fake_context();
	call->context_id = call->context ? call->context->id : 0;
	call->correlation = next_correlation(thread);
	if (call->api == FAKE_CUDA_DRIVER_API)
		call->symbol = find_symbol(call);
	FAKE_EACH_OBSERVER(observer)
	{
		if (!observer->enter)
			continue;
		call->seen |= 1u << observer->number;
		observer->enter(call);
	}
	if (thread->depth < 8) {
		thread->correlation[thread->depth] = call->correlation;
		thread->api[thread->depth] = call->api;
	}
	thread->depth++;
}

void fake_call_end(struct fake_cuda_call *call)
{
	struct fake_thread *thread = fake_thread_get();

	thread->depth--;
	FAKE_EACH_OBSERVER(observer)
	if (observer->exit && call->seen & 1u << observer->number)
		observer->exit(call);
	if (call->api == FAKE_CUDA_DRIVER_API && is_launch(call))
		fake_log("call %u %s %d", call->correlation, call->name, *(int *)call->result);
}

void fake_tell(struct fake_cuda_object object)
{
	FAKE_EACH_OBSERVER(observer)
	if (observer->object)
		observer->object(&object);
}

void fake_tell_synchronized(CUcontext context, CUstream stream)
{
	FAKE_EACH_OBSERVER(observer)
	if (observer->synchronized)
		observer->synchronized(context, stream);
}

/* Some functions need no cuInit(). */
static bool is_ready(uint32_t number)
{
	return number <= 2 || number == 372 || number == 373 || number == 677 ||
	       (fake_driver.is_initialized && !fake_driver.is_forked);
}

/* A function of the list as a program calls it. */
#define CALL(number_, text_, own_stream_, name_, arguments_, params_)                              \
	struct fake_cuda_call call_ = {                                                            \
		.api = FAKE_CUDA_DRIVER_API, .number = number_, .name = text_, .params = params_}; \
	CUresult status_ = CUDA_ERROR_NOT_INITIALIZED;                                             \
	bool outer_ = fake_thread_get()->per_thread;                                               \
	call_.result = &status_;                                                                   \
	fake_call_begin(&call_);                                                                   \
	fake_thread_get()->per_thread = own_stream_;                                               \
	if (is_ready(number_))                                                                     \
		status_ = fake_##name_ arguments_;                                                 \
	fake_thread_get()->per_thread = outer_;                                                    \
	fake_call_end(&call_);                                                                     \
	return status_;

#define FUNCTION(number_, name_, ...)                                               \
	CUresult name_(PARAMETERS(__VA_ARGS__));                                    \
	EXPORT CUresult name_(PARAMETERS(__VA_ARGS__))                              \
	{                                                                           \
		struct name_##_params params_ = {NAMES(__VA_ARGS__)};               \
		CALL(number_, #name_, false, name_, (NAMES(__VA_ARGS__)), &params_) \
	}
#define FUNCTION_VOID(number_, name_)                         \
	CUresult name_(void);                                 \
	EXPORT CUresult name_(void)                           \
	{                                                     \
		CALL(number_, #name_, false, name_, (), NULL) \
	}
#define TWICE(number_, number2_, ending_, name_, ...)                                        \
	FUNCTION(number_, name_, __VA_ARGS__)                                                \
	CUresult name_##ending_(PARAMETERS(__VA_ARGS__));                                    \
	EXPORT CUresult name_##ending_(PARAMETERS(__VA_ARGS__))                              \
	{                                                                                    \
		struct name_##_params params_ = {NAMES(__VA_ARGS__)};                        \
		CALL(number2_, #name_ #ending_, true, name_, (NAMES(__VA_ARGS__)), &params_) \
	}
#include "cuda_functions.h"
#undef FUNCTION
#undef FUNCTION_VOID
#undef TWICE

struct entry {
	const char *name;
	uint32_t number;
	void *function;
};

#define FUNCTION(number, name, ...) {#name, number, (void *)(name)},
#define FUNCTION_VOID(number, name) {#name, number, (void *)(name)},
#define TWICE(number, number2, ending, name, ...) \
	{#name, number, (void *)name}, {#name #ending, number2, (void *)name##ending},
static const struct entry entries[] = {
#include "cuda_functions.h"
};
#undef FUNCTION
#undef FUNCTION_VOID
#undef TWICE

enum { ENTRIES = sizeof(entries) / sizeof(entries[0]) };

const char *fake_name_function(uint32_t api, uint32_t number)
{
	for (size_t i = 0; api == FAKE_CUDA_DRIVER_API && i < ENTRIES; i++)
		if (entries[i].number == number)
			return entries[i].name;
	return NULL;
}

/* Under its plain name a function's newest version is asked for. */
void *fake_find_function(const char *name, bool per_thread)
{
	static const char *const versions[] = {"_v4", "_v2", ""};
	static const char *const endings[] = {"_ptsz", "_ptds", ""};
	char text[96];

	for (size_t v = 0; v < 3; v++)
		for (size_t e = per_thread ? 0 : 2; e < 3; e++) {
			snprintf(text, sizeof(text), "%s%s%s", name, versions[v], endings[e]);
			for (size_t i = 0; i < ENTRIES; i++)
				if (!strcmp(entries[i].name, text))
					return entries[i].function;
		}
	return NULL;
}
