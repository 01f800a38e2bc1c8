/* SPDX-License-Identifier: MIT */
/* The catalog: what can be counted on every architecture, and how metrics are worked out. */
#ifndef TACHO_CATALOG_H
#define TACHO_CATALOG_H

#include <stddef.h>
#include <stdint.h>

#include <tacho/export.h>
#include <tacho/result.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Immutable once opened; threads share it freely. Everything that is returned is borrowed from it.
 */
struct tacho_catalog;

struct tacho_catalog_options {
	size_t size; /* sizeof(struct tacho_catalog_options) */
	/* Have only this architecture; NULL, or one that nobody defines: all. Case is ignored. */
	const char *arch;
	const char *api; /* read only what may define this API; NULL: all */
	/* Files of definitions, YAML or XML, that add to the built-in ones or replace them. */
	const char *const *definitions;
	size_t definition_count;
	/*
	 * What the environment names is used too (an installed vendor's file, for descriptions).
	 * 0: yes.
	 */
	uint32_t no_environment;
};

/*
 * Opens what is built in and the files. A mistake in an entry of a file costs this entry only: it
 * is one of the problems. Fails when a file cannot be read or is no such file at all (IO, PARSE,
 * NOTFOUND) and with NOMEM. Owned; close with tacho_catalog_close(). `options` may be NULL.
 */
TACHO_API int tacho_catalog_open(const struct tacho_catalog_options *options,
				 struct tacho_catalog **out_catalog);
/* Frees it, and all that was borrowed from it. NULL does nothing. */
TACHO_API void tacho_catalog_close(struct tacho_catalog *catalog);

/* What was wrong in the files that were read: an entry that was left out, and why. */
struct tacho_problem {
	const char *file; /* "" for text without a file */
	uint32_t line;	  /* from 1; 0: not known */
	const char *entry;
	const char *message; /* what is wrong and what to write instead */
};

/* NULL past the last. */
TACHO_API const struct tacho_problem *tacho_catalog_get_problem(const struct tacho_catalog *catalog,
								size_t index);

/* One architecture under one API: what this pair can count. */
struct tacho_arch {
	const char *name;  /* short, as its vendor's tools write it */
	const char *api;   /* through which it is counted, short, in small letters */
	const char *title; /* for people: products */
	const char *vendor;
	const char *source; /* document and version that the definitions come from */
	uint32_t pass_cap;  /* counters at the same time, over all blocks; 0: blocks alone decide */
	/* The API is the vendor's own, with all hardware counters, and not one that programs use.
	 */
	uint32_t is_own;
};

/* In a fixed order; NULL past the last. */
TACHO_API const struct tacho_arch *tacho_catalog_get_arch(const struct tacho_catalog *catalog,
							  size_t index);
/*
 * By name, case ignored, and API; api NULL: any. NOTFOUND, with the nearest names in the cure;
 * AMBIGUOUS when several APIs define the architecture and none is its own.
 */
TACHO_API int tacho_catalog_find_arch(const struct tacho_catalog *catalog, const char *name,
				      const char *api, const struct tacho_arch **out_arch);

enum tacho_entry_kind {
	TACHO_ENTRY_COUNTER,  /* a raw event of a block */
	TACHO_ENTRY_METRIC,   /* a formula */
	TACHO_ENTRY_CONSTANT, /* a property of the device that formulas use */
};

/* A counter, metric or constant. Strings are "" and numbers NAN or 0 where nothing is stated. */
struct tacho_entry {
	const char *name;
	enum tacho_entry_kind kind;
	enum tacho_type type; /* of its values */
	const char *description;
	const char *group; /* as the vendor sorts them: "Timing", "EU Array/Vertex Shader" */
	const char *unit;  /* "percent", "cycles", "bytes", "kilobytes", "milliseconds", ... */

	/* Of counters. */
	const char *block; /* name of the block that counts it */
	uint64_t event;	   /* its number there, with the vendor's flags in bits 32 to 63 */
	uint32_t width_bits;

	/* Of metrics. */
	const char *notation;	   /* "infix", "gpa", "oa" */
	const char *expression;	   /* as written; "": none is published, and `caveat` explains */
	const char *const *inputs; /* what the numbers in a "gpa" expression stand for */
	size_t input_count;
	const char *maximum;	  /* expression of the largest value */
	const char *availability; /* condition over the constants; "": always there */

	double range_low, range_high;
	const char *better; /* "lower", "higher" */
	const char *advice; /* what to do about a bad value */
	const char *caveat; /* what the value does not say, or known faults of its definition */
	const char *source; /* document and version */
	const char *file;   /* "FILE:LINE" of an entry that is not built in */
	const char *const *aliases; /* other spellings */
	size_t alias_count;
	const char *title; /* the vendor's name for people: "GPU Time Elapsed" */
	/*
	 * The vendor's word for how values add up: "event", "duration", "throughput", "ratio";
	 * tacho_arch_get_semantic() has what they do.
	 */
	const char *semantic;
	uint32_t is_programmed; /* what this counter counts is chosen by the exclusive set */
	/*
	 * What every command tells by itself, on every device and under every API: a recording has
	 * its values, and no session counts it. is_of_transfers: only transfers have it.
	 */
	uint32_t is_of_command, is_of_transfers;
	uint32_t is_simulated; /* of a recording: counted on a device that does not exist */
	/* Of a recording of which a cursor is or was open: its rows have values of instances. */
	uint32_t has_instances;
	/*
	 * How values of several ranges become that of one row: "" adds them up, "first" takes the
	 * smallest, "last" the largest: when something began, and when it ended.
	 */
	const char *joins;
	/* What one instance counts in a cycle of its block at most; 0: not stated. */
	double peak;
	/* Of a throughput: counters whose largest part of their peaks it is; it has no expression.
	 */
	const char *const *parts;
	size_t part_count;
	/*
	 * What can stand behind the name, ".sum.per_second": each makes another entry, which is
	 * found by its whole name. The name alone means the first of them.
	 */
	const char *const *endings;
	size_t ending_count;
};

/*
 * Its own, in the order of the definitions; NULL past the last. Some platforms are read when they
 * are first asked for: when there was no memory for it, tacho_error_last() has code NOMEM, and
 * entries and sets are missing.
 */
TACHO_API const struct tacho_entry *tacho_arch_get_entry(const struct tacho_arch *arch,
							 size_t index);
/*
 * The counters of commands ("device_time", ...), which every architecture has behind its own
 * entries; NULL past the last. Static.
 */
TACHO_API const struct tacho_entry *tacho_command_get_entry(size_t index);
/*
 * By name, else by alias, else by name with case ignored, among its own entries, else among those
 * of commands, else what the name means in the grammar of metrics' names ("sm__inst_executed_sum",
 * docs/grammar.md); NULL when there is none.
 */
TACHO_API const struct tacho_entry *tacho_arch_find_entry(const struct tacho_arch *arch,
							  const char *name);
/*
 * The same, and why there is none: NOTFOUND with the nearest names, UNSUPPORTED for a name that
 * means something in the grammar but cannot be worked out here, with the reason.
 */
TACHO_API int tacho_arch_resolve_entry(const struct tacho_arch *arch, const char *name,
				       const struct tacho_entry **out_entry);
/* What the grammar puts names together from: a base, and endings behind it. */
struct tacho_metric_base {
	const char *name; /* "sm__inst_executed", "SQ__WAVES"; as long as the catalog */
	const struct tacho_entry *entry; /* of a family of blocks one of its counters */
	uint64_t endings;		 /* bits 1 << index of tacho_metric_get_ending() */
	uint32_t is_of_family;		 /* the name alone is the sum over the family's blocks */
};

/* "_sum", ".avg.per_second"; there are less than 64, NULL past the last. Static. */
TACHO_API const char *tacho_metric_get_ending(size_t index);
/*
 * All bases of an architecture, in the order of its entries, families behind them. Only what is
 * worked out by an expression or counted has one. The array is owned: free().
 */
TACHO_API int tacho_arch_list_metric_bases(const struct tacho_arch *arch,
					   struct tacho_metric_base **out_bases, size_t *out_count);
/*
 * The name of an entry in the grammar, with its unit: finds it again, and is what endings are put
 * behind. INVAL for a constant, and where a vendor's library makes the names. Owned: free().
 */
TACHO_API int tacho_arch_format_metric_name(const struct tacho_arch *arch,
					    const struct tacho_entry *entry, char **out_text);
/*
 * The `count` entries, 64 at most, whose names are nearest to `name`, best first; fewer when there
 * are fewer. Returns how many.
 */
TACHO_API size_t tacho_arch_find_nearest(const struct tacho_arch *arch, const char *name,
					 const struct tacho_entry **out_entries, size_t count);

/* A hardware unit with counter registers. */
struct tacho_block {
	const char *name;
	const char *description;
	uint32_t slots;	      /* counters at the same time, per instance */
	uint32_t event_count; /* events to choose from; 0: not stated */
	uint32_t
		instances; /* copies in the definitions, before the device's topology; at least 1 */
	uint32_t first_index; /* of its events in the vendor's own numbering of all */
	const char *stage;    /* family of shader stages that exclude each other; "": none */
	uint32_t stage_slots; /* counters at the same time per stage family; 0: `slots` holds */
	/*
	 * The vendor's, blanks between: "Se Sq". "apart": its counters share a pass only with such
	 * counters and with one that is "alone", which shares it with no others. "absent": this
	 * device has no counters of it, and the description says why.
	 */
	const char *attributes;
	/* Events that add up the counter before them, in steps or every cycle; 0: there is none. */
	uint64_t accumulate_low, accumulate_high;
	const char *family; /* the name without the number of the instance: "TA" of "TA15" */
	/* "" where nothing is stated: the block that it is part of, and its clock's name; */
	const char *parent, *clock;
	/* the counters of its cycles, all that passed and those with work in it. */
	const char *elapsed, *active;
};

/* Blocks in the order of the definitions; NULL past the last. Borrowed from the catalog. */
TACHO_API const struct tacho_block *tacho_arch_get_block(const struct tacho_arch *arch,
							 size_t index);
/* By its name, case ignored; NULL when there is none. Borrowed from the catalog. */
TACHO_API const struct tacho_block *tacho_arch_find_block(const struct tacho_arch *arch,
							  const char *name);

/* A register that a set programs. */
struct tacho_register {
	const char *kind; /* "NOA", "OA", "FLEX" */
	uint32_t address, value;
	const char *availability;
};

/* Entries that belong together: a group of counters, or a set that is programmed as a whole. */
struct tacho_set {
	const char *name;
	const char *title;
	const char *description;
	const char *guid;      /* "" for a group */
	uint32_t is_exclusive; /* it is programmed as a whole: one in a pass */
	const struct tacho_entry *const *entries;
	size_t entry_count;
	const struct tacho_register *registers;
	size_t register_count;
};

/* Sets and groups in the order of the definitions; NULL past the last. Borrowed. */
TACHO_API const struct tacho_set *tacho_arch_get_set(const struct tacho_arch *arch, size_t index);
/* By name or GUID, case ignored. */
TACHO_API const struct tacho_set *tacho_arch_find_set(const struct tacho_arch *arch,
						      const char *name);

struct tacho_property {
	const char *name;
	uint64_t value;
};

/* A device that has the architecture, with the numbers that its counters' shapes follow from. */
struct tacho_model {
	const char *name;  /* "mi300x" */
	const char *title; /* "AMD Instinct MI300X" */
	const struct tacho_property *properties;
	size_t property_count;
	const char *source;
};

/* Models in the order of the definitions; NULL past the last. Borrowed from the catalog. */
TACHO_API const struct tacho_model *tacho_arch_get_model(const struct tacho_arch *arch,
							 size_t index);
/* By its name, case ignored; NULL when there is none. Borrowed from the catalog. */
TACHO_API const struct tacho_model *tacho_arch_find_model(const struct tacho_arch *arch,
							  const char *name);

/*
 * The dimensions of the values of a counter or metric on a model, which may be NULL where they do
 * not follow from it: `out_dimensions` has room for TACHO_DIMENSION_MAX. UNSUPPORTED when the model
 * does not say enough, naming the property, for a
 * metric without a published expression, and for one that selects several positions of a dimension.
 * INVAL for a metric whose operands do not fit together, or what its expression is wrong in.
 */
TACHO_API int tacho_arch_get_dimensions(const struct tacho_arch *arch,
					const struct tacho_entry *entry,
					const struct tacho_model *model,
					struct tacho_dimension *out_dimensions,
					uint32_t *out_count);

/*
 * The value of a constant on a model, or of a metric of constants alone. INVAL for what is counted,
 * NOTFOUND when the model does not say it, UNSUPPORTED for a metric without a published expression.
 */
TACHO_API int tacho_arch_get_constant(const struct tacho_arch *arch,
				      const struct tacho_entry *entry,
				      const struct tacho_model *model, double *out_value);

/*
 * Counters and constants that a metric comes down to, each once. INVAL for what is no metric,
 * UNSUPPORTED for a metric without a published expression. The array is owned: free().
 */
TACHO_API int tacho_arch_list_inputs(const struct tacho_arch *arch, const struct tacho_entry *entry,
				     const struct tacho_entry ***out_entries, size_t *out_count);

/*
 * The expression of a metric with every metric in it replaced by its own, down to counters and
 * constants, in the infix notation. Owned: free(). Errors as tacho_arch_list_inputs().
 */
TACHO_API int tacho_arch_format_expanded(const struct tacho_arch *arch,
					 const struct tacho_entry *entry, char **out_text);

/*
 * How values of an entry add up over launches and windows. "event" and "duration" do: counters, and
 * metrics of which twice the work makes twice the value, as the expression shows. Others, such as
 * moments, do not: "ratio", "throughput" when they are something per second. `semantic` is asked
 * where there is no expression that can be read. Static; NULL with the error set when memory ran
 * out.
 */
TACHO_API const char *tacho_arch_get_semantic(const struct tacho_arch *arch,
					      const struct tacho_entry *entry);

#ifdef __cplusplus
}
#endif

#endif
