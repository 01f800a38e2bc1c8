/* SPDX-License-Identifier: MIT */
/*
 * A program that names ranges through another API than tacho's, and prints what that returns.
 *
 *	name_ranges nvtx	everything of NVTX that makes ranges
 *	name_ranges older	NVTX, with a table that lacks its last functions
 *	name_ranges itt		the same of ITT
 *	name_ranges threads N	N threads, 1000 ranges each, through NVTX and ITT
 *	name_ranges names	three threads with names through NVTX, none, and ITT
 *	name_ranges child	NVTX in a forked child, too
 *	name_ranges cl PLATFORM	kernels in NVTX's ranges: 2 in "first", 3 in "second" of "both"
 */
#include "cl_program.h"
#include "speak_itt.h"
#include "speak_nvtx.h"

#include <pthread.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ASCII = 1, WIDE = 2, REGISTERED = 3, RANGES = 1000, ITEMS = 256 };

static struct nvtx_event make_event(int type, const void *message)
{
	return (struct nvtx_event){.version = 3,
				   .size = sizeof(struct nvtx_event),
				   .message_type = type,
				   .message = message};
}

static void nvtx_domains(void)
{
	void *domain = core2.domain("library"), *other = core2.domain_wide(L"übrige");
	struct nvtx_event text = make_event(ASCII, "in a domain");
	struct nvtx_event string = make_event(REGISTERED, core2.string(domain, "registered"));
	struct nvtx_event wide = make_event(REGISTERED, core2.string_wide(domain, L"weit"));
	uint64_t range;

	printf("the same domain: %d\n", core2.domain("library") == domain);
	printf("push: %d\n", core2.push_ex(domain, &text));
	printf("push: %d\n", core2.push_ex(domain, &string));
	printf("push: %d\n", core2.push_ex(other, &wide));
	printf("push: %d\n", core2.push_ex(NULL, &text));
	printf("pop: %d\n", core2.pop(domain));
	printf("pop: %d\n", core2.pop(NULL));
	printf("pop: %d\n", core2.pop(other));
	printf("pop: %d\n", core2.pop(other));
	core2.mark_ex(domain, &string);
	range = core2.start_ex(domain, &text);
	printf("pop: %d\n", core2.pop(domain));
	core2.end(domain, range);
}

static void nvtx_attributes(void)
{
	struct nvtx_event event = make_event(ASCII, "colored");

	event.color_type = 1;
	event.color = 0xff336699;
	printf("push: %d\n", core.push_ex(&event));
	event = make_event(WIDE, L"wide \u20ac \U0001d11e");
	core.mark_ex(&event);
	event = make_event(ASCII, NULL);
	core.mark_ex(&event);
	event = make_event(99, "of an unknown type");
	core.mark_ex(&event);
	event = make_event(ASCII, "not in it");
	event.size = 40; /* ends before the message */
	core.mark_ex(&event);
	core.mark_ex(NULL);
	printf("pop: %d\n", core.pop());
}

static void nvtx_whole(void)
{
	char name[301];
	uint64_t first, second;

	printf("push: %d\n", core.push("outer"));
	printf("push: %d\n", core.push_wide(L"größer"));
	printf("pop: %d\n", core.pop());
	printf("pop: %d\n", core.pop());
	printf("pop: %d\n", core.pop());
	first = core.start("first");
	second = core.start_wide(L"second");
	printf("numbers: %d\n", first && second && first != second);
	core.end(first);
	core.end(second);
	core.end(second);
	core.mark("here");
	core.mark(NULL);
	memset(name, 'n', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	core.mark(name);
	nvtx_attributes();
	nvtx_domains();
}

static void itt_whole(void)
{
	static const struct itt_id none, one = {1, 2, 3}, two = {1, 2, 4};
	struct itt_domain *domain = itt.domain_create("work");
	struct itt_string *name = itt.string_handle_create("task");
	/* as the program's own part makes them before the library is loaded */
	struct itt_domain early = {.flags = 1, .name = "early"};
	struct itt_string early_name = {.text = "early task"};
	int event, mark;

	printf("the same: %d %d\n", itt.domain_create("work") == domain,
	       itt.string_handle_create("task") == name);
	printf("on: %d, %s, %s\n", domain->flags, domain->name, name->text);
	itt.task_begin(domain, none, none, name);
	itt.task_begin(&early, none, none, &early_name);
	itt.task_begin_fn(domain, none, none, (void *)(uintptr_t)0x1234);
	itt.marker(domain, none, itt.string_handle_create("marker"), 1);
	itt.task_end(domain);
	itt.task_end(&early);
	itt.task_end(domain);
	itt.task_end(domain);
	itt.task_begin_overlapped(domain, one, none, name);
	itt.task_begin_overlapped(domain, two, none, name);
	itt.task_end_overlapped(domain, one);
	itt.task_end_overlapped(domain, two);
	itt.task_end_overlapped(domain, two);
	itt.task_begin_overlapped(domain, one, none, itt.string_handle_create("stays"));
	itt.task_begin_overlapped(domain, two, none, itt.string_handle_create("goes"));
	itt.task_end_overlapped(domain, two);
	itt.region_begin(domain, none, none, itt.string_handle_create("region"));
	itt.frame_begin_v3(domain, NULL);
	itt.region_end(domain, none);
	itt.frame_end_v3(domain, NULL);
	event = itt.event_create("event and more", 5);
	printf("event: %d\n", event > 0);
	itt.event_start(event);
	itt.event_end(event);
	mark = itt.mark_create("mark");
	printf("mark: %d, none: %d\n", itt.mark(mark, "parameter"), itt.mark(0, NULL));
	itt.pause();
	itt.resume();
	printf("others: %d\n", itt.counter_inc != NULL);
}

static void *run_thread(void *arg)
{
	static const struct itt_id none;
	struct itt_domain *domain = itt.domain_create("threads");
	char name[32];

	snprintf(name, sizeof(name), "thread %d", *(int *)arg);
	for (int i = 0; i < RANGES; i++) {
		struct itt_id id = {(unsigned long long)*(int *)arg, (unsigned long long)i, 0};
		struct itt_string *string = itt.string_handle_create(name);

		core.push(name);
		itt.task_begin_overlapped(domain, id, none, string);
		itt.task_end_overlapped(domain, id);
		core.pop();
	}
	return NULL;
}

static void run_threads(int count)
{
	pthread_t threads[64];
	int numbers[64];

	for (int i = 0; i < count; i++) {
		numbers[i] = i;
		check("pthread_create", pthread_create(&threads[i], NULL, run_thread, &numbers[i]));
	}
	for (int i = 0; i < count; i++)
		pthread_join(threads[i], NULL);
}

static void *name_by_nvtx(void *arg)
{
	core.thread((uint32_t)gettid(), "a name that the kernel would cut");
	core.push(arg);
	core.pop();
	core.thread_wide((uint32_t)gettid(), L"größer");
	return NULL;
}

static void *name_another(void *arg)
{
	core.thread(1, "another's");
	core.push(arg);
	core.pop();
	return NULL;
}

static void *name_by_itt(void *arg)
{
	itt.thread_set_name("by ITT");
	core.push(arg);
	core.pop();
	return NULL;
}

static void run_one(void *(*run)(void *), const char *range)
{
	pthread_t thread;

	check("pthread_create", pthread_create(&thread, NULL, run, (void *)range));
	pthread_join(thread, NULL);
}

static int run_child(void)
{
	int status;
	pid_t pid;

	core.push("before");
	pid = fork();
	if (!pid) {
		core.push("in the child");
		core.pop();
		_exit(0);
	}
	waitpid(pid, &status, 0);
	core.pop();
	return status;
}

static void run_kernels(unsigned platform)
{
	static const char source[] =
		"kernel void one(global uint *x) { x[get_global_id(0)] += 1; }\n";
	const size_t items = ITEMS;
	void *kernel;
	uint64_t both;

	set_up(platform, source);
	kernel = make_kernel(program, "one");
	set_buffer(kernel, 0, make_buffer(MEM_READ_WRITE, ITEMS * sizeof(uint32_t), NULL));
	both = core.start("both");
	for (int i = 0; i < 5; i++) {
		if (i == 0 || i == 2)
			core.push(i ? "second" : "first");
		check("clEnqueueNDRangeKernel",
		      cl.clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL,
						NULL));
		if (i == 1 || i == 4)
			core.pop();
	}
	core.end(both);
	cl.clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL);
	check("clFinish", cl.clFinish(queue));
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	int number = argc > 2 ? atoi(argv[2]) : 0;
	int has_nvtx, has_itt;

	nvtx_shorter = strcmp(what, "older") ? 0 : 4;
	has_nvtx = nvtx_load();
	has_itt = itt_load();
	if (!strcmp(what, "itt"))
		printf("itt: %d\n", has_itt);
	else
		printf("nvtx: %d\n", has_nvtx);
	if (!strcmp(what, "older") && has_nvtx)
		printf("behind its end: %d\n", core2.domain != NULL);
	else if (!strcmp(what, "nvtx") && has_nvtx)
		nvtx_whole();
	else if (!strcmp(what, "itt") && has_itt)
		itt_whole();
	else if (!strcmp(what, "threads") && has_nvtx && number <= 64)
		run_threads(number);
	else if (!strcmp(what, "names") && has_nvtx && has_itt) {
		run_one(name_by_nvtx, "first");
		run_one(name_another, "second");
		run_one(name_by_itt, "third");
	} else if (!strcmp(what, "child") && has_nvtx)
		return run_child();
	else if (!strcmp(what, "cl") && has_nvtx)
		run_kernels((unsigned)number);
	return 0;
}
