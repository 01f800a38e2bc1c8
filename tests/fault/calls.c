/* SPDX-License-Identifier: MIT */
/*
 * System calls that fail on demand, in any program. Counts the calls of one class that it and what
 * it forks make from main() on (memory.c, which must be preloaded, says where that is), whoever
 * makes them: the program, a library, libc itself.
 *
 *	calls CLASS HOW AT ON LOG PROGRAM [ARGUMENT...]
 *
 * CLASS	look open read write mmap size rename sync folder close fork
 * HOW		a number of errno: the call is not made and fails so (close() is made: its
 *descriptor is gone whatever it returns); "short": it moves half of its bytes; "interrupted": EINTR
 * AT		which one; 0: none
 * ON		0: that one; 1: and all behind it, where "interrupted" is every second one, as one
 *		that never ends is no interruption
 *		What moves no bytes is not counted for "short" and "interrupted", nor what the
 *		loader of libraries does, which is somebody else's.
 * LOG		gets a line "NUMBER CALL ARGUMENT" for each that counts; "" for none. Of the class
 *		"all", which is for counting only: "CLASS", and " moves" where bytes are moved
 *
 * The program gets LD_PRELOAD from the variable FAULT_PRELOAD.
 *
 * Ends as the program did, by a signal with 128 plus its number, or with 99 when it cannot do its
 * work. Writes to descriptor 2 do not count: what is said about a failure must be seen.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "marker.h"
#if defined(__x86_64__)
#include "calls_x86_64.h"
#else
#error "the registers of this architecture are not described"
#endif

enum { CANNOT = 99, CALLS_MAX = 48, PATH_BYTES = 256, SYSCALL_STOP = 0x80 };

/* What the first or second argument is, for the log and for short calls. */
enum kind { NUMBER, PATH, PATH_AT, BYTES, LIST };

struct call {
	const char *class, *name;
	long number;
	enum kind kind;
};

#define CALL(class, name, kind)                \
	{                                      \
		class, #name, SYS_##name, kind \
	}

static const struct call calls[] = {
#ifdef SYS_open /* architectures that came later have only the calls that end in "at" */
	CALL("look", access, PATH),	    CALL("look", readlink, PATH),
	CALL("look", stat, PATH),	    CALL("look", lstat, PATH),
	CALL("open", open, PATH),	    CALL("rename", rename, PATH),
	CALL("rename", link, PATH),	    CALL("folder", mkdir, PATH),
	CALL("folder", unlink, PATH),	    CALL("folder", rmdir, PATH),
	CALL("fork", fork, NUMBER),	    CALL("fork", vfork, NUMBER),
	CALL("fork", pipe, NUMBER),
#endif
	CALL("look", faccessat, PATH_AT),   CALL("look", faccessat2, PATH_AT),
	CALL("look", newfstatat, PATH_AT),  CALL("look", statx, PATH_AT),
	CALL("look", fstat, NUMBER),	    CALL("look", readlinkat, PATH_AT),
	CALL("open", openat, PATH_AT),	    CALL("read", read, BYTES),
	CALL("read", pread64, BYTES),	    CALL("read", readv, LIST),
	CALL("read", getdents64, NUMBER),   CALL("write", write, BYTES),
	CALL("write", pwrite64, BYTES),	    CALL("write", writev, LIST),
	CALL("mmap", mmap, NUMBER),	    CALL("size", ftruncate, NUMBER),
	CALL("size", fallocate, NUMBER),    CALL("rename", renameat, PATH_AT),
	CALL("rename", renameat2, PATH_AT), CALL("rename", linkat, PATH_AT),
	CALL("sync", fsync, NUMBER),	    CALL("sync", fdatasync, NUMBER),
	CALL("folder", mkdirat, PATH_AT),   CALL("folder", unlinkat, PATH_AT),
	CALL("close", close, NUMBER),	    CALL("fork", clone, NUMBER),
	CALL("fork", clone3, NUMBER),	    CALL("fork", pipe2, NUMBER),
};

enum { CALL_COUNT = sizeof(calls) / sizeof(calls[0]) };

static struct {
	const char *class;
	enum { ERROR, SHORT, INTERRUPTED } how;
	int error;
	unsigned long at, count;
	bool is_lasting, has_begun, is_all;
	uint64_t loader, loader_end; /* where its code is */
	pid_t closing; /* stops behind its call, which is to fail then; 0: none does */
	FILE *log;
} faults;

static void die(const char *what)
{
	fprintf(stderr, "calls: %s: %s\n", what, strerror(errno));
	exit(CANNOT);
}

static bool is_of_class(const struct call *call)
{
	return faults.is_all || !strcmp(call->class, faults.class);
}

/* Stops at the calls of the class and at the marker; everything else runs at full speed. */
static void set_filter(void)
{
	struct sock_filter filter[CALLS_MAX + 8] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCH_AUDIT, 1, 0),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
	};
	struct sock_fprog program = {.len = 4, .filter = filter};
	long numbers[CALLS_MAX] = {SYS_prctl};
	unsigned short count = 1;

	for (size_t i = 0; i < CALL_COUNT; i++)
		if (is_of_class(&calls[i]))
			numbers[count++] = calls[i].number;
	for (unsigned short i = 0; i < count; i++)
		filter[program.len++] = (struct sock_filter)BPF_JUMP(
			BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)numbers[i], (uint8_t)(count - i), 0);
	filter[program.len++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	filter[program.len++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRACE);
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
		die("no filter of system calls");
}

static void become_program(char **argv)
{
	const char *preload = getenv("FAULT_PRELOAD");

	if (preload)
		setenv("LD_PRELOAD", preload, 1);
	if (ptrace(PTRACE_TRACEME, 0, NULL, NULL))
		die("the program cannot be traced");
	raise(SIGSTOP);
	set_filter();
	execvp(argv[0], argv);
	die(argv[0]);
}

static void read_text(pid_t pid, uint64_t address, char *text, size_t room)
{
	struct iovec to = {text, room - 1}, from = {(void *)(uintptr_t)address, room - 1};
	ssize_t got;

	/* A page may end behind the text. */
	while ((got = process_vm_readv(pid, &to, 1, &from, 1, 0)) < 0 && from.iov_len > 1)
		to.iov_len = from.iov_len /= 2;
	text[got > 0 ? got : 0] = '\0';
}

static void find_loader(pid_t pid)
{
	char path[64], line[1024];
	FILE *maps;

	snprintf(path, sizeof(path), "/proc/%d/maps", (int)pid);
	maps = fopen(path, "re");
	while (maps && fgets(line, sizeof(line), maps))
		if (strstr(line, " r-xp ") && strstr(line, "/ld-"))
			sscanf(line, "%lx-%lx", &faults.loader, &faults.loader_end);
	if (!maps || !faults.loader)
		die("where the loader is");
	fclose(maps);
}

/* Whether it can move fewer bytes, or be interrupted. */
static bool moves(const struct call *call, const struct arch_call *made)
{
	return (call->kind == BYTES || call->kind == LIST) &&
	       (made->at < faults.loader || made->at >= faults.loader_end);
}

/* Whether the class has this call, the way it is to fail. */
static bool is_counted(const struct call *call, const struct arch_call *made)
{
	if (!faults.has_begun)
		return false;
	if (!strcmp(call->class, "write") && made->arguments[0] == STDERR_FILENO)
		return false;
	return faults.how == ERROR || moves(call, made);
}

static void write_log(pid_t pid, const struct call *call, const struct arch_call *made)
{
	char path[PATH_BYTES];

	if (!faults.log)
		return;
	if (faults.is_all) {
		fprintf(faults.log, "%s%s\n", call->class, moves(call, made) ? " moves" : "");
		return;
	}
	fprintf(faults.log, "%lu %s ", faults.count, call->name);
	if (call->kind == PATH || call->kind == PATH_AT) {
		read_text(pid, made->arguments[call->kind == PATH_AT], path, sizeof(path));
		fprintf(faults.log, "%s\n", path);
	} else {
		fprintf(faults.log, "%ld\n", (long)made->arguments[0]);
	}
}

static bool is_now(void)
{
	if (!faults.at || faults.count < faults.at)
		return false;
	if (faults.count == faults.at || !faults.is_lasting)
		return faults.count == faults.at;
	return faults.how != INTERRUPTED || !((faults.count - faults.at) % 2);
}

static void disturb(pid_t pid, const struct call *call, struct arch_call *made)
{
	bool done = true;

	switch (faults.how) {
	case ERROR:
		if (call->number == SYS_close)
			faults.closing = pid;
		else
			done = arch_fail_call(pid, made, faults.error);
		break;
	case INTERRUPTED: done = arch_fail_call(pid, made, EINTR); break;
	case SHORT:
		if (made->arguments[2] > 1)
			done = arch_set_size(pid, made, made->arguments[2] / 2);
		break;
	}
	if (!done)
		die("a system call cannot be changed");
}

static void on_call(pid_t pid)
{
	struct arch_call made;

	if (!arch_get_call(pid, &made))
		return; /* it was killed meanwhile */
	if (made.number == SYS_prctl) {
		if (made.arguments[0] == FAULT_MARKER) {
			find_loader(pid);
			faults.has_begun = true;
		}
		return;
	}
	for (size_t i = 0; i < CALL_COUNT; i++) {
		const struct call *call = &calls[i];

		if (!is_of_class(call) || call->number != made.number)
			continue;
		if (!is_counted(call, &made))
			return;
		faults.count++;
		write_log(pid, call, &made);
		if (is_now())
			disturb(pid, call, &made);
		return;
	}
}

static void on_return(pid_t pid)
{
	struct arch_call made;

	if (faults.closing != pid)
		return;
	faults.closing = 0;
	if (arch_get_call(pid, &made) && !arch_set_result(pid, &made, -faults.error))
		die("a system call cannot be changed");
}

/* Until the program, which was started as `first`, has ended; what it left behind is killed. */
static int watch(pid_t first)
{
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, __WALL)) > 0) {
		int signal = 0;

		if (WIFEXITED(status) || WIFSIGNALED(status)) {
			if (pid == first)
				return WIFEXITED(status) ? WEXITSTATUS(status)
							 : 128 + WTERMSIG(status);
			continue;
		}
		if (status >> 8 == (SIGTRAP | PTRACE_EVENT_SECCOMP << 8))
			on_call(pid);
		else if (WSTOPSIG(status) == (SIGTRAP | SYSCALL_STOP))
			on_return(pid);
		else if (status >> 16 == 0 && WSTOPSIG(status) != SIGSTOP)
			signal = WSTOPSIG(status);
		ptrace(faults.closing == pid ? PTRACE_SYSCALL : PTRACE_CONT, pid, NULL, signal);
	}
	die("the program is lost");
	return CANNOT;
}

static void read_settings(char **argv)
{
	faults.class = argv[1];
	faults.is_all = !strcmp(argv[1], "all");
	faults.error = atoi(argv[2]);
	faults.how = !strcmp(argv[2], "short")	       ? SHORT
		     : !strcmp(argv[2], "interrupted") ? INTERRUPTED
						       : ERROR;
	faults.at = strtoul(argv[3], NULL, 10);
	faults.is_lasting = *argv[4] == '1';
	if (*argv[5] && !(faults.log = fopen(argv[5], "we")))
		die(argv[5]);
}

int main(int argc, char **argv)
{
	const long options = PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACESECCOMP | PTRACE_O_TRACEFORK |
			     PTRACE_O_TRACEVFORK | PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC |
			     PTRACE_O_EXITKILL;
	int status;
	pid_t pid;

	if (argc < 7) {
		fprintf(stderr, "usage: calls CLASS HOW AT ON LOG PROGRAM [ARGUMENT...]\n");
		return CANNOT;
	}
	read_settings(argv);
	pid = fork();
	if (pid < 0)
		die("no child");
	if (!pid)
		become_program(argv + 6);
	if (waitpid(pid, &status, 0) != pid || !WIFSTOPPED(status) ||
	    ptrace(PTRACE_SETOPTIONS, pid, NULL, options))
		die("the program cannot be traced");
	ptrace(PTRACE_CONT, pid, NULL, 0);
	return watch(pid);
}
