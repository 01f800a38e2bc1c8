/* SPDX-License-Identifier: MIT */
/* What the doctor says of AMD's library, where there is a GPU for it. */
#include "backend/rocm/rocm_library.h"
#include "backend/rocm/rocm_private.h"
#include "base/error.h"

static void check_library(const char *root, tacho_check_fn fn, void *user)
{
	struct tacho_check check = {.what = "ROCprofiler-SDK", .cause = "", .cure = ""};
	struct tacho__rocm_library library;

	tacho__rocm_library_find(root, &library);
	if (library.path[0]) {
		check.level = TACHO_CHECK_OK;
		check.detail = tacho__detail("%s%s%s", library.path,
					     *library.version ? ", version " : "", library.version);
	} else {
		check.level = TACHO_CHECK_WARN;
		check.detail = "not found";
		check.cause = library.cause;
		check.cure = library.cure;
	}
	fn(user, &check);
}

void tacho__rocm_check(tacho_check_fn fn, void *user)
{
	struct tacho__arena arena = {0};
	const struct tacho__kfd_gpu *gpus;
	bool is_foreign;
	const char *root = tacho__rocm_find_root(NULL, &arena, &is_foreign);
	size_t count;

	if (root && !tacho__kfd_list(&arena, root, &gpus, &count) && count)
		check_library(root, fn, user);
	tacho__arena_finish(&arena);
}
