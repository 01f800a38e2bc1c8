/* SPDX-License-Identifier: MIT */
/* What the numbers of a comparison are, and how it was decided what differs. */
#include <tacho/tacho.h>

#include "diff/diff.h"

static char *describe_runs(const struct cli_diff *diff)
{
	return cli_format("A and B are means over runs of %s. The %s were compared by a t test, "
			  "all lines together: "
			  "of 100 comparisons of equal programs %.4g show a change anywhere in a "
			  "column, and the intervals hold together. p is that chance for what was "
			  "seen; \"noise\" is an interval that holds 0.",
			  tacho_diff_is_of_means(diff->diff)
				  ? "the mean of each run, for files of sums tell no more"
				  : "the middle three quarters of the values of each run",
			  tacho_diff_is_paired(diff->diff) ? "ratios of pairs" : "runs",
			  100 * diff->level);
}

/* A sum each: there is nothing to put beside the difference. */
static char *describe_sums(void)
{
	return cli_format(
		"A and B are means of launches, for files of sums tell no more: a few slow "
		"launches move a mean. One number a side cannot tell what differs from launch to "
		"launch and from run to run, so no change is proved or disproved here: \"too "
		"few\", "
		"and of counts \"unsure\". Sums of several runs can be tested: tacho diff a1,a2,a3 "
		"b1,b2,b3.");
}

static char *describe_lone(const struct cli_diff *diff)
{
	bool is_pair = diff->groups[0].count + diff->groups[1].count == 2;
	char *text = cli_format("%s", is_pair ? "A and B are medians of launches." : "");

	cli_append(&text, " ",
		   "One run of a side cannot tell what differs from run to run, so no "
		   "change is proved here.");
	if (is_pair)
		cli_append(&text, " ",
			   "The intervals take %.4g %% for that (--run-effect), and what each run "
			   "did over its own length.",
			   100 * diff->run_effect);
	cli_append(&text, " ",
		   "\"noise\" is an interval that holds 0, \"unsure\" one beside 0, \"drift\" one "
		   "beside 0 of a run that rose or fell by itself. Record several of each: tacho "
		   "diff a1,a2,a3 b1,b2,b3.");
	return text;
}

char *cli_diff_describe_method(const struct cli_diff *diff)
{
	if (diff->groups[0].count > 1 && diff->groups[1].count > 1)
		return describe_runs(diff);
	return tacho_diff_is_of_means(diff->diff) ? describe_sums() : describe_lone(diff);
}
