/* SPDX-License-Identifier: MIT */
/*
 * list_ranges RECORDING [threads]: the named ranges of a recording, in the order of their ends, and
 * in which of them each kernel was launched; with the names of their threads behind them. Judges
 * the reading side by nothing but the public headers.
 */
#include <stdio.h>

#include <tacho/tacho.h>

static struct tacho_cursor *cursor;
static int shows_threads;

static const char *const kinds[] = {"", "nested", "process", "mark"};

static void print_range(void *user, const struct tacho_named_range *range)
{
	(void)user;
	printf("%s %s \"%s\" \"%s\"", range->api, kinds[range->kind], range->domain, range->name);
	if (range->kind == TACHO_RANGE_NESTED)
		printf(" in \"%s\"", range->parent ? range->parent->name : "");
	if (range->has_color)
		printf(" #%08x", range->color);
	if (range->is_open)
		printf(" open");
	if (shows_threads)
		printf(" on \"%s\"",
		       tacho_cursor_get_thread_name(cursor, range->process, range->thread));
	if (range->end_ns < range->start_ns)
		printf(" ends before it starts");
	putchar('\n');
}

static void print_launch(const struct tacho_call *call)
{
	if (!call->command || call->command->kind != TACHO_COMMAND_KERNEL)
		return;
	printf("launch in");
	for (size_t i = 0; i < call->range_count; i++)
		printf(" \"%s\"", call->ranges[i]->name);
	putchar('\n');
}

static int fail(void)
{
	fprintf(stderr, "%s: %s\n", tacho_error_last()->message, tacho_error_last()->cause);
	return 1;
}

int main(int argc, char **argv)
{
	struct tacho_recording *recording;
	const struct tacho_call *call;
	int rc;

	shows_threads = argc == 3;
	if (argc < 2 || tacho_recording_open(argv[1], &recording))
		return fail();
	if (tacho_cursor_open(recording, &cursor))
		return fail();
	tacho_cursor_on_range(cursor, print_range, NULL);
	while ((rc = tacho_cursor_next(cursor, &call)) > 0)
		print_launch(call);
	tacho_cursor_close(cursor);
	tacho_recording_close(recording);
	return rc ? fail() : 0;
}
