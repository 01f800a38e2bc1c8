/* SPDX-License-Identifier: MIT */
/*
 * Lists of "type, name, type, name" as what is between the parentheses of a function's prototype
 * (PARAMETERS), of its call (NAMES), and as the fields of a struct (FIELDS).
 */
#ifndef TESTS_FAKE_CUDA_FAKE_API_H
#define TESTS_FAKE_CUDA_FAKE_API_H

/* clang-format off */
#define FIELDS1(t, n) t n;
#define FIELDS2(t, n, ...) t n; FIELDS1(__VA_ARGS__)
#define FIELDS3(t, n, ...) t n; FIELDS2(__VA_ARGS__)
#define FIELDS4(t, n, ...) t n; FIELDS3(__VA_ARGS__)
#define FIELDS5(t, n, ...) t n; FIELDS4(__VA_ARGS__)
#define FIELDS6(t, n, ...) t n; FIELDS5(__VA_ARGS__)
#define FIELDS7(t, n, ...) t n; FIELDS6(__VA_ARGS__)
#define FIELDS8(t, n, ...) t n; FIELDS7(__VA_ARGS__)
#define FIELDS9(t, n, ...) t n; FIELDS8(__VA_ARGS__)
#define FIELDS10(t, n, ...) t n; FIELDS9(__VA_ARGS__)
#define FIELDS11(t, n, ...) t n; FIELDS10(__VA_ARGS__)

#define PARAMETERS1(t, n) t n
#define PARAMETERS2(t, n, ...) t n, PARAMETERS1(__VA_ARGS__)
#define PARAMETERS3(t, n, ...) t n, PARAMETERS2(__VA_ARGS__)
#define PARAMETERS4(t, n, ...) t n, PARAMETERS3(__VA_ARGS__)
#define PARAMETERS5(t, n, ...) t n, PARAMETERS4(__VA_ARGS__)
#define PARAMETERS6(t, n, ...) t n, PARAMETERS5(__VA_ARGS__)
#define PARAMETERS7(t, n, ...) t n, PARAMETERS6(__VA_ARGS__)
#define PARAMETERS8(t, n, ...) t n, PARAMETERS7(__VA_ARGS__)
#define PARAMETERS9(t, n, ...) t n, PARAMETERS8(__VA_ARGS__)
#define PARAMETERS10(t, n, ...) t n, PARAMETERS9(__VA_ARGS__)
#define PARAMETERS11(t, n, ...) t n, PARAMETERS10(__VA_ARGS__)

#define NAMES1(t, n) n
#define NAMES2(t, n, ...) n, NAMES1(__VA_ARGS__)
#define NAMES3(t, n, ...) n, NAMES2(__VA_ARGS__)
#define NAMES4(t, n, ...) n, NAMES3(__VA_ARGS__)
#define NAMES5(t, n, ...) n, NAMES4(__VA_ARGS__)
#define NAMES6(t, n, ...) n, NAMES5(__VA_ARGS__)
#define NAMES7(t, n, ...) n, NAMES6(__VA_ARGS__)
#define NAMES8(t, n, ...) n, NAMES7(__VA_ARGS__)
#define NAMES9(t, n, ...) n, NAMES8(__VA_ARGS__)
#define NAMES10(t, n, ...) n, NAMES9(__VA_ARGS__)
#define NAMES11(t, n, ...) n, NAMES10(__VA_ARGS__)

#define FAKE_PICK(a1, b1, a2, b2, a3, b3, a4, b4, a5, b5, a6, b6, a7, b7, a8, b8, a9, b9, a10, b10, \
		  a11, b11, pick, ...) pick
#define FAKE_CHOOSE(what, ...) \
	FAKE_PICK(__VA_ARGS__, what##11, , what##10, , what##9, , what##8, , what##7, , what##6, , \
		  what##5, , what##4, , what##3, , what##2, , what##1, , )
/* clang-format on */

#define FIELDS(...)	FAKE_CHOOSE(FIELDS, __VA_ARGS__)(__VA_ARGS__)
#define PARAMETERS(...) FAKE_CHOOSE(PARAMETERS, __VA_ARGS__)(__VA_ARGS__)
#define NAMES(...)	FAKE_CHOOSE(NAMES, __VA_ARGS__)(__VA_ARGS__)

#endif
