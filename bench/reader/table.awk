# SPDX-License-Identifier: MIT
# From lines "WHAT;CALLS MIB USER_SECONDS SECONDS PEAK_MIB OWN_MIB DROPPED" to a Markdown table of
# medians. Needs stats.awk.

{
	split($0, part, ";")
	split(part[2], figure, " ")
	row = part[1] ";" figure[1]
	if (!(row in runs))
		order[++rows] = row
	n = ++runs[row]
	mib[row] = figure[2]
	for (i = 3; i <= 6; i++)
		value[row, i, n] = figure[i]
	dropped[row] = figure[7]
}

function middle(row, field,    i) {
	for (i = 1; i <= runs[row]; i++)
		v[i] = value[row, field, i]
	return median(v, runs[row])
}

END {
	print "| recording, report | calls | recording, MiB | user time, s | wall, s " \
		"| resident at most, MiB | of it not file pages, MiB | dropped |"
	print "|---|---|---|---|---|---|---|---|"
	for (i = 1; i <= rows; i++) {
		split(order[i], part, ";")
		printf "| %s | %d | %d | %.2f | %.2f | %.1f | %.1f | %d |\n", part[1], part[2], \
			mib[order[i]], middle(order[i], 3), middle(order[i], 4), \
			middle(order[i], 5), middle(order[i], 6), dropped[order[i]]
	}
}
