/* SPDX-License-Identifier: MIT */
/* Intel's GPUs as sysfs shows them. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/intel/inside.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/fs.h"

enum {
	FILE_MAX = 4096, /* a page: the most that a file of sysfs has */
	CARDS_MAX = 64,
	INTEL = 0x8086, /* of PCI */
};

int tacho__intel_read_number(const char *folder, const char *name, uint64_t *out_number)
{
	struct tacho__buf path = {0}, text = {0};
	const char *begin;
	char *end;
	uint64_t number;
	int rc;

	tacho__buf_printf(&path, "%s/%s", folder, name);
	rc = path.failed ? TACHO_E_NOMEM : tacho__fs_read(path.text, FILE_MAX, &text);
	begin = tacho__buf_text(&text);
	number = strtoull(begin, &end, 0);
	if (rc)
		rc = TACHO_E_NOTFOUND;
	else if (end == begin || *begin == '-' || (*end && *end != '\n'))
		rc = TACHO_E_PARSE;
	else
		*out_number = number;
	tacho__buf_finish(&path);
	tacho__buf_finish(&text);
	return rc;
}

static const char *join(struct tacho__arena *arena, const char *first, const char *middle,
			const char *last)
{
	struct tacho__buf text = {0};
	const char *copy;

	tacho__buf_printf(&text, "%s%s%s", first, middle, last);
	copy = tacho__arena_text(arena, tacho__buf_text(&text), text.size);
	tacho__buf_finish(&text);
	return copy;
}

/* The driver that the device has; -1: none that counts. */
static int find_driver(const char *folder)
{
	struct tacho__buf path = {0}, text = {0};
	int driver = -1;

	tacho__buf_printf(&path, "%s/device/uevent", folder);
	if (!path.failed && !tacho__fs_read(path.text, FILE_MAX, &text)) {
		if (strstr(tacho__buf_text(&text), "DRIVER=i915\n"))
			driver = TACHO_OA_I915;
		else if (strstr(tacho__buf_text(&text), "DRIVER=xe\n"))
			driver = TACHO_OA_XE;
	}
	tacho__buf_finish(&path);
	tacho__buf_finish(&text);
	return driver;
}

/* Its node for programs that only compute, which needs less rights; else that of the card. */
static const char *find_node(struct tacho__arena *arena, const char *sysroot, const char *folder,
			     const char *name)
{
	const char *path = join(arena, folder, "/device/drm", "");
	DIR *nodes = path ? opendir(path) : NULL;
	const char *node = join(arena, sysroot, "dev/dri/", name);
	struct dirent *entry;

	while (nodes && (entry = readdir(nodes)))
		if (!strncmp(entry->d_name, "renderD", 7))
			node = join(arena, sysroot, "dev/dri/", entry->d_name);
	if (nodes)
		closedir(nodes);
	return node;
}

/* 1 when it is one of ours. */
static int look_at(struct tacho__arena *arena, const char *sysroot, unsigned number,
		   struct tacho__intel_card *out_card)
{
	struct tacho__intel_card card = {0};
	char name[16];
	uint64_t vendor, device;
	int driver;

	snprintf(name, sizeof(name), "card%u", number);
	card.folder = join(arena, sysroot, "sys/class/drm/", name);
	if (!card.folder)
		return TACHO_E_NOMEM;
	if (tacho__intel_read_number(card.folder, "device/vendor", &vendor) || vendor != INTEL ||
	    tacho__intel_read_number(card.folder, "device/device", &device) || device > 0xffff)
		return 0;
	driver = find_driver(card.folder);
	if (driver < 0)
		return 0;
	card.driver = (enum tacho_oa_driver)driver;
	card.device_id = (uint32_t)device;
	card.name = tacho__arena_string(arena, name);
	card.node = find_node(arena, sysroot, card.folder, name);
	if (!card.name || !card.node)
		return TACHO_E_NOMEM;
	*out_card = card;
	return 1;
}

int tacho__intel_list_cards(struct tacho__arena *arena, const char *sysroot,
			    const struct tacho__intel_card **out_cards, size_t *out_count)
{
	struct tacho__intel_card *cards = tacho__arena_get(arena, CARDS_MAX * sizeof(*cards));
	size_t count = 0;

	if (!cards)
		return TACHO_E_NOMEM;
	for (unsigned i = 0; i < CARDS_MAX; i++) {
		int rc = look_at(arena, sysroot, i, &cards[count]);

		if (rc < 0)
			return rc;
		count += (size_t)rc;
	}
	*out_cards = cards;
	*out_count = count;
	return 0;
}
