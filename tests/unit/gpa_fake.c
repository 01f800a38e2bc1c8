/* SPDX-License-Identifier: MIT */
/* A device for the GPUPerfAPI face, in place of src/face/gpa/open.c. */
#include "gpa_fake.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "backend/collection.h"
#include "base/error.h"
#include "face/gpa/gpa.h"
#include "session/session.h"

const char tacho__gpa_backend[] = "fake";
const char tacho__gpa_api[] = "cl";

struct fake_device {
	struct tacho_device base;
	struct gpa_fake *fake;
};

struct value {
	struct value *next;
	uint64_t key;
	uint32_t pass;
	uint64_t number;
};

struct fake_collection {
	struct tacho__collection base;
	struct fake_device *device;
	uint32_t pass;
	uint64_t begun, open_number;
	struct value *first, **last;
};

static int fail(int code)
{
	return tacho__fail(code, "its switch says 1", "switch it off", "the fake device fails");
}

static int probe(struct tacho_probe *probe_, struct tacho_probe_backend *backend_info)
{
	struct tacho_device_info *info = tacho__probe_add_device_info(probe_);

	backend_info->usable = 1;
	info->name = "fake";
	info->usable = 1;
	return 0;
}

static int open_device(const struct tacho_probe *probe_, size_t index,
		       const struct tacho_catalog *catalog, struct tacho_device **out_device)
{
	struct gpa_fake *fake = tacho__probe_get_options(probe_)->handle;
	struct fake_device *device;
	int rc;

	if (fake->open_code)
		return fail(fake->open_code);
	device = calloc(1, sizeof(*device));
	device->fake = fake;
	rc = tacho_catalog_find_arch(catalog, fake->arch, fake->api, &device->base.traits.arch);
	if (rc) {
		free(device);
		return rc;
	}
	device->base.traits.model = tacho_arch_get_model(device->base.traits.arch, 0);
	device->base.traits.replays = 1u << TACHO_REPLAY_CALLER;
	fake->units++;
	*out_device = &device->base;
	return 0;
}

static void close_device(struct tacho_device *base)
{
	struct fake_device *device = TACHO__OWN(struct fake_device, base);
	device->fake->units--;
	free(device);
}

static int begin(struct tacho_device *base, const struct tacho__collection_options *options,
		 struct tacho__collection **out_collection)
{
	struct fake_device *device = TACHO__OWN(struct fake_device, base);
	struct fake_collection *collection;

	if (device->fake->begin_code)
		return fail(device->fake->begin_code);
	collection = tacho__collection_create(sizeof(*collection), options);
	collection->device = device;
	collection->last = &collection->first;
	device->fake->collections++;
	*out_collection = &collection->base;
	return 0;
}

static int begin_pass(struct tacho__collection *base, uint32_t pass)
{
	struct fake_collection *collection = TACHO__OWN(struct fake_collection, base);
	if (collection->device->fake->pass_code)
		return fail(collection->device->fake->pass_code);
	collection->pass = pass;
	collection->begun = 0;
	return 0;
}

static int end_pass(struct tacho__collection *base)
{
	return 0;
}

static int begin_range(struct tacho__collection *base, uint64_t key, uint64_t parent)
{
	struct fake_collection *collection = TACHO__OWN(struct fake_collection, base);
	if (collection->device->fake->range_begin_code)
		return fail(collection->device->fake->range_begin_code);
	collection->device->fake->ranges++;
	collection->open_number = ++collection->begun;
	return 0;
}

static int end_range(struct tacho__collection *base, uint64_t key)
{
	struct fake_collection *collection = TACHO__OWN(struct fake_collection, base);
	struct value *value;

	collection->device->fake->ranges--;
	if (collection->device->fake->range_end_code)
		return fail(collection->device->fake->range_end_code);
	value = calloc(1, sizeof(*value));
	*value = (struct value){
		.key = key, .pass = collection->pass, .number = collection->open_number};
	*collection->last = value;
	collection->last = &value->next;
	return 0;
}

static int deliver(struct fake_collection *collection, const struct value *value)
{
	const struct tacho_plan_pass *pass =
		tacho_plan_get_pass(collection->base.options->plan, value->pass);
	struct tacho_column *columns = calloc(pass->counter_count, sizeof(*columns));
	const char *doubled = collection->device->fake->doubled;
	uint64_t number = value->number * 1000, twice = 2 * number;
	double real = (double)number, real_twice = (double)twice;
	int rc;

	for (size_t i = 0; i < pass->counter_count; i++) {
		bool is_twice = doubled && !strcmp(doubled, pass->counters[i].entry->name);

		columns[i] = (struct tacho_column){.type = pass->counters[i].entry->type,
						   .instance_count = 1,
						   .states = &collection->device->fake->state};
		if (columns[i].type == TACHO_TYPE_U64)
			columns[i].data.u64 = is_twice ? &twice : &number;
		else
			columns[i].data.f64 = is_twice ? &real_twice : &real;
	}
	rc = tacho__collection_deliver(&collection->base,
				       &(struct tacho__batch){.pass = value->pass,
							      .row_count = 1,
							      .keys = &value->key,
							      .columns = columns});
	free(columns);
	return rc;
}

static bool is_held(const struct gpa_fake *fake)
{
	return __atomic_load_n(&fake->is_held, __ATOMIC_ACQUIRE) != 0;
}

static void await_values(struct gpa_fake *fake, uint64_t timeout_ns)
{
	const struct timespec step = {.tv_nsec = 1000 * 1000};

	if (!timeout_ns)
		return;
	__atomic_add_fetch(&fake->waiters, 1, __ATOMIC_ACQ_REL);
	for (uint64_t ns = 0; is_held(fake) && ns < timeout_ns; ns += (uint64_t)step.tv_nsec)
		nanosleep(&step, NULL);
	__atomic_sub_fetch(&fake->waiters, 1, __ATOMIC_ACQ_REL);
}

static int drain(struct tacho__collection *base, uint64_t timeout_ns)
{
	struct fake_collection *collection = TACHO__OWN(struct fake_collection, base);
	struct gpa_fake *fake = collection->device->fake;
	int rc = 0;

	if (fake->blocks && collection->first)
		await_values(fake, timeout_ns);
	if (is_held(fake))
		return collection->first ? fail(TACHO_E_TIMEOUT) : 0;
	while (collection->first && !rc) {
		struct value *value = collection->first;

		rc = deliver(collection, value);
		collection->first = value->next;
		free(value);
	}
	if (!collection->first)
		collection->last = &collection->first;
	return rc;
}

static void end(struct tacho__collection *base)
{
	struct fake_collection *collection = TACHO__OWN(struct fake_collection, base);
	while (collection->first) {
		struct value *value = collection->first;

		collection->first = value->next;
		free(value);
	}
	collection->device->fake->collections--;
	tacho__collection_destroy(base);
}

static const struct tacho__backend fake_backend = {
	.name = "fake",
	.summary = "a device of a test",
	.probe = probe,
	.open = open_device,
	.close = close_device,
	.begin = begin,
	.begin_pass = begin_pass,
	.end_pass = end_pass,
	.begin_range = begin_range,
	.end_range = end_range,
	.drain = drain,
	.end = end,
};
static const struct tacho__backend *const table[] = {&fake_backend, NULL};

int tacho__gpa_open_device(void *handle, struct tacho_context **out_core,
			   struct tacho_device **out_device)
{
	struct tacho_catalog_options catalog = {.size = sizeof(catalog),
						.api = ((struct gpa_fake *)handle)->api};
	struct tacho_context_options options = {
		.size = sizeof(options), .catalog = &catalog, .handle = handle};
	struct tacho_context *core;
	int rc = tacho__context_create(&options, table, &core);

	if (rc)
		return rc;
	rc = tacho_device_open(core, tacho_context_get_device_info(core, 0), out_device);
	if (rc)
		tacho_context_destroy(core);
	else
		*out_core = core;
	return rc;
}

void tacho__gpa_close_device(struct tacho_context *core, struct tacho_device *device)
{
	tacho_device_close(device);
	tacho_context_destroy(core);
}
