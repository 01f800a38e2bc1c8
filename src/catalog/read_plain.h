/* SPDX-License-Identifier: MIT */
/* The reader of definitions that have no vendor's form: docs/sim.md shows one. */
#ifndef TACHO_CATALOG_READ_PLAIN_H
#define TACHO_CATALOG_READ_PLAIN_H

#include "catalog/catalog.h"

int tacho__plain_is(const struct tacho__yaml *root);
int tacho__plain_read(const struct tacho__definitions *definitions);

#endif
