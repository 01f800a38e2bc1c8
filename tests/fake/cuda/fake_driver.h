/* SPDX-License-Identifier: MIT */
/* What the files of the fake driver share. Objects live until the process ends: handles that are no
 * longer valid are told from those that never were. */
#ifndef TESTS_FAKE_CUDA_FAKE_DRIVER_H
#define TESTS_FAKE_CUDA_FAKE_DRIVER_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "fake_api.h"
#include "fake_cuda.h"

#define EXPORT __attribute__((visibility("default")))

enum { FAKE_DEVICES_MAX = 8, FAKE_STACK_MAX = 32, FAKE_MEMORY_BYTES = 1 << 30 };

struct CUctx_st {
	struct CUctx_st *next;
	uint32_t id;
	int device;
	bool is_primary, is_dead;
	uint32_t retained; /* of a primary one */
	struct CUstream_st *null_stream;
};

struct CUfunc_st {
	struct fake_cuda_function base;
	struct CUmod_st *module;
	int max_shared_bytes;
};

struct CUmod_st {
	struct CUmod_st *next;
	uint32_t id;
	bool is_dead;
	char *text;
	struct CUfunc_st *functions;
	size_t count;
};

/* A point in a stream: so many of its pieces of work. */
struct fake_point {
	struct CUstream_st *stream;
	uint64_t number;
};

struct fake_op {
	struct fake_op *next;
	struct fake_cuda_work work;
	struct fake_point *after; /* what must be done before */
	size_t after_count, after_room;
	/* of copies and sets: rows of bytes */
	char *to;
	const char *from;
	size_t width, rows, to_pitch, from_pitch;
	uint32_t element; /* bytes of a value that memory is set to */
	CUhostFn host;
	void *host_data;
	struct CUevent_st *event;
	void *freed;
};

struct CUstream_st {
	struct CUstream_st *next;
	struct CUctx_st *context;
	uint32_t id;
	int priority;
	uint64_t owner; /* thread whose stream 0 it is; 0: none's */
	bool is_blocking, is_dead;
	bool is_stopped; /* what has not begun never will */
	struct fake_op *first, *last;
	uint64_t submitted, done;
	struct CUgraph_st *captured; /* being captured into */
};

struct CUevent_st {
	struct CUevent_st *next;
	struct CUctx_st *context;
	bool is_dead, has_time;
	struct fake_point point; /* stream NULL: never recorded */
	uint64_t time_ns;
};

struct CUgraphNode_st {
	uint64_t id;
	CUgraphNodeType type;
	struct fake_op op;	  /* as it is submitted */
	struct CUgraph_st *child; /* of a node that is a graph */
};

struct CUgraph_st {
	struct CUgraph_st *next;
	uint32_t id;
	bool is_dead, is_exec;
	struct CUgraphNode_st **nodes;
	size_t count;
};

struct fake_thread {
	uint64_t number; /* unique, from 1 */
	uint32_t depth;	 /* of calls */
	bool per_thread; /* stream 0 is the thread's own */
	uint32_t correlation[8], api[8];
	CUcontext stack[FAKE_STACK_MAX];
	uint32_t stack_count;
	struct fake_cuda_work last;
	bool has_last;
};

struct fake_driver {
	pthread_mutex_t lock; /* of all below, and of objects */
	pthread_cond_t changed;
	atomic_bool is_initialized, is_forked;
	int device_count;
	struct CUctx_st *contexts, *primary[FAKE_DEVICES_MAX];
	struct CUmod_st *modules;
	struct CUstream_st *streams;
	struct CUevent_st *events;
	struct CUgraph_st *graphs;
	uint32_t context_count, module_count, stream_count, graph_count;
	atomic_uint correlations;
	struct fake_cuda_observer *_Atomic observers[FAKE_CUDA_OBSERVERS_MAX];
	uint64_t (*_Atomic clock)(void);
};

extern struct fake_driver fake_driver;

#define FAKE_EACH_OBSERVER(observer)                                                            \
	for (uint32_t i_ = 0; i_ < FAKE_CUDA_OBSERVERS_MAX; i_++)                               \
		for (struct fake_cuda_observer *observer = fake_driver.observers[i_]; observer; \
		     observer = NULL)

/* fake_calls.c */
struct fake_thread *fake_thread_get(void);
void fake_tell(struct fake_cuda_object object);
void fake_tell_synchronized(CUcontext context, CUstream stream);
void *fake_find_function(const char *name, bool per_thread);
const char *fake_name_function(uint32_t api, uint32_t number);
void fake_call_begin(struct fake_cuda_call *call);
void fake_call_end(struct fake_cuda_call *call);

/* fake_words.c */
bool fake_has_word(const char *word);
uint64_t fake_get_word(const char *word, uint64_t otherwise);
void fake_log(const char *format, ...) __attribute__((format(printf, 1, 2)));
uint64_t fake_monotonic_ns(void);
uint64_t fake_now(void);

/* fake_contexts.c: NULL without; those that are destroyed are none */
CUcontext fake_context(void);
bool fake_context_is(CUcontext context);

/* fake_streams.c */
CUstream fake_stream_new(CUcontext context, bool is_blocking, int priority, uint64_t owner);
/* The stream that a handle means in the calling thread; NULL: none. */
CUstream fake_stream_find(CUstream handle);

/* fake_gpu.c */
struct fake_op *fake_op_new(CUstream stream, enum fake_cuda_kind kind);
void fake_op_free(struct fake_op *op);
/* Or into the graph that the stream is captured into. Takes the op. */
CUresult fake_submit(CUstream stream, struct fake_op *op);
/* Now, whatever is captured. Returns its number. */
uint64_t fake_enqueue(CUstream stream, struct fake_op *op);
void fake_op_wait_for(struct fake_op *op, struct fake_point point);
/* False: it was not in that time. limit_ns UINT64_MAX: waits until it is. */
bool fake_wait_point(struct fake_point point, uint64_t limit_ns);
bool fake_wait_context(CUcontext context, uint64_t limit_ns);
void fake_start_stream(CUstream stream);

/* fake_kernels.c: NULL: no such */
void (*fake_kernel_find(const char *name))(const struct fake_cuda_run *run);

/* fake_memory.c */
struct fake_cuda_memory *fake_memory_save(CUcontext context);
void fake_memory_restore(const struct fake_cuda_memory *memory);
void fake_memory_free(struct fake_cuda_memory *memory);
void fake_memory_release(void *pointer);
void fake_memory_lose(CUcontext context);

/* fake_graphs.c */
CUgraph fake_graph_new(void);
/* Copies the op; takes nothing. */
struct CUgraphNode_st *fake_graph_add(CUgraph graph, const struct fake_op *op);

#define FUNCTION(number, name, ...)		  CUresult fake_##name(PARAMETERS(__VA_ARGS__));
#define FUNCTION_VOID(number, name)		  CUresult fake_##name(void);
#define TWICE(number, number2, ending, name, ...) CUresult fake_##name(PARAMETERS(__VA_ARGS__));
#include "cuda_functions.h"
#undef FUNCTION
#undef FUNCTION_VOID
#undef TWICE

#endif
