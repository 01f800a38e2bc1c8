/* SPDX-License-Identifier: MIT */
/* GPUPerfAPI's tables that are packed in the library: an architecture's are read once asked for. */
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/inflate.h"
#include "catalog/arch.h"
#include "catalog/read_gpa.h"

extern const struct tacho__packed tacho__gpa_table_files[]; /* ends with name NULL */

static const struct {
	const char *api;
	size_t file; /* in the list above */
} tables[] = {{"gl", 0}, {"vulkan", 1}, {"dx11", 2}, {"dx12", 2}};

static int unpack(struct tacho_catalog *catalog, size_t index)
{
	const struct tacho__packed *file = &tacho__gpa_table_files[index];
	char *text = malloc(file->size);
	int rc = text ? tacho__inflate(file, text) : TACHO_E_NOMEM;

	if (!rc)
		rc = tacho__yaml_parse(&catalog->arena, file->name, text, file->size,
				       &catalog->late_tables[index]);
	free(text);
	return rc;
}

/* The tree of a file stays: the architectures of an API are in it together. */
static int read_tables(struct tacho__arch *arch)
{
	struct tacho__definitions definitions = {
		.catalog = arch->catalog, .file = "", .is_builtin = 1};
	size_t index = 0;
	int rc = 0;

	while (strcmp(tables[index].api, arch->arch.api) != 0)
		index++;
	index = tables[index].file;
	if (!arch->catalog->late_tables[index])
		rc = unpack(arch->catalog, index);
	definitions.root = arch->catalog->late_tables[index];
	return rc ? rc : tacho__gpa_read_only(&definitions, arch);
}

/* RDNA's are in data/amd/gpa-rdna.yaml, where blocks are left to these files. */
void tacho__late_tables_put_off(struct tacho__arch *arch)
{
	if (arch->block_count || strncmp(arch->arch.name, "gfx1", 4) != 0)
		return;
	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
		if (!strcmp(tables[i].api, arch->arch.api))
			tacho__arch_put_off(arch, read_tables);
}
