/* SPDX-License-Identifier: MIT */
/* Other people's libraries, and the probe: what is missing is an answer, not a failure. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "backend/backend.h"
#include "base/dl.h"
#include "tacho/device.h"
#include "tacho/error.h"
#include "tacho/sys/doctor.h"

struct math {
	double (*cosine)(double);
	void (*missing)(void);
};

static const struct tacho__dl_symbol symbols[] = {
	{"cos", offsetof(struct math, cosine), true},
	{"tacho_no_such_function", offsetof(struct math, missing), false},
};

static void test_dl_open(void **state)
{
	static const struct tacho__dl_symbol required = {"tacho_no_such_function", 0, true};
	struct tacho__dl dl = {0};
	struct math math;

	assert_int_equal(tacho__dl_open("libm.so.6", symbols, 2, &dl, &math), 0);
	assert_true(math.cosine(0) == 1.0);
	assert_null(math.missing);
	assert_non_null(strstr(dl.path, "libm.so"));
	tacho__dl_close(&dl);
	tacho__dl_close(&dl);
	assert_int_equal(tacho__dl_open("libm.so.6", &required, 1, &dl, &math), TACHO_E_VERSION);
	assert_int_equal(tacho__dl_open("libtacho-none.so", symbols, 2, &dl, &math),
			 TACHO_E_NOTFOUND);
	assert_non_null(strstr(tacho_error_last()->cause, "libtacho-none.so"));
}

static void test_dl_try(void **state)
{
	struct tacho__dl_answer answer;

	tacho__dl_try("libm.so.6", &answer);
	assert_true(answer.loads);
	assert_int_equal(answer.path[0], '/');
	assert_string_equal(answer.error, "");
	tacho__dl_try("/etc/passwd", &answer);
	assert_false(answer.loads);
	assert_non_null(strstr(answer.error, "/etc/passwd"));
}

static void test_backends(void **state)
{
	const struct tacho__backend *backend;

	for (size_t i = 0; (backend = tacho__backend_get(i)); i++) {
		assert_int_equal(backend->name[strspn(backend->name, "abcdefghijklmnopqrstuvwxyz_"
								     "0123456789")],
				 '\0');
		assert_non_null(backend->probe);
		for (size_t j = 0; j < i; j++)
			assert_string_not_equal(backend->name, tacho__backend_get(j)->name);
	}
}

/* Every device and backend tells either that it is usable, or why not and what to do. */
static int probe_all(void)
{
	const struct tacho_probe_backend *backend;
	const struct tacho_device_info *info;
	struct tacho_probe *probe;
	int bad = 0;

	if (tacho_probe_create(&probe))
		return 100;
	for (size_t i = 0; (backend = tacho_probe_get_backend(probe, i)); i++)
		bad += !backend->name[0] || (!backend->usable && !backend->cause[0]);
	for (size_t i = 0; (info = tacho_probe_get_device_info(probe, i)); i++)
		bad += !info->name[0] || !info->kind[0] ||
		       (!info->usable && (!info->cause[0] || !info->cure[0]));
	tacho_probe_destroy(probe);
	tacho_probe_destroy(NULL);
	return bad;
}

/* With no driver to be found: OpenCL is not usable, and the cause names the place. */
static int probe_nothing(void)
{
	static const struct tacho__probe_options only = {.backends = "opencl"};
	const struct tacho_probe_backend *backend;
	struct tacho_probe *probe;
	int bad, rc = tacho__probe_create(&only, &probe);

	if (rc)
		return rc == TACHO_E_NOTFOUND ? 0 : 100; /* built without it */
	backend = tacho_probe_get_backend(probe, 0);
	bad = backend->usable || !backend->cure[0] ||
	      (backend->library[0] && !strstr(backend->cause, "/tmp/tacho-test-"));
	bad += tacho_probe_get_device_info(probe, 0) != NULL;
	tacho_probe_destroy(probe);
	return bad;
}

struct told {
	unsigned count, failed, silent;
};

static void count_check(void *user, const struct tacho_check *check)
{
	struct told *told = user;

	told->count++;
	told->failed += check->level == TACHO_CHECK_FAIL;
	told->silent += !check->what[0] || !check->detail[0] ||
			(check->level != TACHO_CHECK_OK && (!check->cause[0] || !check->cure[0]));
}

static int doctor_nothing(void)
{
	static const char *const only[] = {"opencl", NULL};
	struct tacho_doctor_verdict verdict = {0};
	struct told told = {0};
	int rc = tacho_doctor_run(only, count_check, &told, &verdict);

	if (rc == TACHO_E_NOTFOUND)
		return 0; /* built without it */
	return rc != TACHO_E_NODEVICE || told.count < 4 || !told.failed || told.silent ||
	       !verdict.asked_record || verdict.can_record || verdict.asked_count;
}

/* Vendors' code runs in a child: it may leave threads and settings behind. */
static int in_child(int (*fn)(void), const char *drivers)
{
	pid_t pid = fork();
	int status;

	if (!pid) {
		if (drivers)
			setenv("OCL_ICD_VENDORS", drivers, 1);
		_exit(fn());
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static void test_probe(void **state)
{
	char empty[] = "/tmp/tacho-test-XXXXXX";

	assert_non_null(mkdtemp(empty));
	assert_int_equal(in_child(probe_all, NULL), 0);
	assert_int_equal(in_child(probe_nothing, empty), 0);
	assert_int_equal(in_child(doctor_nothing, empty), 0);
	assert_int_equal(rmdir(empty), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_dl_open),
		cmocka_unit_test(test_dl_try),
		cmocka_unit_test(test_backends),
		cmocka_unit_test(test_probe),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
