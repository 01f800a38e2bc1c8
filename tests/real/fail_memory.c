/* SPDX-License-Identifier: MIT */
/*
 * Preloaded: of the pieces of memory that the library named by FAIL_IN asks for itself, the
 * FAIL_AT-th is not there, and with FAIL_ON none behind it. For the GNU C library, whose own
 * functions stay reachable.
 */
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t bytes);
void *__libc_realloc(void *memory, size_t bytes);

static struct {
	atomic_bool is_read;
	const char *library;
	long at;
	bool goes_on;
	atomic_long asked;
} fail;

static bool ask_whose(const void *caller)
{
	static _Thread_local bool busy; /* dladdr() may ask for memory */
	Dl_info info;
	bool is;

	if (busy)
		return false;
	busy = true;
	is = dladdr(caller, &info) && info.dli_fname && strstr(info.dli_fname, fail.library);
	busy = false;
	return is;
}

/* Callers are few, and dladdr() is slow: what it said is kept, twice the address and 1 for "yes".
 */
static bool is_of_library(const void *caller)
{
	static _Atomic(uintptr_t) known[1 << 14];
	_Atomic(uintptr_t) *slot = &known[(uintptr_t)caller % (1 << 14)];
	uintptr_t kept = atomic_load(slot);

	if (kept >> 1 != (uintptr_t)caller) {
		kept = (uintptr_t)caller << 1 | ask_whose(caller);
		atomic_store(slot, kept);
	}
	return kept & 1;
}

static bool fails(const void *caller)
{
	long asked;

	if (!atomic_exchange(&fail.is_read, true)) {
		fail.library = getenv("FAIL_IN");
		fail.at = fail.library && getenv("FAIL_AT") ? atol(getenv("FAIL_AT")) : 0;
		fail.goes_on = getenv("FAIL_ON") != NULL;
	}
	if (!fail.at || !is_of_library(caller))
		return false;
	asked = atomic_fetch_add(&fail.asked, 1) + 1;
	return asked == fail.at || (fail.goes_on && asked > fail.at);
}

void *malloc(size_t bytes)
{
	return fails(__builtin_return_address(0)) ? NULL : __libc_malloc(bytes);
}

void *calloc(size_t count, size_t bytes)
{
	return fails(__builtin_return_address(0)) ? NULL : __libc_calloc(count, bytes);
}

void *realloc(void *memory, size_t bytes)
{
	return fails(__builtin_return_address(0)) ? NULL : __libc_realloc(memory, bytes);
}
