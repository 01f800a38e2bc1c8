/* SPDX-License-Identifier: MIT */
/*
 * PoCL compiles kernels into files and maps them executable. Without a folder for them no context
 * can be made (CL_INVALID_DEVICE); on a mount that bars execution the program aborts.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backend/opencl/opencl.h"
#include "base/array.h"

const char tacho__opencl_cache_cure[] =
	"set POCL_CACHE_DIR to a folder that you may write to and run programs from";

/* In the order in which PoCL asks them. */
static const struct {
	const char *variable, *below;
} places[] = {
	{"POCL_CACHE_DIR", ""},
	{"XDG_CACHE_HOME", "/pocl/kcache"},
	{"HOME", "/.cache/pocl/kcache"},
};

/* Whether `path`, or the deepest folder above it that exists, can be written to. */
static int try_path(const char *path)
{
	char above[PATH_MAX];

	snprintf(above, sizeof(above), "%s", path);
	for (;;) {
		char *slash;

		if (!access(above, W_OK | X_OK))
			return 0;
		if (errno != ENOENT)
			return errno;
		slash = strrchr(above, '/');
		if (!slash || slash == above)
			return slash && !access("/", W_OK | X_OK) ? 0 : errno;
		*slash = '\0';
	}
}

void tacho__opencl_cache_find(struct tacho__opencl_cache *out_cache)
{
	memset(out_cache, 0, sizeof(*out_cache));
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(places); i++) {
		const char *value = getenv(places[i].variable);

		if (!value || !*value)
			continue;
		snprintf(out_cache->path, sizeof(out_cache->path), "%s%s", value, places[i].below);
		snprintf(out_cache->from, sizeof(out_cache->from), "%s", places[i].variable);
		break;
	}
	if (!out_cache->path[0])
		strcpy(out_cache->path, "/tmp/pocl/kcache");
	out_cache->error = try_path(out_cache->path);
}

void tacho__opencl_cache_explain(const struct tacho__opencl_cache *cache,
				 struct tacho__buf *out_text)
{
	if (!cache->error)
		return;
	tacho__buf_printf(out_text, "PoCL cannot keep its kernels in %s (%s): %s", cache->path,
			  cache->from[0] ? cache->from : "HOME is not set", strerror(cache->error));
}

bool tacho__opencl_cache_blame(const char *platform, struct tacho__buf *out_text)
{
	struct tacho__opencl_cache cache;

	if (!strstr(platform, "Portable Computing Language"))
		return false;
	tacho__opencl_cache_find(&cache);
	if (!cache.error)
		return false;
	tacho__buf_put(out_text, "; ");
	tacho__opencl_cache_explain(&cache, out_text);
	return true;
}
