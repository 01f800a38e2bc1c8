/* SPDX-License-Identifier: MIT */
/* Metric sets as the drivers know them: by a number, for a list of registers. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "backend/intel/intel_private.h"
#include "base/buf.h"
#include "base/error.h"
#include "catalog/arch.h"
#include "formula/program.h"

enum { GUID_SIZE = 36 };

/* The registers of each kind, one kind after another. Owned: pairs[0]. */
static int list_registers(const struct tacho_arch *arch, const struct tacho_model *model,
			  const struct tacho_set *set, struct tacho__intel_registers *out_registers)
{
	static const char *const kinds[] = {"NOA", "OA", "FLEX"};
	struct tacho__intel_registers registers = {.guid = set->guid};
	uint32_t *pairs = calloc(set->register_count + 1, 2 * sizeof(*pairs));
	struct tacho__arch_scope scope;
	size_t count = 0;

	if (!pairs)
		return tacho__fail(TACHO_E_NOMEM, "", "", "no memory for a set's registers");
	tacho__arch_scope_init(&scope, arch, model);
	for (size_t kind = 0; kind < 3; kind++) {
		registers.pairs[kind] = pairs + 2 * count;
		for (size_t i = 0; i < set->register_count; i++) {
			const struct tacho_register *each = &set->registers[i];
			bool is_false = false;

			if (strcmp(each->kind, kinds[kind]) != 0)
				continue;
			if (each->availability && tacho__condition_judge(each->availability, "oa",
									 &scope.scope, &is_false)) {
				free(pairs);
				return TACHO_E_NOMEM;
			}
			if (is_false)
				continue;
			pairs[2 * count] = each->address;
			pairs[2 * count++ + 1] = each->value;
			registers.counts[kind]++;
		}
	}
	*out_registers = registers;
	return 0;
}

static int find_known(const struct tacho__intel_gpu *gpu, const struct tacho_set *set,
		      uint64_t *out_config)
{
	struct tacho__buf path = {0};
	int rc = TACHO_E_NOTFOUND;

	tacho__buf_printf(&path, "metrics/%s/id", set->guid);
	if (!path.failed)
		rc = tacho__intel_read_number(gpu->card.folder, path.text, out_config);
	tacho__buf_finish(&path);
	return rc;
}

static int fail_add(const struct tacho__intel_gpu *gpu, const struct tacho_set *set, int error)
{
	const char *driver = gpu->card.driver == TACHO_OA_XE ? "xe" : "i915";
	int rc;

	if (error == EACCES || error == EPERM) {
		rc = tacho__intel_gpu_check_rights(gpu);
		if (rc)
			return tacho__fail_vendor(rc, error);
		return tacho__fail_errno(TACHO_E_PERM, error,
					 "look at the kernel's log: a security module refuses",
					 "%s takes no set of registers", driver);
	}
	if (error == EINVAL)
		return tacho__fail_errno(
			TACHO_E_UNSUPPORTED, error,
			"look whether its registers are of this GPU: tacho info SET",
			"%s refuses the registers of the set %s", driver, set->name);
	return tacho__fail_errno(error == ENODEV ? TACHO_E_LOST : TACHO_E_IO, error, "",
				 "%s does not take the set %s", driver, set->name);
}

int tacho__intel_set_add(const struct tacho__intel_gpu *gpu, const struct tacho_arch *arch,
			 const struct tacho_model *model, const struct tacho_set *set,
			 struct tacho__intel_set *out_set)
{
	struct tacho__intel_registers registers;
	uint64_t known;
	int64_t config;
	int rc;

	if (strlen(set->guid) != GUID_SIZE)
		return tacho__fail(TACHO_E_UNSUPPORTED,
				   tacho__detail("its GUID is \"%s\"", set->guid),
				   "give it one of 36 characters",
				   "the set %s cannot be programmed", set->name);
	if (!find_known(gpu, set, &known)) {
		*out_set = (struct tacho__intel_set){.config = known};
		return 0;
	}
	rc = list_registers(arch, model, set, &registers);
	if (rc)
		return rc;
	config = gpu->card.driver == TACHO_OA_XE ? tacho__xe_add_config(gpu, &registers)
						 : tacho__i915_add_config(gpu, &registers);
	free((void *)registers.pairs[0]);
	/* Somebody was faster. */
	if (config == -EADDRINUSE && !find_known(gpu, set, &known)) {
		*out_set = (struct tacho__intel_set){.config = known};
		return 0;
	}
	if (config <= 0)
		return fail_add(gpu, set, config ? (int)-config : EPROTO);
	*out_set = (struct tacho__intel_set){.config = (uint64_t)config, .is_ours = true};
	return 0;
}

void tacho__intel_set_remove(const struct tacho__intel_gpu *gpu, const struct tacho__intel_set *set)
{
	if (!set->is_ours)
		return;
	if (gpu->card.driver == TACHO_OA_XE)
		tacho__xe_remove_config(gpu, set->config);
	else
		tacho__i915_remove_config(gpu, set->config);
}
