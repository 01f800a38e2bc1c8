/* SPDX-License-Identifier: MIT */
/*
 * Call tables: what the functions of an API are and how their packed arguments read.
 *
 * The build makes one table per API from data/api; the injected code writes it into each process's
 * control stream, and the reader needs nothing else to print calls, so old recordings stay
 * readable. The text has one entry per line, fields separated by one blank:
 *
 *   calls 1 API                                  format version, name of the API
 *   enum NAME VALUE=CONSTANT[:SHOW] ...          VALUE decimal; SHOW: how a query's value reads
 *   func INDEX NUMBER NAME RESULT ARG ...        NUMBER -1: none; RESULT and each ARG NAME=SHOW
 *   cmd INDEX KIND CODE NAME ROLE=ARG ...        the function INDEX enqueues a command
 *   poll INDEX ...                               equal calls of these in a row tell nothing new
 *   wait INDEX ...                               these wait for work of a device
 *   bare INDEX ...                               nobody calls these: work that came about otherwise
 *   submit INDEX ...                             these give work to a queue
 *   show INDEX ...                               these hand over a picture to be shown
 *   draw INDEX ...                               kernels of these commands are run for what is
 * drawn good ENUM VALUE ...                          the results of ENUM that are no failure
 *
 * RESULT is a SHOW; its name is "result", and the function failed when
 *   - SHOW is e:ENUM and the value is negative, or, of an ENUM with a line `good`, none of those
 *     (older readers leave such lines out), or
 *   - an argument is named errcode_ret and its value is negative.
 * A function without result has RESULT "-" and packs none.
 *
 * ARG is NAME=SHOW. SHOW says how a value is packed and printed (P is one tacho__pack_u64, I one
 * tacho__pack_i64):
 *
 *   u            P, decimal
 *   h            P, not printed: what the wrapper looked up for a role
 *   i            I, decimal
 *   x            P, 0x%X upper-case, 0 is NULL: handles and pointers
 *   b            P, constants 1 and 0 of enum "bool"
 *   f            I of the value times 1000, decimal fraction: float and double
 *   e:ENUM       I, constant of the enum, else its number
 *   m:ENUM       P, constants of a bit mask joined by |, 0 is 0
 *   s            C string: P length + 1 or 0 for NULL, then min(length, 64) raw bytes; quoted
 *   l:SHOW       list: P count + 1 or 0 for NULL, P shown, then `shown` values of scalar SHOW;
 *                [a,b], with ... when shown < count
 *   o:SHOW       output: P 1 and a value of scalar SHOW when it was written, P 0 when the pointer
 *                is NULL, P 2 and the pointer as P when the call failed; [v], NULL, 0x...
 *   p:ENUM       property list (pairs of constant and number, 0 at the end): P count of pairs + 1
 *                or 0 for NULL, P shown pairs, then per pair I and P; [KEY,0xVALUE,...,0]
 *   t:S1,S2..    structure behind a pointer: P 1 and a value per member, or P 0 for NULL; {a,b}
 *   v:ARG        value of a query named by argument ARG (an e: argument, printed before): P 0 for
 *                NULL; P 2 and the pointer as P when the call failed; P 1, P size and min(size, 64)
 *                raw bytes otherwise, shown by the SHOW of the constant (u4 u8 x8 b4 s e4:ENUM
 *                m8:ENUM lu4 lu8 lx8 lp8), [..]; without one as its size, [N bytes]
 *
 * A list longer than 32 or a property list longer than 16 pairs is cut. cmd's KIND is one of
 * kernel write read copy fill map unmap other buffer. ROLE is one of queue kernel dims global local
 * bytes scale template version, each naming an argument: `bytes` is a byte count (u) or a list
 * whose product is one, `scale` what to multiply it by (the bytes of an image's element),
 * `template` and `version` what is run (template.h).
 */
#ifndef TACHO_RECORD_CALLS_H
#define TACHO_RECORD_CALLS_H

enum {
	TACHO__CALLS_STRING_MAX = 64,
	TACHO__CALLS_LIST_MAX = 32,
	TACHO__CALLS_PROPERTY_MAX = 16,
	TACHO__CALLS_VALUE_MAX = 64,
};

#endif
