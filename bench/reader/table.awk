# SPDX-License-Identifier: MIT
# From lines "CALLS MIB SECONDS PEAK_MIB OWN_MIB DROPPED" to a Markdown table of medians.
# Needs stats.awk.

{
	if (!($1 in runs))
		order[++lengths] = $1
	n = ++runs[$1]
	mib[$1] = $2
	for (i = 3; i <= 5; i++)
		value[$1, i, n] = $i
	dropped[$1] = $6
}

function middle(calls, field,    i) {
	for (i = 1; i <= runs[calls]; i++)
		v[i] = value[calls, field, i]
	return median(v, runs[calls])
}

END {
	print "| calls | recording, MiB | tacho report, s | resident at most, MiB " \
		"| of it not file pages, MiB | dropped |"
	print "|---|---|---|---|---|---|"
	for (i = 1; i <= lengths; i++)
		printf "| %d | %d | %.2f | %.1f | %.1f | %d |\n", order[i], mib[order[i]], \
			middle(order[i], 3), middle(order[i], 4), middle(order[i], 5), \
			dropped[order[i]]
}
