/* SPDX-License-Identifier: MIT */
/*
 * Where the loader looks for drivers: OCL_ICD_VENDORS (a folder, an .icd file or a library),
 * OPENCL_VENDOR_PATH (a folder), else /etc/OpenCL/vendors.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "backend/opencl/opencl.h"
#include "base/array.h"
#include "base/error.h"
#include "base/fs.h"
#include "base/text.h"

static const char default_folder[] = "/etc/OpenCL/vendors";
static const char *const variables[] = {"OCL_ICD_VENDORS", "OPENCL_VENDOR_PATH"};

enum { ICD_MAX = 4096, ICDS_MAX = 256, FILES_MAX = 4096 };

/* The first line of an .icd file, which is all that loaders read. */
static const char *read_library(struct tacho__arena *arena, const char *file)
{
	struct tacho__buf buf = {0};
	const char *text = NULL;
	size_t size;
	int rc = tacho__fs_read(file, ICD_MAX, &buf);

	if (rc)
		tacho__buf_clear(&buf);
	size = strcspn(tacho__buf_text(&buf), "\r\n");
	while (size && isspace((unsigned char)buf.text[size - 1]))
		size--;
	if (rc != TACHO_E_NOMEM)
		text = tacho__arena_text(arena, tacho__buf_text(&buf), size);
	tacho__buf_finish(&buf);
	return text;
}

static int add(struct tacho__opencl_icds *icds, const char *file)
{
	struct tacho__opencl_icd *icd = &icds->list[icds->count++];

	icd->file = tacho__arena_string(&icds->arena, file);
	icd->library =
		tacho__ends_with(file, ".icd") ? read_library(&icds->arena, file) : icd->file;
	return icd->file && icd->library ? 0 : TACHO_E_NOMEM;
}

static int add_folder(struct tacho__opencl_icds *icds, const char *folder)
{
	struct tacho__fs_names names = {0};
	char file[PATH_MAX];
	int rc = tacho__fs_list(&icds->arena, folder, FILES_MAX, &names);

	icds->is_readable = !rc;
	if (rc != TACHO_E_NOMEM)
		rc = 0;
	for (size_t i = 0; i < names.count && icds->count < ICDS_MAX && !rc; i++) {
		if (!tacho__ends_with(names.names[i], ".icd"))
			continue;
		snprintf(file, sizeof(file), "%s/%s", folder, names.names[i]);
		rc = add(icds, file);
	}
	free(names.names);
	return rc;
}

int tacho__opencl_icds_find(struct tacho__opencl_icds *out_icds)
{
	struct tacho__opencl_icds icds = {0};
	const char *variable = NULL, *value = NULL;
	struct tacho__buf place = {0};
	struct stat status;
	int rc;

	for (size_t i = 0; i < TACHO__ARRAY_SIZE(variables) && !value; i++) {
		variable = variables[i];
		value = getenv(variable);
	}
	tacho__buf_printf(&place, "%s%s%s", value ? variable : "the folder ", value ? "=" : "",
			  value ? value : default_folder);
	icds.place = tacho__buf_keep(&place, &icds.arena);
	icds.list = tacho__arena_get(&icds.arena, ICDS_MAX * sizeof(*icds.list));
	rc = icds.place && icds.list ? 0 : TACHO_E_NOMEM;
	icds.is_readable = true;
	if (!rc && value && (stat(value, &status) || !S_ISDIR(status.st_mode)))
		rc = add(&icds, value);
	else if (!rc)
		rc = add_folder(&icds, value ? value : default_folder);
	if (rc)
		tacho__opencl_icds_finish(&icds);
	else
		*out_icds = icds;
	return rc;
}

void tacho__opencl_icds_finish(struct tacho__opencl_icds *icds)
{
	tacho__arena_finish(&icds->arena);
}

void tacho__opencl_icds_explain(struct tacho__buf *out_text)
{
	struct tacho__opencl_icds icds;

	if (tacho__opencl_icds_find(&icds)) {
		out_text->failed = true;
		return;
	}
	tacho__buf_printf(out_text, "drivers are looked for in %s", icds.place);
	if (!icds.is_readable)
		tacho__buf_put(out_text, ", which cannot be read");
	else if (!icds.count)
		tacho__buf_put(out_text, ", where there is no .icd file");
	else
		tacho__buf_put(out_text, ":");
	for (size_t i = 0; i < icds.count; i++) {
		struct tacho__dl_answer answer;

		tacho__dl_try(icds.list[i].library, &answer);
		tacho__buf_printf(out_text, "%s %s %s", i ? "," : "", icds.list[i].library,
				  answer.loads ? "loads, but gives no platform"
					       : "does not load: ");
		if (!answer.loads)
			tacho__buf_put(out_text, answer.error);
	}
	tacho__opencl_icds_finish(&icds);
}
