/* SPDX-License-Identifier: MIT */
/* The doctor: what every way of measuring needs, then what each API needs. */
#include "tacho/sys/doctor.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/error.h"
#include "inject/inject.h"
#include "inject/library.h"

static void tell(tacho_check_fn fn, void *user, enum tacho_check_level level, const char *what,
		 const char *detail, const char *cause, const char *cure)
{
	struct tacho_check check = {level, what, detail, cause, cure};

	fn(user, &check);
}

static void check_mount(tacho_check_fn fn, void *user, const char *folder, const char *entry,
			const char *cure)
{
	if (!access(entry, R_OK))
		tell(fn, user, TACHO_CHECK_OK, folder, "mounted", "", "");
	else
		tell(fn, user, TACHO_CHECK_FAIL, folder, "not mounted",
		     tacho__detail("%s: %s", entry, strerror(errno)), cure);
}

static void check_home(tacho_check_fn fn, void *user)
{
	const char *home = getenv("HOME");

	if (!home || !*home)
		tell(fn, user, TACHO_CHECK_WARN, "HOME", "not set",
		     "drivers keep compiled kernels below it",
		     "set HOME, or the drivers' own variables such as POCL_CACHE_DIR");
	else if (access(home, W_OK | X_OK))
		tell(fn, user, TACHO_CHECK_WARN, "HOME", home,
		     tacho__detail("it cannot be written to: %s", strerror(errno)),
		     "set HOME to a folder of yours, or POCL_CACHE_DIR");
	else
		tell(fn, user, TACHO_CHECK_OK, "HOME", home, "", "");
}

static void check_library(tacho_check_fn fn, void *user)
{
	struct tacho__buf detail = {0};
	struct tacho__library library;

	if (tacho__library_find(&library)) {
		const struct tacho_error_detail *error = tacho_error_last();

		tell(fn, user, TACHO_CHECK_FAIL, "injectable library", error->message, error->cause,
		     error->cure);
		return;
	}
	tacho__buf_put(&detail, library.file);
	if (library.links[0])
		tacho__buf_put(&detail, ", reached through links because loaders split lists of "
					"paths at blanks and colons");
	tell(fn, user, TACHO_CHECK_OK, "injectable library", tacho__buf_text(&detail), "", "");
	tacho__buf_finish(&detail);
	tacho__library_finish(&library);
}

int tacho_doctor_run(tacho_check_fn fn, void *user)
{
	const struct tacho__injection *injection;
	size_t working = 0;

	check_mount(fn, user, "/proc", "/proc/self/maps", "mount it: mount -t proc proc /proc");
	check_mount(fn, user, "/sys", "/sys/devices/system/cpu",
		    "mount it: mount -t sysfs sysfs /sys; without it drivers see no memory and no "
		    "processors");
	check_home(fn, user);
	check_library(fn, user);
	for (size_t i = 0; (injection = tacho__injection_get(i)); i++)
		working += injection->check(fn, user);
	if (working)
		return 0;
	return tacho__fail(TACHO_E_NODEVICE, "no device ran the test kernel",
			   "follow the cures of the lines that are not ok",
			   "nothing can be measured");
}
