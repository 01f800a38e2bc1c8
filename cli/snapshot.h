/* SPDX-License-Identifier: MIT */
/* Saving a recording that is still written. */
#ifndef TACHO_CLI_SNAPSHOT_H
#define TACHO_CLI_SNAPSHOT_H

/*
 * Saves the recording `name` as `output`, NULL: NAME-N with the first free N. *out_name is what it
 * became, owned. Otherwise it says why not and returns the class of the failure.
 */
int cli_snapshot_save(const char *name, const char *output, char **out_name);

#endif
