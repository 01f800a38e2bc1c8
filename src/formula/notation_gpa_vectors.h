/* SPDX-License-Identifier: MIT */
/* GPUPerfAPI's operators over several values: vecsub6, scalarmul4, comparemax2. */
#ifndef TACHO_FORMULA_NOTATION_GPA_VECTORS_H
#define TACHO_FORMULA_NOTATION_GPA_VECTORS_H

#include "formula/parser.h"

/* 0: the token is none of these and nothing happened; 1: *out_rc says how it went. */
int tacho__gpa_parse_vector(struct tacho__parser *parser, const struct tacho__token *token,
			    int *out_rc);

#endif
