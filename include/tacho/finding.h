/* SPDX-License-Identifier: MIT */
/*
 * Findings: what rules found in a recording, each with its evidence.
 *
 * A rule looks for one thing that costs time or is wrong. A finding is one rule about one subject
 * (a kernel on a device, a function, a queue): how often it was seen, where (the calls that cost
 * most), how long it took, what the run could gain, and what to do. A rule that cannot be judged
 * from what the recording holds says so in a note; it never guesses.
 *
 * Threads: findings belong to one thread at a time.
 */
#ifndef TACHO_FINDING_H
#define TACHO_FINDING_H

#include <tacho/recording.h>

#ifdef __cplusplus
extern "C" {
#endif

struct tacho_findings;

enum tacho_severity {
	TACHO_SEVERITY_ADVICE = 1,  /* the program is right and could be faster */
	TACHO_SEVERITY_WARNING = 2, /* time or memory is wasted */
	TACHO_SEVERITY_ERROR = 3    /* something failed */
};

/* "advice", "warning", "error". Static. */
TACHO_API const char *tacho_severity_to_string(enum tacho_severity severity);

struct tacho_rule {
	const char *name; /* "blocking-write" */
	enum tacho_severity severity;
	const char *summary; /* what it finds, one line */
	const char *cure;    /* what to do, an imperative sentence */
	const char *codexl;  /* what a rules file of CodeXL calls it, "BlockingWrite"; "" if nothing
			      */
};

/* The rules in a fixed order; NULL past the last. Static. */
TACHO_API const struct tacho_rule *tacho_rule_get(size_t index);

/* A number that rules compare with. */
struct tacho_threshold {
	const char *name; /* "busy-wait-polls" */
	uint64_t value;	  /* when nothing else is set */
	const char *unit; /* "ns", "percent", "bytes", "count", "flag" */
	const char *summary;
};

/* The thresholds in a fixed order; NULL past the last. Static. */
TACHO_API const struct tacho_threshold *tacho_threshold_get(size_t index);

struct tacho_threshold_setting {
	const char *name;
	uint64_t value;
};

struct tacho_findings_options {
	size_t size;		  /* sizeof(struct tacho_findings_options) */
	const char *const *rules; /* names of those to apply; all when rule_count is 0 */
	size_t rule_count;
	const struct tacho_threshold_setting *settings;
	size_t setting_count;
	size_t examples; /* kept of each finding, at most 16; 0: 3 */
};

/* A call that is evidence. */
struct tacho_finding_example {
	const struct tacho_process *process;
	const char *function;
	uint32_t thread;
	uint64_t index;	   /* of the call in its thread */
	uint64_t start_ns; /* of the call */
	uint64_t cost_ns;  /* its part of the finding's cost; 0 when not known */
	const char *text;  /* what about it: "handle 0x1C5F2A0, 2 references"; "" if nothing */
};

struct tacho_finding {
	const struct tacho_rule *rule;
	const char *subject; /* "vadd on gfx803", "clFinish" */
	const char *message; /* a sentence or two with the numbers */
	uint64_t count;	     /* how often */
	uint64_t cost_ns;    /* what was found took so long, whatever ran beside it; if has_cost */
	/* The run could end earlier by this, all else as it was: between the two, which are the
	 * same when it is known. No two findings gain the same time. Valid when has_gain. */
	uint64_t gain_low_ns, gain_high_ns;
	uint32_t has_cost, has_gain;
	uint32_t is_remark; /* true, and of little worth: it gains next to nothing */
	const struct tacho_finding_example *examples; /* those that cost most, then the earliest */
	size_t example_count;
	/* The thread kept a processor busy so long in what was found, between the two: of
	 * busy-wait, where that was recorded. Valid when has_processor. */
	uint64_t processor_low_ns, processor_high_ns;
	uint32_t has_processor;
};

/*
 * Reads the whole recording. `options` may be NULL. Owned; free with tacho_findings_destroy(). The
 * recording must outlive it. NOTFOUND: no rule or threshold of that name. IO, NOMEM.
 */
TACHO_API int tacho_findings_create(struct tacho_recording *recording,
				    const struct tacho_findings_options *options,
				    struct tacho_findings **out_findings);
/* The recording stays as it is. NULL does nothing. */
TACHO_API void tacho_findings_destroy(struct tacho_findings *findings);

/*
 * Errors first, then what gains time, most first, then what is not known to: warnings, advice.
 * Remarks come last. Borrowed.
 */
TACHO_API size_t tacho_findings_get_count(const struct tacho_findings *findings);
/* The same by number, from 0; NULL past the last. Borrowed. */
TACHO_API const struct tacho_finding *tacho_findings_get(const struct tacho_findings *findings,
							 size_t index);

/* What could not be judged, and why: a sentence each. NULL past the last. Borrowed. */
TACHO_API const char *tacho_findings_get_note(const struct tacho_findings *findings, size_t index);

#ifdef __cplusplus
}
#endif

#endif
