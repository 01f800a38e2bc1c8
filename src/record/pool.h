/* SPDX-License-Identifier: MIT */
/*
 * The memory between the programs of a recording and its keeper: one file on a file system in
 * memory, mapped by all of them. docs/recording.md tells why. The layout belongs to one build:
 * whoever opens a pool of another one is refused.
 *
 * Programs claim processes, streams and windows by one atomic exchange of a state, fill them, and
 * publish what they wrote by release stores; the keeper alone frees. So whoever is killed at any
 * instant leaves nothing that others wait for. Programs trust the keeper; the keeper trusts nobody
 * and checks every number that it finds here.
 *
 * A stream is a chain of windows with the records of one thread, and windows with the slots of its
 * commands, which records name by their numbers.
 */
#ifndef TACHO_RECORD_POOL_H
#define TACHO_RECORD_POOL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "record/wire.h"
#include "tacho/sys/counting.h"

#define TACHO__POOL_MAGIC    UINT32_C(0x4c4f4f50) /* "POOL" */
#define TACHO__POOL_VARIABLE "TACHO_POOL"	  /* its path, in the environment */

enum {
	TACHO__POOL_WINDOW_BYTES = 16 * 1024,
	TACHO__POOL_WINDOWS_MAX = 16 * 1024, /* 256 MiB */
	TACHO__POOL_SLOT_BYTES = 64,
	TACHO__POOL_SLOTS =
		TACHO__POOL_WINDOW_BYTES / TACHO__POOL_SLOT_BYTES, /* the first is no
								      slot but the header */
	TACHO__POOL_RECORD_MAX = 8 * 1024,
	TACHO__POOL_STREAMS_MAX = 8 * 1024, /* threads at a time */
	TACHO__POOL_PROCESSES_MAX = 2 * 1024,
	TACHO__POOL_APIS_MAX = 64,
	TACHO__POOL_FUNCTIONS_MAX = 1024,
	TACHO__POOL_REFUSALS_MAX = 16,
	TACHO__POOL_RESERVE = 8, /* one in so many windows is kept for work */
	TACHO__POOL_TEXT_MAX = 64,
};

/* States of windows, streams and processes; a stream's window has that of its stream and so on. */
enum {
	TACHO__POOL_ABSENT = 0, /* a window that has no memory */
	TACHO__POOL_FREE = 1,
	TACHO__POOL_OWNED = 2, /* and above: this plus the number of the owner */
	/* Of a stream: who started the recording writes into it, which is no process of it. */
	TACHO__POOL_SAMPLER = TACHO__POOL_OWNED + TACHO__POOL_PROCESSES_MAX,
};

/* At the start of a window. */
struct tacho__pool_window {
	atomic_uint next; /* the window of records behind it, plus 1 */
	uint32_t kind;	  /* enum tacho__pool_window_kind */
	/* of the keeper, in windows of slots: how many slots it has met, and has done with */
	uint32_t met, gone;
	uint32_t reserved[12];
};

enum tacho__pool_window_kind {
	TACHO__POOL_NOTHING = 0, /* its thread was killed before it could use it */
	TACHO__POOL_RECORDS,
	TACHO__POOL_SLOTS_OF_COMMANDS,
};

/*
 * A record: the word (wire.h) is stored last. Its end is the start again when it is no call. Packed
 * values follow, and when it has a slot, the slot's number in 8 bytes.
 */
struct tacho__pool_record {
	uint64_t word;
	uint64_t start, end; /* ticks */
};

/* The device times of a command. `done` is stored last; then the slot goes onto the done list. */
struct tacho__pool_slot {
	_Atomic(uint64_t) done; /* enum tacho__slot_code, vendor code in bits 32-63 */
	uint64_t queued, submit, start, end, seen;
	uint32_t next; /* on the done list: its number plus 1 */
	/* of the keeper: where the record's slot is in the recording, and what it did with it */
	uint16_t segment, flags;
	uint64_t offset;
};

enum tacho__pool_slot_flag {
	TACHO__SLOT_MET = 1,	 /* its record was taken */
	TACHO__SLOT_FILED = 2,	 /* with its times, or these were told as lost */
	TACHO__SLOT_DROPPED = 4, /* its record is not written */
	TACHO__SLOT_LISTED = 8,	 /* it was on the done list */
};

/* How far the keeper is with a stream: what lies in files. */
struct tacho__pool_progress {
	uint32_t window, offset; /* window plus 1; 0: nothing was read */
	uint64_t records, calls; /* that are written */
	uint64_t kept;		 /* records in control.bin */
};

struct tacho__pool_stream {
	atomic_uint state; /* FREE, or OWNED by a process */
	atomic_uint has_ended;
	atomic_uint first; /* window of records, plus 1 */
	uint32_t tid;
	/* of the keeper, so that another one can go on: its number in the recording, and how far it
	 * is, and will be after the commit of `round` */
	uint32_t serial;
	uint32_t round;
	struct tacho__pool_progress now, next;
	uint32_t reserved[10];
};

struct tacho__pool_process {
	atomic_uint state;	  /* FREE, CLAIMED or LIVE */
	uint32_t pid, parent_pid; /* in its own namespace */
	uint32_t parent;	  /* the process that it was forked from, plus 1; 0: executed */
	uint64_t tick, raw_ns, monotonic_ns, realtime_ns; /* its clocks at its start */
	_Atomic(uint64_t) lost_no_window, lost_no_space, lost_nested, lost_too_big, lost_no_thread;
	_Atomic(uint64_t) untimed; /* commands without a slot: no window for it */
	_Atomic(uint64_t) waits;
	uint32_t id;		      /* of the keeper: its number in the recording, plus 1 */
	atomic_uint cost_calls;	      /* calls whose recording was timed */
	_Atomic(uint64_t) cost_ticks; /* that it took for these */
	_Atomic(uint64_t) lost_unreported;
};

enum {
	TACHO__POOL_CLAIMED = TACHO__POOL_FREE + 1,
	TACHO__POOL_LIVE,
};

/* Why recording did not begin in some process. */
struct tacho__pool_refusal {
	uint32_t pid, uid;
	int32_t error;
	char stage[52]; /* "open", "map", ...; terminated */
};

struct tacho__pool_table {
	atomic_uint is_known; /* the keeper has it whole */
	uint32_t crc;
};

enum tacho__keeper_state {
	TACHO__KEEPER_NONE = 0,
	TACHO__KEEPER_WORKS,
	TACHO__KEEPER_WAITS, /* for processes that may still come up: none is there */
	TACHO__KEEPER_ENDED, /* all is written, the recording is complete */
};

/* How long the files are, before a commit and after it. */
struct tacho__pool_commit {
	uint32_t round;	  /* that streams name; 0: no commit is under way */
	uint32_t segment; /* the newest */
	uint64_t segment_bytes, control_bytes;
	uint64_t notes; /* of the keeper itself in control.bin */
	uint64_t calls, commands;
};

struct tacho__pool {
	uint32_t magic, bytes; /* of this struct */
	char build[TACHO__POOL_TEXT_MAX];
	char stamp[TACHO__POOL_TEXT_MAX];
	uint32_t window_count, window_offset;
	uint32_t tick_is_tsc;
	uint32_t only_pid; /* 0: every process is recorded */

	/* of the keeper */
	uint64_t born; /* when the kernel started the first one, in its own ticks; 0: not known */
	atomic_uint keeper_pid;
	atomic_uint keeper_state;
	atomic_uint ready;		   /* windows below this have, or had, memory */
	atomic_uint freed;		   /* rises when windows become free */
	atomic_int growth_error;	   /* errno: there will be none for some time */
	atomic_uint write_error;	   /* errno of the last file operation that failed */
	_Atomic(uint64_t) calls, commands; /* that it has written; estimates of progress */
	_Atomic(uint64_t) bare;		   /* of these calls, those that nobody made */
	_Atomic(uint64_t) unwritten;	   /* calls that could not be written */
	_Atomic(uint64_t) unwritten_times; /* device times that could not be */
	_Atomic(uint64_t) damaged;	   /* windows that a program has spoilt */
	_Atomic(uint64_t) bounded;	   /* calls that were left out as asked for, or set */
	_Atomic(uint64_t) beyond;	   /* of these, for what files and disk may take */
	_Atomic(uint64_t) past;		   /* of these, behind the last that was to be recorded */
	_Atomic(uint64_t) taken_calls, taken_launches; /* that were recorded */
	_Atomic(uint64_t) lost;	      /* calls that processes which are over could not record */
	_Atomic(uint64_t) lost_late;  /* of these, because no window was free */
	_Atomic(uint64_t) lost_times; /* and device times */
	_Atomic(uint64_t) file_bytes;
	_Atomic(uint64_t) keeper_ns;	      /* processor time that it took, at its end */
	atomic_uint processes;		      /* that came up, ever */
	uint32_t process_ids, stream_serials; /* handed out */
	struct tacho__pool_commit committed, intended;
	atomic_uint refusal_count;
	struct tacho__pool_refusal refusals[TACHO__POOL_REFUSALS_MAX];

	/* of whoever watches: readers, the launcher */
	atomic_uint sync_wanted, sync_done;
	atomic_uint program_ended; /* or its starter has; others may still record */
	atomic_uint quit;	   /* nobody needs the keeper any more, but processes that record */
	struct tacho_counting_control control;

	/* of the programs */
	atomic_uint pressure;	     /* somebody waits for a window */
	atomic_uint news;	     /* rises when a process comes up */
	atomic_uint begun;	     /* and when a thread gets a stream */
	_Atomic(uint64_t) done_list; /* the last slot that was done, plus 1 */
	_Atomic(uint64_t) switched[TACHO__POOL_STREAMS_MAX / 64]; /* streams with full windows */

	/* Functions of each API that are not recorded, by number. */
	_Atomic(uint64_t) left_out[TACHO__POOL_APIS_MAX][TACHO__POOL_FUNCTIONS_MAX / 64];
	struct tacho__pool_table tables[TACHO__POOL_APIS_MAX];
	atomic_uint windows[TACHO__POOL_WINDOWS_MAX]; /* states */
	struct tacho__pool_process process[TACHO__POOL_PROCESSES_MAX];
	struct tacho__pool_stream stream[TACHO__POOL_STREAMS_MAX];
};

_Static_assert(sizeof(struct tacho__pool_window) == TACHO__POOL_SLOT_BYTES, "it is slot 0");
_Static_assert(sizeof(struct tacho__pool_slot) == TACHO__POOL_SLOT_BYTES, "slots fill windows");
_Static_assert(sizeof(struct tacho__pool_stream) == 128, "two cache lines each");
_Static_assert(sizeof(struct tacho__pool_process) == 128, "two cache lines each");

static inline uint8_t *tacho__pool_at(const struct tacho__pool *pool, uint32_t window)
{
	return (uint8_t *)(uintptr_t)pool + pool->window_offset +
	       (size_t)window * TACHO__POOL_WINDOW_BYTES;
}

static inline struct tacho__pool_window *tacho__pool_window(const struct tacho__pool *pool,
							    uint32_t window)
{
	return (struct tacho__pool_window *)(void *)tacho__pool_at(pool, window);
}

/* Slots are counted over all windows. */
static inline struct tacho__pool_slot *tacho__pool_slot(const struct tacho__pool *pool,
							uint32_t slot)
{
	return (struct tacho__pool_slot *)(void *)(tacho__pool_at(pool, 0) +
						   (size_t)slot * TACHO__POOL_SLOT_BYTES);
}

static inline uint32_t tacho__pool_slot_number(const struct tacho__pool *pool,
					       const struct tacho__pool_slot *slot)
{
	return (uint32_t)(((const uint8_t *)slot - tacho__pool_at(pool, 0)) /
			  TACHO__POOL_SLOT_BYTES);
}

/* The calls that a process could not record. */
static inline uint64_t tacho__pool_count_lost(struct tacho__pool_process *process)
{
	return atomic_load(&process->lost_no_window) + atomic_load(&process->lost_no_space) +
	       atomic_load(&process->lost_nested) + atomic_load(&process->lost_too_big) +
	       atomic_load(&process->lost_no_thread) + atomic_load(&process->lost_unreported);
}

/* Of these, the ones for which no window was free. */
static inline uint64_t tacho__pool_count_late(struct tacho__pool_process *process)
{
	return atomic_load(&process->lost_no_window) + atomic_load(&process->lost_no_space);
}

/* What the builds of both sides must have in common. Static. */
const char *tacho__pool_build(void);

/* The bytes of a pool with so many windows. */
size_t tacho__pool_bytes(uint32_t window_count);

/*
 * In a program: opens the pool at `path` for reading and writing, with no other system calls than
 * the dynamic linker makes. *out_windows: how many windows are mapped, all or, where the address
 * space is limited, fewer. NULL: *out_stage (static) says at which step, *out_error errno; ELIBBAD
 * when it is another build's.
 */
struct tacho__pool *tacho__pool_open(const char *path, uint32_t *out_windows,
				     const char **out_stage, int *out_error);

/*
 * A free window below `limit`, now owned by `owner`; -1 when there is none. Always the first one,
 * so that few are in use where few will do.
 */
int32_t tacho__pool_claim(struct tacho__pool *pool, uint32_t limit, uint32_t owner);

#endif
