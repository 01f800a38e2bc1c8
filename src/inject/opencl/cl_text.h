/* SPDX-License-Identifier: MIT */
/* What a program's text and build options tell of its printing. */
#ifndef TACHO_INJECT_OPENCL_CL_TEXT_H
#define TACHO_INJECT_OPENCL_CL_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* What a compiler reads besides the text. */
struct tacho__text_build {
	const char *options;	  /* NULL: none */
	const char *const *names; /* by which the text may include the headers that were given */
	size_t name_count;
};

/*
 * Whether the text certainly brings no printf into the program: it has none, nothing that could
 * make one out of parts, and includes nothing but the headers given, which are asked after apart.
 * Lines of `text` that go on in the next one are joined.
 */
bool tacho__text_is_silent(char *text, const struct tacho__text_build *build);

#endif
