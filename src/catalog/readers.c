/* SPDX-License-Identifier: MIT */
/*
 * The one list of forms in which definitions are written. Each has its reader in read_NAME.c: `is`
 * tells from the root of the tree whether it is this form, `read` adds what it finds to the
 * catalog.
 */
#include "base/error.h"
#include "catalog/arch.h"
#include "catalog/read_gpa.h"
#include "catalog/read_oa.h"
#include "catalog/read_plain.h"
#include "catalog/read_rocm.h"

static const struct {
	int (*is)(const struct tacho__yaml *root);
	int (*read)(const struct tacho__definitions *definitions);
} readers[] = {
	{tacho__rocm_is, tacho__rocm_read},   {tacho__rocm_blocks_is, tacho__rocm_blocks_read},
	{tacho__gpa_is, tacho__gpa_read},     {tacho__oa_is, tacho__oa_read},
	{tacho__plain_is, tacho__plain_read},
};

static int fail_unknown(const char *file)
{
	return tacho__fail(TACHO_E_PARSE,
			   "its form is none of these: ROCm's counter definitions (list or map), "
			   "\"rocm-blocks:\", \"gpa-definitions:\", \"oa-definitions:\", "
			   "\"plain-definitions:\", metric sets in XML",
			   "write it as docs/catalog.md shows", "no definitions in %s", file);
}

int tacho__catalog_read_tree(const struct tacho__definitions *definitions)
{
	for (size_t i = 0; i < sizeof(readers) / sizeof(readers[0]); i++)
		if (readers[i].is(definitions->root))
			return readers[i].read(definitions);
	return fail_unknown(definitions->is_builtin ? "a built-in file" : definitions->file);
}

int tacho__catalog_read_xml(struct tacho_catalog *catalog, const char *file, const char *text,
			    size_t size)
{
	if (tacho__oa_xml_is(text, size))
		return tacho__oa_xml_read(catalog, file, text, size);
	if (tacho__rocm_xml_is(text, size))
		return tacho__rocm_xml_refuse(file, text, size);
	return fail_unknown(file);
}

int tacho__catalog_read_environment(struct tacho_catalog *catalog)
{
	const char *path = tacho__rocm_environment_file(catalog);
	int rc;

	rc = path ? tacho__catalog_read_file(catalog, path, 1) : 0;
	if (!rc || rc == TACHO_E_NOMEM || rc == TACHO_E_NOTFOUND)
		return rc == TACHO_E_NOMEM ? rc : 0;
	return tacho__catalog_add_problem(catalog, path, 0, "", "%s: %s",
					  tacho_error_last()->message, tacho_error_last()->cause);
}
