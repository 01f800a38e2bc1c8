/* SPDX-License-Identifier: MIT */
#include "inject/vulkan/vk_labels.h"

#include <stdlib.h>
#include <string.h>

#include "inject/vulkan/vk_buffers.h"
#include "inject/vulkan/vk_devices.h"
#include "inject/vulkan/vk_lists.h"
#include "intercept/intercept.h"
#include "tacho/recording.h"

enum { LABELS_FIRST = 16, TEXTS_FIRST = 512, LEVELS_MAX = 64 };

/* ---- in lists ---- */

static bool make_label_room(struct vk_labels *labels)
{
	uint32_t capacity = labels->capacity ? 2 * labels->capacity : LABELS_FIRST;
	struct vk_label *grown;

	if (labels->count < labels->capacity)
		return true;
	grown = capacity > labels->capacity ? realloc(labels->all, capacity * sizeof(*grown))
					    : NULL;
	if (!grown)
		return false;
	labels->all = grown;
	labels->capacity = capacity;
	return true;
}

static bool make_text_room(struct vk_labels *labels, uint32_t bytes)
{
	uint32_t room = labels->text_room ? 2 * labels->text_room : TEXTS_FIRST;
	char *grown;

	if (bytes <= labels->text_room - labels->text_bytes)
		return true;
	grown = room > labels->text_room ? realloc(labels->texts, room) : NULL;
	if (!grown)
		return false;
	labels->texts = grown;
	labels->text_room = room;
	return true;
}

void tacho__vulkan_labels_add(struct vk_list *list, enum vk_label_event event, const char *text,
			      uint32_t color)
{
	struct vk_labels *labels = &list->labels;
	uint32_t size = text ? (uint32_t)strnlen(text, VK_NAME_BYTES - 1) : 0;

	if (!make_label_room(labels) || !make_text_room(labels, size + 1)) {
		list->dropped++;
		return;
	}
	labels->all[labels->count++] = (struct vk_label){.before = list->count,
							 .text = labels->text_bytes,
							 .color = color,
							 .event = (uint8_t)event};
	if (size)
		memcpy(labels->texts + labels->text_bytes, text, size);
	labels->texts[labels->text_bytes + size] = '\0';
	labels->text_bytes += size + 1;
}

void tacho__vulkan_labels_free(struct vk_labels *labels)
{
	free(labels->all);
	free(labels->texts);
}

/* ---- what the program calls ---- */

static uint32_t to_byte(float part)
{
	return part >= 1 ? 255 : part > 0 ? (uint32_t)(part * 255 + 0.5f) : 0;
}

static uint32_t to_color(const float color[4])
{
	return to_byte(color[3]) << 24 | to_byte(color[0]) << 16 | to_byte(color[1]) << 8 |
	       to_byte(color[2]);
}

static void add(const void *handle, enum vk_label_event event, const struct vk_label_info *info)
{
	struct vk_buffer *buffer = tacho__vulkan_find_buffer(handle);

	if (buffer && buffer->list)
		tacho__vulkan_labels_add(buffer->list, event, info ? info->name : NULL,
					 info ? to_color(info->color) : 0);
}

void tacho__vulkan_begin_label(void *commandBuffer, void const *pLabelInfo)
{
	add(commandBuffer, VK_LABEL_BEGIN, pLabelInfo);
}

void tacho__vulkan_end_label(void *commandBuffer)
{
	add(commandBuffer, VK_LABEL_END, NULL);
}

void tacho__vulkan_insert_label(void *commandBuffer, void const *pLabelInfo)
{
	add(commandBuffer, VK_LABEL_INSERT, pLabelInfo);
}

/* ---- what is open on a queue ---- */

enum source { OF_BUFFER, OF_QUEUE, OF_PASS, OF_PASS_PART, OF_NAME };

struct open {
	const char *name; /* `kept`, or of a list that is told just now */
	uint32_t color, level;
	enum source source;
	char kept[VK_NAME_BYTES];
};

struct vk_open_labels {
	uint32_t count;
	uint32_t excess; /* that were begun when there was no more room */
	struct open open[LEVELS_MAX];
};

/* NULL: no memory. */
static struct vk_open_labels *get_open(struct vk_queue *queue)
{
	if (!queue->labels)
		queue->labels = calloc(1, sizeof(*queue->labels));
	return queue->labels;
}

static void tell(const struct vk_queue *queue, uint32_t event, const struct open *open,
		 uint64_t tick)
{
	bool is_pass = open->source == OF_PASS || open->source == OF_PASS_PART;
	const struct tacho__range_note note = {
		.event = event,
		.color = open->color,
		.has_color = open->color != 0,
		.id = (uintptr_t)queue->handle,
		.level = open->level,
		.api = "vulkan",
		.domain = "",
		.name = event == TACHO__RANGE_POP ? NULL : open->name,
		.kind = event == TACHO__RANGE_MARK ? TACHO_RANGE_MARK
			: is_pass		   ? TACHO_RANGE_PASS
						   : TACHO_RANGE_LABEL,
		.api_id = TACHO__API_ID,
		.queue = (uintptr_t)queue->handle,
		.tick = tick,
	};

	tacho__intercept_range(&note);
}

static void tell_excess(void)
{
	static atomic_flag told = ATOMIC_FLAG_INIT;

	if (!atomic_flag_test_and_set(&told))
		tacho__intercept_process("unwatched=labels that are more than 64 deep\n");
}

/* NULL: there is no room for it. */
static struct open *push(struct vk_queue *queue, enum source source, const char *name,
			 uint32_t color)
{
	struct vk_open_labels *labels = get_open(queue);
	struct open *open;

	if (!labels)
		return NULL;
	if (labels->count == LEVELS_MAX) {
		labels->excess += source == OF_BUFFER || source == OF_QUEUE;
		tell_excess();
		return NULL;
	}
	open = &labels->open[labels->count];
	open->name = name;
	open->color = color;
	open->level = labels->count ? open[-1].level + 1 : 1;
	open->source = source;
	labels->count++;
	return open;
}

static void begin(struct vk_queue *queue, enum source source, const char *name, uint32_t color,
		  uint64_t tick)
{
	const struct open *open = push(queue, source, name, color);

	if (open)
		tell(queue, TACHO__RANGE_PUSH, open, tick);
}

/* The innermost from there, which need not be the innermost of all. False: there is none. */
static bool end(struct vk_queue *queue, enum source source, bool is_told, uint64_t tick)
{
	struct vk_open_labels *labels = queue->labels;
	uint32_t at = labels ? labels->count : 0;

	while (at && labels->open[at - 1].source != source)
		at--;
	if (!at)
		return false;
	if (is_told)
		tell(queue, TACHO__RANGE_POP, &labels->open[at - 1], tick);
	for (uint32_t i = at; i < labels->count; i++) {
		struct open *to = &labels->open[i - 1];
		bool is_kept = labels->open[i].name == labels->open[i].kept;

		*to = labels->open[i];
		if (is_kept)
			to->name = to->kept;
	}
	labels->count--;
	return true;
}

/* One for which there was no room lies innermost. */
static void end_label(struct vk_queue *queue, enum source source, bool is_told, uint64_t tick)
{
	if (queue->labels && queue->labels->excess)
		queue->labels->excess--;
	else
		end(queue, source, is_told, tick);
}

static void end_pass(struct vk_queue *queue, uint64_t tick)
{
	end(queue, OF_PASS_PART, true, tick);
	end(queue, OF_PASS, true, tick);
}

/* ---- submits ---- */

void tacho__vulkan_labels_begin_submit(struct vk_queue *queue, uint64_t tick)
{
	for (uint32_t i = 0; queue->labels && i < queue->labels->count; i++)
		tell(queue, TACHO__RANGE_PUSH, &queue->labels->open[i], tick);
}

static void keep_name(struct open *open)
{
	size_t size = strlen(open->name);

	if (open->name == open->kept)
		return;
	if (size >= VK_NAME_BYTES)
		size = VK_NAME_BYTES - 1;
	memcpy(open->kept, open->name, size);
	open->kept[size] = '\0';
	open->name = open->kept;
}

/* Lists and their texts may be gone before the next submit. */
void tacho__vulkan_labels_end_submit(struct vk_queue *queue, uint64_t tick)
{
	for (uint32_t i = queue->labels ? queue->labels->count : 0; i-- > 0;) {
		tell(queue, TACHO__RANGE_POP, &queue->labels->open[i], tick);
		keep_name(&queue->labels->open[i]);
	}
}

static void insert(struct vk_queue *queue, const char *name, uint32_t color, uint64_t tick)
{
	const struct open mark = {.name = name, .color = color};

	tell(queue, TACHO__RANGE_MARK, &mark, tick);
}

static void tell_label(struct vk_queue *queue, const struct vk_label *label, const char *text,
		       uint64_t tick)
{
	switch ((enum vk_label_event)label->event) {
	case VK_LABEL_BEGIN: begin(queue, OF_BUFFER, text, label->color, tick); break;
	case VK_LABEL_END: end_label(queue, OF_BUFFER, true, tick); break;
	case VK_LABEL_INSERT: insert(queue, text, label->color, tick); break;
	case VK_PASS_BEGIN:
		end_pass(queue, tick); /* none is in another */
		begin(queue, OF_PASS, text, 0, tick);
		break;
	case VK_PASS_PART:
		end(queue, OF_PASS_PART, true, tick);
		begin(queue, OF_PASS_PART, text, 0, tick);
		break;
	case VK_PASS_END: end_pass(queue, tick); break;
	}
}

uint32_t tacho__vulkan_labels_tell(struct vk_queue *queue, const struct vk_labels *labels,
				   uint32_t from, uint32_t command, uint64_t tick)
{
	for (; from < labels->count && labels->all[from].before <= command; from++)
		tell_label(queue, &labels->all[from], labels->texts + labels->all[from].text, tick);
	return from;
}

void tacho__vulkan_labels_begin_buffer(struct vk_queue *queue, const char *name, uint64_t tick)
{
	begin(queue, OF_NAME, name, 0, tick);
}

void tacho__vulkan_labels_end_buffer(struct vk_queue *queue, uint64_t tick)
{
	end(queue, OF_NAME, true, tick);
}

/* ---- labels of queues: told with the submits that follow ---- */

void tacho__vulkan_begin_queue_label(void *queue, void const *pLabelInfo)
{
	struct vk_queue *known = tacho__vulkan_find_queue(queue);
	const struct vk_label_info *info = pLabelInfo;
	struct open *open =
		known ? push(known, OF_QUEUE, info->name ? info->name : "", to_color(info->color))
		      : NULL;

	if (open)
		keep_name(open);
}

void tacho__vulkan_end_queue_label(void *queue)
{
	struct vk_queue *known = tacho__vulkan_find_queue(queue);

	if (known)
		end_label(known, OF_QUEUE, false, 0);
}

void tacho__vulkan_insert_queue_label(void *queue, void const *pLabelInfo)
{
	struct vk_queue *known = tacho__vulkan_find_queue(queue);
	const struct vk_label_info *info = pLabelInfo;

	if (known)
		insert(known, info->name ? info->name : "", to_color(info->color), 0);
}
