/* SPDX-License-Identifier: MIT */
/*
 * Fuzzes counting.json, and lists of counters as -m takes them from files. What is read as the
 * former is written, and reads the same again; its patterns are tried on names, and its plan on a
 * simulated device.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "plan/counter_list.h"
#include "plan/iterations.h"
#include "tacho/error.h"
#include "tacho/session.h"
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

static struct tacho_device *get_device(void)
{
	const struct tacho_context_options options = {.size = sizeof(options),
						      .backends = "sim:mi300x"};
	static struct tacho_context *context; /* to the end */
	static struct tacho_device *device;

	if (!device) {
		expect(!tacho_context_create(&options, &context));
		expect(!tacho_device_open(context, tacho_context_get_device_info(context, 0),
					  &device));
	}
	return device;
}

/* What the file's plan is on the device goes with the rest when it is written. */
static bool make_plan(struct tacho_counting *counting, struct tacho_config **out_config,
		      struct tacho_plan **out_plan)
{
	if (tacho_counting_make_plan(counting, get_device(), out_config, out_plan)) {
		expect(*tacho_error_last()->message);
		return false;
	}
	counting->plan = *out_plan;
	return true;
}

static void read_counting(const uint8_t *data, size_t size)
{
	struct tacho_config *configs[2] = {NULL};
	struct tacho_plan *plans[2] = {NULL};
	struct tacho_counting *counting, *again;
	char *text, *same;
	size_t length, same_length;
	bool is_planned;

	if (tacho_counting_parse((const char *)data, size, &counting)) {
		expect(*tacho_error_last()->message);
		return;
	}
	use(counting);
	is_planned = make_plan(counting, &configs[0], &plans[0]);
	text = write_text(counting, &length);
	expect(!tacho_counting_parse(text, length, &again));
	expect(make_plan(again, &configs[1], &plans[1]) == is_planned);
	same = write_text(again, &same_length);
	expect(length == same_length && !memcmp(text, same, length));
	free(same);
	free(text);
	for (int i = 0; i < 2; i++) {
		tacho_plan_destroy(plans[i]);
		tacho_config_destroy(configs[i]);
	}
	tacho_counting_destroy(again);
	tacho_counting_destroy(counting);
}

static void read_list(const uint8_t *data, size_t size, uint32_t job)
{
	struct tacho__counter_list *list;
	int fd = memfd_create("list", MFD_CLOEXEC);
	char path[64];

	expect(fd >= 0 && write(fd, data, size) == (ssize_t)size);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (!tacho__counter_list_read(path, job, &list)) {
		expect(list->name_count > 0);
		for (size_t i = 0; i < list->name_count; i++)
			expect(*list->names[i].text && list->names[i].line &&
			       list->names[i].column);
		for (size_t i = 0; i < list->kernel_count; i++)
			tacho_counting_check_pattern(list->kernels[i].text);
		for (size_t i = 0; i < list->excluded_count; i++)
			tacho_counting_check_pattern(list->excluded[i].text);
		for (size_t i = 0; i < list->iteration_count; i++) {
			const struct tacho_iterations *range = &list->iterations[i];

			expect(range->first && range->first <= range->last);
			expect(!i || list->iterations[i - 1].last < range->first - 1);
			expect(tacho__iterations_has(list->iterations, list->iteration_count,
						     range->last));
		}
		for (size_t i = 0; i < list->remark_count; i++)
			expect(*list->remarks[i]);
		tacho__counter_list_destroy(list);
	} else {
		expect(*tacho_error_last()->message);
	}
	close(fd);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	read_counting(data, size);
	read_list(data, size, 0);
	read_list(data, size, 2);
	return 0;
}
