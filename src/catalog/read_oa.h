/* SPDX-License-Identifier: MIT */
/* What the two readers of Intel's OA definitions, YAML and XML, share. */
#ifndef TACHO_CATALOG_READ_OA_H
#define TACHO_CATALOG_READ_OA_H

#include "catalog/catalog.h"

struct tacho__texts;

struct tacho__oa_reader {
	struct tacho_catalog *catalog;
	struct tacho__arch *arch; /* that the definitions are added to */
	const struct tacho__definitions *definitions;
	const char *source;
};

/*
 * Whether an equation, or a condition, can be read; "" can. PARSE, with what is wrong in
 * out_problem. NOMEM.
 */
int tacho__oa_check(const char *expression, struct tacho_formula_problem *out_problem);

/*
 * The next word of an expression in the OA notation: out_size is 0 at its end. Returns where it
 * begins; go on behind it.
 */
const char *tacho__oa_word(const char *at, size_t *out_size);

/* True for names of the driver's variables, which tell about the device: "EuCoresTotalCount". */
int tacho__oa_is_variable(const char *name);
/* Whether the set that is programmed chooses what a counter counts. */
int tacho__oa_is_programmed(const char *block, uint64_t event);

/*
 * Adds to the architecture the raw counters, with their blocks, and the variables that the
 * expression reads and that nobody has defined. NOMEM; PARSE for a counter that cannot exist, with
 * the error set.
 */
int tacho__oa_add_inputs(const struct tacho__oa_reader *reader, const char *expression);

/* Adds a variable that equations read, unless it is there. NOMEM. */
int tacho__oa_add_variable(const struct tacho__oa_reader *reader, const char *name);
/* Adds a raw counter, "A12" or "GPU_TIME", with its block. NOMEM. */
int tacho__oa_add_raw(const struct tacho__oa_reader *reader, const char *name, uint32_t width_bits,
		      const char *unit, const char *description);

/* Fills in notation, source, range and advice of a metric from its other fields. NOMEM. */
int tacho__oa_finish_metric(const struct tacho__oa_reader *reader, uint32_t line,
			    uint32_t low_watermark, uint32_t high_watermark,
			    struct tacho_entry *metric);

/* A counter of a set, as XML has it. */
struct tacho__oa_metric {
	struct tacho_entry entry; /* .name is the symbol; expressions with single blanks */
	uint32_t line, low_watermark, high_watermark;
	const char *set;
	/* Worked out in read_oa_sets.c: */
	uint8_t state;
	uint8_t is_main;		    /* it is what the bare symbol means */
	uint32_t identity;		    /* of its meaning: equal ones mean the same */
	uint32_t symbol, variants;	    /* of the first metric of a symbol: number, meanings */
	struct tacho__oa_metric *of_symbol; /* first metric of this symbol */
	struct tacho__oa_metric *first;	    /* of the same symbol and meaning */
	struct tacho__oa_metric *next_same, *last_same;
	const char *name; /* of the entry */
};

struct tacho__oa_set {
	struct tacho_set set;
	const char *arch;
	uint32_t line;
	struct tacho__oa_metric **metrics;
	size_t metric_count, metric_capacity;
	struct tacho_register *registers;
	size_t register_count, register_capacity;
	uint8_t has_priorities;
	struct tacho__names by_symbol; /* to struct tacho__oa_metric */
};

/*
 * Adds the sets to the reader's architecture. A symbol that means the same in all sets is one entry
 * of this name. Else each meaning is an entry "SET.SYMBOL", after the first set that has it, with
 * aliases "OTHERSET.SYMBOL", and the first one has the alias "SYMBOL". In expressions a reference
 * to what the symbol alone does not mean becomes "$SET.SYMBOL"; all else stays as written.
 */
int tacho__oa_add_sets(const struct tacho__oa_reader *reader, struct tacho__oa_set **sets,
		       size_t count);

/*
 * What the library has of a platform (data/intel/oa) is read when somebody asks for it. Nothing for
 * an architecture that is no such platform.
 */
void tacho__oa_put_off(struct tacho__arch *arch);
/* Reads the lines of a platform's file into the reader's architecture. NOMEM; PARSE names the line.
 */
int tacho__oa_platform_read(struct tacho__oa_reader *reader, char *text, size_t size);
/* The line of the shared texts that begins with `key`; NULL when there is none. */
char *tacho__oa_find_text(const struct tacho__texts *texts, const char *key);

int tacho__oa_is(const struct tacho__yaml *root);
int tacho__oa_read(const struct tacho__definitions *definitions);
/* Metric sets in MDAPI's XML. */
int tacho__oa_xml_is(const char *text, size_t size);
int tacho__oa_xml_read(struct tacho_catalog *catalog, const char *file, const char *text,
		       size_t size);

#endif
