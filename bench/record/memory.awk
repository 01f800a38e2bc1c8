# SPDX-License-Identifier: MIT
# What recording adds to the memory of the process, from the lines that run.sh writes.
# Needs stats.awk; -v threads=N -v calls=N.

{ list[$2 " " $3, ++runs[$2 " " $3]] = $4 }

function middle(key,    i) {
	for (i = 1; i <= runs[key]; i++)
		v[i] = list[key, i]
	return runs[key] ? median(v, runs[key]) : 0
}

END {
	print "| resident memory, KiB (medians) | no layer | tacho |"
	print "|---|---|---|"
	printf "| once the program is prepared | %.0f | %.0f |\n", \
		middle("start_kib no_layer"), middle("start_kib tacho")
	printf "| more for each thread that made one call | %.1f | %.1f |\n", \
		middle("threads_kib no_layer") / threads, middle("threads_kib tacho") / threads
	growth = middle("growth_kib tacho")
	printf "| more after %d calls in one thread | %.0f | %.0f |\n", calls, \
		middle("growth_kib no_layer"), growth
	printf "| that is, for each million calls | %.1f | %.1f |\n", \
		middle("growth_kib no_layer") / calls * 1000000, growth / calls * 1000000
}
