# SPDX-License-Identifier: MIT
# Of lines "PROGRAM VARIANT MICROSECONDS", without and recorded in turns: a line of a table.
$2 == "none" { none[++n] = $3 }
$2 == "tacho" { ratio[n] = $3 / none[n]; tacho[n] = $3 }

END {
	name = $1
	middle = median(ratio, n)
	sort(none, n)
	sort(tacho, n)
	printf "| %s | %.2f (%.2f) | %.2f (%.2f) | %.2f | %.2f |\n", name, median(none, n) / 1e6,
		none[1] / 1e6, median(tacho, n) / 1e6, tacho[1] / 1e6, tacho[1] / none[1], middle
}
