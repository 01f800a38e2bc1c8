# SPDX-License-Identifier: MIT
# What the scripts here share. Sourced, with ROOT set.

say() {
	printf '%s: %s\n' "$(basename "$0" .sh)" "$*"
}

skip() {
	printf 'SKIP: %s\n' "$*"
	exit 77
}

# put_sources FOLDER: the files as they are here, without those that git ignores.
put_sources() {
	mkdir -p "$1"
	if git -C "$ROOT" rev-parse -q --verify HEAD >/dev/null 2>&1; then
		(cd "$ROOT" && git ls-files -z --cached --others --exclude-standard |
			tar --null --ignore-failed-read -T - -cf - 2>/dev/null) | tar -xf - -C "$1"
	else
		(cd "$ROOT" && tar --exclude='./build*' --exclude='./.git' -cf - .) | tar -xf - -C "$1"
	fi
}

# Seconds since 1970: the last commit's, so that the same sources give the same package.
sources_time() {
	git -C "$ROOT" log -1 --format=%ct 2>/dev/null || date +%s -r "$ROOT/VERSION"
}
