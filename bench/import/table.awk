# SPDX-License-Identifier: MIT
# From lines "FILE;WHAT;SECONDS OWN_MIB" to a Markdown table of medians, with the first of each file
# as the yardstick. Needs stats.awk.

{
	split($0, part, ";")
	split(part[3], figure, " ")
	row = part[1] ";" part[2]
	if (!(row in runs))
		order[++rows] = row
	n = ++runs[row]
	seconds[row, n] = figure[1]
	mib[row, n] = figure[2]
}

function middle(of, row,    i) {
	for (i = 1; i <= runs[row]; i++)
		v[i] = of[row, i]
	return median(v, runs[row])
}

END {
	print "| file | what reads it | seconds of the processor | memory of its own, MiB | times the first |"
	print "|---|---|---|---|---|"
	for (i = 1; i <= rows; i++) {
		split(order[i], part, ";")
		s = middle(seconds, order[i])
		if (part[1] != file)
			first = s
		file = part[1]
		printf("| %s | %s | %.2f | %.0f | %.2f |\n", part[1], part[2], s,
			middle(mib, order[i]), (first > 0 ? s / first : 0))
	}
}
