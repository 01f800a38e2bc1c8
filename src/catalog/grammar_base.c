/* SPDX-License-Identifier: MIT */
/*
 * Units and what is counted in them. The unit of a counter is its block, and its name there is what
 * is left of it without the block's: SQ__WAVES is the counter SQ_WAVES of block SQ. Blocks of one
 * family are a unit, too, of which each is an instance.
 */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "catalog/grammar.h"

/* Of counters without a block. */
static const char no_unit[] = "global";

struct search {
	const struct tacho_arch *arch;
	bool ignores_case;
	const char *unit, *quantity;
};

static bool is_same(const struct search *search, const char *one, const char *other)
{
	return search->ignores_case ? !strcasecmp(one, other) : !strcmp(one, other);
}

/* A counter by the words of its name, in this block; NULL when there is none. */
static const struct tacho_entry *find_counter(const struct search *search, const char *block,
					      const char *prefix)
{
	const struct tacho_entry *entry;
	char name[TACHO__METRIC_NAME_MAX + 2];
	int size = snprintf(name, sizeof(name), "%s%s%s", prefix, *prefix ? "_" : "",
			    search->quantity);

	if ((size_t)size >= sizeof(name))
		return NULL;
	entry = tacho__arch_find_own(search->arch, name, search->ignores_case);
	return entry && entry->kind == TACHO_ENTRY_COUNTER && is_same(search, entry->block, block)
		       ? entry
		       : NULL;
}

/* Of a block that has others beside it, or another name than its family. */
static bool is_of_family(const struct search *search, const struct tacho_block *block)
{
	return is_same(search, block->family, search->unit) &&
	       strcmp(block->family, block->name) != 0;
}

/* Where blocks of the family may lie. Without regard to case it can be several: all of them. */
static struct tacho__family get_range(const struct search *search)
{
	const struct tacho__arch *own = tacho__arch_whole(search->arch);
	const struct tacho__family *family = tacho__names_get(&own->by_family, search->unit);

	if (search->ignores_case && tacho__names_get_folded(&own->by_family, search->unit))
		return (struct tacho__family){0, own->block_count};
	return family && !search->ignores_case ? *family : (struct tacho__family){0, 0};
}

static const struct tacho_entry *find_in_family(const struct search *search, size_t *at)
{
	const struct tacho__family range = get_range(search);
	const struct tacho_entry *entry = NULL;

	if (*at < range.first)
		*at = range.first;
	while (!entry && *at < range.end) {
		const struct tacho_block *block = tacho_arch_get_block(search->arch, (*at)++);

		if (is_of_family(search, block))
			entry = find_counter(search, block->name, block->name);
	}
	return entry;
}

/* So that a name of nothing but underscores is soon done. */
static bool is_unit(const struct search *search)
{
	const struct tacho__arch *own = tacho__arch_whole(search->arch);
	void *(*get)(const struct tacho__names *names, const char *key) =
		search->ignores_case ? tacho__names_get_folded : tacho__names_get;

	return get(&own->by_block, search->unit) || get(&own->by_family, search->unit) ||
	       is_same(search, search->unit, no_unit);
}

/* Where the name of a counter goes on behind its block's; NULL: it does not begin with that. */
static const char *get_quantity(const struct tacho_entry *entry)
{
	size_t size = strlen(entry->block);

	if (!size || strncmp(entry->name, entry->block, size) != 0 || entry->name[size] != '_' ||
	    !entry->name[size + 1])
		return NULL;
	return entry->name + size + 1;
}

bool tacho__base_of_family(const struct tacho_arch *arch, const struct tacho_entry *entry,
			   struct tacho__base *out_base)
{
	const struct tacho_block *block = entry->kind == TACHO_ENTRY_COUNTER
						  ? tacho_arch_find_block(arch, entry->block)
						  : NULL;
	const char *quantity = get_quantity(entry);

	if (!block || !quantity || !strcmp(block->family, block->name))
		return false;
	*out_base = (struct tacho__base){
		.entry = entry, .family = block->family, .quantity = quantity, .is_by_unit = true};
	return true;
}

/* The unit and the quantity are known; the counter, if there is one. */
static bool find_in_unit(const struct search *search, struct tacho__base *out_base)
{
	const struct tacho_entry *entry = find_counter(search, search->unit, search->unit);
	size_t at = 0;

	if (!entry)
		entry = find_counter(search, search->unit, "");
	if (!entry && is_same(search, search->unit, no_unit))
		entry = find_counter(search, "", "");
	if (entry) {
		*out_base = (struct tacho__base){.entry = entry, .is_by_unit = true};
		return true;
	}
	entry = find_in_family(search, &at);
	return entry && tacho__base_of_family(search->arch, entry, out_base);
}

/* The speed of light is what throughputs were called before. */
static bool find_throughput(const struct search *search, const char *name,
			    struct tacho__base *out_base)
{
	static const char old[] = "__sol";
	char throughput[TACHO__METRIC_NAME_MAX + 16];
	size_t size = strlen(name), old_size = sizeof(old) - 1;

	if (size <= old_size || !is_same(search, name + size - old_size, old))
		return false;
	snprintf(throughput, sizeof(throughput), "%.*s__throughput", (int)(size - old_size), name);
	out_base->entry = tacho__arch_find_own(search->arch, throughput, search->ignores_case);
	out_base->is_sol = true;
	return out_base->entry && out_base->entry->part_count;
}

bool tacho__base_find(const struct tacho_arch *arch, const char *name, bool ignores_case,
		      struct tacho__base *out_base)
{
	struct search search = {.arch = arch, .ignores_case = ignores_case};
	struct tacho__base base = {.entry = tacho__arch_find_own(arch, name, ignores_case)};
	char unit[TACHO__METRIC_NAME_MAX + 2];
	bool found = base.entry != NULL;

	search.unit = unit;
	for (const char *at = strstr(name, "__"); at && !found; at = strstr(at + 1, "__")) {
		snprintf(unit, sizeof(unit), "%.*s", (int)(at - name), name);
		search.quantity = at + 2;
		found = is_unit(&search) && find_in_unit(&search, &base);
	}
	if (!found)
		found = find_throughput(&search, name, &base);
	if (found)
		*out_base = base;
	return found;
}

const struct tacho_entry *tacho__base_next(const struct tacho_arch *arch,
					   const struct tacho__base *base, size_t *at)
{
	const struct search search = {
		.arch = arch, .unit = base->family, .quantity = base->quantity};

	return find_in_family(&search, at);
}

/* Is this what the name means, and not another counter or none? */
static bool means(const struct tacho_arch *arch, const char *name, const struct tacho_entry *entry)
{
	struct tacho__base base;

	return strlen(name) <= TACHO__METRIC_NAME_MAX &&
	       tacho__base_find(arch, name, false, &base) && base.entry == entry && !base.family;
}

/* Does it say a unit itself, "sm__warps_launched", "gpu__time_duration"? */
static bool has_unit(const struct tacho_entry *entry)
{
	const char *at = strstr(entry->name, "__");

	return entry->kind != TACHO_ENTRY_COUNTER || (at && at > entry->name && at[2]);
}

void tacho__base_format(const struct tacho_arch *arch, const struct tacho__base *base,
			struct tacho__buf *text)
{
	const struct tacho_entry *entry = base->entry;
	const char *quantity = get_quantity(entry);

	if (base->family) {
		tacho__buf_printf(text, "%s__%s", base->family, base->quantity);
		return;
	}
	if (!has_unit(entry)) {
		tacho__buf_printf(text, "%s__%s", *entry->block ? entry->block : no_unit,
				  quantity ? quantity : entry->name);
		if (text->failed || means(arch, tacho__buf_text(text), entry))
			return;
		tacho__buf_clear(text); /* its own name always means it */
	}
	tacho__buf_put(text, entry->name);
}

enum tacho__base_kind tacho__base_kind(const struct tacho_arch *arch,
				       const struct tacho__base *base)
{
	const struct tacho_entry *entry = base->entry;
	const char *semantic;

	if (entry->kind == TACHO_ENTRY_CONSTANT || *entry->availability ||
	    (entry->kind == TACHO_ENTRY_METRIC && !*entry->expression))
		return TACHO__BASE_NONE;
	semantic = tacho_arch_get_semantic(arch, entry);
	if (!semantic)
		return TACHO__BASE_UNKNOWN;
	if (*entry->joins) /* a moment */
		return TACHO__BASE_RATE;
	if (!strcmp(semantic, "event") || !strcmp(semantic, "duration"))
		return TACHO__BASE_AMOUNT;
	return entry->kind == TACHO_ENTRY_METRIC && !strcmp(semantic, "ratio") ? TACHO__BASE_RATIO
									       : TACHO__BASE_RATE;
}

const struct tacho_block *tacho__base_block(const struct tacho_arch *arch,
					    const struct tacho__base *base)
{
	return *base->entry->block ? tacho_arch_find_block(arch, base->entry->block) : NULL;
}

uint64_t tacho__base_instances(const struct tacho_arch *arch, const struct tacho__base *base)
{
	const struct tacho_block *block = tacho__base_block(arch, base);
	uint64_t instances = block ? block->instances : 1;
	size_t at = 0, count = 0;

	if (!base->family)
		return instances;
	while (tacho__base_next(arch, base, &at))
		count++;
	return count * instances;
}

void tacho__base_describe_unit(const struct tacho__base *base, char out_text[TACHO__REASON_MAX])
{
	const char *unit = base->family ? base->family : base->entry->block;

	snprintf(out_text, TACHO__REASON_MAX, "%s%.200s", *unit ? "unit " : "the device", unit);
}
