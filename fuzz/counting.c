/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes counting.json, and lists of counters as -m takes them from files. What is read as the
 * former is written, and reads the same again; its patterns are tried on names.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tacho/error.h"
#include "tacho/sys/counting.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Other results hold what their headers promise. */
static void expect(bool holds)
{
	if (!holds)
		abort();
}

static char *write_text(const struct tacho_counting *counting, size_t *out_size)
{
	char *text = NULL;
	FILE *stream = open_memstream(&text, out_size);

	expect(stream != NULL);
	tacho_counting_write(counting, stream);
	fclose(stream);
	return text;
}

static void use(const struct tacho_counting *counting)
{
	static const char *const kernels[] = {"", "vadd", "void gemm<float, 128>(float *, int)"};

	for (size_t i = 0; i < sizeof(kernels) / sizeof(kernels[0]); i++)
		if (tacho_counting_selects(counting, kernels[i]))
			expect(tacho_counting_is_selective(counting) ||
			       !counting->select.kernel_count);
	tacho_counting_is_paused(counting, NULL);
	expect(*tacho_replay_to_string(counting->replay));
}

static void read_counting(const uint8_t *data, size_t size)
{
	struct tacho_counting *counting, *again;
	char *text, *same;
	size_t length, same_length;

	if (tacho_counting_parse((const char *)data, size, &counting)) {
		expect(*tacho_error_last()->message);
		return;
	}
	use(counting);
	text = write_text(counting, &length);
	expect(!tacho_counting_parse(text, length, &again));
	same = write_text(again, &same_length);
	expect(length == same_length && !memcmp(text, same, length));
	free(same);
	free(text);
	tacho_counting_destroy(again);
	tacho_counting_destroy(counting);
}

static void read_list(const uint8_t *data, size_t size)
{
	struct tacho_counter_list *list;
	int fd = memfd_create("list", MFD_CLOEXEC);
	char path[64];

	expect(fd >= 0 && write(fd, data, size) == (ssize_t)size);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (!tacho_counter_list_read(path, &list)) {
		expect(list->name_count > 0);
		for (size_t i = 0; i < list->name_count; i++)
			expect(list->names[i] && *list->names[i]);
		for (size_t i = 0; i < list->kernel_count; i++)
			tacho_counting_check_pattern(list->kernels[i]);
		for (size_t i = 0; i < list->excluded_count; i++)
			tacho_counting_check_pattern(list->excluded[i]);
		tacho_counter_list_destroy(list);
	} else {
		expect(*tacho_error_last()->message);
	}
	close(fd);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	read_counting(data, size);
	read_list(data, size);
	return 0;
}
