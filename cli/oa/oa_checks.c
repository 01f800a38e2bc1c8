/* SPDX-License-Identifier: MIT */
/* What several parts of tacho oa look at, and warn of. */
#include <inttypes.h>
#include <stdlib.h>

#include "oa/oa.h"

bool cli_oa_find_gen(const struct cli_oa_settings *settings, enum tacho_oa_gen standard,
		     enum tacho_oa_gen *out_gen)
{
	*out_gen = standard;
	if (!settings->gen || tacho_oa_gen_find(settings->gen, out_gen) == 0)
		return true;
	cli_complain_last();
	return false;
}

void cli_oa_warn_count(uint64_t count, const char *what)
{
	if (count)
		cli_warn("%" PRIu64 " %s", count, what);
}

void cli_oa_warn_odd(const struct tacho_oa_counts *counts)
{
	cli_oa_warn_count(counts->odd_correlations,
			  "pairs of clock readings go back in time: not used");
	cli_oa_warn_count(counts->unknown, "records of unknown types were passed over");
}

void cli_oa_write_known(struct tacho_json *json, const char *key, uint32_t known)
{
	if (known == TACHO_OA_UNKNOWN)
		tacho_json_add_null(json, key);
	else
		tacho_json_add_bool(json, key, known == TACHO_OA_YES);
}
