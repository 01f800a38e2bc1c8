/* SPDX-License-Identifier: MIT */
/*
 * Parts see a plan of their own: as many passes as the whole one, with the counters of others left
 * out, so that pass numbers, keys and batches are the same for all.
 */
#include "backend/joint.h"

#include <stdlib.h>
#include <string.h>

#include "backend/known.h"
#include "base/clock.h"
#include "base/error.h"
#include "catalog/arch.h"
#include "plan/from_passes.h"

struct part {
	const struct tacho__joint_part *how;
	struct tacho_device *device;
};

struct joint_device {
	struct tacho_device base;
	struct part parts[TACHO__JOINT_PARTS];
	size_t count;
	struct tacho__known own;
};

/* What one part does in a collection. */
struct share {
	const struct tacho__backend *backend;
	struct tacho_config *config;
	struct tacho_plan *plan;
	struct tacho__collection_options options;
	struct tacho__collection *own; /* NULL: it counts nothing here */
};

struct joint_collection {
	struct tacho__collection base;
	struct share shares[TACHO__JOINT_PARTS];
	size_t count;
	uint8_t *owners; /* by pass: whose it is */
	const struct share *current;
};

void tacho__joint_close(struct tacho_device *base)
{
	struct joint_device *joint = TACHO__OWN(struct joint_device, base);

	tacho__known_finish(&joint->own); /* it borrows from the parts */
	for (size_t i = 0; i < joint->count; i++)
		joint->parts[i].device->backend->close(joint->parts[i].device);
	free(joint);
}

static const struct tacho__device_traits *get_traits(const struct joint_device *joint, size_t index)
{
	return &joint->parts[index].device->traits;
}

/* ---- the architecture ---- */

/* Which part has this entry; the first one, as in the architecture. */
static size_t find_owner(const struct joint_device *joint, const struct tacho_entry *entry)
{
	size_t i = 0;

	while (i < joint->count && !tacho__arch_get_exact(get_traits(joint, i)->arch, entry->name))
		i++;
	return i;
}

static int add_blocks(struct joint_device *joint, size_t index)
{
	const struct tacho_arch *from = get_traits(joint, index)->arch;
	const struct tacho_block *block;
	int rc = 0;

	for (size_t i = 0; !rc && (block = tacho_arch_get_block(from, i)); i++) {
		struct tacho_block own = *block;

		if (joint->parts[index].how->is_apart && joint->count > 1)
			own.attributes = "apart";
		rc = tacho__arch_add_block(joint->own.arch, &own);
	}
	return rc;
}

static int add_entries(struct joint_device *joint, size_t index)
{
	const struct tacho_arch *from = get_traits(joint, index)->arch;
	const struct tacho_arch *arch = tacho__arch_public(joint->own.arch);
	const struct tacho_entry *entry;
	int rc = 0;

	for (size_t i = 0; !rc && (entry = tacho_arch_get_entry(from, i)); i++) {
		size_t owner = find_owner(joint, entry);
		struct tacho_entry own =
			*tacho__arch_get_exact(get_traits(joint, owner)->arch, entry->name);

		if (tacho__arch_get_exact(arch, entry->name))
			continue;
		if (joint->parts[owner].how->group)
			own.group = joint->parts[owner].how->group;
		rc = tacho__arch_add_entry(joint->own.arch, &own, TACHO__ADD_NEW);
	}
	return rc;
}

/* A mode that some parts lack is refused for their counters only, in check_pass(). */
static void join_mode(struct tacho__mode_traits *mode, const struct tacho__mode_traits *part,
		      bool is_first)
{
	if (!part->cause && part->levels && (!mode->levels || part->levels < mode->levels))
		mode->levels = part->levels;
	if (is_first || !part->cause)
		mode->cause = part->cause;
	if (!mode->note)
		mode->note = part->note;
}

/* What all parts can do. */
static void set_traits(struct joint_device *joint)
{
	struct tacho__device_traits traits = {
		.arch = tacho__arch_public(joint->own.arch),
		.model = tacho_arch_get_model(tacho__arch_public(joint->own.arch), 0),
		.replays = joint->count ? ~0u : 0,
	};

	for (size_t i = 0; i < joint->count; i++) {
		const struct tacho__device_traits *part = get_traits(joint, i);

		traits.replays &= part->replays;
		for (size_t k = 0; k < TACHO_MODE_COUNT; k++)
			join_mode(&traits.modes[k], &part->modes[k], i == 0);
	}
	joint->base.traits = traits;
}

/* The part that names the architecture, else the first. One that counts nothing has no blocks. */
static size_t find_leader(const struct joint_device *joint)
{
	for (size_t i = 0; i < joint->count; i++)
		if (joint->parts[i].how->names_arch &&
		    tacho_arch_get_block(get_traits(joint, i)->arch, 0))
			return i;
	return 0;
}

/* The leader's come first, as where it counts alone: programs may know them by their places. */
static int add_all_entries(struct joint_device *joint, size_t leader)
{
	int rc = add_entries(joint, leader);

	for (size_t i = 0; i < joint->count && !rc; i++)
		if (i != leader)
			rc = add_entries(joint, i);
	return rc;
}

static int fill_arch(struct joint_device *joint)
{
	const size_t leader = find_leader(joint);
	const struct tacho_model *model = NULL;
	int rc = tacho__catalog_create(&joint->own.catalog);

	if (!rc)
		rc = tacho__catalog_add_arch(joint->own.catalog, get_traits(joint, leader)->arch,
					     &joint->own.arch);
	for (size_t i = 0; i < joint->count && !rc; i++)
		rc = add_blocks(joint, i);
	if (!rc)
		rc = add_all_entries(joint, leader);
	for (size_t i = 0; i < joint->count && !rc; i++) {
		rc = tacho__known_add_sets(&joint->own, get_traits(joint, i)->arch);
		if (!model)
			model = get_traits(joint, i)->model;
	}
	if (!rc && model)
		rc = tacho__arch_add_model(joint->own.arch, model);
	return rc ? rc : tacho__catalog_complete(joint->own.catalog);
}

int tacho__joint_open(const struct tacho__joint_part *parts, size_t count,
		      const struct tacho_probe *probe, size_t index,
		      const struct tacho_catalog *catalog, struct tacho_device **out_joint)
{
	struct joint_device *joint = calloc(1, sizeof(*joint));
	int rc = 0;

	if (!joint)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a device");
	for (size_t i = 0; i < count && !rc; i++) {
		struct part *part = &joint->parts[joint->count];

		part->how = &parts[i];
		rc = parts[i].backend->open(probe, index, catalog, &part->device);
		if (rc || !part->device)
			continue;
		part->device->backend = parts[i].backend;
		joint->count++;
	}
	if (!rc)
		rc = fill_arch(joint);
	if (rc) {
		tacho__joint_close(&joint->base);
		return rc;
	}
	set_traits(joint);
	*out_joint = &joint->base;
	return 0;
}

static int check_owner(const struct joint_device *joint, const struct tacho_plan *plan, size_t pass)
{
	const struct tacho_plan_pass *info = tacho_plan_get_pass(plan, pass);
	const struct tacho_entry *entry = info->counters[0].entry;
	struct tacho_device *part = joint->parts[find_owner(joint, entry)].device;
	const char *cause = part->traits.modes[info->mode].cause;

	if (cause)
		return tacho__fail(TACHO_E_UNSUPPORTED, cause, "ask for it in another mode",
				   "%s cannot be counted %s", entry->name,
				   tacho_mode_to_string(info->mode));
	return part->backend->check_pass ? part->backend->check_pass(part, plan, pass) : 0;
}

struct tacho_device *tacho__joint_get_part(const struct tacho_device *base, size_t index)
{
	const struct joint_device *joint = TACHO__OWN(const struct joint_device, base);

	return index < joint->count ? joint->parts[index].device : NULL;
}

int tacho__joint_check_pass(struct tacho_device *base, const struct tacho_plan *plan, size_t pass)
{
	struct joint_device *joint = TACHO__OWN(struct joint_device, base);
	const struct tacho_plan_pass *info = tacho_plan_get_pass(plan, pass);

	for (size_t i = 1; i < info->counter_count; i++)
		if (find_owner(joint, info->counters[i].entry) !=
		    find_owner(joint, info->counters[0].entry))
			return tacho__fail(TACHO_E_UNSUPPORTED,
					   tacho__detail("%s and %s are counted in different ways",
							 info->counters[0].entry->name,
							 info->counters[i].entry->name),
					   "plan with tacho_device_plan()",
					   "pass %zu cannot be counted", pass);
	return info->counter_count ? check_owner(joint, plan, pass) : 0;
}

const char *tacho__joint_explain(const struct tacho_device *base, const struct tacho_entry *counter,
				 uint32_t mode)
{
	const struct joint_device *joint = TACHO__OWN(const struct joint_device, base);
	const struct tacho_device *part = joint->parts[find_owner(joint, counter)].device;

	return part->backend->explain ? part->backend->explain(part, counter, mode) : "";
}

/* ---- a collection ---- */

/* The part's own plan. `passes` and `counters` have room for all. */
static int make_plan(const struct joint_device *joint, const struct tacho_plan *plan, size_t index,
		     struct tacho_plan_pass *passes, size_t pass_count,
		     struct tacho_plan_counter *counters, struct share *share)
{
	const struct tacho__device_traits *traits = get_traits(joint, index);
	struct tacho_config_entry *entries;
	size_t count = 0;
	int rc;

	for (size_t i = 0; i < pass_count; i++) {
		const struct tacho_plan_pass *from = tacho_plan_get_pass(plan, i);

		passes[i] =
			(struct tacho_plan_pass){.counters = counters + count, .mode = from->mode};
		for (size_t k = 0; k < from->counter_count; k++) {
			const struct tacho_entry *entry = from->counters[k].entry;

			if (find_owner(joint, entry) != index)
				continue;
			counters[count] = from->counters[k];
			counters[count++].entry = tacho__arch_get_exact(traits->arch, entry->name);
			passes[i].counter_count++;
		}
	}
	if (!count)
		return 0;
	entries = calloc(count, sizeof(*entries));
	if (!entries)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a plan");
	for (size_t i = 0; i < count; i++)
		entries[i].name = counters[i].entry->name;
	rc = tacho_config_create(traits->arch, traits->model, entries, count, &share->config);
	if (!rc)
		rc = tacho__plan_create_from_passes(share->config, passes, pass_count, NULL,
						    &share->plan);
	free(entries);
	return rc;
}

static int make_plans(struct joint_device *joint, const struct tacho_plan *plan,
		      struct joint_collection *collection)
{
	const struct tacho_plan_pass *pass;
	struct tacho_plan_counter *counters;
	struct tacho_plan_pass *passes;
	size_t pass_count = 0, count = 0;
	int rc = 0;

	while ((pass = tacho_plan_get_pass(plan, pass_count))) {
		count += pass->counter_count;
		pass_count++;
	}
	passes = calloc(pass_count + 1, sizeof(*passes));
	counters = calloc(count + 1, sizeof(*counters));
	collection->owners = calloc(pass_count + 1, 1);
	if (!passes || !counters || !collection->owners)
		rc = tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a plan");
	for (size_t i = 0; i < joint->count && !rc; i++)
		rc = make_plan(joint, plan, i, passes, pass_count, counters,
			       &collection->shares[i]);
	for (size_t i = 0; i < pass_count && !rc; i++) {
		rc = tacho__joint_check_pass(&joint->base, plan, i);
		pass = tacho_plan_get_pass(plan, i);
		if (!rc && pass->counter_count)
			collection->owners[i] = (uint8_t)find_owner(joint, pass->counters[0].entry);
	}
	free(counters);
	free(passes);
	return rc;
}

int tacho__joint_begin(struct tacho_device *base, const struct tacho__collection_options *options,
		       struct tacho__collection **out_collection)
{
	struct joint_device *joint = TACHO__OWN(struct joint_device, base);
	struct joint_collection *collection =
		tacho__collection_create(sizeof(*collection), options);
	int rc;

	if (!collection)
		return TACHO_E_NOMEM;
	collection->count = joint->count;
	rc = make_plans(joint, options->plan, collection);
	for (size_t i = 0; i < joint->count && !rc; i++) {
		struct share *share = &collection->shares[i];
		struct tacho_device *part = joint->parts[i].device;

		share->backend = part->backend;
		share->options = *options;
		share->options.plan = share->plan;
		share->options.keeps = NULL; /* no part has instances */
		if (share->plan)
			rc = part->backend->begin(part, &share->options, &share->own);
	}
	if (rc)
		tacho__joint_end(&collection->base);
	else
		*out_collection = &collection->base;
	return rc;
}

int tacho__joint_begin_pass(struct tacho__collection *base, uint32_t pass)
{
	struct joint_collection *collection = TACHO__OWN(struct joint_collection, base);
	const struct share *share = &collection->shares[collection->owners[pass]];
	int rc = share->backend->begin_pass(share->own, pass);

	if (!rc)
		collection->current = share;
	return rc;
}

int tacho__joint_end_pass(struct tacho__collection *base)
{
	struct joint_collection *collection = TACHO__OWN(struct joint_collection, base);
	const struct share *share = collection->current;

	collection->current = NULL;
	return share ? share->backend->end_pass(share->own) : 0;
}

int tacho__joint_begin_range(struct tacho__collection *base, uint64_t key, uint64_t parent)
{
	const struct share *share = TACHO__OWN(struct joint_collection, base)->current;

	return share->backend->begin_range(share->own, key, parent);
}

int tacho__joint_end_range(struct tacho__collection *base, uint64_t key)
{
	const struct share *share = TACHO__OWN(struct joint_collection, base)->current;

	return share->backend->end_range(share->own, key);
}

int tacho__joint_drain(struct tacho__collection *base, uint64_t timeout_ns)
{
	struct joint_collection *collection = TACHO__OWN(struct joint_collection, base);
	uint64_t begin_ns = tacho__clock_monotonic_ns();
	int rc = 0;

	for (size_t i = 0; i < collection->count && !rc; i++) {
		const struct share *share = &collection->shares[i];
		uint64_t gone_ns = timeout_ns ? tacho__clock_monotonic_ns() - begin_ns : 0;

		if (share->own && share->backend->drain)
			rc = share->backend->drain(share->own,
						   gone_ns < timeout_ns ? timeout_ns - gone_ns : 0);
	}
	return rc;
}

void tacho__joint_end(struct tacho__collection *base)
{
	struct joint_collection *collection = TACHO__OWN(struct joint_collection, base);

	for (size_t i = 0; i < collection->count; i++) {
		struct share *share = &collection->shares[i];

		if (share->own)
			share->backend->end(share->own);
		tacho_plan_destroy(share->plan);
		tacho_config_destroy(share->config);
	}
	free(collection->owners);
	tacho__collection_destroy(base);
}
