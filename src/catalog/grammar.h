/* SPDX-License-Identifier: MIT */
/*
 * The grammar of metrics' names, docs/grammar.md: UNIT__NAME and an ending, "_sum_pct" or
 * ".avg.per_second". A name of it that is no entry becomes a metric, once, and lives as long as the
 * catalog.
 */
#ifndef TACHO_CATALOG_GRAMMAR_H
#define TACHO_CATALOG_GRAMMAR_H

#include <pthread.h>
#include <stdbool.h>

#include "base/buf.h"
#include "catalog/arch.h"

enum {
	TACHO__METRIC_NAME_MAX = 1024, /* bytes of a name; longer ones are none of the grammar */
	TACHO__REASON_MAX = 512,
};

/* Over the instances of a unit. */
enum tacho__rollup {
	TACHO__ROLLUP_NONE, /* the name alone, or a ratio */
	TACHO__ROLLUP_AVG,
	TACHO__ROLLUP_SUM,
	TACHO__ROLLUP_MIN,
	TACHO__ROLLUP_MAX,
};

/* What is made of a rollup, or of a ratio. */
enum tacho__submetric {
	TACHO__SUB_VALUE,
	TACHO__SUB_PEAK,
	TACHO__SUB_PEAK_ACTIVE,
	TACHO__SUB_PEAK_ACTIVE_PER_SECOND,
	TACHO__SUB_PEAK_ELAPSED,
	TACHO__SUB_PEAK_ELAPSED_PER_SECOND,
	TACHO__SUB_PER_CYCLE_ACTIVE,
	TACHO__SUB_PER_CYCLE_ELAPSED,
	TACHO__SUB_PER_SECOND,
	TACHO__SUB_PCT_ACTIVE,
	TACHO__SUB_PCT_ELAPSED,
	TACHO__SUB_COUNT, /* of those with a rollup */
	TACHO__SUB_PCT = TACHO__SUB_COUNT,
	TACHO__SUB_RATIO,
	TACHO__SUB_MAX_RATE,
};

struct tacho__ending {
	enum tacho__rollup rollup;
	enum tacho__submetric submetric;
	bool is_old; /* "_sum_pct" and not ".sum.pct_of_peak_sustained_elapsed" */
};

enum { TACHO__ENDING_MAX = 48 };

/* That of tacho_metric_get_ending(); false past the last. */
bool tacho__ending_get(size_t index, struct tacho__ending *out_ending);
/* Its text, "" of nothing. Static. */
const char *tacho__ending_format(const struct tacho__ending *ending);
/* false: `text` is none of them. */
bool tacho__ending_parse(const char *text, bool ignores_case, struct tacho__ending *out_ending);
/* Of twice the work it is twice as much, when its base is. */
bool tacho__ending_adds_up(const struct tacho__ending *ending);
/* "sum"; "" of none. */
const char *tacho__rollup_word(enum tacho__rollup rollup);

/* What the ending stands behind. */
struct tacho__base {
	const struct tacho_entry *entry; /* of a family: one of its counters */
	/*
	 * Of a family of blocks that are each one instance of a unit, "TA" of TA0 to TA15: its name
	 * and the counter's in it. Else NULL.
	 */
	const char *family;
	const char *quantity;
	bool is_by_unit; /* it was named by its unit and quantity, not by its own name */
	bool is_sol;	 /* "sm__sol" of sm__throughput */
};

/* What of it there can be. */
enum tacho__base_kind {
	TACHO__BASE_NONE,   /* nothing */
	TACHO__BASE_AMOUNT, /* it adds up: everything with a rollup */
	TACHO__BASE_RATE,   /* it does not, but has values of instances: rollups */
	TACHO__BASE_RATIO,
	TACHO__BASE_UNKNOWN, /* there is no memory to find out */
};

/* false: the architecture has none of this name. `name` is at most TACHO__METRIC_NAME_MAX long. */
bool tacho__base_find(const struct tacho_arch *arch, const char *name, bool ignores_case,
		      struct tacho__base *out_base);
/* The family of a counter's block; false: it has none. */
bool tacho__base_of_family(const struct tacho_arch *arch, const struct tacho_entry *entry,
			   struct tacho__base *out_base);
enum tacho__base_kind tacho__base_kind(const struct tacho_arch *arch,
				       const struct tacho__base *base);
/* Its name in the grammar, of which there is one. */
void tacho__base_format(const struct tacho_arch *arch, const struct tacho__base *base,
			struct tacho__buf *text);
/* The counters of a family, `*at` from 0 on; NULL past the last. */
const struct tacho_entry *tacho__base_next(const struct tacho_arch *arch,
					   const struct tacho__base *base, size_t *at);
/* The block that counts it; NULL: none is known. */
const struct tacho_block *tacho__base_block(const struct tacho_arch *arch,
					    const struct tacho__base *base);
/* Copies of its unit in the definitions. */
uint64_t tacho__base_instances(const struct tacho_arch *arch, const struct tacho__base *base);
/* "unit sm", for people. */
void tacho__base_describe_unit(const struct tacho__base *base, char out_text[TACHO__REASON_MAX]);

/* An expression. {0} is none. */
struct tacho__written {
	const char *notation;
	struct tacho__buf expression;
	struct tacho__buf inputs; /* of the postfix notation: names with a NUL behind each */
	size_t input_count;
};

void tacho__written_finish(struct tacho__written *written);
/* false with `reason`, in words: there is none. */
bool tacho__grammar_write(const struct tacho_arch *arch, const struct tacho__base *base,
			  const struct tacho__ending *ending, struct tacho__written *out_written,
			  char reason[TACHO__REASON_MAX]);
/* Whether there would be one, of a base that is `kind`. NOMEM. */
int tacho__grammar_has(const struct tacho_arch *arch, const struct tacho__base *base,
		       enum tacho__base_kind kind, const struct tacho__ending *ending,
		       bool *out_has);
/* The unit of its values, and what they are. */
void tacho__grammar_describe(const struct tacho_arch *arch, const struct tacho__base *base,
			     const struct tacho__ending *ending, struct tacho__buf *unit,
			     struct tacho__buf *description);

/* The metrics of an architecture that were asked for so far. */
struct tacho__grammar {
	pthread_mutex_t lock;	     /* of all that follows; nothing else is called under it */
	struct tacho__arena arena;   /* of the entries and their strings */
	struct tacho__names by_name; /* to entries */
	struct tacho__names bases;   /* names of bases, to themselves */
};

int tacho__grammar_create(struct tacho__grammar **out_grammar);
void tacho__grammar_destroy(struct tacho__grammar *grammar);

/* A name as its base and what stands behind it. false: it means nothing. */
bool tacho__grammar_parse(const struct tacho_arch *arch, const char *name, bool ignores_case,
			  struct tacho__base *out_base, struct tacho__ending *out_ending);
/*
 * The entry that a name means, one of the architecture's own or one made now. NOTFOUND when it
 * means nothing, UNSUPPORTED with the reason why there is none: these are not the thread's error.
 * NOMEM is.
 */
int tacho__grammar_find(const struct tacho_arch *arch, const char *name, bool ignores_case,
			char reason[TACHO__REASON_MAX], const struct tacho_entry **out_entry);

/* Throughputs get their expression, or as caveat the reason why not. NOMEM. */
int tacho__grammar_complete(struct tacho__arch *arch);

#endif
