/* SPDX-License-Identifier: MIT */
/* What the doctor asks of OpenCL: loader, drivers, cache folder, and a kernel on each device. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "backend/opencl/opencl.h"
#include "base/error.h"

struct listener {
	tacho_check_fn fn;
	void *user;
};

static void tell(struct listener *to, enum tacho_check_level level, const char *what,
		 const char *detail, const char *cause, const char *cure)
{
	struct tacho_check check = {level, what, detail, cause, cure};

	to->fn(to->user, &check);
}

static bool check_loader(struct listener *to)
{
	struct tacho__opencl_loader loader;
	struct tacho__buf detail = {0};

	tacho__opencl_loader_find(&loader);
	if (!loader.path[0]) {
		tell(to, TACHO_CHECK_FAIL, "OpenCL loader", "not found", loader.error,
		     "install ocl-icd-libopencl1 (apt), ocl-icd (dnf, pacman, apk) or libOpenCL1 "
		     "(zypper)");
		return false;
	}
	tacho__buf_printf(&detail, "%s (%s)", loader.path,
			  loader.has_layers ? "knows layers" : "knows no layers");
	if (loader.has_layers)
		tell(to, TACHO_CHECK_OK, "OpenCL loader", tacho__buf_show(&detail), "", "");
	else
		tell(to, TACHO_CHECK_WARN, "OpenCL loader", tacho__buf_show(&detail),
		     "it does not read OPENCL_LAYERS, so programs are recorded by preloading, "
		     "which misses those that load OpenCL themselves",
		     "put a loader that knows layers first, such as ocl-icd 2.3 or newer");
	tacho__buf_finish(&detail);
	return true;
}

static void check_icd(struct listener *to, const struct tacho__opencl_icd *icd, size_t *working)
{
	struct tacho__dl_answer answer;
	struct tacho__buf detail = {0};

	tacho__buf_printf(&detail, "%s: %s", icd->file, icd->library);
	if (!icd->library[0]) {
		tell(to, TACHO_CHECK_WARN, "OpenCL driver", tacho__buf_show(&detail),
		     "the file names no library, or cannot be read", "reinstall or remove it");
		goto out;
	}
	tacho__dl_try(icd->library, &answer);
	*working += answer.loads;
	if (answer.loads)
		tell(to, TACHO_CHECK_OK, "OpenCL driver", tacho__buf_show(&detail), "", "");
	else
		tell(to, TACHO_CHECK_WARN, "OpenCL driver", tacho__buf_show(&detail), answer.error,
		     "reinstall this driver, or remove its .icd file");
out:
	tacho__buf_finish(&detail);
}

/* Whether some driver is PoCL, which needs a cache folder. */
static bool check_icds(struct listener *to)
{
	struct tacho__opencl_icds icds;
	bool has_pocl = false;
	size_t working = 0;

	if (tacho__opencl_icds_find(&icds))
		return false;
	for (size_t i = 0; i < icds.count; i++) {
		check_icd(to, &icds.list[i], &working);
		has_pocl |= strstr(icds.list[i].library, "pocl") != NULL;
	}
	if (!working)
		tell(to, TACHO_CHECK_FAIL, "OpenCL drivers", icds.place,
		     !icds.is_readable ? "it is not there"
		     : icds.count      ? "no driver there loads"
				       : "there is no .icd file",
		     TACHO__OPENCL_INSTALL);
	tacho__opencl_icds_finish(&icds);
	return has_pocl;
}

static int make_folders(const char *path)
{
	char part[PATH_MAX];

	snprintf(part, sizeof(part), "%s", path);
	for (char *at = strchr(part + 1, '/'); at; at = strchr(at + 1, '/')) {
		*at = '\0';
		if (mkdir(part, 0700) && errno != EEXIST)
			return errno;
		*at = '/';
	}
	return mkdir(part, 0700) && errno != EEXIST ? errno : 0;
}

/* Writes a file and maps it executable, as PoCL does with a kernel. */
static int map_file(const char *folder, bool *out_written)
{
	char path[PATH_MAX + 32], page[4096] = {0};
	int fd, error = 0;
	void *code;

	*out_written = false;
	snprintf(path, sizeof(path), "%s/tacho-doctor.XXXXXX", folder);
	fd = mkostemp(path, O_CLOEXEC);
	if (fd < 0)
		return errno;
	if (write(fd, page, sizeof(page)) != (ssize_t)sizeof(page)) {
		error = errno ? errno : ENOSPC;
	} else {
		*out_written = true;
		code = mmap(NULL, sizeof(page), PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
		if (code == MAP_FAILED)
			error = errno;
		else
			munmap(code, sizeof(page));
	}
	close(fd);
	unlink(path);
	return error;
}

static void check_cache(struct listener *to)
{
	struct tacho__opencl_cache cache;
	struct tacho__buf cause = {0};
	bool written = false;
	int error;

	tacho__opencl_cache_find(&cache);
	error = make_folders(cache.path);
	if (!error)
		error = map_file(cache.path, &written);
	if (written && error)
		tacho__buf_printf(&cause,
				  "a file in it cannot be mapped executable (%s): its "
				  "file system is mounted noexec",
				  strerror(error));
	else if (error)
		tacho__buf_printf(&cause, "it cannot be written to (%s); it comes from %s",
				  strerror(error),
				  cache.from[0] ? cache.from : "PoCL: HOME is not set");
	tell(to, error ? TACHO_CHECK_FAIL : TACHO_CHECK_OK, "PoCL cache folder", cache.path,
	     tacho__buf_show(&cause), error ? tacho__opencl_cache_cure : "");
	tacho__buf_finish(&cause);
}

static bool check_device(struct listener *to, const struct tacho__opencl *cl, const char *platform,
			 cl_handle device)
{
	char name[TACHO__OPENCL_TEXT];
	struct tacho__buf detail = {0}, cause = {0}, cure = {0};
	bool right = tacho__opencl_trial(cl, platform, device, &cause, &cure), has_timer;

	has_timer = tacho__opencl_get_number(cl->get_device_info, device,
					     CL__DEVICE_PROFILING_TIMER_RESOLUTION) > 0;
	tacho__opencl_get_text(cl->get_device_info, device, CL__DEVICE_NAME, name);
	tacho__buf_printf(&detail, "%s (%s)%s", name, platform,
			  right ? " ran a kernel, its result is right" : "");
	if (right && !has_timer)
		tell(to, TACHO_CHECK_WARN, "OpenCL device", tacho__buf_show(&detail),
		     "its driver says that its timer has a resolution of 0: its times are not real",
		     "expect calls and launches, but no device times");
	else
		tell(to, right ? TACHO_CHECK_OK : TACHO_CHECK_FAIL, "OpenCL device",
		     tacho__buf_show(&detail), tacho__buf_show(&cause), tacho__buf_show(&cure));
	tacho__buf_finish(&detail);
	tacho__buf_finish(&cause);
	tacho__buf_finish(&cure);
	return right;
}

static void tell_empty(struct listener *to, const char *platform, int32_t error)
{
	struct tacho__buf cause = {0};
	bool is_cache;

	tacho__buf_put(&cause, error ? tacho__opencl_error(error) : "it has 0 devices");
	is_cache = tacho__opencl_cache_blame(platform, &cause);
	tell(to, TACHO_CHECK_WARN, "OpenCL platform", platform, tacho__buf_show(&cause),
	     is_cache ? tacho__opencl_cache_cure
		      : "see tacho list devices; a driver without a device does no harm");
	tacho__buf_finish(&cause);
}

static size_t check_platform(struct listener *to, const struct tacho__opencl *cl,
			     cl_handle platform)
{
	char name[TACHO__OPENCL_TEXT];
	size_t working = 0;
	cl_handle devices[TACHO__OPENCL_HANDLES];
	int32_t error;
	uint32_t count = tacho__opencl_get_devices(cl, platform, devices, &error);

	tacho__opencl_get_text(cl->get_platform_info, platform, CL__PLATFORM_NAME, name);
	if (!count)
		tell_empty(to, name, error);
	for (uint32_t i = 0; i < count; i++)
		working += check_device(to, cl, name, devices[i]);
	return working;
}

static size_t check_platforms(struct listener *to)
{
	struct tacho__opencl cl;
	cl_handle platforms[TACHO__OPENCL_HANDLES];
	size_t working = 0;
	uint32_t count;
	int32_t error;

	if (tacho__opencl_open(&cl)) {
		tell(to, TACHO_CHECK_FAIL, "OpenCL loader", TACHO__OPENCL_LOADER,
		     tacho_error_last()->cause, tacho_error_last()->cure);
		return 0;
	}
	count = tacho__opencl_get_platforms(&cl, platforms, &error);
	if (!count)
		tell(to, TACHO_CHECK_FAIL, "OpenCL platforms", "none",
		     error ? tacho__opencl_error(error) : "the loader found 0 platforms",
		     TACHO__OPENCL_INSTALL);
	for (uint32_t i = 0; i < count; i++)
		working += check_platform(to, &cl, platforms[i]);
	return working;
}

size_t tacho__opencl_check(tacho_check_fn fn, void *user)
{
	struct listener to = {fn, user};

	if (!check_loader(&to))
		return 0;
	if (check_icds(&to))
		check_cache(&to);
	return check_platforms(&to);
}
