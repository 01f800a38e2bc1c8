# SPDX-License-Identifier: MIT
# Of lines "DRIVER WHAT VARIANT NS": a table. The first file has lines of the same with instructions.
FNR == NR && FILENAME ~ /instructions$/ { counted[$1 " " $2 " " $3] = $4; next }
{
	key = $1 " " $2
	if (!(key in seen)) {
		seen[key] = 1
		keys[++total] = key
	}
	id = key " " $3
	value[id, ++n[id]] = $4
}

function middle(id,    i, v) {
	if (!n[id])
		return ""
	for (i = 1; i <= n[id]; i++)
		v[i] = value[id, i]
	sort(v, n[id])
	least = v[1]
	return quantile(v, n[id], 0.5)
}

function show(id,    at) {
	at = middle(id)
	return at == "" ? "-" : sprintf("%.0f (%.0f)", at, least)
}

function over(id, base,    at) {
	at = middle(base)
	return at == "" ? "-" : sprintf("%+.0f", middle(id) - at)
}

function number(id) {
	return id in counted ? counted[id] : "-"
}

BEGIN {
	word["commands"] = "a command"
	word["submits"] = "a submit without a fence"
	word["fenced"] = "a submit with a fence"
	word["fresh"] = "a submit of what was recorded anew"
}

END {
	print "| driver | | no layer, ns | empty layer | its own stamps | **tacho** | capture |" \
		" VulkanProfiler | tacho over the empty layer | instructions: no layer, empty, tacho |"
	print "|---|---|---|---|---|---|---|---|---|---|"
	for (i = 1; i <= total; i++) {
		key = keys[i]
		split(key, part, " ")
		if (!(part[2] in word))
			continue
		stamped = part[2] == "commands" ? show(part[1] " stamped empty") : "-"
		printf "| %s | %s | %s | %s | %s | %s | %s | %s | %s | %s, %s, %s |\n", part[1],
			word[part[2]], show(key " none"), show(key " empty"), stamped,
			show(key " tacho"), show(key " capture"), show(key " profiler"), over(key " tacho", key " empty"),
			number(key " none"), number(key " empty"), number(key " tacho")
	}
}
