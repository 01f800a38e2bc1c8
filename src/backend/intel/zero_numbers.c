/* SPDX-License-Identifier: MIT */
/* Which numbers a program's Level Zero gives a GPU in this environment. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backend/intel/intel_private.h"
#include "base/buf.h"
#include "tacho/sys/oa_metrics.h"

#define MASK_VARIABLE "ZE_AFFINITY_MASK"

enum { CARDS_MAX = 64, TILES_MAX = 32 }; /* as cards.c has them */

/* Cards in Level Zero's order, and which of their tiles a program is shown. */
struct zero_view {
	const struct tacho__intel_card *cards[CARDS_MAX];
	uint32_t shown[CARDS_MAX];
	size_t count;
	bool is_flat; /* each tile is a device, not each card */
};

static uint32_t get_tiles(const struct tacho__intel_card *card)
{
	return card->tile_count < TILES_MAX ? card->tile_count : TILES_MAX;
}

static uint32_t get_all(const struct tacho__intel_card *card)
{
	return UINT32_MAX >> (TILES_MAX - get_tiles(card));
}

/* Intel's driver of Level Zero begins with Gen9, and opens the node for reading and writing. */
static bool is_served(const struct tacho__intel_card *card)
{
	static const char *const older[] = {"hsw", "bdw", "chv"};
	const struct tacho_oa_device device = {.device_id = card->device_id};
	const char *arch = tacho_oa_device_get_arch(&device);

	for (size_t i = 0; i < sizeof(older) / sizeof(older[0]); i++)
		if (!strcmp(arch, older[i]))
			return false;
	return *card->pci && (!access(card->node, R_OK | W_OK) || errno != EACCES);
}

/* Graphics inside a processor of Intel's is always there. */
static bool is_integrated(const struct tacho__intel_card *card)
{
	return !strcmp(card->pci, "0000:00:02.0");
}

/* Discrete ones stand first, unless the place on the bus alone is asked for. */
static bool is_before(const struct tacho__intel_card *a, const struct tacho__intel_card *b)
{
	const char *by_place = getenv("ZE_ENABLE_PCI_ID_DEVICE_ORDER");

	if ((!by_place || !atoi(by_place)) && is_integrated(a) != is_integrated(b))
		return is_integrated(b);
	return strcmp(a->pci, b->pci) < 0;
}

static void sort_in(struct zero_view *view, const struct tacho__intel_card *card)
{
	size_t at = view->count++;

	for (; at && is_before(card, view->cards[at - 1]); at--) {
		view->cards[at] = view->cards[at - 1];
		view->shown[at] = view->shown[at - 1];
	}
	view->cards[at] = card;
	view->shown[at] = get_all(card);
}

/* Where nothing is said, GPUs of several tiles are flat; to those of one it makes no difference. */
static bool choose_flat(const struct zero_view *view)
{
	const char *wish = getenv("ZE_FLAT_DEVICE_HIERARCHY");

	if (wish && !strcmp(wish, "COMPOSITE"))
		return false;
	if (wish && (!strcmp(wish, "FLAT") || !strcmp(wish, "COMBINED")))
		return true;
	for (size_t i = 0; i < view->count; i++)
		if (get_tiles(view->cards[i]) > 1)
			return true;
	return false;
}

/* A word of the mask: "1", or "1.0" for a tile. What names nothing shows nothing. */
static void show(struct zero_view *view, const char *word, uint32_t *shown)
{
	char *end;
	unsigned long number = strtoul(word, &end, 10), tile;

	if (end == word)
		return;
	for (size_t i = 0; view->is_flat && *end != '.' && i < view->count; i++) {
		uint32_t tiles = get_tiles(view->cards[i]);

		if (number < tiles) {
			shown[i] |= UINT32_C(1) << number;
			return;
		}
		number -= tiles;
	}
	if (view->is_flat || number >= view->count)
		return;
	tile = *end == '.' ? strtoul(end + 1, &end, 10) : TILES_MAX;
	if (tile == TILES_MAX)
		shown[number] = get_all(view->cards[number]);
	else if (tile < get_tiles(view->cards[number]) && *end != '.')
		shown[number] |= UINT32_C(1) << tile;
}

/* The mask chooses; it does not change the order. */
static void apply_mask(struct zero_view *view)
{
	const char *mask = getenv(MASK_VARIABLE);
	uint32_t shown[CARDS_MAX] = {0};

	if (!mask || !*mask || !strcmp(mask, "default"))
		return;
	while (*mask) {
		show(view, mask, shown);
		mask += strcspn(mask, ",");
		mask += *mask == ',';
	}
	memcpy(view->shown, shown, sizeof(shown));
}

static unsigned count_devices(const struct zero_view *view, size_t index)
{
	return view->is_flat ? (unsigned)__builtin_popcount(view->shown[index])
			     : view->shown[index] != 0;
}

/* " (tiles 0, 1)", where it is a part of the card. */
static void put_tiles(const struct zero_view *view, size_t index, struct tacho__buf *text)
{
	const struct tacho__intel_card *card = view->cards[index];
	const char *between = __builtin_popcount(view->shown[index]) > 1 ? " (tiles " : " (tile ";

	if (view->shown[index] == get_all(card))
		return;
	for (uint32_t tile = 0; tile < get_tiles(card); tile++) {
		if (!(view->shown[index] >> tile & 1))
			continue;
		tacho__buf_printf(text, "%s%u", between, (unsigned)tile);
		between = ", ";
	}
	tacho__buf_char(text, ')');
}

/* cards[index] is served. */
static void put_numbers(const struct zero_view *view, const struct tacho__intel_card *card,
			struct tacho__buf *text)
{
	unsigned first = 0, count;
	size_t at = 0;

	for (; view->cards[at] != card; at++)
		first += count_devices(view, at);
	count = count_devices(view, at);
	if (!count) {
		tacho__buf_put(text, ", hidden by " MASK_VARIABLE);
		return;
	}
	tacho__buf_printf(text, ", Level Zero device%s %u", count > 1 ? "s" : "", first);
	for (unsigned i = 1; i < count; i++)
		tacho__buf_printf(text, ", %u", first + i);
	put_tiles(view, at, text);
}

const char *tacho__intel_describe_zero(struct tacho__arena *arena,
				       const struct tacho__intel_card *cards, size_t count,
				       size_t index)
{
	struct zero_view view = {.count = 0};
	struct tacho__buf text = {0};

	if (!is_served(&cards[index]))
		return "";
	for (size_t i = 0; i < count && view.count < CARDS_MAX; i++)
		if (is_served(&cards[i]))
			sort_in(&view, &cards[i]);
	view.is_flat = choose_flat(&view);
	apply_mask(&view);
	put_numbers(&view, &cards[index], &text);
	return tacho__buf_keep(&text, arena);
}
