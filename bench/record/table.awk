# SPDX-License-Identifier: MIT
# From lines "ROUND FIGURE VARIANT VALUE DROPPED WAITS" to a Markdown table of one FIGURE: the
# median of each variant, and of its difference to the empty layer in the same round.
# Needs stats.awk; -v figure=NAME.

$2 == figure {
	if (!($3 in runs))
		order[++variants] = $3
	n = ++runs[$3]
	value[$3, n] = $4
	dropped[$3] = $5 == "-" ? "-" : dropped[$3] + $5
	waits[$3] = $6 == "-" ? "-" : dropped[$3] == "-" ? 0 : waits[$3] + $6
}

function over_empty(variant,    i) {
	for (i = 1; i <= runs[variant]; i++)
		difference[i] = value[variant, i] - value["empty", i]
	sort(difference, runs[variant])
	return quantile(difference, runs[variant], 0.5)
}

END {
	print "| | median, ns | over the empty layer, ns | quartiles | times tacho's | dropped | waits |"
	print "|---|---|---|---|---|---|---|"
	tacho = over_empty("tacho")
	for (i = 1; i <= variants; i++) {
		name = order[i]
		n = runs[name]
		for (j = 1; j <= n; j++)
			list[j] = value[name, j]
		over = over_empty(name)
		label = name
		gsub(/_/, " ", label)
		printf "| %s | %.1f | ", label, median(list, n)
		if (name == "empty")
			printf "0 | | | "
		else
			printf "%+.1f | %+.1f to %+.1f | %.2f | ", over, \
				quantile(difference, n, 0.25), quantile(difference, n, 0.75), \
				tacho ? over / tacho : 0
		print dropped[name] " | " waits[name] " |"
	}
}
