/* SPDX-License-Identifier: MIT */
/*
 * Recordings: what `tacho record` left in a NAME.tacho directory.
 *
 * A recording holds processes; each has devices, contexts, queues, programs and kernels (objects)
 * and calls. A call that gave work to a device has a command. Calls come out of a cursor one by
 * one, in the order in which they ended, over all threads and processes; memory does not grow with
 * their number. Everything that was completed before a program died is there; what was lost is
 * counted in struct tacho_process.
 *
 * All times are nanoseconds of the recording host's CLOCK_MONOTONIC.
 *
 * Threads: a cursor belongs to one thread at a time. Cursors of one recording may be opened, moved
 * and closed by several threads at once; all else of a recording belongs to one thread at a time,
 * and what is lost or wrong is asked for when no other one moves a cursor.
 */
#ifndef TACHO_RECORDING_H
#define TACHO_RECORDING_H

#include <stddef.h>
#include <stdint.h>
#include <tacho/catalog.h>
#include <tacho/export.h>
#include <tacho/result.h>
#include <tacho/session.h>

#ifdef __cplusplus
extern "C" {
#endif

struct tacho_recording;
struct tacho_cursor;

/* The run as a whole, from the launcher. Strings are "" when they are not known. */
struct tacho_run {
	const char *generator;	       /* "tacho 0.1.0" */
	const char *application;       /* absolute path of the program that was launched */
	const char *arguments;	       /* its arguments, joined by blanks */
	const char *working_directory; /* where it ran */
	const char *host;
	const char *os_name;	   /* "Debian GNU/Linux 12 (bookworm)" */
	const char *os_release;	   /* kernel release, "6.1.0-18-amd64" */
	const char *via;	   /* how it was intercepted: "layer", "preload" */
	const char *why_empty;	   /* why no call was recorded, when the launcher knows */
	const char *why_uncounted; /* why counters that were asked for cannot be shown */
	/* What it was not to exceed, in bytes, and of how much it keeps the newest; 0: not bounded.
	 */
	uint64_t max_bytes, ring_bytes;
	uint64_t ring_calls; /* that were written and that a ring let go for newer ones */
	/* It is still written, or was saved before its end, or nobody could finish it. */
	uint32_t is_unfinished;
	uint64_t start_ns;
	uint64_t end_ns;	    /* 0 while the program runs, or when the launcher was killed */
	int64_t realtime_offset_ns; /* add to any time of this recording to get CLOCK_REALTIME */
	int exit_status;	    /* as a shell shows it, 128+N for signal N; -1 when not known */
	/* Of session files and those of other tools: what was left out of them, and why, "" when
	 * nothing was. NULL: it is neither. */
	const char *import_note;
	uint64_t keeper_ns; /* processor time that writing its files took; 0: not known */
	/* Nothing was to be recorded behind so many calls, or launches of kernels; 0: not bounded.
	 */
	uint64_t max_calls, max_launches;
};

/* What was not recorded, or cannot be read, by reason. What was left out as asked is no loss. */
struct tacho_losses {
	uint64_t no_window; /* calls dropped: the keeper freed no window within a second */
	uint64_t no_space;  /* calls dropped: the recording could not grow */
	/* Calls dropped: made by a signal handler inside another record, or inside many calls. */
	uint64_t nested;
	uint64_t too_big;    /* records dropped: larger than a record can be */
	uint64_t no_thread;  /* calls dropped: a thread got no stream */
	uint64_t unwritten;  /* calls dropped: the files took them no more */
	uint64_t missing;    /* calls in parts of files that are missing or damaged */
	uint64_t untimed;    /* device times dropped: of commands that are there */
	uint64_t unreadable; /* bytes of files that the reader could not make sense of */
	uint64_t waits;	     /* times a thread waited for a window: not a loss */
	int io_error;	     /* errno of the last failed write, 0 if none */
	/* Calls and commands dropped: a vendor's library did so before tacho heard of them. */
	uint64_t unreported;
	/* Ends of named ranges whose beginning was dropped, or is missing. Their names are not
	 * known. What a ring let go of does not count. */
	uint64_t headless_ranges;
	/* Named ranges that are not told: deeper than 256 on their thread, or one more than 1024 of
	 * the process at a time. */
	uint64_t deep_ranges;
	/* Windows of counters that were sampled beside the program (struct tacho_sampling). */
	uint64_t windows;
};

/* Something that is wrong with the files of a recording, or happened when it was made. */
struct tacho_fault {
	const char *path; /* of the file, "" when it is about none */
	const char *what; /* to stand behind the path, if there is one: "is missing" */
	int error;	  /* errno, 0 if none */
	uint64_t bytes;	  /* that are missing or make no sense; 0 when not known */
	uint64_t calls;	  /* that are missing with them; 0 when not known */
};

/* Calls of a function that were not recorded, as it was asked for or set. */
struct tacho_bound {
	const char *function;
	uint64_t calls;
};

struct tacho_process {
	uint32_t index; /* position in the recording */
	uint32_t pid;
	uint32_t parent_pid;
	const char *directory;	       /* a name that is its own, "proc-4711-0" */
	const char *executable;	       /* absolute path */
	const char *command;	       /* its arguments, joined by blanks */
	const char *loader;	       /* file of the API's loader library, "" if not known */
	uint64_t start_ns;	       /* when recording began in it */
	uint64_t clock_uncertainty_ns; /* of host times of this process */
	const char *clock;	       /* "tsc" or "clock_gettime" */
	struct tacho_losses losses;
	/* Why from some time on no launch was counted, and what to do; "" when all went well. */
	const char *uncounted, *uncounted_cure;
	uint64_t uncounted_ns; /* from when on */
	/* Functions that it got and that are not recorded, each with the reason; "" when there are
	 * none. */
	const char *unwatched;
	uint32_t has_unseen_work; /* one of them gives work to devices */
	/* Of so many calls it was timed how long recording took the thread that made them, and it
	 * took so long for all of these; 0: of none. */
	uint64_t cost_calls, cost_ns;
};

/* A thing that an API made. Attributes are named strings, as the driver reported them. */
enum tacho_object_kind {
	TACHO_OBJECT_DEVICE = 1,
	TACHO_OBJECT_CONTEXT = 2,
	TACHO_OBJECT_QUEUE = 3,
	TACHO_OBJECT_PROGRAM = 4,
	TACHO_OBJECT_KERNEL = 5
};

struct tacho_object {
	enum tacho_object_kind kind;
	uint64_t handle;
	uint32_t id; /* from 1 per kind over the whole recording; 0 for contexts that were not seen
		      */
	const char *name;		    /* of devices and kernels, else "" */
	const struct tacho_object *context; /* of queues, programs and kernels; NULL if not known */
	const struct tacho_object *device;  /* of queues; NULL if not known */
	const struct tacho_object *program; /* of kernels; NULL if not known */
	const struct tacho_process *process; /* whose it is; handles are unique in it only */
};

/* The attribute `key` of an object, or NULL when the driver did not tell. Borrowed from object. */
TACHO_API const char *tacho_object_get(const struct tacho_object *object, const char *key);

/* Memory of a device that the program allocated itself, as its process told last. */
struct tacho_device_memory {
	uint32_t heap;
	int32_t type;		  /* of memory of that heap; -1: all of the heap */
	uint64_t size_bytes;	  /* of the heap; of a type 0 */
	uint64_t used_bytes;	  /* at the end, or when the process was last heard of */
	uint64_t peak_bytes;	  /* at most, at a time */
	uint64_t allocations;	  /* so many were made */
	uint32_t is_local;	  /* of heaps: it is the device's own */
	uint32_t is_host_visible; /* of types: the host can map it */
};

/*
 * Writes the heap or type `index` that something was allocated of: each heap, and behind it its
 * types. Returns 0 past the last, or when nothing is known, and writes nothing then; else 1.
 * Allocations that nobody could follow are the attribute "memory_unknown".
 */
TACHO_API int tacho_object_get_memory(const struct tacho_object *device, size_t index,
				      struct tacho_device_memory *out_memory);

/* What sort of work a command is. */
enum tacho_command_kind {
	TACHO_COMMAND_KERNEL = 1,
	TACHO_COMMAND_WRITE = 2, /* host to device */
	TACHO_COMMAND_READ = 3,	 /* device to host */
	TACHO_COMMAND_COPY = 4,	 /* device to device */
	TACHO_COMMAND_FILL = 5,
	TACHO_COMMAND_MAP = 6,
	TACHO_COMMAND_UNMAP = 7,
	TACHO_COMMAND_OTHER = 8, /* markers, barriers, migrations, native kernels */
	TACHO_COMMAND_BUFFER = 9 /* a template of commands, run as a whole */
};

/* "kernel", "write", ... Static. */
TACHO_API const char *tacho_command_kind_to_string(enum tacho_command_kind kind);

/* A command of a template, as it was recorded. When it ran is not known, only when all did. */
struct tacho_template_command {
	enum tacho_command_kind kind;
	const char *name;		   /* what the API calls it */
	const struct tacho_object *device; /* whose queue it was recorded for; NULL if not known */
	const struct tacho_object *kernel; /* of kernels; NULL if not known */
	uint32_t dimensions;		   /* 0 to 3 */
	uint32_t has_local;		   /* 0 when the API chooses the work-group size */
	uint64_t global[3];
	uint64_t local[3];
	uint64_t bytes; /* moved or filled; valid when has_bytes */
	uint32_t has_bytes;
	uint32_t has_extra_local; /* as in struct tacho_command */
	uint64_t extra_local_bytes;
};

/* Commands that were recorded once and run as a whole, many times, as they are in one execution. */
struct tacho_template {
	/* "command buffer (5 kernels)": one for all that have the same kernels in the same order,
	 * and for no other. */
	const char *name;
	uint32_t id;	    /* from 1 over the whole recording, one for each name */
	uint64_t handle;    /* of the thing that holds the commands; in its process */
	uint64_t version;   /* of what it holds: it changes when that is changed; in its process */
	uint32_t is_known;  /* 0: not all that it holds is known; what is known is there */
	const char *reason; /* why not; "" when all is known */
	const struct tacho_template_command
		*commands; /* in the order in which they were recorded */
	size_t command_count;
	size_t kernel_count; /* of them, those that are kernels */
	/* Of the queues that it runs on, each once. With several it is not known which of them
	 * worked when. */
	const struct tacho_object *const *devices;
	size_t device_count;
};

/* Work that a call gave to a device. */
struct tacho_command {
	enum tacho_command_kind kind;
	uint32_t code;			   /* the API's number of the command type, 0x11F0 */
	const char *name;		   /* what the API calls it */
	uint64_t id;			   /* unique in the recording */
	const struct tacho_object *queue;  /* NULL if not known */
	const struct tacho_object *device; /* the queue's device; NULL if not known */
	const struct tacho_object *kernel; /* of kernels; NULL if not known */
	uint32_t dimensions;		   /* 0 to 3 */
	uint32_t has_local;		   /* 0 when the API chose the work-group size */
	uint64_t global[3];
	uint64_t local[3];
	uint64_t bytes; /* moved or filled; valid when has_bytes */
	uint32_t has_bytes;
	enum tacho_state state; /* of the four times below, and of them only */
	const char *reason;	/* why state is not ok; "" when it is */
	uint64_t queued_ns, submit_ns, start_ns, end_ns;
	uint64_t uncertainty_ns; /* of their place on the host's clock; durations are the device's
				    own */
	const char *clock;	 /* that the times were on: "CLOCK_MONOTONIC_RAW"; "": not known */
	uint32_t first_launch;	 /* of this kernel on this device: often contains JIT compilation */
	uint32_t lacks_queue_times; /* queued_ns and submit_ns are not known though state is ok */
	uint32_t has_duration; /* how long it ran is known though state is not ok: duration_ns */
	uint64_t duration_ns;
	/* Whatever its state: it did not run before, and not after; 0 and UINT64_MAX when that is
	 * not known. */
	uint64_t not_before_ns, not_after_ns;
	/* The driver tells only when it ended: start_ns is when all in front of it had ended. */
	uint32_t has_marked_start;
	const struct tacho_template *contents; /* of TACHO_COMMAND_BUFFER; NULL for others */
	/* Local memory of a work-group that the launch asked for, besides what its kernel's
	 * local_bytes say; valid when has_extra_local. */
	uint64_t extra_local_bytes;
	uint32_t has_extra_local;
	/* Its state is absent, and no times of it were taken that could have been refused: the
	 * reason says why. Where nobody could look, struct tacho_losses counts it, as untimed. */
	uint32_t is_untimed;
	uint32_t draws; /* of a kernel: it is run for what is drawn */
};

/* One function of an API, as the recording's own call table describes it. */
struct tacho_function {
	const char *api; /* the name of its call table */
	const char *name;
	int number;	  /* what session files call it, -1 if it has none */
	uint32_t submits; /* it gives work to a queue */
	uint32_t shows;	  /* it hands over a picture to be shown, and may wait until it can */
};

/* How a range came about. */
enum tacho_range_kind {
	TACHO_RANGE_NESTED = 1,	 /* pushed and popped by a thread */
	TACHO_RANGE_PROCESS = 2, /* of the whole process: it may overlap others */
	TACHO_RANGE_MARK = 3,	 /* a moment */
	/* Of the whole process: from when a picture was handed over to be shown to when the next
	 * one was. */
	TACHO_RANGE_FRAME = 4,
	/* Around commands that a queue got, so named by the program; a range for each submit. */
	TACHO_RANGE_LABEL = 5,
	TACHO_RANGE_PASS = 6 /* the same around what is drawn in a render pass, or a part of it */
};

/*
 * A stretch of its time that the program gave a name: tacho/profile.h, NVTX, ROCTX, ITT; or that
 * follows from what it does: frames, and labels and passes of the commands that it submits.
 * Borrowed until the cursor's next move.
 */
struct tacho_named_range {
	enum tacho_range_kind kind;
	const char *name;   /* as the program wrote it, up to 255 bytes */
	const char *domain; /* a part of the program that names ranges for itself; "" */
	const char *api;    /* that it was named through: "tacho", "nvtx", "roctx", "itt" */
	const struct tacho_process *process;
	uint32_t thread;			/* that began it */
	uint32_t depth;				/* ranges around it on its thread and domain */
	const struct tacho_named_range *parent; /* the next of these; NULL */
	uint64_t id;				/* unique in the recording */
	uint64_t start_ns, end_ns;		/* end_ns is 0 while it has not ended */
	uint32_t color;				/* 0xAARRGGBB */
	uint32_t has_color;
	/* When it is delivered: its end is not in the recording, and end_ns is the time of the last
	 * that is known of its process. A frame that is open was never shown. */
	uint32_t is_open;
	uint64_t number; /* of frames, from 1 for the first of a name and domain; else 0 */
	/* Of labels, passes, and marks between commands: which got the commands. Else NULL. */
	const struct tacho_object *queue;
	/* Of labels and passes, when they are delivered: start_ns and end_ns are when the first
	 * command in it began and the last one ended that have times. 0: none has, and both are
	 * when it was submitted. */
	uint32_t has_device_times;
};

struct tacho_call {
	const struct tacho_process *process;
	const struct tacho_function *function;
	uint32_t thread; /* the thread's id in its process's namespace */
	uint64_t index;	 /* of this call in its thread, from 0 */
	uint64_t start_ns, end_ns;
	const char *result; /* the name of an error code, a handle, "" for void functions */
	int failed;	    /* the API says that the call failed */
	const struct tacho_command *command; /* NULL when the call gave no work to a device */
	/* Equal calls behind it that it also stands for; its end is that of the last of them. */
	uint64_t repeats;
	uint64_t busy_ns; /* in all of them together; less than from start to end when there are
			     several */
	/* No call is known for the command: start_ns and end_ns are both the command's start, or 0
	 * when that is not known, and the function is a name for how the work came about. */
	uint32_t is_bare;
	/* In which all of it was made: those of its thread, then those of its process, each the
	 * newest first. */
	const struct tacho_named_range *const *ranges;
	size_t range_count;
	const char *caller; /* "symbol (file:line)" of the code that made it; NULL: not known */
};

/*
 * Opens the recording at `path` ("NAME" or "NAME.tacho") and reads what describes it: the run, its
 * processes, their clocks. Owned by the caller; free with tacho_recording_close().
 *
 * Session files of CodeXL and rcprof are recordings, too (docs/codexl.md). "NAME.atp" is read
 * together with NAME.csv and NAME.occupancy when they are there, and so is "NAME" when no recording
 * has that name; "NAME.csv" and "NAME.occupancy" are read alone. They are kept in memory whole.
 *
 * So are files of other tools (docs/imports.md), known by what is in them, and folders that hold
 * some: these are one recording, as tacho_recording_open_files() reads them. Of those that have
 * sums and no calls or launches there is nothing but tacho_recording_get_sums(). UNSUPPORTED: a
 * library that reads them, such as SQLite's, is not installed.
 *
 * NOTFOUND: nothing there. PARSE: it is not a recording. VERSION: made by a newer tacho, or in a
 * form that is not read. IO, NOMEM.
 */
TACHO_API int tacho_recording_open(const char *path, struct tacho_recording **out_recording);
/*
 * The same of several files of other tools that belong together, as those of the processes of a run
 * or the tables of one, and of all in folders that are named: one recording. Files that tell the
 * time of day are put on one clock. `kind` is a name of a kind: all that is named is read as that;
 * NULL or "": as what it looks like.
 *
 * NOTFOUND: there is no such file, or kind. PARSE: a file is damaged, or none that is read. INVAL:
 * there is no name. And as tacho_recording_open().
 */
TACHO_API int tacho_recording_open_files(const char *const *paths, size_t count, const char *kind,
					 struct tacho_recording **out_recording);
/* Kinds of other tools' files by number, from 0: "nsys-sqlite"; NULL past the last. Static. */
TACHO_API const char *tacho_file_kind_get_name(size_t index);
/* What they are, for a person: "Nsight Systems"; NULL past the last. Static. */
TACHO_API const char *tacho_file_kind_get_title(size_t index);
/* Its cursors and all that was made of it must be gone. NULL does nothing. */
TACHO_API void tacho_recording_close(struct tacho_recording *recording);

/*
 * Saves the recording at `path`, which may still be written, as it is now: a recording of its own
 * at `output` ("NAME" or "NAME.tacho"), mode 0700. It is there when it is whole, or not at all. Of
 * a program that ran once per pass it holds the first run.
 *
 * EXISTS: something is there. BUSY: what is written cannot be read at the moment. UNSUPPORTED: a
 * recording of version 1. And as tacho_recording_open().
 */
TACHO_API int tacho_recording_snapshot(const char *path, const char *output);

/*
 * A state of the machine that bears on how fast it is, as its kernel told it: "cpu governor",
 * "powersave".
 */
struct tacho_machine_fact {
	const char *name;
	const char *start, *end; /* of the run; "" when it is not known */
	uint32_t is_setting;	 /* it is as somebody set it; else it changes by itself */
};

/* NULL past the last; what is not known is not there. Borrowed from the recording. */
TACHO_API const struct tacho_machine_fact *
tacho_recording_get_machine_fact(const struct tacho_recording *recording, size_t index);

/*
 * How long a thread that made calls had run on a processor by a moment, and waited for one while
 * it could have run, since it began: as the kernel counts it, to a few milliseconds. It is read now
 * and then: at most each 10 ms, of older threads each 256th part of their time, and not where a
 * thread did nothing meanwhile. Of threads that ended within that there may be none, and none is of
 * processes in another pid namespace, and in older recordings.
 */
struct tacho_thread_time {
	const struct tacho_process *process;
	uint32_t thread; /* as in struct tacho_call */
	uint64_t at_ns;
	uint64_t run_ns, waited_ns;
};

/*
 * By process, thread and time; a thread whose number another one had before begins with less. NULL
 * past the last. Borrowed from the recording.
 */
TACHO_API const struct tacho_thread_time *
tacho_recording_get_thread_time(const struct tacho_recording *recording, size_t index);

/* Borrowed from the recording, as is all that hangs on it. */
TACHO_API const struct tacho_run *tacho_recording_get_run(const struct tacho_recording *recording);
/* How many processes made calls, or were told about. */
TACHO_API size_t tacho_recording_get_process_count(const struct tacho_recording *recording);
/* By number, from 0, in the order in which they came; NULL past the last. */
TACHO_API const struct tacho_process *
tacho_recording_get_process(const struct tacho_recording *recording, size_t index);

/*
 * Losses that belong to no process of the recording: parts of files, writes that failed. Known when
 * a cursor was opened; what a cursor finds damaged only later is added while it moves.
 */
TACHO_API const struct tacho_losses *
tacho_recording_get_losses(const struct tacho_recording *recording);
/*
 * Of all processes and of what belongs to none; io_error is the last one. They grow while cursors
 * move: ask behind the last call. 0; INVAL.
 */
TACHO_API int tacho_recording_sum_losses(const struct tacho_recording *recording,
					 struct tacho_losses *out_sum);

/* What is wrong with it, in the order in which it was found; NULL past the last. Borrowed. */
TACHO_API const struct tacho_fault *
tacho_recording_get_fault(const struct tacho_recording *recording, size_t index);

/*
 * It in words: "NAME.tacho/calls-1.bin cannot be read: Input/output error (errno 5), 4096 bytes, 12
 * calls". Owned; free() it. NOMEM.
 */
TACHO_API int tacho_fault_format(const struct tacho_fault *fault, char **out_text);

/*
 * 0 when all that was written of it can be read, so far as is known: all is known behind the last
 * call of a cursor. LOST, with what is wrong as the cause, when it has faults, when calls in its
 * files are missing, or bytes make no sense. What was dropped while it was made, and what was left
 * out as asked, does not count here. NOMEM.
 */
TACHO_API int tacho_recording_check(const struct tacho_recording *recording);

/* What was left out as asked for or set; NULL past the last. Borrowed. */
TACHO_API const struct tacho_bound *
tacho_recording_get_bound(const struct tacho_recording *recording, size_t index);

/* What of its files was found to be in order when it was opened. */
struct tacho_extent {
	uint64_t files, bytes;
	uint64_t parts; /* of files, with checksums that cursors check; 0: it has none */
};
/* Writes how much there is, and how much of it has checksums. */
TACHO_API void tacho_recording_get_extent(const struct tacho_recording *recording,
					  struct tacho_extent *out_extent);

/* How far a cursor has come, for somebody who waits for what reads the whole of a recording. */
struct tacho_reading {
	uint64_t
		bytes; /* that the newest cursor has read, of about all_bytes; 0 of session files */
	uint64_t all_bytes;
	uint32_t times; /* that reading began; the first cursor reads twice, for the clocks first */
};
/* May be called while other threads move cursors. */
TACHO_API void tacho_recording_get_reading(struct tacho_recording *recording,
					   struct tacho_reading *out_reading);

/* The directory of the recording, with its suffix. Borrowed. */
TACHO_API const char *tacho_recording_get_path(const struct tacho_recording *recording);

/*
 * Opens a cursor at the first call. The recording must outlive it. Owned; free with
 * tacho_cursor_close(). UNSUPPORTED: the recording has sums only (sums.h). NOMEM, IO.
 */
TACHO_API int tacho_cursor_open(struct tacho_recording *recording,
				struct tacho_cursor **out_cursor);
/* What its last call pointed to is gone. NULL does nothing. */
TACHO_API void tacho_cursor_close(struct tacho_cursor *cursor);

/*
 * Moves to the next call: 1 and *out_call, 0 at the end, negative on error. *out_call and what it
 * points to are borrowed from the cursor and valid until the next call of this function; objects
 * stay valid until the cursor is closed.
 */
TACHO_API int tacho_cursor_next(struct tacho_cursor *cursor, const struct tacho_call **out_call);

/*
 * The arguments of the current call as session files print them, joined by `separator`:
 * "0x1C5F2A0;0x1C70010;1;NULL;[1024];[64];0;NULL;[0x1C80020]". Borrowed until the next move.
 */
TACHO_API const char *tacho_cursor_format_arguments(struct tacho_cursor *cursor,
						    const char *separator);

/* The number and text of argument `index`: name into *out_name, text returned; NULL past the last.
 */
TACHO_API const char *tacho_cursor_get_argument(struct tacho_cursor *cursor, size_t index,
						const char **out_name);

/*
 * Objects seen up to the current call, in the order in which they were made: all at the end of the
 * recording. NULL past the last. Objects that were replaced under a reused handle are among them.
 */
TACHO_API const struct tacho_object *tacho_cursor_get_object(const struct tacho_cursor *cursor,
							     size_t index);

/* The name of a thread that the cursor has met, "" if not known. Borrowed from the cursor. */
TACHO_API const char *tacho_cursor_get_thread_name(const struct tacho_cursor *cursor,
						   const struct tacho_process *process,
						   uint32_t thread);

/* How counters were counted, when some were asked for. */
struct tacho_recorded_counting {
	const char *device; /* "AMD Instinct MI300X [simulated]"; "" when none was needed */
	uint32_t is_simulated;
	uint32_t pass_count;
	enum tacho_replay replay; /* NONE, KERNEL, PROCESS or ROTATE */
	/* Launches in named ranges that these fit were selected: names, globs or "regex:RE". None:
	 * wherever they were made. */
	const char *const *ranges;
	size_t range_count;
};

/* NULL when nothing was to be counted. Borrowed. */
TACHO_API const struct tacho_recorded_counting *
tacho_recording_get_counting(const struct tacho_recording *recording);

/*
 * A counter or metric that was asked for when the recording was made, as it was written then, in
 * the order in which they were asked for; NULL past the last. Borrowed.
 */
TACHO_API const struct tacho_entry *
tacho_recording_get_counter(const struct tacho_recording *recording, size_t index);

/*
 * The row of a command: that of a result of one row, with a column for each counter, which has
 * dimensions where the values of its instances were kept.
 */
struct tacho_recorded_row {
	const struct tacho_result *result;
	uint32_t is_counted;   /* 0: the command was not selected, and nothing was counted */
	uint32_t is_unmatched; /* the note is about another run of the program */
	uint64_t passes;       /* a bit per pass (the first 64) in which it was seen */
	const char *note;      /* about all of it: why passes are missing; "" */
};

/*
 * The row of the current call's command; NULL when it has no command or nothing was to be counted.
 * Borrowed until the next move: it and its result are written again and again.
 */
TACHO_API const struct tacho_recorded_row *tacho_cursor_get_row(struct tacho_cursor *cursor);

/* How well the runs of a program that ran once per pass fit together, up to the current call. */
struct tacho_matching {
	uint32_t run_count;  /* 1: it ran once, and the rest is 0 */
	uint64_t launches;   /* that were counted in the first run */
	uint64_t missing;    /* of these, the ones that some other run does not have */
	uint64_t different;  /* of these, the ones with another size in some other run, or, of
				commands of a submit, with another command in their place */
	uint64_t additional; /* launches of other runs that the first does not have; at the end */
};
/* Writes how well the runs fitted so far. Whole behind the last call. */
TACHO_API void tacho_cursor_get_matching(const struct tacho_cursor *cursor,
					 struct tacho_matching *out_matching);

/* Things the program made that were asked to be kept: build logs, binaries. */
struct tacho_blob {
	const struct tacho_process *process;
	const struct tacho_object *program; /* whose it is; NULL if not known */
	const char *kind;		    /* "build_log", "binary", "source" */
	const unsigned char *bytes;
	size_t size;
};

/*
 * Called by tacho_cursor_next() for each blob that it passes, when set before the first move.
 * `blob` is borrowed for the time of the call.
 */
typedef void (*tacho_blob_fn)(void *user, const struct tacho_blob *blob);
/* Sets the function that gets blobs, NULL for none, and its first argument. */
TACHO_API void tacho_cursor_on_blob(struct tacho_cursor *cursor, tacho_blob_fn fn, void *user);

/* Counters of a device that were sampled while the program ran, in windows of time. */
struct tacho_sampling {
	const char *device; /* the backend, ":" and the name of the device */
	uint32_t is_simulated;
	uint64_t window_ns; /* that was asked for; each window says how long it was */
	/* As they were written then, in the order in which they were asked for. */
	const struct tacho_entry *counters;
	size_t counter_count;
	/* Windows that are there, and those that the device dropped, that could not be written, or
	 * that lay in damaged parts. Known when a cursor was opened. */
	uint64_t windows, lost;
	uint32_t is_open; /* its end is not there: it goes on, or who sampled was killed */
	/* Why it ended before the program, and what to do; "" when it did not. */
	const char *ended, *ended_cure;
};

/* NULL past the last: most recordings have none. Borrowed. */
TACHO_API const struct tacho_sampling *
tacho_recording_get_sampling(const struct tacho_recording *recording, size_t index);

/* What was counted in a window. Borrowed until `fn` returns, as is its result. */
struct tacho_window {
	const struct tacho_sampling *sampling;
	uint64_t index;		   /* in its sampling, from 0; those between are lost */
	uint64_t start_ns, end_ns; /* each within uncertainty_ns */
	uint64_t uncertainty_ns;
	const struct tacho_result *result; /* of one row, with a column for each counter */
};

/*
 * Called by tacho_cursor_next() for each window, in the order of their ends among the calls, when
 * set before the first move.
 */
typedef void (*tacho_window_fn)(void *user, const struct tacho_window *window);
/* Sets the function that gets windows, NULL for none, and its first argument. */
TACHO_API void tacho_cursor_on_window(struct tacho_cursor *cursor, tacho_window_fn fn, void *user);

/*
 * Called by tacho_cursor_next() for each heap and type of a device's memory whenever the process
 * told of the device, also of those that are as before, with when it did, when set before the first
 * move. `device` is the recording's, `memory` is borrowed until `fn` returns.
 */
typedef void (*tacho_memory_fn)(void *user, const struct tacho_object *device, uint64_t time_ns,
				const struct tacho_device_memory *memory);
/* Sets the function that gets memory, NULL for none, and its first argument. */
TACHO_API void tacho_cursor_on_memory(struct tacho_cursor *cursor, tacho_memory_fn fn, void *user);

/*
 * Called by tacho_cursor_next() for each range that has ended and each mark, in the order of their
 * ends among the calls, when set before the first move; for those that have not ended behind the
 * last call. What `range` points to is borrowed until `fn` returns.
 */
typedef void (*tacho_range_fn)(void *user, const struct tacho_named_range *range);
/* Sets the function that gets ranges, NULL for none, and its first argument. */
TACHO_API void tacho_cursor_on_range(struct tacho_cursor *cursor, tacho_range_fn fn, void *user);

#ifdef __cplusplus
}
#endif

#endif
