/* SPDX-License-Identifier: MIT */
/*
 * Starting a program with a recorder inside. For the command and tests: no ABI promise.
 *
 *	tacho_launch_check()   what can be known before the start
 *	tacho_launch_create()  makes the recording's directory and meta.json
 *	tacho_launch_start()   forks and executes
 *	tacho_launch_wait()    until it ends, with a look at the live counters in between
 *	tacho_launch_end()     waits until all is written, writes end.json
 *	tacho_launch_finish()  frees
 *
 * One launch per process at a time, from one thread.
 */
#ifndef TACHO_SYS_LAUNCH_H
#define TACHO_SYS_LAUNCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include <tacho/export.h>
#include <tacho/session.h>
#include <tacho/sys/counting.h>

#ifdef __cplusplus
extern "C" {
#endif

struct tacho_launch;

enum tacho_launch_via {
	TACHO_VIA_AUTO = 0, /* the loader's layers, or preloading when the loader has none */
	TACHO_VIA_LAYER = 1,
	TACHO_VIA_PRELOAD = 2
};

/*
 * What is counted beside the program while it runs, in windows of time: in this process, which
 * writes it into the recording. All of it outlives the launch.
 */
struct tacho_launch_sampling {
	struct tacho_device *device;
	const struct tacho_config *config;
	const struct tacho_plan *plan; /* of it; one pass */
	const char *title;	       /* of the device, for people */
	uint64_t window_ns;
	bool is_strict; /* a division by zero makes a value absent */
};

struct tacho_launch_options {
	const char *name;   /* of the recording, with or without .tacho; NULL: PROGRAM-N */
	bool overwrite;	    /* replace a recording of that name */
	bool no_follow;	    /* record only the program itself, not its children */
	bool keep_programs; /* build logs and binaries too */
	bool time_draws;    /* one by one, where a device can; else render passes as a whole */
	enum tacho_launch_via via;
	const struct tacho_counting *counting; /* what to count in it; NULL: nothing */
	/* What the recording may take, in bytes. At seven eighths of it only calls that give work
	 * or wait for it are recorded, at all of it nothing; what is left out is counted. 0: a
	 * tenth of what is free at the start, and never the last twentieth of the disk. */
	uint64_t max_bytes;
	uint64_t ring_bytes; /* keep only the newest so many; 0: keep all */
	/* Functions that are recorded, patterns of their names; 0: all. Objects are recorded in any
	 * case. */
	const char *const *calls;
	uint32_t call_count;
	bool only_work; /* of calls, only those that give work or wait for it */
	bool is_synced; /* write to the disk each second: what is lost when the power is */
	const struct tacho_launch_sampling *sampling; /* NULL: nothing is */
	/* Record nothing behind so many calls, or launches of kernels, over all processes; what
	 * comes later is counted. 0: all. */
	uint64_t max_calls, max_launches;
	/* What the program gets as its input, output and messages; 0: those of this process. */
	int input_fd, output_fd, error_fd;
};

/*
 * Finds `program` as execvp would and says whether it can be recorded at all. UNSUPPORTED: 32-bit,
 * static, musl or setuid; NOTFOUND; PERM: not executable. A script is looked at through its
 * interpreter. *out_path is owned; free() it.
 */
TACHO_API int tacho_launch_check(const char *program, char **out_path);

/*
 * Whether the kernel goes on to count a process when it executes `program`, found as execvp would.
 * UNSUPPORTED: it does not, since the program gets other rights. One that cannot be found is none
 * of this function's failures.
 */
TACHO_API int tacho_launch_check_counted(const char *program);

/*
 * Makes NAME.tacho (mode 0700) and its meta.json. EXISTS: there already, and overwrite is not set
 * or it is no recording. PERM, IO, NOTFOUND (a folder of the path), UNSUPPORTED (no injectable
 * library beside libtacho).
 */
TACHO_API int tacho_launch_create(char *const argv[], const struct tacho_launch_options *options,
				  struct tacho_launch **out_launch);

/* The recording's directory, with its suffix. Borrowed. */
TACHO_API const char *tacho_launch_get_path(const struct tacho_launch *launch);

/* A sentence about the loader that the program will most likely use; "" if there is none. Borrowed.
 */
TACHO_API const char *tacho_launch_get_loader(const struct tacho_launch *launch);

/* Warnings that were found before the start: cause and cure. NULL past the last. Borrowed. */
TACHO_API const char *tacho_launch_get_warning(const struct tacho_launch *launch, size_t index);

/*
 * Starts it, with the signal mask and the ignored signals that this process had at
 * tacho_launch_create(). NOTFOUND or PERM when execve says so: the vendor code is errno. On failure
 * the recording is removed; finish is still to be called. What can only be known of sampling when
 * the program is about to start fails here, too, before it does.
 */
TACHO_API int tacho_launch_start(struct tacho_launch *launch);

/* Whether tacho_launch_start() failed because nothing can be sampled. */
TACHO_API bool tacho_launch_cannot_sample(const struct tacho_launch *launch);

struct tacho_progress {
	uint64_t calls, commands; /* so far, at most a second old */
	uint32_t processes;	  /* that came up with a recorder */
	uint64_t elapsed_ns;
};

/*
 * Waits at most timeout_ms. 1: it has ended and *out_status is its status as a shell shows it
 * (128+N for signal N); 0: it still runs and *out_progress is fresh.
 */
TACHO_API int tacho_launch_wait(struct tacho_launch *launch, int timeout_ms, int *out_status,
				struct tacho_progress *out_progress);

/* Removes a recording that is over, and nothing else. EXISTS, BUSY, PERM, IO. */
TACHO_API int tacho_launch_remove(const char *path);

/*
 * Tells all processes of the recording to pause or resume counting: enum tacho_counting_request.
 * From any thread or signal handler. Nothing happens in a launch that counts nothing.
 */
TACHO_API void tacho_launch_request(struct tacho_launch *launch, uint32_t request);

/* The program's process id; 0: it was not started, or has ended. */
TACHO_API pid_t tacho_launch_get_pid(const struct tacho_launch *launch);

/* Sends a signal to the program. */
TACHO_API void tacho_launch_signal(struct tacho_launch *launch, int signal_number);

/* What became of a recording, without reading it. */
struct tacho_launch_outcome {
	uint64_t calls, commands; /* that lie in files */
	uint64_t file_bytes;
	uint64_t lost_calls, lost_times;
	/* Of counters that were sampled: that were handed on to files, and that were not. */
	uint64_t windows, lost_windows;
	/* Left out as asked for or set; functions that are not asked for count until a program
	 * knows that they are not. */
	uint64_t bounded_calls;
	uint64_t beyond_calls; /* of these, because the files or the disk were full */
	uint64_t past_calls;   /* of these, behind the last that was to be recorded */
	uint32_t processes;    /* that came up with a recorder */
	uint32_t living;       /* of these, those that still record */
	uint32_t refused;      /* processes that could not take part */
	uint64_t run_ns;       /* from when the program could begin until it was seen to end */
	int error;	       /* errno of the last write that failed, 0 if none did */
	int refusal_error;     /* why the first of the refused could not; 0 if none was */
	const char *why_empty; /* why there is no call; "" when there is one */
	const char *loss;      /* what was lost, and by what, in one sentence; "" */
	const char *cure;      /* ""; what helps */
};

/*
 * After the program has ended: waits until what was recorded is written, and writes end.json.
 * *out_outcome is borrowed from the launch.
 */
TACHO_API int tacho_launch_end(struct tacho_launch *launch,
			       const struct tacho_launch_outcome **out_outcome);

/*
 * Does what tacho_launch_end() does when that was not called, and frees. A launch that was not
 * started leaves no recording behind. NULL is fine.
 */
TACHO_API int tacho_launch_finish(struct tacho_launch *launch);

#ifdef __cplusplus
}
#endif

#endif
