/* SPDX-License-Identifier: MIT */
/* The word that was probably meant. */
#ifndef TACHO_CLI_SUGGEST_H
#define TACHO_CLI_SUGGEST_H

/* The entry of the NULL-terminated list that is nearest to `word`; NULL when none is near. */
const char *cli_suggest(const char *word, const char *const *known);

#endif
