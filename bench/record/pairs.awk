# SPDX-License-Identifier: MIT
# From lines "PAIR FIGURE plain|tacho VALUE DROPPED WAITS" to a Markdown table: the median ratio
# of each figure, recorded over not, its 95 % interval, and whether that lies within the bounds.
# Where it does not, the same interval of the program against itself (ratios of its runs that
# followed one another without tacho) tells whether these runs could have shown it.
# Needs stats.awk.

BEGIN { LOW = 0.97; HIGH = 1.03 }

$1 > 0 && $4 > 0 {
	if (!($2 in pairs)) {
		order[++figures] = $2
		pairs[$2] = 0
	}
	value[$2, $1, $3] = $4
	if ($1 > pairs[$2])
		pairs[$2] = $1
	if ($3 == "tacho")
		dropped[$2] += $5
}

# Fills ratio[]; the number of them. By how many pairs the two runs are apart, and which they are.
function collect(figure, apart, above,    i, n, top, bottom) {
	for (i = 1; i <= pairs[figure]; i++) {
		top = figure SUBSEP i SUBSEP above
		bottom = figure SUBSEP (i - apart) SUBSEP "plain"
		if ((top in value) && (bottom in value))
			ratio[++n] = value[top] / value[bottom]
	}
	return n + 0
}

function inside(interval) {
	return interval["low"] >= LOW && interval["high"] <= HIGH
}

function verdict(with, itself, itself_runs) {
	if (inside(with))
		return "within 3 %"
	if (with["low"] > HIGH || with["high"] < LOW)
		return "more than 3 %"
	if (itself_runs < 2 || !inside(itself))
		return "none: the program's own spread is as wide"
	return "not shown to be within 3 %"
}

END {
	print "| figure | ratio | 95 % interval | against itself | verdict | pairs | dropped |"
	print "|---|---|---|---|---|---|---|"
	for (i = 1; i <= figures; i++) {
		figure = order[i]
		itself_runs = collect(figure, 1, "plain")
		if (itself_runs)
			bootstrap(ratio, itself_runs, itself)
		runs = collect(figure, 0, "tacho")
		if (!runs)
			continue
		bootstrap(ratio, runs, with)
		label = figure
		gsub(/_/, " ", label)
		printf "| %s | %.4f | %.4f to %.4f | ", label, median(ratio, runs), with["low"], \
			with["high"]
		if (itself_runs)
			printf "%.4f to %.4f", itself["low"], itself["high"]
		printf " | %s | %d | %d |\n", verdict(with, itself, itself_runs), runs, dropped[figure]
	}
}
