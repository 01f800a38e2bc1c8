/* SPDX-License-Identifier: MIT */
/* A child that runs vendors' code: what it said arrives, whatever becomes of it. */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "isolate.h"

struct log {
	char text[256];
	unsigned count;
};

static void add_message(void *user, const char *const *fields, size_t count)
{
	struct log *log = user;
	size_t length = strlen(log->text);

	log->count++;
	for (size_t i = 0; i < count && length < sizeof(log->text); i++)
		length += (size_t)snprintf(log->text + length, sizeof(log->text) - length, "%s,",
					   fields[i]);
}

static void send_two(int channel)
{
	cli_isolate_send(channel, (const char *const[]){"a", NULL, "c"}, 3);
	cli_isolate_send(channel, (const char *const[]){"d"}, 1);
}

static int exits(int channel)
{
	send_two(channel);
	return 3;
}

static int crashes(int channel)
{
	send_two(channel);
	signal(SIGSEGV, SIG_DFL);
	raise(SIGSEGV);
	return 0;
}

static int hangs(int channel)
{
	send_two(channel);
	pause();
	return 0;
}

static int talks_nonsense(int channel)
{
	static const char nonsense[] = "\xff\xff\xff\xff"
				       "more";

	send_two(channel);
	if (write(channel, nonsense, sizeof(nonsense)) < 0)
		return 1;
	pause();
	return 0;
}

static int sends_no_end(int channel)
{
	static const char message[] = {4, 0, 0, 0, 'a', 'b', 'c', 'd'};

	if (write(channel, message, sizeof(message)) < 0)
		return 1;
	pause();
	return 0;
}

static int prints(int channel)
{
	return printf("a driver's chatter\n") < 0 || fflush(stdout) != 0;
}

static struct log run(cli_isolate_fn work, int timeout_ms, enum cli_isolate_end end, int number)
{
	struct log log = {0};
	struct cli_isolate_result result = cli_isolate_run(work, timeout_ms, add_message, &log);

	assert_int_equal(result.end, end);
	assert_int_equal(result.number, number);
	return log;
}

static void hears_everything(void **state)
{
	struct log log = run(exits, 10000, CLI_ISOLATE_EXITED, 3);

	assert_string_equal(log.text, "a,,c,d,");
	assert_int_equal(log.count, 2);
}

static void survives_a_crash(void **state)
{
	struct log log = run(crashes, 10000, CLI_ISOLATE_KILLED, SIGSEGV);

	assert_string_equal(log.text, "a,,c,d,");
}

static void ends_a_hang(void **state)
{
	struct log log = run(hangs, 200, CLI_ISOLATE_HUNG, SIGKILL);

	assert_string_equal(log.text, "a,,c,d,");
}

static void refuses_nonsense(void **state)
{
	struct log log = run(talks_nonsense, 10000, CLI_ISOLATE_GARBLED, SIGKILL);

	assert_int_equal(log.count, 2);
	assert_int_equal(run(sends_no_end, 10000, CLI_ISOLATE_GARBLED, SIGKILL).count, 0);
}

/* The chatter would be in the middle of this program's own output. */
static void keeps_stdout_clean(void **state)
{
	int file[2], kept = dup(STDOUT_FILENO);
	char byte;

	assert_int_equal(pipe(file), 0);
	fflush(stdout);
	dup2(file[1], STDOUT_FILENO);
	close(file[1]);
	run(prints, 10000, CLI_ISOLATE_EXITED, 0);
	dup2(kept, STDOUT_FILENO);
	close(kept);
	assert_int_equal(read(file[0], &byte, 1), 0);
	close(file[0]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hears_everything),   cmocka_unit_test(survives_a_crash),
		cmocka_unit_test(ends_a_hang),	      cmocka_unit_test(refuses_nonsense),
		cmocka_unit_test(keeps_stdout_clean),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
