/* SPDX-License-Identifier: MIT */
/* Naming devices. For the command and tests: no ABI promise. */
#ifndef TACHO_SYS_DEVICES_H
#define TACHO_SYS_DEVICES_H

#include <stdbool.h>

#include <tacho/device.h>
#include <tacho/export.h>

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

#ifdef __cplusplus
}
#endif

#endif
