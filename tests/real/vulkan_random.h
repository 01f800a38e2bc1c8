/* SPDX-License-Identifier: MIT */
/* What a program of Vulkan made by chance consists of: vulkan_random.c. */
#ifndef TACHO_TESTS_REAL_VULKAN_RANDOM_H
#define TACHO_TESTS_REAL_VULKAN_RANDOM_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <vulkan/vulkan.h>

enum {
	NO_DEVICE = 77,
	LANES_MAX = 12,
	FAMILIES_MAX = 8,
	QUEUES_MAX = 2,
	WORDS = 1024,	 /* of a lane's memory, */
	HASHED = 768,	 /* of which the rest is of no known value */
	PRIMARIES = 5,	 /* command buffers of a lane, */
	SECONDARIES = 4, /* those that others run outside of render passes, */
	CONTINUING = 3,	 /* and in these */
	SLOTS = PRIMARIES + SECONDARIES + CONTINUING,
	CHILDREN_MAX = 8,
	QUERIES = 8, /* of the program's own of each kind */
};

/* Commands of which a device's rows are. */
enum kind {
	COPY_BUFFER,
	COPY_RESULTS,
	DISPATCH,
	DISPATCH_INDIRECT,
	DRAW,
	DRAW_INDIRECT,
	EXECUTE,
	FILL,
	PASS,
	RENDERING,
	UPDATE,
	WHOLE, /* a command buffer that is timed from outside */
	KINDS
};
extern const char *const kind_names[KINDS];

/* How many of each, and how many of these have times at least and at most. */
struct counts {
	uint64_t all[KINDS], least[KINDS], most[KINDS];
};

struct device {
	VkInstance instance;
	VkPhysicalDevice physical;
	VkDevice device;
	uint32_t family_count;
	VkQueueFamilyProperties families[FAMILIES_MAX];
	pthread_mutex_t locks[FAMILIES_MAX][QUEUES_MAX]; /* of each queue */
	uint32_t users[FAMILIES_MAX][QUEUES_MAX];	 /* lanes that have it */
	bool is_fake, draws_by_tile, has_statistics, has_conditions, has_pushes;
	VkDescriptorSetLayout set_layout, push_layout;
	VkPipelineLayout layout, pushed, empty;
	VkRenderPass pass;
	VkFramebuffer framebuffer;
	VkPipeline spin, pushed_spin, pass_drawing, drawing;
	VkBuffer numbers; /* what indirect commands and conditions read */
	VkDeviceMemory number_memory;
	PFN_vkCmdPushDescriptorSetKHR push;
	PFN_vkCmdBeginConditionalRenderingEXT begin_condition;
	PFN_vkCmdEndConditionalRenderingEXT end_condition;
};

/* Of `numbers`, in bytes. */
enum { ZERO_AT = 0, ONE_AT = 4, GROUPS_AT = 16, NO_GROUPS_AT = 32, DRAW_AT = 48, NO_DRAW_AT = 64 };

/* A command buffer. */
struct slot {
	VkCommandBuffer commands;
	bool is_secondary, continues, by_rendering; /* the latter: which kind of pass */
	VkCommandBufferUsageFlags flags;
	bool is_recorded, has_times, draws;
	uint64_t last; /* the last submit that it is in */
	struct slot *children[CHILDREN_MAX];
	uint32_t child_count;
	struct counts counts; /* with those that it runs */
};

/* A thread, and what is its own. */
struct lane {
	struct device *vk;
	uint32_t family, queue_number, rounds;
	VkQueue queue;
	bool is_timed, only_transfers;
	uint64_t seed;
	VkBuffer buffer;
	VkDeviceMemory memory;
	uint32_t *words;
	VkDescriptorPool descriptors;
	VkDescriptorSet set;
	VkCommandPool pool;
	VkQueryPool times, samples, statistics;
	VkEvent event;
	VkFence fence;
	VkSemaphore line;
	uint64_t line_now, line_waited; /* its value, and that which a submit waits for */
	uint64_t submits, ended;
	struct slot slots[SLOTS];
	struct counts counts;
	pthread_t thread;
};

/* For objects of the program: a driver of tests tells them by it from others; NULL on others. */
extern const VkAllocationCallbacks *allocator;

void check(VkResult result, const char *what);
/* Below `end`. */
uint32_t choose(struct lane *lane, uint32_t end);
bool happens(struct lane *lane, uint32_t percent);

/* vulkan_random_device.c; exit status 77: there is none. */
void make_device(struct device *vk);
void make_lane(struct lane *lane, struct device *vk, uint32_t family, uint32_t number);
void free_lane(struct lane *lane);
void free_device(struct device *vk);

/* vulkan_random_record.c: anew; nothing that uses the slot is on its way. */
void record(struct lane *lane, struct slot *slot);
/* The slot is not recorded any more, and neither is what runs it. */
void forget(struct lane *lane, struct slot *slot);
bool is_on_its_way(const struct lane *lane, const struct slot *slot);

#endif
