/* SPDX-License-Identifier: MIT */
#include "inject/vulkan/vk_counting.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "inject/attribute_env.h"
#include "intercept/intercept.h"
#include "tacho/sys/counting.h"

/* Some columns are worked out of times by who reads the recording: these need no counting. */
static int asks_for_counters(void)
{
	const char *path = getenv(TACHO_COUNTING_VARIABLE);
	struct tacho_counting *counting;
	int asks;

	if (!path || !*path || tacho_counting_read(path, &counting))
		return 0;
	asks = counting->entry_count > 0;
	tacho_counting_destroy(counting);
	return asks;
}

void tacho__vulkan_tell_uncounted(void)
{
	static atomic_flag told = ATOMIC_FLAG_INIT;
	struct tacho__attributes attributes = {.size = 0};

	if (atomic_flag_test_and_set(&told) || !asks_for_counters())
		return;
	attributes.text[0] = '\0';
	tacho__attributes_add(&attributes, "uncounted",
			      "commands of Vulkan are recorded, and not counted yet");
	tacho__attributes_add(&attributes, "uncounted_cure",
			      "record them without -m, which gives their times");
	tacho__intercept_process(attributes.text);
}
