/* SPDX-License-Identifier: MIT */
/*
 * Making the architecture of a device out of a definition of the catalog: what the driver has is
 * taken over, what it lacks is refused with the reason.
 */
#ifndef TACHO_BACKEND_KNOWN_H
#define TACHO_BACKEND_KNOWN_H

#include "catalog/catalog.h"

/* An architecture that is being filled, in a catalog of its own. */
struct tacho__known {
	struct tacho_catalog *catalog;
	struct tacho__arch *arch;
};

/* What cannot be counted stays in the catalog, with the reason. NOMEM, EXISTS. */
int tacho__known_refuse(const struct tacho__known *known, const struct tacho_entry *entry,
			const char *reason);
/* Adds the metrics and constants of a definition; those that lack a counter are refused. */
int tacho__known_add_metrics(const struct tacho__known *known, const struct tacho_arch *from);
/* One of its metrics. */
int tacho__known_add_metric(const struct tacho__known *known, const struct tacho_entry *metric);
/* The groups of a definition's metrics, as far as their members are here. */
int tacho__known_add_sets(const struct tacho__known *known, const struct tacho_arch *from);
/* The card that the driver names, when the definition has its constants; else NULL. */
const struct tacho_model *tacho__known_find_card(const struct tacho_arch *from, const char *name);

#endif
