/* SPDX-License-Identifier: MIT */
/*
 * A driver of Vulkan without a device. It fills, copies, keeps time and lets queues wait for one
 * another, each on a thread of its own; whatever else a command does it leaves out. It complains,
 * on stderr, of what an application must not do and drivers do not look at, and it says what the
 * variable FAKE_VULKAN tells it to say, as drivers do that are old, lost or wrong.
 *
 *   bits=N          valid bits of the first family's time stamps (64)
 *   period=N        picoseconds of a tick (1000)
 *   version=N       the minor version of Vulkan (3)
 *   lost=N          at the N-th submit the device is lost
 *   full=N          the N-th submit fails for want of memory
 *   refuse          devices with an extension more than swapchains are not made
 *   uncalibrated    clocks are not read together
 *   no_reset        there is no resetting of queries on the host
 *   bare            functions have no names but those of the core
 *   silent          no result of a query is written
 *   garbage         each is a number by chance
 *   backwards       time runs backwards
 *   equal           time stands still
 *   each_view       a time for several views is written for each: what follows the first
 *                   takes fifty thousand ticks more; else a 0
 *   late            a submit with a fence alone ends two milliseconds late
 *   stingy=N        of what is made without callbacks for its memory, or in a pool made so, each
 *                   N-th time there is no memory
 *   loud            each live object at a device's end is told by its function
 *
 * Families: 0 graphics, compute and transfer, 2 queues; 1 transfer only, 2 queues; 2 video and
 * transfer; 3 compute, 16 valid bits; 4 compute, none; 5 compute, 36; 6 transfer, none.
 */
#ifndef TACHO_TESTS_FAKE_VULKAN_FAKE_H
#define TACHO_TESTS_FAKE_VULKAN_FAKE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <vulkan/vk_icd.h>
#include <vulkan/vulkan.h>

enum { FAMILIES = 7, QUEUES_MAX = 2, TIME_BITS_MAX = 64 };

struct options {
	uint32_t bits, period, version, lost, full, stingy;
	bool refuse, uncalibrated, no_reset, bare, silent, garbage, backwards, equal, each_view,
		late, loud;
};

/* Guarded by `lock`, but what a command buffer holds: that is of who records. */
struct driver {
	pthread_mutex_t lock;
	pthread_cond_t changed; /* work ended, or a semaphore was signalled */
	struct options options;
	uint32_t submits;
	uint32_t wishes;      /* of those that `stingy` is about */
	uint64_t clock_ns;    /* of `backwards` and `equal` */
	uint64_t views_ticks; /* of `each_view` */
};
extern struct driver driver;

/* Says it on stderr. */
__attribute__((format(printf, 1, 2))) void complain(const char *format, ...);

struct queue {
	VK_LOADER_DATA loader; /* first, as of all that the loader hands out */
	struct device *device;
	uint32_t family;
	struct work *first, *last;
	pthread_t thread;
	pthread_cond_t has_work;
	bool has_thread;
	bool is_suspended; /* the last rendering was */
};

struct device {
	VK_LOADER_DATA loader;
	bool is_lost, ends, has_host_reset, is_calibrated;
	uint32_t group_size;
	int64_t objects; /* that live */
	struct queue queues[FAMILIES][QUEUES_MAX];
};

enum command_kind {
	OTHER,
	RENDER,
	END_RENDER,
	TIME,
	RESET,
	COPY_RESULTS,
	FILL,
	COPY,
	UPDATE,
	EXECUTE
};

struct command {
	enum command_kind kind;
	uint32_t first, count; /* queries, or what is filled with */
	uint32_t flags;
	void *object, *target;
	uint64_t at, bytes, stride;
};

struct buffer {
	VK_LOADER_DATA loader;
	struct pool *pool;
	struct buffer *next;
	VkCommandBufferUsageFlags usage;
	bool is_secondary, is_in_pass, is_recorded;
	uint32_t rendering; /* flags of the one that it is in */
	uint32_t views;	    /* of the pass that it is in; 0: one */
	int pending;	    /* guarded: submits that it is in */
	struct command *commands;
	uint32_t count, room;
};

struct pool {
	struct device *device;
	uint32_t family;
	bool is_protected;
	bool is_stinted; /* `stingy` is about its command buffers */
	struct buffer *first;
};

struct memory {
	uint64_t bytes;
	uint8_t *data;
};

struct data_buffer {
	uint64_t bytes, at;
	struct memory *memory;
};

enum query_state { NEVER_RESET, IS_RESET, IS_WRITTEN };

struct queries {
	uint32_t count;
	int pending; /* guarded: command buffers on their way that use it */
	uint8_t *states;
	uint64_t *values;
};

struct fence {
	pthread_cond_t signalled;
	bool is_signalled, is_pending;
};

struct semaphore {
	bool is_timeline;
	uint64_t value; /* of a binary one 0 or 1 */
};

extern const uint32_t family_flags[FAMILIES];
uint32_t family_bits(uint32_t family);
uint32_t family_queues(uint32_t family);

/* A function by its name; NULL: it is not this file's. */
PFN_vkVoidFunction find_instance_function(const char *name);
PFN_vkVoidFunction find_object_function(const char *name);
PFN_vkVoidFunction find_command_function(const char *name);
PFN_vkVoidFunction find_query_function(const char *name);
PFN_vkVoidFunction find_queue_function(const char *name);
/* All of a device. */
PFN_vkVoidFunction find_function(const char *name);

/* Whether there is no memory this time. */
bool is_short(const void *allocator);

/* Objects of no further meaning. */
void *make_object(VkDevice device, size_t bytes);
void drop_object(VkDevice device, void *object);

/* Runs what a command buffer holds, on the thread of its queue. */
void run_buffer(struct queue *queue, const struct buffer *buffer);
void run_queries(const struct queue *queue, const struct command *command);
/* NULL: there is no memory, and the program ends. */
struct command *add_command(VkCommandBuffer handle, enum command_kind kind);

void begin_queue(struct device *device, uint32_t family, uint32_t index);
void end_queues(struct device *device);

uint64_t read_ticks(void);

struct entry {
	const char *name;
	PFN_vkVoidFunction function;
};
PFN_vkVoidFunction find_entry(const struct entry *entries, const char *name);
#define ENTRY(function)                                        \
	{                                                      \
#function, (PFN_vkVoidFunction)fake_##function \
	}

#endif
