/* SPDX-License-Identifier: MIT */
#include "fire.h"

#include <dirent.h>
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/resource.h>

#include "record/recorder.h"

enum { OUTPUT_MAX = 64 * 1024, WAIT_S = 60, KEEPER_WAIT_MS = 10000 };

struct fire_books *fire_books;
const struct tacho__keeper_limits *fire_limits;
struct tacho__keeper fire_keeper;

bool fire_is_long(void)
{
	const char *text = getenv("TACHO_LONG");

	return text && !strcmp(text, "1");
}

unsigned long fire_size(unsigned long quick, unsigned long full)
{
	return fire_is_long() ? full : quick;
}

char *fire_recording(const char *parent)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/tacho-fire-XXXXXX", parent);
	assert_non_null(mkdtemp(path));
	sample_write_meta(path, "", "");
	return strdup(path);
}

void fire_remove(char *path)
{
	sample_remove(path);
}

static void clear_books(void)
{
	if (!fire_books)
		fire_books = mmap(NULL, sizeof(*fire_books), PROT_READ | PROT_WRITE,
				  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	assert_ptr_not_equal(fire_books, MAP_FAILED);
	memset(fire_books, 0, sizeof(*fire_books));
}

static _Noreturn void become(const char *path, const struct fire_program *program, int output_fd)
{
	struct rlimit no_core = {0, 0};

	setrlimit(RLIMIT_CORE, &no_core);
	signal(SIGABRT, SIG_DFL); /* cmocka's handlers are not the program's */
	signal(SIGSEGV, SIG_DFL);
	signal(SIGBUS, SIG_DFL);
	if (output_fd >= 0) {
		dup2(output_fd, STDOUT_FILENO);
		dup2(output_fd, STDERR_FILENO);
		close(output_fd);
	}
	unsetenv(TACHO__POOL_VARIABLE);
	if (path)
		sample_set_variables(&fire_keeper);
	tacho__stream_wait_ms = KEEPER_WAIT_MS; /* a busy machine may keep a disk from a keeper */
	if (program->before)
		program->before(program->argument);
	tacho__record_add_table(SAMPLE_API, sample_table, sizeof(sample_table) - 1);
	atomic_store(&fire_books->started, tacho__record_start());
	program->work(program->argument);
	exit(0);
}

pid_t fire_start(const char *path, const struct fire_program *program, int output_fd)
{
	pid_t child;

	clear_books();
	if (path)
		assert_int_equal(sample_keep(path, fire_limits, &fire_keeper), 0);
	fflush(NULL);
	child = fork();
	if (!child)
		become(path, program, output_fd);
	assert_true(child > 0);
	return child;
}

static int wait_for_program(pid_t child)
{
	int status;

	for (int ms = 0; ms < WAIT_S * 1000 * (fire_is_long() ? 10 : 1); ms++) {
		pid_t ended = waitpid(child, &status, WNOHANG);

		if (ended == child)
			return status;
		assert_int_equal(ended, 0);
		usleep(1000);
	}
	kill(child, SIGKILL);
	waitpid(child, &status, 0);
	fail_msg("the program hangs");
	return -1;
}

int fire_wait(pid_t child)
{
	int status = wait_for_program(child);

	if (fire_keeper.pool) {
		tacho__keeper_end(&fire_keeper);
		tacho__keeper_release(&fire_keeper);
	}
	return status;
}

/* Runs it; its output becomes `out_text`. */
static int run(const char *path, const struct fire_program *program, char *out_text)
{
	int fd = memfd_create("output", MFD_CLOEXEC), status;
	ssize_t size;

	assert_true(fd >= 0);
	status = fire_wait(fire_start(path, program, fd));
	size = pread(fd, out_text, OUTPUT_MAX - 1, 0);
	assert_true(size >= 0);
	out_text[size] = '\0';
	close(fd);
	return status;
}

int fire_both(const char *path, const struct fire_program *program)
{
	static char bare[OUTPUT_MAX], recorded[OUTPUT_MAX];
	int status = run(NULL, program, bare);

	assert_int_equal(atomic_load(&fire_books->started), 0);
	assert_int_equal(run(path, program, recorded), status);
	assert_string_equal(recorded, bare);
	return status;
}

static void add_losses(struct fire_tally *tally, const struct tacho_losses *losses)
{
	tally->lost += losses->no_window + losses->no_space + losses->nested + losses->too_big +
		       losses->no_thread + losses->unwritten + losses->missing;
	tally->unwritten += losses->unwritten;
	tally->missing += losses->missing;
	tally->no_space += losses->no_space;
	tally->no_window += losses->no_window;
	tally->no_thread += losses->no_thread;
	tally->waits += losses->waits;
	if (losses->io_error)
		tally->io_error = losses->io_error;
	tally->unreadable += losses->unreadable;
}

static void add_call(struct fire_tally *tally, struct tacho_cursor *cursor,
		     const struct tacho_call *call)
{
	const char *name;

	tally->calls += 1 + call->repeats;
	if (!strcmp(call->function->name, "poke"))
		tally->by_value[strtoul(tacho_cursor_get_argument(cursor, 1, &name), NULL, 10) %
				FIRE_VALUES] += 1 + call->repeats;
	if (!call->command)
		return;
	tally->commands++;
	if (call->command->state == TACHO_STATE_LOST)
		return; /* the program ended before the command did */
	tally->timed++;
	tally->timed_by_value[(strtoul(tacho_cursor_get_argument(cursor, 0, &name), NULL, 16) -
			       SAMPLE_QUEUE) %
			      FIRE_VALUES]++;
}

struct fire_tally fire_read_damaged(const char *path)
{
	struct fire_tally tally = {0};
	struct tacho_recording *recording;
	struct tacho_cursor *cursor;
	const struct tacho_call *call;
	uint64_t last_ns = 0;
	int rc;

	assert_int_equal(tacho_recording_open(path, &recording), 0);
	assert_int_equal(tacho_cursor_open(recording, &cursor), 0);
	while ((rc = tacho_cursor_next(cursor, &call)) == 1) {
		assert_true(call->start_ns <= call->end_ns);
		if (last_ns > call->end_ns)
			fail_msg("call %lu of thread %u ends %lu ns before the one before it",
				 call->index, call->thread, last_ns - call->end_ns);
		last_ns = call->end_ns;
		add_call(&tally, cursor, call);
	}
	assert_int_equal(rc, 0);
	tacho_cursor_close(cursor);
	tally.processes = tacho_recording_get_process_count(recording);
	for (size_t i = 0; i < tally.processes; i++)
		add_losses(&tally, &tacho_recording_get_process(recording, i)->losses);
	add_losses(&tally, tacho_recording_get_losses(recording));
	while (tacho_recording_get_fault(recording, tally.faults))
		tally.faults++;
	for (size_t i = 0; tacho_recording_get_bound(recording, i); i++)
		tally.bounded += tacho_recording_get_bound(recording, i)->calls;
	tacho_recording_close(recording);
	return tally;
}

struct fire_tally fire_read(const char *path)
{
	struct fire_tally tally = fire_read_damaged(path);

	assert_int_equal(tally.unreadable, 0);
	return tally;
}

void fire_check_books(const struct fire_tally *tally, int values, unsigned more)
{
	for (int i = 0; i < values; i++) {
		unsigned long done = atomic_load(&fire_books->done[i]);

		assert_in_range(tally->by_value[i], done, done + more);
	}
}

void fire_check_nothing_lost(const struct fire_tally *tally)
{
	if (tally->lost)
		fail_msg("%lu records lost: no window %lu, no space %lu, no stream %lu, not "
			 "written %lu, missing %lu; errno %d, %lu waits",
			 tally->lost, tally->no_window, tally->no_space, tally->no_thread,
			 tally->unwritten, tally->missing, tally->io_error, tally->waits);
}

void fire_poke(unsigned value)
{
	sample_poke(UINT64_C(0x7f0012345678), value, 0);
	atomic_fetch_add_explicit(&fire_books->done[value], 1, memory_order_relaxed);
}

void fire_poke_many(unsigned value, unsigned long times)
{
	for (unsigned long i = 0; i < times; i++)
		fire_poke(value);
}

void fire_launch(unsigned value)
{
	fire_complete(value, sample_launch_on(SAMPLE_QUEUE + value));
}

void fire_complete(unsigned value, void *token)
{
	if (!token)
		return;
	sample_complete(token, 1, 2, 3, 4);
	atomic_fetch_add_explicit(&fire_books->timed[value], 1, memory_order_relaxed);
}

int fire_count_entries(const char *path, const char *prefix)
{
	DIR *directory = opendir(path);
	struct dirent *entry;
	int count = 0;

	assert_non_null(directory);
	while ((entry = readdir(directory)))
		count += !strncmp(entry->d_name, prefix, strlen(prefix));
	closedir(directory);
	return count;
}

void fire_await(unsigned stage)
{
	for (int ms = 0; ms < 20000; ms++) {
		if (atomic_load(&fire_books->stage) >= stage)
			return;
		usleep(1000);
	}
	fail_msg("the program does not reach stage %u", stage);
}

void fire_mount(const char *path, unsigned long bytes)
{
	char options[64];

	snprintf(options, sizeof(options), "size=%lu", bytes);
	if (unshare(CLONE_NEWNS) || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) ||
	    mount("tacho-fire", path, "tmpfs", 0, options)) {
		print_message("SKIP: mounting a small file system needs root: %s\n",
			      strerror(errno));
		skip();
	}
}

void fire_unmount(const char *path)
{
	umount2(path, MNT_DETACH);
}
