/* SPDX-License-Identifier: MIT */
/*
 * Allocations that fail on demand, in any program: LD_PRELOAD=fault-memory.so. Counts those that
 * are asked for from main() on, in the process and in those that it forks.
 *
 *	FAULT_AT=N	the N-th fails
 *	FAULT_ON=1	and all behind it
 *	FAULT_LOG=FILE	in the end: a line "ALLOCATIONS", then for each stack that allocated a line
 *			"FIRST COUNT ADDRESS...", which FIRST and how often; the file of an
 *			address is its last mapping, "MODULE+OFFSET"
 *	FAULT_SPARSE=1	of the allocations behind the first 1,024 only one in 64 gets into the log
 *	FAULT_SHOW=FILE	the stack of the first one that failed, "ADDRESS..."
 *
 * malloc() and its kin are reached from everywhere: libc's own calls (strdup, asprintf, fopen,
 * getline, open_memstream, opendir, qsort, dlopen ...) go through the same symbols. What libc gets
 * from mmap() or brk() by itself, such as stacks of threads, is for calls.c.
 *
 * Programs that it starts by exec do not inherit it.
 */
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "marker.h"

enum {
	DEPTH = 12,
	SKIPPED = 2,
	STACKS = 1 << 16,
	TEXT_BYTES = 4096,
	SPARSE_FROM = 1024,
	SPARSE_STEP = 64,
};

struct stack {
	uint64_t first, count;
	void *addresses[DEPTH];
};

/* Shared with what is forked. */
struct shared {
	atomic_ulong count;
	atomic_bool has_failed;
	atomic_flag lock;
	struct stack stacks[STACKS]; /* by hash */
};

static struct {
	struct shared *shared; /* NULL until main() */
	unsigned long at;
	bool is_lasting, is_logged, is_sparse;
	char log[TEXT_BYTES], show[TEXT_BYTES];
	pid_t pid;
} faults;

/* Asking for a stack may allocate. */
static _Thread_local bool is_busy;

/* What the symbols of glibc do behind the names that are taken here. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

static void copy_setting(char *to, const char *name)
{
	const char *value = getenv(name);

	snprintf(to, TEXT_BYTES, "%s", value ? value : "");
}

static void write_all(int fd, const char *text, size_t size)
{
	while (size) {
		ssize_t done = write(fd, text, size);

		if (done <= 0)
			return;
		text += done;
		size -= (size_t)done;
	}
}

struct module {
	uintptr_t address; /* that is looked for */
	const char *path;  /* NULL: in none */
	uintptr_t base;
};

static int look_into(struct dl_phdr_info *info, size_t size, void *user)
{
	struct module *module = user;

	(void)size;
	for (int i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *part = &info->dlpi_phdr[i];
		uintptr_t begin = info->dlpi_addr + part->p_vaddr;

		if (part->p_type != PT_LOAD || module->address < begin ||
		    module->address - begin >= part->p_memsz)
			continue;
		module->path = *info->dlpi_name ? info->dlpi_name : program_invocation_name;
		module->base = info->dlpi_addr;
		return 1;
	}
	return 0;
}

/* Not dladdr(), which looks through all symbols of the file: there are thousands of addresses. */
static size_t put_address(char *text, size_t room, void *address)
{
	struct module module = {.address = (uintptr_t)address};

	dl_iterate_phdr(look_into, &module);
	if (!module.path)
		return (size_t)snprintf(text, room, " %p", address);
	return (size_t)snprintf(text, room, " %s+0x%lx", module.path,
				(unsigned long)(module.address - module.base));
}

static void put_stack(int fd, const struct stack *stack)
{
	char text[TEXT_BYTES];
	size_t size = (size_t)snprintf(text, sizeof(text), "%lu %lu", (unsigned long)stack->first,
				       (unsigned long)stack->count);

	for (int i = 0; i < DEPTH && stack->addresses[i] && size < sizeof(text) / 2; i++)
		size += put_address(text + size, sizeof(text) - size, stack->addresses[i]);
	text[size++] = '\n';
	write_all(fd, text, size);
}

static void get_stack(struct stack *stack, uint64_t number)
{
	void *all[DEPTH + SKIPPED] = {0};
	int depth;

	is_busy = true;
	depth = backtrace(all, DEPTH + SKIPPED);
	is_busy = false;
	memset(stack, 0, sizeof(*stack));
	stack->first = number;
	stack->count = 1;
	for (int i = SKIPPED; i < depth; i++)
		stack->addresses[i - SKIPPED] = all[i];
}

static void note(const struct stack *stack)
{
	struct shared *shared = faults.shared;
	uint64_t hash = 0;

	for (int i = 0; i < DEPTH; i++)
		hash = (hash ^ (uintptr_t)stack->addresses[i]) * UINT64_C(0x9e3779b97f4a7c15);
	while (atomic_flag_test_and_set(&shared->lock))
		;
	for (uint64_t i = hash >> 32;; i++) {
		struct stack *known = &shared->stacks[i % STACKS];

		if (!known->count) {
			*known = *stack;
			break;
		}
		if (!memcmp(known->addresses, stack->addresses, sizeof(known->addresses))) {
			known->count++;
			break;
		}
	}
	atomic_flag_clear(&shared->lock);
}

static void show(const struct stack *stack)
{
	int fd = open(faults.show, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	if (fd < 0)
		return;
	put_stack(fd, stack);
	close(fd);
}

/* Counts an allocation; whether it is to fail. */
static bool fails(void)
{
	struct stack stack;
	unsigned long number;

	if (!faults.shared || is_busy)
		return false;
	number = atomic_fetch_add(&faults.shared->count, 1) + 1;
	if (faults.is_logged &&
	    (!faults.is_sparse || number <= SPARSE_FROM || number % SPARSE_STEP == 0)) {
		get_stack(&stack, number);
		note(&stack);
	}
	if (!faults.at || number < faults.at || (number > faults.at && !faults.is_lasting))
		return false;
	if (*faults.show && !atomic_exchange(&faults.shared->has_failed, true)) {
		get_stack(&stack, number);
		show(&stack);
	}
	errno = ENOMEM;
	return true;
}

void *malloc(size_t size)
{
	return fails() ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
	return fails() ? NULL : __libc_calloc(count, size);
}

void *realloc(void *old, size_t size)
{
	return fails() ? NULL : __libc_realloc(old, size);
}

void *reallocarray(void *old, size_t count, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(count, size, &bytes)) {
		errno = ENOMEM;
		return NULL;
	}
	return realloc(old, bytes);
}

void *memalign(size_t alignment, size_t size);

void *memalign(size_t alignment, size_t size)
{
	return fails() ? NULL : __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
	return memalign(alignment, size);
}

int posix_memalign(void **out_memory, size_t alignment, size_t size)
{
	void *memory = memalign(alignment, size);

	if (!memory)
		return ENOMEM;
	*out_memory = memory;
	return 0;
}

static void write_log(void)
{
	char text[64];
	int fd;

	if (!faults.is_logged || getpid() != faults.pid)
		return;
	faults.is_logged = false;
	fd = open(faults.log, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (fd < 0)
		return;
	write_all(fd, text,
		  (size_t)snprintf(text, sizeof(text), "%lu\n",
				   (unsigned long)atomic_load(&faults.shared->count)));
	for (size_t i = 0; i < STACKS; i++)
		if (faults.shared->stacks[i].count)
			put_stack(fd, &faults.shared->stacks[i]);
	close(fd);
}

/* From here on allocations count, and system calls (calls.c waits for the marker). */
static void begin(void)
{
	const char *at = getenv("FAULT_AT"), *lasting = getenv("FAULT_ON");
	void *first[DEPTH], *shared;

	faults.at = at ? strtoul(at, NULL, 10) : 0;
	faults.is_lasting = lasting && *lasting == '1';
	copy_setting(faults.log, "FAULT_LOG");
	copy_setting(faults.show, "FAULT_SHOW");
	faults.is_logged = *faults.log != '\0';
	faults.is_sparse = getenv("FAULT_SPARSE") != NULL;
	faults.pid = getpid();
	unsetenv("LD_PRELOAD");
	if (faults.is_logged || *faults.show)
		backtrace(first, DEPTH); /* loads what it needs */
	atexit(write_log);
	shared = mmap(NULL, sizeof(*faults.shared), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	prctl(FAULT_MARKER);
	if (shared != MAP_FAILED)
		faults.shared = shared;
}

static int (*real_main)(int argc, char **argv, char **environment);

static int main_from_here(int argc, char **argv, char **environment)
{
	begin();
	return real_main(argc, argv, environment);
}

typedef int start_fn(int (*main)(int, char **, char **), int argc, char **argv, void (*init)(void),
		     void (*fini)(void), void (*rtld_fini)(void), void *stack_end);
start_fn __libc_start_main;

int __libc_start_main(int (*main)(int, char **, char **), int argc, char **argv, void (*init)(void),
		      void (*fini)(void), void (*rtld_fini)(void), void *stack_end)
{
	start_fn *next = (start_fn *)(uintptr_t)dlsym(RTLD_NEXT, "__libc_start_main");

	real_main = main;
	return next(main_from_here, argc, argv, init, fini, rtld_fini, stack_end);
}
