/* SPDX-License-Identifier: MIT */
/*
 * A program that launches kernels from odd places: odd_cl PLATFORM PLACE. It prints how many it
 * launched, or "not here" with status 77 where the place cannot be had.
 */
#include <grp.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <ucontext.h>
#include <unistd.h>

#include "cl_program.h"

enum {
	GROUP = 64,
	NOBODY = 65534,
	SMALL_STACK = 64 * 1024, /* what the driver needs for a launch, and a page or two */
};

static const char source[] = "kernel void add(global uint *sums) { sums[get_global_id(0)]++; }";

static unsigned platform, launches;
static void *kernel;

static void launch(void)
{
	const size_t global = GROUP;

	check("clEnqueueNDRangeKernel",
	      cl.clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL));
	check("clFinish", cl.clFinish(queue));
	launches++;
}

static void begin(void)
{
	set_up(platform, source);
	kernel = make_kernel(program, "add");
	set_buffer(kernel, 0, make_buffer(MEM_READ_WRITE, GROUP * sizeof(uint32_t), NULL));
	launch();
}

static void give_up(void)
{
	puts("not here");
	exit(77);
}

/* Where no file is any more: no /proc, no /dev, no folder of the recording. */
static void in_an_empty_root(void)
{
	begin();
	if (mkdir("root", 0700) || chroot("root") || chdir("/"))
		give_up();
	launch();
}

static void as_another_user(void)
{
	begin();
	if (setgroups(0, NULL) || setgid(NOBODY) || setuid(NOBODY))
		give_up();
	launch();
}

static void in_a_folder_that_is_gone(void)
{
	if (mkdir("gone", 0700) || chdir("gone") || rmdir("../gone"))
		give_up();
	begin();
	launch();
}

static void after_all_is_closed(void)
{
	begin();
	for (int fd = 3; fd < 1024; fd++)
		close(fd);
	launch();
}

static ucontext_t outside, inside;

static void on_a_small_stack(void)
{
	char *stack = mmap(NULL, SMALL_STACK + 4096, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	begin();
	if (stack == MAP_FAILED || mprotect(stack, 4096, PROT_NONE) || getcontext(&inside))
		give_up();
	inside.uc_stack.ss_sp = stack + 4096;
	inside.uc_stack.ss_size = SMALL_STACK;
	inside.uc_link = &outside;
	makecontext(&inside, launch, 0);
	swapcontext(&outside, &inside);
}

static void *deep(void *unused)
{
	volatile char frame[400 << 20];

	frame[0] = frame[sizeof(frame) - 1] = 1;
	launch();
	return unused;
}

static void on_a_huge_stack(void)
{
	pthread_attr_t attributes;
	pthread_t thread;

	begin();
	pthread_attr_init(&attributes);
	if (pthread_attr_setstacksize(&attributes, 1024UL << 20) ||
	    pthread_create(&thread, &attributes, deep, NULL))
		give_up();
	pthread_join(thread, NULL);
}

static pthread_key_t key;
static int rounds;

/* libc calls these as often as four times, in no order among libraries. */
static void launch_at_end(void *value)
{
	launch();
	if (++rounds < 3)
		pthread_setspecific(key, value);
}

static void *end_with_value(void *unused)
{
	pthread_setspecific(key, &key);
	launch();
	return unused;
}

static void at_the_end_of_a_thread(void)
{
	pthread_t thread;

	pthread_key_create(&key, launch_at_end);
	begin();
	pthread_create(&thread, NULL, end_with_value, NULL);
	pthread_join(thread, NULL);
}

/* The loader goes, and comes again. */
static void with_the_loader_anew(void)
{
	void *library;

	begin();
	library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_NOLOAD);
	dlclose(library);
	dlclose(library);
	begin();
}

static void with_no_environment(void)
{
	begin();
	clearenv();
	launch();
}

static const struct {
	const char *name;
	void (*fn)(void);
} places[] = {
	{"empty-root", in_an_empty_root},	   {"other-user", as_another_user},
	{"gone-folder", in_a_folder_that_is_gone}, {"all-closed", after_all_is_closed},
	{"small-stack", on_a_small_stack},	   {"huge-stack", on_a_huge_stack},
	{"thread-end", at_the_end_of_a_thread},	   {"loader-anew", with_the_loader_anew},
	{"no-environment", with_no_environment},
};

int main(int argc, char **argv)
{
	if (argc != 3)
		return 2;
	platform = (unsigned)atoi(argv[1]);
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++)
		if (!strcmp(places[i].name, argv[2]))
			places[i].fn();
	printf("%u launches\n", launches);
	return launches ? 0 : 2;
}
