/* SPDX-License-Identifier: MIT */
/*
 * Inputs of one metric are opened as a group. The kernel's own software clocks stand in for two
 * counters of a CPU, so that this is the same on machines without any.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "backend/perf/perf.h"
#include "catalog/arch.h"
#include "tacho/error.h"
#include "tacho/session.h"

enum { OPENED_MAX = 64 };

/* What was asked of the kernel since the last look. */
static struct opened {
	int fd, group_fd;
	uint32_t type;
	uint64_t config;
	pid_t pid;
	bool disabled, on_exec;
} opened[OPENED_MAX];
static size_t opened_count;

/* A group may have so many hardware events, and more of them are refused. */
static int registers = OPENED_MAX;
/* A process that is stopped: nothing runs on it that is tried on this thread. 0: as asked for. */
static pid_t sleeper;

long __real_syscall(long number, ...);
long __wrap_syscall(long number, ...);

/* Numbers of descriptors are used again: the last leader of this one is meant. */
static int count_hardware(int leader)
{
	int count = 0;

	for (size_t i = 0; i < opened_count; i++) {
		if (opened[i].fd == leader)
			count = 0;
		count += opened[i].type == PERF_TYPE_HARDWARE &&
			 (opened[i].fd == leader || opened[i].group_fd == leader);
	}
	return count;
}

static long open_event(const struct perf_event_attr *wanted, pid_t pid, int cpu, int group_fd,
		       unsigned long flags)
{
	struct perf_event_attr attr = *wanted;
	long fd;

	if (attr.type == PERF_TYPE_HARDWARE) {
		if (group_fd >= 0 && count_hardware(group_fd) >= registers) {
			errno = EINVAL;
			return -1;
		}
		attr.type = PERF_TYPE_SOFTWARE;
		attr.config = PERF_COUNT_SW_TASK_CLOCK;
	}
	if (sleeper && !pid)
		pid = sleeper;
	fd = __real_syscall(SYS_perf_event_open, &attr, pid, cpu, group_fd, flags);
	if (fd >= 0 && opened_count < OPENED_MAX)
		opened[opened_count++] = (struct opened){.fd = (int)fd,
							 .group_fd = group_fd,
							 .type = wanted->type,
							 .config = wanted->config,
							 .pid = pid,
							 .disabled = attr.disabled,
							 .on_exec = attr.enable_on_exec};
	return fd;
}

long __wrap_syscall(long number, ...)
{
	long values[6];
	va_list list;

	va_start(list, number);
	for (int i = 0; i < 6; i++)
		values[i] = va_arg(list, long);
	va_end(list);
	if (number == SYS_perf_event_open)
		return open_event((const struct perf_event_attr *)values[0], (pid_t)values[1],
				  (int)values[2], (int)values[3], (unsigned long)values[4]);
	return __real_syscall(number, values[0], values[1], values[2], values[3], values[4],
			      values[5]);
}

struct world {
	struct tacho_context *context;
	struct tacho_device *device;
	struct tacho_config *config;
	struct tacho_plan *plan;
	struct tacho_session *session;
};

static const struct {
	const char *name, *expression;
} metrics[] = {
	{"rate", "page_faults / task_clock"},
	{"mixed", "context_switches / instructions"},
	{"wide", "cycles + instructions + branches"},
};

static void add_metrics(struct tacho_device *device)
{
	struct tacho__perf_device *own = TACHO__OWN(struct tacho__perf_device, device);

	for (size_t i = 0; i < sizeof(metrics) / sizeof(metrics[0]); i++)
		assert_int_equal(tacho__arch_add_entry(own->arch,
						       &(struct tacho_entry){
							       .name = metrics[i].name,
							       .kind = TACHO_ENTRY_METRIC,
							       .type = TACHO_TYPE_F64,
							       .notation = "infix",
							       .expression = metrics[i].expression,
						       },
						       TACHO__ADD_NEW),
				 0);
}

static void open_world(struct world *world, const char *const *names, size_t count)
{
	struct tacho_context_options machine = {.size = sizeof(machine), .backends = "perf"};
	struct tacho_config_entry entries[8] = {0};
	const struct tacho_device_info *info;

	memset(world, 0, sizeof(*world));
	assert_int_equal(tacho_context_create(&machine, &world->context), 0);
	if (tacho_context_find_device_info(world->context, "perf:linux", &info) ||
	    tacho_device_open(world->context, info, &world->device)) {
		tacho_context_destroy(world->context);
		skip(); /* this machine lets nobody count */
	}
	add_metrics(world->device);
	opened_count = 0;
	for (size_t i = 0; i < count; i++)
		entries[i].name = names[i];
	assert_int_equal(tacho_config_create(tacho_device_get_arch(world->device), NULL, entries,
					     count, &world->config),
			 0);
	assert_int_equal(tacho_device_plan(world->device, world->config, NULL, &world->plan), 0);
}

/* What is in `opened` then is what the pass has open. */
static void begin(struct world *world, struct tacho_session_options options)
{
	options.size = sizeof(options);
	options.replay = TACHO_REPLAY_NONE;
	assert_int_equal(
		tacho_session_create(world->device, world->plan, &options, &world->session), 0);
	opened_count = 0;
	assert_int_equal(tacho_session_begin_pass(world->session), 0);
}

static void close_world(struct world *world)
{
	tacho_session_destroy(world->session);
	tacho_plan_destroy(world->plan);
	tacho_config_destroy(world->config);
	tacho_device_close(world->device);
	tacho_context_destroy(world->context);
	registers = OPENED_MAX;
	sleeper = 0;
}

static const struct opened *find(uint32_t type, uint64_t config)
{
	for (size_t i = 0; i < opened_count; i++)
		if (opened[i].type == type && opened[i].config == config)
			return &opened[i];
	fail_msg("event %u:%llu was not opened", type, (unsigned long long)config);
	return NULL;
}

static const struct opened *find_hardware(uint64_t config)
{
	return find(PERF_TYPE_HARDWARE, config);
}

static const struct opened *find_software(uint64_t config)
{
	return find(PERF_TYPE_SOFTWARE, config);
}

static int leader_of(const struct opened *event)
{
	return event->group_fd >= 0 ? event->group_fd : event->fd;
}

static void count_range(struct world *world, struct tacho_result **out_result)
{
	volatile uint64_t sum = 0;
	tacho_range range;

	assert_int_equal(tacho_session_begin_range(world->session, 0, 1, "range", &range), 0);
	for (uint64_t i = 0; i < 1000000; i++)
		sum += i;
	assert_int_equal(tacho_session_end_range(world->session, range), 0);
	assert_int_equal(tacho_session_take(world->session, out_result), 0);
}

static void expect_ok(struct world *world)
{
	const struct tacho_column *column;
	struct tacho_result *result;

	count_range(world, &result);
	for (size_t i = 0; (column = tacho_result_get_column(result, i)); i++)
		assert_int_equal(tacho_column_get_state(column, 0, 0), TACHO_STATE_OK);
	tacho_result_destroy(result);
}

/* The kernel's word for it: what stops the leader stops the other one in the same instant. */
static void test_kernel(void **state)
{
	static const char *const names[] = {"rate", "context-switches"};
	const struct opened *faults, *clock;
	uint64_t values[2][3], again[3];
	struct world world;

	open_world(&world, names, 2);
	begin(&world, (struct tacho_session_options){0});
	faults = find_software(PERF_COUNT_SW_PAGE_FAULTS);
	clock = find_software(PERF_COUNT_SW_TASK_CLOCK);
	assert_int_equal(leader_of(faults), leader_of(clock));
	assert_int_not_equal(faults->fd, clock->fd);
	assert_int_equal(find_software(PERF_COUNT_SW_CONTEXT_SWITCHES)->group_fd, -1);
	expect_ok(&world);
	assert_int_equal(ioctl(leader_of(clock), PERF_EVENT_IOC_DISABLE, 0), 0);
	assert_int_equal(read(faults->fd, values[0], sizeof(values[0])), sizeof(values[0]));
	assert_int_equal(read(clock->fd, values[1], sizeof(values[1])), sizeof(values[1]));
	assert_true(values[0][1] > 0);
	assert_memory_equal(&values[0][1], &values[1][1], 2 * sizeof(uint64_t));
	assert_int_equal(read(clock->fd, again, sizeof(again)), sizeof(again));
	assert_memory_equal(again, values[1], sizeof(again));
	close_world(&world);
}

/* A lone input of one metric joins the group of another; software follows hardware. */
static void test_overlap(void **state)
{
	static const char *const names[] = {"mixed", "ipc"};
	const struct opened *switches, *cycles, *instructions;
	struct world world;

	open_world(&world, names, 2);
	begin(&world, (struct tacho_session_options){0});
	switches = find_software(PERF_COUNT_SW_CONTEXT_SWITCHES);
	cycles = find_hardware(PERF_COUNT_HW_CPU_CYCLES);
	instructions = find_hardware(PERF_COUNT_HW_INSTRUCTIONS);
	assert_int_equal(instructions->group_fd, -1);
	assert_true(instructions->disabled);
	assert_int_equal(switches->group_fd, instructions->fd);
	assert_int_equal(cycles->group_fd, instructions->fd);
	/* they begin with their leader */
	assert_false(switches->disabled);
	assert_false(cycles->disabled);
	expect_ok(&world);
	close_world(&world);
}

/* What a unit has no room for stays out of the group, and is counted all the same. */
static void test_room(void **state)
{
	static const char *const names[] = {"wide"};
	int leaders = 0;
	struct world world;

	registers = 2;
	open_world(&world, names, 1);
	begin(&world, (struct tacho_session_options){0});
	for (size_t i = 0; i < opened_count; i++)
		leaders += opened[i].group_fd < 0;
	assert_int_equal(opened_count, 3);
	assert_int_equal(leaders, 2);
	expect_ok(&world);
	close_world(&world);
}

/* Room that was there when it was tried, and is not for what is to be counted. */
static void test_refused_later(void **state)
{
	static const char *const names[] = {"ipc"};
	struct tacho_session_options options = {.size = sizeof(options),
						.replay = TACHO_REPLAY_NONE};
	struct world world;

	open_world(&world, names, 1);
	assert_int_equal(tacho_session_create(world.device, world.plan, &options, &world.session),
			 0);
	registers = 1;
	opened_count = 0;
	assert_int_equal(tacho_session_begin_pass(world.session), 0);
	assert_int_equal(find_hardware(PERF_COUNT_HW_CPU_CYCLES)->group_fd, -1);
	assert_int_equal(find_hardware(PERF_COUNT_HW_INSTRUCTIONS)->group_fd, -1);
	expect_ok(&world);
	close_world(&world);
}

/* The kernel takes the group, and never lets it run: a counter of it is set aside for good. */
static void test_never_running(void **state)
{
	static const char *const names[] = {"ipc"};
	struct world world;
	int status;

	open_world(&world, names, 1);
	sleeper = fork();
	if (sleeper == 0) {
		raise(SIGSTOP);
		_exit(0);
	}
	assert_int_equal(waitpid(sleeper, &status, WUNTRACED), sleeper);
	assert_true(WIFSTOPPED(status));
	begin(&world, (struct tacho_session_options){0});
	kill(sleeper, SIGKILL);
	assert_int_equal(waitpid(sleeper, &status, 0), sleeper);
	for (size_t i = 0; i < opened_count; i++)
		assert_int_equal(opened[i].group_fd, -1);
	expect_ok(&world);
	close_world(&world);
}

static int wants_me(void *user, int64_t thread)
{
	return *(pid_t *)user == thread;
}

/* A thread that is added later has the group too, with descriptors out of the program's way. */
static void test_late_thread(void **state)
{
	static const char *const names[] = {"rate"};
	struct tacho_result *result;
	struct world world;
	pid_t me = gettid();

	open_world(&world, names, 1);
	begin(&world, (struct tacho_session_options){.wants_thread = wants_me, .user = &me});
	assert_int_equal(opened_count, 0);
	count_range(&world, &result);
	tacho_result_destroy(result);
	assert_int_equal(opened_count, 2);
	assert_int_equal(opened[0].group_fd, -1);
	assert_true(opened[1].group_fd >= 512);
	assert_int_equal(opened[0].pid, me);
	assert_int_equal(opened[1].pid, me);
	expect_ok(&world);
	close_world(&world);
}

/* The leader alone is enabled by the exec, and the others with it. */
static void test_from_exec(void **state)
{
	static const char *const names[] = {"rate"};
	const struct tacho_column *faults;
	struct tacho_result *result;
	struct world world;
	tacho_range range;
	int go[2], status;
	pid_t child;
	char byte;

	open_world(&world, names, 1);
	assert_int_equal(pipe(go), 0);
	child = fork();
	if (child == 0) {
		close(go[1]);
		if (read(go[0], &byte, 1) == 1)
			execl("/bin/true", "true", (char *)NULL);
		_exit(9);
	}
	begin(&world, (struct tacho_session_options){.pid = child, .from_exec = 1});
	assert_int_equal(opened_count, 2);
	assert_true(opened[0].on_exec && opened[0].disabled);
	assert_false(opened[1].on_exec || opened[1].disabled);
	assert_int_equal(tacho_session_begin_range(world.session, 0, 0, NULL, &range), 0);
	assert_int_equal(write(go[1], "g", 1), 1);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	assert_int_equal(tacho_session_end_range(world.session, range), 0);
	assert_int_equal(tacho_session_take(world.session, &result), 0);
	faults = tacho_result_find_column(result, "rate");
	assert_non_null(faults);
	assert_int_equal(tacho_column_get_state(faults, 0, 0), TACHO_STATE_OK);
	assert_true(tacho_column_get_value(faults, 0, 0) > 0);
	tacho_result_destroy(result);
	close_world(&world);
	close(go[0]);
	close(go[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_kernel),	      cmocka_unit_test(test_overlap),
		cmocka_unit_test(test_room),	      cmocka_unit_test(test_refused_later),
		cmocka_unit_test(test_never_running), cmocka_unit_test(test_late_thread),
		cmocka_unit_test(test_from_exec),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
