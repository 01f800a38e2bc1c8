/* SPDX-License-Identifier: MIT */
/* Bringing sources of ranges into programs: by the variables that NVTX and ITT look at, and where
 * there is ROCTX by a small library that is preloaded. */
#include "inject/marks/marks_prepare.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backend/rocm/kfd.h"
#include "backend/rocm/rocm.h"
#include "base/array.h"
#include "inject/own_library.h"

#define MARKS	 "libtacho-marks.so"
#define PRELOAD	 "libtacho-roctx.so"
#define BUILT_IN "src/inject/marks"

static const char nvtx[] = "NVTX_INJECTION64_PATH";
static const char itt[] = "INTEL_LIBITTNOTIFY64";

static void find_loader(struct tacho__loader *out_loader)
{
	out_loader->path[0] = '\0';
	out_loader->has_layers = true;
}

static void explain(const struct tacho__sightings *seen, struct tacho__buf *out_text)
{
	(void)seen;
	(void)out_text;
}

/* Whether a variable names a library that is not tacho's. */
static bool is_foreign(const char *value)
{
	const char *name = value ? strrchr(value, '/') : NULL;

	return value && strcmp(name ? name + 1 : value, MARKS) != 0;
}

static int set_variable(struct tacho__environment *environment, const char *variable)
{
	char file[PATH_MAX];

	tacho__library_find_other(MARKS, BUILT_IN, file);
	return *file && !is_foreign(tacho__environment_get(environment, variable))
		       ? tacho__environment_set(environment, variable, file)
		       : 0;
}

/* Set to nothing it says that nobody is to have these ranges. */
static void warn_of(const char *variable, const char *title, struct tacho__buf *out_lines)
{
	const char *value = getenv(variable);

	if (is_foreign(value) && *value)
		tacho__buf_printf(
			out_lines,
			"ranges of %s are not recorded: %s is set, to %s: unset it to have "
			"them recorded\n",
			title, variable, value);
}

static void check_library(tacho_check_fn fn, void *user, const char *what, const char *name)
{
	struct tacho_check line = {TACHO_CHECK_OK, what, "", "", ""};
	char file[PATH_MAX];

	tacho__library_find_other(name, BUILT_IN, file);
	line.detail = file;
	if (!*file) {
		line.level = TACHO_CHECK_FAIL;
		line.detail = "not found";
		line.cause = "its library is not beside libtacho";
		line.cure = "install tacho again";
	}
	fn(user, &line);
}

static void check_variable(tacho_check_fn fn, void *user, const char *what, const char *variable)
{
	const char *value = getenv(variable);
	struct tacho__buf cause = {0}, cure = {0};
	struct tacho_check line = {TACHO_CHECK_WARN, what, "they are not recorded", "", ""};

	if (!is_foreign(value)) {
		check_library(fn, user, what, MARKS);
		return;
	}
	tacho__buf_printf(&cause, "%s=%s", variable, value);
	tacho__buf_printf(&cure, "unset %s", variable);
	line.cause = tacho__buf_show(&cause);
	line.cure = tacho__buf_show(&cure);
	fn(user, &line);
	tacho__buf_finish(&cause);
	tacho__buf_finish(&cure);
}

/* ---- NVTX ---- */

static int set_nvtx(struct tacho__environment *environment, const char *library)
{
	(void)library;
	return set_variable(environment, nvtx);
}

static void warn_nvtx(struct tacho__buf *out_lines)
{
	warn_of(nvtx, "NVTX", out_lines);
}

static size_t check_nvtx(tacho_check_fn fn, void *user)
{
	check_variable(fn, user, "ranges of NVTX", nvtx);
	return 0;
}

/* ---- ITT ---- */

static int set_itt(struct tacho__environment *environment, const char *library)
{
	(void)library;
	return set_variable(environment, itt);
}

static void warn_itt(struct tacho__buf *out_lines)
{
	warn_of(itt, "ITT", out_lines);
}

static size_t check_itt(tacho_check_fn fn, void *user)
{
	check_variable(fn, user, "ranges of ITT", itt);
	return 0;
}

/* ---- ROCTX ---- */

static bool is_in(const char *folder, size_t size)
{
	static const char *const libraries[] = {"libroctx64.so.4", "librocprofiler-sdk-roctx.so.1"};
	char file[PATH_MAX];

	for (size_t i = 0; size && i < TACHO__ARRAY_SIZE(libraries); i++)
		if (snprintf(file, sizeof(file), "%.*s/%s", (int)size, folder, libraries[i]) <
			    PATH_MAX &&
		    !access(file, R_OK))
			return true;
	return false;
}

static bool is_in_any(const char *folders)
{
	for (size_t size; folders && *folders; folders += size + (folders[size] == ':')) {
		size = strcspn(folders, ":");
		if (is_in(folders, size))
			return true;
	}
	return false;
}

static bool has_gpu(void)
{
	struct tacho__arena arena = {0};
	const struct tacho__kfd_gpu *gpus;
	size_t count = 0;
	bool is_false_root;
	const char *root = tacho__rocm_find_root(NULL, &arena, &is_false_root);

	if (!root || tacho__kfd_list(&arena, root, &gpus, &count))
		count = 0;
	tacho__arena_finish(&arena);
	return count;
}

/* Whether programs of this machine may use it. Some bring it themselves, for AMD's GPUs. */
static bool may_use_roctx(void)
{
	static const char folders[] = "/opt/rocm/lib:/usr/local/lib:/usr/lib64:/usr/lib:"
				      "/usr/lib/x86_64-linux-gnu:/usr/lib/aarch64-linux-gnu";
	const char *rocm = getenv("ROCM_PATH");
	char folder[PATH_MAX];

	if (rocm && snprintf(folder, sizeof(folder), "%s/lib", rocm) < PATH_MAX &&
	    is_in(folder, strlen(folder)))
		return true;
	return is_in_any(getenv("LD_LIBRARY_PATH")) || is_in_any(folders) || has_gpu();
}

static int set_roctx(struct tacho__environment *environment, const char *library)
{
	char file[PATH_MAX];

	(void)library;
	tacho__library_find_other(PRELOAD, BUILT_IN, file);
	return *file && tacho__library_is_safe(file) && may_use_roctx()
		       ? tacho__environment_prepend(environment, "LD_PRELOAD", file, ':')
		       : 0;
}

static void warn_roctx(struct tacho__buf *out_lines)
{
	char file[PATH_MAX];

	tacho__library_find_other(PRELOAD, BUILT_IN, file);
	if (*file && !tacho__library_is_safe(file) && may_use_roctx())
		tacho__buf_printf(out_lines,
				  "ranges of ROCTX are not recorded: LD_PRELOAD cannot hold %s, "
				  "which has a blank or a colon: install tacho elsewhere\n",
				  file);
}

static size_t check_roctx(tacho_check_fn fn, void *user)
{
	if (may_use_roctx())
		check_library(fn, user, "ranges of ROCTX", PRELOAD);
	return 0;
}

const struct tacho__injection tacho__injection_nvtx = {
	.api = "nvtx",
	.api_name = "NVTX",
	.is_tool = true,
	.names_ranges = true,
	.find_loader = find_loader,
	.set_layer = set_nvtx,
	.warn = warn_nvtx,
	.explain = explain,
	.check = check_nvtx,
};

const struct tacho__injection tacho__injection_itt = {
	.api = "itt",
	.api_name = "ITT",
	.is_tool = true,
	.names_ranges = true,
	.find_loader = find_loader,
	.set_layer = set_itt,
	.warn = warn_itt,
	.explain = explain,
	.check = check_itt,
};

const struct tacho__injection tacho__injection_roctx = {
	.api = "roctx",
	.api_name = "ROCTX",
	.is_tool = true,
	.names_ranges = true,
	.find_loader = find_loader,
	.set_layer = set_roctx,
	.warn = warn_roctx,
	.explain = explain,
	.check = check_roctx,
	.lack = "neither its library nor an AMD GPU was found",
	.lack_cure = "name the folder of libroctx64.so.4 in LD_LIBRARY_PATH, or set ROCM_PATH",
};
