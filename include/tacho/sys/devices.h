/* SPDX-License-Identifier: MIT */
/*
 * Naming devices, and opening no more than they need. For the command, the injected libraries and
 * tests: no ABI promise.
 */
#ifndef TACHO_SYS_DEVICES_H
#define TACHO_SYS_DEVICES_H

#include <stdbool.h>

#include <tacho/device.h>
#include <tacho/export.h>
#include <tacho/session.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Which devices a selector names, by the best of: "BACKEND:NAME"; a name, an id or a place on the
 * PCI bus ("0000:1b:00.0", "1b:00"); a backend; a part of a name or the beginning of an id; a part
 * of a platform's name. Case is ignored. Of those that it names equally well the ones that can be
 * used, if there are any. Sets out_fits[i] for each, and returns how many.
 */
TACHO_API size_t tacho_devices_match(const struct tacho_device_info *const *devices, size_t count,
				     const char *selector, bool *out_fits);

/* Whether two entries are known to be the same device, found in two ways. */
TACHO_API bool tacho_devices_are_same(const struct tacho_device_info *a,
				      const struct tacho_device_info *b);

/*
 * As tacho_context_create(), but its catalog has what the devices are opened with and may lack
 * all else, for programs that only open them: reading all takes tens of milliseconds. What
 * `options->catalog` names stays as it is.
 */
TACHO_API int tacho_context_create_lean(const struct tacho_context_options *options,
					struct tacho_context **out_context);

#ifdef __cplusplus
}
#endif

#endif
