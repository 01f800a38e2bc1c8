/* SPDX-License-Identifier: MIT */
/*
 * All of libtacho's public API.
 *
 * Arguments are checked where that can be known. NULL for an argument that its header does not
 * allow to be NULL is TACHO_E_INVAL, and outputs stay as they were; what returns something else
 * returns NULL, "", 0 or an absent state. What is destroyed must not be used any more: its memory
 * is somebody else's then, and nobody can tell. Numbers can be told: a range of a session that was
 * ended, work of a simulated device, an index past the last.
 *
 * A struct of options begins with its size, so that programs and libraries of different versions
 * understand each other: what a program's struct lacks is 0. What it has more must be 0, else
 * TACHO_E_VERSION, and the cause names the byte. A size that cannot be one is TACHO_E_INVAL.
 */
#ifndef TACHO_H
#define TACHO_H

#include <tacho/catalog.h>
#include <tacho/columns.h>
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
#include <tacho/sums.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The library's version, "0.1.0". Static. */
TACHO_API const char *tacho_version(void);

#ifdef __cplusplus
}
#endif

#endif
