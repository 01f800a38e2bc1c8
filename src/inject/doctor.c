/* SPDX-License-Identifier: MIT */
/* The doctor: what every way of measuring needs, then what each API needs. */
#include "tacho/sys/doctor.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backend/backend.h"
#include "base/buf.h"
#include "base/error.h"
#include "inject/inject.h"
#include "inject/own_library.h"

static void report(tacho_check_fn fn, void *user, enum tacho_check_level level, const char *what,
		   const char *detail, const char *cause, const char *cure)
{
	struct tacho_check check = {level, what, detail, cause, cure};

	fn(user, &check);
}

static void check_mount(tacho_check_fn fn, void *user, const char *folder, const char *entry,
			const char *cure)
{
	if (!access(entry, R_OK))
		report(fn, user, TACHO_CHECK_OK, folder, "mounted", "", "");
	else
		report(fn, user, TACHO_CHECK_FAIL, folder, "not mounted",
		       tacho__detail("%s: %s", entry, strerror(errno)), cure);
}

static void check_home(tacho_check_fn fn, void *user)
{
	const char *home = getenv("HOME");

	if (!home || !*home)
		report(fn, user, TACHO_CHECK_WARN, "HOME", "not set",
		       "drivers keep compiled kernels below it",
		       "set HOME, or the drivers' own variables such as POCL_CACHE_DIR");
	else if (access(home, W_OK | X_OK))
		report(fn, user, TACHO_CHECK_WARN, "HOME", home,
		       tacho__detail("it cannot be written to: %s", strerror(errno)),
		       "set HOME to a folder of yours, or POCL_CACHE_DIR");
	else
		report(fn, user, TACHO_CHECK_OK, "HOME", home, "", "");
}

static void check_library(tacho_check_fn fn, void *user)
{
	struct tacho__buf detail = {0};
	struct tacho__library library;

	if (tacho__library_find(&library)) {
		const struct tacho_error_detail *error = tacho_error_last();

		report(fn, user, TACHO_CHECK_FAIL, "injectable library", error->message,
		       error->cause, error->cure);
		return;
	}
	tacho__buf_put(&detail, library.file);
	if (library.links[0])
		tacho__buf_put(&detail, ", reached through links because loaders split lists of "
					"paths at blanks and colons");
	report(fn, user, TACHO_CHECK_OK, "injectable library", tacho__buf_show(&detail), "", "");
	tacho__buf_finish(&detail);
	tacho__library_finish(&library);
}

/* What was found so far. */
struct visit {
	tacho_check_fn fn;
	void *user;
	struct tacho_doctor_verdict verdict;
	int is_forbidden;    /* a device lacks nothing but a permission */
	int asks_to_measure; /* not about names of ranges alone */
	size_t line_count;   /* that an API told of itself */
};

static void pass_on(void *user, const struct tacho_check *check)
{
	struct visit *visit = user;

	visit->line_count++;
	visit->fn(visit->user, check);
}

static void check_recording(struct visit *visit, const struct tacho__injection *injection)
{
	if (injection->names_ranges) {
		injection->check(pass_on, visit);
		return;
	}
	visit->asks_to_measure = 1;
	if (!visit->verdict.asked_record) {
		check_home(visit->fn, visit->user);
		check_library(visit->fn, visit->user);
	}
	visit->verdict.asked_record = 1;
	if (injection->check(pass_on, visit))
		visit->verdict.can_record = 1;
}

/* Who asks by name is answered where there is nothing of it, too. */
static void check_recording_named(struct visit *visit, const struct tacho__injection *injection)
{
	visit->line_count = 0;
	check_recording(visit, injection);
	if (!visit->line_count && injection->lack)
		report(visit->fn, visit->user, TACHO_CHECK_WARN, injection->api_name,
		       "not on this machine", injection->lack, injection->lack_cure);
}

/* Bytes of a name without the number at its end: uncore_imc_0 and uncore_imc_1 are alike. */
static size_t measure_stem(const char *name)
{
	size_t size = strlen(name);

	while (size && name[size - 1] >= '0' && name[size - 1] <= '9')
		size--;
	return size;
}

static int are_alike(const struct tacho_device_info *a, const struct tacho_device_info *b)
{
	size_t size = measure_stem(a->name);

	return a->usable == b->usable && size < strlen(a->name) && size == measure_stem(b->name) &&
	       !strncmp(a->name, b->name, size) && !strcmp(a->cause, b->cause);
}

/* Tells of a device and of all that are like it, unless one before was. */
static void check_device(struct visit *visit, const struct tacho_probe *probe, size_t index)
{
	const struct tacho_device_info *info = tacho_probe_get_device_info(probe, index), *other;
	struct tacho__buf what = {0}, detail = {0};
	size_t more = 0;

	for (size_t i = 0; i < index; i++)
		if (are_alike(tacho_probe_get_device_info(probe, i), info))
			return;
	for (size_t i = index + 1; (other = tacho_probe_get_device_info(probe, i)); i++)
		more += (size_t)are_alike(info, other);
	tacho__buf_printf(&what, "%s:%s", info->backend, info->name);
	if (more)
		tacho__buf_printf(&what, " and %zu like it", more);
	tacho__buf_printf(&detail, "%s%s%s, %s", info->platform, *info->driver ? " " : "",
			  info->driver, info->usable ? "counts" : "cannot count");
	report(visit->fn, visit->user, info->usable ? TACHO_CHECK_OK : TACHO_CHECK_WARN,
	       tacho__buf_show(&what), tacho__buf_show(&detail), info->cause, info->cure);
	if (info->usable)
		visit->verdict.can_count = 1;
	else if (info->code == TACHO_E_PERM)
		visit->is_forbidden = 1;
	tacho__buf_finish(&what);
	tacho__buf_finish(&detail);
}

/* `list` is the backend's name, and what was asked of it: "sim:mi300x". */
static int check_counting(struct visit *visit, const struct tacho__backend *backend,
			  const char *list)
{
	const struct tacho__probe_options options = {.backends = list};
	const struct tacho_probe_backend *backend_info;
	struct tacho_probe *probe;
	int rc;

	visit->asks_to_measure = 1;
	if (backend->check)
		backend->check(visit->fn, visit->user);
	if (!backend->open)
		return 0;
	visit->verdict.asked_count = 1;
	rc = tacho__probe_create(&options, &probe);
	if (rc)
		return rc;
	for (size_t i = 0; tacho_probe_get_device_info(probe, i); i++)
		check_device(visit, probe, i);
	backend_info = tacho_probe_get_backend(probe, 0);
	if (backend_info && !tacho_probe_get_device_info(probe, 0))
		report(visit->fn, visit->user, TACHO_CHECK_WARN, backend_info->name,
		       *backend_info->library ? backend_info->library : "no device",
		       backend_info->cause, backend_info->cure);
	tacho_probe_destroy(probe);
	return 0;
}

static int is_recorded(const char *name)
{
	const struct tacho__injection *injection;

	for (size_t i = 0; (injection = tacho__injection_get(i)); i++)
		if (!strcmp(injection->api, name))
			return 1;
	return 0;
}

static int fail_word(const char *word)
{
	const struct tacho__injection *injection;
	const struct tacho__backend *backend;
	struct tacho__buf known = {0};
	int rc;

	for (size_t i = 0; (injection = tacho__injection_get(i)); i++)
		tacho__buf_printf(&known, "%s%s", known.size ? ", " : "choose of ", injection->api);
	for (size_t i = 0; (backend = tacho__backend_get(i)); i++)
		if ((backend->open || backend->check) && !is_recorded(backend->name))
			tacho__buf_printf(&known, "%s%s", known.size ? ", " : "choose of ",
					  backend->name);
	rc = tacho__fail(TACHO_E_NOTFOUND, "", tacho__buf_show(&known),
			 "there is no API or backend \"%s\"", word);
	tacho__buf_finish(&known);
	return rc;
}

/* An API that can be recorded, a backend that counts, or both. */
static int check_word(struct visit *visit, const char *word)
{
	const struct tacho__injection *injection;
	const struct tacho__backend *backend;
	size_t size = strcspn(word, ":");
	int rc = 0, count = 0;

	for (size_t i = 0; (injection = tacho__injection_get(i)); i++) {
		if (strcmp(injection->api, word) != 0)
			continue;
		check_recording_named(visit, injection);
		count++;
	}
	for (size_t i = 0; (backend = tacho__backend_get(i)) && !rc; i++) {
		if ((!backend->open && !backend->check) || strlen(backend->name) != size ||
		    memcmp(backend->name, word, size) != 0)
			continue;
		rc = check_counting(visit, backend, word);
		count++;
	}
	return rc || count ? rc : fail_word(word);
}

static int check_all(struct visit *visit)
{
	const struct tacho__injection *injection;
	const struct tacho__backend *backend;
	int rc = 0;

	for (size_t i = 0; (injection = tacho__injection_get(i)); i++)
		check_recording(visit, injection);
	for (size_t i = 0; (backend = tacho__backend_get(i)) && !rc; i++)
		if ((backend->open || backend->check) && !backend->is_named_only)
			rc = check_counting(visit, backend, backend->name);
	return rc;
}

static int judge(const struct visit *visit)
{
	const struct tacho_doctor_verdict *verdict = &visit->verdict;

	if (verdict->can_record || verdict->can_count || !visit->asks_to_measure)
		return 0;
	return tacho__fail(
		visit->is_forbidden && !verdict->asked_record ? TACHO_E_PERM : TACHO_E_NODEVICE,
		verdict->asked_record ? "no device ran the test kernel"
				      : "no device can be counted on",
		"follow the cures of the lines that are not ok", "nothing can be measured");
}

int tacho_doctor_run(const char *const *only, tacho_check_fn fn, void *user,
		     struct tacho_doctor_verdict *out_verdict)
{
	struct visit visit = {.fn = fn, .user = user};
	int rc = 0;

	check_mount(fn, user, "/proc", "/proc/self/maps", "mount it: mount -t proc proc /proc");
	check_mount(fn, user, "/sys", "/sys/devices/system/cpu",
		    "mount it: mount -t sysfs sysfs /sys; without it drivers see no memory and no "
		    "processors");
	if (!only || !*only)
		rc = check_all(&visit);
	for (; only && *only && !rc; only++)
		rc = check_word(&visit, *only);
	if (rc)
		return rc;
	*out_verdict = visit.verdict;
	return judge(&visit);
}
