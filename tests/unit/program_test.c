/* SPDX-License-Identifier: MIT */
/* Looking at programs before they start: where they are, and which cannot be recorded. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <elf.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "inject/elf_tables.h"
#include "inject/environment.h"
#include "inject/target.h"
#include "tacho/error.h"
#include "tacho/sys/launch.h"

static char folder[] = "/tmp/tacho-test-XXXXXX";

static const char *path_of(const char *name)
{
	static char paths[4][PATH_MAX];
	static unsigned turn;
	char *path = paths[turn++ % 4];

	snprintf(path, PATH_MAX, "%s/%s", folder, name);
	return path;
}

static const char *write_file(const char *name, const void *bytes, size_t size)
{
	const char *path = path_of(name);
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0755);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes, size), size);
	assert_int_equal(fchmod(fd, 0755), 0);
	close(fd);
	return path;
}

static const char *write_text(const char *name, const char *text)
{
	return write_file(name, text, strlen(text));
}

/* An ELF file of one segment that names an interpreter; enough to be judged, not to run. */
struct image {
	Elf64_Ehdr header;
	Elf64_Phdr segment;
	char interpreter[64];
};

static void make_image(struct image *image, const char *interpreter)
{
	int fd = open("/proc/self/exe", O_RDONLY);

	memset(image, 0, sizeof(*image));
	assert_true(fd >= 0);
	assert_int_equal(read(fd, &image->header, sizeof(image->header)), sizeof(image->header));
	close(fd);
	image->header.e_phoff = offsetof(struct image, segment);
	image->header.e_phentsize = sizeof(image->segment);
	image->header.e_phnum = 1;
	image->segment.p_type = interpreter ? PT_INTERP : PT_LOAD;
	image->segment.p_offset = offsetof(struct image, interpreter);
	image->segment.p_filesz = interpreter ? strlen(interpreter) + 1 : 0;
	if (interpreter)
		strcpy(image->interpreter, interpreter);
}

/* The code of checking `path`; the cause must hold `cause`. */
static int check(const char *path, const char *cause)
{
	char binary[PATH_MAX];
	int rc = tacho__program_check(path, binary);

	if (rc)
		assert_non_null(strstr(tacho_error_last()->cause, cause));
	if (rc)
		assert_string_not_equal(tacho_error_last()->cure, "");
	return rc;
}

static void test_kinds_of_elf(void **state)
{
	struct image image;

	make_image(&image, "/proc/self/exe");
	assert_int_equal(check(write_file("good", &image, sizeof(image)), ""), 0);
	make_image(&image, NULL);
	assert_int_equal(check(write_file("static", &image, sizeof(image)), "static"),
			 TACHO_E_UNSUPPORTED);
	make_image(&image, "/lib/ld-musl-x86_64.so.1");
	assert_int_equal(check(write_file("musl", &image, sizeof(image)), "musl"),
			 TACHO_E_UNSUPPORTED);
	make_image(&image, "/proc/self/exe");
	image.header.e_ident[EI_CLASS] = ELFCLASS32;
	assert_int_equal(check(write_file("small", &image, sizeof(image)), "32-bit"),
			 TACHO_E_UNSUPPORTED);
	make_image(&image, "/proc/self/exe");
	image.header.e_machine = EM_S390;
	assert_int_equal(check(write_file("other", &image, sizeof(image)), "s390"),
			 TACHO_E_UNSUPPORTED);
	make_image(&image, "/nonexistent/ld.so");
	assert_int_equal(check(write_file("lost", &image, sizeof(image)), "/nonexistent/ld.so"),
			 TACHO_E_NOTFOUND);
}

static void test_setuid(void **state)
{
	struct image image;
	const char *path;

	if (geteuid())
		skip(); /* only root can give a file away */
	make_image(&image, "/proc/self/exe");
	path = write_file("privileged", &image, sizeof(image));
	assert_int_equal(chmod(path, 04755), 0);
	assert_int_equal(check(path, ""), 0); /* our own: nothing changes */
	assert_int_equal(chown(path, 65534, 0), 0);
	assert_int_equal(chmod(path, 04755), 0);
	assert_int_equal(check(path, "setuid"), TACHO_E_UNSUPPORTED);
	assert_int_equal(chown(path, 0, 65534), 0);
	assert_int_equal(chmod(path, 02755), 0);
	assert_int_equal(check(path, "setgid"), TACHO_E_UNSUPPORTED);
}

static void test_scripts(void **state)
{
	char line[PATH_MAX + 64], binary[PATH_MAX], *old = strdup(getenv("PATH"));
	struct image image;
	const char *path;

	make_image(&image, NULL);
	write_file("static", &image, sizeof(image));
	snprintf(line, sizeof(line), "#! %s/static -x\n", folder);
	assert_int_equal(check(write_text("direct", line), "static"), TACHO_E_UNSUPPORTED);
	snprintf(line, sizeof(line), "#!%s/direct\n", folder);
	assert_int_equal(check(write_text("nested", line), "static"), TACHO_E_UNSUPPORTED);
	setenv("PATH", folder, 1);
	path = write_text("env", "#!/usr/bin/env -S A=1 static -x\n");
	assert_int_equal(check(path, "static"), TACHO_E_UNSUPPORTED);
	setenv("PATH", old, 1);
	assert_int_equal(check(write_text("lost", "#!/nonexistent/sh\n"), "/nonexistent/sh"),
			 TACHO_E_NOTFOUND);
	snprintf(line, sizeof(line), "#!%s/loop\n", folder);
	assert_int_equal(check(write_text("loop", line), ""), 0); /* the kernel will refuse it */
	assert_int_equal(check(write_text("plain", "echo hello\n"), ""), 0);
	assert_int_equal(check(write_text("empty", ""), ""), 0);
	assert_int_equal(tacho__program_check(write_text("sh", "#!/bin/sh"), binary), 0);
	assert_string_equal(binary, "/bin/sh");
	free(old);
}

static void test_search(void **state)
{
	char *old = strdup(getenv("PATH")), *path, list[PATH_MAX * 2];

	write_text("found", "#!/bin/sh\n");
	write_text("barred", "#!/bin/sh\n");
	assert_int_equal(chmod(path_of("barred"), 0644), 0);
	assert_int_equal(mkdir(path_of("bin"), 0755), 0);
	snprintf(list, sizeof(list), "/nonexistent:%s/bin:%s", folder, folder);
	setenv("PATH", list, 1);
	assert_int_equal(tacho_launch_check("found", &path), 0);
	assert_string_equal(path, path_of("found"));
	free(path);
	assert_int_equal(tacho_launch_check("barred", &path), TACHO_E_PERM);
	assert_int_equal(tacho_launch_check("bin", &path), TACHO_E_PERM);
	assert_int_equal(tacho_launch_check("missing", &path), TACHO_E_NOTFOUND);
	assert_int_equal(tacho_launch_check("", &path), TACHO_E_NOTFOUND);
	setenv("PATH", "", 1); /* an empty entry is the current folder */
	assert_int_equal(chdir(folder), 0);
	assert_int_equal(tacho_launch_check("found", &path), 0);
	assert_int_equal(access(path, X_OK), 0);
	assert_int_equal(path[0], '/');
	free(path);
	setenv("PATH", old, 1);
	free(old);
}

static bool has_name(const struct tacho__buf *names, const char *start)
{
	for (size_t at = 0; at < names->size; at += strlen(names->text + at) + 1)
		if (!strncmp(names->text + at, start, strlen(start)))
			return true;
	return false;
}

static void test_needed(void **state)
{
	struct tacho__buf names = {0};
	int fd = open("/proc/self/exe", O_RDONLY);

	tacho__elf_list_needed(fd, &names);
	close(fd);
	assert_true(has_name(&names, "libcmocka.so"));
	assert_true(has_name(&names, "libc.so"));
	assert_false(has_name(&names, "libOpenCL.so"));
	tacho__buf_finish(&names);
}

/* Whatever the bytes say, reading ends and stays in bounds (run under ASan in ./check). */
static void test_hostile_bytes(void **state)
{
	unsigned char original[1024], bytes[1024];
	int fd = open("/proc/self/exe", O_RDONLY), read_any = 0;
	unsigned seed = 1;

	assert_int_equal(read(fd, original, sizeof(original)), sizeof(original));
	close(fd);
	for (int round = 0; round < 4000; round++) {
		size_t size = round % 5 ? sizeof(bytes) : (size_t)rand_r(&seed) % sizeof(bytes);
		struct tacho__buf names = {0};
		struct tacho__elf elf;

		memcpy(bytes, original, sizeof(bytes));
		for (int i = 0; i < 1 + round % 4; i++)
			bytes[(size_t)rand_r(&seed) % 512] = (unsigned char)rand_r(&seed);
		fd = memfd_create("hostile", 0);
		assert_int_equal(write(fd, bytes, size), size);
		tacho__elf_read(fd, &elf);
		tacho__elf_list_needed(fd, &names);
		read_any += elf.is_native;
		assert_true(memchr(elf.interpreter, 0, sizeof(elf.interpreter)) != NULL);
		tacho__buf_finish(&names);
		close(fd);
	}
	assert_true(read_any > 0 && read_any < 4000);
}

static void test_environment(void **state)
{
	struct tacho__environment environment;

	setenv("TACHO_TEST_A", "old", 1);
	unsetenv("TACHO_TEST_B");
	assert_int_equal(tacho__environment_copy(&environment), 0);
	assert_int_equal(tacho__environment_prepend(&environment, "TACHO_TEST_A", "new", ':'), 0);
	assert_string_equal(tacho__environment_get(&environment, "TACHO_TEST_A"), "new:old");
	assert_int_equal(tacho__environment_prepend(&environment, "TACHO_TEST_A", "new", ':'), 0);
	assert_string_equal(tacho__environment_get(&environment, "TACHO_TEST_A"), "new:old");
	assert_int_equal(tacho__environment_prepend(&environment, "TACHO_TEST_A", "ne", ':'), 0);
	assert_string_equal(tacho__environment_get(&environment, "TACHO_TEST_A"), "ne:new:old");
	assert_int_equal(tacho__environment_prepend(&environment, "TACHO_TEST_B", "x", ':'), 0);
	assert_string_equal(tacho__environment_get(&environment, "TACHO_TEST_B"), "x");
	tacho__environment_unset(&environment, "TACHO_TEST_A");
	assert_null(tacho__environment_get(&environment, "TACHO_TEST_A"));
	assert_string_equal(getenv("TACHO_TEST_A"), "old"); /* ours stays as it is */
	assert_null(environment.list[environment.count]);
	tacho__environment_finish(&environment);
}

static int set_up(void **state)
{
	return !mkdtemp(folder);
}

static int tear_down(void **state)
{
	char command[PATH_MAX];

	snprintf(command, sizeof(command), "rm -rf %s", folder);
	return system(command);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_kinds_of_elf), cmocka_unit_test(test_setuid),
		cmocka_unit_test(test_scripts),	     cmocka_unit_test(test_search),
		cmocka_unit_test(test_needed),	     cmocka_unit_test(test_hostile_bytes),
		cmocka_unit_test(test_environment),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
