/* SPDX-License-Identifier: MIT */
/*
 * What the program calls parts of its work: labels and render passes in command buffers, labels of
 * queues. A command buffer is a template, and so are its labels: they become ranges around the rows
 * of each submit. What is open at the end of a submit is a range of that one, and of the next.
 */
#ifndef TACHO_INJECT_VULKAN_VK_LABELS_H
#define TACHO_INJECT_VULKAN_VK_LABELS_H

#include <stdint.h>

struct vk_list;
struct vk_queue;
struct vk_label_info;

enum vk_label_event {
	VK_LABEL_BEGIN,
	VK_LABEL_END,
	VK_LABEL_INSERT,
	VK_PASS_BEGIN,
	VK_PASS_PART, /* ends the part of the pass before it */
	VK_PASS_END,
};

enum { VK_NAME_BYTES = 256 }; /* of which a recording keeps what fits */

struct vk_label {
	uint32_t before; /* the number of the command that comes next */
	uint32_t text;	 /* where it begins in the texts of the list */
	uint32_t color;	 /* 0xAARRGGBB; 0: none */
	uint8_t event;	 /* enum vk_label_event */
};

/* Of a list; used again with it. {0} at first. */
struct vk_labels {
	struct vk_label *all;
	uint32_t count, capacity;
	char *texts;
	uint32_t text_bytes, text_room;
};

/* Behind what was recorded. `text` may be NULL; it is copied. Where there is no memory it is lost,
 * and counted. */
void tacho__vulkan_labels_add(struct vk_list *list, enum vk_label_event event, const char *text,
			      uint32_t color);
void tacho__vulkan_labels_free(struct vk_labels *labels);

/* ---- telling ---- */

/* Labels that are open on a queue. Whoever has the queue uses it. */
struct vk_open_labels;

/* Around the rows of a submit, at whose tick they are told. */
void tacho__vulkan_labels_begin_submit(struct vk_queue *queue, uint64_t tick);
void tacho__vulkan_labels_end_submit(struct vk_queue *queue, uint64_t tick);

/* The list's labels from number `from` on that stand in front of the command; returns the first
 * behind that. Texts are used until the submit's end. */
uint32_t tacho__vulkan_labels_tell(struct vk_queue *queue, const struct vk_labels *labels,
				   uint32_t from, uint32_t command, uint64_t tick);

/* Around the rows of a command buffer that has a name. */
void tacho__vulkan_labels_begin_buffer(struct vk_queue *queue, const char *name, uint64_t tick);
void tacho__vulkan_labels_end_buffer(struct vk_queue *queue, uint64_t tick);

#endif
