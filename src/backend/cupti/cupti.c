/* SPDX-License-Identifier: MIT */
/* NVIDIA's library as a backend: what it is, and whether it can plan. It counts nothing yet. */
#include "backend/cupti/cupti.h"

#include <stdlib.h>

#include "backend/cupti/cupti_chip.h"
#include "base/error.h"

/* Nothing is loaded here: many commands ask for devices. */
static int probe_library(struct tacho_probe *probe, struct tacho_probe_backend *backend_info)
{
	char path[PATH_MAX];

	tacho__cupti_locate(path);
	if (*path)
		backend_info->library = tacho__probe_text(probe, "%s", path);
	backend_info->cause = "tacho plans NVIDIA's counters, and does not count them yet";
	backend_info->cure = "plan for a chip: tacho plan --arch gh100 --api " TACHO__CUPTI_API
			     " -m set:basic; count with NVIDIA's own tools";
	return 0;
}

static void report(tacho_check_fn fn, void *user, enum tacho_check_level level, const char *detail)
{
	const struct tacho_error_detail *error = tacho_error_last();
	int is_good = level == TACHO_CHECK_OK;
	struct tacho_check check = {
		.level = level,
		.what = "CUPTI",
		.detail = detail,
		.cause = is_good ? "" : tacho__detail("%s: %s", error->message, error->cause),
		.cure = is_good ? "" : error->cure,
	};

	fn(user, &check);
}

/* Nobody asked for it, and nothing of it is there: that hinders nobody who has other GPUs. */
static bool is_absent(void)
{
	const struct tacho__cupti *cupti;
	char path[PATH_MAX];

	tacho__cupti_locate(path);
	return !*path && !getenv(TACHO__CUPTI_VARIABLE) &&
	       tacho__cupti_load(&cupti) == TACHO_E_NOTFOUND;
}

/* In a process of its own, as the doctor does all this. */
static void check(tacho_check_fn fn, void *user)
{
	struct tacho__arena arena = {0};
	const struct tacho__cupti *cupti;
	struct tacho__cupti_names chips;

	if (is_absent())
		report(fn, user, TACHO_CHECK_OK,
		       "not installed; plans for NVIDIA's chips would need it");
	else if (tacho__cupti_load(&cupti))
		report(fn, user, TACHO_CHECK_WARN, "NVIDIA's chips cannot be planned for");
	else if (tacho__cupti_list_chips(&arena, &chips))
		report(fn, user, TACHO_CHECK_WARN, cupti->path);
	else
		report(fn, user, TACHO_CHECK_OK,
		       tacho__detail(
			       "version %s, %s, with %s: plans for %zu chips%s",
			       cupti->version_text, cupti->path, cupti->host_path, chips.count,
			       cupti->tells_counters ? "" : ", without what each pass collects"));
	tacho__arena_finish(&arena);
}

const struct tacho__backend tacho__backend_cupti = {
	.name = "cupti",
	.summary = "plans for NVIDIA's GPUs with NVIDIA's own library, without a GPU",
	.probe = probe_library,
	.check = check,
};
