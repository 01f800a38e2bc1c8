/* SPDX-License-Identifier: MIT */
/*
 * NVIDIA's driver as a fake, seen from what belongs to it: the fakes of libcupti, libcudart and
 * libnvidia-ml. They find it in `fake_cuda_hooks`, a symbol that it exports (fake_cuda_find()).
 *
 * The "GPU" are threads, one for each stream; memory is the host's, and kernels are C functions
 * that a module's text names (fake_kernels.c). A launch returns before its work is done. Times are
 * those at which a thread began and ended the work.
 *
 * Environment of the fake driver:
 *   FAKE_CUDA       words with commas: what is otherwise than usual. Each fake knows its own:
 *                   devices=N     so many GPUs instead of 1
 *                   no_device     cuInit fails with 100
 *                   abandon       a context that is destroyed loses work that has not begun
 *                   inner_ids     a driver call inside of one of the runtime has an id of its own,
 *                                 which records of work bear (else: the runtime's id)
 *                   outer_ids     it has an id of its own, and records bear the runtime's
 *                   (words of libcupti: tests/fake/cupti/cupti_target.h)
 *   FAKE_CUDA_LOG   a file that gets one line for each thing the GPU has done, written when it was
 *                   done, with the process's id first:
 *                   PID call CORRELATION NAME STATUS             a driver call that launches has
 * returned PID kernel CORRELATION STREAM NODE NAME START END BEFORE BEGUN ENDING AFTER PID copy
 * CORRELATION STREAM NODE BYTES START END BEFORE BEGUN ENDING AFTER PID set CORRELATION STREAM NODE
 * BYTES START END BEFORE BEGUN ENDING AFTER PID delivered CORRELATION KIND               (libcupti)
 * the tool has had the record START and END are what records say, in the clock that CUPTI has. That
 * clock was read between BEFORE and BEGUN, and between ENDING and AFTER: CLOCK_MONOTONIC.
 */
#ifndef TESTS_FAKE_CUDA_FAKE_CUDA_H
#define TESTS_FAKE_CUDA_FAKE_CUDA_H

#include <dlfcn.h>
#include <stdbool.h>

#include "cuda_types.h"

enum {
	FAKE_CUDA_VERSION = 13000,
	FAKE_CUDA_MULTIPROCESSORS = 132,
	FAKE_CUDA_OBSERVERS_MAX = 8,
	FAKE_CUDA_ARGUMENT_BYTES = 256
};

struct fake_cuda_run;

/* A kernel: what its module's text says of it. */
struct fake_cuda_function {
	char name[128]; /* mangled */
	uint32_t registers, shared_bytes, local_bytes;
	uint32_t argument_bytes[16], argument_count;
	void (*run)(const struct fake_cuda_run *run); /* on the GPU's thread */
};

/* What a kernel sees when it runs. */
struct fake_cuda_run {
	const void *const *arguments; /* a pointer to each */
	const uint32_t *grid, *block;
	bool (*is_ended)(void); /* for one that waits: nobody waits for it any more */
};

enum fake_cuda_kind {
	FAKE_CUDA_KERNEL = 1,
	FAKE_CUDA_COPY = 2,
	FAKE_CUDA_SET = 3,
	FAKE_CUDA_HOST = 4,   /* a function of the program's */
	FAKE_CUDA_NOTHING = 5 /* an event's place, freed memory */
};

/* A piece of work: what is launched, with the times at which it ran. */
struct fake_cuda_work {
	enum fake_cuda_kind kind;
	uint32_t correlation, runtime_correlation; /* of the calls that launched it; 0: none */
	uint32_t device, context_id, stream_id;
	CUcontext context;
	uint64_t graph_node; /* 0: not of a graph */
	uint32_t graph;	     /* of the executable graph */
	const struct fake_cuda_function *function;
	uint32_t grid[3], block[3], cluster[3]; /* cluster: 0 without */
	uint32_t shared_bytes;			/* dynamic */
	bool is_first, is_last;			/* of the graph's launch */
	bool is_cooperative, is_async, is_own;	/* is_own: of fake_cuda_hooks.run */
	uint8_t copy_kind, from_kind, to_kind;	/* as CUPTI numbers them */
	uint64_t bytes;
	uint32_t value; /* that memory is set to */
	uint64_t queued, submitted, start, end;
	uint8_t arguments[FAKE_CUDA_ARGUMENT_BYTES]; /* one behind the other, each aligned to 8 */
};

enum { FAKE_CUDA_DRIVER_API = 1, FAKE_CUDA_RUNTIME_API = 2 };

/* A call of the program's. The same at enter and exit. */
struct fake_cuda_call {
	uint32_t api;	    /* FAKE_CUDA_DRIVER_API ... */
	uint32_t number;    /* CUPTI's */
	const char *name;   /* "cuMemAlloc_v2" */
	const void *params; /* CUPTI's struct of its parameters; NULL: it has none */
	void *result;	    /* CUresult or cudaError_t, valid at exit */
	const char *symbol; /* of the kernel that is launched; NULL */
	CUcontext context;
	uint32_t context_id, correlation;
	uint64_t data[FAKE_CUDA_OBSERVERS_MAX]; /* an observer's, by its number, kept for it */
	uint32_t seen;				/* by which observers it was at enter */
};

/* As CUPTI numbers them. */
enum fake_cuda_event {
	FAKE_CUDA_CONTEXT_CREATED = 1,
	FAKE_CUDA_CONTEXT_DESTROYING = 2,
	FAKE_CUDA_STREAM_CREATED = 3,
	FAKE_CUDA_STREAM_DESTROYING = 4,
	FAKE_CUDA_INITIALIZED = 5,
	FAKE_CUDA_MODULE_LOADED = 6,
	FAKE_CUDA_MODULE_UNLOADING = 7,
	FAKE_CUDA_GRAPH_CREATED = 9,
	FAKE_CUDA_GRAPH_DESTROYING = 10,
	FAKE_CUDA_NODE_CREATED = 13,
	FAKE_CUDA_EXEC_CREATING = 17,
	FAKE_CUDA_EXEC_CREATED = 18,
	FAKE_CUDA_EXEC_DESTROYING = 19,
	FAKE_CUDA_NODE_CLONED = 20
};

/* Something came to be or is about to go. */
struct fake_cuda_object {
	enum fake_cuda_event event;
	CUcontext context;
	CUstream stream;
	CUgraph graph;
	CUgraphNode node, original_node;
	CUgraphNodeType node_type;
	CUgraphExec exec;
	uint32_t module_id;
	const char *module_text;
	size_t module_bytes;
};

/* Called where it happens, with no lock held; each may be NULL. */
struct fake_cuda_observer {
	uint32_t number; /* set by observe() */
	void (*enter)(struct fake_cuda_call *call);
	void (*exit)(struct fake_cuda_call *call);
	void (*object)(const struct fake_cuda_object *object);
	void (*synchronized)(CUcontext context, CUstream stream); /* stream NULL: all */
	/* On the GPU's thread, around the work. begin may change what it costs: it returns the ns
	 * by which the work is made longer. */
	uint64_t (*begin)(const struct fake_cuda_work *work);
	void (*end)(const struct fake_cuda_work *work);
};

/* Contents of the device's memory, kept. */
struct fake_cuda_memory;

struct fake_cuda_hooks {
	/* Up to FAKE_CUDA_OBSERVERS_MAX; for the life of the process. */
	void (*observe)(struct fake_cuda_observer *observer);
	/* The clock of start and end, CLOCK_REALTIME unless set. */
	uint64_t (*now)(void);
	void (*set_clock)(uint64_t (*clock)(void));
	/* For libraries over the driver (the runtime): calls nest, and share ids. */
	void (*call_begin)(struct fake_cuda_call *call);
	void (*call_end)(struct fake_cuda_call *call);
	/* Runs the work of a launch once more, on its stream, and waits for its end. For calls
	 * inside of an observer's exit of that launch. Observers see begin and end with is_own. */
	int (*run)(const struct fake_cuda_work *work);
	/* What the calling thread's latest launch was; NULL: none. */
	const struct fake_cuda_work *(*last_launch)(void);
	/* Waits until the context is idle; NULL: all contexts. False: it was not in that time. */
	bool (*wait)(CUcontext context, uint64_t limit_ns);
	struct fake_cuda_memory *(*memory_save)(CUcontext context);
	void (*memory_restore)(const struct fake_cuda_memory *memory);
	void (*memory_free)(struct fake_cuda_memory *memory);
	uint32_t (*context_id)(CUcontext context); /* 0: no context */
	int (*context_device)(CUcontext context);  /* -1: no context */
	CUcontext (*current_context)(void);
	/* stream 0 or a special handle is looked up in the context */
	uint32_t (*stream_id)(CUcontext context, CUstream stream, bool per_thread); /* 0: none */
	uint64_t (*node_id)(CUgraphNode node);
	uint32_t (*graph_id)(CUgraph graph);
	uint32_t (*exec_id)(CUgraphExec exec);
	const char *(*function_name)(uint32_t api, uint32_t number); /* NULL: no such */
	bool (*is_initialized)(void);
	/* A word of FAKE_CUDA. get: the number behind "word=", `otherwise` without. */
	bool (*has_word)(const char *word);
	uint64_t (*get_word)(const char *word, uint64_t otherwise);
	/* A line for FAKE_CUDA_LOG. */
	void (*log)(const char *format, ...) __attribute__((format(printf, 1, 2)));
};

/* NULL: the process has no fake driver. */
static inline const struct fake_cuda_hooks *fake_cuda_find(void)
{
	void *driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
	const struct fake_cuda_hooks *hooks =
		driver ? (const struct fake_cuda_hooks *)dlsym(driver, "fake_cuda_hooks") : NULL;

	if (driver)
		dlclose(driver);
	return hooks;
}

#endif
