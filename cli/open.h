/* SPDX-License-Identifier: MIT */
/* The page of a recording, made and shown in a browser. */
#ifndef TACHO_CLI_OPEN_H
#define TACHO_CLI_OPEN_H

#include <stdbool.h>

struct tacho_recording;

struct cli_open_settings {
	const char *output; /* NULL: NAME.html beside the recording */
	const char *as;	    /* the kind of the files; NULL: what they look like */
	bool overwrite, partial;
	bool no_browser; /* the page only */
};

/*
 * Writes the page, prints its path and opens it. An older page of tacho's is replaced, and nothing
 * else unless `overwrite`. NOTHING: the page is there, but nothing can show it, which was said.
 */
int cli_open_page(struct tacho_recording *recording, const char *name,
		  const struct cli_open_settings *settings);

#endif
