/* SPDX-License-Identifier: MIT */
/*
 * The helper thread: makes windows and streams ahead of need, writes the control stream, unmaps
 * what is done with. It never runs a line of the program's code: all signals are blocked, and it
 * has a descriptor table of its own, so that it neither shows up in the program's nor loses its
 * files to the program's close_range() or descriptor limit.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/futex.h"
#include "base/pack.h"
#include "record/recorder.h"

enum {
	STACK_BYTES = 256 * 1024,
	CONTROL_BYTES = 256 * 1024, /* holds a call table */
	TABLE_PIECE_BYTES = 16 * 1024,
	ATTRIBUTES_MAX = 16 * 1024,
	DIRECTORIES_MAX = 10000,
};

#define MS	     UINT64_C(1000000)
#define END_PAUSE_NS (10 * MS)

/* Threads of ours in this process: keeper, helper, and the one that is cloned in its place. */
static unsigned own_threads;
static int main_thread_status;

/* The first anchors come soon, so that short processes have a rate; then one each second. */
static const uint64_t anchor_pauses_ns[] = {10 * MS, 90 * MS, 900 * MS, 1000 * MS};

void tacho__helper_wake(void)
{
	tacho__futex_raise(&tacho__recorder.wake);
}

/* Puts a record into the control stream, growing it first if need be: nobody else would. */
static void control_put(uint16_t kind, const uint8_t *packed, const struct tacho__pack *pack)
{
	struct tacho__stream *control = &tacho__recorder.control;
	uint32_t size = (uint32_t)(pack->at - packed);

	if ((size_t)(control->end - control->at) < size + 64) {
		struct tacho__window *window;
		int error = tacho__window_create(control, &window);

		atomic_store(&control->growth_error, error);
		if (!error)
			atomic_store(&control->next, window);
	}
	tacho__stream_put(control, kind, packed, size);
}

static void put_anchor(void)
{
	uint8_t packed[64 + TACHO__PACK_SLACK];
	struct tacho__anchor anchor;
	struct tacho__pack pack;

	tacho__clock_anchor(&anchor);
	tacho__pack_begin(&pack, packed);
	tacho__pack_u64(&pack, anchor.tick);
	tacho__pack_u64(&pack, anchor.raw_ns);
	tacho__pack_u64(&pack, anchor.monotonic_ns);
	tacho__pack_u64(&pack, anchor.realtime_ns);
	tacho__pack_u64(&pack, anchor.uncertainty_ns);
	control_put(TACHO__RECORD_ANCHOR, packed, &pack);
}

static void put_tables(void)
{
	struct tacho__recorder *r = &tacho__recorder;
	uint8_t packed[TABLE_PIECE_BYTES + 128];

	for (unsigned i = 0; i < r->table_count; i++) {
		const struct tacho__table *table = &r->tables[i];

		for (uint64_t offset = 0; offset < table->size; offset += TABLE_PIECE_BYTES) {
			uint64_t left = table->size - offset;
			uint64_t piece = left < TABLE_PIECE_BYTES ? left : TABLE_PIECE_BYTES;
			struct tacho__pack pack;

			tacho__pack_begin(&pack, packed);
			tacho__pack_u64(&pack, tacho__tick());
			tacho__pack_u64(&pack, table->api);
			tacho__pack_u64(&pack, offset);
			tacho__pack_u64(&pack, table->size);
			tacho__pack_u64(&pack, piece);
			tacho__pack_bytes(&pack, table->text + offset, piece);
			control_put(TACHO__RECORD_TABLE, packed, &pack);
		}
	}
}

/* The program's arguments, joined by blanks; line ends would end the attribute. */
static void read_command(char *text, size_t size)
{
	int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
	ssize_t got = fd < 0 ? -1 : read(fd, text, size - 1);

	if (fd >= 0)
		close(fd);
	if (got < 0)
		got = 0;
	while (got && !text[got - 1])
		got--;
	for (ssize_t i = 0; i < got; i++)
		if (!text[i] || text[i] == '\n')
			text[i] = ' ';
	text[got] = '\0';
}

static void put_process(void)
{
	static char command[8 * 1024], executable[TACHO__PATH_MAX], text[ATTRIBUTES_MAX];
	static uint8_t packed[ATTRIBUTES_MAX + 128];
	ssize_t length = readlink("/proc/self/exe", executable, sizeof(executable) - 1);
	struct tacho__pack pack;
	int size;

	executable[length < 0 ? 0 : length] = '\0';
	read_command(command, sizeof(command));
	size = snprintf(
		text, sizeof(text), "pid=%u\nparent=%u\nclock=%s\nexecutable=%s\ncommand=%s\n",
		tacho__recorder.pid, (unsigned)getppid(), tacho__clock_name(), executable, command);
	tacho__pack_begin(&pack, packed);
	tacho__pack_u64(&pack, tacho__tick());
	tacho__pack_u64(&pack, (uint64_t)size);
	tacho__pack_bytes(&pack, text, (size_t)size);
	control_put(TACHO__RECORD_PROCESS, packed, &pack);
}

/* A directory that nobody else has: exec keeps the pid, so there may be several of one pid. */
static int make_directory(void)
{
	struct tacho__recorder *r = &tacho__recorder;

	for (unsigned n = 0; n < DIRECTORIES_MAX; n++) {
		int length = snprintf(r->directory, sizeof(r->directory), "%s/", r->root);

		snprintf(r->directory + length, sizeof(r->directory) - (size_t)length,
			 TACHO__PROCESS_FORMAT, r->pid, n);
		if (!mkdir(r->directory, 0700))
			return 0;
		if (errno != EEXIST)
			return errno;
	}
	return EEXIST;
}

/*
 * Whether the recording at the path is still the one that this process was started for. Asked when
 * the directory is made: one that is made in another recording is taken back.
 */
static int check_place(void)
{
	struct tacho__recorder *r = &tacho__recorder;

	if (!*r->stamp || tacho__place_has_stamp(r->root, r->stamp))
		return 0;
	rmdir(r->directory);
	return ESTALE;
}

static int open_control(void)
{
	struct tacho__recorder *r = &tacho__recorder;
	struct tacho__stream *control = &r->control;
	struct tacho__window *window;
	int error;

	control->next_bytes = CONTROL_BYTES;
	control->generation = r->page->generation;
	error = tacho__window_create(control, &window);
	if (error)
		return error;
	control->window = window;
	control->at = window->base + window->first;
	control->end = window->base + window->bytes;
	atomic_store(&r->live, (struct tacho__live *)(void *)(window->base +
							      sizeof(struct tacho__window_header)));
	return 0;
}

static void note_growth(struct tacho__stream *stream, int error)
{
	struct tacho__live *live = atomic_load(&tacho__recorder.live);

	atomic_store(&stream->growth_error, error);
	if (error && live)
		__atomic_store_n(&live->io_error, (uint64_t)error, __ATOMIC_RELAXED);
}

/* Gives a stream its next window, unless it has one. */
static bool feed(struct tacho__stream *stream)
{
	struct tacho__window *window;
	int error;

	if (atomic_load(&stream->next))
		return false;
	error = tacho__window_create(stream, &window);
	note_growth(stream, error);
	if (!error)
		atomic_store(&stream->next, window);
	return true;
}

static struct tacho__stream *make_stream(void)
{
	struct tacho__recorder *r = &tacho__recorder;
	struct tacho__stream *stream = tacho__metadata_get(sizeof(*stream));
	struct tacho__window *window;
	int error;

	if (!stream)
		return NULL;
	stream->serial = ++r->serials;
	stream->generation = r->page->generation;
	stream->next_bytes = TACHO__WINDOW_UNIT;
	error = tacho__window_create(stream, &window);
	note_growth(stream, error);
	if (error)
		return NULL; /* its memory is kept: this happens once a second at most */
	stream->window = window;
	stream->at = window->base + window->first;
	stream->end = window->base + window->bytes;
	stream->all_link = r->streams;
	r->streams = stream;
	return stream;
}

/* Streams for new threads. More are kept ready the more threads have asked in vain. */
static void refill(void)
{
	struct tacho__recorder *r = &tacho__recorder;
	unsigned wanted = TACHO__READY_STREAMS + atomic_exchange(&r->stream_requests, 0);
	unsigned ready = 0;

	for (int i = 0; i < TACHO__READY_SLOTS; i++)
		ready += atomic_load(&r->ready[i]) != NULL;
	for (int i = 0; i < TACHO__READY_SLOTS && ready < wanted; i++) {
		struct tacho__stream *empty = NULL, *stream;

		if (atomic_load(&r->ready[i]))
			continue;
		stream = make_stream();
		if (!stream)
			return;
		if (atomic_compare_exchange_strong(&r->ready[i], &empty, stream))
			ready++;
		tacho__futex_raise(&r->delivered);
	}
}

static void serve_requests(void)
{
	struct tacho__stream *stream = atomic_exchange(&tacho__recorder.requests, NULL);

	while (stream) {
		struct tacho__stream *next = stream->request_link;

		atomic_store(&stream->requested, false);
		if (feed(stream))
			tacho__futex_raise(&tacho__recorder.delivered);
		stream = next;
	}
}

static void destroy_retired(void)
{
	struct tacho__window *window = atomic_exchange(&tacho__recorder.retired, NULL);

	while (window) {
		struct tacho__window *next = window->link;

		tacho__window_destroy(window);
		window = next;
	}
}

static void update_live(void)
{
	struct tacho__live *live = atomic_load(&tacho__recorder.live);
	uint64_t calls = 0, commands = 0;

	for (struct tacho__stream *s = tacho__recorder.streams; s; s = s->all_link) {
		calls += atomic_load_explicit(&s->calls, memory_order_relaxed);
		commands += atomic_load_explicit(&s->commands, memory_order_relaxed);
		if (atomic_load(&s->growth_error))
			feed(s); /* there may be space again */
	}
	__atomic_store_n(&live->calls, calls, __ATOMIC_RELAXED);
	__atomic_store_n(&live->commands, commands, __ATOMIC_RELAXED);
}

/*
 * Whether the program's main thread has ended, and the process lives on without it. Then
 * main_thread_status is what it ended with: exit_code, the last value in the file.
 */
static bool is_main_thread_over(void)
{
	char text[1024];
	int fd = open("/proc/self/stat", O_RDONLY | O_CLOEXEC);
	ssize_t got = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);
	const char *name_end, *last;

	if (fd >= 0)
		close(fd);
	if (got < 0)
		return false;
	text[got] = '\0';
	name_end = strrchr(text, ')');
	last = strrchr(text, ' ');
	if (!name_end || strncmp(name_end, ") Z", 3))
		return false;
	main_thread_status = (int)strtol(last, NULL, 10) >> 8;
	return true;
}

/* Whether only threads of ours are left, besides the main thread, which has ended. */
static bool is_program_over(void)
{
	struct stat status;

	return !stat("/proc/self/task", &status) && status.st_nlink == 2 + 1 + own_threads;
}

/* Until the program has no thread any more. */
static void serve(void)
{
	struct tacho__recorder *r = &tacho__recorder;
	uint64_t next_anchor_ns = tacho__clock_raw_ns() + anchor_pauses_ns[0];
	uint64_t pause_ns;
	size_t pause = 0;

	for (;;) {
		unsigned seen = atomic_load(&r->wake);
		uint64_t now_ns;

		serve_requests();
		refill();
		destroy_retired();
		now_ns = tacho__clock_raw_ns();
		if (now_ns >= next_anchor_ns) {
			put_anchor();
			update_live();
			if (pause + 1 < sizeof(anchor_pauses_ns) / sizeof(anchor_pauses_ns[0]))
				pause++;
			next_anchor_ns = now_ns + anchor_pauses_ns[pause];
		}
		pause_ns = next_anchor_ns - now_ns;
		if (is_main_thread_over()) {
			if (is_program_over())
				return;
			pause_ns = pause_ns < END_PAUSE_NS ? pause_ns : END_PAUSE_NS;
		}
		tacho__futex_wait(&r->wake, seen, pause_ns);
	}
}

static void close_everything(void)
{
	struct rlimit limit;

#ifdef SYS_close_range
	if (!syscall(SYS_close_range, 0U, ~0U, 0U))
		return;
#endif
	if (getrlimit(RLIMIT_NOFILE, &limit) || limit.rlim_cur > 65536)
		limit.rlim_cur = 65536;
	for (int fd = 0; fd < (int)limit.rlim_cur; fd++)
		close(fd);
}

static void come_up(int error)
{
	atomic_store(&tacho__recorder.up, error ? 1 : 0); /* then 2 or 1 */
	tacho__futex_raise(&tacho__recorder.up);
}

/* With a descriptor table of its own. */
static int run(void *unused)
{
	int error;

	close_everything();
	umask(077); /* with CLONE_FS unshared, its own */
	prctl(PR_SET_NAME, "tacho");
	error = make_directory();
	if (!error) {
		tacho__place_hold(tacho__recorder.directory); /* until this thread ends */
		error = check_place();
	}
	if (!error)
		error = open_control();
	if (error) {
		come_up(error);
		return 0;
	}
	put_anchor();
	put_process();
	put_tables();
	refill();
	put_anchor();
	come_up(0);
	serve();
	return 0;
}

/*
 * Where unshare() is refused (container runtimes do), a thread is cloned without the program's
 * descriptors instead. It runs on the thread-local storage of its maker, which therefore parks
 * until it ends; so libc works in it, errno included.
 */
static void run_apart(void)
{
	int flags = CLONE_VM | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM | CLONE_CHILD_CLEARTID;
	char *stack = mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
	atomic_uint alive = 1; /* the kernel clears it and wakes us */

	own_threads++;
	if (stack == MAP_FAILED ||
	    clone(run, stack + STACK_BYTES, flags, NULL, NULL, NULL, &alive) < 0) {
		come_up(errno);
		return;
	}
	while (atomic_load(&alive))
		syscall(SYS_futex, &alive, FUTEX_WAIT, 1, NULL, NULL, 0);
}

static void *helper_main(void *unused)
{
	if (unshare(CLONE_FILES | CLONE_FS))
		run_apart();
	else
		run(NULL);
	return NULL;
}

static int create_helper(pthread_t *out_thread)
{
	pthread_attr_t attributes;
	int error = pthread_attr_init(&attributes);

	if (error)
		return error;
	pthread_attr_setstacksize(&attributes, STACK_BYTES);
	error = pthread_create(out_thread, &attributes, helper_main, NULL);
	if (error) /* large thread-local storage needs the program's usual stack size */
		error = pthread_create(out_thread, NULL, helper_main, NULL);
	pthread_attr_destroy(&attributes);
	return error;
}

/*
 * Outlives the program's last thread and the helper, to end the process as that thread would have:
 * libc runs exit() in the last thread, which must have the program's descriptors and signals.
 */
static void *keeper_main(void *mask)
{
	sigset_t before = *(sigset_t *)mask;
	pthread_t helper;
	int error;

	prctl(PR_SET_NAME, "tacho");
	own_threads = 2;
	error = create_helper(&helper);
	if (error) {
		come_up(error);
		return NULL;
	}
	pthread_join(helper, NULL);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	/* Set when a thread that is none of libc's ended first: the kernel tells the last one's. */
	if (main_thread_status)
		syscall(SYS_exit, main_thread_status);
	return NULL;
}

bool tacho__helper_start(void)
{
	static sigset_t before;
	sigset_t all;
	pthread_t keeper;
	bool started;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	started = !pthread_create(&keeper, NULL, keeper_main, &before);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (started)
		pthread_detach(keeper);
	return started;
}
