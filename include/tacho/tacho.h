/* SPDX-License-Identifier: MIT */
/* All of libtacho's public API. */
#ifndef TACHO_H
#define TACHO_H

#include <tacho/catalog.h>
#include <tacho/config.h>
#include <tacho/device.h>
#include <tacho/diff.h>
#include <tacho/error.h>
#include <tacho/exporter.h>
#include <tacho/finding.h>
#include <tacho/formula.h>
#include <tacho/oa.h>
#include <tacho/occupancy.h>
#include <tacho/plan.h>
#include <tacho/profile.h>
#include <tacho/recording.h>
#include <tacho/result.h>
#include <tacho/session.h>
#include <tacho/sim.h>
#include <tacho/summary.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The library's version, "0.1.0". Static. */
TACHO_API const char *tacho_version(void);

#ifdef __cplusplus
}
#endif

#endif
