/* SPDX-License-Identifier: MIT */
/*
 * Counting on an OpenGL context: the one that is current on the calling thread. OpenGL is a library
 * of others: its functions are found at run time, with prototypes of our own.
 */
#ifndef TACHO_BACKEND_GL_GL_PRIVATE_H
#define TACHO_BACKEND_GL_GL_PRIVATE_H

#include "backend/collection.h"
#include "backend/known.h"
#include "base/dl.h"
#include "base/yaml.h"
#include "catalog/catalog.h"

/* Names as in the Khronos registry, without GL_. */
enum {
	GL__VENDOR = 0x1f00,
	GL__RENDERER = 0x1f01,
	GL__VERSION = 0x1f02,
	GL__EXTENSIONS = 0x1f03,
	GL__NUM_EXTENSIONS = 0x821d,
	GL__UNSIGNED_INT = 0x1405,
	GL__FLOAT = 0x1406,

	GL__QUERY_COUNTER_BITS = 0x8864,
	GL__CURRENT_QUERY = 0x8865,
	GL__QUERY_RESULT = 0x8866,
	GL__QUERY_RESULT_AVAILABLE = 0x8867,
	GL__SAMPLES_PASSED = 0x8914,
	GL__ANY_SAMPLES_PASSED = 0x8c2f,
	GL__ANY_SAMPLES_PASSED_CONSERVATIVE = 0x8d6a,
	GL__TIME_ELAPSED = 0x88bf,
	GL__TIMESTAMP = 0x8e28,
	GL__MAX_VERTEX_STREAMS = 0x8e71,
	GL__QUERY_BUFFER = 0x9192,
	GL__QUERY_BUFFER_BINDING = 0x9193,

	/* AMD_performance_monitor */
	GL__COUNTER_TYPE_AMD = 0x8bc0,
	GL__UNSIGNED_INT64_AMD = 0x8bc2,
	GL__PERCENTAGE_AMD = 0x8bc3,
	GL__PERFMON_RESULT_AVAILABLE_AMD = 0x8bc4,
	GL__PERFMON_RESULT_SIZE_AMD = 0x8bc5,
	GL__PERFMON_RESULT_AMD = 0x8bc6,

	/* INTEL_performance_query */
	GL__PERFQUERY_DONOT_FLUSH_INTEL = 0x83f9,
	GL__PERFQUERY_COUNTER_EVENT_INTEL = 0x94f0,
	GL__PERFQUERY_COUNTER_DURATION_NORM_INTEL = 0x94f1,
	GL__PERFQUERY_COUNTER_DURATION_RAW_INTEL = 0x94f2,
	GL__PERFQUERY_COUNTER_THROUGHPUT_INTEL = 0x94f3,
	GL__PERFQUERY_COUNTER_TIMESTAMP_INTEL = 0x94f5,
	GL__PERFQUERY_COUNTER_DATA_UINT32_INTEL = 0x94f8,
	GL__PERFQUERY_COUNTER_DATA_UINT64_INTEL = 0x94f9,
	GL__PERFQUERY_COUNTER_DATA_FLOAT_INTEL = 0x94fa,
	GL__PERFQUERY_COUNTER_DATA_DOUBLE_INTEL = 0x94fb,
	GL__PERFQUERY_COUNTER_DATA_BOOL32_INTEL = 0x94fc,
};

/* What is called, of the driver behind one context. A test puts a driver of its own here. */
struct tacho__gl {
	struct tacho__dl dl, own_dl;
	void *(*get_current)(void); /* the context of the calling thread, or NULL */
	void (*(*get_proc)(const char *name))(void);
	/*
	 * The driver's own context of the calling thread: quick, where glvnd asks the kernel for
	 * the process at every get_current(). NULL: it does not tell.
	 */
	void *(*get_own)(void);

	const unsigned char *(*get_string)(uint32_t name);
	const unsigned char *(*get_string_at)(uint32_t name, uint32_t index);
	void (*get_integer)(uint32_t name, int32_t *out_value);
	void (*finish)(void);
	void (*flush)(void);
	void (*bind_buffer)(uint32_t target, uint32_t buffer);

	void (*gen_queries)(int32_t count, uint32_t *out_names);
	void (*delete_queries)(int32_t count, const uint32_t *names);
	uint8_t (*is_query)(uint32_t name);
	void (*begin_query)(uint32_t target, uint32_t name);
	void (*end_query)(uint32_t target);
	void (*begin_query_at)(uint32_t target, uint32_t index, uint32_t name);
	void (*end_query_at)(uint32_t target, uint32_t index);
	void (*query_counter)(uint32_t name, uint32_t target);
	void (*get_query)(uint32_t target, uint32_t what, int32_t *out_value);
	void (*get_query_at)(uint32_t target, uint32_t index, uint32_t what, int32_t *out_value);
	void (*get_object)(uint32_t name, uint32_t what, uint32_t *out_value);
	void (*get_object_64)(uint32_t name, uint32_t what, uint64_t *out_value);

	void (*get_groups)(int32_t *out_count, int32_t size, uint32_t *out_groups);
	void (*get_counters)(uint32_t group, int32_t *out_count, int32_t *out_max_active,
			     int32_t size, uint32_t *out_counters);
	void (*get_group_string)(uint32_t group, int32_t size, int32_t *out_size, char *out_text);
	void (*get_counter_string)(uint32_t group, uint32_t counter, int32_t size,
				   int32_t *out_size, char *out_text);
	void (*get_counter_info)(uint32_t group, uint32_t counter, uint32_t what, void *out_value);
	void (*gen_monitors)(int32_t count, uint32_t *out_monitors);
	void (*delete_monitors)(int32_t count, uint32_t *monitors);
	void (*select_counters)(uint32_t monitor, uint8_t enable, uint32_t group, int32_t count,
				uint32_t *counters);
	void (*begin_monitor)(uint32_t monitor);
	void (*end_monitor)(uint32_t monitor);
	void (*get_monitor_data)(uint32_t monitor, uint32_t what, int32_t size, uint32_t *out_data,
				 int32_t *out_size);

	void (*get_first_perf_query)(uint32_t *out_query);
	void (*get_next_perf_query)(uint32_t query, uint32_t *out_next);
	void (*get_perf_query_info)(uint32_t query, uint32_t name_size, char *out_name,
				    uint32_t *out_data_size, uint32_t *out_counter_count,
				    uint32_t *out_instance_count, uint32_t *out_caps);
	void (*get_perf_counter_info)(uint32_t query, uint32_t counter, uint32_t name_size,
				      char *out_name, uint32_t description_size,
				      char *out_description, uint32_t *out_offset,
				      uint32_t *out_data_size, uint32_t *out_type,
				      uint32_t *out_data_type, uint64_t *out_raw_maximum);
	void (*create_perf_query)(uint32_t query, uint32_t *out_handle);
	void (*delete_perf_query)(uint32_t handle);
	void (*begin_perf_query)(uint32_t handle);
	void (*end_perf_query)(uint32_t handle);
	void (*get_perf_query_data)(uint32_t handle, uint32_t flags, int32_t size, void *out_data,
				    uint32_t *out_size);
};

/*
 * Fills the table for the context that is current on the calling thread, through libraries that the
 * process has loaded; loads none. NODEVICE without a context; VERSION when the driver lacks what
 * everything needs.
 */
int tacho__gl_find(struct tacho__gl *out_gl);
void tacho__gl_close(struct tacho__gl *gl);

/* version.c: what the context is. */
struct tacho__gl_version {
	uint32_t number; /* 45: OpenGL 4.5 */
	bool is_es;
	const char *vendor, *renderer, *text; /* the driver's; "" when it says nothing */
};
void tacho__gl_get_version(const struct tacho__gl *gl, struct tacho__gl_version *out_version);
bool tacho__gl_has_extension(const struct tacho__gl *gl, const char *name);

/* quirks.c: what is known of this driver, from data/khronos/quirks.yaml. */
struct tacho__gl_quirks {
	struct tacho__arena arena;
	const struct tacho__yaml *root;
	const struct tacho__gl_version *version;
};
/* NOMEM; PARSE for a file that is malformed. */
int tacho__gl_quirks_read(const struct tacho__gl_version *version,
			  struct tacho__gl_quirks *out_quirks);
void tacho__gl_quirks_finish(struct tacho__gl_quirks *quirks);
/* A flag of the driver: "software", "finish". */
bool tacho__gl_quirks_is(const struct tacho__gl_quirks *quirks, const char *flag);
/* The n-th note on a counter; NULL past the last. */
const char *tacho__gl_quirks_get_note(const struct tacho__gl_quirks *quirks, const char *counter,
				      size_t index);
/* Counters of different such blocks disturb each other. NULL: this one disturbs none. */
const char *tacho__gl_quirks_get_block(const struct tacho__gl_quirks *quirks, const char *counter);

enum tacho__gl_kind {
	TACHO__GL_QUERY,   /* a standard query: target and stream */
	TACHO__GL_TIME,	   /* a pair of time stamps, or a query of the time between */
	TACHO__GL_MONITOR, /* AMD_performance_monitor: group and counter */
	TACHO__GL_PERF,	   /* INTEL_performance_query: query, offset of the value */
};

/* What a pair of time stamps says; numbers as in data/khronos/stamps.yaml. */
enum tacho__gl_time {
	TACHO__GL_ELAPSED,  /* what lies between */
	TACHO__GL_START,    /* the first */
	TACHO__GL_STOP,	    /* the second */
	TACHO__GL_DURATION, /* what lies between */
	TACHO__GL_ACTIVE,   /* the same where the range has the GPU for itself; else nothing */
};

/* How a counter of the architecture is counted. */
struct tacho__gl_counter {
	enum tacho__gl_kind kind;
	enum tacho__gl_time time;
	uint32_t target;    /* or group, or query */
	uint32_t index;	    /* the stream; the counter in its group; the offset in the data */
	uint32_t type;	    /* of the value, as the extension names it */
	uint32_t size;	    /* of the value in the data */
	uint32_t data_size; /* of the whole query */
};

struct tacho__gl_device {
	struct tacho_device base;
	struct tacho__gl gl;
	void *context;
	struct tacho__gl_version version;
	struct tacho__gl_quirks quirks;
	bool has_stamps;     /* time comes from pairs of time stamps */
	uint32_t stamp_bits; /* that a time stamp has */
	bool has_query_buffer, has_any_samples;
	bool finishes;			    /* time is right only when nothing is under way */
	const struct tacho_catalog *source; /* where definitions come from */
	struct tacho__known own; /* what this context can count: struct tacho__gl_counter */
};

/* Whether the device's context is current on the calling thread. INVAL when it is not. */
int tacho__gl_check_current(const struct tacho__gl_device *device);

/* catalog.c: fills it, from the definition of the standard queries and what else is known. */
int tacho__gl_fill_catalog(struct tacho__gl_device *device, const struct tacho_arch *standard);
/* Adds a counter with how it is counted; the entry is copied. NOMEM, EXISTS. */
int tacho__gl_add_counter(struct tacho__gl_device *device, const struct tacho_entry *entry,
			  const struct tacho__gl_counter *how);

/* queries.c: the standard queries. NULL: the driver has it; else why it has not, or memory ran
 * out: then the error is set and *out_rc is NOMEM. */
const char *tacho__gl_explain_query(struct tacho__gl_device *device, uint32_t target,
				    uint32_t stream, int *out_rc);
/* Adds those of the definition to the catalog. */
int tacho__gl_add_queries(struct tacho__gl_device *device, const struct tacho_arch *from);
/* What is known of a counter's definition and of this driver; *out_rc as above. */
const char *tacho__gl_make_caveat(struct tacho__gl_device *device,
				  const struct tacho_entry *definition, int *out_rc);

/* times.c: adds a counter of the block gpu, or the reason why the driver has it not. */
int tacho__gl_add_time(struct tacho__gl_device *device, const struct tacho_entry *definition);
/* Whether ranges of a mode have this value. */
bool tacho__gl_has_time(const struct tacho__gl_counter *counter, uint32_t mode);
/* How the device counts in each mode. */
void tacho__gl_set_modes(struct tacho__gl_device *device);
const char *tacho__gl_explain(const struct tacho_device *device, const struct tacho_entry *entry,
			      uint32_t mode);
int tacho__gl_check_pass(struct tacho_device *device, const struct tacho_plan *plan, size_t pass);

/* amd.c: what GL_AMD_performance_monitor has. */
struct tacho__gl_group {
	const char *name;
	uint32_t id;
	uint32_t *counters; /* the driver's numbers */
	uint32_t counter_count, max_active;
};
struct tacho__gl_groups {
	struct tacho__gl_group *list;
	size_t count;
};
int tacho__gl_list_groups(struct tacho__gl_device *device, struct tacho__gl_groups *out_groups);
int tacho__gl_add_monitors(struct tacho__gl_device *device, const struct tacho__gl_groups *groups,
			   const struct tacho_arch *from);
/* The architecture whose blocks the groups are; NULL: none that is known. */
const struct tacho_arch *tacho__gl_recognize(const struct tacho__gl_device *device,
					     const struct tacho__gl_groups *groups);

/* intel.c: what GL_INTEL_performance_query has. */
int tacho__gl_add_perf_queries(struct tacho__gl_device *device);

/* program.c: what is done for a range in one pass. */
struct tacho__gl_source {
	enum tacho__gl_kind kind;
	uint32_t target, stream;
	uint32_t name; /* index of its first query object */
};
struct tacho__gl_value {
	const struct tacho__gl_counter *counter;
	const struct tacho__gl_source *source; /* of queries and times */
};
/* A target in which no query may be active when a range begins. */
struct tacho__gl_target {
	uint32_t target, stream;
};
struct tacho__gl_program {
	struct tacho__gl_source *sources;
	size_t source_count;
	struct tacho__gl_value *values; /* one per counter of the pass */
	size_t value_count;
	size_t name_count; /* query objects per range */
	struct tacho__gl_target *targets;
	size_t target_count; /* that must be free */
	bool has_monitor, has_perf, only_times;
	bool has_stamps;
	bool is_serialized; /* ranges begin and end with nothing else under way */
	uint32_t perf_query, perf_size;
};
/* GL objects for one range, used again for others of the same pass. */
struct tacho__gl_slot {
	struct tacho__gl_slot *next;
	uint32_t monitor, perf;
	uint32_t *names; /* name_count */
};
/* NOMEM; UNSUPPORTED for counters that cannot be together; INVAL for those of another device. */
int tacho__gl_program_make(const struct tacho__gl_device *device, struct tacho__arena *arena,
			   const struct tacho_plan_pass *pass,
			   struct tacho__gl_program *out_program);
/* A list of `count` slots, which live as long as the arena. */
int tacho__gl_slots_create(const struct tacho__gl_device *device,
			   const struct tacho__gl_program *program, struct tacho__arena *arena,
			   size_t count, struct tacho__gl_slot **out_first);
/* Deletes its objects of GL. */
void tacho__gl_slot_delete(const struct tacho__gl_device *device,
			   const struct tacho__gl_program *program, struct tacho__gl_slot *slot);
/* BUSY when the program itself has a query active that ours would disturb. */
int tacho__gl_slot_begin(const struct tacho__gl_device *device,
			 const struct tacho__gl_program *program, struct tacho__gl_slot *slot);
void tacho__gl_slot_end(const struct tacho__gl_device *device,
			const struct tacho__gl_program *program, struct tacho__gl_slot *slot);

/* read.c: values of a range that was ended. */
/* A clock of fewer than 64 bits begins again at 0: here it goes on. */
struct tacho__gl_clock {
	uint64_t time_ns; /* of the last time stamp that was read; 0: none was */
};
bool tacho__gl_slot_is_ready(const struct tacho__gl_device *device,
			     const struct tacho__gl_program *program,
			     const struct tacho__gl_slot *slot);
/* Into a row of the pass's, which is absent as yet. NOMEM. */
int tacho__gl_slot_read(const struct tacho__gl_device *device,
			const struct tacho__gl_program *program, const struct tacho__gl_slot *slot,
			struct tacho__gl_clock *clock, struct tacho__rows *rows, size_t row);

/* collect.c */
int tacho__gl_begin(struct tacho_device *device, const struct tacho__collection_options *options,
		    struct tacho__collection **out_collection);
int tacho__gl_begin_pass(struct tacho__collection *collection, uint32_t pass);
int tacho__gl_begin_range(struct tacho__collection *collection, uint64_t key, uint64_t parent);
int tacho__gl_end_range(struct tacho__collection *collection, uint64_t key);
int tacho__gl_drain(struct tacho__collection *collection, uint64_t timeout_ns);
void tacho__gl_end(struct tacho__collection *collection);

#endif
