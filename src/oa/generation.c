/* SPDX-License-Identifier: MIT */
/* Generations by name. */
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/error.h"
#include "tacho/oa.h"

struct name {
	const char *name; /* the beginning of an architecture's name, or the whole of a gen's */
	enum tacho_oa_gen gen;
};

/* The first of a generation is its own name. */
static const struct name gens[] = {
	{"gen7.5", TACHO_OA_GEN7_5}, {"gen8", TACHO_OA_GEN8},	{"gen9", TACHO_OA_GEN9},
	{"gen11", TACHO_OA_GEN11},   {"gen12", TACHO_OA_GEN12}, {"gen12.5", TACHO_OA_GEN12_5},
	{"xe2", TACHO_OA_XE2},
};

/* Sizes follow: "sklgt2". */
static const struct name archs[] = {
	{"hsw", TACHO_OA_GEN7_5},  {"bdw", TACHO_OA_GEN8},    {"chv", TACHO_OA_GEN8},
	{"bsw", TACHO_OA_GEN8},	   {"skl", TACHO_OA_GEN9},    {"kbl", TACHO_OA_GEN9},
	{"cfl", TACHO_OA_GEN9},	   {"cml", TACHO_OA_GEN9},    {"bxt", TACHO_OA_GEN9},
	{"apl", TACHO_OA_GEN9},	   {"glk", TACHO_OA_GEN9},    {"cnl", TACHO_OA_GEN11},
	{"icl", TACHO_OA_GEN11},   {"ehl", TACHO_OA_GEN11},   {"jsl", TACHO_OA_GEN11},
	{"lkf", TACHO_OA_GEN11},   {"tgl", TACHO_OA_GEN12},   {"rkl", TACHO_OA_GEN12},
	{"dg1", TACHO_OA_GEN12},   {"adl", TACHO_OA_GEN12},   {"rpl", TACHO_OA_GEN12},
	{"acm", TACHO_OA_GEN12_5}, {"dg2", TACHO_OA_GEN12_5}, {"pvc", TACHO_OA_GEN12_5},
	{"mtl", TACHO_OA_GEN12_5}, {"arl", TACHO_OA_GEN12_5}, {"lnl", TACHO_OA_XE2},
	{"bmg", TACHO_OA_XE2},	   {"ptl", TACHO_OA_XE2},
};

int tacho_oa_gen_find(const char *name, enum tacho_oa_gen *out_gen)
{
	if (!name || !out_gen)
		return tacho__fail_null(__func__);
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(gens); i++)
		if (!strcasecmp(name, gens[i].name)) {
			*out_gen = gens[i].gen;
			return 0;
		}
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(archs); i++)
		if (!strncasecmp(name, archs[i].name, strlen(archs[i].name))) {
			*out_gen = archs[i].gen;
			return 0;
		}
	return tacho__fail(TACHO_E_NOTFOUND, "",
			   "write gen7.5, gen8, gen9, gen11, gen12, gen12.5 or xe2, or an "
			   "architecture such as chv",
			   "\"%s\" is no generation of Intel GPUs", name);
}

const char *tacho_oa_gen_to_string(enum tacho_oa_gen gen)
{
	for (size_t i = 0; i < TACHO__ARRAY_SIZE(gens); i++)
		if (gens[i].gen == gen)
			return gens[i].name;
	return "";
}
