/* SPDX-License-Identifier: MIT */
/*
 * Starting to record in a process image, and again in a forked child. The first start makes system
 * calls that the dynamic linker has just made for our library; a forked child makes none.
 */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/crc32c.h"
#include "base/fs.h"
#include "intercept/intercept.h"
#include "record/place.h"
#include "record/range_choice.h"
#include "record/recorder.h"
#include "record/writer.h"

static const uint64_t START_WAIT_NS = UINT64_C(4000000000);

enum {
	TABLE_PIECE_BYTES = 4 * 1024,
	SPINS_MAX = 1000000, /* while another thread starts: it makes no system call either */
	STATUS_BYTES = 4096,
};

struct tacho__recorder tacho__recorder;

/* libc keeps the id of each thread, and shows it in mutexes that know their owner. */
static uint32_t libc_thread_id(void)
{
#if defined(__GLIBC__)
	pthread_mutex_t mutex = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
	int owner;

	pthread_mutex_lock(&mutex);
	owner = mutex.__data.__owner;
	pthread_mutex_unlock(&mutex);
	return (uint32_t)owner;
#else
	return 0;
#endif
}

uint32_t tacho__recorder_thread_id(void)
{
	return tacho__recorder.asks_kernel ? (uint32_t)syscall(SYS_gettid) : libc_thread_id();
}

/* As the kernel wipes the page. */
static void forget_in_child(void)
{
	struct tacho__fork_page *page = tacho__recorder.page;

	if (!page) /* another thread was about to make it */
		return;
	page->generation = 0;
	atomic_store(&page->state, TACHO__RECORDER_NONE);
}

/* The page that tells a forked child that it is one. */
static struct tacho__fork_page *make_fork_page(bool is_filtered)
{
	size_t bytes = (size_t)sysconf(_SC_PAGESIZE);
	void *page = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (page == MAP_FAILED)
		return NULL;
	if (!is_filtered)
		madvise(page, bytes, MADV_WIPEONFORK);
	/* libc's handler sees fork(), but not clone(). Linux before 4.14 cannot wipe, and qemu-user
	 * only says that it does. */
	pthread_atfork(NULL, NULL, forget_in_child);
	return page;
}

static bool claim_process(struct tacho__recorder *r)
{
	for (uint32_t i = 0; i < TACHO__POOL_PROCESSES_MAX; i++) {
		unsigned free = TACHO__POOL_FREE;

		if (!atomic_compare_exchange_strong(&r->pool->process[i].state, &free,
						    TACHO__POOL_CLAIMED))
			continue;
		r->process = &r->pool->process[i];
		r->process_index = i;
		return true;
	}
	return false;
}

/*
 * A child of clone() has the thread id of its maker in libc's books: then the kernel is asked,
 * which a filter may mind.
 */
static uint32_t find_forked_pid(struct tacho__recorder *r)
{
	const struct tacho__stream *before = tacho__own_stream.stream;
	uint32_t id = libc_thread_id();

	if (!r->asks_kernel && id && id != r->process->pid && !(before && before->thread == id))
		return id;
	r->asks_kernel = true;
	return (uint32_t)getpid();
}

static void describe_process(struct tacho__recorder *r, uint32_t pid, uint32_t parent_pid,
			     uint32_t parent)
{
	struct tacho__pool_process *process = r->process;
	struct tacho__anchor anchor;

	tacho__clock_anchor(&anchor);
	process->pid = pid;
	process->parent_pid = parent_pid;
	process->parent = parent;
	process->tick = anchor.tick;
	process->raw_ns = anchor.raw_ns;
	process->monotonic_ns = anchor.monotonic_ns;
	process->realtime_ns = anchor.realtime_ns;
	atomic_store(&process->state, TACHO__POOL_LIVE);
	atomic_fetch_add(&r->pool->news, 1);
}

/* A call table, unless the keeper has it already from another process. */
static void put_table(const struct tacho__recorder *r, const struct tacho__table *table)
{
	const struct tacho__pool_table *known = &r->pool->tables[table->api];
	uint8_t packed[TABLE_PIECE_BYTES + 128];
	struct tacho__stream *stream = tacho__stream_own();

	if (!stream || (atomic_load(&known->is_known) &&
			known->crc == tacho__crc32c(0, table->text, table->size)))
		return;
	for (uint64_t offset = 0; offset < table->size; offset += TABLE_PIECE_BYTES) {
		uint64_t left = table->size - offset;
		uint64_t piece = left < TABLE_PIECE_BYTES ? left : TABLE_PIECE_BYTES;
		struct tacho__pack pack;

		tacho__pack_begin(&pack, packed);
		tacho__pack_u64(&pack, table->api);
		tacho__pack_u64(&pack, offset);
		tacho__pack_u64(&pack, table->size);
		tacho__pack_u64(&pack, piece);
		tacho__pack_bytes(&pack, table->text + offset, piece);
		tacho__stream_put(stream, tacho__tick(), TACHO__RECORD_TABLE, packed,
				  (uint32_t)(pack.at - packed));
	}
}

static void put_tables(struct tacho__recorder *r)
{
	for (unsigned i = 0; i < r->table_count; i++)
		put_table(r, &r->tables[i]);
}

void tacho__record_add_table(uint16_t api, const char *text, size_t size)
{
	struct tacho__recorder *r = &tacho__recorder;

	for (unsigned i = 0; i < r->table_count; i++)
		if (r->tables[i].api == api)
			return;
	if (r->table_count == TACHO__TABLES_MAX)
		return;
	r->tables[r->table_count++] = (struct tacho__table){.api = api, .text = text, .size = size};
	/* another API's part of this process records already */
	if (r->process && tacho__recorder_alive())
		put_table(r, &r->tables[r->table_count - 1]);
}

static bool start_forked(struct tacho__recorder *r)
{
	uint32_t parent = r->process_index + 1, parent_pid = r->process->pid;
	uint32_t pid = find_forked_pid(r);

	if (r->pool->only_pid || !claim_process(r))
		return false;
	r->page->generation = ++r->generations;
	describe_process(r, pid, parent_pid, parent);
	return true;
}

bool tacho__recorder_alive(void)
{
	struct tacho__fork_page *page = tacho__recorder.page;
	unsigned none = TACHO__RECORDER_NONE, state;

	if (atomic_load_explicit(&page->state, memory_order_acquire) == TACHO__RECORDER_ON)
		return true;
	if (atomic_compare_exchange_strong(&page->state, &none, TACHO__RECORDER_STARTING))
		atomic_store(&page->state, start_forked(&tacho__recorder) ? TACHO__RECORDER_ON
									  : TACHO__RECORDER_OFF);
	for (int i = 0; i < SPINS_MAX; i++) {
		state = atomic_load_explicit(&page->state, memory_order_acquire);
		if (state != TACHO__RECORDER_STARTING)
			return state == TACHO__RECORDER_ON;
	}
	return false;
}

/* The number behind `key` in the text of /proc/self/status; `otherwise` when it is not there. */
static uint32_t find_number(const char *text, const char *key, uint32_t otherwise)
{
	const char *line = strstr(text, key);

	return line ? (uint32_t)strtoul(line + strlen(key), NULL, 10) : otherwise;
}

/*
 * Reads what the process is. With a seccomp filter, or when that cannot be told, it is taken for
 * filtered, and only those system calls are made that the dynamic linker makes, too.
 */
static void read_status(uint32_t *out_pid, uint32_t *out_parent, bool *out_is_filtered)
{
	char text[STATUS_BYTES];

	tacho__fs_read_start("/proc/self/status", text, sizeof(text));
	*out_pid = find_number(text, "\nTgid:", libc_thread_id());
	*out_parent = find_number(text, "\nPPid:", 0);
	*out_is_filtered = find_number(text, "\nSeccomp:", 1) != 0;
}

static bool start_first(struct tacho__recorder *r, const char *path, const char *stamp)
{
	const char *stage = "open";
	uint32_t pid, parent;
	bool is_filtered, is_wanted;
	int error = 0;

	read_status(&pid, &parent, &is_filtered);
	r->page = make_fork_page(is_filtered);
	if (r->page)
		r->pool = tacho__pool_open(path, &r->windows, &stage, &error);
	else
		error = errno;
	is_wanted = r->pool && (!r->pool->only_pid || r->pool->only_pid == pid);
	if (r->pool && strncmp(r->pool->stamp, stamp, sizeof(r->pool->stamp)))
		error = ESTALE;
	else if (is_wanted && !claim_process(r))
		error = EUSERS;
	if (r->pool && error)
		stage = "use";
	if (!r->process) {
		if (!is_filtered && error)
			tacho__refusal_send(stamp, stage, error);
		return false;
	}
	r->asks_kernel = !is_filtered && (uint32_t)syscall(SYS_gettid) != libc_thread_id();
	tacho__clock_choose(r->pool->tick_is_tsc);
	tacho__stream_watch_ends();
	r->page->generation = ++r->generations;
	atomic_store(&tacho__intercept.image, &r->page->generation);
	describe_process(r, pid, parent, 0);
	atomic_store(&r->page->state, TACHO__RECORDER_ON);
	put_tables(r);
	return true;
}

/* A program with more rights than its user is not ours to look at. */
static void start_once(void)
{
	const char *path = getenv(TACHO__POOL_VARIABLE), *stamp = getenv(TACHO__STAMP_VARIABLE);

	if (getauxval(AT_SECURE) || !path || path[0] != '/' || strlen(path) >= TACHO__PATH_MAX)
		return;
	if (!start_first(&tacho__recorder, path, stamp ? stamp : ""))
		return;
	tacho__range_choice_read();
	tacho__record_subscribe();
}

const struct tacho_counting_control *tacho__record_get_control(void)
{
	return tacho__recorder.process ? &tacho__recorder.pool->control : NULL;
}

uint32_t tacho__record_image(void)
{
	return tacho__recorder.process && tacho__recorder_alive() ? tacho__recorder.page->generation
								  : 0;
}

/* Another thread starts it, which may be without a processor: what comes before it is lost. */
static void wait_for(const atomic_uint *state)
{
	uint64_t end_ns = 0;

	while (atomic_load(state) != TACHO__RECORDER_ON) {
		uint64_t now_ns = tacho__clock_monotonic_ns();

		end_ns = end_ns ? end_ns : now_ns + START_WAIT_NS;
		if (now_ns >= end_ns)
			return;
	}
}

/* pthread_once() would make a system call at its end, though nobody waits. */
bool tacho__record_start(void)
{
	static atomic_uint state;
	unsigned none = TACHO__RECORDER_NONE;
	int error = errno;

	if (atomic_compare_exchange_strong(&state, &none, TACHO__RECORDER_STARTING)) {
		start_once();
		atomic_store(&state, TACHO__RECORDER_ON);
	}
	wait_for(&state);
	errno = error;
	return atomic_load(&state) == TACHO__RECORDER_ON && tacho__recorder.process &&
	       tacho__recorder_alive();
}
