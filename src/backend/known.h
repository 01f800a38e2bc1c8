/* SPDX-License-Identifier: MIT */
/*
 * Making the architecture of a device out of a definition of the catalog: what the driver has is
 * taken over, what it lacks is refused with the reason.
 */
#ifndef TACHO_BACKEND_KNOWN_H
#define TACHO_BACKEND_KNOWN_H

#include "base/map.h"
#include "catalog/catalog.h"

/* An architecture that is being filled, in a catalog of its own. */
struct tacho__known {
	struct tacho_catalog *definitions; /* where the context's catalog lacks them; else NULL */
	struct tacho_catalog *catalog;
	struct tacho__arch *arch;
	struct tacho__map counters; /* by address of the entry: how the backend counts it */
};

void tacho__known_finish(struct tacho__known *known);
/* A definition: catalogs that were opened for another API lack it, and one more is opened then. */
int tacho__known_find_definition(struct tacho__known *known, const struct tacho_catalog *catalog,
				 const char *name, const char *api,
				 const struct tacho_arch **out_arch);
/* Adds a counter, with `size` bytes of how it is counted; both are copied. NOMEM, EXISTS. */
int tacho__known_add_counter(struct tacho__known *known, const struct tacho_entry *entry,
			     const void *how, size_t size);
/* What cannot be counted stays in the architecture, with the reason. NOMEM, EXISTS. */
int tacho__known_refuse(struct tacho__arch *arch, const struct tacho_entry *entry,
			const char *reason);
/* Adds the metrics and constants of a definition; those that lack a counter are refused. */
int tacho__known_add_metrics(const struct tacho__known *known, const struct tacho_arch *from);
/* One of its metrics. */
int tacho__known_add_metric(const struct tacho__known *known, const struct tacho_entry *metric);
/* The groups of a definition's metrics, as far as their members are here. */
int tacho__known_add_sets(const struct tacho__known *known, const struct tacho_arch *from);
/*
 * Adds the model: what `from` says of the card that the driver calls `title`, and what the driver
 * itself says, as far as it is not 0 and the card lacks it.
 */
int tacho__known_add_model(struct tacho__known *known, const struct tacho_arch *from,
			   const char *title, const struct tacho_property *own, size_t own_count);

#endif
