# SPDX-License-Identifier: MIT
# Statistics over a list v[1..n].

function sift(v, root, n,    child, x) {
	x = v[root]
	while ((child = 2 * root) <= n) {
		if (child < n && v[child + 1] > v[child])
			child++
		if (v[child] <= x)
			break
		v[root] = v[child]
		root = child
	}
	v[root] = x
}

function sort(v, n,    i, x) {
	for (i = int(n / 2); i >= 1; i--)
		sift(v, i, n)
	for (i = n; i > 1; i--) {
		x = v[1]; v[1] = v[i]; v[i] = x
		sift(v, 1, i - 1)
	}
}

# Of a sorted list, between neighbours in proportion.
function quantile(v, n, q,    at, low) {
	at = 1 + (n - 1) * q
	low = int(at)
	return low >= n ? v[n] : v[low] + (at - low) * (v[low + 1] - v[low])
}

function median(v, n,    copy, i) {
	for (i = 1; i <= n; i++)
		copy[i] = v[i]
	sort(copy, n)
	return quantile(copy, n, 0.5)
}

# Park and Miller's generator: the same numbers with every awk.
function random() {
	seed = (seed ? seed : 1) * 16807 % 2147483647
	return seed / 2147483647
}

# The 95 % interval of the median, by 2,000 resamples, into interval["low"] and ["high"].
function bootstrap(v, n, interval,    medians, sample, i, j) {
	seed = 1
	for (i = 1; i <= 2000; i++) {
		for (j = 1; j <= n; j++)
			sample[j] = v[1 + int(random() * n)]
		medians[i] = median(sample, n)
	}
	sort(medians, 2000)
	interval["low"] = quantile(medians, 2000, 0.025)
	interval["high"] = quantile(medians, 2000, 0.975)
}
