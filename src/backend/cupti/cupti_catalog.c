/* SPDX-License-Identifier: MIT */
/*
 * Chips become architectures. NVIDIA's library names a metric by a base and an ending; there are
 * thousands of bases on a chip, which are listed, and a hundred thousand whole names, which are
 * entries once they are asked for. The library works all of them out itself: none has an expression
 * here, and to tacho each is a counter.
 */
#include <ctype.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "backend/cupti/cupti_chip.h"
#include "base/array.h"
#include "base/error.h"

/* By type. */
static const struct {
	const char *group;
	const char *ending; /* that a base means when nothing stands behind it */
} types[] = {
	[TACHO__CUPTI_COUNTER] = {"counter", ".sum"},
	[TACHO__CUPTI_RATIO] = {"ratio", ".ratio"},
	[TACHO__CUPTI_THROUGHPUT] = {"throughput", ".avg.pct_of_peak_sustained_elapsed"},
};

static bool ends_with(const char *text, const char *end)
{
	size_t size = strlen(text), end_size = strlen(end);

	return size >= end_size && !strcmp(text + size - end_size, end);
}

/* Sums and averages double with the work. */
static const char *get_semantic(const char *name, const struct tacho__cupti_facts *facts)
{
	if (facts->type != TACHO__CUPTI_COUNTER)
		return "ratio";
	if (ends_with(name, ".per_second"))
		return "throughput";
	if (ends_with(name, ".sum") || ends_with(name, ".avg") || !strchr(name, '.'))
		return strcmp(facts->unit, "nanosecond") != 0 ? "event" : "duration";
	return "ratio";
}

/* The library's words for units that tacho has a word for, too. */
static const char *get_unit(const char *unit)
{
	static const struct {
		const char *theirs, *ours;
	} words[] = {
		{"byte", "bytes"},
		{"nanosecond", "nanoseconds"},
		{"instruction", "instructions"},
		{"byte/second", "bytes/second"},
	};

	for (size_t i = 0; i < TACHO__ARRAY_SIZE(words); i++)
		if (!strcmp(unit, words[i].theirs))
			return words[i].ours;
	return unit;
}

static void fill_entry(const char *name, const struct tacho__cupti_facts *facts,
		       struct tacho_entry *out_entry)
{
	*out_entry = (struct tacho_entry){
		.name = name,
		.kind = TACHO_ENTRY_COUNTER,
		.type = TACHO_TYPE_F64,
		.description = facts->description,
		.group = types[facts->type].group,
		.unit = get_unit(facts->unit),
		.block = facts->hw_unit,
		.semantic = get_semantic(name, facts),
		.source = "NVIDIA CUPTI",
	};
}

static int describe(void *user, const char *name, struct tacho__arena *arena,
		    struct tacho_entry *out_entry)
{
	struct tacho__cupti_chip *chip = user;
	struct tacho__cupti_facts facts;
	int rc = tacho__cupti_get_facts(chip->host, name, arena, &facts);

	if (rc)
		return rc == TACHO_E_NOMEM ? rc : 0;
	fill_entry(tacho__arena_string(arena, name), &facts, out_entry);
	return out_entry->name ? 0 : TACHO_E_NOMEM;
}

/* Ranges and samples have metrics of their own. */
static const char *explain(void *user, const char *name)
{
	const struct tacho__cupti_chip *chip = user;
	bool is_range = chip->kind == TACHO__CUPTI_RANGES;
	struct tacho__arena arena = {0};
	struct tacho__cupti_facts facts;
	void *other;
	int rc = tacho__cupti_host_open(is_range ? TACHO__CUPTI_SAMPLES : TACHO__CUPTI_RANGES,
					chip->name, NULL, &other);

	if (rc)
		return "";
	rc = tacho__cupti_get_facts(other, name, &arena, &facts);
	tacho__cupti_host_close(other);
	tacho__arena_finish(&arena);
	if (rc)
		return "";
	return is_range ? "it is of samples alone, of the whole GPU by the clock: "
			  "--api " TACHO__CUPTI_SAMPLING_API ", and tacho stat -I"
			: "it is of launches and ranges alone: --api " TACHO__CUPTI_API
			  ", and tacho stat without -I";
}

static void close_chip(void *user)
{
	struct tacho__cupti_chip *chip = user;

	tacho__cupti_host_close(chip->host);
	free(chip);
}

/* ---- listing ---- */

struct filling {
	struct tacho_catalog *catalog;
	struct tacho__arch *arch;
	void *host;
	struct tacho__cupti_names endings; /* of the base before, which most share */
};

static bool are_same(const struct tacho__cupti_names *a, const struct tacho__cupti_names *b)
{
	if (a->count != b->count)
		return false;
	for (size_t i = 0; i < a->count; i++)
		if (strcmp(a->names[i], b->names[i]) != 0)
			return false;
	return true;
}

/* The one that the base alone means comes first. */
static void put_first(struct tacho__cupti_names *endings, const char *first)
{
	size_t i = 0;

	while (i < endings->count && strcmp(endings->names[i], first) != 0)
		i++;
	if (i == endings->count)
		return;
	first = endings->names[i];
	memmove(endings->names + 1, endings->names, i * sizeof(*endings->names));
	endings->names[0] = first;
}

static int find_endings(struct filling *filling, enum tacho__cupti_type type, const char *base)
{
	struct tacho__arena arena = {0};
	struct tacho__cupti_names endings;
	int rc = tacho__cupti_list_endings(filling->host, type, base, &arena, &endings);

	if (!rc) {
		put_first(&endings, types[type].ending);
		if (!are_same(&endings, &filling->endings)) {
			rc = tacho__cupti_list_endings(filling->host, type, base,
						       tacho__catalog_arena(filling->catalog),
						       &filling->endings);
			if (!rc)
				put_first(&filling->endings, types[type].ending);
		}
	}
	tacho__arena_finish(&arena);
	return rc;
}

static int add_base(struct filling *filling, enum tacho__cupti_type type, const char *base)
{
	struct tacho__cupti_facts facts;
	struct tacho_block block = {.name = NULL};
	struct tacho_entry entry;
	int rc = tacho__cupti_get_facts(filling->host, base, tacho__catalog_arena(filling->catalog),
					&facts);

	if (!rc)
		rc = find_endings(filling, type, base);
	if (rc)
		return rc == TACHO_E_NOMEM ? rc : 0;
	fill_entry(base, &facts, &entry);
	entry.endings = filling->endings.names;
	entry.ending_count = filling->endings.count;
	rc = tacho__arch_add_entry(filling->arch, &entry, TACHO__ADD_OR_REPLACE);
	block.name = facts.hw_unit;
	if (!rc && *facts.hw_unit &&
	    !tacho_arch_find_block(tacho__arch_public(filling->arch), facts.hw_unit))
		rc = tacho__arch_add_block(filling->arch, &block);
	return rc;
}

static int add_bases(struct filling *filling)
{
	struct tacho__cupti_names bases;
	int rc = 0;

	for (int type = 0; type < TACHO__CUPTI_TYPE_COUNT && !rc; type++) {
		rc = tacho__cupti_list_bases(filling->host, (enum tacho__cupti_type)type,
					     tacho__catalog_arena(filling->catalog), &bases);
		for (size_t i = 0; !rc && i < bases.count; i++)
			rc = add_base(filling, (enum tacho__cupti_type)type, bases.names[i]);
	}
	return rc;
}

/* ---- architectures ---- */

/* By kind. */
static const struct {
	const char *api, *title;
} kinds[] = {
	[TACHO__CUPTI_RANGES] = {TACHO__CUPTI_API, ""},
	[TACHO__CUPTI_SAMPLES] = {TACHO__CUPTI_SAMPLING_API, ", sampled"},
};

static const char *get_family(const char *chip)
{
	static const struct {
		const char *glob, *family;
	} families[] = {
		{"GV1*", "Volta"},  {"TU1*", "Turing"},	      {"GA1*", "Ampere"},
		{"GH1*", "Hopper"}, {"AD1*", "Ada Lovelace"}, {"GB[12]*", "Blackwell"},
	};

	for (size_t i = 0; i < TACHO__ARRAY_SIZE(families); i++)
		if (!fnmatch(families[i].glob, chip, 0))
			return families[i].family;
	return "";
}

static char *make_lower(struct tacho__arena *arena, const char *name)
{
	char *lower = tacho__arena_string(arena, name);

	for (char *at = lower; at && *at; at++)
		*at = (char)tolower((unsigned char)*at);
	return lower;
}

static int make_arch(struct tacho_catalog *catalog, const struct tacho__cupti *cupti,
		     enum tacho__cupti_kind kind, const char *chip, struct tacho__arch **out_arch)
{
	const char *family = get_family(chip);
	struct tacho_arch info = {
		.name = make_lower(tacho__catalog_arena(catalog), chip),
		.api = kinds[kind].api,
		.title =
			tacho__catalog_text(catalog, "NVIDIA %s%s%s%s%s", chip, *family ? " (" : "",
					    family, *family ? ")" : "", kinds[kind].title),
		.vendor = "NVIDIA",
		.source = tacho__catalog_text(catalog, "CUPTI %s, %s", cupti->version_text,
					      cupti->path),
		.is_own = 1,
	};

	if (!info.name || !info.title || !info.source)
		return TACHO_E_NOMEM;
	return tacho__catalog_add_arch(catalog, &info, out_arch);
}

/* The chip is that of the architecture from here on. */
static int attach(struct tacho__arch *arch, const struct tacho__arch_library *library,
		  enum tacho__cupti_kind kind, const char *name, void *host)
{
	struct tacho__cupti_chip *chip = calloc(1, sizeof(*chip));

	if (!chip) {
		tacho__cupti_host_close(host);
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a catalog");
	}
	snprintf(chip->name, sizeof(chip->name), "%s", name);
	chip->kind = kind;
	chip->host = host;
	return tacho__arch_set_library(arch, library, chip);
}

static int set_missing(struct tacho_catalog *catalog)
{
	const struct tacho_error_detail *detail = tacho_error_last();

	return tacho__catalog_set_missing(
		catalog,
		tacho__detail("NVIDIA's chips are known to CUPTI alone: %s: %s", detail->message,
			      detail->cause),
		detail->cure);
}

/* One that the library lists and does not open (GV11B of CUPTI 13) is left out. */
static int add_chip(struct tacho_catalog *catalog, const struct tacho__cupti *cupti,
		    const struct tacho__arch_library *library, enum tacho__cupti_kind kind,
		    const char *name)
{
	struct filling filling = {.catalog = catalog};
	int rc = tacho__cupti_host_open(kind, name, NULL, &filling.host);

	if (rc)
		return tacho__catalog_set_missing(
			catalog,
			tacho__detail("CUPTI %s lists %s, but cannot plan for it%s: %s",
				      cupti->version_text, name, kinds[kind].title,
				      tacho_error_last()->cause),
			tacho__detail("take another chip: tacho list archs --api %s",
				      kinds[kind].api));
	rc = make_arch(catalog, cupti, kind, name, &filling.arch);
	if (!rc)
		rc = add_bases(&filling);
	if (!rc)
		rc = tacho__cupti_add_sets(catalog, filling.arch, kind, filling.host);
	if (rc) {
		tacho__cupti_host_close(filling.host);
		if (filling.arch)
			tacho__catalog_drop_arch(catalog);
		return rc == TACHO_E_UNSUPPORTED ? set_missing(catalog) : rc;
	}
	return attach(filling.arch, library, kind, name, filling.host);
}

static int read_library(struct tacho_catalog *catalog, enum tacho__cupti_kind kind,
			const char *arch)
{
	struct tacho__arch_library *library =
		tacho__arena_get(tacho__catalog_arena(catalog), sizeof(*library));
	const struct tacho__cupti *cupti;
	struct tacho__cupti_names chips;
	int rc;

	if (!library)
		return TACHO_E_NOMEM;
	rc = tacho__cupti_load(&cupti);
	if (!rc)
		rc = tacho__cupti_list_chips(tacho__catalog_arena(catalog), &chips);
	if (rc)
		return rc == TACHO_E_NOMEM ? rc : set_missing(catalog);
	*library = (struct tacho__arch_library){
		.build = cupti->build,
		.no_pipelined = kind == TACHO__CUPTI_RANGES
					? "NVIDIA's library has given that up: it counts ranges "
					  "serialized"
					: "the whole GPU is sampled, whatever it runs",
		.describe = describe,
		.explain = explain,
		.count_passes = tacho__cupti_count_passes,
		.schedule = tacho__cupti_schedule,
		.close = close_chip,
	};
	for (size_t i = 0; i < chips.count && !rc; i++)
		if (!arch || !strcasecmp(arch, chips.names[i]))
			rc = add_chip(catalog, cupti, library, kind, chips.names[i]);
	return rc;
}

static int read_ranges(struct tacho_catalog *catalog, const char *arch)
{
	return read_library(catalog, TACHO__CUPTI_RANGES, arch);
}

static int read_samples(struct tacho_catalog *catalog, const char *arch)
{
	return read_library(catalog, TACHO__CUPTI_SAMPLES, arch);
}

#define CHIPS "g[a-z][1-9][0-9][0-9a-z] tu[1-9][0-9][0-9a-z] ad[1-9][0-9][0-9a-z]"

const struct tacho__library tacho__cupti_definitions = {
	.api = TACHO__CUPTI_API,
	.archs = CHIPS,
	.read = read_ranges,
};

/* The same chips under an API of its own: other metrics are known of them. */
const struct tacho__library tacho__cupti_sampling_definitions = {
	.api = TACHO__CUPTI_SAMPLING_API,
	.archs = CHIPS,
	.is_named_only = 1,
	.read = read_samples,
};
