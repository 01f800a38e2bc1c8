/* SPDX-License-Identifier: MIT */
/* Named sets, data/nvidia/sets.yaml: what of them a chip has, and what it lacks. */
#include <stdlib.h>

#include "backend/cupti/cupti_chip.h"
#include "base/array.h"
#include "base/buf.h"
#include "base/error.h"
#include "catalog/library.h"

extern const struct tacho__builtin tacho__cupti_set_files[]; /* by tools/embed, one for each kind */

enum { LACKS_NAMED = 12 };

struct resolving {
	struct tacho_catalog *catalog;
	const char *chip;
	void *host;
	const char **names; /* that the chip has */
	size_t count, capacity;
	struct tacho__buf lacks; /* the first names of those that it lacks */
	size_t lack_count;
};

static int resolve_name(struct resolving *resolving, const char *name)
{
	struct tacho__arena arena = {0};
	struct tacho__cupti_facts facts;
	int rc = tacho__cupti_get_facts(resolving->host, name, &arena, &facts);

	tacho__arena_finish(&arena);
	if (rc == TACHO_E_NOMEM)
		return rc;
	if (!rc) {
		name = tacho__catalog_text(resolving->catalog, "%s", name);
		return name ? tacho__array_add(&resolving->names, &resolving->capacity,
					       &resolving->count, &name, sizeof(name))
			    : TACHO_E_NOMEM;
	}
	if (resolving->lack_count++ < LACKS_NAMED)
		tacho__buf_printf(&resolving->lacks, "%s%s", resolving->lacks.size ? ", " : "",
				  name);
	return 0;
}

static int resolve_groups(struct resolving *resolving, const struct tacho__yaml *set)
{
	const struct tacho__yaml *name;
	int rc = 0;

	for (const struct tacho__yaml *group = tacho__yaml_first(set, "groups"); group && !rc;
	     group = group->next) {
		if (!tacho__library_is_like(tacho__yaml_string(group, "chips", "*"),
					    resolving->chip))
			continue;
		for (name = tacho__yaml_first(group, "metrics"); name && !rc; name = name->next)
			rc = resolve_name(resolving, name->text);
	}
	return rc;
}

static const char *describe_set(struct resolving *resolving, const struct tacho__yaml *set)
{
	const char *said = tacho__yaml_string(set, "description", "");
	size_t more = resolving->lack_count > LACKS_NAMED ? resolving->lack_count - LACKS_NAMED : 0;

	if (!resolving->lack_count)
		return tacho__catalog_text(resolving->catalog, "%s", said);
	return tacho__catalog_text(resolving->catalog,
				   "%s This library does not have of it for %s: %s%s.", said,
				   resolving->chip, tacho__buf_text(&resolving->lacks),
				   more ? tacho__detail(" and %zu more", more) : "");
}

static int add_set(struct resolving *resolving, struct tacho__arch *arch,
		   const struct tacho__yaml *yaml)
{
	struct tacho_set set = {
		.name = tacho__catalog_text(resolving->catalog, "%s",
					    tacho__yaml_string(yaml, "name", "")),
		.title = tacho__catalog_text(resolving->catalog, "%s",
					     tacho__yaml_string(yaml, "title", "")),
	};
	int rc;

	resolving->count = resolving->lack_count = 0;
	tacho__buf_clear(&resolving->lacks);
	rc = resolve_groups(resolving, yaml);
	if (rc)
		return rc;
	set.description = describe_set(resolving, yaml);
	if (!set.name || !set.title || !set.description || resolving->lacks.failed)
		return TACHO_E_NOMEM;
	return resolving->count
		       ? tacho__arch_add_set(arch, &set, resolving->names, resolving->count)
		       : 0;
}

int tacho__cupti_add_sets(struct tacho_catalog *catalog, struct tacho__arch *arch,
			  enum tacho__cupti_kind kind, void *host)
{
	const struct tacho__builtin *file = &tacho__cupti_set_files[kind];
	struct resolving resolving = {
		.catalog = catalog, .chip = tacho__arch_public(arch)->name, .host = host};
	struct tacho__arena arena = {0};
	const struct tacho__yaml *root;
	int rc = tacho__yaml_parse(&arena, file->name, (const char *)file->text, file->size, &root);

	if (!rc && !tacho__yaml_get(root, "nvidia-sets"))
		rc = tacho__fail(TACHO_E_PARSE, "it has no key nvidia-sets",
				 "report this: it is a defect of tacho", "%s is malformed",
				 file->name);
	for (const struct tacho__yaml *set = rc ? NULL : tacho__yaml_first(root, "sets");
	     set && !rc; set = set->next)
		rc = add_set(&resolving, arch, set);
	free(resolving.names);
	tacho__buf_finish(&resolving.lacks);
	tacho__arena_finish(&arena);
	return rc;
}
