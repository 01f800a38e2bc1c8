/* SPDX-License-Identifier: MIT */
/* The keeper, shared by its files. It is one process with one thread. */
#ifndef TACHO_RECORD_KEEPER_KEEPER_PRIVATE_H
#define TACHO_RECORD_KEEPER_KEEPER_PRIVATE_H

#include "base/arena.h"
#include "base/buf.h"
#include "base/pack.h"
#include "record/call_table.h"
#include "record/chunk_writer.h"
#include "record/keeper.h"
#include "record/refusal.h"

enum {
	TACHO__KEEPER_ROOM_CHUNKS = 8, /* that one window can end, and more */
	TACHO__KEEPER_BUFFER_BYTES = 2 * TACHO__KEEPER_ROOM_CHUNKS * TACHO__CHUNK_MAX,
	TACHO__KEEPER_CONTROL = 0, /* the number of control.bin among segments */
	TACHO__KEEPER_SEGMENT_BYTES = 64 * 1024 * 1024,
	TACHO__KEEPER_SEGMENTS_MAX = 60000,
	TACHO__KEEPER_TURN_WINDOWS = 64, /* of one stream, before it is the next one's turn */
	TACHO__KEEPER_SPARE_PARTS = 20,	 /* one in so many blocks of a disk is left to others */
	TACHO__KEEPER_THREADS = 256,	 /* whose processor time is read, at a time */
	TACHO__KEEPER_SAMPLES = 128,	 /* readings of it that wait for being written */
};

/* ---- files.c: the recording's files, appended to through buffers ---- */

struct tacho__keeper_file {
	int fd; /* -1: not open */
	uint32_t number;
	uint64_t bytes; /* that are in the file; the buffer follows */
	uint8_t *buffer;
	uint32_t used;
};

struct tacho__keeper_files {
	int directory_fd;
	uint32_t recording; /* CRC-32C of its stamp */
	struct tacho__keeper_file control, calls;
	uint32_t first_segment;	 /* the oldest that is there */
	uint64_t segment_bytes;	 /* a new one begins behind this */
	uint64_t kept_bytes;	 /* of segments before the current one */
	uint64_t reserved_bytes; /* of the disk, for control.bin */
	uint64_t ring_bytes;
	bool is_synced;
	int error; /* errno of what failed last; 0: all is well */
};

/* 0 or errno. Files that are there are gone on with: they are cut to what was committed. */
int tacho__keeper_files_open(struct tacho__keeper_files *files,
			     const struct tacho__pool_commit *committed);
void tacho__keeper_files_close(struct tacho__keeper_files *files);

/*
 * Makes room for TACHO__KEEPER_ROOM_CHUNKS chunks of any size. False when that cannot be, which is
 * to be tried again later: see files->error.
 */
bool tacho__keeper_files_make_room(struct tacho__keeper_files *files);

/*
 * Adds a chunk to control.bin or to the segments, for which there is room. *out_number and
 * *out_offset: where it begins.
 */
void tacho__keeper_files_add(struct tacho__keeper_files *files, bool is_control,
			     const uint8_t *chunk, uint32_t bytes, uint32_t *out_number,
			     uint64_t *out_offset);

/* Whether the current file of calls is as long as it is to become. */
bool tacho__keeper_files_is_full(const struct tacho__keeper_files *files);

/* Goes on in a new file when the current one is long enough. False when that failed. */
bool tacho__keeper_files_turn(struct tacho__keeper_files *files);

/* Writes the buffers out. False: it failed, and what is not written is still in them. */
bool tacho__keeper_files_flush(struct tacho__keeper_files *files);

/* Overwrites bytes of a segment that were flushed. False when that failed. */
bool tacho__keeper_files_patch(struct tacho__keeper_files *files, uint32_t number, uint64_t offset,
			       const void *bytes, size_t size);

/* How long a file is; 0 when it is not there. */
uint64_t tacho__keeper_files_measure(const struct tacho__keeper_files *files, uint32_t number);

/*
 * Of a commit that was not seen through: keeps the whole chunks that came into the file, and cuts
 * the rest. The calls in those chunks.
 */
uint64_t tacho__keeper_files_salvage(struct tacho__keeper_files *files,
				     const struct tacho__pool_commit *committed);

/* All segments together, with what is in buffers. */
uint64_t tacho__keeper_files_bytes(const struct tacho__keeper_files *files);

/* ---- the keeper ---- */

/* A process that records, or did. */
struct tacho__kept_process {
	bool is_live, is_gone; /* gone, but something of it could not be written yet */
	uint32_t id;
	pid_t pid; /* in our namespace, 0 when it was not found */
	int pidfd; /* -1: none */
};

/* The number of a stream whose chunks are of stream 0. */
#define TACHO__STREAM_OF_SAMPLER UINT32_MAX

enum tacho__kept_stream {
	TACHO__STREAM_UNKNOWN = 0,
	TACHO__STREAM_LIVE,
	TACHO__STREAM_LINGERS, /* its thread is over, some of its commands are not */
};

/* How far a stream will be when what is taken is committed. */
struct tacho__progress {
	uint32_t stream;
	struct tacho__pool_progress next;
};

/* How long the thread of a stream had run, and waited for a processor, at a time. */
struct tacho__kept_times {
	uint32_t serial;
	uint64_t tick, run_ns, waited_ns;
};

/* A thread whose processor time is read now and then. */
struct tacho__kept_thread {
	uint32_t stream, tid;
	unsigned owner; /* state of its stream while that is its */
	pid_t pid;
	uint64_t since_ns, next_ns; /* when it was met, and is to be looked at */
	struct tacho__kept_times last;
	bool is_noted, is_idle; /* `last` is not the first; it is not noted, as nothing was new */
};

enum tacho__keeper_level {
	TACHO__LEVEL_ALL = 0,
	TACHO__LEVEL_WORK, /* calls that give work to a device, or wait for it */
	TACHO__LEVEL_NOTHING,
};

struct tacho__kept_api {
	struct tacho__buf text;		 /* of its table, while it comes */
	uint32_t sender;		 /* the stream that it comes from, plus 1 */
	struct tacho__call_table *table; /* NULL: not known yet */
	uint64_t *bounded;		 /* calls that were left out, by function */
	uint64_t left_out[TACHO__POOL_FUNCTIONS_MAX / 64]; /* nobody asked for them */
};

struct keeper {
	struct tacho__pool *pool;
	const char *pool_path;
	struct tacho__keeper_limits limits;
	int pool_fd, epoll_fd, socket_fd, wire_fd;
	struct tacho__keeper_files files;
	struct tacho__arena arena;

	/* windows.c */
	uint32_t window_limit, free_windows, used_windows;
	uint64_t needed_ns; /* when many windows were needed last */

	/* drain.c */
	struct tacho__chunk_writer *calls_writer, *kept_writer;
	uint8_t window[TACHO__POOL_WINDOW_BYTES];
	uint8_t chunk[TACHO__CHUNK_MAX];
	uint32_t to_free[TACHO__POOL_WINDOWS_MAX];
	struct tacho__progress progress[TACHO__POOL_STREAMS_MAX];
	size_t to_free_count, progress_count;
	uint8_t streams[TACHO__POOL_STREAMS_MAX]; /* enum tacho__kept_stream */
	uint32_t stream_bound;
	uint64_t added_calls, added_commands, committed_calls;
	uint64_t added_bare; /* of the calls, those that stand for work that nobody called for */
	uint64_t taken;	     /* bytes of records, ever: to see whether somebody works */

	/* sample_threads.c */
	struct tacho__kept_thread threads[TACHO__KEEPER_THREADS];
	struct tacho__kept_times samples[TACHO__KEEPER_SAMPLES];
	size_t thread_count, sample_count, next_thread;
	unsigned begun_seen;

	/* times.c */
	uint32_t *listed; /* room for every slot there can be */
	uint32_t *late;	  /* slots whose times come after their chunk was written */
	size_t late_count, late_capacity;

	/* family.c */
	struct tacho__kept_process processes[TACHO__POOL_PROCESSES_MAX];
	uint32_t process_bound, live, gone;
	unsigned news_seen;

	/* tables.c */
	struct tacho__kept_api apis[TACHO__POOL_APIS_MAX];
	enum tacho__keeper_level level;
	bool leaves_spare, disk_is_scarce;

	/* notes.c */
	struct tacho__chunk_writer *notes_writer;
	uint64_t notes;	      /* records in control.bin of the keeper itself */
	uint64_t noted_bytes; /* of the segment, when the manifest said so last */
	uint32_t noted_segment;
	uint64_t noted_bounded;
	enum tacho__keeper_level noted_level;
	unsigned refusals; /* that were noted */

	uint64_t swept_bytes; /* of the files, when all was there last */
	uint64_t swept_ns, worked_ns, looked_ns, failed_ns;
};

/* windows.c: memory for windows, ahead of need. */
void tacho__keeper_ready_windows(struct keeper *k);
void tacho__keeper_free_window(struct keeper *k, uint32_t window);

/*
 * drain.c: takes what is new out of a stream into the files' buffers, up to
 * TACHO__KEEPER_TURN_WINDOWS: true when there is more. At most once per stream before a commit.
 */
bool tacho__keeper_drain(struct keeper *k, uint32_t stream);
/* Makes the stream known, if its thread has begun and its process is known. */
bool tacho__keeper_meet_stream(struct keeper *k, uint32_t stream);
/* Writes the buffers, then frees what lies in files. False when writing failed. */
bool tacho__keeper_commit(struct keeper *k);
/* What was intended is done. */
void tacho__keeper_conclude(struct keeper *k);
/* How many calls are in the pool that are not in files. */
uint64_t tacho__keeper_count_left(struct keeper *k);

/* streams.c: takes what is new out of those that threads have asked for, or of all. */
void tacho__keeper_take_switched(struct keeper *k);
void tacho__keeper_take_all(struct keeper *k);
/* Takes the rest of the streams of a process that is no more, and frees all that it had. */
void tacho__keeper_end_streams(struct keeper *k, uint32_t process);

/* sample_threads.c: reads the processor time of threads for which it is time. */
void tacho__keeper_sample_threads(struct keeper *k);
/* What was read is noted; it comes into the files with the next commit. */
void tacho__keeper_flush_threads(struct keeper *k);

/* times.c: fills the slot of a record that is being taken, as far as its times are there. */
void tacho__keeper_meet_slot(struct keeper *k, uint32_t stream, uint32_t number,
			     struct tacho__chunk_record *record);
/* Where the slots of a chunk came to lie. */
void tacho__keeper_place_slots(struct keeper *k, const struct tacho__chunk_writer *writer,
			       uint32_t segment, uint64_t offset);
/* The record of the slot is not written. */
void tacho__keeper_drop_slot(struct keeper *k, uint32_t number);
/* Times that have come since; what they belong to must lie in files. */
void tacho__keeper_take_times(struct keeper *k);

/* Commands that a killed keeper took, but did not bring into the files: they are taken again. */
void tacho__keeper_forget_undone(struct keeper *k);
/*
 * Frees the windows with slots of a stream: with `is_over` all of them, else those that wait for
 * nothing. True when none is left.
 */
bool tacho__keeper_free_slots(struct keeper *k, uint32_t stream, bool is_over);

/* family.c: the processes. */
/* The first keeper says when it was started: no process of the recording is older. */
void tacho__keeper_note_birth(struct keeper *k);
void tacho__keeper_greet(struct keeper *k);
void tacho__keeper_look_at_processes(struct keeper *k);
/* Notes what those have lost that ended while nothing could be written. */
void tacho__keeper_close_processes(struct keeper *k);
/* Whether a process is left that may record. */
bool tacho__keeper_has_family(struct keeper *k);

/* tables.c: call tables, and what they decide. */
void tacho__keeper_take_table(struct keeper *k, uint32_t stream, const uint8_t *values,
			      uint32_t size);
/* Whether a record of this kind is to be written; counts it when it is not. */
bool tacho__keeper_wants(struct keeper *k, uint16_t kind);
bool tacho__keeper_is_poll(const struct keeper *k, uint16_t kind);
bool tacho__keeper_is_bare(const struct keeper *k, uint16_t kind);
/* Chooses the level by what the files take; and by what the disk has left. */
void tacho__keeper_watch_budget(struct keeper *k);
void tacho__keeper_watch_disk(struct keeper *k);

/* notes.c: what the keeper itself writes into control.bin. */
void tacho__keeper_note_anchor(struct keeper *k);
void tacho__keeper_note_process(struct keeper *k, uint32_t process);
void tacho__keeper_note_end(struct keeper *k, uint32_t process);
void tacho__keeper_note_stream(struct keeper *k, uint32_t stream);
void tacho__keeper_note_times(struct keeper *k, const struct tacho__kept_times *times,
			      size_t count);
/* What is said of counters that are sampled beside the program. */
void tacho__keeper_note_sampled(struct keeper *k, const struct tacho__chunk_record *record);
void tacho__keeper_note_table(struct keeper *k, uint32_t api, const char *text, size_t size);
void tacho__keeper_note_refusal(struct keeper *k, const struct tacho__pool_refusal *refusal);
/* The manifest: how long the segments are, and which were lost by the ring; what was left out. */
void tacho__keeper_note_state(struct keeper *k);
void tacho__keeper_note_finish(struct keeper *k);

/* keeper.c: NULL: no memory. The pool and the descriptor stay the caller's. */
struct keeper *tacho__keeper_make(const struct tacho__keeper *starter, int pool_fd);
void tacho__keeper_destroy(struct keeper *k);
/* All that is there by now comes into files, and the manifest says so. */
void tacho__keeper_sweep(struct keeper *k);
/* Makes itself ready; works until nobody needs it any more; writes the last note. 0 or
 * errno. */
int tacho__keeper_begin(struct keeper *k);
void tacho__keeper_work(struct keeper *k);
void tacho__keeper_finish(struct keeper *k);

/* resume.c: goes on where another keeper was killed. */
void tacho__keeper_resume(struct keeper *k);

#endif
