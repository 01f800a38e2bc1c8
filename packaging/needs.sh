# SPDX-License-Identifier: MIT
# What a folder of programs and libraries needs of the machine. Sourced behind sources.sh.

# needs_list FOLDER: its ELF files.
needs_list() {
	find "$1" -type f -size +4k | while read -r file; do
		[ "$(head -c 4 "$file" | tail -c 3)" = ELF ] && echo "$file"
	done
}

# needs_check FOLDER VERSION: its files need no newer glibc than that, no library that is neither
# glibc's nor theirs, and nothing by an absolute path.
needs_check() {
	needs_bad=$(needs_list "$1" | while read -r file; do
		readelf -dW "$file" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' |
			grep -vE '^(lib(c|m|dl|pthread|rt)\.so\.[0-9]|ld-linux[^/]*|libtacho\.so\.0)$' |
			sed "s|^|${file##*/} needs |"
		readelf -dW "$file" | sed -n 's/.*(R[UN]*PATH).*\[\(.*\)\]/\1/p' | tr : '\n' |
			grep -v '^\$ORIGIN' | sed "s|^|${file##*/} looks into |"
		newest=$(readelf -VW "$file" | grep -o 'GLIBC_[0-9][0-9.]*' | sed 's/GLIBC_//' |
			sort -Vu | tail -n 1)
		[ "$(printf '%s\n' "$2" "$newest" | sort -V | tail -n 1)" = "$2" ] ||
			echo "${file##*/} needs glibc $newest"
	done)
	needs_count=$(needs_list "$1" | grep -c .)
	[ -z "$needs_bad" ] && [ "$needs_count" -gt 5 ] || {
		say "not for glibc $2 alone:"
		printf '%s\n' "$needs_bad"
		return 1
	}
	say "$needs_count files need no more than glibc $2"
}
