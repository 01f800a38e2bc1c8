/* SPDX-License-Identifier: MIT */
/* Who may count: the drivers' settings, as they were read. */
#include <stdio.h>

#include "backend/intel/intel_private.h"
#include "base/buf.h"
#include "base/error.h"

void tacho__intel_get_rights(const char *sysroot, enum tacho_oa_driver driver,
			     const struct tacho__intel_system *system,
			     struct tacho__intel_rights *out_rights)
{
	const char *folder = driver == TACHO_OA_XE ? "dev/xe" : "dev/i915";
	const char *name = driver == TACHO_OA_XE ? "observation_paranoid" : "perf_stream_paranoid";
	struct tacho__intel_rights rights = {
		.sysctl = driver == TACHO_OA_XE ? "dev.xe.observation_paranoid"
						: "dev.i915.perf_stream_paranoid",
		.is_paranoid = true,
		.is_privileged = system->is_privileged(system->user),
	};
	struct tacho__buf path = {0};
	uint64_t number;

	tacho__buf_printf(&path, "%sproc/sys/%s", sysroot, folder);
	if (!path.failed && !tacho__intel_read_number(path.text, name, &number)) {
		rights.is_known = true;
		rights.is_paranoid = number != 0;
	}
	if (!path.failed && !tacho__intel_read_number(path.text, "oa_max_sample_rate", &number))
		rights.max_rate_hz = number;
	tacho__buf_finish(&path);
	*out_rights = rights;
}

int tacho__intel_check_rights(const struct tacho__intel_rights *rights, const char *what)
{
	const char *cause;

	if (rights->is_privileged || (rights->is_known && !rights->is_paranoid))
		return 0;
	if (rights->is_known)
		cause = tacho__detail("%s is 1, CAP_PERFMON is missing", rights->sysctl);
	else
		cause = tacho__detail("%s cannot be read, CAP_PERFMON is missing", rights->sysctl);
	return tacho__fail(
		TACHO_E_PERM, cause,
		tacho__detail("run as root: sysctl %s=0; or give the command CAP_PERFMON",
			      rights->sysctl),
		"%s may not count the whole GPU", what);
}

int tacho__intel_gpu_check_rights(const struct tacho__intel_gpu *gpu)
{
	struct tacho__intel_rights rights;

	tacho__intel_get_rights(gpu->sysroot, gpu->card.driver, gpu->system, &rights);
	return tacho__intel_check_rights(&rights, gpu->card.name);
}
