/* SPDX-License-Identifier: MIT */
/* Intel's GPUs as sysfs shows them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "backend/intel/intel_private.h"
#include "base/buf.h"
#include "base/error.h"
#include "base/fs.h"

enum {
	FILE_MAX = 4096, /* a page: the most that a file of sysfs has */
	CARDS_MAX = 64,
	NODES_MAX = 64,
	TILES_MAX = 32,
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
		rc = rc == TACHO_E_NOMEM ? rc : TACHO_E_NOTFOUND;
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

	tacho__buf_printf(&text, "%s%s%s", first, middle, last);
	return tacho__buf_keep(&text, arena);
}

/* The line's value, in the arena; "" when there is none. NULL: no memory. */
static const char *get_line(struct tacho__arena *arena, const char *text, const char *key)
{
	const char *line = strstr(text, key);

	if (!line)
		return "";
	line += strlen(key);
	return tacho__arena_text(arena, line, strcspn(line, "\n"));
}

/*
 * The driver that the device has, and where it is; *out_counts is 0 for one that does not count.
 * NOMEM.
 */
static int read_event(struct tacho__arena *arena, const char *folder,
		      struct tacho__intel_card *card, int *out_counts)
{
	struct tacho__buf path = {0}, text = {0};
	int rc;

	tacho__buf_printf(&path, "%s/device/uevent", folder);
	rc = path.failed ? TACHO_E_NOMEM : tacho__fs_read(path.text, FILE_MAX, &text);
	*out_counts = 0;
	card->pci = rc ? "" : get_line(arena, tacho__buf_text(&text), "PCI_SLOT_NAME=");
	if (!card->pci)
		rc = TACHO_E_NOMEM;
	if (!rc && strstr(tacho__buf_text(&text), "DRIVER=i915\n")) {
		card->driver = TACHO_OA_I915;
		*out_counts = 1;
	} else if (!rc && strstr(tacho__buf_text(&text), "DRIVER=xe\n")) {
		card->driver = TACHO_OA_XE;
		*out_counts = 1;
	}
	tacho__buf_finish(&path);
	tacho__buf_finish(&text);
	return rc == TACHO_E_NOMEM ? rc : 0;
}

/* Its node for programs that only compute, which needs less rights; else that of the card. */
static const char *find_node(struct tacho__arena *arena, const char *sysroot, const char *folder,
			     const char *name)
{
	const char *path = join(arena, folder, "/device/drm", "");
	const char *node = join(arena, sysroot, "dev/dri/", name);
	struct tacho__fs_names nodes = {0};
	int rc = path ? tacho__fs_list(arena, path, NODES_MAX, &nodes) : TACHO_E_NOMEM;

	if (rc == TACHO_E_NOMEM)
		return NULL;
	for (size_t i = 0; i < nodes.count; i++)
		if (!strncmp(nodes.names[i], "renderD", 7))
			node = join(arena, sysroot, "dev/dri/", nodes.names[i]);
	free(nodes.names);
	return node;
}

/* Of a driver that does not show tiles, the card is one. NOMEM. */
static int count_tiles(struct tacho__arena *arena, struct tacho__intel_card *card)
{
	char name[32];
	mode_t kind = S_IFDIR;

	for (uint32_t i = 0; kind && i < TILES_MAX; i++) {
		const char *path;

		snprintf(name, sizeof(name), "/device/tile%u", (unsigned)i);
		path = join(arena, card->folder, name, "");
		if (!path)
			return TACHO_E_NOMEM;
		if (tacho__fs_get_kind(path, &kind) || !kind)
			break;
		card->tile_count = i + 1;
	}
	card->tile_count += !card->tile_count;
	return 0;
}

/* 1 when it is one of ours. */
static int look_at(struct tacho__arena *arena, const char *sysroot, unsigned number,
		   struct tacho__intel_card *out_card)
{
	struct tacho__intel_card card = {0};
	char name[16];
	uint64_t vendor, device;
	int counts, rc;

	snprintf(name, sizeof(name), "card%u", number);
	card.folder = join(arena, sysroot, "sys/class/drm/", name);
	if (!card.folder)
		return TACHO_E_NOMEM;
	rc = tacho__intel_read_number(card.folder, "device/vendor", &vendor);
	if (!rc && vendor == INTEL)
		rc = tacho__intel_read_number(card.folder, "device/device", &device);
	if (rc || vendor != INTEL || device > 0xffff)
		return rc == TACHO_E_NOMEM ? rc : 0;
	rc = read_event(arena, card.folder, &card, &counts);
	if (rc || !counts)
		return rc;
	card.device_id = (uint32_t)device;
	card.name = tacho__arena_string(arena, name);
	card.node = find_node(arena, sysroot, card.folder, name);
	if (!card.name || !card.node || count_tiles(arena, &card))
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
