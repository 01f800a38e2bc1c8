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
static char *read_library(const char *file)
{
	struct tacho__buf buf = {0};
	char *text = NULL;
	int rc = tacho__fs_read(file, ICD_MAX, &buf);

	if (rc)
		tacho__buf_clear(&buf);
	if (rc != TACHO_E_NOMEM)
		text = strndup(tacho__buf_text(&buf), strcspn(tacho__buf_text(&buf), "\r\n"));
	tacho__buf_finish(&buf);
	for (size_t size = text ? strlen(text) : 0; size && isspace((unsigned char)text[size - 1]);)
		text[--size] = '\0';
	return text;
}

static int add(struct tacho__opencl_icds *icds, size_t *capacity, char *file, char *library)
{
	if (!file || !library ||
	    tacho__array_reserve(&icds->list, capacity, icds->count + 1, sizeof(*icds->list))) {
		free(file);
		free(library);
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for the list of drivers");
	}
	icds->list[icds->count++] = (struct tacho__opencl_icd){file, library};
	return 0;
}

static int add_folder(struct tacho__opencl_icds *icds, const char *folder)
{
	struct tacho__fs_names names = {0};
	struct tacho__arena arena = {0};
	size_t capacity = 0;
	int rc = tacho__fs_list(&arena, folder, FILES_MAX, &names);

	icds->is_readable = !rc;
	if (rc != TACHO_E_NOMEM)
		rc = 0;
	for (size_t i = 0; i < names.count && !rc; i++) {
		char *file;

		if (!tacho__ends_with(names.names[i], ".icd") || icds->count == ICDS_MAX)
			continue;
		if (asprintf(&file, "%s/%s", folder, names.names[i]) < 0)
			file = NULL;
		rc = add(icds, &capacity, file, file ? read_library(file) : NULL);
	}
	free(names.names);
	tacho__arena_finish(&arena);
	return rc;
}

static int add_file(struct tacho__opencl_icds *icds, const char *file)
{
	size_t capacity = 0;

	icds->is_readable = true;
	return add(icds, &capacity, strdup(file),
		   tacho__ends_with(file, ".icd") ? read_library(file) : strdup(file));
}

int tacho__opencl_icds_find(struct tacho__opencl_icds *out_icds)
{
	struct tacho__opencl_icds icds = {0};
	const char *variable = NULL, *value = NULL;
	struct stat status;
	int rc;

	for (size_t i = 0; i < TACHO__ARRAY_SIZE(variables) && !value; i++) {
		variable = variables[i];
		value = getenv(variable);
	}
	if (value ? asprintf(&icds.place, "%s=%s", variable, value) < 0
		  : asprintf(&icds.place, "the folder %s", default_folder) < 0)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for the list of drivers");
	if (!value || (!stat(value, &status) && S_ISDIR(status.st_mode)))
		rc = add_folder(&icds, value ? value : default_folder);
	else
		rc = add_file(&icds, value);
	if (rc)
		tacho__opencl_icds_finish(&icds);
	else
		*out_icds = icds;
	return rc;
}

void tacho__opencl_icds_finish(struct tacho__opencl_icds *icds)
{
	for (size_t i = 0; i < icds->count; i++) {
		free(icds->list[i].file);
		free(icds->list[i].library);
	}
	free(icds->list);
	free(icds->place);
	memset(icds, 0, sizeof(*icds));
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
