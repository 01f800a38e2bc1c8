/* SPDX-License-Identifier: MIT */
/* Included before the loops that decide how fast columns are worked out, whatever the build's own
 * level of optimization is: GCC leaves most of them unvectorized below -O3. */
#if defined(__GNUC__) && !defined(__clang__) && defined(__OPTIMIZE__)
#pragma GCC optimize("O3", "no-trapping-math")
#endif
