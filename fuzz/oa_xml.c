/* SPDX-License-Identifier: MIT */
/* Fuzzes the reader of Intel's metric sets in XML, and what is done with what it read. */
#include <stdlib.h>

#include "catalog/arch.h"
#include "catalog/read_oa.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void use(const struct tacho_arch *arch)
{
	const struct tacho_entry *entry, **inputs;
	size_t count;

	for (size_t i = 0; (entry = tacho_arch_get_entry(arch, i)); i++)
		if (entry->kind == TACHO_ENTRY_METRIC &&
		    !tacho_arch_list_inputs(arch, entry, &inputs, &count))
			free(inputs);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tacho_catalog *catalog;
	const struct tacho_arch *arch;

	if (tacho__catalog_create(&catalog))
		return 0;
	if (tacho__oa_xml_is((const char *)data, size) &&
	    !tacho__oa_xml_read(catalog, "fuzz.xml", (const char *)data, size) &&
	    !tacho__catalog_complete(catalog))
		for (size_t i = 0; (arch = tacho_catalog_get_arch(catalog, i)); i++)
			use(arch);
	tacho_catalog_close(catalog);
	return 0;
}
