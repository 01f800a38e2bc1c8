/* SPDX-License-Identifier: MIT */
/* What data/sim/NAME.yaml says about a device. */
#ifndef TACHO_BACKEND_SIM_SIM_SPEC_H
#define TACHO_BACKEND_SIM_SIM_SPEC_H

#include "base/arena.h"
#include "base/yaml.h"
#include "tacho/catalog.h"

/* One of the pairs of architecture and API that count on a device. */
struct tacho__sim_face {
	const char *arch, *api;
	const char *model; /* of the architecture; "": the file's properties alone */
	const char *rules;
	const struct tacho__yaml *hardware; /* more numbers than the device's; NULL: none */
};

struct tacho__sim_number {
	const char *name;
	double value;
};

struct tacho__sim_spec {
	const char *name, *title, *vendor;
	struct tacho__sim_face face;		  /* the one that was asked for */
	const struct tacho__sim_number *hardware; /* variables of the rules */
	size_t hardware_count;
	double clock_mhz, channel_bytes; /* of these, for each range; the latter 256 if not said */
	const struct tacho_property *properties; /* in addition to the model's */
	size_t property_count;
	const char **definitions; /* files that define the architecture, beside what is built in */
	size_t definition_count;
};

/*
 * Reads a device: `argument` is "NAME", "NAME:API" or "FILE.yaml" (with a slash or ending in
 * .yaml), which may have ":API" behind it too. NOTFOUND with the known names; IO, PARSE, NOMEM.
 * Strings are in the arena.
 */
int tacho__sim_spec_read(struct tacho__arena *arena, const char *argument,
			 struct tacho__sim_spec *out_spec);

/* A variable's value; 0 when the file does not state it. */
double tacho__sim_spec_get(const struct tacho__sim_spec *spec, const char *name);

/* A file of data/sim as a tree; NOTFOUND. */
int tacho__sim_read_builtin(struct tacho__arena *arena, const char *name,
			    const struct tacho__yaml **out_root);

/* A number from 0 to `most`. INVAL. */
int tacho__sim_read_number(const struct tacho__yaml *scalar, double most, double *out_value);

#endif
